/* tb-locks-summary.c: gathering of the waits for each lock by the way in which it is used; names of
 * locks and of their classes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "tb-locks-classes.h"
#include "tb-locks-summary.h"
#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-poll-loops.h"
#include "trace/tb-trace-sleep-polls.h"

#define ROWS_BETWEEN_CHECKS 65536

typedef struct
{
  TbLocksSummary *summary;
  TbLockUses *uses;
  TbPollLoops *loops;
  GArray *polls;     /* TbHeldSleep, by row */
  GHashTable *known; /* lock and use → TbLockSummary */
  GHashTable *waiters;
  GHashTable *holders;
  gint64 min_wait;
} Gathering;

static void
gathering_clear (Gathering *self)
{
  g_clear_pointer (&self->uses, tb_lock_uses_free);
  g_clear_pointer (&self->loops, tb_poll_loops_free);
  g_clear_pointer (&self->polls, g_array_unref);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->waiters, g_hash_table_unref);
  g_clear_pointer (&self->holders, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Gathering, gathering_clear)

static GHashTable *
make_places (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
gathering_init (Gathering *self,
                TbLocksSummary *summary,
                gint64 min_wait,
                GCancellable *cancellable)
{
  self->summary = summary;
  self->min_wait = min_wait;
  self->uses = tb_lock_uses_new (summary->trace);
  self->loops = tb_poll_loops_new (summary->trace, TB_POLL_RUN, cancellable);
  self->polls = tb_trace_find_held_sleeps (summary->trace, cancellable);
  self->known = make_places ();
  self->waiters = make_places ();
  self->holders = make_places ();
}

/* The summary of a lock, as far as it is used in this way. */
static TbLockSummary *
get_lock (Gathering *self, guint32 id, TbLockUse use)
{
  gint64 key = (gint64) id * TB_N_LOCK_USES + use;
  TbLockSummary *lock = g_hash_table_lookup (self->known, &key);

  if (lock != NULL)
    return lock;
  lock = tb_lock_summary_new (id, use);
  g_hash_table_insert (self->known, g_memdup2 (&key, sizeof key), lock);
  g_ptr_array_add (self->summary->locks, lock);
  return lock;
}

/* Adds a wait to a thread's entry at a lock. */
static void
add_thread (GArray *threads, GHashTable *places, gint64 lock, guint32 thread, gint64 ns)
{
  gint64 key = (gint64) ((guint64) lock << 32 | thread);
  TbLockThread *found;
  gpointer place;

  if (!g_hash_table_lookup_extended (places, &key, NULL, &place))
    {
      TbLockThread new = { .thread = thread };

      place = GUINT_TO_POINTER (threads->len);
      g_array_append_val (threads, new);
      g_hash_table_insert (places, g_memdup2 (&key, sizeof key), place);
    }
  found = &g_array_index (threads, TbLockThread, GPOINTER_TO_UINT (place));
  found->waits++;
  found->wait_ns += ns;
}

/* Adds what ended a wait, or the last of the waits of its poll loop, if that was in the range. No
 * thread ended a wait that timed out. */
static void
add_end (Gathering *self, TbLockSummary *lock, gsize row, gint64 ns)
{
  TbTrace *trace = self->summary->trace;
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  gsize awaited = tb_poll_loops_get_last (self->loops, row);
  gboolean is_timed_out = tb_trace_is_timed_out (trace, awaited);

  if (is_timed_out)
    {
      lock->timed_out++;
      lock->timed_out_ns += ns;
    }
  if (intervals->cause_kind[awaited] == TB_CAUSE_THREAD
      && intervals->end[awaited] <= self->summary->to)
    {
      add_thread (lock->holders, self->holders, (gint64) lock->lock * TB_N_LOCK_USES + lock->use,
                  intervals->cause[awaited], ns);
      lock->n_released++;
      lock->released_ns += ns;
      lock->n_ended_by_exit
          += tb_trace_is_thread_ending (trace, intervals->cause[awaited], intervals->end[awaited]);
    }
  else if (intervals->flags[awaited] & TB_INTERVAL_OPEN_END)
    lock->n_open++;
  else if (!is_timed_out)
    lock->n_unknown_ends++;
}

/* Adds what another thread had during a sleep: no thread ends it. */
static void
add_poll (Gathering *self, TbLockSummary *lock, guint32 holder, gint64 ns)
{
  lock->n_polls++;
  lock->polled_ns += ns;
  if (holder == TB_ID_NONE)
    {
      lock->n_unknown_ends++;
      return;
    }
  add_thread (lock->holders, self->holders, (gint64) lock->lock * TB_N_LOCK_USES + lock->use,
              holder, ns);
  lock->n_released++;
  lock->released_ns += ns;
}

/* poll: NULL: the thread is woken when it has the lock */
static void
add_wait (Gathering *self, guint32 thread, gsize row, guint32 id, const TbHeldSleep *poll)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->summary->trace);
  TbLockWait wait = { MAX (intervals->start[row], self->summary->from),
                      MIN (intervals->end[row], self->summary->to) };
  TbLockUse use = poll != NULL ? TB_LOCK_USE_FILE : tb_lock_uses_get (self->uses, row);
  TbLockSummary *lock = get_lock (self, id, use);
  gint64 ns = wait.to - wait.from;

  lock->n_waits++;
  lock->wait_ns += ns;
  lock->n_parked += poll == NULL && tb_lock_uses_is_parked (self->uses, row);
  lock->n_conditions += poll == NULL && tb_lock_uses_is_condition (self->uses, row);
  lock->uncertain += (intervals->flags[row] & TB_INTERVAL_UNCERTAIN) != 0;
  g_array_append_val (lock->waits, wait);
  if (ns > lock->longest_ns)
    {
      lock->longest_ns = ns;
      lock->longest = row;
    }
  add_thread (lock->waiters, self->waiters, (gint64) id * TB_N_LOCK_USES + lock->use, thread, ns);
  if (poll != NULL)
    add_poll (self, lock, poll->holder, ns);
  else
    add_end (self, lock, row, ns);
}

