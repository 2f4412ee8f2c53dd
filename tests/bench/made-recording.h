/* made-recording.h: a recording of a machine that was never there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/tb-recorder.h"

G_BEGIN_DECLS

#define MADE_CPUS 4
#define MADE_THREADS 200

guint64 made_random (void);
/* Few cpus and many threads that wake each other: of five events two are switches, two interrupts, one a waking. */
void made_recording_add (TbRecorder *recorder, guint64 n_events);
/* A whole one, in a file. */
void made_recording_write (GFile *file, guint64 n_events);

G_END_DECLS
