/* tb-thread-traits-private.h: recognition of the kernel threads, ksoftirqd and tracing programs
 * among the threads of a session, by parent process and names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

typedef enum
{
  TB_THREAD_KERNEL = 1 << 0,
  TB_THREAD_KSOFTIRQD = 1 << 1,
  TB_THREAD_TRACER = 1 << 2,  /* reads events that the kernel writes, which interrupts announce */
  TB_THREAD_OUTSIDE = 1 << 3, /* not of the processes to which the recording is restricted */
} TbThreadTraits;

/* Kernel threads are the children of kthreadd; if parents were not recorded, their names decide.
 * Outside are all but the target's process and its descendants, if only these were recorded. By
 * thread; free with g_free(). */
guint8 *tb_session_find_thread_traits (TbSession *session);

G_END_DECLS
