/* tb-help-uri.c: address of the help for the help viewer, which is not in our sandbox
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "base/tb-sandbox.h"
#include "shell/tb-help-uri.h"

/* The computer does not see the pages in a sandbox as those of an installed program, but Yelp also
 * opens a folder of pages. */
char *
tb_help_uri_make (const char *data_dir)
{
  const char *const *languages = g_get_language_names ();

  for (guint i = 0; tb_sandbox_is_active () && languages[i] != NULL; i++)
    {
      g_autofree char *pages = g_build_filename (data_dir, "help", languages[i], "tailback", NULL);
      g_autofree char *path = tb_sandbox_get_host_path (pages);

      if (path != NULL && g_file_test (pages, G_FILE_TEST_IS_DIR))
        return g_strconcat ("ghelp:", path, NULL);
    }
  return g_strdup ("help:tailback");
}
