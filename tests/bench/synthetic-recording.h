/* synthetic-recording.h: synthetic recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "session/recorder/tb-recorder.h"

G_BEGIN_DECLS

#define SYNTHETIC_CPUS 4
#define SYNTHETIC_THREADS 200

guint64 synthetic_random (void);
/* Adds events of a few CPUs and many threads that wake each other: of five events, two are
 * switches, two interrupts and one is a wake-up. */
void synthetic_recording_add_events (TbRecorder *recorder, guint64 n_events);
/* Writes a complete recording to a file. */
void synthetic_recording_write (GFile *file, guint64 n_events);

G_END_DECLS
