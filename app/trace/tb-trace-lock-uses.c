/* tb-trace-lock-uses.c: use of a lock (mutex, semaphore, condition, end of a thread, file) that a
 * wait shows by its functions and by the operation of its system call; check whether a thread ends
 * at about a time, for joins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-libc-names-private.h"
#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-lock-uses.h"
#include "trace/tb-trace-locks-private.h"
#include "trace/tb-trace-stacks-private.h"

/* Maximum depth to which a stack is read, as for the names of its functions. */
#define MAX_DEPTH 4096
#define MAX_END_DISTANCE 1000000 /* ns */
/* Most intervals in which an exiting thread is looked for in other work. */
#define MAX_EXIT_INTERVALS 256

/* Operations of futex(), which are the same on all systems (linux/futex.h). */
#define FUTEX_COMMAND 127u
#define FUTEX_WAITS 0u
#define FUTEX_LOCKS_PI 6u
#define FUTEX_WAITS_BITSET 9u
#define FUTEX_WAITS_REQUEUE_PI 11u
#define FUTEX_LOCKS_PI2 13u
#define FUTEX_PRIVATE 128u
#define FUTEX_REALTIME 256u

typedef struct
{
  const char *part;
  TbLockUse use;
} FunctionUse;

struct _TbLockUses
{
  TbTrace *trace;
  const TbLock *locks;
  guint n_locks;
  const TbStackColumns *stacks;
  guint16 *use_of_frame;    /* IS_KNOWN | flags | what it makes | TbLockUse; 0: not sought yet */
  GHashTable *use_of_stack; /* stack → likewise */
  guint8 *use_of_interval;  /* 1 + TbLockUse; 0: not sought yet */
  GBytes *timeouts;         /* column of the sleeps; NULL: none */
  guint8 *is_for_ends;      /* by lock; NULL: not computed yet */
};

#define USE_MASK 0xfu
#define MADE_SHIFT 4
#define MADE_MASK (USE_MASK << MADE_SHIFT)
#define IS_PARKED 0x100u
#define IS_CONDITION 0x200u
#define IS_KNOWN 0x400u

G_STATIC_ASSERT (TB_N_LOCK_USES <= USE_MASK + 1);

/* Functions of run-time libraries that make locks from conditions, or conditions from locks, so
 * that the function that they call does not show the use. Only for the C library's own functions
 * below them. */
static const FunctionUse makers[] = {
  /* Java: every thread sleeps on a condition of its own */
  { "ObjectMonitor::enter", TB_LOCK_USE_MUTEX },
  { "ObjectMonitor::EnterI", TB_LOCK_USE_MUTEX },
  { "ObjectMonitor::ReenterI", TB_LOCK_USE_MUTEX },
  { "ObjectMonitor::wait", TB_LOCK_USE_CONDITION },
  { "complete_monitor_locking", TB_LOCK_USE_MUTEX },
  /* Python: the interpreter's lock is a condition with a timeout */
  { "take_gil", TB_LOCK_USE_MUTEX },
  { "PyMutex_Lock", TB_LOCK_USE_MUTEX },
  { "PyEvent_Wait", TB_LOCK_USE_CONDITION },
  { "parking_lot::raw_mutex", TB_LOCK_USE_MUTEX },
  { "parking_lot::raw_rwlock", TB_LOCK_USE_MUTEX },
};

/* Functions in which a thread sleeps on a word of its own, and functions that make such words. */
static const char *const parkers[] = {
  "_PyParkingLot_Park",  "_PySemaphore_Wait",    "_PySemaphore_Init",     "ParkingLot::park",
  "parking_lot_core",    "thread::park",         "Parker::park",          "ParkEvent::park",
  "PlatformEvent::park", "ObjectMonitor::enter", "ObjectMonitor::EnterI", "ObjectMonitor::ReenterI",
  "ObjectMonitor::wait",
};

/* Functions that wait for a lock by a condition. */
static const char *const conditions[] = { "take_gil" };

