/* test-calling-contexts-compare.c: test of comparisons of the calling contexts of several
 * recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "calling-contexts-fixture.h"
#include "report/drawing/tb-drawing.h"
#include "report/graph/tb-graph-occurrences.h"

static const char base_lines[] = STACK (0, "mark", "main;parse@app;copy@libc")
    STACK (100, "mark", "main;draw@app") STACK (400, "mark", "main;old@plug")
        STACK (450, "mark", "main;draw@app") STACK (500, "mark", "main");
static const char other_lines[]
    = STACK (0, "mark", "main;parse@app;copy@libc") STACK (900, "mark", "main;draw@app")
        STACK (1200, "mark", "main;new@plug") STACK (1300, "mark", "main");

/* Growth against the only base recording, which has no name. */
static void
assert_growth (TbFinding *finding, const char *code, gint64 delta, double share)
{
  g_assert_cmpstr (tb_finding_get_code (finding), ==, code);
  finding_assert_integer (finding, "delta_ns", delta);
  finding_assert_number (finding, "share", share);
  finding_assert_integer (finding, "base_recordings", 1);
  g_assert_true (finding_is_null (finding, "base_recording"));
}

static void
test_compare (void)
{
  g_autoptr (TbTrace) base = story_open_lines ("base", base_lines);
  g_autoptr (TbTrace) other = story_open_lines ("other", other_lines);
  g_autoptr (TbReport) report = contexts_compare (base, other, "estimate", "aggressive", NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *path = summary_get_element (summary, "paths", 0);
  JsonArray *frames = json_object_get_array_member (path, "frames");

  g_assert_cmpuint (summary_count (report_get_summary (report), "paths"), ==, 3);
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 800);
  g_assert_cmpint (summary_get_int (path, "base_ns"), ==, 100);
  g_assert_cmpint (summary_get_int (path, "other_ns"), ==, 900);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (frames, 2),
                                                  "function"),
                   ==, "copy");
  g_assert_true (json_object_get_boolean_member (json_array_get_object_element (frames, 2), "hot"));
  /* A new path counts in full; a path that is gone is a gain. */
  path = summary_get_element (summary, "paths", 1);
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 100);
  g_assert_true (json_object_get_null_member (path, "base_ns"));
  path = summary_get_element (summary, "gains", 0);
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, -50);
  g_assert_true (json_object_get_null_member (path, "other_ns"));
  assert_growth (tb_report_get_finding (report, 0), "context-growth", 800, 800. / 900);
  finding_assert_string (tb_report_get_finding (report, 0), "function", "copy");
  finding_assert_string (tb_report_get_finding (report, 0), "caller", "parse");
  assert_growth (tb_report_get_finding (report, 1), "module-growth", 800, 800. / 900);
  finding_assert_string (tb_report_get_finding (report, 1), "module", "libc");
  g_assert_cmpint (summary_get_int (summary_get_element (summary, "modules", 0), "own_ns"), ==,
                   900);
  g_assert_cmpint (summary_get_int (summary_get_element (summary, "modules", 0), "base_ns"), ==,
                   100);
  g_assert_nonnull (json_object_get_object_member (summary, "base"));
  g_assert_cmpuint (summary_count (report_get_summary (report), "differences"), >=, 4);
}

static void
test_compare_same (void)
{
  g_autoptr (TbTrace) base = story_open_lines ("base", base_lines);
  g_autoptr (TbTrace) other = story_open_lines ("same", base_lines);
  g_autoptr (TbReport) report = contexts_compare (base, other, NULL);
  JsonObject *summary = report_get_summary (report);

  g_assert_cmpuint (summary_count (report_get_summary (report), "gains"), ==, 0);
  for (guint i = 0; i < summary_count (report_get_summary (report), "paths"); i++)
    {
      g_assert_cmpint (summary_get_int (summary_get_element (summary, "paths", i), "cost_ns"), ==,
                       0);
      g_assert_true (json_object_get_boolean_member (summary_get_element (summary, "paths", i),
                                                     "within_noise"));
    }
}

