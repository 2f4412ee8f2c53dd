/* tb-wait-figures.c: figures of a wait-graph report: the graph with its knots and the occurrences
 * of its edges, tables of edges and annotations, work over time; calls the files with devices and
 * stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "report/graph/tb-graph-figure.h"
#include "report/heatmap/tb-heatmap-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-wait-device-table.h"
#include "tb-wait-figures.h"
#include "tb-wait-flames.h"
#include "model/tb-wait-names.h"

/* The role of each edge in the knots, as flags of the figure. */
static guint8 *
find_flags (const TbWaitResult *result)
{
  guint8 *flags = g_new0 (guint8, result->graph->arcs->len + 1);

  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (result->graph, i);

      flags[i] = (arc->idle ? TB_EDGE_IDLE : 0)
                 | (arc->exclusion != TB_WAIT_EXCLUSION_NONE ? TB_EDGE_EXCLUDED : 0)
                 | (tb_wait_result_is_arc_in_scope (result, arc) ? 0 : TB_EDGE_OUTSIDE);
    }
  for (guint i = 0; i < result->knots->components->len; i++)
    {
      const GArray *cut_arcs = tb_wait_knots_get_component (result->knots, i)->cut_arcs;

      for (guint j = 0; cut_arcs != NULL && j < cut_arcs->len; j++)
        flags[g_array_index (cut_arcs, guint32, j)] |= TB_EDGE_CUT;
    }
  for (guint i = 0; i < result->knots->bottlenecks->len; i++)
    {
      const TbWaitBottleneck *bottleneck = tb_wait_knots_get_bottleneck (result->knots, i);

      for (guint j = 0; j < bottleneck->arcs->len; j++)
        flags[g_array_index (bottleneck->arcs, guint32, j)] |= TB_EDGE_STRONG;
      for (guint j = 0; j < bottleneck->removed->len; j++)
        flags[g_array_index (bottleneck->removed, guint32, j)] |= TB_EDGE_CUT;
    }
  return flags;
}

/* --- the graph --- */

static TbVertexKind
get_figure_kind (const TbWaitVertex *vertex)
{
  static const TbVertexKind kinds[TB_N_WAIT_NODES] = {
    [TB_WAIT_NODE_THREAD] = TB_VERTEX_THREAD,       [TB_WAIT_NODE_DEVICE] = TB_VERTEX_DEVICE,
    [TB_WAIT_NODE_NETWORK] = TB_VERTEX_NETWORK,     [TB_WAIT_NODE_TIMER] = TB_VERTEX_TIMER,
    [TB_WAIT_NODE_INTERRUPT] = TB_VERTEX_INTERRUPT, [TB_WAIT_NODE_IDLE] = TB_VERTEX_OTHER,
    [TB_WAIT_NODE_BUSY] = TB_VERTEX_OTHER,          [TB_WAIT_NODE_UNKNOWN] = TB_VERTEX_OTHER,
    [TB_WAIT_NODE_VIRTUAL] = TB_VERTEX_MERGED,
  };

  if (vertex->merged == TB_WAIT_MERGED_OUTSIDE)
    return TB_VERTEX_PROCESS;
  return vertex->merged != TB_WAIT_MERGED_NOT ? TB_VERTEX_MERGED : kinds[vertex->kind];
}

static const TbWaitDevice *
find_device (const TbWaitResult *result, guint32 vertex)
{
  for (guint i = 0; i < result->devices->devices->len; i++)
    {
      const TbWaitDevice *device = &g_array_index (result->devices->devices, TbWaitDevice, i);

      if (result->graph->vertex_of_node[device->node] == vertex)
        return device;
    }
  return NULL;
}

/* The share of the recorded time, in which no line breaks before the percent sign. */
static char *
make_share (const TbWaitResult *result, gint64 ns, gboolean is_known)
{
  g_autofree char *text
      = tb_format_share (is_known ? (double) ns / (double) result->recorded : NAN);
  g_autoptr (GString) share = g_string_new (text);

  g_string_replace (share, " ", "\302\240", 0);
  return g_string_free_and_steal (g_steal_pointer (&share));
}

