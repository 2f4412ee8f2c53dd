/* tb-record-dialog.h: recording assistant: dialog for scope, command or process, collector,
 * options, function and file of a new recording; each but the options can be set before it is shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/recording/tb-recording.h"

G_BEGIN_DECLS

#define TB_TYPE_RECORD_DIALOG (tb_record_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbRecordDialog, tb_record_dialog, TB, RECORD_DIALOG, AdwDialog)

AdwDialog *tb_record_dialog_new (GSettings *settings);
void tb_record_dialog_set_scope (TbRecordDialog *self, TbScope scope);
void tb_record_dialog_set_command (TbRecordDialog *self, const char *command);
void tb_record_dialog_set_process (TbRecordDialog *self, gint32 pid, const char *name);
void tb_record_dialog_set_file (TbRecordDialog *self, GFile *file);

gboolean tb_record_dialog_set_collector (TbRecordDialog *self, const char *id);
void tb_record_dialog_set_function (TbRecordDialog *self, const char *function);

G_END_DECLS
