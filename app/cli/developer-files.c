/* developer-files.c: where authors of plug-ins find the templates, the guide and the worked
 * example, in this installation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "base/tb-sandbox.h"
#include "developer-files.h"

#define GUIDE "doc/libtailback-1/write-a-plug-in.html"
#define EXAMPLE "tailback/examples/gc-pauses"

/* A file of the data folder that lies beside this program, wherever it is installed, else of the
 * configured one. (transfer full): its path, even if it does not exist */
static char *
find (const char *name)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *beside = NULL;

  if (folder != NULL)
    beside = g_build_filename (folder, "..", "share", name, NULL);
  if (beside != NULL && g_file_test (beside, G_FILE_TEST_EXISTS))
    return g_canonicalize_filename (beside, NULL);
  return g_build_filename (TAILBACK_DATA_DIR, name, NULL);
}

char *
developer_files_find_templates (void)
{
  const char *set = g_getenv ("TAILBACK_TEMPLATE_PATH");

  return set != NULL && *set != '\0' ? g_strdup (set) : find ("tailback/templates");
}

char *
developer_files_describe (void)
{
  g_autofree char *guide = find (GUIDE);
  g_autofree char *example = find (EXAMPLE);
  GString *text = g_string_new (NULL);

  if (g_file_test (guide, G_FILE_TEST_EXISTS))
    g_string_append_printf (text, _ ("How to write plug-ins: %s"), guide);
  else if (tb_sandbox_is_active ())
    g_string_append (text, _ ("How to write plug-ins: “Plug-Ins” in the help of the window"));
  else
    g_string_append_printf (text,
                            /* Translators: %s is a file. tailback-doc is a package. */
                            _ ("How to write plug-ins: %s, which the package tailback-doc "
                               "installs; or “Plug-Ins” in the help of the window"),
                            guide);
  if (g_file_test (example, G_FILE_TEST_EXISTS))
    g_string_append_printf (text, _ ("\nA worked example, pauses of a garbage collector: %s"),
                            example);
  return g_string_free (text, FALSE);
}
