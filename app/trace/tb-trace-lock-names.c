/* tb-trace-lock-names.c: names of locks: by variable, by place in a module or file, or by address
 * with the function that created the lock or waits for it; numbers and names of all objects of
 * sleeps
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include "trace/tb-trace-lock-callers-private.h"
#include "trace/tb-trace-lock-origins.h"
#include "trace/tb-trace-locks-private.h"
#include "trace/tb-trace-private.h"

/* Suffix that the kernel gives to memory that processes share without a file. */
#define DELETED " (deleted)"

/* The recorded name of a frame. */
static const char *
get_given_name (TbTrace *self, guint32 place)
{
  const TbStackColumns *stacks = tb_trace_peek_stacks (self);
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);

  if (place >= stacks->n_frames || stacks->module[place] >= n_modules
      || modules[stacks->module[place]].kind != TB_MODULE_NAMED)
    return NULL;
  return tb_session_get_string (self->session, (guint32) stacks->offset[place]);
}

/* The name of the variable, with "+0x8" inside a larger one; NULL if it is not known, or not
 * yet. */
static const char *
get_variable (TbTrace *self, guint32 place)
{
  guint n_names = 0;
  const TbFrameName *names
      = place != TB_ID_NONE ? tb_session_get_frame_names (self->session, place, &n_names) : NULL;

  if (n_names > 0 && names[0].function[0] != '\0')
    return names[0].function;
  return place != TB_ID_NONE ? get_given_name (self, place) : NULL;
}

static char *
name_by_module (TbTrace *self, const TbLock *lock)
{
  const TbStackColumns *stacks = tb_trace_peek_stacks (self);
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (self->session, &n_modules);
  g_autofree char *file = NULL;
  guint32 module;

  if (lock->place >= stacks->n_frames)
    return NULL;
  module = stacks->module[lock->place];
  if (module >= n_modules)
    return NULL;
  file = g_path_get_basename (modules[module].path);
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", file, lock->offset);
}

/* A name from the address, which differs from run to run. */
static char *
name_by_address (TbTrace *self, const TbLock *lock)
{
  const char *mapping = tb_session_get_string (self->session, lock->object);

  if (mapping[0] == '[' && g_str_has_suffix (mapping, "]"))
    return g_strdup_printf ("%.*s 0x%" G_GINT64_MODIFIER "x", (int) strlen (mapping) - 2,
                            mapping + 1, lock->address);
  return g_strdup_printf ("%s%s0x%" G_GINT64_MODIFIER "x", mapping, mapping[0] != '\0' ? " " : "",
                          lock->address);
}

/* A lock that is no word in memory has a name of its own. NULL: it is one. */
static char *
name_by_kind (TbTrace *self, const TbLock *lock)
{
  if (lock->kind == TB_LOCK_FILE)
    return g_strdup (tb_session_get_string (self->session, lock->object));
  /* Not translated, as other names. */
  if (lock->kind == TB_LOCK_SEMAPHORE)
    return g_strdup_printf ("semaphore %" G_GUINT64_FORMAT, lock->address);
  return NULL;
}

/**
 * tb_trace_describe_lock:
 * @self: a trace
 * @lock: index of a lock
 *
 * Names a lock: "queue_lock", "queue+0x8" inside a larger variable, "libfoo.so+0x4040" if its
 * variable has no name, "/dev/shm/ring+0x40"; the lock of a file by its path. A lock without a name
 * of its own is also named by the function that created it or allocated its memory: "heap
 * 0x55d0c0ffee10 from queue_new". If neither was recorded, it is named by the function that waits
 * longest for it: "heap 0x55d0c0ffee10 (queue_pop)". From any thread.
 *
 * Returns: (transfer full): its name
 */
