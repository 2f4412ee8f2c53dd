/* tb-wait-analysis.c: analysis plug-in "wait-graph", which finds waiting that limits throughput:
 * its options, choice of threads and unit of work, the run with what-if predictions, comparison of
 * two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/plugins/tb-comparison-pair.h"
#include "extend/options/tb-option-object.h"
#include "output/tb-wait-compare.h"
#include "output/tb-wait-figures.h"
#include "findings/tb-wait-findings.h"
#include "output/tb-wait-json.h"
#include "model/tb-wait-named-vertices.h"
#include "model/tb-wait-progress.h"
#include "model/tb-wait-unit-candidates.h"
#include "findings/tb-wait-warnings.h"
#include "what-if/tb-wait-report-actions.h"
#include "what-if/tb-wait-what-if.h"
#include "what-if/tb-wait-what-if-change.h"

#define TB_TYPE_WAIT_ANALYSIS (tb_wait_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbWaitAnalysis, tb_wait_analysis, TB, WAIT_ANALYSIS, TbOptionObject)

struct _TbWaitAnalysis
{
  TbOptionObject parent_instance;

  gint64 wakeup_tolerance;
  double threshold;
  double light_edge;
  double device_capacity;
  char **target;
  char **excluded;
  char **workers;
  char **background;
  char *device_idle;
  char *work;
  char *unit; /* the unit of this run; it may be stored with the recording */
  char **what_if;
  char **baseline_speedups;
  GPtrArray *more_traces; /* TbTrace: further recordings of the same load; NULL: none */
  char **unmerged;
  char **new_work;
  char **apply;
  char *merge_short_lived;
  gboolean merge_similar;
};

static const char *const exclusion_choices[]
    = { "timer", "interrupt", "idle", "unknown", "light", "ended", "all", "none", NULL };
/* In the order of TbWaitShortLived and TbWaitIdleMeasure. */
static const char *const short_lived_choices[] = { "off", "on", "wperf", NULL };
static const char *const device_idle_choices[] = { "in-flight", "bytes", "requests", NULL };

/* The defaults of list options are set when the object is initialized. */
#define LIST_FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void tb_wait_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbWaitAnalysis,
                               tb_wait_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS,
                                                      tb_wait_analysis_iface_init))

static void
add_knot_options (TbOptionObjectClass *class)
{
  /* Choices that stand for several others are not shown. */
  const char *const exclusion_labels[] = { _ ("Timers"),
                                           _ ("Interrupts"),
                                           _ ("Idle task"),
                                           _ ("Unknown wakers"),
                                           _ ("Light edges"),
                                           _ ("Ended threads"),
                                           "",
                                           "",
                                           NULL };
  GParamSpec *option;

  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, target),
      g_param_spec_boxed ("target", _ ("Target"),
                          _ ("Processes of interest, by name or PID; the threads of each other "
                             "process become one vertex; empty: those of the scope"),
                          G_TYPE_STRV, LIST_FLAGS));
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, threshold),
      g_param_spec_double (
          "threshold", _ ("Threshold"),
          _ ("A knot is refined until its lightest edge is heavier than this share of the time"), 0,
          1e6, 0.2, TB_OPTION_FLAGS));
  tb_option_set_unit (option, "share");
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, light_edge),
      g_param_spec_double ("light-edge", _ ("Light edge"),
                           _ ("Edges of less than this share of the time are excluded"), 0, 1, 0.01,
                           TB_OPTION_FLAGS));
  tb_option_set_unit (option, "share");
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, excluded),
      g_param_spec_boxed ("set-aside", _ ("Excluded edges"),
                          _ ("Edges that are excluded before knots are searched for: those to "
                             "timers, interrupts, the idle task, unknown wakers, and light ones; "
                             "and those of threads that ended, out of a knot that goes on"),
                          G_TYPE_STRV, LIST_FLAGS));
  tb_option_set_choices (option, exclusion_choices);
  tb_option_set_choice_labels (option, exclusion_labels);
}

