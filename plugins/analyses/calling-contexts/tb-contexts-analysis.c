/* tb-contexts-analysis.c: the analysis plug-in "calling-contexts": which function, called how, takes the time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/tb-analysis.h"
#include "extend/tb-option-object.h"
#include "tb-contexts-compare.h"
#include "tb-contexts-figures.h"
#include "tb-contexts-findings.h"
#include "tb-contexts-summary.h"

#define TB_TYPE_CONTEXTS_ANALYSIS (tb_contexts_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbContextsAnalysis, tb_contexts_analysis, TB, CONTEXTS_ANALYSIS, TbOptionObject)

struct _TbContextsAnalysis
{
  TbOptionObject parent_instance;

  char *events;
  char *estimate;
  char *cost;
  char *process;
  char *normalize;
  guint top;
};

/* In the order of TbContextsEstimate. */
static const char *const estimate_choices[] = { "conservative", "aggressive", "refined", NULL };
static const char *const cost_choices[] = { "total", "mean", NULL };
static const char *const normalize_choices[] = { "none", "duration", NULL };

static void tb_contexts_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbContextsAnalysis,
                               tb_contexts_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, tb_contexts_analysis_iface_init))

static void
tb_contexts_analysis_class_init (TbContextsAnalysisClass *klass)
{
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);
  GParamSpec *option;

  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbContextsAnalysis, events),
                              g_param_spec_string ("events", _ ("Events"),
                                                   _ ("Events whose stacks are used: all, or a list of "
                                                      "syscall, switch, sample, wakeup, network, block, "
                                                      "call, mark, fork"),
                                                   "all", TB_OPTION_FLAGS));
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, estimate),
      g_param_spec_string ("estimate", _ ("Estimate"),
                           _ ("How the end of a call is placed: at the last event in it, at the event that "
                              "ended it, or by what "
                              "else is known"),
                           "refined", TB_OPTION_FLAGS));
  tb_option_set_choices (option, estimate_choices);
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, cost),
      g_param_spec_string ("cost", _ ("Cost"),
                           _ ("What functions add to the cost of a path: all their calls, or the mean one"),
                           "total", TB_OPTION_FLAGS));
  tb_option_set_choices (option, cost_choices);
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbContextsAnalysis, process),
                              g_param_spec_string ("process", _ ("Process"),
                                                   _ ("Only threads of this process, a name or a pid"), "",
                                                   TB_OPTION_FLAGS));
  option = tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbContextsAnalysis, normalize),
      g_param_spec_string (
          "normalize", _ ("Normalize"),
          _ ("What is made alike when two recordings are compared: nothing, or how long they took"), "none",
          TB_OPTION_FLAGS));
  tb_option_set_choices (option, normalize_choices);
  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbContextsAnalysis, top),
                              g_param_spec_uint ("top", _ ("Paths shown"),
                                                 _ ("How many paths are shown, 0: all"), 0, G_MAXINT32, 20,
                                                 TB_OPTION_FLAGS));
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
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ ("\"%s\" is no %s: %s were expected"), text,
               name, list);
  return FALSE;
}

static gboolean
read_options (TbContextsAnalysis *self, TbContextsOptions *out, GError **error)
{
  *out = (TbContextsOptions) { .top = self->top, .estimate = TB_CONTEXTS_REFINED };
  if (!check_choice (estimate_choices, self->estimate, "estimate", error)
      || !check_choice (cost_choices, self->cost, "cost", error)
      || !check_choice (normalize_choices, self->normalize, "normalize", error)
      || !(out->events = tb_contexts_events_parse (self->events, error)))
    return FALSE;
  for (guint i = 0; self->estimate != NULL && estimate_choices[i] != NULL; i++)
    if (g_str_equal (estimate_choices[i], self->estimate))
      out->estimate = i;
  out->by_mean = g_strcmp0 (self->cost, "mean") == 0;
  return TRUE;
}

static TbSelection *
select_process (TbContextsAnalysis *self, TbTrace *trace, GError **error)
{
  g_autoptr (TbSelection) process = tb_selection_new (trace);

  if (self->process != NULL && *self->process != '\0'
      && !tb_selection_add_process_by_name (process, self->process, error))
    return NULL;
  return g_steal_pointer (&process);
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
  g_autofree char *headline = NULL;
  TbContextsOptions chosen;

  if (!read_options (self, &chosen, error) || !(process = select_process (self, trace, error)))
    return NULL;
  if (progress != NULL)
    progress (0.1, _ ("Inferring calls of functions"), data);
  summary = tb_contexts_summary_new (trace, selection, process, &chosen, cancellable, error);
  if (summary == NULL)
    return NULL;
  if (progress != NULL)
    progress (0.8, _ ("Drawing calling contexts"), data);
  report = tb_analysis_new_report (analysis, _ ("Calling Contexts"), trace, summary->from, summary->to);
  headline = tb_contexts_make_headline (summary);
  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_contexts_summary_to_json (summary));
  tb_contexts_add_warnings (report, summary, NULL);
  tb_contexts_add_findings (report, summary);
  tb_contexts_add_figures (report, summary);
  return g_steal_pointer (&report);
}

