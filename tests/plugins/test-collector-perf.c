/* test-collector-perf.c: test of recordings through the perf collector, including recordings that
 * end with an error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "capture/tb-capture-encoder.h"
#include "extend/plugins/tb-command.h"
#include "extend/plugins/tb-engine.h"

typedef struct
{
  char *folder;
  char *path;
  TbCollector *collector;
  TbRecorder *recorder;
  char *ended; /* text of the "ended" signal */
  gboolean has_ended;
  GMutex lock;
} Fixture;

static void
on_ended (TbCollector *collector, const char *message, gpointer data)
{
  Fixture *fixture = data;

  g_mutex_lock (&fixture->lock);
  fixture->ended = g_strdup (message);
  fixture->has_ended = TRUE;
  g_mutex_unlock (&fixture->lock);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;

  g_mutex_init (&fixture->lock);
  fixture->folder = g_dir_make_tmp ("tailback-collector-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "test.tailback", NULL);
  file = g_file_new_for_path (fixture->path);
  fixture->collector = tb_engine_create_collector (tb_engine_get_default (), "perf", &error);
  g_assert_no_error (error);
  fixture->recorder = tb_recorder_new (file, FALSE, &error);
  g_assert_no_error (error);
  g_signal_connect (fixture->collector, "ended", G_CALLBACK (on_ended), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->collector);
  g_clear_object (&fixture->recorder);
  {
    static const char *const names[] = { "test.tailback", "damaged", "damaged.sh" };

    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      {
        g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);

        g_unlink (path);
      }
  }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->path);
  g_free (fixture->folder);
  g_free (fixture->ended);
  g_mutex_clear (&fixture->lock);
}

static TbSession *
finish (Fixture *fixture)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autoptr (GError) error = NULL;
  TbSession *session;

  tb_recorder_finish (fixture->recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  return session;
}

static gboolean
has_warning (TbSession *session, const char *what)
{
  const char *const *warnings = tb_session_get_warnings (session);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    if (strstr (warnings[i], what) != NULL)
      return TRUE;
  return FALSE;
}

/* The agent process, found among the children of this process. */
static gint32
find_agent (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *task;

  while ((task = g_dir_read_name (tasks)) != NULL)
    {
      g_autofree char *children = g_build_filename ("/proc/self/task", task, "children", NULL);
      g_autofree char *text = NULL;
      g_auto (GStrv) pids = NULL;

      if (!g_file_get_contents (children, &text, NULL, NULL))
        continue;
      pids = g_strsplit (text, " ", -1);
      for (guint i = 0; pids[i] != NULL; i++)
        {
          g_autofree char *name_path = g_strdup_printf ("/proc/%s/comm", pids[i]);
          g_autofree char *name = NULL;

          if (*pids[i] != '\0' && g_file_get_contents (name_path, &name, NULL, NULL)
              && g_str_has_prefix (name, "tailback-agent"))
            return g_ascii_strtoll (pids[i], NULL, 10);
        }
    }
  return 0;
}

static void
test_command (Fixture *fixture, gconstpointer data)
{
  const char *argv[] = { "/bin/sh", "-c", "sleep 0.05; exec true", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (TbCommand) command = tb_command_new (argv, &error);
  TbTarget target = { TB_SCOPE_COMMAND, tb_command_get_pid (command) };
  g_autoptr (TbSession) session = NULL;
  const TbProcess *processes;
  const TbHost *hosts;
  guint n_hosts, n_processes;
  gboolean found = FALSE;

  tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error);
  g_assert_no_error (error);
  tb_command_release (command, &error);
  g_assert_no_error (error);
  while (!tb_command_has_ended (command, NULL))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (tb_collector_stop (fixture->collector, &error));
  g_assert_no_error (error);
  g_assert_false (fixture->has_ended);
  session = finish (fixture);

  g_assert_cmpstr (tb_session_get_fact (session, "collector"), ==, "perf");
  g_assert_cmpstr (tb_session_get_fact (session, "clock"), ==, "monotonic");
  g_assert_cmpstr (tb_session_get_fact (session, "scope"), ==, "command");
  g_assert_nonnull (tb_session_get_fact (session, "boot-id"));
  g_assert_nonnull (tb_session_get_fact (session, "kernel"));
  g_assert_nonnull (tb_session_get_fact (session, "cpus"));
  g_assert_false (tb_session_is_cut_short (session));
  hosts = tb_session_get_hosts (session, &n_hosts);
  g_assert_cmpuint (n_hosts, ==, 1);
  g_assert_cmpuint (hosts[0].n_cpus, >, 0);
  processes = tb_session_get_processes (session, &n_processes);
  for (guint i = 0; i < n_processes; i++)
    found |= processes[i].pid == target.pid && strcmp (processes[i].name, "true") == 0;
  g_assert_true (found);
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH)), >, 0);
}

