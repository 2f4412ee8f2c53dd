/* tb-capture-translator.h: translation of the capture stream of tailback-agent (definitions,
 * events) into events of the recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-decoder.h"
#include "session/recorder/tb-recorder.h"
#include "agent-client/probes/tb-annotations.h"

G_BEGIN_DECLS

typedef struct _TbCaptureTranslator TbCaptureTranslator;

/* Adds the host of the header, and the facts of the recording. */
TbCaptureTranslator *tb_capture_translator_new (TbRecorder *recorder,
                                                const TbCaptureHeader *header);
void tb_capture_translator_free (TbCaptureTranslator *self);
/* Sets the object that gets new modules and evaluates marks, NULL: none. It must live until the
 * last record. */
void tb_capture_translator_set_annotations (TbCaptureTranslator *self, TbAnnotations *annotations);

/* User stacks are dumped; to be called before the first record. Problems are added as warnings. */
void tb_capture_translator_expect_dumps (TbCaptureTranslator *self, const char *machine);
/* Takes a definition, an event or a FLUSH; other records are left to the caller. FALSE if the
 * recorder failed. */
gboolean tb_capture_translator_take (TbCaptureTranslator *self,
                                     const TbCaptureRecord *record,
                                     GError **error);
/* Sets the display name of a probed function, before its first record. */
void
tb_capture_translator_set_function (TbCaptureTranslator *self, guint32 probe, const char *name);
/* Number of begun or ended calls recorded */
guint64 tb_capture_translator_count_calls (TbCaptureTranslator *self, guint32 probe);
/* To be called after the last record */
void tb_capture_translator_finish (TbCaptureTranslator *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbCaptureTranslator, tb_capture_translator_free)

G_END_DECLS
