/* tb-wait-compare.h: comparison of the wait graphs of two recordings, added to a report as JSON,
 * table and findings: difference of each edge's waits, of the work rate, of workers and background
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"

G_BEGIN_DECLS

/* Edges match when their ends match, see tb-wait-vertex-match.h. Knots match when their vertices
 * do. Values are scaled to the duration of the base, or to the work done in it where both
 * recordings have the same unit. */
/* normalized_by: quantity to which the other recording's values are scaled; "": none; NULL: work,
 * else duration. */
void tb_wait_compare (TbReport *report,
                      TbWaitResult *base,
                      TbWaitResult *other,
                      double scale,
                      const char *normalized_by);

G_END_DECLS
