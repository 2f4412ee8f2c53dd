/* tb-peaks-flame.c: flame graph of what took the time of the calls of each peak, and a table of the
 * counters of contributors on root-cause paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "report/flame/tb-flame-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-peaks-flame.h"

#define MAX_COUNTED 1000 /* rows */

static TbFlamePaint
get_paint (const TbPeaksResult *self, const TbPeaksNode *node)
{
  switch (node->kind)
    {
    case TB_PEAKS_NODE_WAIT:
      return TB_FLAME_WAITING;
    case TB_PEAKS_NODE_SERVED:
      return node->key >> 32 == TB_CAUSE_DEVICE    ? TB_FLAME_DISK
             : node->key >> 32 == TB_CAUSE_NETWORK ? TB_FLAME_NETWORK
                                                   : TB_FLAME_WAITING;
    case TB_PEAKS_NODE_SERVING:
      return TB_FLAME_USER;
    case TB_PEAKS_NODE_HOLDER:
      return TB_FLAME_PREEMPTED;
    case TB_PEAKS_NODE_DELAYED:
      return TB_FLAME_RUNNABLE;
    case TB_PEAKS_NODE_NESTED:
      return TB_FLAME_INTERRUPT;
    case TB_PEAKS_NODE_QUEUE:
      return TB_FLAME_QUEUED;
    case TB_PEAKS_NODE_SERVICE:
      return TB_FLAME_DISK;
    case TB_PEAKS_NODE_PREEMPTED:
      return TB_FLAME_PREEMPTED;
    case TB_PEAKS_NODE_RUN_QUEUE:
      return TB_FLAME_RUNNABLE;
    case TB_PEAKS_NODE_INTERRUPT:
      return TB_FLAME_INTERRUPT;
    default:
      return self->operation->kind == TB_PEAKS_FUNCTION ? TB_FLAME_USER : TB_FLAME_KERNEL;
    }
}

/* The time of a node and all nodes below it, by category other than running. */
typedef struct
{
  gint64 waits;
  gint64 runnable; /* runnable */
  gint64 interrupts;
} TimeParts;

/* A disturbance of a node below counts for the node as well. */
static void
add_disturbance (TimeParts *parts, const TbPeaksNode *node)
{
  if (node->kind == TB_PEAKS_NODE_INTERRUPT)
    parts->interrupts += node->disturbed_ns;
  else
    parts->runnable += node->disturbed_ns;
}

/* By node. */
static TimeParts *
sum_parts (const TbPeaksTree *tree)
{
  TimeParts *parts = g_new0 (TimeParts, tree->nodes->len + 1);

  for (guint32 i = tree->nodes->len; i-- > 0;)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (tree, i);

      if (node->parent == TB_ID_NONE || node->kind == TB_PEAKS_NODE_ALIAS)
        continue;
      if (tb_peaks_node_is_disturbance (node))
        add_disturbance (&parts[node->parent], node);
      else if (node->kind == TB_PEAKS_NODE_WAIT)
        parts[node->parent].waits += node->total_ns;
      else
        parts[node->parent].waits += parts[i].waits;
    }
  return parts;
}

/* The number of calls in which a node can have been the largest. */
static guint64
count_calls (const TbPeaksTree *tree, const TbPeaksNode *node)
{
  return node->parent != TB_ID_NONE ? tb_peaks_tree_node (tree, node->parent)->calls : node->calls;
}

static gint64
get_total (const TbPeaksNode *node)
{
  return tb_peaks_node_is_disturbance (node) ? node->disturbed_ns : node->total_ns;
}

/* "largest in 18 of 20 calls, on a root-cause path, 1.2 ms a call" */
static char *
describe (const TbPeaksTree *tree, const TbPeaksNode *node)
{
  g_autofree char *mean = tb_format_duration (get_total (node) / (gint64) MAX (node->calls, 1));

  if (node->parent == TB_ID_NONE)
    return g_strdup_printf (
        /* Translators: how often what a call did itself took longest of all that it consists of,
         * and its mean */
        _ ("itself the largest part in %" PRIu64 " of %" PRIu64 " calls, %s a "
           "call"),
        node->self_maxcount, node->calls, mean);
  if (node->is_root_cause)
    return g_strdup_printf (
        /* Translators: how often this took longest of all that its caller's calls consist of, and
         * its mean */
        _ ("on a root-cause path, the largest part in %" PRIu64 " of %" PRIu64 " calls, %s a call"),
        node->maxcount, count_calls (tree, node), mean);
  return g_strdup_printf (_ ("the largest part in %" PRIu64 " of %" PRIu64 " calls, %s a call"),
                          node->maxcount, count_calls (tree, node), mean);
}

