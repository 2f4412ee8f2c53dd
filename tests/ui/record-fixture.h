/* record-fixture.h: user actions in the recording assistant and its recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell-fixture.h"
#include "shell/recording/tb-record-dialog.h"
#include "shell/recording/tb-recording.h"

G_BEGIN_DECLS

TbRecordDialog *record_open_assistant (TbWindow *window);
/* Waits until the preflights of the collectors are done. */
void record_wait_preflight (TbRecordDialog *dialog);
gboolean record_can_start (TbRecordDialog *dialog);

/* The recording whose tab is in front, or NULL. */
TbRecording *record_get (TbWindow *window);
/* Presses Record. (transfer full) */
TbRecording *record_start (TbWindow *window, TbRecordDialog *dialog);
void record_wait_running (TbRecording *recording);
void record_wait_events (TbRecording *recording); /* or its end */
void record_wait_over (TbRecording *recording);
/* The document of the finished recording in front, settled. */
TbDocument *record_get_document (TbWindow *window);

G_END_DECLS
