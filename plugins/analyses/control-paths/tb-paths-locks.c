/* tb-paths-locks.c: locks that the base path waited for: how much of the path is spent below waits
 * for each, and all waits of threads for it during that time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-paths-locks.h"
#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-lock-uses.h"

struct _TbPathsLocks
{
  TbPaths *paths;
  guint32 *of_box;            /* by box: the lock that it is below a wait for; TB_ID_NONE none */
  GHashTable *path_ns;        /* lock → time of the base path */
  TbLockUses *uses;           /* NULL without a trace */
  GHashTable *is_interpreter; /* 1 + lock → 1 + whether it belongs to an interpreter */
};

TbPathsLocks *
tb_paths_locks_new (TbPaths *paths)
{
  TbPathsLocks *self = g_new0 (TbPathsLocks, 1);

  self->paths = paths;
  self->of_box = g_new (guint32, MAX (paths->walk->boxes.n, 1));
  self->path_ns = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (paths->trace != NULL)
    self->uses = tb_lock_uses_new (paths->trace);
  self->is_interpreter = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_paths_locks_free (TbPathsLocks *self)
{
  g_free (self->of_box);
  g_hash_table_unref (self->path_ns);
  g_clear_pointer (&self->uses, tb_lock_uses_free);
  g_hash_table_unref (self->is_interpreter);
  g_free (self);
}

/* --- waits for locks --- */

/* Conditions and joins are no locks: threads wait there for work and for ends. */
static gboolean
waits_for_holder (TbPathsLocks *self, gsize row)
{
  TbLockUse use = tb_lock_uses_get (self->uses, row);

  return use == TB_LOCK_USE_MUTEX || use == TB_LOCK_USE_FILE;
}

/* CPython's interpreter lock is a condition in this variable, where nothing else is waited for but
 * other locks of the interpreter. */
#define INTERPRETER "_PyRuntime"

static gboolean
is_of_interpreter (TbPathsLocks *self, guint32 lock)
{
  g_autofree char *name = NULL;
  guint known
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->is_interpreter, GUINT_TO_POINTER (lock + 1)));

  if (known == 0)
    {
      name = tb_trace_describe_lock (self->paths->trace, lock);
      known = 1 + g_str_has_prefix (name, INTERPRETER);
      g_hash_table_insert (self->is_interpreter, GUINT_TO_POINTER (lock + 1),
                           GUINT_TO_POINTER (known));
    }
  return known > 1;
}

/* The lock that a row waits for; TB_ID_NONE: none. */
static guint32
find_lock (TbPathsLocks *self, gsize row)
{
  const TbIntervals *rows = self->paths->model->rows;
  guint32 lock;

  if (self->paths->trace == NULL || rows->state[row] < TB_STATE_INTERRUPTIBLE)
    return TB_ID_NONE;
  lock = tb_trace_get_lock (self->paths->trace, row);
  return lock != TB_ID_NONE && (waits_for_holder (self, row) || is_of_interpreter (self, lock))
             ? lock
             : TB_ID_NONE;
}

/* Children belong to the last row of a sleep, which may be the one in which the thread was ready to
 * run after its wait. */
static guint32
find_lock_of_sleep (TbPathsLocks *self, guint32 row)
{
  const TbPathsModel *model = self->paths->model;
  guint32 sleeping
      = tb_paths_is_run (model, row) ? TB_ID_NONE : tb_paths_find_sleeping_row (model, row);

  return sleeping != TB_ID_NONE ? find_lock (self, sleeping) : TB_ID_NONE;
}

gboolean
tb_paths_locks_add (TbPathsLocks *self, gsize box, gint64 ns)
{
  const TbPathsBoxes *boxes = &self->paths->walk->boxes;
  guint32 lock = find_lock_of_sleep (self, boxes->row[box]);
  gint64 *sum;

  /* Whoever holds a lock may wait for another one: then that one counts. */
  if (lock == TB_ID_NONE && boxes->parent[box] != TB_ID_NONE)
    lock = self->of_box[boxes->parent[box]];
  self->of_box[box] = lock;
  if (lock == TB_ID_NONE)
    return FALSE;
  if (boxes->path[box] != 0)
    return TRUE;
  sum = g_hash_table_lookup (self->path_ns, GUINT_TO_POINTER (lock + 1));
  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (self->path_ns, GUINT_TO_POINTER (lock + 1), sum);
    }
  *sum += ns;
  return TRUE;
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

/* What locks of one entry have in common: the interpreter, the function that made them, or the name.
 * creator: set for locks that have no other name. */
static char *
make_key (TbPathsLocks *self, guint32 lock, char **creator)
{
  guint n_locks;
  const TbLock *of = &tb_trace_get_locks (self->paths->trace, &n_locks)[lock];

  *creator = NULL;
  if (is_of_interpreter (self, lock))
    return g_strdup (INTERPRETER);
  if (of->kind == TB_LOCK_WORD && of->place == TB_ID_NONE)
    *creator = tb_trace_find_lock_creator (self->paths->trace, lock);
  return *creator != NULL ? g_strdup_printf ("%u %s", of->process, *creator)
                          : tb_trace_describe_lock (self->paths->trace, lock);
}

static void
add_group (TbPathsLocks *self, GArray *groups, guint32 lock)
{
  guint n_locks;
  TbPathsLock new = { .lock = lock, .thread = TB_ID_NONE, .longest = TB_ID_NONE };

  new.name = is_of_interpreter (self, lock) ? g_strdup (INTERPRETER)
                                            : tb_trace_describe_lock (self->paths->trace, lock);
  new.is_file = tb_trace_get_locks (self->paths->trace, &n_locks)[lock].kind == TB_LOCK_FILE;
  g_array_append_val (groups, new);
}

/* Makes one entry of the locks with one key, and fills index_of: lock → 1 + its entry. */
static GArray *
group_by_key (TbPathsLocks *self, GHashTable *index_of)
{
  GArray *groups = g_array_new (FALSE, TRUE, sizeof (TbPathsLock));
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GList) keys = g_hash_table_get_keys (self->path_ns);

  g_array_set_clear_func (groups, clear_lock);
  for (GList *key = keys; key != NULL; key = key->next)
    {
      guint32 lock = GPOINTER_TO_UINT (key->data) - 1;
      gint64 ns = *(gint64 *) g_hash_table_lookup (self->path_ns, key->data);
      g_autofree char *creator = NULL;
      g_autofree char *of = make_key (self, lock, &creator);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (by_key, of));
      TbPathsLock *group;

      if (place == 0)
        {
          add_group (self, groups, lock);
          place = groups->len;
          g_hash_table_insert (by_key, g_steal_pointer (&of), GUINT_TO_POINTER (place));
        }
      group = &g_array_index (groups, TbPathsLock, place - 1);
      if (ns > group->path_ns - ns)
        group->lock = lock;
      group->path_ns += ns;
      group->n_locks++;
      if (creator != NULL && group->n_locks > 1)
        {
          /* As names of such locks end, without their addresses; not translated either. */
          g_free (group->name);
          group->name = g_strdup_printf ("from %s", creator);
        }
      g_hash_table_insert (index_of, GUINT_TO_POINTER (lock + 1), GUINT_TO_POINTER (place));
    }
  return groups;
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
