/* control-paths-fixture.c: recordings from text and their control-paths reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "control-paths-fixture.h"
#include "finding-checks.h"

#define HEADER                                                                                     \
  "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket\n"

static char *folder;

void
control_paths_fixture_init (void)
{
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("tailback-control-paths-XXXXXX", &error);
  g_assert_no_error (error);
}

void
control_paths_fixture_clear (void)
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

TbTrace *
control_paths_open (const char *fixture, const char *text)
{
  g_autofree char *csv_path
      = text != NULL ? g_build_filename (folder, "input.csv", NULL)
                     : g_test_build_filename (G_TEST_DIST, "fixtures", "events", fixture, NULL);
  g_autofree char *session_path = g_build_filename (folder, "session.tailback", NULL);
  g_autoptr (GFile) csv = g_file_new_for_path (csv_path);
  g_autoptr (GFile) file = g_file_new_for_path (session_path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbImporter) importer
      = tb_engine_create_importer (tb_engine_get_default (), "events-csv", &error);
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (TbSession) session = NULL;
  TbTrace *trace;

  g_assert_no_error (error);
  if (text != NULL)
    {
      g_autofree char *whole = g_strconcat (HEADER, text, NULL);

      g_assert_true (g_file_set_contents (csv_path, whole, -1, NULL));
    }
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

void
script_name (Script *script, gint32 tid, const char *name, gint32 pid)
{
  g_string_append_printf (script, "0,0,name,,,,%d,,,%d,,,%s,,,\n", pid, tid, name);
}

void
script_switch (Script *script,
               gint64 us,
               int cpu,
               gint32 prev,
               char state,
               gint32 next,
               const char *stack)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%d,switch,%d,%c,%d,,,,,,,,%s,,\n", us,
                          cpu, prev, state, next, stack != NULL ? stack : "");
}

void
script_wake (Script *script, gint64 us, int cpu, gint32 waker, gint32 wakee)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%d,wakeup,,,,%d,%d,,,,,,,,\n", us, cpu,
                          waker, wakee);
}

void
script_fork (Script *script, gint64 us, int cpu, gint32 creator, gint32 child)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%d,fork,,,,%d,%d,,,,,,,,\n", us, cpu,
                          creator, child);
}

void
script_exec (Script *script, gint64 us, int cpu, gint32 tid, const char *program)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%d,exec,,,,,,,%d,,,%s,,,\n", us, cpu,
                          tid, program);
}

void
script_exit (Script *script, gint64 us, int cpu, gint32 tid)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%d,exit,,,,,,,%d,,,,,,\n", us, cpu, tid);
}

void
script_sample (Script *script, gint64 us, int cpu, gint32 tid, const char *stack)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%d,sample,,,,,,,%d,,,,%s,,\n", us, cpu,
                          tid, stack);
}

void
script_add (Script *script, gint64 us, const char *rest)
{
  g_string_append_printf (script, "%" G_GINT64_FORMAT "000,%s\n", us, rest);
}

TbTrace *
script_open (Script *script)
{
  TbTrace *trace = control_paths_open (NULL, script->str);

  g_string_free (script, TRUE);
  return trace;
}

TbReport *
control_paths_try (TbTrace *trace, TbSelection *selection, GError **error, ...)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "control-paths", &local);
  g_autoptr (TbSelection) whole = tb_selection_new (trace);
  TbReport *report;
  const char *name;
  va_list options;

  g_assert_no_error (local);
  va_start (options, error);
  while ((name = va_arg (options, const char *)) != NULL)
    {
      tb_option_set_from_text (G_OBJECT (analysis), name, va_arg (options, const char *), &local);
      g_assert_no_error (local);
    }
  va_end (options);
  report = tb_analysis_run (analysis, trace, selection != NULL ? selection : whole, NULL, NULL,
                            NULL, error);
  if (report != NULL)
    findings_assert_codes (report);
  return report;
}

JsonObject *
control_paths_get_summary (TbReport *report)
{
  JsonObject *summary = json_node_get_object (tb_report_get_summary (report));
  JsonObject *categories = json_object_get_object_member (summary, "categories");
  JsonArray *paths = json_object_get_array_member (summary, "paths");
  JsonArray *contributors = json_object_get_array_member (summary, "contributors");
  g_autoptr (GList) members = json_object_get_members (categories);
  gint64 total = 0, lengths = 0;
  double before = G_MAXDOUBLE;

  for (GList *i = members; i != NULL; i = i->next)
    {
      gint64 ns = json_object_get_int_member (categories, i->data);

      g_assert_cmpint (ns, >=, 0);
      total += ns;
    }
  g_assert_cmpint (total, ==, json_object_get_int_member (summary, "total_ns"));
  for (guint i = 0; i < json_array_get_length (paths); i++)
    {
      JsonObject *path = json_array_get_object_element (paths, i);

      g_assert_cmpint (json_object_get_boolean_member (path, "base"), ==, i == 0);
      g_assert_cmpint (json_object_get_int_member (path, "waiting_ns"), >=, 0);
      lengths += json_object_get_int_member (path, "wall_ns");
    }
  /* The total must also follow from the lengths of the paths and from the overlap of children with
   * their parents outside of their sleeps. */
  g_assert_cmpint (lengths + json_object_get_int_member (summary, "overlap_ns"), ==, total);
  g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (paths, 0), "wall_ns"),
                   ==, json_object_get_int_member (summary, "wall_ns"));
  for (guint i = 0; i < json_array_get_length (contributors); i++)
    {
      double share = json_object_get_double_member (json_array_get_object_element (contributors, i),
                                                    "share");

      g_assert_cmpfloat (share, <=, before);
      before = share;
    }
  return summary;
}