/* The sleep in polling for the lock of a file that has this row; NULL: it is none. */
static const TbHeldSleep *
find_poll (const Gathering *self, gsize row)
{
  const TbHeldSleep *polls = (const TbHeldSleep *) (gpointer) self->polls->data;
  guint low = 0, high = self->polls->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (polls[middle].row < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->polls->len && polls[low].row == row && polls[low].file != TB_STRING_NONE
             ? &polls[low]
             : NULL;
}

/* The lock for which a thread sleeps, or between attempts to get it; TB_ID_NONE: none. */
static guint32
find_lock (const Gathering *self, guint32 thread, gsize row, const TbHeldSleep **poll)
{
  TbTrace *trace = self->summary->trace;
  guint32 lock = tb_trace_get_lock (trace, row);

  *poll = lock == TB_ID_NONE ? find_poll (self, row) : NULL;
  return *poll != NULL ? tb_trace_get_file_lock (trace, thread, (*poll)->file) : lock;
}

static void
gather_thread (Gathering *self, guint32 thread)
{
  TbTrace *trace = self->summary->trace;
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  gsize first, n;

  tb_trace_get_thread_intervals (trace, thread, &first, &n);
  for (gsize row = first; row < first + n && intervals->start[row] < self->summary->to; row++)
    {
      gint64 ns = MIN (intervals->end[row], self->summary->to)
                  - MAX (intervals->start[row], self->summary->from);
      const TbHeldSleep *poll;
      guint32 lock;

      if (intervals->state[row] < TB_STATE_INTERRUPTIBLE || ns <= 0 || ns < self->min_wait)
        continue;
      lock = find_lock (self, thread, row, &poll);
      if (lock != TB_ID_NONE)
        add_wait (self, thread, row, lock, poll);
      else if (tb_trace_get_wait_kind (trace, row) == TB_WAIT_LOCK
               && tb_trace_get_object (trace, row) == TB_STRING_NONE)
        {
          self->summary->n_unknown_addresses++;
          self->summary->unknown_address_ns += ns;
        }
    }
}

/* Waits that do not show a use belong to the use that most other waits for the lock show. */
static void
add_unknown_uses (Gathering *self)
{
  GPtrArray *locks = self->summary->locks;
  g_autoptr (GHashTable) best = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < locks->len; i++)
    {
      TbLockSummary *lock = g_ptr_array_index (locks, i);
      const TbLockSummary *of = g_hash_table_lookup (best, GUINT_TO_POINTER (lock->lock + 1));

      if (tb_lock_use_is_vague (lock->use))
        continue;
      if (of == NULL || lock->wait_ns > of->wait_ns)
        g_hash_table_insert (best, GUINT_TO_POINTER (lock->lock + 1), lock);
    }
  g_ptr_array_set_free_func (locks, NULL);
  for (guint i = 0; i < locks->len; i++)
    {
      TbLockSummary *lock = g_ptr_array_index (locks, i);
      TbLockSummary *of = g_hash_table_lookup (best, GUINT_TO_POINTER (lock->lock + 1));

      if (tb_lock_use_is_vague (lock->use) && of != NULL)
        {
          tb_lock_summary_add (of, lock);
          tb_lock_summary_free (lock);
        }
      else
        locks->pdata[n++] = lock;
    }
  g_ptr_array_set_size (locks, (int) n);
  g_ptr_array_set_free_func (locks, (GDestroyNotify) tb_lock_summary_free);
}

