/* command-import.c: "tailback-cli import", which converts a file of another tool to a session and
 * prints its numbers of events and processes and its duration
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "cli.h"

static char *
make_name (const char *input)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (input);
  g_autofree char *name = g_file_get_basename (file);

  return g_strconcat (name, ".tailback", NULL);
}

static gboolean
print_result (GFile *output, GError **error)
{
  g_autoptr (TbSession) session = tb_session_open (output, NULL, error);
  g_autofree char *name = g_file_get_parse_name (output);
  g_autofree char *length = NULL;
  guint64 n_events = 0;
  g_autofree char *events = NULL;
  g_autofree char *processes = NULL;
  guint n_processes;
  gint64 from;
  gint64 to;

  if (!session)
    return FALSE;
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    if (TB_TABLE_IS_EVENT (kind))
      n_events += tb_table_get_n_rows (tb_session_get_table (session, kind));
  tb_session_get_processes (session, &n_processes);
  tb_session_get_range (session, &from, &to);
  length = tb_format_duration (MAX (to - from, 0));
  events = g_strdup_printf (ngettext ("%'" PRIu64 " event", "%'" PRIu64 " events",
                                      MIN (n_events, G_MAXULONG)),
                            n_events);
  processes = g_strdup_printf (ngettext ("%'u process", "%'u processes", n_processes), n_processes);
  /* Translators: file name, number of events, number of processes, duration of the recording. */
  cli_print (_ ("%s: %s of %s in %s\n"), name, events, processes, length);
  return TRUE;
}

static gboolean
import (char **arguments, GError **error)
{
  g_autofree char *given_output = NULL;
  g_autofree char *id = NULL;
  g_auto (GStrv) options = NULL;
  gboolean force = FALSE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &given_output,
      N_ ("Write this session (default: name of INPUT with .tailback, in the current folder)"),
      N_ ("FILE") },
    { "importer", 0, 0, G_OPTION_ARG_STRING, &id,
      N_ ("Use this importer (default: chosen by the content)"), N_ ("ID") },
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options,
      N_ ("Set an option of the importer; repeatable"), N_ ("KEY=VALUE") },
    { "force", 0, 0, G_OPTION_ARG_NONE, &force, N_ ("Replace an existing file"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_autofree char *made_name = NULL;
  g_autoptr (GFile) input = NULL;
  g_autoptr (GFile) output = NULL;
  g_autoptr (TbImporter) importer = NULL;

  if (!cli_parse (&cli_command_import, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 1, N_ ("INPUT"), error))
    return FALSE;
  input = cli_open_input (rest[0], error);
  if (!input)
    return FALSE;
  made_name = make_name (rest[0]);
  output = g_file_new_for_commandline_arg (given_output ? given_output : made_name);
  if (cli_is_session (input))
    {
      g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                   _ ("“%s” is a session already: every command opens it without an import"),
                   rest[0]);
      return FALSE;
    }
  importer = id ? tb_engine_create_importer (tb_engine_get_default (), id, error)
                : tb_engine_find_importer (tb_engine_get_default (), input, error);
  if (!importer || !cli_set_options (importer, options, error))
    return FALSE;
  if (!force && g_file_query_exists (output, NULL))
    {
      g_autofree char *name = g_file_get_parse_name (output);

      g_set_error (
          error, CLI_ERROR, CLI_ERROR_FAILED,
          _ ("“%s” exists already: choose another name with -o, or replace it with --force"), name);
      return FALSE;
    }
  return cli_import (input, importer, output, force, error) && print_result (output, error);
}

const CliCommand cli_command_import = {
  .name = "import",
  .parameters = N_ ("INPUT"),
  .summary = N_ ("Convert a file of another tool to a session"),
  .run = import,
};
