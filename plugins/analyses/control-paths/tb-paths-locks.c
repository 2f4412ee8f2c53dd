/* tb-paths-locks.c: locks for which threads of the paths waited while the base path followed their
 * holders: for how long, and all waits of threads for them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-paths-locks.h"
#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-sleep-polls.h"

typedef struct
{
  gint64 from;
  gint64 to;
} Stretch;

/* A stretch of a wait for a lock: the base path follows the thread that then ends the wait. */
typedef struct
{
  gint64 from;
  gint64 to;
  guint32 lock; /* TB_ID_NONE: a thread polled for it */
} Held;

struct _TbPathsLocks
{
  TbPaths *paths;
  guint32 *first_stretch; /* by thread, n_threads + 1 values */
  /* by thread, ascending: when the base path follows it and it does not wait for a lock itself */
  Stretch *stretches;
  guint8 *is_in_path; /* by thread: whether it is in any path */
  GArray *held;       /* Held, ascending */
  GArray *all;        /* Stretch, disjoint, ascending: those of all locks together */
  gint64 *polled;     /* by thread: see tb_paths_locks_take_polled() */
};

/* A sleep between attempts at the lock of a file. */
typedef struct
{
  gint64 from;
  gint64 to;
  guint32 object;
  guint32 thread;
} PollSleep;

void
tb_paths_locks_free (TbPathsLocks *self)
{
  g_free (self->first_stretch);
  g_free (self->stretches);
  g_free (self->is_in_path);
  g_array_unref (self->held);
  g_array_unref (self->all);
  g_free (self->polled);
  g_free (self);
}

/* The lock that a row waits for; TB_ID_NONE: none. */
static guint32
find_lock (TbPathsLocks *self, gsize row)
{
  return self->paths->lock_waits != NULL ? tb_paths_lock_waits_find (self->paths->lock_waits, row)
                                         : TB_ID_NONE;
}

/* --- holders of locks --- */

static gboolean
is_free_on_path (TbPathsLocks *self, gsize box)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;

  return boxes->path[box] == 0 && boxes->to[box] > boxes->from[box]
         && find_lock (self, boxes->row[box]) == TB_ID_NONE;
}

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *one = a, *two = b;

  return one->from < two->from ? -1 : one->from > two->from;
}

static void
find_threads (TbPathsLocks *self)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;

  self->is_in_path = g_new0 (guint8, MAX (self->paths->model->n_threads, 1));
  for (gsize i = 0; i < boxes->n; i++)
    self->is_in_path[self->paths->model->rows->thread[boxes->row[i]]] = TRUE;
}

static void
find_stretches (TbPathsLocks *self)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  const guint32 *threads = self->paths->model->rows->thread;
  guint n_threads = self->paths->model->n_threads;
  g_autofree guint32 *next = NULL;
  g_autofree guint8 *is_free = g_new0 (guint8, MAX (boxes->n, 1));

  self->first_stretch = g_new0 (guint32, (gsize) n_threads + 1);
  for (gsize i = 0; i < boxes->n; i++)
    {
      is_free[i] = is_free_on_path (self, i);
      self->first_stretch[threads[boxes->row[i]] + 1] += is_free[i];
    }
  for (guint i = 0; i < n_threads; i++)
    self->first_stretch[i + 1] += self->first_stretch[i];
  self->stretches = g_new (Stretch, MAX (self->first_stretch[n_threads], 1));
  next = g_memdup2 (self->first_stretch, sizeof *next * ((gsize) n_threads + 1));
  for (gsize i = 0; i < boxes->n; i++)
    if (is_free[i])
      self->stretches[next[threads[boxes->row[i]]]++] = (Stretch) { boxes->from[i], boxes->to[i] };
  for (guint i = 0; i < n_threads; i++)
    qsort (self->stretches + self->first_stretch[i],
           self->first_stretch[i + 1] - self->first_stretch[i], sizeof *self->stretches,
           compare_stretches);
}

