/* tb-trace-sleep-polls.c: search for polling by sleeping: deliberate sleeps between a failed
 * attempt and the next one at the same: a lock of a file, or any system call whose result was
 * recorded
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A sleep counts only if the attempt before it failed for now and the thread then tries the same
 * again. Without recorded attempts nothing shows what a thread sleeps for.
 *
 * A shell sleeps and tries by commands, so the sleep of a command for which it waits counts as its
 * own, as do the attempts of the commands that it starts.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-file-locks.h"
#include "trace/tb-trace-sleep-polls.h"

/* Limits for the calls that are examined before and after one sleep, and for the rows of a
 * child. */
#define MAX_CALLS 64
#define MAX_CHILD_ROWS 256
/* A command that sleeps for less than this part of the wait for it did something else. */
#define MIN_CHILD_SLEEP 0.5
/* Fewer sleeps for something that is no lock may be by chance. */
#define MIN_SLEEPS 2

/* Numbers of the call that returns at once if no child has ended. */
#define OPTION_NO_HANG 1

typedef struct
{
  GBytes *columns[TB_SYSCALL_N_COLUMNS];
  gsize n;
  const gint64 *enter;
  const gint64 *exit;
  const guint32 *thread;
  const guint32 *number;
  const guint64 *args[3];
  const gint64 *result;
} Calls;

/* Events of each thread in order of time. */
typedef struct
{
  guint32 *order;
  guint32 *first;
} ByThread;

typedef struct
{
  TbTrace *trace;
  TbSession *session;
  const TbIntervals *rows;
  gint64 from;
  gint64 to;
  guint n_threads;
  guint32 *creator; /* by thread */
  TbFileLocks *file_locks;
  const TbFileLockRows *locks;
  ByThread lock_order;
  Calls calls;
  ByThread call_order;
  GHashTable *known; /* set of Entry */
  GArray *held;      /* TbHeldSleep, in order of rows */
} Finder;

/* What a thread sleeps for, with the time for each holder. */
typedef struct
{
  TbSleepPoll poll;
  GHashTable *holders; /* thread → gint64 */
} Entry;

/* The sleeps of a thread that come one after another: what lies between two of them is examined. */
typedef struct
{
  gsize row;
  gint64 start;
  gint64 end;
  gint64 before;       /* end of the sleep before it */
  gint64 after;        /* start of the sleep after it */
  gboolean of_command; /* the thread waits for a command that sleeps */
} Sleep;

static void
finder_clear (Finder *self)
{
  g_clear_pointer (&self->creator, g_free);
  g_clear_pointer (&self->file_locks, tb_file_locks_free);
  g_clear_pointer (&self->lock_order.order, g_free);
  g_clear_pointer (&self->lock_order.first, g_free);
  g_clear_pointer (&self->call_order.order, g_free);
  g_clear_pointer (&self->call_order.first, g_free);
  for (guint i = 0; i < TB_SYSCALL_N_COLUMNS; i++)
    g_clear_pointer (&self->calls.columns[i], g_bytes_unref);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->held, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* --- entries --- */

static guint
hash_entry (gconstpointer data)
{
  const TbSleepPoll *poll = &((const Entry *) data)->poll;

  return ((poll->thread * 31 + g_str_hash (poll->call)) * 31 + (guint) poll->error) * 31
         + poll->object;
}

static gboolean
equal_entries (gconstpointer a, gconstpointer b)
{
  const TbSleepPoll *one = &((const Entry *) a)->poll, *two = &((const Entry *) b)->poll;

  return one->thread == two->thread && one->error == two->error && one->object == two->object
         && g_str_equal (one->call, two->call);
}

static void
entry_free (gpointer data)
{
  g_hash_table_unref (((Entry *) data)->holders);
  g_free (data);
}

static void
add_holder (Entry *entry, guint32 holder, gint64 ns)
{
  gint64 *sum;

  if (holder == TB_ID_NONE)
    return;
  entry->poll.held_ns += ns;
  sum = g_hash_table_lookup (entry->holders, GUINT_TO_POINTER (holder));
  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (entry->holders, GUINT_TO_POINTER (holder), sum);
    }
  *sum += ns;
}