static void
test_compare_nothing_common (void)
{
  g_autoptr (TbTrace) base = story_open_lines ("base", base_lines);
  g_autoptr (TbTrace) other
      = story_open_lines ("foreign", STACK (0, "mark", "start;go") STACK (70, "mark", "start"));
  g_autoptr (TbTrace) empty = story_open_lines ("empty", LINE (0, "switch", "0,R,11,,,,,,,,,,"));
  g_autoptr (TbReport) foreign = contexts_compare (base, other, "estimate", "aggressive", NULL);
  g_autoptr (TbReport) from_nothing
      = contexts_compare (empty, other, "estimate", "aggressive", NULL);
  g_autoptr (TbReport) to_nothing
      = contexts_compare (base, empty, "estimate", "aggressive", "normalize", "duration", NULL);

  g_assert_true (report_has_warning (foreign, "no calling context in common"));
  g_assert_cmpint (summary_get_int (summary_get_element (report_get_summary (foreign), "paths", 0),
                                    "cost_ns"),
                   ==, 70);
  g_assert_cmpint (summary_get_int (summary_get_element (report_get_summary (from_nothing), "paths",
                                                         0),
                                    "cost_ns"),
                   ==, 70);
  g_assert_cmpuint (summary_count (report_get_summary (to_nothing), "paths"), ==, 0);
  g_assert_cmpuint (summary_count (report_get_summary (to_nothing), "gains"), ==, 3);
}

/* Calls of very different length: one recording's sample of them predicts little about another
 * recording. */
static void
test_compare_noise (void)
{
  Story *base = story_new (NULL), *other = story_new (NULL);
  g_autoptr (TbTrace) base_trace = NULL;
  g_autoptr (TbTrace) other_trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *path;
  gint64 time[2] = { 0, 0 };

  for (guint i = 0; i < 40; i++)
    for (guint side = 0; side < 2; side++)
      {
        Story *story = side == 0 ? base : other;
        gint64 vague = i % 2 == side ? 10 : 5000 + 40 * side, steady = side == 0 ? 100 : 130;

        story_add_at (story, time[side], "0,mark,,,,,,,11,,,x,main;vague,,");
        time[side] += vague;
        story_add_at (story, time[side], "0,mark,,,,,,,11,,,x,main;steady,,");
        time[side] += steady + (i % 3);
      }
  base_trace = story_open_as (base, "noise-base");
  other_trace = story_open_as (other, "noise-other");
  report = contexts_compare (base_trace, other_trace, "estimate", "aggressive", NULL);
  path = summary_get_element (report_get_summary (report), "paths", 0);
  g_assert_false (json_object_get_boolean_member (path, "within_noise"));
  g_assert_cmpstr (json_object_get_string_member (summary_get_element (path, "frames", 1),
                                                  "function"),
                   ==, "steady");
  g_assert_cmpint (summary_get_int (path, "low_ns"), >, 0);
  path = summary_get_element (report_get_summary (report), "paths", 1);
  g_assert_true (json_object_get_boolean_member (path, "within_noise"));
  g_assert_cmpint (summary_get_int (path, "low_ns"), <, 0);
}

/* The cost of a single call is no measure of the noise of other calls. */
static void
test_compare_one_call (void)
{
  Story *few = story_new (NULL), *more = story_new (NULL);
  g_autoptr (TbTrace) base = NULL;
  g_autoptr (TbTrace) other = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *path;

  for (guint side = 0; side < 2; side++)
    {
      Story *story = side == 0 ? few : more;
      gint64 time = 0;

      for (guint i = 0; i < 40; i++)
        {
          story_add_at (story, time, "0,mark,,,,,,,11,,,x,main;rare,,");
          time += side == 1 && i == 7 ? 90000 : 10;
          story_add_at (story, time, "0,mark,,,,,,,11,,,x,main;steady,,");
          time += side == 0 ? 100 : 130 + (i % 3);
        }
    }
  base = story_open_as (few, "one-call-base");
  other = story_open_as (more, "one-call-other");
  report = contexts_compare (base, other, "estimate", "aggressive", NULL);
  path = summary_get_element (report_get_summary (report), "paths", 0);
  g_assert_cmpstr (json_object_get_string_member (summary_get_element (path, "frames", 1),
                                                  "function"),
                   ==, "rare");
  g_assert_false (json_object_get_boolean_member (path, "within_noise"));
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 89990);
}

/* --- new paths --- */

