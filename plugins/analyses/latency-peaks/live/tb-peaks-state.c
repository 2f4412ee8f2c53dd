/* tb-peaks-state.c: saved drill-down as JSON: written for a peak; read to continue it: its
 * latencies compared with this recording's, its counters added to the matching nodes of the tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is untrusted: invalid numbers are left out.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "report/histogram/tb-histogram-distance.h"
#include "latency-state/tb-peaks-saved-site.h"
#include "latency-state/tb-peaks-saved-json.h"
#include "drill/tb-peaks-sites.h"
#include "tb-peaks-state.h"

struct _TbPeaksState
{
  JsonParser *parser;
  JsonObject *object;
};

static const struct
{
  TbPeaksNodeKind kind;
  const char *name;
} kinds[] = {
  { TB_PEAKS_NODE_FUNCTION, "function" },   { TB_PEAKS_NODE_WAIT, "wait" },
  { TB_PEAKS_NODE_SERVED, "served" },       { TB_PEAKS_NODE_SERVING, "serving" },
  { TB_PEAKS_NODE_DELAYED, "delayed" },     { TB_PEAKS_NODE_QUEUE, "queue" },
  { TB_PEAKS_NODE_SERVICE, "service" },     { TB_PEAKS_NODE_HOLDER, "holder" },
  { TB_PEAKS_NODE_NESTED, "nested" },       { TB_PEAKS_NODE_PREEMPTED, "preempted" },
  { TB_PEAKS_NODE_RUN_QUEUE, "run-queue" }, { TB_PEAKS_NODE_INTERRUPT, "interrupt" },
};

static const char *
get_kind_name (const TbPeaksNode *node)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == node->kind)
      return node->kind == TB_PEAKS_NODE_FUNCTION && node->parent != TB_ID_NONE
                     && g_str_has_prefix ((const char *) (gsize) node->key, "syscall:")
                 ? "syscall"
                 : kinds[i].name;
  return "function";
}

/* --- reading --- */

TbPeaksState *
tb_peaks_state_parse (const char *text, GError **error)
{
  g_autoptr (TbPeaksState) self = g_new0 (TbPeaksState, 1);

  self->parser = json_parser_new ();
  if (strlen (text) <= TB_PEAKS_SAVED_MAX_LENGTH
      && json_parser_load_from_data (self->parser, text, -1, NULL))
    self->object = tb_peaks_saved_find_state (json_parser_get_root (self->parser));
  if (self->object != NULL)
    return g_steal_pointer (&self);
  g_set_error_literal (
      error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
      _ ("resume: not the JSON of a drill-down: use the report of one peak of an operation, or the "
         "state in it"));
  return NULL;
}

void
tb_peaks_state_free (TbPeaksState *self)
{
  g_clear_object (&self->parser);
  g_free (self);
}

const char *
tb_peaks_state_get_operation (const TbPeaksState *self)
{
  return tb_peaks_saved_get_string (self->object, "operation");
}

gboolean
tb_peaks_state_is_of (const TbPeaksState *self, const TbPeaksOperation *operation)
{
  return tb_peaks_saved_is_of (self->object, operation->id);
}

gboolean
tb_peaks_state_fits (const TbPeaksState *self, const TbPeaksCalls *calls, GError **error)
{
  TbPeakRange range = tb_peaks_state_get_range (self);

  if (tb_peaks_saved_get_integer (self->object, "resolution", 0) != calls->bins.resolution
      || range.first > range.last || range.last >= calls->bins.n)
    {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
          _ ("resume: the earlier recording has no chosen peak, or another resolution"));
      return FALSE;
    }
  return TRUE;
}

TbPeaksDistance
tb_peaks_state_compare (const TbPeaksState *self,
                        const TbPeaksCalls *calls,
                        const TbPeaksOperation *operation)
{
  guint n = calls->bins.n;
  JsonObject *cost = tb_peaks_saved_get_object (self->object, "cost");
  int reach
      = cost != NULL
            ? tb_peaks_saved_find_reach (&calls->bins,
                                         tb_peaks_saved_get_integer (cost, "call_ns", 0),
                                         operation->histogram->counts, operation->probed_calls)
            : -1;
  g_autofree guint64 *counts = tb_peaks_saved_read_counts (self->object, n);
  g_autofree guint64 *earlier = tb_peaks_saved_pool (counts, n, reach);
  g_autofree guint64 *now = tb_peaks_saved_pool (operation->histogram->counts, n, reach);
  TbPeaksDistance distance
      = { .bins = tb_histogram_get_distance (earlier, now, n),
          .limit = tb_peaks_saved_get_limit (earlier, n, operation->histogram->calls) };

  distance.is_same = distance.bins <= distance.limit;
  return distance;
}