static char *
make_detail (const TbWaitResult *result, guint32 index)
{
  const TbWaitVertex *vertex = tb_wait_graph_get_vertex (result->graph, index);
  const TbWaitDevice *device = find_device (result, index);
  gboolean is_known = device != NULL || tb_wait_result_has_states (result, index);
  g_autofree char *running = make_share (result, vertex->running, is_known);
  g_autofree char *runnable = NULL;

  if (device != NULL)
    return g_strdup_printf (_ ("busy %s, %.1f requests at once"), running, device->depth);
  if (vertex->kind != TB_WAIT_NODE_THREAD && vertex->kind != TB_WAIT_NODE_VIRTUAL)
    return g_strdup ("");
  runnable
      = make_share (result, vertex->runnable, is_known && tb_wait_result_has_cpu_waits (result));
  return g_strdup_printf (_ ("ran %s, runnable %s"), running, runnable);
}

/* Adds a cluster for each knot. Returns the clusters by component. */
static guint32 *
add_clusters (TbGraphFigure *figure, const TbWaitResult *result)
{
  guint32 *clusters = g_new (guint32, result->knots->components->len + 1);
  guint n = 0;

  for (guint32 i = 0; i < result->knots->components->len; i++)
    {
      const TbWaitComponent *component = tb_wait_knots_get_component (result->knots, i);
      g_autofree char *id = g_strdup_printf ("knot:%u", n + 1);
      g_autofree char *name
          = g_strdup_printf (component->background ? _ ("Knot %u (Background)") : _ ("Knot %u"),
                             n + 1);

      clusters[i] = TB_ID_NONE;
      if (component->kind != TB_WAIT_KNOT)
        continue;
      n++;
      clusters[i] = tb_graph_figure_add_cluster (figure, id, name);
      if (component->background || component->outside)
        tb_graph_figure_set_cluster_muted (figure, clusters[i]);
    }
  return clusters;
}

static int
compare_beginnings (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbWaitGraph *graph = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;
  gint64 left_from, right_from, to;

  tb_wait_find_range (graph, left, &left_from, &to);
  tb_wait_find_range (graph, right, &right_from, &to);
  if (left_from != right_from)
    return left_from < right_from ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* The waits by arc, then by start. A wait of a virtual vertex's member, which may have several
 * parts, is listed once. */
static guint32 *
list_occurrences (const TbWaitResult *result, gsize *n)
{
  const TbWaitGraph *graph = result->graph;
  const TbWaits *waits = &graph->model->waits;
  gsize n_rows = tb_trace_get_intervals (result->trace)->n;
  g_autofree guint8 *is_listed = g_new0 (guint8, n_rows / 8 + 1);
  guint32 *occurrences = g_new (guint32, waits->n + 1);

  *n = 0;
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      gsize first = *n;

      for (gsize j = arc->first; j < arc->first + arc->n && !tb_wait_is_cancelled (j); j++)
        {
          guint32 row = waits->row[graph->order[j]];

          if (row < n_rows && (is_listed[row / 8] >> row % 8 & 1))
            continue;
          occurrences[(*n)++] = graph->order[j];
          if (row < n_rows)
            is_listed[row / 8] |= (guint8) (1 << row % 8);
        }
      if (graph->model->opens->len > 0)
        g_sort_array (occurrences + first, *n - first, sizeof *occurrences, compare_beginnings,
                      (gpointer) graph);
    }
  return occurrences;
}

/* Adds nothing if cancelled. */
static void
add_occurrences (TbGraphFigure *figure, const TbWaitResult *result)
{
  const TbWaitGraph *graph = result->graph;
  const TbWaits *waits = &graph->model->waits;
  gsize n;
  g_autofree guint32 *occurrences = list_occurrences (result, &n);
  gsize size = MAX (n, 1);
  guint32 *edge = g_new (guint32, size), *thread = g_new (guint32, size),
          *other = g_new (guint32, size);
  gint64 *from = g_new (gint64, size), *to = g_new (gint64, size);
  g_autoptr (GBytes) edge_bytes = g_bytes_new_take (edge, n * sizeof *edge);
  g_autoptr (GBytes) from_bytes = g_bytes_new_take (from, n * sizeof *from);
  g_autoptr (GBytes) to_bytes = g_bytes_new_take (to, n * sizeof *to);
  g_autoptr (GBytes) thread_bytes = g_bytes_new_take (thread, n * sizeof *thread);
  g_autoptr (GBytes) other_bytes = g_bytes_new_take (other, n * sizeof *other);
  const TbIntervals *rows = tb_trace_get_intervals (result->trace);

  for (gsize i = 0; i < n; i++)
    {
      guint32 wait = occurrences[i];
      guint32 row = tb_wait_model_get_awaited_row (graph->model, waits->row[wait]);

      if (tb_wait_is_cancelled (i))
        return;
      edge[i] = graph->arc_of_edge[waits->edge[wait]];
      tb_wait_find_range (graph, wait, &from[i], &to[i]);
      thread[i] = row < rows->n ? rows->thread[row] : TB_ID_NONE;
      other[i] = row < rows->n
                         && (rows->cause_kind[row] == TB_CAUSE_THREAD
                             || rows->cause_kind[row] == TB_CAUSE_SIGNAL)
                     ? rows->cause[row]
                     : TB_ID_NONE;
    }
  tb_graph_figure_set_occurrences (figure, edge_bytes, from_bytes, to_bytes, thread_bytes,
                                   other_bytes);
}

