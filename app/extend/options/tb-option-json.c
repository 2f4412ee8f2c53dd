/* tb-option-json.c: value of an option of a plug-in as JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "extend/options/tb-option-private.h"

static JsonNode *
list_to_json (char **items)
{
  JsonArray *array = json_array_new ();
  JsonNode *node;

  for (guint i = 0; items && items[i]; i++)
    json_array_add_string_element (array, items[i]);
  node = json_node_init_array (json_node_alloc (), array);
  json_array_unref (array);
  return node;
}

static JsonNode *
flags_to_json (const GFlagsClass *class, guint flags)
{
  JsonArray *array = json_array_new ();
  JsonNode *node;

  for (guint i = 0; i < class->n_values; i++)
    if (class->values[i].value && (flags & class->values[i].value) == class->values[i].value)
      json_array_add_string_element (array, class->values[i].value_nick);
  node = json_node_init_array (json_node_alloc (), array);
  json_array_unref (array);
  return node;
}

JsonNode *
tb_option_value_to_json (GParamSpec *option, const GValue *value)
{
  JsonNode *node = json_node_alloc ();
  const GEnumValue *choice;

  if (G_IS_PARAM_SPEC_BOOLEAN (option))
    return json_node_init_boolean (node, g_value_get_boolean (value));
  if (G_IS_PARAM_SPEC_INT (option))
    return json_node_init_int (node, g_value_get_int (value));
  if (G_IS_PARAM_SPEC_UINT (option))
    return json_node_init_int (node, g_value_get_uint (value));
  if (G_IS_PARAM_SPEC_INT64 (option))
    return json_node_init_int (node, g_value_get_int64 (value));
  if (G_IS_PARAM_SPEC_UINT64 (option))
    return json_node_init_int (node,
                               (gint64) MIN (g_value_get_uint64 (value), (guint64) G_MAXINT64));
  if (G_IS_PARAM_SPEC_DOUBLE (option) && isfinite (g_value_get_double (value)))
    return json_node_init_double (node, g_value_get_double (value));
  if (G_IS_PARAM_SPEC_STRING (option) && g_value_get_string (value))
    return json_node_init_string (node, g_value_get_string (value));
  if (G_IS_PARAM_SPEC_ENUM (option)
      && (choice
          = g_enum_get_value (G_PARAM_SPEC_ENUM (option)->enum_class, g_value_get_enum (value))))
    return json_node_init_string (node, choice->value_nick);
  json_node_free (node);
  if (G_IS_PARAM_SPEC_FLAGS (option))
    return flags_to_json (G_PARAM_SPEC_FLAGS (option)->flags_class, g_value_get_flags (value));
  if (G_VALUE_HOLDS (value, G_TYPE_STRV))
    return list_to_json (g_value_get_boxed (value));
  return json_node_init_null (json_node_alloc ());
}

/**
 * tb_option_get_as_json:
 * @plugin: an object of a plug-in
 * @name: one of its options
 *
 * Gets the value of an option.
 *
 * Returns: (transfer full): its value: boolean, number, string, array of strings, or null if it has
 *   none
 */
JsonNode *
tb_option_get_as_json (GObject *plugin, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *option;

  g_return_val_if_fail (G_IS_OBJECT (plugin), NULL);

  option = tb_option_find_option (plugin, name);
  if (!option)
    return json_node_init_null (json_node_alloc ());
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (option));
  g_object_get_property (plugin, option->name, &value);
  return tb_option_value_to_json (option, &value);
}
