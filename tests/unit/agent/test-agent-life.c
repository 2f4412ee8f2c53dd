/* test-agent-life.c: test of the start, the commands, the refusals and the end of a tailback-agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../test-mode.h"
#include "agent-run.h"

#define NOBODY_UID 65534

static TbCaptureRecord
make_control (guint type)
{
  return (TbCaptureRecord) { .type = type, .cpu = TB_CAPTURE_CPU_NONE };
}

/* A process that has ended may stay a zombie, until its new parent reaps it. */
static gboolean
has_ended (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;

  if (kill (pid, 0) != 0 && errno == ESRCH)
    return TRUE;
  return g_file_get_contents (path, &text, NULL, NULL)
         && g_str_has_prefix (strrchr (text, ')'), ") Z");
}

static gboolean
wait_for_process_end (pid_t pid)
{
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (!has_ended (pid) && g_get_monotonic_time () < deadline)
    g_usleep (1000);
  return has_ended (pid);
}

/* A process of that user which keeps working. */
static pid_t
fork_worker (uid_t uid)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      volatile guint64 sum = 0;

      if (uid != AGENT_SAME_USER
          && (setresgid (uid, uid, uid) != 0 || setresuid (uid, uid, uid) != 0))
        _exit (1);
      /* As if its user had started it. It does not outlive a failed test. */
      prctl (PR_SET_DUMPABLE, 1);
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        {
          for (guint i = 0; i < 3000000; i++)
            sum += i;
          usleep (1000);
        }
    }
  return pid;
}

static void
end_worker (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static void
test_control (void)
{
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  TbCaptureRecord record = make_control (TB_CAPTURE_PING);
  guint n_pongs = 0;
  int answer;

  record.ping.cookie = 0x123456789abcdef;
  agent_run_send (run, &record);
  record = make_control (TB_CAPTURE_PROBE_ADD);
  record.probe_add.id = 4711;
  agent_run_send (run, &record);
  answer = agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED);
  g_assert_cmpuint (agent_run_get_status (run, answer).source, ==, TB_CAPTURE_SOURCE_PROBES);
  g_assert_cmpuint (agent_run_get_status (run, answer).id, ==, 4711);
  if (agent_run_get_status (run, answer).code != TB_CAPTURE_CODE_BUILT_WITHOUT_PROBES)
    agent_run_assert_code (run, answer, TB_CAPTURE_CODE_NO_BPF_RECORDING, NULL);
  record = make_control (TB_CAPTURE_QUERY);
  agent_run_send (run, &record);
  g_assert_cmpint (agent_run_wait_status (run, TB_CAPTURE_STATUS_ANSWERED), >=, 0);
  AGENT_RUN_FOREACH (run, each)
  if (each->type == TB_CAPTURE_PONG)
    {
      g_assert_cmpuint (each->pong.cookie, ==, 0x123456789abcdef);
      g_assert_cmpuint (each->pong.received, >=, run->header.monotonic);
      n_pongs++;
    }
  g_assert_cmpuint (n_pongs, ==, 1);
  agent_run_stop (run);
  g_assert_cmpint (run->wait_status, ==, 0);
  /* No recording was started, so there is no END record. */
  g_assert_false (run->complete);
  agent_run_free (run);
}

/* On a busy machine a single calibration run may measure nothing; one of many does. */
static const TbCaptureCost *
measure_cost (AgentRun *run, guint stacks)
{
  TbCaptureRecord query = make_control (TB_CAPTURE_QUERY);
  const TbCaptureCost *last = NULL;

  query.query.stacks = (guint16) stacks;
  for (guint i = 0; i < 100 && last == NULL; i++)
    {
      agent_run_send (run, &query);
      g_assert_cmpint (agent_run_wait_status (run, TB_CAPTURE_STATUS_ANSWERED), >=, 0);
      AGENT_RUN_FOREACH (run, each)
      if (each->type == TB_CAPTURE_COST && each->cost.recorded > 0)
        last = &each->cost;
    }
  g_assert_nonnull (last);
  return last;
}

