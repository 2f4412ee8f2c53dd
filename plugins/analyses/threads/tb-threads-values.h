/* tb-threads-values.h: values of findings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-finding.h"
#include "tb-threads-places.h"

G_BEGIN_DECLS

/* The thread and how long it lived. */
void tb_threads_set_thread (TbFinding *finding, TbThreadsSummary *summary, const TbThreadSummary *thread);
/* Threads of the same name that one sentence is about. */
void tb_threads_set_namesakes (TbFinding *finding, guint n, gint64 ns);
/* How long it waited, for what, and where. */
void tb_threads_set_wait (TbFinding *finding,
                          TbThreadsSummary *summary,
                          const TbThreadSummary *thread,
                          const TbPlace *place);
/* NULL: none stands out. */
void tb_threads_set_holder (TbFinding *finding, TbThreadsSummary *summary, const TbHolder *holder);

G_END_DECLS
