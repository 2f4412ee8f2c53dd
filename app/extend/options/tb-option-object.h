/* tb-option-object.h: base class of plug-in objects that store their options, which are GObject
 * properties, in fields of their structs: class_init adds each with the offset of its field; here
 * they are set, returned, listed and freed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"

G_BEGIN_DECLS

#define TB_TYPE_OPTION_OBJECT (tb_option_object_get_type ())
TB_EXPORT
G_DECLARE_DERIVABLE_TYPE (TbOptionObject, tb_option_object, TB, OPTION_OBJECT, GObject)

struct _TbOptionObjectClass
{
  GObjectClass parent_class;

  guint n_options; /* highest property id so far */
};

/**
 * TB_OPTION_FLAGS:
 *
 * Flags of properties that are options: they are set to their default on construction. Options that
 * are lists do without %G_PARAM_CONSTRUCT.
 */
#define TB_OPTION_FLAGS (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS)

TB_EXPORT GParamSpec *
tb_option_object_class_add (TbOptionObjectClass *klass, gsize field, GParamSpec *option);

G_END_DECLS
