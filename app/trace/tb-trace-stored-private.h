/* tb-trace-stored-private.h: intervals and counts of a trace: loading from its session, with
 * checks, and storing; storing of its overview, which tb-overview builds and loads
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Loads the intervals and counts. FALSE if there are none, if they are damaged or were derived by
 * other rules, or if cancelled. */
gboolean tb_trace_load_stored (TbTrace *self);

/* Derived data can be computed again, so a failure to store it is ignored. FALSE if cancelled. */
gboolean tb_trace_store (TbTrace *self, GCancellable *cancellable, GError **error);
/* The same for the overview alone: a session of an older Tailback has only the intervals. */
gboolean tb_trace_store_missing_overview (TbTrace *self, GCancellable *cancellable, GError **error);

G_END_DECLS
