/* tb-agent-recording.h: one recording by tailback-agent: start, reading of its records in a thread,
 * records sent to it, stop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "extend/plugins/tb-collector.h"
#include "tb-agent-requirements.h"
#include "agent-client/probes/tb-marked-functions.h"

G_BEGIN_DECLS

typedef struct _TbAgentRecording TbAgentRecording;

/* Emits the "ended" signal of the collector, which must outlive the recording. */
TbAgentRecording *tb_agent_recording_new (TbCollector *collector);
void tb_agent_recording_free (TbAgentRecording *self);

/* functions: TbAgentFunction; marked: (transfer full). All of them are probed on return. Sets
 * scope, pid and the flags that every collector needs; the collector fills in the rest of start. */
gboolean tb_agent_recording_start (TbAgentRecording *self,
                                   const TbAgentRequirements *requirements,
                                   const TbCaptureStart *start,
                                   GPtrArray *functions,
                                   TbMarkedFunctions *marked,
                                   const TbTarget *target,
                                   TbRecorder *recorder,
                                   GCancellable *cancellable,
                                   GError **error);
/* Receives records and answers about latencies in the reading thread. Returns TRUE if it needs no
 * more. */
typedef gboolean (*TbAgentListener) (const TbCaptureRecord *record, gpointer data);
void
tb_agent_recording_set_listener (TbAgentRecording *self, TbAgentListener listener, gpointer data);
/* From any thread, during the recording */
gboolean
tb_agent_recording_send (TbAgentRecording *self, const TbCaptureRecord *record, GError **error);
gboolean tb_agent_recording_stop (TbAgentRecording *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAgentRecording, tb_agent_recording_free)

G_END_DECLS
