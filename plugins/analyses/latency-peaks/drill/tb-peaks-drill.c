/* tb-peaks-drill.c: result of a drill-down (made by tb-peaks-examination.c): function of the
 * examined calls, interrupt source of a node of its tree, freeing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-peaks-drill.h"

void
tb_peaks_drill_free (TbPeaksDrill *self)
{
  g_clear_pointer (&self->tree, tb_peaks_tree_free);
  g_clear_pointer (&self->names, g_string_chunk_free);
  g_clear_pointer (&self->gaps, g_hash_table_unref);
  g_clear_pointer (&self->call_sites, g_hash_table_unref);
  g_clear_pointer (&self->lines, g_hash_table_unref);
  g_clear_pointer (&self->peaks, g_array_unref);
  g_free (self->function);
  g_free (self);
}

TbInterruptKind
tb_peaks_get_interrupt (const TbPeaksNode *node, guint32 *vector, guint32 *name)
{
  *name = (guint32) node->key;
  *vector = (guint32) (node->key >> 32) & 0xffffff;
  return (TbInterruptKind) (node->key >> 56);
}

const char *
tb_peaks_drill_get_function (const TbPeaksDrill *self)
{
  const TbPeaksTable *table = &self->calls->tables[self->operation->kind];

  if (self->operation->kind == TB_PEAKS_INFERRED)
    return g_ptr_array_index (table->names, self->operation->key);
  if (self->operation->kind == TB_PEAKS_HOLD)
    return TB_PEAKS_ANY_FUNCTION;
  return self->function;
}
