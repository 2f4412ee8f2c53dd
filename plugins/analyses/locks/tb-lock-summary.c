/* tb-lock-summary.c: summary of the waits for one lock, or for a class of locks: construction,
 * sums, contention, group by what ends the waits, order of locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-lock-summary.h"

TbLockSummary *
tb_lock_summary_new (guint32 lock, TbLockUse use)
{
  TbLockSummary *self = g_new0 (TbLockSummary, 1);

  self->lock = lock;
  self->use = use;
  self->waiters = g_array_new (FALSE, FALSE, sizeof (TbLockThread));
  self->holders = g_array_new (FALSE, FALSE, sizeof (TbLockThread));
  self->waits = g_array_new (FALSE, FALSE, sizeof (TbLockWait));
  return self;
}

void
tb_lock_summary_free (TbLockSummary *self)
{
  g_array_unref (self->waiters);
  g_array_unref (self->holders);
  g_array_unref (self->waits);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_free (self->place);
  g_free (self);
}

static int
compare_by_thread (gconstpointer a, gconstpointer b)
{
  const TbLockThread *left = a, *right = b;

  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

/* Makes one entry of those of each thread. */
static void
join_threads (GArray *threads)
{
  guint n = 0;

  g_array_sort (threads, compare_by_thread);
  for (guint i = 0; i < threads->len; i++)
    {
      const TbLockThread *from = &g_array_index (threads, TbLockThread, i);
      TbLockThread *last = n > 0 ? &g_array_index (threads, TbLockThread, n - 1) : NULL;

      if (last != NULL && last->thread == from->thread)
        {
          last->waits += from->waits;
          last->wait_ns += from->wait_ns;
        }
      else
        g_array_index (threads, TbLockThread, n++) = *from;
    }
  g_array_set_size (threads, n);
}

void
tb_lock_summary_add (TbLockSummary *self, const TbLockSummary *other)
{
  self->n_waits += other->n_waits;
  self->wait_ns += other->wait_ns;
  self->timed_out += other->timed_out;
  self->timed_out_ns += other->timed_out_ns;
  self->n_ended_by_exit += other->n_ended_by_exit;
  self->n_released += other->n_released;
  self->released_ns += other->released_ns;
  self->n_unknown_ends += other->n_unknown_ends;
  self->n_open += other->n_open;
  self->n_polls += other->n_polls;
  self->polled_ns += other->polled_ns;
  self->n_parked += other->n_parked;
  self->n_conditions += other->n_conditions;
  self->uncertain += other->uncertain;
  if (other->longest_ns > self->longest_ns)
    {
      self->longest_ns = other->longest_ns;
      self->longest = other->longest;
    }
  g_array_append_vals (self->waiters, other->waiters->data, other->waiters->len);
  g_array_append_vals (self->holders, other->holders->data, other->holders->len);
  g_array_append_vals (self->waits, other->waits->data, other->waits->len);
}

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const TbLockWait *left = a, *right = b;

  return left->from < right->from ? -1 : left->from > right->from;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

/* Measures how long at least one thread waited, and how many waited at once. At equal times, an end
 * comes before a start. */
static void
measure_contention (TbLockSummary *lock)
{
  g_autofree gint64 *ends = g_new (gint64, MAX (lock->waits->len, 1));
  gint64 since = 0;
  guint n_open = 0, ended = 0;

  g_array_sort (lock->waits, compare_waits);
  for (guint i = 0; i < lock->waits->len; i++)
    ends[i] = g_array_index (lock->waits, TbLockWait, i).to;
  qsort (ends, lock->waits->len, sizeof *ends, compare_times);
  for (guint i = 0; i <= lock->waits->len; i++)
    {
      gint64 start
          = i < lock->waits->len ? g_array_index (lock->waits, TbLockWait, i).from : G_MAXINT64;

      while (ended < i && ends[ended] <= start)
        {
          if (--n_open == 0)
            lock->contended_ns += ends[ended] - since;
          ended++;
        }
      if (i < lock->waits->len && n_open++ == 0)
        since = start;
      lock->most = MAX (lock->most, n_open);
    }
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TbLockThread *left = a, *right = b;

  if (left->wait_ns != right->wait_ns)
    return left->wait_ns > right->wait_ns ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

/* Sums up the waits that ended by a thread that waits for the lock itself: it had it then. Both
 * lists are in the order of the threads. */
static gint64
sum_handed_on (const TbLockSummary *lock)
{
  gint64 ns = 0;
  guint at = 0;

  for (guint i = 0; i < lock->holders->len; i++)
    {
      const TbLockThread *holder = &g_array_index (lock->holders, TbLockThread, i);

      while (at < lock->waiters->len
             && g_array_index (lock->waiters, TbLockThread, at).thread < holder->thread)
        at++;
      if (at < lock->waiters->len
          && g_array_index (lock->waiters, TbLockThread, at).thread == holder->thread)
        ns += holder->wait_ns;
    }
  return ns;
}

/* Whether it is the main thread of its process. Threads without names of their own have its name,
 * also those to which it gives work. */
static gboolean
is_main_thread (const TbLocksSummary *summary, guint32 thread)
{
  TbSession *session = tb_trace_get_session (summary->trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);

  return thread < n_threads && threads[thread].process < n_processes
         && threads[thread].tid == processes[threads[thread].process].pid;
}

/* Sums up the waits that ended by a thread with the name of one that waits: it does the same work,
 * though it may never have found the lock taken. A main thread may only signal, unless the word may
 * be a mutex. */
static gint64
sum_ended_by_peers (const TbLocksSummary *summary, const TbLockSummary *lock)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 ns = 0;

  for (guint i = 0; i < lock->waiters->len; i++)
    g_hash_table_add (names,
                      (gpointer) tb_trace_get_shown_thread_name_at (
                          summary->trace, g_array_index (lock->waiters, TbLockThread, i).thread,
                          summary->to));
  for (guint i = 0; i < lock->holders->len; i++)
    {
      const TbLockThread *holder = &g_array_index (lock->holders, TbLockThread, i);

      if ((lock->use == TB_LOCK_USE_UNKNOWN || !is_main_thread (summary, holder->thread))
          && g_hash_table_contains (names, tb_trace_get_shown_thread_name_at (summary->trace,
                                                                              holder->thread,
                                                                              summary->to)))
        ns += holder->wait_ns;
    }
  return ns;
}