TbPeakRange
tb_peaks_state_get_range (const TbPeaksState *self)
{
  gint64 first = tb_peaks_saved_get_integer (self->object, "from_bin", -1),
         last = tb_peaks_saved_get_integer (self->object, "to_bin", -1);

  if (first < 0 || last < first || last > TB_PEAKS_MAX_BINS)
    return (TbPeakRange) { 1, 0 };
  return (TbPeakRange) { (guint) first, (guint) last };
}

/* --- continuation --- */

/* A live search does not examine the objects of waits, and its disturbances have no names. */
static gboolean
is_same_live_node (TbPeaksResult *result, guint32 node, JsonObject *saved)
{
  const TbPeaksNode *of = tb_peaks_tree_node (result->drill->tree, node);
  gint64 key = tb_peaks_saved_get_integer (saved, "key", 0);
  g_autofree char *caller = tb_peaks_result_get_label (result, of->parent);

  if (!g_str_equal (tb_peaks_saved_get_string (saved, "kind"), get_kind_name (of)))
    return FALSE;
  switch (of->kind)
    {
    case TB_PEAKS_NODE_INTERRUPT:
      return of->key >> 32 == tb_peaks_live_make_interrupt (key, 0) >> 32;
    case TB_PEAKS_NODE_WAIT:
      return of->key == tb_peaks_live_guess_wait (caller, key);
    default:
      return TRUE;
    }
}

static gboolean
is_same_node (TbPeaksResult *result, guint32 node, JsonObject *saved, gboolean is_live)
{
  g_autofree char *label = NULL;

  if (is_live)
    return is_same_live_node (result, node, saved);
  label = tb_peaks_result_get_label (result, node);
  return g_str_equal (label, tb_peaks_saved_get_string (saved, "name"));
}

/* The nodes of a recording by parent; nodes created during the continuation are not included. */
typedef struct
{
  guint32 *first; /* first child of a node, TB_ID_NONE if it has none */
  guint32 *next;  /* next child of the same parent */
  guint32 n;
  GHashTable *duplicates; /* of the state: "parent/name" → number of its nodes with that key */
  TbPeaksSites sites;
} NodeIndex;

static char *
make_duplicate_key (JsonObject *saved)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT "/%s",
                          tb_peaks_saved_get_integer (saved, "parent", -1),
                          tb_peaks_saved_get_string (saved, "name"));
}

static void
count_duplicates (NodeIndex *self, JsonArray *nodes)
{
  self->duplicates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < MIN (tb_peaks_saved_get_length (nodes), TB_PEAKS_SAVED_MAX_NODES); i++)
    {
      JsonObject *saved = tb_peaks_saved_get_element (nodes, i);
      char *key = saved != NULL ? make_duplicate_key (saved) : NULL;

      if (key != NULL)
        g_hash_table_replace (
            self->duplicates, key,
            GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->duplicates, key)) + 1));
    }
}

static gboolean
has_duplicate (const NodeIndex *self, JsonObject *saved)
{
  g_autofree char *key = make_duplicate_key (saved);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->duplicates, key)) > 1;
}

static void
node_index_init (NodeIndex *self, const TbPeaksTree *tree, JsonArray *nodes)
{
  self->n = tree->nodes->len;
  self->first = g_new (guint32, self->n + 1);
  self->next = g_new (guint32, self->n + 1);
  memset (self->first, 0xff, (self->n + 1) * sizeof *self->first);
  for (guint32 i = self->n; i-- > 0;)
    {
      guint32 parent = tb_peaks_tree_node (tree, i)->parent;

      self->next[i] = parent != TB_ID_NONE ? self->first[parent] : TB_ID_NONE;
      if (parent != TB_ID_NONE)
        self->first[parent] = i;
    }
  count_duplicates (self, nodes);
}

static void
node_index_clear (NodeIndex *self)
{
  g_free (self->first);
  g_free (self->next);
  g_clear_pointer (&self->duplicates, g_hash_table_unref);
  tb_peaks_sites_clear (&self->sites);
}

static guint32
get_first (const NodeIndex *self, guint32 parent)
{
  return parent < self->n ? self->first[parent] : TB_ID_NONE;
}

/* Adds a function from the state. One without a known place is kept separate from those with a
 * place. */
