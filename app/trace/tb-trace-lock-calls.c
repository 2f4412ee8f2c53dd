/* tb-trace-lock-calls.c: futex() calls in which threads wait, by interval, for recordings of system
 * calls that have no sleeps
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-lock-calls-private.h"
#include "trace/tb-trace-private.h"

typedef struct
{
  GBytes *bytes[TB_SYSCALL_N_COLUMNS];
  guint64 n;
  const gint64 *enter;
  const gint64 *exit;
  const guint32 *thread;
  const guint32 *number;
  const guint64 *address;
  const guint64 *operation;
} Calls;

static void
calls_clear (Calls *self)
{
  for (guint i = 0; i < TB_SYSCALL_N_COLUMNS; i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Calls, calls_clear)

/* A damaged column results in no calls; tb_trace_check() reports it. */
static void
calls_load (Calls *self, TbTrace *trace)
{
  static const TbSyscallColumn wanted[] = { TB_SYSCALL_ENTER,  TB_SYSCALL_EXIT, TB_SYSCALL_THREAD,
                                            TB_SYSCALL_NUMBER, TB_SYSCALL_ARG0, TB_SYSCALL_ARG1 };

  self->n = tb_table_get_n_rows (tb_session_get_table (trace->session, TB_TABLE_SYSCALL));
  for (guint i = 0; i < G_N_ELEMENTS (wanted) && self->n > 0; i++)
    {
      self->bytes[wanted[i]] = tb_trace_read_column (trace, TB_TABLE_SYSCALL, wanted[i]);
      if (self->bytes[wanted[i]] == NULL)
        self->n = 0;
    }
  if (self->n == 0)
    return;
  self->enter = g_bytes_get_data (self->bytes[TB_SYSCALL_ENTER], NULL);
  self->exit = g_bytes_get_data (self->bytes[TB_SYSCALL_EXIT], NULL);
  self->thread = g_bytes_get_data (self->bytes[TB_SYSCALL_THREAD], NULL);
  self->number = g_bytes_get_data (self->bytes[TB_SYSCALL_NUMBER], NULL);
  self->address = g_bytes_get_data (self->bytes[TB_SYSCALL_ARG0], NULL);
  self->operation = g_bytes_get_data (self->bytes[TB_SYSCALL_ARG1], NULL);
}

/* Whether the name of a system call is that of futex(). Remembers the last one. */
static gboolean
is_futex (TbTrace *trace, guint32 number, guint32 *known)
{
  const char *name;

  if (number == *known)
    return TRUE;
  name = tb_session_get_string (trace->session, number);
  if (!g_str_equal (name, "futex") && !g_str_equal (name, "futex_time64"))
    return FALSE;
  *known = number;
  return TRUE;
}

static void
set_call (TbLockCalls *self, gsize n_intervals, gsize interval, const Calls *calls, guint32 row)
{
  if (self->addresses == NULL)
    {
      self->addresses = g_new0 (guint64, n_intervals);
      self->operations = g_new0 (guint32, n_intervals);
    }
  self->addresses[interval] = calls->address[row];
  self->operations[interval] = (guint32) calls->operation[row];
}

/* Finds the calls of the waits of one thread; both are in the order of time. */
static void
find_calls_of_thread (TbLockCalls *self,
                      TbTrace *trace,
                      const Calls *calls,
                      guint32 thread,
                      const guint32 *order,
                      guint32 n,
                      guint32 *futex)
{
  const TbIntervals *rows = &trace->intervals;
  gsize first, n_rows;
  guint32 at = 0;

  tb_trace_get_thread_intervals (trace, thread, &first, &n_rows);
  for (gsize i = first; i < first + n_rows && !tb_trace_is_cancelled_at (i); i++)
    {
      if (rows->kind[i] != TB_WAIT_LOCK || rows->state[i] < TB_STATE_INTERRUPTIBLE)
        continue;
      while (at < n && calls->exit[order[at]] >= 0 && calls->exit[order[at]] <= rows->start[i])
        at++;
      if (at < n && calls->enter[order[at]] <= rows->start[i] && calls->address[order[at]] != 0
          && is_futex (trace, calls->number[order[at]], futex))
        set_call (self, rows->n, i, calls, order[at]);
    }
}

/* Whether any thread waited for a lock; otherwise no column of calls need be read. */
static gboolean
has_lock_waits (const TbIntervals *rows)
{
  for (gsize i = 0; i < rows->n; i++)
    if (rows->kind[i] == TB_WAIT_LOCK && rows->state[i] >= TB_STATE_INTERRUPTIBLE)
      return TRUE;
  return FALSE;
}

TbLockCalls *
tb_lock_calls_new (TbTrace *trace)
{
  g_autoptr (TbLockCalls) self = g_new0 (TbLockCalls, 1);
  g_auto (Calls) calls = { 0 };
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *first = NULL;
  guint32 futex = TB_ID_NONE;
  guint n_threads;

  if (tb_trace_has_sleep_records (trace) || !has_lock_waits (&trace->intervals))
    return NULL;
  calls_load (&calls, trace);
  if (calls.n == 0)
    return NULL;
  tb_session_get_threads (trace->session, &n_threads);
  order = tb_group_order (calls.thread, calls.n, n_threads, &first);
  for (guint32 thread = 1; thread < n_threads; thread++)
    if (first[thread] < first[thread + 1])
      find_calls_of_thread (self, trace, &calls, thread, order + first[thread],
                            first[thread + 1] - first[thread], &futex);
  return self->addresses != NULL ? g_steal_pointer (&self) : NULL;
}

void
tb_lock_calls_free (TbLockCalls *self)
{
  g_free (self->addresses);
  g_free (self->operations);
  g_free (self);
}