/* The agent is killed in the middle. The data received so far is a session, which reports the early
 * end. */
static void
test_agent_killed (Fixture *fixture, gconstpointer data)
{
  TbTarget target = { TB_SCOPE_PROCESS, getpid () };
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
  TbRecorderStatistics statistics;
  gint32 agent;

  tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error);
  g_assert_no_error (error);
  agent = find_agent ();
  g_assert_cmpint (agent, >, 0);
  do
    {
      g_usleep (1000); /* recorded as a sleep */
      tb_recorder_get_statistics (fixture->recorder, &statistics);
    }
  while (statistics.events < 100 && g_get_monotonic_time () < deadline);
  kill (agent, SIGKILL);
  for (;;)
    {
      gboolean done;

      g_mutex_lock (&fixture->lock);
      done = fixture->has_ended;
      g_mutex_unlock (&fixture->lock);
      if (done)
        break;
      g_usleep (1000);
    }
  g_assert_nonnull (strstr (fixture->ended, "killed by signal 9"));
  g_assert_false (tb_collector_stop (fixture->collector, &error));
  g_assert_nonnull (error);
  session = finish (fixture);
  g_assert_true (tb_session_is_cut_short (session));
  g_assert_true (has_warning (session, "cut short"));
  g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH)), >, 0);
}

static void
test_no_process (Fixture *fixture, gconstpointer data)
{
  TbTarget target = { TB_SCOPE_PROCESS, G_MAXINT32 };
  g_autoptr (GError) error = NULL;

  g_assert_false (
      tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "There is no process"));
  tb_recorder_abandon (fixture->recorder);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

static void
use_agent (const char *path)
{
  g_setenv ("TAILBACK_AGENT", path, TRUE);
}

static void
test_no_agent (Fixture *fixture, gconstpointer data)
{
  g_autofree char *agent = g_strdup (g_getenv ("TAILBACK_AGENT"));
  TbTarget target = { TB_SCOPE_PROCESS, getpid () };
  g_autoptr (GError) error = NULL;

  use_agent ("/nowhere/tailback-agent");
  g_assert_false (
      tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "/nowhere/tailback-agent"));
  use_agent (agent);
  tb_recorder_abandon (fixture->recorder);
}

/* Installs a script as the agent, which writes the given stream. It reads its input to the end, as
 * agents do: otherwise it would be random whether it is sent the start command before it exits. */
static void
install_fake_agent (Fixture *fixture, const char *name, GByteArray *stream)
{
  g_autofree char *data = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *script = g_strconcat (data, ".sh", NULL);
  g_autofree char *text
      = g_strdup_printf ("#!/bin/sh\ncat '%s'\nexec >&-\ncat > /dev/null\n", data);

  g_assert_true (g_file_set_contents (data, (const char *) stream->data, stream->len, NULL));
  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  g_chmod (script, 0755);
  use_agent (script);
}

static void
append_record (GByteArray *stream, const TbCaptureRecord *record)
{
  static guint8 data[TB_CAPTURE_MAX_RECORD];

  g_byte_array_append (stream, data, tb_capture_encode (record, data, sizeof data));
}

