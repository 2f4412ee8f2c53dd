/* tb-peaks-analysis.c: analysis plug-in "latency-peaks": latencies of calls, and root causes of
 * slow ones; options, report on all operations, on one, or on a live search that the recording
 * contains; comparison
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>
#include <string.h>

#include "extend/plugins/tb-comparison-pair.h"
#include "extend/options/tb-option-object.h"
#include "live/tb-peaks-accuracy.h"
#include "stats/tb-peaks-compare-histograms.h"
#include "stats/tb-peaks-compare-operations.h"
#include "live/tb-peaks-live-slow-calls.h"
#include "latency-state/tb-peaks-function-names.h"
#include "drill/tb-peaks-result.h"
#include "calls/tb-peaks-walk.h"

#define TB_TYPE_PEAKS_ANALYSIS (tb_peaks_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbPeaksAnalysis, tb_peaks_analysis, TB, PEAKS_ANALYSIS, TbOptionObject)

struct _TbPeaksAnalysis
{
  TbOptionObject parent_instance;

  char *operation;
  char *call_path;
  char *correlated;
  char *state;
  char *phase;
  char *latencies;
  guint resolution;
  TbPeaksOptions options;
};

static void tb_peaks_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbPeaksAnalysis,
                               tb_peaks_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS,
                                                      tb_peaks_analysis_iface_init))

static void
add_resume_option (TbOptionObjectClass *class)
{
  GParamSpec *option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, state),
      g_param_spec_string (
          "resume", _ ("Resume from"),
          _ ("Report of a peak of an earlier recording as JSON, or the state in it: its counters "
             "are added if latencies are distributed as in that recording"),
          "", TB_OPTION_FLAGS));

  tb_option_set_unit (option, "json");
}

static void
add_correlation_option (TbOptionObjectClass *class)
{
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, correlated),
      g_param_spec_string (
          "correlate-with", _ ("Correlate with"),
          _ ("Another operation: shows both over time, and whether they are slow at the same "
             "times"),
          "", TB_OPTION_FLAGS));
}

static void
add_latencies_option (TbOptionObjectClass *class)
{
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, latencies),
      g_param_spec_string (
          "latencies", _ ("Latencies"),
          _ ("Explain calls from FROM to below TO ns instead of peaks, as precisely as bins allow: "
             "1048576..4194304; empty: peaks"),
          "", TB_OPTION_FLAGS));
}

static void
add_call_path_option (TbOptionObjectClass *class)
{
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, call_path),
      g_param_spec_string (
          "call-path", _ ("Call path"),
          _ ("Only calls that came through these functions, outermost first: main/serve/read"), "",
          TB_OPTION_FLAGS));
}

static void
tb_peaks_analysis_class_init (TbPeaksAnalysisClass *klass)
{
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);

  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, operation),
      g_param_spec_string (
          "operation", _ ("Operation"),
          _ ("syscall:NAME, function:NAME, block:read and so on; empty: a table of all"), "",
          TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.peak),
                              g_param_spec_uint ("peak", _ ("Peak"), _ ("Peak to explain; 0: all"),
                                                 0, TB_PEAKS_MAX_BINS, 0, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.from_bin),
                              g_param_spec_int ("from-bin", _ ("First bin"),
                                                _ ("First bin to explain instead of peaks; -1: "
                                                   "none"),
                                                -1, TB_PEAKS_MAX_BINS, -1, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.to_bin),
                              g_param_spec_int ("to-bin", _ ("Last bin"),
                                                _ ("Last bin to explain, inclusive; -1: the last "
                                                   "of all"),
                                                -1, TB_PEAKS_MAX_BINS, -1, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPeaksAnalysis, resolution),
                              g_param_spec_uint ("resolution", _ ("Resolution"),
                                                 _ ("Bins for each doubling of the latency"), 1,
                                                 TB_PEAKS_MAX_RESOLUTION, 1, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.decision_calls),
      g_param_spec_uint ("decision-calls", _ ("Calls for a decision"),
                         _ ("Calls of a peak that are needed to decide on root causes"), 1,
                         G_MAXINT32, 20, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.root_cause_threshold),
      g_param_spec_double ("root-cause-threshold", _ ("Threshold of root causes"),
                           _ ("Least counter of a root cause (calls in which it was the largest "
                              "part), as a share of the highest counter"),
                           0, 1, 0.8, TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.max_depth),
                              g_param_spec_uint ("max-depth", _ ("Depth"),
                                                 _ ("How many levels of calls are followed"), 1,
                                                 TB_PEAKS_MAX_DEPTH, 32, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, phase),
      g_param_spec_string (
          "phase", _ ("Phase"),
          _ ("Only calls that begin while a thread of their process is in the phase of that name, "
             "which the program marks with tailback-annotate.h; empty: all"),
          "", TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPeaksAnalysis, options.call),
      g_param_spec_int64 (
          "call", _ ("Call"),
          _ ("Explain the one call that ran at this time, in ns as in the table of the longest "
             "calls, compared with those of the fastest peak; 0: all calls"),
          0, G_MAXINT64, 0, TB_OPTION_FLAGS));
  add_latencies_option (class);
  add_resume_option (class);
  add_call_path_option (class);
  add_correlation_option (class);
}

static void
tb_peaks_analysis_init (TbPeaksAnalysis *self)
{
}

static TbReport *
start_report (TbPeaksAnalysis *self, TbTrace *trace, const TbPeaksCalls *calls)
{
  return tb_analysis_new_report (TB_ANALYSIS (self), _ ("Latency Peaks"), trace, calls->from,
                                 calls->to);
}

static TbReport *
report_operations (TbPeaksAnalysis *self, TbTrace *trace, const TbPeaksCalls *calls)
{
  TbReport *report = start_report (self, trace, calls);
  g_autofree char *headline
      = calls->operations->len > 0
            ? g_strdup_printf (
                  ngettext ("%u operation was recorded: choose it to see its peaks.",
                            "%u operations were recorded: choose one to see its peaks.",
                            calls->operations->len),
                  calls->operations->len)
            : g_strdup (_ (
                  "No operation was recorded in this range: no system call, block request, message "
                  "or probed function."));

  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_peaks_operations_to_json (calls));
  if (calls->operations->len > 0)
    tb_peaks_add_operations (report, calls);
  return report;
}

static TbReport *
report_result (TbPeaksAnalysis *self, TbTrace *trace, const TbPeaksResult *result)
{
  TbReport *report = start_report (self, trace, result->calls);
  const TbTraceCounts *counts = tb_trace_get_counts (trace);
  g_autofree char *headline = tb_peaks_make_headline (result);
  g_autofree char *matches = tb_peaks_saved_describe_matches (&result->matches);

  if (*self->operation != '\0' && !g_str_equal (result->operation->id, self->operation))
    {
      g_autofree char *warning = g_strdup_printf (_ ("%s was interpreted as "
                                                     "%s"),
                                                  self->operation, result->operation->id);

      tb_report_add_warning (report, warning);
    }
  if (*self->call_path != '\0' && result->calls->call_path == NULL)
    tb_report_add_warning (report, _ ("call-path: not applied, the search during the recording is "
                                      "of all calls"));
  if (matches != NULL)
    tb_report_add_warning (report, matches);
  tb_report_set_uncertainty (report, counts->lost_events + tb_peaks_accuracy_count_lost (result),
                             counts->lost_ns);
  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_peaks_result_to_json (result));
  tb_peaks_add_figures (report, result);
  tb_peaks_add_findings (report, result);
  return report;
}

/* Whether a live search has already examined the requested operation. */
static gboolean
is_live (TbPeaksAnalysis *self, TbTrace *trace, const char **state)
{
  static const char member[] = "\"operation\":\"";
  g_autofree char *of = NULL;
  const char *at;

  *state = tb_session_get_fact (tb_trace_get_session (trace), "latency");
  if (*state != NULL && *self->phase != '\0')
    return FALSE;
  if (*state == NULL || *self->operation == '\0')
    return *state != NULL;
  at = strstr (*state, member);
  of = at != NULL ? g_strndup (at + strlen (member), strcspn (at + strlen (member), "\""))
                  : g_strdup ("");
  return tb_peaks_is_same_operation (of, self->operation);
}

