/* tb-perf-input.c: bytes of the file that is imported, mapped into memory; a file that cannot be
 * mapped is copied first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-input.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that cannot be mapped (a pipe, a remote file) is first copied to an unnamed file. */
static int
open_copy (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInputStream) input = g_file_read (file, cancellable, error);
  g_autoptr (GOutputStream) output = NULL;
  g_autofree char *path = NULL;
  int copy;

  if (input == NULL)
    return -1;
  copy = g_file_open_tmp ("tailback-XXXXXX", &path, error);
  if (copy < 0)
    return -1;
  unlink (path);
  output = g_unix_output_stream_new (copy, FALSE);
  if (g_output_stream_splice (output, G_INPUT_STREAM (input), G_OUTPUT_STREAM_SPLICE_NONE,
                              cancellable, error)
      < 0)
    {
      close (copy);
      return -1;
    }
  return copy;
}

static int
open_for_mapping (GFile *file, struct stat *info, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (file);
  int fd = path ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

  if (path != NULL && fd < 0)
    {
      int problem = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (problem), _ ("Cannot open “%s”: %s"),
                   path, g_strerror (problem));
      return -1;
    }
  if (fd >= 0 && fstat (fd, info) == 0 && S_ISREG (info->st_mode))
    return fd;
  if (fd >= 0)
    close (fd);
  fd = open_copy (file, cancellable, error);
  if (fd >= 0 && fstat (fd, info) < 0)
    info->st_size = 0;
  info->st_mtim = (struct timespec) { 0 }; /* that of the copy */
  return fd;
}

gboolean
tb_perf_input_open (TbPerfInput *self, GFile *file, GCancellable *cancellable, GError **error)
{
  struct stat info = { 0 };
  void *mapped = NULL;
  int fd = open_for_mapping (file, &info, cancellable, error);

  *self = (TbPerfInput) { 0 };
  if (fd < 0)
    return FALSE;
  if (info.st_size > 0) /* an empty file cannot be mapped */
    mapped = mmap (NULL, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close (fd);
  if (mapped == MAP_FAILED)
    {
      g_autofree char *name = g_file_get_parse_name (file);

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _ ("Cannot read “%s”: %s"),
                   name, g_strerror (errno));
      return FALSE;
    }
  if (mapped != NULL)
    madvise (mapped, info.st_size, MADV_SEQUENTIAL);
  *self
      = (TbPerfInput) { mapped, info.st_size,
                        info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec,
                        mapped != NULL };
  return TRUE;
}

void
tb_perf_input_clear (TbPerfInput *self)
{
  if (self->is_mapped)
    munmap ((void *) self->bytes, self->size);
  *self = (TbPerfInput) { 0 };
}
