/* tb-table-index-private.h: index of the chunks of a table: its struct, row counts and time ranges
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-table-private.h"

G_BEGIN_DECLS

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
  guint64 n_rows;
  GArray *times[TB_MAX_COLUMNS]; /* TbTimeRange per chunk; empty for columns without times */

  /* Used while the index is read. */
  guint column;
  guint64 column_rows;
};

guint tb_table_index_get_n_chunks (TbTableIndex *self);
guint tb_table_index_get_chunk_rows (TbTableIndex *self, guint chunk);
const TbTimeRange *tb_table_index_get_times (TbTableIndex *self, guint column, guint chunk);
TbTimeRange tb_table_index_get_span (TbTableIndex *self, guint chunk);
/* Whether the chunk may contain operations that were open at the end of the recording. */
gboolean tb_table_index_may_be_open (TbTableIndex *self, guint chunk);

G_END_DECLS
