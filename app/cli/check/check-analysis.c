/* check-analysis.c: checks of an analysis: its reports of synthetic recordings and of given ones,
 * in all formats, options at their limits, cancelling, comparison
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "check/check.h"

/* A cancelled run that takes longer is not cancelled, for the user. */
#define CANCEL_US G_USEC_PER_SEC

/* Progress without sense is reported by the library. */
static void
ignore_progress (double share, const char *what, gpointer data)
{
}

static gboolean
has_figure (TbReport *report, const char *id)
{
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    if (strcmp (tb_figure_get_id (tb_report_get_figure (report, i)), id) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
check_finding (TbReport *report, TbFinding *finding, guint n_threads, GError **error)
{
  const char *text = tb_finding_get_text (finding), *figure = tb_finding_get_figure (finding);
  double share = tb_finding_get_share (finding);
  guint n;
  const guint32 *threads = tb_finding_get_threads (finding, &n);

  if (text == NULL || *text == '\0' || !g_utf8_validate (text, -1, NULL))
    return check_fail (error, _ ("a finding has no text, or one that is not UTF-8"));
  if (share > 1)
    return check_fail (error, _ ("the finding “%s” has a share of more than 1"), text);
  if (figure != NULL && !has_figure (report, figure))
    return check_fail (error, _ ("the finding “%s” leads to the figure “%s”, which is missing"),
                       text, figure);
  for (guint i = 0; i < n; i++)
    if (threads[i] >= n_threads)
      return check_fail (error, _ ("the finding “%s” names a thread that is not in the recording"),
                         text);
  return TRUE;
}

/* A report must survive each of its formats. */
static gboolean
check_formats (TbReport *report, GError **error)
{
  g_autoptr (JsonNode) root = tb_report_to_json (report);
  g_autofree char *json = json_to_string (root, FALSE);
  g_autofree char *text = tb_report_to_text (report, 80);
  g_autofree char *page = tb_html_page_new (&report, 1, "check", NULL);
  g_autoptr (JsonNode) read = NULL;

  if (!g_utf8_validate (json, -1, NULL) || !g_utf8_validate (text, -1, NULL)
      || !g_utf8_validate (page, -1, NULL))
    return check_fail (error, _ ("its report has a text that is not UTF-8"));
  read = json_from_string (json, error);
  return read != NULL;
}

static gboolean
check_report (TbReport *report, TbTrace *trace, GError **error)
{
  guint n_threads;

  if (!TB_IS_REPORT (report))
    return check_fail (error, _ ("it returns something that is no report"));
  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    if (!check_finding (report, tb_report_get_finding (report, i), n_threads, error))
      return FALSE;
  return check_formats (report, error);
}

static TbReport *
run (const CheckSubject *subject,
     const char *option,
     TbTrace *trace,
     TbSelection *selection,
     GCancellable *cancellable,
     GError **error)
{
  g_autoptr (TbAnalysis) analysis = TB_ANALYSIS (check_create (subject, error));
  char *options[] = { (char *) option, NULL };

  if (analysis == NULL || (option != NULL && !cli_set_options (analysis, options, error)))
    return NULL;
  return tb_analysis_run (analysis, trace, selection, ignore_progress, NULL, cancellable, error);
}

static gboolean
run_and_check (const CheckSubject *subject,
               const char *option,
               TbTrace *trace,
               TbSelection *selection,
               GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (TbReport) report = run (subject, option, trace, selection, NULL, &local_error);

  return report != NULL ? check_report (report, trace, error)
                        : check_accept_refusal (g_steal_pointer (&local_error), error);
}

static gboolean
check_trace (const CheckSubject *subject, TbTrace *trace, const char *option, GError **error)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);

  return run_and_check (subject, option, trace, selection, error);
}

static gboolean
check_recording (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbTrace) trace = check_recording_open (parameter->recording, error);

  return trace != NULL && check_trace (subject, trace, parameter->option, error);
}

static gboolean
check_file (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_auto (CliFile) file = { 0 };

  return cli_file_open (&file, parameter->file, FALSE, error)
         && check_trace (subject, file.trace, NULL, error);
}

