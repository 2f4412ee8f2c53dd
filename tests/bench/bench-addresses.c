/* bench-addresses.c: benchmark of names of addresses: distinct addresses of a program with DWARF
 * that are named in a second of CPU time, the first time and when they are looked up again
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   bench-addresses FILE [ADDRESSES]
 */

#include "config.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../test-folder.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"

#define N_ADDRESSES 10000

static double
get_cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* The largest executable segment, or 0 bytes. */
static void
find_code (int fd, guint64 *offset, guint64 *size)
{
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  size_t n = 0;

  *offset = *size = 0;
  if (elf == NULL || elf_getphdrnum (elf, &n) != 0)
    n = 0;
  for (size_t i = 0; i < n; i++)
    {
      GElf_Phdr header;

      if (gelf_getphdr (elf, (int) i, &header) != NULL && header.p_type == PT_LOAD
          && (header.p_flags & PF_X) != 0 && header.p_filesz > *size)
        {
          *offset = header.p_offset;
          *size = header.p_filesz;
        }
    }
  elf_end (elf);
}

static void
look_up (const char *path, const char *build_id, const guint64 *offsets, guint n, const char *when)
{
  double start = get_cpu_seconds (), seconds;
  TbElfSymbols *symbols = tb_elf_symbols_open (path, build_id, 0, NULL);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  guint n_named = 0, n_inlined = 0;

  for (guint i = 0; i < n; i++)
    {
      g_array_set_size (names, 0);
      n_named += tb_elf_symbols_find (symbols, offsets[i], TRUE, names);
      n_inlined += names->len > 1;
    }
  tb_elf_symbols_free (symbols);
  seconds = get_cpu_seconds () - start;
  printf ("%-12s %8.0f addresses a second (%u of %u named, %u in inlined functions, %.3f s)\n",
          when, n / seconds, n_named, n, n_inlined, seconds);
}

int
main (int argc, char **argv)
{
  int fd = argc > 1 ? open (argv[1], O_RDONLY | O_CLOEXEC) : -1;
  guint n = argc > 2 ? (guint) atoi (argv[2]) : N_ADDRESSES;
  g_autofree char *build_id = fd >= 0 ? tb_elf_read_build_id (fd) : NULL;
  g_autofree char *path = argc > 1 ? g_canonicalize_filename (argv[1], NULL) : NULL;
  g_autofree char *cache = g_dir_make_tmp ("bench-addresses-XXXXXX", NULL);
  g_autofree guint64 *offsets = g_new (guint64, n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint64 offset, size;

  if (build_id == NULL)
    {
      fprintf (stderr, "usage: bench-addresses FILE [ADDRESSES]; FILE has a build ID\n");
      return 2;
    }
  find_code (fd, &offset, &size);
  close (fd);
  for (guint i = 0; i < n; i++)
    offsets[i] = offset + (guint64) (g_rand_double (rand) * (double) size);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  look_up (path, build_id, offsets, n, "first time");
  look_up (path, build_id, offsets, n, "again");
  test_folder_remove (cache);
  return 0;
}
