/* tb-trace-locks.c: list of the locks that threads slept for or requested in vain, with the stacks
 * that created each (from tb-trace-lock-origins) and slept longest for it; the lock, system call,
 * its operation and page-fault offset of a single sleep
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-lock-calls-private.h"
#include "trace/tb-trace-lock-origins-private.h"
#include "trace/tb-trace-locks-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-stacks-private.h"

struct _TbLocks
{
  GArray *locks;          /* TbLock */
  guint32 *lock_of_sleep; /* lock by row of the sleep table, TB_ID_NONE if none */
  /* without sleeps: futex() calls of the waits, and the lock by interval; NULL: none */
  TbLockCalls *lock_calls;
  guint32 *lock_of_interval;
  GHashTable *file_locks; /* host << 32 | file → 1 + lock, of requests that did not succeed */
  /* by lock: guint32, the stack that created it, TB_STACK_NONE if not recorded */
  GArray *origins;
  /* by lock: the stack in which threads slept longest for it, TB_STACK_NONE if unknown */
  guint32 *stacks;
  guint64 n_sleeps;
  gboolean has_origins;
  GBytes *calls; /* column of system calls, as the next */
  GBytes *objects;
  GBytes *addresses;
  GBytes *offsets;
  GBytes *operations;
};

/* Key that identifies a lock. */
typedef struct
{
  guint32 kind;   /* TbLockKind */
  guint32 owner;  /* process, or the host for a shared lock */
  guint32 object; /* file of a shared lock, else TB_ID_NONE */
  guint32 origin; /* stack that created it: memory is reused */
  guint64 at;     /* address, or offset in the file for a shared lock */
} Key;

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint64 hash = key->at * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash ^= (key->origin + ((guint64) key->kind << 32)) * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f);
  hash ^= ((guint64) key->owner << 32 | key->object) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return (guint) (hash >> 32);
}

static gboolean
keys_are_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->kind == y->kind && x->owner == y->owner && x->object == y->object && x->at == y->at
         && x->origin == y->origin;
}

typedef struct
{
  GBytes *bytes[TB_SLEEP_N_COLUMNS];
  guint64 n;
  const gint64 *time;
  const guint32 *thread;
  const guint8 *kind;
  const guint32 *object;
  const guint64 *address;
  const guint64 *offset;
  const guint32 *place;
} Sleeps;

