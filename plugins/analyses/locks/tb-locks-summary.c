/* tb-locks-summary.c: summary of the waits for each lock: time, contention, purpose of the lock
 * (mutex, condition or join), waiters and holders; also as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-locks-summary.h"
#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-poll-loops.h"

#define ROWS_BETWEEN_CHECKS 65536

static void
lock_summary_free (gpointer data)
{
  TbLockSummary *lock = data;

  g_array_unref (lock->waiters);
  g_array_unref (lock->holders);
  g_array_unref (lock->waits);
  g_free (lock);
}

static TbLockSummary *
get_lock (TbLocksSummary *self, GHashTable *known, guint32 id)
{
  TbLockSummary *lock = g_hash_table_lookup (known, GUINT_TO_POINTER (id + 1));

  if (lock != NULL)
    return lock;
  lock = g_new0 (TbLockSummary, 1);
  lock->lock = id;
  lock->waiters = g_array_new (FALSE, FALSE, sizeof (TbLockThread));
  lock->holders = g_array_new (FALSE, FALSE, sizeof (TbLockThread));
  lock->waits = g_array_new (FALSE, FALSE, sizeof (TbLockWait));
  g_hash_table_insert (known, GUINT_TO_POINTER (id + 1), lock);
  g_ptr_array_add (self->locks, lock);
  return lock;
}

/* Adds a wait to a thread's entry at a lock. */
static void
add_thread (GArray *threads, GHashTable *places, guint32 lock, guint32 thread, gint64 ns)
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

static TbLockUse
guess_use (TbTrace *trace, guint32 stack)
{
  g_auto (GStrv) functions = tb_trace_get_stack_functions (trace, stack);
  TbLockUse use = TB_LOCK_USE_UNKNOWN;

  for (guint i = 0; functions != NULL && functions[i] != NULL; i++)
    {
      TbLockUse of = tb_lock_use_from_function (functions[i]);

      if (of == TB_LOCK_USE_CONDITION || of == TB_LOCK_USE_JOIN)
        return of;
      if (of != TB_LOCK_USE_UNKNOWN)
        use = of;
    }
  return use;
}

typedef struct
{
  TbLocksSummary *summary;
  TbPollLoops *loops;
  GHashTable *known;
  GHashTable *waiters;
  GHashTable *holders;
  gint64 min_wait;
} Gathering;

static void
add_wait (Gathering *self, guint32 thread, gsize row, guint32 id)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->summary->trace);
  TbLockWait wait = { MAX (intervals->start[row], self->summary->from),
                      MIN (intervals->end[row], self->summary->to) };
  TbLockSummary *lock = get_lock (self->summary, self->known, id);
  gint64 ns = wait.to - wait.from;
  gsize awaited = tb_poll_loops_get_last (self->loops, row);
  gboolean is_timed_out = tb_trace_is_timed_out (self->summary->trace, awaited);
  gboolean ended_here = intervals->end[awaited] <= self->summary->to;

  lock->n_waits++;
  lock->wait_ns += ns;
  lock->uncertain += (intervals->flags[row] & TB_INTERVAL_UNCERTAIN) != 0;
  lock->timed_out += is_timed_out;
  g_array_append_val (lock->waits, wait);
  if (ns > lock->longest_ns)
    {
      lock->longest_ns = ns;
      lock->longest = row;
    }
  if (lock->use == TB_LOCK_USE_UNKNOWN && intervals->stack[row] != TB_STACK_NONE
      && lock->n_waits <= 16)
    lock->use = guess_use (self->summary->trace, intervals->stack[row]);
  add_thread (lock->waiters, self->waiters, id, thread, ns);
  if (intervals->cause_kind[awaited] == TB_CAUSE_THREAD && ended_here)
    {
      add_thread (lock->holders, self->holders, id, intervals->cause[awaited], ns);
      lock->n_ended_by_exit
          += tb_trace_is_thread_ending (self->summary->trace, intervals->cause[awaited],
                                        intervals->end[awaited]);
    }
  else if (!is_timed_out)
    lock->n_unknown_ends++;
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
      guint32 lock;

      if (intervals->state[row] < TB_STATE_INTERRUPTIBLE || ns <= 0 || ns < self->min_wait)
        continue;
      lock = tb_trace_get_lock (trace, row);
      if (lock != TB_ID_NONE)
        add_wait (self, thread, row, lock);
      else if (tb_trace_get_wait_kind (trace, row) == TB_WAIT_LOCK
               && tb_trace_get_object (trace, row) == TB_STRING_NONE)
        {
          self->summary->n_unknown_addresses++;
          self->summary->unknown_address_ns += ns;
        }
    }
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

