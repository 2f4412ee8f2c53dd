/* tb-option-private.h: call of the check function of an option, and names of the options of a
 * TbOptionObject
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"

G_BEGIN_DECLS

/* Runs the check that tb_option_set_check() declared on a value of the property's type. */
gboolean tb_option_check (GParamSpec *option, const GValue *value, GError **error);

/* The options of a TbOptionObject in the order in which they were added; NULL for any other object.
 * (transfer full) */
char **tb_option_object_list (GObject *plugin);

G_END_DECLS
