/* command-analyze.c: "tailback-cli analyze", which runs an analysis of a recording, with further
 * recordings of the same workload if given, and writes its report, or lists the values of an option
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

  run->report = tb_analysis_run (run->analysis, run->trace, run->selection, cli_progress, NULL,
                                 cancellable, error);
  return run->report != NULL;
}

/* Property of an analysis that accepts more than one recording: GPtrArray of TbTrace. */
#define MORE_TRACES "more-traces"

static gboolean
check_files (TbAnalysis *analysis, const CliAnalysisArgs *given, char **rest, GError **error)
{
  if (g_strv_length (rest) <= 1
      || g_object_class_find_property (G_OBJECT_GET_CLASS (analysis), MORE_TRACES))
    return cli_expect (rest, MAX (g_strv_length (rest), 1), N_ ("FILE"), error);
  return cli_usage_error (error, _ ("unexpected argument “%2$s”: %1$s explains one recording"),
                          given->analysis, rest[1]);
}

static void
free_file (gpointer data)
{
  cli_file_close (data);
  g_free (data);
}

/* Opens further recordings of the same workload. */
static gboolean
open_further_files (TbAnalysis *analysis, char **paths, GPtrArray *files, GError **error)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      CliFile *file = g_new0 (CliFile, 1);

      g_ptr_array_add (files, file);
      if (!cli_file_open (file, paths[i], TRUE, error))
        return FALSE;
      g_ptr_array_add (traces, g_object_ref (file->trace));
    }
  if (traces->len > 0)
    g_object_set (analysis, MORE_TRACES, traces, NULL);
  return TRUE;
}

static gboolean
analyze (char **arguments, GError **error)
{
  g_autoptr (GPtrArray) more = g_ptr_array_new_with_free_func (free_file);
  g_auto (CliAnalysisArgs) given = { 0 };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) file = { 0 };
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  Run run;

  if (!cli_analysis_args_parse (&given, &cli_command_analyze, arguments, &rest, error)
      || (rest[0] == NULL && !cli_expect (rest, 1, N_ ("FILE"), error)))
    return FALSE;
  analysis = cli_analysis_args_create_analysis (&given, FALSE, error);
  if (!analysis || !check_files (analysis, &given, rest, error)
      || !cli_check_values (&given, analysis, error) || !cli_check_keep (&given, analysis, error)
      || !cli_file_open (&file, rest[0], TRUE, error)
      || !open_further_files (analysis, rest + 1, more, error))
    return FALSE;
  selection = cli_selection_make (&given.selection, file.trace, error);
  if (!selection)
    return FALSE;
  if (given.values)
    return cli_write_values (&given, analysis, file.trace, selection, error);
  if (given.store_options && file.temporary)
    return cli_usage_error (error, _ ("--keep: “%s” is not a Tailback recording; import it first"),
                            rest[0]);
  run = (Run) { .analysis = analysis, .trace = file.trace, .selection = selection };
  if (!cli_work_of (analysis, run_work, &run, error))
    return FALSE;
  report = run.report;
  if (!cli_store_options (&given, analysis, file.trace, error))
    return FALSE;
  cli_print_warnings (file.trace);
  for (guint i = 0; i < more->len; i++)
    cli_print_warnings (((CliFile *) g_ptr_array_index (more, i))->trace);
  if (!cli_write_report (report, given.format, given.output, error))
    return FALSE;
  cli_file_leave (&file, G_OBJECT (report));
  return TRUE;
}

const CliCommand cli_command_analyze = {
  .name = "analyze",
  .parameters = N_ ("FILE [AGAIN…] --analysis ID"),
  .summary = N_ ("Explain a recording"),
  .run = analyze,
};