/* A word that is in no variable and that only exiting threads ever released is used to join a
 * thread. */
static void
infer_join_use (TbTrace *trace, TbLockSummary *lock)
{
  guint n_locks;

  if (lock->use == TB_LOCK_USE_UNKNOWN && lock->n_ended_by_exit > 0
      && lock->n_ended_by_exit == lock->n_waits
      && tb_trace_get_locks (trace, &n_locks)[lock->lock].place == TB_ID_NONE)
    lock->use = TB_LOCK_USE_JOIN;
}

/* Whether the origin of a lock is missing. A word that is used to join a thread was not created as
 * a lock. */
static gboolean
lacks_origin (TbTrace *trace, const TbLockSummary *lock)
{
  guint n_locks;
  const TbLock *of = &tb_trace_get_locks (trace, &n_locks)[lock->lock];

  return lock->use != TB_LOCK_USE_JOIN && of->process != TB_ID_NONE && of->place == TB_ID_NONE
         && tb_trace_has_lock_origins (trace)
         && tb_trace_get_lock_origin (trace, lock->lock) == TB_STACK_NONE;
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TbLockThread *left = a, *right = b;

  if (left->wait_ns != right->wait_ns)
    return left->wait_ns > right->wait_ns ? -1 : 1;
  return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static int
compare_locks (gconstpointer a, gconstpointer b)
{
  const TbLockSummary *left = *(TbLockSummary *const *) a, *right = *(TbLockSummary *const *) b;

  if (left->wait_ns != right->wait_ns)
    return left->wait_ns > right->wait_ns ? -1 : 1;
  return left->lock < right->lock ? -1 : left->lock > right->lock;
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
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) waiters
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) holders
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (TbPollLoops) loops = tb_poll_loops_new (trace, TB_POLL_RUN, cancellable);
  Gathering gathering = { self, loops, known, waiters, holders, min_wait };
  gsize since_check = 0;
  guint n_threads;

  self->trace = g_object_ref (trace);
  self->locks = g_ptr_array_new_with_free_func (lock_summary_free);
  tb_selection_get_range (selection, &self->from, &self->to);
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
  for (guint i = 0; i < self->locks->len; i++)
    {
      TbLockSummary *lock = g_ptr_array_index (self->locks, i);

      measure_contention (lock);
      infer_join_use (self->trace, lock);
      self->n_unknown_origins += lacks_origin (self->trace, lock);
      g_array_sort (lock->waiters, compare_threads);
      g_array_sort (lock->holders, compare_threads);
    }
  g_ptr_array_sort (self->locks, compare_locks);
  return g_steal_pointer (&self);
}

void
tb_locks_summary_free (TbLocksSummary *self)
{
  g_clear_pointer (&self->locks, g_ptr_array_unref);
  g_clear_object (&self->trace);
  g_free (self);
}

const char *
tb_lock_use_get_name (TbLockUse use)
{
  static const char *const names[] = { "unknown", "mutex", "condition", "join" };

  return names[use];
}

char *
tb_locks_summary_describe_process (TbLocksSummary *self, const TbLockSummary *lock)
{
  guint n_locks, n_processes;
  const TbLock *locks = tb_trace_get_locks (self->trace, &n_locks);
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->trace), &n_processes);
  guint32 process = locks[lock->lock].process;

  if (process >= n_processes)
    return NULL;
  return g_strdup_printf ("%s (%d)", processes[process].name, processes[process].pid);
}

/* --- JSON --- */

