/* tb-thread-traits.c: recognition of the kernel threads, ksoftirqd and tracing programs among the
 * threads of a session, by parent process and names
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-thread-traits-private.h"

/* PID of kthreadd, the parent of all kernel threads. */
#define KTHREADD 2

static gboolean
has_kernel_name (const char *name)
{
  static const char *const prefixes[]
      = { "kworker/",  "ksoftirqd/", "migration/", "rcu_", "kswapd",
          "kcompactd", "cpuhp/",     "jbd2/",      "irq/", "idle_inject/" };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_tracer (const char *name)
{
  static const char *const names[]
      = { "bpftrace", "perf", "sysprofd", "tailback-agent", "trace-cmd" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      return TRUE;
  return FALSE;
}

/* Inside a container another process has that PID. */
static gboolean
is_kthreadd (const TbProcess *process)
{
  return process->pid == KTHREADD
         && (process->name[0] == '\0' || g_str_equal (process->name, "kthreadd"));
}

guint8 *
tb_session_find_thread_traits (TbSession *session)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint8 *traits = g_new0 (guint8, MAX (n_threads, 1));

  for (guint i = 0; i < n_threads; i++)
    {
      const TbProcess *process
          = threads[i].process < n_processes ? &processes[threads[i].process] : NULL;
      gboolean kernel;

      if (process == NULL)
        continue;
      if (process->parent < n_processes)
        kernel = is_kthreadd (&processes[process->parent]);
      else
        kernel = has_kernel_name (threads[i].name) && process->command[0] == '\0';
      if (process->pid == KTHREADD && g_str_equal (process->name, "kthreadd"))
        kernel = TRUE;
      if (is_tracer (process->name))
        traits[i] |= TB_THREAD_TRACER;
      if (!kernel)
        continue;
      traits[i] |= TB_THREAD_KERNEL;
      if (g_str_has_prefix (threads[i].name, "ksoftirqd/"))
        traits[i] |= TB_THREAD_KSOFTIRQD;
    }
  return traits;
}
