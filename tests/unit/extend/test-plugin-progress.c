/* test-plugin-progress.c: test of progress that a plug-in reports with shares and texts of any kind
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>

#include "extend/plugins/tb-importer.h"

#define TEST_TYPE_PLUGIN (test_plugin_get_type ())
G_DECLARE_FINAL_TYPE (TestPlugin, test_plugin, TEST, PLUGIN, GObject)

struct _TestPlugin
{
  GObject parent_instance;
};

static gboolean
import_file (TbImporter *importer,
             GFile *file,
             TbRecorder *recorder,
             TbProgressFunc progress,
             gpointer data,
             GCancellable *cancellable,
             GError **error)
{
  if (progress == NULL)
    return TRUE;
  progress ((double) NAN, "\xff bad", data);
  progress (7, NULL, data);
  progress (-HUGE_VAL, "good", data);
  progress (0.5, "half", data);
  return TRUE;
}

static void
importer_init (TbImporterInterface *iface)
{
  iface->import_file = import_file;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestPlugin,
                               test_plugin,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_IMPORTER, importer_init))

static void
test_plugin_class_init (TestPluginClass *klass)
{
}

static void
test_plugin_init (TestPlugin *self)
{
}

static void
collect (double share, const char *what, gpointer data)
{
  g_string_append_printf (data, "%g %s\n", share, what != NULL ? what : "-");
}

static void
test_progress (void)
{
  g_autoptr (TbImporter) plugin = g_object_new (TEST_TYPE_PLUGIN, NULL);
  g_autoptr (GFile) file = g_file_new_for_path ("/none");
  g_autoptr (GString) seen = g_string_new (NULL);
  GError *error = NULL;

  g_test_expect_message ("tailback", G_LOG_LEVEL_WARNING, "*not between 0 and 1");
  g_assert_true (tb_importer_import_file (plugin, file, NULL, collect, seen, NULL, &error));
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpstr (seen->str, ==, "0 � bad\n1 -\n0 good\n0.5 half\n");
  g_assert_true (tb_importer_import_file (plugin, file, NULL, NULL, NULL, NULL, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plugin-progress/checked", test_progress);
  return g_test_run ();
}
