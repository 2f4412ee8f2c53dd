/* tb-wait-compare.h: two recordings beside each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-wait-result.h"

G_BEGIN_DECLS

/* Edges are the same when their ends are, see tb-wait-same.h; knots, when those of their vertices are. Values are brought to the
 * length of the base, or to the work done in it where both have the same unit. */
/* normalized_by: what the other's numbers are scaled for; "" nothing; NULL: work, else the length. */
void tb_wait_compare (TbReport *report,
                      TbWaitResult *base,
                      TbWaitResult *other,
                      double scale,
                      const char *normalized_by);

G_END_DECLS
