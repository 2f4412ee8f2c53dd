/* tb-recorder-lost.c: ranges of time in which events were lost, held back until they can be written
 * in order of their starts; they make the running thread and interrupts of a CPU unknown
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

#define LOST_ROWS_HELD 4096u
#define LOST_ROWS_HELD_US (10 * G_USEC_PER_SEC)

/* After a gap, the running thread and the open interrupt handlers of the CPU are unknown. */
static void
reset_cpu (TbRecorder *self, guint16 cpu, gint64 time)
{
  TbCpuRecord *cpu_record = self->cpus[cpu];

  if (cpu_record == NULL)
    return;
  cpu_record->after_gap = TRUE;
  cpu_record->current = TB_ID_NONE;
  tb_recorder_close_interrupts (self, cpu_record, cpu, 0, time);
}

void
tb_recorder_record_lost (TbRecorder *self, const TbEvent *event, guint16 cpu)
{
  TbLostRow row = { .to = event->time, .count = event->a, .order = self->lost.order++, .cpu = cpu };

  row.from = (gint64) MIN (event->b, (guint64) event->time);
  self->statistics.lost += event->a;
  if (self->lost.rows->len == 0)
    self->lost.since = g_get_monotonic_time ();
  g_array_append_val (self->lost.rows, row);
  if (cpu != TB_CPU_ALL)
    reset_cpu (self, cpu, event->time);
  else
    for (guint i = 0; i < TB_CPU_ALL; i++)
      reset_cpu (self, i, event->time);
  /* after the ends of interrupts that the gap causes */
  tb_recorder_add_order (self, TB_ORDER_LOST, event->time, cpu);
}

static int
compare_lost (gconstpointer a, gconstpointer b)
{
  const TbLostRow *row_a = a;
  const TbLostRow *row_b = b;

  if (row_a->from != row_b->from)
    return row_a->from < row_b->from ? -1 : 1;
  return row_a->order < row_b->order ? -1 : row_a->order > row_b->order;
}

/* The table is sorted by the start of the range, which is known only at its end. Rows are therefore
 * held back for a while. The start of a range that arrives later than that is moved forward, which
 * is counted. */
void
tb_recorder_write_lost (TbRecorder *self, gboolean all)
{
  if (self->lost.rows->len == 0
      || (!all && self->lost.rows->len < LOST_ROWS_HELD
          && g_get_monotonic_time () - self->lost.since < LOST_ROWS_HELD_US))
    return;
  g_array_sort (self->lost.rows, compare_lost);
  for (guint n = 0; n < self->lost.rows->len; n++)
    {
      TbLostRow *row = &g_array_index (self->lost.rows, TbLostRow, n);
      TbRows *rows;
      guint i = tb_recorder_add_row (self, TB_TABLE_LOST, &rows);

      if (row->from < self->lost.written)
        {
          tb_recorder_count_mismatch (self, TB_MISMATCH_LOST_RANGE);
          row->from = self->lost.written;
        }
      self->lost.written = row->from;
      TB_ROWS_COLUMN (rows, TB_LOST_FROM, gint64)[i] = row->from;
      TB_ROWS_COLUMN (rows, TB_LOST_TO, gint64)[i] = MAX (row->from, row->to);
      TB_ROWS_COLUMN (rows, TB_LOST_CPU, guint16)[i] = row->cpu;
      TB_ROWS_COLUMN (rows, TB_LOST_COUNT, guint64)[i] = row->count;
    }
  g_array_set_size (self->lost.rows, 0);
}
