/* fuzz-elf-symbols.c: fuzz target for ELF files with DWARF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz-target.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-function-finder.h"
#include "symbols/tb-supplementary-file-private.h"

/* As if it had been recorded without a build ID. */
static void
compare (int fd)
{
  static const TbFileRange ranges[] = { { 0x1000, 0x2000 }, { 0x3000, 0x5000 } };
  TbMappedFile mapped = {
    .file = { .inode = 1, .protection = 5 },
    .ranges = ranges,
    .n_ranges = G_N_ELEMENTS (ranges),
  };

  g_assert_cmpint (tb_mapped_file_compare (&mapped, fd, TRUE), !=, TB_FILE_MATCH_VERIFIED);
  mapped.file.protection = 0;
  g_assert_cmpint (tb_mapped_file_compare (&mapped, fd, TRUE), <=, TB_FILE_MATCH_UNKNOWN);
}

static void
find_functions (int fd)
{
  static const char *const wanted[] = { "main", "oven::bake", "0x1139", "_start" };
  guint64 offset = 0;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    tb_function_find (fd, "fuzz", wanted[i], &offset, NULL);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *build_id = NULL, *linked_id = NULL, *linked = NULL;
  g_autoptr (TbElfSymbols) symbols = NULL;
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));

  if (write (fd, data, size) != (ssize_t) size)
    g_error ("memfd");
  build_id = tb_elf_read_build_id (fd);
  symbols = build_id != NULL ? tb_elf_symbols_open (path, build_id, 0, NULL) : NULL;
  for (guint64 offset = 0; symbols != NULL && offset < 0x3000; offset += 7)
    {
      g_array_set_size (names, 0);
      tb_elf_symbols_find (symbols, offset, offset % 2 == 0, names);
      tb_elf_symbols_find_variable (symbols, offset * 3, names);
      for (guint i = 0; i < names->len; i++)
        g_assert_true (g_array_index (names, TbFrameName, i).function[0] != '\0'
                       || g_array_index (names, TbFrameName, i).line > 0);
    }
  linked_id = tb_supplementary_file_read_link (fd, &linked);
  g_assert_true ((linked_id == NULL) == (linked == NULL));
  find_functions (fd);
  compare (fd);
  close (fd);
  return 0;
}
