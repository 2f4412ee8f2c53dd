/* tb-option.c: options of plug-ins, which are GObject properties: declared choices, units and
 * groups; setting from text, value as JSON, description for display, copying
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <errno.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "extend/options/tb-option-private.h"
#include "extend/tb-plugin-private.h"

static G_DEFINE_QUARK (tb-option-choices, choices);
static G_DEFINE_QUARK (tb-option-choice-labels, choice_labels);
static G_DEFINE_QUARK (tb-option-group, group);
static G_DEFINE_QUARK (tb-option-unit, unit);

/**
 * tb_option_set_choices:
 * @option: a property of type string or string array
 * @choices: (array zero-terminated=1): the permitted values
 *
 * Declares the values that a property accepts. To be called before the first object of its class is
 * created.
 */
void
tb_option_set_choices (GParamSpec *option, const char *const *choices)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));

  g_param_spec_set_qdata_full (option, choices_quark (), g_strdupv ((char **) choices),
                               (GDestroyNotify) g_strfreev);
}

/**
 * tb_option_get_choices:
 * @option: a property
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the permitted values, %NULL if
 *   they are not declared
 */
const char *const *
tb_option_get_choices (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, choices_quark ());
}

static guint
count_choices (GParamSpec *option)
{
  const char *const *choices = tb_option_get_choices (option);

  if (G_IS_PARAM_SPEC_ENUM (option))
    return G_PARAM_SPEC_ENUM (option)->enum_class->n_values;
  if (G_IS_PARAM_SPEC_FLAGS (option))
    return G_PARAM_SPEC_FLAGS (option)->flags_class->n_values;
  return choices != NULL ? g_strv_length ((char **) choices) : 0;
}

/**
 * tb_option_set_choice_labels:
 * @option: a property whose choices are declared, or one of an enumeration or of flags
 * @labels: (array zero-terminated=1): a label for each choice, in the order of the choices or of
 *   the values; an empty label for a choice that stands for others and need not be shown
 *
 * Declares translated labels that are shown in place of the choices, written like the label of a
 * button. The choices themselves remain the values of the option: on the command line, in files and
 * for other programs. To be called after [func@option_set_choices] and before the first object of
 * its class is created.
 */
void
tb_option_set_choice_labels (GParamSpec *option, const char *const *labels)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));
  g_return_if_fail (labels != NULL && g_strv_length ((char **) labels) == count_choices (option));

  g_param_spec_set_qdata_full (option, choice_labels_quark (), g_strdupv ((char **) labels),
                               (GDestroyNotify) g_strfreev);
}

/**
 * tb_option_get_choice_labels:
 * @option: a property
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): a label for each choice, in their
 *   order; %NULL if the choices are shown themselves
 */
const char *const *
tb_option_get_choice_labels (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, choice_labels_quark ());
}

/**
 * tb_option_set_group:
 * @option: a property
 * @group: the heading that it is shown under with others, for display
 *
 * Declares which options are shown together, under one heading. To be called before the first
 * object of its class is created.
 */
void
tb_option_set_group (GParamSpec *option, const char *group)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));

  g_param_spec_set_qdata (option, group_quark (), (gpointer) g_intern_string (group));
}

/**
 * tb_option_get_group:
 * @option: a property
 *
 * Returns: (nullable): the heading that it is shown under, %NULL if it has none
 */
const char *
tb_option_get_group (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, group_quark ());
}

/**
 * tb_option_set_unit:
 * @option: a property
 * @unit: "ns", "bytes", "share", "hz"…
 *
 * Declares the unit of a property's values; "ns" is read with the suffixes of
 * [func@parse_duration], "share" with "%", "bytes" with k, M and G.
 */
void
tb_option_set_unit (GParamSpec *option, const char *unit)
{
  g_return_if_fail (G_IS_PARAM_SPEC (option));

  g_param_spec_set_qdata (option, unit_quark (), (gpointer) g_intern_string (unit));
}

/**
 * tb_option_get_unit:
 * @option: a property
 *
 * Returns: (nullable): the unit of its values
 */
const char *
tb_option_get_unit (GParamSpec *option)
{
  g_return_val_if_fail (G_IS_PARAM_SPEC (option), NULL);

  return g_param_spec_get_qdata (option, unit_quark ());
}