static TbFigure *
make_graph (const TbWaitResult *result,
            const guint8 *flags,
            double threshold,
            char *const *items[2])
{
  const TbWaitGraph *graph = result->graph;
  TbGraphFigure *figure = tb_graph_figure_new (TB_WAIT_FIGURE_GRAPH, _ ("Graph of Waits"), "ns");
  g_autofree guint32 *clusters = add_clusters (figure, result);

  tb_graph_figure_set_threshold (figure, (guint64) (threshold * (double) result->recorded),
                                 (guint64) result->recorded);
  tb_graph_figure_set_flames (figure, TB_WAIT_FIGURE_WAITERS, TB_WAIT_FIGURE_WAKERS);
  tb_graph_figure_set_cluster_kind (figure, TB_CLUSTER_KNOT);
  if (graph->has_target)
    tb_graph_figure_set_weight_name (figure, "limits");
  for (guint32 i = 0; i < graph->vertices->len; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);
      g_autofree char *detail = make_detail (result, i);

      tb_graph_figure_add_vertex (figure, vertex->id, tb_wait_vertex_get_label (graph, i), detail,
                                  get_figure_kind (vertex),
                                  clusters[result->knots->component_of[i]],
                                  (guint64) vertex->running);
    }
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, i);
      g_autofree char *item = tb_wait_arc_get_item (graph, i);
      /* With a target, the weight is the delay of the target, because delays of others would hide
       * it. */
      gint64 weight = graph->has_target ? arc->limits : arc->weight;
      g_autofree char *label = tb_format_duration (weight);
      g_autofree char *lock = tb_wait_locks_describe (result->locks, i);

      tb_graph_figure_add_edge (figure, item, arc->from, arc->to, (guint64) weight, flags[i],
                                label);
      tb_graph_figure_set_edge_values (figure, i, (guint64) arc->plain, arc->waits,
                                       (guint64) arc->longest);
      tb_graph_figure_set_edge_detail (figure, i, lock);
      tb_graph_figure_set_edge_items (figure, i, items[TB_WAIT_WAITER][i], items[TB_WAIT_WAKER][i]);
    }
  add_occurrences (figure, result);
  return TB_FIGURE (figure);
}

/* --- the table --- */

static const char *
describe_role (const TbWaitArc *arc, guint8 flags)
{
  static const char *const exclusions[TB_N_WAIT_EXCLUSIONS] = {
    [TB_WAIT_EXCLUSION_TIMER] = N_ ("excluded: timer"),
    [TB_WAIT_EXCLUSION_INTERRUPT] = N_ ("excluded: interrupt"),
    [TB_WAIT_EXCLUSION_IDLE] = N_ ("excluded: idle task"),
    [TB_WAIT_EXCLUSION_UNKNOWN] = N_ ("excluded: unknown waker"),
    [TB_WAIT_EXCLUSION_LIGHT] = N_ ("excluded: light"),
    [TB_WAIT_EXCLUSION_ENDED] = N_ ("excluded: ended thread"),
  };

  if (arc->exclusion != TB_WAIT_EXCLUSION_NONE)
    return _ (exclusions[arc->exclusion]);
  if ((flags & TB_EDGE_STRONG) && tb_wait_arc_is_for_work (arc))
    return _ ("bottleneck: waits for new work");
  if (flags & TB_EDGE_STRONG)
    return _ ("bottleneck");
  if (flags & TB_EDGE_CUT)
    return _ ("removed from the knot");
  return tb_wait_arc_is_for_work (arc) ? _ ("waits for new work") : "";
}

