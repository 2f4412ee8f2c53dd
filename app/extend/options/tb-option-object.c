/* tb-option-object.c: base class of plug-in objects that store their options, which are GObject
 * properties, in fields of their structs: class_init adds each with the offset of its field; here
 * they are set, returned, listed and freed
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-object.h"
#include "extend/options/tb-option-private.h"

/**
 * TbOptionObject:
 *
 * Base class of plug-ins with options: the options are fields of the object, declared once, in
 * class_init. They are read, set, copied, listed and freed here, so that a plug-in only declares
 * them.
 *
 * A class derived from it lists its options by itself: its interface needs no get_options().
 */
G_DEFINE_ABSTRACT_TYPE (TbOptionObject, tb_option_object, G_TYPE_OBJECT)

static GQuark
get_field_quark (void)
{
  return g_quark_from_static_string ("tb-option-field");
}

/* Offset of the option's field plus one; 0: the property is not stored in a field. */
static gsize
get_field (GParamSpec *option)
{
  return GPOINTER_TO_SIZE (g_param_spec_get_qdata (option, get_field_quark ()));
}

static gpointer
find_field (GObject *object, GParamSpec *option)
{
  return (guint8 *) object + get_field (option) - 1;
}

static void
set_boxed (gpointer *field, const GValue *value)
{
  gpointer boxed = g_value_dup_boxed (value);

  if (*field != NULL)
    g_boxed_free (G_VALUE_TYPE (value), *field);
  if (boxed == NULL && G_VALUE_TYPE (value) == G_TYPE_STRV)
    boxed = g_new0 (char *, 1);
  *field = boxed;
}

/* Those of the two functions that follow. */
static gboolean
is_stored_type (GType type)
{
  static const GType types[]
      = { G_TYPE_BOOLEAN, G_TYPE_INT,   G_TYPE_UINT,   G_TYPE_INT64,  G_TYPE_UINT64,
          G_TYPE_ENUM,    G_TYPE_FLAGS, G_TYPE_DOUBLE, G_TYPE_STRING, G_TYPE_BOXED };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (G_TYPE_FUNDAMENTAL (type) == types[i])
      return TRUE;
  return FALSE;
}

static void
tb_option_object_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  gpointer field = find_field (object, pspec);

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    case G_TYPE_INT:
      *(int *) field = g_value_get_int (value);
      break;
    case G_TYPE_UINT:
      *(guint *) field = g_value_get_uint (value);
      break;
    case G_TYPE_INT64:
      *(gint64 *) field = g_value_get_int64 (value);
      break;
    case G_TYPE_UINT64:
      *(guint64 *) field = g_value_get_uint64 (value);
      break;
    case G_TYPE_ENUM:
      *(int *) field = g_value_get_enum (value);
      break;
    case G_TYPE_FLAGS:
      *(guint *) field = g_value_get_flags (value);
      break;
    case G_TYPE_DOUBLE:
      *(double *) field = g_value_get_double (value);
      break;
    case G_TYPE_STRING:
      g_free (*(char **) field);
      *(char **) field
          = g_strdup (g_value_get_string (value) != NULL ? g_value_get_string (value) : "");
      break;
    case G_TYPE_BOXED:
      set_boxed (field, value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_option_object_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gconstpointer field = find_field (object, pspec);

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type))
    {
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) field);
      break;
    case G_TYPE_INT:
      g_value_set_int (value, *(const int *) field);
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, *(const guint *) field);
      break;
    case G_TYPE_INT64:
      g_value_set_int64 (value, *(const gint64 *) field);
      break;
    case G_TYPE_UINT64:
      g_value_set_uint64 (value, *(const guint64 *) field);
      break;
    case G_TYPE_ENUM:
      g_value_set_enum (value, *(const int *) field);
      break;
    case G_TYPE_FLAGS:
      g_value_set_flags (value, *(const guint *) field);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, *(const double *) field);
      break;
    case G_TYPE_STRING:
      g_value_set_string (value, *(char *const *) field);
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, *(gpointer const *) field);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_option_object_finalize (GObject *object)
{
  guint n_properties;
  g_autofree GParamSpec **properties
      = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n_properties);

  for (guint i = 0; i < n_properties; i++)
    {
      gpointer *field = get_field (properties[i]) > 0 ? find_field (object, properties[i]) : NULL;

      if (field == NULL)
        continue;
      if (G_TYPE_FUNDAMENTAL (properties[i]->value_type) == G_TYPE_STRING)
        g_clear_pointer (field, g_free);
      else if (G_TYPE_FUNDAMENTAL (properties[i]->value_type) == G_TYPE_BOXED && *field != NULL)
        g_boxed_free (properties[i]->value_type, g_steal_pointer (field));
    }
  G_OBJECT_CLASS (tb_option_object_parent_class)->finalize (object);
}

static void
tb_option_object_class_init (TbOptionObjectClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = tb_option_object_set_property;
  object_class->get_property = tb_option_object_get_property;
  object_class->finalize = tb_option_object_finalize;
}

static void
tb_option_object_init (TbOptionObject *self)
{
}

/**
 * tb_option_object_class_add: (skip)
 * @klass: a class derived from this one, in its class_init
 * @field: offset of the option in the object: G_STRUCT_OFFSET()
 * @option: (transfer floating): the property: a boolean, an integer of 32 or 64 bits, an
 *   enumeration, flags, a double, a string or a boxed type; its name is the option's name
 *
 * Adds an option, which is shown after those added before. The object owns strings and boxed
 * values. A string is never %NULL, nor is a list that was set. A property of a boxed type other
 * than a list of strings is not listed as an option: its value has no text form.
 *
 * Returns: (transfer none): @option, for further declarations
 */
GParamSpec *
tb_option_object_class_add (TbOptionObjectClass *klass, gsize field, GParamSpec *option)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  g_return_val_if_fail (TB_IS_OPTION_OBJECT_CLASS (klass), NULL);
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);
  g_return_val_if_fail (is_stored_type (option->value_type), NULL);

  /* These two virtual functions are not inherited. */
  if (object_class->set_property == NULL)
    {
      object_class->set_property = tb_option_object_set_property;
      object_class->get_property = tb_option_object_get_property;
    }
  g_param_spec_set_qdata (option, get_field_quark (), GSIZE_TO_POINTER (field + 1));
  g_object_class_install_property (object_class, ++klass->n_options, option);
  return option;
}

char **
tb_option_object_list (GObject *plugin)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree GParamSpec **properties = NULL;
  guint n_properties;

  if (!TB_IS_OPTION_OBJECT (plugin))
    return NULL;
  properties = g_object_class_list_properties (G_OBJECT_GET_CLASS (plugin), &n_properties);
  for (guint i = 0; i < n_properties; i++)
    if (get_field (properties[i]) > 0
        && (G_TYPE_FUNDAMENTAL (properties[i]->value_type) != G_TYPE_BOXED
            || properties[i]->value_type == G_TYPE_STRV))
      g_strv_builder_add (builder, properties[i]->name);
  return g_strv_builder_end (builder);
}
