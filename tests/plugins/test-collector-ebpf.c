/* test-collector-ebpf.c: test of the eBPF collector's requests to the agent, and of events that
 * only BPF programs record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "../test-mode.h"
#include "capture/tb-capture-decoder.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-message.h"
#include "extend/plugins/tb-engine.h"
#include "extend/plugins/tb-switch-rate.h"
#include "session/schema/tb-interface.h"
#include "session/file/tb-session.h"
#include "trace/tb-trace.h"

typedef struct
{
  char *folder;
  char *agent; /* path of the real agent */
  TbCollector *collector;
  TbRecorder *recorder;
  GByteArray *stream; /* output of the stand-in agent */
  gboolean ended_well;
} Fixture;

static const char *const files[] = { "test.tailback", "stream", "sent", "agent.sh" };

static char *
get_path (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

static void
on_ended (TbCollector *collector, const char *message, gpointer data)
{
  ((Fixture *) data)->ended_well = message == NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;

  fixture->folder = g_dir_make_tmp ("tailback-collector-XXXXXX", NULL);
  fixture->agent = g_strdup (g_getenv ("TAILBACK_AGENT"));
  path = get_path (fixture, "test.tailback");
  file = g_file_new_for_path (path);
  fixture->collector = tb_engine_create_collector (tb_engine_get_default (), "ebpf", &error);
  g_assert_no_error (error);
  fixture->recorder = tb_recorder_new (file, FALSE, &error);
  g_assert_no_error (error);
  fixture->stream = g_byte_array_new ();
  g_signal_connect (fixture->collector, "ended", G_CALLBACK (on_ended), fixture);
}

static gboolean
remove_folder (Fixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = get_path (fixture, files[i]);

      g_unlink (path);
    }
  return g_rmdir (fixture->folder) == 0;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gboolean is_removed = FALSE;

  g_clear_object (&fixture->collector);
  g_clear_object (&fixture->recorder);
  /* A stand-in agent may still be writing what it received. */
  for (guint i = 0; i < 10000 && !is_removed; i++)
    {
      if (i > 0)
        g_usleep (1000);
      is_removed = remove_folder (fixture);
    }
  g_assert_true (is_removed);
  g_setenv ("TAILBACK_AGENT", fixture->agent, TRUE);
  g_byte_array_unref (fixture->stream);
  g_free (fixture->folder);
  g_free (fixture->agent);
}

static void
put_header (Fixture *fixture, TbCaptureBackend backend)
{
  TbCaptureHeader header
      = { .host = "elsewhere", .machine = "x86_64", .n_cpus = 2, .backend = backend };
  guint8 bytes[4096];

  if (backend != TB_CAPTURE_BACKEND_BPF)
    {
      header.n_refusals = 1;
      header.refusals[0].backend = TB_CAPTURE_BACKEND_BPF;
      TB_CAPTURE_SET_MESSAGE (&header.refusals[0].message, TB_CAPTURE_CODE_NO_BTF, ENOENT,
                              "/sys/kernel/btf/vmlinux");
    }
  g_byte_array_append (fixture->stream, bytes,
                       tb_capture_encode_header (&header, bytes, sizeof bytes));
}

static void
put (Fixture *fixture, TbCaptureRecord record)
{
  static guint8 data[TB_CAPTURE_MAX_RECORD];

  g_byte_array_append (fixture->stream, data, tb_capture_encode (&record, data, sizeof data));
}

static void
put_string (Fixture *fixture, guint32 id, const char *text)
{
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_STRING,
                                    .cpu = TB_CAPTURE_CPU_NONE,
                                    .string.id = id,
                                    .tail = (const guint8 *) text,
                                    .tail_length = strlen (text) });
}

