/* tb-peaks-analysis.c: the analysis plug-in "latency-peaks": why some calls are slow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>
#include <string.h>

#include "extend/tb-analysis.h"
#include "tb-peaks-result.h"
#include "tb-peaks-walk.h"

#define TB_TYPE_PEAKS_ANALYSIS (tb_peaks_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbPeaksAnalysis, tb_peaks_analysis, TB, PEAKS_ANALYSIS, GObject)

struct _TbPeaksAnalysis
{
  GObject parent_instance;

  char *operation;
  guint resolution;
  TbPeaksOptions options;
};

enum
{
  PROP_0,
  PROP_OPERATION,
  PROP_PEAK,
  PROP_FROM_BIN,
  PROP_TO_BIN,
  PROP_RESOLUTION,
  PROP_DECISION_OPS,
  PROP_MAXCOUNT_PERCENTAGE,
  PROP_MAX_DEPTH,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static const char *const options[]
    = { "operation",           "peak",      "from-bin", "to-bin", "resolution", "decision-ops",
        "maxcount-percentage", "max-depth", NULL };

static void tb_peaks_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbPeaksAnalysis,
                               tb_peaks_analysis,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, tb_peaks_analysis_iface_init))

static void
tb_peaks_analysis_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TbPeaksAnalysis *self = TB_PEAKS_ANALYSIS (object);

  switch (id)
    {
    case PROP_OPERATION:
      g_set_str (&self->operation, g_value_get_string (value));
      break;
    case PROP_PEAK:
      self->options.peak = g_value_get_uint (value);
      break;
    case PROP_FROM_BIN:
      self->options.from_bin = g_value_get_int (value);
      break;
    case PROP_TO_BIN:
      self->options.to_bin = g_value_get_int (value);
      break;
    case PROP_RESOLUTION:
      self->resolution = g_value_get_uint (value);
      break;
    case PROP_DECISION_OPS:
      self->options.decision_ops = g_value_get_uint (value);
      break;
    case PROP_MAXCOUNT_PERCENTAGE:
      self->options.maxcount_percentage = g_value_get_double (value);
      break;
    case PROP_MAX_DEPTH:
      self->options.max_depth = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_peaks_analysis_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbPeaksAnalysis *self = TB_PEAKS_ANALYSIS (object);

  switch (id)
    {
    case PROP_OPERATION:
      g_value_set_string (value, self->operation);
      break;
    case PROP_PEAK:
      g_value_set_uint (value, self->options.peak);
      break;
    case PROP_FROM_BIN:
      g_value_set_int (value, self->options.from_bin);
      break;
    case PROP_TO_BIN:
      g_value_set_int (value, self->options.to_bin);
      break;
    case PROP_RESOLUTION:
      g_value_set_uint (value, self->resolution);
      break;
    case PROP_DECISION_OPS:
      g_value_set_uint (value, self->options.decision_ops);
      break;
    case PROP_MAXCOUNT_PERCENTAGE:
      g_value_set_double (value, self->options.maxcount_percentage);
      break;
    case PROP_MAX_DEPTH:
      g_value_set_uint (value, self->options.max_depth);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_peaks_analysis_finalize (GObject *object)
{
  g_free (TB_PEAKS_ANALYSIS (object)->operation);

  G_OBJECT_CLASS (tb_peaks_analysis_parent_class)->finalize (object);
}

static void
tb_peaks_analysis_class_init (TbPeaksAnalysisClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS;

  object_class->set_property = tb_peaks_analysis_set_property;
  object_class->get_property = tb_peaks_analysis_get_property;
  object_class->finalize = tb_peaks_analysis_finalize;

  properties[PROP_OPERATION] = g_param_spec_string (
      "operation", _ ("Operation"),
      _ ("syscall:NAME, function:NAME, block:read or the like; nothing: a table of all"), "", flags);
  properties[PROP_PEAK] = g_param_spec_uint ("peak", _ ("Peak"), _ ("Which peak to explain, 0: all"), 0,
                                             TB_PEAKS_MAX_BINS, 0, flags);
  properties[PROP_FROM_BIN]
      = g_param_spec_int ("from-bin", _ ("First bin"), _ ("Explain these bins instead of peaks, -1: not"), -1,
                          TB_PEAKS_MAX_BINS, -1, flags);
  properties[PROP_TO_BIN]
      = g_param_spec_int ("to-bin", _ ("Last bin"), _ ("Inclusive, -1: the last there is"), -1,
                          TB_PEAKS_MAX_BINS, -1, flags);
  properties[PROP_RESOLUTION]
      = g_param_spec_uint ("resolution", _ ("Resolution"), _ ("Bins for each doubling of the latency"), 1,
                           TB_PEAKS_MAX_RESOLUTION, 1, flags);
  properties[PROP_DECISION_OPS]
      = g_param_spec_uint ("decision-ops", _ ("Calls for a decision"),
                           _ ("How many calls of a peak it takes to decide on root causes"), 1, G_MAXINT32,
                           20, flags);
  properties[PROP_MAXCOUNT_PERCENTAGE] = g_param_spec_double (
      "maxcount-percentage", _ ("Threshold of root causes"),
      _ ("Root causes were the largest contributor at least this often, compared to the one most often"), 0,
      1, 0.8, flags);
  properties[PROP_MAX_DEPTH] = g_param_spec_uint ("max-depth", _ ("Depth"), _ ("How deep calls are followed"),
                                                  1, TB_PEAKS_MAX_DEPTH, 32, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tb_peaks_analysis_init (TbPeaksAnalysis *self)
{
}

static char **
get_options (TbAnalysis *analysis)
{
  return g_strdupv ((char **) options);
}

static TbReport *
start_report (TbPeaksAnalysis *self, TbTrace *trace, const TbPeaksCalls *calls)
{
  TbReport *report = tb_report_new ("latency-peaks", _ ("Latency Peaks"), calls->from, calls->to);
  const TbTraceCounts *counts = tb_trace_get_counts (trace);
  const char *const *warnings = tb_trace_get_warnings (trace);

  for (guint i = 0; options[i] != NULL; i++)
    tb_report_set_option (report, options[i], tb_option_get_as_json (G_OBJECT (self), options[i]));
  tb_report_set_uncertainty (report, counts->lost_events, counts->lost_ns);
  for (guint i = 0; warnings[i] != NULL; i++)
    tb_report_add_warning (report, warnings[i]);
  return report;
}

static TbReport *
report_operations (TbPeaksAnalysis *self, TbTrace *trace, const TbPeaksCalls *calls)
{
  TbReport *report = start_report (self, trace, calls);
  g_autofree char *headline
      = calls->operations->len > 0
            ? g_strdup_printf (ngettext ("%u operation was recorded: choose it to see its peaks.",
                                         "%u operations were recorded: choose one to see its peaks.",
                                         calls->operations->len),
                               calls->operations->len)
            : g_strdup (_ ("No operation was recorded in this range: no system call, block request, message "
                           "nor probed function."));

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
  g_autofree char *headline = tb_peaks_make_headline (result);

  if (self->operation != NULL && *self->operation != '\0'
      && !g_str_equal (result->operation->id, self->operation))
    {
      g_autofree char *warning
          = g_strdup_printf (_ ("%s was taken for %s"), self->operation, result->operation->id);

      tb_report_add_warning (report, warning);
    }
  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_peaks_result_to_json (result));
  tb_peaks_add_figures (report, result);
  tb_peaks_add_findings (report, result);
  return report;
}

/* Whether what is asked for was found out already while it ran. */
static gboolean
is_live (TbPeaksAnalysis *self, TbTrace *trace, const char **state)
{
  g_autofree char *asked = NULL;
  gboolean is_asked = self->operation != NULL && *self->operation != '\0';

  *state = tb_session_get_fact (tb_trace_get_session (trace), "latency");
  if (*state == NULL || !is_asked)
    return *state != NULL;
  asked = g_strdup_printf ("\"operation\":\"%s\"", self->operation);
  return strstr (*state, asked) != NULL;
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
  g_autoptr (TbPeaksCalls) calls = NULL;
  g_autoptr (TbPeaksResult) result = NULL;
  const TbPeaksOperation *operation;
  const char *state;

  if (progress != NULL)
    progress (0.1, _ ("Sorting calls by how long they took"), data);
  calls = tb_peaks_calls_new (trace, selection, self->resolution, cancellable, error);
  if (calls == NULL)
    return NULL;
  if (is_live (self, trace, &state))
    {
      result = tb_peaks_live_new (trace, state, error);
      return result != NULL ? report_result (self, trace, result) : NULL;
    }
  if (self->operation == NULL || *self->operation == '\0')
    return report_operations (self, trace, calls);
  operation = tb_peaks_calls_find (calls, self->operation, error);
  if (operation == NULL)
    return NULL;
  if (operation->histogram == NULL)
    {
      g_set_error (
          error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
          _ ("%s has no latency: of messages the recording knows when they passed, not how long that "
             "took; choose the system call that sent or received them"),
          operation->id);
      return NULL;
    }
  if (progress != NULL)
    progress (0.4, _ ("Looking into calls"), data);
  result = tb_peaks_result_new (g_steal_pointer (&calls), operation, &self->options, cancellable, error);
  return result != NULL ? report_result (self, trace, result) : NULL;
}

static void
tb_peaks_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->get_options = get_options;
  iface->run = run;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_PEAKS_ANALYSIS);
}