static void
add_tolerance_option (TbOptionObjectClass *class)
{
  GParamSpec *option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, wakeup_tolerance),
      g_param_spec_int64 ("wakeup-tolerance", _ ("Wake-up tolerance"),
                          _ ("A wake-up that comes at most this long before a thread has left the "
                             "CPU ends that wait"),
                          0, G_USEC_PER_SEC * 1000, TB_WAKEUP_TOLERANCE, TB_OPTION_FLAGS));
  tb_option_set_unit (option, "ns");
}

/* Whether the text is a valid change. Whether the named things exist is checked later. */
static gboolean
check_change (const char *text, GError **error)
{
  g_autoptr (GArray) changes = tb_wait_parse_changes (text, error);

  return changes != NULL;
}

/* A greater factor cannot be a slowdown by a recorder. */
#define TIMES_MAX 100

static gboolean
read_times (const char *text, double *times, GError **error)
{
  char *end;

  *times = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && *times > 0 && *times <= TIMES_MAX)
    return TRUE;
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("invalid baseline-speedup “%s”: use a number above 0 and up to %d, how many "
                  "times as fast a run without a recorder was"),
               text, TIMES_MAX);
  return FALSE;
}

static gboolean
check_times (const char *text, GError **error)
{
  double times;

  return read_times (text, &times, error);
}

static GPtrArray *list_units (GObject *object,
                              TbTrace *trace,
                              TbSelection *selection,
                              GCancellable *cancellable,
                              GError **error);

static void
tb_wait_analysis_finalize (GObject *object)
{
  g_free (TB_WAIT_ANALYSIS (object)->unit);
  G_OBJECT_CLASS (tb_wait_analysis_parent_class)->finalize (object);
}

