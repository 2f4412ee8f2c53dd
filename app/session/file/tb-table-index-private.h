/* tb-table-index-private.h: index of the chunks of a table: its struct, row counts and time ranges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session-file-private.h"
#include "session/schema/tb-schema-private.h"

G_BEGIN_DECLS

/* The chunk index of a table while it is read. Entries come column by column, chunks ascending. */
typedef struct _TbTableIndex TbTableIndex;

/* If there are no times, minimum > maximum. */
typedef struct
{
  gint64 minimum;
  gint64 maximum;
} TbTimeRange;

struct _TbTableIndex
{
  gatomicrefcount refs;
  TbTableKind kind;
  guint n_columns; /* the columns that the file has; the others of the table are 0 */
  guint64 n_rows;
  GArray *times[TB_MAX_COLUMNS]; /* TbTimeRange per chunk; empty for columns without times */

  /* Used while the index is read. */
  guint column;
  guint64 column_rows;
};

TbTableIndex *tb_table_index_new (TbTableKind kind);
TbTableIndex *tb_table_index_ref (TbTableIndex *self);
void tb_table_index_unref (TbTableIndex *self);
/* Returns FALSE if the entry does not fit the earlier ones. */
gboolean tb_table_index_add (TbTableIndex *self, const TbChunkEntry *entry);
/* Returns FALSE if the columns do not end at the same row. */
gboolean tb_table_index_finish (TbTableIndex *self);
guint64 tb_table_index_get_n_rows (TbTableIndex *self);
guint tb_table_index_get_n_chunks (TbTableIndex *self);
guint tb_table_index_get_chunk_rows (TbTableIndex *self, guint chunk);
const TbTimeRange *tb_table_index_get_times (TbTableIndex *self, guint column, guint chunk);
TbTimeRange tb_table_index_get_span (TbTableIndex *self, guint chunk);
/* Whether the chunk may contain operations that were open at the end of the recording. */
gboolean tb_table_index_may_be_open (TbTableIndex *self, guint chunk);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbTableIndex, tb_table_index_unref)

G_END_DECLS
