/* tb-trace-rows.c: finished intervals of the builder, sorted by thread into the columns of the
 * trace, after intervals of busy waiting (spins) were laid over them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-rows-private.h"

/* --- intervals of busy waiting --- */

static void
add_row (TbRows *rows, const TbRow *row, guint32 thread, gint64 start, gint64 end)
{
  TbRow *added;

  if (end <= start)
    return;
  added = tb_rows_add (rows, thread);
  *added = *row;
  added->start = start;
  added->end = end;
}

static void
add_spin (TbRows *rows, const TbSpin *spin, guint16 cpu, gint64 from, gint64 to)
{
  TbRow row = { .wakeup = TB_ID_NONE,
                .cpu = cpu,
                .state = TB_STATE_INTERRUPTIBLE,
                .kind = TB_WAIT_BUSY,
                .cause_kind = spin->other == TB_ID_NONE ? TB_CAUSE_UNKNOWN : TB_CAUSE_THREAD,
                .cause = spin->other == TB_ID_NONE ? 0 : spin->other };

  add_row (rows, &row, spin->thread, from, to);
}

/* Overlays the rows of one thread with intervals of busy waiting: new rows are appended, and the
 * old rows are withdrawn. */
static void
overlay_spins (TbRows *rows, const guint32 *order, guint32 n, const TbSpin *spins, gsize n_spins)
{
  gsize spin = 0;
  gint64 birth, death;

  if (n == 0)
    return;
  birth = rows->rows[order[0]].start;
  death = rows->rows[order[n - 1]].end;
  for (guint32 i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    {
      const TbRow row = rows->rows[order[i]];
      gint64 at = row.start;

      rows->threads[order[i]] = TB_ID_NONE;
      while (spin < n_spins && spins[spin].from < row.end)
        {
          gint64 from = MAX (spins[spin].from, birth);
          gint64 to = MIN (spins[spin].to, death);

          if (to > at && from >= at)
            {
              TbRow cut = row;

              /* The part before the spin did not end by the cause that ended the whole interval. */
              cut.cause_kind = TB_CAUSE_NONE;
              cut.cause = 0;
              cut.wakeup = TB_ID_NONE;
              cut.flags &= ~TB_INTERVAL_OPEN_END;
              add_row (rows, &cut, spins[spin].thread, at, MIN (from, row.end));
              add_spin (rows, &spins[spin], row.cpu, from, to);
            }
          at = CLAMP (to, at, row.end);
          if (to > row.end)
            break; /* the spin continues in the next row */
          spin++;
        }
      add_row (rows, &row, spins[0].thread, at, row.end);
    }
}

/* spins: by thread, and by time without overlap within a thread. */
static void
overlay_all_spins (TbRows *rows, guint n_threads, const TbSpin *spins, gsize n_spins)
{
  /* index among the spinning threads */
  g_autofree guint32 *spinning = g_new (guint32, MAX (n_threads, 1));
  g_autofree guint32 *of = g_new (guint32, MAX (rows->n, 1));
  g_autofree guint32 *first = NULL;
  g_autofree guint32 *order = NULL;
  guint n_spinning = 0;

  memset (spinning, 0xff, sizeof *spinning * n_threads);
  for (gsize i = 0; i < n_spins; i++)
    if (spinning[spins[i].thread] == TB_ID_NONE)
      spinning[spins[i].thread] = n_spinning++;
  for (gsize i = 0; i < rows->n && !tb_trace_is_cancelled_at (i); i++)
    of[i] = rows->threads[i] != TB_ID_NONE ? spinning[rows->threads[i]] : TB_ID_NONE;
  if (tb_trace_is_cancelled ())
    return;
  order = tb_group_order (of, rows->n, n_spinning, &first);
  for (gsize i = 0, end; i < n_spins; i = end)
    {
      guint32 thread = spinning[spins[i].thread];

      end = i + 1;
      while (end < n_spins && spins[end].thread == spins[i].thread)
        end++;
      overlay_spins (rows, order + first[thread], first[thread + 1] - first[thread], spins + i,
                     end - i);
    }
}

/* --- columns --- */

static inline void
put_row (TbIntervalColumns *columns, gsize i, const TbRow *row, guint32 thread)
{
  columns->start[i] = row->start;
  columns->end[i] = row->end;
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

/* Returns the whole pages of [from, to) to the system; their contents are lost. */
static void
return_pages (void *from, void *to)
{
  guintptr page = (guintptr) sysconf (_SC_PAGESIZE);
  guintptr begin = ((guintptr) from + page - 1) / page * page, end = (guintptr) to / page * page;

  if (begin < end)
    madvise ((void *) begin, end - begin, MADV_DONTNEED);
}

/* Moves the rows, which are in the order of time, into columns, in which each thread has a
 * contiguous part. The memory of processed rows is returned to the system, so that rows and columns
 * together need little more memory than one of them. */
void
tb_rows_arrange (TbRows *rows,
                 guint n_threads,
                 const TbSpin *spins,
                 gsize n_spins,
                 TbIntervalColumns *columns)
{
  g_autofree gsize *next = g_new0 (gsize, (gsize) n_threads + 1);
  TbRow *first_kept; /* rows before it were returned to the system */

  if (n_spins > 0)
    overlay_all_spins (rows, n_threads, spins, n_spins);
  for (gsize i = 0; i < rows->n && !tb_trace_is_cancelled_at (i); i++)
    if (rows->threads[i] != TB_ID_NONE)
      next[rows->threads[i] + 1]++;
  if (tb_trace_is_cancelled ())
    return;
  for (gsize thread = 1; thread <= n_threads; thread++)
    next[thread] += next[thread - 1];
  first_kept = rows->rows;
  alloc_columns (columns, next[n_threads]);
  columns->n = next[n_threads];
  for (gsize i = 0; i < rows->n; i++)
    {
      if (G_UNLIKELY (i % TB_ROWS_BETWEEN_CHECKS == 0))
        {
          if (tb_trace_is_cancelled ())
            return;
          return_pages (first_kept, rows->rows + i);
          first_kept = rows->rows + i;
        }
      if (rows->threads[i] != TB_ID_NONE)
        put_row (columns, next[rows->threads[i]]++, &rows->rows[i], rows->threads[i]);
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
