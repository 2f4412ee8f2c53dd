/* tb-table-items.c: index of the rows of a table by item, and search for the position of a row or
 * item in the shown list, which is sorted and filtered
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "base/tb-base.h"
#include "widgets/table/tb-table-widgets-private.h"

/* Rows with the same item form a chain, in the order of the figure. */
struct _TbTableItems
{
  GHashTable *first; /* item, owned by the figure → its first row + 1 */
  guint *next;       /* by row: next row with the same item, or TB_ID_NONE */
  TbTableFigure *figure;
};

TbTableItems *
tb_table_items_new (TbTableFigure *figure)
{
  TbTableItems *self = g_new0 (TbTableItems, 1);
  guint n = tb_table_figure_get_n_rows (figure) + tb_table_figure_get_n_children (figure);

  self->figure = g_object_ref (figure);
  self->first = g_hash_table_new (g_str_hash, g_str_equal);
  self->next = g_new (guint, n + 1);
  for (guint row = n; row-- > 0;)
    {
      const char *item = tb_table_figure_get_row_item (figure, row);

      if (item == NULL || *item == '\0')
        continue;
      /* A missing entry is 0, so that the last row gets TB_ID_NONE as its next. */
      self->next[row] = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, item)) - 1;
      g_hash_table_insert (self->first, (gpointer) item, GUINT_TO_POINTER (row + 1));
    }
  return self;
}

void
tb_table_items_free (TbTableItems *self)
{
  g_hash_table_unref (self->first);
  g_free (self->next);
  g_object_unref (self->figure);
  g_free (self);
}

static int
compare_rows (GtkSorter *sorter, TbTableRow *one, TbTableRow *two)
{
  guint first = tb_table_row_get_index (one), second = tb_table_row_get_index (two);
  GtkOrdering order = gtk_sorter_compare (sorter, one, two);

  /* Sorting is stable: equal rows stay in the order of the figure. */
  return order != GTK_ORDERING_EQUAL ? (int) order : (first > second) - (first < second);
}

/* Binary search. Where the list is not in the order of the sorter, for instance while it is being
 * sorted, the row may be missed. */
static guint
search_row (GListModel *shown, GtkSorter *sorter, TbTableRow *row)
{
  guint from = 0, to = g_list_model_get_n_items (shown);

  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      g_autoptr (TbTableRow) other = g_list_model_get_item (shown, middle);
      int order = compare_rows (sorter, row, other);

      if (order == 0)
        return middle;
      if (order < 0)
        to = middle;
      else
        from = middle + 1;
    }
  return GTK_INVALID_LIST_POSITION;
}

/* Whether child rows are between the rows of the list, so that it is in the order of no sorter. */
static gboolean
has_children (GListModel *shown)
{
  g_autoptr (GObject) first = g_list_model_get_object (shown, 0);

  return GTK_IS_TREE_LIST_ROW (first);
}

static guint
walk_to_row (GListModel *shown, guint row)
{
  guint n = g_list_model_get_n_items (shown);

  for (guint position = 0; position < n; position++)
    {
      g_autoptr (GObject) item = g_list_model_get_object (shown, position);

      if (tb_table_row_get_index (item) == row)
        return position;
    }
  return GTK_INVALID_LIST_POSITION;
}

guint
tb_table_find_row (GListModel *shown, GtkSorter *sorter, guint row)
{
  g_autoptr (TbTableRow) wanted = tb_table_row_new (row);

  return has_children (shown) ? walk_to_row (shown, row) : search_row (shown, sorter, wanted);
}

/* Linear search. */
static guint
walk_to_item (TbTableItems *self, GListModel *shown, const char *item)
{
  guint n = g_list_model_get_n_items (shown);

  for (guint position = 0; position < n; position++)
    {
      g_autoptr (TbTableRow) row = g_list_model_get_item (shown, position);

      if (g_strcmp0 (tb_table_figure_get_row_item (self->figure, tb_table_row_get_index (row)),
                     item)
          == 0)
        return position;
    }
  return GTK_INVALID_LIST_POSITION;
}

guint
tb_table_items_find (TbTableItems *self,
                     GListModel *shown,
                     GtkSorter *sorter,
                     gboolean in_order,
                     const char *item)
{
  guint n = g_list_model_get_n_items (shown), found = GTK_INVALID_LIST_POSITION, n_lookups = 0;
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (self->first, item)) - 1;
  g_autoptr (TbTableRow) best = NULL;

  if (row != TB_ID_NONE && (!in_order || has_children (shown)))
    return walk_to_item (self, shown, item);
  for (; row != TB_ID_NONE && found != 0; row = self->next[row])
    {
      g_autoptr (TbTableRow) candidate = tb_table_row_new (row);
      guint position;

      if (best != NULL && compare_rows (sorter, best, candidate) < 0)
        continue;
      /* Looking up many rows that are not shown costs more than a linear search. */
      if (n_lookups++ > n / 16)
        return walk_to_item (self, shown, item);
      position = search_row (shown, sorter, candidate);
      if (position == GTK_INVALID_LIST_POSITION)
        continue;
      found = position;
      g_set_object (&best, candidate);
    }
  return found;
}
