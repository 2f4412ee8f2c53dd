/* tb-contexts-compare.h: the calling contexts of two recordings beside each other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "tb-contexts-match.h"

G_BEGIN_DECLS

/* sides: arrays of TbContextsRecording of the recordings of the comparison; normalized_by: what they are scaled for, "" nothing.
 * Fills a report; FALSE: an error, of reading or because it was cancelled. */
gboolean tb_contexts_compare (TbReport *report,
                              TbComparison *comparison,
                              GArray *const *sides,
                              const char *normalized_by,
                              GCancellable *cancellable,
                              GError **error);

G_END_DECLS
