/* tb-trace-lock-origins.c: search for the stack that created a lock, or allocated its memory,
 * before a sleep: from marks of creation, destruction, allocation and freeing, and from forks and
 * execs
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Memory is reused: the origin is the last creation of a lock at the address before the sleep,
 * unless the lock was destroyed since. A forked process has the locks created before the fork; an
 * exec drops all locks. A lock without a recorded creation is as old as the memory that it lies in.
 * A lock created before its memory was freed or allocated again is another lock.
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-lock-callers-private.h"
#include "trace/tb-trace-lock-origins-private.h"
#include "trace/tb-trace-private.h"

/* Maximum size of a lock, bytes. */
#define MAX_SIZE 256
#define MAX_FORKS 64
/* Within this time (ns), two creations of one lock are a library function that calls another
 * one. */
#define NESTED_NS 1000000

/* Creation or destruction of a lock, or allocation or freeing of the memory that holds it. */
typedef struct
{
  guint64 address;
  gint64 time;
  guint32 process;
  guint32 thread;
  guint32 stack;
  guint16 size;
  gboolean ends;
} LockEvent;

typedef struct
{
  guint32 process;
  gint64 time;
} Exec;

struct _TbLockOrigins
{
  TbTrace *trace; /* not owned, nor is stacks */
  const TbStackColumns *stacks;
  GArray *events; /* LockEvent, by process, address and time */
  GArray *memory; /* LockEvent, in the same order, for the memory that holds lock words */
  GArray *execs;  /* Exec, by process and time */
};

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const LockEvent *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

static int
compare_execs (gconstpointer a, gconstpointer b)
{
  const Exec *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

/* "0x55aa00+40" */
static gboolean
parse_place (const char *text, LockEvent *event)
{
  char *end = NULL;
  guint64 size = 1;

  if (!g_str_has_prefix (text, "0x") || !g_ascii_isxdigit (text[2]))
    return FALSE;
  event->address = g_ascii_strtoull (text + 2, &end, 16);
  if (*end == '+' && !g_ascii_string_to_unsigned (end + 1, 10, 1, G_MAXUINT32, &size, NULL))
    return FALSE;
  event->size = (guint16) MIN (size, MAX_SIZE);
  return *end == '+' || *end == '\0';
}

/* "0x55aa08@0x55aa00-1200" */
static gboolean
parse_allocation (const char *text, gint64 now, LockEvent *event, guint64 *start)
{
  char *end = NULL;
  guint64 age;

  if (!g_str_has_prefix (text, "0x") || !g_ascii_isxdigit (text[2]))
    return FALSE;
  event->address = g_ascii_strtoull (text + 2, &end, 16);
  if (!g_str_has_prefix (end, "@0x") || !g_ascii_isxdigit (end[3]))
    return FALSE;
  *start = g_ascii_strtoull (end + 3, &end, 16);
  if (*end != '-' || !g_ascii_string_to_unsigned (end + 1, 10, 0, G_MAXINT64 / 2, &age, NULL))
    return FALSE;
  event->time = now - (gint64) age;
  event->size = 1;
  return TRUE;
}

typedef struct
{
  guint64 start;
  guint32 process;
} BlockKey;

static guint
hash_block (gconstpointer data)
{
  const BlockKey *key = data;

  return (guint) ((key->start * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 32) ^ key->process * 31;
}

static gboolean
blocks_are_equal (gconstpointer a, gconstpointer b)
{
  const BlockKey *x = a, *y = b;

  return x->start == y->start && x->process == y->process;
}

static void
add_allocation (TbLockOrigins *self, GHashTable *words, const LockEvent *event, guint64 start)
{
  BlockKey key = { start, event->process };
  GArray *inside = g_hash_table_lookup (words, &key);

  g_array_append_val (self->memory, *event);
  if (inside == NULL)
    {
      inside = g_array_new (FALSE, FALSE, sizeof (guint64));
      g_hash_table_insert (words, g_memdup2 (&key, sizeof key), inside);
    }
  g_array_append_val (inside, event->address);
}

/* Ends the locks in the freed memory. */
static void
end_freed_locks (TbLockOrigins *self, GHashTable *words, const LockEvent *freed)
{
  BlockKey key = { freed->address, freed->process };
  GArray *inside = g_hash_table_lookup (words, &key);

  for (guint i = 0; inside != NULL && i < inside->len; i++)
    {
      LockEvent event = *freed;

      event.address = g_array_index (inside, guint64, i);
      event.size = 1;
      event.ends = TRUE;
      g_array_append_val (self->memory, event);
    }
  g_hash_table_remove (words, &key);
}

/* Adds the event of a mark about a lock. */
static void
load_event (TbLockOrigins *self,
            GHashTable *words,
            const char *name,
            const char *value,
            LockEvent *event)
{
  guint64 start;

  if (g_str_equal (name, TB_MARK_LOCK_ALLOCATED))
    {
      if (parse_allocation (value, event->time, event, &start))
        add_allocation (self, words, event, start);
      return;
    }
  if (!parse_place (value, event))
    return;
  if (g_str_equal (name, TB_MARK_LOCK_FREED))
    {
      end_freed_locks (self, words, event);
      return;
    }
  event->ends = g_str_equal (name, TB_MARK_LOCK_DESTROYED);
  g_array_append_val (self->events, *event);
}

static void
load_events (TbLockOrigins *self)
{
  static const TbMarkColumn wanted[]
      = { TB_MARK_NAME, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_VALUE, TB_MARK_STACK };
  TbSession *session = self->trace->session;
  guint64 n = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_MARK));
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GHashTable) words = g_hash_table_new_full (hash_block, blocks_are_equal, g_free,
                                                        (GDestroyNotify) g_array_unref);
  gconstpointer columns[G_N_ELEMENTS (wanted)];
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  for (guint i = 0; i < G_N_ELEMENTS (wanted) && n > 0; i++)
    {
      GBytes *bytes = tb_trace_read_column (self->trace, TB_TABLE_MARK, wanted[i]);

      if (bytes == NULL)
        return;
      g_ptr_array_add (held, bytes);
      columns[i] = g_bytes_get_data (bytes, NULL);
    }
  for (guint64 i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    {
      const char *name = tb_session_get_string (session, ((const guint32 *) columns[0])[i]);
      LockEvent event = { .time = ((const gint64 *) columns[1])[i],
                          .thread = ((const guint32 *) columns[2])[i],
                          .stack = ((const guint32 *) columns[4])[i] };

      if (!tb_mark_is_of_lock (name) || event.thread >= n_threads)
        continue;
      event.process = threads[event.thread].process;
      load_event (self, words, name,
                  tb_session_get_string (session, ((const guint32 *) columns[3])[i]), &event);
    }
  /* The sort is stable: simultaneous events keep their order. */
  g_array_sort (self->events, compare_events);
  g_array_sort (self->memory, compare_events);
}

