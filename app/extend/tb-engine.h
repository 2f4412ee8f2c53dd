/* tb-engine.h: finds and loads plug-ins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-analysis.h"
#include "extend/tb-collector.h"
#include "extend/tb-exporter.h"
#include "extend/tb-importer.h"

G_BEGIN_DECLS

#define TB_TYPE_ENGINE (tb_engine_get_type ())
TB_EXPORT
G_DECLARE_FINAL_TYPE (TbEngine, tb_engine, TB, ENGINE, GObject)

/* The one of this process. Looks in TAILBACK_PLUGIN_PATH (colon-separated, each with the four folders), the user's data
 * folder and the installed one; folders KIND/ID with ID.plugin. Plug-ins are loaded when first asked for. */
TB_EXPORT TbEngine *tb_engine_get_default (void);

/**
 * TbPluginInfo:
 * @kind: "collector", "importer", "analysis", "exporter"
 * @error: why it could not be loaded, NULL if it can
 * @preference: how much its author would have it taken where several of its kind serve: more is better; 0 where its
 *   description has no "X-Preference"
 * @disabled: switched off by tb_engine_set_disabled(): it is not loaded, so that @error is only of its description
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
} TbPluginInfo;

/* Switches off those named, "KIND/ID" each, and all others on: they are listed, but neither loaded nor created. */
TB_EXPORT void tb_engine_set_disabled (TbEngine *self, const char *const *names);

/* (transfer full) (element-type TbPluginInfo): all found, sorted by kind and id. */
TB_EXPORT GPtrArray *tb_engine_list (TbEngine *self);
/* (transfer container) (element-type TbPluginInfo): the collectors, the one to be taken rather first. */
TB_EXPORT GPtrArray *tb_engine_list_collectors (TbEngine *self);

/* A new object for one run; an unknown id is TB_EXTEND_ERROR_USAGE naming those there are. (transfer full) */
TB_EXPORT TbAnalysis *tb_engine_create_analysis (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbCollector *tb_engine_create_collector (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbImporter *tb_engine_create_importer (TbEngine *self, const char *id, GError **error);
TB_EXPORT TbExporter *tb_engine_create_exporter (TbEngine *self, const char *id, GError **error);
/* The importer whose sniffer is surest of the file; none: TB_EXTEND_ERROR_INPUT in one clear line. */
TB_EXPORT TbImporter *tb_engine_find_importer (TbEngine *self, GFile *file, GError **error);

G_END_DECLS
