/* tb-table-view.h: widget that shows a table figure: number of rows shown, copying of rows, and
 * columns shown or hidden
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/table/tb-table-figure.h"
#include "widgets/tb-figure-view.h"

G_BEGIN_DECLS

#define TB_TYPE_TABLE_VIEW (tb_table_view_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbTableView, tb_table_view, TB, TABLE_VIEW, TbFigureView)

TB_EXPORT GtkWidget *tb_table_view_new (TbTableFigure *figure, TbFocus *focus);
TB_EXPORT guint tb_table_view_get_n_shown (TbTableView *self);
TB_EXPORT char *tb_table_view_copy (TbTableView *self);
TB_EXPORT char *tb_table_view_copy_csv (TbTableView *self);
TB_EXPORT void tb_table_view_set_column_shown (TbTableView *self, const char *id, gboolean shown);
TB_EXPORT gboolean tb_table_view_get_column_shown (TbTableView *self, const char *id);

G_END_DECLS
