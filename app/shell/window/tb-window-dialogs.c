/* tb-window-dialogs.c: actions of a window that open the dialogs of commands and of keyboard
 * shortcuts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/commands/tb-command-palette.h"
#include "shell/commands/tb-shortcuts-dialog.h"
#include "shell/window/tb-window-private.h"

static void
commands_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  AdwDialog *shown = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (data));

  if (TB_IS_COMMAND_PALETTE (shown))
    adw_dialog_close (shown);
  else
    adw_dialog_present (tb_command_palette_new (data), data);
}

static void
shortcuts_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  adw_dialog_present (tb_shortcuts_dialog_new (), data);
}

static const GActionEntry actions[] = {
  { "commands", commands_action },
  { "show-help-overlay", shortcuts_action },
};

void
tb_window_add_dialog_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
