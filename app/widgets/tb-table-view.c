/* tb-table-view.c: shows rows of typed cells
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-table-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "session/tb-schema.h"
#include "widgets/tb-palette.h"
#include "widgets/tb-table-private.h"
#include "widgets/tb-timeline-private.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbTableView:
 *
 * Shows a #TbTableFigure: sorted by a click on a heading, in the order of values and not of their text, with what is
 * unknown at the end of it. Selecting rows selects the first of them in the focus; Control+C copies them.
 */
struct _TbTableView
{
  GtkWidget parent_instance;

  TbTableFigure *figure;
  TbFocus *focus;
  char *search;
  char **terms;
  gboolean selecting;

  GtkWidget *stack;
  GtkWidget *scroller;
  GtkWidget *empty;
  GtkColumnView *view;
  GtkFilter *filter;
  GtkFilterListModel *filtered;
  GtkMultiSelection *selection;
};

G_DEFINE_FINAL_TYPE (TbTableView, tb_table_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FIGURE,
  PROP_FOCUS,
  PROP_SEARCH,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static guint
row_at (TbTableView *self, guint position)
{
  g_autoptr (TbTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  return row != NULL ? tb_table_row_get_index (row) : TB_ID_NONE;
}

static char *
fold (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_utf8_casefold (valid, -1);
}

static gboolean
cell_contains (TbTableView *self, guint row, guint column, const char *needle)
{
  g_autofree char *folded = NULL;

  if (tb_table_figure_get_column_type (self->figure, column) != TB_CELL_TEXT)
    return FALSE;
  folded = fold (tb_table_figure_get_text (self->figure, row, column));
  return strstr (folded, needle) != NULL;
}

static gboolean
row_has_longer (TbTableView *self, guint row, gint64 ns)
{
  for (guint column = 0; column < tb_table_figure_get_n_columns (self->figure); column++)
    if (tb_table_figure_get_column_type (self->figure, column) == TB_CELL_DURATION
        && tb_table_figure_is_known (self->figure, row, column)
        && tb_table_figure_get_integer (self->figure, row, column) >= ns)
      return TRUE;
  return FALSE;
}

/* "word" anywhere, "column:word" in one column, "longer:1ms" in any duration. */
static gboolean
row_matches_term (TbTableView *self, guint row, const char *term)
{
  guint n_columns = tb_table_figure_get_n_columns (self->figure);
  const char *colon = strchr (term, ':');
  gint64 ns;

  if (g_str_has_prefix (term, "longer:"))
    {
      if (colon[1] == '\0')
        return TRUE;
      if (tb_parse_duration (colon + 1, &ns))
        return row_has_longer (self, row, ns);
    }
  for (guint column = 0; colon != NULL && column < n_columns; column++)
    {
      const char *id = tb_table_figure_get_column_id (self->figure, column);

      if (strlen (id) == (gsize) (colon - term)
          && g_ascii_strncasecmp (id, term, (gsize) (colon - term)) == 0)
        return cell_contains (self, row, column, colon + 1);
    }
  for (guint column = 0; column < n_columns; column++)
    if (cell_contains (self, row, column, term))
      return TRUE;
  return FALSE;
}

static gboolean
filter_row (gpointer item, gpointer data)
{
  TbTableView *self = data;
  guint row = tb_table_row_get_index (item);

  for (guint i = 0; self->terms != NULL && self->terms[i] != NULL; i++)
    if (self->terms[i][0] != '\0' && !row_matches_term (self, row, self->terms[i]))
      return FALSE;
  return TRUE;
}

static void
update_empty (TbTableView *self)
{
  gboolean any = tb_table_figure_get_n_rows (self->figure) > 0;
  gboolean shown = g_list_model_get_n_items (G_LIST_MODEL (self->filtered)) > 0;

  if (!shown)
    {
      adw_status_page_set_title (ADW_STATUS_PAGE (self->empty),
                                 any ? _ ("No Row Found") : _ ("Nothing to Show"));
      adw_status_page_set_description (ADW_STATUS_PAGE (self->empty),
                                       any ? _ ("Try a different search.") : _ ("The table has no rows."));
      adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->empty), any ? "edit-find-symbolic" : NULL);
    }
  gtk_stack_set_visible_child (GTK_STACK (self->stack), shown ? self->scroller : self->empty);
}

static void
focus_row (TbTableView *self, guint row)
{
  const char *item = tb_table_figure_get_row_item (self->figure, row);
  guint64 thread;

  if (item == NULL)
    return;
  /* A row named by a number is about the thread of that number. */
  if (!g_ascii_string_to_unsigned (item, 10, 0, TB_ID_NONE - 1, &thread, NULL))
    thread = TB_ID_NONE;
  self->selecting = TRUE;
  tb_focus_select_item (self->focus, tb_figure_get_id (TB_FIGURE (self->figure)), item, (guint32) thread,
                        TB_TIME_NONE, TB_TIME_NONE, NULL);
  self->selecting = FALSE;
}

