/* tb-peaks-lock-holds.c: calls of the operations "lock-hold": each the part of a hold of a lock in
 * which other threads waited for it, up to the release that ended such a wait; also list of the
 * names of all locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-lock-holds.h"

typedef struct
{
  gint64 start;
  gint64 end;
  guint32 lock;
  guint32 row; /* row of the intervals */
} Wait;

/* The start or the end of a wait. */
typedef struct
{
  gint64 time;
  guint32 wait;
  gboolean is_end;
} WaitEvent;

/* The last wait of a thread for a lock that another thread released. */
typedef struct
{
  guint32 lock;
  gint64 woken;
  gint64 running; /* time at which the thread ran again */
} Acquired;

typedef struct
{
  TbPeaksCalls *calls;
  const TbIntervals *intervals;
  TbPeaksTable *table;
  GArray *waits;      /* Wait, by lock */
  Acquired *acquired; /* by thread */
} LockHolds;

GPtrArray *
tb_peaks_name_locks (TbTrace *trace)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  guint n_locks;

  tb_trace_get_locks (trace, &n_locks);
  for (guint i = 0; i < n_locks; i++)
    {
      char *name = tb_trace_describe_lock (trace, i);

      if (g_hash_table_contains (seen, name))
        {
          g_autofree char *plain = name;

          name = g_strdup_printf ("%s#%u", plain, i);
        }
      g_hash_table_add (seen, name);
      g_ptr_array_add (names, name);
    }
  return names;
}

/* Whether waits in the function are not for a lock: a thread that ends such a wait holds
 * nothing. */
