/* plugin-names.h: names of a new plug-in, derived from the one that its author chose
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * PluginNames:
 * @id: "top-wakers", by which commands call it
 * @title: "Top Wakers", for people
 * @class_name: "TopWakers"
 * @lower: "top_wakers", the prefix of functions
 * @upper: "TOP_WAKERS", the prefix of macros
 */
typedef struct
{
  char *id;
  char *title;
  char *class_name;
  char *lower;
  char *upper;
} PluginNames;

/* Fails with a usage error if the name cannot be that of a plug-in. */
gboolean plugin_names_init (PluginNames *self, const char *name, GError **error);
void plugin_names_clear (PluginNames *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PluginNames, plugin_names_clear)
/* The text of a template, or the name of one of its files, with the names of the plug-in.
 * (transfer full) */
char *plugin_names_replace (const PluginNames *self, const char *text);

G_END_DECLS
