/* tb-table-view.c: widget for a table figure: rows and columns, bar of their parts above them,
 * search, filter; selection shared with the document, also of all rows that have a value selected
 * in a histogram
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/table/tb-table-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "report/tb-report.h"
#include "base/tb-base.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/timeline/tb-timeline-private.h"

/* From this number of rows on, rows are sorted incrementally and indexed in a thread. */
#define MIN_INCREMENTAL_ROWS 10000

/**
 * TbTableView:
 *
 * Shows a #TbTableFigure. A click on a heading sorts by the values of a column, not by their text;
 * unknown values come last. Selecting rows selects the first of them in the focus. Control+C copies
 * them. Enter or a double click opens or closes a row with child rows, and emits
 * #TbFigureView::item-activated for any other.
 *
 * A search shows only matching rows. A word is looked for in every text of a row, `column:word` in
 * the column with that id. `longer:1ms` matches rows with a duration of at least that.
 */
G_DEFINE_FINAL_TYPE (TbTableView, tb_table_view, TB_TYPE_FIGURE_VIEW)

guint
tb_table_view_get_row_at (TbTableView *self, guint position)
{
  g_autoptr (TbTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  return row != NULL ? tb_table_row_get_index (row) : TB_ID_NONE;
}

static gboolean
filter_row (gpointer item, gpointer data)
{
  TbTableView *self = data;
  guint row = tb_table_row_get_index (item);

  return (self->limit == NULL
          || tb_table_match_filter (self->figure, row, self->limit, self->has_durations))
         && (self->terms == NULL || tb_table_match_terms (self->figure, row, self->terms));
}

static void
update_found (TbTableView *self)
{
  tb_figure_view_set_found (TB_FIGURE_VIEW (self), tb_table_figure_get_n_rows (self->figure) > 0,
                            g_list_model_get_n_items (G_LIST_MODEL (self->filtered)) > 0,
                            _ ("The table has no rows."), _ ("No Row Found"));
}

/* In a table of threads or of a timeline's tracks, a row with a numeric item belongs to the thread
 * with that number. In other tables the numbers are those of locks, frames or ranks. */
static gboolean
names_threads (TbTableFigure *figure)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (figure); column++)
    {
      const char *id = tb_table_figure_get_column_id (figure, column);

      if (g_str_equal (id, "thread") || g_str_equal (id, "track"))
        return TRUE;
    }
  return FALSE;
}

static void
focus_row (TbTableView *self, guint row)
{
  const char *item = tb_table_figure_get_row_item (self->figure, row);
  gint64 from = TB_TIME_NONE, to = TB_TIME_NONE;
  guint32 of = TB_ID_NONE;
  guint64 thread;

  if (item == NULL)
    return;
  if (tb_table_figure_get_place (self->figure, row, &of, &from, &to))
    {
      tb_figure_view_select_item (TB_FIGURE_VIEW (self), item, of, from, to, NULL);
      return;
    }
  if (!names_threads (self->figure)
      || !g_ascii_string_to_unsigned (item, 10, 0, TB_ID_NONE - 1, &thread, NULL))
    thread = TB_ID_NONE;
  tb_figure_view_select_item (TB_FIGURE_VIEW (self), item, (guint32) thread, TB_TIME_NONE,
                              TB_TIME_NONE, NULL);
}

/* The first selected row, or TB_ID_NONE. */
static guint
get_selected_row (TbTableView *self)
{
  g_autoptr (GtkBitset) selected
      = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));

  return gtk_bitset_is_empty (selected)
             ? TB_ID_NONE
             : tb_table_view_get_row_at (self, gtk_bitset_get_minimum (selected));
}

static void
on_rows_selected (TbTableView *self)
{
  guint row = get_selected_row (self);

  if (self->bar != NULL)
    tb_parts_bar_set_selected (self->bar, row);
  if (tb_figure_view_is_selecting (TB_FIGURE_VIEW (self)))
    return;
  if (row != TB_ID_NONE)
    focus_row (self, row);
}

