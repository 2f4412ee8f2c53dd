/* tb-selection-carry.c: what is asked about in one recording, in another
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/tb-selection-private.h"

static void
carry_threads (TbSelection *self, TbSelection *carried)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->trace), &n_threads);
  gboolean any = FALSE;

  for (guint32 i = 1; i < n_threads; i++)
    if (self->threads[i])
      g_hash_table_add (names, (gpointer) threads[i].name);
  threads = tb_session_get_threads (tb_trace_get_session (carried->trace), &n_threads);
  for (guint32 i = 1; i < n_threads; i++)
    if (g_hash_table_contains (names, threads[i].name))
      {
        tb_selection_add_thread (carried, i);
        any = TRUE;
      }
  /* Nobody, not everybody. */
  if (!any && n_threads > TB_THREAD_IDLE)
    tb_selection_add_thread (carried, TB_THREAD_IDLE);
}

/**
 * tb_selection_carry_over:
 * @self: a selection of one recording
 * @trace: another recording
 *
 * Returns: (transfer full): the same of @trace: where only a part of the time is asked about, that which is as far from the
 *   start; where only some threads are, those of the same names, which may be none
 */
TbSelection *
tb_selection_carry_over (TbSelection *self, TbTrace *trace)
{
  TbSelection *carried;
  gint64 own_from, own_to, from, to;

  g_return_val_if_fail (TB_IS_SELECTION (self) && TB_IS_TRACE (trace), NULL);

  carried = tb_selection_new (trace);
  tb_trace_get_range (self->trace, &own_from, &own_to);
  tb_trace_get_range (trace, &from, &to);
  if (self->from != own_from || self->to != own_to)
    tb_selection_set_range (carried, MIN (from + (self->from - own_from), to),
                            MIN (from + (self->to - own_from), to));
  if (self->threads != NULL)
    carry_threads (self, carried);
  return carried;
}
