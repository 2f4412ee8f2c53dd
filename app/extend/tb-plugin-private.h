/* tb-plugin-private.h: id of a plug-in object, list of its options, which a run freezes, errors
 * prefixed with its id, also of functions that it lacks, alike for plug-ins of all kinds
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include "extend/tb-plugin.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* The plug-in's id, by which the user knows it. */
void tb_plugin_set_id (GObject *plugin, const char *id);

/* Options do not change once a run has begun. */
void tb_plugin_freeze_options (GObject *plugin);
gboolean tb_plugin_has_frozen_options (GObject *plugin);

/* Lists the options of an object of one kind. (transfer full) (nullable): property names */
typedef char **(*TbPluginOptionsFunc) (GObject *plugin);
/* Called by the interface of a kind of plug-ins, in its default_init. */
void tb_plugin_set_options_func (GType kind, TbPluginOptionsFunc func);
/* The options that all interfaces of the plug-in list. (transfer full) */
char **tb_plugin_list_options (GObject *plugin);

/* The progress function that a plug-in gets, and its data: shares that are none and texts that are
 * not UTF-8 do not reach the caller, and are reported once. func may be NULL. */
typedef struct
{
  GObject *plugin;
  TbProgressFunc func;
  gpointer data;
  gboolean is_reported;
} TbPluginProgress;

void tb_plugin_report_progress (double share, const char *what, gpointer data);

/* Sets an error that names the plug-in if it lacks a function that its interface requires. */
gboolean
tb_plugin_check_function (GObject *plugin, gboolean exists, const char *function, GError **error);
/* The exception that was set in this thread since the last call. (transfer full) (nullable) */
char *tb_plugin_take_exception (void);
/* Ensures that every failure of a function of a plug-in has an error that names the plug-in. A
 * success that sets an error has none afterwards. */
void tb_plugin_complete_error (GObject *plugin,
                               const char *function,
                               gboolean succeeded,
                               GError **error);

/* Whether tb_plugin_set_import_func() was called, and a call of that function. */
gboolean tb_plugin_can_import (void);
GType tb_plugin_import (const char *module, const char *folder, GType kind);

/* Errors of the plug-in state that its module was changed after it was loaded. */
void tb_plugin_set_outdated (GObject *plugin);

/* What a plug-in reads of a recording. Damaged parts are missing in what it makes of the others, so
 * that its result must not be used. */
typedef struct
{
  TbTrace *trace;
  guint n_failed;  /* reads, before the plug-in began */
  guint n_missing; /* likewise, requests for function names that are damaged */
} TbPluginReads;

void tb_plugin_reads_begin (TbPluginReads *reads, TbTrace *trace);
/* Fails if a read failed since then, or one for data that the trace has derived before. */
gboolean tb_plugin_reads_check (const TbPluginReads *reads, GError **error);
/* Fails if a function name was not found since then that may be a damaged one. */
gboolean tb_plugin_reads_check_names (const TbPluginReads *reads, GError **error);

G_END_DECLS
