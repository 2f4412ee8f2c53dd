/* tb-csv-cell.h: what a cell of comma-separated text says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-csv-reader.h"

G_BEGIN_DECLS

gboolean tb_csv_cell_equals (const TbCsvCell *cell, const char *text);
/* For an error message: short and printable. */
char *tb_csv_cell_quote (const TbCsvCell *cell);
/* Decimal digits only; FALSE where it is anything else or too large. */
gboolean tb_csv_cell_parse (const TbCsvCell *cell, guint64 *value);

G_END_DECLS
