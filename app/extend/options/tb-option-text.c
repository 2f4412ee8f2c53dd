/* tb-option-text.c: value of an option of a plug-in as the text that sets it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-private.h"

/* The same duration in the largest unit in which it is a whole number. */
static char *
duration_to_text (gint64 ns)
{
  static const struct
  {
    gint64 ns;
    const char *suffix;
  } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };

  for (guint i = 0; i < G_N_ELEMENTS (units) && ns != 0; i++)
    if (ns % units[i].ns == 0)
      return g_strdup_printf ("%" G_GINT64_FORMAT "%s", ns / units[i].ns, units[i].suffix);
  return g_strdup ("0");
}

static char *
flags_to_text (const GFlagsClass *class, guint flags)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < class->n_values; i++)
    if (class->values[i].value != 0 && (flags & class->values[i].value) == class->values[i].value)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", class->values[i].value_nick);
  return g_string_free (text, FALSE);
}

static char *
enum_to_text (GEnumClass *class, int number)
{
  const GEnumValue *choice = g_enum_get_value (class, number);

  return choice != NULL ? g_strdup (choice->value_nick) : NULL;
}

static char *
double_to_text (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_dtostr (buffer, sizeof buffer, number));
}

static char *
number_to_text (GParamSpec *option, const GValue *value)
{
  gboolean is_duration = g_strcmp0 (tb_option_get_unit (option), "ns") == 0;
  gint64 number;

  if (G_VALUE_HOLDS_UINT64 (value) && (!is_duration || g_value_get_uint64 (value) > G_MAXINT64))
    return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", g_value_get_uint64 (value),
                            is_duration ? "ns" : "");
  if (G_VALUE_HOLDS_UINT64 (value))
    number = (gint64) g_value_get_uint64 (value);
  else if (G_VALUE_HOLDS_UINT (value))
    number = g_value_get_uint (value);
  else if (G_VALUE_HOLDS_INT (value))
    number = g_value_get_int (value);
  else if (G_VALUE_HOLDS_INT64 (value))
    number = g_value_get_int64 (value);
  else
    return NULL;
  return is_duration ? duration_to_text (number) : g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

static char *
value_to_text (GParamSpec *option, const GValue *value)
{
  if (G_IS_PARAM_SPEC_BOOLEAN (option))
    return g_strdup (g_value_get_boolean (value) ? "true" : "false");
  if (G_IS_PARAM_SPEC_STRING (option))
    return g_value_dup_string (value);
  if (G_IS_PARAM_SPEC_DOUBLE (option))
    return double_to_text (g_value_get_double (value));
  if (G_IS_PARAM_SPEC_ENUM (option))
    return enum_to_text (G_PARAM_SPEC_ENUM (option)->enum_class, g_value_get_enum (value));
  if (G_IS_PARAM_SPEC_FLAGS (option))
    return flags_to_text (G_PARAM_SPEC_FLAGS (option)->flags_class, g_value_get_flags (value));
  if (G_VALUE_HOLDS (value, G_TYPE_STRV))
    return g_value_get_boxed (value) != NULL ? tb_option_join_list (g_value_get_boxed (value))
                                             : g_strdup ("");
  return number_to_text (option, value);
}

/**
 * tb_option_get_as_text:
 * @plugin: an object of a plug-in
 * @name: one of its options
 *
 * Gets the value of an option as a text: [func@option_set_from_text] with it sets the same value.
 *
 * Returns: (transfer full) (nullable): the text; %NULL if the option has no value that a text can
 *   set
 */
char *
tb_option_get_as_text (GObject *plugin, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *option;

  g_return_val_if_fail (G_IS_OBJECT (plugin), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  option = tb_option_find_option (plugin, name);
  if (option == NULL || (option->flags & G_PARAM_READABLE) == 0)
    return NULL;
  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (option));
  g_object_get_property (plugin, option->name, &value);
  return value_to_text (option, &value);
}
