/* tb-latency-live-report.c: live report of a drill-down (histogram with peaks, tree of calls,
 * longest calls, progress and cost), and the choice of a peak in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "report/histogram/tb-histogram-figure.h"
#include "report/table/tb-table-figure.h"
#include "tb-latency-drill-private.h"
#include "tb-latency-live-report.h"

/* --- histogram --- */

static char *
make_item (const TbLatencyDrill *drill, const TbPeakRange *range)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
                          drill->bins.edges[range->first], drill->bins.edges[range->last + 1]);
}

static char *
describe_range (const TbLatencyDrill *drill, const TbPeakRange *range)
{
  g_autofree char *from = tb_format_duration (drill->bins.edges[range->first]);
  g_autofree char *to = tb_format_duration (drill->bins.edges[range->last + 1]);

  return g_strdup_printf ("%s–%s", from, to);
}

static void
add_mark (TbHistogramFigure *figure,
          const TbLatencyDrill *drill,
          const TbPeakRange *range,
          const char *name)
{
  g_autofree char *item = make_item (drill, range);

  tb_histogram_figure_add_mark (figure, item, name, drill->bins.edges[range->first],
                                drill->bins.edges[range->last + 1]);
}

static gboolean
is_disjoint (const TbPeakRange *one, const TbPeakRange *other)
{
  return one->last < other->first || other->last < one->first;
}

/* Marks the chosen range, then the current peaks that do not overlap it: two marks of the same bins
 * would be unreadable. */
static void
add_marks (TbHistogramFigure *figure, const TbLatencyDrill *drill)
{
  g_autoptr (GArray) ranges = tb_peaks_find_in_histogram (drill->histogram, &drill->bins);

  if (drill->is_peak_chosen)
    {
      g_autofree char *extent = describe_range (drill, &drill->range);
      g_autofree char *name = g_strdup_printf (_ ("Chosen (%s)"), extent);

      add_mark (figure, drill, &drill->range, name);
    }
  for (guint i = 0; i < ranges->len; i++)
    {
      const TbPeakRange *range = &g_array_index (ranges, TbPeakRange, i);
      g_autofree char *extent = describe_range (drill, range);
      g_autofree char *name = g_strdup_printf (_ ("Peak %u (%s)"), i + 1, extent);

      if (!drill->is_peak_chosen || is_disjoint (range, &drill->range))
        add_mark (figure, drill, range, name);
    }
}

