/* tb-comparison-pair.h: two recordings with the selected part of each and the scale that
 * normalizes them: filled in by an analysis when it compares (scale: tb-analysis-compare);
 * comparison that a given function makes from the reports of both
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/plugins/tb-analysis.h"

G_BEGIN_DECLS

/**
 * TbComparisonPair: (skip)
 * @traces: the recordings, not owned
 * @selections: the selected part of each
 * @from: start of the selected time range of each, ns
 * @to: end of that range
 * @scale: the factor that normalizes the numbers of the other recording to those of the base
 * @normalized_by: (nullable): what it normalizes by, see tb_analysis_get_scale()
 *
 * Two recordings, in the order of [enum@ComparisonSide].
 */
typedef struct
{
  TbTrace *traces[TB_COMPARISON_N_SIDES];
  TbSelection *selections[TB_COMPARISON_N_SIDES];
  gint64 from[TB_COMPARISON_N_SIDES];
  gint64 to[TB_COMPARISON_N_SIDES];
  double scale;
  const char *normalized_by;
} TbComparisonPair;

/**
 * TbCompareReportsFunc:
 * @report: the report of the comparison, to be filled
 * @base: report of the base recording
 * @other: report of the other recording
 * @scale: factor for the numbers of @other
 * @normalized_by: what @scale normalizes by, "": nothing
 *
 * Fills the report of a comparison from the reports of both recordings.
 */
typedef void (*TbCompareReportsFunc) (TbReport *report,
                                      TbReport *base,
                                      TbReport *other,
                                      double scale,
                                      const char *normalized_by);

TB_EXPORT gboolean tb_comparison_pair_init (TbComparisonPair *self,
                                            TbAnalysis *analysis,
                                            TbTrace *base,
                                            TbTrace *other,
                                            TbSelection *selection,
                                            GError **error);
TB_EXPORT void tb_comparison_pair_clear (TbComparisonPair *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbComparisonPair, tb_comparison_pair_clear)

TB_EXPORT TbReport *tb_analysis_compare_reports (TbAnalysis *self,
                                                 const char *title,
                                                 TbTrace *base,
                                                 TbTrace *other,
                                                 TbSelection *selection,
                                                 TbCompareReportsFunc func,
                                                 TbProgressFunc progress,
                                                 gpointer data,
                                                 GCancellable *cancellable,
                                                 GError **error);

G_END_DECLS
