/* compiled.c: C analysis of the test of the Flatpak: reports that it runs
 *
 * SPDX-License-Identifier: MIT-0
 */

#include <libpeas.h>
#include <tailback.h>

#define COMPILED_TYPE_ANALYSIS (compiled_analysis_get_type ())
G_DECLARE_FINAL_TYPE (CompiledAnalysis, compiled_analysis, COMPILED, ANALYSIS, GObject)

struct _CompiledAnalysis
{
  GObject parent;
};

static TbReport *
run (TbAnalysis *analysis,
     TbTrace *trace,
     TbSelection *selection,
     TbProgressFunc progress,
     gpointer data,
     GCancellable *cancellable,
     GError **error)
{
  g_autoptr (TbFinding) finding
      = tb_finding_new (TB_SEVERITY_INFO, "This was compiled against the extension.", -1, 1);
  TbReport *report;
  gint64 from, to;

  tb_selection_get_range (selection, &from, &to);
  report = tb_report_new ("compiled", "Compiled", from, to);
  tb_report_add_finding (report, g_steal_pointer (&finding));
  return report;
}

static void
init_interface (TbAnalysisInterface *interface)
{
  interface->run = run;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CompiledAnalysis,
                               compiled_analysis,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, init_interface))

static void
compiled_analysis_class_init (CompiledAnalysisClass *klass)
{
}

static void
compiled_analysis_init (CompiledAnalysis *self)
{
}

G_MODULE_EXPORT void peas_register_types (PeasObjectModule *module);

void
peas_register_types (PeasObjectModule *module)
{
  peas_object_module_register_extension_type (module, TB_TYPE_ANALYSIS, COMPILED_TYPE_ANALYSIS);
}