static guint32
add_function (TbPeaksResult *result,
              guint32 parent,
              const char *name,
              JsonObject *saved,
              const char *place)
{
  const char *site = tb_peaks_saved_get_string (saved, "call_site");
  guint32 added = tb_peaks_tree_get_called (result->drill->tree, parent, TB_PEAKS_NODE_FUNCTION,
                                            (guint64) (gsize) name,
                                            tb_peaks_sites_hash (*place != '\0' ? place : site));
  TbPeaksNode *node = tb_peaks_tree_node (result->drill->tree, added);

  node->saved_place = g_string_chunk_insert_const (result->drill->names, place);
  node->saved_build = g_string_chunk_insert_const (result->drill->names,
                                                   tb_peaks_saved_get_string (saved, "build_id"));
  node->saved_site = g_string_chunk_insert_const (result->drill->names, site);
  return added;
}

/* The function called at the same place, else the only one of that name unless both places are
 * known. Otherwise a new node is created. */
static guint32
find_function (TbPeaksResult *result,
               const NodeIndex *node_index,
               guint32 parent,
               JsonObject *saved,
               gboolean is_live)
{
  TbPeaksTree *tree = result->drill->tree;
  const char *name = g_string_chunk_insert_const (result->drill->names,
                                                  tb_peaks_saved_get_string (saved, "name"));
  TbPeaksSavedMatches *matches = &result->matches;
  gboolean is_damaged;
  TbPeaksSavedSite saved_site_text = tb_peaks_saved_get_site (saved, &is_damaged);
  /* A function without a place matches only a function without a call site. */
  gboolean is_unplaced = !is_live && !is_damaged && *saved_site_text.text == '\0'
                         && json_object_has_member (saved, "place");
  guint32 same = TB_ID_NONE, maybe = TB_ID_NONE;
  guint n_same = 0, n_maybe = 0;

  matches->n_damaged += is_damaged;
  for (guint32 i = get_first (node_index, parent); i != TB_ID_NONE; i = node_index->next[i])
    {
      const TbPeaksNode *node = tb_peaks_tree_node (tree, i);
      g_autofree char *text = NULL;
      TbPeaksSavedSite place;
      TbPeaksSiteMatch match;

      if (node->kind != TB_PEAKS_NODE_FUNCTION || (const char *) (gsize) node->key != name)
        continue;
      text = tb_peaks_sites_format (&node_index->sites, node->site);
      place
          = (TbPeaksSavedSite) { text, tb_peaks_sites_get_build (&node_index->sites, node->site) };
      match = is_unplaced && node->site == 0
                  ? TB_PEAKS_SITE_SAME
                  : tb_peaks_saved_match_sites (&saved_site_text, &place);
      if (match == TB_PEAKS_SITE_SAME && n_same++ == 0)
        same = i;
      if (match == TB_PEAKS_SITE_UNCERTAIN && n_maybe++ == 0)
        maybe = i;
    }
  if (n_same == 1)
    return same;
  if (n_same == 0 && n_maybe == 1 && !has_duplicate (node_index, saved))
    {
      matches->n_by_name += !g_str_equal (tb_peaks_saved_get_string (saved, "kind"), "syscall");
      return maybe;
    }
  matches->n_ambiguous += n_same + n_maybe > 0;
  matches->n_elsewhere += n_same + n_maybe == 0 && parent < node_index->n
                          && tb_peaks_saved_get_boolean (saved, "root_cause");
  return add_function (result, parent, name, saved, saved_site_text.text);
}

/* The node of this recording that corresponds to a saved node; TB_ID_NONE if there is none. */
static guint32
find_node (TbPeaksResult *result,
           const NodeIndex *node_index,
           guint32 parent,
           JsonObject *saved,
           gboolean is_live)
{
  TbPeaksTree *tree = result->drill->tree;
  const char *kind = tb_peaks_saved_get_string (saved, "kind");

  if (g_str_equal (kind, "function") || g_str_equal (kind, "syscall"))
    return find_function (result, node_index, parent, saved, is_live);
  for (guint32 i = get_first (node_index, parent); i != TB_ID_NONE; i = node_index->next[i])
    if (tb_peaks_tree_node (tree, i)->kind != TB_PEAKS_NODE_ALIAS
        && tb_peaks_tree_node (tree, i)->kind != TB_PEAKS_NODE_FUNCTION
        && is_same_node (result, i, saved, is_live))
      return i;
  return TB_ID_NONE;
}

/* The function's own counters are not comparable if its callees were below the maximum depth in the
 * state, and no longer are. */
