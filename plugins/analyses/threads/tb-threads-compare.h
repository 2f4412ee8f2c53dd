/* tb-threads-compare.h: comparison of the threads of two recordings, matched by name: differences
 * of the time running, waiting for a CPU and waiting, as table, findings and JSON summary
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

/* normalized_by: quantity to which the other recording's values are scaled; "": none; NULL: the
 * duration, if it differs. */
void tb_threads_compare (TbReport *report,
                         TbThreadsSummary *base,
                         TbThreadsSummary *other,
                         double scale,
                         const char *normalized_by);

G_END_DECLS
