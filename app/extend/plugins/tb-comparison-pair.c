/* tb-comparison-pair.c: two recordings with the selected part of each and the scale that
 * normalizes them: filled in by an analysis when it compares (scale: tb-analysis-compare);
 * comparison that a given function makes from the reports of both
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/plugins/tb-comparison-pair.h"

/**
 * tb_comparison_pair_init: (skip)
 * @self: a pair, all zero
 * @analysis: an analysis that compares
 * @base: a recording
 * @other: the recording to compare
 * @selection: the selected part of @other
 * @error: return location
 *
 * Finds the corresponding part of @base, and the factor that normalizes @other to it as the user
 * chose. tb_comparison_pair_clear() frees the contents, also after a failure.
 *
 * Returns: whether the factor could be computed
 */
gboolean
tb_comparison_pair_init (TbComparisonPair *self,
                         TbAnalysis *analysis,
                         TbTrace *base,
                         TbTrace *other,
                         TbSelection *selection,
                         GError **error)
{
  g_return_val_if_fail (self != NULL && TB_IS_ANALYSIS (analysis), FALSE);
  g_return_val_if_fail (TB_IS_TRACE (base) && TB_IS_TRACE (other), FALSE);
  g_return_val_if_fail (TB_IS_SELECTION (selection), FALSE);

  self->traces[TB_COMPARISON_BASE] = base;
  self->traces[TB_COMPARISON_OTHER] = other;
  self->selections[TB_COMPARISON_BASE] = tb_selection_carry_over (selection, base);
  self->selections[TB_COMPARISON_OTHER] = g_object_ref (selection);
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    tb_selection_get_range (self->selections[side], &self->from[side], &self->to[side]);
  return tb_analysis_get_scale (analysis, base, other, selection, &self->scale,
                                &self->normalized_by, error);
}

/**
 * tb_comparison_pair_clear:
 * @self: a pair
 *
 * Frees what the pair owns.
 */
void
tb_comparison_pair_clear (TbComparisonPair *self)
{
  for (guint side = 0; side < TB_COMPARISON_N_SIDES; side++)
    g_clear_object (&self->selections[side]);
}

/**
 * tb_analysis_compare_reports: (skip)
 * @self: an analysis that compares
 * @title: title of the report, for display
 * @base: a recording
 * @other: the recording to compare
 * @selection: the selected part of @other
 * @func: (scope call): fills the report from those of both recordings
 * @progress: (nullable) (scope call) (closure data): receives the progress of each run
 * @data: for @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Compares the reports that @self makes of each recording. For plug-ins that implement `compare`.
 *
 * Returns: (transfer full) (nullable): a report of tb_analysis_new_comparison(), filled by @func,
 *   or %NULL with @error set
 */
TbReport *
tb_analysis_compare_reports (TbAnalysis *self,
                             const char *title,
                             TbTrace *base,
                             TbTrace *other,
                             TbSelection *selection,
                             TbCompareReportsFunc func,
                             TbProgressFunc progress,
                             gpointer data,
                             GCancellable *cancellable,
                             GError **error)
{
  g_auto (TbComparisonPair) pair = { 0 };
  g_autoptr (TbReport) base_report = NULL;
  g_autoptr (TbReport) other_report = NULL;
  TbAnalysisInterface *iface;
  TbReport *report;

  g_return_val_if_fail (TB_IS_ANALYSIS (self) && func != NULL, NULL);

  iface = TB_ANALYSIS_GET_IFACE (self);
  if (!tb_comparison_pair_init (&pair, self, base, other, selection, error)
      || !(base_report = iface->run (self, base, pair.selections[TB_COMPARISON_BASE], progress,
                                     data, cancellable, error))
      || !(other_report = iface->run (self, other, selection, progress, data, cancellable, error)))
    return NULL;
  report = tb_analysis_new_comparison (self, title, base, other, pair.from[TB_COMPARISON_OTHER],
                                       pair.to[TB_COMPARISON_OTHER]);
  func (report, base_report, other_report, pair.scale,
        pair.normalized_by != NULL ? pair.normalized_by : "");
  return report;
}
