/* tb-table-rows.c: list model, for GTK, of the rows of a table figure: row objects with an index
 * alone, made on request
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/table/tb-table-widgets-private.h"

struct _TbTableRow
{
  GObject parent_instance;

  guint index;
};

G_DEFINE_FINAL_TYPE (TbTableRow, tb_table_row, G_TYPE_OBJECT)

static void
tb_table_row_class_init (TbTableRowClass *klass)
{
}

static void
tb_table_row_init (TbTableRow *self)
{
}

TbTableRow *
tb_table_row_new (guint index)
{
  TbTableRow *self = g_object_new (TB_TYPE_TABLE_ROW, NULL);

  self->index = index;
  return self;
}

guint
tb_table_row_get_index (gpointer item)
{
  if (GTK_IS_TREE_LIST_ROW (item))
    {
      g_autoptr (TbTableRow) row = gtk_tree_list_row_get_item (item);

      return row->index;
    }
  return TB_TABLE_ROW (item)->index;
}

struct _TbTableRows
{
  GObject parent_instance;

  guint first;
  guint n;
};

static GType
get_item_type (GListModel *model)
{
  return TB_TYPE_TABLE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return TB_TABLE_ROWS (model)->n;
}

static gpointer
get_item (GListModel *model, guint position)
{
  TbTableRows *self = TB_TABLE_ROWS (model);

  return position < self->n ? tb_table_row_new (self->first + position) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TbTableRows,
                               tb_table_rows,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
tb_table_rows_class_init (TbTableRowsClass *klass)
{
}

static void
tb_table_rows_init (TbTableRows *self)
{
}

TbTableRows *
tb_table_rows_new (TbTableFigure *figure)
{
  TbTableRows *self = g_object_new (TB_TYPE_TABLE_ROWS, NULL);

  self->n = tb_table_figure_get_n_rows (figure);
  return self;
}

TbTableRows *
tb_table_rows_new_children (TbTableFigure *figure, guint row)
{
  guint first, n = tb_table_figure_get_children (figure, row, &first);
  TbTableRows *self = n > 0 ? g_object_new (TB_TYPE_TABLE_ROWS, NULL) : NULL;

  if (self != NULL)
    {
      self->first = first;
      self->n = n;
    }
  return self;
}
