/* tb-compare-dialog.h: dialog to choose the base of a comparison among the open and recent
 * recordings, or by file chooser
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_COMPARE_DIALOG (tb_compare_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbCompareDialog, tb_compare_dialog, TB, COMPARE_DIALOG, AdwDialog)

AdwDialog *tb_compare_dialog_new (GFile *file);
void tb_compare_dialog_add_open (TbCompareDialog *self, GFile *file);

G_END_DECLS