/* When the answer arrives, the processes of the calibration run and its recording have ended. */
static void
test_cost (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  g_autofree char *children = NULL, *path = NULL;
  const TbCaptureCost *cost;
  AgentRun *run;

  if (!agent_run_is_privileged ())
    return;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  cost = measure_cost (run, TB_CAPTURE_USER_STACKS);
  g_test_message ("a switch: %" G_GUINT64_FORMAT " ns, %" G_GUINT64_FORMAT
                  " ns recorded; a probed call: %" G_GUINT64_FORMAT " ns; %" G_GUINT64_FORMAT
                  " switches a second",
                  cost->plain, cost->recorded, cost->probed, cost->switches);
  for (guint i = 0; i < TB_CAPTURE_N_IDLES; i++)
    g_test_message ("waking: %" G_GUINT64_FORMAT " ns", cost->waking[i]);
  g_test_message ("queueing: %" G_GUINT64_FORMAT " ns, preempting: %" G_GUINT64_FORMAT " ns",
                  cost->queueing, cost->preempting);
  g_assert_cmpuint (cost->plain, >, 0);
  g_assert_cmpuint (cost->recorded, >, 0);
  g_assert_cmpuint (cost->switches, >, 0);
  if (agent_run_get_backend () != TB_CAPTURE_BACKEND_BPF)
    g_assert_cmpuint (cost->probed, ==, 0);
  path = g_strdup_printf ("/proc/%d/task/%d/children", run->pid, run->pid);
  if (g_file_get_contents (path, &children, NULL, NULL))
    g_assert_cmpstr (children, ==, "");
  /* They leave nothing in a recording by the same agent. */
  agent_run_start (run, &start);
  agent_run_stop (run);
  agent_run_check (run);
  agent_run_free (run);
}

static void
test_damaged_control (void)
{
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  static const guint8 nonsense[16] = { 0, 0, 0, 0, 0, 0, 0, 0, TB_CAPTURE_START, 0, 2 };
  TbCaptureMessage message;
  int refused;

  g_assert_cmpint (send (run->in, nonsense, sizeof nonsense, MSG_NOSIGNAL), ==, sizeof nonsense);
  g_assert_cmpint (send (run->in, nonsense, sizeof nonsense, MSG_NOSIGNAL), ==, sizeof nonsense);
  agent_run_finish (run);
  g_assert_true (WIFEXITED (run->wait_status));
  g_assert_cmpint (WEXITSTATUS (run->wait_status), ==, 1);
  refused = agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED);
  agent_run_assert_code (run, refused, TB_CAPTURE_CODE_CONTROL_DAMAGED, NULL);
  message = agent_run_get_message (run, refused);
  g_assert_nonnull (strstr (tb_capture_message_get (&message, 0), "start: 2 bytes"));
  agent_run_free (run);
}

static void
test_clock_skew (void)
{
  const char *arguments[] = { "--clock-skew", "5000000000", NULL };
  AgentRun *skewed = agent_run_new (AGENT_SAME_USER, arguments, NULL);
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

  g_assert_cmpuint (skewed->header.monotonic, >,
                    run->header.monotonic + G_GUINT64_CONSTANT (4000000000));
  g_assert_cmpuint (skewed->header.monotonic, <,
                    run->header.monotonic + G_GUINT64_CONSTANT (5000000000));
  agent_run_stop (skewed);
  agent_run_stop (run);
  agent_run_free (skewed);
  agent_run_free (run);
}

static void
test_no_process (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, G_MAXINT32);
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

  agent_run_send (run, &start);
  agent_run_assert_code (run, agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED),
                         TB_CAPTURE_CODE_NO_SUCH_PROCESS, "2147483647");
  agent_run_finish (run);
  g_assert_cmpint (WEXITSTATUS (run->wait_status), ==, 1);
  agent_run_free (run);
}

