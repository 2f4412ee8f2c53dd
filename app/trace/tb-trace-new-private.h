/* tb-trace-new-private.h: constructor of a trace with a wake-up tolerance and, optionally, marks
 * that were not recorded
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-input-private.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* added: NULL if there are none. A trace with them, or with another tolerance than the default, is
 * not stored. */
TbTrace *tb_trace_create (TbSession *session,
                          gint64 wakeup_tolerance,
                          const TbMarkColumns *added,
                          TbProgressFunc progress,
                          gpointer data,
                          GCancellable *cancellable,
                          GError **error);

G_END_DECLS
