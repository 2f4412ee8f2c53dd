/* tb-session-image.c: placing of a finished session file under its name in one atomic step, from a
 * database in memory or from a temporary file; check of the target before; removal of leftover
 * temporary files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/file/tb-session-image-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/file/tb-session.h"

#define TEMPORARY_DIGITS 8
/* Age in seconds of the last change after which a file with a temporary name is a leftover. */
#define LEFTOVER_AGE 3600

static void
set_exists_error (GError **error, const char *display_name)
{
  g_set_error (
      error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS,
      _ ("“%s” exists already and is not replaced; choose another name or permit overwriting"),
      display_name);
}

static char *
get_folder (const char *path)
{
  return g_path_get_dirname (path);
}

static gboolean
check_folder (const char *path, const char *display_name, GError **error)
{
  g_autofree char *folder = get_folder (path);

  if (access (folder, W_OK | X_OK) == 0)
    return TRUE;
  tb_session_set_errno_error (error, display_name, errno);
  return FALSE;
}

/* The name that tb_session_image_make_temporary_name() returns, without folder and number. */
static char *
make_temporary_prefix (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_strdup_printf (".%.200s.", name);
}

static gboolean
is_temporary_name (const char *name, const char *prefix)
{
  return g_str_has_prefix (name, prefix) && strlen (name) == strlen (prefix) + TEMPORARY_DIGITS
         && strspn (name + strlen (prefix), "0123456789abcdef") == TEMPORARY_DIGITS;
}

/* Whether the file is a session, or the beginning of one, that is no longer written to. */
static gboolean
is_leftover (const char *path)
{
  static const char magic[16] = "SQLite format 3", zeros[16];
  char head[16] = { 0 };
  struct stat status;
  ssize_t got;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0)
    return FALSE;
  got = read (fd, head, sizeof head);
  if (fstat (fd, &status) != 0)
    got = -1;
  close (fd);
  return got >= 0 && S_ISREG (status.st_mode) && status.st_uid == geteuid ()
         && status.st_mtime < g_get_real_time () / G_USEC_PER_SEC - LEFTOVER_AGE
         && (memcmp (head, magic, sizeof head) == 0 || memcmp (head, zeros, sizeof head) == 0);
}

static void
remove_leftovers (const char *path)
{
  g_autofree char *folder = get_folder (path);
  g_autofree char *prefix = make_temporary_prefix (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *leftover = NULL;

      if (!is_temporary_name (name, prefix))
        continue;
      leftover = g_build_filename (folder, name, NULL);
      if (is_leftover (leftover))
        tb_session_image_remove (leftover);
    }
}

char *
tb_session_image_prepare (GFile *file, gboolean overwrite, GError **error)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *display_name = g_file_get_parse_name (file);
  struct stat status;

  if (path == NULL)
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("“%s” is not on this machine; a session can only be written to a local file"),
                   display_name);
      return NULL;
    }
  if (stat (path, &status) == 0)
    {
      char *real;

      if (!overwrite)
        {
          set_exists_error (error, display_name);
          return NULL;
        }
      if (!S_ISREG (status.st_mode))
        {
          g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_EXISTS,
                       _ ("“%s” is not a regular file and is not replaced; choose another name"),
                       display_name);
          return NULL;
        }
      /* the target of a link is replaced, not the link */
      real = realpath (path, NULL);
      if (real == NULL)
        {
          tb_session_set_errno_error (error, display_name, errno);
          return NULL;
        }
      g_free (path);
      path = g_strdup (real);
      free (real);
    }
  if (!check_folder (path, display_name, error))
    return NULL;
  remove_leftovers (path);
  return g_steal_pointer (&path);
}

/* A log of the replaced file would be read as a log of the new file. */
static void
remove_logs (const char *path)
{
  static const char *const suffixes[] = { "-wal", "-shm", "-journal" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *log = g_strconcat (path, suffixes[i], NULL);

      g_unlink (log);
    }
}

void
tb_session_image_remove (const char *path)
{
  g_unlink (path);
  remove_logs (path);
}

