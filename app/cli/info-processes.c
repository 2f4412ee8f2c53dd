/* info-processes.c: threads of a recording, grouped by process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "info.h"

void
info_processes_clear (InfoProcessThreads *grouped)
{
  g_free (grouped->first);
  g_free (grouped->order);
  g_free (grouped->main);
}

void
info_group_threads (TbSession *session, InfoProcessThreads *grouped)
{
  guint n_processes;
  guint n_threads;
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  g_autofree guint *next = g_new0 (guint, n_processes + 1);

  grouped->first = g_new0 (guint, n_processes + 2);
  grouped->order = g_new0 (guint, n_threads + 1);
  grouped->main = g_new (guint, n_processes + 1);
  for (guint i = 0; i < n_processes; i++)
    grouped->main[i] = TB_ID_NONE;
  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process < n_processes)
      grouped->first[threads[i].process + 1]++;
  for (guint i = 0; i < n_processes; i++)
    {
      grouped->first[i + 1] += grouped->first[i];
      next[i] = grouped->first[i];
    }
  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process < n_processes)
      {
        grouped->order[next[threads[i].process]++] = i;
        if (threads[i].tid == processes[threads[i].process].pid)
          grouped->main[threads[i].process] = i;
      }
}
