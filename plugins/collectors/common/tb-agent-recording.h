/* tb-agent-recording.h: one recording by tailback-agent, for the collectors that use it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "extend/tb-collector.h"
#include "tb-agent-wish.h"
#include "tb-marked-functions.h"

G_BEGIN_DECLS

typedef struct _TbAgentRecording TbAgentRecording;

/* Emits "ended" of the collector, which must outlive it. */
TbAgentRecording *tb_agent_recording_new (TbCollector *collector);
void tb_agent_recording_free (TbAgentRecording *self);

/* functions: TbAgentFunction; marked: (transfer full); they are probed before it returns. Sets scope, pid and the flags that every collector needs; what else is in start is the collector's. */
gboolean tb_agent_recording_start (TbAgentRecording *self,
                                   const TbAgentWish *wish,
                                   const TbCaptureStart *start,
                                   GPtrArray *functions,
                                   TbMarkedFunctions *marked,
                                   const TbTarget *target,
                                   TbRecorder *recorder,
                                   GCancellable *cancellable,
                                   GError **error);
/* Who is told, in the thread that reads, of records and answers about latencies. TRUE: all that it wanted to know is known. */
typedef gboolean (*TbAgentListener) (const TbCaptureRecord *record, gpointer data);
void tb_agent_recording_set_listener (TbAgentRecording *self, TbAgentListener listener, gpointer data);
/* From any thread, while it records. */
gboolean tb_agent_recording_send (TbAgentRecording *self, const TbCaptureRecord *record, GError **error);
gboolean tb_agent_recording_stop (TbAgentRecording *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbAgentRecording, tb_agent_recording_free)

G_END_DECLS
