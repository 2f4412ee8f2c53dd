/* tb-memory-functions.h: library functions that allocate and free memory: table of them, and those
 * found in the target's libraries
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
  guint size; /* index of the argument that is the size */
} TbMemoryFunction;

typedef struct
{
  GArray *found;     /* TbMemoryFunction, those of one file adjacent */
  GPtrArray *owners; /* owned arrays of TbAgentFunction */
} TbMemoryFunctions;

/* (transfer full): the functions that the target's libraries have */
TbMemoryFunctions *tb_memory_functions_find (const TbTarget *target);
void tb_memory_functions_free (TbMemoryFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbMemoryFunctions, tb_memory_functions_free)

G_END_DECLS
