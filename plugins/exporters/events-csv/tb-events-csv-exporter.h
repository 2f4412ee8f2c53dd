/* tb-events-csv-exporter.h: exporter of a recording to the plain-text event format: all its events
 * as lines in the order of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-exporter.h"

G_BEGIN_DECLS

#define TB_TYPE_EVENTS_CSV_EXPORTER (tb_events_csv_exporter_get_type ())
G_DECLARE_FINAL_TYPE (TbEventsCsvExporter, tb_events_csv_exporter, TB, EVENTS_CSV_EXPORTER, GObject)

G_END_DECLS