static void
add_string (JsonBuilder *builder, const char *member, const char *value)
{
  json_builder_set_member_name (builder, member);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_integer (JsonBuilder *builder, const char *member, gint64 value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

/* Adds each name once; null if no thread is known. */
static void
add_names (JsonBuilder *builder, TbLocksSummary *self, const char *member, const GArray *threads)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);

  json_builder_set_member_name (builder, member);
  if (threads->len == 0)
    {
      json_builder_add_null_value (builder);
      return;
    }
  json_builder_begin_array (builder);
  for (guint i = 0; i < threads->len; i++)
    {
      const char *name
          = tb_trace_get_thread_name_at (self->trace,
                                         g_array_index (threads, TbLockThread, i).thread, self->to);

      if (g_hash_table_add (listed, (gpointer) name))
        json_builder_add_string_value (builder, name);
    }
  json_builder_end_array (builder);
}

static void
add_threads (JsonBuilder *builder, TbLocksSummary *self, const char *member, const GArray *threads)
{
  guint n_threads;
  const TbThread *all = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);

  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
  for (guint i = 0; i < threads->len; i++)
    {
      const TbLockThread *thread = &g_array_index (threads, TbLockThread, i);
      g_autofree char *id = g_strdup_printf ("%u", thread->thread);

      json_builder_begin_object (builder);
      add_string (builder, "id", id);
      add_integer (builder, "tid", thread->thread < n_threads ? all[thread->thread].tid : 0);
      add_string (builder, "name",
                  tb_trace_get_thread_name_at (self->trace, thread->thread, self->to));
      add_integer (builder, "waits", (gint64) thread->waits);
      add_integer (builder, "wait_ns", thread->wait_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_lock (JsonBuilder *builder, TbLocksSummary *self, const TbLockSummary *lock)
{
  guint n_locks;
  const TbLock *locks = tb_trace_get_locks (self->trace, &n_locks);
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (self->trace), &n_processes);
  guint32 process = locks[lock->lock].process;
  g_autofree char *id = g_strdup_printf ("%u", lock->lock);
  g_autofree char *name = tb_trace_describe_lock (self->trace, lock->lock);
  g_autofree char *address
      = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", locks[lock->lock].address);
  g_autofree char *maker = tb_trace_find_lock_creator (self->trace, lock->lock);

  json_builder_begin_object (builder);
  add_string (builder, "id", id);
  add_string (builder, "name", name);
  add_string (builder, "address", address);
  add_string (builder, "made_by", maker);
  add_string (builder, "process", process < n_processes ? processes[process].name : NULL);
  json_builder_set_member_name (builder, "pid");
  if (process < n_processes)
    json_builder_add_int_value (builder, processes[process].pid);
  else
    json_builder_add_null_value (builder);
  add_string (builder, "use",
              lock->use != TB_LOCK_USE_UNKNOWN ? tb_lock_use_get_name (lock->use) : NULL);
  add_integer (builder, "waits", (gint64) lock->n_waits);
  add_integer (builder, "wait_ns", lock->wait_ns);
  add_integer (builder, "longest_ns", lock->longest_ns);
  add_integer (builder, "contended_ns", lock->contended_ns);
  add_integer (builder, "most_waiting", lock->most);
  add_integer (builder, "timed_out", (gint64) lock->timed_out);
  add_integer (builder, "ended_by_unknown", (gint64) lock->n_unknown_ends);
  add_integer (builder, "uncertain_waits", (gint64) lock->uncertain);
  add_names (builder, self, "waiters", lock->waiters);
  add_names (builder, self, "holders", lock->holders);
  add_threads (builder, self, "waiter_threads", lock->waiters);
  add_threads (builder, self, "holder_threads", lock->holders);
  json_builder_end_object (builder);
}

JsonNode *
tb_locks_summary_to_json (TbLocksSummary *self, guint top)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint n = top == 0 ? self->locks->len : MIN (top, self->locks->len);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "locks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    add_lock (builder, self, g_ptr_array_index (self->locks, i));
  json_builder_end_array (builder);
  add_integer (builder, "n_locks", self->locks->len);
  add_integer (builder, "unplaced_waits", (gint64) self->n_unknown_addresses);
  add_integer (builder, "unplaced_ns", self->unknown_address_ns);
  add_integer (builder, "without_maker", self->n_unknown_origins);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
