/* tb-figure-table.h: figures of any kind as tables and as comma-separated values; sentence about
 * one item of a figure, and its short name
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/table/tb-table-figure.h"

G_BEGIN_DECLS

TB_EXPORT TbTableFigure *tb_figure_to_table (TbFigure *figure);
TB_EXPORT char *tb_figure_describe_item (TbFigure *figure, const char *item);
TB_EXPORT const char *tb_figure_get_item_name (TbFigure *figure, const char *item);
TB_EXPORT gboolean tb_figure_write_csv (TbFigure *figure,
                                        gint64 from,
                                        gint64 to,
                                        GOutputStream *stream,
                                        GCancellable *cancellable,
                                        GError **error);

G_END_DECLS