static void
sleeps_clear (Sleeps *self)
{
  for (guint i = 0; i < TB_SLEEP_N_COLUMNS; i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sleeps, sleeps_clear)

/* A damaged column results in no locks; tb_trace_check() reports it. */
static void
sleeps_load (Sleeps *self, TbTrace *trace)
{
  static const TbSleepColumn wanted[]
      = { TB_SLEEP_TIME,    TB_SLEEP_THREAD, TB_SLEEP_KIND,  TB_SLEEP_CALL,     TB_SLEEP_OBJECT,
          TB_SLEEP_ADDRESS, TB_SLEEP_OFFSET, TB_SLEEP_FRAME, TB_SLEEP_OPERATION };

  self->n = tb_table_get_n_rows (tb_session_get_table (trace->session, TB_TABLE_SLEEP));
  for (guint i = 0; i < G_N_ELEMENTS (wanted) && self->n > 0; i++)
    {
      self->bytes[wanted[i]] = tb_trace_read_column (trace, TB_TABLE_SLEEP, wanted[i]);
      if (self->bytes[wanted[i]] == NULL)
        self->n = 0;
    }
  if (self->n == 0)
    return;
  self->time = g_bytes_get_data (self->bytes[TB_SLEEP_TIME], NULL);
  self->thread = g_bytes_get_data (self->bytes[TB_SLEEP_THREAD], NULL);
  self->kind = g_bytes_get_data (self->bytes[TB_SLEEP_KIND], NULL);
  self->object = g_bytes_get_data (self->bytes[TB_SLEEP_OBJECT], NULL);
  self->address = g_bytes_get_data (self->bytes[TB_SLEEP_ADDRESS], NULL);
  self->offset = g_bytes_get_data (self->bytes[TB_SLEEP_OFFSET], NULL);
  self->place = g_bytes_get_data (self->bytes[TB_SLEEP_FRAME], NULL);
}

/* A futex in shared memory without a known file is treated as private to each process: it must not
 * be mistaken for another lock. The heap and stacks are private, also if the futex was used as
 * those in shared memory are. */
static gboolean
is_shared (TbTrace *trace, const Sleeps *sleeps, guint64 row)
{
  return sleeps->kind[row] == TB_SLEEP_SHARED_LOCK && sleeps->object[row] != TB_STRING_NONE
         && tb_session_get_string (trace->session, sleeps->object[row])[0] != '[';
}

/* A variable or a lock in a file has a name of its own, regardless of its creator. */
static guint32
find_origin (TbTrace *trace,
             const TbLockOrigins *origins,
             const Sleeps *sleeps,
             guint64 row,
             guint32 process)
{
  if (origins == NULL || is_shared (trace, sleeps, row) || sleeps->place[row] != TB_ID_NONE)
    return TB_STACK_NONE;
  return tb_lock_origins_find (origins, process, sleeps->address[row], sleeps->time[row]);
}

static guint32
add_lock (TbLocks *self, GHashTable *known, Key key, TbLock lock)
{
  gpointer found;

  if (g_hash_table_lookup_extended (known, &key, NULL, &found))
    {
      TbLock *first = &g_array_index (self->locks, TbLock, GPOINTER_TO_UINT (found));

      /* The mappings may not have been known at the first sleep. */
      if (first->place == TB_ID_NONE && lock.place != TB_ID_NONE)
        {
          first->place = lock.place;
          first->offset = lock.offset;
        }
      if (first->object == TB_STRING_NONE)
        first->object = lock.object;
      return GPOINTER_TO_UINT (found);
    }
  g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->locks->len));
  g_array_append_val (self->locks, lock);
  g_array_append_val (self->origins, key.origin);
  return self->locks->len - 1;
}

static guint32
find_word (TbLocks *self,
           GHashTable *known,
           TbTrace *trace,
           const Sleeps *sleeps,
           guint64 row,
           guint32 process,
           guint32 host,
           guint32 origin)
{
  gboolean shared = is_shared (trace, sleeps, row);
  Key key = { TB_LOCK_WORD, shared ? host : process, shared ? sleeps->object[row] : TB_ID_NONE,
              origin, shared ? sleeps->offset[row] : sleeps->address[row] };
  TbLock lock = {
    .process = shared ? TB_ID_NONE : process,
    .place = sleeps->place[row],
    .object = sleeps->object[row],
    .address = sleeps->address[row],
    .offset = sleeps->offset[row],
    .kind = TB_LOCK_WORD,
  };

  return add_lock (self, known, key, lock);
}

/* A file without a known path is no known lock. */
static guint32
find_file (TbLocks *self, GHashTable *known, guint32 file, guint32 host)
{
  Key key = { TB_LOCK_FILE, host, file, TB_STACK_NONE, 0 };
  TbLock lock
      = { .process = TB_ID_NONE, .place = TB_ID_NONE, .object = file, .kind = TB_LOCK_FILE };

  return file != TB_STRING_NONE ? add_lock (self, known, key, lock) : TB_ID_NONE;
}

static guint32
find_semaphore (TbLocks *self, GHashTable *known, guint64 number, guint32 host)
{
  Key key = { TB_LOCK_SEMAPHORE, host, TB_ID_NONE, TB_STACK_NONE, number };
  TbLock lock = {
    .process = TB_ID_NONE, .place = TB_ID_NONE, .address = number, .kind = TB_LOCK_SEMAPHORE
  };

  return add_lock (self, known, key, lock);
}

/* Without sleeps: the locks of the calls in which threads wait. It is not known which memory
 * processes share: each has locks of its own. */
