/* tb-latency-json.c: writer of the state of a drill-down as JSON: options, histogram, also by
 * slices of time, peaks, tree of examined calls with counters and places, clients, probe cost
 * (read again by tb-latency-resume.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "latency-state/tb-peaks-saved-json.h"
#include "tb-latency-drill-private.h"
#include "tb-latency-source-line.h"

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
add_boolean (JsonBuilder *builder, const char *member, gboolean value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_boolean_value (builder, value);
}

/* [[bin, calls, ns]] */
static void
add_bins (JsonBuilder *builder, const TbLatencyDrill *self)
{
  json_builder_set_member_name (builder, "bins");
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < self->bins.n; bin++)
    if (self->histogram->counts[bin] > 0)
      {
        json_builder_begin_array (builder);
        json_builder_add_int_value (builder, bin);
        json_builder_add_int_value (builder, (gint64) self->histogram->counts[bin]);
        json_builder_add_int_value (builder, self->histogram->totals[bin]);
        json_builder_end_array (builder);
      }
  json_builder_end_array (builder);
}

/* Each slice contains the difference to the one before. */
static void
add_slices (JsonBuilder *builder, const TbLatencyDrill *self)
{
  json_builder_set_member_name (builder, "slices");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->slices->len; i++)
    {
      const TbLatencySlice *slice = &g_array_index (self->slices, TbLatencySlice, i);
      const guint64 *before
          = i > 0 ? g_array_index (self->slices, TbLatencySlice, i - 1).counts : NULL;

      json_builder_begin_object (builder);
      add_integer (builder, "to_ns", slice->time);
      json_builder_set_member_name (builder, "bins");
      json_builder_begin_array (builder);
      for (guint bin = 0; bin < self->bins.n; bin++)
        {
          guint64 count = slice->counts[bin] - (before != NULL ? before[bin] : 0);

          if (count == 0)
            continue;
          json_builder_begin_array (builder);
          json_builder_add_int_value (builder, bin);
          json_builder_add_int_value (builder, (gint64) count);
          json_builder_end_array (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* The histogram before the search: its probes make calls longer. */
static void
add_bins_at_choice (JsonBuilder *builder, const TbLatencyDrill *self)
{
  json_builder_set_member_name (builder, TB_PEAKS_SAVED_BINS_AT_CHOICE);
  if (self->counts_at_choice == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < self->bins.n; bin++)
    {
      if (self->counts_at_choice[bin] == 0)
        continue;
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, bin);
      json_builder_add_int_value (builder, (gint64) self->counts_at_choice[bin]);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

/* The peaks of the histogram as it is written. */
static void
add_ranges (JsonBuilder *builder, const TbLatencyDrill *self)
{
  g_autoptr (GArray) ranges = tb_peaks_find_in_histogram (self->histogram, &self->bins);

  json_builder_set_member_name (builder, "peaks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < ranges->len; i++)
    {
      const TbPeakRange *range = &g_array_index (ranges, TbPeakRange, i);

      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, range->first);
      json_builder_add_int_value (builder, range->last);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

const char *
tb_latency_get_kind_name (TbLatencyKind kind)
{
  static const char *const names[]
      = { "function", "syscall", "wait",  "preempted", "run-queue", "interrupt",
          "others",   "block",   "queue", "service",   "request" };

  return names[kind];
}

/* The call site in the caller's function; NULL: there is none */
static const TbLatencySite *
find_site (const TbLatencyDrill *self, const TbLatencyNode *node, const TbLatencyFunction **caller)
{
  const TbLatencyNode *parent
      = node->parent != G_MAXUINT32 ? &self->tree->nodes[node->parent] : NULL;

  if (parent == NULL || node->site == G_MAXUINT || parent->function == NULL
      || parent->function->code == NULL)
    return NULL;
  *caller = parent->function;
  return &g_array_index (parent->function->code->sites, TbLatencySite, node->site);
}

char *
tb_latency_drill_describe_site (const TbLatencyDrill *self, const TbLatencyNode *node)
{
  const TbLatencyFunction *caller = NULL;
  const TbLatencySite *site = find_site (self, node, &caller);

  return site != NULL ? g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", caller->symbol->name,
                                         site->address - caller->symbol->address)
                      : NULL;
}

/* The source line of a call by f0 or a root cause; others are not shown. */
static char *
describe_site_line (const TbLatencyDrill *self, const TbLatencyNode *node)
{
  const TbLatencyFunction *caller = NULL;
  const TbLatencySite *site = find_site (self, node, &caller);

  if (site == NULL || tb_latency_image_is_kernel (caller->image)
      || (node->parent != F0_NODE && !self->tree->nodes[node->parent].is_root_cause))
    return NULL;
  return tb_latency_find_line (caller->image, site->address + MAX (site->length, 1) - 1);
}

static char *
describe_build (const TbLatencyImage *image)
{
  GString *digits = image->build_id_length > 0 ? g_string_new (NULL) : NULL;

  for (gsize i = 0; i < image->build_id_length; i++)
    g_string_append_printf (digits, "%02x", image->build_id[i]);
  return digits != NULL ? g_string_free (digits, FALSE) : NULL;
}

char *
tb_latency_drill_describe_place (const TbLatencyDrill *self,
                                 const TbLatencyNode *node,
                                 char **build_id)
{
  const TbLatencyFunction *caller = NULL;
  const TbLatencySite *site = find_site (self, node, &caller);
  guint64 offset;

  *build_id = NULL;
  if (site == NULL || site->is_tail || site->length == 0
      || tb_latency_image_is_kernel (caller->image)
      || !tb_latency_image_get_offset (caller->image, site->address + site->length - 1, &offset))
    return NULL;
  *build_id = describe_build (caller->image);
  return tb_peaks_saved_format_site (caller->image->path, offset);
}

static void
add_site (JsonBuilder *builder, const TbLatencyDrill *self, const TbLatencyNode *node)
{
  g_autofree char *site = tb_latency_drill_describe_site (self, node);
  g_autofree char *build_id = NULL;
  g_autofree char *place = tb_latency_drill_describe_place (self, node, &build_id);

  g_autofree char *line = describe_site_line (self, node);

  add_string (builder, "call_site", site);
  add_string (builder, "call_site_line", line);
  add_string (builder, "place", place);
  add_string (builder, "build_id", build_id);
}

/* Adds what another search needs to find the function again, even after its process has ended. */
static void
add_file (JsonBuilder *builder, const TbLatencyNode *node)
{
  const TbLatencyImage *image = node->function != NULL ? node->function->image : NULL;
  const char *path = image != NULL && !tb_latency_image_is_kernel (image) ? image->path : NULL;
  g_autofree char *link = NULL;

  if (path != NULL && g_str_has_prefix (path, "/proc/"))
    {
      const char *root = strstr (path, "/root/");

      link = g_strdup (root != NULL ? root + strlen ("/root") : path);
      path = link;
    }
  add_string (builder, "file", path);
}

/* The clients that the calls served; null: any */
static void
add_clients (JsonBuilder *builder, const TbLatencyDrill *self)
{
  json_builder_set_member_name (builder, "served");
  if (self->clients.path_text == NULL)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  add_string (builder, "operation", self->clients.operation);
  add_string (builder, "path", self->clients.path_text);
  add_integer (builder, "resolution", self->clients.resolution);
  add_integer (builder, "from_bin", self->clients.from_bin);
  add_integer (builder, "to_bin", self->clients.to_bin);
  add_integer (builder, "others", (gint64) self->state.other_clients);
  json_builder_end_object (builder);
}

static void
add_node (JsonBuilder *builder, const TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = &self->tree->nodes[id];
  gboolean is_decided
      = node->parent != G_MAXUINT32 && self->tree->nodes[node->parent].phase == TB_LATENCY_DECIDED;
  const TbCaptureLatencyCounter *callee_counter
      = is_decided ? &node->callee_counter : &node->counter;
  guint64 key = node->key;
  const char *name = node->name;

  if (node->kind == TB_LATENCY_INTERRUPT)
    {
      name = self->sources[node->key].name;
      key = (guint64) self->sources[node->key].kind << 32 | self->sources[node->key].number;
    }
  json_builder_begin_object (builder);
  add_integer (builder, "id", id);
  if (node->kind == TB_LATENCY_INTERRUPT)
    add_integer (builder, "string", self->sources[node->key].string);
  add_integer (builder, "parent", node->parent != G_MAXUINT32 ? (gint64) node->parent : -1);
  add_string (builder, "kind", tb_latency_get_kind_name (node->kind));
  add_string (builder, "name", name);
  add_integer (builder, "key", (gint64) key);
  add_string (builder, "module",
              node->function != NULL ? tb_latency_image_get_name (node->function->image) : NULL);
  add_file (builder, node);
  add_integer (builder, "address",
               node->function != NULL ? (gint64) node->function->symbol->address : 0);
  add_site (builder, self, node);
  add_integer (builder, "phase", node->phase);
  add_boolean (builder, "opened", node->disturbances != 0);
  add_boolean (builder, "root_cause", node->is_root_cause || id == 0);
  add_boolean (builder, "self_cause", node->is_self_cause);
  add_boolean (builder, "cut", node->is_cut);
  add_boolean (builder, "too_short", node->is_too_short);
  add_boolean (builder, "given_up", node->is_abandoned);
  if (node->kind == TB_LATENCY_INTERRUPT && is_decided && node->expected >= 0)
    {
      json_builder_set_member_name (builder, "expected_calls");
      json_builder_add_double_value (builder, node->expected);
      add_boolean (builder, "blamed", node->is_blamed);
    }
  add_integer (builder, "calls", (gint64) callee_counter->calls);
  add_integer (builder, "maxcount", (gint64) callee_counter->maxcount);
  add_integer (builder, "callee_ns", (gint64) callee_counter->total);
  add_integer (builder, "open_calls", (gint64) node->counter.calls);
  add_integer (builder, "self_maxcount", (gint64) node->counter.self_maxcount);
  add_integer (builder, "total_ns", (gint64) node->counter.total);
  add_integer (builder, "self_ns", (gint64) node->counter.self_total);
  add_integer (builder, "entered", (gint64) node->counter.entered);
  if (node->places != NULL)
    tb_latency_places_describe (builder, node);
  json_builder_end_object (builder);
}

static void
add_nodes (JsonBuilder *builder, const TbLatencyDrill *self)
{
  json_builder_set_member_name (builder, "nodes");
  json_builder_begin_array (builder);
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (self->tree->nodes[i].is_used
        && (i == 0 || self->tree->nodes[i].counter.calls > 0
            || self->tree->nodes[i].callee_counter.calls > 0))
      add_node (builder, self, i);
  json_builder_end_array (builder);
}

static void
add_options (JsonBuilder *builder, const TbLatencyOptions *options)
{
  json_builder_set_member_name (builder, "options");
  json_builder_begin_object (builder);
  add_integer (builder, "start-ops", options->warmup_calls);
  add_integer (builder, "start-peak", options->start_peak);
  add_integer (builder, "decision-ops", options->decision_calls);
  json_builder_set_member_name (builder, "maxcount-percentage");
  json_builder_add_double_value (builder, options->root_cause_threshold);
  add_integer (builder, "max-depth", options->max_depth);
  add_integer (builder, "max-probes", options->max_probes);
  add_integer (builder, "tid", options->thread);
  json_builder_end_object (builder);
}

guint64
tb_latency_drill_get_reach (const TbLatencyDrill *self)
{
  return self->probes.cost.floor > 0 ? self->probes.cost.floor : self->probes.cost.call;
}

/* The cost of the probes in ns; null: unknown */
static void
add_cost (JsonBuilder *builder, const TbLatencyDrill *self)
{
  const struct
  {
    const char *member;
    guint64 value;
  } costs[] = { { "call_ns", self->probes.cost.call },
                { "subtracted_ns", self->probes.cost.floor },
                { "site_ns", self->probes.cost.site },
                { "stepped_site_ns", self->probes.cost.stepped },
                { "reach_ns", tb_latency_drill_get_reach (self) } };

  json_builder_set_member_name (builder, "cost");
  if (self->probes.cost.call == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
    if (costs[i].value > 0 || g_str_equal (costs[i].member, "subtracted_ns"))
      add_integer (builder, costs[i].member, (gint64) costs[i].value);
  json_builder_end_object (builder);
}

char *
tb_latency_drill_describe (TbLatencyDrill *self, gint64 from, gint64 to)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  g_mutex_lock (&self->lock);
  json_builder_begin_object (builder);
  add_string (builder, "format", "tailback-latency");
  add_integer (builder, "version", 1);
  add_string (builder, "operation", self->operation);
  add_string (builder, "phase", self->phase.name);
  add_clients (builder, self);
  add_string (builder, "status", tb_latency_tree_get_status (self->tree));
  add_integer (builder, "from_ns", from);
  add_integer (builder, "to_ns", to);
  add_integer (builder, "resolution", self->bins.resolution);
  add_options (builder, &self->options);
  add_bins (builder, self);
  add_bins_at_choice (builder, self);
  add_ranges (builder, self);
  add_integer (builder, "peak", self->peak);
  add_integer (builder, "from_bin", self->is_peak_chosen ? (gint64) self->range.first : -1);
  add_integer (builder, "to_bin", self->is_peak_chosen ? (gint64) self->range.last : -1);
  add_integer (builder, "calls_looked_into",
               (gint64) (self->state.calls + tb_latency_drill_get_saved_calls (self)));
  add_integer (builder, "calls_left_without_return", (gint64) self->state.abandoned);
  add_integer (builder, "calls_without_room", (gint64) self->state.full);
  add_integer (builder, "calls_entered", (gint64) self->state.entered);
  add_integer (builder, "calls_not_counted", (gint64) self->state.truncated);
  add_integer (builder, "missed", (gint64) self->state.missed);
  add_string (builder, "limit", tb_latency_tree_get_limit (self->tree));
  add_cost (builder, self);
  add_string (builder, "kernel_probe", self->kernel.probe_kind);
  add_string (builder, "kernel_probe_cause", self->kernel.probe_reason);
  add_integer (builder, "probes", self->probes.n_most);
  add_integer (builder, "single_stepped_probes", self->probes.n_single_stepped);
  add_integer (builder, "decision_ns",
               self->is_peak_chosen && self->times.decided > 0
                   ? self->times.decided - self->times.chosen
                   : -1);
  json_builder_set_member_name (builder, "resumed_distance");
  if (self->saved.distance >= 0)
    json_builder_add_double_value (builder, self->saved.distance);
  else
    json_builder_add_null_value (builder);
  add_nodes (builder, self);
  add_slices (builder, self);
  tb_latency_slow_describe (builder, self);
  json_builder_end_object (builder);
  g_mutex_unlock (&self->lock);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}
