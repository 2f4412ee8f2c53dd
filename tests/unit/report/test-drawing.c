/* test-drawing.c: test of figures as shapes, SVG, tables and values, and on a page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "random-figures.h"
#include "report/drawing/tb-drawing.h"
#include "report/tb-figure-table.h"
#include "report/html/tb-html.h"

#define HOSTILE "<script>alert(1)</script>&\"'\x1b[31m\xe2\x80\xae\xff]]>"
#define N_KINDS 6

static TbFigure *
make_figure (GRand *rand, guint kind)
{
  switch (kind)
    {
    case 0:
      return TB_FIGURE (
          random_timeline (rand, g_rand_int_range (rand, 1, 200), g_rand_int_range (rand, 1, 500)));
    case 1:
      return TB_FIGURE (random_flame (rand, g_rand_int_range (rand, 1, 6000)));
    case 2:
      return TB_FIGURE (random_table (rand, g_rand_int_range (rand, 0, 600)));
    case 3:
      return TB_FIGURE (random_histogram (rand, g_rand_int_range (rand, 1, 200)));
    case 4:
      return TB_FIGURE (random_heatmap (rand, g_rand_int_range (rand, 0, 200)));
    default:
      return TB_FIGURE (random_graph (rand, g_rand_int_range (rand, 1, 60)));
    }
}

/* Checks that the text is well-formed: elements are nested and closed. Names of elements and their
 * attributes are collected in `seen`. */
typedef struct
{
  GHashTable *elements;
  gboolean has_reference;
} Seen;

static void
element_started (GMarkupParseContext *context,
                 const char *name,
                 const char **names,
                 const char **values,
                 gpointer data,
                 GError **error)
{
  Seen *seen = data;

  g_hash_table_add (seen->elements, g_strdup (name));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_assert_false (g_str_has_prefix (names[i], "on"));
      if (g_str_equal (names[i], "href") || g_str_equal (names[i], "src"))
        seen->has_reference = seen->has_reference || values[i][0] != '#';
    }
}

static void
assert_well_formed (const char *text, Seen *seen)
{
  const GMarkupParser parser = { .start_element = element_started };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, seen, NULL);
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, text, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
}

static void
assert_harmless (const char *text)
{
  g_autoptr (GHashTable) elements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Seen seen = { elements, FALSE };

  assert_well_formed (text, &seen);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_false (g_hash_table_contains (elements, "script"));
  g_assert_false (seen.has_reference);
  g_assert_null (strstr (text, "\x1b"));
  g_assert_null (strstr (text, "\xe2\x80\xae"));
}

/* Every shape is within the sheet, with a valid ink and valid points; groups are closed. */
static void
assert_sane (TbDrawing *drawing)
{
  gsize n_shapes, n_points;
  const TbShape *shapes = tb_drawing_get_shapes (drawing, &n_shapes);
  const TbPathPoint *points = tb_drawing_get_points (drawing, &n_points);
  double width, height;
  int depth = 0;

  tb_drawing_get_size (drawing, &width, &height);
  g_assert_true (isfinite (width) && isfinite (height) && width > 0 && height > 0);
  g_assert_cmpuint (n_shapes, <, 300000);
  for (gsize i = 0; i < n_shapes; i++)
    {
      const TbShape *shape = &shapes[i];

      g_assert_cmpuint (shape->fill, <, TB_N_INKS);
      g_assert_cmpuint (shape->stroke, <, TB_N_INKS);
      depth += shape->kind == TB_SHAPE_GROUP ? 1 : shape->kind == TB_SHAPE_END ? -1 : 0;
      g_assert_cmpint (depth, >=, 0);
      if (shape->kind == TB_SHAPE_TEXT || shape->kind == TB_SHAPE_GROUP)
        g_assert_true (shape->text != NULL && g_utf8_validate (shape->text, -1, NULL));
      if (shape->kind == TB_SHAPE_BOX)
        {
          g_assert_true (shape->width >= 0 && shape->height >= 0 && shape->x >= 0 && shape->y >= 0);
          g_assert_cmpfloat (shape->x + shape->width, <=, width + .5);
          g_assert_cmpfloat (shape->y + shape->height, <=, height + .5);
        }
      g_assert_cmpuint (shape->first + shape->n, <=, n_points);
      for (gsize point = shape->first;
           shape->kind == TB_SHAPE_PATH && point < shape->first + shape->n; point++)
        g_assert_true (isfinite (points[point].x) && isfinite (points[point].y));
    }
  g_assert_cmpint (depth, ==, 0);
}