static const FunctionUse parts[] = {
  { "cond_wait", TB_LOCK_USE_CONDITION },
  { "cond_timedwait", TB_LOCK_USE_CONDITION },
  { "cond_clockwait", TB_LOCK_USE_CONDITION },
  { "cnd_wait", TB_LOCK_USE_CONDITION },
  { "cnd_timedwait", TB_LOCK_USE_CONDITION },
  { "condition_variable", TB_LOCK_USE_CONDITION },
  { "condvar", TB_LOCK_USE_CONDITION },
  { "CondVar::Wait", TB_LOCK_USE_CONDITION },
  { "Condvar::wait", TB_LOCK_USE_CONDITION },
  { "barrier_wait", TB_LOCK_USE_CONDITION },
  { "Parker::park", TB_LOCK_USE_CONDITION },
  { "thread::park", TB_LOCK_USE_CONDITION },
  { "runtime.notesleep", TB_LOCK_USE_CONDITION },
  { "runtime.notetsleep", TB_LOCK_USE_CONDITION },
  { "pthread_join", TB_LOCK_USE_JOIN },
  { "pthread_clockjoin", TB_LOCK_USE_JOIN },
  { "pthread_timedjoin", TB_LOCK_USE_JOIN },
  { "sem_wait", TB_LOCK_USE_SEMAPHORE },
  { "sem_timedwait", TB_LOCK_USE_SEMAPHORE },
  { "sem_clockwait", TB_LOCK_USE_SEMAPHORE },
  { "mutex", TB_LOCK_USE_MUTEX },
  { "Mutex::", TB_LOCK_USE_MUTEX },
  { "lll_lock", TB_LOCK_USE_MUTEX },
  { "rwlock", TB_LOCK_USE_MUTEX },
  { "runtime.lock", TB_LOCK_USE_MUTEX },
};

static gboolean
has_part (const char *function, const char *const *list, guint n)
{
  for (guint i = 0; i < n; i++)
    if (strstr (function, list[i]) != NULL)
      return TRUE;
  return FALSE;
}

static TbLockUse
find_part (const char *function, const FunctionUse *list, guint n)
{
  for (guint i = 0; i < n; i++)
    if (strstr (function, list[i].part) != NULL)
      return list[i].use;
  return TB_LOCK_USE_UNKNOWN;
}

/**
 * tb_lock_use_from_function:
 * @function: the name of a function
 *
 * Gets the use of a lock that the name of a function indicates, for a function in which a thread
 * sleeps or one of its callers. If one of these functions indicates a condition or a join, that is
 * the use of the lock; otherwise any other use found is.
 *
 * Returns: the use of a lock for which a thread sleeps in that function or in one that it called
 */
TbLockUse
tb_lock_use_from_function (const char *function)
{
  g_return_val_if_fail (function != NULL, TB_LOCK_USE_UNKNOWN);

  return find_part (function, parts, G_N_ELEMENTS (parts));
}

/**
 * tb_trace_is_thread_ending:
 * @self: a trace
 * @thread: a thread of its session
 * @time: a time
 *
 * Gets whether a thread ends at about a time. The kernel wakes the waiter of a join shortly before
 * the thread is gone.
 *
 * Returns: whether the thread ends at about that time
 */
gboolean
tb_trace_is_thread_ending (TbTrace *self, guint32 thread, gint64 time)
{
  guint n_threads;
  const TbThread *threads;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  threads = tb_session_get_threads (tb_trace_get_session (self), &n_threads);
  return thread < n_threads && threads[thread].end != TB_TIME_NONE
         && threads[thread].end >= time - MAX_END_DISTANCE
         && threads[thread].end <= time + MAX_END_DISTANCE;
}

/**
 * tb_lock_uses_new: (skip)
 * @trace: a trace
 *
 * Creates the uses of the waits of a trace.
 *
 * Returns: (transfer full): the uses of its waits
 */
TbLockUses *
tb_lock_uses_new (TbTrace *trace)
{
  TbLockUses *self = g_new0 (TbLockUses, 1);

  self->trace = g_object_ref (trace);
  self->locks = tb_trace_get_locks (trace, &self->n_locks);
  self->stacks = tb_trace_peek_stacks (trace);
  self->use_of_frame = g_new0 (guint16, MAX (self->stacks->n_frames, 1));
  self->use_of_interval = g_new0 (guint8, MAX (tb_trace_get_intervals (trace)->n, 1));
  self->use_of_stack = g_hash_table_new (NULL, NULL);
  if (tb_table_get_n_rows (tb_session_get_table (tb_trace_get_session (trace), TB_TABLE_SLEEP)) > 0)
    self->timeouts = tb_trace_read_column (trace, TB_TABLE_SLEEP, TB_SLEEP_TIMEOUT);
  return self;
}

