/* tb-command-palette.h: dialog that finds and runs a command by its title
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/window/tb-window.h"

G_BEGIN_DECLS

#define TB_TYPE_COMMAND_PALETTE (tb_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (TbCommandPalette, tb_command_palette, TB, COMMAND_PALETTE, AdwDialog)

AdwDialog *tb_command_palette_new (TbWindow *window);

G_END_DECLS
