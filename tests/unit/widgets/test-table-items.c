/* test-table-items.c: test of positions of rows in a sorted and filtered list against a walk
 * through it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/schema/tb-schema.h"
#include "widgets/table/tb-table-widgets-private.h"

typedef struct
{
  TbTableFigure *figure;
  guint n;
  guint *keys; /* sort keys of the rows, many of them equal */
  guint8 *shown;
  GListModel *list; /* sorted and filtered */
  GtkSorter *sorter;
} Fixture;

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer data)
{
  const Fixture *fixture = data;
  guint one = fixture->keys[tb_table_row_get_index ((gpointer) a)];
  guint two = fixture->keys[tb_table_row_get_index ((gpointer) b)];

  return (one > two) - (one < two);
}

static gboolean
is_shown (gpointer item, gpointer data)
{
  return ((Fixture *) data)->shown[tb_table_row_get_index (item)];
}

static TbTableFigure *
make_figure (guint n, guint n_items)
{
  TbTableFigure *figure = tb_table_figure_new ("t", "T");

  tb_table_figure_add_column (figure, "c", "C", TB_CELL_COUNT);
  for (guint row = 0; row < n; row++)
    {
      guint number = (guint) g_test_rand_int_range (0, (gint32) n_items);
      /* One item in n_items is none. */
      g_autofree char *item = number > 0 ? g_strdup_printf ("%u", number) : NULL;

      tb_table_figure_add_row (figure, item);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
fixture_init (Fixture *fixture, guint n, guint n_items, guint n_keys, guint one_in)
{
  GtkFilterListModel *filtered;

  *fixture = (Fixture) { .figure = make_figure (n, n_items), .n = n };
  fixture->keys = g_new0 (guint, n + 1);
  fixture->shown = g_new0 (guint8, n + 1);
  for (guint row = 0; row < n; row++)
    {
      fixture->keys[row] = (guint) g_test_rand_int_range (0, (gint32) n_keys);
      fixture->shown[row] = g_test_rand_int_range (0, (gint32) one_in) == 0;
    }
  fixture->sorter = GTK_SORTER (gtk_custom_sorter_new (compare_keys, fixture, NULL));
  filtered
      = gtk_filter_list_model_new (G_LIST_MODEL (tb_table_rows_new (fixture->figure)),
                                   GTK_FILTER (gtk_custom_filter_new (is_shown, fixture, NULL)));
  fixture->list = G_LIST_MODEL (
      gtk_sort_list_model_new (G_LIST_MODEL (filtered), g_object_ref (fixture->sorter)));
}

static void
fixture_clear (Fixture *fixture)
{
  g_object_unref (fixture->list);
  g_object_unref (fixture->sorter);
  g_assert_finalize_object (fixture->figure);
  g_free (fixture->keys);
  g_free (fixture->shown);
}

static guint
row_at (Fixture *fixture, guint position)
{
  g_autoptr (TbTableRow) row = g_list_model_get_item (fixture->list, position);

  return tb_table_row_get_index (row);
}

static guint
walk (Fixture *fixture, const char *item)
{
  for (guint position = 0; position < g_list_model_get_n_items (fixture->list); position++)
    if (g_strcmp0 (tb_table_figure_get_row_item (fixture->figure, row_at (fixture, position)), item)
        == 0)
      return position;
  return GTK_INVALID_LIST_POSITION;
}

static void
check (Fixture *fixture, guint n_items)
{
  g_autoptr (TbTableItems) items = tb_table_items_new (fixture->figure);
  g_autofree guint *positions = g_new (guint, fixture->n + 1);

  for (guint number = 1; number < n_items + 2; number++)
    {
      g_autofree char *item = g_strdup_printf ("%u", number);
      guint expected = walk (fixture, item);

      g_assert_cmpuint (tb_table_items_find (items, fixture->list, fixture->sorter, TRUE, item), ==,
                        expected);
      g_assert_cmpuint (tb_table_items_find (items, fixture->list, fixture->sorter, FALSE, item),
                        ==, expected);
    }
  for (guint row = 0; row < fixture->n; row++)
    positions[row] = GTK_INVALID_LIST_POSITION;
  for (guint position = 0; position < g_list_model_get_n_items (fixture->list); position++)
    positions[row_at (fixture, position)] = position;
  for (guint row = 0; row < fixture->n; row++)
    g_assert_cmpuint (tb_table_find_row (fixture->list, fixture->sorter, row), ==, positions[row]);
}

static void
test_random (void)
{
  for (guint i = 0; i < 200; i++)
    {
      Fixture fixture;
      guint n_items = (guint) g_test_rand_int_range (1, 40);

      fixture_init (&fixture, (guint) g_test_rand_int_range (0, 300), n_items,
                    (guint) g_test_rand_int_range (1, 50), (guint) g_test_rand_int_range (1, 30));
      check (&fixture, n_items);
      fixture_clear (&fixture);
    }
}

/* After changes of order and filter, positions are those of the new list. */
static void
test_changes (void)
{
  Fixture fixture;

  fixture_init (&fixture, 300, 60, 9, 2);
  for (guint i = 0; i < 20; i++)
    {
      for (guint row = 0; row < fixture.n; row++)
        fixture.keys[row] = (guint) g_test_rand_int_range (0, 9);
      gtk_sorter_changed (fixture.sorter, GTK_SORTER_CHANGE_DIFFERENT);
      check (&fixture, 60);
    }
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table-items/random", test_random);
  g_test_add_func ("/table-items/changes", test_changes);
  return g_test_run ();
}
