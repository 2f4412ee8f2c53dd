/* tb-peaks-live.c: conversion of JSON that a live search (a drill-down that probed the running
 * program) stored in the recording, into a result: operation with histogram, peaks, periodicity,
 * drill-down tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is from a file and is untrusted: invalid numbers are rejected.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "drill/tb-peaks-source-lines.h"
#include "drill/tb-peaks-result.h"
#include "latency-state/tb-peaks-saved-json.h"
#include "drill/tb-peaks-sites.h"
#include "tb-peaks-live-nodes.h"

static void
operation_free (gpointer data)
{
  TbPeaksOperation *operation = data;

  g_free (operation->id);
  g_clear_pointer (&operation->histogram, tb_peaks_histogram_free);
  g_free (operation);
}

/* --- the histogram --- */

static TbPeaksCalls *
read_calls (TbTrace *trace, JsonObject *state)
{
  TbPeaksCalls *calls = g_new0 (TbPeaksCalls, 1);
  TbPeaksOperation *operation = g_new0 (TbPeaksOperation, 1);
  gint64 resolution = tb_peaks_saved_get_integer (state, "resolution", 1);
  JsonArray *bins = tb_peaks_saved_get_array (state, "bins");

  g_set_object (&calls->trace, trace);
  calls->operations = g_ptr_array_new_with_free_func (operation_free);
  calls->from = tb_peaks_saved_get_integer (state, "from_ns", 0);
  calls->to = MAX (tb_peaks_saved_get_integer (state, "to_ns", 0), calls->from);
  tb_peaks_bins_init (&calls->bins, (guint) CLAMP (resolution, 1, TB_PEAKS_MAX_RESOLUTION));
  operation->id = g_strdup (tb_peaks_saved_get_string (state, "operation"));
  operation->kind = g_str_has_prefix (operation->id, "syscall:") ? TB_PEAKS_SYSCALL
                    : g_str_has_prefix (operation->id, "block:") ? TB_PEAKS_BLOCK
                                                                 : TB_PEAKS_FUNCTION;
  operation->histogram = tb_peaks_histogram_new (&calls->bins);
  for (guint i = 0; i < tb_peaks_saved_get_length (bins); i++)
    {
      gint64 row[3];

      if (!tb_peaks_saved_get_row (bins, i, row, 3) || row[0] >= calls->bins.n
          || row[1] > G_MAXINT32 * (gint64) G_MAXINT16 || row[2] > G_MAXINT64 / 2048)
        continue;
      operation->histogram->counts[row[0]] = (guint64) row[1];
      operation->histogram->totals[row[0]] = row[2];
      operation->histogram->calls += (guint64) row[1];
      operation->histogram->total_ns += row[2];
    }
  operation->calls = operation->histogram->calls;
  operation->uncertain
      = (guint64) MAX (tb_peaks_saved_get_integer (state, "calls_without_room", 0), 0);
  operation->open = (guint64) MAX (tb_peaks_saved_get_integer (state, "calls_entered", 0), 0);
  operation->open -= MIN (operation->open, operation->calls + operation->uncertain);
  operation->uncertain += (guint64) MAX (tb_peaks_saved_get_integer (state, "missed", 0), 0);
  g_ptr_array_add (calls->operations, operation);
  return calls;
}

static guint
find_bin (const TbPeaksBins *bins, const TbPeaksBins *served_bins, gint64 bin)
{
  return tb_peaks_bins_find (bins, served_bins->edges[CLAMP (bin, 0, (gint64) served_bins->n - 1)]);
}

/* The operation whose calls were served by the counted calls. */
static void
read_clients (TbPeaksResult *self, JsonObject *state)
{
  JsonObject *served = tb_peaks_saved_get_object (state, "served");
  const char *id = served != NULL ? tb_peaks_saved_get_string (served, "operation") : "";
  TbPeaksOperation *clients;
  TbPeaksBins served_bins;
  gint64 from, to;

  if (*id == '\0')
    return;
  tb_peaks_bins_init (&served_bins,
                      (guint) CLAMP (tb_peaks_saved_get_integer (served, "resolution", 1), 1,
                                     TB_PEAKS_MAX_RESOLUTION));
  from = tb_peaks_saved_get_integer (served, "from_bin", 0);
  to = tb_peaks_saved_get_integer (served, "to_bin", 0);
  clients = g_new0 (TbPeaksOperation, 1);
  clients->kind = self->operation->kind;
  clients->id = g_strdup (id);
  clients->histogram = tb_peaks_histogram_new (&self->calls->bins);
  g_ptr_array_add (self->calls->operations, clients);
  self->clients = clients;
  self->clients_range.first = find_bin (&self->calls->bins, &served_bins, from);
  self->clients_range.last
      = MAX (self->clients_range.first, find_bin (&self->calls->bins, &served_bins, to));
  self->n_all = (guint) MIN (self->operation->calls + tb_peaks_saved_get_count (served, "others"),
                             G_MAXUINT);
}

