/* tb-scratch.c: files that live no longer than this run of the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "tb-scratch.h"

/* Each run has a folder of its own, with a lock that is held as long as the run lives: a folder whose lock can be
 * taken was left by one that crashed. */
#define RUN_PREFIX "run-"
#define LOCK_NAME "lock"

static char *run_folder;
static int run_lock = -1;
static guint n_files;

static char *
get_base_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "tailback", NULL);
}

/* Only plain files, and only one level: nothing else is ever made there. */
static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

static gboolean
set_error_from_errno (GError **error, const char *path)
{
  int code = errno;

  g_set_error (
      error, G_IO_ERROR, g_io_error_from_errno (code),
      _ ("No room for temporary recordings in %s: %s. Make the folder writable, or free some space."), path,
      g_strerror (code));
  return FALSE;
}

static gboolean
ensure_run_folder (GError **error)
{
  g_autofree char *base = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *lock = NULL;

  if (run_folder != NULL)
    return TRUE;

  base = get_base_folder ();
  if (g_mkdir_with_parents (base, 0700) != 0)
    return set_error_from_errno (error, base);
  folder = g_build_filename (base, RUN_PREFIX "XXXXXX", NULL);
  if (g_mkdtemp_full (folder, 0700) == NULL)
    return set_error_from_errno (error, base);

  lock = g_build_filename (folder, LOCK_NAME, NULL);
  run_lock = g_open (lock, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (run_lock < 0)
    return set_error_from_errno (error, folder);
  flock (run_lock, LOCK_EX | LOCK_NB);
  run_folder = g_steal_pointer (&folder);
  return TRUE;
}

/* name without what a file name cannot hold, and not endless. */
static char *
clean_name (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_autofree char *cut = g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), 60));

  g_strdelimit (cut, "/\\\n", '-');
  if (cut[0] == '.')
    cut[0] = '-';
  if (cut[0] == '\0')
    return g_strdup ("recording");
  return g_steal_pointer (&cut);
}

/**
 * tb_scratch_new_file:
 * @name: what it is made from, for people who look into the folder
 * @error: where to say what went wrong
 *
 * A file that does not exist yet, in a folder that is removed when the application ends, or when it is started next
 * after it crashed.
 *
 * Returns: (transfer full) (nullable): it
 */
GFile *
tb_scratch_new_file (const char *name, GError **error)
{
  g_autofree char *clean = clean_name (name);
  g_autofree char *file = NULL;

  if (!ensure_run_folder (error))
    return NULL;
  file = g_strdup_printf ("%s/%u-%s.tailback", run_folder, n_files++, clean);
  return g_file_new_for_path (file);
}

/**
 * tb_scratch_remove_left_over:
 *
 * Removes what runs left that ended without doing so. Cheap where there is nothing.
 */
void
tb_scratch_remove_left_over (void)
{
  g_autofree char *base = get_base_folder ();
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = NULL;
      g_autofree char *lock = NULL;
      int fd;

      if (!g_str_has_prefix (name, RUN_PREFIX))
        continue;
      folder = g_build_filename (base, name, NULL);
      lock = g_build_filename (folder, LOCK_NAME, NULL);
      if (g_strcmp0 (folder, run_folder) == 0 || (fd = g_open (lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0)) < 0)
        continue;
      if (flock (fd, LOCK_EX | LOCK_NB) == 0)
        remove_folder (folder);
      close (fd);
    }
}

/**
 * tb_scratch_remove:
 *
 * Removes this run's folder.
 */
void
tb_scratch_remove (void)
{
  if (run_folder == NULL)
    return;
  remove_folder (run_folder);
  g_clear_pointer (&run_folder, g_free);
  g_clear_fd (&run_lock, NULL);
}

static char *
get_recordings_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "tailback", "recordings", NULL);
}

/**
 * tb_recordings_is_own:
 * @file: a recording
 *
 * Returns: whether it is where recordings go unless the user says otherwise: nobody has chosen to keep it
 */
gboolean
tb_recordings_is_own (GFile *file)
{
  g_autofree char *path = get_recordings_folder ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  return g_file_has_parent (file, folder);
}

/**
 * tb_recordings_new_file:
 * @name: what is recorded
 * @error: where to say what went wrong
 *
 * Where a new recording goes unless the user says otherwise: it is never lost with a crash, and never overwrites one.
 *
 * Returns: (transfer full) (nullable): a file that does not exist yet
 */
GFile *
tb_recordings_new_file (const char *name, GError **error)
{
  g_autofree char *folder = get_recordings_folder ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *clean = clean_name (name);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      set_error_from_errno (error, folder);
      return NULL;
    }
  for (guint i = 1;; i++)
    {
      g_autofree char *path = i == 1 ? g_strdup_printf ("%s/%s-%s.tailback", folder, clean, date)
                                     : g_strdup_printf ("%s/%s-%s-%u.tailback", folder, clean, date, i);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return g_file_new_for_path (path);
    }
}
