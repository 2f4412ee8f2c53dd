/* tb-latency-resume.c: resumption of an earlier drill-down, of a live search or a recording: check
 * that the latencies agree, match of present calls with saved nodes, their decisions applied, text
 * about what matched
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only what is needed is put back into the kernel. On the way down, decisions of the earlier search
 * are applied at once, with its counters.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option.h"
#include "report/histogram/tb-histogram-distance.h"
#include "tb-latency-drill-private.h"
#include "latency-state/tb-peaks-saved-json.h"

static gboolean
refuse (GError **error, const char *path, const char *why)
{
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED, "resume: %s: %s", path, why);
  return FALSE;
}

gboolean
tb_latency_drill_resume (TbLatencyDrill *self, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  JsonObject *state = NULL;
  gint64 from, to;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  if (length <= TB_PEAKS_SAVED_MAX_LENGTH
      && json_parser_load_from_data (parser, text, (gssize) length, NULL))
    state = tb_peaks_saved_find_state (json_parser_get_root (parser));
  if (state == NULL)
    return refuse (error, path, _ ("the file is not the JSON of a drill-down"));
  if (!tb_peaks_saved_is_of (state, self->operation))
    return tb_latency_drill_set_clients (self, state, error);
  from = tb_peaks_saved_get_integer (state, "from_bin", -1);
  to = tb_peaks_saved_get_integer (state, "to_bin", -1);
  if (tb_peaks_saved_get_integer (state, "resolution", 0) != self->bins.resolution || from < 0
      || to >= self->bins.n || from > to)
    return refuse (error, path,
                   _ ("the earlier recording has no chosen peak, or its bins differ from the "
                      "present ones"));
  self->saved.state = json_object_ref (state);
  self->saved.counts = tb_peaks_saved_read_counts (state, self->bins.n);
  self->saved.candidates = g_hash_table_new (NULL, NULL);
  return TRUE;
}

/* A recording identifies calls by their return addresses, and waits by the awaited object. */
static gboolean
is_from_recording (const TbLatencyDrill *self)
{
  return g_str_equal (tb_peaks_saved_get_string (self->saved.state, "source"), "recording");
}

/* In ns; 0: unknown, as for a recording */
static gint64
get_saved_reach (const TbLatencyDrill *self)
{
  JsonObject *cost = tb_peaks_saved_get_object (self->saved.state, "cost");

  return cost != NULL ? tb_peaks_saved_get_integer (cost, "reach_ns", 0) : 0;
}

/* The last bin whose calls consist only of the effect of probes, in the earlier search or now; -1:
 * none */
static int
find_reach (const TbLatencyDrill *self)
{
  guint64 now = tb_latency_drill_get_reach (self);
  gint64 saved_place = get_saved_reach (self);

  if (is_from_recording (self))
    {
      g_autofree guint64 *probed
          = tb_peaks_saved_read_probed_calls (self->saved.state, self->bins.n);

      return tb_peaks_saved_find_reach (&self->bins, (gint64) self->probes.cost.call,
                                        self->saved.counts, probed);
    }
  if (now == 0)
    return -1;
  return (int) tb_peaks_bins_find (&self->bins,
                                   CLAMP (saved_place, (gint64) now, 2 * (gint64) now));
}

gboolean
tb_latency_drill_matches_saved (TbLatencyDrill *self)
{
  int reach = find_reach (self);
  g_autofree guint64 *saved_place = tb_peaks_saved_pool (self->saved.counts, self->bins.n, reach);
  g_autofree guint64 *now = tb_peaks_saved_pool (self->histogram->counts, self->bins.n, reach);
  double distance = tb_histogram_get_distance (saved_place, now, self->bins.n);
  double limit = tb_peaks_saved_get_limit (saved_place, self->bins.n, self->histogram->calls);

  self->saved.distance = distance;
  if (distance <= limit)
    return TRUE;
  g_ptr_array_add (
      self->warnings,
      g_strdup_printf (
          _ ("Not resumed: the distribution of calls of %s differs from that of the earlier "
             "recording by %.2f bins, where chance explains %.2f. Record without “resume”."),
          self->operation, distance, limit));
  return FALSE;
}

void
tb_latency_drill_get_saved_range (TbLatencyDrill *self, TbPeakRange *range)
{
  range->first = (guint) tb_peaks_saved_get_integer (self->saved.state, "from_bin", 0);
  range->last = (guint) tb_peaks_saved_get_integer (self->saved.state, "to_bin", 0);
}

guint64
tb_latency_drill_get_saved_calls (const TbLatencyDrill *self)
{
  return self->saved.state != NULL && self->is_peak_chosen
             ? tb_peaks_saved_get_count (self->saved.state, "calls_looked_into")
             : 0;
}

static gboolean
is_call (const TbLatencyNode *node)
{
  return node->kind == TB_LATENCY_FUNCTION || node->kind == TB_LATENCY_SYSCALL;
}

