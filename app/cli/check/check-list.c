/* check-list.c: list of the checks of a plug-in; those of its description and its options; which
 * errors are refusals that its author intends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "check/check.h"

#define LONG_TEXT_LENGTH 10000

gboolean
check_fail (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, CLI_ERROR, CLI_ERROR_FAILED, message);
  return FALSE;
}

static gboolean
is_refusal (const GError *error)
{
  static const GIOErrorEnum codes[] = { G_IO_ERROR_NOT_FOUND, G_IO_ERROR_INVALID_ARGUMENT,
                                        G_IO_ERROR_INVALID_DATA, G_IO_ERROR_NOT_SUPPORTED };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, G_IO_ERROR, (int) codes[i]))
      return TRUE;
  return (error != NULL && error->domain == TB_SESSION_ERROR)
         || g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT)
         || g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE)
         || g_error_matches (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
}

gboolean
check_accept_refusal (GError *refusal, GError **error)
{
  g_autoptr (GError) owned = refusal;

  if (owned != NULL && (strpbrk (owned->message, "\n\r") || *owned->message == '\0'))
    return check_fail (error, _ ("its error message is not one line: “%s”"), owned->message);
  if (is_refusal (owned))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&owned));
  return FALSE;
}

static void
check_free (gpointer data)
{
  Check *check = data;

  g_free (check->name);
  g_free (check->parameter.option);
  g_free (check);
}

GPtrArray *
check_list_new (void)
{
  return g_ptr_array_new_with_free_func (check_free);
}

void
check_list_add (GPtrArray *list, CheckFunc func, CheckParameter parameter, const char *format, ...)
{
  Check *check = g_new0 (Check, 1);
  va_list arguments;

  va_start (arguments, format);
  check->name = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  check->func = func;
  check->parameter = parameter;
  g_ptr_array_add (list, check);
}

GObject *
check_create (const CheckSubject *subject, GError **error)
{
  TbEngine *engine = tb_engine_get_default ();
  const char *kind = subject->kind, *id = subject->id;

  if (strcmp (kind, "analysis") == 0)
    return (GObject *) tb_engine_create_analysis (engine, id, error);
  if (strcmp (kind, "collector") == 0)
    return (GObject *) tb_engine_create_collector (engine, id, error);
  if (strcmp (kind, "exporter") == 0)
    return (GObject *) tb_engine_create_exporter (engine, id, error);
  return (GObject *) tb_engine_create_importer (engine, id, error);
}

char **
check_get_options (GObject *plugin)
{
  if (TB_IS_ANALYSIS (plugin))
    return tb_analysis_get_options (TB_ANALYSIS (plugin));
  if (TB_IS_COLLECTOR (plugin))
    return tb_collector_get_options (TB_COLLECTOR (plugin));
  if (TB_IS_EXPORTER (plugin))
    return tb_exporter_get_options (TB_EXPORTER (plugin));
  return plugin != NULL ? tb_importer_get_options (TB_IMPORTER (plugin)) : NULL;
}

static gboolean
check_loading (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GObject) plugin = check_create (subject, error);

  return plugin != NULL;
}

/* What people read about an option. */
static gboolean
check_option (GObject *plugin, const char *name, GError **error)
{
  GParamSpec *option = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), name);
  const char *const *choices = option != NULL ? tb_option_get_choices (option) : NULL;
  const char *const *labels = option != NULL ? tb_option_get_choice_labels (option) : NULL;
  g_autofree char *text = NULL;

  if (option == NULL)
    return check_fail (error, _ ("its option %s is not a property"), name);
  if (*g_param_spec_get_nick (option) == '\0' || !g_param_spec_get_blurb (option)
      || *g_param_spec_get_blurb (option) == '\0')
    return check_fail (error, _ ("its option %s has no label or no description"), name);
  if (!(option->flags & G_PARAM_READABLE) || !(option->flags & G_PARAM_WRITABLE))
    return check_fail (error, _ ("its option %s cannot be read or set"), name);
  if (labels != NULL
      && (choices == NULL || g_strv_length ((char **) labels) != g_strv_length ((char **) choices)))
    return check_fail (error, _ ("its option %s has not as many labels as choices"), name);
  text = tb_option_describe (plugin, name);
  return text != NULL && g_utf8_validate (text, -1, NULL)
             ? TRUE
             : check_fail (error, _ ("its option %s has a text that is not UTF-8"), name);
}

