/* tb-finding-values.c: validation of the code of a finding and of the names of its values, and
 * checked copy of its values from untrusted JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "report/tb-finding-values.h"
#include "report/tb-json-private.h"

#define VALUES_MAX 100
#define STRINGS_MAX 1000
#define NAME_MAX_LENGTH 64

/* Words of lower-case letters and digits, joined by single joints. The first word begins with a
 * letter. */
static gboolean
is_identifier (const char *text, char joint)
{
  gsize length = 0;

  if (!g_ascii_islower (text[0]))
    return FALSE;
  for (; text[length]; length++)
    if (text[length] == joint ? text[length + 1] == joint || text[length + 1] == '\0'
                              : !g_ascii_islower (text[length]) && !g_ascii_isdigit (text[length]))
      return FALSE;
  return length <= NAME_MAX_LENGTH;
}

gboolean
tb_finding_code_is_valid (const char *code)
{
  return is_identifier (code, '-');
}

gboolean
tb_finding_value_name_is_valid (const char *name)
{
  return is_identifier (name, '_');
}

static gboolean
is_value (JsonNode *node)
{
  GType type;

  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  type = json_node_get_value_type (node);
  return type == G_TYPE_STRING || type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

static gboolean
is_list_of_strings (JsonNode *node)
{
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;
  array = json_node_get_array (node);
  if (json_array_get_length (array) > STRINGS_MAX)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!tb_json_node_get_string (json_array_get_element (array, i)))
      return FALSE;
  return TRUE;
}

JsonObject *
tb_finding_values_read (JsonObject *values, GError **error)
{
  g_autoptr (JsonObject) copy = json_object_new ();
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (json_object_get_size (values) > VALUES_MAX)
    {
      tb_json_fail (error, _ ("a finding has %u values, more than %u"),
                    json_object_get_size (values), VALUES_MAX);
      return NULL;
    }
  json_object_iter_init_ordered (&iter, values);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      if (!tb_finding_value_name_is_valid (name)
          || (!is_value (node) && !is_list_of_strings (node)))
        {
          tb_json_fail (error, _ ("“%s” is not a value of a finding"), name);
          return NULL;
        }
      json_object_set_member (copy, name, json_node_copy (node));
    }
  return g_steal_pointer (&copy);
}
