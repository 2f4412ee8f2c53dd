/* tb-session-copy.c: complete copy of a session as one file, with the additions that are in memory
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/file/tb-session-image-private.h"
#include "session/file/tb-session-private.h"

#define BACKUP_PAGES 512 /* between two checks of the cancellable */

static gboolean
back_up (TbStore *store, TbSessionFile *copy, GCancellable *cancellable, GError **error)
{
  sqlite3_backup *backup;
  int code = SQLITE_OK;

  g_mutex_lock (&store->lock);
  backup = sqlite3_backup_init (copy->db, "main", store->file->db, "main");
  g_mutex_unlock (&store->lock);
  if (backup == NULL)
    {
      tb_session_file_set_error (copy, error);
      return FALSE;
    }
  while (code == SQLITE_OK && !g_cancellable_is_cancelled (cancellable))
    {
      g_mutex_lock (&store->lock);
      code = sqlite3_backup_step (backup, BACKUP_PAGES);
      g_mutex_unlock (&store->lock);
    }
  g_mutex_lock (&store->lock);
  sqlite3_backup_finish (backup);
  g_mutex_unlock (&store->lock);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (code != SQLITE_DONE)
    {
      /* the error is the target's unless the source cannot be read */
      gboolean is_source = (sqlite3_errcode (store->file->db) & 0xff) == SQLITE_CORRUPT;

      tb_session_file_set_error (is_source ? store->file : copy, error);
    }
  return code == SQLITE_DONE;
}

static gboolean
flush (const char *path, const char *display_name, GError **error)
{
  g_autofd int fd = open (path, O_RDWR | O_CLOEXEC);

  if (fd >= 0 && fsync (fd) == 0)
    return TRUE;
  tb_session_set_errno_error (error, display_name, errno);
  return FALSE;
}

/* Creates the file. If SQLite may not create a file, it opens it for reading instead and reports
 * that it is missing, not the actual error. */
static gboolean
create (const char *path, const char *display_name, GError **error)
{
  g_autofd int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  if (fd >= 0)
    return TRUE;
  tb_session_set_errno_error (error, display_name, errno);
  return FALSE;
}

static gboolean
make_copy (TbSession *self,
           const char *name,
           const char *display_name,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (TbSessionFile) copy = NULL;

  if (!create (name, display_name, error))
    return FALSE;
  copy = tb_session_file_open (name, SQLITE_OPEN_READWRITE, display_name, error);
  /* no journal: the file has a temporary name until it is complete */
  if (copy == NULL
      || !tb_session_file_execute (copy, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF",
                                   error)
      || !back_up (self->store, copy, cancellable, error)
      || !tb_session_file_execute (copy, "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF",
                                   error))
    return FALSE;
  return tb_session_file_begin (copy, error)
         && tb_session_save_additions (self, copy, cancellable, error)
         && tb_session_file_commit (copy, error);
}

static gboolean
is_same_file (TbSession *self, const char *path)
{
  const char *own = g_file_peek_path (self->file);
  struct stat a, b;

  return stat (own, &a) == 0 && stat (path, &b) == 0 && a.st_dev == b.st_dev
         && a.st_ino == b.st_ino;
}

/**
 * tb_session_save_copy:
 * @self: a session
 * @file: the target; an existing file is replaced once the copy is complete
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Saves a complete copy in one file, including additions that are in memory only. Takes as long as
 * copying the file; do not call it in the main thread.
 *
 * Returns: %TRUE on success
 */
gboolean
tb_session_save_copy (TbSession *self, GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *temporary = NULL;
  g_autofree char *display_name = NULL;
  gboolean ok;

  g_return_val_if_fail (TB_IS_SESSION (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  path = tb_session_image_prepare (file, TRUE, error);
  if (path == NULL)
    return FALSE;
  display_name = g_file_get_parse_name (file);
  if (is_same_file (self, path))
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS,
                   _ ("“%s” is the session itself; choose another name for the copy"),
                   display_name);
      return FALSE;
    }

  temporary = tb_session_image_make_temporary_name (path);
  g_mutex_lock (&self->store->write_lock);
  ok = make_copy (self, temporary, display_name, cancellable, error);
  g_mutex_unlock (&self->store->write_lock);
  ok = ok && flush (temporary, display_name, error)
       && tb_session_image_move (temporary, path, TRUE, display_name, error);
  if (!ok)
    tb_session_image_remove (temporary);
  return ok;
}
