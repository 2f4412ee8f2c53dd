/* tb-perf-build-id.c: build ID of a mapped file where the recording lacks it, read from the file on
 * this machine if that is still the recorded one (device, inode, not changed since)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-build-id.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tb-perf-feature.h"

/* Path of the host's root: as it is, and in a container. */
static const char *const roots[] = { "", "/run/host" };

static gint64
get_ns (struct timespec time)
{
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

static char *
read_build_id (int fd)
{
  Elf *elf;
  const void *bytes;
  ssize_t length;
  char *text = NULL;

  elf_version (EV_CURRENT);
  /* Read, not mapped: unmapping interrupts the other threads. */
  elf = elf_begin (fd, ELF_C_READ, NULL);
  length = elf != NULL ? dwelf_elf_gnu_build_id (elf, &bytes) : 0;
  if (length > 0 && length <= 64)
    text = tb_perf_build_id_to_text (bytes, length);
  if (elf != NULL)
    elf_end (elf);
  return text;
}

char *
tb_perf_build_id_find (const char *path, guint major, guint minor, guint64 inode, gint64 written)
{
  if (inode == 0 || path[0] != '/')
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++)
    {
      g_autofree char *seen = g_strconcat (roots[i], path, NULL);
      int fd = open (seen, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
      char *found = NULL;
      struct stat info;

      if (fd < 0)
        continue;
      if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_ino == inode
          && info.st_dev == makedev (major, minor) && get_ns (info.st_mtim) <= written
          && get_ns (info.st_ctim) <= written)
        found = read_build_id (fd);
      close (fd);
      if (found != NULL)
        return found;
    }
  return NULL;
}
