/* tb-wait-spin-enders.h: for proposed annotations of busy waiting: the threads that may
 * have ended it, which are those that may have run at each of its ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The thread that ends busy waiting writes the watched memory. For that it must run between the
 * last time the waiting thread was seen to wait and the first time it was not. The write itself is
 * not recorded, so only the threads that ran in that time are known. */
typedef struct
{
  GArray *threads; /* guint32, ascending: threads that ran at every end so far; NULL: no end yet */
  guint64 n_ends;
} TbWaitSpinEnders;

/* Limit of searches in threads' intervals. Beyond it, nothing more is found. */
#define TB_WAIT_MAX_SPIN_ENDER_SEARCHES (50 * 1000 * 1000)

/* Restricts the threads to those that ran in a range. searches_left: remaining searches; reduced.
 * Returns FALSE if there are too few; then nothing is known of any end. */
gboolean tb_wait_spin_enders_narrow (TbWaitSpinEnders *self,
                                     TbTrace *trace,
                                     guint32 waiting,
                                     gint64 from,
                                     gint64 to,
                                     guint64 *searches_left);
void tb_wait_spin_enders_clear (TbWaitSpinEnders *self);

G_END_DECLS