/* A semaphore, and a word whose use is not known, is a lock where the threads that end waits for it
 * wait for it in turn, or do the same work. Where others end them, it may be a signal. */
static TbLockGroup
find_group (const TbLocksSummary *summary, const TbLockSummary *lock)
{
  gboolean is_handed_on
      = lock->released_ns > 0
        && MAX (lock->handed_on_ns, sum_ended_by_peers (summary, lock)) * 2 >= lock->released_ns;

  if (tb_lock_use_has_holder (lock->use))
    return TB_LOCK_GROUP_LOCK;
  if (lock->use == TB_LOCK_USE_JOIN)
    return TB_LOCK_GROUP_JOIN;
  if (lock->timed_out_ns * 2 > lock->wait_ns)
    return TB_LOCK_GROUP_TIMED;
  if (lock->use == TB_LOCK_USE_CONDITION)
    return TB_LOCK_GROUP_CONDITION;
  if (is_handed_on)
    return TB_LOCK_GROUP_LOCK;
  return lock->use == TB_LOCK_USE_UNKNOWN ? TB_LOCK_GROUP_UNKNOWN : TB_LOCK_GROUP_CONDITION;
}

void
tb_lock_summary_finish (TbLockSummary *self, const TbLocksSummary *summary)
{
  measure_contention (self);
  join_threads (self->waiters);
  join_threads (self->holders);
  self->handed_on_ns = sum_handed_on (self);
  g_array_sort (self->waiters, compare_threads);
  g_array_sort (self->holders, compare_threads);
  self->group = find_group (summary, self);
}

gint64
tb_lock_summary_get_cost (const TbLockSummary *self)
{
  return self->group <= TB_LOCK_GROUP_UNKNOWN ? self->wait_ns - self->timed_out_ns : 0;
}

gboolean
tb_lock_summary_is_parked (const TbLockSummary *self)
{
  return self->n_parked * 2 > self->n_waits;
}

int
tb_lock_summary_compare (gconstpointer a, gconstpointer b)
{
  const TbLockSummary *left = *(TbLockSummary *const *) a, *right = *(TbLockSummary *const *) b;

  if (left->group != right->group)
    return left->group < right->group ? -1 : 1;
  if (tb_lock_summary_get_cost (left) != tb_lock_summary_get_cost (right))
    return tb_lock_summary_get_cost (left) > tb_lock_summary_get_cost (right) ? -1 : 1;
  if (left->wait_ns != right->wait_ns)
    return left->wait_ns > right->wait_ns ? -1 : 1;
  return left->lock < right->lock ? -1 : left->lock > right->lock;
}

const char *
tb_lock_use_get_name (TbLockUse use)
{
  static const char *const names[TB_N_LOCK_USES] = {
    [TB_LOCK_USE_MUTEX] = "mutex",        [TB_LOCK_USE_CONDITION] = "condition",
    [TB_LOCK_USE_JOIN] = "join",          [TB_LOCK_USE_SEMAPHORE] = "semaphore",
    [TB_LOCK_USE_NO_MUTEX] = "not-mutex", [TB_LOCK_USE_FILE] = "file",
  };

  return names[use];
}

const char *
tb_lock_group_get_name (TbLockGroup group)
{
  static const char *const names[TB_N_LOCK_GROUPS]
      = { "lock", "unknown", "condition", "timed", "join" };

  return names[group];
}