/* Adds a sleep. key: thread, call, error, object, and number of attempts before the sleep */
static void
add_sleep (Finder *self, const TbSleepPoll *key, const Sleep *sleep, guint32 holder)
{
  const TbIntervals *rows = self->rows;
  Entry new_entry = { .poll = *key };
  Entry *entry = g_hash_table_lookup (self->known, &new_entry);
  gint64 from = MAX (sleep->start, self->from), to = MIN (sleep->end, self->to);
  TbHeldSleep held = { .row = sleep->row, .holder = holder, .file = key->object };

  if (to <= from)
    return;
  if (holder != TB_ID_NONE || held.file != TB_STRING_NONE)
    g_array_append_val (self->held, held);
  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->poll = *key;
      entry->poll.n_attempts = 0;
      entry->poll.from = from;
      entry->poll.longest = sleep->row;
      entry->holders = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      g_hash_table_add (self->known, entry);
    }
  entry->poll.n_sleeps++;
  entry->poll.n_attempts += key->n_attempts;
  entry->poll.sleep_ns += to - from;
  entry->poll.to = to;
  if (sleep->end - sleep->start > rows->end[entry->poll.longest] - rows->start[entry->poll.longest])
    entry->poll.longest = sleep->row;
  add_holder (entry, holder, to - from);
}

/* --- locks of files --- */

/* Whether a request is one between the thread's sleeps: its own, or where its commands sleep, one
 * of its commands. */
static gboolean
is_attempt (Finder *self, guint32 row, guint32 thread, const Sleep *sleep)
{
  return self->locks->mode[row] != TB_FILE_LOCK_RELEASE
         && (sleep->of_command || self->locks->thread[row] == thread);
}

/* The last request before the sleep and its next repetition. Requests in between, of a thread that
 * sleeps again, belong to the next sleep. */
static gboolean
find_refused_lock (Finder *self, guint32 thread, const Sleep *sleep, guint32 *cursor)
{
  const TbFileLockRows *locks = self->locks;
  const guint32 *order = self->lock_order.order;
  guint32 end = self->lock_order.first[thread + 1], last = TB_ID_NONE;
  TbSleepPoll key = { .thread = thread, .error = EAGAIN };

  for (; *cursor < end && locks->time[order[*cursor]] <= sleep->start; (*cursor)++)
    if (is_attempt (self, order[*cursor], thread, sleep))
      {
        last = order[*cursor];
        key.n_attempts += locks->result[last] == TB_FILE_LOCK_REFUSED;
      }
  if (last == TB_ID_NONE || locks->result[last] != TB_FILE_LOCK_REFUSED
      || locks->time[last] < sleep->before)
    return FALSE;
  for (guint32 i = *cursor; i < end && i - *cursor < MAX_CALLS; i++)
    {
      guint32 row = order[i];

      if (locks->time[row] > sleep->after)
        break;
      if (locks->file[row] != locks->file[last] || locks->call[row] != locks->call[last]
          || !is_attempt (self, row, thread, sleep) || locks->time[row] < sleep->end)
        continue;
      key.call = locks->call[last] == TB_FILE_LOCK_FLOCK ? "flock" : "fcntl";
      key.object = locks->file[last];
      add_sleep (self, &key, sleep, tb_file_locks_get_holder (self->file_locks, last));
      return TRUE;
    }
  return FALSE;
}

/* --- system calls --- */

/* Whether a call that failed is for something that is only not possible yet. needs_args: it is the
 * same attempt only with the same arguments. */
