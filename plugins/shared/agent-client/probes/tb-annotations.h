/* tb-annotations.h: marks compiled into programs, and calls of functions (also of locks and memory)
 * that act as marks: search, request to the agent, translation into events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-client/client/tb-agent-process.h"
#include "session/recorder/tb-recorder.h"
#include "symbols/tb-static-probes.h"
#include "tb-lock-functions.h"
#include "tb-marked-functions.h"
#include "tb-memory-functions.h"

G_BEGIN_DECLS

/* A separate thread searches the programs' files. */
typedef struct _TbAnnotations TbAnnotations;

/* privilege: if it is limited to the user's own processes, the agent handles each process
 * separately. process must outlive the object. searches: whether programs are searched; if not,
 * only functions can be marks. */
TbAnnotations *tb_annotations_new (TbAgentProcess *process,
                                   TbAgentPrivilege privilege,
                                   gboolean searches,
                                   TbRecorder *recorder);
/* Files that have not been searched yet are skipped. */
void tb_annotations_free (TbAnnotations *self);

/* Searches a program that is about to start, and returns when its marks are set, or cannot be. */
void tb_annotations_prepare (TbAnnotations *self, const char *program, GCancellable *cancellable);
/* Treats calls of functions as marks, and returns when they are set. marked must outlive the
 * object. */
gboolean tb_annotations_add_functions (TbAnnotations *self,
                                       const TbMarkedFunctions *marked,
                                       GCancellable *cancellable,
                                       GError **error);
/* Treats calls of these functions as marks for the creation of locks, and returns when they are
 * set, or cannot be. */
void tb_annotations_add_locks (TbAnnotations *self,
                               const TbLockFunctions *locks,
                               GCancellable *cancellable);
/* The same for the allocation of the memory of locks. If that is not possible, the recording states
 * so. */
void tb_annotations_add_memory (TbAnnotations *self,
                                const TbMemoryFunctions *memory,
                                GCancellable *cancellable);
/* A process has mapped a module, whose id is that of the capture stream. build_id is valid during
 * this call only. */
void tb_annotations_note_mapping (TbAnnotations *self,
                                  guint32 module,
                                  const char *path,
                                  const guint8 *build_id,
                                  gsize build_id_length,
                                  gint32 pid);
/* TRUE if the status is about the probe of a mark */
gboolean tb_annotations_take_status (TbAnnotations *self, const TbCaptureRecord *record);
/* Fills in the event of a recorded mark; FALSE if no such mark was requested. */
gboolean tb_annotations_fill (TbAnnotations *self,
                              const TbCaptureMark *mark,
                              const char *text,
                              TbEvent *event);
/* Translates the location of an argument into the encoding of the capture stream; FALSE if that is
 * not possible. */
TB_EXPORT gboolean tb_annotations_fill_operand (const TbProbeOperand *operand,
                                                guint32 *code,
                                                guint64 *value);
/* At the end of the recording: adds warnings and facts. */
void tb_annotations_finish (TbAnnotations *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAnnotations, tb_annotations_free)

G_END_DECLS
