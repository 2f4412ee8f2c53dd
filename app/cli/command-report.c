/* command-report.c: "tailback-cli report", which runs the given analyses of a recording, or all,
 * and writes their reports as one HTML page
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

/* Creates the analyses with these ids, or all that can be loaded if ids is NULL. */
static GPtrArray *
create_analyses (char **ids, GError **error)
{
  g_autoptr (GPtrArray) analyses = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) list = NULL;

  for (guint i = 0; ids && ids[i]; i++)
    {
      TbAnalysis *analysis = tb_engine_create_analysis (tb_engine_get_default (), ids[i], error);

      if (!analysis)
        return NULL;
      g_ptr_array_add (analyses, analysis);
    }
  if (ids)
    return g_steal_pointer (&analyses);
  list = tb_engine_list_analyses (tb_engine_get_default ());
  for (guint i = 0; i < list->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (list, i);
      g_autoptr (GError) local_error = NULL;
      TbAnalysis *analysis;

      analysis = tb_engine_create_analysis (tb_engine_get_default (), info->id, &local_error);
      if (analysis)
        g_ptr_array_add (analyses, analysis);
      else
        cli_warn ("%s", local_error->message);
    }
  return g_steal_pointer (&analyses);
}

/* Returns the reports of the analyses that succeed; fails only if none does. */
static GPtrArray *
run_analyses (GPtrArray *analyses, TbTrace *trace, const CliSelection *chosen, GError **error)
{
  g_autoptr (GPtrArray) reports = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (TbSelection) selection = cli_selection_make (chosen, trace, error);
  g_autoptr (GError) first_error = NULL;

  for (guint i = 0; selection && i < analyses->len; i++)
    {
      Run run
          = { .analysis = g_ptr_array_index (analyses, i), .trace = trace, .selection = selection };
      g_autoptr (GError) local_error = NULL;

      if (cli_work_of (run.analysis, run_work, &run, &local_error))
        g_ptr_array_add (reports, run.report);
      else if (g_error_matches (local_error, CLI_ERROR, CLI_ERROR_INTERRUPTED))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
      else if (analyses->len > 1)
        cli_warn ("%s", local_error->message);
      if (local_error && !first_error)
        first_error = g_steal_pointer (&local_error);
    }
  if (!selection)
    return NULL;
  if (reports->len > 0)
    return g_steal_pointer (&reports);
  if (first_error)
    g_propagate_error (error, g_steal_pointer (&first_error));
  else
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("no analysis was found"));
  return NULL;
}

static gboolean
report (char **arguments, GError **error)
{
  g_auto (CliSelection) chosen = { 0 };
  g_auto (GStrv) ids = NULL;
  g_autofree char *output = NULL;
  const GOptionEntry entries[] = {
    { "analysis", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &ids,
      N_ ("Run this analysis; repeatable (default: all)"), N_ ("ID") },
    CLI_SELECTION_ENTRIES (chosen),
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("Write this page, or to standard output with -"), N_ ("OUT.html") },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) file = { 0 };
  g_autoptr (GPtrArray) analyses = NULL;
  g_autoptr (GPtrArray) reports = NULL;
  g_autofree char *title = NULL;
  g_autofree char *page = NULL;

  if (!cli_parse (&cli_command_report, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 1, N_ ("FILE"), error))
    return FALSE;
  if (!output)
    return cli_usage_error (error, _ ("-o OUT.html is missing"));
  analyses = create_analyses (ids, error);
  if (!analyses || !cli_selection_check (&chosen, error)
      || !cli_file_open (&file, rest[0], TRUE, error))
    return FALSE;
  reports = run_analyses (analyses, file.trace, &chosen, error);
  if (!reports)
    return FALSE;
  cli_print_warnings (file.trace);
  title = g_path_get_basename (rest[0]);
  page = tb_html_page_new ((TbReport *const *) reports->pdata, reports->len, title, NULL);
  return cli_write (output, page, -1, error);
}

const CliCommand cli_command_report = {
  .name = "report",
  .parameters = N_ ("FILE -o OUT.html"),
  .summary = N_ ("Write findings and figures as one HTML page"),
  .run = report,
};
