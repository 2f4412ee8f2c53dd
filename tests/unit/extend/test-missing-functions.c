/* test-missing-functions.c: test of plug-ins that lack functions which their interface requires
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/plugins/tb-analysis.h"
#include "extend/plugins/tb-exporter.h"
#include "extend/plugins/tb-importer.h"
#include "extend/plugins/tb-live-collector.h"

#define TEST_TYPE_PLUGIN (test_plugin_get_type ())
G_DECLARE_FINAL_TYPE (TestPlugin, test_plugin, TEST, PLUGIN, GObject)

struct _TestPlugin
{
  GObject parent_instance;
};

static int
sniff (TbImporter *importer, const guint8 *head, gsize length, const char *name)
{
  return 100;
}

static int
sniff_folder (TbImporter *importer, GFile *folder)
{
  return 100;
}

static void
importer_init (TbImporterInterface *iface)
{
  iface->sniff = sniff;
  iface->sniff_folder = sniff_folder;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestPlugin,
                               test_plugin,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_IMPORTER, importer_init)
                                   G_IMPLEMENT_INTERFACE (TB_TYPE_EXPORTER, NULL)
                                       G_IMPLEMENT_INTERFACE (TB_TYPE_ANALYSIS, NULL)
                                           G_IMPLEMENT_INTERFACE (TB_TYPE_COLLECTOR, NULL)
                                               G_IMPLEMENT_INTERFACE (TB_TYPE_LIVE_COLLECTOR, NULL))

static void
test_plugin_class_init (TestPluginClass *klass)
{
}

static void
test_plugin_init (TestPlugin *self)
{
}

static void
assert_lacks (GError *error, const char *function)
{
  g_autofree char *wanted = g_strdup_printf ("TestPlugin: the plug-in does not define %s(), which "
                                             "its interface requires",
                                             function);

  g_assert_nonnull (error);
  g_assert_cmpstr (error->message, ==, wanted);
  g_error_free (error);
}

/* It does not take files from others either. */
static void
test_importer (void)
{
  g_autoptr (TbImporter) plugin = g_object_new (TEST_TYPE_PLUGIN, NULL);
  g_autoptr (GFile) file = g_file_new_for_path ("/none");
  GError *error = NULL;

  g_assert_cmpint (tb_importer_sniff (plugin, (const guint8 *) "x", 1, "x.csv"), ==, 0);
  g_assert_cmpint (tb_importer_sniff_folder (plugin, file), ==, 0);
  g_assert_false (tb_importer_import_file (plugin, file, NULL, NULL, NULL, NULL, &error));
  assert_lacks (error, "import_file");
}

static void
test_analysis (void)
{
  g_autoptr (TbAnalysis) plugin = g_object_new (TEST_TYPE_PLUGIN, NULL);
  GError *error = NULL;

  g_assert_null (tb_analysis_run (plugin, NULL, NULL, NULL, NULL, NULL, &error));
  assert_lacks (error, "run");
}

static void
test_exporter (void)
{
  g_autoptr (TbExporter) plugin = g_object_new (TEST_TYPE_PLUGIN, NULL);

  g_assert_false (tb_exporter_can_export_trace (plugin));
  g_assert_false (tb_exporter_can_export_report (plugin));
  g_assert_cmpstr (tb_exporter_get_extension (plugin), ==, "");
}

static void
test_collector (void)
{
  g_autoptr (TbCollector) plugin = g_object_new (TEST_TYPE_PLUGIN, NULL);
  TbLiveCollector *live = TB_LIVE_COLLECTOR (plugin);
  const TbTarget target = { 0 };
  GError *error = NULL;

  g_assert_false (tb_collector_start (plugin, &target, NULL, NULL, &error));
  assert_lacks (g_steal_pointer (&error), "start");
  g_assert_null (tb_live_collector_get_report (live));
  g_assert_false (tb_live_collector_choose (live, "figure", "item", &error));
  assert_lacks (g_steal_pointer (&error), "choose");
  g_assert_null (tb_live_collector_suggest (live, "option", &target, NULL, &error));
  assert_lacks (g_steal_pointer (&error), "suggest");
  g_assert_null (tb_live_collector_estimate (live, &target, &error));
  g_assert_no_error (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/missing-functions/importer", test_importer);
  g_test_add_func ("/missing-functions/analysis", test_analysis);
  g_test_add_func ("/missing-functions/exporter", test_exporter);
  g_test_add_func ("/missing-functions/collector", test_collector);
  return g_test_run ();
}
