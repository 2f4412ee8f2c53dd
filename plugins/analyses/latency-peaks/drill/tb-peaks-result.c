/* tb-peaks-result.c: root causes of each peak, gathered from the nodes of the drill-down tree;
 * lookups in a result of latency-peaks (made by tb-peaks-evaluation.c): peak of a node, best
 * attribute, periodicity
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-result.h"

static TbPeaksNode *
get_node (const TbPeaksResult *self, guint32 node)
{
  return tb_peaks_tree_node (self->drill->tree, node);
}

/* Whether a node is a root cause without a root cause below it. */
static gboolean
is_cause (const TbPeaksNode *node)
{
  switch (node->kind)
    {
    case TB_PEAKS_NODE_FUNCTION:
    case TB_PEAKS_NODE_WAIT:
    case TB_PEAKS_NODE_SERVED:
      return node->is_self_cause;
    case TB_PEAKS_NODE_ALIAS:
      return FALSE;
    default:
      return node->is_root_cause;
    }
}

static int
compare_causes (gconstpointer a, gconstpointer b)
{
  const TbPeakCause *left = a, *right = b;

  if (left->ns != right->ns)
    return left->ns > right->ns ? -1 : 1;
  return left->node < right->node ? -1 : left->node > right->node;
}

guint
tb_peaks_result_find_peak_of (const TbPeaksResult *self, guint32 node)
{
  while (get_node (self, node)->parent != TB_ID_NONE)
    node = get_node (self, node)->parent;
  return (guint) get_node (self, node)->key;
}

void
tb_peaks_result_gather_causes (TbPeaksResult *self)
{
  g_autofree gint64 *drilled_ns = g_new0 (gint64, self->ranges->len + 1);

  self->causes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakDrill *peak = &g_array_index (self->drill->peaks, TbPeakDrill, i);

      drilled_ns[i] = peak->root != TB_ID_NONE ? get_node (self, peak->root)->total_ns : 0;
      g_ptr_array_add (self->causes, g_array_new (FALSE, FALSE, sizeof (TbPeakCause)));
    }
  for (guint32 i = 0; i < self->drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = get_node (self, i);
      TbPeakCause cause = { .node = i };
      guint peak;

      if (!is_cause (node))
        continue;
      peak = tb_peaks_result_find_peak_of (self, i);
      cause.ns = tb_peaks_node_is_disturbance (node)    ? node->disturbed_ns
                 : node->kind == TB_PEAKS_NODE_FUNCTION ? node->self_ns
                                                        : node->own_ns;
      cause.share = (double) cause.ns / (double) MAX (drilled_ns[peak], 1);
      if (cause.share < TB_PEAKS_LEAST_SHARE && !node->is_frequent_cause)
        continue;
      g_array_append_val ((GArray *) g_ptr_array_index (self->causes, peak), cause);
    }
  for (guint i = 0; i < self->causes->len; i++)
    g_array_sort (g_ptr_array_index (self->causes, i), compare_causes);
}

#define MAX_SHARES 4
#define LEAST_LISTED 0.02

GArray *
tb_peaks_result_list_shares (const TbPeaksResult *self, guint peak)
{
  GArray *shares = g_array_new (FALSE, FALSE, sizeof (TbPeakCause));
  guint32 root = tb_peaks_result_get_drill (self, peak)->root;
  gint64 total = root != TB_ID_NONE ? MAX (get_node (self, root)->total_ns, 1) : 1;

  for (guint32 i = root; i < self->drill->tree->nodes->len; i++)
    {
      const TbPeaksNode *node = get_node (self, i);
      TbPeakCause part = { i, node->own_ns, (double) node->own_ns / (double) total };

      if (node->kind != TB_PEAKS_NODE_ALIAS && part.share >= LEAST_LISTED
          && tb_peaks_result_find_peak_of (self, i) == peak)
        g_array_append_val (shares, part);
    }
  g_array_sort (shares, compare_causes);
  if (shares->len > MAX_SHARES)
    g_array_set_size (shares, MAX_SHARES);
  return shares;
}

/* --- peaks --- */

const TbPeakDrill *
tb_peaks_result_get_drill (const TbPeaksResult *self, guint peak)
{
  return &g_array_index (self->drill->peaks, TbPeakDrill, peak);
}

const TbPeakAttribute *
tb_peaks_result_get_attribute (const TbPeaksResult *self, guint peak)
{
  const GArray *attributes
      = self->attributes != NULL ? g_ptr_array_index (self->attributes, peak) : NULL;

  return attributes != NULL && attributes->len > 0 ? &g_array_index (attributes, TbPeakAttribute, 0)
                                                   : NULL;
}

gboolean
tb_peaks_result_is_periodic (const TbPeaksResult *self, guint peak)
{
  const TbPeakPeriodicity *periodicity
      = self->periodicities != NULL ? &g_array_index (self->periodicities, TbPeakPeriodicity, peak)
                                    : NULL;

  return periodicity != NULL && periodicity->period.period_ns > 0
         && periodicity->strength_of_all < periodicity->period.strength / 2;
}

gboolean
tb_peaks_result_is_requested (const TbPeaksResult *self, guint peak)
{
  if (self->state != NULL)
    return peak == self->live_peak;
  return self->options.peak == 0 || self->is_drawn || self->options.peak == peak + 1;
}

char *
tb_peaks_result_get_item (guint peak)
{
  return g_strdup_printf ("peak-%u", peak + 1);
}

gboolean
tb_peaks_result_is_single_call (const TbPeaksResult *self, guint peak)
{
  return self->options.call != 0 && peak > 0;
}
