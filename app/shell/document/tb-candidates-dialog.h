/* tb-candidates-dialog.h: dialog to choose a value for an option of an analysis: list of the values
 * in the recording (from tb-option-candidates, in a thread) in groups, with counts and text search;
 * signal with the chosen one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_CANDIDATES_DIALOG (tb_candidates_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbCandidatesDialog, tb_candidates_dialog, TB, CANDIDATES_DIALOG, AdwDialog)

AdwDialog *
tb_candidates_dialog_new (TbDocument *document, TbAnalysis *analysis, const char *option);

G_END_DECLS