static gboolean
check_descriptions (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (GObject) plugin = check_create (subject, error);
  g_auto (GStrv) options = check_get_options (plugin);

  for (guint i = 0; options != NULL && options[i] != NULL; i++)
    if (!check_option (plugin, options[i], error))
      return FALSE;
  return plugin != NULL;
}

/* The limits of a number, as they are typed: "LEAST MOST". (transfer full) (nullable) */
static char *
get_limits (GParamSpec *option)
{
  if (G_IS_PARAM_SPEC_INT (option))
    return g_strdup_printf ("%d %d", G_PARAM_SPEC_INT (option)->minimum,
                            G_PARAM_SPEC_INT (option)->maximum);
  if (G_IS_PARAM_SPEC_UINT (option))
    return g_strdup_printf ("%u %u", G_PARAM_SPEC_UINT (option)->minimum,
                            G_PARAM_SPEC_UINT (option)->maximum);
  if (G_IS_PARAM_SPEC_INT64 (option))
    return g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                            G_PARAM_SPEC_INT64 (option)->minimum,
                            G_PARAM_SPEC_INT64 (option)->maximum);
  if (G_IS_PARAM_SPEC_UINT64 (option))
    return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                            G_PARAM_SPEC_UINT64 (option)->minimum,
                            G_PARAM_SPEC_UINT64 (option)->maximum);
  if (G_IS_PARAM_SPEC_DOUBLE (option))
    {
      char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_dtostr (low, sizeof low, G_PARAM_SPEC_DOUBLE (option)->minimum);
      g_ascii_dtostr (high, sizeof high, G_PARAM_SPEC_DOUBLE (option)->maximum);
      return g_strconcat (low, " ", high, NULL);
    }
  return NULL;
}

/* Values of an enumeration, by which it is set. (transfer full) */
static char **
list_enum_values (GParamSpec *option)
{
  GEnumClass *values = G_PARAM_SPEC_ENUM (option)->enum_class;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < values->n_values; i++)
    g_strv_builder_add (builder, values->values[i].value_nick);
  return g_strv_builder_end (builder);
}

/* Values at the limits of an option. (transfer full) */
static char **
list_values (GParamSpec *option)
{
  const char *const *choices = tb_option_get_choices (option);
  g_autofree char *limits = get_limits (option);
  g_autofree char *long_text = g_strnfill (LONG_TEXT_LENGTH, 'x');
  const char *const texts[] = { "", "x", "<b>&\"'\\,", "-1", long_text, NULL };

  if (choices != NULL)
    return g_strdupv ((char **) choices);
  if (limits != NULL)
    return g_strsplit (limits, " ", -1);
  if (G_IS_PARAM_SPEC_ENUM (option))
    return list_enum_values (option);
  return G_IS_PARAM_SPEC_BOOLEAN (option) ? g_strsplit ("yes no", " ", -1)
                                          : g_strdupv ((char **) texts);
}

void
check_add_options (GPtrArray *list, const CheckSubject *subject, CheckFunc with_option)
{
  g_autoptr (GObject) plugin = check_create (subject, NULL);
  g_auto (GStrv) options = check_get_options (plugin);

  for (guint i = 0; options != NULL && options[i] != NULL; i++)
    {
      GParamSpec *option = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), options[i]);
      g_auto (GStrv) values = option != NULL ? list_values (option) : NULL;

      for (guint j = 0; values != NULL && values[j] != NULL; j++)
        check_list_add (list, with_option,
                        (CheckParameter) { .option
                                           = g_strconcat (options[i], "=", values[j], NULL) },
                        "option %s=%.40s", options[i], values[j]);
    }
}

GPtrArray *
check_list_of_plugin (const CheckSubject *subject)
{
  GPtrArray *list = check_list_new ();
  g_autoptr (GObject) plugin = check_create (subject, NULL);

  check_list_add (list, check_loading, (CheckParameter) { 0 }, "loading");
  /* All others would fail for the same reason. */
  if (plugin == NULL)
    return list;
  check_list_add (list, check_descriptions, (CheckParameter) { 0 }, "options");
  if (strcmp (subject->kind, "analysis") == 0)
    check_add_analysis (list, subject);
  else if (strcmp (subject->kind, "exporter") == 0)
    check_add_exporter (list, subject);
  else if (strcmp (subject->kind, "importer") == 0)
    check_add_importer (list, subject);
  return list;
}