/* message NULL: an answer without a message */
static void
put_answer (Fixture *fixture,
            guint64 time,
            TbCaptureStatusKind kind,
            TbCaptureSource source,
            guint32 id,
            const TbCaptureMessage *message)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_STATUS,
                             .time = time,
                             .cpu = TB_CAPTURE_CPU_NONE,
                             .status = { .kind = kind, .source = source, .id = id } };

  if (message != NULL)
    tb_capture_message_write (message, &record);
  put (fixture, record);
}

static void
put_status (Fixture *fixture,
            guint64 time,
            TbCaptureStatusKind kind,
            const TbCaptureMessage *message)
{
  put_answer (fixture, time, kind, TB_CAPTURE_SOURCE_NONE, 0, message);
}

static void
set_option (Fixture *fixture, const char *name, const char *value)
{
  g_autoptr (GError) error = NULL;

  tb_option_set_from_text (G_OBJECT (fixture->collector), name, value, &error);
  g_assert_no_error (error);
}

/* Installs a script as the agent. It emits the prepared stream and keeps what it receives. */
static void
install_fake_agent (Fixture *fixture)
{
  g_autofree char *stream = get_path (fixture, "stream");
  g_autofree char *sent = get_path (fixture, "sent");
  g_autofree char *script = get_path (fixture, "agent.sh");
  g_autofree char *text = g_strdup_printf (
      "#!/bin/sh\n[ \"$*\" = '--backend bpf' ] || exit 3\ncat '%s'\nexec >&-\ncat > '%s'\n", stream,
      sent);

  g_assert_true (g_file_set_contents (stream, (const char *) fixture->stream->data,
                                      fixture->stream->len, NULL));
  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  g_chmod (script, 0755);
  g_setenv ("TAILBACK_AGENT", script, TRUE);
}

static TbSession *
finish (Fixture *fixture)
{
  g_autofree char *path = get_path (fixture, "test.tailback");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  TbSession *session;

  tb_recorder_finish (fixture->recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  return session;
}

/* The stand-in agent does not answer probe requests. Waiting for the timeout is left to thorough
 * tests. */
static TbSession *
record_stream (Fixture *fixture)
{
  TbTarget target = { TB_SCOPE_SYSTEM, 0 };
  g_autoptr (GError) error = NULL;

  install_fake_agent (fixture);
  if (!test_is_thorough ())
    set_option (fixture, "locks", "false");
  tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (tb_collector_stop (fixture->collector, &error));
  g_assert_no_error (error);
  return finish (fixture);
}

static gconstpointer
get_column (TbSession *session, TbTableKind kind, guint column, GBytes **bytes)
{
  *bytes = tb_table_get_column (tb_session_get_table (session, kind), column, NULL);
  return g_bytes_get_data (*bytes, NULL);
}

/* Addresses of both families, and an interface name with control characters, which are replaced. */
static void
put_interfaces (Fixture *fixture)
{
  static const guint8 addresses[2 * TB_CAPTURE_ADDRESS_SIZE] = {
    [0] = 0x20,  [1] = 0x01, [2] = 0x0d, [3] = 0xb8, [15] = 1, [26] = 0xff,
    [27] = 0xff, 192,        0,          2,          1,
  };

  put_string (fixture, 5, "lo");
  put_string (fixture, 6, "od\td\n");
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_INTERFACE,
                                    .cpu = TB_CAPTURE_CPU_NONE,
                                    .interface = { .index = 1, .name = 5 } });
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_INTERFACE,
                                    .cpu = TB_CAPTURE_CPU_NONE,
                                    .interface = { 10000000000, 7, 6, 3 },
                                    .tail = addresses,
                                    .tail_length = sizeof addresses });
}