/* The C library's condition has two neighbouring words, for which threads wait by turns. */
static gboolean
get_condition_key (TbTrace *trace, const TbLockSummary *lock, gint64 *key)
{
  guint n_locks;
  const TbLock *of = &tb_trace_get_locks (trace, &n_locks)[lock->lock];

  *key = (gint64) ((of->address & ~(guint64) 7) ^ (guint64) of->process << 48);
  return of->kind == TB_LOCK_WORD && of->process != TB_ID_NONE
         && (lock->use == TB_LOCK_USE_CONDITION || lock->use == TB_LOCK_USE_NO_MUTEX
             || lock->n_conditions > 0);
}

/* Memory is reused: words that were made by different functions are two conditions. */
static gboolean
is_same_condition (TbTrace *trace, const TbLockSummary *lock, const TbLockSummary *other)
{
  guint n_locks;
  const TbLock *locks = tb_trace_get_locks (trace, &n_locks);

  return lock->use == other->use && locks[lock->lock].process == locks[other->lock].process
         && (locks[lock->lock].address ^ locks[other->lock].address) <= 7
         && tb_trace_get_lock_origin (trace, lock->lock)
                == tb_trace_get_lock_origin (trace, other->lock);
}

static void
join_condition_words (TbLocksSummary *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GPtrArray *locks = self->locks;
  guint n = 0;

  g_ptr_array_set_free_func (locks, NULL);
  for (guint i = 0; i < locks->len; i++)
    {
      TbLockSummary *lock = g_ptr_array_index (locks, i), *other;
      gint64 key;

      if (!get_condition_key (self->trace, lock, &key))
        other = NULL;
      else if ((other = g_hash_table_lookup (known, &key)) == NULL)
        g_hash_table_insert (known, g_memdup2 (&key, sizeof key), lock);
      if (other != NULL && is_same_condition (self->trace, lock, other))
        {
          tb_lock_summary_add (other, lock);
          tb_lock_summary_free (lock);
        }
      else
        locks->pdata[n++] = lock;
    }
  g_ptr_array_set_size (locks, (int) n);
  g_ptr_array_set_free_func (locks, (GDestroyNotify) tb_lock_summary_free);
}

static void
infer_join_use (Gathering *self, TbLockSummary *lock)
{
  if (tb_lock_use_is_vague (lock->use) && tb_lock_uses_is_for_ends (self->uses, lock->lock))
    lock->use = TB_LOCK_USE_JOIN;
}

/* Whether the origin of a lock is missing. A word that is used to join a thread was not created as
 * a lock, nor was a file. */
static gboolean
lacks_origin (TbTrace *trace, const TbLockSummary *lock)
{
  guint n_locks;
  const TbLock *of = &tb_trace_get_locks (trace, &n_locks)[lock->lock];

  return lock->use != TB_LOCK_USE_JOIN && of->kind == TB_LOCK_WORD && of->process != TB_ID_NONE
         && of->place == TB_ID_NONE && tb_trace_has_lock_origins (trace)
         && tb_trace_get_lock_origin (trace, lock->lock) == TB_STACK_NONE;
}

static void
finish (Gathering *self)
{
  TbLocksSummary *summary = self->summary;

  add_unknown_uses (self);
  join_condition_words (summary);
  for (guint i = 0; i < summary->locks->len; i++)
    {
      infer_join_use (self, g_ptr_array_index (summary->locks, i));
      summary->n_unknown_origins
          += lacks_origin (summary->trace, g_ptr_array_index (summary->locks, i));
    }
  tb_locks_form_classes (summary);
}

