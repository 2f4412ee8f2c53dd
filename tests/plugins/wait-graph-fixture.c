/* wait-graph-fixture.c: recordings from text and their wait-graph reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "wait-graph-fixture.h"

#define HEADER                                                                                     \
  "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket\n"

static char *folder;

void
wait_graph_fixture_init (void)
{
  folder = g_dir_make_tmp ("tailback-wait-graph-XXXXXX", NULL);
  g_assert_nonnull (folder);
}

void
wait_graph_fixture_clear (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

static TbTrace *
open_csv (const char *path, const char *name)
{
  g_autofree char *session_path = g_strdup_printf ("%s/%s.tailback", folder, name);
  g_autoptr (GFile) csv = g_file_new_for_path (path);
  g_autoptr (GFile) file = g_file_new_for_path (session_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", &error);
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (TbSession) session = NULL;
  TbTrace *trace;

  g_assert_no_error (error);
  recorder = tb_recorder_new (file, TRUE, &error);
  g_assert_no_error (error);
  tb_importer_import (importer, csv, recorder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

TbTrace *
wait_graph_open_file (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "plugins", name, NULL);

  return open_csv (path, "file");
}

char *
wait_graph_make_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

TbReport *
wait_graph_analyze (TbTrace *trace, ...)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", &error);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  const char *name;
  TbReport *report;
  va_list options;

  g_assert_no_error (error);
  va_start (options, trace);
  while ((name = va_arg (options, const char *)) != NULL)
    {
      tb_option_set_from_text (G_OBJECT (analysis), name, va_arg (options, const char *), &error);
      g_assert_no_error (error);
    }
  va_end (options);
  report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  return report;
}

guint
wait_graph_count (JsonObject *object, const char *member)
{
  return json_array_get_length (json_object_get_array_member (object, member));
}

JsonObject *
wait_graph_get_element (JsonObject *object, const char *member, guint index)
{
  return json_array_get_object_element (json_object_get_array_member (object, member), index);
}

static gint64
get_int (JsonObject *object, const char *member)
{
  return json_object_get_int_member (object, member);
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
  known = get_int (activity, "running_ns") + get_int (activity, "runnable_ns");
  for (guint i = 0; i < wait_graph_count (activity, "waits"); i++)
    known += get_int (wait_graph_get_element (activity, "waits", i), "ns");
  g_assert_cmpint (known, <=, get_int (activity, "ns"));
}

/* Finds the object with these members "from" and "to", and checks that it is the only one. */
static JsonObject *
find_between (JsonObject *summary, const char *member, const char *from, const char *to)
{
  for (guint i = 0; i < wait_graph_count (summary, member); i++)
    {
      JsonObject *object = wait_graph_get_element (summary, member, i);

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

  for (guint i = 0; i < wait_graph_count (summary, "edges"); i++)
    {
      JsonObject *edge = wait_graph_get_element (summary, "edges", i);

      g_assert_cmpint (get_int (edge, "weight_ns"), >=, get_int (edge, "plain_ns"));
      g_assert_cmpint (get_int (edge, "asked_ns"), <=, get_int (edge, "weight_ns"));
      g_assert_cmpint (get_int (edge, "limits_ns"), <=, before);
      g_assert_cmpint (get_int (edge, "bound_ns"), <=, recorded);
      g_assert_cmpint (get_int (edge, "plain_ns"), <=, recorded);
      g_assert_cmpint (get_int (edge, "by_way_ns"), <=, get_int (edge, "bound_ns"));
      g_assert_cmpint (get_int (edge, "by_way_ns") > 0, <=,
                       !json_object_get_null_member (edge, "by_way_of"));
      before = get_int (edge, "limits_ns");
    }
  for (guint i = 0; i < wait_graph_count (summary, "set_aside"); i++)
    {
      JsonObject *exclusion = wait_graph_get_element (summary, "set_aside", i);

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

  for (guint i = 0; i < wait_graph_count (summary, "bottlenecks"); i++)
    {
      JsonObject *bottleneck = wait_graph_get_element (summary, "bottlenecks", i);

      check_awaited_activity (bottleneck);
      check_links (summary, bottleneck, "edges");
      check_links (summary, bottleneck, "removed");
      g_assert_cmpint (get_int (bottleneck, "gain_upper_bound_ns"), <=, before);
      before = get_int (bottleneck, "gain_upper_bound_ns");
    }
}

/* Each vertex is in one component, in order of IDs. An edge out of a knot was excluded, or leads to
 * a background knot, which was excluded. */
static void
check_components (JsonObject *summary)
{
  g_autoptr (GHashTable) component_of = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < wait_graph_count (summary, "components"); i++)
    {
      JsonObject *component = wait_graph_get_element (summary, "components", i);
      JsonArray *vertices = json_object_get_array_member (component, "vertices");

      for (guint j = 0; j < json_array_get_length (vertices); j++)
        {
          const char *id = json_array_get_string_element (vertices, j);

          g_assert_true (g_hash_table_insert (component_of, (gpointer) id, component));
          if (j > 0)
            g_assert_cmpstr (json_array_get_string_element (vertices, j - 1), <, id);
        }
    }
  g_assert_cmpuint (g_hash_table_size (component_of), ==, wait_graph_count (summary, "vertices"));
  for (guint i = 0; i < wait_graph_count (summary, "edges"); i++)
    {
      JsonObject *edge = wait_graph_get_element (summary, "edges", i);
      const char *from = json_object_get_string_member (edge, "from");
      const char *to = json_object_get_string_member (edge, "to");
      JsonObject *of = g_hash_table_lookup (component_of, from),
                 *other = g_hash_table_lookup (component_of, to);

      if (of != other && g_str_equal (json_object_get_string_member (of, "kind"), "knot"))
        g_assert_true (find_between (summary, "set_aside", from, to) != NULL
                       || json_object_get_boolean_member (other, "background"));
    }
}

/* Knots have no edge out; excluded edges are edges; weights are consistent; shares are at most
 * 1. */
JsonObject *
wait_graph_get_summary (TbReport *report)
{
  JsonObject *summary = json_node_get_object (tb_report_get_summary (report));
  gint64 recorded = get_int (summary, "recorded_ns");

  check_edges (summary, recorded);
  check_bottlenecks (summary, recorded);
  check_components (summary);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      double share = tb_finding_get_share (tb_report_get_finding (report, i));

      g_assert_true (isnan (share) || (share >= 0 && share <= 1));
    }
  return summary;
}

