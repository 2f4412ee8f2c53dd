/* tb-threads-finding-values.c: values of findings about threads, for programs that read the report:
 * the thread, its waits, what kept it from a CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "extend/plugins/tb-finding-thread.h"
#include "tb-threads-finding-values.h"
#include "tb-threads-programs.h"

static void
set_share (TbFinding *finding, const char *name, gint64 part, gint64 whole)
{
  tb_finding_set_number (finding, name, whole > 0 ? (double) part / whole : NAN);
}

void
tb_threads_set_thread (TbFinding *finding, TbThreadsSummary *summary, const TbThreadSummary *thread)
{
  gint64 life = tb_thread_summary_get_life (thread);

  tb_finding_set_thread (finding, NULL, summary->trace, thread->thread);
  if (thread->program != TB_ID_NONE)
    {
      const char *name = tb_threads_get_name (summary, thread);
      const char *process = tb_threads_get_process_name (summary, thread);

      tb_finding_set_string (finding, "thread", name[0] != '\0' ? name : NULL);
      tb_finding_set_string (finding, "process", process[0] != '\0' ? process : NULL);
    }
  tb_finding_set_time (finding, "lifetime_ns", life);
  tb_finding_set_time (finding, "running_ns", thread->ns[TB_STATE_RUNNING]);
  set_share (finding, "running_share", thread->ns[TB_STATE_RUNNING], life);
}

void
tb_threads_set_namesakes (TbFinding *finding, const TbNamesakes *of)
{
  tb_finding_set_integer (finding, "more_threads", of->n);
  tb_finding_set_time (finding, "more_threads_ns", of->ns);
  tb_finding_set_time (finding, "more_threads_least_ns", of->n > 0 ? of->least : TB_TIME_NONE);
  tb_finding_set_time (finding, "more_threads_most_ns", of->n > 0 ? of->most : TB_TIME_NONE);
}

/* The name of what a wait was for; NULL where only its kind is known. */
static char *
get_awaited (TbTrace *trace, const TbWaker *waker)
{
  switch (waker->kind)
    {
    case TB_CAUSE_TIMER:
      return NULL;
    case TB_CAUSE_NETWORK:
      return waker->cause != TB_STRING_NONE ? tb_threads_get_waker_name (trace, waker) : NULL;
    case TB_CAUSE_DEVICE:
      return waker->cause != TB_ID_NONE ? tb_threads_get_waker_name (trace, waker) : NULL;
    case TB_CAUSE_NONE:
    case TB_CAUSE_THREAD:
    case TB_CAUSE_INTERRUPT:
    case TB_CAUSE_SIGNAL:
    case TB_CAUSE_UNKNOWN:
    default:
      return tb_threads_get_waker_name (trace, waker);
    }
}

void
tb_threads_set_wait (TbFinding *finding,
                     TbThreadsSummary *summary,
                     const TbThreadSummary *thread,
                     const TbProgramContext *place)
{
  const TbWaker *waker = &g_array_index (thread->wakers, TbWaker, 0);
  gint64 waiting = tb_thread_summary_get_waiting (thread);
  g_autofree char *awaited = get_awaited (summary->trace, waker);

  tb_finding_set_time (finding, "wait_ns", waiting);
  tb_finding_set_integer (finding, "causes", thread->wakers->len);
  tb_finding_set_string (finding, "awaited_kind",
                         tb_threads_get_waker_kind (summary->trace, waker));
  tb_finding_set_string (finding, "awaited", awaited);
  if (waker->kind == TB_CAUSE_THREAD || waker->kind == TB_CAUSE_SIGNAL)
    tb_finding_set_thread (finding, "awaited_", summary->trace, waker->cause);
  tb_finding_set_time (finding, "awaited_ns", waker->wait_ns);
  tb_finding_set_time (finding, "disk_ns", thread->disk_ns);
  set_share (finding, "awaited_share", waker->wait_ns, waiting);
  tb_finding_set_string (finding, "function", tb_place_get_function (place, waker->wait_ns));
  tb_finding_set_string (finding, "program_function",
                         tb_place_get_program_function (place, waker->wait_ns));
  tb_finding_set_string (finding, "program_module",
                         tb_place_get_program_function (place, waker->wait_ns) != NULL
                             ? place->module
                             : NULL);
  tb_finding_set_string (finding, "caller_option",
                         tb_place_get_function (place, waker->wait_ns) != NULL
                             ? place->caller_option
                             : NULL);
  tb_finding_set_string (finding, "object",
                         tb_place_get_object (place, waker->wait_ns,
                                              waker->kind == TB_CAUSE_NETWORK));
}

void
tb_threads_set_holder (TbFinding *finding, TbThreadsSummary *summary, const TbCpuHolder *holder)
{
  tb_finding_set_thread (finding, "holder_", summary->trace,
                         holder != NULL && holder->n == 1 ? holder->thread : TB_ID_NONE);
  tb_finding_set_integer (finding, "holder_threads", holder != NULL ? holder->n : 0);
  tb_finding_set_time (finding, "holder_ns", holder != NULL ? holder->ns : TB_TIME_NONE);
  if (holder != NULL && holder->n > 1 && holder->name[0] != '\0')
    tb_finding_set_string (finding, "holder_thread", holder->name);
}
