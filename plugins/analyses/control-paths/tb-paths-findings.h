/* tb-paths-findings.h: findings about where the time of a process went: oversleeps, parallel work,
 * unknown or uncertain time, waits on other paths, effect of another tolerance for delays
 * ("grace"); calls those on contributors; headline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-paths-summary.h"

G_BEGIN_DECLS

char *tb_paths_make_headline (TbPathsSummary *summary);
void tb_paths_add_findings (TbReport *report, TbPathsSummary *summary);
/* Adds a finding about how much another grace changes the result, where that is worth one. */
void tb_paths_add_grace_finding (TbReport *report,
                                 TbPathsSummary *summary,
                                 TbPathsSummary *other,
                                 gint64 grace);

G_END_DECLS