/* The callers were already costly before. A new frame below them does not make them slower. */
static void
test_compare_new_leaf (void)
{
  g_autoptr (TbTrace) base
      = story_open_lines ("leaf-base",
                          STACK (0, "mark", "main;work@app") STACK (5000, "mark", "main;draw@app")
                              STACK (5100, "mark", "main"));
  g_autoptr (TbTrace) other
      = story_open_lines ("leaf-other", STACK (0, "mark", "main;work@app")
                                            STACK (5000, "mark", "main;work@app;fault@libc")
                                                STACK (5010, "mark", "main;draw@app")
                                                    STACK (5900, "mark", "main"));
  g_autoptr (TbReport) ours = contexts_compare (base, other, "estimate", "aggressive", NULL);
  g_autoptr (TbReport) papers
      = contexts_compare (base, other, "estimate", "aggressive", "cost", "mean", NULL);
  JsonObject *path = summary_get_element (report_get_summary (ours), "paths", 0);

  g_assert_cmpstr (json_object_get_string_member (summary_get_element (path, "frames", 1),
                                                  "function"),
                   ==, "draw");
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 790);
  g_assert_cmpint (summary_get_int (summary_get_element (report_get_summary (ours), "paths", 1),
                                    "cost_ns"),
                   ==, 10);
  /* The paper's rule counts the whole path. */
  path = summary_get_element (report_get_summary (papers), "paths", 0);
  g_assert_cmpstr (json_object_get_string_member (summary_get_element (path, "frames", 2),
                                                  "function"),
                   ==, "fault");
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 5010);
}

/* --- several recordings a side --- */

static TbTrace *
open_run (const char *name, guint seed, int steady, int slow)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
  Story *story = story_new (NULL);
  gint64 time = 0;

  for (guint i = 0; i < 20; i++)
    {
      story_add_at (story, time, "0,mark,,,,,,,11,,,x,main;steady@app,,");
      time += steady + g_rand_int_range (dice, 0, steady / 10);
      story_add_at (story, time, "0,mark,,,,,,,11,,,x,main;slow@plug,,");
      time += slow + g_rand_int_range (dice, 0, slow / 10);
    }
  story_add_at (story, time, "0,mark,,,,,,,11,,,x,main,,");
  return story_open_as (story, name);
}

static TbReport *
compare_runs (guint n_base, guint n_other, int slow)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();

  for (guint i = 0; i < n_base + n_other; i++)
    {
      g_autofree char *name = g_strdup_printf ("run-%u", i);
      g_autoptr (TbTrace) trace = open_run (name, i, 1000, i < n_base ? 1000 : slow);

      tb_comparison_add (comparison, i < n_base ? TB_COMPARISON_BASE : TB_COMPARISON_OTHER, trace,
                         name);
    }
  return report_compare_all ("calling-contexts", comparison, "estimate", "aggressive", NULL);
}

static void
test_several (void)
{
  g_autoptr (TbReport) report = compare_runs (3, 2, 1500);
  JsonObject *summary = report_get_summary (report),
             *path = summary_get_element (summary, "paths", 0);

  g_assert_cmpuint (summary_count (report_get_summary (report), "paths"), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (summary_get_element (path, "frames", 1),
                                                  "function"),
                   ==, "slow");
  g_assert_false (json_object_get_boolean_member (path, "within_noise"));
  g_assert_cmpint (summary_get_int (path, "low_ns"), >, 0);
  g_assert_cmpint (summary_get_int (path, "cost_ns"), >, 20 * 400);
  g_assert_cmpint (summary_get_int (path, "high_ns"), <, 20 * 700);
  path = summary_get_element (summary, "paths", 1);
  g_assert_true (json_object_get_boolean_member (path, "within_noise"));
  for (guint i = 0; i < summary_count (report_get_summary (report), "differences"); i++)
    {
      JsonObject *difference = summary_get_element (summary, "differences", i);

      if (g_str_equal (json_object_get_string_member (difference, "what"), "module_ns"))
        g_assert_cmpint (json_object_get_boolean_member (difference, "within_noise"), ==,
                         !g_str_equal (json_object_get_string_member (difference, "id"), "plug"));
    }
  g_assert_cmpuint (summary_count (json_object_get_object_member (summary, "recordings"), "base"),
                    ==, 3);
  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==, "context-growth");
  finding_assert_integer (tb_report_get_finding (report, 0), "base_recordings", 3);
  g_assert_true (finding_is_null (tb_report_get_finding (report, 0), "base_recording"));
}

/* A single base recording is named. */
static void
test_named (void)
{
  g_autoptr (TbReport) report = compare_runs (1, 2, 1500);

  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==, "context-growth");
  finding_assert_string (tb_report_get_finding (report, 0), "function", "slow");
  finding_assert_string (tb_report_get_finding (report, 0), "caller", "main");
  for (guint i = 0; i < 2; i++)
    {
      finding_assert_string (tb_report_get_finding (report, i), "base_recording", "run-0");
      finding_assert_integer (tb_report_get_finding (report, i), "base_recordings", 1);
    }
  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 1)), ==, "module-growth");
  finding_assert_string (tb_report_get_finding (report, 1), "module", "plug");
}

