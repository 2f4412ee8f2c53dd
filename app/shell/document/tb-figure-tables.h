/* tb-figure-tables.h: conversion of figures of a report into tables, in a thread, for figures that
 * are shown as tables
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
