/* tb-peaks-interrupt-causes.c: search for interrupts that are root causes because they occur in
 * slow calls more often than by chance, although their handlers are short; mean running time
 * between interrupts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-interrupt-causes.h"

/* Minimum ratio of the frequency to the frequency by chance; the live search uses the same. */
#define LIFT 4

static gint64
get_running (const TbPeaksCalls *calls, const guint8 *wanted)
{
  const TbIntervals *intervals = tb_trace_get_intervals (calls->trace);
  gint64 running = 0;

  for (gsize i = 0; i < intervals->n; i++)
    if (intervals->state[i] == TB_STATE_RUNNING && intervals->thread[i] < calls->n_threads
        && wanted[intervals->thread[i]])
      running
          += MAX (MIN (intervals->end[i], calls->to) - MAX (intervals->start[i], calls->from), 0);
  return running;
}

GHashTable *
tb_peaks_measure_interrupt_gaps (const TbPeaksCalls *calls,
                                 const TbPeaksInterrupts *interrupts,
                                 const guint8 *wanted)
{
  GHashTable *gaps = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  const TbPeaksIndex *index = &interrupts->index;
  gint64 running;
  GHashTableIter iter;
  gpointer value;

  if (index->first == NULL)
    return gaps;
  for (gsize i = 0; i < index->first[calls->n_threads]; i++)
    {
      guint32 row = index->rows[i];
      double *count;

      if (interrupts->exit[row] < calls->from || interrupts->exit[row] > calls->to)
        continue;
      count = g_hash_table_lookup (gaps, &interrupts->key[row]);
      if (count == NULL)
        {
          count = g_new0 (double, 1);
          g_hash_table_insert (gaps, g_memdup2 (&interrupts->key[row], sizeof (guint64)), count);
        }
      (*count)++;
    }
  running = get_running (calls, wanted);
  g_hash_table_iter_init (&iter, gaps);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    *(double *) value = (double) running / *(double *) value;
  return gaps;
}

/* Whether the interrupt occurs in calls of the function far more often than by chance. */
static gboolean
is_frequent (const TbPeaksDrill *drill, const TbPeaksNode *function, TbPeaksNode *interrupt)
{
  const double *gap = g_hash_table_lookup (drill->gaps, &interrupt->key);
  double mean = (double) function->total_ns / (double) MAX (function->calls, 1);

  interrupt->expected
      = gap != NULL && *gap > 0 ? (double) function->calls * MIN (mean / *gap, 1) : -1;
  return interrupt->expected >= 0 && interrupt->calls > 0
         && (double) interrupt->calls >= LIFT * interrupt->expected;
}

static gboolean
is_interrupt_of (const TbPeaksNode *node, guint32 function)
{
  return node->kind == TB_PEAKS_NODE_INTERRUPT && node->parent == function;
}

static void
find_frequent_causes (TbPeaksDrill *drill, guint32 id, double percentage)
{
  TbPeaksTree *tree = drill->tree;
  TbPeaksNode *function = tb_peaks_tree_node (tree, id);
  guint64 most = 0, own = function->self_maxcount;
  double least;

  for (guint32 i = id + 1; i < tree->nodes->len; i++)
    {
      TbPeaksNode *node = tb_peaks_tree_node (tree, i);

      if (!is_interrupt_of (node, id))
        continue;
      node->is_frequent_cause = is_frequent (drill, function, node);
      if (node->is_frequent_cause)
        most = MAX (most, node->calls);
    }
  own -= MIN (own, most);
  least = percentage * (double) MAX (own, most);
  for (guint32 i = id + 1; most > 0 && i < tree->nodes->len; i++)
    {
      TbPeaksNode *node = tb_peaks_tree_node (tree, i);

      if (!is_interrupt_of (node, id) || !node->is_frequent_cause)
        continue;
      /* An interrupt that is a root cause by its own time is not marked as blamed. */
      node->is_frequent_cause = !node->is_root_cause && (double) node->calls >= least;
      node->is_root_cause = node->is_root_cause || node->is_frequent_cause;
    }
  if (most > 0 && (double) own < least)
    function->is_self_cause = FALSE;
}

void
tb_peaks_find_interrupt_causes (TbPeaksDrill *drill, double percentage)
{
  if (drill->gaps == NULL || g_hash_table_size (drill->gaps) == 0)
    return;
  for (guint32 i = 0; i < drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (drill->tree, i);

      if (node->kind == TB_PEAKS_NODE_FUNCTION && node->is_self_cause)
        find_frequent_causes (drill, i, percentage);
    }
}
