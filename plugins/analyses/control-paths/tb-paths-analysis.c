/* tb-paths-analysis.c: analysis plug-in "control-paths": where the time of a process went, along
 * its threads and what they waited for; options, report, comparison; effect of a larger tolerance
 * ("grace") for scheduling delays, as a finding
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/plugins/tb-comparison-pair.h"
#include "extend/options/tb-option-object.h"
#include "tb-paths-compare.h"
#include "tb-paths-findings.h"
#include "tb-paths-flames.h"
#include "tb-paths-thread-of-interest.h"
#include "tb-paths-summary.h"
#include "tb-paths-tables.h"
#include "tb-paths-timeline.h"
#include "tb-paths-run-inference.h"

/* The summary hides threads that take less than 1/HIDDEN_IN_SUMMARY of the time. */
#define HIDDEN_IN_SUMMARY 300
#define WIDER_GRACE G_GINT64_CONSTANT (1000000)

#define TB_TYPE_PATHS_ANALYSIS (tb_paths_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbPathsAnalysis, tb_paths_analysis, TB, PATHS_ANALYSIS, TbOptionObject)

struct _TbPathsAnalysis
{
  TbOptionObject parent_instance;

  char *process;
  char *thread;
  TbPathsThresholds thresholds;
  gboolean by_thread;
  gboolean summary_mode;
};

static void tb_paths_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbPathsAnalysis,
                               tb_paths_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS,
                                                      tb_paths_analysis_iface_init))

static GParamSpec *
make_duration (const char *name, const char *nick, const char *blurb, gint64 value)
{
  GParamSpec *property
      = g_param_spec_int64 (name, nick, blurb, 0, G_USEC_PER_SEC * 1000, value,
                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS);

  tb_option_set_unit (property, "ns");
  return property;
}

static void
tb_paths_analysis_class_init (TbPathsAnalysisClass *klass)
{
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);

  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPathsAnalysis, process),
      g_param_spec_string ("process", _ ("Process"),
                           _ ("Process of interest, by name, PID or command; by default that of "
                              "the selection, else the recorded command"),
                           "", TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPathsAnalysis, thread),
      g_param_spec_string ("thread", _ ("Thread"),
                           _ ("Thread of interest, by TID or name: its runs are the base path; by "
                              "default the main thread"),
                           "", TB_OPTION_FLAGS));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPathsAnalysis, thresholds.grace),
                              make_duration ("grace", _ ("Grace"),
                                             _ ("How far the awaited work may reach beyond the "
                                                "wait at either side and still count as a whole"),
                                             TB_PATHS_GRACE));
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbPathsAnalysis, thresholds.poll_run),
                              make_duration ("poll-run", _ ("Run in a poll loop"),
                                             _ ("Waits at one place that time out count as one if "
                                                "the CPU time between them is shorter than this, "
                                                "or than a hundredth of the wait"),
                                             TB_PATHS_POLL_RUN));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPathsAnalysis, thresholds.sample_late),
      make_duration ("sample-late", _ ("Late samples"),
                     _ ("A sample belongs to a run that ended less than this before it"),
                     TB_PATHS_SAMPLE_LATE));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPathsAnalysis, by_thread),
      g_param_spec_boolean ("by-thread", _ ("Flames by thread"),
                            _ ("Keep the threads of a process separate in the flames"), FALSE,
                            TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbPathsAnalysis, summary_mode),
      g_param_spec_boolean (
          "summary", _ ("Summary"),
          _ ("Hide what takes less than one part in 300 of the time in the figures"), FALSE,
          TB_OPTION_FLAGS));
}

static void
tb_paths_analysis_init (TbPathsAnalysis *self)
{
}

static void
report_progress (TbProgressFunc progress, gpointer data, double share, const char *what)
{
  if (progress != NULL)
    progress (share, what, data);
}

static void
set_head (TbReport *report, TbPathsSummary *summary)
{
  g_autofree char *headline = tb_paths_make_headline (summary);

  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_paths_summary_to_json (summary));
}

/* The paper's own program uses a wider grace than its text states. Computes the paths with that
 * grace as well, for a finding about the difference. */
