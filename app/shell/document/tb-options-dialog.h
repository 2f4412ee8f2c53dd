/* tb-options-dialog.h: dialog for the options of an analysis: draft of them, edited in rows
 * (tb-option-rows), with values from the recording (tb-candidates-dialog); reset; applied with a
 * signal for a new run
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_OPTIONS_DIALOG (tb_options_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbOptionsDialog, tb_options_dialog, TB, OPTIONS_DIALOG, AdwDialog)

AdwDialog *tb_options_dialog_new (TbDocument *document, TbAnalysisItem *item);

G_END_DECLS
