/* tb-locks-compare.h: comparison of waits for locks in two recordings, from their reports: findings
 * about locks with more or less waiting, table and JSON summary
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

/* Fills a report from the reports of both recordings. scale: factor for the other's values.
 * normalized_by: quantity to which they are scaled; "": none. */
void tb_locks_compare (TbReport *report,
                       TbReport *base,
                       TbReport *other,
                       double scale,
                       const char *normalized_by);

G_END_DECLS
