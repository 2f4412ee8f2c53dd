/* agent-run.c: runs of the tailback-agent, with the records that it wrote
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent-run.h"

#define PATIENCE_US (10 * G_USEC_PER_SEC)

void (*agent_run_before_exec) (void);

static void
clear_record (gpointer data)
{
  g_free ((gpointer) ((TbCaptureRecord *) data)->tail);
}

static void
run_agent (uid_t uid, int in, int out, const char *const *arguments, const char *const *environment)
{
  const char *argv[16] = { g_getenv ("TAILBACK_AGENT") };
  guint n = 1;

  for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
    argv[n++] = arguments[i];
  if (g_getenv ("TAILBACK_TEST_BACKEND") != NULL)
    {
      argv[n++] = "--backend";
      argv[n++] = g_getenv ("TAILBACK_TEST_BACKEND");
    }
  for (guint i = 0; environment != NULL && environment[i] != NULL; i++)
    putenv ((char *) environment[i]);
  dup2 (in, STDIN_FILENO);
  dup2 (out, STDOUT_FILENO);
  if (uid != AGENT_SAME_USER
      && (setgroups (0, NULL) != 0 || setresgid (uid, uid, uid) != 0
          || setresuid (uid, uid, uid) != 0))
    _exit (126);
  if (agent_run_before_exec != NULL)
    agent_run_before_exec ();
  execv (argv[0], (char *const *) argv);
  _exit (127);
}

/* Decodes the next record from the bytes received so far. */
static TbCaptureResult
decode (AgentRun *self)
{
  TbCaptureRecord record;
  TbCaptureResult result = tb_capture_decoder_next (self->decoder, &record);

  if (result == TB_CAPTURE_DAMAGED)
    g_error ("agent: %s", tb_capture_decoder_get_error (self->decoder));
  if (result == TB_CAPTURE_HEADED)
    self->header = *tb_capture_decoder_get_header (self->decoder);
  if (result == TB_CAPTURE_RECORD)
    {
      if (record.type == TB_CAPTURE_STRING)
        g_ptr_array_add (self->strings, g_strndup ((const char *) record.tail, record.tail_length));
      self->complete |= record.type == TB_CAPTURE_END;
      record.tail = record.type == TB_CAPTURE_STACK && !self->keep_stacks
                        ? NULL
                        : g_memdup2 (record.tail, record.tail_length);
      g_array_append_val (self->records, record);
    }
  return result;
}

/* Returns FALSE at the end of the stream. */
static gboolean
read_more (AgentRun *self)
{
  gsize space;
  void *to = tb_capture_decoder_get_space (self->decoder, &space);
  gssize got = read (self->out, to, space);

  if (got > 0)
    tb_capture_decoder_commit (self->decoder, got);
  return got > 0 || (got < 0 && errno == EINTR);
}

/* Decodes one record, or reads more bytes. Returns FALSE at the end of the stream. */
static gboolean
step (AgentRun *self, TbCaptureResult *result)
{
  *result = decode (self);
  return *result != TB_CAPTURE_MORE || read_more (self);
}

AgentRun *
agent_run_new (uid_t uid, const char *const *arguments, const char *const *environment)
{
  AgentRun *self = g_new0 (AgentRun, 1);
  guint8 header[TB_CAPTURE_HEADER_SIZE];
  TbCaptureResult result = TB_CAPTURE_MORE;
  int in[2], out[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in), ==, 0);
  g_assert_cmpint (pipe2 (out, O_CLOEXEC), ==, 0);
  self->pid = fork ();
  g_assert_cmpint (self->pid, >=, 0);
  if (self->pid == 0)
    run_agent (uid, in[1], out[1], arguments, environment);
  close (in[1]);
  close (out[1]);
  self->in = in[0];
  self->out = out[0];
  self->decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  self->records = g_array_new (FALSE, FALSE, sizeof (TbCaptureRecord));
  g_array_set_clear_func (self->records, clear_record);
  self->strings = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->strings, g_strdup (""));
  send (self->in, header, tb_capture_encode_control_header (header, sizeof header), MSG_NOSIGNAL);
  while (result != TB_CAPTURE_HEADED && step (self, &result))
    ;
  g_assert_cmpint (result, ==, TB_CAPTURE_HEADED);
  return self;
}

