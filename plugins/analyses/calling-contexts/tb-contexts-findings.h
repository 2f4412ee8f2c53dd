/* tb-contexts-findings.h: findings about calling contexts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

void tb_contexts_add_findings (TbReport *report, TbContextsSummary *summary);
/* Adds warnings about the limits of the numbers. prefix: "Other recording: " or NULL */
void tb_contexts_add_warnings (TbReport *report, TbContextsSummary *summary, const char *prefix);
/* (transfer full): such as "apr_stat called from ap_directory_walk" */
char *tb_contexts_describe_place (TbContextsSummary *summary, guint32 node);
/* Sets the same place as the values "function" and "caller". */
void tb_contexts_set_place (TbFinding *finding, TbContextsSummary *summary, guint32 node);
/* (transfer full) */
char *tb_contexts_make_headline (TbContextsSummary *summary);

G_END_DECLS
