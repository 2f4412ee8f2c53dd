/* tb-analysis-compare.c: comparison of recordings by an analysis, or by tb-comparison-merge.c if
 * there are several and the analysis compares only two: checks before and after it, normalization;
 * report with warnings, lost events and evidence of all
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/plugins/tb-analysis-private.h"
#include "extend/tb-plugin-private.h"
#include "extend/selection/tb-selection-scope.h"
#include "trace/tb-trace-evidence.h"

static G_DEFINE_QUARK (tb-analysis-normalization, normalization);

/**
 * tb_analysis_can_compare:
 * @self: an analysis
 *
 * Gets whether an analysis explains the difference between recordings: whether it implements
 * `compare` or `compare_all`.
 *
 * Returns: whether it can compare traces
 */
gboolean
tb_analysis_can_compare (TbAnalysis *self)
{
  TbAnalysisInterface *iface;

  g_return_val_if_fail (TB_IS_ANALYSIS (self), FALSE);

  iface = TB_ANALYSIS_GET_IFACE (self);
  return iface->compare != NULL || iface->compare_all != NULL;
}

/**
 * tb_analysis_get_normalization:
 * @self: an analysis that compares
 *
 * Gets by what the user wants to normalize the numbers of recordings of different length or load.
 * For plug-ins that implement `compare`.
 *
 * Returns: the normalization, in a form that tb_normalization_get_scale() takes; "": the analysis
 *   uses its own rule
 */
const char *
tb_analysis_get_normalization (TbAnalysis *self)
{
  const char *by;

  g_return_val_if_fail (TB_IS_ANALYSIS (self), "");

  by = g_object_get_qdata (G_OBJECT (self), normalization_quark ());
  return by != NULL ? by : "";
}

/**
 * tb_analysis_get_scale:
 * @self: an analysis that compares
 * @base: a recording
 * @other: the recording to normalize
 * @selection: the selected part of @other
 * @scale: (out): the factor for the numbers of @other
 * @normalized_by: (out) (nullable): the name of the normalization in reports: "recorded_ns",
 *   "work", an operation; "" without normalization; %NULL if the analysis uses its own rule, in
 *   which case @scale is 1
 * @error: return location
 *
 * Computes the factor that normalizes @other to @base as the user chose.
 *
 * Returns: whether the factor could be computed
 */
gboolean
tb_analysis_get_scale (TbAnalysis *self,
                       TbTrace *base,
                       TbTrace *other,
                       TbSelection *selection,
                       double *scale,
                       const char **normalized_by,
                       GError **error)
{
  g_autoptr (TbSelection) carried = NULL;
  const char *by = tb_analysis_get_normalization (self);

  *scale = 1;
  *normalized_by = NULL;
  if (*by == '\0')
    return TRUE;
  carried = tb_selection_carry_over (selection, base);
  *normalized_by = tb_normalization_get_name (by);
  return tb_normalization_get_scale (by, base, carried, other, selection, scale, error);
}

/**
 * tb_analysis_add_other_warnings:
 * @report: a report of a comparison that is being built
 * @other: the recording that is compared
 *
 * Adds the warnings and remarks of @other, each with the words that it is about the other
 * recording.
 */
void
tb_analysis_add_other_warnings (TbReport *report, TbTrace *other)
{
  const char *const *warnings;
  const char *const *remarks;

  g_return_if_fail (TB_IS_REPORT (report) && TB_IS_TRACE (other));

  warnings = tb_trace_get_warnings (other);
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      g_autofree char *warning = g_strdup_printf (_ ("Other recording: %s"), warnings[i]);

      tb_report_add_warning (report, warning);
    }
  remarks = tb_trace_get_remarks (other);
  for (guint i = 0; remarks[i] != NULL; i++)
    {
      g_autofree char *remark = g_strdup_printf (_ ("Other recording: %s"), remarks[i]);

      tb_report_add_remark (report, remark);
    }
}

/**
 * tb_analysis_new_comparison:
 * @self: an analysis that compares
 * @title: for display
 * @base: a recording
 * @other: the recording to compare
 * @from: start of the analyzed time range of @other, ns
 * @to: end of that range
 *
 * Creates the report of a comparison. It is about the base.
 *
 * Returns: (transfer full): a report with the options it is made with, the lost events of both
 *   recordings, and their warnings
 */
TbReport *
tb_analysis_new_comparison (TbAnalysis *self,
                            const char *title,
                            TbTrace *base,
                            TbTrace *other,
                            gint64 from,
                            gint64 to)
{
  TbReport *report = tb_analysis_new_report (self, title, base, from, to);
  const TbTraceCounts *const counts[] = { tb_trace_get_counts (base), tb_trace_get_counts (other) };

  tb_report_set_uncertainty (report, counts[0]->lost_events + counts[1]->lost_events,
                             counts[0]->lost_ns + counts[1]->lost_ns);
  tb_analysis_add_other_warnings (report, other);
  return report;
}

static gboolean
check_can_compare (TbAnalysis *self, GError **error)
{
  if (tb_analysis_can_compare (self))
    return TRUE;
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("%s explains one recording and cannot compare two"),
               tb_plugin_get_id (G_OBJECT (self)));
  return FALSE;
}