static gboolean
has_unit (GParamSpec *option, const char *unit)
{
  return g_strcmp0 (tb_option_get_unit (option), unit) == 0;
}

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

static gboolean
is_one_choice (GParamSpec *option)
{
  return G_IS_PARAM_SPEC_STRING (option) || G_IS_PARAM_SPEC_ENUM (option);
}

/* "a, b", with labels "a (Fast), b (Exact)". */
static char *
list_choices (GParamSpec *option, gboolean with_labels)
{
  const char *const *labels = with_labels ? tb_option_get_choice_labels (option) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < count_choices (option); i++)
    {
      g_string_append_printf (text, "%s%s", i ? ", " : "", get_choice (option, i));
      if (labels && *labels[i])
        g_string_append_printf (text, " (%s)", labels[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* "0…1", "1…60 s"; NULL for a property that has no limits. */
static char *
describe_limits (GParamSpec *option)
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
  g_autofree char *limits = describe_limits (option);

  if (count_choices (option) > 0)
    {
      g_autofree char *choices = list_choices (option, TRUE);

      return g_strdup_printf (is_one_choice (option)
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

static gboolean
set_value_error (GParamSpec *option, const char *text, GError **error)
{
  g_autofree char *limits = describe_limits (option);
  g_autofree char *choices = list_choices (option, FALSE);
  g_autofree char *message = NULL;

  if (count_choices (option) > 0 && is_one_choice (option))
    message = g_strdup_printf (_ ("invalid value of option %s, “%s”: use one of %s"), option->name,
                               text, choices);
  else if (count_choices (option) > 0)
    message = g_strdup_printf (_ ("invalid value of option %s, “%s”: use one or several of %s, "
                                  "separated by commas"),
                               option->name, text, choices);
  else if (G_IS_PARAM_SPEC_BOOLEAN (option))
    message = g_strdup_printf (_ ("invalid value of option %s, “%s”: use true or false"),
                               option->name, text);
  else if (limits != NULL)
    message = g_strdup_printf (
        /* Translators: name of the option, the text, a range of numbers such as “1…100” */
        _ ("invalid value of option %s, “%s”: use %s"), option->name, text, limits);
  else if (G_PARAM_SPEC_VALUE_TYPE (option) == G_TYPE_STRV)
    message = g_strdup_printf (_ ("invalid value of option %s, “%s”: use a comma-separated list"),
                               option->name, text);
  else
    message
        = g_strdup_printf (_ ("invalid value of option %s, “%s”: use text"), option->name, text);
  g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, message);
  return FALSE;
}

static gboolean
parse_boolean (const char *text, gboolean *result)
{
  static const char *const yes[] = { "true", "yes", "on", "1", NULL };
  static const char *const no[] = { "false", "no", "off", "0", NULL };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  *result = g_strv_contains (yes, lower);
  return *result || g_strv_contains (no, lower);
}

/* Parses an integer into sign and magnitude, with the suffixes of the option's unit. */
static gboolean
parse_integer (GParamSpec *option, const char *text, gboolean *negative, guint64 *size)
{
  char *end;
  gint64 ns;
  guint shift = 0;

  *negative = *text == '-';
  if (*text == '-' || *text == '+')
    text++;
  if (!g_ascii_isdigit (*text))
    return FALSE;
  if (has_unit (option, "ns"))
    {
      if (!tb_parse_duration (text, &ns, NULL))
        return FALSE;
      *size = ns;
      return TRUE;
    }
  errno = 0;
  *size = g_ascii_strtoull (text, &end, 10);
  if (errno)
    return FALSE;
  if (has_unit (option, "bytes") && *end)
    {
      static const char suffixes[] = "kMGT";
      const char *suffix = strchr (suffixes, *end == 'K' ? 'k' : *end);

      if (!suffix || (end[1] && strcmp (end + 1, "iB") != 0 && strcmp (end + 1, "B") != 0))
        return FALSE;
      shift = 10 * (suffix - suffixes + 1);
      end += strlen (end);
    }
  if (*end || *size > (G_MAXUINT64 >> shift))
    return FALSE;
  *size <<= shift;
  return TRUE;
}

static gboolean
set_integer (GParamSpec *option, const char *text, GValue *value)
{
  gboolean negative;
  gboolean fits;
  guint64 size;
  gint64 number;

  if (!parse_integer (option, text, &negative, &size))
    return FALSE;
  if (G_IS_PARAM_SPEC_UINT64 (option))
    {
      const GParamSpecUInt64 *spec = G_PARAM_SPEC_UINT64 (option);

      fits = (!negative || size == 0) && size >= spec->minimum && size <= spec->maximum;
      g_value_set_uint64 (value, size);
      return fits;
    }
  if (size > (guint64) G_MAXINT64)
    return FALSE;
  number = negative ? -(gint64) size : (gint64) size;
  if (G_IS_PARAM_SPEC_INT64 (option))
    {
      fits = number >= G_PARAM_SPEC_INT64 (option)->minimum
             && number <= G_PARAM_SPEC_INT64 (option)->maximum;
      g_value_set_int64 (value, number);
    }
  else if (G_IS_PARAM_SPEC_UINT (option))
    {
      fits = number >= G_PARAM_SPEC_UINT (option)->minimum
             && number <= G_PARAM_SPEC_UINT (option)->maximum;
      g_value_set_uint (value, number);
    }
  else
    {
      fits = number >= G_PARAM_SPEC_INT (option)->minimum
             && number <= G_PARAM_SPEC_INT (option)->maximum;
      g_value_set_int (value, number);
    }
  return fits;
}

static gboolean
set_double (GParamSpec *option, const char *text, GValue *value)
{
  const GParamSpecDouble *spec = G_PARAM_SPEC_DOUBLE (option);
  char *end;
  double number;

  errno = 0;
  number = g_ascii_strtod (text, &end);
  if (end == text || errno || !isfinite (number))
    return FALSE;
  if (*end == '%' && has_unit (option, "share"))
    {
      number /= 100;
      end++;
    }
  g_value_set_double (value, number);
  return *end == '\0' && number >= spec->minimum && number <= spec->maximum;
}

static gboolean
is_choice (GParamSpec *option, const char *text)
{
  const char *const *choices = tb_option_get_choices (option);

  return !choices || g_strv_contains (choices, text);
}

static gboolean
set_list (GParamSpec *option, const char *text, GValue *value)
{
  g_auto (GStrv) items = tb_option_split_list (text);

  for (guint i = 0; items[i]; i++)
    if (!is_choice (option, g_strstrip (items[i])))
      return FALSE;
  g_value_take_boxed (value, g_steal_pointer (&items));
  return TRUE;
}

static gboolean
set_flags (GParamSpec *option, const char *text, GValue *value)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);
  guint flags = 0;

  for (guint i = 0; items[i]; i++)
    {
      const GFlagsValue *flag = g_flags_get_value_by_nick (G_PARAM_SPEC_FLAGS (option)->flags_class,
                                                           g_strstrip (items[i]));

      if (!flag)
        return FALSE;
      flags |= flag->value;
    }
  g_value_set_flags (value, flags);
  return TRUE;
}

static gboolean
set_from_text (GParamSpec *option, const char *text, GValue *value)
{
  if (G_IS_PARAM_SPEC_BOOLEAN (option))
    {
      gboolean flag;

      if (!parse_boolean (text, &flag))
        return FALSE;
      g_value_set_boolean (value, flag);
      return TRUE;
    }
  if (G_IS_PARAM_SPEC_INT (option) || G_IS_PARAM_SPEC_UINT (option)
      || G_IS_PARAM_SPEC_INT64 (option) || G_IS_PARAM_SPEC_UINT64 (option))
    return set_integer (option, text, value);
  if (G_IS_PARAM_SPEC_DOUBLE (option))
    return set_double (option, text, value);
  if (G_IS_PARAM_SPEC_ENUM (option))
    {
      const GEnumValue *choice
          = g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (option)->enum_class, text);

      if (choice)
        g_value_set_enum (value, choice->value);
      return choice != NULL;
    }
  if (G_IS_PARAM_SPEC_FLAGS (option))
    return set_flags (option, text, value);
  if (G_IS_PARAM_SPEC_STRING (option))
    {
      g_value_set_string (value, text);
      return is_choice (option, text);
    }
  return G_PARAM_SPEC_VALUE_TYPE (option) == G_TYPE_STRV && set_list (option, text, value);
}

/* The property of a listed option whose name is written with - or _. */
static GParamSpec *
find_option (GObject *plugin, const char *name)
{
  g_auto (GStrv) options = tb_plugin_list_options (plugin);
  g_autofree char *wanted = g_strdelimit (g_strdup (name), "_", '-');

  for (guint i = 0; options[i]; i++)
    {
      g_autofree char *option = g_strdelimit (g_strdup (options[i]), "_", '-');

      if (strcmp (option, wanted) == 0)
        return g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), options[i]);
    }
  return NULL;
}