/* Counts as text: the number of calls in which it was the largest, and of how many. */
static char *
count (const TbPeaksTree *tree, const TbPeaksNode *node)
{
  gboolean is_root = node->parent == TB_ID_NONE;

  return g_strdup_printf ("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                          (guint64) (is_root ? node->self_maxcount : node->maxcount),
                          (guint64) (is_root ? node->calls : count_calls (tree, node)));
}

/* One root for each peak; a disturbance is shown on the function that it fell into. */
static TbFigure *
make_boxes (const TbPeaksResult *self, guint *box_of)
{
  TbFlameFigure *figure = tb_flame_figure_new (TB_PEAKS_FIGURE_TREE, _ ("Composition"), "ns");
  GArray *nodes = self->drill->tree->nodes;

  for (guint32 i = 0; i < nodes->len; i++)
    {
      const TbPeaksNode *node = &g_array_index (nodes, TbPeaksNode, i);
      g_autofree char *name = NULL;
      g_autofree char *detail = NULL;
      g_autofree char *counter = NULL;

      box_of[i] = TB_ID_NONE;
      if (node->kind == TB_PEAKS_NODE_ALIAS || (node->total_ns <= 0 && node->parent != TB_ID_NONE)
          || (node->parent == TB_ID_NONE ? !tb_peaks_result_is_requested (self, (guint) node->key)
                                         : box_of[node->parent] == TB_ID_NONE))
        continue;
      name = node->parent == TB_ID_NONE ? tb_peaks_result_name_peak (self, (guint) node->key)
                                        : tb_peaks_result_name_call (self, i);
      box_of[i] = tb_flame_figure_add_node (figure,
                                            node->parent == TB_ID_NONE ? TB_ID_NONE
                                                                       : box_of[node->parent],
                                            name, "", get_paint (self, node),
                                            (guint64) MAX (node->own_ns, 0), node->calls);
      detail = describe (self->drill->tree, node);
      tb_flame_figure_set_detail (figure, box_of[i], detail);
      counter = count (self->drill->tree, node);
      tb_flame_figure_set_note (figure, box_of[i], counter);
    }
  return TB_FIGURE (figure);
}

/* --- counters --- */

typedef struct
{
  guint name;
  guint site;
  guint largest;
  guint self;
  guint calls;
  guint mean;
  guint share;
  guint waits;
  guint runnable;
  guint interrupts;
  guint cause;
} Columns;

static Columns
add_columns (TbTableFigure *table)
{
  Columns columns;

  columns.name = tb_table_figure_add_column (table, "function", _ ("Call"), TB_CELL_TEXT);
  columns.cause = tb_table_figure_add_column (table, "root_cause", _ ("Root Cause"), TB_CELL_TEXT);
  columns.largest = tb_table_figure_add_column (table, "maxcount", _ ("Largest In"), TB_CELL_COUNT);
  columns.self
      = tb_table_figure_add_column (table, "self_maxcount", _ ("Itself Largest In"), TB_CELL_COUNT);
  columns.calls = tb_table_figure_add_column (table, "calls", _ ("Calls"), TB_CELL_COUNT);
  columns.mean = tb_table_figure_add_column (table, "mean", _ ("Mean"), TB_CELL_DURATION);
  columns.share = tb_table_figure_add_column (table, "share", _ ("Share of Peak"), TB_CELL_SHARE);
  columns.waits
      = tb_table_figure_add_column (table, "waits", C_ ("duration", "Waits"), TB_CELL_DURATION);
  columns.runnable
      = tb_table_figure_add_column (table, "not_let", _ ("Not Scheduled"), TB_CELL_DURATION);
  columns.interrupts
      = tb_table_figure_add_column (table, "interrupts", _ ("Interrupts"), TB_CELL_DURATION);
  columns.site = tb_table_figure_add_column (table, "call_site", _ ("Call Site"), TB_CELL_TEXT);
  return columns;
}

