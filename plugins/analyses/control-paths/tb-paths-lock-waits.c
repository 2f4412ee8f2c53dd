/* tb-paths-lock-waits.c: waits of threads for locks that other threads hold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-paths-lock-waits.h"
#include "trace/tb-trace-exclusive-locks.h"

struct _TbPathsLockWaits
{
  TbTrace *trace;
  TbLockUses *uses; /* of the model */
  TbExclusiveLocks *exclusive;
  GHashTable *is_interpreter; /* 1 + lock → 1 + whether it belongs to an interpreter */
};

TbPathsLockWaits *
tb_paths_lock_waits_new (TbTrace *trace, TbLockUses *uses, const guint8 *threads)
{
  TbPathsLockWaits *self = g_new0 (TbPathsLockWaits, 1);

  self->trace = g_object_ref (trace);
  self->uses = uses;
  self->exclusive = tb_exclusive_locks_new (trace, uses, threads);
  self->is_interpreter = g_hash_table_new (NULL, NULL);
  return self;
}

void
tb_paths_lock_waits_free (TbPathsLockWaits *self)
{
  tb_exclusive_locks_free (self->exclusive);
  g_hash_table_unref (self->is_interpreter);
  g_object_unref (self->trace);
  g_free (self);
}

gboolean
tb_paths_lock_waits_is_of_interpreter (TbPathsLockWaits *self, guint32 lock)
{
  g_autofree char *name = NULL;
  guint known
      = GPOINTER_TO_UINT (g_hash_table_lookup (self->is_interpreter, GUINT_TO_POINTER (lock + 1)));

  if (known == 0)
    {
      name = tb_trace_describe_lock (self->trace, lock);
      known = 1 + g_str_has_prefix (name, TB_PATHS_INTERPRETER);
      g_hash_table_insert (self->is_interpreter, GUINT_TO_POINTER (lock + 1),
                           GUINT_TO_POINTER (known));
    }
  return known > 1;
}

gboolean
tb_paths_lock_waits_is_inferred (TbPathsLockWaits *self, gsize row)
{
  return tb_exclusive_locks_has (self->exclusive, row);
}

guint32
tb_paths_lock_waits_find (TbPathsLockWaits *self, gsize row)
{
  guint32 lock;

  if (tb_trace_get_intervals (self->trace)->state[row] < TB_STATE_INTERRUPTIBLE)
    return TB_ID_NONE;
  lock = tb_trace_get_lock (self->trace, row);
  return lock != TB_ID_NONE
                 && (tb_lock_use_has_holder (tb_lock_uses_get (self->uses, row))
                     || tb_paths_lock_waits_is_of_interpreter (self, lock)
                     || tb_paths_lock_waits_is_inferred (self, row))
             ? lock
             : TB_ID_NONE;
}
