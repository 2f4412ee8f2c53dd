/* tb-wait-broken-stacks.c: stacks of a session that were marked as broken when they were recorded,
 * which end before the first function of the program: loaded tree of stacks with its flags, and
 * look-up of one stack in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-wait-broken-stacks.h"

#include "session/schema/tb-schema.h"

void
tb_wait_broken_stacks_clear (TbWaitBrokenStacks *self)
{
  g_clear_pointer (&self->parent_bytes, g_bytes_unref);
  g_clear_pointer (&self->flag_bytes, g_bytes_unref);
}

gboolean
tb_wait_broken_stacks_load (TbWaitBrokenStacks *self, TbSession *session, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_STACK);

  self->n = tb_table_get_n_rows (table);
  if (self->n == 0)
    return TRUE;
  self->parent_bytes = tb_table_get_column (table, TB_STACK_PARENT, error);
  self->flag_bytes
      = self->parent_bytes != NULL ? tb_table_get_column (table, TB_STACK_FLAGS, error) : NULL;
  if (self->flag_bytes == NULL)
    return FALSE;
  self->parents = g_bytes_get_data (self->parent_bytes, NULL);
  self->flags = g_bytes_get_data (self->flag_bytes, NULL);
  return TRUE;
}

/* A parent has a smaller number. */
gboolean
tb_wait_broken_stacks_contain (const TbWaitBrokenStacks *self, guint32 stack)
{
  if (stack >= self->n)
    return TRUE;
  while (self->parents[stack] != TB_STACK_NONE && self->parents[stack] < stack)
    stack = self->parents[stack];
  return (self->flags[stack] & TB_STACK_BROKEN) != 0;
}
