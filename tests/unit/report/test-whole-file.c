/* test-whole-file.c: test that files are written completely or not at all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <glib/gstdio.h>

#include "report/tb-atomic-file.h"

#define NAME_MAX_LENGTH 255
/* More than streams buffer. */
#define LARGE_SIZE 1000000

typedef struct
{
  char *folder;
  char *path;
  GFile *file;
} Fixture;

typedef struct
{
  Fixture *fixture;
  GCancellable *cancelled; /* cancelled in the middle; NULL: never */
  gboolean fails;          /* in the middle */
  gboolean had_name;       /* after half was written */
} Writing;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("whole-file-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "out", NULL);
  fixture->file = g_file_new_for_path (fixture->path);
}

static guint
count_files (Fixture *fixture, gboolean removed)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      n++;
      if (removed)
        g_assert_no_errno (g_unlink (path));
    }
  return n;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  count_files (fixture, TRUE);
  g_assert_no_errno (g_rmdir (fixture->folder));
  g_object_unref (fixture->file);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static gboolean
write_large (gpointer data, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  Writing *self = data;
  g_autofree char *half = g_malloc (LARGE_SIZE / 2);

  memset (half, 'x', LARGE_SIZE / 2);
  if (!g_output_stream_write_all (stream, half, LARGE_SIZE / 2, NULL, cancellable, error))
    return FALSE;
  self->had_name = g_file_test (self->fixture->path, G_FILE_TEST_EXISTS);
  if (self->cancelled != NULL)
    g_cancellable_cancel (self->cancelled);
  if (self->fails)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "half is enough");
      return FALSE;
    }
  return g_output_stream_write_all (stream, half, LARGE_SIZE / 2, NULL, cancellable, error);
}

static void
assert_contents (Fixture *fixture, const char *start, gsize length)
{
  g_autofree char *contents = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (fixture->path, &contents, &n, NULL));
  g_assert_cmpuint (n, ==, length);
  g_assert_true (g_str_has_prefix (contents, start));
  g_assert_cmpuint (count_files (fixture, FALSE), ==, 1);
}

static void
test_whole (Fixture *fixture, gconstpointer data)
{
  Writing writing = { .fixture = fixture };
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_atomic_file_write (fixture->file, write_large, &writing, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (writing.had_name);
  assert_contents (fixture, "xxx", LARGE_SIZE);
  /* replacing an existing file */
  g_assert_true (tb_atomic_file_write_contents (fixture->file, "short", 5, NULL, &error));
  g_assert_no_error (error);
  assert_contents (fixture, "short", 5);
  g_assert_true (tb_atomic_file_write (fixture->file, write_large, &writing, NULL, &error));
  g_assert_no_error (error);
  assert_contents (fixture, "xxx", LARGE_SIZE);
}

/* Nothing of the new file is left, neither under its name nor beside it. An existing file is
 * unchanged. */
static void
assert_refused (Fixture *fixture, Writing *writing, GIOErrorEnum code)
{
  for (guint existed = 0; existed < 2; existed++)
    {
      g_autoptr (GError) error = NULL;

      g_clear_object (&writing->cancelled);
      writing->cancelled = code == G_IO_ERROR_CANCELLED ? g_cancellable_new () : NULL;
      if (existed)
        g_assert_true (g_file_set_contents (fixture->path, "before", 6, NULL));
      g_assert_false (
          tb_atomic_file_write (fixture->file, write_large, writing, writing->cancelled, &error));
      g_assert_error (error, G_IO_ERROR, (int) code);
      if (existed)
        assert_contents (fixture, "before", 6);
      else
        g_assert_cmpuint (count_files (fixture, FALSE), ==, 0);
    }
  g_clear_object (&writing->cancelled);
}

static void
test_failing (Fixture *fixture, gconstpointer data)
{
  Writing writing = { .fixture = fixture, .fails = TRUE };

  assert_refused (fixture, &writing, G_IO_ERROR_FAILED);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  Writing writing = { .fixture = fixture };

  assert_refused (fixture, &writing, G_IO_ERROR_CANCELLED);
}

/* As on a full disk: only a part can be written. */
static void
test_full (Fixture *fixture, gconstpointer data)
{
  Writing writing = { .fixture = fixture };
  struct rlimit before, limit;

  g_assert_no_errno (getrlimit (RLIMIT_FSIZE, &before));
  limit = before;
  limit.rlim_cur = LARGE_SIZE / 4 * 3;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &limit));
  assert_refused (fixture, &writing, G_IO_ERROR_FAILED);
  g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &before));
}

/* The temporary file needs no longer name than the file itself. */
static void
test_long_name (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (NAME_MAX_LENGTH, 'n');
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_atomic_file_write_contents (file, "short", 5, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

static void
test_no_folder (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent/out");
  g_autoptr (GError) error = NULL;

  g_assert_false (tb_atomic_file_write_contents (file, "short", 5, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/whole-file/whole", Fixture, NULL, set_up, test_whole, tear_down);
  g_test_add ("/whole-file/failing", Fixture, NULL, set_up, test_failing, tear_down);
  g_test_add ("/whole-file/cancelled", Fixture, NULL, set_up, test_cancelled, tear_down);
  g_test_add ("/whole-file/full", Fixture, NULL, set_up, test_full, tear_down);
  g_test_add ("/whole-file/long-name", Fixture, NULL, set_up, test_long_name, tear_down);
  g_test_add_func ("/whole-file/no-folder", test_no_folder);
  return g_test_run ();
}
