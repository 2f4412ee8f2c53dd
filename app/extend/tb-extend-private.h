/* tb-extend-private.h: what the engine and the interfaces share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-option.h"

G_BEGIN_DECLS

/* The plug-in's id, by which the user knows it; its type's name where it did not come from the engine. */
void tb_plugin_set_id (GObject *plugin, const char *id);
const char *tb_plugin_get_id (GObject *plugin);

/* Options do not change once a run has begun. */
void tb_plugin_freeze_options (GObject *plugin);
gboolean tb_plugin_has_frozen_options (GObject *plugin);

/* Asks what tb_option_set_check() declared about a value, which has the property's type. */
gboolean tb_option_check (GParamSpec *option, const GValue *value, GError **error);

/* The options all of its interfaces list. (transfer full) */
char **tb_plugin_list_options (GObject *plugin);

/* Those of a TbOptionObject, in the order in which they were added; NULL: it is none. (transfer full) */
char **tb_option_object_list (GObject *plugin);

/* Every failure of a plug-in has an error and names it; succeeding with one is no success either. */
void tb_plugin_complete_error (GObject *plugin, gboolean succeeded, GError **error);

G_END_DECLS
