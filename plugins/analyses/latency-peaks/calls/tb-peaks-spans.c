/* tb-peaks-spans.c: calls, interrupt handlers and samples indexed by thread and time, input for the
 * attribution of the time of calls; callers before callees, nested handlers subtracted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-spans.h"

void
tb_peaks_index_init (TbPeaksIndex *self,
                     const guint32 *threads,
                     const GArray *rows,
                     gsize n_rows,
                     const guint8 *wanted,
                     guint n_threads)
{
  const guint32 *list = rows != NULL ? (const guint32 *) rows->data : NULL;
  g_autofree gsize *next = NULL;

  if (rows != NULL)
    n_rows = rows->len;
  self->first = g_new0 (gsize, n_threads + 1);
  for (gsize i = 0; i < n_rows; i++)
    {
      guint32 thread = threads[list != NULL ? list[i] : i];

      if (thread < n_threads && (wanted == NULL || wanted[thread]))
        self->first[thread + 1]++;
    }
  for (guint i = 0; i < n_threads; i++)
    self->first[i + 1] += self->first[i];
  self->rows = g_new (guint32, self->first[n_threads] + 1);
  next = g_memdup2 (self->first, (n_threads + 1) * sizeof *next);
  for (gsize i = 0; i < n_rows; i++)
    {
      guint32 row = list != NULL ? list[i] : (guint32) i;
      guint32 thread = threads[row];

      if (thread < n_threads && (wanted == NULL || wanted[thread]))
        self->rows[next[thread]++] = row;
    }
}

void
tb_peaks_index_clear (TbPeaksIndex *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->rows, g_free);
}

/* Callers before their callees. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const TbPeaksTable *table = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  if (table->enter[left] != table->enter[right])
    return table->enter[left] < table->enter[right] ? -1 : 1;
  return left > right ? -1 : left < right;
}

void
tb_peaks_sort_rows (const TbPeaksTable *table, guint32 *rows, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (table->enter[rows[i]] <= table->enter[rows[i - 1]])
      {
        g_sort_array (rows, n, sizeof *rows, compare_rows, (gpointer) table);
        return;
      }
}

void
tb_peaks_add_callees (GArray *callees,
                      const TbPeaksTable *table,
                      const TbPeaksIndex *index,
                      guint32 thread)
{
  if (index->first == NULL)
    return;
  for (gsize i = index->first[thread]; i < index->first[thread + 1]; i++)
    {
      guint32 row = index->rows[i];
      TbPeaksCallee callee
          = { table->enter[row], table->exit[row], row, table->key[row], table->kind };

      if (callee.enter != TB_TIME_NONE && callee.exit != TB_TIME_NONE
          && callee.enter <= callee.exit)
        g_array_append_val (callees, callee);
    }
}

/* Of two calls with equal times, the one recorded later, at its end, is the caller. */
static int
compare_callees (gconstpointer a, gconstpointer b)
{
  const TbPeaksCallee *left = a, *right = b;

  if (left->enter != right->enter)
    return left->enter < right->enter ? -1 : 1;
  if (left->exit != right->exit)
    return left->exit > right->exit ? -1 : 1;
  if (left->kind != right->kind)
    return left->kind > right->kind ? -1 : 1;
  return left->row > right->row ? -1 : left->row < right->row;
}

void
tb_peaks_sort_callees (GArray *callees)
{
  gboolean is_sorted = TRUE;

  for (guint i = 1; i < callees->len && is_sorted; i++)
    is_sorted = compare_callees (&g_array_index (callees, TbPeaksCallee, i - 1),
                                 &g_array_index (callees, TbPeaksCallee, i))
                <= 0;
  if (!is_sorted)
    g_array_sort (callees, compare_callees);
}

static const void *
load_column (TbPeaksInterrupts *self, TbTable *table, guint slot, guint column, GError **error)
{
  self->columns[slot] = tb_table_get_column (table, column, error);
  return self->columns[slot] != NULL ? g_bytes_get_data (self->columns[slot], NULL) : NULL;
}

/* Rows are sorted by end, so a nested handler precedes the handler that it interrupted. Each CPU
 * has a list of handlers that are not yet assigned to another, the last one first. */
