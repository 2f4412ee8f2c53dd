/* tb-peaks-json.c: summary of latency-peaks as JSON: all operations, or one with its histogram,
 * peaks, trees, root causes, interrupts, attributes and periods, cost of a live search; state for
 * another search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "live/tb-peaks-accuracy.h"
#include "stats/tb-peaks-excess.h"
#include "stats/tb-peaks-over-time.h"
#include "calls/tb-peaks-layers.h"
#include "drill/tb-peaks-source-lines.h"
#include "drill/tb-peaks-composition.h"
#include "drill/tb-peaks-result.h"
#include "live/tb-peaks-state.h"
#include "calls/tb-peaks-call-path.h"

static void
add_string (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

static void
add_share (JsonBuilder *builder, const char *member, double share)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_double_value (builder, share);
}

static void
add_null (JsonBuilder *builder, const char *member)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_null_value (builder);
}

static void
add_bins (JsonBuilder *builder, const TbPeaksResult *self)
{
  const TbPeaksBins *bins = &self->calls->bins;

  json_builder_set_member_name (builder, "bins");
  json_builder_begin_array (builder);
  for (guint bin = self->first; self->has_bins && bin <= self->last; bin++)
    {
      if (bins->edges[bin] == bins->edges[bin + 1])
        continue;
      json_builder_begin_object (builder);
      add_integer (builder, "bin", bin);
      add_integer (builder, "from_ns", bins->edges[bin]);
      add_integer (builder, "to_ns", bins->edges[bin + 1]);
      add_integer (builder, "count", (gint64) self->operation->histogram->counts[bin]);
      add_integer (builder, "total_ns", self->operation->histogram->totals[bin]);
      if (self->state != NULL || self->operation->kind == TB_PEAKS_INFERRED)
        {
          json_builder_set_member_name (builder, "uncertain");
          json_builder_add_boolean_value (builder,
                                          tb_peaks_accuracy_is_within_reach (self, bin)
                                              || bins->edges[bin] <= self->operation->visible_from);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* null: no call path is required. */
static void
add_call_path (JsonBuilder *builder, const TbPeaksCalls *calls)
{
  const char *const *functions
      = calls->call_path != NULL ? tb_peaks_call_path_get_functions (calls->call_path) : NULL;

  if (functions == NULL)
    {
      add_null (builder, "call_path");
      return;
    }
  json_builder_set_member_name (builder, "call_path");
  json_builder_begin_array (builder);
  for (guint i = 0; functions[i] != NULL; i++)
    json_builder_add_string_value (builder, functions[i]);
  json_builder_end_array (builder);
}

/* Upper bound of missing calls: each lost event can hide one. For inferred calls the bound is
 * unknown. */
static void
add_bounds (JsonBuilder *builder, const TbPeaksCalls *calls, const TbPeaksOperation *operation)
{
  add_integer (builder, "unmeasured_calls", (gint64) operation->without_latency);
  if (operation->kind == TB_PEAKS_INFERRED || operation->kind == TB_PEAKS_HOLD)
    add_null (builder, "missing_calls_at_most");
  else
    add_integer (builder, "missing_calls_at_most", (gint64) calls->n_lost);
  json_builder_set_member_name (builder, "inferred");
  json_builder_add_boolean_value (builder, operation->kind == TB_PEAKS_INFERRED);
  add_integer (builder, "seen_from_ns", operation->visible_from);
}

static void
add_id (JsonBuilder *builder, const char *member, guint32 id)
{
  g_autofree char *text = g_strdup_printf ("%u", id);

  add_string (builder, member, id != TB_ID_NONE ? text : NULL);
}

/* The function tree as in the paper: root causes, and the other contributors of their functions.
 * belongs: by node. */
