/* tb-atomic-file.c: writing of a file, from memory or by a function of the caller, that appears
 * under its name only when it is complete: until then it has no name or a temporary one
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <gio/gunixoutputstream.h>
#include <glib/gstdio.h>

#include "report/tb-atomic-file.h"

#define MAX_TRIES 16

/* A new file next to @file. Its name has a fixed length, because the name of @file can have the
 * maximum length. */
static GFileOutputStream *
create_temporary (GFile *file, GFile **temporary, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);

  for (guint i = 0; folder != NULL; i++)
    {
      g_autofree char *name = g_strdup_printf (".tailback-%08x.part", g_random_int ());
      g_autoptr (GFile) attempt = g_file_get_child (folder, name);
      g_autoptr (GError) local_error = NULL;
      GFileOutputStream *stream
          = g_file_create (attempt, G_FILE_CREATE_NONE, cancellable, &local_error);

      if (stream != NULL)
        {
          *temporary = g_steal_pointer (&attempt);
          return stream;
        }
      if (i + 1 < MAX_TRIES && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_EXISTS))
        continue;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY, g_strerror (EISDIR));
  return NULL;
}

/* A file without a name in the folder of @path; -1 if the file system does not support that. */
static int
create_unnamed (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

/* Another process may have created the path since: that file is replaced. */
static gboolean
link_file (int fd, const char *path, GError **error)
{
  g_autofree char *unnamed_path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *temporary = NULL;
  int error_number;

  if (linkat (AT_FDCWD, unnamed_path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
    return TRUE;
  temporary = g_strdup_printf ("%s/.tailback-%08x.part", folder, g_random_int ());
  if (errno == EEXIST
      && linkat (AT_FDCWD, unnamed_path, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0)
    {
      if (rename (temporary, path) == 0)
        return TRUE;
      error_number = errno;
      g_unlink (temporary);
    }
  else
    error_number = errno;
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (error_number),
                       g_strerror (error_number));
  return FALSE;
}

/* However the process ends, no partial file remains, because the file has no name until it is
 * complete. */
static gboolean
write_unnamed (int fd,
               const char *path,
               TbAtomicFileFunc write,
               gpointer data,
               GCancellable *cancellable,
               GError **error)
{
  g_autoptr (GOutputStream) stream = g_unix_output_stream_new (fd, FALSE);

  return write (data, stream, cancellable, error)
         && g_output_stream_close (stream, cancellable, error) && link_file (fd, path, error);
}

/* GIO writes directly to a file that does not exist yet, so that a partial file could remain. */
static gboolean
write_temporary (GFile *file,
                 TbAtomicFileFunc write,
                 gpointer data,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GFile) temporary = NULL;
  g_autoptr (GFileOutputStream) stream = create_temporary (file, &temporary, cancellable, error);
  gboolean written;

  if (stream == NULL)
    return FALSE;
  written = write (data, G_OUTPUT_STREAM (stream), cancellable, error);
  /* The stream is always closed. An error from closing does not matter if writing has failed. */
  written
      = g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, written ? error : NULL) && written;
  if (written
      && g_file_move (temporary, file, G_FILE_COPY_OVERWRITE, cancellable, NULL, NULL, error))
    return TRUE;
  g_file_delete (temporary, NULL, NULL);
  return FALSE;
}

static gboolean
write_new (GFile *file,
           TbAtomicFileFunc write,
           gpointer data,
           GCancellable *cancellable,
           GError **error)
{
  const char *path = g_file_peek_path (file);
  g_autofd int fd = path != NULL ? create_unnamed (path) : -1;

  if (fd >= 0)
    return write_unnamed (fd, path, write, data, cancellable, error);
  return write_temporary (file, write, data, cancellable, error);
}

/* For an existing file GIO writes a temporary file and renames it. */
static gboolean
replace_existing (GFile *file,
                  TbAtomicFileFunc write,
                  gpointer data,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GFileOutputStream) stream
      = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, cancellable, error);

  if (stream == NULL)
    return FALSE;
  if (write (data, G_OUTPUT_STREAM (stream), cancellable, error)
      && g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, error))
    return TRUE;
  /* a cancelled close leaves the previous file in place */
  g_cancellable_cancel (cancelled);
  g_output_stream_close (G_OUTPUT_STREAM (stream), cancelled, NULL);
  return FALSE;
}

/**
 * tb_atomic_file_write:
 * @file: file to write
 * @write: (scope call) (closure data): writes the contents
 * @data: data for @write
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Writes a file atomically: the file gets its name when it is complete. If writing fails or is
 * cancelled, an existing file stays as it was and no new file remains.
 *
 * Returns: whether the file was written
 */
gboolean
tb_atomic_file_write (GFile *file,
                      TbAtomicFileFunc write,
                      gpointer data,
                      GCancellable *cancellable,
                      GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, cancellable)
      == G_FILE_TYPE_UNKNOWN)
    return write_new (file, write, data, cancellable, error);
  return replace_existing (file, write, data, cancellable, error);
}

typedef struct
{
  const char *contents;
  gsize length;
} Contents;

static gboolean
write_contents (gpointer data, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  const Contents *self = data;

  return g_output_stream_write_all (stream, self->contents, self->length, NULL, cancellable, error);
}

/**
 * tb_atomic_file_write_contents:
 * @file: file to write
 * @contents: (array length=length) (element-type guint8): contents of the file
 * @length: length of @contents in bytes
 * @cancellable: (nullable): a #GCancellable
 * @error: return location for an error
 *
 * Writes a file as [func@atomic_file_write] does, from memory.
 *
 * Returns: whether the file was written
 */
gboolean
tb_atomic_file_write_contents (GFile *file,
                               const char *contents,
                               gsize length,
                               GCancellable *cancellable,
                               GError **error)
{
  Contents data = { .contents = contents, .length = length };

  return tb_atomic_file_write (file, write_contents, &data, cancellable, error);
}