static TbFigure *
make_histogram (TbLatencyDrill *drill)
{
  TbHistogramFigure *figure
      = tb_histogram_figure_new (TB_LATENCY_FIGURE_HISTOGRAM, _ ("Latencies of Calls"), "ns");
  const TbPeaksBins *bins = &drill->bins;
  guint first, last, series;

  tb_histogram_figure_set_logarithmic (figure, TRUE);
  if (drill->probes.cost.call > 0)
    tb_histogram_figure_set_uncertain (figure, (gint64) tb_latency_drill_get_reach (drill),
                                       _ ("no longer than the probes"));
  if (!tb_peaks_histogram_get_extent (drill->histogram, bins, &first, &last))
    first = last = 0;
  drill->first_shown_bin = first;
  for (guint bin = first; bin <= last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_add_bin (figure, bins->edges[bin], bins->edges[bin + 1]);
  series = tb_histogram_figure_add_series (figure, drill->operation, drill->operation);
  for (guint bin = first, i = 0; bin <= last; bin++)
    if (bins->edges[bin] < bins->edges[bin + 1])
      tb_histogram_figure_set_count (figure, series, i++, drill->histogram->counts[bin],
                                     (guint64) drill->histogram->totals[bin]);
  add_marks (figure, drill);
  return TB_FIGURE (figure);
}

/* --- tree --- */

typedef struct
{
  guint call;
  guint state;
  guint mean;
  guint calls;
  guint largest;
} Columns;

static gboolean
has_cause_below (TbLatencyDrill *drill, guint32 id)
{
  for (guint32 i = id + 1; i < drill->tree->n_nodes; i++)
    if (get_node (drill, i)->is_used && get_node (drill, i)->parent == id
        && get_node (drill, i)->is_root_cause)
      return TRUE;
  return FALSE;
}

static const char *
describe_state (TbLatencyDrill *drill, guint32 id)
{
  const TbLatencyNode *node = get_node (drill, id);

  if (node->is_narrowing && !drill->is_over)
    return _ ("being narrowed down to source lines");
  if (node->phase == TB_LATENCY_ATTACHING)
    return _ ("attaching probes");
  if (node->phase == TB_LATENCY_DECIDING)
    return _ ("being examined");
  if (node->is_too_short)
    return _ ("as short as its probes");
  if (node->is_abandoned)
    return _ ("canceled: no more calls");
  if (node->is_cut)
    return _ ("continues deeper");
  if (node->is_self_cause || (node->is_root_cause && !has_cause_below (drill, id)))
    return _ ("cause");
  return node->is_root_cause || node->parent == G_MAXUINT32 ? _ ("on the path") : "";
}

const char *
tb_latency_drill_name_node (const TbLatencyDrill *drill, const TbLatencyNode *node)
{
  switch (node->kind)
    {
    case TB_LATENCY_PREEMPTED:
      return _ ("[preempted]");
    case TB_LATENCY_RUN_QUEUE:
      return _ ("[waits for a CPU]");
    case TB_LATENCY_INTERRUPT:
      return drill->sources[node->key].name != NULL ? drill->sources[node->key].name
                                                    : _ ("[interrupt]");
    case TB_LATENCY_WAIT:
      return _ ("[waits]");
    case TB_LATENCY_QUEUE:
      return _ ("[in the queue of the device]");
    case TB_LATENCY_SERVICE:
      return _ ("[processed by the device]");
    default:
      return node->name != NULL ? node->name : "";
    }
}

/* For a root cause, also the source line */
static char *
describe_state_and_place (TbLatencyDrill *drill, guint32 id)
{
  const char *state = describe_state (drill, id);
  const char *place = drill->is_over ? tb_latency_drill_name_place (get_node (drill, id)) : NULL;

  if (place == NULL)
    return g_strdup (state);
  /* Translators: a state, such as “cause”, and a source line */
  return *state != '\0' ? g_strdup_printf (_ ("%s, mostly in %s"), state, place)
                        : g_strdup_printf (_ ("mostly in %s"), place);
}

static void
add_row (TbTableFigure *table, const Columns *columns, TbLatencyDrill *drill, guint32 id)
{
  const TbLatencyNode *node = get_node (drill, id);
  gboolean is_decided
      = node->parent != G_MAXUINT32 && get_node (drill, node->parent)->phase == TB_LATENCY_DECIDED;
  const TbCaptureLatencyCounter *counter = is_decided ? &node->callee_counter : &node->counter;
  g_autofree char *item = g_strdup_printf ("%u", id);
  g_autofree char *indent = g_strnfill (2 * MIN (node->depth, 40), ' ');
  g_autofree char *text = g_strconcat (indent, tb_latency_drill_name_node (drill, node), NULL);
  g_autofree char *state = describe_state_and_place (drill, id);
  guint row = tb_table_figure_add_row (table, item);

  tb_table_figure_set_text (table, row, columns->call, text);
  tb_table_figure_set_text (table, row, columns->state, state);
  tb_table_figure_set_integer (table, row, columns->calls, (gint64) counter->calls);
  if (id != F0_NODE)
    tb_table_figure_set_integer (table, row, columns->largest, (gint64) counter->maxcount);
  if (counter->entered > 0)
    tb_table_figure_set_integer (table, row, columns->mean,
                                 (gint64) (counter->total / counter->entered));
}

/* Parents come before their children, which are sorted by their counters. */
static int
compare_children (gconstpointer a, gconstpointer b, gpointer data)
{
  TbLatencyDrill *drill = data;
  const TbLatencyNode *left = get_node (drill, *(const guint32 *) a),
                      *right = get_node (drill, *(const guint32 *) b);
  guint64 one = MAX (left->counter.maxcount, left->callee_counter.maxcount);
  guint64 other = MAX (right->counter.maxcount, right->callee_counter.maxcount);

  return (one < other) - (one > other);
}

static GArray *
list_children (TbLatencyDrill *drill, guint32 id)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < drill->tree->n_nodes; i++)
    {
      const TbLatencyNode *node = get_node (drill, i);

      if (node->is_used && node->parent == id && i != id
          && (node->counter.calls > 0 || node->callee_counter.calls > 0
              || node->phase != TB_LATENCY_NOT_EXAMINED))
        g_array_append_val (children, i);
    }
  g_array_sort_with_data (children, compare_children, drill);
  return children;
}

