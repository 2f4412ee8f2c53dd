/* control-paths-fixture.c: control-paths reports, and their invariants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

JsonObject *
control_paths_get_summary (TbReport *report)
{
  JsonObject *summary = report_get_summary (report);
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
  return summary_find (summary, "contributors", "process", process);
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
  return report_run ("control-paths", trace, NULL, "process", process, NULL);
}
