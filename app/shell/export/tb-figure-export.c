/* tb-figure-export.c: export of one figure to a file, in a thread: as a picture (PNG, SVG, PDF,
 * from tb-drawing) or its values (CSV, from tb-figure-csv); format for the suffix of a file name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>

#include "report/tb-figure-table.h"
#include "report/tb-atomic-file.h"
#include "shell/export/tb-drawing-painter.h"
#include "shell/export/tb-figure-export.h"

#define MARGIN 16.
/* Pixels per unit, reduced if the image would exceed the size limit of cairo. */
#define PNG_SCALE 2.
#define PNG_MAX 30000.

typedef struct
{
  TbFigure *figure;
  gint64 from;
  gint64 to;
  TbExportFormat format;
  TbColorStyle style;
  GFile *file;
} Export;

static void
export_free (gpointer data)
{
  Export *self = data;

  g_object_unref (self->figure);
  g_object_unref (self->file);
  g_free (self);
}

/**
 * tb_export_format_get_suffix:
 *
 * Returns: "png", "svg", "pdf" or "csv"
 */
const char *
tb_export_format_get_suffix (TbExportFormat format)
{
  static const char *const suffixes[] = { "png", "svg", "pdf", "csv" };

  g_return_val_if_fail (format < TB_N_EXPORT_FORMATS, "");
  return suffixes[format];
}

/**
 * tb_export_format_find:
 * @name: a suffix such as "png", or the name of a file with that suffix
 * @format: (out): the format
 *
 * Returns: whether there is such a format
 */
gboolean
tb_export_format_find (const char *name, TbExportFormat *format)
{
  const char *dot = strrchr (name, '.');
  const char *suffix = dot != NULL ? dot + 1 : name;

  for (guint i = 0; i < TB_N_EXPORT_FORMATS; i++)
    if (g_ascii_strcasecmp (suffix, tb_export_format_get_suffix (i)) == 0)
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
paint (TbDrawing *drawing, cairo_surface_t *surface, double scale, TbColorStyle style)
{
  guint32 ground = tb_colors_get (style)->surface;
  cairo_t *cairo = cairo_create (surface);

  cairo_set_source_rgb (cairo, (ground >> 16 & 255) / 255., (ground >> 8 & 255) / 255.,
                        (ground & 255) / 255.);
  cairo_paint (cairo);
  cairo_scale (cairo, scale, scale);
  cairo_translate (cairo, MARGIN, MARGIN);
  tb_drawing_paint (drawing, cairo, style);
  cairo_destroy (cairo);
}

/* Returns the contents of the image file; NULL with error if cairo fails, for example at its size
 * limit. */
static GBytes *
make_picture (const Export *self, GError **error)
{
  g_autoptr (TbDrawing) drawing
      = tb_drawing_new (self->figure, TB_DRAWING_TITLED, self->from, self->to);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  cairo_surface_t *surface;
  double width, height, scale = 1;

  if (self->format == TB_EXPORT_SVG)
    {
      char *svg = tb_drawing_to_svg (drawing, self->style);

      return g_bytes_new_take (svg, strlen (svg));
    }
  tb_drawing_get_size (drawing, &width, &height);
  width += 2 * MARGIN;
  height += 2 * MARGIN;
  if (self->format == TB_EXPORT_PNG)
    {
      scale = MIN (PNG_SCALE, PNG_MAX / MAX (width, height));
      surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (width * scale),
                                            (int) (height * scale));
    }
  else
    surface = cairo_pdf_surface_create_for_stream (append, bytes, width, height);
  if (self->format == TB_EXPORT_PDF)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE,
                                    tb_figure_get_title (self->figure));
  paint (drawing, surface, scale, self->style);
  if (self->format == TB_EXPORT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
               _ ("Cannot draw the picture: %s. Export it as SVG or CSV instead."),
               cairo_status_to_string (status));
  return NULL;
}

static gboolean
write_values (gpointer data, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const Export *self = data;

  return tb_figure_write_csv (self->figure, self->from, self->to, stream, cancellable, error);
}

static void
export_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Export *self = data;
  GError *error = NULL;
  gboolean done;

  if (self->format == TB_EXPORT_CSV)
    done = tb_atomic_file_write (self->file, write_values, self, cancellable, &error);
  else
    {
      g_autoptr (GBytes) bytes = make_picture (self, &error);

      done = bytes != NULL
             && tb_atomic_file_write_contents (self->file, g_bytes_get_data (bytes, NULL),
                                               g_bytes_get_size (bytes), cancellable, &error);
    }
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * tb_figure_export_async:
 * @from: for a figure over time: start of the range, or %TB_TIME_NONE
 * @to: end of the range
 * @style: colours of an image
 * @file: the file; an existing one is replaced only when the new one is complete
 *
 * Exports a figure to a file.
 */
void
tb_figure_export_async (TbFigure *figure,
                        gint64 from,
                        gint64 to,
                        TbExportFormat format,
                        TbColorStyle style,
                        GFile *file,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer data)
{
  g_autoptr (GTask) task = g_task_new (figure, cancellable, callback, data);
  Export *self = g_new0 (Export, 1);

  self->figure = g_object_ref (figure);
  self->from = from;
  self->to = to;
  self->format = format;
  self->style = style;
  self->file = g_object_ref (file);
  g_task_set_source_tag (task, tb_figure_export_async);
  g_task_set_task_data (task, self, export_free);
  g_task_run_in_thread (task, export_thread);
}

gboolean
tb_figure_export_finish (TbFigure *figure, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, figure), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
