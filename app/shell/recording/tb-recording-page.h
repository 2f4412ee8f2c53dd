/* tb-recording-page.h: page of a recording in progress in a tab: time, event rate, lost events,
 * size and free space, live report, failure; stop, discard, repetition
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/recording/tb-recording.h"

G_BEGIN_DECLS

#define TB_TYPE_RECORDING_PAGE (tb_recording_page_get_type ())
G_DECLARE_FINAL_TYPE (TbRecordingPage, tb_recording_page, TB, RECORDING_PAGE, AdwBin)

GtkWidget *tb_recording_page_new (TbRecording *recording);
TbRecording *tb_recording_page_get_recording (TbRecordingPage *self);

G_END_DECLS
