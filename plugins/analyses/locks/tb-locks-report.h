/* tb-locks-report.h: report on locks: table of locks and classes, histogram of the lengths of
 * waits, headline; findings (tb-locks-findings.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-locks-summary.h"

G_BEGIN_DECLS

/* top: most rows of each group that are shown; 0: all. */
void tb_locks_add_figures (TbReport *report, TbLocksSummary *summary, guint top);
void tb_locks_add_findings (TbReport *report, TbLocksSummary *summary, guint top);
/* (transfer full) */
char *tb_locks_make_headline (TbLocksSummary *summary);

G_END_DECLS
