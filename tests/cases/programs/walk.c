/* walk.c: recursive directory reads, as by grep -r, repeated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: walk make FOLDER N M                    makes N folders with M files each in FOLDER
 *        walk read FOLDER SECONDS [DEVICE]       reads FOLDER and its folders
 *
 * The folders are read three times, then the kernel's cache of the device is dropped, and so on.
 */

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline, noclone, noipa))
#define KEEP_FRAME __asm__ volatile ("" ::: "memory")

static uint64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_nsec;
}

/* f0: reads the next entries of a folder, or its end. */
NOINLINE static ssize_t
walk_list (int folder, char *entries, size_t size)
{
  ssize_t length = getdents64 (folder, entries, size);

  KEEP_FRAME;
  return length;
}

NOINLINE static void
walk_read (int parent, const char *name)
{
  char entries[8192] __attribute__ ((aligned (8)));
  int folder = openat (parent, name, O_RDONLY | O_DIRECTORY);
  ssize_t length;

  if (folder < 0)
    return;
  while ((length = walk_list (folder, entries, sizeof entries)) > 0)
    for (ssize_t at = 0; at < length;)
      {
        const struct dirent64 *entry = (const void *) (entries + at);

        if (entry->d_type == DT_DIR && strcmp (entry->d_name, ".") != 0
            && strcmp (entry->d_name, "..") != 0)
          walk_read (folder, entry->d_name);
        at += entry->d_reclen;
      }
  close (folder);
}

/* Drops the cache of this device only; until then repeated reads come from memory. */
static void
drop (int device)
{
  if (device >= 0 && ioctl (device, BLKFLSBUF, 0) != 0)
    perror ("walk");
}

static int
make (const char *top, int n_folders, int n_files)
{
  char path[4096];

  for (int i = 0; i < n_folders; i++)
    {
      snprintf (path, sizeof path, "%s/folder-%d", top, i);
      if (mkdir (path, 0777) != 0 && errno != EEXIST)
        return 1;
      for (int j = 0; j < n_files; j++)
        {
          int file;

          snprintf (path, sizeof path, "%s/folder-%d/a-file-with-a-name-of-some-length-%d", top, i,
                    j);
          file = open (path, O_WRONLY | O_CREAT, 0666);
          if (file < 0)
            return 1;
          close (file);
        }
    }
  return 0;
}

int
main (int argc, char **argv)
{
  uint64_t end;
  int device;

  if (argc == 5 && strcmp (argv[1], "make") == 0)
    return make (argv[2], atoi (argv[3]), atoi (argv[4]));
  if (argc < 4 || strcmp (argv[1], "read") != 0)
    return 2;
  device = argc > 4 ? open (argv[4], O_RDONLY) : -1;
  end = now () + (uint64_t) (atof (argv[3]) * 1e9);
  while (now () < end)
    {
      drop (device);
      for (int i = 0; i < 3; i++)
        walk_read (AT_FDCWD, argv[2]);
    }
  return 0;
}
