/* tb-threads-analysis.c: analysis plug-in "threads": states and waits of every thread; options,
 * report on a recording with its headline, comparison of two
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/plugins/tb-comparison-pair.h"
#include "extend/options/tb-option-object.h"
#include "tb-threads-compare.h"
#include "tb-threads-findings.h"
#include "tb-threads-flames.h"
#include "tb-threads-marks.h"
#include "tb-threads-summary.h"
#include "tb-threads-tables.h"
#include "tb-threads-timeline.h"
#include "trace/tb-context-tree.h"

#define TB_TYPE_THREADS_ANALYSIS (tb_threads_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbThreadsAnalysis, tb_threads_analysis, TB, THREADS_ANALYSIS, TbOptionObject)

struct _TbThreadsAnalysis
{
  TbOptionObject parent_instance;

  gint64 wakeup_tolerance;
  gboolean idle_threads;
  gboolean by_thread;
};

static void tb_threads_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbThreadsAnalysis,
                               tb_threads_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS,
                                                      tb_threads_analysis_iface_init))

static void
tb_threads_analysis_class_init (TbThreadsAnalysisClass *klass)
{
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);
  GParamSpec *option;

  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbThreadsAnalysis, wakeup_tolerance),
      g_param_spec_int64 ("wakeup-tolerance", _ ("Wake-up tolerance"),
                          _ ("A wake-up that comes at most this long before a thread has left the "
                             "CPU ends that wait"),
                          0, G_USEC_PER_SEC * 1000, TB_WAKEUP_TOLERANCE, TB_OPTION_FLAGS));
  tb_option_set_unit (option, "ns");
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbThreadsAnalysis, idle_threads),
      g_param_spec_boolean ("idle-threads", _ ("Idle threads"),
                            _ ("In the timeline, show threads that did nothing, too"), FALSE,
                            TB_OPTION_FLAGS));
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbThreadsAnalysis, by_thread),
      g_param_spec_boolean ("by-thread", _ ("Flames by thread"),
                            _ ("Keep the threads of a process separate in the flames"), FALSE,
                            TB_OPTION_FLAGS));
}

static void
tb_threads_analysis_init (TbThreadsAnalysis *self)
{
}

/* "18 threads (processes: 7) in 265 ms, with 433 samples. When they ran or waited was not
 * recorded." */
static char *
make_headline_of_unknown (TbThreadsSummary *summary, guint n_processes)
{
  g_autofree char *range = tb_format_duration (summary->to - summary->from);
  guint64 n_samples = 0;

  for (guint i = 0; i < summary->threads->len; i++)
    n_samples += ((TbThreadSummary *) g_ptr_array_index (summary->threads, i))->n_samples;
  return g_strdup_printf (ngettext ("%'u thread (processes: %'u) in %s, samples: %'" PRIu64
                                    ". When it ran or waited was not recorded.",
                                    "%'u threads (processes: %'u) in %s, samples: %'" PRIu64
                                    ". When they ran or waited was not recorded.",
                                    summary->threads->len),
                          summary->threads->len, n_processes, range, n_samples);
}

/* "In 265 ms, 12 of 18 threads ran (processes: 7): in all they ran 112 ms. How long they waited for
 * a CPU was not recorded." */
static char *
make_headline_without_wakeups (const TbThreadsSummary *summary,
                               guint n_processes,
                               guint n_active,
                               gint64 running,
                               gint64 runnable)
{
  g_autofree char *range = tb_format_duration (summary->to - summary->from);
  g_autofree char *running_text = tb_format_duration (running);
  g_autofree char *runnable_text = tb_format_duration (runnable);

  if (runnable == 0)
    return g_strdup_printf (
        ngettext ("In %s, %'u of %'u thread ran (processes: %'u): in all it ran %s. How long it "
                  "waited for a CPU was not recorded.",
                  "In %s, %'u of %'u threads ran (processes: %'u): in all they ran %s. How long "
                  "they waited for a CPU was not recorded.",
                  summary->threads->len),
        range, n_active, summary->threads->len, n_processes, running_text);
  return g_strdup_printf (
      ngettext ("In %s, %'u of %'u thread ran (processes: %'u): in all it ran %s, and waited at "
                "least %s for a CPU.",
                "In %s, %'u of %'u threads ran (processes: %'u): in all they ran %s, and waited "
                "at least %s for a CPU.",
                summary->threads->len),
      range, n_active, summary->threads->len, n_processes, running_text, runnable_text);
}

