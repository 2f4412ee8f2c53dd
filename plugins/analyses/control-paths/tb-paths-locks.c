/* tb-paths-locks.c: locks that the base path waited for: how much of the path is spent below waits
 * for each, and all waits of threads for it during that time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "tb-paths-locks.h"
#include "trace/tb-trace-lock-uses.h"

struct _TbPathsLocks
{
  TbPaths *paths;
  guint32 *of_box;            /* by box: the lock that it is below a wait for; TB_ID_NONE none */
  GHashTable *path_ns;        /* lock → time of the base path */
  GHashTable *is_mutex;       /* stack → 1 + whether it waits for a lock that one thread holds */
  GHashTable *is_interpreter; /* 1 + lock → 1 + whether it belongs to an interpreter */
};

TbPathsLocks *
tb_paths_locks_new (TbPaths *paths)
{
  TbPathsLocks *self = g_new0 (TbPathsLocks, 1);

  self->paths = paths;
  self->of_box = g_new (guint32, MAX (paths->walk->boxes.n, 1));
  self->path_ns = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->is_mutex = g_hash_table_new (NULL, NULL);
  self->is_interpreter = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_paths_locks_free (TbPathsLocks *self)
{
  g_free (self->of_box);
  g_hash_table_unref (self->path_ns);
  g_hash_table_unref (self->is_mutex);
  g_hash_table_unref (self->is_interpreter);
  g_free (self);
}

/* --- waits for locks --- */

/* The innermost function that shows a use decides. */
static gboolean
is_mutex_stack (TbPathsLocks *self, guint32 stack)
{
  g_auto (GStrv) functions = tb_trace_get_stack_functions (self->paths->trace, stack);

  for (guint i = functions != NULL ? g_strv_length (functions) : 0; i > 0; i--)
    {
      TbLockUse use = tb_lock_use_from_function (functions[i - 1]);

      if (use != TB_LOCK_USE_UNKNOWN)
        return use == TB_LOCK_USE_MUTEX;
    }
  return FALSE;
}

/* Conditions and joins are no locks: threads wait there for work and for ends. */
static gboolean
waits_for_holder (TbPathsLocks *self, gsize row)
{
  guint32 stack = self->paths->model->rows->stack[row];
  guint known;

  if (stack == TB_STACK_NONE)
    return FALSE;
  known = GPOINTER_TO_UINT (g_hash_table_lookup (self->is_mutex, GUINT_TO_POINTER (stack)));
  if (known == 0)
    {
      known = 1 + is_mutex_stack (self, stack);
      g_hash_table_insert (self->is_mutex, GUINT_TO_POINTER (stack), GUINT_TO_POINTER (known));
    }
  return known > 1;
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

/* The words of a condition are one lock. */
static char *
name_group (TbPathsLocks *self, guint32 lock)
{
  return is_of_interpreter (self, lock) ? g_strdup (INTERPRETER)
                                        : tb_trace_describe_lock (self->paths->trace, lock);
}

/* Makes one entry of the locks with one name, and fills index_of: lock → 1 + its entry. */
static GArray *
group_by_name (TbPathsLocks *self, GHashTable *index_of)
{
  GArray *groups = g_array_new (FALSE, TRUE, sizeof (TbPathsLock));
  g_autoptr (GHashTable) by_name = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GList) keys = g_hash_table_get_keys (self->path_ns);

  g_array_set_clear_func (groups, clear_lock);
  for (GList *key = keys; key != NULL; key = key->next)
    {
      guint32 lock = GPOINTER_TO_UINT (key->data) - 1;
      gint64 ns = *(gint64 *) g_hash_table_lookup (self->path_ns, key->data);
      g_autofree char *name = name_group (self, lock);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, name));
      TbPathsLock *group;

      if (place == 0)
        {
          TbPathsLock new = {
            .name = g_strdup (name), .lock = lock, .thread = TB_ID_NONE, .longest = TB_ID_NONE
          };

          g_array_append_val (groups, new);
          place = groups->len;
          g_hash_table_insert (by_name, new.name, GUINT_TO_POINTER (place));
        }
      group = &g_array_index (groups, TbPathsLock, place - 1);
      if (ns > group->path_ns - ns)
        group->lock = lock;
      group->path_ns += ns;
      group->n_locks++;
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
  GArray *groups = group_by_name (self, index_of);
  g_autofree gint64 *thread_ns = g_new (gint64, MAX (groups->len, 1));

  for (guint32 thread = 0; groups->len > 0 && thread < self->paths->model->n_threads; thread++)
    add_waits (self, groups, index_of, thread, thread_ns);
  g_array_sort (groups, compare_locks);
  return groups;
}