static gboolean
is_other_wait (const char *function, const char *module G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  static const char *const parts[]
      = { "pthread_cond_", "cnd_wait",          "cnd_timedwait",     "g_cond_wait",
          "sem_wait",      "sem_timedwait",     "sem_clockwait",     "pthread_barrier_wait",
          "pthread_join",  "pthread_clockjoin", "pthread_timedjoin", "condition_variable" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (function, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const Wait *left = a, *right = b;

  if (left->lock != right->lock)
    return left->lock < right->lock ? -1 : 1;
  if (left->start != right->start)
    return left->start < right->start ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static void
list_waits (LockHolds *self)
{
  TbTrace *trace = self->calls->trace;
  const TbIntervals *intervals = self->intervals;
  guint32 n_stacks;
  g_autofree guint8 *is_other = tb_trace_match_stacks (trace, is_other_wait, NULL, &n_stacks);

  for (gsize i = 0; i < intervals->n; i++)
    {
      Wait wait = { intervals->start[i], intervals->end[i], TB_ID_NONE, (guint32) i };

      if (intervals->kind[i] != TB_WAIT_LOCK || intervals->thread[i] >= self->calls->n_threads
          || (intervals->stack[i] < n_stacks && is_other[intervals->stack[i]]))
        continue;
      wait.lock = tb_trace_get_lock (trace, i);
      if (wait.lock < self->table->names->len)
        g_array_append_val (self->waits, wait);
    }
  g_array_sort (self->waits, compare_waits);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const WaitEvent *left = a, *right = b;

  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  if (left->is_end != right->is_end)
    return left->is_end ? 1 : -1;
  return left->wait < right->wait ? -1 : left->wait > right->wait;
}

/* The time at which a thread ran again after a sleep. */
static gint64
find_run (const TbIntervals *intervals, guint32 row)
{
  gsize next = (gsize) row + 1;

  if (next < intervals->n && intervals->thread[next] == intervals->thread[row]
      && intervals->state[next] == TB_STATE_RUNNABLE)
    next++;
  return next < intervals->n && intervals->thread[next] == intervals->thread[row]
             ? intervals->start[next]
             : intervals->end[row];
}

static gboolean
is_release (const LockHolds *self, const Wait *wait)
{
  const TbIntervals *intervals = self->intervals;
  guint8 flags = intervals->flags[wait->row];

  return intervals->cause_kind[wait->row] == TB_CAUSE_THREAD
         && intervals->cause[wait->row] < self->calls->n_threads
         && intervals->cause[wait->row] != TB_THREAD_IDLE
         && intervals->cause[wait->row] != intervals->thread[wait->row]
         && !(flags & (TB_INTERVAL_OPEN_END | TB_INTERVAL_TIMED_OUT));
}

/* A thread releases a lock by ending a wait of another: adds the part of its hold in which others
 * waited (a hold without waiters leaves no trace), but not before its own wait for the lock had
 * ended. waiting: the open waits for the lock, this one included, by start; released: time of the
 * previous release. */
static void
add_hold (LockHolds *self, const Wait *wait, const GArray *waiting, gint64 released)
{
  guint32 holder = self->intervals->cause[wait->row];
  const Acquired *acquired = &self->acquired[holder];
  gboolean has_waited
      = acquired->lock == wait->lock && acquired->woken == released && released != G_MININT64;
  gint64 from = G_MAXINT64;

  for (guint i = 0; i < waiting->len; i++)
    {
      const Wait *open = &g_array_index (self->waits, Wait, g_array_index (waiting, guint32, i));

      if (self->intervals->thread[open->row] == holder || (!has_waited && open->start <= released))
        continue;
      from = open->start;
      break;
    }
  if (from == G_MAXINT64)
    return;
  if (has_waited)
    from = MAX (from, acquired->running);
  if (from < wait->end)
    tb_peaks_table_add (self->table, from, wait->end, holder, wait->lock, wait->row);
}

static void
remove_wait (GArray *waiting, guint32 wait)
{
  for (guint i = 0; i < waiting->len; i++)
    if (g_array_index (waiting, guint32, i) == wait)
      {
        g_array_remove_index (waiting, i);
        return;
      }
}

/* Processes the waits [first, end) for one lock. */
static void
follow_lock (LockHolds *self, guint32 first, guint32 end)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (WaitEvent));
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (guint32));
  gint64 released = G_MININT64;

  for (guint32 i = first; i < end; i++)
    {
      const Wait *wait = &g_array_index (self->waits, Wait, i);
      WaitEvent begins = { wait->start, i, FALSE }, ends = { wait->end, i, TRUE };

      g_array_append_val (events, begins);
      g_array_append_val (events, ends);
    }
  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    {
      const WaitEvent *event = &g_array_index (events, WaitEvent, i);
      const Wait *wait = &g_array_index (self->waits, Wait, event->wait);

      if (!event->is_end)
        {
          g_array_append_val (waiting, event->wait);
          continue;
        }
      if (is_release (self, wait))
        {
          add_hold (self, wait, waiting, released);
          released = wait->end;
          self->acquired[self->intervals->thread[wait->row]]
              = (Acquired) { wait->lock, wait->end, find_run (self->intervals, wait->row) };
        }
      remove_wait (waiting, event->wait);
    }
}

gboolean
tb_peaks_make_lock_holds (TbPeaksCalls *calls, TbPeaksTable *table)
{
  LockHolds self
      = { .calls = calls, .intervals = tb_trace_get_intervals (calls->trace), .table = table };

  tb_peaks_table_begin (table, tb_peaks_name_locks (calls->trace));
  self.waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  self.acquired = g_new (Acquired, calls->n_threads + 1);
  memset (self.acquired, 0xff, (calls->n_threads + 1) * sizeof *self.acquired);
  if (table->names->len > 0)
    list_waits (&self);
  for (guint32 first = 0, end; first < self.waits->len; first = end)
    {
      guint32 lock = g_array_index (self.waits, Wait, first).lock;

      for (end = first;
           end < self.waits->len && g_array_index (self.waits, Wait, end).lock == lock;)
        end++;
      follow_lock (&self, first, end);
    }
  g_array_unref (self.waits);
  g_free (self.acquired);
  tb_peaks_table_finish (table);
  return TRUE;
}
