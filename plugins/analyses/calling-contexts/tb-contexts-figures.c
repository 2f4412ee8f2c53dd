/* tb-contexts-figures.c: figures of the calling contexts of one recording: tables of paths, their
 * frames, functions, modules, layers and coverage of threads; heat map; flame graph as
 * tb-contexts-flames.c draws it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "report/flame/tb-flame-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-contexts-figures.h"

/* Largest number of frames of a path in the heat map. The outermost are shown. */
#define MAX_COLUMNS 1000

char *
tb_contexts_name_path (guint rank)
{
  return g_strdup_printf ("%u", rank + 1);
}

char *
tb_contexts_name_function (const char *function, const char *module)
{
  return module != NULL && *module != '\0' ? g_strdup_printf ("%s@%s", function, module)
                                           : g_strdup (function);
}

static char *
label_node (const TbContextsSummary *self, guint32 node)
{
  TbContextNode context;

  tb_context_tree_get_node (self->context_tree, node, &context);
  return tb_contexts_name_function (context.function, context.module);
}

static TbCellType
get_cost_type (const TbContextsSummary *self)
{
  return tb_contexts_summary_is_count (self) ? TB_CELL_COUNT : TB_CELL_DURATION;
}

/* The column with numbers of calls, or of samples. */
static guint
add_count (TbTableFigure *table, gboolean by_samples)
{
  return by_samples ? tb_table_figure_add_column (table, "samples", _ ("Samples"), TB_CELL_COUNT)
                    : tb_table_figure_add_column (table, "calls", _ ("Calls"), TB_CELL_COUNT);
}

/* Calls of a node, or samples without those of its callees. */
static gint64
get_own_count (const TbContextsSummary *self, guint32 node)
{
  return (gint64) (self->by_samples ? self->events[node] : self->nodes[node].count);
}

static TbFigure *
make_paths (const TbContextsSummary *self)
{
  TbTableFigure *table = tb_table_figure_new ("paths", _ ("Paths"));
  guint rank = tb_table_figure_add_column (table, "rank", _ ("Rank"), TB_CELL_COUNT);
  guint hot = tb_table_figure_add_column (table, "hot", _ ("Hottest Function"), TB_CELL_TEXT);
  TbCellType type = get_cost_type (self);
  guint own = tb_table_figure_add_column (table, "own",
                                          type == TB_CELL_COUNT ? _ ("Own") : _ ("Own Time"), type);
  guint cost = tb_table_figure_add_column (table, "cost", _ ("Cost"), type);
  guint share = tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);
  guint leaf = tb_table_figure_add_column (table, "leaf", _ ("Innermost"), TB_CELL_TEXT);
  guint frames = tb_table_figure_add_column (table, "frames", _ ("Frames"), TB_CELL_COUNT);
  guint count = add_count (table, self->by_samples);
  guint longest = self->by_samples ? TB_ID_NONE
                                   : tb_table_figure_add_column (table, "longest", _ ("Longest"),
                                                                 TB_CELL_DURATION);

  for (guint i = 0; i < self->paths->len; i++)
    {
      const TbContextsPath *path = &g_array_index (self->paths, TbContextsPath, i);
      const TbContextsTotals *totals = &self->nodes[path->hot];
      g_autofree char *item = tb_contexts_name_path (i);
      g_autofree char *hot_name = label_node (self, path->hot);
      g_autofree char *leaf_name = label_node (self, path->node);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_integer (table, row, rank, i + 1);
      tb_table_figure_set_text (table, row, hot, hot_name);
      tb_table_figure_set_integer (table, row, own,
                                   tb_contexts_summary_get_own (self,
                                                                totals)[self->options.estimate]);
      tb_table_figure_set_integer (table, row, cost, llround (path->cost));
      tb_table_figure_set_double (table, row, share, path->share);
      tb_table_figure_set_text (table, row, leaf, leaf_name);
      tb_table_figure_set_integer (table, row, frames, self->depths[path->node]);
      tb_table_figure_set_integer (table, row, count, get_own_count (self, path->hot));
      if (longest != TB_ID_NONE)
        tb_table_figure_set_integer (table, row, longest, totals->longest[self->options.estimate]);
    }
  return TB_FIGURE (table);
}

/* The paper's Figure 7: a row for each path, a column for each frame, and the frame's own time. Its
 * shades are logarithmic. */
