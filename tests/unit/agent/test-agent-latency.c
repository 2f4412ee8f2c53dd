/* test-agent-latency.c: test of the agent's records on calls of one function during a drill-down
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "source-run.h"

#define N_BINS 63

static void
await_answer (AgentRun *run)
{
  int status = agent_run_wait_source (run, TB_CAPTURE_SOURCE_LATENCY);

  g_assert_cmpint (agent_run_get_status (run, status).kind, ==, TB_CAPTURE_STATUS_PROBED);
}

/* Starts a new generation of counters for everything called in f0. */
static void
open_f0 (AgentRun *run)
{
  TbCaptureRecord node = { .type = TB_CAPTURE_LATENCY_NODE, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureRecord attach = { .type = TB_CAPTURE_LATENCY_ATTACH, .cpu = TB_CAPTURE_CPU_NONE };

  node.latency_node.flags = TB_CAPTURE_LATENCY_OPEN | TB_CAPTURE_LATENCY_RESET;
  agent_run_send (run, &node);
  agent_run_send (run, &attach);
  await_answer (run);
}

/* Waits until the worker sleeps. Since it has answered, it then sleeps in its next read. */
static void
await_read (const Worker *worker)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", worker->pid);

  for (gboolean sleeps = FALSE; !sleeps;)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      sleeps = strstr (text, ") S ") != NULL;
      if (!sleeps)
        g_usleep (1000);
    }
}

static AgentRun *
record_worker (const Worker *worker)
{
  TbCaptureRecord start
      = source_run_make_start (TB_CAPTURE_SOURCE_LATENCY, TB_CAPTURE_SCOPE_PROCESS, worker->pid);

  return source_run_begin (&start);
}

static void
send_latency_start (AgentRun *run, TbCaptureLatencyStart start)
{
  TbCaptureRecord record = { .type = TB_CAPTURE_LATENCY_START, .cpu = TB_CAPTURE_CPU_NONE };
  guint64 edges[N_BINS + 1] = { 0 };

  for (guint i = 1; i <= N_BINS; i++)
    edges[i] = G_GUINT64_CONSTANT (1) << i;
  record.latency_start = start;
  record.tail = (const guint8 *) edges;
  record.tail_length = sizeof edges;
  agent_run_send (run, &record);
}

static void
choose_all_bins (AgentRun *run)
{
  TbCaptureRecord peak = { .type = TB_CAPTURE_LATENCY_PEAK, .cpu = TB_CAPTURE_CPU_NONE };

  peak.latency_peak.to_bin = N_BINS - 1;
  agent_run_send (run, &peak);
  open_f0 (run);
}

/* All calls of that system call by the worker are in the peak. */
static AgentRun *
begin (const Worker *worker, guint32 call)
{
  AgentRun *run = record_worker (worker);

  send_latency_start (run, (TbCaptureLatencyStart) { call, 1 });
  await_answer (run);
  choose_all_bins (run);
  return run;
}

/* A thread that returns from its wait is the one that waited, whatever thread ran before it, or
 * none. */
static void
test_waits (void)
{
  AgentRun *run;
  Worker worker;
  guint n = 0;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  run = begin (&worker, SYS_clock_nanosleep);
  worker_let_work (&worker);
  source_run_end (run);
  worker_end (&worker);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type != TB_CAPTURE_LATENCY_CALLEE)
      continue;
    n++;
    g_assert_cmpuint (record->latency_callee.node, ==, 0);
    g_assert_cmphex (record->latency_callee.target & TB_CAPTURE_LATENCY_WAIT, ==,
                     TB_CAPTURE_LATENCY_WAIT);
    g_assert_cmpint (record->latency_callee.pid, ==, worker.pid);
  }
  g_assert_cmpuint (n, ==, 1);
  agent_run_free (run);
}

/* The earlier part of a call in progress is unknown, so the call does not count. */
static void
test_under_way (void)
{
  guint64 n_calls[4] = { 0 };
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  run = begin (&worker, SYS_read);
  /* The read that ends here began before the recording. The beginning of the next one is recorded,
   * but before node 0 is reset. */
  worker_let_work (&worker);
  await_read (&worker);
  open_f0 (run);
  worker_let_work (&worker);
  worker_let_work (&worker);
  source_run_end (run);
  worker_end (&worker);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_LATENCY_COUNTER && record->latency_counter.node == 0
        && record->latency_counter.generation < G_N_ELEMENTS (n_calls))
      n_calls[record->latency_counter.generation] = record->latency_counter.calls;
  }
  g_assert_cmpuint (n_calls[1], ==, 0);
  g_assert_cmpuint (n_calls[2], ==, 1);
  agent_run_free (run);
}

