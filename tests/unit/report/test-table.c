/* test-table.c: test of table figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "random-figures.h"
#include "report/tb-figure-table.h"
#include "session/schema/tb-schema.h"

static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (TbTableFigure) figure = random_table (rand, i);

      assert_round_trip (TB_FIGURE (figure));
    }
}

static TbTableFigure *
make_table (void)
{
  TbTableFigure *table = tb_table_figure_new ("t", "");

  tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  tb_table_figure_add_column (table, "run_ns", "Running", TB_CELL_DURATION);
  tb_table_figure_add_column (table, "share", "Share", TB_CELL_SHARE);
  tb_table_figure_add_row (table, "1");
  tb_table_figure_set_text (table, 0, 0, "a rather long name\n of 漢字");
  tb_table_figure_set_integer (table, 0, 1, 12500000);
  tb_table_figure_set_double (table, 0, 2, 0.31);
  tb_table_figure_add_row (table, "2");
  tb_table_figure_set_text (table, 1, 0, "b");
  tb_table_figure_set_integer (table, 1, 1, 0);
  tb_table_figure_set_double (table, 1, 2, NAN);
  tb_figure_freeze (TB_FIGURE (table));
  return table;
}

static void
test_text (void)
{
  g_autoptr (TbTableFigure) table = make_table ();
  g_autofree char *wide = tb_figure_to_text (TB_FIGURE (table), 0);
  g_autofree char *cut = tb_figure_to_text (TB_FIGURE (table), 30);
  g_autofree char *records = tb_figure_to_text (TB_FIGURE (table), 20);

  g_assert_cmpstr (wide, ==,
                   "Name                         Running  Share\n"
                   "a rather long name� of 漢字  12.5 ms   31 %\n"
                   "b                               0 ns      —\n");
  g_assert_cmpstr (cut, ==,
                   "Name            Running  Share\n"
                   "a rather long…  12.5 ms   31 %\n"
                   "b                  0 ns      —\n");
  g_assert_cmpstr (records, ==,
                   "Name: a rather long\n"
                   "    name� of 漢字\n"
                   "  Running: 12.5 ms\n"
                   "  Share: 31 %\n"
                   "Name: b\n"
                   "  Running: 0 ns\n"
                   "  Share: —\n");
}

static void
test_unknown_is_not_zero (void)
{
  g_autoptr (TbTableFigure) table = make_table ();
  g_autofree char *json = json_to_text (tb_figure_to_json (TB_FIGURE (table)));

  g_assert_true (tb_table_figure_is_known (table, 1, 1));
  g_assert_false (tb_table_figure_is_known (table, 1, 2));
  g_assert_nonnull (strstr (json, "[\"b\",0,null]"));
}

/* Bars of parts of a whole: unknown and negative values have none. */
static void
test_bar (void)
{
  g_autoptr (TbTableFigure) table = tb_table_figure_new ("t", "Where it went");
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (TbFigure) read = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (tb_table_figure_get_bar (table), ==, TB_ID_NONE);
  tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  tb_table_figure_set_bar (table,
                           tb_table_figure_add_column (table, "ns", "Time", TB_CELL_DURATION));
  for (guint row = 0; row < 4; row++)
    tb_table_figure_add_row (table, NULL);
  tb_table_figure_set_integer (table, 0, 1, 30);
  tb_table_figure_set_integer (table, 1, 1, 10);
  tb_table_figure_set_integer (table, 3, 1, -5);
  tb_table_figure_set_paint (table, 1, TB_FLAME_DISK);
  assert_round_trip (TB_FIGURE (table));
  json = tb_figure_to_json (TB_FIGURE (table));
  read = tb_figure_from_json (json, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tb_table_figure_get_bar (TB_TABLE_FIGURE (read)), ==, 1);
  g_assert_cmpfloat (tb_table_figure_get_part (TB_TABLE_FIGURE (read), 0), ==, .75);
  g_assert_cmpfloat (tb_table_figure_get_part (TB_TABLE_FIGURE (read), 1), ==, .25);
  g_assert_cmpfloat (tb_table_figure_get_part (TB_TABLE_FIGURE (read), 2), ==, 0);
  g_assert_cmpfloat (tb_table_figure_get_part (TB_TABLE_FIGURE (read), 3), ==, 0);
  g_assert_cmpuint (tb_table_figure_get_paint (TB_TABLE_FIGURE (read), 0), ==, TB_N_FLAME_PAINTS);
  g_assert_cmpuint (tb_table_figure_get_paint (TB_TABLE_FIGURE (read), 1), ==, TB_FLAME_DISK);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = json_to_string (json, FALSE);
      g_autoptr (JsonNode) copy = json_from_string (text, NULL);

      /* neither a text column nor one that does not exist */
      json_object_set_string_member (json_node_get_object (copy), "bar", i ? "name" : "other");
      g_assert_null (tb_figure_from_json (copy, &error));
      g_assert_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT);
      g_clear_error (&error);
    }
}