/* Inserts the chosen range, which replaces the peaks that it overlaps: those of the histogram at
 * the end may differ from those at the time of the choice. */
static void
insert_chosen (TbPeaksResult *self, const TbPeakRange *chosen)
{
  guint at = 0;

  for (guint i = self->ranges->len; i-- > 0;)
    {
      const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, i);

      if (range->first <= chosen->last && chosen->first <= range->last)
        g_array_remove_index (self->ranges, i);
    }
  while (at < self->ranges->len
         && g_array_index (self->ranges, TbPeakRange, at).last < chosen->first)
    at++;
  g_array_insert_val (self->ranges, at, *chosen);
  self->live_peak = at;
}

/* The peaks of the histogram, and the chosen range. */
static void
read_ranges (TbPeaksResult *self, JsonObject *state)
{
  JsonArray *peaks = tb_peaks_saved_get_array (state, "peaks");
  gint64 from = tb_peaks_saved_get_integer (state, "from_bin", -1),
         to = tb_peaks_saved_get_integer (state, "to_bin", -1);
  TbPeakRange chosen = { (guint) from, (guint) to };

  self->ranges = g_array_new (FALSE, FALSE, sizeof (TbPeakRange));
  self->live_peak = G_MAXUINT;
  self->is_drawn = tb_peaks_saved_get_integer (state, "peak", 0) == 0 && from >= 0;
  for (guint i = 0; i < tb_peaks_saved_get_length (peaks) && !self->is_drawn; i++)
    {
      gint64 row[2];
      TbPeakRange range;

      if (!tb_peaks_saved_get_row (peaks, i, row, 2) || row[0] > row[1]
          || row[1] >= self->calls->bins.n)
        continue;
      range = (TbPeakRange) { (guint) row[0], (guint) row[1] };
      if (self->ranges->len > 0
          && range.first <= g_array_index (self->ranges, TbPeakRange, self->ranges->len - 1).last)
        continue;
      if (row[0] == from && row[1] == to)
        self->live_peak = self->ranges->len;
      g_array_append_val (self->ranges, range);
    }
  if (from >= 0 && to >= from && to < self->calls->bins.n && self->live_peak == G_MAXUINT)
    insert_chosen (self, &chosen);
}

static void
read_slices (TbPeaksResult *self, JsonObject *state)
{
  JsonArray *slices = tb_peaks_saved_get_array (state, "slices");
  guint n_bins;
  double width;

  self->has_bins = tb_peaks_histogram_get_extent (self->operation->histogram, &self->calls->bins,
                                                  &self->first, &self->last);
  if (!self->has_bins)
    return;
  n_bins = self->last - self->first + 1;
  width = (double) MAX (self->calls->to - self->calls->from, 1) / TB_PEAKS_SLICES;
  self->slices = g_new0 (guint64, (gsize) TB_PEAKS_SLICES * n_bins);
  for (guint i = 0; i < tb_peaks_saved_get_length (slices); i++)
    {
      JsonObject *slice = tb_peaks_saved_get_element (slices, i);
      JsonArray *bins = slice != NULL ? tb_peaks_saved_get_array (slice, "bins") : NULL;
      double at
          = slice != NULL
                ? (double) (tb_peaks_saved_get_integer (slice, "to_ns", 0) - self->calls->from)
                      / width
                : 0;
      guint number = (guint) CLAMP (at, 0, TB_PEAKS_SLICES - 1);

      for (guint j = 0; j < tb_peaks_saved_get_length (bins); j++)
        {
          gint64 row[2];

          if (tb_peaks_saved_get_row (bins, j, row, 2) && row[0] >= self->first
              && row[0] <= self->last)
            self->slices[(gsize) number * n_bins + (guint) row[0] - self->first]
                += (guint64) row[1];
        }
    }
}

/* Minimum number of slices in a period: slices are too coarse to show shorter periods. */
#define SLICES_A_PERIOD 4

