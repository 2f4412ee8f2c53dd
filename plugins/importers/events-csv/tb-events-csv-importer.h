/* tb-events-csv-importer.h: importer of the plain-text event format: recognition of such files,
 * loop over their lines, warnings and facts in comments, errors with line numbers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-importer.h"

G_BEGIN_DECLS

#define TB_TYPE_EVENTS_CSV_IMPORTER (tb_events_csv_importer_get_type ())
G_DECLARE_FINAL_TYPE (TbEventsCsvImporter, tb_events_csv_importer, TB, EVENTS_CSV_IMPORTER, GObject)

G_END_DECLS
