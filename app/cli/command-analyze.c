/* command-analyze.c: tailback-cli analyze
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "cli.h"

typedef struct
{
  TbAnalysis *analysis;
  TbTrace *trace;
  TbSelection *selection;
  TbReport *report;
} Run;

static gboolean
run_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  run->report
      = tb_analysis_run (run->analysis, run->trace, run->selection, cli_progress, NULL, cancellable, error);
  return run->report != NULL;
}

static gboolean
analyze (char **arguments, GError **error)
{
  g_auto (CliQuestion) given = { 0 };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) file = { 0 };
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  Run run;

  if (!cli_question_parse (&given, &cli_command_analyze, arguments, &rest, error)
      || !cli_expect (rest, 1, "FILE", error))
    return FALSE;
  analysis = cli_question_prepare (&given, FALSE, error);
  if (!analysis || !cli_file_open (&file, rest[0], TRUE, error))
    return FALSE;
  selection = cli_selection_make (&given.selection, file.trace, error);
  if (!selection)
    return FALSE;
  run = (Run) { .analysis = analysis, .trace = file.trace, .selection = selection };
  if (!cli_work (run_work, &run, error))
    return FALSE;
  report = run.report;
  cli_print_warnings (file.trace);
  return cli_write_report (report, given.format, given.output, error);
}

const CliCommand cli_command_analyze = {
  .name = "analyze",
  .parameters = "FILE --analysis ID",
  .summary = N_ ("Explain a recording"),
  .run = analyze,
};