static void
test_every_kind (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (TbFigure) figure = make_figure (rand, i % N_KINDS);
      g_autoptr (TbDrawing) drawing = NULL;
      g_autofree char *svg = NULL;

      tb_figure_freeze (figure);
      drawing = tb_drawing_new (figure, i % 2 ? TB_DRAWING_TITLED : TB_DRAWING_FIGURE, TB_TIME_NONE,
                                TB_TIME_NONE);
      g_assert_false (tb_drawing_is_empty (drawing));
      assert_sane (drawing);
      svg = tb_drawing_to_svg (drawing, i % TB_N_COLOR_STYLES);
      assert_harmless (svg);
    }
}

static TbTimelineFigure *
make_timeline (const char *name, gint64 to)
{
  TbTimelineFigure *figure = tb_timeline_figure_new ("threads", name, 0, to);
  const gint64 start[] = { 0, 100, 500 }, end[] = { 100, 500, 1000 };
  const guint8 paint[] = { TB_PAINT_RUNNING, TB_PAINT_WAITING, TB_PAINT_DISK };
  g_autoptr (GBytes) starts = g_bytes_new (start, sizeof start),
                     ends = g_bytes_new (end, sizeof end);
  g_autoptr (GBytes) paints = g_bytes_new (paint, sizeof paint);
  guint track = tb_timeline_figure_add_track (figure, "t1", name, name, 1);

  tb_timeline_figure_set_intervals (figure, track, 3, starts, ends, paints);
  tb_timeline_figure_add_lost (figure, TB_ID_NONE, 200, 300, 7);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* The boxes of one ink: the left edge of the first and the right edge of the last. */
static guint
find_extent (TbDrawing *drawing, guint ink, double *left, double *right, double *height)
{
  gsize n_shapes, n_points;
  const TbShape *shapes = tb_drawing_get_shapes (drawing, &n_shapes);
  const TbPathPoint *points = tb_drawing_get_points (drawing, &n_points);
  guint n = 0;

  *left = G_MAXDOUBLE;
  *right = 0;
  for (gsize i = 0; i < n_shapes; i++)
    for (gsize p = shapes[i].first; shapes[i].kind == TB_SHAPE_PATH && shapes[i].fill == ink
                                    && p + 1 < shapes[i].first + shapes[i].n;
         p += 2)
      {
        g_assert_cmpint (points[p].op, ==, 'B');
        g_assert_cmpint (points[p + 1].op, ==, 'S');
        *left = MIN (*left, points[p].x);
        *right = MAX (*right, points[p].x + points[p + 1].x);
        *height = points[p + 1].y;
        n++;
      }
  return n;
}

static void
test_timeline (void)
{
  g_autoptr (TbTimelineFigure) figure = make_timeline ("a", 1000);
  g_autoptr (TbDrawing) whole
      = tb_drawing_new (TB_FIGURE (figure), TB_DRAWING_FIGURE, TB_TIME_NONE, TB_TIME_NONE);
  g_autoptr (TbDrawing) part = tb_drawing_new (TB_FIGURE (figure), TB_DRAWING_FIGURE, 0, 100);
  double left, right, full, third, origin;

  g_assert_cmpuint (find_extent (whole, TB_INK_PAINT + TB_PAINT_RUNNING, &origin, &right, &full),
                    ==, 1);
  g_assert_cmpfloat_with_epsilon (right - origin, 80, 1.01);
  g_assert_cmpuint (find_extent (whole, TB_INK_PAINT + TB_PAINT_WAITING, &left, &right, &third), ==,
                    1);
  g_assert_cmpfloat_with_epsilon (left - origin, 80, 1.01);
  g_assert_cmpfloat_with_epsilon (right - origin, 400, 1.01);
  g_assert_cmpfloat_with_epsilon (third * 3, full, .01);
  g_assert_cmpuint (find_extent (part, TB_INK_PAINT + TB_PAINT_RUNNING, &left, &right, &full), ==,
                    1);
  g_assert_cmpfloat_with_epsilon (right - left, 800, 1.01);
  g_assert_cmpuint (find_extent (part, TB_INK_PAINT + TB_PAINT_WAITING, &left, &right, &third), ==,
                    0);
}

/* A report with hostile names in each kind of figure, and a page with all of them. */
static TbReport *
make_hostile_report (void)
{
  TbReport *report = tb_report_new ("threads", HOSTILE, 0, 1000);
  TbFlameFigure *flame = tb_flame_figure_new ("flame", HOSTILE, "ns");
  TbHistogramFigure *histogram = tb_histogram_figure_new ("histogram", HOSTILE, HOSTILE);
  TbHeatmapFigure *heatmap = tb_heatmap_figure_new ("heatmap", HOSTILE, HOSTILE, 0, 1000, 2);
  TbGraphFigure *graph = tb_graph_figure_new ("graph", HOSTILE, "ns");
  TbTableFigure *table = tb_table_figure_new ("table", HOSTILE);
  const guint64 values[] = { 1, 2 };

  tb_flame_figure_add_node (flame, TB_ID_NONE, HOSTILE, HOSTILE, TB_FLAME_USER, 1000, 1);
  tb_histogram_figure_add_bin (histogram, 0, 10);
  tb_histogram_figure_add_series (histogram, HOSTILE, HOSTILE);
  tb_histogram_figure_set_count (histogram, 0, 0, 3, 12);
  tb_histogram_figure_add_mark (histogram, "peak", HOSTILE, 0, 10);
  tb_heatmap_figure_add_row (heatmap, "row", HOSTILE, values);
  tb_graph_figure_add_cluster (graph, "c", HOSTILE);
  tb_graph_figure_add_vertex (graph, "a", HOSTILE, HOSTILE, TB_VERTEX_THREAD, 0, 10);
  tb_graph_figure_add_edge (graph, "e", 0, 0, 10, 0, HOSTILE);
  tb_table_figure_add_column (table, HOSTILE, HOSTILE, TB_CELL_TEXT);
  tb_table_figure_add_row (table, HOSTILE);
  tb_table_figure_set_text (table, 0, 0, HOSTILE);
  tb_report_add_figure (report, TB_FIGURE (make_timeline (HOSTILE, 1000)));
  tb_report_add_figure (report, TB_FIGURE (flame));
  tb_report_add_figure (report, TB_FIGURE (histogram));
  tb_report_add_figure (report, TB_FIGURE (heatmap));
  tb_report_add_figure (report, TB_FIGURE (graph));
  tb_report_add_figure (report, TB_FIGURE (table));
  tb_report_add_warning (report, HOSTILE);
  tb_report_set_headline (report, HOSTILE);
  tb_report_add_finding (report, tb_finding_new (TB_SEVERITY_HIGH, HOSTILE, 500, .5));
  return report;
}

static void
test_hostile (void)
{
  g_autoptr (TbReport) report = make_hostile_report ();

  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      g_autoptr (TbDrawing) drawing
          = tb_drawing_new (tb_report_get_figure (report, i), TB_DRAWING_TITLED, TB_TIME_NONE,
                            TB_TIME_NONE);
      g_autofree char *svg = tb_drawing_to_svg (drawing, TB_COLORS_DARK);

      assert_sane (drawing);
      assert_harmless (svg);
      g_assert_nonnull (strstr (svg, "&lt;script&gt;"));
    }
}

