/* test-printing.c: printed pages: every line on a page, none of them cut, and the number of pages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "report/drawing/tb-drawing.h"
#include "report/table/tb-table-figure.h"
#include "shell-fixture.h"
#include "shell/export/tb-print-pages.h"
#include "shell/export/tb-print.h"

/* Width of about an A4 page. */
#define WIDTH 780.
#define HEIGHT 520.
#define HIGHEST_LINE 60.
#define NEAR .01

static TbDrawing *
draw_table (guint n_rows)
{
  g_autoptr (TbTableFigure) table = tb_table_figure_new ("rows", "Rows");

  tb_table_figure_add_column (table, "name", "Name", TB_CELL_TEXT);
  tb_table_figure_add_column (table, "time", "Time", TB_CELL_DURATION);
  for (guint i = 0; i < n_rows; i++)
    {
      g_autofree char *name = g_strdup_printf ("row %u", i);
      guint row = tb_table_figure_add_row (table, NULL);

      tb_table_figure_set_text (table, row, 0, name);
      tb_table_figure_set_integer (table, row, 1, i);
    }
  tb_figure_freeze (TB_FIGURE (table));
  return tb_drawing_new (TB_FIGURE (table), TB_DRAWING_TITLED, TB_TIME_NONE, TB_TIME_NONE);
}

static const TbPrintPiece *
get_piece (GArray *pieces, guint i)
{
  return &g_array_index (pieces, TbPrintPiece, i);
}

/* Checks whether a piece contains the whole of a drawing's stretch. */
static gboolean
is_whole (GArray *pieces, guint drawing, double top, double bottom)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      const TbPrintPiece *piece = get_piece (pieces, i);

      if (piece->drawing == drawing && piece->from <= top + NEAR && piece->to >= bottom - NEAR)
        return TRUE;
    }
  return FALSE;
}

/* The pieces follow each other without a gap, and each fits on its page. */
static void
assert_laid_out (GArray *pieces, TbDrawing *const *drawings, guint n_drawings, double page_height)
{
  g_autofree double *done = g_new0 (double, n_drawings);
  double bottom = 0;
  guint page = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      const TbPrintPiece *piece = get_piece (pieces, i);
      double width, end = piece->top + (piece->to - piece->from) * piece->scale;

      tb_drawing_get_size (drawings[piece->drawing], &width, NULL);
      g_assert_cmpuint (piece->page, >=, page);
      g_assert_cmpuint (piece->page, <=, page + 1);
      if (piece->page > page)
        bottom = 0;
      page = piece->page;
      g_assert_cmpfloat (piece->top - piece->heading * piece->scale, >=, bottom - NEAR);
      g_assert_cmpfloat (end, <=, page_height + NEAR);
      g_assert_cmpfloat (width * piece->scale, <=, WIDTH + NEAR);
      g_assert_cmpfloat (piece->to, >, piece->from);
      g_assert_cmpfloat_with_epsilon (piece->from, done[piece->drawing], NEAR);
      done[piece->drawing] = piece->to;
      bottom = end;
    }
  for (guint i = 0; i < n_drawings; i++)
    {
      double height;

      tb_drawing_get_size (drawings[i], NULL, &height);
      g_assert_cmpfloat_with_epsilon (done[i], height, NEAR);
    }
}

static void
assert_lines_whole (GArray *pieces, TbDrawing *const *drawings, guint n_drawings)
{
  guint n_texts = 0;

  for (guint i = 0; i < n_drawings; i++)
    {
      gsize n;
      const TbShape *shapes = tb_drawing_get_shapes (drawings[i], &n);

      for (gsize k = 0; k < n; k++)
        if (shapes[k].kind == TB_SHAPE_TEXT)
          {
            g_assert_true (
                is_whole (pieces, i, shapes[k].y - TB_DRAWING_FONT_SIZE, shapes[k].y + 3));
            n_texts++;
          }
        else if (shapes[k].kind == TB_SHAPE_BOX && shapes[k].height <= HIGHEST_LINE)
          g_assert_true (is_whole (pieces, i, shapes[k].y, shapes[k].y + shapes[k].height));
    }
  g_assert_cmpuint (n_texts, >, 0);
}

