/* tb-paths-compare.h: where a task's time went in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

/* Fills a report from those of both. scale: of the other's numbers, normalized_by: what for, "" nothing. */
void
tb_paths_compare (TbReport *report, TbReport *base, TbReport *other, double scale, const char *normalized_by);

G_END_DECLS
