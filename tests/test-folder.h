/* test-folder.h: removal of a test's temporary folder
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/* Removes the folder with all its contents. Links are not followed. */
static inline void
test_folder_remove (const char *path)
{
  g_autoptr (GDir) dir
      = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      test_folder_remove (child);
    }
  g_remove (path);
}
