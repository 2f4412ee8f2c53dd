/* tb-wait-replay-tables.c: tables of a recording (wake-ups, messages, system calls, probed calls)
 * loaded while the program of a replay is built: look-up of wakers and sends, counts of records
 * made in interrupts, a point in the running thread for each record, which costs time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-replay-tables.h"

/* Making a record takes time from the running thread. */
static void
add_record (TbReplayBuilder *self, guint32 thread, gint64 time, gboolean is_probed)
{
  gsize row = tb_replay_builder_find_run (self, thread, time);

  if (row != G_MAXSIZE)
    tb_replay_builder_add_point (self, row, time, TB_REPLAY_POINT_RECORD, is_probed);
}

/* Adds records from two columns of a table: their times, and the threads that ran then. */
static gboolean
load_records (TbReplayBuilder *self, TbTableKind kind, guint times, guint threads, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), kind);
  gsize n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) time = n > 0 ? tb_table_get_column (table, times, error) : NULL;
  g_autoptr (GBytes) thread = time != NULL ? tb_table_get_column (table, threads, error) : NULL;

  for (gsize i = 0; thread != NULL && i < n; i++)
    add_record (self, ((const guint32 *) g_bytes_get_data (thread, NULL))[i],
                ((const gint64 *) g_bytes_get_data (time, NULL))[i], FALSE);
  return n == 0 || thread != NULL;
}

/* Records of one interrupt are at most this far apart (ns), and at most this many. */
#define INTERRUPT_GAP 10000
#define INTERRUPT_RECORDS_MAX 8

static int
compare_interrupts (gconstpointer a, gconstpointer b)
{
  const TbReplayInterrupt *left = a, *right = b;

  if (left->cpu != right->cpu)
    return left->cpu < right->cpu ? -1 : 1;
  return left->time < right->time ? -1 : left->time > right->time;
}

/* Loads the begin and end of each interrupt, with its CPU. */
static gboolean
load_interrupts (TbReplayBuilder *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_INTERRUPT);
  static const guint columns[] = { TB_INTERRUPT_ENTER, TB_INTERRUPT_EXIT, TB_INTERRUPT_CPU };
  GBytes *bytes[G_N_ELEMENTS (columns)] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    for (guint j = 0; j < 2; j++)
      {
        TbReplayInterrupt one = { ((const guint16 *) g_bytes_get_data (bytes[2], NULL))[i],
                                  ((const gint64 *) g_bytes_get_data (bytes[j], NULL))[i] };

        g_array_append_val (self->interrupts, one);
      }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  g_array_sort (self->interrupts, compare_interrupts);
  return is_good;
}

/* The first record at or after a time. */
static guint
find_interrupt (const TbReplayBuilder *self, guint16 cpu, gint64 time)
{
  TbReplayInterrupt wanted = { cpu, time };
  guint low = 0, high = self->interrupts->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_interrupts (&g_array_index (self->interrupts, TbReplayInterrupt, middle), &wanted)
          < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint
tb_replay_builder_count_before (const TbReplayBuilder *self, guint32 wakeup)
{
  guint16 cpu = self->cpu_of_wakeup[wakeup];
  gint64 time = self->time_of_wakeup[wakeup];
  guint n = 0;

  for (guint i = find_interrupt (self, cpu, time); n < INTERRUPT_RECORDS_MAX && i-- > 0; n++)
    {
      const TbReplayInterrupt *of = &g_array_index (self->interrupts, TbReplayInterrupt, i);

      if (of->cpu != cpu || time - of->time > INTERRUPT_GAP)
        break;
      time = of->time;
    }
  return n + 1; /* including the wake-up */
}

guint
tb_replay_builder_count_between (const TbReplayBuilder *self, guint16 cpu, gint64 start, gint64 end)
{
  return MIN (find_interrupt (self, cpu, end) - find_interrupt (self, cpu, start),
              INTERRUPT_RECORDS_MAX);
}

/* Records of interrupts and requests. Wake-ups, calls and messages are loaded elsewhere. */
static gboolean
load_other_records (TbReplayBuilder *self, GError **error)
{
  return load_records (self, TB_TABLE_INTERRUPT, TB_INTERRUPT_ENTER, TB_INTERRUPT_THREAD, error)
         && load_records (self, TB_TABLE_INTERRUPT, TB_INTERRUPT_EXIT, TB_INTERRUPT_THREAD, error)
         && load_records (self, TB_TABLE_BLOCK, TB_BLOCK_INSERT, TB_BLOCK_THREAD, error)
         && load_records (self, TB_TABLE_BLOCK, TB_BLOCK_ISSUE, TB_BLOCK_THREAD, error);
}

static gboolean
load_wakeups (TbReplayBuilder *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_WAKEUP);

  self->n_wakeups = tb_table_get_n_rows (table);
  if (self->n_wakeups == 0)
    return TRUE;
  self->wakers = tb_table_get_column (table, TB_WAKEUP_WAKER, error);
  if (self->wakers == NULL)
    return FALSE;
  self->waker_of_wakeup = g_bytes_get_data (self->wakers, NULL);
  self->wakeup_cpus = tb_table_get_column (table, TB_WAKEUP_CPU, error);
  if (self->wakeup_cpus == NULL)
    return FALSE;
  self->cpu_of_wakeup = g_bytes_get_data (self->wakeup_cpus, NULL);
  self->wakeup_times = tb_table_get_column (table, TB_WAKEUP_TIME, error);
  if (self->wakeup_times == NULL)
    return FALSE;
  self->time_of_wakeup = g_bytes_get_data (self->wakeup_times, NULL);
  for (gsize i = 0; i < self->n_wakeups; i++)
    add_record (self, self->waker_of_wakeup[i], self->time_of_wakeup[i], FALSE);
  return TRUE;
}