TbLocksSummary *
tb_locks_summary_new (TbTrace *trace,
                      TbSelection *selection,
                      TbSelection *process,
                      gint64 min_wait,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TbLocksSummary) self = g_new0 (TbLocksSummary, 1);
  g_auto (Gathering) gathering = { 0 };
  gsize since_check = 0;
  guint n_threads;

  self->trace = g_object_ref (trace);
  self->locks = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_lock_summary_free);
  tb_selection_get_range (selection, &self->from, &self->to);
  gathering_init (&gathering, self, min_wait, cancellable);
  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  for (guint32 thread = 1; thread < n_threads; thread++)
    {
      gsize first, n;

      if (!tb_selection_has_thread (selection, thread)
          || !tb_selection_has_thread (process, thread))
        continue;
      gather_thread (&gathering, thread);
      tb_trace_get_thread_intervals (trace, thread, &first, &n);
      since_check += n;
      if (since_check > ROWS_BETWEEN_CHECKS)
        {
          since_check = 0;
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
        }
    }
  finish (&gathering);
  return g_steal_pointer (&self);
}

void
tb_locks_summary_free (TbLocksSummary *self)
{
  g_clear_pointer (&self->locks, g_ptr_array_unref);
  g_clear_object (&self->trace);
  g_free (self);
}

GPtrArray *
tb_locks_summary_list (TbLocksSummary *self, guint top)
{
  GPtrArray *rows = g_ptr_array_new ();
  guint n_of_group[TB_N_LOCK_GROUPS] = { 0 };

  for (guint i = 0; i < self->locks->len; i++)
    {
      TbLockSummary *lock = g_ptr_array_index (self->locks, i);

      if (n_of_group[lock->group]++ < top || top == 0)
        g_ptr_array_add (rows, lock);
    }
  return rows;
}

/* --- names --- */

char *
tb_locks_summary_name (TbLocksSummary *self, const TbLockSummary *lock)
{
  if (lock->members == NULL)
    return tb_trace_describe_lock (self->trace, lock->lock);
  if (lock->place == NULL)
    return g_strdup_printf ("end of %u threads", lock->members->len);
  if (tb_lock_summary_is_parked (lock))
    return g_strdup_printf (lock->is_made ? "locks with semaphores from %s" : "locks in %s",
                            lock->place);
  return g_strdup_printf (lock->is_made ? "%u locks from %s" : "%u locks in %s", lock->members->len,
                          lock->place);
}

char *
tb_locks_summary_label (TbLocksSummary *self, const TbLockSummary *lock)
{
  guint n = lock->members != NULL ? lock->members->len : 0;

  if (n == 0)
    return tb_trace_describe_lock (self->trace, lock->lock);
  if (lock->place == NULL)
    return g_strdup_printf (ngettext ("end of %'u thread", "end of %'u threads", n), n);
  if (tb_lock_summary_is_parked (lock))
    return g_strdup_printf (
        lock->is_made
            /* Translators: %s is a function that makes a semaphore for each waiter. */
            ? _ ("locks with semaphores from %s")
            /* Translators: %s is the function that takes the locks; how many is not known. */
            : _ ("locks in %s"),
        lock->place);
  return g_strdup_printf (lock->is_made
                              /* Translators: %s is the function that made the locks. */
                              ? ngettext ("%'u lock from %s", "%'u locks from %s", n)
                              /* Translators: %s is the function that takes the locks. */
                              : ngettext ("%'u lock in %s", "%'u locks in %s", n),
                          n, lock->place);
}

char *
tb_locks_summary_make_item (const TbLockSummary *lock)
{
  return g_strdup_printf (lock->members != NULL ? "class-%u" : "%u", lock->lock);
}

char *
tb_locks_summary_describe_process (TbLocksSummary *self, const TbLockSummary *lock)
{
  TbSession *session = tb_trace_get_session (self->trace);
  guint n_locks, n_processes;
  const TbLock *locks = tb_trace_get_locks (self->trace, &n_locks);
  guint32 process = locks[lock->lock].process;

  tb_session_get_processes (session, &n_processes);
  return process < n_processes ? tb_session_describe_process (session, process, FALSE) : NULL;
}