static void
test_table (void)
{
  static const guint lengths[] = { 0, 1, 20, 40, 60, 100, 290 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (double height = 300; height < 800; height += 37)
      {
        TbDrawing *drawings[] = { draw_table (lengths[i]), draw_table (3) };
        g_autoptr (GArray) pieces = tb_print_lay_out (drawings, 2, WIDTH, height);

        assert_laid_out (pieces, drawings, 2, height);
        assert_lines_whole (pieces, drawings, 2);
        for (guint k = 0; k < pieces->len; k++)
          g_assert_cmpint (get_piece (pieces, k)->heading > 0, ==, get_piece (pieces, k)->from > 0);
        tb_drawing_unref (drawings[0]);
        tb_drawing_unref (drawings[1]);
      }
}

/* A paper too small to print on has no fewer pages, and printing ends. */
static void
test_small_paper (void)
{
  TbDrawing *drawing = draw_table (300);

  for (double height = 1; height < 100; height *= 3)
    {
      g_autoptr (GArray) pieces = tb_print_lay_out (&drawing, 1, 30, height);

      g_assert_cmpuint (pieces->len, >, 0);
    }
  tb_drawing_unref (drawing);
}

/* Every figure of the sample recording, and the findings. */
static GPtrArray *
draw_report (TbReport *report)
{
  GPtrArray *drawings = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_drawing_unref);

  g_ptr_array_add (drawings, tb_drawing_new_for_findings (report));
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    g_ptr_array_add (drawings, tb_drawing_new (tb_report_get_figure (report, i), TB_DRAWING_TITLED,
                                               TB_TIME_NONE, TB_TIME_NONE));
  return drawings;
}

typedef struct
{
  const char *name;
  cairo_surface_t *surface;
  GtkPrintContext *context;
  int n_pages;
} Paper;

/* Checks whether nothing is painted in an area. */
static gboolean
is_blank (cairo_surface_t *surface, int x0, int y0, int x1, int y1)
{
  const guint8 *pixels = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if ((((const guint32 *) (gconstpointer) (pixels + (gsize) y * (gsize) stride))[x] & 0xffffff)
          != 0xffffff)
        return FALSE;
  return TRUE;
}

static void
clear_paper (Paper *paper)
{
  cairo_t *cairo = cairo_create (paper->surface);

  cairo_set_source_rgb (cairo, 1, 1, 1);
  cairo_paint (cairo);
  cairo_destroy (cairo);
  cairo_surface_flush (paper->surface);
}

static void
keep_page (const Paper *paper, int page)
{
  g_autofree char *path = NULL;

  if (g_getenv ("TAILBACK_PICTURES") == NULL)
    return;
  path = g_strdup_printf ("%s/print-%s-%d.png", g_getenv ("TAILBACK_PICTURES"), paper->name,
                          page + 1);
  cairo_surface_write_to_png (paper->surface, path);
}

/* The unprintable margins are blank, and the area between them is not. */
static void
paper_ready (GtkPrintOperationPreview *preview, GtkPrintContext *context, gpointer data)
{
  Paper *paper = data;
  GtkPrintOperation *operation = GTK_PRINT_OPERATION (preview);
  int width = cairo_image_surface_get_width (paper->surface);
  int height = cairo_image_surface_get_height (paper->surface);

  g_object_get (operation, "n-pages", &paper->n_pages, NULL);
  g_assert_cmpint (paper->n_pages, >, 0);
  for (int page = 0; page < paper->n_pages; page++)
    {
      clear_paper (paper);
      gtk_print_operation_preview_render_page (preview, page);
      cairo_surface_flush (paper->surface);
      keep_page (paper, page);
      g_assert_true (is_blank (paper->surface, 0, 0, width, 12));
      g_assert_true (is_blank (paper->surface, 0, height - 12, width, height));
      g_assert_true (is_blank (paper->surface, 0, 0, 12, height));
      g_assert_true (is_blank (paper->surface, width - 12, 0, width, height));
      /* The page number. */
      g_assert_false (is_blank (paper->surface, 0, height * 9 / 10, width, height));
      g_assert_false (is_blank (paper->surface, 0, 0, width, height / 3));
    }
  gtk_print_operation_preview_end_preview (preview);
}

static void
paper_sized (GtkPrintOperationPreview *preview,
             GtkPrintContext *context,
             GtkPageSetup *setup,
             gpointer data)
{
}

#define DPI 96.

