/* tb-analysis.h: interface of plug-ins that explain a trace in a report, or compare recordings:
 * options, start of a report, run, comparison
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/compare/tb-comparison.h"
#include "extend/options/tb-option.h"
#include "extend/selection/tb-selection.h"
#include "report/tb-report.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

#define TB_TYPE_ANALYSIS (tb_analysis_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbAnalysis, tb_analysis, TB, ANALYSIS, GObject)

struct _TbAnalysisInterface
{
  GTypeInterface parent;

  /* (transfer full): property names, NULL for none; not needed by a class derived from
   * TbOptionObject */
  char **(*get_options) (TbAnalysis *self);
  /* In a worker thread; the object is used for this one run. (transfer full) */
  TbReport *(*run) (TbAnalysis *self,
                    TbTrace *trace,
                    TbSelection *selection,
                    TbProgressFunc progress,
                    gpointer data,
                    GCancellable *cancellable,
                    GError **error);
  /* Nullable: explains the difference of two recordings (base, other). One comparison of several
   * recordings may call it several times. */
  TbReport *(*compare) (TbAnalysis *self,
                        TbTrace *base,
                        TbTrace *other,
                        TbSelection *selection,
                        TbProgressFunc progress,
                        gpointer data,
                        GCancellable *cancellable,
                        GError **error);
  /* Nullable: explains several recordings a side. Without it, pairs are compared and their
   * differences are merged. */
  TbReport *(*compare_all) (TbAnalysis *self,
                            TbComparison *comparison,
                            TbProgressFunc progress,
                            gpointer data,
                            GCancellable *cancellable,
                            GError **error);
};

TB_EXPORT char **tb_analysis_get_options (TbAnalysis *self);
TB_EXPORT TbReport *tb_analysis_new_report (TbAnalysis *self,
                                            const char *title,
                                            TbTrace *trace,
                                            gint64 from,
                                            gint64 to);
TB_EXPORT TbReport *tb_analysis_run (TbAnalysis *self,
                                     TbTrace *trace,
                                     TbSelection *selection,
                                     TbProgressFunc progress,
                                     gpointer data,
                                     GCancellable *cancellable,
                                     GError **error);
TB_EXPORT gboolean tb_analysis_can_compare (TbAnalysis *self);
TB_EXPORT TbReport *tb_analysis_compare (TbAnalysis *self,
                                         TbTrace *base,
                                         TbTrace *other,
                                         TbSelection *selection,
                                         TbProgressFunc progress,
                                         gpointer data,
                                         GCancellable *cancellable,
                                         GError **error);
TB_EXPORT TbReport *tb_analysis_compare_all (TbAnalysis *self,
                                             TbComparison *comparison,
                                             TbProgressFunc progress,
                                             gpointer data,
                                             GCancellable *cancellable,
                                             GError **error);
TB_EXPORT TbReport *tb_analysis_new_comparison (TbAnalysis *self,
                                                const char *title,
                                                TbTrace *base,
                                                TbTrace *other,
                                                gint64 from,
                                                gint64 to);
/* Adds the warnings of the other recording to a report about the base. */
TB_EXPORT void tb_analysis_add_other_warnings (TbReport *report, TbTrace *other);
TB_EXPORT const char *tb_analysis_get_normalization (TbAnalysis *self);
TB_EXPORT gboolean tb_analysis_get_scale (TbAnalysis *self,
                                          TbTrace *base,
                                          TbTrace *other,
                                          TbSelection *selection,
                                          double *scale,
                                          const char **normalized_by,
                                          GError **error);

G_END_DECLS