static TbFigure *
make_heatmap (const TbContextsSummary *self)
{
  guint n_columns = 1;
  TbHeatmapFigure *figure;
  g_autofree guint64 *values = NULL;
  g_autoptr (GStrvBuilder) columns = g_strv_builder_new ();
  g_auto (GStrv) labels = NULL;

  for (guint i = 0; i < self->paths->len; i++)
    n_columns = MAX (n_columns, self->depths[g_array_index (self->paths, TbContextsPath, i).node]);
  n_columns = MIN (n_columns, MAX_COLUMNS);
  values = g_new (guint64, n_columns);
  figure = tb_heatmap_figure_new ("heat",
                                  tb_contexts_summary_is_count (self) ? _ ("Own Cost by Frame")
                                                                      : _ ("Own Time by Frame"),
                                  tb_contexts_summary_get_unit (self), 0, n_columns, n_columns);
  tb_figure_set_item_owner (TB_FIGURE (figure), TB_CONTEXTS_TREE);
  for (guint k = 0; k < n_columns; k++)
    g_strv_builder_take (columns, g_strdup_printf ("%u", k + 1));
  labels = g_strv_builder_end (columns);
  tb_heatmap_figure_set_columns (figure, (const char *const *) labels);
  tb_heatmap_figure_set_axis_titles (figure, _ ("Path"), _ ("Frame, outermost first"));
  /* The lowest row comes first. */
  for (guint i = self->paths->len; i-- > 0;)
    {
      const TbContextsPath *path = &g_array_index (self->paths, TbContextsPath, i);
      guint n;
      g_autofree guint32 *nodes = tb_contexts_summary_get_path (self, path->node, &n);
      g_autofree char *item = tb_contexts_name_path (i);
      g_autofree char *label = label_node (self, path->hot);

      for (guint k = 0; k < n_columns; k++)
        {
          double cost = k < n ? tb_contexts_summary_get_cost (self, nodes[k]) : 0;

          values[k] = cost > 0 ? llround (cost) : 0;
        }
      tb_heatmap_figure_set_numbering (figure,
                                       tb_heatmap_figure_add_row (figure, item, label, values),
                                       MIN (self->depths[path->hot], MIN (n, n_columns)) - 1,
                                       MIN (n, n_columns));
    }
  return TB_FIGURE (figure);
}

/* Columns of the table of frames. Those of calls, or of samples, are TB_ID_NONE in the other
 * case. */
typedef struct
{
  guint rank;
  guint function;
  guint distance;
  guint own;
  guint own_samples;
  guint total;
  guint count;
  guint longest;
  guint when;
} FrameColumns;

static void
add_frame_columns (TbTableFigure *table, const TbContextsSummary *self, FrameColumns *columns)
{
  gboolean by_samples = self->by_samples;

  columns->rank = tb_table_figure_add_column (table, "path", _ ("Path"), TB_CELL_COUNT);
  columns->function = tb_table_figure_add_column (table, "function", _ ("Function"), TB_CELL_TEXT);
  columns->distance = tb_table_figure_add_column (table, "distance",
                                                  _ ("Distance from the "
                                                     "Hottest"),
                                                  TB_CELL_COUNT);
  columns->own = tb_table_figure_add_column (table, "own", _ ("Own"), get_cost_type (self));
  columns->own_samples = by_samples ? tb_table_figure_add_column (table, "own_samples",
                                                                  _ ("Own Samples"), TB_CELL_COUNT)
                                    : TB_ID_NONE;
  columns->total = tb_table_figure_add_column (table, "total", _ ("Total"), get_cost_type (self));
  columns->count = add_count (table, by_samples);
  columns->longest = columns->when = TB_ID_NONE;
  if (by_samples)
    return;
  columns->longest = tb_table_figure_add_column (table, "longest", _ ("Longest"), TB_CELL_DURATION);
  columns->when
      = tb_table_figure_add_column (table, "when", _ ("Time of the Longest"), TB_CELL_TIME);
}

static void
add_frame (TbTableFigure *table,
           const FrameColumns *columns,
           const TbContextsSummary *self,
           guint row,
           guint32 node)
{
  TbContextsEstimate estimate = self->options.estimate;
  const TbContextsTotals *totals = &self->nodes[node];
  const TbContextsLongest *call = &self->longest[node];
  g_autofree char *name = label_node (self, node);

  tb_table_figure_set_text (table, row, columns->function, name);
  tb_table_figure_set_integer (table, row, columns->own,
                               tb_contexts_summary_get_own (self, totals)[estimate]);
  tb_table_figure_set_integer (table, row, columns->total, totals->total[estimate]);
  tb_table_figure_set_integer (table, row, columns->count, (gint64) totals->count);
  if (self->by_samples)
    {
      tb_table_figure_set_integer (table, row, columns->own_samples, self->events[node]);
      return;
    }
  tb_table_figure_set_integer (table, row, columns->longest, totals->longest[estimate]);
  tb_table_figure_set_integer (table, row, columns->when, call->from);
  if (totals->count > 0)
    tb_table_figure_set_place (table, row, call->thread, call->from, call->to);
}

/* The frames of the paths, with the distance of each from the hottest one. */
static TbFigure *
make_frames (const TbContextsSummary *self)
{
  TbTableFigure *table = tb_table_figure_new ("frames", _ ("Frames of Paths"));
  FrameColumns columns;

  add_frame_columns (table, self, &columns);
  tb_figure_set_item_owner (TB_FIGURE (table), TB_CONTEXTS_TREE);
  for (guint i = 0; i < self->paths->len; i++)
    {
      const TbContextsPath *path = &g_array_index (self->paths, TbContextsPath, i);
      guint n;
      g_autofree guint32 *nodes = tb_contexts_summary_get_path (self, path->node, &n);

      for (guint k = 0; k < MIN (n, MAX_COLUMNS); k++)
        {
          g_autofree char *item = g_strdup_printf ("%u/%u", i + 1, k);
          guint row = tb_table_figure_add_row (table, item);

          tb_table_figure_set_integer (table, row, columns.rank, i + 1);
          tb_table_figure_set_integer (table, row, columns.distance,
                                       ABS ((int) k + 1 - (int) self->depths[path->hot]));
          add_frame (table, &columns, self, row, nodes[k]);
        }
    }
  return TB_FIGURE (table);
}

