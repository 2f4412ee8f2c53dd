/* tb-wait-recorder-threads.h: threads of the recorder itself, in processes named "tailback…",
 * which replays do not count as part of the recorded load
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* By thread: whether it belongs to the recorder. (transfer full) */
guint8 *tb_wait_find_recorder_threads (TbTrace *trace);

G_END_DECLS