static void
subtract_nested (TbPeaksInterrupts *self, const guint16 *cpus, gsize n)
{
  g_autofree guint32 *last = g_new (guint32, G_MAXUINT16 + 1);
  g_autofree guint32 *before = g_new (guint32, n + 1);

  memset (last, 0xff, (G_MAXUINT16 + 1) * sizeof *last);
  for (gsize i = 0; i < n; i++)
    {
      guint32 inner = last[cpus[i]];

      self->own[i] = self->enter[i] != TB_TIME_NONE && self->exit[i] != TB_TIME_NONE
                         ? MAX (self->exit[i] - self->enter[i], 0)
                         : 0;
      while (self->own[i] > 0 && inner != TB_ID_NONE && self->enter[inner] >= self->enter[i])
        {
          self->own[i] = MAX (self->own[i] - (self->exit[inner] - self->enter[inner]), 0);
          inner = before[inner];
        }
      if (self->own[i] > 0)
        {
          before[i] = inner;
          last[cpus[i]] = (guint32) i;
        }
    }
}

gboolean
tb_peaks_interrupts_init (TbPeaksInterrupts *self,
                          TbSession *session,
                          const guint8 *wanted,
                          guint n_threads,
                          GError **error)
{
  static const guint columns[] = { TB_INTERRUPT_ENTER,  TB_INTERRUPT_EXIT, TB_INTERRUPT_THREAD,
                                   TB_INTERRUPT_VECTOR, TB_INTERRUPT_NAME, TB_INTERRUPT_KIND };
  TbTable *table = tb_session_get_table (session, TB_TABLE_INTERRUPT);
  gsize n = MIN (tb_table_get_n_rows (table), G_MAXUINT32 - 1);
  const void *data[G_N_ELEMENTS (columns)];
  g_autoptr (GBytes) cpus = NULL;

  if (n == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if ((data[i] = load_column (self, table, i, columns[i], error)) == NULL)
      return FALSE;
  cpus = tb_table_get_column (table, TB_INTERRUPT_CPU, error);
  if (cpus == NULL)
    return FALSE;
  self->enter = data[0];
  self->exit = data[1];
  self->thread = data[2];
  self->own = g_new (gint64, n);
  self->key = g_new (guint64, n);
  for (gsize i = 0; i < n; i++)
    self->key[i] = ((const guint32 *) data[4])[i]
                   | ((guint64) (((const guint32 *) data[3])[i] & 0xffffff) << 32)
                   | ((guint64) ((const guint8 *) data[5])[i] << 56);
  subtract_nested (self, g_bytes_get_data (cpus, NULL), n);
  tb_peaks_index_init (&self->index, data[2], NULL, n, wanted, n_threads);
  return TRUE;
}

void
tb_peaks_interrupts_clear (TbPeaksInterrupts *self)
{
  tb_peaks_index_clear (&self->index);
  g_clear_pointer (&self->own, g_free);
  g_clear_pointer (&self->key, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}

gboolean
tb_peaks_samples_init (TbPeaksSamples *self,
                       TbSession *session,
                       const guint8 *wanted,
                       guint n_threads,
                       GError **error)
{
  static const guint columns[] = { TB_SAMPLE_TIME, TB_SAMPLE_THREAD, TB_SAMPLE_STACK };
  TbTable *table = tb_session_get_table (session, TB_TABLE_SAMPLE);
  gsize n = MIN (tb_table_get_n_rows (table), G_MAXUINT32 - 1);

  if (n == 0)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if ((self->columns[i] = tb_table_get_column (table, columns[i], error)) == NULL)
      return FALSE;
  self->time = g_bytes_get_data (self->columns[0], NULL);
  self->stack = g_bytes_get_data (self->columns[2], NULL);
  tb_peaks_index_init (&self->index, g_bytes_get_data (self->columns[1], NULL), NULL, n, wanted,
                       n_threads);
  return TRUE;
}

void
tb_peaks_samples_clear (TbPeaksSamples *self)
{
  tb_peaks_index_clear (&self->index);
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
}
