/* tb-contexts-analysis.c: analysis plug-in "calling-contexts": cost of functions by the path of
 * calls that led to them; options, report on one recording, comparison of several
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/plugins/tb-analysis.h"
#include "extend/options/tb-option-object.h"
#include "tb-contexts-compare.h"
#include "tb-contexts-figures.h"
#include "tb-contexts-findings.h"
#include "tb-contexts-samples.h"
#include "tb-contexts-summary.h"
#include "tb-contexts-tree.h"
#include "tb-contexts-accuracy.h"

#define MAX_INTERVAL (G_GINT64_CONSTANT (3600) * 1000000000)

#define TB_TYPE_CONTEXTS_ANALYSIS (tb_contexts_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbContextsAnalysis,
                      tb_contexts_analysis,
                      TB,
                      CONTEXTS_ANALYSIS,
                      TbOptionObject)

struct _TbContextsAnalysis
{
  TbOptionObject parent_instance;

  char *events;
  char *estimate;
  char *cost;
  char *process;
  char *counter;
  char *normalize;
  gint64 interval;
  guint top;
};

/* In the order of TbContextsEstimate. */
static const char *const estimate_choices[] = { "conservative", "aggressive", "refined", NULL };
static const char *const cost_choices[] = { "total", "mean", NULL };

static void tb_contexts_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbContextsAnalysis,
                               tb_contexts_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS,
                                                      tb_contexts_analysis_iface_init))

static void
tb_contexts_analysis_class_init (TbContextsAnalysisClass *klass)
{
  const char *const estimate_labels[]
      = { _ ("Conservative"), _ ("Aggressive"), _ ("Refined"), NULL };
  const char *const cost_labels[] = { _ ("All calls"), _ ("Mean call"), NULL };
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);
  GParamSpec *option;

  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, events),
      g_param_spec_string ("events", _ ("Events"),
                           _ ("Events whose stacks are used: all, or a list of "
                              "syscall, switch, sample, wakeup, network, block, "
                              "call, mark, fork"),
                           "all", TB_OPTION_FLAGS));
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, interval),
      g_param_spec_int64 (
          "interval", _ ("Time between stacks"),
          _ ("Use only stacks of each thread's samples and switches that lie so far apart; 0: all"),
          0, MAX_INTERVAL, 0, TB_OPTION_FLAGS));
  tb_option_set_unit (option, "ns");
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, estimate),
      g_param_spec_string (
          "estimate", _ ("Estimate"),
          _ ("How the end of a call is placed: at the last event in it, at the event that "
             "ended it, or by what "
             "else is known"),
          "refined", TB_OPTION_FLAGS));
  tb_option_set_choices (option, estimate_choices);
  tb_option_set_choice_labels (option, estimate_labels);
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, cost),
      g_param_spec_string (
          "cost", _ ("Cost"),
          _ ("What functions add to the cost of a path: all their calls, or the mean one"), "total",
          TB_OPTION_FLAGS));
  tb_option_set_choices (option, cost_choices);
  tb_option_set_choice_labels (option, cost_labels);
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, process),
      g_param_spec_string ("process", _ ("Process"),
                           _ ("Only threads of this process, a name or a PID"), "",
                           TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, counter),
      g_param_spec_string ("counter", _ ("Counter"),
                           _ ("Count samples of this counter: its name, such as cache-misses, or "
                              "waits for those of perf record --off-cpu; empty: of the clock, "
                              "where calls cannot be inferred"),
                           "", TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, normalize),
      g_param_spec_string (
          "normalize", _ ("Normalize"),
          _ ("What compared recordings are normalized by: none, duration, work, mark:NAME, "
             "syscall:NAME or function:NAME"),
          "none", TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbContextsAnalysis, top),
                              g_param_spec_uint ("top", _ ("Paths shown"),
                                                 _ ("How many paths are shown; 0: all"), 0,
                                                 G_MAXINT32, 20, TB_OPTION_FLAGS));
}

static void
tb_contexts_analysis_init (TbContextsAnalysis *self)
{
}

static gboolean
check_choice (const char *const *choices, const char *text, const char *name, GError **error)
{
  g_autofree char *list = NULL;

  if (text == NULL || g_strv_contains (choices, text))
    return TRUE;
  list = g_strjoinv (", ", (char **) choices);
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ ("invalid %2$s “%1$s”: use %3$s"),
               text, name, list);
  return FALSE;
}

