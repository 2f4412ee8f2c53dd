/* tb-wait-enders.h: who may have ended the busy waiting of a thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Who ends busy waiting writes what is looked at, and has to run for that: between the last time the waiting one was seen to wait
 * and the first time it was not. What it wrote no recording tells, so that who ran is all that can be known. */
typedef struct
{
  GArray *threads; /* guint32, ascending: those that ran at every end so far; NULL: no end was seen */
  guint64 n_ends;
} TbWaitEnders;

/* Searches of a thread's intervals that are made in all: beyond them nothing more is known. */
#define TB_WAIT_ENDERS_LOOKS (50 * 1000 * 1000)

/* looks: how many searches are left; reduced. FALSE: too few, and then nothing is known of any end. */
gboolean tb_wait_enders_narrow (TbWaitEnders *self,
                                TbTrace *trace,
                                guint32 waiting,
                                gint64 from,
                                gint64 to,
                                guint64 *looks);
void tb_wait_enders_clear (TbWaitEnders *self);

G_END_DECLS
