/* tb-lock-functions.h: the functions of libraries by which programs make locks, and are done with them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-functions.h"

G_BEGIN_DECLS

typedef struct
{
  TbAgentFunction *function;
  guint32 size; /* of the lock that is its first argument */
  gboolean destroys;
} TbLockFunction;

typedef struct
{
  GArray *found;     /* TbLockFunction, those of one file in a row */
  GPtrArray *owners; /* of arrays of TbAgentFunction */
} TbLockFunctions;

/* (transfer full): as far as the target's libraries have them, which none must. */
TbLockFunctions *tb_lock_functions_find (const TbTarget *target);
void tb_lock_functions_free (TbLockFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbLockFunctions, tb_lock_functions_free)

G_END_DECLS
