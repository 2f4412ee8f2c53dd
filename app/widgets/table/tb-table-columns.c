/* tb-table-columns.c: user's arrangement of the columns of a table (order, hidden ones, sorting):
 * taken over from another view, read as a state to store, and restored from it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/table/tb-table-widgets-private.h"

GtkColumnViewColumn *
tb_table_columns_find (GtkColumnView *view, const char *id)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      if (g_strcmp0 (gtk_column_view_column_get_id (column), id) == 0)
        return column; /* owned by the view */
    }
  return NULL;
}

static GtkColumnViewColumn *
get_sorted (GtkColumnView *view, GtkSortType *order)
{
  GtkColumnViewSorter *sorter = GTK_COLUMN_VIEW_SORTER (gtk_column_view_get_sorter (view));

  *order = gtk_column_view_sorter_get_primary_sort_order (sorter);
  return gtk_column_view_sorter_get_primary_sort_column (sorter);
}

void
tb_table_columns_copy (GtkColumnView *view, GtkColumnView *before)
{
  GListModel *columns = gtk_column_view_get_columns (before);
  GtkSortType order;
  GtkColumnViewColumn *sorted = get_sorted (before, &order);

  for (guint i = 0, at = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      GtkColumnViewColumn *same
          = tb_table_columns_find (view, gtk_column_view_column_get_id (column));

      if (same == NULL)
        continue;
      gtk_column_view_column_set_visible (same, gtk_column_view_column_get_visible (column));
      gtk_column_view_column_set_fixed_width (same,
                                              gtk_column_view_column_get_fixed_width (column));
      gtk_column_view_insert_column (view, at++, same);
    }
  if (sorted != NULL
      && (sorted = tb_table_columns_find (view, gtk_column_view_column_get_id (sorted))) != NULL)
    gtk_column_view_sort_by_column (view, sorted, order);
}

GVariant *
tb_table_columns_get_state (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GStrvBuilder) order = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) hidden = g_strv_builder_new ();
  g_auto (GStrv) order_ids = NULL;
  g_auto (GStrv) hidden_ids = NULL;
  gboolean is_ordered = TRUE;
  GtkSortType direction;
  GtkColumnViewColumn *sorted = get_sorted (view, &direction);
  GVariantDict state;

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      const char *id = gtk_column_view_column_get_id (column);

      is_ordered &= tb_table_column_get_index (column) == i;
      g_strv_builder_add (order, id);
      if (!gtk_column_view_column_get_visible (column))
        g_strv_builder_add (hidden, id);
    }
  order_ids = g_strv_builder_end (order);
  hidden_ids = g_strv_builder_end (hidden);
  if (is_ordered && hidden_ids[0] == NULL && sorted == NULL)
    return NULL;
  g_variant_dict_init (&state, NULL);
  if (!is_ordered)
    g_variant_dict_insert (&state, "columns", "^as", order_ids);
  if (hidden_ids[0] != NULL)
    g_variant_dict_insert (&state, "hidden", "^as", hidden_ids);
  if (sorted != NULL)
    g_variant_dict_insert (&state, "sort", "(sb)", gtk_column_view_column_get_id (sorted),
                           direction == GTK_SORT_DESCENDING);
  return g_variant_dict_end (&state);
}

void
tb_table_columns_set_state (GtkColumnView *view, GVariant *state)
{
  g_autofree const char **order = NULL;
  g_autofree const char **hidden = NULL;
  guint n = g_list_model_get_n_items (gtk_column_view_get_columns (view));
  GtkColumnViewColumn *column;
  const char *sorted;
  gboolean descending;

  if (g_variant_lookup (state, "columns", "^a&s", &order))
    for (guint i = 0, at = 0; order[i] != NULL && at < n; i++)
      if ((column = tb_table_columns_find (view, order[i])) != NULL)
        gtk_column_view_insert_column (view, at++, column);
  if (g_variant_lookup (state, "hidden", "^a&s", &hidden))
    for (guint i = 0; hidden[i] != NULL; i++)
      if ((column = tb_table_columns_find (view, hidden[i])) != NULL)
        gtk_column_view_column_set_visible (column, FALSE);
  if (g_variant_lookup (state, "sort", "(&sb)", &sorted, &descending)
      && (column = tb_table_columns_find (view, sorted)) != NULL)
    gtk_column_view_sort_by_column (view, column,
                                    descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}