static gboolean
read_options (TbContextsAnalysis *self, TbContextsOptions *out, GError **error)
{
  *out = (TbContextsOptions) { .top = self->top,
                               .interval = self->interval,
                               .counter = self->counter,
                               .estimate = TB_CONTEXTS_REFINED };
  if (!check_choice (estimate_choices, self->estimate, "estimate", error)
      || !check_choice (cost_choices, self->cost, "cost", error)
      || !tb_normalization_check (self->normalize, error)
      || !(out->events = tb_contexts_events_parse (self->events, error)))
    return FALSE;
  for (guint i = 0; self->estimate != NULL && estimate_choices[i] != NULL; i++)
    if (g_str_equal (estimate_choices[i], self->estimate))
      out->estimate = i;
  out->by_mean = g_strcmp0 (self->cost, "mean") == 0;
  return TRUE;
}

static const char *
describe_step (TbTrace *trace, const TbContextsOptions *options)
{
  return tb_contexts_are_by_samples (trace, options) ? _ ("Counting samples")
                                                     : _ ("Inferring calls of functions");
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
  TbContextsAnalysis *self = TB_CONTEXTS_ANALYSIS (analysis);
  g_autoptr (TbSelection) process = NULL;
  g_autoptr (TbContextsSummary) summary = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GPtrArray) warnings = NULL;
  g_autofree char *headline = NULL;
  g_autofree guint32 *boxes = NULL;
  TbContextsOptions chosen;

  if (!read_options (self, &chosen, error)
      || !(process = tb_selection_new_of_process (trace, self->process, error)))
    return NULL;
  if (progress != NULL)
    progress (0.1, describe_step (trace, &chosen), data);
  summary = tb_contexts_summary_new (trace, selection, process, &chosen, cancellable, error);
  if (summary == NULL)
    return NULL;
  if (progress != NULL)
    progress (0.8, _ ("Drawing calling contexts"), data);
  if (!summary->by_samples)
    summary->accuracy = tb_contexts_accuracy_new (summary, cancellable, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  report = tb_analysis_new_report (analysis, _ ("Calling Contexts"), trace, summary->from,
                                   summary->to);
  headline = tb_contexts_make_headline (summary);
  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_contexts_summary_to_json (summary));
  warnings = tb_contexts_list_warnings (summary);
  for (guint i = 0; i < warnings->len; i++)
    tb_report_add_warning (report, g_ptr_array_index (warnings, i));
  tb_contexts_add_findings (report, summary);
  boxes = tb_contexts_add_figures (report, summary);
  if (!tb_contexts_add_counter_flames (report, summary, selection, process, cancellable, error))
    return NULL;
  if (progress != NULL)
    progress (0.9, _ ("Listing calls"), data);
  if (!tb_contexts_add_tree (report, summary, boxes, cancellable, error))
    return NULL;
  return g_steal_pointer (&report);
}

/* --- recordings of two sides --- */

typedef struct
{
  TbComparison *comparison;
  GArray *sides[TB_CONTEXTS_N_SIDES]; /* TbContextsRecording */
} Sides;

static void
sides_clear (Sides *self)
{
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    {
      for (guint i = 0; i < self->sides[side]->len; i++)
        tb_contexts_summary_free (
            g_array_index (self->sides[side], TbContextsRecording, i).summary);
      g_array_unref (self->sides[side]);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sides, sides_clear)

/* The normalization that the user chose. "none" where it is by duration and a recording has no
 * duration. */
static const char *
get_normalization (TbContextsAnalysis *self, TbComparison *comparison)
{
  const char *by = tb_comparison_get_normalization (comparison);

  if (*by == '\0')
    by = self->normalize != NULL && *self->normalize != '\0' ? self->normalize : "none";
  for (guint side = 0; side < TB_CONTEXTS_N_SIDES && g_str_equal (by, "duration"); side++)
    for (guint i = 0; i < tb_comparison_get_n (comparison, side); i++)
      {
        gint64 from, to;

        tb_selection_get_range (tb_comparison_get_selection (comparison, side, i), &from, &to);
        if (to <= from)
          return "none";
      }
  return by;
}

static gboolean
summarize (TbContextsAnalysis *self,
           Sides *sides,
           const TbContextsOptions *chosen,
           TbProgressFunc progress,
           gpointer data,
           GCancellable *cancellable,
           GError **error)
{
  TbComparison *comparison = sides->comparison;
  const char *by = get_normalization (self, comparison);
  guint n = 0, n_all = tb_comparison_get_n (comparison, TB_COMPARISON_BASE)
                       + tb_comparison_get_n (comparison, TB_COMPARISON_OTHER);

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < tb_comparison_get_n (comparison, side); i++)
      {
        TbTrace *trace = tb_comparison_get_trace (comparison, side, i);
        g_autoptr (TbSelection) process = tb_selection_new_of_process (trace, self->process, error);
        TbContextsRecording recording;

        if (process == NULL
            || !tb_comparison_get_scale (comparison, by, side, i, &recording.scale, error))
          return FALSE;
        if (progress != NULL)
          progress (0.1 + 0.8 * n++ / n_all, describe_step (trace, chosen), data);
        recording.summary
            = tb_contexts_summary_new (trace, tb_comparison_get_selection (comparison, side, i),
                                       process, chosen, cancellable, error);
        if (recording.summary == NULL)
          return FALSE;
        g_array_append_val (sides->sides[side], recording);
        if (tb_contexts_summary_is_count (recording.summary))
          {
            g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                         _ ("Numbers of events cannot be compared: choose a counter of time, not "
                            "“%s”"),
                         recording.summary->counter.name);
            return FALSE;
          }
      }
  return TRUE;
}