static int
compare_widths (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

/* Times of the slices, in order, that have calls in a range (NULL: any): (element-type gint64). */
static GArray *
list_slices (JsonArray *slices, const TbPeakRange *range, GArray *widths)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 previous = G_MININT64;

  for (guint i = 0; i < tb_peaks_saved_get_length (slices); i++)
    {
      JsonObject *slice = tb_peaks_saved_get_element (slices, i);
      JsonArray *bins = slice != NULL ? tb_peaks_saved_get_array (slice, "bins") : NULL;
      gint64 to = slice != NULL ? tb_peaks_saved_get_integer (slice, "to_ns", -1) : -1, width,
             row[2];
      gboolean is_in = FALSE;

      if (to <= previous || to < 0 || to > G_MAXINT64 / 4)
        continue;
      width = previous != G_MININT64 ? to - previous : 0;
      for (guint j = 0; j < tb_peaks_saved_get_length (bins) && !is_in; j++)
        is_in = tb_peaks_saved_get_row (bins, j, row, 2) && row[1] > 0
                && (range == NULL || (row[0] >= range->first && row[0] <= range->last));
      previous = to;
      if (width > 0 && widths != NULL)
        g_array_append_val (widths, width);
      to -= width / 2;
      if (is_in && (times->len == 0 || to > g_array_index (times, gint64, times->len - 1)))
        g_array_append_val (times, to);
    }
  return times;
}

/* The successive snapshots of the histogram show when calls of a peak occurred. */
static void
find_periodicities (TbPeaksResult *self, JsonObject *state)
{
  JsonArray *slices = tb_peaks_saved_get_array (state, "slices");
  g_autoptr (GArray) widths = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) all = list_slices (slices, NULL, widths);
  gint64 width;

  self->periodicities = g_array_new (FALSE, TRUE, sizeof (TbPeakPeriodicity));
  g_array_sort (widths, compare_widths);
  width = widths->len > 0 ? g_array_index (widths, gint64, widths->len / 2)
                          : G_MAXINT64 / SLICES_A_PERIOD;
  for (guint i = 0; i < self->ranges->len; i++)
    {
      g_autoptr (GArray) times
          = list_slices (slices, &g_array_index (self->ranges, TbPeakRange, i), NULL);
      TbPeakPeriodicity periodicity
          = { .period = tb_peaks_find_long_period ((const gint64 *) times->data, times->len,
                                                   SLICES_A_PERIOD * width) };

      if (periodicity.period.period_ns > 0)
        periodicity.strength_of_all
            = tb_peaks_get_period_strength ((const gint64 *) all->data, all->len,
                                            periodicity.period.period_ns);
      g_array_append_val (self->periodicities, periodicity);
    }
}

/* --- the tree --- */

TbWaitKind
tb_peaks_live_guess_wait (const char *caller, gint64 state)
{
  static const struct
  {
    const char *call;
    TbWaitKind kind;
  } known[]
      = { { "futex", TB_WAIT_LOCK },  { "nanosleep", TB_WAIT_SLEEP }, { "poll", TB_WAIT_POLL },
          { "select", TB_WAIT_POLL }, { "epoll", TB_WAIT_POLL },      { "wait", TB_WAIT_CHILD },
          { "recv", TB_WAIT_SOCKET }, { "accept", TB_WAIT_SOCKET },   { "connect", TB_WAIT_SOCKET },
          { "send", TB_WAIT_SOCKET } };
  gboolean is_uninterruptible = (state & 2) != 0;

  if (!g_str_has_prefix (caller, "syscall:"))
    return is_uninterruptible ? TB_WAIT_PAGE_FAULT : TB_WAIT_OTHER;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strstr (caller, known[i].call) != NULL)
      return known[i].kind;
  return is_uninterruptible ? TB_WAIT_BLOCK_IO : TB_WAIT_OTHER;
}

guint64
tb_peaks_live_make_interrupt (gint64 number, guint32 string)
{
  TbInterruptKind of = number >> 32 == 2            ? TB_INTERRUPT_SOFT
                       : number == (gint64) 3 << 32 ? TB_INTERRUPT_TIMER
                                                    : TB_INTERRUPT_HARD;

  return (guint64) of << 56 | ((guint64) number & 0xffffff) << 32 | string;
}