/* Called through pkexec without the right to record the whole system. */
static void
test_others_processes (void)
{
  const char *own[] = { "--own", NULL };
  const char *environment[] = { "PKEXEC_UID=65534", NULL };
  const char *const *arguments[] = { own, NULL };
  g_autofree char *number = NULL;
  pid_t mine, theirs;

  if (!agent_run_is_privileged ())
    return;
  mine = fork_worker (AGENT_SAME_USER);
  theirs = fork_worker (NOBODY_UID);
  number = g_strdup_printf ("%d", mine);
  agent_run_await_sleeps (theirs, 3);
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    {
      TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
      AgentRun *run = agent_run_new (AGENT_SAME_USER, arguments[i], environment);

      agent_run_send (run, &start);
      agent_run_assert_code (run, agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED),
                             TB_CAPTURE_CODE_SYSTEM_NOT_AUTHORIZED, NULL);
      agent_run_finish (run);
      agent_run_free (run);

      start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, mine);
      run = agent_run_new (AGENT_SAME_USER, arguments[i], environment);
      agent_run_send (run, &start);
      agent_run_assert_code (run, agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED),
                             TB_CAPTURE_CODE_FOREIGN_PROCESS, number);
      agent_run_finish (run);
      agent_run_free (run);

      start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, theirs);
      run = agent_run_new (AGENT_SAME_USER, arguments[i], environment);
      agent_run_start (run, &start);
      agent_run_await_sleeps (theirs, 20);
      agent_run_stop (run);
      agent_run_check (run);
      g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SWITCH), >, 0);
      AGENT_RUN_FOREACH (run, record)
      {
        if (record->type == TB_CAPTURE_SAMPLE)
          g_assert_cmpint (record->sample.pid, ==, theirs);
        /* Stacks of other users' processes are not recorded. */
        if (record->type == TB_CAPTURE_SWITCH && record->sched_switch.stack != 0)
          g_assert_cmpint (record->sched_switch.pid, ==, theirs);
        if (record->type == TB_CAPTURE_WAKEUP && record->wakeup.stack != 0)
          g_assert_cmpint (record->wakeup.pid, ==, theirs);
      }
      agent_run_free (run);
    }
  end_worker (mine);
  end_worker (theirs);
}

/* The authorization applied to the first argument only. */
static void
test_system_second (void)
{
  const char *arguments[] = { "--own", "--system", NULL };
  const char *argv[] = { g_getenv ("TAILBACK_AGENT"), arguments[0], arguments[1], NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *log = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &log,
                               &status, &error));
  g_assert_cmpint (WEXITSTATUS (status), ==, 2);
  g_assert_nonnull (strstr (log, "must be the first argument"));
}

static gboolean
may_become (uid_t uid)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    _exit (setgroups (0, NULL) != 0 || setresgid (uid, uid, uid) != 0
           || setresuid (uid, uid, uid) != 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return status == 0;
}

static void
assert_paranoid (const TbCaptureMessage *message)
{
  g_assert_cmpuint (message->code, ==, TB_CAPTURE_CODE_PERF_PARANOID);
  g_assert_true (message->error == EACCES || message->error == EPERM);
  g_assert_cmpuint (message->n_arguments, ==, 1);
  g_assert_cmpstr (tb_capture_message_get (message, 0), ==, "2");
}

/* The argument is the start of a cause, which has that code. */
static void
assert_cause (const TbCaptureMessage *message, guint index, TbCaptureStatusCode code)
{
  g_assert_cmpuint (message->n_arguments, >=, index + 3);
  g_assert_cmpint (g_ascii_strtoll (tb_capture_message_get (message, index), NULL, 10), ==, code);
}

/* perf_event_paranoid 2 and no capability: only own processes are recorded, and the missing right
 * is reported. */
