/* wait-graph-fixture.c: wait-graph reports, and their invariants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "finding-checks.h"
#include "wait-graph-fixture.h"

TbReport *
wait_graph_analyze (TbTrace *trace, ...)
{
  TbReport *report;
  va_list options;

  va_start (options, trace);
  report = report_run_valist ("wait-graph", trace, NULL, options);
  va_end (options);
  return report;
}

TbReport *
wait_graph_analyze_command (TbTrace *trace, ...)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  TbReport *report;
  va_list options;

  tb_selection_set_scope (selection, TB_SELECTION_COMMAND);
  va_start (options, trace);
  report = report_run_valist ("wait-graph", trace, selection, options);
  va_end (options);
  return report;
}

/* The activity of awaited threads is no longer than the waits. */
static void
check_awaited_activity (JsonObject *bottleneck)
{
  JsonObject *activity = json_object_get_null_member (bottleneck, "meanwhile")
                             ? NULL
                             : json_object_get_object_member (bottleneck, "meanwhile");
  gint64 known;

  if (activity == NULL)
    return;
  known = summary_get_int (activity, "running_ns") + summary_get_int (activity, "runnable_ns");
  for (guint i = 0; i < summary_count (activity, "waits"); i++)
    known += summary_get_int (summary_get_element (activity, "waits", i), "ns");
  g_assert_cmpint (known, <=, summary_get_int (activity, "ns"));
}

/* Returns the object with these members "from" and "to", or NULL. */
static JsonObject *
find_between (JsonObject *summary, const char *member, const char *from, const char *to)
{
  for (guint i = 0; i < summary_count (summary, member); i++)
    {
      JsonObject *object = summary_get_element (summary, member, i);

      if (g_str_equal (json_object_get_string_member (object, "from"), from)
          && g_str_equal (json_object_get_string_member (object, "to"), to))
        return object;
    }
  return NULL;
}

static void
check_edges (JsonObject *summary, gint64 recorded)
{
  gint64 before = G_MAXINT64;

  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    {
      JsonObject *edge = summary_get_element (summary, "edges", i);

      g_assert_cmpint (summary_get_int (edge, "weight_ns"), >=, summary_get_int (edge, "plain_ns"));
      g_assert_cmpint (summary_get_int (edge, "asked_ns"), <=, summary_get_int (edge, "weight_ns"));
      g_assert_cmpint (summary_get_int (edge, "limits_ns"), <=, before);
      g_assert_cmpint (summary_get_int (edge, "bound_ns"), <=, recorded);
      g_assert_cmpint (summary_get_int (edge, "plain_ns"), <=, recorded);
      g_assert_cmpint (summary_get_int (edge, "by_way_ns"), <=, summary_get_int (edge, "bound_ns"));
      g_assert_cmpint (summary_get_int (edge, "by_way_ns") > 0, <=,
                       !json_object_get_null_member (edge, "by_way_of"));
      before = summary_get_int (edge, "limits_ns");
    }
  for (guint i = 0; i < summary_count (summary, "set_aside"); i++)
    {
      JsonObject *exclusion = summary_get_element (summary, "set_aside", i);

      g_assert_nonnull (find_between (summary, "edges",
                                      json_object_get_string_member (exclusion, "from"),
                                      json_object_get_string_member (exclusion, "to")));
    }
}

/* The remaining and the removed edges of a knot are edges that were not excluded before. */
static void
check_links (JsonObject *summary, JsonObject *bottleneck, const char *member)
{
  JsonArray *links = json_object_get_array_member (bottleneck, member);

  for (guint i = 0; i < json_array_get_length (links); i++)
    {
      JsonArray *link = json_array_get_array_element (links, i);
      const char *from = json_array_get_string_element (link, 0),
                 *to = json_array_get_string_element (link, 1);

      g_assert_nonnull (find_between (summary, "edges", from, to));
      g_assert_null (find_between (summary, "set_aside", from, to));
    }
}

static void
check_bottlenecks (JsonObject *summary, gint64 recorded)
{
  gint64 before = recorded;

  for (guint i = 0; i < summary_count (summary, "bottlenecks"); i++)
    {
      JsonObject *bottleneck = summary_get_element (summary, "bottlenecks", i);

      check_awaited_activity (bottleneck);
      check_links (summary, bottleneck, "edges");
      check_links (summary, bottleneck, "removed");
      g_assert_cmpint (summary_get_int (bottleneck, "gain_upper_bound_ns"), <=, before);
      before = summary_get_int (bottleneck, "gain_upper_bound_ns");
    }
}

/* Each vertex is in one component, in order of IDs. An edge out of a knot was excluded, or leads to
 * a background knot, which was excluded. */
