/* tb-trace-evidence-private.h: search for the kinds of events that a recording has
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-evidence.h"

G_BEGIN_DECLS

/* To be called once, before the trace is used. */
void tb_trace_find_evidence (TbTrace *self);

G_END_DECLS