static gboolean
set_name_error (GObject *plugin, const char *name, GError **error)
{
  g_auto (GStrv) options = tb_plugin_list_options (plugin);
  g_autofree char *joined = g_strjoinv (", ", options);

  if (*options)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("unknown option “%2$s” of %1$s: use one of %3$s"), tb_plugin_get_id (plugin),
                 name, joined);
  else
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("unknown option “%2$s”: %1$s has no options"), tb_plugin_get_id (plugin), name);
  return FALSE;
}

/**
 * tb_option_set_from_text:
 * @plugin: an object of a plug-in that has not run yet
 * @name: an option, with `-` or `_`
 * @text: its value
 * @error: return location
 *
 * Sets an option from text: booleans (true, yes, on, 1…), integers, doubles, strings,
 * comma-separated lists (see [func@option_split_list]), enums by nick; values whose unit is "ns"
 * with the suffixes of [func@parse_duration].
 *
 * Returns: %TRUE, else %FALSE with %TB_EXTEND_ERROR_USAGE, which names the permitted keys or values
 */
gboolean
tb_option_set_from_text (GObject *plugin, const char *name, const char *text, GError **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *option;

  g_return_val_if_fail (G_IS_OBJECT (plugin), FALSE);
  g_return_val_if_fail (name != NULL && text != NULL, FALSE);

  option = find_option (plugin, name);
  if (!option)
    return set_name_error (plugin, name, error);
  if (tb_plugin_has_frozen_options (plugin))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("option %s can no longer be set: %s has started"), option->name,
                   tb_plugin_get_id (plugin));
      return FALSE;
    }
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (option));
  if (!g_utf8_validate (text, -1, NULL) || !set_from_text (option, text, &value))
    {
      g_autofree char *shown = g_utf8_make_valid (text, -1);

      return set_value_error (option, shown, error);
    }
  if (!tb_option_check (option, &value, error))
    return FALSE;
  g_object_set_property (plugin, option->name, &value);
  return TRUE;
}

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

