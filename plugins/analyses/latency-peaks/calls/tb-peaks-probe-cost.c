/* tb-peaks-probe-cost.c: cost of the probes of recorded functions in the calls around them: number of
 * probed calls in each call, and what the recording knows of the cost of one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-probe-cost.h"

/* A probed call takes no longer than this; more is a damaged recording. */
#define MAX_COST_NS 1000000

static gint64
read_cost (TbSession *session)
{
  const char *text = tb_session_get_fact (session, "cost-probed-call-ns");
  guint64 cost;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, MAX_COST_NS, &cost, NULL)
             ? (gint64) cost
             : 0;
}

/* Rows are ascending by their end, callers after their callees: the calls that are in none so far
 * are a list for each thread, the last one first. */
void
tb_peaks_count_inner (TbPeaksTable *table, TbSession *session)
{
  guint n_threads;
  g_autofree guint32 *last = NULL;
  g_autofree guint32 *previous = g_new (guint32, table->n + 1);

  tb_session_get_threads (session, &n_threads);
  last = g_new (guint32, n_threads + 1);
  memset (last, 0xff, (n_threads + 1) * sizeof *last);
  table->n_inner = g_new0 (guint32, table->n + 1);
  table->probe_ns = read_cost (session);
  for (guint32 row = 0; row < table->n; row++)
    {
      guint32 thread = table->thread[row], inner;
      guint64 n = 0;

      if (thread >= n_threads || table->enter[row] == TB_TIME_NONE
          || table->exit[row] == TB_TIME_NONE)
        continue;
      for (inner = last[thread]; inner != TB_ID_NONE && table->enter[inner] >= table->enter[row];
           inner = previous[inner])
        n += (guint64) table->n_inner[inner] + 1;
      table->n_inner[row] = (guint32) MIN (n, G_MAXUINT32);
      previous[row] = inner;
      last[thread] = row;
    }
}
