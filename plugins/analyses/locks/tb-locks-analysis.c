/* tb-locks-analysis.c: analysis plug-in "locks": waits for locks and their holders; options, report
 * on a recording, comparison of two
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/plugins/tb-comparison-pair.h"
#include "extend/options/tb-option-object.h"
#include "extend/plugins/tb-polling-findings.h"
#include "tb-locks-compare.h"
#include "tb-locks-report.h"
#include "trace/tb-trace-sleep-polls.h"

#define TB_TYPE_LOCKS_ANALYSIS (tb_locks_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbLocksAnalysis, tb_locks_analysis, TB, LOCKS_ANALYSIS, TbOptionObject)

struct _TbLocksAnalysis
{
  TbOptionObject parent_instance;

  guint top;
  gint64 min_wait;
  char *process;
};

static void tb_locks_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbLocksAnalysis,
                               tb_locks_analysis,
                               TB_TYPE_OPTION_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS,
                                                      tb_locks_analysis_iface_init))

static void
tb_locks_analysis_class_init (TbLocksAnalysisClass *klass)
{
  TbOptionObjectClass *class = TB_OPTION_OBJECT_CLASS (klass);
  GParamSpec *option;

  tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLocksAnalysis, top),
                              g_param_spec_uint ("top", _ ("Locks shown"),
                                                 _ ("Number of locks shown of each use; 0 is all"),
                                                 0, G_MAXINT32, 20, TB_OPTION_FLAGS));
  option = tb_option_object_class_add (class, G_STRUCT_OFFSET (TbLocksAnalysis, min_wait),
                                       g_param_spec_int64 ("min-wait", _ ("Shortest wait"),
                                                           _ ("Shorter waits are left out"), 0,
                                                           G_MAXINT64, 0, TB_OPTION_FLAGS));
  tb_option_set_unit (option, "ns");
  tb_option_object_class_add (
      class, G_STRUCT_OFFSET (TbLocksAnalysis, process),
      g_param_spec_string ("process", _ ("Process"),
                           _ ("Only waits of this process count: a name or a PID"), "",
                           TB_OPTION_FLAGS));
}

static void
tb_locks_analysis_init (TbLocksAnalysis *self)
{
}

/* The threads that a report is about. */
typedef struct
{
  TbSelection *selection;
  TbSelection *process;
} Scope;

static gint64
weigh_poll (const TbSleepPoll *poll, gpointer data)
{
  const Scope *scope = data;
  gboolean is_in_scope = tb_selection_has_thread (scope->selection, poll->thread)
                         && tb_selection_has_thread (scope->process, poll->thread);

  return is_in_scope ? poll->sleep_ns : -1;
}

static TbReport *
make_report (TbLocksAnalysis *self, TbLocksSummary *summary, Scope *scope)
{
  g_autoptr (GArray) polls
      = tb_trace_find_sleep_polls (summary->trace, summary->from, summary->to, NULL);
  TbReport *report = tb_analysis_new_report (TB_ANALYSIS (self), _ ("Locks"), summary->trace,
                                             summary->from, summary->to);
  g_autofree char *headline = tb_locks_make_headline (summary);

  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_locks_summary_to_json (summary, self->top));
  tb_locks_add_figures (report, summary, self->top);
  tb_locks_add_findings (report, summary, self->top);
  tb_report_add_polling_findings (report, summary->trace, polls, summary->from, summary->to,
                                  weigh_poll, scope);
  return report;
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
  TbLocksAnalysis *self = TB_LOCKS_ANALYSIS (analysis);
  g_autoptr (TbSelection) process = tb_selection_new_of_process (trace, self->process, error);
  g_autoptr (TbLocksSummary) summary = NULL;
  Scope scope;

  if (process == NULL)
    return NULL;
  if (progress != NULL)
    progress (0.1, _ ("Summing up waits by lock"), data);
  summary = tb_locks_summary_new (trace, selection, process, self->min_wait, cancellable, error);
  scope = (Scope) { selection, process };
  return summary != NULL ? make_report (self, summary, &scope) : NULL;
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
  return tb_analysis_compare_reports (analysis, _ ("Locks, Compared"), base, other, selection,
                                      tb_locks_compare, progress, data, cancellable, error);
}

static void
tb_locks_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->run = run;
  iface->compare = compare;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_LOCKS_ANALYSIS);
}
