/* source-run.c: recordings of one source with an agent, and a worker process with known activity
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "source-run.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCHEDULER (1u << TB_CAPTURE_SOURCE_SCHEDULER | 1u << TB_CAPTURE_SOURCE_TASKS)

TbCaptureRecord
source_run_make_start (TbCaptureSource source, TbCaptureScope scope, gint32 pid)
{
  TbCaptureRecord start = agent_run_make_start (scope, pid);

  start.start.sources = SCHEDULER | 1u << source;
  return start;
}

AgentRun *
source_run_begin (const TbCaptureRecord *start)
{
  AgentRun *run = agent_run_new (AGENT_SAME_USER, NULL, NULL);

  agent_run_start (run, start);
  return run;
}

void
source_run_end (AgentRun *run)
{
  agent_run_stop (run);
  agent_run_check (run);
}

/* Not inlined and not merged with another function: the tests probe it. */
__attribute__ ((noinline, noclone, used)) guint
worker_work (guint number)
{
  syscall (SYS_getppid);
  if (number % 10 == 0)
    g_usleep (WORKER_LONG_CALL_US);
  __asm__ volatile ("" ::: "memory");
  return number + 1;
}

__attribute__ ((noinline, noclone, used)) guint
worker_descend (guint depth)
{
  guint below = depth > 0 ? worker_descend (depth - 1) : 0;

  if (depth == 0)
    g_usleep (WORKER_LONG_CALL_US);
  __asm__ volatile ("" ::: "memory");
  return below + 1;
}

Worker
worker_start (void)
{
  int to[2], from[2];
  Worker self;
  char byte;

  g_assert_cmpint (pipe (to), ==, 0);
  g_assert_cmpint (pipe (from), ==, 0);
  self.pid = fork ();
  g_assert_cmpint (self.pid, >=, 0);
  if (self.pid == 0)
    {
      close (to[1]);
      close (from[0]);
      while (read (to[0], &byte, 1) == 1)
        {
          for (guint i = 0; i < WORKER_CALLS; i++)
            worker_work (i);
          worker_descend (WORKER_DEPTH);
          if (write (from[1], "x", 1) != 1)
            break;
        }
      _exit (0);
    }
  close (to[0]);
  close (from[1]);
  self.to = to[1];
  self.from = from[0];
  return self;
}

void
worker_let_work (const Worker *self)
{
  char byte;

  g_assert_cmpint (write (self->to, "x", 1), ==, 1);
  g_assert_cmpint (read (self->from, &byte, 1), ==, 1);
}

void
worker_end (const Worker *self)
{
  int status;

  close (self->to);
  close (self->from);
  g_assert_cmpint (waitpid (self->pid, &status, 0), ==, self->pid);
  g_assert_cmpint (status, ==, 0);
}