static gboolean
try_wider_grace (TbReport *report,
                 TbPathsSummary *summary,
                 GCancellable *cancellable,
                 GError **error)
{
  TbPaths *paths = summary->paths;
  gint64 grace = paths->model->thresholds.grace;
  g_autoptr (TbPaths) wider = NULL;
  g_autoptr (TbPathsSummary) other = NULL;

  if (grace >= WIDER_GRACE)
    return TRUE;
  paths->model->thresholds.grace = WIDER_GRACE;
  wider = tb_paths_new (paths->trace, paths->model, paths->events, paths->process, paths->thread,
                        paths->from, paths->to, cancellable, error);
  if (wider != NULL)
    other = tb_paths_summary_new (wider, cancellable, error);
  paths->model->thresholds.grace = grace;
  if (other == NULL)
    return FALSE;
  tb_paths_add_grace_finding (report, summary, other, WIDER_GRACE);
  g_clear_pointer (&other, tb_paths_summary_free);
  return TRUE;
}

static TbReport *
make_report (TbPathsAnalysis *self,
             TbPaths *paths,
             TbProgressFunc progress,
             gpointer data,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (TbPathsSummary) summary = NULL;
  g_autoptr (TbReport) report = NULL;

  report_progress (progress, data, 0.5, _ ("Explaining where the time went"));
  summary = tb_paths_summary_new (paths, cancellable, error);
  if (summary == NULL)
    return NULL;
  report = tb_analysis_new_report (TB_ANALYSIS (self), _ ("Control Paths"), paths->trace,
                                   paths->from, paths->to);
  set_head (report, summary);
  report_progress (progress, data, 0.7, _ ("Building the flames"));
  tb_paths_add_tables (report, summary);
  if (!tb_paths_add_flames (report, paths, self->by_thread,
                            self->summary_mode ? HIDDEN_IN_SUMMARY : 0, cancellable, error))
    return NULL;
  report_progress (progress, data, 0.9, _ ("Laying out the timeline"));
  if (!tb_paths_add_timeline (report, paths, self->summary_mode ? HIDDEN_IN_SUMMARY : 0,
                              cancellable, error))
    return NULL;
  tb_paths_add_findings (report, summary);
  if (!try_wider_grace (report, summary, cancellable, error))
    return NULL;
  return g_steal_pointer (&report);
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
  TbPathsAnalysis *self = TB_PATHS_ANALYSIS (analysis);
  g_autoptr (TbPathsModel) model = NULL;
  g_autoptr (TbPathsEvents) events = NULL;
  g_autoptr (TbPaths) paths = NULL;
  guint32 process, thread;
  gint64 from, to;

  tb_selection_get_range (selection, &from, &to);
  if (!tb_paths_find_process (trace, selection, self->process, &process, error)
      || !tb_paths_find_thread (trace, process, self->thread, &thread, error))
    return NULL;
  report_progress (progress, data, 0.1, _ ("Linking runs and sleeps"));
  model = tb_paths_model_new (trace, &self->thresholds, cancellable, error);
  if (model == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  report_progress (progress, data, 0.2, _ ("Attaching samples and requests"));
  events = tb_paths_events_new (trace, model, cancellable, error);
  if (events == NULL)
    return NULL;
  tb_paths_run_inference_learn (events, model, FALSE);
  report_progress (progress, data, 0.3, _ ("Following control paths"));
  paths = tb_paths_new (trace, model, events, process, thread, from, to, cancellable, error);
  if (paths == NULL)
    return NULL;
  return make_report (self, paths, progress, data, cancellable, error);
}

static TbReport *
compare (TbAnalysis *analysis,
         TbTrace *base,
         TbTrace *other,
         TbSelection *selection,
         TbProgressFunc progress,
         gpointer data,
         GCancellable *cancellable,
         GError **error)
{
  return tb_analysis_compare_reports (analysis, _ ("Control Paths, Compared"), base, other,
                                      selection, tb_paths_compare, progress, data, cancellable,
                                      error);
}

static void
tb_paths_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
  iface->compare = compare;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_PATHS_ANALYSIS);
}
