/* tb-figure-tables.c: which figures of a report are shown as tables, and their tables, each made by
 * tb_figure_to_table() in a thread at first use and kept
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/tb-figure-table.h"
#include "shell/document/tb-figure-tables.h"

struct _TbFigureTables
{
  GObject parent;

  GHashTable *wanted; /* ids of the figures to show as tables */
  GHashTable *tables; /* TbFigure to its table; NULL while the table is being built */
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbFigureTables, tb_figure_tables, G_TYPE_OBJECT)

static void
tb_figure_tables_finalize (GObject *object)
{
  TbFigureTables *self = TB_FIGURE_TABLES (object);

  g_hash_table_unref (self->wanted);
  g_hash_table_unref (self->tables);
  G_OBJECT_CLASS (tb_figure_tables_parent_class)->finalize (object);
}

static void
tb_figure_tables_class_init (TbFigureTablesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_figure_tables_finalize;
  /* Emitted when tb_figure_tables_choose() returns another result than before. */
  signals[CHANGED] = g_signal_new ("changed", TB_TYPE_FIGURE_TABLES, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
unref_table (gpointer table)
{
  if (table != NULL)
    g_object_unref (table);
}

static void
tb_figure_tables_init (TbFigureTables *self)
{
  self->wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->tables = g_hash_table_new_full (NULL, NULL, g_object_unref, unref_table);
}

TbFigureTables *
tb_figure_tables_new (void)
{
  return g_object_new (TB_TYPE_FIGURE_TABLES, NULL);
}

/**
 * tb_figure_tables_set_wanted:
 * @figure: id of a figure
 * @wanted: whether the figure is shown as a table
 */
void
tb_figure_tables_set_wanted (TbFigureTables *self, const char *figure, gboolean wanted)
{
  gboolean changed;

  g_return_if_fail (TB_IS_FIGURE_TABLES (self) && figure != NULL);

  changed = wanted ? g_hash_table_add (self->wanted, g_strdup (figure))
                   : g_hash_table_remove (self->wanted, figure);
  if (!changed)
    return;
  if (g_hash_table_size (self->wanted) == 0)
    g_hash_table_remove_all (self->tables);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
tb_figure_tables_is_wanted (TbFigureTables *self, const char *figure)
{
  g_return_val_if_fail (TB_IS_FIGURE_TABLES (self) && figure != NULL, FALSE);
  return g_hash_table_contains (self->wanted, figure);
}

static void
make_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, tb_figure_to_table (data), g_object_unref);
}

static void
table_done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbFigureTables *self = TB_FIGURE_TABLES (object);
  TbFigure *figure = g_task_get_task_data (G_TASK (result));
  g_autoptr (TbTableFigure) table = g_task_propagate_pointer (G_TASK (result), NULL);

  if (!g_hash_table_contains (self->tables, figure))
    return; /* no longer needed */
  g_hash_table_insert (self->tables, g_object_ref (figure), g_steal_pointer (&table));
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Removes tables of reports that are no longer shown. */
static void
remove_old_tables (TbFigureTables *self, TbFigure *figure)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->tables);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (key != figure && g_str_equal (tb_figure_get_id (key), tb_figure_get_id (figure)))
      g_hash_table_iter_remove (&iter);
}

/**
 * tb_figure_tables_choose:
 * @figure: a figure of a report
 *
 * Returns: (transfer none): the table of the figure if it is wanted and complete, else the figure;
 *   "changed" is emitted when the table is complete
 */
TbFigure *
tb_figure_tables_choose (TbFigureTables *self, TbFigure *figure)
{
  TbFigure *table;

  g_return_val_if_fail (TB_IS_FIGURE_TABLES (self), figure);

  if (!tb_figure_tables_is_wanted (self, tb_figure_get_id (figure)))
    return figure;
  table = g_hash_table_lookup (self->tables, figure);
  if (table == NULL && !g_hash_table_contains (self->tables, figure))
    {
      g_autoptr (GTask) task = g_task_new (self, NULL, table_done, NULL);

      remove_old_tables (self, figure);
      g_hash_table_insert (self->tables, g_object_ref (figure), NULL);
      g_task_set_source_tag (task, tb_figure_tables_choose);
      g_task_set_task_data (task, g_object_ref (figure), g_object_unref);
      g_task_run_in_thread (task, make_thread);
    }
  return table != NULL ? table : figure;
}