static void
test_unprivileged (void)
{
  uid_t uid = getuid () == 0 ? NOBODY_UID : AGENT_SAME_USER;
  guint n_out = 0, n_in = 0, n_samples = 0, n_stacks = 0, n_refusals = 0;
  TbCaptureRecord start;
  TbCaptureMessage message;
  pid_t worker, stranger;
  AgentRun *run;
  int refused;

  if (!agent_run_is_system_protected ())
    return;
  if (uid != AGENT_SAME_USER && !may_become (uid))
    {
      g_test_skip ("root may not become another user here");
      return;
    }
  worker = fork_worker (uid);
  stranger = fork_worker (AGENT_SAME_USER);
  agent_run_await_sleeps (worker, 3);
  run = agent_run_new (uid, NULL, NULL);
  g_assert_cmpuint (run->header.backend, ==, TB_CAPTURE_BACKEND_OWN);
  if (agent_run_get_backend () == TB_CAPTURE_BACKEND_BPF)
    {
      g_assert_cmpuint (run->header.refusals[n_refusals].backend, ==, TB_CAPTURE_BACKEND_BPF);
      g_assert_cmpuint (run->header.refusals[n_refusals++].message.code, ==,
                        TB_CAPTURE_CODE_BPF_NOT_PERMITTED);
    }
  g_assert_cmpuint (run->header.refusals[n_refusals].backend, ==, TB_CAPTURE_BACKEND_PERF);
  assert_paranoid (&run->header.refusals[n_refusals++].message);
  g_assert_cmpuint (run->header.n_refusals, ==, n_refusals);

  start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, worker);
  agent_run_start (run, &start);
  agent_run_await_sleeps (worker, 100);
  agent_run_stop (run);
  agent_run_check (run);
  run->n_waited = 0;
  message = agent_run_get_message (run, agent_run_wait_status (run, TB_CAPTURE_STATUS_MISSING));
  assert_paranoid (&message);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_SWITCH)
      {
        if (record->sched_switch.tid == worker)
          n_out++;
        else
          {
            g_assert_cmpint (record->sched_switch.tid, ==, -1);
            g_assert_cmpint (record->sched_switch.next, ==, worker);
            n_in++;
          }
      }
    if (record->type == TB_CAPTURE_SAMPLE)
      {
        g_assert_cmpint (record->sample.tid, ==, worker);
        n_stacks += record->sample.stack != 0;
        n_samples++;
      }
    if (record->type == TB_CAPTURE_TASK)
      g_assert_cmpint (record->task.pid, ==, worker);
  }
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_TASK), ==, 1);
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_MAPPING), >, 0);
  g_assert_cmpuint (n_out, >, 5);
  g_assert_cmpuint (ABS ((int) n_out - (int) n_in), <=, 1);
  g_assert_cmpuint (n_samples, >, 5);
  g_assert_cmpuint (n_stacks, ==, n_samples);
  agent_run_free (run);

  run = agent_run_new (uid, NULL, NULL);
  start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  agent_run_send (run, &start);
  refused = agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED);
  agent_run_assert_code (run, refused, TB_CAPTURE_CODE_SYSTEM_NOT_POSSIBLE, NULL);
  message = agent_run_get_message (run, refused);
  assert_cause (&message, 0, TB_CAPTURE_CODE_PERF_PARANOID);
  agent_run_finish (run);
  g_assert_cmpint (WEXITSTATUS (run->wait_status), ==, 1);
  agent_run_free (run);

  if (uid != AGENT_SAME_USER)
    {
      run = agent_run_new (uid, NULL, NULL);
      start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, stranger);
      agent_run_send (run, &start);
      refused = agent_run_wait_status (run, TB_CAPTURE_STATUS_REFUSED);
      agent_run_assert_code (run, refused, TB_CAPTURE_CODE_EVENT_NOT_OPENED, NULL);
      message = agent_run_get_message (run, refused);
      assert_cause (&message, 2, TB_CAPTURE_CODE_NO_CAP_PERFMON);
      agent_run_finish (run);
      agent_run_free (run);
    }
  end_worker (worker);
  end_worker (stranger);
}

static void
test_input_ends (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, getpid ());
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

  agent_run_start (run, &start);
  close (run->in);
  run->in = -1;
  agent_run_finish (run);
  agent_run_check (run);
  agent_run_free (run);
}

static void
test_output_closed (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, getpid ());
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

  agent_run_start (run, &start);
  close (run->out);
  run->out = -1;
  g_assert_cmpint (waitpid (run->pid, &run->wait_status, 0), ==, run->pid);
  run->pid = 0;
  g_assert_true (WIFEXITED (run->wait_status));
  agent_run_free (run);
}

