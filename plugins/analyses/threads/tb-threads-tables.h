/* tb-threads-tables.h: tables of the time of each thread in each state, and of what ended its waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

void tb_threads_add_tables (TbReport *report, TbThreadsSummary *summary);

G_END_DECLS