static void
test_several_same (void)
{
  g_autoptr (TbReport) report = compare_runs (3, 3, 1000);
  JsonArray *differences
      = json_object_get_array_member (report_get_summary (report), "differences");

  for (guint i = 0; i < json_array_get_length (differences); i++)
    g_assert_true (json_object_get_boolean_member (json_array_get_object_element (differences, i),
                                                   "within_noise"));
  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==, "no-difference");
}

/* --- figures --- */

static void
test_figures (void)
{
  g_autoptr (TbTrace) base = story_open_lines ("base", base_lines);
  g_autoptr (TbTrace) other = story_open_lines ("other", other_lines);
  g_autoptr (TbReport) report = contexts_compare (base, other, "estimate", "aggressive", NULL);
  TbHeatmapFigure *heat = TB_HEATMAP_FIGURE (tb_report_find_figure (report, "heat"));
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  TbFlameFigure *flame = TB_FLAME_FIGURE (tb_report_find_figure (report, "contexts"));
  guint64 before = 0;
  guint n_base = 0, n_other = 0;

  g_assert_cmpuint (tb_heatmap_figure_get_n_rows (heat), ==, 3);
  g_assert_cmpuint (tb_heatmap_figure_get_n_columns (heat), ==, 3);
  /* The first path is the topmost row, which is the last one. */
  g_assert_cmpint (tb_heatmap_figure_get_signed_row (heat, 2)[2], ==, 800);
  for (guint column = 0; column < 3; column++)
    g_assert_cmpuint (tb_heatmap_figure_get_number (heat, 2, column), ==, 2 - column);
  for (guint i = 0; i < tb_graph_figure_get_n_edges (tree); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (tree, i);

      *(edge->flags & TB_EDGE_STRONG ? &n_other : &n_base) += 1;
      if (g_str_equal (tb_graph_figure_get_vertex (tree, edge->to)->name, "copy"))
        g_assert_cmpuint (edge->weight, ==, edge->flags & TB_EDGE_STRONG ? 900 : 100);
    }
  /* main, parse, copy and draw are in both; the fifth is old in the base and new in the other. */
  g_assert_cmpuint (n_base, ==, 5);
  g_assert_cmpuint (n_other, ==, 5);
  g_assert_true (tb_flame_figure_get_base (flame, &before));
  g_assert_cmpuint (before, ==, 500);
  g_assert_cmpuint (tb_flame_figure_get_total (flame), ==, 1300);
}

/* Stroke width of the edge with a title that begins with this text. */
static double
find_width (const char *svg, const char *title)
{
  g_autofree char *begin = g_strdup_printf ("<title>%s", title);
  const char *found = strstr (svg, begin), *width;

  g_assert_nonnull (found);
  width = strstr (found, "stroke-width=\"");
  g_assert_nonnull (width);
  g_assert_true (width < strstr (found, "/>"));
  return g_ascii_strtod (width + strlen ("stroke-width=\""), NULL);
}

/* As in IntroPerf's Figure 6, edges of both sides are as thick as their time is long: width 1.3
 * plus up to 5.2, in proportion to the longest of all. */
static void
test_thickness (void)
{
  g_autoptr (TbTrace) base = story_open_lines ("base", base_lines);
  g_autoptr (TbTrace) other = story_open_lines ("other", other_lines);
  g_autoptr (TbReport) report = contexts_compare (base, other, "estimate", "aggressive", NULL);
  g_autoptr (TbDrawing) drawing = tb_drawing_new (tb_report_find_figure (report, "tree"),
                                                  TB_DRAWING_FIGURE, TB_TIME_NONE, TB_TIME_NONE);
  g_autofree char *svg = tb_drawing_to_svg (drawing, TB_COLORS_LIGHT);

  g_assert_cmpfloat_with_epsilon (find_width (svg, "Threads → main: 1.3 µs, 1 time"), 6.5, .051);
  g_assert_cmpfloat_with_epsilon (find_width (svg, "Threads → main: 500 ns, 500 ns (base)"), 3.3,
                                  .051);
  g_assert_cmpfloat_with_epsilon (find_width (svg, "parse → copy: 900 ns, 1 time"), 4.9, .051);
  g_assert_cmpfloat_with_epsilon (find_width (svg, "parse → copy: 100 ns, 100 ns (base)"), 1.7,
                                  .051);
}