/* The first stretch of a thread that ends after a time. Stretches of one thread do not overlap. */
static guint32
find_stretch (const TbPathsLocks *self, guint32 thread, gint64 time)
{
  guint32 low = self->first_stretch[thread], high = self->first_stretch[thread + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->stretches[middle].to > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* The thread that ended a wait, or had the lock when its timeout did; TB_ID_NONE: not known. */
static guint32
find_holder (const TbPathsModel *model, guint32 row)
{
  switch ((TbCauseKind) model->rows->cause_kind[row])
    {
    case TB_CAUSE_THREAD:
      return model->rows->cause[row];
    case TB_CAUSE_TIMER:
      return tb_paths_has_origin (model, row) ? model->origin[row] : TB_ID_NONE;
    default:
      return TB_ID_NONE;
    }
}

/* Adds when the base path follows the thread that has the lock, during the wait for it. */
static void
add_held (TbPathsLocks *self, gsize row, guint32 lock)
{
  const TbIntervals *rows = self->paths->model->rows;
  /* A thread may wait with a time-out, again and again. */
  guint32 awaited = tb_paths_model_get_awaited_row (self->paths->model, (guint32) row);
  guint32 holder = find_holder (self->paths->model, awaited);
  guint32 last;

  if (holder >= self->paths->model->n_threads)
    return;
  last = self->first_stretch[holder + 1];
  for (guint32 i = find_stretch (self, holder, rows->start[row]);
       i < last && self->stretches[i].from < rows->end[row]; i++)
    {
      Held held = { MAX (self->stretches[i].from, rows->start[row]),
                    MIN (self->stretches[i].to, rows->end[row]), lock };

      g_array_append_val (self->held, held);
    }
}

static int
compare_held (gconstpointer a, gconstpointer b)
{
  const Held *one = a, *two = b;

  return one->from < two->from ? -1 : one->from > two->from;
}

/* Makes disjoint stretches of those of all locks. */
static void
unite_held (TbPathsLocks *self)
{
  g_array_sort (self->held, compare_held);
  for (guint i = 0; i < self->held->len; i++)
    {
      const Held *held = &g_array_index (self->held, Held, i);
      Stretch *last
          = self->all->len > 0 ? &g_array_index (self->all, Stretch, self->all->len - 1) : NULL;

      if (last != NULL && held->from <= last->to)
        last->to = MAX (last->to, held->to);
      else
        g_array_append_vals (self->all, &(Stretch) { held->from, held->to }, 1);
    }
}

/* --- polling --- */

static int
compare_sleeps (gconstpointer a, gconstpointer b)
{
  const PollSleep *one = a, *two = b;

  if (one->object != two->object)
    return one->object < two->object ? -1 : 1;
  return one->from < two->from ? -1 : one->from > two->from;
}

/* Of threads that sleep for one object at the same time, the one that began first has the time. */
static void
divide_polled (TbPathsLocks *self, GArray *sleeps)
{
  gint64 reached = G_MININT64;
  guint32 object = TB_STRING_NONE;

  g_array_sort (sleeps, compare_sleeps);
  for (guint i = 0; i < sleeps->len; i++)
    {
      const PollSleep *sleep = &g_array_index (sleeps, PollSleep, i);

      if (sleep->object != object)
        reached = G_MININT64;
      object = sleep->object;
      self->polled[sleep->thread] += MAX (0, sleep->to - MAX (sleep->from, reached));
      reached = MAX (reached, sleep->to);
    }
}

/* Whether the path follows a thread that had the lock for which another one polls for most of its
 * sleeps. */
static gboolean
is_poll_below_path (const TbPathsLocks *self, const TbSleepPoll *poll)
{
  return self->is_in_path[poll->thread] && 2 * poll->held_ns >= poll->sleep_ns
         && poll->holder < self->paths->model->n_threads
         && self->first_stretch[poll->holder + 1] > self->first_stretch[poll->holder];
}

/* Threads that poll for a lock wait for it while they sleep between the attempts. */
static void
add_polls (TbPathsLocks *self)
{
  const TbPathsModel *model = self->paths->model;
  const TbIntervals *rows = model->rows;
  g_autoptr (GArray) polls
      = tb_trace_find_sleep_polls (self->paths->trace, self->paths->from, self->paths->to, NULL);
  g_autoptr (GArray) sleeps = g_array_new (FALSE, FALSE, sizeof (PollSleep));

  for (guint i = 0; i < polls->len; i++)
    {
      const TbSleepPoll *poll = &g_array_index (polls, TbSleepPoll, i);

      if (!is_poll_below_path (self, poll))
        continue;
      for (guint32 row = model->first_row[poll->thread]; row < model->first_row[poll->thread + 1];
           row++)
        {
          Held held
              = { MAX (rows->start[row], poll->from), MIN (rows->end[row], poll->to), TB_ID_NONE };
          PollSleep sleep = { held.from, held.to, poll->object, poll->thread };

          if (held.from >= held.to || rows->state[row] < TB_STATE_INTERRUPTIBLE
              || tb_trace_get_wait_kind (self->paths->trace, row) != TB_WAIT_SLEEP)
            continue;
          g_array_append_val (self->held, held);
          g_array_append_val (sleeps, sleep);
        }
    }
  divide_polled (self, sleeps);
}

gint64 *
tb_paths_locks_take_polled (TbPathsLocks *self)
{
  return g_steal_pointer (&self->polled);
}

TbPathsLocks *
tb_paths_locks_new (TbPaths *paths)
{
  TbPathsLocks *self = g_new0 (TbPathsLocks, 1);
  const TbPathsModel *model = paths->model;

  self->paths = paths;
  find_threads (self);
  self->held = g_array_new (FALSE, FALSE, sizeof (Held));
  self->all = g_array_new (FALSE, FALSE, sizeof (Stretch));
  self->polled = g_new0 (gint64, MAX (model->n_threads, 1));
  find_stretches (self);
  for (guint32 thread = 0; thread < model->n_threads; thread++)
    for (guint32 row = model->first_row[thread];
         self->is_in_path[thread] && row < model->first_row[thread + 1]; row++)
      {
        guint32 lock = find_lock (self, row);

        if (lock != TB_ID_NONE)
          add_held (self, row, lock);
      }
  if (paths->trace != NULL)
    add_polls (self);
  unite_held (self);
  return self;
}

gint64
tb_paths_locks_get_held (const TbPathsLocks *self, gint64 from, gint64 to)
{
  gint64 ns = 0;
  guint low = 0, high = self->all->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->all, Stretch, middle).to > from)
        high = middle;
      else
        low = middle + 1;
    }
  for (; low < self->all->len && g_array_index (self->all, Stretch, low).from < to; low++)
    ns += MIN (g_array_index (self->all, Stretch, low).to, to)
          - MAX (g_array_index (self->all, Stretch, low).from, from);
  return ns;
}