static void
add_counter (TbTableFigure *table,
             const Columns *columns,
             const TbPeaksResult *self,
             guint32 i,
             guint box,
             const TimeParts *parts)
{
  const TbPeaksTree *tree = self->drill->tree;
  const TbPeaksNode *node = tb_peaks_tree_node (tree, i);
  const char *site = self->drill->call_sites != NULL
                         ? g_hash_table_lookup (self->drill->call_sites, GUINT_TO_POINTER (i + 1))
                         : NULL;
  g_autofree char *label = node->parent != TB_ID_NONE
                               ? tb_peaks_result_get_label (self, i)
                               : tb_peaks_result_name_peak (self, (guint) node->key);
  g_autofree char *name = g_strdup_printf ("%*s%s", (int) MIN (node->depth, 64) * 2, "", label);
  g_autofree char *item = g_strdup_printf ("%u", box);
  guint row = tb_table_figure_add_row (table, item);
  guint32 peak = tb_peaks_result_find_peak_of (self, i);

  tb_table_figure_set_text (table, row, columns->name, name);
  if (node->parent != TB_ID_NONE)
    tb_table_figure_set_integer (table, row, columns->largest, (gint64) node->maxcount);
  if (node->kind == TB_PEAKS_NODE_FUNCTION)
    tb_table_figure_set_integer (table, row, columns->self, (gint64) node->self_maxcount);
  tb_table_figure_set_integer (table, row, columns->calls, (gint64) node->calls);
  tb_table_figure_set_integer (table, row, columns->mean,
                               get_total (node) / (gint64) MAX (node->calls, 1));
  tb_table_figure_set_double (
      table, row, columns->share,
      (double) get_total (node)
          / (double) MAX (
              tb_peaks_tree_node (tree, g_array_index (self->drill->peaks, TbPeakDrill, peak).root)
                  ->total_ns,
              1));
  tb_table_figure_set_integer (table, row, columns->waits, parts->waits);
  tb_table_figure_set_integer (table, row, columns->runnable, parts->runnable);
  tb_table_figure_set_integer (table, row, columns->interrupts, parts->interrupts);
  if (node->is_root_cause)
    tb_table_figure_set_text (table, row, columns->cause,
                              node->is_self_cause || node->kind != TB_PEAKS_NODE_FUNCTION
                                  ? _ ("yes")
                                  : _ ("on the path"));
  if (site != NULL)
    tb_table_figure_set_text (table, row, columns->site, site);
}

/* Sorts siblings so that the last is shown first. */
static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbPeaksNode *left = tb_peaks_tree_node (data, *(const guint32 *) a);
  const TbPeaksNode *right = tb_peaks_tree_node (data, *(const guint32 *) b);

  if (left->parent != right->parent)
    return left->parent < right->parent ? -1 : 1;
  if (left->parent != TB_ID_NONE && left->maxcount != right->maxcount)
    return left->maxcount < right->maxcount ? -1 : 1;
  return *(const guint32 *) a > *(const guint32 *) b ? -1 : 1;
}

/* The contributors of callers on root-cause paths, by parent. */
static GArray *
list_counted (TbPeaksTree *tree, const guint *box_of)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < tree->nodes->len; i++)
    {
      guint32 parent = tb_peaks_tree_node (tree, i)->parent;

      if (box_of[i] != TB_ID_NONE
          && (parent == TB_ID_NONE || tb_peaks_tree_node (tree, parent)->is_root_cause))
        g_array_append_val (nodes, i);
    }
  g_array_sort_with_data (nodes, compare_siblings, tree);
  return nodes;
}

/* Callees follow their caller, those with the highest counters first. */
static GArray *
list_in_order (TbPeaksTree *tree, const guint *box_of)
{
  g_autoptr (GArray) nodes = list_counted (tree, box_of);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint *first = g_new0 (guint, tree->nodes->len + 1);
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = nodes->len; i-- > 0;)
    {
      guint32 node = g_array_index (nodes, guint32, i),
              parent = tb_peaks_tree_node (tree, node)->parent;

      if (parent != TB_ID_NONE)
        first[parent] = i + 1;
    }
  for (guint i = 0; i < nodes->len; i++)
    if (tb_peaks_tree_node (tree, g_array_index (nodes, guint32, i))->parent == TB_ID_NONE)
      g_array_append_val (open, g_array_index (nodes, guint32, i));
  while (open->len > 0)
    {
      guint32 node = g_array_index (open, guint32, open->len - 1);

      g_array_set_size (open, open->len - 1);
      g_array_append_val (order, node);
      for (guint i = first[node]; i > 0 && i <= nodes->len; i++)
        {
          guint32 child = g_array_index (nodes, guint32, i - 1);

          if (tb_peaks_tree_node (tree, child)->parent != node)
            break;
          g_array_append_val (open, child);
        }
    }
  return order;
}

static TbFigure *
make_counters (const TbPeaksResult *self, const guint *box_of)
{
  TbTableFigure *table = tb_table_figure_new (TB_PEAKS_FIGURE_COUNTERS, _ ("Counters"));
  const Columns columns = add_columns (table);
  const TbPeaksTree *tree = self->drill->tree;
  g_autofree TimeParts *parts = sum_parts (tree);
  g_autoptr (GArray) order = list_in_order (self->drill->tree, box_of);

  for (guint i = 0; i < order->len && i < MAX_COUNTED; i++)
    {
      guint32 node = g_array_index (order, guint32, i);

      add_counter (table, &columns, self, node, box_of[node], &parts[node]);
    }
  tb_figure_set_item_owner (TB_FIGURE (table), TB_PEAKS_FIGURE_TREE);
  return TB_FIGURE (table);
}

void
tb_peaks_add_tree (TbReport *report, const TbPeaksResult *self)
{
  g_autofree guint *box_of = g_new (guint, self->drill->tree->nodes->len + 1);

  tb_report_add_figure (report, make_boxes (self, box_of));
  tb_report_add_figure (report, make_counters (self, box_of));
}
