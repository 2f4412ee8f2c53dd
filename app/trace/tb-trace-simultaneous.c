/* tb-trace-simultaneous.c: list of the simultaneous events whose order the tables alone do not
 * determine, taken from the recorded sequence of a session, for the pass over the events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-simultaneous-private.h"

/* Whether the pass over the events processes this kind. */
static gboolean
is_processed (guint8 kind)
{
  switch (kind)
    {
    case TB_ORDER_PROCESS:
    case TB_ORDER_SWITCH:
    case TB_ORDER_WAKEUP:
    case TB_ORDER_NETWORK:
    case TB_ORDER_MARK:
    case TB_ORDER_INTERRUPT_ENTER:
    case TB_ORDER_INTERRUPT_EXIT:
    case TB_ORDER_BLOCK_INSERT:
    case TB_ORDER_BLOCK_ISSUE:
    case TB_ORDER_BLOCK_COMPLETE:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Whether the row order of the tables alone does not determine the order of these events. Interrupt
 * entries are not stored in the order of events. */
static gboolean
is_needed (const TbSequenceEvent *events, guint n)
{
  guint first = 0;

  while (first < n && !is_processed (events[first].kind))
    first++;
  for (guint i = first + 1; i < n; i++)
    if (is_processed (events[i].kind)
        && (events[i].kind != events[first].kind || events[i].kind == TB_ORDER_INTERRUPT_ENTER))
      return TRUE;
  return FALSE;
}

GArray *
tb_trace_find_simultaneous (TbSession *session, GError **error)
{
  g_autoptr (TbSequence) sequence = tb_sequence_new (session, FALSE, error);
  g_autoptr (GArray) simultaneous = NULL;
  const TbSequenceEvent *events;
  gsize n_times = 0;
  guint n;

  if (sequence == NULL)
    return NULL;
  simultaneous = g_array_new (FALSE, FALSE, sizeof (TbSequenceEvent));
  while ((events = tb_sequence_next (sequence, &n)) != NULL)
    {
      if (tb_trace_is_cancelled_at (n_times++)
          && g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error))
        return NULL;
      for (guint i = 0; n > 1 && i < n && (i > 0 || is_needed (events, n)); i++)
        if (is_processed (events[i].kind))
          g_array_append_val (simultaneous, events[i]);
    }
  return g_steal_pointer (&simultaneous);
}