/* --- locks of one name --- */

static int
compare_locks (gconstpointer a, gconstpointer b)
{
  const TbPathsLock *one = a, *two = b;

  if (one->path_ns != two->path_ns)
    return one->path_ns > two->path_ns ? -1 : 1;
  return one->lock < two->lock ? -1 : one->lock > two->lock;
}

static void
clear_lock (gpointer data)
{
  g_free (((TbPathsLock *) data)->name);
}

/* What locks of one entry have in common: the interpreter, the function that made them, or the
 * name. creator: set for locks that have no other name. */
static char *
make_key (TbPathsLocks *self, guint32 lock, char **creator)
{
  guint n_locks;
  const TbLock *of = &tb_trace_get_locks (self->paths->trace, &n_locks)[lock];

  *creator = NULL;
  if (tb_paths_lock_waits_is_of_interpreter (self->paths->lock_waits, lock))
    return g_strdup (TB_PATHS_INTERPRETER);
  if (of->kind == TB_LOCK_WORD && of->place == TB_ID_NONE)
    *creator = tb_trace_find_lock_creator (self->paths->trace, lock);
  return *creator != NULL ? g_strdup_printf ("%u %s", of->process, *creator)
                          : tb_trace_describe_lock (self->paths->trace, lock);
}

static void
add_group (TbPathsLocks *self, GArray *groups, guint32 lock)
{
  guint n_locks;
  TbPathsLock new
      = { .lock = lock, .thread = TB_ID_NONE, .longest = TB_ID_NONE, .held_to = G_MININT64 };

  new.name = tb_paths_lock_waits_is_of_interpreter (self->paths->lock_waits, lock)
                 ? g_strdup (TB_PATHS_INTERPRETER)
                 : tb_trace_describe_lock (self->paths->trace, lock);
  new.is_file = tb_trace_get_locks (self->paths->trace, &n_locks)[lock].kind == TB_LOCK_FILE;
  g_array_append_val (groups, new);
}

