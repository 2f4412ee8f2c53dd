/* tb-temporary-files.c: temporary files of this run, removed at its end; default folder of new
 * recordings, and names for their files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "session/file/tb-temporary-folder.h"
#include "tb-temporary-files.h"

/* Recordings are imported in several threads. */
static GMutex lock;
static TbTemporaryFolder *run_folder;
static guint n_files;

/* Returns the name without characters that a file name cannot contain, at most 60 characters
 * long. */
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
 * tb_temporary_files_new_file:
 * @name: name of the source, so that users recognize the file
 * @error: return location
 *
 * Creates a path in a folder that is removed when the application ends, or at the next start after
 * a crash.
 *
 * Returns: (transfer full) (nullable): a file that does not exist yet
 */
GFile *
tb_temporary_files_new_file (const char *name, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  g_autofree char *clean = clean_name (name);
  g_autofree char *file = NULL;

  if (run_folder == NULL)
    run_folder = tb_temporary_folder_new (TB_TEMPORARY_CACHE, error);
  if (run_folder == NULL)
    return NULL;
  file = g_strdup_printf ("%s/%u-%s.tailback", tb_temporary_folder_get_path (run_folder), n_files++,
                          clean);
  return g_file_new_for_path (file);
}

/**
 * tb_temporary_files_remove:
 *
 * Removes the folder of this run.
 */
void
tb_temporary_files_remove (void)
{
  g_clear_pointer (&run_folder, tb_temporary_folder_remove);
}

static char *
get_recordings_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "tailback", "recordings", NULL);
}

/**
 * tb_recordings_contains:
 * @file: a recording
 *
 * Returns: whether the file is in the default folder of recordings, so that the user has not chosen
 *   to keep it
 */
gboolean
tb_recordings_contains (GFile *file)
{
  g_autofree char *path = get_recordings_folder ();
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  return g_file_has_parent (file, folder);
}

/**
 * tb_recordings_new_file:
 * @name: name of the recording target
 * @error: return location
 *
 * Returns the default file for a new recording. It survives a crash and never overwrites another
 * file.
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
      int error_number = errno;

      g_set_error (
          error, G_IO_ERROR, g_io_error_from_errno (error_number),
          _ ("Cannot store recordings in %s: %s. Make the folder writable, or free some space."),
          folder, g_strerror (error_number));
      return NULL;
    }
  for (guint i = 1;; i++)
    {
      g_autofree char *path
          = i == 1 ? g_strdup_printf ("%s/%s-%s.tailback", folder, clean, date)
                   : g_strdup_printf ("%s/%s-%s-%u.tailback", folder, clean, date, i);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return g_file_new_for_path (path);
    }
}