static TbPeaksNodeKind
get_kind (TbPeaksResult *self, JsonObject *object, const char *caller, guint64 *key)
{
  const char *kind = tb_peaks_saved_get_string (object, "kind");
  gint64 number = tb_peaks_saved_get_integer (object, "key", 0),
         string = tb_peaks_saved_get_integer (object, "string", 0);

  *key = 0;
  if (g_str_equal (kind, "preempted"))
    return TB_PEAKS_NODE_PREEMPTED;
  if (g_str_equal (kind, "run-queue"))
    return TB_PEAKS_NODE_RUN_QUEUE;
  if (g_str_equal (kind, "wait"))
    {
      *key = tb_peaks_live_guess_wait (caller, number);
      return TB_PEAKS_NODE_WAIT;
    }
  if (g_str_equal (kind, "queue"))
    return TB_PEAKS_NODE_QUEUE;
  if (g_str_equal (kind, "service"))
    return TB_PEAKS_NODE_SERVICE;
  if (g_str_equal (kind, "interrupt"))
    {
      *key = tb_peaks_live_make_interrupt (number, (guint32) string);
      return TB_PEAKS_NODE_INTERRUPT;
    }
  /* The string is not interned, so equal names get different keys: each call site has a node of its
   * own. */
  *key = (guint64) (gsize) g_string_chunk_insert (self->drill->names,
                                                  tb_peaks_saved_get_string (object, "name"));
  return TB_PEAKS_NODE_FUNCTION;
}

static gboolean
has_root_cause_below (const TbPeaksLiveNode *saved_nodes, guint n, guint id)
{
  for (guint i = id + 1; i < n; i++)
    if (saved_nodes[i].object != NULL && saved_nodes[i].parent == id
        && tb_peaks_saved_get_boolean (saved_nodes[i].object, "root_cause"))
      return TRUE;
  return FALSE;
}

/* Blocks of the function in which it ran itself, named by source lines if the file has them. */
static void
read_blocks (TbPeaksResult *self, JsonObject *object, guint32 node)
{
  JsonArray *blocks = tb_peaks_saved_get_array (object, "blocks");
  const char *function = tb_peaks_saved_get_string (object, "name");
  gint64 own = tb_peaks_tree_node (self->drill->tree, node)->own_ns;
  guint64 examined_ns = tb_peaks_saved_get_count (object, "samples"), left = examined_ns;

  for (guint i = 0; i < tb_peaks_saved_get_length (blocks); i++)
    {
      JsonObject *block = tb_peaks_saved_get_element (blocks, i);
      guint64 samples = block != NULL ? tb_peaks_saved_get_count (block, "samples") : 0;
      g_autofree char *place = NULL;

      if (samples == 0 || samples > left)
        continue;
      left -= samples;
      place = g_strdup (tb_peaks_saved_get_string (block, "line"));
      if (*place == '\0')
        {
          g_free (place);
          place = g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", function,
                                   tb_peaks_saved_get_integer (block, "from", 0));
        }
      tb_peaks_add_line (self->drill, node, function, place,
                         (gint64) ((double) samples / (double) examined_ns * (double) own));
    }
}

static void
add_node (TbPeaksResult *self, TbPeaksLiveNode *saved_nodes, guint n, guint id)
{
  JsonObject *object = saved_nodes[id].object;
  guint64 key;
  TbPeaksNodeKind kind
      = get_kind (self, object,
                  id == 0 ? ""
                  : saved_nodes[id].parent > 0
                      ? tb_peaks_saved_get_string (saved_nodes[saved_nodes[id].parent].object,
                                                   "name")
                      : self->operation->id,
                  &key);
  TbPeaksNode *node;
  const char *site;

  saved_nodes[id].node
      = tb_peaks_tree_get (self->drill->tree,
                           id > 0 ? saved_nodes[saved_nodes[id].parent].node : TB_ID_NONE, kind,
                           id > 0 ? key : self->live_peak);
  node = tb_peaks_tree_node (self->drill->tree, saved_nodes[id].node);
  node->calls
      = (guint64) MAX (tb_peaks_saved_get_integer (object, id > 0 ? "calls" : "open_calls", 0), 0);
  node->maxcount = (guint64) MAX (tb_peaks_saved_get_integer (object, "maxcount", 0), 0);
  node->self_maxcount = (guint64) MAX (tb_peaks_saved_get_integer (object, "self_maxcount", 0), 0);
  node->total_ns = (gint64) saved_nodes[id].total;
  node->own_ns = node->self_ns = MIN ((gint64) saved_nodes[id].own, node->total_ns);
  node->is_root_cause = tb_peaks_saved_get_boolean (object, "root_cause");
  node->is_self_cause = tb_peaks_saved_get_boolean (object, "self_cause");
  node->is_cut = tb_peaks_saved_get_boolean (object, "cut");
  node->is_frequent_cause = tb_peaks_saved_get_boolean (object, "blamed");
  if (tb_peaks_node_is_disturbance (node))
    node->disturbed_ns = (gint64) saved_nodes[id].net;
  else if (node->is_root_cause && tb_peaks_saved_get_integer (object, "phase", 0) != 2
           && !has_root_cause_below (saved_nodes, n, id))
    node->is_self_cause = TRUE;
  read_blocks (self, object, saved_nodes[id].node);
  site = tb_peaks_saved_get_string (object, "call_site_line");
  if (*site == '\0')
    site = tb_peaks_saved_get_string (object, "call_site");
  if (*site != '\0')
    g_hash_table_insert (self->drill->call_sites, GUINT_TO_POINTER (saved_nodes[id].node + 1),
                         g_strdup (site));
}