/* Sets the lock, and the holders where more than one thread could have held it. */
static void
set_lock (TbTableFigure *table,
          guint row,
          guint column,
          guint holders,
          const TbWaitResult *result,
          guint32 arc)
{
  const TbWaitLock *lock = tb_wait_locks_find (result->locks, arc);
  g_autofree char *name = NULL;
  g_autofree char *names = NULL;

  if (lock != NULL && lock->is_most)
    name = tb_wait_lock_get_label (result->graph, lock);
  tb_table_figure_set_text (table, row, column, name != NULL ? name : "");
  if (holders == TB_ID_NONE)
    return;
  if (name != NULL && tb_wait_lock_has_distinct_holders (result->graph, arc, lock))
    names = tb_wait_lock_describe_holders (result->graph, lock);
  tb_table_figure_set_text (table, row, holders, names != NULL ? names : "");
}

static gboolean
has_holders (const TbWaitResult *result)
{
  for (guint32 i = 0; i < result->graph->arcs->len; i++)
    {
      const TbWaitLock *lock = tb_wait_locks_find (result->locks, i);

      if (lock != NULL && lock->is_most
          && tb_wait_lock_has_distinct_holders (result->graph, i, lock))
        return TRUE;
    }
  return FALSE;
}

static TbFigure *
make_table (const TbWaitResult *result, const guint8 *flags)
{
  const TbWaitGraph *graph = result->graph;
  TbTableFigure *table = tb_table_figure_new (TB_WAIT_FIGURE_EDGES, _ ("Waits"));
  guint from = tb_table_figure_add_column (table, "from", _ ("Waiter"), TB_CELL_TEXT);
  guint to = tb_table_figure_add_column (table, "to", _ ("Waits For"), TB_CELL_TEXT);
  guint limits
      = graph->has_target
            ? tb_table_figure_add_column (table, "limits", _ ("Delay of Target"), TB_CELL_DURATION)
            : TB_ID_NONE;
  guint weight
      = tb_table_figure_add_column (table, "weight", _ ("Delay of Others"), TB_CELL_DURATION);
  guint plain = tb_table_figure_add_column (table, "plain", _ ("Waited"), TB_CELL_DURATION);
  guint bound
      = tb_table_figure_add_column (table, "bound", _ ("Maximum Gain Alone"), TB_CELL_SHARE);
  guint waits = tb_table_figure_add_column (table, "waits", _ ("Waits"), TB_CELL_COUNT);
  guint longest = tb_table_figure_add_column (table, "longest", _ ("Longest"), TB_CELL_DURATION);
  guint role = tb_table_figure_add_column (table, "role", _ ("Role"), TB_CELL_TEXT);
  guint lock = tb_table_figure_add_column (table, "lock", _ ("Lock"), TB_CELL_TEXT);
  guint holders
      = has_holders (result)
            ? tb_table_figure_add_column (table, "holders", _ ("Released By"), TB_CELL_TEXT)
            : TB_ID_NONE;
  g_autofree guint32 *order = g_new (guint32, graph->arcs->len + 1);

  tb_figure_set_item_owner (TB_FIGURE (table), TB_WAIT_FIGURE_GRAPH);
  for (guint32 i = 0; i < graph->arcs->len; i++)
    order[i] = i;
  g_sort_array (order, graph->arcs->len, sizeof *order, tb_wait_graph_compare_arcs,
                (gpointer) graph);
  for (guint32 i = 0; i < graph->arcs->len; i++)
    {
      const TbWaitArc *arc = tb_wait_graph_get_arc (graph, order[i]);
      g_autofree char *item = tb_wait_arc_get_item (graph, order[i]);
      g_autofree char *from_name = tb_wait_vertex_describe_translated (graph, arc->from);
      g_autofree char *to_name = tb_wait_vertex_describe_translated (graph, arc->to);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_text (table, row, from, from_name);
      tb_table_figure_set_text (table, row, to, to_name);
      if (limits != TB_ID_NONE)
        tb_table_figure_set_integer (table, row, limits, arc->limits);
      tb_table_figure_set_integer (table, row, weight, arc->weight);
      tb_table_figure_set_integer (table, row, plain, arc->plain);
      tb_table_figure_set_double (table, row, bound,
                                  (double) arc->bound / (double) result->recorded);
      tb_table_figure_set_integer (table, row, waits, (gint64) arc->waits);
      tb_table_figure_set_integer (table, row, longest, arc->longest);
      tb_table_figure_set_text (table, row, role, describe_role (arc, flags[order[i]]));
      set_lock (table, row, lock, holders, result, order[i]);
    }
  return TB_FIGURE (table);
}