static void
put_events (Fixture *fixture)
{
  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  put_string (fixture, 1, "/var/db/journal");
  put_string (fixture, 2, "[heap]");
  put_string (fixture, 3, "vda");
  put_string (fixture, 4, "WS");
  put_interfaces (fixture);
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_DEVICE,
                                    .cpu = TB_CAPTURE_CPU_NONE,
                                    .device = { 1, 3, 254, 0, TB_CAPTURE_DEVICE_BLOCK } });
  put_status (fixture, 100, TB_CAPTURE_STATUS_ARMED, NULL);
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_SLEEP,
                                    .sleep = { .id = 1,
                                               .number = 74,
                                               .object = 1,
                                               .address = 3,
                                               .timeout = TB_CAPTURE_TIMEOUT_NONE,
                                               .kind = TB_CAPTURE_SLEEP_FILE } });
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_SLEEP,
                                    .sleep = { .id = 2,
                                               .number = 202,
                                               .object = 2,
                                               .address = 0x5500,
                                               .timeout = 50000,
                                               .kind = TB_CAPTURE_SLEEP_LOCK } });
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_IO_INSERT,
                                    .time = 190,
                                    .io = { .sector = 8,
                                            .bytes = 512,
                                            .tid = 10,
                                            .pid = 10,
                                            .device = 1,
                                            .operation = 4,
                                            .file = 1 } });
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH,
                           .time = 200,
                           .sched_switch
                           = { .tid = 10, .pid = 10, .next = 11, .state = 'D', .sleep = 1 } });
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH,
                           .time = 300,
                           .sched_switch
                           = { .tid = 11, .pid = 11, .next = 0, .state = 'S', .sleep = 2 } });
  put (fixture, (TbCaptureRecord) { .type = TB_CAPTURE_IO_COMPLETE,
                                    .time = 350,
                                    .io = { .sector = 8,
                                            .bytes = 512,
                                            .tid = 0,
                                            .pid = 0,
                                            .device = 1,
                                            .operation = 4,
                                            .file = 1 } });
  put (fixture,
       (TbCaptureRecord) {
           .type = TB_CAPTURE_SYS_CALL,
           .time = 390,
           .sys_call
           = { .entered = 180, .args = { 3 }, .result = 0, .tid = 10, .pid = 10, .number = 74 } });
  put (fixture, (TbCaptureRecord) {
                    .type = TB_CAPTURE_RETURN,
                    .time = 395,
                    .call = { .site = 0x40, .tid = 10, .pid = 10, .probe = 5, .entered = 170 } });
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_END, .time = 400, .cpu = TB_CAPTURE_CPU_NONE });
}

static void
assert_interfaces (TbSession *session)
{
  guint n;
  const TbInterface *interfaces = tb_session_get_interfaces (session, &n);

  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (interfaces[0].name, ==, "lo");
  g_assert_cmpuint (interfaces[0].index, ==, 1);
  g_assert_cmpuint (interfaces[0].speed, ==, 0);
  g_assert_null (interfaces[0].addresses[0]);
  g_assert_cmpstr (interfaces[1].name, ==, "od?d?");
  g_assert_cmpuint (interfaces[1].index, ==, 7);
  g_assert_cmpuint (interfaces[1].speed, ==, 10000000000);
  g_assert_cmpuint (interfaces[1].n_omitted, ==, 3);
  g_assert_cmpuint (g_strv_length ((char **) interfaces[1].addresses), ==, 2);
  g_assert_cmpstr (interfaces[1].addresses[0], ==, "2001:db8::1");
  g_assert_cmpstr (interfaces[1].addresses[1], ==, "192.0.2.1");
}

