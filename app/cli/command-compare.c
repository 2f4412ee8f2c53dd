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

static gboolean
compare_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  run->report = tb_analysis_compare (run->analysis, run->base, run->other, run->selection, cli_progress, NULL,
                                     cancellable, error);
  return run->report != NULL;
}

static gboolean
compare (char **arguments, GError **error)
{
  g_auto (CliQuestion) given = { 0 };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) base = { 0 };
  g_auto (CliFile) other = { 0 };
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  Run run;

  if (!cli_question_parse (&given, &cli_command_compare, arguments, &rest, error)
      || !cli_expect (rest, 2, rest[0] ? "OTHER" : "BASE", error))
    return FALSE;
  analysis = cli_question_prepare (&given, TRUE, error);
  if (!analysis || !cli_file_open (&base, rest[0], TRUE, error)
      || !cli_file_open (&other, rest[1], TRUE, error))
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
  return cli_write_report (report, given.format, given.output, error);
}

const CliCommand cli_command_compare = {
  .name = "compare",
  .parameters = "BASE OTHER --analysis ID",
  .summary = N_ ("Explain how two recordings differ"),
  .run = compare,
};