/* A selection of nothing, and of one thread in a part of the time. */
static gboolean
check_selections (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbTrace) trace = check_recording_open (CHECK_RECORDING_NORMAL, error);
  g_autoptr (TbSelection) nothing = NULL, part = NULL;
  gint64 from, to;

  if (trace == NULL)
    return FALSE;
  tb_trace_get_range (trace, &from, &to);
  nothing = tb_selection_new (trace);
  tb_selection_set_range (nothing, from, from);
  part = tb_selection_new (trace);
  tb_selection_set_range (part, from + (to - from) / 3, to - (to - from) / 3);
  return tb_selection_add_thread_by_name (part, "server", error)
         && run_and_check (subject, NULL, trace, nothing, error)
         && run_and_check (subject, NULL, trace, part, error);
}

/* Two runs give the same report. */
static gboolean
check_repetition (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbTrace) trace = check_recording_open (CHECK_RECORDING_NORMAL, error);
  g_autofree char *before = NULL;

  for (guint i = 0; trace != NULL && i < 2; i++)
    {
      g_autoptr (TbSelection) selection = tb_selection_new (trace);
      g_autoptr (GError) local_error = NULL;
      g_autoptr (TbReport) report = run (subject, NULL, trace, selection, NULL, &local_error);
      g_autoptr (JsonNode) root = report != NULL ? tb_report_to_json (report) : NULL;
      g_autofree char *text = root != NULL ? json_to_string (root, FALSE) : NULL;

      if (report == NULL)
        return check_accept_refusal (g_steal_pointer (&local_error), error);
      if (before != NULL && strcmp (before, text) != 0)
        return check_fail (error, _ ("two runs on the same recording give different reports"));
      g_free (before);
      before = g_steal_pointer (&text);
    }
  return trace != NULL;
}

/* The long recording: what is cancelled must end soon. */
static gboolean
check_cancelling (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbTrace) trace = check_recording_open (CHECK_RECORDING_LONG, error);
  g_autoptr (TbSelection) selection = trace != NULL ? tb_selection_new (trace) : NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) local_error = NULL;
  g_autoptr (TbReport) report = NULL;
  gint64 start;

  if (trace == NULL)
    return FALSE;
  g_cancellable_cancel (cancellable);
  start = g_get_monotonic_time ();
  report = run (subject, NULL, trace, selection, cancellable, &local_error);
  if (report != NULL)
    return check_fail (error, _ ("a cancelled run returns a report"));
  if (!g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return check_accept_refusal (g_steal_pointer (&local_error), error);
  if (g_get_monotonic_time () - start > CANCEL_US)
    return check_fail (error, _ ("a cancelled run goes on: look at the cancellable at least every "
                                 "65536 rows"));
  return TRUE;
}

static gboolean
check_comparison (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbAnalysis) analysis = TB_ANALYSIS (check_create (subject, error));
  g_autoptr (TbTrace) base
      = analysis != NULL ? check_recording_open (CHECK_RECORDING_NORMAL, error) : NULL;
  g_autoptr (TbTrace) other
      = base != NULL ? check_recording_open (CHECK_RECORDING_LOSSY, error) : NULL;
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (TbReport) report = NULL;

  if (other == NULL)
    return FALSE;
  selection = tb_selection_new (base);
  report = tb_analysis_compare (analysis, base, other, selection, NULL, NULL, NULL, &local_error);
  return report != NULL ? check_report (report, base, error)
                        : check_accept_refusal (g_steal_pointer (&local_error), error);
}

void
check_add_analysis (GPtrArray *list, const CheckSubject *subject)
{
  g_autoptr (GObject) analysis = check_create (subject, NULL);

  for (guint i = 0; i < CHECK_N_RECORDINGS; i++)
    check_list_add (list, check_recording, (CheckParameter) { .recording = i }, "recording %s",
                    check_recording_get_name (i));
  for (guint i = 0; subject->files != NULL && subject->files[i] != NULL; i++)
    check_list_add (list, check_file, (CheckParameter) { .file = subject->files[i] }, "file %s",
                    subject->files[i]);
  check_list_add (list, check_selections, (CheckParameter) { 0 }, "selections");
  check_list_add (list, check_repetition, (CheckParameter) { 0 }, "repetition");
  check_list_add (list, check_cancelling, (CheckParameter) { 0 }, "cancelling");
  if (analysis != NULL && tb_analysis_can_compare (TB_ANALYSIS (analysis)))
    check_list_add (list, check_comparison, (CheckParameter) { 0 }, "comparison");
  check_add_options (list, subject, check_recording);
}