static void
tb_wait_analysis_class_init (TbWaitAnalysisClass *klass)
{
  const char *const short_lived_labels[] = { _ ("No"), _ ("Yes"), _ ("Yes, as in wPerf"), NULL };
  const char *const device_idle_labels[]
      = { _ ("No request"), _ ("By bytes"), _ ("By requests"), NULL };
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);
  GParamSpec *option;

  G_OBJECT_CLASS (klass)->finalize = tb_wait_analysis_finalize;
  add_knot_options (class);
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, merge_similar),
      g_param_spec_boolean (
          "merge-similar", _ ("Merge similar threads"),
          _ ("Make one vertex of threads of a process that wait at the same places"), TRUE,
          TB_OPTION_FLAGS));
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, merge_short_lived),
      g_param_spec_string ("merge-short-lived", _ ("Merge short-lived threads"),
                           _ ("Make one vertex of threads that one creator starts again and again"),
                           "on", TB_OPTION_FLAGS));
  tb_option_set_choices (option, short_lived_choices);
  tb_option_set_choice_labels (option, short_lived_labels);
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, device_idle),
      g_param_spec_string (
          "device-idle", _ ("Idle device"),
          _ ("What counts as idle time of a device: the time without a request in flight, or the "
             "share of its capacity in bytes or requests that is not used"),
          "in-flight", TB_OPTION_FLAGS));
  tb_option_set_choices (option, device_idle_choices);
  tb_option_set_choice_labels (option, device_idle_labels);
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, device_capacity),
      g_param_spec_double ("device-capacity", _ ("Capacity of devices"),
                           _ ("Bytes or requests a second that a device can do; 0: "
                              "the speed of the link to a peer where it is "
                              "known, else the most that was measured"),
                           0, G_MAXDOUBLE, 0, TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, workers),
      g_param_spec_boxed ("workers", _ ("Workers"),
                          _ ("Processes or threads that never count as background"), G_TYPE_STRV,
                          LIST_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, background),
      g_param_spec_boxed ("background", _ ("Background"),
                          _ ("Processes or threads whose knots are background"), G_TYPE_STRV,
                          LIST_FLAGS));
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, work),
      g_param_spec_string (
          "work", _ ("Unit of work"),
          _ ("Unit of work that is counted: mark:NAME, syscall:NAME or function:NAME, followed by "
             "@PROCESS for the units of that process only, send:PROCESS, receive:PROCESS or none; "
             "empty: the unit kept with the recording, else marks named “work”"),
          "", TB_OPTION_FLAGS));
  tb_option_set_check (option, tb_wait_work_check);
  tb_option_set_fact (option, TB_WAIT_WORK_FACT);
  tb_option_set_candidates (option, list_units);
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, what_if),
      g_param_spec_boxed (
          "what-if", _ ("What If"),
          _ ("Predict the effect of a change: edge:A>B*FACTOR, edge:A>B=ahead, edge:A>B=shared, "
             "call:SYSCALL*FACTOR, call:SYSCALL/COUNT, threads:NAME*COUNT, device:NAME*FACTOR, "
             "lock:NAME=free, cpus=COUNT; changes that come together are separated by “;”"),
          G_TYPE_STRV, LIST_FLAGS));
  tb_option_set_check (option, check_change);
  tb_option_set_scenario_separator (option, ";");
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, baseline_speedups),
      g_param_spec_boxed (
          "baseline-speedup", _ ("Speedup without recorder"),
          /* xgettext:no-c-format */
          _ ("Throughput of runs of the load without a recorder, as a multiple of that with it "
             "(1.15: it is 15 % higher without a recorder), one number for each run; what-if "
             "derives from them what recording cost and how much runs differ"),
          G_TYPE_STRV, LIST_FLAGS));
  tb_option_set_check (option, check_times);
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, unmerged),
      g_param_spec_boxed (
          "unmerge", _ ("Unmerged"),
          _ ("IDs of merged vertices, or names of their first threads, that are not merged"),
          G_TYPE_STRV, LIST_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, new_work),
      g_param_spec_boxed (
          "idle-in", _ ("New work"),
          _ ("Functions in which threads wait for new work, such as the next element of a queue: "
             "NAME or MODULE:NAME, * stands for any characters; or edges, edge:A>B; such edges do "
             "not count as bottlenecks"),
          G_TYPE_STRV, LIST_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, apply),
      g_param_spec_boxed ("apply", _ ("Apply"),
                          _ ("Proposed marks that count as if the program had made them: all, "
                             "false-wakeup or spin, KIND:VERTEX, KIND:VERTEX:FUNCTION"),
                          G_TYPE_STRV, LIST_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbWaitAnalysis, more_traces),
      g_param_spec_boxed (
          "more-traces", _ ("More recordings"),
          _ ("Further traces of the same load: what-if takes their differences into account"),
          G_TYPE_PTR_ARRAY, LIST_FLAGS));
  add_tolerance_option (class);
}

static void
tb_wait_analysis_init (TbWaitAnalysis *self)
{
  self->target = g_new0 (char *, 1);
  self->excluded = g_strsplit ("timer,interrupt,idle,unknown,light,ended", ",", -1);
  self->workers = g_new0 (char *, 1);
  self->background = g_new0 (char *, 1);
  self->what_if = g_new0 (char *, 1);
  self->baseline_speedups = g_new0 (char *, 1);
  self->unmerged = g_new0 (char *, 1);
  self->new_work = g_new0 (char *, 1);
  self->apply = g_new0 (char *, 1);
}

static guint
find_choice (const char *const *choices, const char *text)
{
  for (guint i = 0; choices[i] != NULL; i++)
    if (g_strcmp0 (choices[i], text) == 0)
      return i;
  return 0;
}

