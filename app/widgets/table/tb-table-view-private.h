/* tb-table-view-private.h: struct of a table view, and functions that its files share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/table/tb-table-view.h"
#include "widgets/table/tb-table-widgets-private.h"

G_BEGIN_DECLS

struct _TbTableView
{
  TbFigureView parent_instance;

  TbTableFigure *figure;
  char **terms;
  TbFilter *limit; /* nullable */
  gboolean has_durations;
  GSimpleActionGroup *column_actions;

  GtkWidget *box;
  GtkWidget *scroller;
  TbPartsBar *bar; /* NULL where the figure has none */
  GtkColumnView *view;
  GtkFilter *filter;
  GtkFilterListModel *filtered;
  GtkSortListModel *sorted;
  GtkMultiSelection *selection;
  TbTableItems *items; /* NULL until it is needed */
  GThread *numbering;  /* thread that makes it */
};

/* The row of the figure at a position of the shown rows; TB_ID_NONE: none. */
guint tb_table_view_get_row_at (TbTableView *self, guint position);

/* tb-table-menu.c */
void tb_table_view_class_add_menu_actions (GtkWidgetClass *widget_class);
void tb_table_view_add_menus (TbTableView *self);

G_END_DECLS