static gboolean
fails_for_now (Finder *self, guint32 row, gboolean *needs_args)
{
  const Calls *calls = &self->calls;
  const char *name = tb_session_get_string (self->session, calls->number[row]);

  *needs_args = FALSE;
  if (g_str_has_prefix (name, "futex"))
    return FALSE;
  switch (calls->result[row])
    {
    case 0:
      return g_str_equal (name, "wait4") && (calls->args[2][row] & OPTION_NO_HANG) != 0;
    case -EACCES:
      return g_str_equal (name, "fcntl");
    case -ENOENT:
    case -EEXIST:
      *needs_args = TRUE;
      return TRUE;
    case -EAGAIN:
    case -EBUSY:
    case -EALREADY:
    case -ECONNREFUSED:
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
is_same_attempt (const Calls *calls, guint32 a, guint32 b, gboolean needs_args)
{
  if (calls->number[a] != calls->number[b])
    return FALSE;
  return !needs_args
         || (calls->args[0][a] == calls->args[0][b] && calls->args[1][a] == calls->args[1][b]);
}

static gboolean
is_tried_again (Finder *self, guint32 failed, guint32 at, guint32 end, const Sleep *sleep)
{
  const Calls *calls = &self->calls;
  gboolean needs_args;

  if (!fails_for_now (self, failed, &needs_args))
    return FALSE;
  for (guint32 i = at; i < end && i - at < MAX_CALLS; i++)
    {
      guint32 row = self->call_order.order[i];

      if (calls->enter[row] >= sleep->after)
        break;
      if (calls->enter[row] >= sleep->end && is_same_attempt (calls, failed, row, needs_args))
        return TRUE;
    }
  return FALSE;
}

/* The failed call closest to the sleep that is repeated after it. */
static void
find_failed_call (Finder *self, guint32 thread, const Sleep *sleep, guint32 *cursor)
{
  const Calls *calls = &self->calls;
  const guint32 *order = self->call_order.order;
  guint32 first = self->call_order.first[thread], end = self->call_order.first[thread + 1];

  while (*cursor < end && calls->exit[order[*cursor]] >= 0
         && calls->exit[order[*cursor]] <= sleep->start)
    (*cursor)++;
  for (guint32 i = *cursor; i > first && *cursor - i < MAX_CALLS; i--)
    {
      guint32 row = order[i - 1];
      TbSleepPoll key = { .thread = thread, .n_attempts = 1 };

      if (calls->exit[row] < sleep->before)
        return;
      if (!is_tried_again (self, row, *cursor, end, sleep))
        continue;
      key.call = tb_session_get_string (self->session, calls->number[row]);
      key.error = -calls->result[row];
      add_sleep (self, &key, sleep, TB_ID_NONE);
      return;
    }
}

/* --- sleeps --- */

/* How long a thread slept deliberately in a time. */
static gint64
get_sleep (Finder *self, guint32 thread, gint64 from, gint64 to)
{
  gint64 sum = 0;
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  for (gsize row = first; row < first + MIN (n, MAX_CHILD_ROWS); row++)
    if (self->rows->state[row] >= TB_STATE_INTERRUPTIBLE
        && tb_trace_get_wait_kind (self->trace, row) == TB_WAIT_SLEEP)
      sum += MAX (0, MIN (self->rows->end[row], to) - MAX (self->rows->start[row], from));
  return sum;
}

/* Whether a thread sleeps deliberately, or waits for a command that does. */
static gboolean
is_sleep (Finder *self, gsize row)
{
  const TbIntervals *rows = self->rows;
  guint32 child = rows->cause[row];

  /* A tracer stops threads also at their calls to sleep. */
  if (rows->state[row] != TB_STATE_INTERRUPTIBLE)
    return FALSE;
  switch (tb_trace_get_wait_kind (self->trace, row))
    {
    case TB_WAIT_SLEEP:
      return TRUE;
    case TB_WAIT_CHILD:
      return (rows->cause_kind[row] == TB_CAUSE_THREAD || rows->cause_kind[row] == TB_CAUSE_SIGNAL)
             && child < self->n_threads && self->creator[child] == rows->thread[row]
             && get_sleep (self, child, rows->start[row], rows->end[row])
                    >= MIN_CHILD_SLEEP * (rows->end[row] - rows->start[row]);
    default:
      return FALSE;
    }
}

static gsize
find_next_sleep (Finder *self, gsize row, gsize end)
{
  while (row < end && !is_sleep (self, row))
    row++;
  return row;
}

static void
search_thread (Finder *self, guint32 thread)
{
  const TbIntervals *rows = self->rows;
  guint32 locks = self->locks->n > 0 ? self->lock_order.first[thread] : 0;
  guint32 calls = self->calls.n > 0 ? self->call_order.first[thread] : 0;
  gboolean has_locks = self->locks->n > 0 && locks < self->lock_order.first[thread + 1];
  gboolean has_calls = self->calls.n > 0 && calls < self->call_order.first[thread + 1];
  Sleep sleep = { .before = G_MININT64 };
  gsize first, n, end, next;

  if (!has_locks && !has_calls)
    return;
  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  end = first + n;
  for (gsize row = find_next_sleep (self, first, end); row < end && !tb_trace_is_cancelled_at (row);
       row = next)
    {
      next = find_next_sleep (self, row + 1, end);
      sleep.row = row;
      sleep.start = rows->start[row];
      sleep.end = rows->end[row];
      sleep.after = next < end ? rows->start[next] : G_MAXINT64;
      sleep.of_command = tb_trace_get_wait_kind (self->trace, row) == TB_WAIT_CHILD;
      if (!(has_locks && find_refused_lock (self, thread, &sleep, &locks)) && has_calls)
        find_failed_call (self, thread, &sleep, &calls);
      sleep.before = sleep.end;
    }
}

/* --- input --- */

/* A damaged column means that calls are unknown, as with the others; tb_trace_check() reports
 * it. */
static void
load_calls (Finder *self)
{
  static const TbSyscallColumn wanted[]
      = { TB_SYSCALL_ENTER, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER,
          TB_SYSCALL_ARG0,  TB_SYSCALL_ARG1, TB_SYSCALL_ARG2,   TB_SYSCALL_RESULT };
  Calls *calls = &self->calls;
  gsize n = tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_SYSCALL));

  for (guint i = 0; i < G_N_ELEMENTS (wanted) && n > 0; i++)
    {
      calls->columns[wanted[i]] = tb_trace_read_column (self->trace, TB_TABLE_SYSCALL, wanted[i]);
      if (calls->columns[wanted[i]] == NULL)
        n = 0;
    }
  if (n == 0 || n >= G_MAXUINT32)
    return;
#define COLUMN(column) g_bytes_get_data (calls->columns[TB_SYSCALL_##column], NULL)
  calls->n = n;
  calls->enter = COLUMN (ENTER);
  calls->exit = COLUMN (EXIT);
  calls->thread = COLUMN (THREAD);
  calls->number = COLUMN (NUMBER);
  calls->args[0] = COLUMN (ARG0);
  calls->args[1] = COLUMN (ARG1);
  calls->args[2] = COLUMN (ARG2);
  calls->result = COLUMN (RESULT);
#undef COLUMN
  self->call_order.order
      = tb_group_order (calls->thread, n, self->n_threads, &self->call_order.first);
}

