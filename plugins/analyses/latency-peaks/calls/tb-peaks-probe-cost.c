/* tb-peaks-probe-cost.c: cost of the probes of recorded functions in the calls around them, as far
 * as the recording has the cost of one
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

static gint64
get_whole (const TbPeaksTable *table, guint32 row)
{
  return MAX (table->exit[row] - table->enter[row], 0);
}

/* The probes of the calls in a call: those of its own callees take part of its own time, those
 * further down are in the callees. last: the last call that is in none so far; returns the last one
 * that is not in this call either. */
static guint32
add_inner (TbPeaksTable *table, guint32 row, guint32 last, const guint32 *previous)
{
  gint64 own = get_whole (table, row), cost = 0, probes = 0;
  guint64 n_probed = 0;

  for (; last != TB_ID_NONE && table->enter[last] >= table->enter[row]; last = previous[last])
    {
      own -= get_whole (table, last);
      cost += table->probe_ns;
      probes += table->probes_ns[last];
      n_probed += 1 + (guint64) table->n_probed[last];
      table->has_inner = TRUE;
    }
  own = MAX (own, 0);
  table->n_probed[row] = (guint32) MIN (n_probed, G_MAXUINT32);
  table->probes_ns[row] = probes + own - tb_peaks_take_off_probes (own, cost);
  return last;
}

/* Rows are ascending by their end, callers after their callees: the calls that are in none so far
 * are a list for each thread, the last one first. */
void
tb_peaks_find_probe_costs (TbPeaksTable *table, TbSession *session)
{
  guint n_threads;
  g_autofree guint32 *last = NULL;
  g_autofree guint32 *previous = g_new (guint32, table->n + 1);

  tb_session_get_threads (session, &n_threads);
  last = g_new (guint32, n_threads + 1);
  memset (last, 0xff, (n_threads + 1) * sizeof *last);
  table->probes_ns = g_new0 (gint64, table->n + 1);
  table->n_probed = g_new0 (guint32, table->n + 1);
  table->probe_ns = read_cost (session);
  for (guint32 row = 0; row < table->n; row++)
    {
      guint32 thread = table->thread[row];

      if (thread >= n_threads || table->enter[row] == TB_TIME_NONE
          || table->exit[row] == TB_TIME_NONE)
        continue;
      previous[row] = add_inner (table, row, last[thread], previous);
      last[thread] = row;
    }
}
