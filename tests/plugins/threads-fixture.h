/* threads-fixture.h: invariants of "threads" reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report-reader.h"
#include "story.h"

G_BEGIN_DECLS

/* Returns the summary, after a check of the sums of every thread. */
JsonObject *threads_get_summary (TbReport *report);

G_END_DECLS
