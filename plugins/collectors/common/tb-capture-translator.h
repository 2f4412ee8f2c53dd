/* tb-capture-translator.h: from records of the capture stream to events of the recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-decoder.h"
#include "session/tb-recorder.h"
#include "tb-annotations.h"

G_BEGIN_DECLS

typedef struct _TbCaptureTranslator TbCaptureTranslator;

/* Announces the host that the header tells of, and what is known of the recording as a whole. */
TbCaptureTranslator *tb_capture_translator_new (TbRecorder *recorder, const TbCaptureHeader *header);
void tb_capture_translator_free (TbCaptureTranslator *self);
/* Who knows of the marks of programs, NULL nobody; is told of modules and asked about marks, and must outlive it until the
 * last record. */
void tb_capture_translator_set_annotations (TbCaptureTranslator *self, TbAnnotations *annotations);

/* User stacks are dumped: before the first record. What is wrong with it comes as a warning. */
void tb_capture_translator_expect_dumps (TbCaptureTranslator *self, const char *machine);
/* Takes a definition, an event or a FLUSH; others are left to the caller. FALSE if the recorder failed. */
gboolean
tb_capture_translator_take (TbCaptureTranslator *self, const TbCaptureRecord *record, GError **error);
/* What is meant by the number of a probe, before its first record; name: as it is to be shown. */
void tb_capture_translator_set_function (TbCaptureTranslator *self, guint32 probe, const char *name);
/* How many calls were seen to begin or end. */
guint64 tb_capture_translator_count_calls (TbCaptureTranslator *self, guint32 probe);
/* After the last record. */
void tb_capture_translator_finish (TbCaptureTranslator *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbCaptureTranslator, tb_capture_translator_free)

G_END_DECLS
