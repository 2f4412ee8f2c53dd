/* tb-wait-pools.c: pool of a kernel worker by the worker's name, and merging of the workers of a
 * pool into one vertex
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of a worker consists of its pool (a CPU, with H for high priority; or u and a number,
 * for any CPU), its own number, and its work: wq_worker_comm() in the kernel's
 * kernel/workqueue.c.
 */

#include "config.h"

#include "tb-wait-pools.h"

#include <string.h>

#define PREFIX "kworker/"

static const char *
skip_digits (const char *text)
{
  while (g_ascii_isdigit (*text))
    text++;
  return text;
}

/* Finds the beginning and end of the worker's own number; FALSE: it is not the name of a worker. */
static gboolean
find_number (const char *name, const char **number, const char **end)
{
  const char *pool = name + strlen (PREFIX);

  if (!g_str_has_prefix (name, PREFIX))
    return FALSE;
  pool += *pool == 'u';
  *number = skip_digits (pool);
  if (*number == pool || **number != ':')
    return FALSE;
  *end = skip_digits (++*number);
  return *end > *number;
}

char *
tb_wait_pool_parse (const char *name)
{
  const char *number, *end;

  if (!find_number (name, &number, &end))
    return NULL;
  return g_strdup_printf ("%.*s%s", (int) (number - 1 - name), name, *end == 'H' ? "H" : "");
}

const char *
tb_wait_pool_get_work (const char *name)
{
  const char *number, *end;

  if (!find_number (name, &number, &end))
    return "";
  end += *end == 'H';
  return *end == '-' || *end == '+' ? end + 1 : "";
}

/* Workers of the target are not merged with others. */
static char *
make_key (const TbWaitMerges *merges,
          const TbWaitModel *model,
          const TbThread *threads,
          guint32 thread)
{
  guint n_processes;
  const TbProcess *processes
      = tb_session_get_processes (tb_trace_get_session (model->trace), &n_processes);
  guint32 process = threads[thread].process;
  g_autofree char *pool = NULL;

  if (!tb_trace_is_kernel_thread (model->trace, thread)
      || (model->group_of_thread != NULL && model->group_of_thread[thread] != TB_ID_NONE))
    return NULL;
  pool = tb_wait_pool_parse (threads[thread].name);
  return pool != NULL
             ? g_strdup_printf ("%u %d %s", process < n_processes ? processes[process].host : 0,
                                merges->outside[thread], pool)
             : NULL;
}

void
tb_wait_pools_find (TbWaitMerges *merges, const TbWaitModel *model, TbWaitUnmerged *unmerged)
{
  g_autoptr (GHashTable) pools = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_threads;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (model->trace), &n_threads);

  for (guint32 i = 1; i < model->n_threads; i++)
    {
      g_autofree char *key = make_key (merges, model, threads, i);
      guint32 first, which;

      if (key == NULL)
        continue;
      first = GPOINTER_TO_UINT (g_hash_table_lookup (pools, key));
      if (first == 0)
        {
          g_hash_table_insert (pools, g_steal_pointer (&key), GUINT_TO_POINTER (i));
          continue;
        }
      which = tb_wait_unmerged_find (unmerged, "pool", first, threads[first].name);
      if (which != TB_ID_NONE)
        {
          unmerged->by_thread[i] = unmerged->by_thread[first] = which;
          continue;
        }
      merges->group[i] = merges->group[first] = first;
      merges->merged[i] = merges->merged[first] = TB_WAIT_MERGED_POOL;
    }
}
