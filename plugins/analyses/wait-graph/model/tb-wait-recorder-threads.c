/* tb-wait-recorder-threads.c: threads of the recorder itself, in processes named "tailback…",
 * which replays do not count as part of the recorded load
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-recorder-threads.h"

/* Prefix of the recorder's process names. */
#define RECORDER "tailback"

guint8 *
tb_wait_find_recorder_threads (TbTrace *trace)
{
  TbSession *session = tb_trace_get_session (trace);
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint8 *is_recorder = g_new0 (guint8, n_threads + 1);

  for (guint i = 0; i < n_threads; i++)
    is_recorder[i] = threads[i].process < n_processes
                     && g_str_has_prefix (processes[threads[i].process].name, RECORDER);
  return is_recorder;
}
