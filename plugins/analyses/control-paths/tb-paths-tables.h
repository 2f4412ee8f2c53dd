/* tb-paths-tables.h: tables of a control-paths report: time by category, processes that took part
 * (contributors), paths, and awaited work that is on another path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-paths-summary.h"

G_BEGIN_DECLS

void tb_paths_add_tables (TbReport *report, TbPathsSummary *summary);

G_END_DECLS
