/* tb-contexts-compare.h: the calling contexts of two recordings beside each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-summary.h"

G_BEGIN_DECLS

/* scale: of the other's times, normalized_by what: NULL nothing. Fills a report. */
void tb_contexts_compare (TbReport *report,
                          TbContextsSummary *base,
                          TbContextsSummary *other,
                          double scale,
                          const char *normalized_by);

G_END_DECLS
