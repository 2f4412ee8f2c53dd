/* tb-symbol-folders.c: list of the folders in which other files search for symbols: those in
 * $TAILBACK_SYMBOL_PATH and those that the program sets; check of a folder that the user typed,
 * with an error message
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "symbols/tb-symbol-folders.h"

/* Each folder costs some failed open() calls for each file of a recording. */
#define MAX_FOLDERS 64

static GMutex lock;
static char **chosen;

static void
add (GPtrArray *folders, const char *folder)
{
  if (folders->len < MAX_FOLDERS && g_path_is_absolute (folder)
      && !g_ptr_array_find_with_equal_func (folders, folder, g_str_equal, NULL))
    g_ptr_array_add (folders, g_strdup (folder));
}

/**
 * tb_symbol_folders_set:
 * @folders: (nullable) (array zero-terminated=1): absolute paths, in search order; relative paths
 * are ignored
 *
 * Sets the folders in which this process searches for debug files, programs and libraries that are
 * no longer at their recorded path. Affects symbolizations that begin later, in any thread.
 */
void
tb_symbol_folders_set (const char *const *folders)
{
  g_mutex_lock (&lock);
  g_strfreev (chosen);
  chosen = g_strdupv ((char **) folders);
  g_mutex_unlock (&lock);
}

/**
 * tb_symbol_folders_list:
 *
 * Gets the folders of the environment variable `TAILBACK_SYMBOL_PATH` (separated by colons),
 * followed by those that were set.
 *
 * Returns: (transfer full) (array zero-terminated=1): the folders that are searched, each once, at
 * most 64
 */
char **
tb_symbol_folders_list (void)
{
  const char *path = g_getenv ("TAILBACK_SYMBOL_PATH");
  g_auto (GStrv) given = g_strsplit (path != NULL ? path : "", G_SEARCHPATH_SEPARATOR_S, -1);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; given[i] != NULL; i++)
    add (folders, given[i]);
  g_mutex_lock (&lock);
  for (guint i = 0; chosen != NULL && chosen[i] != NULL; i++)
    add (folders, chosen[i]);
  g_mutex_unlock (&lock);
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_steal (folders, NULL);
}

/**
 * tb_symbol_folders_check:
 * @folder: a path from the user
 * @error: return location
 *
 * Checks whether a folder can be searched for symbol files.
 *
 * Returns: whether the folder can be searched; otherwise @error has the reason in one line
 */
gboolean
tb_symbol_folders_check (const char *folder, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GDir) opened = NULL;

  g_return_val_if_fail (folder != NULL, FALSE);

  if (!g_path_is_absolute (folder))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” is not an absolute path: begin with “/”"), folder);
      return FALSE;
    }
  opened = g_dir_open (folder, 0, &reason);
  if (opened != NULL)
    return TRUE;
  if (g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("This folder does not exist"));
  else if (g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY,
                         _ ("This is a file, not a folder"));
  else if (g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_ACCES))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                         _ ("This user has no permission to read this folder"));
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, reason->message);
  return FALSE;
}
