/* tb-recorder-order.c: order of simultaneous events of several tables, written to a table of its
 * own if the source of the recording has it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The rows of each table are in order, but the order of simultaneous events in different tables is
 * lost. Simultaneous events from several buffers of a tracer have no known order; the lines of a
 * text file have one.
 */

#include "config.h"

#include "session/recorder/tb-recorder-private.h"

/**
 * tb_recorder_store_order:
 * @self: a recorder
 *
 * Declares that simultaneous events are added in the order in which they happened. Otherwise only
 * the order of events of the same kind is stored. Must be called before the first
 * tb_recorder_add().
 */
void
tb_recorder_store_order (TbRecorder *self)
{
  g_return_if_fail (TB_IS_RECORDER (self));

  self->order.is_stored = TRUE;
  if (self->order.entries == NULL)
    self->order.entries = g_array_new (FALSE, FALSE, sizeof (TbOrderEntry));
}

/* The rows are in the order of the ends. */
static gboolean
is_beginning (guint8 kind)
{
  return kind == TB_ORDER_INTERRUPT_ENTER || kind == TB_ORDER_SYSCALL_ENTER
         || kind == TB_ORDER_CALL_ENTER || kind == TB_ORDER_BLOCK_INSERT
         || kind == TB_ORDER_BLOCK_ISSUE;
}

/* Whether the tables alone do not determine the order. The sleep event of a thread always comes
 * before its switch. */
static gboolean
is_needed (const TbOrderEntry *notes, guint n)
{
  if (n == 2 && notes[0].kind == TB_ORDER_SLEEP && notes[1].kind == TB_ORDER_SWITCH)
    return FALSE;
  for (guint i = 1; i < n; i++)
    if (notes[i].kind != notes[0].kind || is_beginning (notes[i].kind))
      return TRUE;
  return FALSE;
}

void
tb_recorder_write_order (TbRecorder *self)
{
  const TbOrderEntry *notes;

  if (self->order.entries == NULL)
    return;
  notes = (const TbOrderEntry *) self->order.entries->data;
  for (guint n = is_needed (notes, self->order.entries->len) ? self->order.entries->len : 0, k = 0;
       k < n; k++)
    {
      TbRows *rows;
      guint i = tb_recorder_add_row (self, TB_TABLE_ORDER, &rows);

      TB_ROWS_COLUMN (rows, TB_ORDER_TIME, gint64)[i] = self->order.time;
      TB_ROWS_COLUMN (rows, TB_ORDER_KIND, guint8)[i] = notes[k].kind;
      TB_ROWS_COLUMN (rows, TB_ORDER_SUBJECT, guint32)[i] = notes[k].subject;
    }
  g_array_set_size (self->order.entries, 0);
}

void
tb_recorder_add_order_slow (TbRecorder *self, TbOrderKind kind, gint64 time, guint32 subject)
{
  TbOrderEntry note = { subject, kind };

  if (time != self->order.time)
    tb_recorder_write_order (self);
  self->order.time = time;
  g_array_append_val (self->order.entries, note);
}
