/* command-compare.c: tailback-cli compare
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "cli.h"

typedef struct
{
  TbAnalysis *analysis;
  TbTrace *base;
  TbTrace *other;
  TbSelection *selection;
  TbReport *report;
} Run;

typedef struct
{
  char *analysis;
  char *format;
  char *output;
  char **options;
  CliSelection selection;
} Arguments;

static void
arguments_clear (Arguments *arguments)
{
  g_free (arguments->analysis);
  g_free (arguments->format);
  g_free (arguments->output);
  g_strfreev (arguments->options);
  cli_selection_clear (&arguments->selection);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static gboolean
compare_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  run->report = tb_analysis_compare (run->analysis, run->base, run->other, run->selection, cli_progress, NULL,
                                     cancellable, error);
  return run->report != NULL;
}

static TbAnalysis *
create_analysis (const Arguments *given, GError **error)
{
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), given->analysis ? given->analysis : "", error);

  if (!analysis)
    return NULL;
  if (!tb_analysis_can_compare (analysis))
    {
      cli_usage_error (error, _ ("%s explains one recording and cannot compare two"), given->analysis);
      return NULL;
    }
  return cli_set_options (analysis, given->options, error) ? g_steal_pointer (&analysis) : NULL;
}

static gboolean
compare (char **arguments, GError **error)
{
  g_auto (Arguments) given = { 0 };
  const GOptionEntry entries[] = {
    { "analysis", 'a', 0, G_OPTION_ARG_STRING, &given.analysis,
      N_ ("What to ask (see \"tailback-cli list\")"), N_ ("ID") },
    CLI_SELECTION_ENTRIES (given.selection),
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.options,
      N_ ("Set an option of the analysis; repeatable"), N_ ("KEY=VALUE") },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &given.format, N_ ("text, json, html or an exporter of reports"),
      N_ ("FORMAT") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output, N_ ("Write to a file"), N_ ("OUT") },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) base = { 0 };
  g_auto (CliFile) other = { 0 };
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  const char *format;
  Run run;

  if (!cli_parse (&cli_command_compare, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 2, rest[0] ? "OTHER" : "BASE", error))
    return FALSE;
  format = given.format ? given.format : "text";
  analysis = create_analysis (&given, error);
  if (!analysis || !cli_selection_check (&given.selection, error) || !cli_check_format (format, error)
      || !cli_file_open (&base, rest[0], TRUE, error) || !cli_file_open (&other, rest[1], TRUE, error))
    return FALSE;
  selection = cli_selection_make (&given.selection, other.trace, error);
  if (!selection)
    return FALSE;
  run = (Run) { .analysis = analysis, .base = base.trace, .other = other.trace, .selection = selection };
  if (!cli_work (compare_work, &run, error))
    return FALSE;
  report = run.report;
  cli_print_warnings (base.trace);
  cli_print_warnings (other.trace);
  return cli_write_report (report, format, given.output, error);
}

const CliCommand cli_command_compare = {
  .name = "compare",
  .parameters = "BASE OTHER --analysis ID",
  .summary = N_ ("Explain how two recordings differ"),
  .run = compare,
};