char *
tb_session_image_make_temporary_name (const char *path)
{
  g_autofree char *folder = get_folder (path);
  g_autofree char *prefix = make_temporary_prefix (path);

  return g_strdup_printf ("%s/%s%0*x", folder, prefix, TEMPORARY_DIGITS, g_random_int ());
}

/* Gives the unnamed file a name; fails if the name exists. */
static gboolean
link_as (int fd, const char *name)
{
  g_autofree char *self = g_strdup_printf ("/proc/self/fd/%d", fd);

  return linkat (AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Moves a named file to path. */
static gboolean
move_to (const char *name, const char *path, gboolean overwrite)
{
  if (overwrite)
    {
      remove_logs (path);
      return rename (name, path) == 0;
    }
  if (renameat2 (AT_FDCWD, name, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
    {
      remove_logs (path);
      return TRUE;
    }
  if (errno != EINVAL && errno != ENOSYS)
    return FALSE;
  /* the file system does not support this: check first, which is not atomic */
  if (access (path, F_OK) == 0)
    {
      errno = EEXIST;
      return FALSE;
    }
  remove_logs (path);
  return rename (name, path) == 0;
}

static gboolean
link_to (int fd, const char *path, gboolean overwrite)
{
  g_autofree char *temporary = NULL;
  int error_number;

  if (!overwrite)
    {
      if (!link_as (fd, path))
        return FALSE;
      remove_logs (path);
      return TRUE;
    }
  temporary = tb_session_image_make_temporary_name (path);
  if (link_as (fd, temporary) && move_to (temporary, path, TRUE))
    return TRUE;
  error_number = errno;
  g_unlink (temporary);
  errno = error_number;
  return FALSE;
}

static void
set_place_error (GError **error, const char *display_name, int error_number)
{
  if (error_number == EEXIST)
    set_exists_error (error, display_name);
  else
    tb_session_set_errno_error (error, display_name, error_number);
}

gboolean
tb_session_image_move (const char *name,
                       const char *path,
                       gboolean overwrite,
                       const char *display_name,
                       GError **error)
{
  if (move_to (name, path, overwrite))
    return TRUE;
  set_place_error (error, display_name, errno);
  return FALSE;
}

static gboolean
write_all (int fd, const guint8 *data, gsize size, gboolean synchronize)
{
  while (size > 0)
    {
      ssize_t written = write (fd, data, MIN (size, 1 << 30));

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return FALSE;
      data += written;
      size -= (gsize) written;
    }
  return !synchronize || fdatasync (fd) == 0;
}

/* Fallback for file systems without unnamed files: writes a file with a hidden name and moves
 * it. */
static gboolean
place_named (const guint8 *data,
             gsize size,
             const char *path,
             gboolean overwrite,
             gboolean synchronize)
{
  g_autofree char *temporary = tb_session_image_make_temporary_name (path);
  int fd = open (temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  gboolean ok = fd >= 0 && write_all (fd, data, size, synchronize);
  int error_number = errno;

  if (fd < 0)
    return FALSE;
  close (fd);
  if (ok)
    {
      ok = move_to (temporary, path, overwrite);
      error_number = errno;
    }
  if (!ok)
    g_unlink (temporary);
  errno = error_number;
  return ok;
}

gboolean
tb_session_image_place (TbSessionFile *image,
                        const char *path,
                        gboolean overwrite,
                        gboolean synchronize,
                        GError **error)
{
  g_autofree char *folder = get_folder (path);
  sqlite3_int64 size = 0;
  guint8 *data = sqlite3_serialize (image->db, "main", &size, 0);
  gboolean ok = FALSE;
  int fd;

  if (data == NULL)
    {
      g_set_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO,
                   _ ("Not enough memory to write “%s”"), image->display_name);
      return FALSE;
    }
  fd = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT))
    ok = place_named (data, (gsize) size, path, overwrite, synchronize);
  else
    ok = fd >= 0 && write_all (fd, data, (gsize) size, synchronize)
         && link_to (fd, path, overwrite);
  if (!ok)
    set_place_error (error, image->display_name, errno);
  if (fd >= 0)
    close (fd);
  sqlite3_free (data);
  return ok;
}
