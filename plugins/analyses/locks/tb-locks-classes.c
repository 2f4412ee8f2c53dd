/* tb-locks-classes.c: classes of locks, which were made or are taken in one function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-locks-classes.h"
#include "trace/tb-trace-lock-origins.h"

/* Fewer locks of one function have a row each, unless their waiters have words of their own. */
#define MIN_MEMBERS 3

/* The function by which a lock is recognized among many: the one that made it, else the one that
 * waits for it. NULL: none, or the lock has a name of its own. */
static char *
find_place (TbTrace *trace, const TbLock *of, const TbLockSummary *lock, gboolean *is_made)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  char *place;

  *is_made = FALSE;
  if (of->kind != TB_LOCK_WORD || lock->use == TB_LOCK_USE_JOIN)
    return NULL;
  /* A library makes the words of the waiters, whatever they wait for. */
  if (tb_lock_summary_is_parked (lock)
      && (place = tb_trace_find_lock_user (trace, intervals->stack[lock->longest])) != NULL)
    return place;
  return tb_trace_find_lock_place (trace, lock->lock, intervals->stack[lock->longest], is_made);
}

/* Of a variable that has several locks, such as an array: its name. Locks that are not variables
 * have no name. NULL: the lock is a whole variable. */
static char *
find_variable (TbTrace *trace, const TbLock *of, const TbLockSummary *lock)
{
  g_autofree char *name = NULL;
  char *plus;

  if (of->place == TB_ID_NONE)
    return g_strdup ("");
  name = tb_trace_describe_lock (trace, lock->lock);
  plus = strstr (name, "+0x");
  if (plus == NULL)
    return NULL;
  *plus = '\0';
  return g_steal_pointer (&name);
}

/* What the locks of a class have in common. NULL: the lock is in no class. */
static char *
make_key (TbTrace *trace, const TbLock *of, TbLockSummary *lock)
{
  g_autofree char *variable = NULL;

  if (lock->use == TB_LOCK_USE_JOIN)
    return g_strdup_printf ("%u", of->process);
  lock->place = find_place (trace, of, lock, &lock->is_made);
  variable = lock->place != NULL ? find_variable (trace, of, lock) : NULL;
  if (variable == NULL)
    return NULL;
  return g_strdup_printf ("%u %u %u %s %s", lock->use, of->process,
                          of->process == TB_ID_NONE ? of->object : 0, variable, lock->place);
}

static TbLockSummary *
make_class (const TbLocksSummary *summary, GPtrArray *members)
{
  const TbLockSummary *first;
  TbLockSummary *class;

  for (guint i = 0; i < members->len; i++)
    tb_lock_summary_finish (g_ptr_array_index (members, i), summary);
  g_ptr_array_sort (members, tb_lock_summary_compare);
  first = g_ptr_array_index (members, 0);
  class = tb_lock_summary_new (first->lock, first->use);
  class->place = g_strdup (first->place);
  class->is_made = first->is_made;
  class->members = g_ptr_array_ref (members);
  for (guint i = 0; i < members->len; i++)
    tb_lock_summary_add (class, g_ptr_array_index (members, i));
  return class;
}

/* Adds locks that have a key in common as a class, or each by itself if they are few. The ends of
 * threads, which have no names, always are a class. */
static void
add_class (TbLocksSummary *summary, GPtrArray *members)
{
  const TbLockSummary *first = g_ptr_array_index (members, 0);

  if (members->len >= MIN_MEMBERS
      || (members->len > 1
          && (first->use == TB_LOCK_USE_JOIN || tb_lock_summary_is_parked (first))))
    {
      g_ptr_array_add (summary->locks, make_class (summary, members));
      return;
    }
  for (guint i = 0; i < members->len; i++)
    g_ptr_array_add (summary->locks, g_ptr_array_index (members, i));
  g_ptr_array_set_free_func (members, NULL);
}

void
tb_locks_form_classes (TbLocksSummary *summary)
{
  g_autoptr (GHashTable) classes
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) all = g_steal_pointer (&summary->locks);
  guint n_locks;
  const TbLock *locks = tb_trace_get_locks (summary->trace, &n_locks);
  GHashTableIter iter;
  gpointer value;

  summary->n_locks = all->len;
  summary->locks = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_lock_summary_free);
  g_ptr_array_set_free_func (all, NULL);
  for (guint i = 0; i < all->len; i++)
    {
      TbLockSummary *lock = g_ptr_array_index (all, i);
      char *key = make_key (summary->trace, &locks[lock->lock], lock);
      GPtrArray *members = key != NULL ? g_hash_table_lookup (classes, key) : NULL;

      if (key == NULL)
        {
          g_ptr_array_add (summary->locks, lock);
          continue;
        }
      if (members == NULL)
        {
          members = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_lock_summary_free);
          g_hash_table_insert (classes, key, members);
        }
      else
        g_free (key);
      g_ptr_array_add (members, lock);
    }
  g_hash_table_iter_init (&iter, classes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    add_class (summary, value);
  for (guint i = 0; i < summary->locks->len; i++)
    tb_lock_summary_finish (g_ptr_array_index (summary->locks, i), summary);
  g_ptr_array_sort (summary->locks, tb_lock_summary_compare);
}