static void
find_locks_of_calls (TbLocks *self, GHashTable *known, TbTrace *trace)
{
  const TbIntervals *rows = &trace->intervals;
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (trace->session, &n_threads);

  self->lock_calls = tb_lock_calls_new (trace);
  if (self->lock_calls == NULL)
    return;
  self->lock_of_interval = g_new (guint32, rows->n);
  for (gsize i = 0; i < rows->n; i++)
    {
      guint64 address = self->lock_calls->addresses[i];
      guint32 process = rows->thread[i] < n_threads ? threads[rows->thread[i]].process : TB_ID_NONE;
      Key key = { TB_LOCK_WORD, process, TB_ID_NONE, TB_STACK_NONE, address };
      TbLock lock = { .process = process,
                      .place = TB_ID_NONE,
                      .object = TB_STRING_NONE,
                      .address = address,
                      .kind = TB_LOCK_WORD };

      self->lock_of_interval[i]
          = address != 0 && process != TB_ID_NONE ? add_lock (self, known, key, lock) : TB_ID_NONE;
    }
}

static guint32
get_host (TbTrace *trace, guint32 thread)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (trace->session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (trace->session, &n_processes);
  guint32 process = thread < n_threads ? threads[thread].process : TB_ID_NONE;

  return process < n_processes ? processes[process].host : TB_ID_NONE;
}

static gint64
make_file_key (guint32 host, guint32 file)
{
  return (gint64) ((guint64) host << 32 | file);
}

/* The locks of the files that threads requested in vain. A damaged column means that there are
 * none; tb_trace_check() reports it. */
static void
find_requested_files (TbLocks *self, GHashTable *known, TbTrace *trace)
{
  gsize n = tb_table_get_n_rows (tb_session_get_table (trace->session, TB_TABLE_FILE_LOCK));
  g_autoptr (GBytes) results = NULL, files = NULL, threads = NULL;

  self->file_locks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (n == 0)
    return;
  results = tb_trace_read_column (trace, TB_TABLE_FILE_LOCK, TB_FILE_LOCK_RESULT);
  files = tb_trace_read_column (trace, TB_TABLE_FILE_LOCK, TB_FILE_LOCK_FILE);
  threads = tb_trace_read_column (trace, TB_TABLE_FILE_LOCK, TB_FILE_LOCK_THREAD);
  if (results == NULL || files == NULL || threads == NULL)
    return;
  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    {
      guint8 result = ((const guint8 *) g_bytes_get_data (results, NULL))[i];
      guint32 file = ((const guint32 *) g_bytes_get_data (files, NULL))[i];
      guint32 host = get_host (trace, ((const guint32 *) g_bytes_get_data (threads, NULL))[i]);
      gint64 key = make_file_key (host, file);

      if ((result == TB_FILE_LOCK_WAITS || result == TB_FILE_LOCK_REFUSED) && file != TB_STRING_NONE
          && !g_hash_table_contains (self->file_locks, &key))
        g_hash_table_insert (self->file_locks, g_memdup2 (&key, sizeof key),
                             GUINT_TO_POINTER (1 + find_file (self, known, file, host)));
    }
}

static guint32
get_file_lock (const TbLocks *self, TbTrace *trace, guint32 thread, guint32 file)
{
  gint64 key = make_file_key (get_host (trace, thread), file);

  if (self->file_locks == NULL)
    return TB_ID_NONE;
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->file_locks, &key)) - 1;
}

/* Where no sleep was recorded, the object of a wait for a lock is the file. */
static void
find_locks_of_waits (TbLocks *self, TbTrace *trace)
{
  const TbIntervals *rows = &trace->intervals;

  if (g_hash_table_size (self->file_locks) == 0)
    return;
  if (self->lock_of_interval == NULL)
    {
      self->lock_of_interval = g_new (guint32, rows->n);
      memset (self->lock_of_interval, 0xff, rows->n * sizeof *self->lock_of_interval);
    }
  for (gsize i = 0; i < rows->n; i++)
    if (rows->kind[i] == TB_WAIT_LOCK && rows->sleep[i] == TB_ID_NONE
        && rows->object[i] != TB_STRING_NONE)
      self->lock_of_interval[i] = get_file_lock (self, trace, rows->thread[i], rows->object[i]);
}