static gboolean
show_paper (GtkPrintOperation *operation,
            GtkPrintOperationPreview *preview,
            GtkPrintContext *context,
            GtkWindow *parent,
            gpointer data)
{
  Paper *paper = data;
  GtkPageSetup *setup = gtk_print_context_get_page_setup (context);
  cairo_t *cairo;

  g_assert_cmpint (gtk_page_setup_get_orientation (setup), ==, GTK_PAGE_ORIENTATION_LANDSCAPE);
  paper->surface = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) ceil (gtk_page_setup_get_paper_width (setup, GTK_UNIT_INCH) * DPI),
      (int) ceil (gtk_page_setup_get_paper_height (setup, GTK_UNIT_INCH) * DPI));
  cairo = cairo_create (paper->surface);
  gtk_print_context_set_cairo_context (context, cairo, DPI, DPI);
  cairo_destroy (cairo);
  g_signal_connect (preview, "ready", G_CALLBACK (paper_ready), paper);
  g_signal_connect (preview, "got-page-size", G_CALLBACK (paper_sized), paper);
  return TRUE;
}

static gboolean
has_pages (gpointer data)
{
  return ((Paper *) data)->n_pages > 0;
}

/* Runs the print preview; returns the number of pages. */
static int
show_pages (TbWindow *window, const char *name, TbDrawing *const *drawings, guint n)
{
  g_autoptr (GtkPrintOperation) operation = tb_print_operation_new (name, drawings, n);
  Paper paper = { .name = name };
  g_autoptr (GError) error = NULL;

  g_signal_connect (operation, "preview", G_CALLBACK (show_paper), &paper);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PREVIEW, GTK_WINDOW (window),
                           &error);
  g_assert_no_error (error);
  shell_wait (has_pages, &paper, "the pages");
  cairo_surface_destroy (paper.surface);
  return paper.n_pages;
}

static TbReport *
open_every_figure (TbWindow *window)
{
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  g_assert_true (
      tb_document_page_show_analysis (tb_window_get_document_page (window), "every-figure"));
  shell_wait_settled (document);
  return tb_analysis_item_get_report (tb_document_find_analysis (document, "every-figure"));
}

static void
test_figures (void)
{
  TbWindow *window = shell_new_window ();
  TbReport *report = open_every_figure (window);
  g_autoptr (GPtrArray) drawings = draw_report (report);
  g_autoptr (GArray) pieces
      = tb_print_lay_out ((TbDrawing *const *) drawings->pdata, drawings->len, WIDTH, HEIGHT);

  assert_laid_out (pieces, (TbDrawing *const *) drawings->pdata, drawings->len, HEIGHT);
  assert_lines_whole (pieces, (TbDrawing *const *) drawings->pdata, drawings->len);
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbDrawing *parts[] = { drawings->pdata[0], drawings->pdata[i + 1] };

      g_assert_cmpint (show_pages (window, tb_figure_get_kind (tb_report_get_figure (report, i)),
                                   parts, 2),
                       <=, 2);
    }
  g_assert_cmpint (show_pages (window, "all", (TbDrawing *const *) drawings->pdata, drawings->len),
                   >, 1);
  shell_close_window (window);
}

/* Prints the reports of the built analyses on the sample recording. */
static void
test_analyses (void)
{
  static const char *const analyses[]
      = { "threads", "wait-graph", "latency-peaks", "calling-contexts" };
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);

  for (guint i = 0; i < G_N_ELEMENTS (analyses); i++)
    {
      g_autoptr (GPtrArray) drawings = NULL;
      TbReport *report;

      shell_activate (window, "show-analysis", g_variant_new_string (analyses[i]));
      shell_wait_settled (document);
      report = tb_analysis_item_get_report (tb_document_find_analysis (document, analyses[i]));
      g_assert_nonnull (report);
      drawings = draw_report (report);
      g_assert_cmpint (show_pages (window, analyses[i], (TbDrawing *const *) drawings->pdata,
                                   drawings->len),
                       >, 0);
    }
  shell_close_window (window);
}

static void
test_long_table (void)
{
  TbWindow *window = shell_new_window ();
  TbDrawing *drawing = draw_table (290);
  int n_pages = show_pages (window, "long-table", &drawing, 1);

  g_assert_cmpint (n_pages, >=, 7);
  g_assert_cmpint (n_pages, <=, 12);
  tb_drawing_unref (drawing);
  shell_close_window (window);
}

int
main (int argc, char **argv)
{
  shell_init (&argc, &argv);
  g_test_add_func ("/printing/table", test_table);
  g_test_add_func ("/printing/small-paper", test_small_paper);
  g_test_add_func ("/printing/figures", test_figures);
  g_test_add_func ("/printing/analyses", test_analyses);
  g_test_add_func ("/printing/long-table", test_long_table);
  return g_test_run ();
}
