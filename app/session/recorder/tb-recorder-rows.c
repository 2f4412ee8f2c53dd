/* tb-recorder-rows.c: buffered rows of the tables, and their output to the session writer
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

/* Passes the rows to the writer. After a failure the rows are dropped, because nothing can be
 * written any more. */
gboolean
tb_recorder_flush_rows (TbRecorder *self, TbTableKind kind)
{
  TbRows *rows = &self->rows[kind];
  gconstpointer columns[TB_ROWS_MAX_COLUMNS];
  guint n = rows->n;

  rows->n = 0;
  if (n == 0)
    return self->error == NULL;
  for (guint i = 0; i < TB_ROWS_MAX_COLUMNS; i++)
    columns[i] = TB_ROWS_COLUMN (rows, i, guint8);
  return self->error == NULL
         && tb_session_writer_append (self->writer, kind, columns, n, &self->error);
}

guint
tb_recorder_add_row_slow (TbRecorder *self, TbTableKind kind)
{
  TbRows *rows = &self->rows[kind];

  if (rows->values == NULL)
    rows->values
        = g_malloc ((gsize) tb_table_kind_get_info (kind)->n_columns * TB_ROWS_CAPACITY * 8);
  else
    tb_recorder_flush_rows (self, kind);
  return rows->n++;
}

void
tb_recorder_free_rows (TbRecorder *self)
{
  for (guint i = 0; i < TB_N_TABLES; i++)
    g_clear_pointer (&self->rows[i].values, g_free);
}