/* Objects of sleeps, files of I/O requests, whole calls and interfaces must reach the session. */
static void
test_facts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GBytes) calls = NULL, objects = NULL, timeouts = NULL, block_files = NULL,
                     enters = NULL, functions = NULL;
  const guint32 *strings;

  put_events (fixture);
  session = record_stream (fixture);
  g_assert_cmpstr (tb_session_get_fact (session, "facility"), ==, "bpf");
  g_assert_cmpstr (tb_session_get_fact (session, "collector"), ==, "ebpf");
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SLEEP)), ==, 2);
  strings = get_column (session, TB_TABLE_SLEEP, TB_SLEEP_CALL, &calls);
  g_assert_cmpstr (tb_session_get_string (session, strings[0]), ==, "fsync");
  g_assert_cmpstr (tb_session_get_string (session, strings[1]), ==, "futex");
  strings = get_column (session, TB_TABLE_SLEEP, TB_SLEEP_OBJECT, &objects);
  g_assert_cmpstr (tb_session_get_string (session, strings[0]), ==, "/var/db/journal");
  g_assert_cmpstr (tb_session_get_string (session, strings[1]), ==, "[heap]");
  g_assert_cmpint (((const gint64 *) get_column (session, TB_TABLE_SLEEP, TB_SLEEP_TIMEOUT,
                                                 &timeouts))[0],
                   ==, TB_TIMEOUT_NONE);
  g_assert_cmpint (((const gint64 *) g_bytes_get_data (timeouts, NULL))[1], ==, 50000);
  strings = get_column (session, TB_TABLE_BLOCK, TB_BLOCK_FILE, &block_files);
  g_assert_cmpstr (tb_session_get_string (session, strings[0]), ==, "/var/db/journal");
  g_assert_cmpint (((const gint64 *) get_column (session, TB_TABLE_SYSCALL, TB_SYSCALL_ENTER,
                                                 &enters))[0],
                   ==, 180);
  strings = get_column (session, TB_TABLE_CALL, TB_CALL_FUNCTION, &functions);
  g_assert_cmpstr (tb_session_get_string (session, strings[0]), ==, "probe 5");
  assert_interfaces (session);
}

/* Without BPF programs nothing is recorded, and the reason is reported. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  TbTarget target = { TB_SCOPE_SYSTEM, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  const TbPreflightLine *line;

  put_header (fixture, TB_CAPTURE_BACKEND_PERF);
  install_fake_agent (fixture);
  lines = tb_collector_preflight (fixture->collector, TB_SCOPE_SYSTEM, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, 1);
  line = g_ptr_array_index (lines, 0);
  if (geteuid () == 0)
    {
      g_assert_false (line->works);
      g_assert_cmpstr (
          line->reason, ==,
          "No BTF at /sys/kernel/btf/vmlinux: locks, files and peers have no names without BPF "
          "programs. Use a kernel with CONFIG_DEBUG_INFO_BTF.");
    }
  g_assert_false (
      tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "No BTF"));
  tb_recorder_abandon (fixture->recorder);
}

/* A working source is one line, however many parts it has. Reports of the agent become
 * sentences. */
static void
test_lines (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  const TbPreflightLine *line;

  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  for (guint i = 0; i < 2; i++)
    put_answer (fixture, 0, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_NETWORK, 0, NULL);
  put_answer (fixture, 0, TB_CAPTURE_STATUS_WORKS, TB_CAPTURE_SOURCE_SAMPLES, 0,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_BY_CYCLES, 0));
  put_answer (fixture, 0, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_NETWORK, 0,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROGRAMS_NOT_LOADED, EPERM, "sends", "2", "1",
                                  "0", TB_CAPTURE_NUMBER (TB_CAPTURE_CODE_WITHOUT_SENT_MESSAGES),
                                  "0", "0"));
  put_status (fixture, 0, TB_CAPTURE_STATUS_ANSWERED, NULL);
  install_fake_agent (fixture);
  lines = tb_collector_preflight (fixture->collector, TB_SCOPE_SYSTEM, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, 3);
  line = g_ptr_array_index (lines, 0);
  g_assert_true (line->works);
  g_assert_null (line->reason);
  line = g_ptr_array_index (lines, 1);
  g_assert_true (line->works);
  g_assert_cmpstr (line->reason, ==, "by hardware cycles");
  line = g_ptr_array_index (lines, 2);
  g_assert_false (line->works);
  g_assert_cmpstr (
      line->reason, ==,
      "The BPF programs “sends” were not loaded (not permitted): what is sent over the network is "
      "unknown.");
  tb_recorder_abandon (fixture->recorder);
}

