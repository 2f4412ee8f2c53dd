/* tb-recording.h: one recording as an object: its target, start of its command and collector
 * (others, or the command alone, if that fails), statistics meanwhile, live report, stop, discard,
 * copy to record again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-engine.h"
#include "extend/plugins/tb-live-collector.h"

G_BEGIN_DECLS

/**
 * TbRecordingState:
 * @TB_RECORDING_NEW: not started
 * @TB_RECORDING_STARTING: the collector sets up its sources
 * @TB_RECORDING_RUNNING: events are recorded
 * @TB_RECORDING_STOPPING: buffered events are written
 * @TB_RECORDING_DONE: there is a session; with an error if it is incomplete
 * @TB_RECORDING_FAILED: there is no session, but an error
 * @TB_RECORDING_DISCARDED: there is no session, as the user requested
 */
typedef enum
{
  TB_RECORDING_NEW,
  TB_RECORDING_STARTING,
  TB_RECORDING_RUNNING,
  TB_RECORDING_STOPPING,
  TB_RECORDING_DONE,
  TB_RECORDING_FAILED,
  TB_RECORDING_DISCARDED,
} TbRecordingState;

#define TB_TYPE_RECORDING (tb_recording_get_type ())
G_DECLARE_FINAL_TYPE (TbRecording, tb_recording, TB, RECORDING, GObject)

TbRecording *tb_recording_new (TbCollector *collector, const char *collector_id, GFile *file);
void tb_recording_set_command (TbRecording *self, const char *const *argv);
void tb_recording_set_system_command (TbRecording *self, const char *const *argv);
void tb_recording_set_process (TbRecording *self, gint32 pid);
char *tb_recording_dup_name (TbRecording *self);
GFile *tb_recording_get_file (TbRecording *self);

void tb_recording_start (TbRecording *self);
void tb_recording_stop (TbRecording *self);
void tb_recording_discard (TbRecording *self);
TbRecording *tb_recording_new_copy (TbRecording *self);

/* Live report of the collector; see TbLiveCollector. */
gboolean tb_recording_has_live_report (TbRecording *self);
TbReport *tb_recording_get_live_report (TbRecording *self);
gboolean
tb_recording_choose (TbRecording *self, const char *figure, const char *item, GError **error);

TbRecordingState tb_recording_get_state (TbRecording *self);
gboolean tb_recording_is_active (TbRecording *self);
const GError *tb_recording_get_error (TbRecording *self);
TbScope tb_recording_get_scope (TbRecording *self);
const char *tb_recording_get_limit (TbRecording *self);
const char *tb_recording_get_note (TbRecording *self);
const TbRecorderStatistics *tb_recording_get_statistics (TbRecording *self);
double tb_recording_get_rate (TbRecording *self);
gint64 tb_recording_get_elapsed (TbRecording *self);

G_END_DECLS