static void
on_rows_selected (TbTableView *self)
{
  g_autoptr (GtkBitset) selected = NULL;

  if (self->selecting)
    return;
  selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (!gtk_bitset_is_empty (selected))
    focus_row (self, row_at (self, gtk_bitset_get_minimum (selected)));
}

static void
on_activate (TbTableView *self, guint position)
{
  focus_row (self, row_at (self, position));
}

/* The row of what is selected elsewhere: the item itself, else its thread. */
static void
on_selection_changed (TbTableView *self)
{
  const char *item = tb_focus_get_item (self->focus);
  guint32 thread = tb_focus_get_thread (self->focus);
  g_autofree char *number = thread != TB_ID_NONE ? g_strdup_printf ("%u", thread) : NULL;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection)), found = GTK_INVALID_LIST_POSITION;

  if (self->selecting)
    return;
  if (g_strcmp0 (tb_focus_get_figure (self->focus), tb_figure_get_id (TB_FIGURE (self->figure))) != 0)
    item = number;
  for (guint position = 0; item != NULL && position < n && found == GTK_INVALID_LIST_POSITION; position++)
    if (g_strcmp0 (tb_table_figure_get_row_item (self->figure, row_at (self, position)), item) == 0)
      found = position;

  self->selecting = TRUE;
  if (found == GTK_INVALID_LIST_POSITION)
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  else
    {
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), found, TRUE);
      gtk_column_view_scroll_to (self->view, found, NULL, GTK_LIST_SCROLL_NONE, NULL);
    }
  self->selecting = FALSE;
}

static void
on_copy (GtkWidget *widget, const char *action, GVariant *parameter)
{
  TbTableView *self = TB_TABLE_VIEW (widget);
  g_autofree char *text = tb_table_view_copy (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* Numbers stand at the end of their column: so does what is above them. GTK has no property for that. */
static void
align_headings (TbTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (columns) && title != NULL; i++)
    {
      GtkWidget *box = gtk_widget_get_first_child (title);

      if (GTK_IS_BOX (box) && tb_table_figure_get_column_type (self->figure, i) != TB_CELL_TEXT
          && tb_table_figure_get_column_type (self->figure, i) != TB_CELL_SHARE)
        {
          gtk_widget_set_halign (box, GTK_ALIGN_END);
          /* The room for the arrow of the sorted column then belongs before the text. */
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
tb_table_view_constructed (GObject *object)
{
  TbTableView *self = TB_TABLE_VIEW (object);
  GListModel *rows;
  GtkSortListModel *sorted;

  G_OBJECT_CLASS (tb_table_view_parent_class)->constructed (object);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  rows = G_LIST_MODEL (tb_table_rows_new (self->figure));
  self->filter = GTK_FILTER (gtk_custom_filter_new (filter_row, self, NULL));
  self->filtered = gtk_filter_list_model_new (rows, g_object_ref (self->filter));
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->filtered)),
                                    g_object_ref (gtk_column_view_get_sorter (self->view)));
  gtk_sort_list_model_set_incremental (sorted, tb_table_figure_get_n_rows (self->figure) > 10000);
  self->selection = gtk_multi_selection_new (G_LIST_MODEL (sorted));
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_column_view_set_reorderable (self->view, TRUE);
  gtk_column_view_set_enable_rubberband (self->view, FALSE);
  add_columns (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));

  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (on_rows_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->filtered, "items-changed", G_CALLBACK (update_empty), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->focus, "selection-changed", G_CALLBACK (on_selection_changed), self,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (self->figure)), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (self->figure)), -1);
  update_empty (self);
  on_selection_changed (self);
}

static void
tb_table_view_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  switch (property_id)
    {
    case PROP_FIGURE:
      self->figure = g_value_dup_object (value);
      break;
    case PROP_FOCUS:
      self->focus = g_value_dup_object (value);
      break;
    case PROP_SEARCH:
      tb_table_view_set_search (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_table_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  switch (property_id)
    {
    case PROP_FIGURE:
      g_value_set_object (value, self->figure);
      break;
    case PROP_FOCUS:
      g_value_set_object (value, self->focus);
      break;
    case PROP_SEARCH:
      g_value_set_string (value, self->search);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_table_view_dispose (GObject *object)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->filtered);
  g_clear_object (&self->filter);

  G_OBJECT_CLASS (tb_table_view_parent_class)->dispose (object);
}

static void
tb_table_view_finalize (GObject *object)
{
  TbTableView *self = TB_TABLE_VIEW (object);

  g_clear_object (&self->figure);
  g_clear_object (&self->focus);
  g_free (self->search);
  g_strfreev (self->terms);

  G_OBJECT_CLASS (tb_table_view_parent_class)->finalize (object);
}

static gboolean
tb_table_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TB_TABLE_VIEW (widget)->view));
}