/* The deepest node on the path of the search that was still undecided at its end. */
static void
find_stop (TbPeaksResult *self, const TbPeaksLiveNode *saved_nodes, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = saved_nodes[i].object;
      gint64 phase = object != NULL ? tb_peaks_saved_get_integer (object, "phase", 0) : 0;
      const TbPeaksNode *node;

      if (object == NULL
          || ((phase < 1 || phase >= TB_PEAKS_SAVED_DECIDED)
              && !tb_peaks_saved_get_boolean (object, "given_up")))
        continue;
      node = tb_peaks_tree_node (self->drill->tree, saved_nodes[i].node);
      if (self->live_stop == TB_ID_NONE
          || node->depth > tb_peaks_tree_node (self->drill->tree, self->live_stop)->depth)
        self->live_stop = saved_nodes[i].node;
    }
}

static void
read_tree (TbPeaksResult *self, JsonObject *state)
{
  TbPeakDrill *peak = &g_array_index (self->drill->peaks, TbPeakDrill, self->live_peak);
  gint64 drilled = MAX (tb_peaks_saved_get_integer (state, "calls_looked_into", 0), 0);
  g_autofree TbPeaksLiveNode *saved_nodes = NULL;
  guint n;

  saved_nodes = tb_peaks_live_read_nodes (state, &n);
  if (n == 0 || drilled == 0)
    return;
  for (guint i = 0; i < n; i++)
    if (saved_nodes[i].object != NULL)
      add_node (self, saved_nodes, n, i);
  find_stop (self, saved_nodes, n);
  tb_peaks_mark_repeated_callees (self->drill->tree);
  peak->root = saved_nodes[0].node;
  peak->drilled = (guint64) drilled;
  peak->uncertain = (guint64) MAX (tb_peaks_saved_get_integer (state, "calls_not_counted", 0), 0);
}

static void
make_drill (TbPeaksResult *self, JsonObject *state)
{
  const TbPeaksHistogram *histogram = self->operation->histogram;

  self->drill = g_new0 (TbPeaksDrill, 1);
  self->drill->calls = self->calls;
  self->drill->operation = self->operation;
  self->drill->tree = tb_peaks_tree_new ();
  self->drill->names = g_string_chunk_new (4096);
  self->drill->call_sites = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->drill->peaks = g_array_new (FALSE, FALSE, sizeof (TbPeakDrill));
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, i);
      TbPeakDrill peak = { .root = TB_ID_NONE, .longest = G_MAXUINT64 };

      for (guint bin = range->first; bin <= range->last; bin++)
        {
          peak.calls += histogram->counts[bin];
          peak.total_ns += histogram->totals[bin];
        }
      g_array_append_val (self->drill->peaks, peak);
    }
  if (self->live_peak < self->ranges->len)
    read_tree (self, state);
}

TbPeaksResult *
tb_peaks_live_new (TbTrace *trace, const char *state, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (TbPeaksResult) self = NULL;
  JsonNode *root;
  JsonObject *object;

  if (!json_parser_load_from_data (parser, state, -1, NULL)
      || (root = json_parser_get_root (parser)) == NULL || !JSON_NODE_HOLDS_OBJECT (root)
      || !g_str_equal (tb_peaks_saved_get_string (json_node_get_object (root), "format"),
                       TB_PEAKS_SAVED_FORMAT))
    {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
          _ ("the result of the search during the recording is damaged: choose an operation to "
             "analyze the recording itself"));
      return NULL;
    }
  object = json_node_get_object (root);
  self = g_new0 (TbPeaksResult, 1);
  self->state = json_node_copy (root);
  self->live_stop = TB_ID_NONE;
  self->live_status = g_strdup (tb_peaks_saved_get_string (object, "status"));
  self->calls = read_calls (trace, object);
  self->operation = g_ptr_array_index (self->calls->operations, 0);
  self->options = (TbPeaksOptions) {
    .state = "", .from_bin = -1, .to_bin = -1, .decision_calls = 1, .max_depth = 32
  };
  read_clients (self, object);
  read_ranges (self, object);
  make_drill (self, object);
  read_slices (self, object);
  find_periodicities (self, object);
  tb_peaks_result_gather_causes (self);
  return g_steal_pointer (&self);
}