const char *
tb_contexts_get_rollup_label (const char *figure, const TbContextsRollup *rollup, const char *item)
{
  if (g_str_equal (figure, "layers"))
    return rollup->kernel ? _ ("Kernel") : _ ("User space");
  return *item != '\0' ? item : _ ("unknown module");
}

static TbFigure *
make_rollup (const TbContextsSummary *self,
             const GArray *rollups,
             const char *id,
             const char *title,
             guint top)
{
  TbTableFigure *table = tb_table_figure_new (id, title);
  guint name = tb_table_figure_add_column (table, "name", _ ("Name"), TB_CELL_TEXT);
  guint own = tb_table_figure_add_column (table, "own", _ ("Own"), get_cost_type (self));
  guint share = tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);
  guint count = add_count (table, self->by_samples);

  tb_table_figure_set_bar (table, own);
  for (guint i = 0; i < rollups->len && (top == 0 || i < top); i++)
    {
      const TbContextsRollup *rollup = &g_array_index (rollups, TbContextsRollup, i);
      g_autofree char *item = rollup->function != NULL
                                  ? tb_contexts_name_function (rollup->function, rollup->module)
                                  : g_strdup (rollup->module);
      guint row = tb_table_figure_add_row (table, item);
      const char *label = tb_contexts_get_rollup_label (id, rollup, item);
      /* Translators: a function or module whose name is not certain */
      g_autofree char *unverified
          = rollup->module != NULL && tb_trace_has_unverified_names (self->trace, rollup->module)
                ? g_strdup_printf (_ ("%s (unverified)"), label)
                : NULL;

      tb_table_figure_set_text (table, row, name, unverified != NULL ? unverified : label);
      tb_table_figure_set_integer (table, row, own, rollup->own);
      if (self->all > 0)
        tb_table_figure_set_double (table, row, share, (double) rollup->own / self->all);
      tb_table_figure_set_integer (table, row, count, (gint64) rollup->count);
      tb_table_figure_set_paint (table, row, rollup->kernel ? TB_FLAME_KERNEL : TB_FLAME_USER);
    }
  return TB_FIGURE (table);
}

/* Coverage: the share of each thread's time in which some function is known. */
static TbFigure *
make_coverage (const TbContextsSummary *self)
{
  TbTableFigure *table = tb_table_figure_new ("coverage", _ ("Stack Coverage"));
  guint name = tb_table_figure_add_column (table, "thread", _ ("Thread"), TB_CELL_TEXT);
  guint covered
      = tb_table_figure_add_column (table, "covered", _ ("In Known Functions"), TB_CELL_DURATION);
  guint life = tb_table_figure_add_column (table, "life", _ ("Lifetime"), TB_CELL_DURATION);
  guint share = tb_table_figure_add_column (table, "share", _ ("Share"), TB_CELL_SHARE);

  for (guint i = 0; i < self->threads->len; i++)
    {
      const TbContextsThread *thread = &g_array_index (self->threads, TbContextsThread, i);
      g_autofree char *item = g_strdup_printf ("%u", thread->thread);
      g_autofree char *label = tb_trace_describe_thread (self->trace, thread->thread);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, name, label);
      tb_table_figure_set_integer (table, row, covered, thread->covered);
      tb_table_figure_set_integer (table, row, life, thread->life);
      if (thread->life > 0)
        tb_table_figure_set_double (table, row, share,
                                    (double) thread->covered / (double) thread->life);
    }
  return TB_FIGURE (table);
}

guint32 *
tb_contexts_add_figures (TbReport *report, TbContextsSummary *summary)
{
  guint top = summary->options.top;
  guint32 *boxes;

  tb_report_add_figure (report, make_paths (summary));
  tb_report_add_figure (report, make_heatmap (summary));
  tb_report_add_figure (report, make_frames (summary));
  tb_report_add_figure (report, tb_contexts_make_flame (summary, TB_CONTEXTS_FLAME,
                                                        _ ("Calling Contexts"), &boxes));
  tb_report_add_figure (report, make_rollup (summary, summary->functions, "functions",
                                             _ ("Functions"), top));
  tb_report_add_figure (report,
                        make_rollup (summary, summary->modules, "modules", _ ("Modules"), top));
  tb_report_add_figure (report,
                        make_rollup (summary, summary->by_layer, "layers", _ ("Layers"), 0));
  if (!summary->by_samples)
    tb_report_add_figure (report, make_coverage (summary));
  return boxes;
}
