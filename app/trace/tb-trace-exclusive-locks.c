/* tb-trace-exclusive-locks.c: locks that are recognized by how the waits for them end, where no
 * function shows their use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The stack of a wait often ends in the C library, which may have been built without frame
 * pointers. What then shows a lock is that threads end the waits of one another:
 *
 * - of at least three threads, each ends waits of each other one. Producers and consumers never end
 *   waits of their own kind; a token that goes round has one direction; of two threads it is not
 *   known whether they take turns.
 * - one wait at a time. The last thread at a barrier ends many at once, as does a signal to all.
 * - never all of them wait: one has the lock. Idle workers all wait.
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-exclusive-locks.h"
#include "trace/tb-trace-lock-origins.h"

/* Threads of a class that are examined for whom they wait for. */
#define MAX_THREADS 64
/* Least waits of a thread that another one ended. */
#define MIN_ENDED 3
/* Longest time between two wake-ups of one signal, ns. */
#define MAX_SIGNAL_GAP 10000
/* Most of the waiting time that signals to several threads may end. */
#define MAX_SIGNALLED_SHARE 0.25
/* Most of the time in which one waits that all may wait. */
#define MAX_IDLE_SHARE 0.02

typedef struct
{
  guint32 class;
  guint32 waiter;
  guint32 waker;
  gint64 start;
  gint64 end;
} Wait;

struct _TbExclusiveLocks
{
  TbTrace *trace;
  TbLockUses *uses;
  guint n_locks;
  guint32 *class_of;   /* by lock; TB_ID_NONE: not sought yet */
  GHashTable *classes; /* what the locks of a class have in common → 1 + class */
  GHashTable *found;   /* set of class and thread: the waits of the thread are for a lock */
};

/* --- classes --- */

static char *
make_key (TbTrace *trace, const TbLock *lock, guint32 id, guint32 stack)
{
  g_autofree char *place
      = lock->place == TB_ID_NONE ? tb_trace_find_lock_place (trace, id, stack, NULL) : NULL;

  return place != NULL ? g_strdup_printf ("%u %s", lock->process, place)
                       : g_strdup_printf ("%u", id);
}

static guint32
get_class (TbExclusiveLocks *self, guint32 id, guint32 stack)
{
  guint n_locks;
  const TbLock *lock = &tb_trace_get_locks (self->trace, &n_locks)[id];
  g_autofree char *key = NULL;
  guint class;

  if (self->class_of[id] != TB_ID_NONE)
    return self->class_of[id];
  key = make_key (self->trace, lock, id, stack);
  class = GPOINTER_TO_UINT (g_hash_table_lookup (self->classes, key));
  if (class == 0)
    {
      class = g_hash_table_size (self->classes) + 1;
      g_hash_table_insert (self->classes, g_steal_pointer (&key), GUINT_TO_POINTER (class));
    }
  self->class_of[id] = class - 1;
  return class - 1;
}

/* --- waits --- */

/* Whether a thread waits for a word of unknown use and another thread ends that. */
static gboolean
is_candidate (const TbExclusiveLocks *self, gsize row)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  guint n_locks;
  const TbLock *locks = tb_trace_get_locks (self->trace, &n_locks);
  guint32 lock;

  if (intervals->state[row] != TB_STATE_INTERRUPTIBLE
      || intervals->cause_kind[row] != TB_CAUSE_THREAD)
    return FALSE;
  lock = tb_trace_get_lock (self->trace, row);
  if (lock >= n_locks || locks[lock].kind != TB_LOCK_WORD)
    return FALSE;
  return tb_lock_use_is_vague (tb_lock_uses_get (self->uses, row));
}

static void
add_thread (TbExclusiveLocks *self, guint32 thread, GArray *waits)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  gsize first, n;

  tb_trace_get_thread_intervals (self->trace, thread, &first, &n);
  for (gsize row = first; row < first + n; row++)
    if (is_candidate (self, row) && intervals->cause[row] != thread)
      {
        Wait wait = { get_class (self, tb_trace_get_lock (self->trace, row), intervals->stack[row]),
                      thread, intervals->cause[row], intervals->start[row], intervals->end[row] };

        g_array_append_val (waits, wait);
      }
}

/* --- one class --- */

static int
compare_by_class (gconstpointer a, gconstpointer b)
{
  const Wait *one = a, *two = b;

  if (one->class != two->class)
    return one->class < two->class ? -1 : 1;
  if (one->waker != two->waker)
    return one->waker < two->waker ? -1 : 1;
  return one->end < two->end ? -1 : one->end > two->end;
}

static int
compare_by_start (gconstpointer a, gconstpointer b)
{
  const Wait *one = a, *two = b;

  return one->start < two->start ? -1 : one->start > two->start;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, two = *(const gint64 *) b;

  return one < two ? -1 : one > two;
}

/* Whether a thread ended several waits at once for a large part of the time. The waits are in order
 * of wakers and ends. */
