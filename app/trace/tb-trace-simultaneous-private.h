/* tb-trace-simultaneous-private.h: list of the simultaneous events whose order the tables alone do
 * not determine, taken from the recorded sequence of a session, for the pass over the events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/sequence/tb-sequence.h"

G_BEGIN_DECLS

/* All events of such times, in order, as TbSequenceEvent; NULL if a chunk is damaged, or if
 * cancelled. */
GArray *tb_trace_find_simultaneous (TbSession *session, GError **error);

G_END_DECLS