/* Table of proposed marks and of those that were applied; NULL: there are none. */
static TbFigure *
make_proposals (const TbWaitResult *result)
{
  static const char *const kinds[] = { N_ ("Woken in vain"), N_ ("Busy waiting") };
  TbTableFigure *table;
  guint what, name, function, count, effect, applied;
  guint n_taken = result->applied != NULL ? result->applied->taken->len : 0;

  if (result->proposals->len + n_taken == 0)
    return NULL;
  table = tb_table_figure_new (TB_WAIT_FIGURE_PROPOSALS, _ ("Proposals"));
  what = tb_table_figure_add_column (table, "what", _ ("Probable Kind"), TB_CELL_TEXT);
  name = tb_table_figure_add_column (table, "waiter", _ ("Waiter"), TB_CELL_TEXT);
  function = tb_table_figure_add_column (table, "function", _ ("Function"), TB_CELL_TEXT);
  count = tb_table_figure_add_column (table, "count", _ ("Count"), TB_CELL_COUNT);
  effect = tb_table_figure_add_column (table, "effect", _ ("Affected Time"), TB_CELL_DURATION);
  applied = tb_table_figure_add_column (table, "applied", _ ("Applied"), TB_CELL_TEXT);
  for (guint i = 0; i < n_taken; i++)
    {
      const TbWaitAppliedProposal *taken
          = &g_array_index (result->applied->taken, TbWaitAppliedProposal, i);
      guint row = tb_table_figure_add_row (table, taken->text);

      tb_table_figure_set_text (table, row, what, _ (kinds[taken->kind]));
      tb_table_figure_set_text (table, row, name, taken->name);
      tb_table_figure_set_text (table, row, function,
                                taken->function != NULL ? taken->function : "?");
      tb_table_figure_set_integer (table, row, count, (gint64) taken->count);
      tb_table_figure_set_integer (table, row, effect, taken->ns);
      tb_table_figure_set_text (table, row, applied, _ ("yes"));
    }
  for (guint i = 0; i < result->proposals->len; i++)
    {
      const TbWaitProposal *proposal = &g_array_index (result->proposals, TbWaitProposal, i);
      g_autofree char *text = tb_wait_proposal_get_text (result->graph, proposal);
      g_autofree char *waiter
          = tb_wait_vertex_describe_translated (result->graph, proposal->vertex);
      g_autofree char *label = tb_trace_get_stack_label (result->trace, proposal->stack);
      guint row = tb_table_figure_add_row (table, text);

      tb_table_figure_set_text (table, row, what, _ (kinds[proposal->kind]));
      tb_table_figure_set_text (table, row, name, waiter);
      tb_table_figure_set_text (table, row, function, label != NULL ? label : "?");
      tb_table_figure_set_integer (table, row, count, (gint64) proposal->count);
      tb_table_figure_set_integer (table, row, effect, proposal->ns);
    }
  return TB_FIGURE (table);
}

static TbFigure *
make_work (const TbWaitResult *result)
{
  TbHeatmapFigure *figure = tb_heatmap_figure_new ("work", _ ("Work Over Time"), "units",
                                                   result->from, result->to, TB_WAIT_WORK_SLICES);

  tb_heatmap_figure_set_axis_titles (figure, _ ("Unit of work"), NULL);
  tb_heatmap_figure_add_row (figure, result->work->unit, result->work->unit, result->work->slices);
  return TB_FIGURE (figure);
}

gboolean
tb_wait_add_figures (TbReport *report,
                     const TbWaitResult *result,
                     double threshold,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autofree guint8 *flags = find_flags (result);
  g_autoptr (TbWaitFlames) flames = tb_wait_flames_new (result, cancellable, error);
  TbFigure *devices, *proposals;

  if (flames == NULL)
    return FALSE;
  tb_report_add_figure (report,
                        make_graph (result, flags, threshold,
                                    (char *const *[]) { flames->items[0], flames->items[1] }));
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  tb_report_add_figure (report, make_table (result, flags));
  devices = tb_wait_make_device_table (result);
  if (devices != NULL)
    tb_report_add_figure (report, devices);
  if (result->work != NULL)
    tb_report_add_figure (report, make_work (result));
  proposals = make_proposals (result);
  if (proposals != NULL)
    tb_report_add_figure (report, proposals);
  for (guint i = 0; i < 2; i++)
    if (flames->figures[i] != NULL)
      tb_report_add_figure (report, g_steal_pointer (&flames->figures[i]));
  return TRUE;
}