static JsonNode *
value_to_json (GParamSpec *option, const GValue *value)
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
 * Returns: (transfer full): its value: boolean, number, string, array of strings, or null if it has
 *   none
 */
JsonNode *
tb_option_get_as_json (GObject *plugin, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *option;

  g_return_val_if_fail (G_IS_OBJECT (plugin), NULL);

  option = find_option (plugin, name);
  if (!option)
    return json_node_init_null (json_node_alloc ());
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (option));
  g_object_get_property (plugin, option->name, &value);
  return value_to_json (option, &value);
}

static char *
describe_default (GParamSpec *option)
{
  g_autoptr (JsonNode) node = value_to_json (option, g_param_spec_get_default_value (option));

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
 * Returns: (transfer full): one line for display: "threshold  0…1, default 0.2: what counts as
 *   much"
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

  option = find_option (plugin, name);
  if (!option)
    return g_strdup (name);
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

/**
 * tb_option_copy:
 * @from: a plug-in object
 * @to: another of its class, not yet running
 * @names: (array zero-terminated=1) (nullable): properties, as its get_options() lists them
 *
 * Copies the options of @from to @to. Properties that cannot be both read and written are skipped.
 */
void
tb_option_copy (GObject *from, GObject *to, const char *const *names)
{
  g_return_if_fail (G_IS_OBJECT (from));
  g_return_if_fail (G_IS_OBJECT (to) && G_OBJECT_TYPE (from) == G_OBJECT_TYPE (to));

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (from), names[i]);
      g_auto (GValue) value = G_VALUE_INIT;

      if (pspec == NULL || (pspec->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE)
        continue;
      g_value_init (&value, pspec->value_type);
      g_object_get_property (from, pspec->name, &value);
      g_object_set_property (to, pspec->name, &value);
    }
}
