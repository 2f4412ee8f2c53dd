/* tb-print.c: print operation for drawings: has them laid out for the size of the paper by
 * tb-print-pages, paints their parts and a footer on each page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "report/drawing/tb-drawing.h"
#include "shell/export/tb-drawing-painter.h"
#include "shell/export/tb-print-pages.h"
#include "shell/export/tb-print.h"

/* Points. */
#define FOOTER_HEIGHT 20.
#define FOOTER_SIZE 8.

typedef struct
{
  char *name;
  GPtrArray *drawings;
  GArray *pieces; /* TbPrintPiece */
  guint n_pages;
} Print;

static void
print_free (gpointer data, GClosure *closure)
{
  Print *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->drawings);
  g_clear_pointer (&self->pieces, g_array_unref);
  g_free (self);
}

static void
begin_print (GtkPrintOperation *operation, GtkPrintContext *context, gpointer data)
{
  Print *self = data;

  g_clear_pointer (&self->pieces, g_array_unref);
  self->pieces = tb_print_lay_out ((TbDrawing *const *) self->drawings->pdata, self->drawings->len,
                                   gtk_print_context_get_width (context),
                                   gtk_print_context_get_height (context) - FOOTER_HEIGHT);
  self->n_pages = 1;
  if (self->pieces->len > 0)
    self->n_pages += g_array_index (self->pieces, TbPrintPiece, self->pieces->len - 1).page;
  gtk_print_operation_set_n_pages (operation, (int) self->n_pages);
}

static void
paint_footer (const Print *self, GtkPrintContext *context, cairo_t *cairo, int page)
{
  g_autoptr (PangoLayout) layout = gtk_print_context_create_pango_layout (context);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans");
  g_autofree char *text
      = g_strdup_printf (_ ("%s – page %d of %u"), self->name, page + 1, self->n_pages);

  pango_font_description_set_absolute_size (font, FOOTER_SIZE * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_width (layout, (int) (gtk_print_context_get_width (context) * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
  cairo_set_source_rgb (cairo, .3, .3, .3);
  cairo_move_to (cairo, 0, gtk_print_context_get_height (context) - FOOTER_SIZE - 4);
  pango_cairo_show_layout (cairo, layout);
}

/* Paints a part of a drawing at a position on the page. */
static void
paint_part (TbDrawing *drawing, cairo_t *cairo, double from, double to, double scale, double top)
{
  double width;

  tb_drawing_get_size (drawing, &width, NULL);
  cairo_save (cairo);
  cairo_translate (cairo, 0, top);
  cairo_scale (cairo, scale, scale);
  cairo_rectangle (cairo, 0, 0, width, to - from);
  cairo_clip (cairo);
  cairo_translate (cairo, 0, -from);
  tb_drawing_paint (drawing, cairo, TB_COLORS_LIGHT);
  cairo_restore (cairo);
}

static void
draw_page (GtkPrintOperation *operation, GtkPrintContext *context, int page, gpointer data)
{
  const Print *self = data;
  cairo_t *cairo = gtk_print_context_get_cairo_context (context);

  for (guint i = 0; i < self->pieces->len; i++)
    {
      const TbPrintPiece *piece = &g_array_index (self->pieces, TbPrintPiece, i);
      TbDrawing *drawing = g_ptr_array_index (self->drawings, piece->drawing);
      double heading_top, heading_bottom;

      if ((int) piece->page != page)
        continue;
      if (piece->heading > 0 && tb_drawing_get_heading (drawing, &heading_top, &heading_bottom))
        paint_part (drawing, cairo, heading_top, heading_bottom, piece->scale,
                    piece->top - piece->heading * piece->scale);
      paint_part (drawing, cairo, piece->from, piece->to, piece->scale, piece->top);
    }
  paint_footer (self, context, cairo, page);
}

/**
 * tb_print_operation_new:
 * @name: name of the job, shown at the bottom of each page
 * @drawings: (array length=n_drawings): drawings to print, one below the other
 * @n_drawings: number of drawings
 *
 * Returns: (transfer full): an operation that prints them, in light colours
 */
GtkPrintOperation *
tb_print_operation_new (const char *name, TbDrawing *const *drawings, guint n_drawings)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) setup = gtk_page_setup_new ();
  Print *self = g_new0 (Print, 1);

  /* Figures are wider than high: landscape pages make their text large enough to read. */
  gtk_page_setup_set_orientation (setup, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, setup);
  self->name = g_strdup (name);
  self->drawings = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_drawing_unref);
  for (guint i = 0; i < n_drawings; i++)
    g_ptr_array_add (self->drawings, tb_drawing_ref (drawings[i]));
  gtk_print_operation_set_job_name (operation, name);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect (operation, "begin-print", G_CALLBACK (begin_print), self);
  g_signal_connect_data (operation, "draw-page", G_CALLBACK (draw_page), self, print_free, 0);
  return operation;
}
