/* tb-column-reader.c: reader of table columns of a session for a trace, from any thread; its first
 * error is kept for a later check
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-column-reader-private.h"
#include "trace/tb-trace-cancel-private.h"

void
tb_column_reader_init (TbColumnReader *self, TbSession *session)
{
  *self = (TbColumnReader) { .session = session };
  g_mutex_init (&self->mutex);
}

void
tb_column_reader_clear (TbColumnReader *self)
{
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
}

GBytes *
tb_column_reader_read (TbColumnReader *self,
                       TbTableKind table,
                       guint column,
                       guint64 first,
                       guint64 n)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  if (tb_trace_is_cancelled ())
    return NULL;
  bytes = tb_table_get_column_range (tb_session_get_table (self->session, table), column, first, n,
                                     &error);
  if (bytes != NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return bytes;
  g_mutex_lock (&self->mutex);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

gboolean
tb_column_reader_check (TbColumnReader *self, GError **error)
{
  gboolean good;

  g_mutex_lock (&self->mutex);
  good = self->error == NULL;
  if (!good && error != NULL)
    *error = g_error_copy (self->error);
  g_mutex_unlock (&self->mutex);
  return good;
}