static void
load_execs (TbLockOrigins *self)
{
  TbSession *session = self->trace->session;
  guint64 n = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_PROCESS));
  g_autoptr (GBytes) kind
      = n > 0 ? tb_trace_read_column (self->trace, TB_TABLE_PROCESS, TB_PROCESS_KIND) : NULL;
  g_autoptr (GBytes) time
      = n > 0 ? tb_trace_read_column (self->trace, TB_TABLE_PROCESS, TB_PROCESS_TIME) : NULL;
  g_autoptr (GBytes) thread
      = n > 0 ? tb_trace_read_column (self->trace, TB_TABLE_PROCESS, TB_PROCESS_THREAD) : NULL;
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);

  if (kind == NULL || time == NULL || thread == NULL)
    return;
  for (guint64 i = 0; i < n; i++)
    {
      guint32 thread_id = ((const guint32 *) g_bytes_get_data (thread, NULL))[i];
      Exec exec = { .time = ((const gint64 *) g_bytes_get_data (time, NULL))[i] };

      if (((const guint8 *) g_bytes_get_data (kind, NULL))[i] != TB_PROCESS_EXEC
          || thread_id >= n_threads)
        continue;
      exec.process = threads[thread_id].process;
      g_array_append_val (self->execs, exec);
    }
  g_array_sort (self->execs, compare_execs);
}

TbLockOrigins *
tb_lock_origins_new (TbTrace *trace, const TbStackColumns *stacks)
{
  TbLockOrigins *self = g_new0 (TbLockOrigins, 1);

  self->trace = trace;
  self->stacks = stacks;
  self->events = g_array_new (FALSE, FALSE, sizeof (LockEvent));
  self->memory = g_array_new (FALSE, FALSE, sizeof (LockEvent));
  self->execs = g_array_new (FALSE, FALSE, sizeof (Exec));
  load_events (self);
  if (self->events->len == 0 && self->memory->len == 0)
    {
      tb_lock_origins_free (self);
      return NULL;
    }
  load_execs (self);
  return self;
}

void
tb_lock_origins_free (TbLockOrigins *self)
{
  g_array_unref (self->events);
  g_array_unref (self->memory);
  g_array_unref (self->execs);
  g_free (self);
}

