/* tb-threads-marks.h: what programs said of themselves, as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-threads-summary.h"

G_BEGIN_DECLS

/* Adds nothing where no mark lies in what is asked about. FALSE if the session cannot be read. */
gboolean tb_threads_add_marks (TbReport *report, TbThreadsSummary *summary, GError **error);

G_END_DECLS
