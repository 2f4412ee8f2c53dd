/* tb-trace-waits-private.h: kind and object of each sleep, and whether it timed out, set from
 * recorded events; kind of wait of a class of system calls
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-rows-private.h"

G_BEGIN_DECLS

void tb_trace_find_waits (const TbTraceInput *input, TbIntervalColumns *columns);
TbWaitKind tb_wait_kind_from_syscall (TbSyscallClass class, TbState state);

G_END_DECLS
