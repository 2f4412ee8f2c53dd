/* tb-column-reader-private.h: reader of table columns of a session for a trace, from any thread;
 * its first error is kept for a later check
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/* Reads for callers that cannot report an error at once. From any thread. */
typedef struct
{
  TbSession *session; /* not owned */
  GMutex mutex;       /* protects error */
  GError *error;      /* the first error; a cancelled read is none */
} TbColumnReader;

void tb_column_reader_init (TbColumnReader *self, TbSession *session);
void tb_column_reader_clear (TbColumnReader *self);

/* NULL if the rows cannot be read, or if cancelled by the current cancellable. */
GBytes *tb_column_reader_read (TbColumnReader *self,
                               TbTableKind table,
                               guint column,
                               guint64 first,
                               guint64 n);
/* FALSE if something could not be read. */
gboolean tb_column_reader_check (TbColumnReader *self, GError **error);

G_END_DECLS
