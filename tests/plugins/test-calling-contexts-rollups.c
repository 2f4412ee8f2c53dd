/* test-calling-contexts-rollups.c: test of sums by module, function and layer against plain sums
 * over the frames of all paths
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-fixture.h"

typedef struct
{
  GHashTable *modules;   /* name → gint64: own time */
  GHashTable *functions; /* "function@module" → gint64 */
  gint64 layers[2];      /* of programs, of the kernel */
} Sums;

static void
add_to (GHashTable *sums, char *name, gint64 ns)
{
  gint64 *sum = g_hash_table_lookup (sums, name);

  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (sums, g_strdup (name), sum);
    }
  *sum += ns;
  g_free (name);
}

/* Each function in each context once. */
static void
sum_frames (Sums *self, TbReport *report)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *self = (Sums) { .modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                   .functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  for (guint i = 0; i < summary_count (report_get_summary (report), "paths"); i++)
    {
      JsonArray *frames = json_object_get_array_member (
          summary_get_element (report_get_summary (report), "paths", i), "frames");
      g_autoptr (GString) path = g_string_new (NULL);

      for (guint k = 0; k < json_array_get_length (frames); k++)
        {
          JsonObject *frame = json_array_get_object_element (frames, k);
          const char *function = json_object_get_string_member (frame, "function");
          const char *module = json_object_get_string_member (frame, "module");
          gint64 own = summary_get_int (frame, "own_ns");

          g_string_append_printf (path, ";%s@%s", function, module);
          if (!g_hash_table_add (known, g_strdup (path->str)))
            continue;
          add_to (self->modules, g_strdup (module), own);
          add_to (self->functions, g_strdup_printf ("%s@%s", function, module), own);
          self->layers[g_str_equal (module, "[kernel]")] += own;
        }
    }
}

static void
sums_clear (Sums *self)
{
  g_hash_table_unref (self->modules);
  g_hash_table_unref (self->functions);
}

static gint64
get_sum (GHashTable *sums, const char *name)
{
  const gint64 *sum = g_hash_table_lookup (sums, name);

  return sum != NULL ? *sum : 0;
}

/* base: NULL for a report of one recording. All rows are listed, in order of time or of growth. */
static void
assert_rollup (TbReport *report, const char *member, GHashTable *base, GHashTable *sums)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name;
  gint64 before = G_MAXINT64;

  for (guint i = 0; i < summary_count (report_get_summary (report), member); i++)
    {
      JsonObject *row_object = summary_get_element (report_get_summary (report), member, i);
      const char *module = json_object_get_string_member (row_object, "module");
      char *item
          = json_object_has_member (row_object, "function")
                ? g_strdup_printf ("%s@%s", json_object_get_string_member (row_object, "function"),
                                   module)
                : g_strdup (module);
      gint64 own = get_sum (sums, item), more = own - (base != NULL ? get_sum (base, item) : 0);

      g_assert_cmpint (more, <=, before);
      before = more;
      if (!json_object_get_null_member (row_object, "own_ns"))
        g_assert_cmpint (summary_get_int (row_object, "own_ns"), ==, own);
      g_assert_true (json_object_get_null_member (row_object, "own_ns")
                     == !g_hash_table_contains (sums, item));
      if (base != NULL)
        {
          g_assert_true (json_object_get_null_member (row_object, "base_ns")
                         == !g_hash_table_contains (base, item));
          if (g_hash_table_contains (base, item))
            g_assert_cmpint (summary_get_int (row_object, "base_ns"), ==, get_sum (base, item));
        }
      g_assert_true (g_hash_table_add (found, item));
    }
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_assert_true (g_hash_table_contains (found, name));
}

/* Functions of one name are in several modules, and kernel functions are below those of
 * programs. */
static TbTrace *
open_random_modules (const char *name, const char *kind)
{
  static const char *const modules[] = { "app", "libone.so", "libtwo.so" };
  g_autoptr (GString) lines = g_string_new (NULL);
  guint n = (guint) g_test_rand_int_range (2, 60);
  int time = 0;

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (lines, "%d,0,%s,,,,,,,11,,,x,main@app", time, kind);
      for (int k = g_test_rand_int_range (0, 4); k > 0; k--)
        g_string_append_printf (lines, ";%c@%s", 'a' + g_test_rand_int_range (0, 3),
                                modules[g_test_rand_int_range (0, G_N_ELEMENTS (modules))]);
      for (int k = g_test_rand_int_range (-2, 3); k > 0; k--)
        g_string_append_printf (lines, ";k%d@[kernel]", k);
      g_string_append (lines, ",,\n");
      time += g_test_rand_int_range (1, 100);
    }
  return story_open_lines (name, lines->str);
}

static void
test_rollups (void)
{
  for (guint round = 0; round < 10; round++)
    {
      const char *kind = round % 2 ? "sample" : "mark"; /* counted, or events of inferred calls */
      g_autofree char *base_name = g_strdup_printf ("modules-base-%u", round);
      g_autofree char *other_name = g_strdup_printf ("modules-other-%u", round);
      g_autoptr (TbTrace) base = open_random_modules (base_name, kind);
      g_autoptr (TbTrace) other = open_random_modules (other_name, kind);
      g_autoptr (TbReport) of_base
          = contexts_analyze (base, "estimate", "aggressive", "top", "0", NULL);
      g_autoptr (TbReport) of_other
          = contexts_analyze (other, "estimate", "aggressive", "top", "0", NULL);
      g_autoptr (TbReport) report
          = contexts_compare (base, other, "estimate", "aggressive", "top", "0", NULL);
      TbReport *const reports[] = { of_base, of_other };
      Sums sums[G_N_ELEMENTS (reports)];

      for (guint side = 0; side < G_N_ELEMENTS (reports); side++)
        {
          JsonObject *layers
              = json_object_get_object_member (report_get_summary (reports[side]), "layers");

          sum_frames (&sums[side], reports[side]);
          assert_rollup (reports[side], "modules", NULL, sums[side].modules);
          assert_rollup (reports[side], "functions_top", NULL, sums[side].functions);
          g_assert_cmpint (summary_get_int (layers, "user_ns"), ==, sums[side].layers[0]);
          g_assert_cmpint (summary_get_int (layers, "kernel_ns"), ==, sums[side].layers[1]);
        }
      assert_rollup (report, "modules", sums[0].modules, sums[1].modules);
      assert_rollup (report, "functions_top", sums[0].functions, sums[1].functions);
      for (guint side = 0; side < G_N_ELEMENTS (reports); side++)
        sums_clear (&sums[side]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/rollups", test_rollups);
  return recording_run_tests ();
}