/* --- two recordings --- */

/* The same stretch of the base, counted from the start of each; and those threads whose names are asked about. */
static TbSelection *
carry_over (TbTrace *other, TbTrace *base, TbSelection *selection)
{
  TbSelection *carried = tb_selection_new (base);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 from, to, other_from, other_to, base_from, base_to;
  guint n_threads, n_chosen = 0;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (other), &n_threads);
  gboolean any = FALSE;

  tb_selection_get_range (selection, &from, &to);
  tb_trace_get_range (other, &other_from, &other_to);
  tb_trace_get_range (base, &base_from, &base_to);
  if (from != other_from || to != other_to)
    tb_selection_set_range (carried, MIN (base_from + (from - other_from), base_to),
                            MIN (base_from + (to - other_from), base_to));
  for (guint32 i = 1; i < n_threads; i++)
    if (tb_selection_has_thread (selection, i))
      {
        g_hash_table_add (names, (gpointer) threads[i].name);
        n_chosen++;
      }
  if (n_threads == 0 || n_chosen == n_threads - 1)
    return carried;
  threads = tb_session_get_threads (tb_trace_get_session (base), &n_threads);
  for (guint32 i = 1; i < n_threads; i++)
    if (g_hash_table_contains (names, threads[i].name))
      {
        tb_selection_add_thread (carried, i);
        any = TRUE;
      }
  /* Nobody, not everybody. */
  if (!any)
    tb_selection_add_thread (carried, TB_THREAD_IDLE);
  return carried;
}

static TbContextsSummary *
summarize (TbContextsAnalysis *self,
           TbTrace *trace,
           TbSelection *selection,
           const TbContextsOptions *chosen,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (TbSelection) process = select_process (self, trace, error);

  return process != NULL ? tb_contexts_summary_new (trace, selection, process, chosen, cancellable, error)
                         : NULL;
}

static void
add_other_warnings (TbReport *report, TbContextsSummary *base, TbContextsSummary *other)
{
  const TbTraceCounts *const lost[]
      = { tb_trace_get_counts (base->trace), tb_trace_get_counts (other->trace) };
  const char *const *warnings = tb_trace_get_warnings (other->trace);

  for (guint i = 0; warnings[i] != NULL; i++)
    {
      g_autofree char *warning = g_strdup_printf (_ ("Other recording: %s"), warnings[i]);

      tb_report_add_warning (report, warning);
    }
  tb_report_set_uncertainty (report, lost[0]->lost_events + lost[1]->lost_events,
                             lost[0]->lost_ns + lost[1]->lost_ns);
  tb_contexts_add_warnings (report, other, _ ("Other recording: "));
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
  TbContextsAnalysis *self = TB_CONTEXTS_ANALYSIS (analysis);
  g_autoptr (TbSelection) carried = carry_over (other_of, base_of, selection);
  g_autoptr (TbContextsSummary) base = NULL;
  g_autoptr (TbContextsSummary) other = NULL;
  g_autoptr (TbReport) report = NULL;
  TbContextsOptions chosen;
  gboolean normalized;
  double scale = 1;

  if (!read_options (self, &chosen, error))
    return NULL;
  if (progress != NULL)
    progress (0.1, _ ("Inferring calls of functions"), data);
  if (!(base = summarize (self, base_of, carried, &chosen, cancellable, error)))
    return NULL;
  if (progress != NULL)
    progress (0.5, _ ("Inferring calls of functions"), data);
  if (!(other = summarize (self, other_of, selection, &chosen, cancellable, error)))
    return NULL;
  normalized = g_strcmp0 (self->normalize, "duration") == 0 && other->to > other->from;
  if (normalized)
    scale = (double) (base->to - base->from) / (other->to - other->from);
  report
      = tb_analysis_new_report (analysis, _ ("Calling Contexts, compared"), base_of, other->from, other->to);
  tb_contexts_add_warnings (report, base, NULL);
  add_other_warnings (report, base, other);
  tb_contexts_compare (report, base, other, scale, normalized ? "recorded_ns" : NULL);
  return g_steal_pointer (&report);
}

static void
tb_contexts_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
  iface->compare = compare;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_CONTEXTS_ANALYSIS);
}
