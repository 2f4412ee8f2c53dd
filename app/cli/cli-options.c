/* cli-options.c: parsing of the command line: options and --help, KEY=VALUE options of plug-ins,
 * creation of an analysis by id, selected time range, processes and threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n.h>

#include "cli.h"

G_DEFINE_QUARK (tailback-cli-error, cli_error);

gboolean
cli_usage_error (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, CLI_ERROR, CLI_ERROR_USAGE, message);
  return FALSE;
}

gboolean
cli_parse (const CliCommand *command,
           const GOptionEntry *entries,
           gboolean options_first,
           char **arguments,
           char ***rest,
           GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (command->parameters);
  g_auto (GStrv) copy = g_strdupv (arguments);
  gboolean show_help = FALSE;
  const GOptionEntry help[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &show_help, N_ ("Show this help"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_free (copy[0]);
  copy[0] = g_strconcat ("tailback-cli ", command->name, NULL);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (command->summary));
  g_option_context_set_strict_posix (context, options_first);
  g_option_context_add_main_entries (context, help, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!command->without_debug_files)
    g_option_context_add_main_entries (context, cli_debuginfod_get_entries (), GETTEXT_PACKAGE);
  g_set_prgname (copy[0]);
  if (!g_option_context_parse_strv (context, &copy, error))
    return FALSE;
  if (show_help)
    {
      g_autofree char *more = command->describe != NULL ? command->describe () : NULL;
      g_autofree char *text = NULL;

      g_option_context_set_description (context, more);
      text = g_option_context_get_help (context, TRUE, NULL);
      cli_print ("%s", text);
      g_set_error_literal (error, CLI_ERROR, CLI_ERROR_HELP, _ ("help was shown"));
      return FALSE;
    }
  /* In strict mode GOption keeps a leading "--", which is only a separator. */
  *rest = g_strdupv (copy + 1 + (copy[0] && copy[1] && strcmp (copy[1], "--") == 0));
  return cli_debuginfod_check (error);
}

gboolean
cli_expect (char **rest, guint n, const char *what, GError **error)
{
  guint n_given = g_strv_length (rest);

  if (n_given < n)
    return cli_usage_error (error, _ ("%s is missing"), _ (what));
  if (n_given > n)
    return cli_usage_error (error, _ ("unexpected argument “%s”"), rest[n]);
  return TRUE;
}

/* What "export" writes is a recording. */
static gboolean
is_usable (const TbPluginInfo *info, const char *kind)
{
  g_autoptr (TbExporter) exporter = NULL;

  if (strcmp (info->kind, kind) != 0 || info->error != NULL)
    return FALSE;
  if (strcmp (kind, "exporter") != 0)
    return TRUE;
  exporter = tb_engine_create_exporter (tb_engine_get_default (), info->id, NULL);
  return exporter != NULL && tb_exporter_can_export_trace (exporter);
}

gboolean
cli_missing_plugin (const char *option, const char *kind, GError **error)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list (tb_engine_get_default ());
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);

      if (is_usable (info, kind))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", info->id);
    }
  return cli_usage_error (error, _ ("%s ID is missing: use one of %s"), option, names->str);
}

TbAnalysis *
cli_create_analysis (const char *id, GError **error)
{
  if (id == NULL || *id == '\0')
    {
      cli_missing_plugin ("--analysis", "analysis", error);
      return NULL;
    }
  return tb_engine_create_analysis (tb_engine_get_default (), id, error);
}

static gboolean
is_list (gpointer plugin, const char *name)
{
  g_autofree char *canonical = g_strdelimit (g_strdup (name), "_", '-');
  GParamSpec *property = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), canonical);

  return property && G_PARAM_SPEC_VALUE_TYPE (property) == G_TYPE_STRV;
}

/* Returns TRUE for an option with a JSON value, which is too long to type: @FILE stands for the
 * contents of a file. */
static gboolean
is_json (gpointer plugin, const char *name)
{
  g_autofree char *canonical = g_strdelimit (g_strdup (name), "_", '-');
  GParamSpec *property = g_object_class_find_property (G_OBJECT_GET_CLASS (plugin), canonical);

  return property != NULL && g_strcmp0 (tb_option_get_unit (property), "json") == 0;
}

/* A list may be given in parts: returns the value together with the earlier ones of the same
 * name. */
