/* tb-contexts-compare-tree.c: graph figure of the paths that differ between two sides, with an
 * edge for each side, which lists the calls of that side; table of the paths' frames; links to the
 * graph from other figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-compare-tree.h"

#include <glib/gi18n.h>
#include <math.h>

#include "report/table/tb-table-figure.h"
#include "tb-contexts-figures.h"
#include "tb-contexts-graph.h"

/* Largest number of functions in the tree. Whole paths are added while there are fewer. */
#define MAX_VERTICES 2000
/* Frames of a path that the table lists: as many as the heat map has cells. */
#define MAX_FRAMES 1000

typedef struct
{
  const TbContextsMatch *match;
  TbContextsGraph *graph;
  /* TbContextsInstances of each recording, NULL where none of its calls are shown */
  GPtrArray *calls[TB_CONTEXTS_N_SIDES];
  guint *of_edges;
} Tree;

static void
tree_clear (Tree *self)
{
  tb_contexts_graph_free (self->graph);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    g_clear_pointer (&self->calls[side], g_ptr_array_unref);
  g_free (self->of_edges);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

static const TbContextsDifference *
get_path (const Tree *self, guint rank)
{
  return &g_array_index (self->match->paths, TbContextsDifference, rank);
}

static guint32
add_pair (Tree *self, guint32 pair, guint32 parent)
{
  const TbContextsPair *at = tb_contexts_match_get_pair (self->match, pair);
  TbContextsVertex vertex = { .parent = parent, .node = pair };
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (self->match, pair, &node);

  tb_context_tree_get_node (summary->context_tree, node, &vertex.context);
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      vertex.total[side] = at->of[side] != 0 ? at->total[side] : NAN;
      vertex.own[side] = at->of[side] != 0 ? at->own[side] : NAN;
      vertex.of[side] = at->of[side];
      vertex.in[side] = at->in[side];
    }
  return tb_contexts_graph_add (self->graph, &vertex);
}

static void
add_paths (Tree *self, const GArray *paths)
{
  for (guint i = 0; i < paths->len && self->graph->vertices->len < MAX_VERTICES; i++)
    {
      guint n;
      g_autofree guint32 *pairs
          = tb_contexts_match_get_path (self->match,
                                        g_array_index (paths, TbContextsDifference, i).pair, &n);
      guint32 parent = 0;

      for (guint k = 0; k < n; k++)
        {
          guint32 known = tb_contexts_graph_find (self->graph, pairs[k]);

          parent = known != 0 ? known : add_pair (self, pairs[k], parent);
        }
    }
}

static void
free_calls (gpointer data)
{
  if (data != NULL)
    tb_contexts_instances_free (data);
}

/* Lists the calls of each context from the first recording of its side that has it. Later
 * recordings are read only for contexts that the earlier ones lack. */
static gboolean
list_calls (Tree *self, GCancellable *cancellable, GError **error)
{
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      const GArray *recordings = self->match->recordings[side];

      self->calls[side] = g_ptr_array_new_with_free_func (free_calls);
      for (guint r = 0; r < recordings->len; r++)
        {
          TbContextsSummary *summary = g_array_index (recordings, TbContextsRecording, r).summary;
          g_autofree guint8 *wanted = g_malloc0 (summary->tree.n_nodes);
          TbContextsInstances *instances = NULL;
          gboolean any = FALSE;

          for (guint32 i = 1; i < self->graph->vertices->len; i++)
            {
              const TbContextsVertex *vertex
                  = &g_array_index (self->graph->vertices, TbContextsVertex, i);

              if (vertex->of[side] != 0 && vertex->in[side] == r)
                any = wanted[vertex->of[side]] = TRUE;
            }
          if (any
              && (instances = tb_contexts_instances_new (summary, wanted, cancellable, error))
                     == NULL)
            return FALSE;
          g_ptr_array_add (self->calls[side], instances);
        }
    }
  return TRUE;
}

/* Links cells, rows and boxes to edges, of the other side where it has the call. */
static void
add_aliases (const Tree *self, TbGraphFigure *figure, const TbContextsBoxes *flames, guint n_flames)
{
  const TbContextsDrawnGraph drawn = { self->graph, figure, self->of_edges, TB_CONTEXTS_N_SIDES };

  tb_contexts_alias_rollups (&drawn);
  for (guint i = 0; i < n_flames; i++)
    tb_contexts_alias_boxes (&drawn, &flames[i]);
  for (guint rank = 0; rank < self->match->paths->len; rank++)
    {
      guint n;
      g_autofree guint32 *pairs
          = tb_contexts_match_get_path (self->match, get_path (self, rank)->pair, &n);

      tb_contexts_alias_path (&drawn, rank, get_path (self, rank)->hot);
      for (guint k = 0; k < n; k++)
        {
          guint32 vertex = tb_contexts_graph_find (self->graph, pairs[k]);
          guint edge = tb_contexts_drawn_graph_get_edge (&drawn, vertex, TB_CONTEXTS_OTHER);
          g_autofree char *item = g_strdup_printf ("%u/%u", rank + 1, k);

          if (edge != TB_ID_NONE)
            tb_graph_figure_add_alias (figure, edge, item);
        }
    }
}