void
agent_run_free (AgentRun *self)
{
  if (self->in >= 0)
    close (self->in);
  if (self->out >= 0)
    close (self->out);
  if (self->pid > 0)
    waitpid (self->pid, NULL, 0);
  tb_capture_decoder_free (self->decoder);
  g_array_unref (self->records);
  g_ptr_array_unref (self->strings);
  g_free (self);
}

void
agent_run_send (AgentRun *self, const TbCaptureRecord *record)
{
  guint8 data[1024];
  gsize length = tb_capture_encode (record, data, sizeof data);

  g_assert_cmpuint (length, >, 0);
  send (self->in, data, length, MSG_NOSIGNAL);
}

TbCaptureRecord
agent_run_make_start (TbCaptureScope scope, gint32 pid)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_START, .cpu = TB_CAPTURE_CPU_NONE };

  record.start.scope = scope;
  record.start.pid = pid;
  record.start.stacks = TB_CAPTURE_USER_STACKS | TB_CAPTURE_KERNEL_STACKS;
  record.start.sources = (1u << TB_CAPTURE_SOURCE_SCHEDULER) | (1u << TB_CAPTURE_SOURCE_TASKS)
                         | (1u << TB_CAPTURE_SOURCE_INTERRUPTS) | (1u << TB_CAPTURE_SOURCE_BLOCK)
                         | (1u << TB_CAPTURE_SOURCE_NETWORK) | (1u << TB_CAPTURE_SOURCE_SAMPLES);
  record.start.frequency = 999;
  return record;
}

static int
wait_for (AgentRun *self, guint kind, guint source)
{
  TbCaptureResult result;

  do
    while (self->n_waited < self->records->len)
      {
        const TbCaptureRecord *record
            = &g_array_index (self->records, TbCaptureRecord, self->n_waited++);

        if (record->type == TB_CAPTURE_STATUS && (kind == 0 || record->status.kind == kind)
            && (kind != 0 || record->status.source == source))
          return (int) self->n_waited - 1;
      }
  while (step (self, &result));
  return -1;
}

int
agent_run_wait_status (AgentRun *self, guint kind)
{
  return wait_for (self, kind, TB_CAPTURE_SOURCE_NONE);
}

int
agent_run_wait_source (AgentRun *self, guint source)
{
  return wait_for (self, 0, source);
}

gint64
agent_run_find_warning (AgentRun *self, TbCaptureStatusCode code)
{
  AGENT_RUN_FOREACH (self, record)
  {
    TbCaptureMessage message;

    if (record->type != TB_CAPTURE_STATUS || record->status.kind != TB_CAPTURE_STATUS_WARNING
        || record->status.code != code)
      continue;
    tb_capture_message_read (&message, record);
    g_assert_cmpuint (message.n_arguments, >, 0);
    return g_ascii_strtoll (tb_capture_message_get (&message, 0), NULL, 10);
  }
  return -1;
}

void
agent_run_await (AgentRun *self, guint type)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  struct pollfd more = { .fd = self->out, .events = POLLIN };

  do
    while (decode (self) != TB_CAPTURE_MORE)
      ;
  while (agent_run_count (self, type) == 0 && g_get_monotonic_time () < deadline
         && (poll (&more, 1, 10) <= 0 || read_more (self)));
}

void
agent_run_start (AgentRun *self, const TbCaptureRecord *start)
{
  agent_run_send (self, start);
  g_assert_cmpint (agent_run_wait_status (self, TB_CAPTURE_STATUS_ARMED), >=, 0);
}

void
agent_run_finish (AgentRun *self)
{
  TbCaptureResult result;

  while (step (self, &result))
    ;
  g_assert_cmpint (waitpid (self->pid, &self->wait_status, 0), ==, self->pid);
  self->pid = 0;
}

void
agent_run_stop (AgentRun *self)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_STOP, .cpu = TB_CAPTURE_CPU_NONE };

  agent_run_send (self, &record);
  agent_run_finish (self);
}

guint
agent_run_count (AgentRun *self, guint type)
{
  guint n = 0;

  AGENT_RUN_FOREACH (self, record)
  n += record->type == type;
  return n;
}

const char *
agent_run_get_string (AgentRun *self, guint32 id)
{
  return g_ptr_array_index (self->strings, id);
}