gint64
control_paths_get_category (JsonObject *summary, const char *name)
{
  return json_object_get_int_member (json_object_get_object_member (summary, "categories"), name);
}

void
control_paths_assert_categories (JsonObject *summary, ...)
{
  JsonObject *categories = json_object_get_object_member (summary, "categories");
  g_autoptr (GList) members = json_object_get_members (categories);
  g_autoptr (GHashTable) expected = g_hash_table_new (g_str_hash, g_str_equal);
  const char *name;
  va_list list;

  va_start (list, summary);
  while ((name = va_arg (list, const char *)) != NULL)
    {
      g_assert_true (json_object_has_member (categories, name));
      g_hash_table_insert (expected, (gpointer) name, GINT_TO_POINTER (va_arg (list, int)));
    }
  va_end (list);
  for (GList *i = members; i != NULL; i = i->next)
    {
      gint64 ns = json_object_get_int_member (categories, i->data);
      gint64 wanted = GPOINTER_TO_INT (g_hash_table_lookup (expected, i->data));

      if (ns != wanted)
        g_error ("%s is %" G_GINT64_FORMAT " ns, not %" G_GINT64_FORMAT, (char *) i->data, ns,
                 wanted);
    }
}

JsonObject *
control_paths_find_contributor (JsonObject *summary, const char *process)
{
  JsonArray *contributors = json_object_get_array_member (summary, "contributors");

  for (guint i = 0; i < json_array_get_length (contributors); i++)
    {
      JsonObject *of = json_array_get_object_element (contributors, i);

      if (g_str_equal (json_object_get_string_member (of, "process"), process))
        return of;
    }
  return NULL;
}

char *
control_paths_join (JsonObject *object, const char *member)
{
  JsonArray *array = json_object_get_array_member (object, member);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            json_array_get_string_element (array, i));
  return g_string_free (text, FALSE);
}

guint64
control_paths_get_dropped (JsonObject *summary, const char *part_of_reason)
{
  JsonArray *dropped = json_object_get_array_member (summary, "dropped_links");

  for (guint i = 0; i < json_array_get_length (dropped); i++)
    {
      JsonObject *of = json_array_get_object_element (dropped, i);

      if (strstr (json_object_get_string_member (of, "reason"), part_of_reason) != NULL)
        return json_object_get_int_member (of, "count");
    }
  return 0;
}

TbReport *
control_paths_explain (TbTrace *trace, const char *process)
{
  g_autoptr (GError) error = NULL;
  TbReport *report = control_paths_try (trace, NULL, &error, "process", process, NULL);

  g_assert_no_error (error);
  return report;
}

/* The timer interrupt of a CPU wakes a thread. */
void
script_wake_by_timer (Script *script, gint64 us, int cpu, gint32 tid)
{
  script_add (script, us, cpu ? "1,softirq_entry,,,,,,1,,,,,,," : "0,softirq_entry,,,,,,1,,,,,,,");
  script_wake (script, us, cpu, 0, tid);
  script_add (script, us, cpu ? "1,softirq_exit,,,,,,1,,,,,,," : "0,softirq_exit,,,,,,1,,,,,,,");
}
