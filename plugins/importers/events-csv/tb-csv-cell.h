/* tb-csv-cell.h: a cell of comma-separated text: comparison, parsing as a number, quoting for error
 * messages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-csv-reader.h"

G_BEGIN_DECLS

gboolean tb_csv_cell_equals (const TbCsvCell *cell, const char *text);
/* Returns the text for an error message: short and printable. */
char *tb_csv_cell_quote (const TbCsvCell *cell);
/* Parses decimal digits. Returns FALSE for any other text, or if the number is too large. */
gboolean tb_csv_cell_parse (const TbCsvCell *cell, guint64 *value);

G_END_DECLS
