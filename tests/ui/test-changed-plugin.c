/* test-changed-plugin.c: an analysis in Python that its author mends while its page shows the
 * error: “Try Again” uses the new file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <utime.h>

#include "../test-folder.h"
#include "shell-fixture.h"

#define MODULE                                                                                     \
  "import gi\ngi.require_version('Tailback', '1')\n"                                               \
  "from gi.repository import GObject, Tailback\n"                                                  \
  "class Mended(GObject.Object, Tailback.Analysis):\n"                                             \
  "    __gtype_name__ = 'MendedAnalysis'\n"                                                        \
  "    def do_run(self, trace, selection, progress, cancellable):\n"                               \
  "        report = self.new_report('Mended', trace, *selection.get_range())\n"                    \
  "        report.set_headline(%s)\n"                                                              \
  "        return report\n"

static char *top;

static void
write_file (const char *name, const char *text)
{
  static time_t time = 1000000; /* files are changed faster than times of some file systems */
  g_autofree char *folder = g_build_filename (top, "analyses", "mended", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct utimbuf times = { time, time };
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  time++;
  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
write_module (const char *headline)
{
  g_autofree char *text = g_strdup_printf (MODULE, headline);

  write_file ("mended.py", text);
}

static void
press_try_again (TbWindow *window, TbDocument *document)
{
  GtkWidget *button = shell_find (GTK_WIDGET (window), "GtkButton", "_Try Again");

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  shell_wait_settled (document);
}

static void
test_try_again (void)
{
  TbWindow *window = shell_new_window ();
  g_autoptr (GFile) file = shell_inbox ();
  TbDocument *document = shell_open (window, file);
  GtkWidget *page;

  g_assert_true (tb_document_page_show_analysis (tb_window_get_document_page (window), "mended"));
  shell_wait_settled (document);
  page = GTK_WIDGET (tb_window_get_document_page (window));
  shell_wait_text (page, "is not defined (mended.py, line 8)");
  shell_picture (window, "failed-plug-in");

  /* Without a change it fails again, with another fault in another way. */
  press_try_again (window, document);
  shell_wait_text (page, "NameError");
  write_module ("'unfinished");
  press_try_again (window, document);
  shell_wait_text (page, "SyntaxError");
  g_assert_null (shell_find_text (page, "NameError"));

  write_module ("'It works now'");
  press_try_again (window, document);
  shell_wait_text (page, "It works now");
  g_assert_null (shell_find (page, "GtkButton", "_Try Again"));
  shell_close_window (window);
}

static void
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  top = g_dir_make_tmp ("tailback-changed-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_strconcat (top, G_SEARCHPATH_SEPARATOR_S, g_getenv ("TAILBACK_PLUGIN_PATH"), NULL);
  g_setenv ("TAILBACK_PLUGIN_PATH", path, TRUE);
}

int
main (int argc, char **argv)
{
  int status;

  /* The engine finds the typelib beside the library. */
  g_unsetenv ("GI_TYPELIB_PATH");
  make_folder ();
  write_file ("mended.plugin", "[Plugin]\nModule=mended\nLoader=python\nName=Mended\n"
                               "Description=Fails at first\nX-Tailback-API=1\n");
  write_module ("absent");
  shell_init (&argc, &argv);
  g_test_add_func ("/changed-plugin/try-again", test_try_again);
  status = g_test_run ();
  test_folder_remove (top);
  g_free (top);
  return status;
}
