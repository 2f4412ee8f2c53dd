/* tb-trace-roles.h: roles of threads in a recording: recorded command, threads that worked for it,
 * recorder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbThreadRoles:
 * @TB_THREAD_ROLE_COMMAND: of the recorded command or process, or of one that it started
 * @TB_THREAD_ROLE_HELPER: no such thread, but it ended waits of one, directly or over others, for
 *   at least a thousandth of the recorded time
 * @TB_THREAD_ROLE_RECORDER: of the program that recorded
 *
 * What a thread is in its recording. A thread has at most one of these roles.
 */
typedef enum
{
  TB_THREAD_ROLE_COMMAND = 1 << 0,
  TB_THREAD_ROLE_HELPER = 1 << 1,
  TB_THREAD_ROLE_RECORDER = 1 << 2,
} TbThreadRoles;

TB_EXPORT TbThreadRoles tb_trace_get_thread_roles (TbTrace *self, guint32 thread);
TB_EXPORT guint32 tb_trace_get_command_process (TbTrace *self);

G_END_DECLS
