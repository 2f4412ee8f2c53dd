/* cli-analysis-args.c: command line of a command that runs an analysis (analyze, compare): parsing
 * of its options, and creation of the analysis with them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "cli.h"

gboolean
cli_analysis_args_parse (CliAnalysisArgs *args,
                         const CliCommand *command,
                         char **arguments,
                         char ***rest,
                         GError **error)
{
  gboolean is_analyze = command == &cli_command_analyze;
  const GOptionEntry entries[] = {
    { "analysis", 'a', 0, G_OPTION_ARG_STRING, &args->analysis,
      N_ ("The analysis to run (“tailback-cli list” lists them)"), N_ ("ID") },
    CLI_SELECTION_ENTRIES (args->selection),
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &args->options,
      N_ ("Set an option of the analysis; repeatable"), N_ ("KEY=VALUE") },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &args->format,
      N_ ("Output format: text, json, html or the ID of a report exporter"), N_ ("FORMAT") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &args->output, N_ ("Write to this file"),
      N_ ("OUT") },
    { is_analyze ? "values" : "normalize", 0, 0, G_OPTION_ARG_STRING,
      is_analyze ? &args->values : &args->normalize,
      is_analyze ? N_ ("List the values that FILE has for an option of the analysis, such as work "
                       "of wait-graph, and do not run the analysis")
                 : N_ ("Normalize recordings by none, duration, work, mark:NAME, syscall:NAME or "
                       "function:NAME"),
      is_analyze ? N_ ("KEY") : N_ ("BY") },
    { is_analyze ? "keep" : NULL, 0, 0, G_OPTION_ARG_NONE, &args->store_options,
      N_ ("Store in FILE those options that belong to a recording, such as work of wait-graph"),
      NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!cli_parse (command, entries, FALSE, arguments, rest, error))
    return FALSE;
  if (!args->format)
    args->format = g_strdup ("text");
  return TRUE;
}

TbAnalysis *
cli_analysis_args_create_analysis (const CliAnalysisArgs *args,
                                   gboolean is_comparison,
                                   GError **error)
{
  g_autoptr (TbAnalysis) analysis = cli_create_analysis (args->analysis, error);

  if (!analysis)
    return NULL;
  if (is_comparison && !tb_analysis_can_compare (analysis))
    {
      cli_usage_error (error, _ ("%s explains one recording and cannot compare two"),
                       args->analysis);
      return NULL;
    }
  if (!tb_normalization_check (args->normalize, error)
      || !cli_set_options (analysis, args->options, error)
      || !cli_selection_check (&args->selection, error) || !cli_check_format (args->format, error))
    return NULL;
  return g_steal_pointer (&analysis);
}

void
cli_analysis_args_clear (CliAnalysisArgs *args)
{
  g_clear_pointer (&args->analysis, g_free);
  g_clear_pointer (&args->format, g_free);
  g_clear_pointer (&args->output, g_free);
  g_clear_pointer (&args->options, g_strfreev);
  g_clear_pointer (&args->values, g_free);
  g_clear_pointer (&args->normalize, g_free);
  cli_selection_clear (&args->selection);
}
