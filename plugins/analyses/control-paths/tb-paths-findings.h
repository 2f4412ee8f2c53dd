/* tb-paths-findings.h: the explanation in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-paths-summary.h"

G_BEGIN_DECLS

char *tb_paths_make_headline (TbPathsSummary *summary);
void tb_paths_add_findings (TbReport *report, TbPathsSummary *summary);

G_END_DECLS