/* Growth in the program and growth in the kernel. */
static void
test_layers (void)
{
  g_autoptr (TbTrace) base
      = story_open_lines ("base", STACK (100, "mark", "main;read@libc.so.6")
                                      STACK (200, "mark", "main;read@libc.so.6;vfs_read@[kernel]")
                                          STACK (500, "mark", "main"));
  g_autoptr (TbTrace) other
      = story_open_lines ("other", STACK (100, "mark", "main;read@libc.so.6")
                                       STACK (250, "mark", "main;read@libc.so.6;vfs_read@[kernel]")
                                           STACK (950, "mark", "main"));
  g_autoptr (TbReport) report = contexts_compare (base, other, "estimate", "aggressive", NULL);
  TbTableFigure *table = TB_TABLE_FIGURE (tb_report_find_figure (report, "layers"));
  const gint64 expected[2][2] = { { 300, 700 }, { 100, 150 } };
  guint n = 0;

  for (guint i = 0; i < summary_count (report_get_summary (report), "differences"); i++)
    {
      JsonObject *difference = summary_get_element (report_get_summary (report), "differences", i);

      if (!g_str_equal (json_object_get_string_member (difference, "what"), "layer_ns"))
        continue;
      g_assert_cmpstr (json_object_get_string_member (difference, "id"), ==,
                       n == 0 ? "kernel" : "user");
      g_assert_cmpint (summary_get_int (difference, "base"), ==, expected[n][0]);
      g_assert_cmpint (summary_get_int (difference, "other"), ==, expected[n][1]);
      g_assert_cmpstr (tb_table_figure_get_text (table, n, 0), ==,
                       n == 0 ? "Kernel" : "User space");
      g_assert_cmpint (tb_table_figure_get_integer (table, n, 3), ==,
                       expected[n][1] - expected[n][0]);
      n++;
    }
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==, 2);
}

/* --- comparison with a naive merge --- */

/* Own time of every path that begins at the outermost function, from the report of one recording,
 * in which nothing is matched. */
static GHashTable *
get_own_times (TbReport *report, GHashTable *leaves)
{
  GHashTable *own = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < summary_count (report_get_summary (report), "paths"); i++)
    {
      JsonArray *frames = json_object_get_array_member (
          summary_get_element (report_get_summary (report), "paths", i), "frames");
      g_autoptr (GString) path = g_string_new (NULL);

      for (guint k = 0; k < json_array_get_length (frames); k++)
        {
          JsonObject *frame = json_array_get_object_element (frames, k);

          g_string_append_printf (path, ";%s", json_object_get_string_member (frame, "function"));
          g_hash_table_replace (own, g_strdup (path->str),
                                GINT_TO_POINTER ((int) summary_get_int (frame, "own_ns")));
        }
      g_hash_table_add (leaves, g_strdup (path->str));
    }
  return own;
}

/* Growth of a path's cost: frames that only one side has count in full. */
static gint64
get_grown (const char *path, GHashTable *base, GHashTable *other)
{
  gint64 sum = 0;

  for (const char *end = path; *end != '\0';)
    {
      g_autofree char *prefix = NULL;

      end = strchr (end + 1, ';') != NULL ? strchr (end + 1, ';') : end + strlen (end);
      prefix = g_strndup (path, (gsize) (end - path));
      sum += GPOINTER_TO_INT (g_hash_table_lookup (other, prefix))
             - GPOINTER_TO_INT (g_hash_table_lookup (base, prefix));
    }
  return sum;
}

static TbTrace *
open_random (const char *name)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  guint n = (guint) g_test_rand_int_range (1, 40);
  int time = 0;

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (lines, "%d,0,mark,,,,,,,11,,,x,", time);
      for (int k = g_test_rand_int_range (1, 5); k > 0; k--)
        g_string_append_printf (lines, "%c%s", 'a' + g_test_rand_int_range (0, 3),
                                k > 1 ? ";" : "");
      g_string_append (lines, ",,\n");
      time += g_test_rand_int_range (1, 100);
    }
  return story_open_lines (name, lines->str);
}

static void
assert_paths (TbReport *report,
              const char *member,
              GHashTable *base,
              GHashTable *other,
              GHashTable *expected)
{
  gint64 before = G_MAXINT64;
  gboolean noise_before = FALSE;

  for (guint i = 0; i < summary_count (report_get_summary (report), member); i++)
    {
      JsonObject *path = summary_get_element (report_get_summary (report), member, i);
      JsonArray *frames = json_object_get_array_member (path, "frames");
      g_autoptr (GString) name = g_string_new (NULL);
      gboolean noise = json_object_get_boolean_member (path, "within_noise");

      for (guint k = 0; k < json_array_get_length (frames); k++)
        g_string_append_printf (
            name, ";%s",
            json_object_get_string_member (json_array_get_object_element (frames, k), "function"));
      g_assert_true (g_hash_table_remove (expected, name->str));
      g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, get_grown (name->str, base, other));
      /* Highest cost first, noise last. */
      g_assert_true (noise || !noise_before);
      if (noise == noise_before && g_str_equal (member, "paths"))
        g_assert_cmpint (summary_get_int (path, "cost_ns"), <=, before);
      before = summary_get_int (path, "cost_ns");
      noise_before = noise;
    }
  g_assert_cmpuint (g_hash_table_size (expected), ==, 0);
}

