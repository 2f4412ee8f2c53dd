/* tb-contexts-compare-figures.c: figures of a comparison of calling contexts: tables of paths,
 * functions, modules and layers, heat map of the changes, differential flame graph, flame graphs of
 * growth and of reduction
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-compare-figures.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/flame/tb-flame-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-contexts-compare-tree.h"
#include "tb-contexts-figures.h"

#define TB_CONTEXTS_SLOWER "slower"
#define TB_CONTEXTS_FASTER "faster"
/* Least share of the difference that is drawn. */
#define MIN_DRAWN 0.00005
/* Largest number of frames of a path in the heat map. The outermost are shown. */
#define MAX_COLUMNS 1000

static const TbContextsPair *
get_pair (const TbContextsMatch *self, guint32 pair)
{
  return tb_contexts_match_get_pair (self, pair);
}

static void
get_context (const TbContextsMatch *self, guint32 pair, TbContextNode *context)
{
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (self, pair, &node);

  tb_context_tree_get_node (summary->context_tree, node, context);
}

static TbFigure *
make_paths (const TbContextsMatch *self)
{
  TbTableFigure *table = tb_table_figure_new ("paths", _ ("Paths"));
  guint rank = tb_table_figure_add_column (table, "rank", _ ("Rank"), TB_CELL_COUNT);
  guint hot = tb_table_figure_add_column (table, "hot", _ ("Grew Most"), TB_CELL_TEXT);
  guint leaf = tb_table_figure_add_column (table, "leaf", _ ("Innermost"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base"), TB_CELL_DURATION);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other"), TB_CELL_DURATION);
  guint cost = tb_table_figure_add_column (table, "cost", _ ("Difference"), TB_CELL_DURATION);
  guint share = tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);
  guint noise
      = tb_table_figure_add_column (table, "within_noise", _ ("More than Noise"), TB_CELL_TEXT);

  for (guint i = 0; i < self->paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (self->paths, TbContextsDifference, i);
      const TbContextsPair *pair = get_pair (self, path->pair);
      g_autofree char *item = tb_contexts_name_path (i);
      g_autofree char *hot_name = tb_contexts_label_pair (self, path->hot);
      g_autofree char *leaf_name = tb_contexts_label_pair (self, path->pair);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_integer (table, row, rank, i + 1);
      tb_table_figure_set_text (table, row, hot, hot_name);
      tb_table_figure_set_text (table, row, leaf, leaf_name);
      if (pair->of[TB_CONTEXTS_BASE] != 0)
        tb_table_figure_set_integer (table, row, base, llround (pair->sum[TB_CONTEXTS_BASE]));
      tb_table_figure_set_integer (table, row, other, llround (pair->sum[TB_CONTEXTS_OTHER]));
      tb_table_figure_set_integer (table, row, cost, llround (path->cost));
      tb_table_figure_set_double (table, row, share, path->share);
      tb_table_figure_set_text (table, row, noise, path->within_noise ? _ ("no") : _ ("yes"));
    }
  return TB_FIGURE (table);
}

static const TbContextsRollup *
get_any (const TbContextsRollupPair *rollup)
{
  return rollup->of[1] != NULL ? rollup->of[1] : rollup->of[0];
}

static TbFigure *
make_rollup (const GArray *rollups, const char *id, const char *title, guint top)
{
  TbTableFigure *table = tb_table_figure_new (id, title);
  guint name = tb_table_figure_add_column (table, "name", _ ("Name"), TB_CELL_TEXT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Base"), TB_CELL_DURATION);
  guint other = tb_table_figure_add_column (table, "other", _ ("Other"), TB_CELL_DURATION);
  guint delta = tb_table_figure_add_column (table, "delta", _ ("Difference"), TB_CELL_DURATION);

  for (guint i = 0; i < rollups->len && (top == 0 || i < top); i++)
    {
      const TbContextsRollupPair *rollup = &g_array_index (rollups, TbContextsRollupPair, i);
      const TbContextsRollup *any = get_any (rollup);
      g_autofree char *item = any->function != NULL
                                  ? tb_contexts_name_function (any->function, any->module)
                                  : g_strdup (any->module);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, name, tb_contexts_get_rollup_label (id, any, item));
      tb_table_figure_set_integer (table, row, base, llrint (rollup->own[0]));
      tb_table_figure_set_integer (table, row, other, llrint (rollup->own[1]));
      tb_table_figure_set_integer (table, row, delta, llrint (rollup->own[1] - rollup->own[0]));
    }
  return TB_FIGURE (table);
}