static gboolean
is_signalled (const Wait *waits, gsize n)
{
  gint64 all = 0, signalled = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 ns = waits[i].end - waits[i].start;
      gboolean is_first = i == 0 || waits[i - 1].waker != waits[i].waker
                          || waits[i].end - waits[i - 1].end > MAX_SIGNAL_GAP;
      gboolean is_last = i + 1 == n || waits[i + 1].waker != waits[i].waker
                         || waits[i + 1].end - waits[i].end > MAX_SIGNAL_GAP;

      all += ns;
      signalled += is_first && is_last ? 0 : ns;
    }
  return (double) signalled > MAX_SIGNALLED_SHARE * (double) all;
}

/* Whether all threads wait at the same time for a part of the time in which any does. Sorts the
 * waits by their start. */
static gboolean
is_idle (Wait *waits, gsize n, guint n_threads)
{
  g_autofree gint64 *ends = g_new (gint64, n);
  gint64 any = 0, all = 0, reached = G_MININT64;
  gsize ended = 0;

  qsort (waits, n, sizeof *waits, compare_by_start);
  for (gsize i = 0; i < n; i++)
    ends[i] = waits[i].end;
  qsort (ends, n, sizeof *ends, compare_times);
  for (gsize started = 0; ended < n;)
    {
      gboolean is_start = started < n && waits[started].start < ends[ended];
      gint64 time = is_start ? waits[started].start : ends[ended];

      if (started > ended)
        any += time - reached;
      if (started - ended >= n_threads)
        all += time - reached;
      reached = time;
      *(is_start ? &started : &ended) += 1;
    }
  return (double) all > MAX_IDLE_SHARE * (double) any;
}

/* The threads that wait in a class, and which of them end waits of which. */
typedef struct
{
  GHashTable *place_of; /* thread → 1 + its place; places from MAX_THREADS on are not examined */
  guint32 threads[MAX_THREADS];
  guint16 n_ended[MAX_THREADS][MAX_THREADS]; /* by waker and waiter */
  guint64 mutual[MAX_THREADS]; /* by thread: those that it ends waits of and that do the same */
} Relations;

static guint
get_place (const Relations *self, guint32 thread)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->place_of, GUINT_TO_POINTER (thread))) - 1;
}

static void
find_threads (Relations *self, const Wait *waits, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint place = g_hash_table_size (self->place_of);

      if (g_hash_table_contains (self->place_of, GUINT_TO_POINTER (waits[i].waiter)))
        continue;
      g_hash_table_insert (self->place_of, GUINT_TO_POINTER (waits[i].waiter),
                           GUINT_TO_POINTER (place + 1));
      if (place < MAX_THREADS)
        self->threads[place] = waits[i].waiter;
    }
}

static void
find_mutual (Relations *self, const Wait *waits, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      guint waiter = get_place (self, waits[i].waiter), waker = get_place (self, waits[i].waker);

      if (waiter < MAX_THREADS && waker < MAX_THREADS && self->n_ended[waker][waiter] < G_MAXUINT16)
        self->n_ended[waker][waiter]++;
    }
  for (guint i = 0; i < MAX_THREADS; i++)
    for (guint k = 0; k < MAX_THREADS; k++)
      if (self->n_ended[i][k] >= MIN_ENDED && self->n_ended[k][i] >= MIN_ENDED)
        self->mutual[i] |= G_GUINT64_CONSTANT (1) << k;
}

/* Whether the thread is one of three that end waits of each other. */
static gboolean
is_one_of_three (const Relations *self, guint place)
{
  for (guint k = 0; k < MAX_THREADS; k++)
    if ((self->mutual[place] >> k & 1) != 0 && (self->mutual[place] & self->mutual[k]) != 0)
      return TRUE;
  return FALSE;
}

/* Whether the thread ends waits of a thread that is one of three, so that it has the lock, too,
 * although it may have waited only a few times. */
static gboolean
is_holder (const Relations *self, guint64 three, guint place)
{
  for (guint k = 0; k < MAX_THREADS; k++)
    if ((three >> k & 1) != 0 && self->n_ended[place][k] >= MIN_ENDED)
      return TRUE;
  return FALSE;
}

/* The threads of a class that hand a lock to each other, as far as their relations show; 0: fewer
 * than three. */
static guint64
find_members (const Relations *self)
{
  guint64 three = 0, members;

  for (guint i = 0; i < MAX_THREADS; i++)
    if (is_one_of_three (self, i))
      three |= G_GUINT64_CONSTANT (1) << i;
  members = three;
  for (guint i = 0; i < MAX_THREADS; i++)
    if (is_holder (self, three, i))
      members |= G_GUINT64_CONSTANT (1) << i;
  return members;
}

static gboolean
is_member (const Relations *self, guint64 members, guint32 thread)
{
  guint place = get_place (self, thread);

  return place < MAX_THREADS && (members >> place & 1) != 0;
}