void
wait_graph_assert_strings (JsonObject *object, const char *member, const char *expected)
{
  JsonArray *array = json_object_get_array_member (object, member);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            json_array_get_string_element (array, i));
  g_assert_cmpstr (text->str, ==, expected);
}

JsonObject *
wait_graph_find_vertex (JsonObject *summary, const char *name)
{
  for (guint i = 0; i < wait_graph_count (summary, "vertices"); i++)
    {
      JsonObject *vertex = wait_graph_get_element (summary, "vertices", i);

      if (g_str_equal (json_object_get_string_member (vertex, "name"), name))
        return vertex;
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
  for (guint i = 0; i < wait_graph_count (summary, "edges"); i++)
    if (connects (summary, wait_graph_get_element (summary, "edges", i), from, to))
      return wait_graph_get_element (summary, "edges", i);
  return NULL;
}

const char *
wait_graph_get_exclusion (JsonObject *summary, const char *from, const char *to)
{
  for (guint i = 0; i < wait_graph_count (summary, "set_aside"); i++)
    {
      JsonObject *exclusion = wait_graph_get_element (summary, "set_aside", i);

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
  g_assert_cmpint (get_int (edge, "weight_ns"), ==, weight);
  g_assert_cmpint (get_int (edge, "plain_ns"), ==, plain);
  g_assert_cmpint (get_int (edge, "waits"), ==, waits);
}

TbFinding *
wait_graph_find_finding (TbReport *report, const char *value, const char *name)
{
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      TbFinding *finding = tb_report_get_finding (report, i);
      JsonObject *values = tb_finding_get_values (finding);

      if (json_object_has_member (values, value) && !json_object_get_null_member (values, value)
          && g_str_equal (json_object_get_string_member (values, value), name))
        return finding;
    }
  return NULL;
}

gboolean
wait_graph_has_warning (TbReport *report, const char *part)
{
  const char *const *warnings = tb_report_get_warnings (report);

  for (guint i = 0; warnings[i] != NULL; i++)
    if (strstr (warnings[i], part) != NULL)
      return TRUE;
  return FALSE;
}

/* --- stories --- */

Script *
script_new (const char *names)
{
  g_auto (GStrv) list = g_strsplit (names, " ", -1);
  Script *script = g_string_new (NULL);

  for (guint i = 0; list[i] != NULL; i++)
    g_string_append_printf (script, "0,0,name,,,,10,,,%u,,,app/%s,,,\n", 11 + i, list[i]);
  return script;
}

void
switch_thread (Script *script, int us, int cpu, int prev, const char *state, int next)
{
  g_string_append_printf (script, "%d000,%d,switch,%d,%s,%d,,,,,,,,,,\n", us, cpu, prev, state,
                          next);
}

void
switch_thread_with_stack (Script *script,
                          int us,
                          int cpu,
                          int prev,
                          const char *state,
                          int next,
                          const char *stack)
{
  g_string_append_printf (script, "%d000,%d,switch,%d,%s,%d,,,,,,,,%s,,\n", us, cpu, prev, state,
                          next, stack);
}

void
wake (Script *script, int us, int cpu, int waker, int wakee)
{
  g_string_append_printf (script, "%d000,%d,wakeup,,,,%d,%d,,,,,,,,\n", us, cpu, waker, wakee);
}

void
add_line (Script *script, int us, const char *rest)
{
  g_string_append_printf (script, "%d000,%s\n", us, rest);
}

void
add_line_at (Script *script, gint64 ns, const char *format, ...)
{
  va_list arguments;

  g_string_append_printf (script, "%" G_GINT64_FORMAT ",", ns);
  va_start (arguments, format);
  g_string_append_vprintf (script, format, arguments);
  va_end (arguments);
  g_string_append_c (script, '\n');
}

/* The thread of a CPU sleeps, and continues there when another thread wakes it. */
void
sleep_and_wake (Script *script, int from, int to, int cpu, int tid, int waker_cpu, int waker)
{
  switch_thread (script, from, cpu, tid, "S", 0);
  wake (script, to, waker_cpu, waker, tid);
  switch_thread (script, to, cpu, 0, "R", tid);
}

TbTrace *
script_open_as (Script *script, const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.csv", folder, name);
  g_autofree char *whole = g_strconcat (HEADER, script->str, NULL);

  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  g_string_free (script, TRUE);
  return open_csv (path, name);
}

TbTrace *
script_open (Script *script)
{
  return script_open_as (script, "story");
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = g_ascii_strtoll (*(const char *const *) a, NULL, 10);
  gint64 right = g_ascii_strtoll (*(const char *const *) b, NULL, 10);

  return left < right ? -1 : left > right;
}

/* Lines of the same time stay in their order, since GLib's sort is stable. */
void
script_sort (Script *script)
{
  g_auto (GStrv) lines = g_strsplit (script->str, "\n", -1);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_ptr_array_add (sorted, lines[i]);
  g_ptr_array_sort (sorted, compare_times);
  g_string_truncate (script, 0);
  for (guint i = 0; i < sorted->len; i++)
    g_string_append_printf (script, "%s\n", (const char *) g_ptr_array_index (sorted, i));
}
