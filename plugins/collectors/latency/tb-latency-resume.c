/* tb-latency-resume.c: going on from what an earlier drill-down has found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is put back into the kernel but what is needed: on the way down decisions that were taken before are taken again at
 * once, with the counters of then.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "extend/tb-option.h"
#include "report/histogram/tb-histogram-distance.h"
#include "tb-latency-drill-private.h"

#define MAX_STATE (64u << 20)
/* In bins: the machine's own unrest moves latencies as far. */
#define UNREST 0.5

static gint64
get_integer (JsonObject *object, const char *member, gint64 otherwise)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
             ? json_node_get_int (node)
             : otherwise;
}

static const char *
get_string (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : "";
}

static gboolean
is_true (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN
         && json_node_get_boolean (node);
}

static JsonArray *
get_array (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static JsonObject *
get_member (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gboolean
refuse (GError **error, const char *format, const char *path, const char *what)
{
  g_autofree char *text = g_strdup_printf ("%s", path);

  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, "resume: %s: %s%s", text, format, what);
  return FALSE;
}

static void
read_histogram (TbLatencyDrill *self, JsonObject *state)
{
  JsonArray *bins = get_array (state, "bins");

  self->saved_counts = g_new0 (guint64, self->bins.n);
  for (guint i = 0; bins != NULL && i < json_array_get_length (bins); i++)
    {
      JsonNode *element = json_array_get_element (bins, i);
      JsonArray *row = JSON_NODE_HOLDS_ARRAY (element) ? json_node_get_array (element) : NULL;
      gint64 bin, count;

      if (row == NULL || json_array_get_length (row) < 2)
        continue;
      bin = json_node_get_int (json_array_get_element (row, 0));
      count = json_node_get_int (json_array_get_element (row, 1));
      if (bin >= 0 && bin < self->bins.n && count > 0)
        self->saved_counts[bin] = (guint64) count;
    }
}

gboolean
tb_latency_drill_resume (TbLatencyDrill *self, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  JsonObject *state;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  if (length > MAX_STATE || !json_parser_load_from_data (parser, text, (gssize) length, NULL)
      || json_parser_get_root (parser) == NULL || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return refuse (error, _ ("this is no JSON of a drill-down"), path, "");
  state = json_node_get_object (json_parser_get_root (parser));
  /* A report has it in its summary. */
  if (get_member (get_member (state, "summary"), "state") != NULL)
    state = get_member (get_member (state, "summary"), "state");
  if (strcmp (get_string (state, "format"), "tailback-latency") != 0)
    return refuse (error, _ ("this is no JSON of a drill-down"), path, "");
  if (strcmp (get_string (state, "operation"), self->operation) != 0)
    return refuse (error, _ ("it is of another function, "), path, get_string (state, "operation"));
  if (get_integer (state, "resolution", 0) != self->bins.resolution || get_integer (state, "from_bin", -1) < 0
      || get_integer (state, "to_bin", -1) >= self->bins.n
      || get_integer (state, "from_bin", -1) > get_integer (state, "to_bin", -1))
    return refuse (error, _ ("no peak was chosen then, or bins were others"), path, "");
  self->saved = json_object_ref (state);
  read_histogram (self, state);
  return TRUE;
}

/* The last bin whose calls are no longer than their probes took, then or now; -1 none. */
static int
find_reach (const TbLatencyDrill *self)
{
  guint64 now = tb_latency_drill_get_reach (self);
  gint64 then = get_integer (get_member (self->saved, "cost"), "reach_ns", 0);

  if (now == 0)
    return -1;
  return (int) tb_peaks_bins_find (&self->bins, CLAMP (then, (gint64) now, 2 * (gint64) now));
}

/* Where calls are within the reach of their probes tells more about these than about the calls: it is one bin. */
static guint64 *
pool_reach (const guint64 *counts, guint n, int reach)
{
  guint64 *pooled = g_memdup2 (counts, n * sizeof *counts);

  for (int bin = 0; bin < reach; bin++)
    {
      pooled[reach] += pooled[bin];
      pooled[bin] = 0;
    }
  return pooled;
}

gboolean
tb_latency_drill_is_as_before (TbLatencyDrill *self)
{
  int reach = find_reach (self);
  g_autofree guint64 *then = pool_reach (self->saved_counts, self->bins.n, reach);
  g_autofree guint64 *now = pool_reach (self->histogram->counts, self->bins.n, reach);
  double distance = tb_histogram_get_distance (then, now, self->bins.n);
  double limit
      = MAX (tb_histogram_get_distance_by_chance (then, self->bins.n, G_MAXUINT64, self->histogram->calls),
             UNREST);

  self->distance = distance;
  if (distance <= limit)
    return TRUE;
  g_ptr_array_add (
      self->warnings,
      g_strdup_printf (_ ("Not resumed: calls of %s are distributed otherwise than then, by %.2f bins "
                          "where chance makes %.2f. Begin anew, without resume."),
                       self->operation, distance, limit));
  return FALSE;
}

void
tb_latency_drill_get_saved_range (TbLatencyDrill *self, TbPeakRange *range)
{
  range->first = (guint) get_integer (self->saved, "from_bin", 0);
  range->last = (guint) get_integer (self->saved, "to_bin", 0);
}

static char *
describe_site (TbLatencyDrill *self, const TbLatencyNode *node)
{
  const TbLatencyNode *parent = node->parent != G_MAXUINT32 ? get_node (self, node->parent) : NULL;
  const TbLatencySite *site;

  if (parent == NULL || node->site == G_MAXUINT || parent->function == NULL)
    return g_strdup ("");
  site = &g_array_index (tb_latency_function_get_code (parent->function)->sites, TbLatencySite, node->site);
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", parent->function->symbol->name,
                          site->address - parent->function->symbol->address);
}

/* The node of then; NULL none. */
static JsonObject *
find_saved (TbLatencyDrill *self, guint32 id)
{
  const TbLatencyNode *node = get_node (self, id);
  JsonArray *nodes = self->saved != NULL ? get_array (self->saved, "nodes") : NULL;
  gint64 parent = -1;
  g_autofree char *site = describe_site (self, node);

  if (nodes == NULL)
    return NULL;
  if (node->parent != G_MAXUINT32)
    {
      if (get_node (self, node->parent)->saved == NULL)
        return NULL;
      parent = get_integer (get_node (self, node->parent)->saved, "id", -2);
    }
  for (guint i = 0; i < json_array_get_length (nodes); i++)
    {
      JsonNode *element = json_array_get_element (nodes, i);
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;

      if (object != NULL && get_integer (object, "parent", -3) == parent
          && strcmp (get_string (object, "kind"), tb_latency_get_kind_name (node->kind)) == 0
          && g_strcmp0 (get_string (object, "name"), node->name != NULL ? node->name : "") == 0
          && strcmp (get_string (object, "call_site"), site) == 0)
        return object;
    }
  return NULL;
}

static void
read_counter (JsonObject *object, gboolean as_callee, TbCaptureLatencyCounter *counter)
{
  counter->calls = (guint64) MAX (get_integer (object, as_callee ? "calls" : "open_calls", 0), 0);
  counter->total = (guint64) MAX (get_integer (object, as_callee ? "callee_ns" : "total_ns", 0), 0);
  counter->self_total = (guint64) MAX (get_integer (object, "self_ns", 0), 0);
  counter->maxcount = (guint64) MAX (get_integer (object, "maxcount", 0), 0);
  counter->self_maxcount = (guint64) MAX (get_integer (object, "self_maxcount", 0), 0);
  counter->entered = (guint64) MAX (get_integer (object, "entered", 0), 0);
}

gboolean
tb_latency_drill_recall (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (node->saved == NULL)
    node->saved = find_saved (self, id);
  if (node->saved == NULL || get_integer (node->saved, "phase", 0) != TB_LATENCY_DECIDED
      || !is_true (node->saved, "opened"))
    return FALSE;
  read_counter (node->saved, FALSE, &node->counter);
  node->is_self_cause = is_true (node->saved, "self_cause");
  node->phase = TB_LATENCY_DECIDED;
  return TRUE;
}

gboolean
tb_latency_drill_recall_callee (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (node->saved == NULL)
    node->saved = find_saved (self, id);
  if (node->saved == NULL)
    return FALSE;
  read_counter (node->saved, TRUE, &node->as_callee);
  node->is_root_cause = is_true (node->saved, "root_cause");
  return node->is_root_cause;
}