static void
add_counters (const TbPeaksResult *result, TbPeaksNode *node, JsonObject *saved)
{
  gboolean was_cut = tb_peaks_saved_get_boolean (saved, "cut");

  node->calls += tb_peaks_saved_get_count (saved, "calls");
  node->maxcount += tb_peaks_saved_get_count (saved, "maxcount");
  node->own_ns += (gint64) tb_peaks_saved_get_count (saved, "own_ns");
  if (!was_cut || node->depth >= result->options.max_depth)
    {
      node->is_cut |= was_cut;
      node->self_maxcount += tb_peaks_saved_get_count (saved, "self_maxcount");
      node->self_ns += (gint64) tb_peaks_saved_get_count (saved, "self_ns");
    }
  if (tb_peaks_node_is_disturbance (node))
    node->disturbed_ns += (gint64) tb_peaks_saved_get_count (saved, "callee_ns");
}

gboolean
tb_peaks_state_add (const TbPeaksState *self, TbPeaksResult *result, GError **error)
{
  TbPeakDrill *peak = &g_array_index (result->drill->peaks, TbPeakDrill, 0);
  JsonArray *nodes = tb_peaks_saved_get_array (self->object, "nodes");
  gboolean is_live = !g_str_equal (tb_peaks_saved_get_string (self->object, "source"), "recording");
  g_autofree guint32 *node_of = g_new (guint32, TB_PEAKS_SAVED_MAX_NODES);
  NodeIndex node_index = { 0 };

  if (!tb_peaks_sites_init (&node_index.sites, tb_trace_get_session (result->calls->trace), error))
    {
      tb_peaks_sites_clear (&node_index.sites);
      return FALSE;
    }
  memset (node_of, 0xff, TB_PEAKS_SAVED_MAX_NODES * sizeof *node_of);
  if (peak->root == TB_ID_NONE)
    peak->root = tb_peaks_tree_get (result->drill->tree, TB_ID_NONE, TB_PEAKS_NODE_FUNCTION, 0);
  node_index_init (&node_index, result->drill->tree, nodes);
  for (guint i = 0; i < tb_peaks_saved_get_length (nodes); i++)
    {
      JsonObject *saved = tb_peaks_saved_get_element (nodes, i);
      gint64 id = saved != NULL ? tb_peaks_saved_get_integer (saved, "id", -1) : -1;
      gint64 parent = saved != NULL ? tb_peaks_saved_get_integer (saved, "parent", -1) : -1;

      if (id < 0 || id >= TB_PEAKS_SAVED_MAX_NODES || node_of[id] != TB_ID_NONE || parent >= id
          || (parent < 0) != (id == 0) || (parent >= 0 && node_of[parent] == TB_ID_NONE))
        continue;
      node_of[id]
          = id == 0 ? peak->root : find_node (result, &node_index, node_of[parent], saved, is_live);
      if (node_of[id] != TB_ID_NONE)
        add_counters (result, tb_peaks_tree_node (result->drill->tree, node_of[id]), saved);
    }
  peak->drilled += tb_peaks_saved_get_count (self->object, "calls_looked_into");
  node_index_clear (&node_index);
  return TRUE;
}

/* --- writing --- */

static void
add_string (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, value);
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

static void
add_bins (JsonBuilder *builder, const TbPeaksResult *result)
{
  const TbPeaksHistogram *histogram = result->operation->histogram;
  g_autofree guint64 *before
      = result->resumed != NULL
            ? tb_peaks_saved_read_counts (result->resumed->object, result->calls->bins.n)
            : NULL;

  json_builder_set_member_name (builder, "bins");
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < result->calls->bins.n; bin++)
    {
      guint64 count = histogram->counts[bin] + (before != NULL ? before[bin] : 0);

      if (count == 0)
        continue;
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, bin);
      json_builder_add_int_value (builder, (gint64) count);
      json_builder_add_int_value (builder, histogram->totals[bin]);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

/* Those of this recording alone: another may have measured its probes. */
static void
add_probed_calls (JsonBuilder *builder, const TbPeaksResult *result)
{
  const guint64 *probed = result->operation->probed_calls;

  if (probed == NULL)
    return;
  json_builder_set_member_name (builder, TB_PEAKS_SAVED_PROBED_CALLS);
  json_builder_begin_array (builder);
  for (guint bin = 0; bin < result->calls->bins.n; bin++)
    if (probed[bin] > 0)
      {
        json_builder_begin_array (builder);
        json_builder_add_int_value (builder, bin);
        json_builder_add_int_value (builder, (gint64) probed[bin]);
        json_builder_end_array (builder);
      }
  json_builder_end_array (builder);
}

