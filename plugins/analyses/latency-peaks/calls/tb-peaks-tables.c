/* tb-peaks-tables.c: table of derived calls filled row by row, as columns; whether lost events
 * overlap a time, and whether a thread is selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-tables.h"

void
tb_peaks_table_begin (TbPeaksTable *self, GPtrArray *names)
{
  static const guint sizes[G_N_ELEMENTS (self->derived)] = { 8, 8, 4, 4, 4 };

  for (guint i = 0; i < G_N_ELEMENTS (self->derived); i++)
    self->derived[i] = g_array_new (FALSE, FALSE, sizes[i]);
  self->names = names;
}

void
tb_peaks_table_add (TbPeaksTable *self,
                    gint64 enter,
                    gint64 exit,
                    guint32 thread,
                    guint32 key,
                    guint32 origin)
{
  if (self->derived[0]->len == G_MAXUINT32 - 1)
    return;
  g_array_append_val (self->derived[0], enter);
  g_array_append_val (self->derived[1], exit);
  g_array_append_val (self->derived[2], thread);
  g_array_append_val (self->derived[3], key);
  g_array_append_val (self->derived[4], origin);
}

void
tb_peaks_table_finish (TbPeaksTable *self)
{
  self->n = self->derived[0]->len;
  self->enter = (const gint64 *) self->derived[0]->data;
  self->exit = (const gint64 *) self->derived[1]->data;
  self->thread = (const guint32 *) self->derived[2]->data;
  self->key = (const guint32 *) self->derived[3]->data;
  self->origin = (const guint32 *) self->derived[4]->data;
}

gboolean
tb_peaks_calls_is_lost (const TbPeaksCalls *self, gint64 from, gint64 to)
{
  guint low = 0, high = self->lost->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->lost, TbPeaksSpan, middle).to < from)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->lost->len && g_array_index (self->lost, TbPeaksSpan, low).from <= to;
}

gboolean
tb_peaks_calls_has_thread (const TbPeaksCalls *self, guint32 thread)
{
  return thread != TB_THREAD_IDLE && thread < self->n_threads ? self->has_thread[thread]
                                                              : self->has_all;
}
