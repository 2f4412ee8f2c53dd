/* tb-analysis.c: interface of plug-ins that explain a trace in a report: options, start of a
 * report, run
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/options/tb-option-private.h"
#include "extend/plugins/tb-analysis-private.h"
#include "extend/selection/tb-selection-scope.h"
#include "extend/tb-plugin-private.h"
#include "trace/tb-trace-evidence.h"

/**
 * TbAnalysis:
 *
 * A plug-in that explains a trace: it reads columns and returns a report. It opens no file and no
 * window.
 */
G_DEFINE_INTERFACE (TbAnalysis, tb_analysis, G_TYPE_OBJECT)

static void
tb_analysis_default_init (TbAnalysisInterface *iface)
{
  tb_plugin_set_options_func (TB_TYPE_ANALYSIS, (TbPluginOptionsFunc) tb_analysis_get_options);
}

void
tb_analysis_complete_options (TbAnalysis *self, TbReport *report)
{
  g_auto (GStrv) options = tb_analysis_get_options (self);
  g_autoptr (JsonNode) recorded = tb_report_get_options (report);

  for (guint i = 0; options && options[i]; i++)
    if (!json_object_has_member (json_node_get_object (recorded), options[i]))
      tb_report_set_option (report, options[i],
                            tb_option_get_as_json (G_OBJECT (self), options[i]));
}

/**
 * tb_analysis_get_options:
 * @self: an analysis
 *
 * The names of the properties that are its options.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): property names, or %NULL for none
 */
char **
tb_analysis_get_options (TbAnalysis *self)
{
  TbAnalysisInterface *iface;

  g_return_val_if_fail (TB_IS_ANALYSIS (self), NULL);

  iface = TB_ANALYSIS_GET_IFACE (self);
  return iface->get_options ? iface->get_options (self) : tb_option_object_list (G_OBJECT (self));
}

/**
 * tb_analysis_new_report:
 * @self: an analysis that runs
 * @title: for display
 * @trace: the trace to explain
 * @from: start of the explained time range
 * @to: end of that range
 *
 * Creates a report of @self with what every report holds: the analysis, the lost events of the
 * recording, and the warnings and remarks of the trace. Its options are added when the run ends.
 * @self keeps a reference to the newest report.
 *
 * Returns: (transfer full): a report without findings and figures
 */
TbReport *
tb_analysis_new_report (TbAnalysis *self, const char *title, TbTrace *trace, gint64 from, gint64 to)
{
  const TbTraceCounts *counts;
  const char *const *warnings;
  const char *const *remarks;
  TbReport *report;
  gint64 origin;

  g_return_val_if_fail (TB_IS_ANALYSIS (self), NULL);
  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  counts = tb_trace_get_counts (trace);
  warnings = tb_trace_get_warnings (trace);
  report = tb_report_new (tb_plugin_get_id (G_OBJECT (self)), title, from, to);
  tb_trace_get_range (trace, &origin, NULL);
  tb_report_set_origin (report, origin);
  tb_report_set_uncertainty (report, counts->lost_events, counts->lost_ns);
  tb_report_set_evidence (report, tb_evidence_to_json (tb_trace_get_evidence (trace)));
  for (guint i = 0; warnings[i] != NULL; i++)
    tb_report_add_warning (report, warnings[i]);
  remarks = tb_trace_get_remarks (trace);
  for (guint i = 0; remarks[i] != NULL; i++)
    tb_report_add_remark (report, remarks[i]);
  /* A cancelled run returns at once. The unfinished report is freed with the analysis object. */
  g_object_set_data_full (G_OBJECT (self), "tb-report", g_object_ref (report), g_object_unref);
  return report;
}

void
tb_analysis_begin_reading (GCancellable *cancellable)
{
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
}

void
tb_analysis_end_reading (GCancellable *cancellable)
{
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
}

gboolean
tb_analysis_check_read (TbTrace *trace, GCancellable *cancellable, GError **error)
{
  return !g_cancellable_set_error_if_cancelled (cancellable, error)
         && tb_trace_check (trace, error);
}

/* What a plug-in makes of columns that are missing, after it was cancelled or because the recording
 * is damaged, is no fault of it. */
static void
blame_recording (const TbPluginReads *reads, GCancellable *cancellable, GError **error)
{
  GError *failure = NULL;

  if (!g_cancellable_set_error_if_cancelled (cancellable, &failure)
      && tb_plugin_reads_check (reads, &failure))
    return;
  g_clear_error (error);
  g_propagate_error (error, failure);
}

/**
 * tb_analysis_run:
 * @self: an analysis, made for this one run
 * @trace: the trace to explain
 * @selection: the part of @trace to report on
 * @progress: (nullable) (scope call) (closure data): receives the progress of the work, in the
 *   calling thread
 * @data: for @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Explains @trace. May take long: call it in a worker thread. The options cannot be set afterwards.
 * @cancellable is the thread's current cancellable during the run. The run fails if the analysis
 * requested a part of the session that cannot be read.
 *
 * Returns: (transfer full) (nullable): the report, or %NULL with @error set, which names the
 *   plug-in
 */
TbReport *
tb_analysis_run (TbAnalysis *self,
                 TbTrace *trace,
                 TbSelection *selection,
                 TbProgressFunc progress,
                 gpointer data,
                 GCancellable *cancellable,
                 GError **error)
{
  TbPluginProgress checked = { G_OBJECT (self), progress, data, FALSE };
  TbPluginReads reads;
  TbAnalysisInterface *iface;
  TbReport *report = NULL;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_ANALYSIS (self), NULL);

  iface = TB_ANALYSIS_GET_IFACE (self);
  if (!tb_plugin_check_function (G_OBJECT (self), iface->run != NULL, "run", error))
    return NULL;
  tb_plugin_freeze_options (G_OBJECT (self));
  tb_plugin_reads_begin (&reads, trace);
  tb_analysis_begin_reading (cancellable);
  report = iface->run (self, trace, selection, progress != NULL ? tb_plugin_report_progress : NULL,
                       &checked, cancellable, &local_error);
  tb_analysis_end_reading (cancellable);
  if (report != NULL
      && (!tb_analysis_check_read (trace, cancellable, &local_error)
          || !tb_analysis_check_report (trace, report, &local_error)))
    g_clear_object (&report);
  if (report == NULL)
    blame_recording (&reads, cancellable, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "run", report != NULL, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  if (report && selection != NULL)
    tb_selection_describe_scope (selection, report);
  if (report)
    tb_analysis_complete_options (self, report);
  return report;
}