static guint64
node_count (const TbContextsMatch *self, const TbContextsPair *pair, TbContextsSide side)
{
  return pair->of[side] != 0
             ? g_array_index (self->recordings[side], TbContextsRecording, pair->in[side])
                   .summary->nodes[pair->of[side]]
                   .count
             : 0;
}

/* The flame of the own time that one side has more than the other, added up over the callers.
 * boxes: (out): by pair, TB_ID_NONE none. */
static TbFigure *
make_flame (const TbContextsMatch *self,
            TbContextsSide side,
            const char *id,
            const char *title,
            guint32 **boxes)
{
  TbFlameFigure *figure = tb_flame_figure_new (id, title, "ns");
  guint n = self->pairs->len;
  g_autofree double *more = g_new0 (double, n);
  g_autofree guint32 *place = g_new (guint32, n);

  for (guint32 i = n; i-- > 1;)
    {
      const TbContextsPair *pair = get_pair (self, i);

      more[i] += MAX (pair->own[side] - pair->own[!side], 0);
      more[pair->parent] += more[i];
    }
  place[0] = TB_ID_NONE;
  for (guint32 i = 1; i < n; i++)
    {
      const TbContextsPair *pair = get_pair (self, i);
      double own = MAX (pair->own[side] - pair->own[!side], 0);
      TbContextNode context;

      place[i] = TB_ID_NONE;
      if (more[i] <= more[0] * MIN_DRAWN
          || (pair->parent != 0 && place[pair->parent] == TB_ID_NONE))
        continue;
      get_context (self, i, &context);
      place[i]
          = tb_flame_figure_add_node (figure, place[pair->parent], context.function, context.module,
                                      context.kernel ? TB_FLAME_KERNEL : TB_FLAME_USER,
                                      (guint64) llround (own), node_count (self, pair, side));
    }
  *boxes = g_steal_pointer (&place);
  return TB_FIGURE (figure);
}

/* --- both sides --- */

/* The paper's Figure 7 for a difference: a row for each path, a column for each frame, and the
 * change of the frame's own time. */
static TbFigure *
make_heatmap (const TbContextsMatch *self)
{
  guint n_columns = 1;
  TbHeatmapFigure *figure;
  g_autofree gint64 *values = NULL;
  g_autoptr (GStrvBuilder) columns = g_strv_builder_new ();
  g_auto (GStrv) labels = NULL;

  for (guint i = 0; i < self->paths->len; i++)
    {
      guint n;

      g_free (tb_contexts_match_get_path (self,
                                          g_array_index (self->paths, TbContextsDifference, i).pair,
                                          &n));
      n_columns = MAX (n_columns, MIN (n, MAX_COLUMNS));
    }
  values = g_new (gint64, n_columns);
  figure = tb_heatmap_figure_new ("heat", _ ("Heat Map"), "ns", 0, n_columns, n_columns);
  tb_figure_set_item_owner (TB_FIGURE (figure), TB_CONTEXTS_TREE);
  for (guint k = 0; k < n_columns; k++)
    g_strv_builder_take (columns, g_strdup_printf ("%u", k + 1));
  labels = g_strv_builder_end (columns);
  tb_heatmap_figure_set_columns (figure, (const char *const *) labels);
  tb_heatmap_figure_set_axis_titles (figure, _ ("Path"), _ ("Frame, outermost first"));
  tb_heatmap_figure_set_signed (figure);
  /* The lowest row comes first. */
  for (guint i = self->paths->len; i-- > 0;)
    {
      const TbContextsDifference *path = &g_array_index (self->paths, TbContextsDifference, i);
      guint n, hot = 0;
      g_autofree guint32 *pairs = tb_contexts_match_get_path (self, path->pair, &n);
      g_autofree char *item = tb_contexts_name_path (i);
      g_autofree char *label = tb_contexts_label_pair (self, path->hot);

      for (guint k = 0; k < n_columns; k++)
        values[k] = k < n ? llrint (get_pair (self, pairs[k])->own[TB_CONTEXTS_OTHER]
                                    - get_pair (self, pairs[k])->own[TB_CONTEXTS_BASE])
                          : 0;
      for (guint k = 0; k < MIN (n, n_columns); k++)
        hot = pairs[k] == path->hot ? k : hot;
      tb_heatmap_figure_set_numbering (figure,
                                       tb_heatmap_figure_add_signed_row (figure, item, label,
                                                                         values),
                                       hot, MIN (n, n_columns));
    }
  return TB_FIGURE (figure);
}