/* Moves the waits of members to the front, if is_among only those for members. Returns their
 * number. */
static gsize
choose_waits (const Relations *self, guint64 members, gboolean is_among, Wait *waits, gsize n)
{
  gsize n_chosen = 0;

  for (gsize i = 0; i < n; i++)
    if (is_member (self, members, waits[i].waiter)
        && (!is_among || is_member (self, members, waits[i].waker)))
      {
        Wait wait = waits[i];

        waits[i] = waits[n_chosen];
        waits[n_chosen++] = wait;
      }
  return n_chosen;
}

static guint
count_bits (guint64 bits)
{
  guint n = 0;

  for (; bits != 0; bits &= bits - 1)
    n++;
  return n;
}

/* Adds the threads whose waits in a class are for a lock. Changes the order of the waits. */
static void
examine_class (TbExclusiveLocks *self, Relations *relations, Wait *waits, gsize n)
{
  guint32 class = waits[0].class;
  guint64 members;

  memset (relations->n_ended, 0, sizeof relations->n_ended);
  memset (relations->mutual, 0, sizeof relations->mutual);
  g_hash_table_remove_all (relations->place_of);
  find_threads (relations, waits, n);
  if (g_hash_table_size (relations->place_of) < 3)
    return;
  find_mutual (relations, waits, n);
  members = find_members (relations);
  n = choose_waits (relations, members, FALSE, waits, n);
  if (n == 0 || is_idle (waits, n, count_bits (members)))
    return;
  qsort (waits, n, sizeof *waits, compare_by_class);
  n = choose_waits (relations, members, TRUE, waits, n);
  if (is_signalled (waits, n))
    return;
  for (guint i = 0; i < MAX_THREADS; i++)
    if ((members >> i & 1) != 0)
      {
        gint64 key = (gint64) ((guint64) class << 32 | relations->threads[i]);

        g_hash_table_add (self->found, g_memdup2 (&key, sizeof key));
      }
}

static void
examine_classes (TbExclusiveLocks *self, GArray *waits)
{
  g_autofree Relations *relations = g_new (Relations, 1);
  guint end;

  relations->place_of = g_hash_table_new (NULL, NULL);
  g_array_sort (waits, compare_by_class);
  for (guint i = 0; i < waits->len; i = end)
    {
      Wait *first = &g_array_index (waits, Wait, i);

      for (end = i + 1; end < waits->len; end++)
        if (g_array_index (waits, Wait, end).class != first->class)
          break;
      examine_class (self, relations, first, end - i);
    }
  g_hash_table_unref (relations->place_of);
}

/**
 * tb_exclusive_locks_new: (skip)
 * @trace: a trace
 * @uses: (transfer none): the uses of its waits, kept until the locks are freed
 * @threads: by thread: whether it is examined
 *
 * Finds locks by how the waits for them end.
 *
 * Returns: (transfer full): the locks
 */
TbExclusiveLocks *
tb_exclusive_locks_new (TbTrace *trace, TbLockUses *uses, const guint8 *threads)
{
  TbExclusiveLocks *self;
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  guint n_threads;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  self = g_new0 (TbExclusiveLocks, 1);
  self->trace = g_object_ref (trace);
  self->uses = uses;
  tb_trace_get_locks (trace, &self->n_locks);
  self->class_of = g_new (guint32, MAX (self->n_locks, 1));
  memset (self->class_of, 0xff, sizeof *self->class_of * self->n_locks);
  self->classes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->found = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  for (guint32 thread = 1; thread < n_threads; thread++)
    if (threads[thread])
      add_thread (self, thread, waits);
  examine_classes (self, waits);
  return self;
}

/**
 * tb_exclusive_locks_free: (skip)
 * @self: (transfer full): locks
 *
 * Frees them.
 */
void
tb_exclusive_locks_free (TbExclusiveLocks *self)
{
  g_object_unref (self->trace);
  g_free (self->class_of);
  g_hash_table_unref (self->classes);
  g_hash_table_unref (self->found);
  g_free (self);
}

/**
 * tb_exclusive_locks_has: (skip)
 * @self: locks
 * @interval: a wait
 *
 * Gets whether a wait is for one of these locks.
 *
 * Returns: whether the wait is for one of these locks
 */
gboolean
tb_exclusive_locks_has (const TbExclusiveLocks *self, gsize interval)
{
  guint32 lock;
  gint64 key;

  if (g_hash_table_size (self->found) == 0)
    return FALSE;
  lock = tb_trace_get_lock (self->trace, interval);
  if (lock >= self->n_locks || self->class_of[lock] == TB_ID_NONE)
    return FALSE;
  key = (gint64) ((guint64) self->class_of[lock] << 32
                  | tb_trace_get_intervals (self->trace)->thread[interval]);
  return g_hash_table_contains (self->found, &key) && is_candidate (self, interval);
}
