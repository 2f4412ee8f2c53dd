/* tb-polling-findings.h: findings about threads that poll by sleeping, the same in the reports of
 * all analyses
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbThreadMatchFunc:
 * @thread: a thread
 * @data: (closure): the data passed with the function
 *
 * Returns: whether a report is about the thread
 */
typedef gboolean (*TbThreadMatchFunc) (guint32 thread, gpointer data);

TB_EXPORT void tb_report_add_polling_findings (TbReport *self,
                                               TbTrace *trace,
                                               const GArray *polls,
                                               gint64 from,
                                               gint64 to,
                                               TbThreadMatchFunc match,
                                               gpointer data);

G_END_DECLS