/* Whether a node may correspond to a saved one, as far as both are known without the place */
static gboolean
may_match (TbLatencyDrill *self, const TbLatencyNode *node, JsonObject *saved)
{
  if (node->parent == G_MAXUINT32)
    return TRUE; /* The operation was compared already. */
  if (!g_str_equal (tb_peaks_saved_get_string (saved, "kind"),
                    tb_latency_get_kind_name (node->kind)))
    return FALSE;
  if (!is_from_recording (self) || is_call (node))
    return g_strcmp0 (tb_peaks_saved_get_string (saved, "name"),
                      node->name != NULL ? node->name : "")
           == 0;
  return node->kind == TB_LATENCY_WAIT || node->kind == TB_LATENCY_PREEMPTED
         || node->kind == TB_LATENCY_RUN_QUEUE;
}

/* Of several saved waits, the one with the highest counter is used. */
static gboolean
is_better (JsonObject *object, JsonObject *than)
{
  gboolean is_cause = tb_peaks_saved_get_boolean (object, "root_cause");

  if (than == NULL || is_cause != tb_peaks_saved_get_boolean (than, "root_cause"))
    return than == NULL || is_cause;
  return tb_peaks_saved_get_count (object, "maxcount")
         > tb_peaks_saved_get_count (than, "maxcount");
}