/* Warnings and counts become sentences in the session, also those of a newer agent. */
static void
test_warnings (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[] = {
    "The kernel throttled samples; number of times: 12. Running time has fewer samples there. "
    "Sample less often.",
    "The agent reports the unknown code 60000: the agent is newer than this program.",
    "There is no clock for samples (No such file or directory): what running threads do is unknown."
  };
  g_autoptr (TbSession) session = NULL;
  const char *const *warnings;

  /* The stand-in agent does not answer the probe requests of these options. */
  set_option (fixture, "locks", "false");
  set_option (fixture, "lock-allocations", "false");
  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  put_status (fixture, 100, TB_CAPTURE_STATUS_ARMED, NULL);
  put_answer (fixture, 200, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_SAMPLES, 0,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SAMPLES_THROTTLED, 0, "12"));
  put_answer (fixture, 200, TB_CAPTURE_STATUS_WARNING, TB_CAPTURE_SOURCE_SAMPLES, 0,
              TB_CAPTURE_MESSAGE (60000, 0, "12"));
  put_answer (fixture, 200, TB_CAPTURE_STATUS_MISSING, TB_CAPTURE_SOURCE_SAMPLES, 0,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_SAMPLE_CLOCK, ENOENT));
  put_answer (fixture, 200, TB_CAPTURE_STATUS_COUNTED, TB_CAPTURE_SOURCE_INTERRUPTS, 0,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_SOFTIRQS_COUNTED, 0, "1", "20000", "1", "7",
                                  "1500000", "9", "2", "3000"));
  put_answer (fixture, 200, TB_CAPTURE_STATUS_COUNTED, TB_CAPTURE_SOURCE_NETWORK, 0,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_ARRIVALS_COUNTED, 0, "1", "31"));
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_END, .time = 900, .cpu = TB_CAPTURE_CPU_NONE });
  session = record_stream (fixture);
  warnings = tb_session_get_warnings (session);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_true (g_strv_contains (warnings, expected[i]));
  g_assert_cmpstr (
      tb_session_get_fact (session, "omitted"), ==,
      "CPU 1: softirqs shorter than 20 µs that woke no thread: timer ×7 (1.500 ms), RCU ×2 "
      "(0.003 ms)\nCPU 1: messages that arrived and woke no thread: 31");
}

/* The ID of an answer determines its probe, not the order of answers. */
static void
test_refused_probe (Fixture *fixture, gconstpointer data)
{
  TbTarget target = { TB_SCOPE_SYSTEM, 0 };
  g_autoptr (GError) error = NULL;

  set_option (fixture, "probe", "/proc/self/exe:main");
  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  put_status (fixture, 100, TB_CAPTURE_STATUS_ARMED, NULL);
  put_answer (fixture, 101, TB_CAPTURE_STATUS_REFUSED, TB_CAPTURE_SOURCE_PROBES, 77,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_NO_UPROBES, ENOENT));
  put_answer (fixture, 102, TB_CAPTURE_STATUS_REFUSED, TB_CAPTURE_SOURCE_PROBES, 1,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_FILE_REPLACED, 0));
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_END, .time = 900, .cpu = TB_CAPTURE_CPU_NONE });
  install_fake_agent (fixture);
  g_assert_false (
      tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED);
  g_assert_cmpstr (
      error->message, ==,
      "ebpf: /proc/self/exe:main in /proc/self/exe cannot be probed: the file has another "
      "build ID: it was replaced, find the function anew.");
  tb_recorder_abandon (fixture->recorder);
}

/* The built agent reports what works here, or why nothing does. */
static void
test_preflight (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines
      = tb_collector_preflight (fixture->collector, TB_SCOPE_SYSTEM, NULL, &error);
  guint n_works = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, >, 0);
  for (guint i = 0; i < lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (lines, i);

      g_test_message ("%s: %s%s%s", line->what, line->works ? "works" : "does not work",
                      line->reason != NULL ? ", " : "", line->reason != NULL ? line->reason : "");
      n_works += line->works;
      g_assert_true (line->works || (line->reason != NULL && *line->reason != '\0'));
    }
  /* Either something works, or the preflight reports that nothing would be recorded. */
  g_assert_true (n_works > 0 || !tb_preflight_is_good (lines));
  tb_recorder_abandon (fixture->recorder);
}

