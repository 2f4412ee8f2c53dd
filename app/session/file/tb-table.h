/* tb-table.h: table of a session: typed columns, or ranges of their rows, read from the file at
 * first access; rows of a time range
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/schema/tb-schema.h"

G_BEGIN_DECLS

#define TB_TYPE_TABLE (tb_table_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbTable, tb_table, TB, TABLE, GObject)

TB_EXPORT TbTableKind tb_table_get_kind (TbTable *self);
TB_EXPORT const TbTableInfo *tb_table_get_info (TbTable *self);
TB_EXPORT guint64 tb_table_get_n_rows (TbTable *self);

TB_EXPORT GBytes *tb_table_get_column (TbTable *self, guint column, GError **error);

TB_EXPORT GBytes *
tb_table_get_column_range (TbTable *self, guint column, guint64 first, guint64 n, GError **error);

TB_EXPORT void
tb_table_find_rows (TbTable *self, gint64 from, gint64 to, guint64 *first, guint64 *n_rows);

TB_EXPORT gboolean tb_table_get_time_range (TbTable *self, gint64 *from, gint64 *to);

G_END_DECLS
