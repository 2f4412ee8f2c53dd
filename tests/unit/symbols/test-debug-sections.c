/* test-debug-sections.c: test of compressed debug information: the same names as without
 * compression, and what damaged sections are taken for
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-inflate-private.h"

#define N_OFFSETS 4096u

static char *folder;
static char *compressed;
static char *build_id;

static volatile int sink;

static inline __attribute__ ((always_inline)) void
inlined (int n)
{
  sink *= n;
}

static __attribute__ ((noinline)) void
outer (int n)
{
  inlined (n);
  sink += n;
}

static int
get_first_bias (struct dl_phdr_info *info, size_t size, void *data)
{
  *(guint64 *) data = info->dlpi_addr;
  return 1;
}

/* The place in the file of the functions of this test. */
static guint64
get_start (const char *bytes)
{
  const Elf64_Ehdr *header = (const Elf64_Ehdr *) (gconstpointer) bytes;
  const Elf64_Phdr *segments = (const Elf64_Phdr *) (gconstpointer) (bytes + header->e_phoff);
  guint64 bias, address;

  dl_iterate_phdr (get_first_bias, &bias);
  address = (guint64) (gconstpointer) outer - bias;
  for (guint i = 0; i < header->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr
        && address < segments[i].p_vaddr + segments[i].p_filesz)
      return address - segments[i].p_vaddr + segments[i].p_offset;
  g_assert_not_reached ();
}

/* All names around the start, as text. */
static char *
list_names (const char *path, guint64 start, guint *n_inlined)
{
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, NULL);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  GString *text = g_string_new (NULL);

  *n_inlined = 0;
  for (guint i = 0; symbols != NULL && i < N_OFFSETS; i++)
    {
      g_array_set_size (names, 0);
      tb_elf_symbols_find (symbols, start + i, TRUE, names);
      for (guint j = 0; j < names->len; j++)
        {
          const TbFrameName *name = &g_array_index (names, TbFrameName, j);

          *n_inlined += name->is_inline;
          g_string_append_printf (text, "%u %s %s %u\n", i, name->function, name->file, name->line);
        }
    }
  return g_string_free_and_steal (text);
}

static void
compress_self (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  const char *command[] = { "objcopy", "--compress-debug-sections=zlib", path, compressed, NULL };
  int status, fd = g_open (path, O_RDONLY | O_CLOEXEC);

  build_id = tb_elf_read_build_id (fd);
  close (fd);
  g_assert_nonnull (build_id);
  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
test_equal (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *bytes = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *names = NULL;
  guint64 start;
  guint n_inlined, n_expected;

  outer (1);
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  start = get_start (bytes);
  expected = list_names (path, start, &n_expected);
  names = list_names (compressed, start, &n_inlined);
  g_assert_cmpuint (n_expected, >, 0);
  g_assert_cmpuint (n_inlined, ==, n_expected);
  g_assert_cmpstr (names, ==, expected);
}

/* Overwrites a byte of some compressed sections. */
static void
damage (char *bytes, gsize size)
{
  const Elf64_Ehdr *header = (const Elf64_Ehdr *) (gconstpointer) bytes;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (gconstpointer) (bytes + header->e_shoff);

  for (guint i = 0; i < header->e_shnum; i++)
    if ((sections[i].sh_flags & SHF_COMPRESSED) != 0 && g_test_rand_bit ())
      {
        /* often the header, with the size that it claims */
        guint64 span = g_test_rand_bit () ? sizeof (Elf64_Chdr) : sections[i].sh_size;
        guint64 at = sections[i].sh_offset + (guint64) g_test_rand_int_range (0, (gint32) span);

        g_assert_cmpuint (at, <, size);
        bytes[at] = (char) g_test_rand_int_range (0, 256);
      }
}

static void
test_damaged (void)
{
  g_autofree char *path = g_build_filename (folder, "damaged", NULL);
  g_autofree char *bytes = NULL;
  guint64 start;
  gsize size;

  g_assert_true (g_file_get_contents (compressed, &bytes, &size, NULL));
  start = get_start (bytes);
  for (guint i = 0; i < (g_test_thorough () ? 500u : 30u); i++)
    {
      g_autofree char *copy = g_memdup2 (bytes, size);
      g_autofree char *names = NULL;
      guint n_inlined;

      damage (copy, size);
      g_unlink (path);
      g_assert_true (g_file_set_contents (path, copy, (gssize) size, NULL));
      names = list_names (path, start, &n_inlined);
      /* the table of symbols is whole */
      g_assert_nonnull (strstr (names, "outer"));
    }
  g_unlink (path);
}

/* What claims more than the format can hold is refused before memory is taken. */
static void
test_bounds (void)
{
  static const guint8 empty[] = { 0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01 };

  g_assert_null (tb_inflate (empty, sizeof empty, 0));
  g_assert_null (tb_inflate (empty, sizeof empty, 1));
  g_assert_null (tb_inflate (empty, sizeof empty, G_MAXSIZE / 2));
  g_assert_null (tb_inflate (empty, 0, 100));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("test-debug-sections-XXXXXX", NULL);
  compressed = g_build_filename (folder, "compressed", NULL);
  compress_self ();
  g_test_add_func ("/debug-sections/equal", test_equal);
  g_test_add_func ("/debug-sections/damaged", test_damaged);
  g_test_add_func ("/debug-sections/bounds", test_bounds);
  status = g_test_run ();
  g_unlink (compressed);
  g_rmdir (folder);
  g_free (folder);
  g_free (compressed);
  g_free (build_id);
  return status;
}
