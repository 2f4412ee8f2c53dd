/* test-host-files.c: test of finding files of the host at /run/host, where containers have it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../other-root.h"
#include "../../test-folder.h"
#include "symbols/tb-elf-finder-private.h"

#define OTHER_BUILD_ID "0123456789abcdef0123456789abcdef01234567"
/* The text by which implementations of CRC-32 are checked. */
#define LINKED "123456789"
#define LINKED_CRC 0xcbf43926

typedef struct
{
  char *folder; /* the root, with nothing but the folder run/host */
  char *bytes;  /* of this program */
  gsize length;
  char *build_id;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  int fd = g_open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);

  self->build_id = tb_elf_read_build_id (fd);
  g_assert_nonnull (self->build_id);
  close (fd);
  g_assert_true (g_file_get_contents ("/proc/self/exe", &self->bytes, &self->length, NULL));
  self->folder = g_dir_make_tmp ("tailback-host-files-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  test_folder_remove (self->folder);
  g_free (self->folder);
  g_free (self->bytes);
  g_free (self->build_id);
}

/* Copies this program to a path of the host. */
static void
copy_own (Fixture *self, const char *path)
{
  g_autofree char *below = g_strconcat ("run/host", path, NULL);

  other_root_write (self->folder, below, self->bytes, (gssize) self->length);
}

/* Takes ownership of the path. */
static void
assert_found (int fd, char *found, const char *path)
{
  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_cmpstr (found, ==, path);
  g_free (found);
}

static void
find_program (gpointer data)
{
  Fixture *self = data;
  char *found = NULL;
  int fd = tb_elf_finder_open ("/opt/program", self->build_id, 0, &found);

  assert_found (fd, found, "/run/host/opt/program");
  g_assert_cmpint (tb_elf_finder_open ("/opt/program", OTHER_BUILD_ID, 0, NULL), <, 0);
  g_assert_cmpint (tb_elf_finder_open ("/opt/gone", self->build_id, 0, NULL), <, 0);
}

static void
test_program (Fixture *self, gconstpointer data)
{
  copy_own (self, "/opt/program");
  other_root_run (self->folder, find_program, self);
}

static void
find_mapped (gpointer data)
{
  TbMappedFile *mapped = data;
  TbFileMatch match;
  char *found = NULL;
  int fd = tb_elf_finder_open_mapped ("/opt/program", mapped, 0, &match, &found);

  assert_found (fd, found, "/run/host/opt/program");
  g_assert_cmpint (match, ==, TB_FILE_MATCH_VERIFIED);
  mapped->file.inode++; /* now another file */
  g_assert_cmpint (tb_elf_finder_open_mapped ("/opt/program", mapped, 0, &match, NULL), <, 0);
  g_assert_cmpint (match, <, TB_FILE_MATCH_UNVERIFIED);
}

/* The recording has no build ID, but the file on the host's disk. */
static void
test_mapped (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->folder, "run/host/opt/program", NULL);
  TbMappedFile mapped = { .recorded_until = G_MAXINT64 };
  GStatBuf status;

  copy_own (self, "/opt/program");
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  mapped.file.major = major (status.st_dev);
  mapped.file.minor = minor (status.st_dev);
  mapped.file.inode = status.st_ino;
  other_root_run (self->folder, find_mapped, &mapped);
}

static void
find_debug (gpointer data)
{
  Fixture *self = data;
  g_autofree char *path = g_strdup_printf ("/run/host/usr/lib/debug/.build-id/%.2s/%s.debug",
                                           self->build_id, self->build_id + 2);
  char *found = NULL;
  int fd = tb_elf_finder_open_debug (self->build_id, "/opt/program", NULL, 0, &found);

  assert_found (fd, found, path);
  g_assert_cmpint (tb_elf_finder_open_debug (OTHER_BUILD_ID, "/opt/program", NULL, 0, NULL), <, 0);
}

static void
test_debug (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_strdup_printf ("/usr/lib/debug/.build-id/%.2s/%s.debug", self->build_id,
                                           self->build_id + 2);

  copy_own (self, path);
  other_root_run (self->folder, find_debug, self);
}

static void
find_supplement (gpointer data)
{
  Fixture *self = data;
  const char *const names[] = { "../../.dwz/common", "/usr/lib/debug/.dwz/common" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      char *found = NULL;
      int fd = tb_elf_finder_open_supplement (self->build_id, names[i], "/opt/program.debug", 0,
                                              &found);

      assert_found (fd, found, "/run/host/usr/lib/debug/.dwz/common");
    }
}

static void
test_supplement (Fixture *self, gconstpointer data)
{
  copy_own (self, "/usr/lib/debug/.dwz/common");
  other_root_run (self->folder, find_supplement, self);
}

static void
find_linked (gpointer data)
{
  char *found = NULL;
  int fd = tb_elf_finder_open_debug_link ("/opt/program", "linked.debug", LINKED_CRC, 0, &found);

  assert_found (fd, found, "/run/host/usr/lib/debug/opt/linked.debug");
  g_assert_cmpint (tb_elf_finder_open_debug_link ("/opt/program", "linked.debug", LINKED_CRC + 1, 0,
                                                  NULL),
                   <, 0);
}

static void
test_debug_link (Fixture *self, gconstpointer data)
{
  other_root_write (self->folder, "run/host/usr/lib/debug/opt/linked.debug", LINKED, -1);
  other_root_run (self->folder, find_linked, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/host-files/program", Fixture, NULL, set_up, test_program, tear_down);
  g_test_add ("/host-files/mapped", Fixture, NULL, set_up, test_mapped, tear_down);
  g_test_add ("/host-files/debug", Fixture, NULL, set_up, test_debug, tear_down);
  g_test_add ("/host-files/supplement", Fixture, NULL, set_up, test_supplement, tear_down);
  g_test_add ("/host-files/debug-link", Fixture, NULL, set_up, test_debug_link, tear_down);
  return g_test_run ();
}