/* Enter or a double click: a row with child rows opens or closes; of another, the application shows
 * more. */
static void
on_activate (TbTableView *self, guint position)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  guint row = tb_table_view_get_row_at (self, position);
  const char *name;

  if (row == TB_ID_NONE)
    return;
  if (GTK_IS_TREE_LIST_ROW (item) && gtk_tree_list_row_is_expandable (GTK_TREE_LIST_ROW (item)))
    {
      GtkTreeListRow *parent = GTK_TREE_LIST_ROW (item);

      gtk_tree_list_row_set_expanded (parent, !gtk_tree_list_row_get_expanded (parent));
      return;
    }
  focus_row (self, row);
  name = tb_table_figure_get_row_item (self->figure, row);
  if (name != NULL)
    tb_figure_view_activate_item (TB_FIGURE_VIEW (self), name);
}

static gpointer
make_items (gpointer figure)
{
  g_autoptr (TbTableFigure) owned = figure;

  return tb_table_items_new (owned);
}

static TbTableItems *
get_items (TbTableView *self)
{
  if (self->numbering != NULL)
    self->items = g_thread_join (g_steal_pointer (&self->numbering));
  if (self->items == NULL)
    self->items = tb_table_items_new (self->figure);
  return self->items;
}

static guint
find_position (TbTableView *self, const char *item)
{
  if (item == NULL)
    return GTK_INVALID_LIST_POSITION;
  return tb_table_items_find (get_items (self), G_LIST_MODEL (self->sorted),
                              gtk_column_view_get_sorter (self->view),
                              gtk_sort_list_model_get_pending (self->sorted) == 0, item);
}

/* The values selected in the histogram of a column. */
static gboolean
find_chosen_values (TbTableView *self, guint *column, gint64 *from, gint64 *to)
{
  TbFocus *focus = tb_figure_view_get_focus (TB_FIGURE_VIEW (self));
  TbHistogramFigure *histogram = tb_table_figure_get_histogram (self->figure, column);
  guint first, end;

  if (histogram == NULL
      || g_strcmp0 (tb_focus_get_figure (focus), tb_figure_get_item_owner (TB_FIGURE (histogram)))
             != 0
      || !tb_histogram_figure_find_item (histogram, tb_focus_get_item (focus), &first, &end))
    return FALSE;
  *from = tb_histogram_figure_get_bin (histogram, first)->from;
  *to = tb_histogram_figure_get_bin (histogram, end - 1)->to;
  return TRUE;
}

/* Selects all rows with one of these values. A table that is not visible does this when it becomes
 * visible. */
static void
select_values (TbTableView *self, guint column, gint64 from, gint64 to)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection)), first;
  g_autoptr (GtkBitset) chosen = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, n);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  for (guint position = 0; position < n; position++)
    {
      guint row = tb_table_view_get_row_at (self, position);
      gint64 value = row != TB_ID_NONE && tb_table_figure_is_known (self->figure, row, column)
                         ? tb_table_figure_get_integer (self->figure, row, column)
                         : G_MININT64;

      if (value >= from && value < to)
        gtk_bitset_add (chosen, position);
    }
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), chosen, all);
  first
      = gtk_bitset_is_empty (chosen) ? GTK_INVALID_LIST_POSITION : gtk_bitset_get_minimum (chosen);
  if (first != GTK_INVALID_LIST_POSITION)
    gtk_column_view_scroll_to (self->view, first, NULL, GTK_LIST_SCROLL_NONE, NULL);
}

