/* tb-annotations.h: marks that programs were compiled with: found, asked for, understood
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-process.h"
#include "session/tb-recorder.h"
#include "symbols/tb-static-probes.h"
#include "tb-lock-functions.h"
#include "tb-marked-functions.h"
#include "tb-memory-functions.h"

G_BEGIN_DECLS

/* Programs' files are looked through in a thread of its own. */
typedef struct _TbAnnotations TbAnnotations;

/* privilege: with that for own processes only, the agent looks for marks in each process singly. process must outlive it.
 * looks: whether programs are looked through; else it knows of no marks but functions. */
TbAnnotations *tb_annotations_new (TbAgentProcess *process,
                                   TbAgentPrivilege privilege,
                                   gboolean looks,
                                   TbRecorder *recorder);
/* What was not looked through yet, is not. */
void tb_annotations_free (TbAnnotations *self);

/* Looks through a program that is about to start, and returns when its marks are waited for, or cannot be. */
void tb_annotations_prepare (TbAnnotations *self, const char *program, GCancellable *cancellable);
/* Takes calls of functions for marks, and returns when they are waited for. marked must live as long. */
gboolean tb_annotations_add_functions (TbAnnotations *self,
                                       const TbMarkedFunctions *marked,
                                       GCancellable *cancellable,
                                       GError **error);
/* Takes calls of them for marks of where locks are made, and returns when they are waited for, or cannot be. */
void tb_annotations_add_locks (TbAnnotations *self, const TbLockFunctions *locks, GCancellable *cancellable);
/* Likewise, of where the memory is allocated that locks lie in. Where that cannot be, the recording says so. */
void
tb_annotations_add_memory (TbAnnotations *self, const TbMemoryFunctions *memory, GCancellable *cancellable);
/* A process has mapped a module, which has the id of the capture stream; the build-id's bytes live as long as this call. */
void tb_annotations_note_mapping (TbAnnotations *self,
                                  guint32 module,
                                  const char *path,
                                  const guint8 *build_id,
                                  gsize build_id_length,
                                  gint32 pid);
/* TRUE if the status is about a probe of a mark. */
gboolean tb_annotations_take_status (TbAnnotations *self, const TbCaptureRecord *record);
/* What the record means; FALSE if it is of no mark that was asked for.. */
gboolean
tb_annotations_fill (TbAnnotations *self, const TbCaptureMark *mark, const char *text, TbEvent *event);
/* Where an argument is, in the words of the capture stream; FALSE if that cannot be said. */
TB_EXPORT gboolean tb_annotations_fill_operand (const TbProbeOperand *operand, guint32 *code, guint64 *value);
/* When recording is over: what is to be said of it. */
void tb_annotations_finish (TbAnnotations *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAnnotations, tb_annotations_free)

G_END_DECLS