static void
add_warning_of (TbReport *report,
                TbComparison *comparison,
                TbContextsSide side,
                guint index,
                const char *warning)
{
  g_autofree char *text = NULL;

  if (tb_comparison_get_n (comparison, side) > 1)
    text
        = g_strdup_printf (_ ("%s: %s"), tb_comparison_get_name (comparison, side, index), warning);
  else if (side == TB_CONTEXTS_OTHER)
    text = g_strdup_printf (_ ("Other recording: %s"), warning);
  tb_report_add_warning (report, text != NULL ? text : warning);
}

static void
add_warnings (TbReport *report, const Sides *sides)
{
  guint64 lost_events = 0;
  gint64 lost_ns = 0;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    for (guint i = 0; i < sides->sides[side]->len; i++)
      {
        TbContextsSummary *summary
            = g_array_index (sides->sides[side], TbContextsRecording, i).summary;
        g_autoptr (GPtrArray) warnings = tb_contexts_list_warnings (summary);
        const char *const *of_trace = tb_trace_get_warnings (summary->trace);

        for (guint k = 0; of_trace[k] != NULL && (side > 0 || i > 0); k++)
          add_warning_of (report, sides->comparison, side, i, of_trace[k]);
        lost_events += tb_trace_get_counts (summary->trace)->lost_events;
        lost_ns += tb_trace_get_counts (summary->trace)->lost_ns;
        for (guint k = 0; k < warnings->len; k++)
          add_warning_of (report, sides->comparison, side, i, g_ptr_array_index (warnings, k));
      }
  tb_report_set_uncertainty (report, lost_events, lost_ns);
}

static TbReport *
compare_all (TbAnalysis *analysis,
             TbComparison *comparison,
             TbProgressFunc progress,
             gpointer data,
             GCancellable *cancellable,
             GError **error)
{
  TbContextsAnalysis *self = TB_CONTEXTS_ANALYSIS (analysis);
  g_auto (Sides) sides = { .comparison = comparison };
  g_autoptr (TbReport) report = NULL;
  TbContextsOptions chosen;
  const char *warning;
  gint64 from, to;

  for (guint side = 0; side < TB_CONTEXTS_N_SIDES; side++)
    sides.sides[side] = g_array_new (FALSE, FALSE, sizeof (TbContextsRecording));
  if (!read_options (self, &chosen, error))
    return NULL;
  chosen.keep_all = TRUE;
  if (!tb_contexts_choose_measure (comparison, &chosen, &warning, error)
      || !summarize (self, &sides, &chosen, progress, data, cancellable, error))
    return NULL;
  tb_selection_get_range (tb_comparison_get_selection (comparison, TB_COMPARISON_OTHER, 0), &from,
                          &to);
  report = tb_analysis_new_report (analysis, _ ("Calling Contexts, Compared"),
                                   tb_comparison_get_trace (comparison, TB_COMPARISON_BASE, 0),
                                   from, to);
  if (warning != NULL)
    tb_report_add_warning (report, warning);
  add_warnings (report, &sides);
  if (progress != NULL)
    progress (0.9, _ ("Listing calls"), data);
  if (!tb_contexts_compare (report, comparison, sides.sides,
                            tb_normalization_get_name (get_normalization (self, comparison)),
                            cancellable, error))
    return NULL;
  return g_steal_pointer (&report);
}

static void
tb_contexts_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
  iface->compare_all = compare_all;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_CONTEXTS_ANALYSIS);
}
