/* tb-engine-private.h: struct of the engine and of a plug-in that it found, kinds of plug-ins
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <libpeas.h>

#include "extend/plugins/tb-engine.h"

G_BEGIN_DECLS

/* Whole sentences for each kind: in many languages its word determines the form of others. */
typedef struct
{
  const char *kind;
  const char *folder;
  GType (*get_type) (void);
  const char *unnamed; /* the ID is empty */
  const char *unknown;
  const char *none;
  const char *disabled;
  const char *unusable;
} TbEngineKind;

#define TB_ENGINE_N_KINDS 4

extern const TbEngineKind tb_engine_kinds[TB_ENGINE_N_KINDS];

typedef struct
{
  TbPluginInfo info; /* strings owned here */
  const TbEngineKind *kind;
  char *module;
  gboolean is_native;
  gboolean tried;
  guint64 state;             /* of its files when it was loaded */
  GPtrArray *old_errors;     /* char *: those that it does not have any more; info may be in use */
  PeasPluginInfo *peas_info; /* NULL until the plug-in is loaded */
  GType type;                /* of its objects, if it was loaded again after a change */
} TbEnginePlugin;

struct _TbEngine
{
  GObject parent_instance;

  GRecMutex lock;
  PeasEngine *peas;
  GPtrArray *plugins;   /* TbEnginePlugin, sorted by kind and id */
  GPtrArray *misplaced; /* char *, a sentence for each */
  gboolean has_python;  /* the loader of plug-ins in Python is prepared */
};

/* Creates an object of the plug-in, which is loaded first. The engine must be locked. (transfer
 * full) (nullable) */
GObject *tb_engine_create_extension (TbEngine *self, TbEnginePlugin *plugin, GError **error);

/* tb-engine-folders.c: finds the plug-ins in all folders. */
void tb_engine_scan (TbEngine *self);

/* tb-engine-plugin.c */
void tb_engine_plugin_free (TbEnginePlugin *plugin);
/* Frees what the plug-in owns. */
void tb_engine_plugin_clear (TbEnginePlugin *plugin);
/* Stores why the plug-in cannot be used; the first reason stays. */
void tb_engine_plugin_fail (TbEnginePlugin *plugin, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Removes that reason, as the plug-in is loaded again. */
void tb_engine_plugin_forgive (TbEnginePlugin *plugin);
/* Reads ID.plugin before libpeas does, so that errors in it can be reported. */
void tb_engine_plugin_read_description (TbEnginePlugin *plugin, const char *path);

/* tb-engine-load.c: loads the plug-in unless that was tried before; one in Python again if its
 * files were changed since. */
gboolean tb_engine_load (TbEngine *self, TbEnginePlugin *plugin);
/* Loads a plug-in; *message gets the first warning that is logged meanwhile for one of the
 * domains, none of which is shown. (transfer full) (nullable) */
gboolean tb_engine_load_and_listen (TbEngine *self,
                                    PeasPluginInfo *info,
                                    const char *const *domains,
                                    guint n_domains,
                                    char **message);
/* Whether its files were changed since it was loaded. */
gboolean tb_engine_plugin_has_changed (const TbEnginePlugin *plugin);

/* tb-engine-python.c */
/* Why none in Python can be loaded. (transfer full) */
char *tb_engine_describe_missing_python (void);
/* Called before the first plug-in in Python is loaded. */
void tb_engine_prepare_python (TbEngine *self);
/* Loads a plug-in whose loader prints its errors. (transfer full) (nullable): the last line of what
 * it printed, with the place in the plug-in */
gboolean tb_engine_load_python (TbEngine *self, PeasPluginInfo *info, char **message);

G_END_DECLS
