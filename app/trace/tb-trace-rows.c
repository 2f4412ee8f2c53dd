/* tb-trace-rows.c: arranges intervals by thread, into columns
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-rows-private.h"

#define PREFETCH_AHEAD 16

static void
put_row (TbIntervalColumns *columns, const TbRow *row, guint32 thread, gint64 start, gint64 end)
{
  gsize i = columns->n;

  if (end <= start)
    return;
  columns->start[i] = start;
  columns->end[i] = end;
  columns->thread[i] = thread;
  columns->state[i] = row->state;
  columns->flags[i] = row->flags;
  columns->cpu[i] = row->cpu;
  columns->kind[i] = row->kind;
  columns->object[i] = row->object;
  columns->stack[i] = row->stack;
  columns->cause_kind[i] = row->cause_kind;
  columns->cause[i] = row->cause;
  columns->wakeup[i] = row->wakeup;
  columns->sleep[i] = TB_ID_NONE;
  columns->n++;
}

static void
put_spin (TbIntervalColumns *columns, const TbSpin *spin, guint16 cpu, gint64 from, gint64 to)
{
  TbRow row = { .wakeup = TB_ID_NONE,
                .cpu = cpu,
                .state = TB_STATE_INTERRUPTIBLE,
                .kind = TB_WAIT_BUSY,
                .cause_kind = spin->other == TB_ID_NONE ? TB_CAUSE_UNKNOWN : TB_CAUSE_THREAD,
                .cause = spin->other == TB_ID_NONE ? 0 : spin->other };

  put_row (columns, &row, spin->thread, from, to);
}

/* The rows of one thread, stretches of busy waiting laid over them. */
static void
put_with_spins (TbIntervalColumns *columns,
                const TbRow *rows,
                const guint32 *order,
                guint32 n,
                const TbSpin *spins,
                gsize n_spins)
{
  gsize spin = 0;
  gint64 birth, death;

  if (n == 0)
    return;
  birth = rows[order[0]].start;
  death = rows[order[n - 1]].end;
  for (guint32 i = 0; i < n; i++)
    {
      const TbRow *row = &rows[order[i]];
      gint64 at = row->start;

      while (spin < n_spins && spins[spin].from < row->end)
        {
          gint64 from = MAX (spins[spin].from, birth);
          gint64 to = MIN (spins[spin].to, death);

          if (to > at && from >= at)
            {
              TbRow cut = *row;

              /* What the spinning cuts off was not ended by what ended the whole. */
              cut.cause_kind = TB_CAUSE_NONE;
              cut.cause = 0;
              cut.wakeup = TB_ID_NONE;
              cut.flags &= ~TB_INTERVAL_OPEN_END;
              put_row (columns, &cut, spins[spin].thread, at, MIN (from, row->end));
              put_spin (columns, &spins[spin], row->cpu, from, to);
            }
          at = CLAMP (to, at, row->end);
          if (to > row->end)
            break; /* it goes on in the next row */
          spin++;
        }
      put_row (columns, row, spins[0].thread, at, row->end);
    }
}

static void
alloc_columns (TbIntervalColumns *columns, gsize n)
{
  n = MAX (n, 1);
  *columns = (TbIntervalColumns) {
    .start = g_new (gint64, n),
    .end = g_new (gint64, n),
    .thread = g_new (guint32, n),
    .state = g_new (guint8, n),
    .flags = g_new (guint8, n),
    .cpu = g_new (guint16, n),
    .kind = g_new (guint8, n),
    .object = g_new (guint32, n),
    .stack = g_new (guint32, n),
    .cause_kind = g_new (guint8, n),
    .cause = g_new (guint32, n),
    .wakeup = g_new (guint32, n),
    .sleep = g_new (guint32, n),
  };
}

/* spins: by thread, within one by time and apart. Where it is given up, only some of them. */
void
tb_rows_arrange (const TbRows *rows,
                 guint n_threads,
                 const TbSpin *spins,
                 gsize n_spins,
                 TbIntervalColumns *columns)
{
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n_threads + 2);
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  gsize spin = 0, n_ordered;

  for (gsize i = 0; i < rows->n && !tb_trace_is_given_up_at (i); i++)
    if (rows->threads[i] != TB_ID_NONE)
      first[rows->threads[i] + 2]++;
  for (gsize thread = 2; thread <= n_threads; thread++)
    first[thread] += first[thread - 1];
  for (gsize i = 0; i < rows->n && !tb_trace_is_given_up_at (i); i++)
    if (rows->threads[i] != TB_ID_NONE)
      order[first[rows->threads[i] + 1]++] = i;
  if (tb_trace_is_given_up ())
    return;

  n_ordered = n_threads > 0 ? first[n_threads] : 0;

  alloc_columns (columns, rows->n + 2 * n_spins);
  for (guint thread = 0; thread < n_threads; thread++)
    {
      guint32 begin = first[thread], end = first[thread + 1];
      gsize spin_begin = spin;

      while (spin < n_spins && spins[spin].thread == thread)
        spin++;
      if (spin > spin_begin)
        put_with_spins (columns, rows->rows, order + begin, end - begin, spins + spin_begin,
                        spin - spin_begin);
      else
        for (guint32 i = begin; i < end; i++)
          {
            const TbRow *row = &rows->rows[order[i]];

            if (tb_trace_is_given_up_at (i))
              return;
            /* The rows of a thread lie far apart. */
            if (i + PREFETCH_AHEAD < n_ordered)
              __builtin_prefetch (&rows->rows[order[i + PREFETCH_AHEAD]]);
            put_row (columns, row, thread, row->start, row->end);
          }
    }
}

void
tb_rows_clear (TbRows *rows)
{
  g_clear_pointer (&rows->rows, g_free);
  g_clear_pointer (&rows->threads, g_free);
  rows->n = rows->size = 0;
}

void
tb_interval_columns_clear (TbIntervalColumns *columns)
{
  g_clear_pointer (&columns->start, g_free);
  g_clear_pointer (&columns->end, g_free);
  g_clear_pointer (&columns->thread, g_free);
  g_clear_pointer (&columns->state, g_free);
  g_clear_pointer (&columns->flags, g_free);
  g_clear_pointer (&columns->cpu, g_free);
  g_clear_pointer (&columns->kind, g_free);
  g_clear_pointer (&columns->object, g_free);
  g_clear_pointer (&columns->stack, g_free);
  g_clear_pointer (&columns->cause_kind, g_free);
  g_clear_pointer (&columns->cause, g_free);
  g_clear_pointer (&columns->wakeup, g_free);
  g_clear_pointer (&columns->sleep, g_free);
}