/* "100-200@11 …": times and threads of an edge's calls. */
static char *
list_calls (TbGraphFigure *tree, guint edge)
{
  GString *text = g_string_new (NULL);
  TbGraphOccurrences calls;

  tb_graph_figure_get_occurrences (tree, edge, &calls);
  for (gsize i = 0; i < calls.n; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT "@%u ", calls.from[i],
                            calls.to[i], calls.thread[i]);
  return g_string_free (text, FALSE);
}

/* Edges of one side by path, a list of function names. flags: edge flags of that side. */
static GHashTable *
map_edges (TbReport *report, guint flags)
{
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  GHashTable *edges = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < tb_graph_figure_get_n_vertices (tree); i++)
    g_ptr_array_add (paths, i == 0 ? g_strdup ("") : NULL);
  /* Callers must come before callees. */
  for (guint i = 0; i < tb_graph_figure_get_n_edges (tree); i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (tree, i);
      char **path = (char **) &g_ptr_array_index (paths, edge->to);

      g_assert_nonnull (g_ptr_array_index (paths, edge->from));
      if (*path == NULL)
        *path = g_strdup_printf ("%s;%s", (char *) g_ptr_array_index (paths, edge->from),
                                 tb_graph_figure_get_vertex (tree, edge->to)->name);
      if ((edge->flags & TB_EDGE_BASE) == flags)
        g_hash_table_insert (edges, g_strdup (*path), GUINT_TO_POINTER (i));
    }
  return edges;
}

/* Calls of those edges. */
static GHashTable *
map_calls (TbReport *report, guint flags)
{
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  GHashTable *calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) edges = map_edges (report, flags);
  GHashTableIter iter;
  gpointer path, edge;

  g_hash_table_iter_init (&iter, edges);
  while (g_hash_table_iter_next (&iter, &path, &edge))
    g_hash_table_insert (calls, g_strdup (path), list_calls (tree, GPOINTER_TO_UINT (edge)));
  return calls;
}

/* The calls that the comparison lists for a side must be those of that recording's own analysis. */
static void
assert_calls (TbReport *report, TbReport *alone, guint flags)
{
  g_autoptr (GHashTable) found = map_calls (report, flags);
  g_autoptr (GHashTable) expected = map_calls (alone, 0);
  GHashTableIter iter;
  gpointer path, calls;

  g_assert_cmpuint (g_hash_table_size (found), ==, g_hash_table_size (expected));
  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &path, &calls))
    g_assert_cmpstr (g_hash_table_lookup (found, path), ==, calls);
}

/* Each cell refers to the calls of its function in the other recording, which has all of these
 * paths. */
static void
assert_cells (TbReport *report)
{
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));

  g_assert_cmpstr (tb_figure_get_item_owner (tb_report_find_figure (report, "heat")), ==, "tree");
  g_assert_cmpstr (tb_figure_get_item_owner (tb_report_find_figure (report, "frames")), ==, "tree");
  for (guint i = 0; i < summary_count (report_get_summary (report), "paths"); i++)
    {
      JsonArray *frames = json_object_get_array_member (
          summary_get_element (report_get_summary (report), "paths", i), "frames");

      for (guint k = 0; k < json_array_get_length (frames); k++)
        {
          g_autofree char *item = g_strdup_printf ("%u/%u", i + 1, k);
          guint edge = tb_graph_figure_find_edge (tree, item);
          g_autofree char *calls = NULL;

          g_assert_cmpuint (edge, !=, TB_ID_NONE);
          g_assert_cmpuint (tb_graph_figure_get_edge (tree, edge)->flags, ==, TB_EDGE_STRONG);
          g_assert_cmpstr (
              tb_graph_figure_get_vertex (tree, tb_graph_figure_get_edge (tree, edge)->to)->name,
              ==,
              json_object_get_string_member (json_array_get_object_element (frames, k),
                                             "function"));
          calls = list_calls (tree, edge);
          g_assert_cmpstr (calls, !=, "");
        }
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < test_rounds (25, 5); round++)
    {
      g_autofree char *base_name = g_strdup_printf ("random-base-%u", round);
      g_autofree char *other_name = g_strdup_printf ("random-other-%u", round);
      g_autoptr (TbTrace) base = open_random (base_name);
      g_autoptr (TbTrace) other = open_random (other_name);
      g_autoptr (TbReport) base_report
          = contexts_analyze (base, "estimate", "aggressive", "top", "0", NULL);
      g_autoptr (TbReport) other_report
          = contexts_analyze (other, "estimate", "aggressive", "top", "0", NULL);
      g_autoptr (TbReport) report
          = contexts_compare (base, other, "estimate", "aggressive", "top", "0", NULL);
      g_autoptr (GHashTable) base_leaves
          = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (GHashTable) other_leaves
          = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (GHashTable) base_own = get_own_times (base_report, base_leaves);
      g_autoptr (GHashTable) other_own = get_own_times (other_report, other_leaves);

      assert_paths (report, "paths", base_own, other_own, other_leaves);
      assert_calls (report, base_report, TB_EDGE_BASE);
      assert_calls (report, other_report, 0);
      assert_cells (report);
    }
}

