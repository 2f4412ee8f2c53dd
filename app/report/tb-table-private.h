/* tb-table-private.h: the parts of a table figure that lie in several files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-table-figure.h"

G_BEGIN_DECLS

#define TB_TABLE_COLUMNS_MAX 1000
#define TB_TABLE_ROWS_MAX 2000000
#define TB_TABLE_CELLS_MAX 8000000

void tb_table_figure_render_text (TbFigure *figure, GString *text, guint width);

G_END_DECLS
