/* tb-selection-carry.c: time range and threads that are selected in one recording, carried over to
 * another one: same distance from the start, threads of the same process name and thread name
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/selection/tb-selection-private.h"

/* (transfer full): name of the process and name of the thread */
static char *
name_thread (TbSession *session, guint32 thread)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint32 process = threads[thread].process;

  return g_strdup_printf ("%s/%s", process < n_processes ? processes[process].name : "",
                          threads[thread].name);
}

static void
carry_threads (TbSelection *self, TbSelection *carried)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  TbSession *session = tb_trace_get_session (self->trace),
            *other = tb_trace_get_session (carried->trace);
  guint n_threads;
  gboolean any = FALSE;

  tb_session_get_threads (session, &n_threads);
  for (guint32 i = 1; i < n_threads; i++)
    if (self->threads[i])
      g_hash_table_add (names, name_thread (session, i));
  tb_session_get_threads (other, &n_threads);
  for (guint32 i = 1; i < n_threads; i++)
    {
      g_autofree char *name = name_thread (other, i);

      if (!g_hash_table_contains (names, name))
        continue;
      tb_selection_add_thread (carried, i);
      any = TRUE;
    }
  /* Selects no thread that has work: an empty set would select all threads. */
  if (!any && n_threads > TB_THREAD_IDLE)
    tb_selection_add_thread (carried, TB_THREAD_IDLE);
}

/**
 * tb_selection_carry_over:
 * @self: a selection of one recording
 * @trace: another recording
 *
 * Finds the part of another recording that corresponds to a selection.
 *
 * Returns: (transfer full): the corresponding selection of @trace: the time range at the same
 *   distance from the start, if a range is selected; the threads of the same names, if threads are
 *   selected, of which there may be none
 */
TbSelection *
tb_selection_carry_over (TbSelection *self, TbTrace *trace)
{
  TbSelection *carried;
  gint64 own_from, own_to, from, to;

  g_return_val_if_fail (TB_IS_SELECTION (self) && TB_IS_TRACE (trace), NULL);

  carried = tb_selection_new (trace);
  tb_selection_set_scope (carried, self->scope);
  tb_trace_get_range (self->trace, &own_from, &own_to);
  tb_trace_get_range (trace, &from, &to);
  if (self->from != own_from || self->to != own_to)
    tb_selection_set_range (carried, MIN (from + (self->from - own_from), to),
                            MIN (from + (self->to - own_from), to));
  if (self->threads != NULL)
    carry_threads (self, carried);
  return carried;
}
