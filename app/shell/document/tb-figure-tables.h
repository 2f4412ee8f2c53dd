/* tb-figure-tables.h: which figures of a report are shown as tables, and their tables, each made by
 * tb_figure_to_table() in a thread at first use and kept
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

#define TB_TYPE_FIGURE_TABLES (tb_figure_tables_get_type ())
G_DECLARE_FINAL_TYPE (TbFigureTables, tb_figure_tables, TB, FIGURE_TABLES, GObject)

TbFigureTables *tb_figure_tables_new (void);
void tb_figure_tables_set_wanted (TbFigureTables *self, const char *figure, gboolean wanted);
gboolean tb_figure_tables_is_wanted (TbFigureTables *self, const char *figure);
TbFigure *tb_figure_tables_choose (TbFigureTables *self, TbFigure *figure);

G_END_DECLS