static TbFigure *
make_differential (const TbContextsMatch *self, guint32 **boxes)
{
  TbFlameFigure *figure = tb_flame_figure_new (TB_CONTEXTS_FLAME,
                                               _ ("Differential Flame "
                                                  "Graph"),
                                               "ns");
  guint n = self->pairs->len;
  g_autofree guint32 *place = g_new (guint32, n);
  double all[TB_CONTEXTS_N_SIDES] = { 0 };

  for (guint32 i = 1; i < n; i++)
    for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
      if (get_pair (self, i)->parent == 0)
        all[side] += get_pair (self, i)->total[side];
  place[0] = TB_ID_NONE;
  for (guint32 i = 1; i < n; i++)
    {
      const TbContextsPair *pair = get_pair (self, i);
      TbContextNode context;

      place[i] = TB_ID_NONE;
      if ((pair->total[TB_CONTEXTS_BASE] <= all[TB_CONTEXTS_BASE] * MIN_DRAWN
           && pair->total[TB_CONTEXTS_OTHER] <= all[TB_CONTEXTS_OTHER] * MIN_DRAWN)
          || (pair->parent != 0 && place[pair->parent] == TB_ID_NONE))
        continue;
      get_context (self, i, &context);
      place[i]
          = tb_flame_figure_add_node (figure, place[pair->parent], context.function, context.module,
                                      context.kernel ? TB_FLAME_KERNEL : TB_FLAME_USER,
                                      (guint64) llrint (MAX (pair->own[TB_CONTEXTS_OTHER], 0)),
                                      node_count (self, pair, TB_CONTEXTS_OTHER));
      tb_flame_figure_add_base (figure, place[i],
                                (guint64) llrint (MAX (pair->own[TB_CONTEXTS_BASE], 0)));
    }
  *boxes = g_steal_pointer (&place);
  return TB_FIGURE (figure);
}

gboolean
tb_contexts_add_compared_figures (TbReport *report,
                                  const TbContextsMatch *match,
                                  const GArray *functions,
                                  const GArray *modules,
                                  const GArray *layers,
                                  GCancellable *cancellable,
                                  GError **error)
{
  guint top = match->sides[TB_CONTEXTS_OTHER]->options.top;
  g_autofree guint32 *boxes = NULL;
  g_autofree guint32 *grown = NULL;
  g_autofree guint32 *shrunk = NULL;
  g_autoptr (TbFigure) flame = make_differential (match, &boxes);
  g_autoptr (TbFigure) slower
      = make_flame (match, TB_CONTEXTS_OTHER, TB_CONTEXTS_SLOWER, _ ("Growth"), &grown);
  g_autoptr (TbFigure) faster
      = make_flame (match, TB_CONTEXTS_BASE, TB_CONTEXTS_FASTER, _ ("Reduction"), &shrunk);
  const TbContextsBoxes of_flames[] = { { TB_CONTEXTS_FLAME, boxes, TB_CONTEXTS_OTHER },
                                        { TB_CONTEXTS_SLOWER, grown, TB_CONTEXTS_OTHER },
                                        { TB_CONTEXTS_FASTER, shrunk, TB_CONTEXTS_BASE } };

  tb_report_add_figure (report, make_paths (match));
  if (!tb_contexts_add_compared_tree (report, match, of_flames, G_N_ELEMENTS (of_flames),
                                      cancellable, error))
    return FALSE;
  tb_report_add_figure (report, make_heatmap (match));
  tb_report_add_figure (report, g_steal_pointer (&flame));
  tb_report_add_figure (report, g_steal_pointer (&slower));
  tb_report_add_figure (report, g_steal_pointer (&faster));
  tb_report_add_figure (report, make_rollup (functions, "functions", _ ("Functions"), top));
  tb_report_add_figure (report, make_rollup (modules, "modules", _ ("Modules"), top));
  tb_report_add_figure (report, make_rollup (layers, "layers", _ ("Layers"), 0));
  return TRUE;
}
