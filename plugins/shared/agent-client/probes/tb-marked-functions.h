/* tb-marked-functions.h: functions whose calls act as marks (spinning, releasing, work, false
 * wake-ups, phases, creation of locks), parsed from the option's texts and found in files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-functions.h"

G_BEGIN_DECLS

/* Meaning of a function's call */
typedef enum
{
  TB_FUNCTION_SPINS,         /* the thread spins in it, for the lock that is its first argument */
  TB_FUNCTION_RELEASES,      /* it releases threads that spin for its first argument */
  TB_FUNCTION_WORKS,         /* its return completes one unit of work */
  TB_FUNCTION_FALSE_WAKEUPS, /* the wake-up before it was false */
  TB_FUNCTION_PHASES,        /* the call is a phase of its thread */
  TB_FUNCTION_CREATES,       /* it creates the lock that is its first argument */
  TB_N_FUNCTION_MEANINGS,
} TbFunctionMeaning;

typedef struct
{
  TbFunctionMeaning meaning;
  TbAgentFunction *function; /* element of functions */
  const char *name;          /* without the file */
} TbMarkedFunction;

typedef struct
{
  GPtrArray *functions; /* TbAgentFunction */
  GArray *marked;       /* TbMarkedFunction */
} TbMarkedFunctions;

/* (transfer full): parses "MEANING:[FILE:]FUNCTION" each, where the rest is as in
 * tb_agent_functions_find(). NULL with a one-line error. */
TbMarkedFunctions *
tb_marked_functions_find (const char *const *wanted, const TbTarget *target, GError **error);
void tb_marked_functions_free (TbMarkedFunctions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbMarkedFunctions, tb_marked_functions_free)

G_END_DECLS