/* Selects the row of a selection in another figure: by item, else by values, else by thread. */
static void
tb_table_view_show_selection (TbFigureView *view)
{
  TbTableView *self = TB_TABLE_VIEW (view);
  gint64 values_from, values_to;
  guint column;
  guint32 thread = tb_focus_get_thread (tb_figure_view_get_focus (view));
  g_autofree char *number = thread != TB_ID_NONE && names_threads (self->figure)
                                ? g_strdup_printf ("%u", thread)
                                : NULL;
  const char *item = tb_figure_view_get_item (view);
  guint found = find_position (self, item != NULL ? item : number);

  if (found == GTK_INVALID_LIST_POSITION
      && find_chosen_values (self, &column, &values_from, &values_to))
    {
      select_values (self, column, values_from, values_to);
      return;
    }
  if (found == GTK_INVALID_LIST_POSITION)
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  else
    {
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), found, TRUE);
      /* Widgets of rows are not created for an invisible table. */
      if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        gtk_column_view_scroll_to (self->view, found, NULL, GTK_LIST_SCROLL_NONE, NULL);
    }
}

static void
tb_table_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (tb_table_view_parent_class)->map (widget);
  tb_figure_view_show_selection (TB_FIGURE_VIEW (widget));
}

/* Numbers are aligned at the end of their column, and so are their headings. GTK has no property
 * for that. */
static void
align_headings (TbTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (columns) && title != NULL; i++)
    {
      GtkWidget *box = gtk_widget_get_first_child (title);

      if (GTK_IS_BOX (box) && tb_table_figure_is_numeric (self->figure, i)
          && tb_table_figure_get_column_type (self->figure, i) != TB_CELL_SHARE)
        {
          gtk_widget_set_halign (box, GTK_ALIGN_END);
          /* The space for the arrow of the sorted column must then come before the text. */
          gtk_box_reorder_child_after (GTK_BOX (box), gtk_widget_get_last_child (box), NULL);
        }
      title = gtk_widget_get_next_sibling (title);
    }
}

static void
add_columns (TbTableView *self)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (self->figure); column++)
    {
      g_autoptr (GtkColumnViewColumn) view_column = tb_table_column_new (self->figure, column);

      gtk_column_view_append_column (self->view, view_column);
    }
  align_headings (self);
}

static void
on_part_chosen (TbTableView *self, guint row)
{
  guint position = tb_table_find_row (G_LIST_MODEL (self->sorted),
                                      gtk_column_view_get_sorter (self->view), row);

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
  gtk_column_view_scroll_to (self->view, position, NULL, GTK_LIST_SCROLL_NONE, NULL);
}

static void
add_bar (TbTableView *self)
{
  if (tb_table_figure_get_bar (self->figure) == TB_ID_NONE)
    return;
  self->bar = tb_parts_bar_new (self->figure);
  gtk_widget_set_margin_top (GTK_WIDGET (self->bar), 10);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->bar), 10);
  gtk_widget_set_margin_start (GTK_WIDGET (self->bar), 10);
  gtk_widget_set_margin_end (GTK_WIDGET (self->bar), 10);
  gtk_box_prepend (GTK_BOX (self->box), GTK_WIDGET (self->bar));
  g_signal_connect_object (self->bar, "row-chosen", G_CALLBACK (on_part_chosen), self,
                           G_CONNECT_SWAPPED);
}

static GListModel *
make_children (gpointer item, gpointer figure)
{
  return (GListModel *) tb_table_rows_new_children (figure, tb_table_row_get_index (item));
}

static void
make_rows (TbTableView *self)
{
  GListModel *rows = G_LIST_MODEL (tb_table_rows_new (self->figure));
  GtkSorter *sorter = g_object_ref (gtk_column_view_get_sorter (self->view));
  gboolean many = tb_table_figure_get_n_rows (self->figure) > MIN_INCREMENTAL_ROWS;

  if (tb_table_figure_get_n_children (self->figure) > 0)
    {
      rows = G_LIST_MODEL (gtk_tree_list_model_new (rows, FALSE, FALSE, make_children,
                                                    g_object_ref (self->figure), g_object_unref));
      sorter = GTK_SORTER (gtk_tree_list_row_sorter_new (sorter));
    }
  self->filter = GTK_FILTER (gtk_custom_filter_new (filter_row, self, NULL));
  self->filtered = gtk_filter_list_model_new (rows, g_object_ref (self->filter));
  self->sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->filtered)), sorter);
  gtk_sort_list_model_set_incremental (self->sorted, many);
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->sorted)));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  if (many)
    self->numbering = g_thread_new ("table-items", make_items, g_object_ref (self->figure));
}

