/* tb-capture-dumps.h: dumped user stacks, held with their events until the mappings of the process
 * are known, and then unwound (by TbUnwinder); warnings and facts about those that could not be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "session/recorder/tb-recorder.h"
#include "tb-capture-arena.h"

G_BEGIN_DECLS

/* Mappings come from other buffers than the dumps. Both are held until a time is declared before
 * which no more records will come. Dumps are freed once they are unwound. */
typedef struct _TbCaptureDumps TbCaptureDumps;

/* arena: memory for chains until the recorder has passed them; not owned. NULL: stacks of that
 * architecture cannot be unwound. */
TbCaptureDumps *
tb_capture_dumps_new (TbRecorder *recorder, TbCaptureArena *arena, const char *machine);
void tb_capture_dumps_free (TbCaptureDumps *self);

/* Takes a DUMP record. */
void tb_capture_dumps_take (TbCaptureDumps *self, const TbCaptureRecord *record);
/* Takes the event that follows; sleep precedes it, or is NULL. TRUE: the last dump belongs to the
 * event, which is added later. */
gboolean tb_capture_dumps_hold (TbCaptureDumps *self, const TbEvent *event, const TbEvent *sleep);
/* Takes a MAPPING; path and build_id must outlive self. */
void tb_capture_dumps_note_mapping (TbCaptureDumps *self,
                                    const TbEvent *event,
                                    const char *path,
                                    const char *build_id);
/* Takes a FORK or an EXIT. */
void tb_capture_dumps_note_process (TbCaptureDumps *self, const TbEvent *event);
/* Adds the held events up to time, with the unwound stacks; G_MAXINT64: all. */
void tb_capture_dumps_advance (TbCaptureDumps *self, gint64 time);
/* To be called after the last record: reports undone and unmatched dumps to the recorder. */
void tb_capture_dumps_report (TbCaptureDumps *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbCaptureDumps, tb_capture_dumps_free)

G_END_DECLS
