/* tb-capture-dumps.h: dumped user stacks, unwound when it is known what was mapped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "session/tb-recorder.h"
#include "tb-capture-arena.h"

G_BEGIN_DECLS

/* What is mapped comes from other buffers than the dumps: both are held until a moment is told before which nothing comes
 * any more. Dumps are forgotten once they are unwound. */
typedef struct _TbCaptureDumps TbCaptureDumps;

/* arena: for chains until the recorder has passed them; not owned. NULL: stacks of that machine cannot be unwound. */
TbCaptureDumps *tb_capture_dumps_new (TbRecorder *recorder, TbCaptureArena *arena, const char *machine);
void tb_capture_dumps_free (TbCaptureDumps *self);

/* A DUMP record. */
void tb_capture_dumps_take (TbCaptureDumps *self, const TbCaptureRecord *record);
/* The event that follows; with sleep, which comes before it, or NULL. TRUE if the last dump was its, and it is added later. */
gboolean tb_capture_dumps_hold (TbCaptureDumps *self, const TbEvent *event, const TbEvent *sleep);
/* A MAPPING; path and build_id live as long as self. */
void tb_capture_dumps_note_mapping (TbCaptureDumps *self,
                                    const TbEvent *event,
                                    const char *path,
                                    const char *build_id);
/* A FORK or an EXIT. */
void tb_capture_dumps_note_process (TbCaptureDumps *self, const TbEvent *event);
/* Adds what was held and is not later, with the stacks that the dumps hold; G_MAXINT64: all. */
void tb_capture_dumps_advance (TbCaptureDumps *self, gint64 time);
/* After the last of it: tells the recorder what became of the dumps. */
void tb_capture_dumps_tell (TbCaptureDumps *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbCaptureDumps, tb_capture_dumps_free)

G_END_DECLS
