/* tb-contexts-findings.h: calling contexts in sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

void tb_contexts_add_findings (TbReport *report, TbContextsSummary *summary);
/* What limits the numbers. prefix: "Other recording: " or NULL */
void tb_contexts_add_warnings (TbReport *report, TbContextsSummary *summary, const char *prefix);
/* "apr_stat called from ap_directory_walk" (transfer full) */
char *tb_contexts_describe_place (TbContextsSummary *summary, guint32 node);
/* The same as values: "function" and "caller". */
void tb_contexts_set_place (TbFinding *finding, TbContextsSummary *summary, guint32 node);
/* (transfer full) */
char *tb_contexts_make_headline (TbContextsSummary *summary);

G_END_DECLS
