/* tb-trace-rows-private.h: finished intervals of the builder, sorted by thread into the columns of
 * the trace, after intervals of busy waiting (spins) were laid over them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-input-private.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* An interval before the columns are built. */
typedef struct
{
  gint64 start;
  gint64 end;
  guint32 previous; /* previous row of the thread, TB_ID_NONE if none */
  guint32 stack;
  guint32 cause;
  guint32 wakeup;
  guint32 object;
  guint16 cpu;
  guint8 state;
  guint8 flags;
  guint8 kind;
  guint8 cause_kind;
} TbRow;

/* The thread ids have an array of their own, for passes that need only them. */
typedef struct
{
  gsize n;
  gsize size;
  TbRow *rows;
  guint32 *threads; /* TB_ID_NONE: the row is withdrawn */
} TbRows;

static inline TbRow *
tb_rows_add (TbRows *rows, guint32 thread)
{
  if (G_UNLIKELY (rows->n == rows->size))
    {
      rows->size = rows->size == 0 ? 4096 : rows->size * 2;
      rows->rows = g_renew (TbRow, rows->rows, rows->size);
      rows->threads = g_renew (guint32, rows->threads, rows->size);
    }
  rows->threads[rows->n] = thread;
  return &rows->rows[rows->n++];
}

/* An interval of busy waiting. */
typedef struct
{
  guint32 thread;
  guint32 other;
  gint64 from;
  gint64 to;
} TbSpin;

/* The interval columns while they are being written. */
typedef struct
{
  gsize n;
  gint64 *start;
  gint64 *end;
  guint32 *thread;
  guint8 *state;
  guint8 *flags;
  guint16 *cpu;
  guint8 *kind;
  guint32 *object;
  guint32 *stack;
  guint8 *cause_kind;
  guint32 *cause;
  guint32 *wakeup;
  guint32 *sleep; /* TB_ID_NONE until tb_trace_find_waits() */
} TbIntervalColumns;

void tb_rows_clear (TbRows *rows);
/* spins: by thread, and by time without overlap within a thread. The rows are consumed. If
 * cancelled, the columns are incomplete. */
void tb_rows_arrange (TbRows *rows,
                      guint n_threads,
                      const TbSpin *spins,
                      gsize n_spins,
                      TbIntervalColumns *columns);
void tb_interval_columns_clear (TbIntervalColumns *columns);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbIntervalColumns, tb_interval_columns_clear)

G_END_DECLS
