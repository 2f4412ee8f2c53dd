/* test-agent-perf-dumps.c: which dumps of stacks that found nothing are told as not done
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/tb-agent-private.h"

static void
count (TbAgent *agent, pid_t tid, TbAgentDumpEnd end, guint times)
{
  for (guint i = 0; i < times; i++)
    tb_agent_perf_dumps_count (agent, tid, end);
}

/* What the stream says at its end; 0 where it says nothing. */
static guint told;

void
tb_agent_output_put (TbAgentOutput *self, const TbCaptureRecord *record)
{
  g_assert_cmpint (record->type, ==, TB_CAPTURE_DUMP);
  told = record->dump.undone;
}

void
tb_agent_output_put_status (TbAgentOutput *self, unsigned code, unsigned source, const char *format, ...)
{
  g_assert_not_reached ();
}

static guint
settle (TbAgent *agent)
{
  told = 0;
  tb_agent_perf_dumps_settle (agent);
  return told;
}

/* A process that does nothing until it is told to end. */
static pid_t
start_process (void)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      pause ();
      _exit (0);
    }
  g_assert_cmpint (pid, >, 0);
  return pid;
}

static void
test_living (void)
{
  TbAgent agent = { 0 };

  count (&agent, getpid (), TB_AGENT_DUMP_NOTHING_THERE, 3);
  g_assert_cmpuint (settle (&agent), ==, 3);
}

static void
test_lived_on (void)
{
  TbAgent agent = { 0 };

  count (&agent, 4194001, TB_AGENT_DUMP_NOTHING_THERE, 2);
  count (&agent, 4194001, TB_AGENT_DUMP_DONE, 1);
  count (&agent, 4194001, TB_AGENT_DUMP_NOTHING_THERE, 1);
  g_assert_cmpuint (settle (&agent), ==, 2);
}

static void
test_undone (void)
{
  TbAgent agent = { 0 };

  count (&agent, 4194001, TB_AGENT_DUMP_UNDONE, 2);
  count (&agent, 4194001, TB_AGENT_DUMP_NONE, 5);
  g_assert_cmpuint (settle (&agent), ==, 2);
}

/* It has ended and nobody has asked how yet, then somebody has. */
static void
test_ended (void)
{
  pid_t unasked = start_process (), asked = start_process ();
  TbAgent agent = { 0 };
  siginfo_t info;

  count (&agent, unasked, TB_AGENT_DUMP_NOTHING_THERE, 1);
  count (&agent, asked, TB_AGENT_DUMP_NOTHING_THERE, 1);
  kill (unasked, SIGKILL);
  kill (asked, SIGKILL);
  g_assert_cmpint (waitid (P_PID, (id_t) unasked, &info, WEXITED | WNOWAIT), ==, 0);
  g_assert_cmpint (waitpid (asked, NULL, 0), ==, asked);
  g_assert_cmpuint (settle (&agent), ==, 0);
  g_assert_cmpint (waitpid (unasked, NULL, 0), ==, unasked);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/perf-dumps/living", test_living);
  g_test_add_func ("/agent/perf-dumps/lived-on", test_lived_on);
  g_test_add_func ("/agent/perf-dumps/undone", test_undone);
  g_test_add_func ("/agent/perf-dumps/ended", test_ended);
  return g_test_run ();
}
