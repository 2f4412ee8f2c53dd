/* tb-contexts-tree.c: graph figure of the ranked paths of one recording, whose edges list the
 * calls; links to it from other figures; histogram of the call durations of the hottest functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-tree.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "report/histogram/tb-histogram-figure.h"
#include "tb-contexts-aliases.h"
#include "tb-contexts-figures.h"
#include "tb-contexts-findings.h"
#include "tb-contexts-graph.h"
#include "tb-contexts-instances.h"

/* Largest number of functions in the tree. Whole paths are added while there are fewer. */
#define MAX_VERTICES 2000
#define MAX_SERIES 5

typedef struct
{
  TbContextsSummary *summary;
  TbContextsGraph *graph;
  TbContextsInstances *instances;
  guint n_paths;        /* number of paths in the graph */
  const guint32 *boxes; /* by node: its box in the flame */
} Tree;

static const TbContextsPath *
get_path (const Tree *self, guint rank)
{
  return &g_array_index (self->summary->paths, TbContextsPath, rank);
}

static void
add_path (Tree *self, guint rank, guint8 *wanted)
{
  guint n;
  g_autofree guint32 *nodes
      = tb_contexts_summary_get_path (self->summary, get_path (self, rank)->node, &n);
  TbContextsEstimate estimate = self->summary->options.estimate;
  guint32 parent = 0;

  for (guint k = 0; k < n; k++)
    {
      guint32 known = tb_contexts_graph_find (self->graph, nodes[k]);
      const TbContextsTotals *totals = &self->summary->nodes[nodes[k]];
      TbContextsVertex vertex
          = { .parent = parent,
              .node = nodes[k],
              .of = { nodes[k], 0 },
              .total = { (double) totals->total[estimate], NAN },
              .own
              = { (double) tb_contexts_summary_get_own (self->summary, totals)[estimate], NAN } };

      if (known == 0)
        {
          tb_context_tree_get_node (self->summary->context_tree, nodes[k], &vertex.context);
          known = tb_contexts_graph_add (self->graph, &vertex);
          wanted[nodes[k]] = TRUE;
        }
      parent = known;
    }
}

/* Links cells, rows and boxes to edges. */
static void
add_aliases (const Tree *self, TbGraphFigure *figure, const guint *of_edges)
{
  const TbContextsDrawnGraph drawn = { self->graph, figure, of_edges, 1 };
  const TbContextsBoxes flame = { TB_CONTEXTS_FLAME, self->boxes, TB_CONTEXTS_BASE };

  tb_contexts_alias_rollups (&drawn);
  tb_contexts_alias_boxes (&drawn, &flame);
  for (guint rank = 0; rank < self->n_paths; rank++)
    {
      guint n;
      g_autofree guint32 *nodes
          = tb_contexts_summary_get_path (self->summary, get_path (self, rank)->node, &n);

      tb_contexts_alias_path (&drawn, rank, get_path (self, rank)->hot);
      for (guint k = 0; k < n; k++)
        {
          guint edge = of_edges[tb_contexts_graph_find (self->graph, nodes[k])];
          g_autofree char *item = g_strdup_printf ("%u/%u", rank + 1, k);

          if (edge != TB_ID_NONE)
            tb_graph_figure_add_alias (figure, edge, item);
        }
    }
}

/* --- lengths of calls --- */

static TbFigure *
make_histogram (const Tree *self)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new ("calls", _ ("Call Durations of the Hottest Functions"), "ns");
  const TbContextsCalls *all[MAX_SERIES];
  guint32 hot[MAX_SERIES];
  guint n = 0, first = TB_CONTEXTS_N_BINS, last = 0;

  for (guint rank = 0; rank < self->n_paths && n < MAX_SERIES; rank++)
    {
      const TbContextsCalls *calls
          = tb_contexts_instances_get (self->instances, get_path (self, rank)->hot);
      gboolean is_listed = FALSE;

      for (guint i = 0; i < n; i++)
        is_listed |= hot[i] == get_path (self, rank)->hot;
      if (calls == NULL || is_listed)
        continue;
      hot[n] = get_path (self, rank)->hot;
      all[n++] = calls;
      for (guint bin = 0; bin < TB_CONTEXTS_N_BINS; bin++)
        if (calls->bins[bin] > 0)
          {
            first = MIN (first, bin);
            last = MAX (last, bin);
          }
    }
  tb_histogram_figure_set_logarithmic (figure, TRUE);
  for (guint bin = first; bin <= last && n > 0; bin++)
    tb_histogram_figure_add_bin (figure, bin == 0 ? 0 : G_GINT64_CONSTANT (1) << bin,
                                 bin + 1 < 63 ? G_GINT64_CONSTANT (1) << (bin + 1) : G_MAXINT64);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i);
      g_autofree char *name = tb_contexts_describe_place (self->summary, hot[i]);
      guint series = tb_histogram_figure_add_series (figure, id, name);

      for (guint bin = first; bin <= last; bin++)
        tb_histogram_figure_set_count (figure, series, bin - first, all[i]->bins[bin],
                                       all[i]->sums[bin]);
    }
  return TB_FIGURE (figure);
}

gboolean
tb_contexts_add_tree (TbReport *report,
                      TbContextsSummary *summary,
                      const guint32 *boxes,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TbContextsGraph) graph = tb_contexts_graph_new ();
  g_autoptr (TbContextsInstances) instances = NULL;
  g_autoptr (GPtrArray) calls = g_ptr_array_new ();
  g_autofree guint8 *wanted = g_malloc0 (summary->tree.n_nodes);
  g_autofree guint *of_edges = NULL;
  Tree self = { .summary = summary, .graph = graph, .boxes = boxes };
  TbGraphFigure *figure;

  graph->unit = tb_contexts_summary_get_unit (summary);
  while (self.n_paths < summary->paths->len && graph->vertices->len < MAX_VERTICES)
    add_path (&self, self.n_paths++, wanted);
  if (!summary->by_samples
      && !(instances = tb_contexts_instances_new (summary, wanted, cancellable, error)))
    return FALSE;
  self.instances = instances;
  g_ptr_array_add (calls, instances);
  figure = tb_contexts_graph_draw (graph, TB_CONTEXTS_TREE, _ ("Tree of Calls"), 1, &of_edges);
  add_aliases (&self, figure, of_edges);
  if (instances != NULL)
    tb_contexts_graph_set_calls (graph, figure, of_edges, &calls, 1);
  tb_report_add_figure (report, TB_FIGURE (figure));
  if (instances != NULL && self.n_paths > 0)
    tb_report_add_figure (report, make_histogram (&self));
  return TRUE;
}
