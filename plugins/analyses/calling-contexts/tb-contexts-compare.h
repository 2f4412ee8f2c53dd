/* tb-contexts-compare.h: report of a comparison of calling contexts: JSON summary of the paths,
 * functions and modules that differ, findings, warning of different builds, and the figures of
 * tb-contexts-compare-figures.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* Fills a report. sides: arrays of TbContextsRecording with the recordings of the comparison.
 * normalized_by: what they are scaled by, "" nothing. FALSE: an error while reading, or
 * cancelled. */
gboolean tb_contexts_compare (TbReport *report,
                              TbComparison *comparison,
                              GArray *const *sides,
                              const char *normalized_by,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
