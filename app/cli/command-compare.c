/* command-compare.c: "tailback-cli compare", which compares two recordings, or two groups of
 * recordings with "--" between them, with an analysis and writes the report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "cli.h"

/* Replaces the "--" between the sides, because GOption stops parsing options at "--". No file has
 * this name. */
#define SEPARATOR "\001"

typedef struct
{
  TbAnalysis *analysis;
  TbComparison *comparison;
  TbReport *report;
} Run;

static gboolean
compare_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  run->report = tb_analysis_compare_all (run->analysis, run->comparison, cli_progress, NULL,
                                         cancellable, error);
  return run->report != NULL;
}

/* BASE OTHER, or BASE… -- OTHER… */
static gboolean
split_sides (char **rest, guint *n_bases, GError **error)
{
  guint n = g_strv_length (rest), separator = 0;

  while (separator < n && !g_str_equal (rest[separator], SEPARATOR))
    separator++;
  if (separator == n)
    {
      *n_bases = 1;
      return n <= 2 ? cli_expect (rest, 2, n > 0 ? N_ ("OTHER") : N_ ("BASE"), error)
                    : cli_usage_error (error,
                                       _ ("unexpected recording “%s”: put “--” between the sides "
                                          "where a side has several recordings"),
                                       rest[2]);
    }
  *n_bases = separator;
  if (separator == 0 || separator + 1 == n)
    return cli_usage_error (error, _ ("%s is missing"), separator == 0 ? _ ("BASE") : _ ("OTHER"));
  return TRUE;
}

static void
close_file (gpointer data)
{
  cli_file_close (data);
  g_free (data);
}

static gboolean
open_files (TbComparison *comparison, GPtrArray *files, char **rest, guint n_bases, GError **error)
{
  for (guint i = 0; rest[i] != NULL; i++)
    {
      CliFile *file;
      g_autofree char *name = g_path_get_basename (rest[i]);

      if (g_str_equal (rest[i], SEPARATOR))
        continue;
      file = g_new0 (CliFile, 1);
      g_ptr_array_add (files, file);
      if (!cli_file_open (file, rest[i], TRUE, error))
        return FALSE;
      tb_comparison_add (comparison, i < n_bases ? TB_COMPARISON_BASE : TB_COMPARISON_OTHER,
                         file->trace, name);
    }
  return TRUE;
}

/* (transfer full): the arguments, with the first "--" replaced by SEPARATOR */
static char **
replace_separator (char **arguments)
{
  char **marked = g_strdupv (arguments);

  for (guint i = 1; marked[i] != NULL; i++)
    if (g_str_equal (marked[i], "--"))
      {
        g_free (marked[i]);
        marked[i] = g_strdup (SEPARATOR);
        break;
      }
  return marked;
}

static gboolean
compare (char **arguments, GError **error)
{
  g_auto (CliAnalysisArgs) given = { 0 };
  g_auto (GStrv) marked = replace_separator (arguments);
  g_auto (GStrv) rest = NULL;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (close_file);
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbAnalysis) analysis = NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  guint n_bases;
  Run run;

  if (!cli_analysis_args_parse (&given, &cli_command_compare, marked, &rest, error)
      || !split_sides (rest, &n_bases, error))
    return FALSE;
  analysis = cli_analysis_args_create_analysis (&given, TRUE, error);
  if (!analysis || !open_files (comparison, files, rest, n_bases, error))
    return FALSE;
  selection
      = cli_selection_make (&given.selection,
                            tb_comparison_get_trace (comparison, TB_COMPARISON_OTHER, 0), error);
  if (!selection)
    return FALSE;
  tb_comparison_set_selection (comparison, selection);
  tb_comparison_set_normalization (comparison, given.normalize);
  run = (Run) { .analysis = analysis, .comparison = comparison };
  if (!cli_work_of (analysis, compare_work, &run, error))
    return FALSE;
  report = run.report;
  for (guint i = 0; i < files->len; i++)
    cli_print_warnings (((CliFile *) g_ptr_array_index (files, i))->trace);
  return cli_write_report (report, given.format, given.output, error);
}

const CliCommand cli_command_compare = {
  .name = "compare",
  .parameters = N_ ("BASE… -- OTHER… --analysis ID"),
  .summary = N_ ("Explain how two recordings, or two groups of recordings, differ"),
  .run = compare,
};