static void
tb_table_view_constructed (GObject *object)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  G_OBJECT_CLASS (tb_table_view_parent_class)->constructed (object);
  self->figure = TB_TABLE_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (self)));
  self->has_durations = tb_table_figure_has_durations (self->figure);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  add_bar (self);
  make_rows (self);
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_column_view_set_enable_rubberband (self->view, FALSE);
  add_columns (self);
  tb_table_view_add_menus (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));

  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_rows_selected),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filtered, "items-changed", G_CALLBACK (update_found), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (self->view), "changed",
                           G_CALLBACK (tb_figure_view_arranged), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_columns (self->view), "items-changed",
                           G_CALLBACK (tb_figure_view_arranged), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (self->figure)), -1);
  tb_figure_view_set_page (TB_FIGURE_VIEW (self), self->box, GTK_WIDGET (self->view));
  update_found (self);
}

static void
tb_table_view_search (TbFigureView *view, const char *search)
{
  TbTableView *self = TB_TABLE_VIEW (view);
  g_autofree char *folded = tb_figure_view_fold (search);

  g_strfreev (self->terms);
  self->terms = g_strsplit_set (folded, " \t", -1);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

static void
tb_table_view_filter (TbFigureView *view, TbFilter *filter)
{
  TbTableView *self = TB_TABLE_VIEW (view);

  g_clear_pointer (&self->limit, tb_filter_unref);
  self->limit = filter != NULL ? tb_filter_ref (filter) : NULL;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/* Restores the selection of rows by item. */
static void
keep_selection (TbTableView *self, TbTableView *before)
{
  g_autoptr (GtkBitset) old
      = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (before->selection));
  g_autoptr (GtkBitset) chosen = gtk_bitset_new_empty ();
  g_autoptr (GtkBitset) all = NULL;
  g_autoptr (GHashTable) items = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  GtkBitsetIter iter;
  guint position;

  for (gboolean valid = gtk_bitset_iter_init_first (&iter, old, &position); valid;
       valid = gtk_bitset_iter_next (&iter, &position))
    g_hash_table_add (items, (gpointer) tb_table_figure_get_row_item (
                                 before->figure, tb_table_view_get_row_at (before, position)));
  for (position = 0; position < n && g_hash_table_size (items) > 0; position++)
    if (g_hash_table_contains (items, tb_table_figure_get_row_item (
                                          self->figure, tb_table_view_get_row_at (self, position))))
      gtk_bitset_add (chosen, position);
  all = gtk_bitset_new_range (0, n);
  gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), chosen, all);
}

static void
tb_table_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbTableView *self = TB_TABLE_VIEW (view);
  TbTableView *other = TB_TABLE_VIEW (before);
  GtkAdjustment *from = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (other->scroller));
  GtkAdjustment *to = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  tb_table_columns_copy (self->view, other->view);
  g_signal_handlers_block_by_func (self->selection, on_rows_selected, self);
  keep_selection (self, other);
  g_signal_handlers_unblock_by_func (self->selection, on_rows_selected, self);
  if (self->bar != NULL)
    tb_parts_bar_set_selected (self->bar, get_selected_row (self));
  tb_figure_view_restore_scroll (to, gtk_adjustment_get_value (from));
}

static GVariant *
tb_table_view_get_state (TbFigureView *view)
{
  return tb_table_columns_get_state (TB_TABLE_VIEW (view)->view);
}

static void
tb_table_view_set_state (TbFigureView *view, GVariant *state)
{
  tb_table_columns_set_state (TB_TABLE_VIEW (view)->view, state);
}