static void
load_creators (Finder *self)
{
  gsize n = tb_table_get_n_rows (tb_session_get_table (self->session, TB_TABLE_PROCESS));
  g_autoptr (GBytes) kinds = tb_trace_read_column (self->trace, TB_TABLE_PROCESS, TB_PROCESS_KIND);
  g_autoptr (GBytes) threads
      = tb_trace_read_column (self->trace, TB_TABLE_PROCESS, TB_PROCESS_THREAD);
  g_autoptr (GBytes) creators
      = tb_trace_read_column (self->trace, TB_TABLE_PROCESS, TB_PROCESS_CREATOR);

  self->creator = g_new (guint32, MAX (self->n_threads, 1));
  for (guint i = 0; i < self->n_threads; i++)
    self->creator[i] = TB_ID_NONE;
  if (n == 0 || kinds == NULL || threads == NULL || creators == NULL)
    return;
  for (gsize i = 0; i < n; i++)
    if (((const guint8 *) g_bytes_get_data (kinds, NULL))[i] == TB_PROCESS_FORK)
      self->creator[((const guint32 *) g_bytes_get_data (threads, NULL))[i]]
          = ((const guint32 *) g_bytes_get_data (creators, NULL))[i];
}

/* Orders the locks by thread. Those of a command are its creator's, too. */
static void
order_locks (Finder *self)
{
  gsize n = self->locks->n;
  g_autofree guint32 *thread = g_new (guint32, 2 * n + 1);
  guint32 *order;

  for (gsize i = 0; i < n; i++)
    {
      guint32 creator = self->creator[self->locks->thread[i]];

      thread[2 * i] = self->locks->thread[i];
      thread[2 * i + 1] = creator < self->n_threads ? creator : TB_ID_NONE;
    }
  order = tb_group_order (thread, 2 * n, self->n_threads, &self->lock_order.first);
  for (guint32 i = 0; i < self->lock_order.first[self->n_threads]; i++)
    order[i] /= 2;
  self->lock_order.order = order;
}

static void
finder_init (Finder *self, TbTrace *trace, gint64 from, gint64 to)
{
  *self = (Finder) { .trace = trace,
                     .session = tb_trace_get_session (trace),
                     .rows = tb_trace_get_intervals (trace),
                     .from = from,
                     .to = to };
  tb_session_get_threads (self->session, &self->n_threads);
  self->known = g_hash_table_new_full (hash_entry, equal_entries, entry_free, NULL);
  self->held = g_array_new (FALSE, FALSE, sizeof (TbHeldSleep));
  self->file_locks = tb_file_locks_new (trace);
  self->locks = tb_file_locks_get_rows (self->file_locks);
  load_creators (self);
  if (self->locks->n > 0)
    order_locks (self);
  load_calls (self);
}

