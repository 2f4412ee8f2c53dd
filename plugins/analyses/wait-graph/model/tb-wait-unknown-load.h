/* tb-wait-unknown-load.h: how long each thread may have run or been runnable while its state is
 * unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-model.h"

G_BEGIN_DECLS

/* Sets the possible load of all nodes of threads. A thread that is woken was asleep: if it had run
 * or wanted a CPU before, it could only have fallen asleep by a switch, and that is recorded unless
 * switches are missing. So it slept since the last time at which switches are missing. Whatever
 * else ends an unknown state, the thread may have been busy in all of it. */
gboolean tb_wait_find_possible_load (TbWaitModel *model, GError **error);

G_END_DECLS
