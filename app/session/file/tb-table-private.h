/* tb-table-private.h: construction of TbTable from its chunk index (filled in tb-table-index),
 * change of its columns between file and memory, and check of all its chunks
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-store-private.h"
#include "session/file/tb-table-index-private.h"
#include "session/file/tb-table.h"

G_BEGIN_DECLS

TbTable *tb_table_new (TbStore *store, TbTableIndex *index);
/* From now on the table has these columns instead of those in the file. */
void tb_table_set_memory (TbTable *self, GBytes **columns, guint64 n_rows);
/* From now on the table reads from the file. */
void tb_table_set_index (TbTable *self, TbTableIndex *index);
/* Returns the columns of tb_table_set_memory(), or NULL. */
GBytes **tb_table_get_memory (TbTable *self);
/* Decodes and checks all chunks without storing their values. */
gboolean tb_table_check (TbTable *self, GCancellable *cancellable, GError **error);

G_END_DECLS
