/* tb-option.c: options of plug-ins, which are GObject properties: set from text with checks,
 * copied
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <errno.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "extend/options/tb-option-private.h"
#include "extend/tb-plugin-private.h"

static gboolean
has_unit (GParamSpec *option, const char *unit)
{
  return g_strcmp0 (tb_option_get_unit (option), unit) == 0;
}

static gboolean
set_value_error (GParamSpec *option, const char *text, GError **error)
{
  g_autofree char *limits = tb_option_describe_limits (option);
  g_autofree char *choices = tb_option_list_choices (option, FALSE);
  g_autofree char *message = NULL;

  if (tb_option_count_choices (option) > 0 && tb_option_is_one_choice (option))
    message = g_strdup_printf (_ ("invalid value of option %s, “%s”: use one of %s"), option->name,
                               text, choices);
  else if (tb_option_count_choices (option) > 0)
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
GParamSpec *
tb_option_find_option (GObject *plugin, const char *name)
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

  option = tb_option_find_option (plugin, name);
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

/**
 * tb_option_copy:
 * @from: a plug-in object
 * @to: another of its class, or of that of the same plug-in after a change; not yet running
 * @names: (array zero-terminated=1) (nullable): properties, as its get_options() lists them
 *
 * Copies the options of @from to @to. Properties that cannot be both read and written are skipped,
 * as are those that @to lacks, or whose values it does not permit.
 */
void
tb_option_copy (GObject *from, GObject *to, const char *const *names)
{
  g_return_if_fail (G_IS_OBJECT (from));
  g_return_if_fail (G_IS_OBJECT (to));

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (from), names[i]);
      GParamSpec *target = g_object_class_find_property (G_OBJECT_GET_CLASS (to), names[i]);
      g_auto (GValue) value = G_VALUE_INIT;

      if (pspec == NULL || (pspec->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE || target == NULL
          || !(target->flags & G_PARAM_WRITABLE) || target->value_type != pspec->value_type)
        continue;
      g_value_init (&value, pspec->value_type);
      g_object_get_property (from, pspec->name, &value);
      if (g_param_value_is_valid (target, &value))
        g_object_set_property (to, pspec->name, &value);
    }
}
