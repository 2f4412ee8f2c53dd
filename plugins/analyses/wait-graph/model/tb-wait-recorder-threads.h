/* tb-wait-recorder-threads.h: search for the threads of the recorder, which are no part of wait
 * graphs and of the load that is replayed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* By thread: whether it belongs to the recorder. (transfer full) */
guint8 *tb_wait_find_recorder_threads (TbTrace *trace);

G_END_DECLS
