/* tb-table-widgets-private.h: internal declarations of the parts of a table view: rows, index of
 * rows by item, columns and their arrangement, matches, copying, bar of parts
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/table/tb-table-figure.h"
#include "report/tb-filter.h"
#include "widgets/focus/tb-focus.h"

G_BEGIN_DECLS

/* A row as an object for list models, created on request. */
#define TB_TYPE_TABLE_ROW (tb_table_row_get_type ())
G_DECLARE_FINAL_TYPE (TbTableRow, tb_table_row, TB, TABLE_ROW, GObject)

TbTableRow *tb_table_row_new (guint index);
/* item: a row, or the GtkTreeListRow of one, which a table with child rows has. */
guint tb_table_row_get_index (gpointer item);

/* All rows of a figure, in its order. */
#define TB_TYPE_TABLE_ROWS (tb_table_rows_get_type ())
G_DECLARE_FINAL_TYPE (TbTableRows, tb_table_rows, TB, TABLE_ROWS, GObject)

TbTableRows *tb_table_rows_new (TbTableFigure *figure);
/* The child rows of a row; NULL: it has none. */
TbTableRows *tb_table_rows_new_children (TbTableFigure *figure, guint row);

/* The position of a row in a list that is in the order of a sorter, and in that of the figure for
 * equal rows. */
guint tb_table_find_row (GListModel *shown, GtkSorter *sorter, guint row);

/* Index of the rows of a figure by item. Can be created in any thread. */
typedef struct _TbTableItems TbTableItems;

TbTableItems *tb_table_items_new (TbTableFigure *figure);
/* The position of the first row with an item, or GTK_INVALID_LIST_POSITION. in_order: the list is
 * in the order of the sorter. Otherwise the search is linear. */
guint tb_table_items_find (TbTableItems *self,
                           GListModel *shown,
                           GtkSorter *sorter,
                           gboolean in_order,
                           const char *item);
void tb_table_items_free (TbTableItems *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbTableItems, tb_table_items_free)

GtkColumnViewColumn *tb_table_column_new (TbTableFigure *figure, guint column);
/* The index of the figure's column that it shows. */
guint tb_table_column_get_index (GtkColumnViewColumn *column);

/* The row of the cell that a widget within a view belongs to. TB_ID_NONE: none. */
guint tb_table_column_find_row (GtkWidget *picked, GtkWidget *view);

/* The user's arrangement of the columns of a view: their order, the hidden ones, and the column
 * that rows are sorted by. */
GtkColumnViewColumn *tb_table_columns_find (GtkColumnView *view, const char *id);
/* Takes over the arrangement and the widths from another view. */
void tb_table_columns_copy (GtkColumnView *view, GtkColumnView *before);
/* Floating. NULL: as in the figure. */
GVariant *tb_table_columns_get_state (GtkColumnView *view);
void tb_table_columns_set_state (GtkColumnView *view, GVariant *state);

/* Whether a row matches all of some folded terms: "word" anywhere, "column:word" in one column,
 * "longer:1ms" for any duration. */
gboolean tb_table_match_terms (TbTableFigure *figure, guint row, char **terms);
/* Whether a row matches a filter, as far as its columns have the information. */
gboolean
tb_table_match_filter (TbTableFigure *figure, guint row, TbFilter *filter, gboolean has_durations);

/* Rows and columns (both of guint) of a figure as text for other programs. */
char *tb_table_part_to_text (TbTableFigure *figure, GArray *rows, GArray *columns);
char *tb_table_part_to_csv (TbTableFigure *figure, GArray *rows, GArray *columns);

/* The bar above a table, for a figure that has one. Signal "row-chosen" (guint row). */
#define TB_TYPE_PARTS_BAR (tb_parts_bar_get_type ())
G_DECLARE_FINAL_TYPE (TbPartsBar, tb_parts_bar, TB, PARTS_BAR, GtkWidget)

TbPartsBar *tb_parts_bar_new (TbTableFigure *figure);
/* TB_ID_NONE: none */
void tb_parts_bar_set_selected (TbPartsBar *self, guint row);

G_END_DECLS
