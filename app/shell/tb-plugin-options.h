/* tb-plugin-options.h: options of an importer or exporter, which are set before each run: their
 * names, and the values of the last run, which are in the settings; name of the plug-in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char **tb_plugin_options_list (GObject *plugin);
gboolean tb_plugin_options_exist (GObject *plugin);
GObject *tb_plugin_options_create_again (GObject *plugin);
char *tb_plugin_options_dup_name (GObject *plugin, char **description);
void tb_plugin_options_restore (GObject *plugin, GSettings *settings);
void tb_plugin_options_store (GObject *plugin, GSettings *settings);

G_END_DECLS