static void
tb_table_view_dispose (GObject *object)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  g_clear_object (&self->selection);
  g_clear_object (&self->sorted);
  g_clear_object (&self->filtered);
  g_clear_object (&self->filter);
  g_clear_object (&self->column_actions);

  G_OBJECT_CLASS (tb_table_view_parent_class)->dispose (object);
}

static void
tb_table_view_finalize (GObject *object)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  g_strfreev (self->terms);
  g_clear_pointer (&self->limit, tb_filter_unref);
  if (self->numbering != NULL)
    self->items = g_thread_join (g_steal_pointer (&self->numbering));
  g_clear_pointer (&self->items, tb_table_items_free);

  G_OBJECT_CLASS (tb_table_view_parent_class)->finalize (object);
}

static void
tb_table_view_select_at (TbFigureView *view, double x, double y)
{
  TbTableView *self = TB_TABLE_VIEW (view);
  guint row = tb_table_column_find_row (gtk_widget_pick (GTK_WIDGET (view), x, y, GTK_PICK_DEFAULT),
                                        GTK_WIDGET (self->view));
  guint position = row != TB_ID_NONE
                       ? tb_table_find_row (G_LIST_MODEL (self->sorted),
                                            gtk_column_view_get_sorter (self->view), row)
                       : GTK_INVALID_LIST_POSITION;

  if (position != GTK_INVALID_LIST_POSITION
      && !gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), position))
    gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position, TRUE);
}

static void
tb_table_view_class_init (TbTableViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);

  object_class->constructed = tb_table_view_constructed;
  object_class->dispose = tb_table_view_dispose;
  object_class->finalize = tb_table_view_finalize;
  view_class->search_hint = N_ ("Find row");
  view_class->search = tb_table_view_search;
  widget_class->map = tb_table_view_map;
  view_class->filter = tb_table_view_filter;
  view_class->show_selection = tb_table_view_show_selection;
  view_class->keep_place = tb_table_view_keep_place;
  view_class->select_at = tb_table_view_select_at;
  view_class->get_state = tb_table_view_get_state;
  view_class->set_state = tb_table_view_set_state;
  tb_table_view_class_add_menu_actions (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tb-table");
}

static void
tb_table_view_init (TbTableView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->scroller = gtk_scrolled_window_new ();
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
}

/**
 * tb_table_view_new:
 * @figure: a table figure
 * @focus: the focus of the document
 *
 * Creates a view of a table.
 *
 * Returns: a view of @figure
 */
GtkWidget *
tb_table_view_new (TbTableFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return tb_figure_view_new (TB_FIGURE (figure), focus);
}

/**
 * tb_table_view_get_n_shown:
 * @self: a table view
 *
 * Gets how many rows are shown.
 *
 * Returns: number of rows that match the search
 */
guint
tb_table_view_get_n_shown (TbTableView *self)
{
  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), 0);

  return g_list_model_get_n_items (G_LIST_MODEL (self->filtered));
}

/**
 * tb_table_view_set_column_shown:
 * @self: a table view
 * @id: the id of a column
 * @shown: whether it is shown; the last visible column stays visible
 *
 * Shows or hides a column. Columns that are not shown are not copied.
 */
void
tb_table_view_set_column_shown (TbTableView *self, const char *id, gboolean shown)
{
  GtkColumnViewColumn *column;

  g_return_if_fail (TB_IS_TABLE_VIEW (self));

  column = tb_table_columns_find (self->view, id);
  if (column != NULL)
    gtk_column_view_column_set_visible (column, shown);
}

/**
 * tb_table_view_get_column_shown:
 * @self: a table view
 * @id: the id of a column
 *
 * Gets whether a column is shown.
 *
 * Returns: whether the column exists and is shown
 */
gboolean
tb_table_view_get_column_shown (TbTableView *self, const char *id)
{
  GtkColumnViewColumn *column;

  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), FALSE);

  column = tb_table_columns_find (self->view, id);
  return column != NULL && gtk_column_view_column_get_visible (column);
}