static guint
get_excluded (TbWaitAnalysis *self)
{
  guint set = 0;

  for (guint i = 0; self->excluded != NULL && self->excluded[i] != NULL; i++)
    {
      if (g_str_equal (self->excluded[i], "all"))
        set |= TB_WAIT_EXCLUSION_ALL;
      for (guint j = TB_WAIT_EXCLUSION_TIMER; j < TB_N_WAIT_EXCLUSIONS; j++)
        if (g_str_equal (self->excluded[i], tb_wait_exclusion_get_name (j)))
          set |= 1u << j;
    }
  return set;
}

/* Sets NULL where no process was named. */
static gboolean
select_processes (TbTrace *trace, char *const *names, TbSelection **selection, GError **error)
{
  if (names == NULL || names[0] == NULL)
    return TRUE;
  *selection = tb_selection_new (trace);
  for (guint i = 0; names[i] != NULL; i++)
    if (!tb_wait_select_named_process (*selection, names[i], error))
      return FALSE;
  return TRUE;
}

/* The target, or else the selection if it is restricted; NULL: all threads. */
static gboolean
find_target (TbWaitAnalysis *self,
             TbTrace *trace,
             TbSelection *selection,
             TbSelection **target,
             GError **error)
{
  if (!select_processes (trace, self->target, target, error))
    return FALSE;
  if (*target == NULL && tb_selection_is_of_threads (selection))
    *target = g_object_ref (selection);
  return TRUE;
}

static GPtrArray *
list_units (GObject *object,
            TbTrace *trace,
            TbSelection *selection,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (TbSelection) target = NULL;
  gint64 from, to;

  if (!find_target (TB_WAIT_ANALYSIS (object), trace, selection, &target, error))
    return NULL;
  tb_selection_get_range (selection, &from, &to);
  return tb_wait_list_unit_candidates (trace, target, from, to, cancellable, error);
}

/* Sets those options of an analysis that are options of the plug-in, except the target. Their
 * strings stay owned by the plug-in. */
static void
init_options (TbWaitOptions *options, TbWaitAnalysis *self)
{
  tb_wait_options_init (options);
  options->threshold = self->threshold;
  options->light_edge = self->light_edge;
  options->excluded = get_excluded (self);
  options->merge_similar = self->merge_similar;
  options->merge_short_lived = find_choice (short_lived_choices, self->merge_short_lived);
  options->device_idle = find_choice (device_idle_choices, self->device_idle);
  options->device_capacity = self->device_capacity;
  options->work = self->unit;
  options->unmerged = (const char *const *) self->unmerged;
  options->new_work = (const char *const *) self->new_work;
  options->apply = (const char *const *) self->apply;
  options->workers = (const char *const *) self->workers;
  options->background = (const char *const *) self->background;
}

/* Analyzes the selected time with the options of the plug-in. selection: also the target where none
 * is named. */
static TbWaitResult *
analyze_with_options (TbWaitAnalysis *self,
                      TbTrace *of,
                      TbSelection *selection,
                      TbProgressFunc progress,
                      gpointer data,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (TbTrace) trace = tb_trace_get_with_tolerance (of, self->wakeup_tolerance, progress,
                                                           data, cancellable, error);
  g_autoptr (TbSelection) target = NULL;
  TbWaitOptions options;
  gint64 from, to;

  if (trace == NULL || !find_target (self, trace, selection, &target, error))
    return NULL;
  init_options (&options, self);
  options.target = target;
  options.only_command = tb_selection_get_scope (selection) == TB_SELECTION_COMMAND;
  tb_selection_get_range (selection, &from, &to);
  return tb_wait_result_new (trace, from, to, &options, progress, data, cancellable, error);
}

/* The unit of work stored in the first recording that has one. A unit that cannot be counted in all
 * recordings is reported and not used, because it comes from a file. traces: terminated by NULL. */