static void
add_tree (JsonBuilder *builder, const TbPeaksResult *self, guint32 root)
{
  GArray *nodes = self->drill->tree->nodes;
  g_autofree guint8 *belongs = g_malloc0 (nodes->len + 1);

  json_builder_set_member_name (builder, "tree");
  json_builder_begin_array (builder);
  for (guint32 i = root; i < nodes->len; i++)
    {
      const TbPeaksNode *node = &g_array_index (nodes, TbPeaksNode, i);
      g_autofree char *label = NULL;

      belongs[i] = i == root || (node->parent != TB_ID_NONE && belongs[node->parent]);
      if (!belongs[i] || node->kind == TB_PEAKS_NODE_ALIAS
          || (i != root && !g_array_index (nodes, TbPeaksNode, node->parent).is_root_cause))
        continue;
      label = tb_peaks_result_get_label (self, i);
      json_builder_begin_object (builder);
      add_id (builder, "id", i);
      add_id (builder, "parent", node->parent);
      add_string (builder, "function", label);
      add_string (builder, "call_site",
                  self->drill->call_sites != NULL
                      ? g_hash_table_lookup (self->drill->call_sites, GUINT_TO_POINTER (i + 1))
                      : NULL);
      add_integer (builder, "maxcount",
                   (gint64) (i == root ? node->self_maxcount : node->maxcount));
      add_integer (builder, "self_maxcount", (gint64) node->self_maxcount);
      add_integer (builder, "calls", (gint64) node->calls);
      add_integer (builder, "total_ns",
                   tb_peaks_node_is_disturbance (node) ? node->disturbed_ns : node->total_ns);
      add_integer (builder, "own_ns", node->own_ns);
      json_builder_set_member_name (builder, "root_cause");
      json_builder_add_boolean_value (builder, node->is_root_cause);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

#define MAX_LINES 8

/* The innermost source lines of a cause, from stacks. */
static void
add_lines (JsonBuilder *builder, const TbPeaksResult *self, guint32 node)
{
  gint64 ns = 0;
  const GArray *lines = tb_peaks_get_lines (self->drill, node, &ns);

  json_builder_set_member_name (builder, "lines");
  json_builder_begin_array (builder);
  for (guint i = 0; lines != NULL && i < lines->len && i < MAX_LINES; i++)
    {
      const TbPeaksLine *line = &g_array_index (lines, TbPeaksLine, i);

      json_builder_begin_object (builder);
      add_string (builder, "function", line->function);
      add_string (builder, "line", line->place);
      add_share (builder, "share", (double) line->ns / (double) MAX (ns, 1));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_causes (JsonBuilder *builder, const TbPeaksResult *self, const GArray *causes)
{
  json_builder_set_member_name (builder, "root_causes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < causes->len; i++)
    {
      const TbPeakCause *cause = &g_array_index (causes, TbPeakCause, i);
      g_auto (GStrv) path = tb_peaks_result_get_path (self, cause->node);
      g_autofree char *detail = tb_peaks_result_describe_node (self, cause->node);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "path");
      json_builder_begin_array (builder);
      for (guint j = 0; path[j] != NULL; j++)
        json_builder_add_string_value (builder, path[j]);
      json_builder_end_array (builder);
      add_string (builder, "kind", tb_peaks_result_get_cause_kind (self, cause->node));
      add_share (builder, "share", cause->share);
      add_string (builder, "detail", detail);
      add_integer (builder, "total_ns", cause->ns);
      add_lines (builder, self, cause->node);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_interrupts (JsonBuilder *builder, const TbPeaksResult *self, guint peak)
{
  g_autoptr (GArray) interrupts = tb_peaks_list_interrupts (self, peak);

  json_builder_set_member_name (builder, "interrupts");
  json_builder_begin_array (builder);
  for (guint i = 0; i < interrupts->len; i++)
    {
      const TbPeakInterrupt *interrupt = &g_array_index (interrupts, TbPeakInterrupt, i);

      json_builder_begin_object (builder);
      add_integer (builder, "number", interrupt->number);
      add_string (builder, "name", *interrupt->name != '\0' ? interrupt->name : NULL);
      add_string (builder, "kind", tb_peaks_get_interrupt_kind (interrupt->kind));
      add_integer (builder, "calls", (gint64) interrupt->calls);
      add_integer (builder, "maxcount", (gint64) interrupt->maxcount);
      add_integer (builder, "total_ns", interrupt->total_ns);
      if (interrupt->expected >= 0)
        add_share (builder, "expected_calls", interrupt->expected);
      else
        add_null (builder, "expected_calls");
      json_builder_set_member_name (builder, "blamed");
      json_builder_add_boolean_value (builder, interrupt->is_frequent_cause);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* How the time of a peak is shared in which no part has a third; null: a root cause has. */
static void
add_shares (JsonBuilder *builder, const TbPeaksResult *self, guint peak)
{
  const GArray *causes = g_ptr_array_index (self->causes, peak);
  g_autoptr (GArray) shares = NULL;

  if (causes->len > 0 && g_array_index (causes, TbPeakCause, 0).share >= TB_PEAKS_LEAST_SHARE)
    {
      add_null (builder, "shared_by");
      return;
    }
  shares = tb_peaks_result_list_shares (self, peak);
  json_builder_set_member_name (builder, "shared_by");
  json_builder_begin_array (builder);
  for (guint i = 0; i < shares->len; i++)
    {
      const TbPeakCause *part = &g_array_index (shares, TbPeakCause, i);
      g_autofree char *place = tb_peaks_result_describe_place (self, part->node);

      json_builder_begin_object (builder);
      add_string (builder, "place", place);
      add_share (builder, "share", part->share);
      add_integer (builder, "total_ns", part->ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The total composition of the examined calls. */
static void
add_parts (JsonBuilder *builder, const TbPeaksResult *self, guint peak)
{
  const TbPeakDrill *drill = &g_array_index (self->drill->peaks, TbPeakDrill, peak);

  json_builder_set_member_name (builder, "parts");
  json_builder_begin_object (builder);
  add_integer (builder, "running_ns", drill->running_ns);
  add_integer (builder, "sampled_ns", drill->sampled_ns);
  add_integer (builder, "waiting_ns", drill->waiting_ns);
  add_integer (builder, "preempted_ns", drill->preempted_ns);
  add_integer (builder, "run_queue_ns", drill->run_queue_ns);
  add_integer (builder, "interrupt_ns", drill->interrupt_ns);
  add_integer (builder, "unknown_ns", drill->unseen_ns);
  add_integer (builder, "unplaced_ns", drill->unplaced_ns);
  add_integer (builder, "probes_ns", drill->probes_ns);
  add_interrupts (builder, self, peak);
  json_builder_end_object (builder);
}

static void
add_distinguishing (JsonBuilder *builder, const TbPeaksResult *self, guint peak)
{
  const GArray *attributes
      = self->attributes != NULL ? g_ptr_array_index (self->attributes, peak) : NULL;

  if (attributes == NULL)
    {
      add_null (builder, "distinguishing");
      return;
    }
  json_builder_set_member_name (builder, "distinguishing");
  json_builder_begin_array (builder);
  for (guint i = 0; i < attributes->len; i++)
    {
      const TbPeakAttribute *attribute = &g_array_index (attributes, TbPeakAttribute, i);

      json_builder_begin_object (builder);
      add_string (builder, "variable", attribute->variable);
      add_string (builder, "value", attribute->value);
      add_share (builder, "information", attribute->association.information);
      add_share (builder, "share_in_peak", attribute->association.share_in);
      add_share (builder, "share_elsewhere", attribute->association.share_out);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_period (JsonBuilder *builder, const TbPeakPeriodicity *periodicity)
{
  json_builder_set_member_name (builder, "periodicity");
  if (periodicity == NULL || periodicity->period.period_ns == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  add_integer (builder, "period_ns", periodicity->period.period_ns);
  add_share (builder, "strength", periodicity->period.strength);
  add_share (builder, "confidence", periodicity->period.confidence);
  add_integer (builder, "bursts", periodicity->period.bursts);
  add_share (builder, "strength_of_all_calls", periodicity->strength_of_all);
  json_builder_end_object (builder);
}

static const TbPeakPeriodicity *
get_periodicity (const TbPeaksResult *self, guint peak)
{
  return self->periodicities != NULL ? &g_array_index (self->periodicities, TbPeakPeriodicity, peak)
                                     : NULL;
}

/* The period of the peak with most time that has one. */
static const TbPeakPeriodicity *
find_periodicity (const TbPeaksResult *self)
{
  const TbPeakPeriodicity *found = NULL;
  gint64 most = -1;

  for (guint i = 0; i < self->ranges->len; i++)
    {
      const TbPeakPeriodicity *periodicity = get_periodicity (self, i);
      gint64 ns = g_array_index (self->drill->peaks, TbPeakDrill, i).total_ns;

      if (periodicity == NULL || periodicity->period.period_ns == 0 || ns <= most)
        continue;
      found = periodicity;
      most = ns;
    }
  return found;
}

/* The parts that take longer than in the calls of the fastest peak. */
static void
add_explanation (JsonBuilder *builder, const TbPeaksResult *self, guint peak)
{
  gint64 ns;
  g_autoptr (GArray) parts = tb_peaks_explain (self, peak, &ns);

  json_builder_set_member_name (builder, "explanation");
  json_builder_begin_array (builder);
  for (guint i = 0; i < parts->len; i++)
    {
      const TbPeakExcess *more = &g_array_index (parts, TbPeakExcess, i);
      g_autofree char *place = tb_peaks_result_describe_place (self, more->node);

      json_builder_begin_object (builder);
      add_string (builder, "place", place);
      add_integer (builder, "more_ns", more->excess_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The rule by which peaks are parted. */
static void
add_peak_rule (JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "peak_rule");
  json_builder_begin_object (builder);
  add_integer (builder, "least_calls", TB_PEAKS_LEAST_CALLS);
  add_share (builder, "chance", TB_PEAKS_CHANCE);
  add_share (builder, "valley_ratio", TB_PEAKS_VALLEY_RATIO);
  json_builder_end_object (builder);
}

static void
add_resumed_search (JsonBuilder *builder, const TbPeaksResult *self)
{
  if (!self->is_compared)
    {
      add_null (builder, "distance");
      return;
    }
  json_builder_set_member_name (builder, "distance");
  json_builder_begin_object (builder);
  add_share (builder, "emd_bins", self->distance);
  add_share (builder, "limit_bins", self->limit);
  json_builder_set_member_name (builder, "same");
  json_builder_add_boolean_value (builder, self->is_same);
  json_builder_end_object (builder);
}

/* The operation that the calls served; null: any. */
static void
add_served_calls (JsonBuilder *builder, const TbPeaksResult *self)
{
  if (self->clients == NULL)
    {
      add_null (builder, "served");
      return;
    }
  json_builder_set_member_name (builder, "served");
  json_builder_begin_object (builder);
  add_string (builder, "operation", self->clients->id);
  add_integer (builder, "from_bin", self->clients_range.first);
  add_integer (builder, "to_bin", self->clients_range.last);
  add_integer (builder, "of_calls", self->n_all);
  json_builder_end_object (builder);
}

/* The peak that another recording can continue from; −1: none until one is chosen. */
static int
get_chosen (const TbPeaksResult *self)
{
  if (self->ranges->len == 1)
    return 0;
  return self->options.peak > 0 && self->options.peak <= self->ranges->len
             ? (int) self->options.peak - 1
             : -1;
}

static void
add_peak (JsonBuilder *builder, const TbPeaksResult *self, guint peak)
{
  const TbPeakRange *range = &g_array_index (self->ranges, TbPeakRange, peak);
  const TbPeakDrill *drill = &g_array_index (self->drill->peaks, TbPeakDrill, peak);
  const TbPeaksHistogram *histogram = self->operation->histogram;

  json_builder_begin_object (builder);
  add_integer (builder, "id", peak + 1);
  add_integer (builder, "from_ns", self->calls->bins.edges[range->first]);
  add_integer (builder, "to_ns", self->calls->bins.edges[range->last + 1]);
  add_integer (builder, "from_bin", range->first);
  add_integer (builder, "to_bin", range->last);
  add_integer (builder, "count", (gint64) drill->calls);
  add_integer (builder, "total_ns", drill->total_ns);
  add_share (builder, "share_calls", (double) drill->calls / (double) MAX (histogram->calls, 1));
  add_share (builder, "share_time",
             (double) drill->total_ns / (double) MAX (histogram->total_ns, 1));
  add_string (builder, "status", tb_peaks_result_get_status (self, peak));
  add_integer (builder, "drilled", (gint64) drill->drilled);
  add_integer (builder, "unsampled", (gint64) drill->unsampled);
  add_integer (builder, "nested", (gint64) drill->nested);
  add_integer (builder, "uncertain", (gint64) drill->uncertain);
  if (self->state != NULL)
    {
      json_builder_set_member_name (builder, "within_reach");
      json_builder_add_boolean_value (builder,
                                      tb_peaks_accuracy_is_within_reach (self, range->first));
    }
  if (self->operation->kind != TB_PEAKS_BLOCK)
    add_parts (builder, self, peak);
  else
    add_null (builder, "parts");
  if (drill->root != TB_ID_NONE)
    add_tree (builder, self, drill->root);
  else
    {
      json_builder_set_member_name (builder, "tree");
      json_builder_begin_array (builder);
      json_builder_end_array (builder);
    }
  add_distinguishing (builder, self, peak);
  add_period (builder, get_periodicity (self, peak));
  add_explanation (builder, self, peak);
  add_causes (builder, self, g_ptr_array_index (self->causes, peak));
  add_shares (builder, self, peak);
  json_builder_end_object (builder);
}

/* The complete state of a live search, for a continuation, and its overhead. */
static void
add_live (JsonBuilder *builder, const TbPeaksResult *self)
{
  static const char *const members[] = { "status",
                                         "peak",
                                         "calls_looked_into",
                                         "calls_left_without_return",
                                         "calls_without_room",
                                         "calls_entered",
                                         "calls_not_counted",
                                         "missed",
                                         "limit",
                                         "cost",
                                         "kernel_probe",
                                         "kernel_probe_cause",
                                         "probes",
                                         "single_stepped_probes",
                                         "decision_ns",
                                         "phase" };
  JsonObject *state = self->state != NULL ? json_node_get_object (self->state) : NULL;

  if (state == NULL)
    {
      json_builder_set_member_name (builder, "state");
      if (get_chosen (self) >= 0)
        json_builder_add_value (builder, tb_peaks_state_make (self, (guint) get_chosen (self)));
      else
        json_builder_add_null_value (builder);
      add_null (builder, "live");
      return;
    }
  json_builder_set_member_name (builder, "state");
  json_builder_add_value (builder, json_node_copy (self->state));
  json_builder_set_member_name (builder, "live");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (json_object_has_member (state, members[i]))
      {
        json_builder_set_member_name (builder, members[i]);
        json_builder_add_value (builder,
                                json_node_copy (json_object_get_member (state, members[i])));
      }
  add_integer (builder, "calls_within_reach", (gint64) tb_peaks_accuracy_count_within_reach (self));
  json_builder_end_object (builder);
}

JsonNode *
tb_peaks_result_to_json (const TbPeaksResult *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_string (builder, "operation", self->operation->id);
  add_integer (builder, "calls", (gint64) self->operation->calls);
  add_integer (builder, "total_ns", self->operation->histogram->total_ns);
  add_integer (builder, "open_calls", (gint64) self->operation->open);
  add_integer (builder, "uncertain_calls", (gint64) self->operation->uncertain);
  add_bounds (builder, self->calls, self->operation);
  add_peak_rule (builder);
  add_call_path (builder, self->calls);
  add_integer (builder, "pathless_calls", (gint64) self->operation->unknown_path);
  add_integer (builder, "resolution", self->calls->bins.resolution);
  add_bins (builder, self);
  json_builder_set_member_name (builder, "peaks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->ranges->len; i++)
    add_peak (builder, self, i);
  json_builder_end_array (builder);
  add_resumed_search (builder, self);
  add_served_calls (builder, self);
  add_live (builder, self);
  add_period (builder, find_periodicity (self));
  tb_peaks_slices_to_json (builder, self->calls, self->first, self->last,
                           self->has_bins ? self->slices : NULL);
  tb_peaks_layers_to_json (builder, self);
  tb_peaks_correlation_to_json (builder, self);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

JsonNode *
tb_peaks_operations_to_json (const TbPeaksCalls *calls)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_call_path (builder, calls);
  json_builder_set_member_name (builder, "operations");
  json_builder_begin_array (builder);
  for (guint i = 0; i < calls->operations->len; i++)
    {
      const TbPeaksOperation *operation = g_ptr_array_index (calls->operations, i);
      g_autoptr (GArray) peaks = tb_peaks_calls_find_peaks (calls, operation);

      json_builder_begin_object (builder);
      add_string (builder, "operation", operation->id);
      add_integer (builder, "calls", (gint64) operation->calls);
      add_integer (builder, "total_ns", operation->histogram->total_ns);
      add_integer (builder, "peaks", peaks->len);
      add_integer (builder, "open_calls", (gint64) operation->open);
      add_integer (builder, "uncertain_calls", (gint64) operation->uncertain);
      add_bounds (builder, calls, operation);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
