/* tb-peaks-excess.c: parts of a call, such as a wait, that take longer in the calls of a peak than
 * in the fastest ones, by their drill-down trees: as a list and as a sentence
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-peaks-excess.h"

#define LEAST_PART 0.05 /* share of the additional time */
#define MAX_PARTS 3

static const TbPeakDrill *
get_drill (const TbPeaksResult *self, guint peak)
{
  return &g_array_index (self->drill->peaks, TbPeakDrill, peak);
}

/* Mean time of a call in the node itself. */
static double
get_own (const TbPeaksNode *node, const TbPeakDrill *drill)
{
  return (double) node->own_ns / (double) MAX (drill->drilled, 1);
}

static double
get_mean (const TbPeakDrill *drill)
{
  return (double) drill->total_ns / (double) MAX (drill->calls, 1);
}

static int
compare_excess (gconstpointer a, gconstpointer b)
{
  const TbPeakExcess *left = a, *right = b;

  if (left->excess_ns != right->excess_ns)
    return left->excess_ns > right->excess_ns ? -1 : 1;
  return left->node < right->node ? -1 : left->node > right->node;
}

/* For each node, the corresponding node in the tree of the fastest peak; parents precede their
 * children. */
static guint32 *
match_nodes (const TbPeaksResult *self, guint32 root, guint32 fastest)
{
  TbPeaksTree *tree = self->drill->tree;
  guint32 *same = g_new (guint32, tree->nodes->len + 1);

  memset (same, 0xff, (tree->nodes->len + 1) * sizeof *same);
  same[root] = fastest;
  for (guint32 i = root + 1; i < tree->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (tree, i);

      if (node->parent != TB_ID_NONE && same[node->parent] != TB_ID_NONE
          && node->kind != TB_PEAKS_NODE_ALIAS)
        same[i] = tb_peaks_tree_find_like (tree, same[node->parent], node);
    }
  return same;
}

GArray *
tb_peaks_explain (const TbPeaksResult *result, guint peak, gint64 *ns)
{
  const TbPeakDrill *fastest = get_drill (result, 0), *drill = get_drill (result, peak);
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (TbPeakExcess));
  TbPeaksTree *tree = result->drill->tree;
  g_autofree guint32 *same = NULL;
  g_autofree guint8 *belongs = NULL;

  *ns = 0;
  if (peak == 0 || fastest->root == TB_ID_NONE || drill->root == TB_ID_NONE)
    return parts;
  *ns = (gint64) (get_mean (drill) - get_mean (fastest));
  same = match_nodes (result, drill->root, fastest->root);
  belongs = g_malloc0 (tree->nodes->len + 1);
  for (guint32 i = drill->root; i < tree->nodes->len; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (tree, i);
      TbPeakExcess more = { .node = i };

      belongs[i] = i == drill->root || (node->parent != TB_ID_NONE && belongs[node->parent]);
      if (!belongs[i] || node->kind == TB_PEAKS_NODE_ALIAS)
        continue;
      more.excess_ns = (gint64) (get_own (node, drill)
                                 - (same[i] != TB_ID_NONE
                                        ? get_own (tb_peaks_tree_node (tree, same[i]), fastest)
                                        : 0));
      if ((double) more.excess_ns >= LEAST_PART * (double) *ns && more.excess_ns > 0)
        g_array_append_val (parts, more);
    }
  g_array_sort (parts, compare_excess);
  if (parts->len > MAX_PARTS)
    g_array_set_size (parts, MAX_PARTS);
  return parts;
}

char *
tb_peaks_describe_excess (const TbPeaksResult *result, guint peak)
{
  gint64 ns;
  g_autoptr (GArray) parts = tb_peaks_explain (result, peak, &ns);
  g_autofree char *all = tb_format_duration (ns);
  GString *text;

  if (parts->len == 0)
    return NULL;
  text = g_string_new (NULL);
  g_string_append_printf (text, _ ("A call takes %s longer than one of the fastest peak"), all);
  for (guint i = 0; i < parts->len; i++)
    {
      const TbPeakExcess *more = &g_array_index (parts, TbPeakExcess, i);
      g_autofree char *length = tb_format_duration (more->excess_ns);
      g_autofree char *where = tb_peaks_result_describe_place (result, more->node);

      g_string_append_printf (text, _ ("%s %s more in %s"), i == 0 ? ":" : ",", length, where);
    }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
