/* command-check-plugin.c: "tailback-cli check-plugin", which runs a plug-in on synthetic and given
 * input, and prints one line for each check, or JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "check/check.h"

#define TIMEOUT_NS (20 * G_GINT64_CONSTANT (1000000000))

/* An earlier check that failed with the same message. */
static const CheckResult *
find_same (const CheckResults *results, const CheckResult *result)
{
  for (guint i = 0; i < results->list->len; i++)
    {
      const CheckResult *other = g_ptr_array_index (results->list, i);

      if (other != result && !other->passed && strcmp (other->message, result->message) == 0)
        return other;
    }
  return NULL;
}

static void
print_result (const CheckResults *results)
{
  const CheckResult *result = g_ptr_array_index (results->list, results->list->len - 1), *same;

  if (result->passed)
    {
      cli_print (_ ("passed  %s\n"), result->name);
      return;
    }
  g_strdelimit (result->message, "\n\r\033", ' ');
  same = find_same (results, result);
  if (same != NULL)
    /* Translators: two names of checks */
    cli_print (_ ("failed  %s: as %s\n"), result->name, same->name);
  else
    cli_print (_ ("failed  %s: %s\n"), result->name, result->message);
}

static guint
count_failures (const CheckResults *results)
{
  guint n = 0;

  for (guint i = 0; i < results->list->len; i++)
    n += !((const CheckResult *) g_ptr_array_index (results->list, i))->passed;
  return n;
}

/* Without an example there is nothing that an importer reads, and no check of that. */
static const char *
find_untested (const CheckResults *results, char **files)
{
  return g_str_has_prefix (results->plugin, "importer/") && files[0] == NULL
             ? _ ("import not tested, because no file of its format was given: give one as FILE")
             : NULL;
}

static gboolean
write_json (const CheckResults *results, char **files, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const char *untested = find_untested (results, files);
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "format");
  json_builder_add_string_value (builder, "tailback-check");
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, 1);
  json_builder_set_member_name (builder, "plugin");
  json_builder_add_string_value (builder, results->plugin);
  json_builder_set_member_name (builder, "failed");
  json_builder_add_int_value (builder, count_failures (results));
  json_builder_set_member_name (builder, "checks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < results->list->len; i++)
    {
      const CheckResult *result = g_ptr_array_index (results->list, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, result->name);
      json_builder_set_member_name (builder, "passed");
      json_builder_add_boolean_value (builder, result->passed);
      json_builder_set_member_name (builder, "message");
      if (result->message != NULL)
        json_builder_add_string_value (builder, result->message);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "untested");
  json_builder_begin_array (builder);
  if (untested != NULL)
    json_builder_add_string_value (builder, untested);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return cli_write_json (NULL, root, error);
}

/* Fails if a check failed. */
static gboolean
show_all (const char *plugin, char **files, gint64 timeout_ns, gboolean as_json, GError **error)
{
  g_autoptr (CheckResults) results = check_results_new (plugin, as_json ? NULL : print_result);
  guint n_failed;

  if (!check_run_all (results, files, timeout_ns, error)
      || (as_json && !write_json (results, files, error)))
    return FALSE;
  if (!as_json && find_untested (results, files) != NULL)
    cli_print ("%s\n", find_untested (results, files));
  n_failed = count_failures (results);
  if (n_failed == 0)
    return TRUE;
  g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
               ngettext ("%s: %u check failed", "%s: %u checks failed", n_failed), results->plugin,
               n_failed);
  return FALSE;
}

static gboolean
check_plugin (char **arguments, GError **error)
{
  gboolean as_json = FALSE;
  int from_check = -1;
  g_autofree char *timeout = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_ ("Print JSON"), NULL },
    { "timeout", 0, 0, G_OPTION_ARG_STRING, &timeout, N_ ("Longest time of a check (default: 20s)"),
      N_ ("TIME") },
    { "from-check", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT, &from_check, NULL, NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  gint64 timeout_ns = TIMEOUT_NS;

  if (!cli_parse (&cli_command_check_plugin, entries, FALSE, arguments, &rest, error))
    return FALSE;
  if (rest[0] == NULL || *rest[0] == '\0')
    return cli_usage_error (error, _ ("%s is missing"), _ ("ID"));
  if (from_check >= 0)
    {
      check_run_from (rest[0], rest + 1, (guint) from_check);
      return TRUE;
    }
  if (timeout != NULL && !tb_parse_duration (timeout, &timeout_ns, error))
    return FALSE;
  for (guint i = 1; rest[i] != NULL; i++)
    if (!g_file_test (rest[i], G_FILE_TEST_EXISTS))
      {
        g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("“%s” does not exist"), rest[i]);
        return FALSE;
      }
  return show_all (rest[0], rest + 1, timeout_ns, as_json, error);
}

static char *
describe (void)
{
  return g_strdup (
      _ ("FILE is a recording for an analysis or exporter, and an example of its format "
         "for an importer, whose import is not tested without one."));
}

const CliCommand cli_command_check_plugin = {
  .name = "check-plugin",
  .parameters = N_ ("ID [FILE…]"),
  .summary = N_ ("Check a plug-in with difficult input"),
  .describe = describe,
  .without_debug_files = TRUE,
  .run = check_plugin,
};
