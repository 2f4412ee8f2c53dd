/* record-fixture.h: the recording assistant and its recordings, as a user would use them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell-fixture.h"
#include "shell/recording/tb-record-dialog.h"
#include "shell/recording/tb-recording.h"

G_BEGIN_DECLS

TbRecordDialog *record_open_assistant (TbWindow *window);
void record_wait_asked (TbRecordDialog *dialog); /* until the collectors have said what works here */
gboolean record_can_start (TbRecordDialog *dialog);

/* The one whose tab is in front, NULL if it is that of none. */
TbRecording *record_get (TbWindow *window);
/* Presses Record. (transfer full) */
TbRecording *record_start (TbWindow *window, TbRecordDialog *dialog);
void record_wait_running (TbRecording *recording);
void record_wait_events (TbRecording *recording); /* or its end */
void record_wait_over (TbRecording *recording);
/* The document that the recording in front has become, settled. */
TbDocument *record_get_document (TbWindow *window);

G_END_DECLS
