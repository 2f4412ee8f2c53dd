/* tb-symbol-ids-private.h: IDs that the function names of an open session have in its file, where
 * other processes may have added names of their own
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define TB_SYMBOL_ID_NONE G_MAXUINT32

typedef struct
{
  GArray *ids;    /* guint32, by number of the name in memory */
  guint n;        /* names of the file that were read or written: the next one gets this ID */
  gboolean mixed; /* whether another process has added some of them */
} TbSymbolIds;

TbSymbolIds *tb_symbol_ids_new (void);
TbSymbolIds *tb_symbol_ids_copy (const TbSymbolIds *other);
void tb_symbol_ids_free (TbSymbolIds *self);
/* TB_SYMBOL_ID_NONE: it is not in the file. */
guint32 tb_symbol_ids_get (const TbSymbolIds *self, guint symbol);
void tb_symbol_ids_set (TbSymbolIds *self, guint symbol, guint32 id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbSymbolIds, tb_symbol_ids_free)

G_END_DECLS