/* HTML differs from XML only in the unclosed elements of its head. */
static void
test_page (void)
{
  g_autoptr (TbReport) report = make_hostile_report ();
  TbReport *reports[] = { report, report };
  g_autofree char *page = tb_html_page_new (reports, 2, HOSTILE, HOSTILE);
  g_autoptr (GRegex) empty = g_regex_new ("<meta[^>]*>|<!DOCTYPE html>", 0, 0, NULL);
  g_autofree char *xml = g_regex_replace (empty, page, -1, 0, "", 0, NULL);
  guint n_drawings = 0, n_tables = 0;

  assert_harmless (xml);
  for (const char *c = page; (c = strstr (c, "role=\"img\"")) != NULL; c++)
    n_drawings++;
  for (const char *c = page; (c = strstr (c, "<table>")) != NULL; c++)
    n_tables++;
  g_assert_cmpuint (n_drawings, ==, 2 * (N_KINDS - 1));
  g_assert_cmpuint (n_tables, ==, 2 * N_KINDS);
  g_assert_nonnull (strstr (page, "default-src 'none'"));
  g_assert_nonnull (strstr (page, "prefers-color-scheme:dark"));
  g_assert_null (strstr (page, "http:"));
  g_assert_null (strstr (page, "https:"));
}

/* --- tables, sentences and values --- */

