/* tb-trace-cancel-private.h: check whether the current thread's work was cancelled, also for use in
 * loops over rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Whether the thread's current cancellable is cancelled. Partial results must then not be
 * stored. */
gboolean tb_trace_is_cancelled (void);

/* Number of rows between two checks for cancellation; this many rows take far less time than a
 * cancellation may. */
#define TB_ROWS_BETWEEN_CHECKS 65536

/* Checks for cancellation in a loop over rows, but only once every so many rows. */
static inline gboolean
tb_trace_is_cancelled_at (gsize row)
{
  return G_UNLIKELY (row % TB_ROWS_BETWEEN_CHECKS == 0) && tb_trace_is_cancelled ();
}

G_END_DECLS
