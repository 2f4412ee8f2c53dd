/* tb-wait-scope-load.h: when any thread of the target runs or wants a CPU, and what ends the times
 * in which all of them sleep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-result.h"

G_BEGIN_DECLS

/* What ends a time in which all threads of the target sleep. */
typedef enum
{
  TB_WAIT_END_REQUEST, /* a message, data in a pipe, or a wait that the user marked as idle */
  TB_WAIT_END_TIMER,
  TB_WAIT_END_DEVICE,
  TB_WAIT_END_OTHER, /* or nothing, until the end */
  TB_N_WAIT_ENDS,
} TbWaitEnd;

typedef struct
{
  gint64 life;                   /* of the target */
  gint64 busy;                   /* while at least one of its threads runs or is runnable */
  gint64 asleep[TB_N_WAIT_ENDS]; /* while none is, by what ends it */
} TbWaitScopeLoad;

/* Threads of the kernel count only if the target was named and has them. */
void tb_wait_scope_load_init (TbWaitScopeLoad *self, const TbWaitResult *result);

G_END_DECLS
