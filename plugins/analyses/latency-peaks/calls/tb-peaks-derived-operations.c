/* tb-peaks-derived-operations.c: derived operations, whose calls no table has as such: messages,
 * waits for locks, waits for a CPU, interrupt handlers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "drill/tb-peaks-lock-holds.h"
#include "tb-peaks-derived-operations.h"
#include "tb-peaks-spans.h"
#include "trace/tb-track.h"

static GPtrArray *
make_names (const char *const *names)
{
  GPtrArray *array = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (array, g_strdup (names[i]));
  return array;
}

/* --- messages --- */

typedef struct
{
  TbPeaksCalls *calls;
  TbPeaksIndex syscalls;
  const TbIntervals *intervals;
} Messages;

/* The system call that a thread is in at a time; FALSE if none. */
static gboolean
find_syscall (const Messages *self, guint32 thread, gint64 time, gint64 *enter, gint64 *exit)
{
  const TbPeaksTable *table = &self->calls->tables[TB_PEAKS_SYSCALL];
  gsize low, high;

  if (self->syscalls.first == NULL)
    return FALSE;
  low = self->syscalls.first[thread];
  high = self->syscalls.first[thread + 1];
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;
      gint64 end = table->exit[self->syscalls.rows[middle]];

      if (end != TB_TIME_NONE && end < time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->syscalls.first[thread + 1])
    return FALSE;
  *enter = table->enter[self->syscalls.rows[low]];
  *exit = table->exit[self->syscalls.rows[low]];
  return *enter != TB_TIME_NONE && *enter <= time;
}

/* The sleep in a socket that ended with the thread's current run. */
static gboolean
find_sleep (const Messages *self, guint32 thread, gint64 time, gint64 *enter)
{
  gssize row = tb_trace_find_interval (self->calls->trace, thread, time);
  gsize first, n;

  tb_trace_get_thread_intervals (self->calls->trace, thread, &first, &n);
  if (row <= (gssize) first || self->intervals->state[row] != TB_STATE_RUNNING)
    return FALSE;
  row--;
  if (row > (gssize) first && self->intervals->state[row] == TB_STATE_RUNNABLE
      && !(self->intervals->flags[row] & TB_INTERVAL_PREEMPTED))
    row--;
  *enter = self->intervals->start[row];
  return tb_trace_get_wait_kind (self->calls->trace, (gsize) row) == TB_WAIT_SOCKET
         && !(self->intervals->flags[row] & TB_INTERVAL_OPEN_START);
}

static void
add_messages (Messages *self,
              TbPeaksTable *table,
              const gint64 *time,
              const guint32 *thread,
              const guint8 *kind,
              guint32 n)
{
  guint n_kinds = table->names->len;
  g_autofree gint64 *last = g_new (gint64, (gsize) self->calls->n_threads * n_kinds + 1);

  memset (last, 0xff, ((gsize) self->calls->n_threads * n_kinds + 1) * sizeof *last);
  for (guint32 i = 0; i < n; i++)
    {
      guint key = MIN (kind[i], n_kinds - 1);
      gint64 enter = time[i], exit = time[i];

      if (thread[i] < self->calls->n_threads)
        {
          gint64 *before = &last[(gsize) thread[i] * n_kinds + key];

          if (!find_syscall (self, thread[i], time[i], &enter, &exit)
              && (self->syscalls.first != NULL || key == TB_NETWORK_SEND
                  || !find_sleep (self, thread[i], time[i], &enter)))
            enter = exit = time[i];
          if (enter < time[i] && *before == enter)
            continue;
          *before = enter;
        }
      tb_peaks_table_add (table, enter, exit, thread[i], key, i);
    }
}

gboolean
tb_peaks_make_network (TbPeaksCalls *calls, TbPeaksTable *table, GError **error)
{
  static const char *const names[] = { "send", "receive", "connect", "accept", "other", NULL };
  TbTable *network = tb_session_get_table (tb_trace_get_session (calls->trace), TB_TABLE_NETWORK);
  guint32 n = (guint32) MIN (tb_table_get_n_rows (network), G_MAXUINT32 - 1);
  const TbPeaksTable *syscalls = &calls->tables[TB_PEAKS_SYSCALL];
  Messages self = { .calls = calls, .intervals = tb_trace_get_intervals (calls->trace) };
  g_autoptr (GBytes) time = NULL;
  g_autoptr (GBytes) thread = NULL;
  g_autoptr (GBytes) kind = NULL;

  tb_peaks_table_begin (table, make_names (names));
  if (n > 0)
    {
      time = tb_table_get_column (network, TB_NETWORK_TIME, error);
      thread = time != NULL ? tb_table_get_column (network, TB_NETWORK_THREAD, error) : NULL;
      kind = thread != NULL ? tb_table_get_column (network, TB_NETWORK_KIND, error) : NULL;
      if (kind == NULL)
        return FALSE;
      if (syscalls->n > 0)
        tb_peaks_index_init (&self.syscalls, syscalls->thread, NULL, syscalls->n, NULL,
                             calls->n_threads);
      add_messages (&self, table, g_bytes_get_data (time, NULL), g_bytes_get_data (thread, NULL),
                    g_bytes_get_data (kind, NULL), n);
      tb_peaks_index_clear (&self.syscalls);
    }
  tb_peaks_table_finish (table);
  return TRUE;
}

