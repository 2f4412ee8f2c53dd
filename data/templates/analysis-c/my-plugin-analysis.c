/* my-plugin-analysis.c: analysis for Tailback: the longest wait of each thread
 *
 * SPDX-License-Identifier: MIT-0
 */

#include <libpeas.h>
#include <tailback.h>

G_DECLARE_FINAL_TYPE (MyPluginAnalysis, my_plugin_analysis, MY_PLUGIN, ANALYSIS, TbOptionObject)

struct _MyPluginAnalysis
{
  TbOptionObject parent_instance;

  gint64 shortest;
};

static void analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MyPluginAnalysis,
                               my_plugin_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, analysis_iface_init))

static void
my_plugin_analysis_class_init (MyPluginAnalysisClass *klass)
{
  /* A row in the window, and "--option shortest=1ms" on the command line. */
  GParamSpec *option = tb_option_object_class_add (
      TB_OPTION_OBJECT_CLASS (klass), G_STRUCT_OFFSET (MyPluginAnalysis, shortest),
      g_param_spec_int64 ("shortest", "Shortest wait",
                          "Threads that wait less at a time are left out", 0, G_MAXINT64, 0,
                          TB_OPTION_FLAGS));

  tb_option_set_unit (option, "ns");
}

static void
my_plugin_analysis_init (MyPluginAnalysis *self)
{
}

static gboolean
is_waiting (guint8 state)
{
  return state == TB_STATE_INTERRUPTIBLE || state == TB_STATE_UNINTERRUPTIBLE;
}

/* Finds the longest wait of a thread within the range. Returns 0 if there is none. */
static gint64
find_longest (TbTrace *trace, guint32 thread, gint64 from, gint64 to, gint64 *begin)
{
  const TbIntervals *intervals = tb_trace_get_intervals (trace);
  gint64 longest = 0;
  gsize first, n;

  tb_trace_get_thread_intervals (trace, thread, &first, &n);
  for (gsize i = first; i < first + n; i++)
    {
      gint64 start = MAX (intervals->start[i], from), end = MIN (intervals->end[i], to);

      if (is_waiting (intervals->state[i]) && start < end && end - start > longest)
        {
          longest = end - start;
          *begin = start;
        }
    }
  return longest;
}

static void
add_row (TbTableFigure *table, TbTrace *trace, guint32 thread, gint64 wait, gint64 begin)
{
  g_autofree char *item = g_strdup_printf ("%u", thread);
  g_autofree char *name = tb_trace_describe_thread (trace, thread);
  guint row = tb_table_figure_add_row (table, item);

  tb_table_figure_set_text (table, row, 0, name);
  tb_table_figure_set_integer (table, row, 1, wait);
  tb_table_figure_set_place (table, row, thread, begin, begin + wait); /* for the timeline */
}

static TbFinding *
make_finding (TbTrace *trace, guint32 thread, gint64 wait, double share)
{
  g_autofree char *item = g_strdup_printf ("%u", thread);
  g_autofree char *name = tb_trace_describe_thread (trace, thread);
  g_autofree char *time = tb_format_duration (wait);
  g_autofree char *text = g_strdup_printf ("%s waited for %s at a time.", name, time);
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, text, wait, share);

  tb_finding_set_code (finding, "longest-wait");
  tb_finding_add_thread (finding, thread);
  tb_finding_set_place (finding, "waits", item);
  return finding;
}

/* Runs in a thread of its own. */
static TbReport *
run (TbAnalysis *analysis,
     TbTrace *trace,
     TbSelection *selection,
     TbProgressFunc progress,
     gpointer data,
     GCancellable *cancellable,
     GError **error)
{
  MyPluginAnalysis *self = MY_PLUGIN_ANALYSIS (analysis);
  TbTableFigure *table = tb_table_figure_new ("waits", "Longest Waits");
  TbReport *report;
  guint n_threads;
  guint32 most_thread = 0;
  gint64 from, to, begin = 0, most = 0;

  tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  tb_selection_get_range (selection, &from, &to);
  tb_table_figure_add_column (table, "thread", "Thread", TB_CELL_TEXT);
  tb_table_figure_add_column (table, "wait", "Longest Wait", TB_CELL_DURATION);
  for (guint32 thread = 0; thread < n_threads; thread++)
    {
      gint64 wait;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_object_unref (table);
          return NULL;
        }
      if (progress != NULL)
        progress ((double) thread / n_threads, "Looking for waits", data);
      if (!tb_selection_has_thread (selection, thread))
        continue;
      wait = find_longest (trace, thread, from, to, &begin);
      if (wait > 0 && wait >= self->shortest)
        add_row (table, trace, thread, wait, begin);
      if (wait > most)
        {
          most = wait;
          most_thread = thread;
        }
    }

  report = tb_analysis_new_report (analysis, "My Plug-In", trace, from, to);
  if (most > 0 && most >= self->shortest)
    tb_report_add_finding (report,
                           make_finding (trace, most_thread, most, (double) most / (to - from)));
  tb_report_add_figure (report, TB_FIGURE (table));
  return report;
}

static void
analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS,
                                              my_plugin_analysis_get_type ());
}