/* number: number of the node, not counting aliases. */
static void
add_node (JsonBuilder *builder,
          const TbPeaksResult *result,
          const TbPeaksSites *sites,
          guint32 i,
          guint number,
          const guint *number_of)
{
  const TbPeaksNode *node = tb_peaks_tree_node (result->drill->tree, i);
  const char *site = g_hash_table_lookup (result->drill->call_sites, GUINT_TO_POINTER (i + 1));
  g_autofree char *label = tb_peaks_result_get_label (result, i);
  g_autofree char *place = node->saved_place != NULL ? g_strdup (node->saved_place)
                                                     : tb_peaks_sites_format (sites, node->site);
  const char *build = node->saved_build != NULL ? node->saved_build
                                                : tb_peaks_sites_get_build (sites, node->site);

  json_builder_begin_object (builder);
  add_integer (builder, "id", number);
  add_integer (builder, "parent", number > 0 ? (gint64) number_of[node->parent] : -1);
  add_string (builder, "kind", get_kind_name (node));
  add_string (builder, "name", label);
  add_string (builder, "call_site", site != NULL ? site : "");
  add_string (builder, "place", place != NULL ? place : "");
  add_string (builder, "build_id", build);
  add_integer (builder, "phase", TB_PEAKS_SAVED_DECIDED);
  add_boolean (builder, "opened", node->kind <= TB_PEAKS_NODE_SERVED);
  add_boolean (builder, "root_cause", node->is_root_cause);
  add_boolean (builder, "self_cause", node->is_self_cause);
  add_boolean (builder, "cut", node->is_cut);
  add_integer (builder, "calls", (gint64) node->calls);
  add_integer (builder, "open_calls", (gint64) node->calls);
  add_integer (builder, "maxcount", (gint64) node->maxcount);
  add_integer (builder, "self_maxcount", (gint64) node->self_maxcount);
  add_integer (builder, "callee_ns",
               tb_peaks_node_is_disturbance (node) ? node->disturbed_ns : node->total_ns);
  add_integer (builder, "total_ns", node->total_ns);
  add_integer (builder, "self_ns", node->self_ns);
  add_integer (builder, "own_ns", node->own_ns);
  json_builder_end_object (builder);
}

static void
add_nodes (JsonBuilder *builder, const TbPeaksResult *result, guint32 root)
{
  TbPeaksTree *tree = result->drill->tree;
  g_autofree guint *number_of = g_new (guint, tree->nodes->len + 1);
  TbPeaksSites sites;
  guint n = 0;

  /* Without sites, the nodes are written without places. */
  if (!tb_peaks_sites_init (&sites, tb_trace_get_session (result->calls->trace), NULL))
    sites.n_frames = 0;

  json_builder_set_member_name (builder, "nodes");
  json_builder_begin_array (builder);
  memset (number_of, 0xff, (tree->nodes->len + 1) * sizeof *number_of);
  for (guint32 i = root; i < tree->nodes->len && n < TB_PEAKS_SAVED_MAX_NODES; i++)
    {
      const TbPeaksNode *node = tb_peaks_tree_node (tree, i);

      if (node->kind == TB_PEAKS_NODE_ALIAS
          || (i != root && (node->parent == TB_ID_NONE || number_of[node->parent] == G_MAXUINT)))
        continue;
      number_of[i] = n;
      add_node (builder, result, &sites, i, n++, number_of);
    }
  json_builder_end_array (builder);
  tb_peaks_sites_clear (&sites);
}

JsonNode *
tb_peaks_state_make (const TbPeaksResult *result, guint peak)
{
  const TbPeakRange *range = &g_array_index (result->ranges, TbPeakRange, peak);
  const TbPeakDrill *drill = &g_array_index (result->drill->peaks, TbPeakDrill, peak);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_string (builder, "format", TB_PEAKS_SAVED_FORMAT);
  add_integer (builder, "version", 1);
  add_string (builder, "source", "recording");
  add_string (builder, "operation", result->operation->id);
  add_string (builder, "status", tb_peaks_result_get_status (result, peak));
  add_integer (builder, "resolution", result->calls->bins.resolution);
  add_integer (builder, "peak", result->is_drawn ? 0 : peak + 1);
  add_integer (builder, "from_bin", range->first);
  add_integer (builder, "to_bin", range->last);
  add_integer (builder, "calls_looked_into", (gint64) drill->drilled);
  add_bins (builder, result);
  add_probed_calls (builder, result);
  if (drill->root != TB_ID_NONE)
    add_nodes (builder, result, drill->root);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
