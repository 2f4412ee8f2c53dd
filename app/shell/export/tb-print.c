/* tb-print.c: what an analysis found, on paper
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/export/tb-drawing-painter.h"
#include "shell/export/tb-print.h"

/* Units of drawings; points. */
#define GAP 24.
#define FOOTER_HEIGHT 20.
#define FOOTER_SIZE 8.
#define SCALE_MAX 0.72 /* a text of 11 units is not larger than 8 points */

typedef struct
{
  char *name;
  GPtrArray *drawings;
  double scale;
  double page_height; /* of drawings, in their units */
  double height;
} Print;

static void
print_free (gpointer data, GClosure *closure)
{
  Print *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->drawings);
  g_free (self);
}

/* One below the other, cut into pages. */
static void
begin_print (GtkPrintOperation *operation, GtkPrintContext *context, gpointer data)
{
  Print *self = data;
  double widest = 1;
  guint n_pages;

  self->height = 0;
  for (guint i = 0; i < self->drawings->len; i++)
    {
      double width, height;

      tb_drawing_get_size (g_ptr_array_index (self->drawings, i), &width, &height);
      widest = MAX (widest, width);
      self->height += height + (i > 0 ? GAP : 0);
    }
  self->scale = MIN (gtk_print_context_get_width (context) / widest, SCALE_MAX);
  self->page_height = MAX ((gtk_print_context_get_height (context) - FOOTER_HEIGHT) / self->scale, 1);
  n_pages = (guint) CLAMP (self->height / self->page_height + .999, 1, 10000);
  gtk_print_operation_set_n_pages (operation, (int) n_pages);
}

static void
paint_footer (const Print *self, GtkPrintContext *context, cairo_t *cairo, int page)
{
  g_autoptr (PangoLayout) layout = gtk_print_context_create_pango_layout (context);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans");
  g_autofree char *text = g_strdup_printf (_ ("%s – page %d"), self->name, page + 1);

  pango_font_description_set_absolute_size (font, FOOTER_SIZE * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_width (layout, (int) (gtk_print_context_get_width (context) * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
  cairo_set_source_rgb (cairo, .3, .3, .3);
  cairo_move_to (cairo, 0, gtk_print_context_get_height (context) - FOOTER_SIZE - 4);
  pango_cairo_show_layout (cairo, layout);
}

static void
draw_page (GtkPrintOperation *operation, GtkPrintContext *context, int page, gpointer data)
{
  const Print *self = data;
  cairo_t *cairo = gtk_print_context_get_cairo_context (context);
  double top = -page * self->page_height;

  cairo_save (cairo);
  cairo_scale (cairo, self->scale, self->scale);
  cairo_rectangle (cairo, 0, 0, gtk_print_context_get_width (context) / self->scale, self->page_height);
  cairo_clip (cairo);
  for (guint i = 0; i < self->drawings->len; i++)
    {
      TbDrawing *drawing = g_ptr_array_index (self->drawings, i);
      double width, height;

      tb_drawing_get_size (drawing, &width, &height);
      cairo_save (cairo);
      cairo_translate (cairo, 0, top);
      if (top < self->page_height && top + height > 0)
        tb_drawing_paint (drawing, cairo, TB_COLORS_LIGHT);
      cairo_restore (cairo);
      top += height + GAP;
    }
  cairo_restore (cairo);
  paint_footer (self, context, cairo, page);
}

/**
 * tb_print_operation_new:
 * @name: of the job, and below each page
 * @drawings: (array length=n_drawings): what is printed, one below the other
 * @n_drawings: how many
 *
 * Returns: (transfer full): an operation that prints them, in light colours
 */
GtkPrintOperation *
tb_print_operation_new (const char *name, TbDrawing *const *drawings, guint n_drawings)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  Print *self = g_new0 (Print, 1);

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
