/* tb-trace-warnings-private.h: warnings about the quality of the recording of a trace
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Sets the warnings and remarks of the trace: those of the session first. */
void tb_trace_make_warnings (TbTrace *self);

G_END_DECLS
