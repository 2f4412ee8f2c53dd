/* tb-plugin-options-dialog.h: dialog for the options of an importer or exporter before it runs:
 * rows (tb-option-rows), reset, and a button that stores the options and goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define TB_TYPE_PLUGIN_OPTIONS_DIALOG (tb_plugin_options_dialog_get_type ())
G_DECLARE_FINAL_TYPE (TbPluginOptionsDialog,
                      tb_plugin_options_dialog,
                      TB,
                      PLUGIN_OPTIONS_DIALOG,
                      AdwDialog)

AdwDialog *tb_plugin_options_dialog_new (GObject *plugin,
                                         GSettings *settings,
                                         const char *title,
                                         const char *label);

G_END_DECLS
