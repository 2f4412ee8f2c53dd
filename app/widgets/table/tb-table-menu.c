/* tb-table-menu.c: menu of a table view: copying of rows as text or CSV, columns to show; its keys
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "widgets/table/tb-table-view-private.h"
#include "base/tb-base.h"
#include "widgets/tb-figure-view-private.h"
#include "widgets/table/tb-table-widgets-private.h"

/* The selected rows in the shown order. All shown rows where none is selected. */
static GArray *
list_chosen_rows (TbTableView *self)
{
  g_autoptr (GtkBitset) selected
      = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean all = gtk_bitset_is_empty (selected);

  for (guint position = 0; position < g_list_model_get_n_items (G_LIST_MODEL (self->selection));
       position++)
    {
      guint row = all || gtk_bitset_contains (selected, position)
                      ? tb_table_view_get_row_at (self, position)
                      : TB_ID_NONE;

      if (row != TB_ID_NONE)
        g_array_append_val (rows, row);
    }
  return rows;
}

/* The columns of the figure in the shown order. */
static GArray *
list_shown_columns (TbTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      guint index = tb_table_column_get_index (column);

      if (gtk_column_view_column_get_visible (column))
        g_array_append_val (shown, index);
    }
  return shown;
}

/**
 * tb_table_view_copy:
 * @self: a table view
 *
 * Copies rows for spreadsheets and messages.
 *
 * Returns: (transfer full): the selected rows, or all shown rows if none is selected, after a line
 *   of headings, in the shown order, with fields separated by tabs
 */
char *
tb_table_view_copy (TbTableView *self)
{
  g_autoptr (GArray) rows = NULL;
  g_autoptr (GArray) columns = NULL;

  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), NULL);

  rows = list_chosen_rows (self);
  columns = list_shown_columns (self);
  return tb_table_part_to_text (self->figure, rows, columns);
}

/**
 * tb_table_view_copy_csv:
 * @self: a table view
 *
 * Copies rows for programs.
 *
 * Returns: (transfer full): the same rows and columns as comma-separated values for programs: times
 *   and durations in ns, unknown values empty
 */
char *
tb_table_view_copy_csv (TbTableView *self)
{
  g_autoptr (GArray) rows = NULL;
  g_autoptr (GArray) columns = NULL;

  g_return_val_if_fail (TB_IS_TABLE_VIEW (self), NULL);

  rows = list_chosen_rows (self);
  columns = list_shown_columns (self);
  return tb_table_part_to_csv (self->figure, rows, columns);
}

static void
on_copy (GtkWidget *widget, const char *action, GVariant *parameter)
{
  TbTableView *self = TB_TABLE_VIEW (widget);
  g_autofree char *text = tb_table_view_copy (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
on_copy_csv (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *text = tb_table_view_copy_csv (TB_TABLE_VIEW (widget));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* At least one column stays visible, because the menu that restores columns opens on the
 * headings. */
static void
on_column_shown (GtkColumnViewColumn *column, GParamSpec *pspec, TbTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gboolean any = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) other = g_list_model_get_item (columns, i);

      any |= gtk_column_view_column_get_visible (other);
    }
  if (!any)
    gtk_column_view_column_set_visible (column, TRUE);
  tb_figure_view_arranged (TB_FIGURE_VIEW (self));
}

/* The menu of columns and of actions on rows, for every heading and for the rows. */
static GMenuModel *
make_menu (TbTableView *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) copy = g_menu_new ();
  g_autoptr (GMenu) columns = g_menu_new ();

  g_menu_append (copy, _ ("_Copy"), "table.copy");
  g_menu_append (copy, _ ("Copy as C_SV"), "table.copy-csv");
  for (guint i = 0; i < tb_table_figure_get_n_columns (self->figure); i++)
    {
      g_autofree char *action = g_strdup_printf ("table-columns.c%u", i);
      const char *title = tb_table_figure_get_column_title (self->figure, i);
      g_auto (GStrv) parts = g_strsplit (title, "_", -1);
      g_autofree char *plain = g_strjoinv ("__", parts); /* no letter of a name is a mnemonic */

      g_menu_append (columns, plain, action);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
  g_menu_append_section (menu, _ ("Columns"), G_MENU_MODEL (columns));
  return G_MENU_MODEL (menu);
}

static void
popup_at (TbTableView *self, double x, double y)
{
  g_autoptr (GMenuModel) menu = make_menu (self);
  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  gtk_widget_set_parent (popover, self->box);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (gtk_widget_unparent), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static void
on_menu_key (GtkWidget *widget, const char *action, GVariant *parameter)
{
  popup_at (TB_TABLE_VIEW (widget), 24, 48);
}

static void
on_secondary (GtkGestureClick *gesture, int n_press, double x, double y, TbTableView *self)
{
  popup_at (self, x, y);
}

void
tb_table_view_add_menus (TbTableView *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  g_autoptr (GMenuModel) menu = make_menu (self);
  GtkGesture *click = gtk_gesture_click_new ();

  self->column_actions = g_simple_action_group_new ();
  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      g_autofree char *name = g_strdup_printf ("c%u", i);
      g_autoptr (GPropertyAction) action = g_property_action_new (name, column, "visible");

      g_action_map_add_action (G_ACTION_MAP (self->column_actions), G_ACTION (action));
      gtk_column_view_column_set_header_menu (column, menu);
      g_signal_connect_object (column, "notify::visible", G_CALLBACK (on_column_shown), self, 0);
    }
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table-columns",
                                  G_ACTION_GROUP (self->column_actions));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_secondary), self);
  gtk_widget_add_controller (self->box, GTK_EVENT_CONTROLLER (click));
}

void
tb_table_view_class_add_menu_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, on_copy);
  gtk_widget_class_install_action (widget_class, "table.copy-csv", NULL, on_copy_csv);
  gtk_widget_class_install_action (widget_class, "table.menu", NULL, on_menu_key);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "table.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "table.menu",
                                       NULL);
  /* With Shift instead of Alt the shortcut belongs to the application, which takes precedence. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK | GDK_ALT_MASK,
                                       "table.copy-csv", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Insert, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}