gboolean
tb_latency_drill_has_duplicate (TbLatencyDrill *self, const TbLatencyNode *node)
{
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      const TbLatencyNode *other = get_node (self, i);

      if (other != node && other->is_used && other->parent == node->parent
          && other->kind == node->kind && g_strcmp0 (other->name, node->name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Candidates for a node */
typedef struct
{
  JsonObject *exact;
  JsonObject *possible;
  guint n_exact;
  guint n_possible;
} Found;

/* Matches calls by their return addresses, as in recordings. */
static void
match_call (TbLatencyDrill *self, const TbLatencyNode *node, JsonObject *saved, Found *found)
{
  gboolean is_damaged;
  g_autofree char *build_id = NULL;
  g_autofree char *text = tb_latency_drill_describe_place (self, node, &build_id);
  TbPeaksSavedSite saved_place = tb_peaks_saved_get_site (saved, &is_damaged),
                   now = { text, build_id };
  TbPeaksSiteMatch match = tb_peaks_saved_match_sites (&saved_place, &now);

  if (match != TB_PEAKS_SITE_DIFFERENT)
    g_hash_table_add (self->saved.candidates, saved);
  if (match == TB_PEAKS_SITE_SAME && found->n_exact++ == 0)
    found->exact = saved;
  if (match == TB_PEAKS_SITE_UNCERTAIN && found->n_possible++ == 0)
    found->possible = saved;
}

/* Matches a node; for an earlier live search also by the call site in the code. */
static void
match (TbLatencyDrill *self, const TbLatencyNode *node, JsonObject *saved, Found *found)
{
  g_autofree char *site = NULL;

  if (!may_match (self, node, saved))
    return;
  if (is_from_recording (self) && is_call (node) && node->parent != G_MAXUINT32)
    {
      match_call (self, node, saved, found);
      return;
    }
  site = is_from_recording (self) ? NULL : tb_latency_drill_describe_site (self, node);
  if (!is_from_recording (self)
      && !g_str_equal (tb_peaks_saved_get_string (saved, "call_site"), site != NULL ? site : ""))
    return;
  found->n_exact = 1;
  if (is_from_recording (self) ? is_better (saved, found->exact) : found->exact == NULL)
    found->exact = saved;
}

/* Matches by place, or by name if that is unambiguous. */
static JsonObject *
decide_match (TbLatencyDrill *self, const TbLatencyNode *node, const Found *found)
{
  if (found->n_exact == 1)
    return found->exact;
  if (found->n_exact > 0 || found->n_possible != 1 || tb_latency_drill_has_duplicate (self, node))
    return NULL;
  self->saved.matches.n_by_name += node->kind == TB_LATENCY_FUNCTION;
  return found->possible;
}

/* The saved node that corresponds to a node; NULL: none */
static JsonObject *
find_saved (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);
  const TbLatencyNode *parent = node->parent != G_MAXUINT32 ? get_node (self, node->parent) : NULL;
  JsonArray *nodes = tb_peaks_saved_get_array (self->saved.state, "nodes");
  gint64 of = parent != NULL && parent->saved != NULL
                  ? tb_peaks_saved_get_integer (parent->saved, "id", -2)
                  : -1;
  Found found = { 0 };

  if (node->is_saved_set || self->saved.state == NULL || (parent != NULL && parent->saved == NULL))
    return node->saved;
  node->is_saved_set = TRUE;
  for (guint i = 0; i < MIN (tb_peaks_saved_get_length (nodes), TB_PEAKS_SAVED_MAX_NODES); i++)
    {
      JsonObject *object = tb_peaks_saved_get_element (nodes, i);

      if (object != NULL && tb_peaks_saved_get_integer (object, "parent", -3) == of)
        match (self, node, object, &found);
    }
  node->saved = decide_match (self, node, &found);
  return node->saved;
}

/* Whether a child of the node corresponds to a saved node */
static gboolean
is_called (TbLatencyDrill *self, guint32 id, JsonObject *saved)
{
  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    if (get_node (self, i)->is_used && get_node (self, i)->parent == id
        && find_saved (self, i) == saved)
      return TRUE;
  return FALSE;
}

/* Callees that become known only when they are called (through a pointer, in a library, by the
 * kernel) may be called too late, and sources of interrupts are renumbered in each run. In these
 * cases the decision is taken again. So it is if a recording contains no callees. */
static gboolean
can_apply_saved (TbLatencyDrill *self, guint32 id)
{
  JsonArray *nodes = tb_peaks_saved_get_array (self->saved.state, "nodes");
  gint64 parent = tb_peaks_saved_get_integer (get_node (self, id)->saved, "id", -2);
  guint n_causes = 0;

  for (guint i = 0; i < tb_peaks_saved_get_length (nodes); i++)
    {
      JsonObject *object = tb_peaks_saved_get_element (nodes, i);

      if (object == NULL || tb_peaks_saved_get_integer (object, "parent", -3) != parent
          || !tb_peaks_saved_get_boolean (object, "root_cause"))
        continue;
      n_causes++;
      if (!is_called (self, id, object))
        return FALSE;
    }
  return n_causes > 0 || !is_from_recording (self);
}

static void
read_counter (JsonObject *object, gboolean callee_counter, TbCaptureLatencyCounter *counter)
{
  counter->calls = tb_peaks_saved_get_count (object, callee_counter ? "calls" : "open_calls");
  counter->total = tb_peaks_saved_get_count (object, callee_counter ? "callee_ns" : "total_ns");
  counter->self_total = tb_peaks_saved_get_count (object, "self_ns");
  counter->maxcount = tb_peaks_saved_get_count (object, "maxcount");
  counter->self_maxcount = tb_peaks_saved_get_count (object, "self_maxcount");
  counter->entered = tb_peaks_saved_get_count (object, "entered");
}

gboolean
tb_latency_drill_apply_saved (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (find_saved (self, id) == NULL
      || tb_peaks_saved_get_integer (node->saved, "phase", 0) != TB_LATENCY_DECIDED
      || !tb_peaks_saved_get_boolean (node->saved, "opened") || !can_apply_saved (self, id))
    return FALSE;
  read_counter (node->saved, FALSE, &node->counter);
  node->is_self_cause = tb_peaks_saved_get_boolean (node->saved, "self_cause");
  node->phase = TB_LATENCY_DECIDED;
  return TRUE;
}

gboolean
tb_latency_drill_apply_saved_callee (TbLatencyDrill *self, guint32 id)
{
  TbLatencyNode *node = get_node (self, id);

  if (find_saved (self, id) == NULL)
    return FALSE;
  read_counter (node->saved, TRUE, &node->callee_counter);
  node->is_root_cause = tb_peaks_saved_get_boolean (node->saved, "root_cause");
  return node->is_root_cause;
}

/* Whether a node corresponds to the saved one, or with as_parent to its caller and was examined */
static gboolean
is_known (TbLatencyDrill *self, JsonObject *saved, gboolean as_parent)
{
  gint64 id = tb_peaks_saved_get_integer (saved, as_parent ? "parent" : "id", -3);

  for (guint32 i = 0; i < self->tree->n_nodes; i++)
    {
      const TbLatencyNode *node = get_node (self, i);

      if (node->is_used && node->saved != NULL && (!as_parent || node->phase >= TB_LATENCY_DECIDING)
          && tb_peaks_saved_get_integer (node->saved, "id", -2) == id)
        return TRUE;
    }
  return FALSE;
}

char *
tb_latency_drill_describe_resumed (TbLatencyDrill *self)
{
  JsonArray *nodes = tb_peaks_saved_get_array (self->saved.state, "nodes");
  TbPeaksSavedMatches matches = self->saved.matches;

  for (guint i = 0; i < MIN (tb_peaks_saved_get_length (nodes), TB_PEAKS_SAVED_MAX_NODES); i++)
    {
      JsonObject *object = tb_peaks_saved_get_element (nodes, i);
      const char *kind = object != NULL ? tb_peaks_saved_get_string (object, "kind") : "";
      gboolean is_damaged = FALSE;

      if (!g_str_equal (kind, "function") && !g_str_equal (kind, "syscall"))
        continue;
      tb_peaks_saved_get_site (object, &is_damaged);
      matches.n_damaged += is_damaged;
      if (g_hash_table_contains (self->saved.candidates, object))
        matches.n_ambiguous += !is_known (self, object, FALSE);
      else if (tb_peaks_saved_get_boolean (object, "root_cause"))
        matches.n_elsewhere += is_known (self, object, TRUE) && !is_known (self, object, FALSE);
    }
  return tb_peaks_saved_describe_matches (&matches);
}