static const char *
find_stored_unit (TbTrace *const *traces, char **warning)
{
  const char *kept = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_good = TRUE;

  for (guint i = 0; traces[i] != NULL && (kept == NULL || *kept == '\0'); i++)
    kept = tb_session_get_fact (tb_trace_get_session (traces[i]), TB_WAIT_WORK_FACT);
  if (kept == NULL || *kept == '\0')
    return NULL;
  for (guint i = 0; traces[i] != NULL && is_good; i++)
    is_good = tb_wait_work_check_in (kept, traces[i], &error);
  if (!is_good)
    *warning = g_strdup_printf (_ ("The unit of work kept with the recording is not used: %s"),
                                error->message);
  return is_good ? kept : NULL;
}

/* base: NULL: none. warning: set to a warning, else NULL. */
static void
choose_unit (TbWaitAnalysis *self, TbTrace *trace, TbTrace *base, char **warning)
{
  TbTrace *const traces[] = { trace, base, NULL };
  const char *unit = self->work;

  /* Programs that store the unit also pass it as an option. */
  if (unit == NULL || *unit == '\0'
      || g_strcmp0 (unit, tb_session_get_fact (tb_trace_get_session (trace), TB_WAIT_WORK_FACT))
             == 0)
    unit = find_stored_unit (traces, warning);
  g_set_str (&self->unit, unit);
}

/* Adds the options that are needed to repeat the analysis: the unit may come from the recording. */
static void
add_unit (TbWaitAnalysis *self, TbReport *report, const char *warning)
{
  if (warning != NULL)
    tb_report_add_warning (report, warning);
  if (self->unit != NULL)
    tb_report_set_option (report, "work", json_node_init_string (json_node_alloc (), self->unit));
}

static TbReport *
make_report (TbWaitAnalysis *self,
             TbWaitResult *result,
             const TbWaitWhatIf *what_if,
             const char *warning,
             GCancellable *cancellable,
             GError **error)
{
  JsonNode *summary;
  g_autoptr (TbReport) report = tb_analysis_new_report (TB_ANALYSIS (self), _ ("Wait Graph"),
                                                        result->trace, result->from, result->to);
  g_autofree char *headline = tb_wait_make_headline (result);

  tb_wait_add_warnings (report, result);
  add_unit (self, report, warning);
  tb_report_set_headline (report, headline);
  summary = tb_wait_result_to_json (result);
  if (what_if != NULL)
    json_object_set_member (json_node_get_object (summary), "what_if",
                            tb_wait_what_if_to_json (what_if));
  tb_report_set_summary (report, summary);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (!tb_wait_add_figures (report, result, self->threshold, cancellable, error))
    return NULL;
  if (what_if != NULL)
    {
      tb_wait_what_if_add_to_report (what_if, report);
      tb_wait_add_change_results (report, what_if);
    }
  tb_wait_add_actions (report, result);
  tb_wait_add_findings (report, result);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&report);
}

/* Whether the what-if options are valid. This is checked before any long computation. */
static gboolean
check_what_if (TbWaitAnalysis *self, GError **error)
{
  for (guint i = 0; self->what_if[i] != NULL; i++)
    if (!check_change (self->what_if[i], error))
      return FALSE;
  for (guint i = 0; self->baseline_speedups[i] != NULL; i++)
    if (!check_times (self->baseline_speedups[i], error))
      return FALSE;
  return TRUE;
}

/* Doubles, one for each run. The options were checked before. */
static GArray *
list_baseline_speedups (TbWaitAnalysis *self)
{
  GArray *baseline_speedups = g_array_new (FALSE, FALSE, sizeof (double));
  double times;

  for (guint i = 0; self->baseline_speedups[i] != NULL; i++)
    if (read_times (self->baseline_speedups[i], &times, NULL))
      g_array_append_val (baseline_speedups, times);
  return baseline_speedups;
}

