/* tb-plugin.h: exceptions of plug-ins in other languages, which become their errors, and import of
 * their modules after a change
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
 * @kind: interface of plug-ins
 * @data: user data
 *
 * For language bindings: imports a module as its file is now, even if it was imported before.
 *
 * Returns: type of its objects that implement @kind; %G_TYPE_INVALID if there is none, or if the
 *   import failed, whose reason is set by [func@Tailback.plugin_set_exception]
 */
typedef GType (*TbPluginImportFunc) (const char *module,
                                     const char *folder,
                                     GType kind,
                                     gpointer data);

TB_EXPORT void tb_plugin_set_exception (const char *text);
TB_EXPORT void
tb_plugin_set_import_func (TbPluginImportFunc func, gpointer data, GDestroyNotify notify);

G_END_DECLS