static void
search (Finder *self, TbTrace *trace, gint64 from, gint64 to, GCancellable *cancellable)
{
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  finder_init (self, trace, from, to);
  for (guint32 thread = 1; thread < self->n_threads && !tb_trace_is_cancelled (); thread++)
    search_thread (self, thread);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
}

/* --- result --- */

static int
compare_polls (gconstpointer a, gconstpointer b)
{
  const TbSleepPoll *one = a, *two = b;

  if (one->sleep_ns != two->sleep_ns)
    return one->sleep_ns > two->sleep_ns ? -1 : 1;
  if (one->thread != two->thread)
    return one->thread < two->thread ? -1 : 1;
  if (one->object != two->object)
    return one->object < two->object ? -1 : 1;
  return strcmp (one->call, two->call);
}

static void
choose_holder (Entry *entry)
{
  GHashTableIter iter;
  gpointer thread, ns;

  entry->poll.holder = TB_ID_NONE;
  g_hash_table_iter_init (&iter, entry->holders);
  while (g_hash_table_iter_next (&iter, &thread, &ns))
    if (*(gint64 *) ns > entry->poll.holder_ns
        || (*(gint64 *) ns == entry->poll.holder_ns
            && GPOINTER_TO_UINT (thread) < entry->poll.holder))
      {
        entry->poll.holder = GPOINTER_TO_UINT (thread);
        entry->poll.holder_ns = *(gint64 *) ns;
      }
}

/**
 * tb_trace_find_sleep_polls:
 * @self: a trace
 * @from: start of a time
 * @to: its end
 * @cancellable: (nullable): a cancellable, after which the result is incomplete
 *
 * Finds the threads that poll by sleeping in a time, and for what. Linear in the number of
 * intervals, locks of files and system calls.
 *
 * Returns: (transfer full) (element-type TbSleepPoll): what was found, the longest sleeps first
 */
GArray *
tb_trace_find_sleep_polls (TbTrace *self, gint64 from, gint64 to, GCancellable *cancellable)
{
  g_auto (Finder) finder = { 0 };
  GArray *found = g_array_new (FALSE, FALSE, sizeof (TbSleepPoll));
  GHashTableIter iter;
  gpointer entry;

  g_return_val_if_fail (TB_IS_TRACE (self), found);

  search (&finder, self, from, to, cancellable);
  g_hash_table_iter_init (&iter, finder.known);
  while (g_hash_table_iter_next (&iter, &entry, NULL))
    {
      TbSleepPoll *poll = &((Entry *) entry)->poll;

      choose_holder (entry);
      if (poll->n_sleeps >= MIN_SLEEPS || poll->object != TB_STRING_NONE)
        g_array_append_val (found, *poll);
    }
  g_array_sort (found, compare_polls);
  return found;
}

/**
 * tb_trace_find_held_sleeps:
 * @self: a trace
 * @cancellable: (nullable): a cancellable, after which the result is incomplete
 *
 * Finds the sleeps in polling by sleeping for the lock of a file, or for something that another
 * thread is known to have.
 *
 * Returns: (transfer full) (element-type TbHeldSleep): the sleeps, in order of their rows
 */
GArray *
tb_trace_find_held_sleeps (TbTrace *self, GCancellable *cancellable)
{
  g_auto (Finder) finder = { 0 };
  gint64 from, to;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  tb_trace_get_range (self, &from, &to);
  search (&finder, self, from, to, cancellable);
  return g_steal_pointer (&finder.held);
}

/**
 * tb_errno_get_name:
 * @error: an error number of a system call, positive
 *
 * Gets the name of an error number.
 *
 * Returns: (transfer full): its name, such as `EAGAIN`, or the number
 */
char *
tb_errno_get_name (gint64 error)
{
  static const struct
  {
    gint64 error;
    const char *name;
  } names[] = {
    { EACCES, "EACCES" }, { EAGAIN, "EAGAIN" }, { EALREADY, "EALREADY" },
    { EBUSY, "EBUSY" },   { EEXIST, "EEXIST" }, { ECONNREFUSED, "ECONNREFUSED" },
    { ENOENT, "ENOENT" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].error == error)
      return g_strdup (names[i].name);
  return g_strdup_printf ("%" G_GINT64_FORMAT, error);
}