static char *
join_list_values (char **options, guint n, const char *name)
{
  GString *text = g_string_new (NULL);
  gsize length = strlen (name);

  for (guint i = 0; i <= n; i++)
    if (strncmp (options[i], name, length) == 0 && options[i][length] == '=')
      {
        if (text->len > 0)
          g_string_append_c (text, ',');
        g_string_append (text, options[i] + length + 1);
      }
  return g_string_free (text, FALSE);
}

gboolean
cli_set_options (gpointer plugin, char **options, GError **error)
{
  for (guint i = 0; options && options[i]; i++)
    {
      const char *equals = strchr (options[i], '=');
      g_autofree char *name = equals ? g_strndup (options[i], equals - options[i]) : NULL;
      g_autofree char *value = NULL;

      if (!equals || !*name)
        return cli_usage_error (error, _ ("invalid --option “%s”: use KEY=VALUE"), options[i]);
      if (is_list (plugin, name))
        value = join_list_values (options, i, name);
      else if (equals[1] == '@' && is_json (plugin, name))
        {
          if (!g_file_get_contents (equals + 2, &value, NULL, error))
            return FALSE;
        }
      else
        value = g_strdup (equals + 1);
      if (!tb_option_set_from_text (plugin, name, value, error))
        return FALSE;
    }
  return TRUE;
}

void
cli_selection_clear (CliSelection *selection)
{
  g_clear_pointer (&selection->from, g_free);
  g_clear_pointer (&selection->to, g_free);
  g_clear_pointer (&selection->processes, g_strfreev);
  g_clear_pointer (&selection->threads, g_strfreev);
  g_clear_pointer (&selection->scope, g_free);
}

/* Parses an absolute time, or one relative to the start. */
static gboolean
parse_time (const char *text, gint64 start, gint64 *time, GError **error)
{
  guint64 absolute;

  if (*text == '+')
    {
      if (!tb_parse_duration (text + 1, time, error))
        return FALSE;
      *time = start > G_MAXINT64 - *time ? G_MAXINT64 : start + *time;
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &absolute, NULL))
    return cli_usage_error (error,
                            _ ("invalid time “%s”: use an integer number of ns of the session "
                               "clock, or an offset from the start such as +12.5ms"),
                            text);
  *time = absolute;
  return TRUE;
}

static int
find_scope (const char *name)
{
  if (name == NULL || g_str_equal (name, "command"))
    return TB_SELECTION_COMMAND;
  return g_str_equal (name, "system") ? TB_SELECTION_SYSTEM
         : g_str_equal (name, "all")  ? TB_SELECTION_ALL
                                      : -1;
}

gboolean
cli_selection_check (const CliSelection *selection, GError **error)
{
  gint64 time;

  if (selection->scope != NULL && find_scope (selection->scope) < 0)
    return cli_usage_error (error, _ ("invalid scope “%s”: use command, system or all"),
                            selection->scope);
  return (!selection->from || parse_time (selection->from, 0, &time, error))
         && (!selection->to || parse_time (selection->to, 0, &time, error));
}

TbSelection *
cli_selection_make (const CliSelection *selection, TbTrace *trace, GError **error)
{
  g_autoptr (TbSelection) result = tb_selection_new (trace);
  gint64 start;
  gint64 from;
  gint64 to;

  tb_trace_get_range (trace, &from, &to);
  start = from;
  if ((selection->from && !parse_time (selection->from, start, &from, error))
      || (selection->to && !parse_time (selection->to, start, &to, error)))
    return NULL;
  if (from >= to && (selection->from || selection->to))
    {
      gint64 end;

      tb_trace_get_range (trace, NULL, &end);
      g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                   _ ("the time range is empty: the recording lasts from %" PRId64 " to %" PRId64
                      " ns"),
                   start, end);
      return NULL;
    }
  tb_selection_set_range (result, from, to);
  tb_selection_set_scope (result, find_scope (selection->scope));
  for (guint i = 0; selection->processes && selection->processes[i]; i++)
    if (!tb_selection_add_process_by_name (result, selection->processes[i], error))
      return NULL;
  for (guint i = 0; selection->threads && selection->threads[i]; i++)
    if (!tb_selection_add_thread_by_name (result, selection->threads[i], error))
      return NULL;
  return g_steal_pointer (&result);
}