/* The lock of an interval, TB_ID_NONE if none. */
static guint32
get_lock (const TbLocks *self, const TbIntervals *rows, gsize interval)
{
  if (rows->sleep[interval] < self->n_sleeps)
    return self->lock_of_sleep[rows->sleep[interval]];
  return self->lock_of_interval != NULL ? self->lock_of_interval[interval] : TB_ID_NONE;
}

/* For each lock, the stack in which threads slept longest for it. */
static guint32 *
find_stacks (const TbLocks *self, const TbIntervals *rows)
{
  guint32 *stacks = g_new (guint32, self->locks->len + 1);
  g_autofree gint64 *longest = g_new0 (gint64, self->locks->len + 1);
  g_autoptr (GHashTable) slept
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);

  for (guint i = 0; i <= self->locks->len; i++)
    stacks[i] = TB_STACK_NONE;
  for (gsize i = 0; i < rows->n && self->locks->len > 0 && !tb_trace_is_cancelled_at (i); i++)
    {
      guint32 lock = get_lock (self, rows, i);
      gint64 key = (gint64) ((guint64) lock << 32 | rows->stack[i]), *ns;

      if (lock == TB_ID_NONE || rows->stack[i] == TB_STACK_NONE)
        continue;
      ns = g_hash_table_lookup (slept, &key);
      if (ns == NULL)
        {
          ns = g_new0 (gint64, 1);
          g_hash_table_insert (slept, g_memdup2 (&key, sizeof key), ns);
        }
      *ns += rows->end[i] - rows->start[i];
      if (*ns > longest[lock])
        {
          longest[lock] = *ns;
          stacks[lock] = rows->stack[i];
        }
    }
  return stacks;
}

static guint32
find_lock (TbLocks *self,
           GHashTable *known,
           TbTrace *trace,
           const TbLockOrigins *origins,
           const Sleeps *sleeps,
           guint64 row)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (trace->session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (trace->session, &n_processes);
  guint32 process = threads[sleeps->thread[row]].process;
  guint32 host = process < n_processes ? processes[process].host : TB_ID_NONE;

  switch (sleeps->kind[row])
    {
    case TB_SLEEP_LOCK:
    case TB_SLEEP_SHARED_LOCK:
      return find_word (self, known, trace, sleeps, row, process, host,
                        find_origin (trace, origins, sleeps, row, process));
    case TB_SLEEP_FILE_LOCK:
      return find_file (self, known, sleeps->object[row], host);
    case TB_SLEEP_SEMAPHORE:
      return find_semaphore (self, known, sleeps->address[row], host);
    default:
      return TB_ID_NONE;
    }
}

static TbLocks *
locks_new (TbTrace *trace, const TbStackColumns *stacks)
{
  TbLocks *self = g_new0 (TbLocks, 1);
  g_autoptr (GHashTable) known = g_hash_table_new_full (hash_key, keys_are_equal, g_free, NULL);
  g_auto (Sleeps) sleeps = { 0 };
  TbLockOrigins *origins = NULL;

  sleeps_load (&sleeps, trace);
  if (sleeps.n > 0)
    origins = tb_lock_origins_new (trace, stacks);
  self->has_origins = origins != NULL;
  self->locks = g_array_new (FALSE, FALSE, sizeof (TbLock));
  self->origins = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->n_sleeps = sleeps.n;
  if (sleeps.n > 0)
    {
      self->calls = g_bytes_ref (sleeps.bytes[TB_SLEEP_CALL]);
      self->objects = g_bytes_ref (sleeps.bytes[TB_SLEEP_OBJECT]);
      self->addresses = g_bytes_ref (sleeps.bytes[TB_SLEEP_ADDRESS]);
      self->offsets = g_bytes_ref (sleeps.bytes[TB_SLEEP_OFFSET]);
      self->operations = g_bytes_ref (sleeps.bytes[TB_SLEEP_OPERATION]);
    }
  self->lock_of_sleep = g_new (guint32, MAX (sleeps.n, 1));
  for (guint64 i = 0; i < sleeps.n; i++)
    self->lock_of_sleep[i] = find_lock (self, known, trace, origins, &sleeps, i);
  g_clear_pointer (&origins, tb_lock_origins_free);
  find_locks_of_calls (self, known, trace);
  find_requested_files (self, known, trace);
  find_locks_of_waits (self, trace);
  self->stacks = find_stacks (self, &trace->intervals);
  return self;
}