/* The default would take the keyboard back to where grab_focus() puts it when it is to go backwards. */
static gboolean
tb_table_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (TB_TABLE_VIEW (widget)->stack, direction);
}

static void
tb_table_view_class_init (TbTableViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = tb_table_view_constructed;
  object_class->set_property = tb_table_view_set_property;
  object_class->get_property = tb_table_view_get_property;
  object_class->dispose = tb_table_view_dispose;
  object_class->finalize = tb_table_view_finalize;
  widget_class->focus = tb_table_view_focus;
  widget_class->grab_focus = tb_table_view_grab_focus;

  properties[PROP_FIGURE]
      = g_param_spec_object ("figure", "Figure", "What is shown", TB_TYPE_TABLE_FIGURE,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_FOCUS]
      = g_param_spec_object ("focus", "Focus", "What the user looks at", TB_TYPE_FOCUS,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SEARCH]
      = g_param_spec_string ("search", "Search", "Limits the rows that are shown", NULL,
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, on_copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Insert, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tb-table");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tb_table_view_init (TbTableView *self)
{
  tb_widgets_load_style ();
  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->scroller = gtk_scrolled_window_new ();
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_stack_add_child (GTK_STACK (self->stack), self->scroller);
  self->empty = adw_status_page_new ();
  gtk_widget_add_css_class (self->empty, "compact");
  gtk_stack_add_child (GTK_STACK (self->stack), self->empty);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * tb_table_view_new:
 * @figure: what to show
 * @focus: what the user of the document looks at
 *
 * Returns: a view of @figure
 */
GtkWidget *
tb_table_view_new (TbTableFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_TABLE_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_TABLE_VIEW, "figure", figure, "focus", focus, NULL);
}

/**
 * tb_table_view_get_figure:
 * @self: a table view
 *
 * Returns: (transfer none): what it shows
 */
TbTableFigure *
tb_table_view_get_figure (TbTableView *self)
{
  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), NULL);

  return self->figure;
}

/**
 * tb_table_view_get_focus:
 * @self: a table view
 *
 * Returns: (transfer none): what the user looks at
 */
TbFocus *
tb_table_view_get_focus (TbTableView *self)
{
  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), NULL);

  return self->focus;
}

/**
 * tb_table_view_set_search:
 * @self: a table view
 * @search: (nullable): words that must all be found
 *
 * Shows only rows that match. A word is looked for in every text of a row; `column:word` looks in the column of that id,
 * `longer:1ms` asks for a duration of at least that.
 */
void
tb_table_view_set_search (TbTableView *self, const char *search)
{
  g_autofree char *folded = NULL;

  g_return_if_fail (TB_IS_TABLE_VIEW (self));

  if (!g_set_str (&self->search, search))
    return;
  folded = fold (search);
  g_strfreev (self->terms);
  self->terms = g_strsplit_set (folded, " \t", -1);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SEARCH]);
}

/**
 * tb_table_view_get_search:
 * @self: a table view
 *
 * Returns: (nullable): what is looked for
 */
const char *
tb_table_view_get_search (TbTableView *self)
{
  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), NULL);

  return self->search;
}

/**
 * tb_table_view_get_n_shown:
 * @self: a table view
 *
 * Returns: how many rows the search leaves
 */
guint
tb_table_view_get_n_shown (TbTableView *self)
{
  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), 0);

  return g_list_model_get_n_items (G_LIST_MODEL (self->filtered));
}

static void
append_field (GString *text, const char *field)
{
  g_autofree char *clean = g_strdup (field);

  /* A cell must not break the line or the column it stands in. */
  g_string_append (text, g_strdelimit (clean, "\t\r\n", ' '));
}

/**
 * tb_table_view_copy:
 * @self: a table view
 *
 * Returns: (transfer full): the selected rows, or all that are shown if none is, below a line of headings, in the order
 *   they are shown in, fields separated by tabs
 */
char *
tb_table_view_copy (TbTableView *self)
{
  GString *text;
  guint n_columns, n;
  g_autoptr (GtkBitset) selected = NULL;
  gboolean all;

  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), NULL);

  text = g_string_new (NULL);
  n_columns = tb_table_figure_get_n_columns (self->figure);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  all = gtk_bitset_is_empty (selected);
  for (guint column = 0; column < n_columns; column++)
    {
      if (column > 0)
        g_string_append_c (text, '\t');
      append_field (text, tb_table_figure_get_column_title (self->figure, column));
    }
  g_string_append_c (text, '\n');
  for (guint position = 0; position < n; position++)
    {
      guint row;

      if (!all && !gtk_bitset_contains (selected, position))
        continue;
      row = row_at (self, position);
      for (guint column = 0; column < n_columns; column++)
        {
          g_autofree char *cell = tb_table_figure_format_cell (self->figure, row, column);

          if (column > 0)
            g_string_append_c (text, '\t');
          append_field (text, cell);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