#define N_RECORDINGS 3

/* Each edge has the calls of the first recording of its side in which it occurs, and names that
 * recording. Returns how many edges have theirs from a later recording than the first. */
static guint
assert_first_that_has (TbReport *report, TbReport *const *alone, guint flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) json = tb_report_to_json (report);
  g_autoptr (TbReport) again = tb_report_from_json (json, &error);
  TbGraphFigure *tree = TB_GRAPH_FIGURE (tb_report_find_figure (report, "tree"));
  TbGraphFigure *tree_again = TB_GRAPH_FIGURE (tb_report_find_figure (again, "tree"));
  g_autoptr (GHashTable) edges = map_edges (report, flags);
  g_autoptr (GHashTable) expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer path, item;
  guint n_later = 0;

  for (guint r = 0; r < N_RECORDINGS; r++)
    {
      g_autoptr (GHashTable) calls = map_calls (alone[r], 0);

      g_hash_table_iter_init (&iter, calls);
      while (g_hash_table_iter_next (&iter, &path, &item))
        if (!g_hash_table_contains (expected, path))
          g_hash_table_insert (expected, g_strdup (path),
                               g_strdup_printf ("%u: %s", r, (char *) item));
    }
  g_assert_cmpuint (g_hash_table_size (edges), ==, g_hash_table_size (expected));
  g_hash_table_iter_init (&iter, edges);
  while (g_hash_table_iter_next (&iter, &path, &item))
    {
      guint edge = GPOINTER_TO_UINT (item),
            recording = tb_graph_figure_get_edge_recording (tree, edge);
      g_autofree char *calls = list_calls (tree, edge);
      g_autofree char *found = g_strdup_printf ("%u: %s", recording, calls);

      g_assert_cmpstr (found, ==, g_hash_table_lookup (expected, path));
      g_assert_cmpuint (tb_graph_figure_get_edge_recording (tree_again, edge), ==, recording);
      n_later += recording > 0;
    }
  return n_later;
}

static void
test_several_calls (void)
{
  guint n_later = 0;

  for (guint round = 0; round < test_rounds (5, 2); round++)
    {
      g_autoptr (TbComparison) comparison = tb_comparison_new ();
      TbReport *alone[2 * N_RECORDINGS];
      g_autoptr (TbReport) report = NULL;

      for (guint i = 0; i < 2 * N_RECORDINGS; i++)
        {
          g_autofree char *name = g_strdup_printf ("several-%u-%u", round, i);
          g_autoptr (TbTrace) trace = open_random (name);

          alone[i] = contexts_analyze (trace, "estimate", "aggressive", "top", "0", NULL);
          tb_comparison_add (comparison,
                             i < N_RECORDINGS ? TB_COMPARISON_BASE : TB_COMPARISON_OTHER, trace,
                             name);
        }
      report = report_compare_all ("calling-contexts", comparison, "estimate", "aggressive", "top",
                                   "0", NULL);
      n_later += assert_first_that_has (report, alone, TB_EDGE_BASE);
      n_later += assert_first_that_has (report, alone + N_RECORDINGS, 0);
      for (guint i = 0; i < G_N_ELEMENTS (alone); i++)
        g_object_unref (alone[i]);
    }
  g_assert_cmpuint (n_later, >, 0);
}