TbCaptureStatus
agent_run_get_status (AgentRun *self, int record)
{
  const TbCaptureRecord *status;

  g_assert_cmpint (record, >=, 0);
  status = &g_array_index (self->records, TbCaptureRecord, record);
  g_assert_cmpuint (status->type, ==, TB_CAPTURE_STATUS);
  return status->status;
}

TbCaptureMessage
agent_run_get_message (AgentRun *self, int record)
{
  TbCaptureMessage message;

  g_assert_cmpint (record, >=, 0);
  tb_capture_message_read (&message, &g_array_index (self->records, TbCaptureRecord, record));
  return message;
}

void
agent_run_assert_code (AgentRun *self, int record, TbCaptureStatusCode code, const char *argument)
{
  TbCaptureMessage message = agent_run_get_message (self, record);

  g_assert_cmpuint (agent_run_get_status (self, record).code, ==, code);
  g_assert_cmpuint (message.code, ==, code);
  if (argument != NULL)
    g_assert_cmpstr (tb_capture_message_get (&message, 0), ==, argument);
}

/* Dumps of stacks belong to another event. */
static gboolean
is_event (guint type)
{
  return (type >= TB_CAPTURE_SWITCH && type <= TB_CAPTURE_MARK) || type == TB_CAPTURE_FILE_LOCK;
}

/* No record is earlier than the last flush, each loss is reported, and the counts of the END record
 * are right. */
void
agent_run_check (AgentRun *self)
{
  guint64 flushed = 0, lost = 0, events = 0;

  g_assert_true (self->complete);
  g_assert_cmpint (self->wait_status, ==, 0);
  AGENT_RUN_FOREACH (self, record)
  {
    if (is_event (record->type))
      g_assert_cmpuint (record->time, >=, flushed);
    if (record->type >= TB_CAPTURE_MAPPING && record->type <= TB_CAPTURE_COMMAND)
      g_assert_cmpuint (record->time, >=, flushed);
    if (is_event (record->type) && record->type != TB_CAPTURE_LOST
        && record->cpu != TB_CAPTURE_CPU_NONE)
      events++;
    if (record->type == TB_CAPTURE_LOST)
      lost += record->lost.count;
    if (record->type == TB_CAPTURE_FLUSH)
      {
        g_assert_cmpuint (record->time, >=, flushed);
        flushed = record->time;
      }
    if (record->type == TB_CAPTURE_END)
      {
        g_assert_cmpuint (record->statistics.lost, ==, lost);
        g_assert_cmpuint (record->statistics.events, ==, events);
        g_assert_cmpuint (record->time, ==, flushed);
      }
  }
}

static guint64
count_sleeps (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int) pid), *text = NULL;
  const char *field;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    g_error ("process %d is gone", (int) pid);
  field = strstr (text, "\nvoluntary_ctxt_switches:");
  g_assert_nonnull (field);
  return g_ascii_strtoull (strchr (field, ':') + 1, NULL, 10);
}

void
agent_run_await_sleeps (pid_t pid, guint n_sleeps)
{
  guint64 wanted = count_sleeps (pid) + n_sleeps;

  while (count_sleeps (pid) < wanted)
    g_usleep (1000);
}

TbCaptureBackend
agent_run_get_backend (void)
{
  return g_strcmp0 (g_getenv ("TAILBACK_TEST_BACKEND"), "bpf") == 0 ? TB_CAPTURE_BACKEND_BPF
                                                                    : TB_CAPTURE_BACKEND_PERF;
}

gboolean
agent_run_is_privileged (void)
{
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  gboolean privileged = run->header.backend == agent_run_get_backend ();

  if (!privileged)
    g_test_skip_printf ("the whole system may not be recorded: code %u, errno %u",
                        run->header.refusals[0].message.code,
                        run->header.refusals[0].message.error);
  agent_run_free (run);
  return privileged;
}

gboolean
agent_run_is_system_protected (void)
{
  g_autofree char *level = NULL;

  if (g_file_get_contents ("/proc/sys/kernel/perf_event_paranoid", &level, NULL, NULL)
      && g_ascii_strtoll (level, NULL, 10) == 2)
    return TRUE;
  g_test_skip ("perf_event_paranoid is not 2");
  return FALSE;
}