/**
 * tb_lock_uses_free: (skip)
 * @self: (transfer full): uses of waits
 *
 * Frees the uses.
 */
void
tb_lock_uses_free (TbLockUses *self)
{
  g_free (self->use_of_frame);
  g_free (self->use_of_interval);
  g_hash_table_unref (self->use_of_stack);
  g_clear_pointer (&self->timeouts, g_bytes_unref);
  g_free (self->is_for_ends);
  g_object_unref (self->trace);
  g_free (self);
}

/**
 * tb_lock_use_has_holder:
 * @use: a use
 *
 * Gets whether a use is that of a lock which one thread holds while others wait for it.
 *
 * Returns: whether it is a mutex or the lock of a file. Conditions and joins are no locks: threads
 *   wait there for work and for ends
 */
gboolean
tb_lock_use_has_holder (TbLockUse use)
{
  return use == TB_LOCK_USE_MUTEX || use == TB_LOCK_USE_FILE;
}

/**
 * tb_lock_use_is_vague:
 * @use: a use
 *
 * Gets whether a wait does not show what its lock is used for.
 *
 * Returns: whether the use is not known, or may be one of several
 */
gboolean
tb_lock_use_is_vague (TbLockUse use)
{
  return use == TB_LOCK_USE_UNKNOWN || use == TB_LOCK_USE_NO_MUTEX;
}

/* Adds what a function shows to what those further inside do. Of uses, and of what libraries make,
 * the innermost counts. */
static guint
add_function (guint found, const char *function)
{
  if (has_part (function, parkers, G_N_ELEMENTS (parkers)))
    found |= IS_PARKED;
  if (has_part (function, conditions, G_N_ELEMENTS (conditions)))
    found |= IS_CONDITION;
  if ((found & MADE_MASK) == 0)
    found |= find_part (function, makers, G_N_ELEMENTS (makers)) << MADE_SHIFT;
  if ((found & USE_MASK) == 0)
    found |= tb_lock_use_from_function (function);
  return found;
}

static guint
find_use_of_frame (TbLockUses *self, guint32 frame)
{
  const char *module = tb_trace_peek_module (self->trace, self->stacks, frame);
  TbFrameName own;
  guint n, found = 0;
  const TbFrameName *names = tb_trace_peek_names (self->trace, self->stacks, frame, &own, &n);

  if (names == NULL)
    {
      g_autoptr (GString) place = g_string_new (NULL);

      tb_trace_format_place (self->trace, self->stacks, frame, place);
      return add_function (found, place->str);
    }
  for (guint i = 0; i < n; i++)
    found = add_function (found, tb_get_libc_name (names[i].function, module));
  return found;
}

static guint
get_use_of_frame (TbLockUses *self, guint32 frame)
{
  if (self->use_of_frame[frame] == 0)
    self->use_of_frame[frame] = IS_KNOWN | find_use_of_frame (self, frame);
  return self->use_of_frame[frame];
}

/* What the frames of a stack show, from the innermost on. */
static guint
find_use_of_stack (TbLockUses *self, guint32 stack)
{
  const TbStackColumns *stacks = self->stacks;
  guint found = 0;

  for (guint depth = 0; stack != TB_STACK_NONE && stack < stacks->n_stacks && depth < MAX_DEPTH;
       depth++, stack = stacks->parent[stack])
    {
      guint of = stacks->frame[stack] < stacks->n_frames
                     ? get_use_of_frame (self, stacks->frame[stack])
                     : 0;

      found |= of & (IS_PARKED | IS_CONDITION);
      found |= (found & MADE_MASK) == 0 ? of & MADE_MASK : 0;
      found |= (found & USE_MASK) == 0 ? of & USE_MASK : 0;
    }
  return found;
}