static void
test_tables (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 60; i++)
    {
      g_autoptr (TbFigure) figure = make_figure (rand, i % N_KINDS);
      g_autoptr (TbTableFigure) table = NULL;

      tb_figure_freeze (figure);
      table = tb_figure_to_table (figure);
      g_assert_true (tb_figure_is_frozen (TB_FIGURE (table)));
      g_assert_cmpstr (tb_figure_get_id (TB_FIGURE (table)), ==, tb_figure_get_id (figure));
      g_assert_cmpuint (tb_table_figure_get_n_columns (table), >, 0);
      if (TB_IS_TIMELINE_FIGURE (figure))
        g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==,
                          tb_timeline_figure_get_n_tracks (TB_TIMELINE_FIGURE (figure)));
      else if (TB_IS_FLAME_FIGURE (figure))
        g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==,
                          tb_flame_figure_get_n_nodes (TB_FLAME_FIGURE (figure)));
      else if (TB_IS_GRAPH_FIGURE (figure))
        g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==,
                          tb_graph_figure_get_n_edges (TB_GRAPH_FIGURE (figure)));
      else if (TB_IS_HISTOGRAM_FIGURE (figure))
        g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==,
                          tb_histogram_figure_get_n_bins (TB_HISTOGRAM_FIGURE (figure)));
      /* Every row that can be selected has a description. */
      for (guint row = 0; row < MIN (tb_table_figure_get_n_rows (table), 20); row++)
        {
          const char *item = tb_table_figure_get_row_item (table, row);
          g_autofree char *sentence = *item != '\0' ? tb_figure_describe_item (figure, item) : NULL;

          if (*item != '\0')
            g_assert_nonnull (sentence);
        }
      g_assert_null (tb_figure_describe_item (figure, "no such thing"));
      g_assert_null (tb_figure_get_item_name (figure, "no such thing"));
    }
}

static char *
to_csv (TbFigure *figure, gint64 from, gint64 to)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_figure_write_csv (figure, from, to, stream, NULL, &error));
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL);
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

static void
test_csv (void)
{
  g_autoptr (TbTimelineFigure) timeline = make_timeline ("a, \"b\"", 1000);
  g_autoptr (TbTableFigure) table = tb_table_figure_new ("t", "T");
  g_autofree char *all = to_csv (TB_FIGURE (timeline), TB_TIME_NONE, TB_TIME_NONE);
  g_autofree char *part = to_csv (TB_FIGURE (timeline), 100, 200);
  g_autofree char *cells = NULL;

  g_assert_cmpstr (all, ==,
                   "group,track,from_ns,to_ns,state,text\r\n"
                   "\"a, \"\"b\"\"\",\"a, \"\"b\"\"\",0,100,running,Running\r\n"
                   "\"a, \"\"b\"\"\",\"a, \"\"b\"\"\",100,500,waiting,Waiting\r\n"
                   "\"a, \"\"b\"\"\",\"a, \"\"b\"\"\",500,1000,disk,Waiting for a disk\r\n");
  g_assert_cmpstr (part, ==,
                   "group,track,from_ns,to_ns,state,text\r\n"
                   "\"a, \"\"b\"\"\",\"a, \"\"b\"\"\",100,500,waiting,Waiting\r\n");

  tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  tb_table_figure_add_column (table, "wait_ns", "Wait", TB_CELL_DURATION);
  tb_table_figure_add_column (table, "share", "Share", TB_CELL_SHARE);
  tb_table_figure_add_row (table, "a");
  tb_table_figure_add_row (table, "b");
  tb_table_figure_set_text (table, 0, 0, "two\nlines");
  tb_table_figure_set_integer (table, 0, 1, 12500000);
  tb_table_figure_set_double (table, 0, 2, .25);
  tb_figure_freeze (TB_FIGURE (table));
  cells = to_csv (TB_FIGURE (table), TB_TIME_NONE, TB_TIME_NONE);
  g_assert_cmpstr (cells, ==, "name,wait_ns,share\r\n\"two\nlines\",12500000,0.25\r\n,,\r\n");
}

