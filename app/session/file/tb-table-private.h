/* tb-table-private.h: filling of the chunk index of a table, construction of TbTable from it,
 * change of its columns between file and memory, and check of all its chunks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema-private.h"
#include "session/file/tb-store-private.h"
#include "session/file/tb-table.h"

G_BEGIN_DECLS

/* The chunk index of a table while it is read. Entries come column by column, chunks ascending. */
typedef struct _TbTableIndex TbTableIndex;

TbTableIndex *tb_table_index_new (TbTableKind kind);
TbTableIndex *tb_table_index_ref (TbTableIndex *self);
void tb_table_index_unref (TbTableIndex *self);
/* Returns FALSE if the entry does not fit the earlier ones. */
gboolean tb_table_index_add (TbTableIndex *self, const TbChunkEntry *entry);
/* Returns FALSE if the columns do not end at the same row. */
gboolean tb_table_index_finish (TbTableIndex *self);
guint64 tb_table_index_get_n_rows (TbTableIndex *self);

TbTable *tb_table_new (TbStore *store, TbTableIndex *index);
/* From now on the table has these columns instead of those in the file. */
void tb_table_set_memory (TbTable *self, GBytes **columns, guint64 n_rows);
/* From now on the table reads from the file. */
void tb_table_set_index (TbTable *self, TbTableIndex *index);
/* Returns the columns of tb_table_set_memory(), or NULL. */
GBytes **tb_table_get_memory (TbTable *self);
/* Decodes and checks all chunks without storing their values. */
gboolean tb_table_check (TbTable *self, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbTableIndex, tb_table_index_unref)

G_END_DECLS
