/* tb-polling-findings.h: findings about threads that poll by sleeping, the same in the reports of
 * all analyses
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "trace/tb-trace-sleep-polls.h"

G_BEGIN_DECLS

/**
 * TbPollWeightFunc:
 * @poll: what a thread sleeps for
 * @data: (closure): the data passed with the function
 *
 * Weighs sleeps in which a thread polls.
 *
 * Returns: the part of its sleeps that counts for the order of findings, ns; -1 if the report is
 *   not about the thread
 */
typedef gint64 (*TbPollWeightFunc) (const TbSleepPoll *poll, gpointer data);

TB_EXPORT void tb_report_add_polling_findings (TbReport *self,
                                               TbTrace *trace,
                                               const GArray *polls,
                                               gint64 from,
                                               gint64 to,
                                               TbPollWeightFunc weigh,
                                               gpointer data);

G_END_DECLS
