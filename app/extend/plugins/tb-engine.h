/* tb-engine.h: engine that finds plug-ins in their folders, loads, lists and disables them, creates
 * their objects, and finds the importer that recognizes a file or folder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/plugins/tb-analysis.h"
#include "extend/plugins/tb-collector.h"
#include "extend/plugins/tb-exporter.h"
#include "extend/plugins/tb-importer.h"

G_BEGIN_DECLS

#define TB_TYPE_ENGINE (tb_engine_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbEngine, tb_engine, TB, ENGINE, GObject)

TB_EXPORT TbEngine *tb_engine_get_default (void);

/**
 * TbPluginOrigin:
 * @TB_PLUGIN_BUILT_IN: part of this program
 * @TB_PLUGIN_SYSTEM: installed for all users, in the folder of the built-in ones
 * @TB_PLUGIN_USER: in the folder of the user
 * @TB_PLUGIN_FLATPAK: in an extension of the Flatpak
 * @TB_PLUGIN_PATH: found by the environment variable TAILBACK_PLUGIN_PATH
 *
 * Where a plug-in comes from.
 */
typedef enum
{
  TB_PLUGIN_BUILT_IN,
  TB_PLUGIN_SYSTEM,
  TB_PLUGIN_USER,
  TB_PLUGIN_FLATPAK,
  TB_PLUGIN_PATH,
} TbPluginOrigin;

/**
 * TbPluginInfo:
 * @id: name of its folder, by which it is called
 * @kind: "collector", "importer", "analysis", "exporter"
 * @name: name for people
 * @description: what it does, in one sentence
 * @error: why it could not be loaded, NULL if it can
 * @preference: rank among plug-ins of its kind that suit the same task, set by "X-Preference" in
 *   its description: higher is preferred, or listed first; 0 without it
 * @disabled: switched off by tb_engine_set_disabled(): it is not loaded, so that @error can only
 *   come from its description
 * @origin: where it comes from
 * @folder: its folder
 * @replaces: folder of a plug-in of the same kind and id which is not used because of this one,
 *   NULL if there is none
 * @replaces_built_in: whether such a plug-in is a built-in one
 *
 * A plug-in that was found.
 */
typedef struct
{
  const char *id;
  const char *kind;
  const char *name;
  const char *description;
  const char *error;
  int preference;
  gboolean disabled;
  TbPluginOrigin origin;
  const char *folder;
  const char *replaces;
  gboolean replaces_built_in;
} TbPluginInfo;

TB_EXPORT const char *tb_plugin_origin_get_name (TbPluginOrigin origin);
TB_EXPORT char *tb_plugin_info_describe_origin (const TbPluginInfo *info);

TB_EXPORT void tb_engine_set_disabled (TbEngine *self, const char *const *names);

/* (transfer full) (element-type TbPluginInfo): all plug-ins found, sorted by kind and id. */
TB_EXPORT GPtrArray *tb_engine_list (TbEngine *self);
TB_EXPORT const char *const *tb_engine_list_misplaced (TbEngine *self);
TB_EXPORT GPtrArray *tb_engine_list_collectors (TbEngine *self);
TB_EXPORT GPtrArray *tb_engine_list_analyses (TbEngine *self);

TB_EXPORT TbAnalysis *tb_engine_create_analysis (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbCollector *tb_engine_create_collector (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbImporter *tb_engine_create_importer (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbExporter *tb_engine_create_exporter (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbImporter *tb_engine_find_importer (TbEngine *self, GFile *file, GError **error);

G_END_DECLS