static TbPathsLock *
get_group (TbPathsLocks *self,
           GArray *groups,
           GHashTable *by_key,
           GHashTable *index_of,
           guint32 lock)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (index_of, GUINT_TO_POINTER (lock + 1)));
  g_autofree char *creator = NULL;
  g_autofree char *key = NULL;
  TbPathsLock *group;

  if (place != 0)
    return &g_array_index (groups, TbPathsLock, place - 1);
  key = make_key (self, lock, &creator);
  place = GPOINTER_TO_UINT (g_hash_table_lookup (by_key, key));
  if (place == 0)
    {
      add_group (self, groups, lock);
      place = groups->len;
      g_hash_table_insert (by_key, g_steal_pointer (&key), GUINT_TO_POINTER (place));
    }
  g_hash_table_insert (index_of, GUINT_TO_POINTER (lock + 1), GUINT_TO_POINTER (place));
  group = &g_array_index (groups, TbPathsLock, place - 1);
  group->n_locks++;
  if (creator != NULL && group->n_locks > 1)
    {
      /* As names of such locks end, without their addresses; not translated either. */
      g_free (group->name);
      group->name = g_strdup_printf ("from %s", creator);
    }
  return group;
}

/* Makes one entry of the locks with one key, and fills index_of: lock → 1 + its entry. What was
 * held comes in ascending order of its start. */
static GArray *
group_by_key (TbPathsLocks *self, GHashTable *index_of)
{
  GArray *groups = g_array_new (FALSE, TRUE, sizeof (TbPathsLock));
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_array_set_clear_func (groups, clear_lock);
  for (guint i = 0; i < self->held->len; i++)
    {
      const Held *held = &g_array_index (self->held, Held, i);
      TbPathsLock *group;

      if (held->lock == TB_ID_NONE) /* has findings of its own */
        continue;
      group = get_group (self, groups, by_key, index_of, held->lock);
      group->path_ns += MAX (held->to - MAX (held->from, group->held_to), 0);
      group->held_to = MAX (group->held_to, held->to);
    }
  return groups;
}

/* How long a thread waited for a CPU after a wait. Only then it can have the lock. */
static gint64
get_delay (const TbPaths *paths, guint32 row)
{
  const TbIntervals *rows = paths->model->rows;
  guint32 next = row + 1;

  if (next >= paths->model->first_row[rows->thread[row] + 1]
      || rows->state[next] != TB_STATE_RUNNABLE || rows->start[next] != rows->end[row])
    return 0;
  return MAX (0, MIN (rows->end[next], paths->to) - MAX (rows->start[next], paths->from));
}

/* Adds the waits of one thread. thread_ns: scratch space, by group. */
static void
add_waits (TbPathsLocks *self,
           GArray *groups,
           GHashTable *index_of,
           guint32 thread,
           gint64 *thread_ns)
{
  const TbPaths *paths = self->paths;
  const TbIntervals *rows = paths->model->rows;

  memset (thread_ns, 0, groups->len * sizeof *thread_ns);
  for (guint32 row = paths->model->first_row[thread]; row < paths->model->first_row[thread + 1];
       row++)
    {
      gint64 ns = MIN (rows->end[row], paths->to) - MAX (rows->start[row], paths->from);
      guint32 lock = ns > 0 ? find_lock (self, row) : TB_ID_NONE;
      guint place
          = lock != TB_ID_NONE
                ? GPOINTER_TO_UINT (g_hash_table_lookup (index_of, GUINT_TO_POINTER (lock + 1)))
                : 0;
      TbPathsLock *group;

      if (place == 0)
        continue;
      group = &g_array_index (groups, TbPathsLock, place - 1);
      group->wait_ns += ns;
      group->delay_ns += get_delay (paths, row);
      if (tb_paths_lock_waits_is_inferred (self->paths->lock_waits, row))
        group->inferred_ns += ns;
      group->waits++;
      thread_ns[place - 1] += ns;
      if (ns > group->longest_ns)
        {
          group->longest_ns = ns;
          group->longest = row;
        }
    }
  for (guint i = 0; i < groups->len; i++)
    {
      TbPathsLock *group = &g_array_index (groups, TbPathsLock, i);

      group->n_threads += thread_ns[i] > 0;
      if (thread_ns[i] > group->thread_ns)
        {
          group->thread = thread;
          group->thread_ns = thread_ns[i];
        }
    }
}

GArray *
tb_paths_locks_finish (TbPathsLocks *self)
{
  g_autoptr (GHashTable) index_of = g_hash_table_new (NULL, NULL);
  GArray *groups = group_by_key (self, index_of);
  g_autofree gint64 *thread_ns = g_new (gint64, MAX (groups->len, 1));

  for (guint32 thread = 0; groups->len > 0 && thread < self->paths->model->n_threads; thread++)
    add_waits (self, groups, index_of, thread, thread_ns);
  g_array_sort (groups, compare_locks);
  return groups;
}