/* A column with durations in some rows and counts in others. */
static TbTableFigure *
make_measured (void)
{
  TbTableFigure *table = tb_table_figure_new ("t", "");

  tb_table_figure_add_column (table, "what", "What", TB_CELL_TEXT);
  tb_table_figure_add_column (table, "value", "Value", TB_CELL_TEXT);
  for (guint row = 0; row < 6; row++)
    {
      tb_table_figure_add_row (table, NULL);
      tb_table_figure_set_text (table, row, 0, "x");
    }
  tb_table_figure_set_text (table, 0, 1, "13 ms");
  tb_table_figure_set_measure (table, 0, 1, TB_CELL_DURATION, 13e6, 13e6);
  tb_table_figure_set_text (table, 1, 1, "9");
  tb_table_figure_set_measure (table, 1, 1, TB_CELL_COUNT, 9, 9);
  tb_table_figure_set_text (table, 2, 1, "2 s");
  tb_table_figure_set_measure (table, 2, 1, TB_CELL_DURATION, 2e9, 2e9);
  tb_table_figure_set_text (table, 3, 1, "10.5");
  tb_table_figure_set_measure (table, 3, 1, TB_CELL_COUNT, 10.5, 10.5);
  tb_table_figure_set_text (table, 4, 1, "-1 ms to 1 ms");
  tb_table_figure_set_measure (table, 4, 1, TB_CELL_DURATION, -1e6, 1e6);
  return table;
}

static char *
to_csv (TbFigure *figure)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  tb_figure_write_csv (figure, TB_TIME_NONE, TB_TIME_NONE, stream, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Sorted by value, each type on its own; numbers for programs, text for users; existing JSON
 * members are unchanged. */
static void
test_measures (void)
{
  static const guint ascending[] = { 5, 1, 3, 4, 0, 2 };
  g_autoptr (TbTableFigure) table = make_measured ();
  g_autofree char *csv = NULL;
  g_autofree char *json = NULL;
  double low, high;

  assert_round_trip (TB_FIGURE (table));
  g_assert_true (tb_table_figure_is_numeric (table, 1) && !tb_table_figure_is_numeric (table, 0));
  g_assert_true (tb_table_figure_has_durations (table));
  for (guint i = 0; i < G_N_ELEMENTS (ascending); i++)
    for (guint k = 0; k < G_N_ELEMENTS (ascending); k++)
      {
        int order = tb_table_figure_compare (table, 1, ascending[i], ascending[k]);

        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > k) - (i < k));
      }
  g_assert_cmpint (tb_table_figure_get_measure (table, 4, 1, &low, &high), ==, TB_CELL_DURATION);
  g_assert_cmpfloat (low, ==, -1e6);
  g_assert_cmpfloat (high, ==, 1e6);
  g_assert_cmpint (tb_table_figure_get_measure (table, 5, 1, &low, &high), ==, TB_CELL_TEXT);
  csv = to_csv (TB_FIGURE (table));
  g_assert_cmpstr (
      csv, ==,
      "what,value\r\nx,13000000\r\nx,9\r\nx,2000000000\r\nx,10.5\r\nx,-1000000..1000000\r\nx,\r\n");
  json = json_to_text (tb_figure_to_json (TB_FIGURE (table)));
  g_assert_nonnull (strstr (json, "\"cells\":[\"x\",\"13 ms\"]"));
  g_assert_nonnull (strstr (json, "\"measures\":[null,[\"duration\",13000000"));
}

