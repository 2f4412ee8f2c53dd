/* test-agent-flight.c: test of the agent as a flight recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent-run.h"

#define SECOND ((guint64) 1000000000)
#define BUFFER_NS (SECOND / 4)

static TbCaptureRecord
make_flight_start (guint64 flight_recorder_ns)
{
  TbCaptureRecord start = agent_run_make_start (TB_CAPTURE_SCOPE_SYSTEM, -1);

  start.start.flight_recorder_ns = flight_recorder_ns;
  return start;
}

/* Start time of the saved buffer, or 0. */
static guint64
find_saved_start (AgentRun *run)
{
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_DISCARDED)
      return record->time;
    /* Only records about the recording come before it. */
    g_assert_cmpuint (record->type, >=, TB_CAPTURE_STATUS);
  }
  return 0;
}

static guint64
find_time (AgentRun *run, guint type, guint code)
{
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == type && (type != TB_CAPTURE_STATUS || record->status.kind == code))
      return record->time;
  }
  return 0;
}

static gboolean
has_task (AgentRun *run, gint32 pid)
{
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_TASK && record->task.pid == pid)
      return TRUE;
  }
  return FALSE;
}

/* A process that wakes up often until it is killed. At times it sleeps for that many µs. */
static pid_t
start_sleeper (guint long_sleep)
{
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    for (guint i = 1;; i++)
      usleep (i % 100 == 0 ? long_sleep : 1000);
  return pid;
}

static void
end_sleeper (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

/* A recording during which a second sleeper starts, saved on request. */
static AgentRun *
run_snapshot (gboolean by_signal, pid_t *early, pid_t *late)
{
  TbCaptureRecord start = make_flight_start (BUFFER_NS);
  TbCaptureRecord snapshot = { .type = TB_CAPTURE_SNAPSHOT, .cpu = TB_CAPTURE_CPU_NONE };
  AgentRun *run;

  *early = start_sleeper (1000);
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  g_usleep (BUFFER_NS / 1000);
  *late = start_sleeper (1000);
  g_usleep (3 * BUFFER_NS / 1000);
  agent_run_await_sleeps (*early, 20);
  agent_run_await_sleeps (*late, 20);
  if (by_signal)
    kill (run->pid, SIGUSR1);
  else
    agent_run_send (run, &snapshot);
  agent_run_finish (run);
  end_sleeper (*early);
  end_sleeper (*late);
  agent_run_check (run);
  return run;
}

static gboolean
has_fork (AgentRun *run, gint32 pid)
{
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_FORK && record->fork.new_tid == pid)
      return TRUE;
  }
  return FALSE;
}

/* Records that were dropped leave their result behind: a thread that started in that time is in the
 * list of threads. An agent that got no CPU for long has dropped too little and still has the fork
 * itself; then the recording is repeated. */
static void
test_snapshot (gconstpointer data)
{
  AgentRun *run = NULL;
  guint64 armed, saved_from, end;
  pid_t early, late;

  if (!agent_run_is_privileged ())
    return;
  for (guint i = 0; i < 20; i++)
    {
      g_clear_pointer (&run, agent_run_free);
      run = run_snapshot (GPOINTER_TO_INT (data), &early, &late);
      armed = find_time (run, TB_CAPTURE_STATUS, TB_CAPTURE_STATUS_ARMED);
      saved_from = find_saved_start (run);
      end = find_time (run, TB_CAPTURE_END, 0);
      g_assert_cmpuint (find_time (run, TB_CAPTURE_STATUS, TB_CAPTURE_STATUS_SAVING), >, 0);
      g_assert_cmpuint (saved_from, <=, end - BUFFER_NS);
      g_assert_true (has_task (run, early));
      g_assert_true (has_task (run, late) != has_fork (run, late));
      if (saved_from > armed + 2 * BUFFER_NS && has_task (run, late))
        break;
    }
  g_assert_cmpuint (saved_from, >, armed + 2 * BUFFER_NS);
  g_assert_true (has_task (run, late));
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type >= TB_CAPTURE_SWITCH && record->type <= TB_CAPTURE_MARK)
      g_assert_cmpuint (record->time, >=, saved_from);
  }
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SWITCH), >, 0);
  agent_run_free (run);
}

/* No record is old enough to be dropped, so all are saved. */
static void
test_short (void)
{
  TbCaptureRecord start = make_flight_start (60 * SECOND);
  AgentRun *run;
  pid_t sleeper;

  if (!agent_run_is_privileged ())
    return;
  sleeper = start_sleeper (1000);
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  agent_run_await_sleeps (sleeper, 20);
  agent_run_stop (run);
  end_sleeper (sleeper);
  agent_run_check (run);
  g_assert_cmpuint (find_saved_start (run), ==,
                    find_time (run, TB_CAPTURE_STATUS, TB_CAPTURE_STATUS_ARMED));
  g_assert_true (has_task (run, sleeper));
  g_assert_cmpuint (agent_run_count (run, TB_CAPTURE_SWITCH), >, 0);
  agent_run_free (run);
}

/* A system call that takes too long triggers the saving. */
static void
test_condition (void)
{
  TbCaptureRecord start;
  g_autofree char *tid = NULL, *call = NULL;
  TbCaptureMessage message;
  pid_t sleeper;
  AgentRun *run;
  int status;

  if (!agent_run_is_privileged ())
    return;
  sleeper = start_sleeper (400 * 1000);
  start = agent_run_make_start (TB_CAPTURE_SCOPE_PROCESS, sleeper);
  start.start.sources |= 1u << TB_CAPTURE_SOURCE_SYSCALLS;
  start.start.flight_recorder_ns = SECOND;
  start.start.trigger_ns = SECOND / 5;
  start.start.trigger_call = SYS_clock_nanosleep;
  run = agent_run_new (AGENT_SAME_USER, NULL, NULL);
  agent_run_start (run, &start);
  status = agent_run_wait_status (run, TB_CAPTURE_STATUS_SAVING);
  message = agent_run_get_message (run, status);
  agent_run_finish (run);
  end_sleeper (sleeper);
  tid = g_strdup_printf ("%d", sleeper);
  call = g_strdup_printf ("%d", (int) SYS_clock_nanosleep);
  agent_run_assert_code (run, status, TB_CAPTURE_CODE_TRIGGER_SYSCALL, tid);
  g_assert_cmpuint (message.n_arguments, ==, 3);
  g_assert_cmpstr (tb_capture_message_get (&message, 1), ==, call);
  g_assert_cmpuint (g_ascii_strtoull (tb_capture_message_get (&message, 2), NULL, 10), >=,
                    SECOND / 5);
  agent_run_check (run);
  g_assert_cmpuint (find_saved_start (run), >, 0);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/agent/flight/snapshot", GINT_TO_POINTER (FALSE), test_snapshot);
  g_test_add_data_func ("/agent/flight/signal", GINT_TO_POINTER (TRUE), test_snapshot);
  g_test_add_func ("/agent/flight/short", test_short);
  g_test_add_func ("/agent/flight/condition", test_condition);
  return g_test_run ();
}
