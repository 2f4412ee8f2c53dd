/* tb-symbol-ids.c: IDs that the function names of an open session have in its file, where other
 * processes may have added names of their own
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-symbol-ids-private.h"

TbSymbolIds *
tb_symbol_ids_new (void)
{
  TbSymbolIds *self = g_new0 (TbSymbolIds, 1);

  self->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

TbSymbolIds *
tb_symbol_ids_copy (const TbSymbolIds *other)
{
  TbSymbolIds *self = g_memdup2 (other, sizeof *other);

  self->ids = g_array_copy (other->ids);
  return self;
}

void
tb_symbol_ids_free (TbSymbolIds *self)
{
  g_array_unref (self->ids);
  g_free (self);
}

guint32
tb_symbol_ids_get (const TbSymbolIds *self, guint symbol)
{
  return symbol < self->ids->len ? g_array_index (self->ids, guint32, symbol) : TB_SYMBOL_ID_NONE;
}

void
tb_symbol_ids_set (TbSymbolIds *self, guint symbol, guint32 id)
{
  const guint32 none = TB_SYMBOL_ID_NONE;

  while (self->ids->len <= symbol)
    g_array_append_val (self->ids, none);
  g_array_index (self->ids, guint32, symbol) = id;
}
