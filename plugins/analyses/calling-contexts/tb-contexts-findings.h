/* tb-contexts-findings.h: findings about the hottest functions on the paths that cost most, the
 * module with most time, and how much of the threads' time stacks show; headline and warnings of
 * the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

void tb_contexts_add_findings (TbReport *report, TbContextsSummary *summary);
/* tb-contexts-warnings.c
 * Warnings about the limits of the numbers. (transfer full) (element-type utf8) */
GPtrArray *tb_contexts_list_warnings (TbContextsSummary *summary);
/* (transfer full): such as "apr_stat called from ap_directory_walk" */
char *tb_contexts_describe_place (TbContextsSummary *summary, guint32 node);
/* Whether a node is a function: a broken stack may end at a word that was mistaken for a caller. */
gboolean tb_contexts_is_function (TbContextsSummary *summary, guint32 node);
/* Sets the same place as the values "function" and "caller". */
void tb_contexts_set_place (TbFinding *finding, TbContextsSummary *summary, guint32 node);
/* (transfer full) */
char *tb_contexts_make_headline (TbContextsSummary *summary);

G_END_DECLS
