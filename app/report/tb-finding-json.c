/* tb-finding-json.c: finding of a report, to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "report/tb-finding-private.h"
#include "report/tb-finding-values.h"
#include "report/tb-json-private.h"

#define THREADS_MAX 100000
#define STACK_MAX 10000
#define PLACES_MAX 1000

static void
write_places (TbFinding *self, JsonBuilder *builder)
{
  if (self->places->len == 0)
    return;
  json_builder_set_member_name (builder, "places");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->places->len; i++)
    {
      const TbFindingPlace *place = g_ptr_array_index (self->places, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "figure");
      json_builder_add_string_value (builder, place->figure);
      json_builder_set_member_name (builder, "item");
      json_builder_add_string_value (builder, place->item);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
write_references (TbFinding *self, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "from_ns");
  tb_json_add_time_or_null (builder, self->has_range ? self->from : TB_TIME_NONE);
  json_builder_set_member_name (builder, "to_ns");
  tb_json_add_time_or_null (builder, self->has_range ? self->to : TB_TIME_NONE);
  json_builder_set_member_name (builder, "threads");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->threads->len; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", g_array_index (self->threads, guint32, i));

      json_builder_add_string_value (builder, id);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "stack");
  tb_json_add_strings (builder, (const char *const *) self->stack);
  json_builder_set_member_name (builder, "figure");
  tb_json_add_string_or_null (builder, self->figure);
  json_builder_set_member_name (builder, "item");
  tb_json_add_string_or_null (builder, self->item);
  write_places (self, builder);
  json_builder_end_object (builder);
}

static void
write_values (TbFinding *self, JsonBuilder *builder)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_builder_begin_object (builder);
  json_object_iter_init_ordered (&iter, self->values);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      json_builder_set_member_name (builder, name);
      json_builder_add_value (builder, json_node_copy (node));
    }
  json_builder_end_object (builder);
}

/**
 * tb_finding_to_json:
 * @self: a finding
 *
 * Writes the finding as JSON.
 *
 * Returns: (transfer full): the finding as a JSON object
 */
