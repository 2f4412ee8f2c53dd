/* tb-wait-recorder-threads.c: search for the threads of the recorder, which are no part of wait
 * graphs and of the load that is replayed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-recorder-threads.h"

#include "trace/tb-trace-roles.h"

guint8 *
tb_wait_find_recorder_threads (TbTrace *trace)
{
  guint n_threads;
  guint8 *is_recorder;

  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  is_recorder = g_new0 (guint8, (gsize) n_threads + 1);
  for (guint32 i = 0; i < n_threads; i++)
    is_recorder[i] = (tb_trace_get_thread_roles (trace, i) & TB_THREAD_ROLE_RECORDER) != 0;
  return is_recorder;
}