static void
locks_free (gpointer data)
{
  TbLocks *self = data;

  g_array_unref (self->locks);
  g_array_unref (self->origins);
  g_free (self->lock_of_sleep);
  g_free (self->lock_of_interval);
  g_clear_pointer (&self->file_locks, g_hash_table_unref);
  g_clear_pointer (&self->lock_calls, tb_lock_calls_free);
  g_free (self->stacks);
  g_clear_pointer (&self->calls, g_bytes_unref);
  g_clear_pointer (&self->objects, g_bytes_unref);
  g_clear_pointer (&self->addresses, g_bytes_unref);
  g_clear_pointer (&self->offsets, g_bytes_unref);
  g_clear_pointer (&self->operations, g_bytes_unref);
  g_free (self);
}

static gpointer
new_no_locks (gpointer data)
{
  TbLocks *self = g_new0 (TbLocks, 1);

  self->locks = g_array_new (FALSE, FALSE, sizeof (TbLock));
  self->origins = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

static const TbLocks *
get_no_locks (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, new_no_locks, NULL);
}

/* Created on first use, unless cancelled; constant afterwards. */
static const TbLocks *
peek_locks (TbTrace *self)
{
  const TbLocks *locks = g_atomic_pointer_get (&self->locks);

  const TbStackColumns *stacks;

  if (locks != NULL)
    return locks;
  stacks = tb_trace_peek_stacks (self); /* takes the mutex, too */
  g_mutex_lock (&self->mutex);
  if (self->locks == NULL)
    {
      TbLocks *made = locks_new (self, stacks);

      if (tb_trace_is_cancelled ())
        locks_free (made);
      else
        {
          g_object_set_data_full (G_OBJECT (self), "tb-locks", made, locks_free);
          g_atomic_pointer_set (&self->locks, made);
        }
    }
  locks = self->locks != NULL ? self->locks : get_no_locks ();
  g_mutex_unlock (&self->mutex);
  return locks;
}

/**
 * tb_trace_get_locks:
 * @self: a trace
 * @n_locks: (out): number of locks
 *
 * Lists the locks that threads slept for, as far as their addresses were recorded. From any thread.
 *
 * Returns: (array length=n_locks) (transfer none) (nullable): the locks; valid as long as the trace
 */
const TbLock *
tb_trace_get_locks (TbTrace *self, guint *n_locks)
{
  const TbLocks *locks;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail (n_locks != NULL, NULL);

  locks = peek_locks (self);
  *n_locks = locks->locks->len;
  return (const TbLock *) (gconstpointer) locks->locks->data;
}

const char *
tb_trace_peek_sleep_call (TbTrace *self, gsize interval)
{
  guint32 sleep = self->intervals.sleep[interval];
  const TbLocks *locks = sleep != TB_ID_NONE ? peek_locks (self) : NULL;
  const char *call;

  if (locks == NULL || sleep >= locks->n_sleeps)
    return NULL;
  call = tb_session_get_string (self->session,
                                ((const guint32 *) g_bytes_get_data (locks->calls, NULL))[sleep]);
  return call[0] != '\0' ? call : NULL;
}

gboolean
tb_trace_find_operation (TbTrace *self, gsize interval, guint32 *operation)
{
  guint32 sleep = self->intervals.sleep[interval], value = 0;
  const TbLocks *locks = peek_locks (self);

  if (locks->lock_calls != NULL && locks->lock_calls->addresses[interval] != 0)
    {
      *operation = locks->lock_calls->operations[interval];
      return TRUE;
    }
  if (sleep < locks->n_sleeps)
    value = ((const guint32 *) g_bytes_get_data (locks->operations, NULL))[sleep];
  *operation = value - 1;
  return value != 0;
}

