/* tb-table-index.c: index of the chunks of a table: row counts and time ranges, checked for
 * consistency as they are added
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-chunk-codec-private.h"
#include "session/file/tb-table-index-private.h"

TbTableIndex *
tb_table_index_new (TbTableKind kind)
{
  TbTableIndex *self = g_new0 (TbTableIndex, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  self->n_columns = tb_table_kind_get_info (kind)->n_columns;
  for (guint i = 0; i < TB_MAX_COLUMNS; i++)
    self->times[i] = g_array_new (FALSE, FALSE, sizeof (TbTimeRange));
  return self;
}

TbTableIndex *
tb_table_index_ref (TbTableIndex *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
tb_table_index_unref (TbTableIndex *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < TB_MAX_COLUMNS; i++)
    g_array_unref (self->times[i]);
  g_free (self);
}

static gboolean
add_times (TbTableIndex *self, const TbChunkEntry *entry)
{
  TbColumnRole role = tb_table_kind_get_role (self->kind, entry->column);
  GArray *times = self->times[entry->column];
  TbTimeRange range = { entry->minimum, entry->maximum };

  if (!tb_column_role_is_time (role))
    return TRUE;
  if (range.minimum > range.maximum)
    {
      if (role == TB_ROLE_SORTED_TIME)
        return FALSE;
      range = (TbTimeRange) { G_MAXINT64, G_MININT64 };
    }
  else if (range.minimum < 0 || range.maximum > TB_TIME_LIMIT)
    return FALSE;

  /* ascending across chunks; operations that did not end come after all that did */
  if (role != TB_ROLE_TIME && times->len > 0 && range.minimum <= range.maximum
      && g_array_index (times, TbTimeRange, times->len - 1).maximum > range.minimum)
    return FALSE;
  if (role == TB_ROLE_SORTED_END && times->len > 0 && range.minimum <= range.maximum
      && g_array_index (times, TbTimeRange, times->len - 1).maximum == G_MININT64)
    return FALSE;
  g_array_append_val (times, range);
  return TRUE;
}

gboolean
tb_table_index_add (TbTableIndex *self, const TbChunkEntry *entry)
{
  if (entry->column == self->column + 1)
    {
      if (self->column > 0 && self->column_rows != self->n_rows)
        return FALSE;
      self->column = entry->column;
      self->column_rows = 0;
    }
  else if (entry->column != self->column)
    return FALSE;

  /* all chunks but the last are full */
  if (entry->n_rows == 0 || entry->n_rows > TB_CHUNK_ROWS
      || self->column_rows != (guint64) entry->chunk * TB_CHUNK_ROWS)
    return FALSE;
  self->column_rows += entry->n_rows;
  if (self->column == 0)
    self->n_rows = self->column_rows;
  return self->column_rows <= self->n_rows && self->n_rows < TB_MAX_ROWS && add_times (self, entry);
}

gboolean
tb_table_index_finish (TbTableIndex *self)
{
  return self->n_rows == 0
         || (self->column == self->n_columns - 1 && self->column_rows == self->n_rows);
}

guint64
tb_table_index_get_n_rows (TbTableIndex *self)
{
  return self->n_rows;
}

guint
tb_table_index_get_n_chunks (TbTableIndex *self)
{
  return (guint) ((self->n_rows + TB_CHUNK_ROWS - 1) / TB_CHUNK_ROWS);
}

guint
tb_table_index_get_chunk_rows (TbTableIndex *self, guint chunk)
{
  return (guint) MIN (self->n_rows - (guint64) chunk * TB_CHUNK_ROWS, TB_CHUNK_ROWS);
}

const TbTimeRange *
tb_table_index_get_times (TbTableIndex *self, guint column, guint chunk)
{
  return &g_array_index (self->times[column], TbTimeRange, chunk);
}

/* Returns the range from the earliest to the latest time in a chunk. An operation without an end
 * time may extend beyond it. */
TbTimeRange
tb_table_index_get_span (TbTableIndex *self, guint chunk)
{
  TbTimeRange span = { G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < TB_MAX_COLUMNS; i++)
    if (self->times[i]->len > 0)
      {
        const TbTimeRange *range = tb_table_index_get_times (self, i, chunk);

        span.minimum = MIN (span.minimum, range->minimum);
        span.maximum = MAX (span.maximum, range->maximum);
      }
  return span;
}

gboolean
tb_table_index_may_be_open (TbTableIndex *self, guint chunk)
{
  for (guint i = 0; i < TB_MAX_COLUMNS; i++)
    if (tb_table_kind_get_role (self->kind, i) == TB_ROLE_SORTED_END && self->times[i]->len > 0)
      {
        guint last = self->times[i]->len - 1;

        return chunk == last
               || tb_table_index_get_times (self, i, chunk + 1)->maximum == G_MININT64;
      }
  return FALSE;
}