/* The first event that is not before the given process, address and time. */
static guint
find_event (const GArray *events, guint32 process, guint64 address, gint64 time)
{
  const LockEvent wanted = { .process = process, .address = address, .time = time };
  guint low = 0, high = events->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_events (&g_array_index (events, LockEvent, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The time of the last exec of the process up to the given time; G_MININT64 if none. */
static gint64
find_exec (const TbLockOrigins *self, guint32 process, gint64 time)
{
  const Exec wanted = { process, time };
  const Exec *execs = (const Exec *) (gpointer) self->execs->data;
  guint low = 0, high = self->execs->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_execs (&execs[middle], &wanted) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && execs[low - 1].process == process ? execs[low - 1].time : G_MININT64;
}

/* The last event up to the given time of a lock or memory that covers the address; G_MAXUINT if
 * none. */
static guint
find_last (const GArray *all, guint32 process, guint64 address, gint64 since, gint64 until)
{
  const LockEvent *events = (const LockEvent *) (gpointer) all->data;
  guint best = G_MAXUINT;
  guint i = find_event (all, process, address >= MAX_SIZE ? address - MAX_SIZE + 1 : 0, G_MININT64);

  while (i < all->len && events[i].process == process && events[i].address <= address)
    {
      guint64 start = events[i].address;
      guint end = until < G_MAXINT64 ? find_event (all, process, start, until + 1)
                                     : find_event (all, process, start + 1, G_MININT64);
      const LockEvent *last = end > i ? &events[end - 1] : NULL;

      if (last != NULL && last->time >= since && address - start < last->size
          && (best == G_MAXUINT || last->time > events[best].time))
        best = end - 1;
      i = find_event (all, process, start + 1, G_MININT64);
    }
  return best;
}

/* If a library function created the lock by calling another probed function, the outer call is the
 * origin. */
static guint
skip_nested (const TbLockOrigins *self, guint i)
{
  const LockEvent *events = (const LockEvent *) (gpointer) self->events->data;

  while (i > 0 && events[i - 1].process == events[i].process
         && events[i - 1].address == events[i].address && events[i - 1].thread == events[i].thread
         && !events[i - 1].ends && events[i].time - events[i - 1].time < NESTED_NS
         && tb_trace_is_called_by_library (self->trace, self->stacks, events[i].stack))
    i--;
  return i;
}

/* The last creation or destruction of a lock at the address, in this process or one that it was
 * forked from; NULL if not known. */
static const LockEvent *
find_creation (const TbLockOrigins *self,
               guint32 process,
               guint64 address,
               gint64 time,
               guint *place)
{
  guint n_processes;
  const TbProcess *processes = tb_session_get_processes (self->trace->session, &n_processes);

  for (guint i = 0; i < MAX_FORKS && process < n_processes; i++)
    {
      gint64 since = find_exec (self, process, time);

      *place = find_last (self->events, process, address, since, time);
      if (*place != G_MAXUINT)
        return &g_array_index (self->events, LockEvent, *place);
      if (since != G_MININT64 || processes[process].start == TB_TIME_NONE)
        break;
      time = processes[process].start;
      process = processes[process].parent;
    }
  return NULL;
}

/* The allocation or freeing of the memory that holds the lock word; NULL if not known. Only events
 * of the process itself count: it is not recorded what happens to memory that was allocated before
 * a fork. */
static const LockEvent *
find_memory (const TbLockOrigins *self, guint32 process, guint64 address, gint64 time)
{
  guint n_processes, found;
  const TbProcess *processes = tb_session_get_processes (self->trace->session, &n_processes);
  gint64 since = find_exec (self, process, time);

  if (process < n_processes && processes[process].start != TB_TIME_NONE)
    since = MAX (since, processes[process].start);
  found = find_last (self->memory, process, address, since, time);
  return found != G_MAXUINT ? &g_array_index (self->memory, LockEvent, found) : NULL;
}

guint32
tb_lock_origins_find (const TbLockOrigins *self, guint32 process, guint64 address, gint64 time)
{
  guint place = 0;
  const LockEvent *creation = find_creation (self, process, address, time, &place);
  const LockEvent *memory = find_memory (self, process, address, time);

  if (creation != NULL && !creation->ends && (memory == NULL || creation->time >= memory->time))
    return g_array_index (self->events, LockEvent, skip_nested (self, place)).stack;
  return memory != NULL && !memory->ends ? memory->stack : TB_STACK_NONE;
}