static TbFigure *
make_tree (TbLatencyDrill *drill)
{
  TbTableFigure *table
      = tb_table_figure_new (TB_LATENCY_FIGURE_TREE, _ ("Composition of the Calls of the Peak"));
  const Columns columns = {
    .call = tb_table_figure_add_column (table, "call", _ ("Call"), TB_CELL_TEXT),
    .state = tb_table_figure_add_column (table, "state", _ ("State"), TB_CELL_TEXT),
    .mean = tb_table_figure_add_column (table, "mean", _ ("Mean"), TB_CELL_DURATION),
    .calls = tb_table_figure_add_column (table, "calls", _ ("In Calls"), TB_CELL_COUNT),
    .largest = tb_table_figure_add_column (table, "largest", _ ("Largest In"), TB_CELL_COUNT),
  };
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 root = F0_NODE;

  g_array_append_val (open, root);
  while (open->len > 0)
    {
      guint32 id = g_array_index (open, guint32, open->len - 1);
      g_autoptr (GArray) children = list_children (drill, id);

      g_array_set_size (open, open->len - 1);
      add_row (table, &columns, drill, id);
      for (guint i = children->len; i > 0; i--)
        g_array_append_val (open, g_array_index (children, guint32, i - 1));
    }
  return TB_FIGURE (table);
}

/* --- single calls --- */

static TbFigure *
make_longest (TbLatencyDrill *drill)
{
  g_autoptr (GPtrArray) calls = tb_latency_drill_list_slow (drill);
  TbTableFigure *table = tb_table_figure_new (TB_LATENCY_FIGURE_LONGEST, _ ("Longest Calls"));
  guint latency = tb_table_figure_add_column (table, "latency", _ ("Latency"), TB_CELL_DURATION);
  guint begin = tb_table_figure_add_column (table, "begin", _ ("Start"), TB_CELL_TIME);
  guint thread = tb_table_figure_add_column (table, "thread", _ ("Thread"), TB_CELL_NUMBER);
  guint most = tb_table_figure_add_column (table, "most", _ ("Mostly In"), TB_CELL_TEXT);

  for (guint i = 0; i < calls->len; i++)
    {
      const TbLatencySlowCall *call = g_ptr_array_index (calls, i);
      g_autofree char *item = g_strdup_printf ("call-%u", i);
      g_autofree char *path = tb_latency_drill_trace_slow (drill, call);
      guint row = tb_table_figure_add_row (table, item);

      tb_table_figure_set_integer (table, row, latency, (gint64) call->call.latency);
      tb_table_figure_set_integer (table, row, begin,
                                   (gint64) call->call.begin - drill->times.begun);
      tb_table_figure_set_integer (table, row, thread, call->call.thread);
      tb_table_figure_set_text (table, row, most, *path != '\0' ? path : drill->operation);
    }
  return TB_FIGURE (table);
}

char *
tb_latency_drill_describe_stop (TbLatencyDrill *drill)
{
  guint32 stop = drill->is_peak_chosen ? tb_latency_tree_find_stop (drill->tree) : G_MAXUINT32;
  const TbLatencyNode *node = stop != G_MAXUINT32 ? get_node (drill, stop) : NULL;

  if (node == NULL)
    return NULL;
  if (node->depth == 0)
    return g_strdup (_ ("The search stopped at the first level; continue with resume."));
  return g_strdup_printf (
      ngettext ("The search stopped %u level down, in %s; continue with resume.",
                "The search stopped %u levels down, in %s; continue with "
                "resume.",
                node->depth),
      node->depth, tb_latency_drill_name_node (drill, node));
}

/* --- report --- */

