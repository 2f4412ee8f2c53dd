/* tb-json.c: checked reading of members from untrusted JSON, and writing of optional members
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "report/tb-json-private.h"
#include "report/tb-report-error.h"

gboolean
tb_json_fail (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, TB_REPORT_ERROR, TB_REPORT_ERROR_FORMAT, message);
  return FALSE;
}

gboolean
tb_json_get_object (JsonNode *node, const char *what, JsonObject **object, GError **error)
{
  if (!node || !JSON_NODE_HOLDS_OBJECT (node) || !json_node_get_object (node))
    return tb_json_fail (error, _ ("%s: an object is required"), what);
  *object = json_node_get_object (node);
  return TRUE;
}

static JsonNode *
get_member (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node && !JSON_NODE_HOLDS_NULL (node) ? node : NULL;
}

const char *
tb_json_node_get_string (JsonNode *node)
{
  if (!node || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

gboolean
tb_json_node_get_integer (JsonNode *node, gint64 *value)
{
  if (!node || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  *value = json_node_get_int (node);
  return TRUE;
}

gboolean
tb_json_get_optional_string (JsonObject *object,
                             const char *name,
                             const char **text,
                             GError **error)
{
  JsonNode *node = get_member (object, name);

  *text = tb_json_node_get_string (node);
  if (node && !*text)
    return tb_json_fail (error, _ ("“%s”: a string is required"), name);
  if (*text && !g_utf8_validate (*text, -1, NULL))
    return tb_json_fail (error, _ ("“%s” is not UTF-8"), name);
  return TRUE;
}

gboolean
tb_json_get_string (JsonObject *object, const char *name, const char **text, GError **error)
{
  if (!tb_json_get_optional_string (object, name, text, error))
    return FALSE;
  return *text || tb_json_fail (error, _ ("“%s” is missing: a string is required"), name);
}

gboolean
tb_json_get_optional_integer (JsonObject *object,
                              const char *name,
                              gint64 least,
                              gint64 greatest,
                              gint64 default_value,
                              gint64 *value,
                              GError **error)
{
  JsonNode *node = get_member (object, name);

  *value = default_value;
  if (!node)
    return TRUE;
  if (!tb_json_node_get_integer (node, value))
    return tb_json_fail (error, _ ("“%s”: an integer is required"), name);
  if (*value < least || *value > greatest)
    return tb_json_fail (error, _ ("“%s” is %" PRId64 ", which is out of range"), name, *value);
  return TRUE;
}

gboolean
tb_json_get_integer (JsonObject *object,
                     const char *name,
                     gint64 least,
                     gint64 greatest,
                     gint64 *value,
                     GError **error)
{
  if (!get_member (object, name))
    return tb_json_fail (error, _ ("“%s” is missing: an integer is required"), name);
  return tb_json_get_optional_integer (object, name, least, greatest, 0, value, error);
}

gboolean
tb_json_get_optional_double (JsonObject *object, const char *name, double *value, GError **error)
{
  JsonNode *node = get_member (object, name);

  *value = NAN;
  if (!node)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64
          && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return tb_json_fail (error, _ ("“%s”: a number is required"), name);
  *value = json_node_get_double (node);
  return isfinite (*value) || tb_json_fail (error, _ ("“%s” is not finite"), name);
}

gboolean
tb_json_get_boolean (JsonObject *object, const char *name, gboolean *value, GError **error)
{
  JsonNode *node = get_member (object, name);

  if (!node || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return tb_json_fail (error, _ ("“%s”: true or false is required"), name);
  *value = json_node_get_boolean (node);
  return TRUE;
}

gboolean
tb_json_get_array (JsonObject *object,
                   const char *name,
                   guint greatest_length,
                   JsonArray **array,
                   GError **error)
{
  JsonNode *node = get_member (object, name);

  if (!node || !JSON_NODE_HOLDS_ARRAY (node) || !json_node_get_array (node))
    return tb_json_fail (error, _ ("“%s”: an array is required"), name);
  *array = json_node_get_array (node);
  if (json_array_get_length (*array) > greatest_length)
    return tb_json_fail (error, _ ("“%s” has %u elements: at most %u are allowed"), name,
                         json_array_get_length (*array), greatest_length);
  return TRUE;
}

gint64 *
tb_json_get_integers (JsonObject *object,
                      const char *name,
                      guint n,
                      gint64 least,
                      gint64 greatest,
                      GError **error)
{
  g_autofree gint64 *values = NULL;
  JsonArray *array;

  if (!tb_json_get_array (object, name, n, &array, error))
    return NULL;
  if (json_array_get_length (array) != n)
    {
      tb_json_fail (error, _ ("“%s” has %u elements instead of %u"), name,
                    json_array_get_length (array), n);
      return NULL;
    }
  values = g_new (gint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    if (!tb_json_node_get_integer (json_array_get_element (array, i), &values[i])
        || values[i] < least || values[i] > greatest)
      {
        tb_json_fail (error, _ ("“%s”: element %u is not an integer in the permitted range"), name,
                      i);
        return NULL;
      }
  return g_steal_pointer (&values);
}

char **
tb_json_get_strings (JsonObject *object, const char *name, guint greatest_length, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array;

  if (!tb_json_get_array (object, name, greatest_length, &array, error))
    return NULL;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      const char *text = tb_json_node_get_string (json_array_get_element (array, i));

      if (!text || !g_utf8_validate (text, -1, NULL))
        {
          tb_json_fail (error, _ ("“%s”: element %u is not a string"), name, i);
          return NULL;
        }
      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

void
tb_json_add_unsigned (JsonBuilder *builder, guint64 value)
{
  json_builder_add_int_value (builder, (gint64) MIN (value, (guint64) G_MAXINT64));
}

void
tb_json_add_string_or_null (JsonBuilder *builder, const char *text)
{
  if (text)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

void
tb_json_add_double_or_null (JsonBuilder *builder, double value)
{
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
tb_json_add_time_or_null (JsonBuilder *builder, gint64 time)
{
  if (time >= 0)
    json_builder_add_int_value (builder, time);
  else
    json_builder_add_null_value (builder);
}

void
tb_json_add_strings (JsonBuilder *builder, const char *const *texts)
{
  json_builder_begin_array (builder);
  for (guint i = 0; texts && texts[i]; i++)
    json_builder_add_string_value (builder, texts[i]);
  json_builder_end_array (builder);
}
