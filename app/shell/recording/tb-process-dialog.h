/* tb-process-dialog.h: dialog in which the user chooses a process of an open recording, whose time
 * is then explained by an analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "session/file/tb-session.h"

G_BEGIN_DECLS

#define TB_TYPE_PROCESS_DIALOG (tb_process_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbProcessDialog, tb_process_dialog, TB, PROCESS_DIALOG, AdwDialog)

AdwDialog *tb_process_dialog_new (TbSession *session);

G_END_DECLS
