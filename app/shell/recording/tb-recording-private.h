/* tb-recording-private.h: struct of a recording in progress, and changes of its state
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-command.h"
#include "shell/recording/tb-recording.h"

G_BEGIN_DECLS

struct _TbRecording
{
  GObject parent;

  TbCollector *collector;
  char *collector_id;
  GFile *file;
  TbTarget target;
  char **argv;

  TbRecordingState state;
  GError *error;
  char *limit; /* why less is recorded than requested */
  char *note;  /* why it ended, unless the user stopped it */
  TbCommand *command;
  TbRecorder *recorder;
  GCancellable *cancellable;
  gulong ended_handler;
  gboolean stop_pending; /* requested while starting */
  gboolean discarded;

  guint tick;
  gint64 started; /* monotonic, µs */
  gint64 elapsed; /* µs */
  TbRecorderStatistics statistics;
  gint64 rate_time;
  guint64 rate_events;
  double rate; /* events per second */
};

void tb_recording_set_state (TbRecording *self, TbRecordingState state);
/* error: (transfer full) */
void tb_recording_fail (TbRecording *self, GError *error);
/* Ends without a session. */
void tb_recording_end_discarded (TbRecording *self);
/* Reads the statistics at intervals from now on. */
void tb_recording_begin_reading (TbRecording *self);

G_END_DECLS