/* Measured cost as text, at the agent's rate of switches if no other is known. */
static void
test_estimate (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    TbCaptureCost cost;
    const char *text;
  } costs[] = {
    { { 3000, 4900, 3300, 20000 },
      "A switch costs about 1.9 µs here: at the present rate of 20000 switches a second, about "
      "3.8 % of one CPU. A call of a probed function costs about 3.3 µs." },
    { { 3000, 10000, 0, 31234 },
      "A switch costs about 7 µs here: at the present rate of 31000 switches a second, about 22 % "
      "of one CPU." },
    { { 3000, 3600, 0, 1000 },
      "A switch costs about 600 ns here: at the present rate of 1000 switches a second, less than "
      "0.1 % of one CPU." },
    { { 3000, 2900, 0, 1000 }, "Recording a switch costs too little here to be measured." },
    { { 0, 0, 2000, 0 }, "A call of a probed function costs about 2 µs." },
    { { 3000, 3100, 0, 0 }, "A switch costs about 100 ns here." },
    { { 3000, 0, 0, 50 }, NULL },
  };
  guint n = 0;

  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
    put (fixture, (TbCaptureRecord) {
                      .type = TB_CAPTURE_COST, .cpu = TB_CAPTURE_CPU_NONE, .cost = costs[i].cost });
  put_status (fixture, 0, TB_CAPTURE_STATUS_ANSWERED, NULL);
  install_fake_agent (fixture);
  tb_switch_rate_set (0);
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) lines
        = tb_collector_preflight (fixture->collector, TB_SCOPE_SYSTEM, NULL, &error);

    g_assert_no_error (error);
    for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
      if (costs[i].text != NULL)
        {
          const TbPreflightLine *line = g_ptr_array_index (lines, n++);

          g_assert_cmpstr (line->what, ==, "Cost");
          g_assert_cmpstr (line->reason, ==, costs[i].text);
          g_assert_true (line->works && !line->essential);
        }
    g_assert_cmpuint (lines->len, ==, n);
  }
  tb_recorder_abandon (fixture->recorder);
}

/* The rate is that from before the trials, not what the agent measured beside them. */
static void
test_one_rate (Fixture *fixture, gconstpointer data)
{
  const TbCaptureCost cost = { 3000, 4900, 0, 13000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines = NULL;

  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_COST, .cpu = TB_CAPTURE_CPU_NONE, .cost = cost });
  put_status (fixture, 0, TB_CAPTURE_STATUS_ANSWERED, NULL);
  install_fake_agent (fixture);
  tb_switch_rate_set (2100);
  lines = tb_collector_preflight (fixture->collector, TB_SCOPE_SYSTEM, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->len, ==, 1);
  g_assert_cmpstr (((const TbPreflightLine *) g_ptr_array_index (lines, 0))->reason, ==,
                   "A switch costs about 1.9 µs here: at the present rate of 2100 switches a "
                   "second, about 0.4 % of one CPU.");
  tb_recorder_abandon (fixture->recorder);
}

/* A flight recorder that saved because its trigger fired ends without an error, and its recording
 * begins at the start of the buffer. */
