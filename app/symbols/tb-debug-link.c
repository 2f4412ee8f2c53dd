/* tb-debug-link.c: search in symbol folders and system folders for the separate debug file of a
 * program without a build ID, by the file name and CRC of its debug link, given by the caller
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A program that is linked without a build ID is followed to its debug file by the section
 * .gnu_debuglink: a file name and the CRC-32 of the whole debug file.
 */

#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tb-sandbox.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-symbol-folders.h"

#define POLYNOMIAL 0xedb88320u

static const guint32 *
get_crc_table (void)
{
  static guint32 table[256];
  static gsize is_filled;

  if (g_once_init_enter (&is_filled))
    {
      for (guint i = 0; i < G_N_ELEMENTS (table); i++)
        {
          guint32 value = i;

          for (guint bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
          table[i] = value;
        }
      g_once_init_leave (&is_filled, 1);
    }
  return table;
}

/* Returns FALSE if the file cannot be read. */
static gboolean
compute_crc (int fd, guint32 *crc)
{
  g_autofree guint8 *buffer = g_malloc (1 << 16);
  const guint32 *table = get_crc_table ();
  guint32 value = G_MAXUINT32;
  off_t at = 0;
  ssize_t n;

  while ((n = pread (fd, buffer, 1 << 16, at)) > 0)
    {
      for (ssize_t i = 0; i < n; i++)
        value = table[(value ^ buffer[i]) & 0xff] ^ value >> 8;
      at += n;
    }
  *crc = ~value;
  return n == 0;
}

/* Takes ownership of path. */
static int
try_open (char *path, guint32 crc, char **found)
{
  g_autofree char *own = path;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  guint32 actual;

  if (fd < 0)
    return -1;
  if (fstat (fd, &status) < 0 || !S_ISREG (status.st_mode) || !compute_crc (fd, &actual)
      || actual != crc)
    {
      close (fd);
      return -1;
    }
  if (found != NULL)
    *found = g_steal_pointer (&own);
  return fd;
}

static int
open_in_folders (const char *folder, const char *debuglink, guint32 crc, char **found)
{
  g_auto (GStrv) folders = tb_symbol_folders_list ();
  int fd = -1;

  for (guint i = 0; folders[i] != NULL && fd < 0; i++)
    {
      fd = try_open (g_build_filename (folders[i], folder, debuglink, NULL), crc, found);
      if (fd < 0)
        fd = try_open (g_build_filename (folders[i], debuglink, NULL), crc, found);
    }
  return fd;
}

int
tb_elf_finder_open_debug_link (const char *code_path,
                               const char *debuglink,
                               guint32 crc,
                               gint32 pid,
                               char **found)
{
  g_autofree char *folder = code_path != NULL ? g_path_get_dirname (code_path) : NULL;
  int fd;

  if (folder == NULL || folder[0] != '/' || debuglink == NULL || debuglink[0] == '\0'
      || strchr (debuglink, '/') != NULL)
    return -1;
  fd = open_in_folders (folder, debuglink, crc, found);
  if (fd < 0)
    fd = try_open (g_build_filename (folder, debuglink, NULL), crc, found);
  if (fd < 0)
    fd = try_open (g_build_filename (folder, ".debug", debuglink, NULL), crc, found);
  if (fd < 0)
    fd = try_open (g_build_filename ("/usr/lib/debug", folder, debuglink, NULL), crc, found);
  if (fd < 0 && pid > 0 && !tb_sandbox_is_active ())
    fd = try_open (g_strdup_printf ("/proc/%d/root/usr/lib/debug%s/%s", pid, folder, debuglink),
                   crc, found);
  if (fd < 0)
    fd = try_open (g_build_filename ("/run/host/usr/lib/debug", folder, debuglink, NULL), crc,
                   found);
  return fd;
}
