/* tb-lock-functions.c: library functions that create and destroy locks: table of them with the
 * sizes of locks, and those found in the target's libraries
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each function has the lock as its first argument. A thread may wait for another word of a lock
 * than the first, so the size is part of it. Destruction is recorded too: otherwise a lock that
 * needs no creation would later be named after one that was at the same address.
 */

#include "config.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "tb-lock-functions.h"

/* As in GLib's header, which does not document the size of the memory behind the pointer. */
#define G_MUTEX_SIZE 8
#define G_COND_SIZE 16

static const struct
{
  const char *library;
  const char *name;
  guint32 size;
  gboolean destroys;
} functions[] = {
  { "libc.so.6", "pthread_mutex_init", sizeof (pthread_mutex_t), FALSE },
  { "libc.so.6", "pthread_rwlock_init", sizeof (pthread_rwlock_t), FALSE },
  { "libc.so.6", "pthread_cond_init", sizeof (pthread_cond_t), FALSE },
  { "libc.so.6", "pthread_barrier_init", sizeof (pthread_barrier_t), FALSE },
  { "libc.so.6", "sem_init", sizeof (sem_t), FALSE },
  { "libc.so.6", "mtx_init", sizeof (mtx_t), FALSE },
  { "libc.so.6", "cnd_init", sizeof (cnd_t), FALSE },
  { "libc.so.6", "pthread_mutex_destroy", sizeof (pthread_mutex_t), TRUE },
  { "libc.so.6", "pthread_rwlock_destroy", sizeof (pthread_rwlock_t), TRUE },
  { "libc.so.6", "pthread_cond_destroy", sizeof (pthread_cond_t), TRUE },
  { "libc.so.6", "pthread_barrier_destroy", sizeof (pthread_barrier_t), TRUE },
  { "libc.so.6", "sem_destroy", sizeof (sem_t), TRUE },
  { "libglib-2.0.so.0", "g_mutex_init", G_MUTEX_SIZE, FALSE },
  { "libglib-2.0.so.0", "g_cond_init", G_COND_SIZE, FALSE },
  { "libglib-2.0.so.0", "g_mutex_clear", G_MUTEX_SIZE, TRUE },
  { "libglib-2.0.so.0", "g_cond_clear", G_COND_SIZE, TRUE },
};

static gboolean
is_known (const TbLockFunctions *self, const TbAgentFunction *function)
{
  for (guint i = 0; i < self->found->len; i++)
    {
      const TbCaptureProbeAdd *other
          = &g_array_index (self->found, TbLockFunction, i).function->probe;

      if (other->device == function->probe.device && other->inode == function->probe.inode
          && other->offset == function->probe.offset)
        return TRUE;
    }
  return FALSE;
}

TbLockFunctions *
tb_lock_functions_find (const TbTarget *target)
{
  TbLockFunctions *self = g_new0 (TbLockFunctions, 1);

  self->found = g_array_new (FALSE, FALSE, sizeof (TbLockFunction));
  self->owners = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s:%s", functions[i].library, functions[i].name);
      const char *const wanted[] = { name, NULL };
      g_autoptr (GPtrArray) one = tb_agent_functions_find (wanted, target, NULL);
      TbLockFunction function = { .size = functions[i].size, .destroys = functions[i].destroys };

      if (one == NULL)
        continue;
      function.function = g_ptr_array_index (one, 0);
      if (is_known (self, function.function))
        continue;
      g_array_append_val (self->found, function);
      g_ptr_array_add (self->owners, g_steal_pointer (&one));
    }
  return self;
}

void
tb_lock_functions_free (TbLockFunctions *self)
{
  g_array_unref (self->found);
  g_ptr_array_unref (self->owners);
  g_free (self);
}
