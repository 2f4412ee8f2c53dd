/* tb-thread-traits.c: recognition of kernel threads, ksoftirqd and tracing programs
 * among the threads of a session, by parent process and names, and of threads outside of the target
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

/* The process to which the recording is restricted, by the agent's start of it. */
static guint32
find_target (TbSession *session, const TbProcess *processes, guint n_processes)
{
  const char *scope = tb_session_get_fact (session, TB_FACT_SCOPE);
  const char *pid = tb_session_get_fact (session, TB_FACT_TARGET_PID);
  guint64 number;

  if (scope == NULL || g_str_equal (scope, "system") || pid == NULL
      || !g_ascii_string_to_unsigned (pid, 10, 1, G_MAXINT32, &number, NULL))
    return TB_ID_NONE;
  /* It existed from the start. A later process with the same PID is another one. */
  for (guint32 i = 0; i < n_processes; i++)
    if (processes[i].host == 0 && processes[i].pid == (gint64) number)
      return i;
  return TB_ID_NONE;
}

typedef enum
{
  PLACE_UNKNOWN,
  PLACE_SOUGHT,
  PLACE_INSIDE,
  PLACE_OUTSIDE,
} Place;

/* Whether a process is the target's or a descendant of it. Ancestors that are their own are not. */
static void
find_place (const TbProcess *processes, guint n_processes, guint32 process, guint8 *places)
{
  guint32 i = process;
  Place place = PLACE_OUTSIDE;

  for (; i < n_processes && places[i] == PLACE_UNKNOWN; i = processes[i].parent)
    places[i] = PLACE_SOUGHT;
  if (i < n_processes && places[i] == PLACE_INSIDE)
    place = PLACE_INSIDE;
  for (i = process; i < n_processes && places[i] == PLACE_SOUGHT; i = processes[i].parent)
    places[i] = place;
}

static void
mark_outside (TbSession *session, guint8 *traits)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint32 target = find_target (session, processes, n_processes);
  g_autofree guint8 *places = g_new0 (guint8, n_processes + 1);

  if (target == TB_ID_NONE)
    return;
  places[target] = PLACE_INSIDE;
  for (guint32 i = 0; i < n_processes; i++)
    find_place (processes, n_processes, i, places);
  for (guint32 i = TB_THREAD_IDLE + 1; i < n_threads; i++)
    if (threads[i].process >= n_processes || places[threads[i].process] == PLACE_OUTSIDE)
      traits[i] |= TB_THREAD_OUTSIDE;
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
  mark_outside (session, traits);
  return traits;
}
