/* tb-threads-compare.h: two recordings beside each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

/* normalized_by: what the other's numbers are scaled for; "" nothing; NULL: the length, where it differs. */
void tb_threads_compare (TbReport *report,
                         TbThreadsSummary *base,
                         TbThreadsSummary *other,
                         double scale,
                         const char *normalized_by);

G_END_DECLS
