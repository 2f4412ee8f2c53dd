/* recorder-log.h: stand-in for the recorder that logs its events as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"
#include "session/schema/tb-module-file.h"

G_BEGIN_DECLS

TbRecorder *recorder_log_new (void);
/* One line for each event, in order of arrival. Events are missing until a call of
 * tb_recorder_advance() passes their time. */
const char *recorder_log_get_text (TbRecorder *self);
/* Facts and warnings, one a line: "fact clock=perf", "warning …". */
const char *recorder_log_get_facts (TbRecorder *self);
guint recorder_log_count (TbRecorder *self, TbEventKind kind);
/* Numbers of events that came too late, and of those still held back. */
guint recorder_log_get_n_late (TbRecorder *self);
guint recorder_log_get_n_waiting (TbRecorder *self);
/* Times of all events, for checks of their order. */
GArray *recorder_log_get_times (TbRecorder *self);

G_END_DECLS