/* TbLockUse, and flags. A condition by which a library makes a lock is one. */
static guint
get_use_of_stack (TbLockUses *self, guint32 stack)
{
  guint known, made;

  if (stack == TB_STACK_NONE)
    return TB_LOCK_USE_UNKNOWN;
  known = GPOINTER_TO_UINT (g_hash_table_lookup (self->use_of_stack, GUINT_TO_POINTER (stack)));
  if (known == 0)
    {
      known = IS_KNOWN | find_use_of_stack (self, stack);
      g_hash_table_insert (self->use_of_stack, GUINT_TO_POINTER (stack), GUINT_TO_POINTER (known));
    }
  made = (known & MADE_MASK) >> MADE_SHIFT;
  return (known & (IS_PARKED | IS_CONDITION)) | (made != 0 ? made : known & USE_MASK);
}

static gboolean
has_timeout (const TbLockUses *self, gsize interval)
{
  guint32 sleep = tb_trace_get_intervals (self->trace)->sleep[interval];
  gsize size = 0;
  const gint64 *timeouts = self->timeouts != NULL ? g_bytes_get_data (self->timeouts, &size) : NULL;

  return sleep < size / sizeof *timeouts && timeouts[sleep] >= 0;
}

/* Whether a thread does nothing but exit from a time on. It may wait for a CPU meanwhile, so that
 * it ends long after it woke the waiter. */
static gboolean
is_exiting (TbTrace *trace, guint32 thread, gint64 time)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  gssize row = tb_trace_find_interval (trace, thread, time);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  gsize first, n;

  if (tb_trace_is_thread_ending (trace, thread, time))
    return TRUE;
  if (row < 0 || thread >= n_threads || threads[thread].end == TB_TIME_NONE
      || threads[thread].end < time)
    return FALSE;
  tb_trace_get_thread_intervals (trace, thread, &first, &n);
  for (guint i = 0; (gsize) row < first + n; i++, row++)
    if (i == MAX_EXIT_INTERVALS || intervals->state[row] == TB_STATE_INTERRUPTIBLE)
      return FALSE;
  return TRUE;
}

/* Whether an exiting thread ended a wait for a word that only this process has, in the way of
 * shared memory: so the kernel wakes the threads that wait for the end of a thread. */
static gboolean
is_join (TbLockUses *self, gsize interval, const TbLock *lock, guint32 operation)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  guint32 command = operation & FUTEX_COMMAND;

  return (operation & FUTEX_PRIVATE) == 0
         && (command == FUTEX_WAITS || command == FUTEX_WAITS_BITSET) && lock->process != TB_ID_NONE
         && lock->place == TB_ID_NONE && intervals->cause_kind[interval] == TB_CAUSE_THREAD
         && is_exiting (self->trace, intervals->cause[interval], intervals->end[interval]);
}

/* What the operation excludes or proves. In glibc all but mutexes wait until a time of a clock, by
 * FUTEX_WAIT_BITSET, where without a timeout the clock is the real time. Others take locks by it
 * without a timeout. */
static TbLockUse
get_use_of_operation (TbLockUses *self, gsize interval, const TbLock *lock)
{
  guint32 operation;

  if (!tb_trace_find_operation (self->trace, interval, &operation))
    return TB_LOCK_USE_UNKNOWN;
  switch (operation & FUTEX_COMMAND)
    {
    case FUTEX_LOCKS_PI:
    case FUTEX_LOCKS_PI2:
      return TB_LOCK_USE_MUTEX;
    case FUTEX_WAITS_REQUEUE_PI:
      return TB_LOCK_USE_CONDITION;
    default:
      break;
    }
  if (is_join (self, interval, lock, operation))
    return TB_LOCK_USE_JOIN;
  return (operation & FUTEX_COMMAND) == FUTEX_WAITS_BITSET
                 && ((operation & FUTEX_REALTIME) != 0 || has_timeout (self, interval))
             ? TB_LOCK_USE_NO_MUTEX
             : TB_LOCK_USE_UNKNOWN;
}

static TbLockUse
find_use (TbLockUses *self, gsize interval, guint32 lock)
{
  TbLockUse use;

  if (self->locks[lock].kind != TB_LOCK_WORD)
    return self->locks[lock].kind == TB_LOCK_FILE ? TB_LOCK_USE_FILE : TB_LOCK_USE_SEMAPHORE;
  use = get_use_of_stack (self, tb_trace_get_intervals (self->trace)->stack[interval]) & USE_MASK;
  return use != TB_LOCK_USE_UNKNOWN ? use
                                    : get_use_of_operation (self, interval, &self->locks[lock]);
}

