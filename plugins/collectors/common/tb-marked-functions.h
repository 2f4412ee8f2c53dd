/* tb-marked-functions.h: functions whose calls mean what a mark would: spinning, releasing, work, phases
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-functions.h"

G_BEGIN_DECLS

/* What a call of the function means. */
typedef enum
{
  TB_FUNCTION_SPINS,         /* the thread waits busily in it, for the lock that is its first argument */
  TB_FUNCTION_RELEASES,      /* it lets those go on that spin for its first argument */
  TB_FUNCTION_WORKS,         /* when it returns, one unit of work is done */
  TB_FUNCTION_FALSE_WAKEUPS, /* the waking before was for nothing */
  TB_FUNCTION_PHASES,        /* it is a phase of its thread */
  TB_FUNCTION_CREATES,       /* it makes the lock that is its first argument */
  TB_N_FUNCTION_MEANINGS,
} TbFunctionMeaning;

typedef struct
{
  TbFunctionMeaning meaning;
  TbAgentFunction *function; /* of the array of functions */
  const char *name;          /* without its file */
} TbMarkedFunction;

typedef struct
{
  GPtrArray *functions; /* TbAgentFunction */
  GArray *marked;       /* TbMarkedFunction */
} TbMarkedFunctions;

/* (transfer full): of "MEANING:[FILE:]FUNCTION" each, where the rest is as in tb_agent_functions_find(). NULL with one clear
 * line. */
TbMarkedFunctions *
tb_marked_functions_find (const char *const *wanted, const TbTarget *target, GError **error);
void tb_marked_functions_free (TbMarkedFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbMarkedFunctions, tb_marked_functions_free)

G_END_DECLS
