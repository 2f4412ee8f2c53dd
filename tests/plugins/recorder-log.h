/* recorder-log.h: a recorder that writes down what it is told, as text, in place of the real one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-recorder.h"

G_BEGIN_DECLS

TbRecorder *recorder_log_new (void);
/* One line an event, in the order in which they came; events whose time was not passed yet are missing. */
const char *recorder_log_get_text (TbRecorder *self);
/* Facts and warnings, one a line: "fact clock=perf", "warning …". */
const char *recorder_log_get_facts (TbRecorder *self);
guint recorder_log_count (TbRecorder *self, TbEventKind kind);
/* Events that came too late, and those that are still waiting. */
guint recorder_log_get_n_late (TbRecorder *self);
guint recorder_log_get_n_waiting (TbRecorder *self);
/* Times only, for checks of their order. */
GArray *recorder_log_get_times (TbRecorder *self);

G_END_DECLS
