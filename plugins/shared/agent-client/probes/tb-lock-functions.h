/* tb-lock-functions.h: library functions that create and destroy locks: table of them with the
 * sizes of locks, and those found in the target's libraries
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-functions.h"

G_BEGIN_DECLS

typedef struct
{
  TbAgentFunction *function;
  guint32 size; /* of the lock, which is the first argument */
  gboolean destroys;
} TbLockFunction;

typedef struct
{
  GArray *found;     /* TbLockFunction, those of one file adjacent */
  GPtrArray *owners; /* owned arrays of TbAgentFunction */
} TbLockFunctions;

/* (transfer full): the functions that the target's libraries have; there may be none */
TbLockFunctions *tb_lock_functions_find (const TbTarget *target);
void tb_lock_functions_free (TbLockFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLockFunctions, tb_lock_functions_free)

G_END_DECLS
