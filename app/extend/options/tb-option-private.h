/* tb-option-private.h: check of the value of an option, its choices and limits as text, its value
 * as JSON; search for an option by name; names of the options of a TbOptionObject
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"

G_BEGIN_DECLS

/* Runs the check that tb_option_set_check() declared on a value of the property's type. */
gboolean tb_option_check (GParamSpec *option, const GValue *value, GError **error);

guint tb_option_count_choices (GParamSpec *option);
/* Whether a value is one of the choices, not several. */
gboolean tb_option_is_one_choice (GParamSpec *option);
/* "a, b", with labels "a (Fast), b (Exact)". (transfer full) */
char *tb_option_list_choices (GParamSpec *option, gboolean with_labels);
/* "0…1", "1…60 s"; NULL for a property that has no limits. (transfer full) */
char *tb_option_describe_limits (GParamSpec *option);
JsonNode *tb_option_value_to_json (GParamSpec *option, const GValue *value);
/* The property of a listed option whose name is written with - or _; NULL: none. */
GParamSpec *tb_option_find_option (GObject *plugin, const char *name);

/* The options of a TbOptionObject in the order in which they were added; NULL for any other object.
 * (transfer full) */
char **tb_option_object_list (GObject *plugin);

G_END_DECLS