static void
test_sentences (void)
{
  g_autoptr (TbFlameFigure) flame = tb_flame_figure_new ("f", "F", "ns");
  g_autoptr (TbHistogramFigure) histogram = tb_histogram_figure_new ("h", "H", "ns");
  guint root
      = tb_flame_figure_add_node (flame, TB_ID_NONE, "main", "app", TB_FLAME_USER, 1000000, 1);
  guint leaf = tb_flame_figure_add_node (flame, root, "work", "", TB_FLAME_USER, 3000000, 1);
  g_autofree char *of_root = NULL, *of_leaf = NULL, *of_peak = NULL, *root_item = NULL,
                  *leaf_item = NULL;

  tb_figure_freeze (TB_FIGURE (flame));
  root_item = tb_flame_figure_get_item (flame, root);
  leaf_item = tb_flame_figure_get_item (flame, leaf);
  of_root = tb_figure_describe_item (TB_FIGURE (flame), root_item);
  of_leaf = tb_figure_describe_item (TB_FIGURE (flame), leaf_item);
  g_assert_cmpstr (
      of_root, ==,
      "main of app took 4 ms (100 % of the total), 1 ms of it itself and the rest in its callees.");
  g_assert_cmpstr (of_leaf, ==, "work took 3 ms (75 % of the total), none of it in its callees.");
  g_assert_cmpstr (tb_figure_get_item_name (TB_FIGURE (flame), leaf_item), ==, "work");
  g_assert_null (tb_figure_get_item_name (TB_FIGURE (flame), "no such thing"));

  for (guint i = 0; i < 4; i++)
    tb_histogram_figure_add_bin (histogram, i * 1000, (i + 1) * 1000);
  tb_histogram_figure_add_series (histogram, "calls", "Calls");
  for (guint i = 0; i < 4; i++)
    tb_histogram_figure_set_count (histogram, 0, i, 10 * i, G_MAXUINT64);
  tb_histogram_figure_add_mark (histogram, "peak-1", "Peak 1", 2000, 4000);
  tb_figure_freeze (TB_FIGURE (histogram));
  of_peak = tb_figure_describe_item (TB_FIGURE (histogram), "peak-1");
  g_assert_cmpstr (of_peak, ==, "50 values (83 % of all) are from 2 µs to below 4 µs.");
}

/* Differences by item, not over time. */
static void
test_signed_heatmap (void)
{
  const char *const columns[] = { "first", "second", NULL };
  const gint64 values[] = { -500, 1000 };
  g_autoptr (TbHeatmapFigure) figure = tb_heatmap_figure_new ("h", "H", "calls", 0, 1, 2);
  g_autoptr (TbTableFigure) table = NULL;
  g_autoptr (TbDrawing) drawing = NULL;
  g_autofree char *csv = NULL, *svg = NULL, *text = NULL;

  tb_heatmap_figure_set_columns (figure, columns);
  tb_heatmap_figure_set_axis_titles (figure, "Path <b>", "Frame");
  tb_heatmap_figure_set_signed (figure);
  tb_heatmap_figure_add_signed_row (figure, "r", "row", values);
  tb_figure_freeze (TB_FIGURE (figure));
  table = tb_figure_to_table (TB_FIGURE (figure));
  g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==, 2);
  for (guint row = 0; row < 2; row++)
    {
      g_autofree char *sentence
          = tb_figure_describe_item (TB_FIGURE (figure), tb_table_figure_get_row_item (table, row));

      g_assert_nonnull (sentence);
    }
  csv = to_csv (TB_FIGURE (figure), TB_TIME_NONE, TB_TIME_NONE);
  g_assert_cmpstr (csv, ==, "row,column,value\r\nrow,first,-500\r\nrow,second,1000\r\n");
  drawing = tb_drawing_new (TB_FIGURE (figure), TB_DRAWING_TITLED, TB_TIME_NONE, TB_TIME_NONE);
  assert_sane (drawing);
  svg = tb_drawing_to_svg (drawing, TB_COLORS_LIGHT);
  g_assert_nonnull (strstr (svg, ">second<"));
  /* The titles of rows and columns are in the picture, in the table and in the text. */
  g_assert_nonnull (strstr (svg, ">Path &lt;b&gt;<"));
  g_assert_nonnull (strstr (svg, ">Frame<"));
  g_assert_cmpstr (tb_table_figure_get_column_title (table, 0), ==, "Path <b>");
  g_assert_cmpstr (tb_table_figure_get_column_title (table, 1), ==, "Frame");
  text = tb_figure_to_text (TB_FIGURE (figure), 40);
  g_assert_nonnull (strstr (text, "Rows: Path <b>. Columns: Frame."));
  g_assert_nonnull (strstr (svg, "f-severity-1"));
  g_assert_nonnull (strstr (svg, "f-severity-3"));
}

#define BOOTED G_GINT64_CONSTANT (1423000000000) /* time from boot to the start of the recording */
#define MS G_GINT64_CONSTANT (1000000)

