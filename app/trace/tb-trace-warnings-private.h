/* tb-trace-warnings-private.h: warnings about the quality of the recording of a trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The warnings of the session, then those of the trace. */
GStrv tb_trace_make_warnings (TbTrace *self);

G_END_DECLS