static char *
describe_progress (TbLatencyDrill *drill)
{
  guint64 calls = drill->histogram->calls;
  const char *status = tb_latency_tree_get_status (drill->tree);

  if (!drill->is_peak_chosen && drill->options.interactive)
    return g_strdup_printf (ngettext ("%s: %'" PRIu64 " call. Choose a peak, or bins, to find out "
                                      "why its calls take so long.",
                                      "%s: %'" PRIu64 " calls. Choose a peak, or bins, to find out "
                                      "why its calls take so long.",
                                      calls),
                            drill->operation, calls);
  if (!drill->is_peak_chosen)
    return g_strdup_printf (ngettext ("%s: %'" PRIu64
                                      " of the %'u call after which a peak is chosen.",
                                      "%s: %'" PRIu64
                                      " of the %'u calls after which a peak is chosen.",
                                      drill->options.warmup_calls),
                            drill->operation, calls, drill->options.warmup_calls);
  if (!drill->is_over)
    return g_strdup_printf (_ ("%s: calls: %'" PRIu64 "; examined calls of the peak: %'" PRIu64
                               "; attached probes: %'u."),
                            drill->operation, calls, drill->state.calls, drill->probes.n_most);
  if (g_str_equal (status, "depth-reached"))
    return g_strdup_printf (_ ("%s: maximum depth reached. No probes are left attached."),
                            drill->operation);
  if (g_str_equal (status, "in-progress"))
    {
      g_autofree char *stop = tb_latency_drill_describe_stop (drill);

      return g_strdup_printf (_ ("%s: %s No probes are left attached."), drill->operation,
                              stop != NULL ? stop : _ ("canceled."));
    }
  return g_strdup_printf (_ ("%s: root cause found. No probes are left attached."),
                          drill->operation);
}

/* (transfer none) */
static TbFinding *
add_info (TbReport *report, const char *code, const char *text)
{
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, TB_TIME_NONE, NAN);

  tb_finding_set_code (finding, code);
  tb_report_add_finding (report, finding);
  return finding;
}

static void
add_cost (TbReport *report, TbLatencyDrill *drill)
{
  gint64 below = (gint64) tb_latency_drill_get_reach (drill);
  g_autofree char *call = tb_format_duration ((gint64) drill->probes.cost.call);
  g_autofree char *reach = tb_format_duration (below);
  g_autofree char *measured = g_strdup_printf (_ ("As measured here, a call takes %s longer while "
                                                  "it is probed. Latencies below %s are "
                                                  "uncertain."),
                                               call, reach);
  TbFinding *finding;

  tb_report_add_finding (report, tb_latency_drill_make_estimate (drill));
  if (drill->probes.cost.call == 0)
    return;
  finding = add_info (report, "measured-probe-cost", measured);
  tb_finding_set_time (finding, "cost_ns", (gint64) drill->probes.cost.call);
  tb_finding_set_time (finding, "below_ns", below);
}

static void
add_clients (TbReport *report, const TbLatencyDrill *drill)
{
  g_autofree char *text = NULL;
  TbFinding *finding;

  if (drill->clients.path_text == NULL)
    return;
  text = g_strdup_printf (ngettext ("Only calls count that serve %s; %'" PRIu64 " served others.",
                                    "Only calls count that serve %s; %'" PRIu64 " served others.",
                                    (gulong) drill->state.other_clients),
                          drill->clients.path_text, drill->state.other_clients);
  finding = add_info (report, "serving-calls-only", text);
  tb_finding_set_string (finding, "served_path", drill->clients.path_text);
  tb_finding_set_integer (finding, "other_calls", (gint64) drill->state.other_clients);
}

static void
add_kept (TbReport *report, TbLatencyDrill *drill)
{
  g_autoptr (GPtrArray) calls = tb_latency_drill_list_slow (drill);
  guint64 n_calls = MAX (drill->state.calls, calls->len);
  g_autofree char *text
      = g_strdup_printf (_ ("Of %'" PRIu64 " examined calls of the peak, the longest %u are listed "
                            "at the end."),
                         n_calls, calls->len);
  TbFinding *finding;

  if (calls->len == 0)
    return;
  finding = add_info (report, "listed-calls", text);
  tb_finding_set_integer (finding, "calls", (gint64) n_calls);
  tb_finding_set_integer (finding, "listed", calls->len);
}