/* "In 265 ms, 12 of 18 threads ran (processes: 7): in all they ran 112 ms, and waited 3 ms for a
 * CPU." */
static char *
make_headline (TbThreadsSummary *summary)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  guint n_threads, n_active = 0;
  const TbThread *threads
      = tb_session_get_threads (tb_trace_get_session (summary->trace), &n_threads);
  gint64 running = 0, runnable = 0;
  g_autofree char *range = tb_format_duration (summary->to - summary->from);
  g_autofree char *running_text = NULL;
  g_autofree char *runnable_text = NULL;

  for (guint i = 0; i < summary->threads->len; i++)
    {
      const TbThreadSummary *thread = g_ptr_array_index (summary->threads, i);

      g_hash_table_add (processes, GUINT_TO_POINTER (threads[thread->thread].process));
      running += thread->ns[TB_STATE_RUNNING];
      runnable += thread->ns[TB_STATE_RUNNABLE];
      n_active += thread->ns[TB_STATE_RUNNING] > 0;
    }
  if (summary->threads->len == 0)
    return g_strdup (n_threads > TB_THREAD_IDLE + 1
                         ? _ ("No thread has an event with a known time in this range.")
                         : _ ("The recording has no threads."));
  if (summary->n_known == 0)
    return make_headline_of_unknown (summary, g_hash_table_size (processes));
  if (!tb_threads_summary_has_wait_ends (summary))
    return make_headline_without_wakeups (summary, g_hash_table_size (processes), n_active, running,
                                          runnable);
  running_text = tb_format_duration (running);
  runnable_text = tb_format_duration (runnable);
  return g_strdup_printf (
      ngettext ("In %s, %'u of %'u thread ran (processes: %'u): in all it ran %s, and waited %s "
                "for a CPU.",
                "In %s, %'u of %'u threads ran (processes: %'u): in all they ran %s, and waited "
                "%s for a CPU.",
                summary->threads->len),
      range, n_active, summary->threads->len, g_hash_table_size (processes), running_text,
      runnable_text);
}

static void
report_progress (TbProgressFunc progress, gpointer data, double share, const char *what)
{
  if (progress != NULL)
    progress (share, what, data);
}

static JsonNode *
make_json (gpointer data)
{
  return tb_threads_summary_to_json (data);
}

static void
free_summary (gpointer data)
{
  tb_threads_summary_free (data);
}

/* --- calling contexts, made while the states are summed up --- */

typedef struct
{
  TbTrace *trace;
  GCancellable *cancellable;
  GThread *thread;
} Contexts;

static gpointer
make_contexts (gpointer data)
{
  Contexts *self = data;
  TbContextTree *tree;

  if (self->cancellable != NULL)
    g_cancellable_push_current (self->cancellable);
  tree = tb_trace_get_context_tree (self->trace);
  if (self->cancellable != NULL)
    g_cancellable_pop_current (self->cancellable);
  return tree;
}

static void
contexts_init (Contexts *self, TbTrace *trace, GCancellable *cancellable)
{
  self->trace = trace;
  self->cancellable = cancellable;
  self->thread = g_thread_new ("contexts", make_contexts, self);
}

/* (transfer full) */
static TbContextTree *
contexts_wait (Contexts *self)
{
  return g_thread_join (g_steal_pointer (&self->thread));
}

static void
contexts_clear (Contexts *self)
{
  if (self->thread != NULL)
    g_object_unref (contexts_wait (self));
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Contexts, contexts_clear)