gboolean
tb_trace_find_fault (TbTrace *self, gsize interval, guint64 *offset)
{
  guint32 sleep = self->intervals.sleep[interval], object = self->intervals.object[interval];
  const TbLocks *locks = sleep != TB_ID_NONE ? peek_locks (self) : NULL;

  if (locks == NULL || sleep >= locks->n_sleeps || object == TB_STRING_NONE
      || ((const guint32 *) g_bytes_get_data (locks->objects, NULL))[sleep] != object)
    return FALSE;
  *offset = ((const guint64 *) g_bytes_get_data (locks->offsets, NULL))[sleep];
  return TRUE;
}

/**
 * tb_trace_is_memory_fault:
 * @self: a trace
 * @interval: a sleep
 *
 * Checks whether a thread slept in a page fault at an address that belongs to no file. Where it
 * waited for a disk, that memory was swapped out, or other memory had to be.
 *
 * Returns: whether that was recorded
 */
gboolean
tb_trace_is_memory_fault (TbTrace *self, gsize interval)
{
  const TbLocks *locks;
  guint32 sleep;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);
  g_return_val_if_fail (interval < self->intervals.n, FALSE);

  sleep = self->intervals.sleep[interval];
  if (self->intervals.kind[interval] != TB_WAIT_PAGE_FAULT || sleep == TB_ID_NONE)
    return FALSE;
  locks = peek_locks (self);
  return sleep < locks->n_sleeps
         && ((const guint64 *) g_bytes_get_data (locks->addresses, NULL))[sleep] != 0
         && ((const guint32 *) g_bytes_get_data (locks->objects, NULL))[sleep] == TB_STRING_NONE;
}

/**
 * tb_trace_get_lock:
 * @self: a trace
 * @interval: a row
 *
 * Gets the lock that a thread slept for.
 *
 * Returns: index in tb_trace_get_locks(), %TB_ID_NONE if it did not sleep for a lock or the lock is
 *   not known
 */
guint32
tb_trace_get_lock (TbTrace *self, gsize interval)
{
  g_return_val_if_fail (TB_IS_TRACE (self), TB_ID_NONE);
  g_return_val_if_fail (interval < self->intervals.n, TB_ID_NONE);

  if (self->intervals.kind[interval] != TB_WAIT_LOCK)
    return TB_ID_NONE;
  return get_lock (peek_locks (self), &self->intervals, interval);
}

/**
 * tb_trace_get_file_lock:
 * @self: a trace
 * @thread: a thread that requested a lock of a file and did not get it at once
 * @file: string: path of the file
 *
 * Finds the lock of a file.
 *
 * Returns: index of the lock of the file in tb_trace_get_locks(), %TB_ID_NONE if no such request
 *   was recorded on the host of the thread
 */
guint32
tb_trace_get_file_lock (TbTrace *self, guint32 thread, guint32 file)
{
  g_return_val_if_fail (TB_IS_TRACE (self), TB_ID_NONE);

  return get_file_lock (peek_locks (self), self, thread, file);
}

/**
 * tb_trace_has_lock_origins:
 * @self: a trace
 *
 * Gets whether the recording has the creation of locks, so that locks can be named by their
 * creators.
 *
 * Returns: whether the creation of locks was recorded
 */
gboolean
tb_trace_has_lock_origins (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  return peek_locks (self)->has_origins;
}

/**
 * tb_trace_get_lock_origin:
 * @self: a trace
 * @lock: index of a lock
 *
 * Gets the stack in which a lock was created.
 *
 * Returns: the stack that created the lock, including the library function that creates such locks;
 *   if no creation was recorded, the stack that allocated its memory; %TB_STACK_NONE if neither was
 *   recorded, or if it is a variable
 */
guint32
tb_trace_get_lock_origin (TbTrace *self, guint32 lock)
{
  const TbLocks *locks;

  g_return_val_if_fail (TB_IS_TRACE (self), TB_STACK_NONE);
  locks = peek_locks (self);
  g_return_val_if_fail (lock < locks->origins->len, TB_STACK_NONE);

  return g_array_index (locks->origins, guint32, lock);
}

guint32
tb_trace_get_lock_stack (TbTrace *self, guint32 lock)
{
  const TbLocks *locks = peek_locks (self);

  return lock < locks->locks->len ? locks->stacks[lock] : TB_STACK_NONE;
}
