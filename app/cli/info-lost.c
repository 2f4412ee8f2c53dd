/* info-lost.c: lost events of a recording, for "info": columns of their table, read from the
 * session, and the sum
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "info.h"

void
info_lost_clear (InfoLost *lost)
{
  for (guint i = 0; i < TB_LOST_N_COLUMNS; i++)
    g_clear_pointer (&lost->bytes[i], g_bytes_unref);
}

gboolean
info_read_lost (TbSession *session, InfoLost *lost, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_LOST);

  for (guint i = 0; i < TB_LOST_N_COLUMNS; i++)
    if (!(lost->bytes[i] = tb_table_get_column (table, i, error)))
      return FALSE;
  lost->from = g_bytes_get_data (lost->bytes[TB_LOST_FROM], NULL);
  lost->to = g_bytes_get_data (lost->bytes[TB_LOST_TO], NULL);
  lost->cpu = g_bytes_get_data (lost->bytes[TB_LOST_CPU], NULL);
  lost->count = g_bytes_get_data (lost->bytes[TB_LOST_COUNT], NULL);
  lost->n = tb_table_get_n_rows (table);
  return TRUE;
}

guint64
info_count_lost (const InfoLost *lost)
{
  guint64 events = 0;

  for (guint64 i = 0; i < lost->n; i++)
    events += MIN (lost->count[i], (guint64) G_MAXINT64 - events);
  return events;
}