static TbReport *
run (TbAnalysis *analysis,
     TbTrace *of,
     TbSelection *selection,
     TbProgressFunc progress,
     gpointer data,
     GCancellable *cancellable,
     GError **error)
{
  TbThreadsAnalysis *self = TB_THREADS_ANALYSIS (analysis);
  g_autoptr (TbTrace) trace = tb_trace_get_with_tolerance (of, self->wakeup_tolerance, progress,
                                                           data, cancellable, error);
  g_auto (Contexts) contexts = { 0 };
  g_autoptr (TbContextTree) tree = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbThreadsSummary) summary = NULL;
  g_auto (TbThreadsSamples) samples = { 0 };
  g_autofree char *headline = NULL;
  TbTimelineFigure *timeline;
  gint64 from, to;

  if (trace == NULL)
    return NULL;
  contexts_init (&contexts, trace, cancellable);
  tb_selection_get_range (selection, &from, &to);
  report_progress (progress, data, 0.1, _ ("Summing up the states of threads"));
  summary = tb_threads_summary_new (trace, selection, from, to, cancellable, error);
  if (summary == NULL)
    return NULL;

  report = tb_analysis_new_report (analysis, _ ("Threads"), trace, from, to);
  headline = make_headline (summary);
  tb_report_set_headline (report, headline);

  report_progress (progress, data, 0.3, _ ("Laying out the timeline"));
  timeline = tb_threads_make_timeline (summary, self->idle_threads, cancellable, error);
  if (timeline == NULL)
    return NULL;
  tb_report_add_figure (report, TB_FIGURE (timeline));
  tb_threads_add_tables (report, summary);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (!tb_threads_add_marks (report, summary, error))
    return NULL;
  report_progress (progress, data, 0.6, _ ("Folding stacks"));
  if (!tb_threads_samples_load (&samples, summary, error))
    return NULL;
  tree = contexts_wait (&contexts);
  if (!tb_threads_add_flames (report, summary, tree, &samples, self->by_thread, cancellable, error))
    return NULL;
  report_progress (progress, data, 0.9, _ ("Searching for findings"));
  tb_threads_add_findings (report, summary);
  tb_report_set_summary_func (report, make_json, g_steal_pointer (&summary), free_summary);
  return g_steal_pointer (&report);
}

static TbThreadsSummary *
summarize (const TbComparisonPair *pair,
           TbComparisonSide side,
           TbTrace *trace,
           GCancellable *cancellable,
           GError **error)
{
  return tb_threads_summary_new (trace, pair->selections[side], pair->from[side], pair->to[side],
                                 cancellable, error);
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
  TbThreadsAnalysis *self = TB_THREADS_ANALYSIS (analysis);
  g_autoptr (TbTrace) base = tb_trace_get_with_tolerance (base_of, self->wakeup_tolerance, progress,
                                                          data, cancellable, error);
  g_autoptr (TbTrace) other = base != NULL
                                  ? tb_trace_get_with_tolerance (other_of, self->wakeup_tolerance,
                                                                 progress, data, cancellable, error)
                                  : NULL;
  g_auto (TbComparisonPair) pair = { 0 };
  g_autoptr (TbThreadsSummary) base_summary = NULL;
  g_autoptr (TbThreadsSummary) other_summary = NULL;
  g_autoptr (TbReport) report = NULL;

  if (other == NULL
      || !tb_comparison_pair_init (&pair, analysis, base_of, other_of, selection, error))
    return NULL;

  report_progress (progress, data, 0.2, _ ("Summing up the states of threads"));
  base_summary = summarize (&pair, TB_COMPARISON_BASE, base, cancellable, error);
  if (base_summary == NULL)
    return NULL;
  other_summary = summarize (&pair, TB_COMPARISON_OTHER, other, cancellable, error);
  if (other_summary == NULL)
    return NULL;

  report = tb_analysis_new_report (analysis, _ ("Threads, Compared"), base,
                                   pair.from[TB_COMPARISON_OTHER], pair.to[TB_COMPARISON_OTHER]);
  tb_analysis_add_other_warnings (report, other);
  tb_threads_compare (report, base_summary, other_summary, pair.scale, pair.normalized_by);
  return g_steal_pointer (&report);
}

static void
tb_threads_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
  iface->compare = compare;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_THREADS_ANALYSIS);
}