/* --- intervals --- */

static void
add_interval (TbPeaksTable *table, const TbIntervals *intervals, gsize row, guint32 key)
{
  guint8 flags = intervals->flags[row];

  tb_peaks_table_add (table, flags & TB_INTERVAL_OPEN_START ? TB_TIME_NONE : intervals->start[row],
                      flags & TB_INTERVAL_OPEN_END ? TB_TIME_NONE : intervals->end[row],
                      intervals->thread[row], key, (guint32) row);
}

gboolean
tb_peaks_make_locks (TbPeaksCalls *calls, TbPeaksTable *table)
{
  const TbIntervals *intervals = tb_trace_get_intervals (calls->trace);

  tb_peaks_table_begin (table, tb_peaks_name_locks (calls->trace));
  for (gsize i = 0; i < intervals->n && table->names->len > 0; i++)
    {
      guint32 lock;

      if (intervals->kind[i] != TB_WAIT_LOCK)
        continue;
      lock = tb_trace_get_lock (calls->trace, i);
      if (lock < table->names->len)
        add_interval (table, intervals, i, lock);
    }
  tb_peaks_table_finish (table);
  return TRUE;
}

gboolean
tb_peaks_make_run_queue (TbPeaksCalls *calls, TbPeaksTable *table)
{
  static const char *const names[] = { "woken", "preempted", NULL };
  const TbIntervals *intervals = tb_trace_get_intervals (calls->trace);

  tb_peaks_table_begin (table, make_names (names));
  for (gsize i = 0; i < intervals->n; i++)
    if (intervals->state[i] == TB_STATE_RUNNABLE)
      add_interval (table, intervals, i, (intervals->flags[i] & TB_INTERVAL_PREEMPTED) != 0);
  tb_peaks_table_finish (table);
  return TRUE;
}

/* --- interrupts --- */

/* "vda", or "vda#25" if there are several; "soft:net_rx"; the number if there is no name. */
static char *
name_source (TbSession *session, guint64 source, GHashTable *seen)
{
  const char *name = tb_session_get_string (session, (guint32) source);
  guint vector = (guint) (source >> 32) & 0xffffff;
  TbInterruptKind kind = (TbInterruptKind) (source >> 56);
  const char *prefix = kind == TB_INTERRUPT_SOFT ? "soft:" : "";
  char *text
      = *name != '\0' ? g_strconcat (prefix, name, NULL) : g_strdup_printf ("%s%u", prefix, vector);

  if (g_hash_table_contains (seen, text))
    {
      g_autofree char *plain = text;

      text = g_strdup_printf ("%s#%u", plain, vector);
    }
  g_hash_table_add (seen, text);
  return text;
}

gboolean
tb_peaks_make_interrupts (TbPeaksCalls *calls, TbPeaksTable *table, GError **error)
{
  TbSession *session = tb_trace_get_session (calls->trace);
  TbPeaksInterrupts interrupts = { 0 };
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  gsize n = MIN (tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_INTERRUPT)),
                 G_MAXUINT32 - 1);

  tb_peaks_table_begin (table, g_ptr_array_new_with_free_func (g_free));
  if (!tb_peaks_interrupts_init (&interrupts, session, NULL, calls->n_threads, error))
    {
      tb_peaks_interrupts_clear (&interrupts);
      return FALSE;
    }
  for (guint32 i = 0; i < n; i++)
    {
      gpointer key;

      if (!g_hash_table_lookup_extended (keys, &interrupts.key[i], NULL, &key))
        {
          key = GUINT_TO_POINTER (table->names->len);
          g_hash_table_insert (keys, g_memdup2 (&interrupts.key[i], sizeof (guint64)), key);
          g_ptr_array_add (table->names, name_source (session, interrupts.key[i], seen));
        }
      tb_peaks_table_add (table, interrupts.enter[i], interrupts.exit[i], interrupts.thread[i],
                          GPOINTER_TO_UINT (key), i);
    }
  tb_peaks_interrupts_clear (&interrupts);
  tb_peaks_table_finish (table);
  return TRUE;
}