static void
test_saved (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSession) session = NULL;
  gint64 from, to;

  set_option (fixture, "locks", "false");
  set_option (fixture, "lock-allocations", "false");
  put_header (fixture, TB_CAPTURE_BACKEND_BPF);
  put_status (fixture, 100, TB_CAPTURE_STATUS_ARMED, NULL);
  put_status (fixture, 900, TB_CAPTURE_STATUS_SAVING,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_TRIGGER_SYSCALL, 0, "10", "74", "31000000"));
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_DISCARDED, .time = 500, .cpu = TB_CAPTURE_CPU_NONE });
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_SWITCH,
                           .time = 600,
                           .sched_switch = { .tid = 10, .pid = 10, .next = 11, .state = 'D' } });
  put (fixture,
       (TbCaptureRecord) { .type = TB_CAPTURE_END, .time = 900, .cpu = TB_CAPTURE_CPU_NONE });
  session = record_stream (fixture);
  g_assert_cmpstr (tb_session_get_fact (session, "saved-because"), ==,
                   "Thread 10 was in system call 74 for 31.000 ms.");
  g_assert_false (tb_session_is_cut_short (session));
  tb_session_get_range (session, &from, &to);
  g_assert_cmpint (from, ==, 500);
  g_assert_cmpint (to, ==, 900);
  g_assert_true (fixture->ended_well || tb_session_get_fact (session, "cut-short") == NULL);
}

typedef struct
{
  TbCaptureStart start;
  gboolean found;
} SentStart;

static void
read_start (const char *contents, gsize length, SentStart *sent)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_CLIENT);
  TbCaptureRecord record;
  TbCaptureResult result;
  gsize space;
  void *to = tb_capture_decoder_get_space (decoder, &space);

  g_assert_cmpuint (length, <=, space);
  memcpy (to, contents, length);
  tb_capture_decoder_commit (decoder, length);
  while ((result = tb_capture_decoder_next (decoder, &record)) == TB_CAPTURE_HEADED
         || result == TB_CAPTURE_RECORD)
    if (result == TB_CAPTURE_RECORD && record.type == TB_CAPTURE_START)
      {
        sent->start = record.start;
        sent->found = TRUE;
      }
  tb_capture_decoder_free (decoder);
}

/* The stand-in agent writes what it received at some later time. */
static void
read_sent (Fixture *fixture, SentStart *sent)
{
  g_autofree char *path = get_path (fixture, "sent");

  for (guint i = 0; i < 10000 && !sent->found; i++)
    {
      g_autofree char *contents = NULL;
      gsize length;

      if (g_file_get_contents (path, &contents, &length, NULL))
        read_start (contents, length, sent);
      if (!sent->found)
        g_usleep (1000);
    }
  g_assert_true (sent->found);
}

/* Options in text form are sent as numbers. */
static void
test_options (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSession) session = NULL;
  SentStart sent = { 0 };

  set_option (fixture, "flight-recorder", "30s");
  set_option (fixture, "flight-recorder-size", "64M");
  set_option (fixture, "trigger", "fsync > 20ms");
  set_option (fixture, "syscalls", "true");
  set_option (fixture, "syscall-min", "5ms");
  set_option (fixture, "syscall-stack-interval", "2ms");
  set_option (fixture, "repair_stacks", "true");
  set_option (fixture, "network", "false");
  set_option (fixture, "ring-size", "1M");
  put_events (fixture);
  session = record_stream (fixture);
  read_sent (fixture, &sent);
  g_assert_cmpuint (sent.start.backend, ==, TB_CAPTURE_BACKEND_BPF);
  g_assert_cmpuint (sent.start.flight_recorder_ns, ==, G_GUINT64_CONSTANT (30000000000));
  g_assert_cmpuint (sent.start.flight_recorder_bytes, ==, 64 << 20);
  g_assert_cmpuint (sent.start.trigger_ns, ==, 20000000);
  g_assert_cmpuint (sent.start.trigger_call, ==, 74);
  g_assert_cmpuint (sent.start.min_syscall_ns, ==, 5000000);
  g_assert_cmpuint (sent.start.stack_interval, ==, 2000);
  g_assert_cmpuint (sent.start.ring_bytes, ==, 1 << 20);
  g_assert_cmpuint (sent.start.stacks & 0x3f & ~TB_CAPTURE_KERNEL_NAMES, ==,
                    TB_CAPTURE_USER_STACKS | TB_CAPTURE_REPAIRED_STACKS);
  g_assert_true (sent.start.sources & 1u << TB_CAPTURE_SOURCE_SYSCALLS);
  g_assert_cmpuint (sent.start.cgroup, ==, 0);
  g_assert_false (sent.start.sources & 1u << TB_CAPTURE_SOURCE_NETWORK);
}