static void
test_damaged_stream (Fixture *fixture, gconstpointer data)
{
  g_autofree char *agent = g_strdup (g_getenv ("TAILBACK_AGENT"));
  TbCaptureHeader header = { .host = "elsewhere", .n_cpus = 2, .backend = TB_CAPTURE_BACKEND_PERF };
  TbCaptureRecord armed = { .type = TB_CAPTURE_STATUS, .time = 100, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureRecord event = { .type = TB_CAPTURE_SWITCH, .time = 200, .cpu = 1 };
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  TbTarget target = { TB_SCOPE_PROCESS, getpid () };
  g_autoptr (TbSession) session = NULL;
  g_autoptr (GError) error = NULL;
  gboolean started;
  guint8 bytes[4096];

  g_byte_array_append (stream, bytes, tb_capture_encode_header (&header, bytes, sizeof bytes));
  armed.status.kind = TB_CAPTURE_STATUS_ARMED;
  append_record (stream, &armed);
  event.sched_switch = (TbCaptureSwitch) { .tid = 10, .pid = 10, .next = 11, .state = 'S' };
  append_record (stream, &event);
  /* a stack that was never sent */
  event.sched_switch.stack = 77;
  append_record (stream, &event);
  install_fake_agent (fixture, "damaged", stream);
  started = tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error);
  use_agent (agent);
  /* If the damage is read before the start is noticed, the start itself fails. */
  if (!started)
    {
      g_assert_nonnull (strstr (error->message, "damaged"));
      tb_recorder_abandon (fixture->recorder);
    }
  else
    {
      g_assert_false (tb_collector_stop (fixture->collector, &error));
      g_assert_nonnull (strstr (error->message, "switch: refers to a stack that was not sent"));
      session = finish (fixture);
      g_assert_true (tb_session_is_cut_short (session));
      g_assert_cmpuint (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_SWITCH)), ==,
                        1);
    }
}

static void
test_foreign_agent (Fixture *fixture, gconstpointer data)
{
  g_autofree char *agent = g_strdup (g_getenv ("TAILBACK_AGENT"));
  TbTarget target = { TB_SCOPE_PROCESS, getpid () };
  g_autoptr (GError) error = NULL;

  use_agent ("/bin/ls");
  g_assert_false (
      tb_collector_start (fixture->collector, &target, fixture->recorder, NULL, &error));
  g_assert_nonnull (error);
  use_agent (agent);
  tb_recorder_abandon (fixture->recorder);
}

static void
test_preflight (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) lines
      = tb_collector_preflight (fixture->collector, TB_SCOPE_PROCESS, NULL, &error);
  guint n_works = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (lines, i);

      g_assert_cmpstr (line->what, !=, "");
      n_works += line->works;
      g_assert_true (line->works || (line->reason != NULL && *line->reason != '\0'));
    }
  g_assert_cmpuint (n_works, >, 0);
  tb_recorder_abandon (fixture->recorder);
}

static void
test_options (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) names = tb_collector_get_options (fixture->collector);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (g_strv_length (names), >=, 10);
  g_assert_true (
      tb_option_set_from_text (G_OBJECT (fixture->collector), "ring-size", "16M", &error));
  g_assert_true (tb_option_set_from_text (G_OBJECT (fixture->collector), "waking_kernel_stacks",
                                          "true", &error));
  g_assert_false (
      tb_option_set_from_text (G_OBJECT (fixture->collector), "frequency", "0", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_false (
      tb_option_set_from_text (G_OBJECT (fixture->collector), "authorize", "perhaps", &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  tb_recorder_abandon (fixture->recorder);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  TbTarget target = { TB_SCOPE_PROCESS, getpid () };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (
      tb_collector_start (fixture->collector, &target, fixture->recorder, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  tb_recorder_abandon (fixture->recorder);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/collector-perf/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("command", test_command);
  ADD ("agent-killed", test_agent_killed);
  ADD ("no-process", test_no_process);
  ADD ("no-agent", test_no_agent);
  ADD ("damaged-stream", test_damaged_stream);
  ADD ("foreign-agent", test_foreign_agent);
  ADD ("preflight", test_preflight);
  ADD ("options", test_options);
  ADD ("cancelled", test_cancelled);
  return g_test_run ();
}