/* --- messages within the machine --- */

static int
compare_sends (gconstpointer a, gconstpointer b)
{
  const TbReplaySend *left = a, *right = b;

  if (left->thread != right->thread)
    return left->thread < right->thread ? -1 : 1;
  return left->time < right->time ? -1 : left->time > right->time;
}

static gboolean
load_sends (TbReplayBuilder *self, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_NETWORK);
  static const guint columns[] = { TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_KIND,
                                   TB_NETWORK_LOCAL, TB_NETWORK_REMOTE };
  GBytes *bytes[G_N_ELEMENTS (columns)] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (columns) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    {
      TbReplaySend send = { ((const guint32 *) g_bytes_get_data (bytes[1], NULL))[i],
                            ((const gint64 *) g_bytes_get_data (bytes[0], NULL))[i],
                            ((const guint32 *) g_bytes_get_data (bytes[3], NULL))[i],
                            ((const guint32 *) g_bytes_get_data (bytes[4], NULL))[i] };

      if (((const guint8 *) g_bytes_get_data (bytes[2], NULL))[i] == TB_NETWORK_SEND
          && send.thread != TB_ID_NONE)
        g_array_append_val (self->sends, send);
      add_record (self, send.thread, send.time, FALSE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  g_array_sort (self->sends, compare_sends);
  return is_good;
}

gboolean
tb_replay_builder_has_sent (const TbReplayBuilder *self, gsize row, guint32 local)
{
  TbReplaySend wanted = { .thread = self->rows->thread[row], .time = self->rows->start[row] };
  guint low = 0, high = self->sends->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_sends (&g_array_index (self->sends, TbReplaySend, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->sends->len; low++)
    {
      const TbReplaySend *send = &g_array_index (self->sends, TbReplaySend, low);

      if (send->thread != wanted.thread || send->time > self->rows->end[row])
        return FALSE;
      if (local == TB_STRING_NONE || send->local == local)
        return TRUE;
    }
  return FALSE;
}

guint32
tb_replay_builder_find_waker (const TbReplayBuilder *self, gsize row)
{
  const TbIntervals *rows = self->rows;
  guint32 wakeup = rows->wakeup[row], waker;
  gsize run;

  if (wakeup >= self->n_wakeups)
    return TB_ID_NONE;
  waker = self->waker_of_wakeup[wakeup];
  switch (rows->cause_kind[row])
    {
    case TB_CAUSE_THREAD:
    case TB_CAUSE_SIGNAL:
      return waker;
    case TB_CAUSE_NETWORK:
      run = waker != rows->thread[row] ? tb_replay_builder_find_run (self, waker, rows->end[row])
                                       : G_MAXSIZE;
      return run != G_MAXSIZE && tb_replay_builder_has_sent (self, run, rows->cause[row])
                 ? waker
                 : TB_ID_NONE;
    default:
      return TB_ID_NONE;
    }
}

/* --- system calls --- */

/* Loads a table of calls. columns: its columns for begin, end, thread and callee. */
static gboolean
load_calls (TbReplayBuilder *self, TbTableKind kind, const guint columns[4], GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (self->trace), kind);
  GBytes *bytes[4] = { NULL };
  gsize n = tb_table_get_n_rows (table);
  gboolean is_good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (bytes) && n > 0 && is_good; i++)
    is_good = (bytes[i] = tb_table_get_column (table, columns[i], error)) != NULL;
  for (gsize i = 0; i < n && is_good; i++)
    {
      gint64 enter = ((const gint64 *) g_bytes_get_data (bytes[0], NULL))[i];
      gint64 leave = ((const gint64 *) g_bytes_get_data (bytes[1], NULL))[i];
      guint32 thread = ((const guint32 *) g_bytes_get_data (bytes[2], NULL))[i];
      guint32 name = ((const guint32 *) g_bytes_get_data (bytes[3], NULL))[i];
      gsize enter_row = tb_replay_builder_find_run (self, thread, enter),
            leave_row = tb_replay_builder_find_run (self, thread, leave);

      if (enter_row == G_MAXSIZE || leave_row == G_MAXSIZE || leave < enter)
        continue;
      tb_replay_builder_add_point (self, enter_row, enter, TB_REPLAY_POINT_ENTER, name);
      tb_replay_builder_add_point (self, leave_row, leave, TB_REPLAY_POINT_EXIT, name);
      tb_replay_builder_add_point (self, enter_row, enter, TB_REPLAY_POINT_RECORD,
                                   kind == TB_TABLE_CALL);
      tb_replay_builder_add_point (self, leave_row, leave, TB_REPLAY_POINT_RECORD,
                                   kind == TB_TABLE_CALL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    g_clear_pointer (&bytes[i], g_bytes_unref);
  return is_good;
}

/* Loads system calls, calls of probed functions, and the system calls in which threads slept. */
static gboolean
load_all_calls (TbReplayBuilder *self, GError **error)
{
  static const guint of_syscalls[]
      = { TB_SYSCALL_ENTER, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER };
  static const guint of_functions[]
      = { TB_CALL_ENTER, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION };
  TbTable *sleeps = tb_session_get_table (tb_trace_get_session (self->trace), TB_TABLE_SLEEP);

  if (!load_calls (self, TB_TABLE_SYSCALL, of_syscalls, error)
      || !load_calls (self, TB_TABLE_CALL, of_functions, error))
    return FALSE;
  self->n_sleeps = tb_table_get_n_rows (sleeps);
  if (self->n_sleeps > 0)
    self->sleep_calls = tb_table_get_column (sleeps, TB_SLEEP_CALL, error);
  if (self->sleep_calls != NULL)
    self->sleep_objects = tb_table_get_column (sleeps, TB_SLEEP_OBJECT, error);
  return self->n_sleeps == 0 || self->sleep_objects != NULL;
}

guint32
tb_replay_builder_get_sleep_call (const TbReplayBuilder *self, gsize row)
{
  guint32 sleep = self->rows->sleep[row];

  return sleep < self->n_sleeps
             ? ((const guint32 *) g_bytes_get_data (self->sleep_calls, NULL))[sleep]
             : TB_STRING_NONE;
}

guint32
tb_replay_builder_get_sleep_peer (const TbReplayBuilder *self, gsize row)
{
  guint32 sleep = self->rows->sleep[row];

  return self->rows->kind[row] == TB_WAIT_SOCKET && sleep < self->n_sleeps
             ? ((const guint32 *) g_bytes_get_data (self->sleep_objects, NULL))[sleep]
             : TB_STRING_NONE;
}

gboolean
tb_replay_builder_load_tables (TbReplayBuilder *self, GError **error)
{
  return load_wakeups (self, error) && load_sends (self, error) && load_all_calls (self, error)
         && load_other_records (self, error) && load_interrupts (self, error);
}
