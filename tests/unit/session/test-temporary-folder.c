/* test-temporary-folder.c: test of folders that are removed with their process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/file/tb-temporary-folder.h"

static const TbTemporaryPlace places[] = { TB_TEMPORARY_TMP, TB_TEMPORARY_CACHE };

static char *
add_file (const TbTemporaryFolder *folder, const char *name)
{
  char *path = g_build_filename (tb_temporary_folder_get_path (folder), name, NULL);

  g_assert_true (g_file_set_contents (path, "data", 4, NULL));
  return path;
}

static gboolean
exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
test_place (void)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "tailback", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GError) error = NULL;
      TbTemporaryFolder *folder = tb_temporary_folder_new (places[i], &error);
      const char *path = tb_temporary_folder_get_path (folder);
      g_autofree char *parent = g_path_get_dirname (path);
      GStatBuf status;

      g_assert_no_error (error);
      g_assert_cmpstr (parent, ==, places[i] == TB_TEMPORARY_TMP ? g_get_tmp_dir () : cache);
      g_assert_no_errno (g_stat (path, &status));
      g_assert_cmpint (status.st_mode & 07777, ==, 0700);
      tb_temporary_folder_remove (folder);
      g_assert_false (exists (path));
      /* a second removal does nothing */
      tb_temporary_folder_remove (folder);
    }
}

static void
test_remove (void)
{
  TbTemporaryFolder *folder = tb_temporary_folder_new (TB_TEMPORARY_TMP, NULL);
  TbTemporaryFolder *other = tb_temporary_folder_new (TB_TEMPORARY_TMP, NULL);
  const char *names[]
      = { "a.tailback", "a.tailback-wal", "1-b c.tailback", ".a.tailback.00c0ffee" };

  g_assert_cmpstr (tb_temporary_folder_get_path (folder), !=, tb_temporary_folder_get_path (other));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (add_file (folder, names[i]));
  /* more entries than one read returns */
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *name
          = g_strdup_printf ("a-name-that-is-rather-long-for-a-session-%u.tailback", i);

      g_free (add_file (folder, name));
    }
  tb_temporary_folder_remove (folder);
  g_assert_false (exists (tb_temporary_folder_get_path (folder)));
  g_assert_true (exists (tb_temporary_folder_get_path (other)));
  tb_temporary_folder_remove (other);
}

static void
test_remove_all (void)
{
  TbTemporaryFolder *folders[3];

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      folders[i] = tb_temporary_folder_new (places[i % 2], NULL);
      g_free (add_file (folders[i], "a.tailback"));
    }
  tb_temporary_folder_remove (folders[1]);
  tb_temporary_folder_remove_all ();
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    g_assert_false (exists (tb_temporary_folder_get_path (folders[i])));
}

/* A forked child does not remove it. */
static void
test_forked (void)
{
  TbTemporaryFolder *folder = tb_temporary_folder_new (TB_TEMPORARY_TMP, NULL);
  g_autofree char *file = add_file (folder, "a.tailback");
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      tb_temporary_folder_remove_all ();
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (exists (file));
  tb_temporary_folder_remove (folder);
  g_assert_false (exists (file));
}

/* Creates a folder with a session in each place, and reports that. */
static void
make_and_wait (int out)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      TbTemporaryFolder *folder = tb_temporary_folder_new (places[i], NULL);
      g_autofree char *file = add_file (folder, "a.tailback");

      if (write (out, file, strlen (file) + 1) < 0)
        _exit (1);
    }
  close (out);
  pause ();
  _exit (1);
}

static void
test_sweep (void)
{
  TbTemporaryFolder *own = tb_temporary_folder_new (TB_TEMPORARY_CACHE, NULL);
  char text[2048] = "";
  gsize length = 0;
  const char *second;
  int ends[2];
  ssize_t n;
  pid_t pid;

  g_assert_no_errno (pipe (ends));
  pid = fork ();
  if (pid == 0)
    make_and_wait (ends[1]);
  close (ends[1]);
  while ((n = read (ends[0], text + length, sizeof text - length)) > 0)
    length += (gsize) n;
  close (ends[0]);
  second = text + strlen (text) + 1;

  tb_temporary_folder_sweep ();
  g_assert_true (exists (text) && exists (second));
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  tb_temporary_folder_sweep ();
  g_assert_false (exists (text) || exists (second));
  g_assert_true (exists (tb_temporary_folder_get_path (own)));
  tb_temporary_folder_remove (own);
}

static void
test_no_room (void)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "tailback", NULL);
  g_autoptr (GError) error = NULL;

  g_rmdir (cache);
  g_assert_true (g_file_set_contents (cache, "", 0, NULL));
  g_assert_null (tb_temporary_folder_new (TB_TEMPORARY_CACHE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_assert_nonnull (strstr (error->message, cache));
  tb_temporary_folder_sweep ();
  g_unlink (cache);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("temporary-folder-XXXXXX", NULL);
  int status;

  g_setenv ("TMPDIR", folder, TRUE);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/temporary-folder/place", test_place);
  g_test_add_func ("/temporary-folder/remove", test_remove);
  g_test_add_func ("/temporary-folder/remove-all", test_remove_all);
  g_test_add_func ("/temporary-folder/forked", test_forked);
  g_test_add_func ("/temporary-folder/sweep", test_sweep);
  g_test_add_func ("/temporary-folder/no-room", test_no_room);
  status = g_test_run ();
  g_rmdir (folder);
  return status;
}
