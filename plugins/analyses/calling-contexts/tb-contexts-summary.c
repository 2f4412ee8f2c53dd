/* tb-contexts-summary.c: values computed from the summary of calling contexts: share of the
 * threads' time in known functions, probability that an event has a known context, life of a thread
 * in the range, cost as text, test for cut stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-summary.h"

#include <inttypes.h>
#include <math.h>

#include "report/tb-format.h"

/* Least number of events for an estimate of the contexts not seen. */
#define MIN_EVENTS 100

double
tb_contexts_summary_get_wall_share (const TbContextsSummary *self)
{
  double covered = 0, life = 0;

  for (guint i = 0; i < self->threads->len; i++)
    {
      covered += g_array_index (self->threads, TbContextsThread, i).covered;
      life += g_array_index (self->threads, TbContextsThread, i).life;
    }
  return life > 0 && !self->by_samples ? covered / life : NAN;
}

double
tb_contexts_summary_get_context_share (const TbContextsSummary *self)
{
  return self->counts.used >= MIN_EVENTS ? 1 - (double) self->n_once / self->counts.used : NAN;
}

char *
tb_contexts_summary_format_cost (const TbContextsSummary *self, gint64 cost)
{
  return tb_contexts_summary_is_count (self) ? g_strdup_printf ("%'" PRId64, cost)
                                             : tb_format_duration (cost);
}

gboolean
tb_contexts_summary_is_cut (const TbContextsSummary *self, guint32 node)
{
  TbContextNode context;

  if (node == 0 || self->parents[node] != 0)
    return FALSE;
  tb_context_tree_get_node (self->context_tree, node, &context);
  return !context.kernel && *context.module == '\0'
         && g_str_equal (context.function, TB_CONTEXT_CUT);
}

gint64
tb_contexts_summary_get_life (const TbContextsSummary *self, guint32 number)
{
  guint n_threads;
  const TbThread *thread
      = &tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads)[number];
  gint64 from = thread->start != TB_TIME_NONE ? MAX (self->from, thread->start) : self->from;
  gint64 to = thread->end != TB_TIME_NONE ? MIN (self->to, thread->end) : self->to;

  return MAX (to - from, 0);
}
