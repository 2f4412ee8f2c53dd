/* cli-question.c: command-line options of a command that runs an analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "cli.h"

gboolean
cli_question_parse (CliQuestion *question,
                    const CliCommand *command,
                    char **arguments,
                    char ***rest,
                    GError **error)
{
  gboolean is_of_one = command == &cli_command_analyze;
  const GOptionEntry entries[] = {
    { "analysis", 'a', 0, G_OPTION_ARG_STRING, &question->analysis,
      N_ ("What to ask (see \"tailback-cli list\")"), N_ ("ID") },
    CLI_SELECTION_ENTRIES (question->selection),
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &question->options,
      N_ ("Set an option of the analysis; repeatable"), N_ ("KEY=VALUE") },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &question->format,
      N_ ("text, json, html or an exporter of reports"), N_ ("FORMAT") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &question->output, N_ ("Write to a file"), N_ ("OUT") },
    { is_of_one ? "values" : "normalize", 0, 0, G_OPTION_ARG_STRING,
      is_of_one ? &question->values : &question->normalize,
      is_of_one
          ? N_ ("List what FILE has to choose from for an option of the analysis, such as work of "
                "wait-graph, and do not run it")
          : N_ ("Make recordings alike by: none, duration, work, mark:NAME, syscall:NAME, function:NAME"),
      is_of_one ? N_ ("KEY") : N_ ("BY") },
    { is_of_one ? "keep" : NULL, 0, 0, G_OPTION_ARG_NONE, &question->shall_keep,
      N_ ("Keep those options with FILE that belong to a recording, such as work of wait-graph"), NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!cli_parse (command, entries, FALSE, arguments, rest, error))
    return FALSE;
  if (!question->format)
    question->format = g_strdup ("text");
  return TRUE;
}

TbAnalysis *
cli_question_prepare (const CliQuestion *question, gboolean shall_compare, GError **error)
{
  g_autoptr (TbAnalysis) analysis = cli_create_analysis (question->analysis, error);

  if (!analysis)
    return NULL;
  if (shall_compare && !tb_analysis_can_compare (analysis))
    {
      cli_usage_error (error, _ ("%s explains one recording and cannot compare two"), question->analysis);
      return NULL;
    }
  if (!tb_normalization_check (question->normalize, error)
      || !cli_set_options (analysis, question->options, error)
      || !cli_selection_check (&question->selection, error) || !cli_check_format (question->format, error))
    return NULL;
  return g_steal_pointer (&analysis);
}

void
cli_question_clear (CliQuestion *question)
{
  g_clear_pointer (&question->analysis, g_free);
  g_clear_pointer (&question->format, g_free);
  g_clear_pointer (&question->output, g_free);
  g_clear_pointer (&question->options, g_strfreev);
  g_clear_pointer (&question->values, g_free);
  g_clear_pointer (&question->normalize, g_free);
  cli_selection_clear (&question->selection);
}