/* The frames of the paths: their own time on both sides, and their distance from the frame that
 * grew most. */
static TbFigure *
make_frames (const TbContextsMatch *match)
{
  TbTableFigure *table = tb_table_figure_new ("frames", _ ("Frames of Paths"));
  guint rank = tb_table_figure_add_column (table, "path", _ ("Path"), TB_CELL_COUNT);
  guint function = tb_table_figure_add_column (table, "function", _ ("Function"), TB_CELL_TEXT);
  guint distance = tb_table_figure_add_column (table, "distance",
                                               _ ("Distance from the "
                                                  "Hottest"),
                                               TB_CELL_COUNT);
  guint base = tb_table_figure_add_column (table, "base", _ ("Own, Base"), TB_CELL_DURATION);
  guint other = tb_table_figure_add_column (table, "other", _ ("Own, Other"), TB_CELL_DURATION);
  guint delta = tb_table_figure_add_column (table, "delta", _ ("Difference"), TB_CELL_DURATION);

  tb_figure_set_item_owner (TB_FIGURE (table), TB_CONTEXTS_TREE);
  for (guint i = 0; i < match->paths->len; i++)
    {
      const TbContextsDifference *path = &g_array_index (match->paths, TbContextsDifference, i);
      guint n, hot = tb_contexts_match_get_depth (match, path->hot);
      g_autofree guint32 *pairs = tb_contexts_match_get_path (match, path->pair, &n);

      for (guint k = 0; k < MIN (n, MAX_FRAMES); k++)
        {
          const TbContextsPair *pair = tb_contexts_match_get_pair (match, pairs[k]);
          g_autofree char *item = g_strdup_printf ("%u/%u", i + 1, k);
          g_autofree char *name = tb_contexts_label_pair (match, pairs[k]);
          guint row = tb_table_figure_add_row (table, item);

          tb_table_figure_set_integer (table, row, rank, i + 1);
          tb_table_figure_set_text (table, row, function, name);
          tb_table_figure_set_integer (table, row, distance, ABS ((int) k + 1 - (int) hot));
          if (pair->of[TB_CONTEXTS_BASE] != 0)
            tb_table_figure_set_integer (table, row, base, llround (pair->own[TB_CONTEXTS_BASE]));
          if (pair->of[TB_CONTEXTS_OTHER] != 0)
            tb_table_figure_set_integer (table, row, other, llround (pair->own[TB_CONTEXTS_OTHER]));
          tb_table_figure_set_integer (table, row, delta,
                                       llround (pair->own[TB_CONTEXTS_OTHER]
                                                - pair->own[TB_CONTEXTS_BASE]));
        }
    }
  return TB_FIGURE (table);
}

char *
tb_contexts_label_pair (const TbContextsMatch *self, guint32 pair)
{
  guint32 node;
  const TbContextsSummary *summary = tb_contexts_match_locate (self, pair, &node);
  TbContextNode context;

  tb_context_tree_get_node (summary->context_tree, node, &context);
  return tb_contexts_name_function (context.function, context.module);
}

gboolean
tb_contexts_add_compared_tree (TbReport *report,
                               const TbContextsMatch *match,
                               const TbContextsBoxes *flames,
                               guint n_flames,
                               GCancellable *cancellable,
                               GError **error)
{
  g_auto (Tree) self = { .match = match, .graph = tb_contexts_graph_new () };
  gboolean by_samples = match->sides[TB_CONTEXTS_OTHER]->by_samples; /* all or none are */
  TbGraphFigure *figure;

  add_paths (&self, match->paths);
  add_paths (&self, match->gains);
  if (!by_samples && !list_calls (&self, cancellable, error))
    return FALSE;
  figure = tb_contexts_graph_draw (self.graph, TB_CONTEXTS_TREE, _ ("Combined Tree"),
                                   TB_CONTEXTS_N_SIDES, &self.of_edges);
  add_aliases (&self, figure, flames, n_flames);
  if (!by_samples)
    tb_contexts_graph_set_calls (self.graph, figure, self.of_edges, self.calls,
                                 TB_CONTEXTS_N_SIDES);
  tb_report_add_figure (report, TB_FIGURE (figure));
  tb_report_add_figure (report, make_frames (match));
  return TRUE;
}
