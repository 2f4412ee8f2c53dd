/* tb-plugin.h: id of a plug-in object; exceptions of plug-ins in other languages, which become
 * their errors; import of their modules after a change
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

/**
 * TbPluginImportFunc:
 * @module: name of the module of a plug-in
 * @folder: folder of the plug-in
 * @kind: name of the type of an interface of plug-ins
 * @data: user data
 *
 * For language bindings: imports a module as its file is now, even if it was imported before. Types
 * are given by their names, because bindings need not pass types to a callback.
 *
 * Returns: (transfer full) (nullable): name of the type of its objects that implement @kind; %NULL
 *   if there is none, or if the import failed, whose reason is set by
 *   [func@Tailback.plugin_set_exception]
 */
typedef char *(*TbPluginImportFunc) (const char *module,
                                     const char *folder,
                                     const char *kind,
                                     gpointer data);

TB_EXPORT const char *tb_plugin_get_id (GObject *plugin);
TB_EXPORT void tb_plugin_set_exception (const char *text);
TB_EXPORT void
tb_plugin_set_import_func (TbPluginImportFunc func, gpointer data, GDestroyNotify notify);

G_END_DECLS
