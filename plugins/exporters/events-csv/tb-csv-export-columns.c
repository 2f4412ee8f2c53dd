/* tb-csv-export-columns.c: columns of all event tables of a session, loaded for the export
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-export-private.h"

static gboolean
read_columns (TbCsvEvents *self, TbSession *session, GError **error)
{
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    {
      TbTable *table = tb_session_get_table (session, kind);
      const TbTableInfo *info = tb_table_kind_get_info (kind);

      if (!TB_TABLE_IS_EVENT (kind) && kind != TB_TABLE_LOST)
        continue;
      self->n_rows[kind] = tb_table_get_n_rows (table);
      for (guint column = 0; column < info->n_columns; column++)
        if ((self->columns[kind][column] = tb_table_get_column (table, column, error)) == NULL)
          return FALSE;
    }
  return TRUE;
}

gboolean
tb_csv_events_init (TbCsvEvents *self, TbSession *session, GError **error)
{
  *self = (TbCsvEvents) { 0 };
  if (read_columns (self, session, error))
    return TRUE;
  tb_csv_events_clear (self);
  return FALSE;
}

void
tb_csv_events_clear (TbCsvEvents *self)
{
  for (TbTableKind kind = 0; kind < TB_N_TABLES; kind++)
    for (guint column = 0; column < G_N_ELEMENTS (self->columns[kind]); column++)
      g_clear_pointer (&self->columns[kind][column], g_bytes_unref);
}