/* Sets the number of files that the agent may have open. Returns the earlier one. */
static rlim_t
limit_files (const AgentRun *run, rlim_t n)
{
  struct rlimit limit, earlier;

  g_assert_cmpint (prlimit (run->pid, RLIMIT_NOFILE, NULL, &earlier), ==, 0);
  limit = (struct rlimit) { n, earlier.rlim_max };
  g_assert_cmpint (prlimit (run->pid, RLIMIT_NOFILE, &limit, NULL), ==, 0);
  return earlier.rlim_cur;
}

/* A measurement that could not start can be started again: nothing of the failed attempt is left
 * that prevents it or that it counts. */
static void
test_start_again (void)
{
  const struct
  {
    TbCaptureLatencyStart start;
    TbCaptureStatusCode code;
  } cases[] = {
    { { .call = TB_CAPTURE_NO_CALL, .resolution = 1, .operation = TB_CAPTURE_LATENCY_OF_REQUESTS },
      TB_CAPTURE_CODE_REQUESTS_NOT_WATCHED },
    { { .call = SYS_clock_nanosleep, .resolution = 1 }, TB_CAPTURE_CODE_SYSCALLS_NOT_WATCHED },
    { { .call = SYS_clock_nanosleep, .resolution = 2 }, TB_CAPTURE_CODE_LATENCY_BINS_WRONG }
  };
  guint64 n_calls = 0;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  run = record_worker (&worker);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      /* No file is left for the link of an event. */
      rlim_t earlier = limit_files (run, STDERR_FILENO + 1);
      int status;

      send_latency_start (run, cases[i].start);
      status = agent_run_wait_source (run, TB_CAPTURE_SOURCE_LATENCY);
      g_assert_cmpint (agent_run_get_status (run, status).kind, ==, TB_CAPTURE_STATUS_REFUSED);
      agent_run_assert_code (run, status, cases[i].code, NULL);
      limit_files (run, earlier);
    }
  send_latency_start (run, cases[1].start);
  await_answer (run);
  choose_all_bins (run);
  worker_let_work (&worker);
  source_run_end (run);
  worker_end (&worker);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_LATENCY_COUNTER && record->latency_counter.node == 0)
      n_calls = record->latency_counter.calls;
  }
  g_assert_cmpuint (n_calls, ==, WORKER_LONG_CALLS + 1);
  agent_run_free (run);
}

/* A measurement whose probes of f0 cannot be attached is over: the client may start another one,
 * which counts. A failure of another group leaves it alone. */
static void
test_attach_again (void)
{
  TbCaptureRecord probe = { .type = TB_CAPTURE_LATENCY_PROBE, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureRecord attach = { .type = TB_CAPTURE_LATENCY_ATTACH, .cpu = TB_CAPTURE_CPU_NONE };
  guint64 n_calls = 0;
  AgentRun *run;
  Worker worker;

  if (!agent_run_is_privileged ())
    return;
  worker = worker_start ();
  run = record_worker (&worker);
  for (guint group = 0; group < 2; group++)
    {
      int status;

      send_latency_start (run, (TbCaptureLatencyStart) {
                                   group == 0 ? TB_CAPTURE_NO_CALL : SYS_clock_nanosleep, 1 });
      await_answer (run);
      /* There is no such file. */
      probe.latency_probe = (TbCaptureLatencyProbe) {
        .device = 1, .inode = 1, .group = group, .pid = worker.pid, .kind = TB_CAPTURE_LATENCY_ENTRY
      };
      attach.latency_group.group = group;
      agent_run_send (run, &probe);
      agent_run_send (run, &attach);
      status = agent_run_wait_source (run, TB_CAPTURE_SOURCE_LATENCY);
      g_assert_cmpint (agent_run_get_status (run, status).kind, ==, TB_CAPTURE_STATUS_REFUSED);
    }
  choose_all_bins (run);
  worker_let_work (&worker);
  source_run_end (run);
  worker_end (&worker);
  AGENT_RUN_FOREACH (run, record)
  {
    if (record->type == TB_CAPTURE_LATENCY_COUNTER && record->latency_counter.node == 0)
      n_calls = record->latency_counter.calls;
  }
  g_assert_cmpuint (n_calls, ==, WORKER_LONG_CALLS + 1);
  agent_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/latency/waits", test_waits);
  g_test_add_func ("/agent/latency/under-way", test_under_way);
  g_test_add_func ("/agent/latency/start-again", test_start_again);
  g_test_add_func ("/agent/latency/attach-again", test_attach_again);
  return g_test_run ();
}
