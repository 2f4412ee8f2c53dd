/* tb-table-private.h: how the session makes its tables
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/tb-schema-private.h"
#include "session/tb-store-private.h"
#include "session/tb-table.h"

G_BEGIN_DECLS

/* The chunk index of a table while it is read: entries of one column after the other, chunks ascending. */
typedef struct _TbTableIndex TbTableIndex;

TbTableIndex *tb_table_index_new (TbTableKind kind);
TbTableIndex *tb_table_index_ref (TbTableIndex *self);
void tb_table_index_unref (TbTableIndex *self);
/* FALSE where the entry does not fit those before it. */
gboolean tb_table_index_add (TbTableIndex *self, const TbChunkEntry *entry);
/* FALSE where the columns do not end alike. */
gboolean tb_table_index_finish (TbTableIndex *self);
guint64 tb_table_index_get_n_rows (TbTableIndex *self);

TbTable *tb_table_new (TbStore *store, TbTableIndex *index);
/* Holds these columns from now on instead of what is in the file. */
void tb_table_set_memory (TbTable *self, GBytes **columns, guint64 n_rows);
/* Reads from the file from now on. */
void tb_table_set_index (TbTable *self, TbTableIndex *index);
/* The columns of tb_table_set_memory(), or NULL. */
GBytes **tb_table_get_memory (TbTable *self);
/* Decodes and checks everything, keeping nothing. */
gboolean tb_table_check (TbTable *self, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbTableIndex, tb_table_index_unref)

G_END_DECLS
