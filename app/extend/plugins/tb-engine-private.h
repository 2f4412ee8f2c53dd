/* tb-engine-private.h: struct of the engine and of a plug-in that it found
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <libpeas.h>

#include "extend/plugins/tb-engine.h"

G_BEGIN_DECLS

typedef struct
{
  TbPluginInfo info; /* strings owned here */
  char *folder;
  char *module;
  gboolean is_native;
  gboolean tried;
  PeasPluginInfo *peas_info; /* NULL until the plug-in is loaded */
} TbEnginePlugin;

struct _TbEngine
{
  GObject parent_instance;

  GRecMutex lock;
  PeasEngine *peas;
  GPtrArray *plugins; /* TbEnginePlugin, sorted by kind and id */
};

/* Creates an object of the plug-in, which is loaded first. The engine must be locked. (transfer
 * full) (nullable) */
GObject *tb_engine_create_extension (TbEngine *self, TbEnginePlugin *plugin, GError **error);

/* tb-engine-plugin.c */
void tb_engine_plugin_free (TbEnginePlugin *plugin);
/* Stores why the plug-in cannot be used; the first reason stays. */
void tb_engine_plugin_fail (TbEnginePlugin *plugin, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Reads ID.plugin before libpeas does, so that errors in it can be reported. */
void tb_engine_plugin_read_description (TbEnginePlugin *plugin, const char *path);

G_END_DECLS