char *
tb_trace_describe_lock (TbTrace *self, guint32 lock)
{
  const TbLock *locks, *found;
  guint n_locks;
  const char *variable, *mapping;
  char *name;
  g_autofree char *address = NULL;
  g_autofree char *user = NULL;
  g_autofree char *maker = NULL;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  locks = tb_trace_get_locks (self, &n_locks);
  g_return_val_if_fail (lock < n_locks, NULL);

  found = &locks[lock];
  name = name_by_kind (self, found);
  if (name != NULL)
    return name;
  variable = get_variable (self, found->place);
  if (variable != NULL)
    return g_strdup (variable);
  name = found->place != TB_ID_NONE ? name_by_module (self, found) : NULL;
  if (name != NULL)
    return name;
  mapping = tb_session_get_string (self->session, found->object);
  if (mapping[0] == '/' && !g_str_has_suffix (mapping, DELETED))
    return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", mapping, found->offset);
  address = mapping[0] == '/'
                ? g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", mapping, found->offset)
                : name_by_address (self, found);
  maker = tb_trace_find_lock_creator (self, lock);
  /* Not translated: JSON and scenarios have this name, too. */
  if (maker != NULL)
    return g_strdup_printf ("%s from %s", address, maker);
  user = tb_trace_find_lock_caller (self, tb_trace_get_lock_stack (self, lock));
  return user != NULL ? g_strdup_printf ("%s (%s)", address, user) : g_steal_pointer (&address);
}

/**
 * tb_trace_find_lock_creator:
 * @self: a trace
 * @lock: index of a lock
 *
 * Finds the function that created a lock that is no variable, or that allocated its memory if no
 * creation was recorded. It is the first caller outside the libraries that do so. From any thread.
 *
 * Returns: (transfer full) (nullable): its name; %NULL if that was not recorded
 */
char *
tb_trace_find_lock_creator (TbTrace *self, guint32 lock)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return tb_trace_find_lock_caller (self,
                                    tb_stack_get_caller (tb_trace_peek_stacks (self),
                                                         tb_trace_get_lock_origin (self, lock)));
}

/**
 * tb_trace_find_lock_user:
 * @self: a trace
 * @stack: the stack of a wait for a lock
 *
 * Finds the function that waits for a lock: the innermost one outside the libraries that lock for
 * their callers. From any thread.
 *
 * Returns: (transfer full) (nullable): its name; %NULL if it is not known
 */
char *
tb_trace_find_lock_user (TbTrace *self, guint32 stack)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return tb_trace_find_lock_caller (self, stack);
}

/**
 * tb_trace_find_lock_place:
 * @self: a trace
 * @lock: a lock
 * @stack: the stack of a wait for it
 * @is_made: (out) (optional): whether the function made it
 *
 * Finds the function by which a lock is recognized among many: the one that made it, unless it is
 * in a variable, else the one that waits for it. From any thread.
 *
 * Returns: (transfer full) (nullable): its name; %NULL if it is not known
 */
char *
tb_trace_find_lock_place (TbTrace *self, guint32 lock, guint32 stack, gboolean *is_made)
{
  guint n_locks;
  const TbLock *locks;
  char *place = NULL;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  locks = tb_trace_get_locks (self, &n_locks);
  g_return_val_if_fail (lock < n_locks, NULL);

  if (locks[lock].place == TB_ID_NONE)
    place = tb_trace_find_lock_creator (self, lock);
  if (is_made != NULL)
    *is_made = place != NULL;
  return place != NULL ? place : tb_trace_find_lock_user (self, stack);
}

/**
 * tb_trace_get_object:
 * @self: a trace
 * @interval: a row
 *
 * Gets the object of a sleep: a file, a peer, a lock. Equal objects have equal numbers;
 * tb_trace_describe_object() names them.
 *
 * Returns: its number; 0 if unknown
 */
guint32
tb_trace_get_object (TbTrace *self, gsize interval)
{
  guint32 lock;

  g_return_val_if_fail (TB_IS_TRACE (self), TB_STRING_NONE);
  g_return_val_if_fail (interval < self->intervals.n, TB_STRING_NONE);

  if (self->intervals.object[interval] != TB_STRING_NONE)
    return self->intervals.object[interval];
  lock = tb_trace_get_lock (self, interval);
  return lock != TB_ID_NONE ? MAX (tb_session_get_n_strings (self->session), 1) + lock
                            : TB_STRING_NONE;
}

/**
 * tb_trace_describe_object:
 * @self: a trace
 * @object: from tb_trace_get_object()
 *
 * Names the object of a sleep: "/var/log/x", "db:5432", "queue_lock".
 *
 * Returns: (transfer full): its name, "" for 0
 */
char *
tb_trace_describe_object (TbTrace *self, guint32 object)
{
  guint32 n_strings;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  n_strings = MAX (tb_session_get_n_strings (self->session), 1);
  if (object < n_strings)
    return g_strdup (tb_session_get_string (self->session, object));
  return tb_trace_describe_lock (self, object - n_strings);
}
