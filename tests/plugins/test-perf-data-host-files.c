/* test-perf-data-host-files.c: test of reading the build ID of a mapped file on this machine, also
 * below /run/host, where containers have the host
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../other-root.h"
#include "../test-folder.h"
#include "tb-perf-build-id.h"

/* A file that was recorded; its device and inode are those that the kernel wrote. */
typedef struct
{
  GStatBuf status;
  const char *path;
} MappedFile;

static char *
find (const MappedFile *file, guint64 inode, gint64 written)
{
  return tb_perf_build_id_find (file->path, major (file->status.st_dev),
                                minor (file->status.st_dev), inode, written);
}

static void
assert_found (gpointer data)
{
  const MappedFile *file = data;
  g_autofree char *build_id = find (file, file->status.st_ino, G_MAXINT64);

  g_assert_nonnull (build_id);
  g_assert_cmpuint (strlen (build_id), ==, 40);
  /* Another file at the path, and one that was changed since. */
  g_assert_null (find (file, file->status.st_ino + 1, G_MAXINT64));
  g_assert_null (find (file, file->status.st_ino, 1));
}

/* data: path of the copy of this program, in a folder that becomes the root */
static void
test_file (gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-host-files-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, data, NULL);
  g_autofree char *bytes = NULL;
  MappedFile file = { .path = "/opt/program" };
  gsize length;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &bytes, &length, NULL));
  other_root_write (folder, data, bytes, (gssize) length);
  g_assert_cmpint (g_stat (path, &file.status), ==, 0);
  other_root_run (folder, assert_found, &file);
  test_folder_remove (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/perf-data-host-files/own", "opt/program", test_file);
  g_test_add_data_func ("/perf-data-host-files/host", "run/host/opt/program", test_file);
  return g_test_run ();
}
