/* tb-wait-spans.c: rows of a session's table that have a beginning and an end (system calls,
 * messages), sorted by thread, to find whether a thread has one within a time range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-spans.h"

void
tb_wait_spans_clear (TbWaitSpans *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->order, g_free);
}

static void
sort_by_thread (TbWaitSpans *self)
{
  g_autofree gsize *at = NULL;

  self->first = g_new0 (gsize, (gsize) self->n_threads + 1);
  self->order = g_new (guint32, self->n + 1);
  for (gsize i = 0; i < self->n; i++)
    if (self->thread[i] < self->n_threads)
      self->first[self->thread[i] + 1]++;
  for (guint i = 0; i < self->n_threads; i++)
    self->first[i + 1] += self->first[i];
  at = g_memdup2 (self->first, sizeof *at * ((gsize) self->n_threads + 1));
  for (gsize i = 0; i < self->n; i++)
    if (self->thread[i] < self->n_threads)
      self->order[at[self->thread[i]]++] = (guint32) i;
}

gboolean
tb_wait_spans_load (TbWaitSpans *self,
                    TbTable *table,
                    guint begin,
                    guint end,
                    guint thread,
                    guint n_threads,
                    GError **error)
{
  const guint columns[] = { begin, end, thread };

  self->n = MIN (tb_table_get_n_rows (table), G_MAXUINT32);
  self->n_threads = n_threads;
  for (guint i = 0; self->n > 0 && i < G_N_ELEMENTS (columns); i++)
    {
      self->bytes[i] = tb_table_get_column (table, columns[i], error);
      if (self->bytes[i] == NULL)
        return FALSE;
    }
  if (self->n > 0)
    {
      self->begin = g_bytes_get_data (self->bytes[0], NULL);
      self->end = g_bytes_get_data (self->bytes[1], NULL);
      self->thread = g_bytes_get_data (self->bytes[2], NULL);
    }
  sort_by_thread (self);
  return TRUE;
}

gboolean
tb_wait_spans_has_within (const TbWaitSpans *self, guint32 thread, gint64 from, gint64 to)
{
  gsize low, high;

  if (thread >= self->n_threads)
    return FALSE;
  for (low = self->first[thread], high = self->first[thread + 1]; low < high;)
    {
      gsize middle = low + (high - low) / 2;
      gint64 end = self->end[self->order[middle]];

      if (end != TB_TIME_NONE && end < from)
        low = middle + 1;
      else
        high = middle;
    }
  for (gsize i = low; i < self->first[thread + 1]; i++)
    {
      guint32 row = self->order[i];

      if (self->end[row] == TB_TIME_NONE || self->end[row] > to)
        return FALSE;
      if (self->begin[row] >= from)
        return TRUE;
    }
  return FALSE;
}