/* Sets the bins for the requested range of latencies. */
static gboolean
choose_bins (TbPeaksAnalysis *self,
             const TbPeaksBins *bins,
             TbPeaksOptions *options,
             GError **error)
{
  g_auto (GStrv) ends = g_strsplit (self->latencies, "..", 2);
  gint64 from, to;

  if (*self->latencies == '\0')
    return TRUE;
  if (g_strv_length (ends) != 2
      || !g_ascii_string_to_signed (ends[0], 10, 0, G_MAXINT64, &from, NULL)
      || !g_ascii_string_to_signed (ends[1], 10, 0, G_MAXINT64, &to, NULL) || from >= to)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("invalid latencies “%s”: use a range of nanoseconds, such as "
                      "1048576..4194304"),
                   self->latencies);
      return FALSE;
    }
  options->from_bin = (int) tb_peaks_bins_find (bins, from);
  options->to_bin = (int) tb_peaks_bins_find (bins, to - 1);
  return TRUE;
}

/* The requested operation; its latencies must be known. */
static const TbPeaksOperation *
find_operation (TbPeaksAnalysis *self,
                TbPeaksCalls *calls,
                GCancellable *cancellable,
                GError **error)
{
  const TbPeaksOperation *operation
      = tb_peaks_calls_find (calls, self->operation, cancellable, error);

  if (operation == NULL || operation->histogram->calls > 0 || operation->without_latency == 0)
    return operation;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               _ ("%s has no latency: the recording has the times of these messages, not how long "
                  "they took; record system calls, too"),
               operation->id);
  return NULL;
}