static void
check_components (JsonObject *summary)
{
  g_autoptr (GHashTable) component_of = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < summary_count (summary, "components"); i++)
    {
      JsonObject *component = summary_get_element (summary, "components", i);
      JsonArray *vertices = json_object_get_array_member (component, "vertices");

      for (guint j = 0; j < json_array_get_length (vertices); j++)
        {
          const char *id = json_array_get_string_element (vertices, j);

          g_assert_true (g_hash_table_insert (component_of, (gpointer) id, component));
          if (j > 0)
            g_assert_cmpstr (json_array_get_string_element (vertices, j - 1), <, id);
        }
    }
  g_assert_cmpuint (g_hash_table_size (component_of), ==, summary_count (summary, "vertices"));
  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    {
      JsonObject *edge = summary_get_element (summary, "edges", i);
      const char *from = json_object_get_string_member (edge, "from");
      const char *to = json_object_get_string_member (edge, "to");
      JsonObject *of = g_hash_table_lookup (component_of, from),
                 *other = g_hash_table_lookup (component_of, to);

      if (of != other && g_str_equal (json_object_get_string_member (of, "kind"), "knot"))
        g_assert_true (find_between (summary, "set_aside", from, to) != NULL
                       || json_object_get_boolean_member (other, "background"));
    }
}

static gboolean
has_any (TbReport *report, const char *const *codes)
{
  for (guint i = 0; codes[i] != NULL; i++)
    if (findings_count (report, codes[i]) > 0)
      return TRUE;
  return FALSE;
}

/* Neither the headline nor a finding denies what another finding states. */
static void
check_verdict (TbReport *report)
{
  static const char *const limits[]
      = { "bottleneck-knot",   "bottleneck-group",     "bottleneck-group-in-knot",
          "knot-execution",    "execution-bottleneck", "joint-execution-bottleneck",
          "device-saturation", "network-saturation",   NULL };
  static const char *const no_limits[] = { "no-saturation",   "no-foreground-saturation",
                                           "mostly-asleep",   "execution-in-turns",
                                           "busy-background", "unknown-load",
                                           "unknown-time",    NULL };
  const char *headline = tb_report_get_headline (report);

  if (has_any (report, limits))
    {
      g_assert_false (has_any (report, no_limits));
      g_assert_null (strstr (headline, "Nothing here"));
      g_assert_null (strstr (headline, "is unknown"));
    }
  for (guint i = 0; no_limits[i] != NULL; i++)
    if (findings_count (report, no_limits[i]) > 0)
      g_assert_cmpstr (headline, ==, tb_finding_get_text (findings_get (report, no_limits[i])));
}

/* Knots have no edge out; excluded edges are edges; weights are consistent; shares are at most
 * 1. */
JsonObject *
wait_graph_get_summary (TbReport *report)
{
  JsonObject *summary = report_get_summary (report);
  gint64 recorded = summary_get_int (summary, "recorded_ns");

  check_edges (summary, recorded);
  check_bottlenecks (summary, recorded);
  check_components (summary);
  check_verdict (report);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      double share = tb_finding_get_share (tb_report_get_finding (report, i));

      g_assert_true (isnan (share) || (share >= 0 && share <= 1));
    }
  return summary;
}

JsonObject *
wait_graph_find_vertex (JsonObject *summary, const char *name)
{
  return summary_find (summary, "vertices", "name", name);
}

const char *
wait_graph_get_kind (JsonObject *summary, const char *name)
{
  const char *id = json_object_get_string_member (wait_graph_find_vertex (summary, name), "id");

  for (guint i = 0; i < summary_count (summary, "components"); i++)
    {
      JsonObject *component = summary_get_element (summary, "components", i);
      JsonArray *vertices = json_object_get_array_member (component, "vertices");

      for (guint j = 0; j < json_array_get_length (vertices); j++)
        if (g_str_equal (json_array_get_string_element (vertices, j), id))
          return json_object_get_string_member (component, "kind");
    }
  return NULL;
}

/* Whether an object leads from one vertex to another. */
static gboolean
connects (JsonObject *summary, JsonObject *object, const char *from, const char *to)
{
  JsonObject *one = wait_graph_find_vertex (summary, from);
  JsonObject *two = wait_graph_find_vertex (summary, to);

  return one != NULL && two != NULL
         && g_str_equal (json_object_get_string_member (object, "from"),
                         json_object_get_string_member (one, "id"))
         && g_str_equal (json_object_get_string_member (object, "to"),
                         json_object_get_string_member (two, "id"));
}

JsonObject *
wait_graph_find_edge (JsonObject *summary, const char *from, const char *to)
{
  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    if (connects (summary, summary_get_element (summary, "edges", i), from, to))
      return summary_get_element (summary, "edges", i);
  return NULL;
}

const char *
wait_graph_get_exclusion (JsonObject *summary, const char *from, const char *to)
{
  for (guint i = 0; i < summary_count (summary, "set_aside"); i++)
    {
      JsonObject *exclusion = summary_get_element (summary, "set_aside", i);

      if (connects (summary, exclusion, from, to))
        return json_object_get_string_member (exclusion, "reason");
    }
  return NULL;
}

void
wait_graph_assert_edge (JsonObject *summary,
                        const char *from,
                        const char *to,
                        gint64 weight,
                        gint64 plain,
                        gint64 waits)
{
  JsonObject *edge = wait_graph_find_edge (summary, from, to);

  if (edge == NULL)
    g_error ("no edge from %s to %s", from, to);
  g_assert_cmpint (summary_get_int (edge, "weight_ns"), ==, weight);
  g_assert_cmpint (summary_get_int (edge, "plain_ns"), ==, plain);
  g_assert_cmpint (summary_get_int (edge, "waits"), ==, waits);
}