JsonNode *
tb_finding_to_json (TbFinding *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (TB_IS_FINDING (self), NULL);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "code");
  tb_json_add_string_or_null (builder, self->code);
  json_builder_set_member_name (builder, "severity");
  json_builder_add_string_value (builder, tb_severity_get_name (self->severity));
  json_builder_set_member_name (builder, "text");
  json_builder_add_string_value (builder, self->text);
  json_builder_set_member_name (builder, "values");
  write_values (self, builder);
  json_builder_set_member_name (builder, "weight_ns");
  tb_json_add_time_or_null (builder, self->weight);
  json_builder_set_member_name (builder, "share");
  tb_json_add_double_or_null (builder, self->share);
  json_builder_set_member_name (builder, "refs");
  write_references (self, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static gboolean
read_threads (TbFinding *self, JsonObject *references, GError **error)
{
  g_auto (GStrv) ids = tb_json_get_strings (references, "threads", THREADS_MAX, error);

  if (!ids)
    return FALSE;
  for (guint i = 0; ids[i]; i++)
    {
      guint64 id;

      if (!g_ascii_string_to_unsigned (ids[i], 10, 0, G_MAXUINT32, &id, NULL))
        return tb_json_fail (error, _ ("invalid thread ID “%s”"), ids[i]);
      tb_finding_add_thread (self, id);
    }
  return TRUE;
}

/* Reports of earlier versions have no places. */
static gboolean
read_places (TbFinding *self, JsonObject *references, GError **error)
{
  JsonArray *places;

  if (!json_object_has_member (references, "places"))
    return TRUE;
  if (!tb_json_get_array (references, "places", PLACES_MAX, &places, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (places); i++)
    {
      JsonObject *place;
      const char *figure;
      const char *item;

      if (!tb_json_get_object (json_array_get_element (places, i), "place", &place, error)
          || !tb_json_get_string (place, "figure", &figure, error)
          || !tb_json_get_string (place, "item", &item, error))
        return FALSE;
      tb_finding_add_place (self, figure, item);
    }
  return TRUE;
}

static gboolean
read_references (TbFinding *self, JsonObject *references, GError **error)
{
  const char *figure;
  const char *item;
  gint64 from;
  gint64 to;

  if (!tb_json_get_optional_integer (references, "from_ns", 0, G_MAXINT64, TB_TIME_NONE, &from,
                                     error)
      || !tb_json_get_optional_integer (references, "to_ns", 0, G_MAXINT64, TB_TIME_NONE, &to,
                                        error)
      || !tb_json_get_optional_string (references, "figure", &figure, error)
      || !tb_json_get_optional_string (references, "item", &item, error))
    return FALSE;
  if (from >= 0 && to >= from)
    tb_finding_set_range (self, from, to);
  tb_finding_set_place (self, figure, item);
  if (!read_places (self, references, error))
    return FALSE;
  if (json_object_has_member (references, "stack"))
    {
      g_auto (GStrv) stack = tb_json_get_strings (references, "stack", STACK_MAX, error);

      if (!stack)
        return FALSE;
      if (*stack)
        tb_finding_set_stack (self, (const char *const *) stack);
    }
  return !json_object_has_member (references, "threads") || read_threads (self, references, error);
}

/* Reports of earlier versions have neither a code nor values. */
static gboolean
read_code_and_values (TbFinding *self, JsonObject *object, GError **error)
{
  JsonObject *values;
  const char *code;

  if (!tb_json_get_optional_string (object, "code", &code, error))
    return FALSE;
  if (code && !tb_finding_code_is_valid (code))
    return tb_json_fail (error, _ ("invalid finding code “%s”"), code);
  g_set_str (&self->code, code);
  if (!json_object_has_member (object, "values"))
    return TRUE;
  if (!tb_json_get_object (json_object_get_member (object, "values"), "values", &values, error)
      || !(values = tb_finding_values_read (values, error)))
    return FALSE;
  json_object_unref (self->values);
  self->values = values;
  return TRUE;
}

/**
 * tb_finding_from_json:
 * @node: JSON from [method@Finding.to_json] or from any other source
 * @error: return location for an error
 *
 * Reads a finding. The data are not trusted: what is inconsistent is an error.
 *
 * Returns: (transfer full) (nullable): the finding, or %NULL with %TB_REPORT_ERROR_FORMAT
 */
TbFinding *
tb_finding_from_json (JsonNode *node, GError **error)
{
  g_autoptr (TbFinding) self = NULL;
  JsonObject *object;
  JsonObject *references;
  const char *name;
  const char *text;
  gint64 weight;
  double share;
  guint severity = 0;

  if (!tb_json_get_object (node, "finding", &object, error)
      || !tb_json_get_string (object, "severity", &name, error)
      || !tb_json_get_string (object, "text", &text, error)
      || !tb_json_get_optional_integer (object, "weight_ns", 0, G_MAXINT64, TB_TIME_NONE, &weight,
                                        error)
      || !tb_json_get_optional_double (object, "share", &share, error))
    return NULL;
  while (severity <= TB_SEVERITY_HIGH && strcmp (name, tb_severity_get_name (severity)) != 0)
    severity++;
  if (severity > TB_SEVERITY_HIGH)
    {
      tb_json_fail (error, _ ("unknown severity “%s”"), name);
      return NULL;
    }
  self = tb_finding_new (severity, text, weight, share);
  if (!read_code_and_values (self, object, error))
    return NULL;
  if (json_object_has_member (object, "refs")
      && (!tb_json_get_object (json_object_get_member (object, "refs"), "refs", &references, error)
          || !read_references (self, references, error)))
    return NULL;
  return g_steal_pointer (&self);
}