static TbReport *
compare (TbAnalysis *self,
         TbComparison *comparison,
         TbProgressFunc progress,
         gpointer data,
         GCancellable *cancellable,
         GError **error)
{
  TbAnalysisInterface *iface = TB_ANALYSIS_GET_IFACE (self);

  if (iface->compare_all != NULL)
    return iface->compare_all (self, comparison, progress, data, cancellable, error);
  if (tb_comparison_get_n (comparison, TB_COMPARISON_BASE) == 1
      && tb_comparison_get_n (comparison, TB_COMPARISON_OTHER) == 1)
    return iface->compare (self, tb_comparison_get_trace (comparison, TB_COMPARISON_BASE, 0),
                           tb_comparison_get_trace (comparison, TB_COMPARISON_OTHER, 0),
                           tb_comparison_get_selection (comparison, TB_COMPARISON_OTHER, 0),
                           progress, data, cancellable, error);
  return tb_comparison_merge (self, comparison, progress, data, cancellable, error);
}

/* A comparison has what all recordings have. */
static void
set_evidence (TbReport *report, TbComparison *comparison)
{
  TbEvidence all
      = *tb_trace_get_evidence (tb_comparison_get_trace (comparison, TB_COMPARISON_BASE, 0));

  for (guint side = TB_COMPARISON_BASE; side <= TB_COMPARISON_OTHER; side++)
    for (guint i = 0; i < tb_comparison_get_n (comparison, side); i++)
      tb_evidence_intersect (&all,
                             tb_trace_get_evidence (tb_comparison_get_trace (comparison, side, i)));
  tb_report_set_evidence (report, tb_evidence_to_json (&all));
}

static gboolean
check_all_read (TbComparison *comparison, GCancellable *cancellable, GError **error)
{
  for (guint side = TB_COMPARISON_BASE; side <= TB_COMPARISON_OTHER; side++)
    for (guint i = 0; i < tb_comparison_get_n (comparison, side); i++)
      if (!tb_analysis_check_read (tb_comparison_get_trace (comparison, side, i), cancellable,
                                   error))
        return FALSE;
  return TRUE;
}

/**
 * tb_analysis_compare_all:
 * @self: an analysis, made for this one run
 * @comparison: at least one recording on each side
 * @progress: (nullable) (scope call) (closure data): receives the progress of the work, in the
 *   calling thread
 * @data: for @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Explains how the recordings of one side differ from those of the other. With several recordings,
 * each difference has a confidence interval, and a difference that also occurs within one side is
 * marked as noise, see tb_spread_measure().
 *
 * Returns: (transfer full) (nullable): the report, or %NULL with @error set, which names the
 *   plug-in
 */
TbReport *
tb_analysis_compare_all (TbAnalysis *self,
                         TbComparison *comparison,
                         TbProgressFunc progress,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error)
{
  TbPluginProgress checked = { G_OBJECT (self), progress, data, FALSE };
  TbReport *report = NULL;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_ANALYSIS (self) && TB_IS_COMPARISON (comparison), NULL);
  g_return_val_if_fail (tb_comparison_get_n (comparison, TB_COMPARISON_BASE) > 0, NULL);
  g_return_val_if_fail (tb_comparison_get_n (comparison, TB_COMPARISON_OTHER) > 0, NULL);

  if (!check_can_compare (self, error)
      || !tb_normalization_check (tb_comparison_get_normalization (comparison), error))
    return NULL;
  g_object_set_qdata_full (G_OBJECT (self), normalization_quark (),
                           g_strdup (tb_comparison_get_normalization (comparison)), g_free);
  tb_plugin_freeze_options (G_OBJECT (self));
  tb_analysis_begin_reading (cancellable);
  report = compare (self, comparison, progress != NULL ? tb_plugin_report_progress : NULL, &checked,
                    cancellable, &local_error);
  tb_analysis_end_reading (cancellable);
  if (report != NULL
      && (!check_all_read (comparison, cancellable, &local_error)
          || !tb_analysis_check_report (NULL, report, &local_error)))
    g_clear_object (&report);
  tb_plugin_complete_error (G_OBJECT (self), "compare", report != NULL, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  if (report != NULL)
    {
      set_evidence (report, comparison);
      tb_selection_describe_scope (tb_comparison_get_selection (comparison, TB_COMPARISON_OTHER, 0),
                                   report);
      tb_analysis_complete_options (self, report);
    }
  return report;
}

/**
 * tb_analysis_compare:
 * @self: an analysis, made for this one run
 * @base: the trace to compare with
 * @other: the trace that is compared
 * @selection: the selected part of @other
 * @progress: (nullable) (scope call) (closure data): receives the progress of the work, in the
 *   calling thread
 * @data: for @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Explains how @other differs from @base.
 *
 * Returns: (transfer full) (nullable): the report, or %NULL with @error set, which names the
 *   plug-in
 */
TbReport *
tb_analysis_compare (TbAnalysis *self,
                     TbTrace *base,
                     TbTrace *other,
                     TbSelection *selection,
                     TbProgressFunc progress,
                     gpointer data,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();

  g_return_val_if_fail (TB_IS_ANALYSIS (self), NULL);

  if (!check_can_compare (self, error))
    return NULL;
  tb_comparison_add (comparison, TB_COMPARISON_BASE, base, NULL);
  tb_comparison_add (comparison, TB_COMPARISON_OTHER, other, NULL);
  tb_comparison_set_selection (comparison, selection);
  return tb_analysis_compare_all (self, comparison, progress, data, cancellable, error);
}