static TbReport *
run (TbAnalysis *analysis,
     TbTrace *trace,
     TbSelection *selection,
     TbProgressFunc progress,
     gpointer data,
     GCancellable *cancellable,
     GError **error)
{
  TbPeaksAnalysis *self = TB_PEAKS_ANALYSIS (analysis);
  const TbPeaksFilter filter = { self->phase, self->call_path };
  g_autoptr (TbPeaksCalls) calls = NULL;
  g_autoptr (TbPeaksResult) result = NULL;
  TbPeaksOptions options;
  const TbPeaksOperation *operation;
  const char *state;

  if (is_live (self, trace, &state))
    {
      result = tb_peaks_live_new (trace, state, error);
      if (result != NULL && self->options.call != 0)
        tb_peaks_refuse_call (result, self->options.call, error);
      return result != NULL && self->options.call == 0 ? report_result (self, trace, result) : NULL;
    }
  if (progress != NULL)
    progress (0.1, _ ("Sorting calls by latency"), data);
  /* For one operation, only calls of its kind are counted. */
  calls = tb_peaks_calls_new_filtered (trace, selection, &filter, self->resolution,
                                       *self->operation == '\0'
                                           ? TB_PEAKS_ALL_KINDS
                                           : tb_peaks_get_kinds (self->operation),
                                       cancellable, error);
  if (calls == NULL)
    return NULL;
  if (*self->operation == '\0')
    return report_operations (self, trace, calls);
  operation = find_operation (self, calls, cancellable, error);
  if (operation == NULL)
    return NULL;
  if (progress != NULL)
    progress (0.4, _ ("Examining calls"), data);
  options = self->options;
  options.state = self->state;
  options.correlated = self->correlated;
  if (!choose_bins (self, &calls->bins, &options, error))
    return NULL;
  result = tb_peaks_result_new (g_steal_pointer (&calls), operation, &options, cancellable, error);
  return result != NULL ? report_result (self, trace, result) : NULL;
}

/* An operation that only one recording has is compared with an empty one. */
static const TbPeaksOperation *
find_or_empty (TbPeaksAnalysis *self,
               TbPeaksCalls *calls,
               const char *name,
               GCancellable *cancellable)
{
  const TbPeaksOperation *found = tb_peaks_calls_find (calls, name, cancellable, NULL);

  return found != NULL ? found : tb_peaks_calls_add_empty (calls, name);
}

static TbReport *
compare (TbAnalysis *analysis,
         TbTrace *base_of,
         TbTrace *other_of,
         TbSelection *selection,
         TbProgressFunc progress,
         gpointer data,
         GCancellable *cancellable,
         GError **error)
{
  TbPeaksAnalysis *self = TB_PEAKS_ANALYSIS (analysis);
  guint kinds
      = *self->operation == '\0' ? TB_PEAKS_ALL_KINDS : tb_peaks_get_kinds (self->operation);
  const TbPeaksFilter filter = { self->phase, self->call_path };
  g_auto (TbComparisonPair) pair = { 0 };
  g_autoptr (TbPeaksCalls) base = NULL;
  g_autoptr (TbPeaksCalls) other = NULL;
  const TbPeaksOperation *operation;
  TbReport *report;

  if (!tb_comparison_pair_init (&pair, analysis, base_of, other_of, selection, error))
    return NULL;
  if (progress != NULL)
    progress (0.1, _ ("Sorting calls by latency"), data);
  base = tb_peaks_calls_new_filtered (base_of, pair.selections[TB_COMPARISON_BASE], &filter,
                                      self->resolution, kinds, cancellable, error);
  if (base == NULL)
    return NULL;
  if (progress != NULL)
    progress (0.5, _ ("Sorting calls by latency"), data);
  other = tb_peaks_calls_new_filtered (other_of, selection, &filter, self->resolution, kinds,
                                       cancellable, error);
  if (other == NULL)
    return NULL;
  operation = *self->operation != '\0'
                  ? tb_peaks_calls_find (other, self->operation, cancellable, error)
                  : NULL;
  if (*self->operation != '\0' && operation == NULL)
    {
      /* The operation may exist only in the base recording. */
      operation = tb_peaks_calls_find (base, self->operation, cancellable, NULL);
      if (operation == NULL)
        return NULL;
      g_clear_error (error);
      operation = tb_peaks_calls_add_empty (other, operation->id);
    }
  report = tb_analysis_new_comparison (analysis, _ ("Latency Peaks, Compared"), base_of, other_of,
                                       other->from, other->to);
  if (operation == NULL)
    tb_peaks_compare_all (report, base, other);
  else
    tb_peaks_compare_one (report, base, find_or_empty (self, base, operation->id, cancellable),
                          other, operation);
  tb_peaks_add_differences (report, base, other, pair.scale,
                            pair.normalized_by != NULL ? pair.normalized_by : "");
  return report;
}

static void
tb_peaks_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->compare = compare;
  iface->run = run;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_PEAKS_ANALYSIS);
}
