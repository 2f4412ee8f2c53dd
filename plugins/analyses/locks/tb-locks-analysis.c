/* tb-locks-analysis.c: the analysis plug-in "locks": which locks threads waited for, and who held them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <libpeas.h>

#include "extend/tb-analysis.h"
#include "tb-locks-report.h"

#define TB_TYPE_LOCKS_ANALYSIS (tb_locks_analysis_get_type ())
G_DECLARE_FINAL_TYPE (TbLocksAnalysis, tb_locks_analysis, TB, LOCKS_ANALYSIS, GObject)

struct _TbLocksAnalysis
{
  GObject parent_instance;

  guint top;
  gint64 min_wait;
  char *process;
};

enum
{
  PROP_0,
  PROP_TOP,
  PROP_MIN_WAIT,
  PROP_PROCESS,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static const char *const options[] = { "top", "min-wait", "process", NULL };

static void tb_locks_analysis_iface_init (TbAnalysisInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbLocksAnalysis,
                               tb_locks_analysis,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, tb_locks_analysis_iface_init))

static void
tb_locks_analysis_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TbLocksAnalysis *self = TB_LOCKS_ANALYSIS (object);

  switch (id)
    {
    case PROP_TOP:
      self->top = g_value_get_uint (value);
      break;
    case PROP_MIN_WAIT:
      self->min_wait = g_value_get_int64 (value);
      break;
    case PROP_PROCESS:
      g_set_str (&self->process, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_locks_analysis_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbLocksAnalysis *self = TB_LOCKS_ANALYSIS (object);

  switch (id)
    {
    case PROP_TOP:
      g_value_set_uint (value, self->top);
      break;
    case PROP_MIN_WAIT:
      g_value_set_int64 (value, self->min_wait);
      break;
    case PROP_PROCESS:
      g_value_set_string (value, self->process);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_locks_analysis_finalize (GObject *object)
{
  g_free (TB_LOCKS_ANALYSIS (object)->process);

  G_OBJECT_CLASS (tb_locks_analysis_parent_class)->finalize (object);
}

static void
tb_locks_analysis_class_init (TbLocksAnalysisClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS;

  object_class->set_property = tb_locks_analysis_set_property;
  object_class->get_property = tb_locks_analysis_get_property;
  object_class->finalize = tb_locks_analysis_finalize;

  properties[PROP_TOP] = g_param_spec_uint ("top", _ ("Locks shown"), _ ("How many locks are shown, 0: all"),
                                            0, G_MAXINT32, 20, flags);
  properties[PROP_MIN_WAIT]
      = g_param_spec_int64 ("min-wait", _ ("Shortest wait"), _ ("Leave out waits that took less"), 0,
                            G_MAXINT64, 0, flags);
  tb_option_set_unit (properties[PROP_MIN_WAIT], "ns");
  properties[PROP_PROCESS]
      = g_param_spec_string ("process", _ ("Process"), _ ("Only waits of this process, a name or a pid"), "",
                             flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tb_locks_analysis_init (TbLocksAnalysis *self)
{
}

static char **
get_options (TbAnalysis *analysis)
{
  return g_strdupv ((char **) options);
}

static TbReport *
make_report (TbLocksAnalysis *self, TbLocksSummary *summary)
{
  TbReport *report = tb_report_new ("locks", _ ("Locks"), summary->from, summary->to);
  const TbTraceCounts *counts = tb_trace_get_counts (summary->trace);
  const char *const *warnings = tb_trace_get_warnings (summary->trace);
  g_autofree char *headline = tb_locks_make_headline (summary);

  for (guint i = 0; options[i] != NULL; i++)
    tb_report_set_option (report, options[i], tb_option_get_as_json (G_OBJECT (self), options[i]));
  tb_report_set_uncertainty (report, counts->lost_events, counts->lost_ns);
  for (guint i = 0; warnings[i] != NULL; i++)
    tb_report_add_warning (report, warnings[i]);
  tb_report_set_headline (report, headline);
  tb_report_set_summary (report, tb_locks_summary_to_json (summary, self->top));
  tb_locks_add_figures (report, summary, self->top);
  tb_locks_add_findings (report, summary, self->top);
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
  g_autoptr (TbSelection) process = tb_selection_new (trace);
  g_autoptr (TbLocksSummary) summary = NULL;

  if (self->process != NULL && *self->process != '\0'
      && !tb_selection_add_process_by_name (process, self->process, error))
    return NULL;
  if (progress != NULL)
    progress (0.1, _ ("Summing up waits by lock"), data);
  summary = tb_locks_summary_new (trace, selection, process, self->min_wait, cancellable, error);
  return summary != NULL ? make_report (self, summary) : NULL;
}

static void
tb_locks_analysis_iface_init (TbAnalysisInterface *iface)
{
  iface->get_options = get_options;
  iface->run = run;
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, TB_TYPE_LOCKS_ANALYSIS);
}
