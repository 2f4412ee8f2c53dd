/* tb-memory-functions.h: the functions of libraries by which programs allocate memory, and free it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-functions.h"

G_BEGIN_DECLS

typedef struct
{
  TbAgentFunction *function;
  TbCaptureMemoryKind kind;
  guint size; /* number of the argument that is it */
} TbMemoryFunction;

typedef struct
{
  GArray *found;     /* TbMemoryFunction, those of one file in a row */
  GPtrArray *owners; /* of arrays of TbAgentFunction */
} TbMemoryFunctions;

/* (transfer full): as far as the target's libraries have them. */
TbMemoryFunctions *tb_memory_functions_find (const TbTarget *target);
void tb_memory_functions_free (TbMemoryFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbMemoryFunctions, tb_memory_functions_free)

G_END_DECLS