/* Programs without symbols, and recursion thousands of frames deep, on both sides. */
static void
test_stripped_and_deep (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (TbTrace) base
      = story_open_lines ("stripped-base", STACK (0, "mark", "app+0x10@app;app+0x20@app")
                                               STACK (50, "mark", "app+0x10@app"));
  g_autoptr (TbTrace) other
      = story_open_lines ("stripped-other", STACK (0, "mark", "app+0x10@app;app+0x20@app")
                                                STACK (90, "mark", "app+0x10@app"));
  g_autoptr (TbReport) stripped = contexts_compare (base, other, "estimate", "aggressive", NULL);
  g_autoptr (TbTrace) deep = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *path = summary_get_element (report_get_summary (stripped), "paths", 0);

  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 40);
  g_assert_cmpuint (summary_count (path, "frames"), ==, 2);
  g_string_append (lines, "0,0,mark,,,,,,,11,,,x,main");
  for (guint i = 0; i < 4000; i++)
    g_string_append (lines, ";again");
  g_string_append (lines, ",,\n100,0,mark,,,,,,,11,,,x,main,,\n");
  deep = story_open_lines ("deep-other", lines->str);
  report = contexts_compare (base, deep, "estimate", "aggressive", NULL);
  path = summary_get_element (report_get_summary (report), "paths", 0);
  g_assert_cmpuint (summary_count (path, "frames"), ==, 4001);
  g_assert_cmpint (summary_get_int (path, "cost_ns"), ==, 100);
}

/* --- different builds --- */

/* A recording with a sample in a function of a file with that build ID. */
static TbTrace *
open_build (const char *name, const char *build_id)
{
  TbRecorder *recorder = recording_new (name);
  const guint32 frames[] = { tb_recorder_intern_named_frame (recorder, "main", "app", FALSE) };
  const guint8 flags[] = { 0 };

  tb_recorder_add_host (recorder, "host", "", "x86_64", 1, 0);
  tb_recorder_intern_module (recorder, TB_MODULE_FILE, "/usr/bin/app", build_id, 0);
  for (guint i = 0; i < 2; i++)
    {
      TbEvent event
          = { .time = 100 * (i + 1), .kind = TB_EVENT_SAMPLE, .tid = 11, .pid = 11, .a = 1 };

      event.stack = tb_recorder_intern_stack (recorder, frames, flags, 1);
      tb_recorder_add (recorder, &event);
    }
  return recording_open (recorder);
}

static void
test_builds (void)
{
  g_autoptr (TbTrace) base = open_build ("build-base", "0123456789abcdef0123456789abcdef01234567");
  g_autoptr (TbTrace) same = open_build ("build-same", "0123456789abcdef0123456789abcdef01234567");
  g_autoptr (TbTrace) other
      = open_build ("build-other", "76543210fedcba9876543210fedcba9876543210");
  g_autoptr (TbTrace) unknown = open_build ("build-unknown", "");
  g_autoptr (TbReport) equal = contexts_compare (base, same, NULL);
  g_autoptr (TbReport) different = contexts_compare (base, other, NULL);
  g_autoptr (TbReport) without = contexts_compare (base, unknown, NULL);

  g_assert_false (report_has_warning (equal, "different builds"));
  g_assert_true (report_has_warning (different, "different builds of app"));
  g_assert_false (report_has_warning (without, "different builds"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/compare/paths", test_compare);
  g_test_add_func ("/calling-contexts/compare/same", test_compare_same);
  g_test_add_func ("/calling-contexts/compare/nothing-common", test_compare_nothing_common);
  g_test_add_func ("/calling-contexts/compare/noise", test_compare_noise);
  g_test_add_func ("/calling-contexts/compare/one-call", test_compare_one_call);
  g_test_add_func ("/calling-contexts/compare/new-leaf", test_compare_new_leaf);
  g_test_add_func ("/calling-contexts/compare/several", test_several);
  g_test_add_func ("/calling-contexts/compare/several-calls", test_several_calls);
  g_test_add_func ("/calling-contexts/compare/named", test_named);
  g_test_add_func ("/calling-contexts/compare/several-same", test_several_same);
  g_test_add_func ("/calling-contexts/compare/figures", test_figures);
  g_test_add_func ("/calling-contexts/compare/thickness", test_thickness);
  g_test_add_func ("/calling-contexts/compare/layers", test_layers);
  g_test_add_func ("/calling-contexts/compare/random", test_random);
  g_test_add_func ("/calling-contexts/compare/stripped-and-deep", test_stripped_and_deep);
  g_test_add_func ("/calling-contexts/compare/builds", test_builds);
  return recording_run_tests ();
}
