/* tb-figure-export.h: export of one figure to a file, in a thread: as a picture (PNG, SVG, PDF,
 * from tb-drawing) or its values (CSV, from tb-figure-csv); format for the suffix of a file name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/drawing/tb-drawing.h"

G_BEGIN_DECLS

/**
 * TbExportFormat:
 * @TB_EXPORT_CSV: values instead of an image
 */
typedef enum
{
  TB_EXPORT_PNG,
  TB_EXPORT_SVG,
  TB_EXPORT_PDF,
  TB_EXPORT_CSV,
  TB_N_EXPORT_FORMATS,
} TbExportFormat;

const char *tb_export_format_get_suffix (TbExportFormat format);
gboolean tb_export_format_find (const char *name, TbExportFormat *format);

void tb_figure_export_async (TbFigure *figure,
                             gint64 from,
                             gint64 to,
                             TbExportFormat format,
                             TbColorStyle style,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer data);
gboolean tb_figure_export_finish (TbFigure *figure, GAsyncResult *result, GError **error);

G_END_DECLS
