/* tb-option-description.c: description of an option for display: its values, limits and default
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>
#include <glib/gi18n-lib.h>

#include "extend/options/tb-option-private.h"

/* Formats the property's value, and its minimum and maximum, as two strings. */
static gboolean
format_limits (GParamSpec *option, char **least, char **greatest)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (G_IS_PARAM_SPEC_INT (option))
    {
      *least = g_strdup_printf ("%d", G_PARAM_SPEC_INT (option)->minimum);
      *greatest = g_strdup_printf ("%d", G_PARAM_SPEC_INT (option)->maximum);
    }
  else if (G_IS_PARAM_SPEC_UINT (option))
    {
      *least = g_strdup_printf ("%u", G_PARAM_SPEC_UINT (option)->minimum);
      *greatest = g_strdup_printf ("%u", G_PARAM_SPEC_UINT (option)->maximum);
    }
  else if (G_IS_PARAM_SPEC_INT64 (option))
    {
      *least = g_strdup_printf ("%" G_GINT64_FORMAT, G_PARAM_SPEC_INT64 (option)->minimum);
      *greatest = g_strdup_printf ("%" G_GINT64_FORMAT, G_PARAM_SPEC_INT64 (option)->maximum);
    }
  else if (G_IS_PARAM_SPEC_UINT64 (option))
    {
      *least = g_strdup_printf ("%" G_GUINT64_FORMAT, G_PARAM_SPEC_UINT64 (option)->minimum);
      *greatest = g_strdup_printf ("%" G_GUINT64_FORMAT, G_PARAM_SPEC_UINT64 (option)->maximum);
    }
  else if (G_IS_PARAM_SPEC_DOUBLE (option))
    {
      *least = g_strdup (
          g_ascii_formatd (buffer, sizeof buffer, "%.6g", G_PARAM_SPEC_DOUBLE (option)->minimum));
      *greatest = g_strdup (
          g_ascii_formatd (buffer, sizeof buffer, "%.6g", G_PARAM_SPEC_DOUBLE (option)->maximum));
    }
  else
    return FALSE;
  return TRUE;
}

static const char *
get_choice (GParamSpec *option, guint i)
{
  if (G_IS_PARAM_SPEC_ENUM (option))
    return G_PARAM_SPEC_ENUM (option)->enum_class->values[i].value_nick;
  if (G_IS_PARAM_SPEC_FLAGS (option))
    return G_PARAM_SPEC_FLAGS (option)->flags_class->values[i].value_nick;
  return tb_option_get_choices (option)[i];
}

gboolean
tb_option_is_one_choice (GParamSpec *option)
{
  return G_IS_PARAM_SPEC_STRING (option) || G_IS_PARAM_SPEC_ENUM (option);
}

/* "a, b", with labels "a (Fast), b (Exact)". */
char *
tb_option_list_choices (GParamSpec *option, gboolean with_labels)
{
  const char *const *labels = with_labels ? tb_option_get_choice_labels (option) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < tb_option_count_choices (option); i++)
    {
      g_string_append_printf (text, "%s%s", i ? ", " : "", get_choice (option, i));
      if (labels && *labels[i])
        g_string_append_printf (text, " (%s)", labels[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* "0…1", "1…60 s"; NULL for a property that has no limits. */
char *
tb_option_describe_limits (GParamSpec *option)
{
  g_autofree char *least = NULL;
  g_autofree char *greatest = NULL;
  const char *unit = tb_option_get_unit (option);

  if (!format_limits (option, &least, &greatest))
    return NULL;
  if (unit && strcmp (unit, "share") != 0)
    return g_strdup_printf ("%s…%s %s", least, greatest, unit);
  return g_strdup_printf ("%s…%s", least, greatest);
}

/* The values that a property accepts, for display: "0…1", "one of a (Fast), b (Exact)". */
static char *
describe_values (GParamSpec *option)
{
  g_autofree char *limits = tb_option_describe_limits (option);

  if (tb_option_count_choices (option) > 0)
    {
      g_autofree char *choices = tb_option_list_choices (option, TRUE);

      return g_strdup_printf (tb_option_is_one_choice (option)
                                  ? _ ("one of %s")
                                  : _ ("one or several of %s, separated by commas"),
                              choices);
    }
  if (G_IS_PARAM_SPEC_BOOLEAN (option))
    return g_strdup (_ ("true or false"));
  if (limits != NULL)
    return g_steal_pointer (&limits);
  if (G_PARAM_SPEC_VALUE_TYPE (option) == G_TYPE_STRV)
    return g_strdup (_ ("a comma-separated list"));
  return g_strdup (_ ("text"));
}

static char *
describe_default (GParamSpec *option)
{
  g_autoptr (JsonNode) node
      = tb_option_value_to_json (option, g_param_spec_get_default_value (option));

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    return *json_node_get_string (node) ? json_node_dup_string (node) : NULL;
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      g_autoptr (GString) text = g_string_new (NULL);
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        g_string_append_printf (text, "%s%s", i ? "," : "",
                                json_array_get_string_element (array, i));
      return text->len ? g_strdup (text->str) : NULL;
    }
  if (JSON_NODE_HOLDS_NULL (node))
    return NULL;
  if (G_IS_PARAM_SPEC_DOUBLE (option))
    {
      char buffer[G_ASCII_DTOSTR_BUF_SIZE];

      return g_strdup (
          g_ascii_formatd (buffer, sizeof buffer, "%.6g", json_node_get_double (node)));
    }
  return json_to_string (node, FALSE);
}

/**
 * tb_option_describe:
 * @plugin: an object of a plug-in
 * @name: one of its options
 *
 * Describes an option for the command line.
 *
 * Returns: (transfer full): one line for display: "threshold 0…1, default 0.2: what counts as much"
 */
char *
tb_option_describe (GObject *plugin, const char *name)
{
  g_autofree char *values = NULL;
  g_autofree char *standard = NULL;
  const char *blurb;
  GParamSpec *option;
  GString *text;

  g_return_val_if_fail (G_IS_OBJECT (plugin), NULL);

  option = tb_option_find_option (plugin, name);
  if (!option)
    return g_strdup_printf (_ ("%s  unknown: the plug-in has no such property"), name);
  values = describe_values (option);
  standard = describe_default (option);
  blurb = g_param_spec_get_blurb (option);
  if (!blurb || !*blurb)
    blurb = g_param_spec_get_nick (option);
  text = g_string_new (option->name);
  g_string_append_printf (text, "  %s", values);
  if (standard)
    g_string_append_printf (text, _ (", default %s"), standard);
  if (blurb && *blurb)
    g_string_append_printf (text, ": %s", blurb);
  return g_string_free (text, FALSE);
}
