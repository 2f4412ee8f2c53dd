/* tb-paths-compare.h: comparison of where the time of a process went in two recordings, from their
 * reports: differing categories and contributors as findings, table, JSON; compared flame
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

/* Fills a report from the reports of both recordings. scale: factor for the numbers of the other
 * recording. normalized_by: what the factor normalizes by, "" where it does not. */
void tb_paths_compare (TbReport *report,
                       TbReport *base,
                       TbReport *other,
                       double scale,
                       const char *normalized_by);

G_END_DECLS
