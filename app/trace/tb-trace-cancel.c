/* tb-trace-cancel.c: check whether the current thread's work was cancelled
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-cancel-private.h"

gboolean
tb_trace_is_cancelled (void)
{
  return g_cancellable_is_cancelled (g_cancellable_get_current ());
}