static void
add_times (TbReport *report)
{
  TbTableFigure *table = tb_table_figure_new ("calls", "Calls");
  TbHeatmapFigure *heatmap
      = tb_heatmap_figure_new ("map", "Map", "count", BOOTED + 20 * MS, BOOTED + 40 * MS, 2);
  guint when = tb_table_figure_add_column (table, "when", "When", TB_CELL_TIME);
  const guint64 values[] = { 1, 2 };

  tb_table_figure_set_integer (table, tb_table_figure_add_row (table, "a"), when, BOOTED + 2300000);
  tb_table_figure_set_integer (table, tb_table_figure_add_row (table, "b"), when,
                               BOOTED + 1500 * MS);
  tb_table_figure_add_row (table, "c");
  tb_heatmap_figure_add_row (heatmap, "row", "Row", values);
  tb_report_add_figure (report, TB_FIGURE (table));
  tb_report_add_figure (report, TB_FIGURE (heatmap));
}

static void
assert_times (const char *text, gboolean from_start)
{
  static const char *const counted[] = { "2.300\u00a0ms", "1.500000\u00a0s" };
  static const char *const clock[] = { "1423.002300", "1424.5000" };

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true ((strstr (text, counted[i]) != NULL) == from_start);
      g_assert_true ((strstr (text, clock[i]) != NULL) == !from_start);
    }
}

/* For users, times count from the start of the recording, whatever part is shown. For programs,
 * they are times of the session clock. */
static void
test_origin (void)
{
  g_autoptr (TbReport) report = tb_report_new ("calls", "Calls", BOOTED + 2 * MS, BOOTED + 40 * MS);
  g_autoptr (TbReport) unknown
      = tb_report_new ("calls", "Calls", BOOTED + 2 * MS, BOOTED + 40 * MS);
  TbReport *const reports[] = { report, unknown };

  tb_report_set_origin (report, BOOTED);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = NULL, *page = NULL, *svg = NULL, *json = NULL, *csv = NULL,
                      *map = NULL, *cell = NULL;
      g_autoptr (TbDrawing) drawing = NULL, of_map = NULL;
      g_autoptr (TbTableFigure) table = NULL;

      add_times (reports[i]);
      text = tb_report_to_text (reports[i], 0);
      assert_times (text, i == 0);
      page = tb_html_page_new (&reports[i], 1, "Calls", "");
      assert_times (page, i == 0);
      drawing = tb_drawing_new (tb_report_get_figure (reports[i], 0), TB_DRAWING_FIGURE,
                                TB_TIME_NONE, TB_TIME_NONE);
      svg = tb_drawing_to_svg (drawing, TB_COLORS_LIGHT);
      assert_times (svg, i == 0);
      json = json_to_text (tb_report_to_json (reports[i]));
      g_assert_nonnull (strstr (json, "1423002300000"));
      csv = to_csv (tb_report_get_figure (reports[i], 0), TB_TIME_NONE, TB_TIME_NONE);
      g_assert_nonnull (strstr (csv, "1423002300000"));

      of_map = tb_drawing_new (tb_report_get_figure (reports[i], 1), TB_DRAWING_FIGURE,
                               TB_TIME_NONE, TB_TIME_NONE);
      map = tb_drawing_to_svg (of_map, TB_COLORS_LIGHT);
      g_assert_true ((strstr (map, ">40\u00a0ms<") != NULL) == (i == 0));
      g_assert_true ((strstr (map, ">0<") != NULL) == (i == 1));
      table = tb_figure_to_table (tb_report_get_figure (reports[i], 1));
      cell = tb_table_figure_format_cell (table, 1, 1);
      g_assert_cmpstr (cell, ==, i == 0 ? "30.000\u00a0ms" : "1423.030000\u00a0s");
      g_free (cell);
      cell = tb_heatmap_figure_describe (TB_HEATMAP_FIGURE (tb_report_get_figure (reports[i], 1)),
                                         0, 1);
      g_assert_true (g_str_has_prefix (cell, i == 0 ? "Row, 30\u00a0ms to 40\u00a0ms"
                                                    : "Row, 10\u00a0ms to 20\u00a0ms"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drawing/every-kind", test_every_kind);
  g_test_add_func ("/drawing/timeline", test_timeline);
  g_test_add_func ("/drawing/hostile", test_hostile);
  g_test_add_func ("/drawing/page", test_page);
  g_test_add_func ("/drawing/signed-heatmap", test_signed_heatmap);
  g_test_add_func ("/drawing/tables", test_tables);
  g_test_add_func ("/drawing/csv", test_csv);
  g_test_add_func ("/drawing/origin", test_origin);
  g_test_add_func ("/drawing/sentences", test_sentences);
  return g_test_run ();
}
