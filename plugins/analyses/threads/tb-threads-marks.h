/* tb-threads-marks.h: table of the marks that programs emitted, by thread: counts, and total and
 * longest time of phases and busy waits
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

/* Adds nothing if there is no mark in the range. Returns FALSE if the session cannot be read. */
gboolean tb_threads_add_marks (TbReport *report, TbThreadsSummary *summary, GError **error);

G_END_DECLS