/* The predictions from another recording of the same load, for the same part of it. */
static TbWaitWhatIf *
predict_from (TbWaitAnalysis *self,
              TbTrace *trace,
              TbSelection *selection,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (GArray) baseline_speedups = list_baseline_speedups (self);
  g_autoptr (TbSelection) carried = tb_selection_carry_over (selection, trace);
  g_autoptr (TbWaitResult) result = NULL;
  g_autoptr (TbSelection) target = NULL;

  if (!find_target (self, trace, carried, &target, error))
    return NULL;
  result = analyze_with_options (self, trace, carried, NULL, NULL, cancellable, error);
  return result != NULL ? tb_wait_what_if_new (result, (const char *const *) self->what_if, target,
                                               baseline_speedups, cancellable, error)
                        : NULL;
}

static TbWaitWhatIf *
predict (TbWaitAnalysis *self,
         const TbWaitResult *result,
         TbSelection *selection,
         TbSelection *target,
         GCancellable *cancellable,
         GError **error)
{
  g_autoptr (GArray) baseline_speedups = list_baseline_speedups (self);
  g_autoptr (TbWaitWhatIf) what_if
      = tb_wait_what_if_new (result, (const char *const *) self->what_if, target, baseline_speedups,
                             cancellable, error);

  for (guint i = 0; what_if != NULL && self->more_traces != NULL && i < self->more_traces->len; i++)
    {
      g_autoptr (TbWaitWhatIf) more = predict_from (self, g_ptr_array_index (self->more_traces, i),
                                                    selection, cancellable, error);

      if (more == NULL || !tb_wait_what_if_add (what_if, more, error))
        return NULL;
    }
  return g_steal_pointer (&what_if);
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
  TbWaitAnalysis *self = TB_WAIT_ANALYSIS (analysis);
  g_autoptr (TbWaitResult) result = NULL;
  g_autoptr (TbWaitWhatIf) what_if = NULL;
  g_autoptr (TbSelection) target = NULL;
  g_autofree char *warning = NULL;

  if (!check_what_if (self, error) || !find_target (self, trace, selection, &target, error))
    return NULL;
  choose_unit (self, trace, NULL, &warning);
  result = analyze_with_options (self, trace, selection, progress, data, cancellable, error);
  if (result == NULL)
    return NULL;
  if (self->what_if[0] != NULL)
    {
      if (progress != NULL)
        progress (0.7, _ ("Replaying the recording"), data);
      what_if = predict (self, result, selection, target, cancellable, error);
      if (what_if == NULL)
        return NULL;
    }
  if (progress != NULL)
    progress (0.8, _ ("Drawing the graph"), data);
  return make_report (self, result, what_if, warning, cancellable, error);
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
  TbWaitAnalysis *self = TB_WAIT_ANALYSIS (analysis);
  g_autoptr (TbWaitResult) base = NULL;
  g_autoptr (TbWaitResult) other = NULL;
  g_autoptr (TbReport) report = NULL;
  g_auto (TbComparisonPair) pair = { 0 };
  g_autofree char *warning = NULL;
  TbWaitProgress of_base = { progress, data, 0, 0.5 }, of_other = { progress, data, 0.5, 0.5 };

  if (!tb_comparison_pair_init (&pair, analysis, base_of, other_of, selection, error))
    return NULL;
  choose_unit (self, other_of, base_of, &warning);
  base = analyze_with_options (self, base_of, pair.selections[TB_COMPARISON_BASE],
                               tb_wait_progress_report, &of_base, cancellable, error);
  if (base == NULL)
    return NULL;
  other = analyze_with_options (self, other_of, selection, tb_wait_progress_report, &of_other,
                                cancellable, error);
  if (other == NULL)
    return NULL;
  report = tb_analysis_new_report (analysis, _ ("Wait Graph, Compared"), other->trace, other->from,
                                   other->to);
  tb_wait_add_warnings (report, other);
  add_unit (self, report, warning);
  tb_wait_compare (report, base, other, pair.scale, pair.normalized_by);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&report);
}

static void
tb_wait_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
  iface->compare = compare;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_WAIT_ANALYSIS);
}