/* The trigger of a flight recorder must be recorded, and nothing else for its sake. */
static void
test_condition (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *condition;
    guint32 call;
    gboolean syscalls;
  } cases[] = {
    { "any>1s", TB_CAPTURE_ANY_CALL, TRUE },
    { "function>1s", TB_CAPTURE_NO_CALL, FALSE },
  };
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (TbSession) session = NULL;
  SentStart sent = { 0 };

  set_option (fixture, "flight-recorder-size", "1M");
  set_option (fixture, "trigger", cases[i].condition);
  if (!cases[i].syscalls)
    set_option (fixture, "probe", "/proc/self/exe:main>2ms");
  put_events (fixture);
  put_answer (fixture, 101, TB_CAPTURE_STATUS_PROBED, TB_CAPTURE_SOURCE_PROBES, 1,
              TB_CAPTURE_MESSAGE (TB_CAPTURE_CODE_PROBE_EMULATED, 0));
  session = record_stream (fixture);
  read_sent (fixture, &sent);
  g_assert_cmpuint (sent.start.trigger_call, ==, cases[i].call);
  g_assert_cmpuint (sent.start.trigger_ns, ==, 1000000000);
  g_assert_cmpint ((sent.start.sources & 1u << TB_CAPTURE_SOURCE_SYSCALLS) != 0, ==,
                   cases[i].syscalls);
  g_assert_cmpuint (sent.start.min_syscall_ns, ==, cases[i].syscalls ? 1000000000 : 0);
  g_assert_cmpint ((sent.start.sources & 1u << TB_CAPTURE_SOURCE_PROBES) != 0, ==,
                   !cases[i].syscalls);
}

static void
test_wrong_options (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[][3] = {
    { "trigger", "fsync", "use a call and a time" },
    { "trigger", "fsync>", "use a call and a time" },
    { "trigger", "fsync>0ms", "use a call and a time" },
    { "trigger", "frobnicate>1ms", "use a system call" },
    { "trigger", "any>1ms", "needs flight-recorder" },
    { "probe", "main", "name the program or library" },
    { "probe", "/proc/self/exe:main>1x", "invalid time" },
    { "cgroup", "no/such/group", "There is no control group “/sys/fs/cgroup/no/such/group”" },
  };
  TbTarget target = { TB_SCOPE_SYSTEM, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (TbCollector) collector
          = tb_engine_create_collector (tb_engine_get_default (), "ebpf", NULL);
      g_autoptr (GError) error = NULL;

      g_assert_true (
          tb_option_set_from_text (G_OBJECT (collector), wrong[i][0], wrong[i][1], NULL));
      g_assert_false (tb_collector_start (collector, &target, fixture->recorder, NULL, &error));
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
      if (strstr (error->message, wrong[i][2]) == NULL)
        g_error ("“%s” does not have “%s”", error->message, wrong[i][2]);
    }
  tb_recorder_abandon (fixture->recorder);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/collector-ebpf/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("facts", test_facts);
  ADD ("refused", test_refused);
  ADD ("refused-probe", test_refused_probe);
  ADD ("lines", test_lines);
  ADD ("warnings", test_warnings);
  ADD ("preflight", test_preflight);
  ADD ("estimate", test_estimate);
  ADD ("one-rate", test_one_rate);
  ADD ("saved", test_saved);
  ADD ("options", test_options);
  for (guint i = 0; i < 2; i++)
    g_test_add (i == 0 ? "/collector-ebpf/condition/any" : "/collector-ebpf/condition/function",
                Fixture, GUINT_TO_POINTER (i), set_up, test_condition, tear_down);
  ADD ("wrong-options", test_wrong_options);
  return g_test_run ();
}