static void
add_losses (TbReport *report, const TbLatencyDrill *drill)
{
  const TbCaptureLatencyState *state = &drill->state;
  guint64 lost = state->full + state->truncated + state->missed;
  g_autofree char *text
      = g_strdup_printf (ngettext ("%'" PRIu64 " call or part of a call is missing.",
                                   "%'" PRIu64 " calls or parts of calls are missing.",
                                   (gulong) lost),
                         lost);

  tb_report_set_uncertainty (report, lost, 0);
  if (lost > 0)
    tb_report_add_warning (report, text);
  for (guint i = 0; i < drill->warnings->len; i++)
    tb_report_add_warning (report, g_ptr_array_index (drill->warnings, i));
}

TbReport *
tb_latency_live_report_new (TbLatencyDrill *drill)
{
  TbReport *report;
  g_autofree char *headline = NULL;

  g_mutex_lock (&drill->lock);
  report = tb_report_new ("latency", _ ("Latencies"), 0, 0);
  headline = describe_progress (drill);
  tb_report_set_headline (report, headline);
  add_cost (report, drill);
  add_clients (report, drill);
  add_kept (report, drill);
  add_losses (report, drill);
  if (drill->histogram->calls > 0)
    tb_report_add_figure (report, make_histogram (drill));
  if (drill->is_peak_chosen)
    {
      tb_report_add_figure (report, make_tree (drill));
      tb_report_add_figure (report, make_longest (drill));
    }
  g_mutex_unlock (&drill->lock);
  return report;
}

/* --- choice --- */

/* Parses "bin-3" of the figure shown last, "1024..4096" in ns, or "2", a peak. */
static gboolean
parse_item (TbLatencyDrill *drill, const char *item, TbPeakRange *range)
{
  const char *dots = strstr (item, "..");
  g_autofree char *head = dots != NULL ? g_strndup (item, (gsize) (dots - item)) : NULL;
  g_autoptr (GArray) ranges = NULL;
  guint64 number;
  gint64 from, to;

  if (dots != NULL)
    {
      if (!g_ascii_string_to_signed (head, 10, 0, G_MAXINT64, &from, NULL)
          || !g_ascii_string_to_signed (dots + 2, 10, 0, G_MAXINT64, &to, NULL) || from >= to)
        return FALSE;
      *range = (TbPeakRange) { tb_peaks_bins_find (&drill->bins, from),
                               tb_peaks_bins_find (&drill->bins, to - 1) };
      return TRUE;
    }
  if (g_str_has_prefix (item, "bin-"))
    {
      if (!g_ascii_string_to_unsigned (item + 4, 10, 0, drill->bins.n - 1 - drill->first_shown_bin,
                                       &number, NULL))
        return FALSE;
      *range = (TbPeakRange) { drill->first_shown_bin + (guint) number,
                               drill->first_shown_bin + (guint) number };
      return TRUE;
    }
  ranges = tb_peaks_find_in_histogram (drill->histogram, &drill->bins);
  if (ranges->len == 0 || !g_ascii_string_to_unsigned (item, 10, 1, ranges->len, &number, NULL))
    return FALSE;
  *range = g_array_index (ranges, TbPeakRange, number - 1);
  return TRUE;
}

gboolean
tb_latency_live_report_choose (TbLatencyDrill *drill,
                               const char *figure,
                               const char *item,
                               GError **error)
{
  TbPeakRange range;
  gboolean good = FALSE;

  g_mutex_lock (&drill->lock);
  if (drill->is_peak_chosen || drill->is_over)
    g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                         _ ("A peak is already being examined. Record again for another one."));
  else if (!g_str_equal (figure, TB_LATENCY_FIGURE_HISTOGRAM) || !parse_item (drill, item, &range))
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ ("Invalid peak or bins “%s”."),
                 item);
  else
    {
      tb_latency_drill_choose (drill, range);
      good = TRUE;
    }
  g_mutex_unlock (&drill->lock);
  return good;
}