/**
 * tb_lock_uses_get: (skip)
 * @self: uses of waits
 * @interval: a wait for a lock
 *
 * Gets the use that a wait alone shows: by the functions in its stack, from the innermost on, else
 * by the operation of its system call. Waits for one lock may show several: a program may sleep on
 * one word for a lock as well as for a condition.
 *
 * Returns: the use of the lock that this wait shows
 */
TbLockUse
tb_lock_uses_get (TbLockUses *self, gsize interval)
{
  guint32 lock = tb_trace_get_lock (self->trace, interval);

  if (lock >= self->n_locks)
    return TB_LOCK_USE_UNKNOWN;
  if (self->use_of_interval[interval] == 0)
    self->use_of_interval[interval] = 1 + find_use (self, interval, lock);
  return self->use_of_interval[interval] - 1;
}

/* Whether the function that made a lock makes words on which one thread sleeps. */
static gboolean
is_made_for_one (TbLockUses *self, guint32 lock)
{
  guint32 origin = tb_trace_get_lock_origin (self->trace, lock);

  return (get_use_of_stack (self, origin) & IS_PARKED) != 0;
}

/**
 * tb_lock_uses_is_parked: (skip)
 * @self: uses of waits
 * @interval: a wait for a lock
 *
 * Gets whether a thread sleeps on a word of its own, on which no other thread ever waits, as in a
 * parking lot. Such words are as many as there are waiters: how many locks they are for is not
 * known.
 *
 * Returns: whether the thread sleeps on a word of its own
 */
gboolean
tb_lock_uses_is_parked (TbLockUses *self, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  guint32 lock = tb_trace_get_lock (self->trace, interval);

  return lock < self->n_locks && self->locks[lock].kind == TB_LOCK_WORD
         && ((get_use_of_stack (self, intervals->stack[interval]) & IS_PARKED) != 0
             || is_made_for_one (self, lock));
}

/**
 * tb_lock_uses_is_condition: (skip)
 * @self: uses of waits
 * @interval: a wait for a lock
 *
 * Gets whether a library makes a lock of a condition in a wait. Such a lock has two neighbouring
 * words.
 *
 * Returns: whether a library makes a lock of a condition in this wait
 */
gboolean
tb_lock_uses_is_condition (TbLockUses *self, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);

  return (get_use_of_stack (self, intervals->stack[interval]) & IS_CONDITION) != 0;
}

static void
find_for_ends (TbLockUses *self)
{
  const TbIntervals *rows = tb_trace_get_intervals (self->trace);
  g_autofree guint8 *is_other = g_new0 (guint8, (gsize) self->n_locks + 1);

  self->is_for_ends = g_new0 (guint8, (gsize) self->n_locks + 1);
  for (gsize row = 0; row < rows->n; row++)
    {
      guint32 lock = rows->state[row] >= TB_STATE_INTERRUPTIBLE
                         ? tb_trace_get_lock (self->trace, row)
                         : TB_ID_NONE;

      if (lock >= self->n_locks)
        continue;
      if (rows->cause_kind[row] == TB_CAUSE_THREAD
          && tb_trace_is_thread_ending (self->trace, rows->cause[row], rows->end[row]))
        self->is_for_ends[lock] = TRUE;
      else
        is_other[lock] = TRUE;
    }
  for (guint32 lock = 0; lock < self->n_locks; lock++)
    self->is_for_ends[lock]
        = self->is_for_ends[lock] && !is_other[lock] && self->locks[lock].place == TB_ID_NONE;
}

/**
 * tb_lock_uses_is_for_ends:
 * @self: the uses of the waits of a trace
 * @lock: a lock
 *
 * Gets whether threads wait with a lock for the ends of others. When a thread exits, the kernel
 * sets a word and wakes those that wait for it. Where no function shows the use of a word, one that
 * is in no variable and was never used otherwise is for ends.
 *
 * Returns: whether only exiting threads ended waits for a word that is in no variable
 */
gboolean
tb_lock_uses_is_for_ends (TbLockUses *self, guint32 lock)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (self->is_for_ends == NULL)
    find_for_ends (self);
  return lock < self->n_locks && self->is_for_ends[lock];
}