/* Measures without text, without a type, or in the wrong order. */
static void
test_bad_measures (void)
{
  static const char *const bad[] = { "[null,[\"text\",1]]",
                                     "[null,[\"duration\"]]",
                                     "[null,[\"none\",1]]",
                                     "[null,[\"count\",2,1]]",
                                     "[null,[\"count\",1,2,3]]",
                                     "[null,[\"count\",\"1\"]]",
                                     "[null,[1,1]]",
                                     "[null,null,[\"count\",1]]",
                                     "[null,7]",
                                     "7",
                                     "[null,[\"count\",1e999]]",
                                     "[[\"count\",1],null,null]" };
  g_autoptr (TbTableFigure) table = make_measured ();
  g_autoptr (JsonNode) json = NULL;

  tb_figure_freeze (TB_FIGURE (table));
  json = tb_figure_to_json (TB_FIGURE (table));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = json_to_string (json, FALSE);
      g_autoptr (JsonNode) copy = json_from_string (text, NULL);
      g_autoptr (JsonNode) measures = json_from_string (bad[i], NULL);
      g_autoptr (TbFigure) read = NULL;
      g_autoptr (GError) error = NULL;
      JsonArray *rows = json_object_get_array_member (json_node_get_object (copy), "rows");

      if (measures == NULL)
        continue;
      json_object_set_member (json_array_get_object_element (rows, 5), "measures",
                              g_steal_pointer (&measures));
      read = tb_figure_from_json (copy, &error);
      g_assert_null (read);
      g_assert_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT);
    }
}

static TbHistogramFigure *
make_histogram (const char *id)
{
  TbHistogramFigure *histogram = tb_histogram_figure_new (id, "How long", "ns");

  tb_histogram_figure_add_bin (histogram, 0, 10);
  tb_histogram_figure_add_series (histogram, "all", "All");
  return histogram;
}

static TbTableFigure *
make_counted (void)
{
  TbTableFigure *table = tb_table_figure_new ("calls", "Calls");

  tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  tb_table_figure_set_histogram (table,
                                 tb_table_figure_add_column (table, "ns", "Took", TB_CELL_DURATION),
                                 "lengths");
  return table;
}

/* The histogram of a column's values is found in the report, whatever its position, and again after
 * parsing. */
static void
test_counted (void)
{
  for (guint first = 0; first < 2; first++)
    {
      g_autoptr (TbReport) report = tb_report_new ("analysis", "Report", 0, 10);
      g_autoptr (TbReport) read = NULL;
      g_autoptr (JsonNode) json = NULL;
      g_autoptr (GError) error = NULL;
      TbFigure *table, *histogram;
      guint column;

      if (first)
        tb_report_add_figure (report, TB_FIGURE (make_histogram ("lengths")));
      tb_report_add_figure (report, TB_FIGURE (make_histogram ("others")));
      tb_report_add_figure (report, TB_FIGURE (make_counted ()));
      if (!first)
        tb_report_add_figure (report, TB_FIGURE (make_histogram ("lengths")));
      json = tb_report_to_json (report);
      read = tb_report_from_json (json, &error);
      g_assert_no_error (error);
      table = tb_report_find_figure (read, "calls");
      histogram = tb_report_find_figure (read, "lengths");
      g_assert_true (TB_FIGURE (tb_table_figure_get_histogram (TB_TABLE_FIGURE (table), &column))
                     == histogram);
      g_assert_cmpuint (column, ==, 1);
      assert_round_trip (table);
    }
}

/* Neither a text column nor one that does not exist; without the histogram there is no link. */
static void
test_not_counted (void)
{
  static const char *const columns[] = { "name", "other" };
  g_autoptr (TbTableFigure) table = make_counted ();
  guint column;

  tb_figure_freeze (TB_FIGURE (table));
  g_assert_null (tb_table_figure_get_histogram (table, &column));
  g_assert_cmpuint (column, ==, TB_ID_NONE);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr (JsonNode) json = tb_figure_to_json (TB_FIGURE (table));
      g_autoptr (GError) error = NULL;
      JsonObject *counted = json_object_get_object_member (json_node_get_object (json), "counted");

      json_object_set_string_member (counted, "column", columns[i]);
      g_assert_null (tb_figure_from_json (json, &error));
      g_assert_error (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/table/round-trip", test_round_trip);
  g_test_add_func ("/report/table/text", test_text);
  g_test_add_func ("/report/table/unknown", test_unknown_is_not_zero);
  g_test_add_func ("/report/table/bar", test_bar);
  g_test_add_func ("/report/table/measures", test_measures);
  g_test_add_func ("/report/table/bad-measures", test_bad_measures);
  g_test_add_func ("/report/table/counted", test_counted);
  g_test_add_func ("/report/table/not-counted", test_not_counted);
  return g_test_run ();
}
