/* tb-debug-files-box.h: box that shows which debug files are being received, with buttons to cancel
 * and to allow large ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "shell/document/tb-debug-files.h"

G_BEGIN_DECLS

#define TB_TYPE_DEBUG_FILES_BOX (tb_debug_files_box_get_type ())
G_DECLARE_FINAL_TYPE (TbDebugFilesBox, tb_debug_files_box, TB, DEBUG_FILES_BOX, GtkBox)

void tb_debug_files_box_set_files (TbDebugFilesBox *self, TbDebugFiles *files);

G_END_DECLS