static char *
read_tracing_state (const char *tracefs)
{
  static const char *const files[]
      = { "tracing_on", "events/enable", "current_tracer", "uprobe_events", "kprobe_events" };
  GString *state = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (tracefs, files[i], NULL);
      g_autofree char *text = NULL;

      if (g_file_get_contents (path, &text, NULL, NULL))
        g_string_append_printf (state, "%s: %s", files[i], text);
    }
  return g_string_free (state, FALSE);
}

/* kill -9 of the agent during a recording: nothing stays behind. */
static void
test_agent_killed (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, 0);
  g_autofree char *tracefs = g_dir_make_tmp ("tailback-tracefs-XXXXXX", NULL);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *mounts_before = NULL;
  g_autofree char *mounts_after = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  if (!agent_run_is_privileged ())
    return;
  /* A tracefs mount of the test's own, in its own namespace. */
  if (unshare (CLONE_NEWNS) != 0 || mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
      || mount ("tracefs", tracefs, "tracefs", 0, NULL) != 0)
    {
      g_test_skip ("tracefs cannot be mounted to look at");
      return;
    }
  before = read_tracing_state (tracefs);
  g_assert_nonnull (strstr (before, "tracing_on: "));
  g_file_get_contents ("/proc/self/mountinfo", &mounts_before, NULL, NULL);
  for (guint i = 0; i < test_rounds (10, 4); i++)
    {
      AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

      if (i % 2 == 0)
        agent_run_start (run, &start);
      else
        agent_run_send (run, &start);
      g_usleep (g_rand_int_range (random, 0, 60000));
      kill (run->pid, SIGKILL);
      agent_run_finish (run);
      g_assert_true (WIFSIGNALED (run->wait_status));
      g_assert_false (run->complete);
      agent_run_free (run);
    }
  after = read_tracing_state (tracefs);
  g_assert_cmpstr (before, ==, after);
  g_file_get_contents ("/proc/self/mountinfo", &mounts_after, NULL, NULL);
  g_assert_cmpstr (mounts_before, ==, mounts_after);
  umount2 (tracefs, MNT_DETACH);
  g_rmdir (tracefs);
}

/* kill -9 of the client: the agent notices it and ends. */
static void
test_client_killed (void)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, getpid ());
  int pid_pipe[2];
  pid_t client, agent;

  g_assert_cmpint (pipe2 (pid_pipe, O_CLOEXEC), ==, 0);
  client = fork ();
  if (client == 0)
    {
      AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

      agent_run_start (run, &start);
      if (write (pid_pipe[1], &run->pid, sizeof run->pid) != sizeof run->pid)
        _exit (1);
      for (;;)
        pause ();
    }
  g_assert_cmpint (read (pid_pipe[0], &agent, sizeof agent), ==, sizeof agent);
  g_assert_cmpint (kill (agent, 0), ==, 0);
  kill (client, SIGKILL);
  waitpid (client, NULL, 0);
  g_assert_true (wait_for_process_end (agent));
  close (pid_pipe[0]);
  close (pid_pipe[1]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/agent-life/control", test_control);
  g_test_add_func ("/agent-life/cost", test_cost);
  g_test_add_func ("/agent-life/damaged-control", test_damaged_control);
  g_test_add_func ("/agent-life/clock-skew", test_clock_skew);
  g_test_add_func ("/agent-life/no-process", test_no_process);
  g_test_add_func ("/agent-life/others-processes", test_others_processes);
  g_test_add_func ("/agent-life/system-second", test_system_second);
  g_test_add_func ("/agent-life/unprivileged", test_unprivileged);
  g_test_add_func ("/agent-life/input-ends", test_input_ends);
  g_test_add_func ("/agent-life/output-closed", test_output_closed);
  g_test_add_func ("/agent-life/agent-killed", test_agent_killed);
  g_test_add_func ("/agent-life/client-killed", test_client_killed);
  return g_test_run ();
}
