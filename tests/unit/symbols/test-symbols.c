/* test-symbols.c: test of ELF files, DWARF, kallsyms, perf maps, demangling
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "../../test-folder.h"
#include "symbols/tb-address-names-private.h"
#include "symbols/tb-demangle-private.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-function-starts-private.h"
#include "symbols/tb-symbol-folders.h"

/* Addresses in this program, which has debugging information, are looked up in its file. */

volatile int sink;
void inlined_marker (void);
void outer_function (int n);

static inline __attribute__ ((always_inline)) void
inlined_inner (int n)
{
  sink += n;
  __asm__ volatile (".globl inlined_marker\ninlined_marker: nop");
  sink *= n;
}

static inline __attribute__ ((always_inline)) void
inlined_outer (int n)
{
  sink -= n;
  inlined_inner (n + 1);
}

__attribute__ ((noinline)) void
outer_function (int n)
{
  sink = n;
  inlined_outer (n + 2);
  sink ^= n;
}

static int
first_load_bias (struct dl_phdr_info *info, size_t size, void *data)
{
  *(guint64 *) data = info->dlpi_addr;
  return 1;
}

/* The file offset of an address in this program. Its segments' file offsets and addresses differ,
 * as in most programs. */
static guint64
file_offset (gconstpointer pointer)
{
  guint64 bias, address;
  g_autofree char *bytes = NULL;
  const Elf64_Ehdr *header;
  const Elf64_Phdr *segments;

  dl_iterate_phdr (first_load_bias, &bias);
  address = (guint64) pointer - bias;
  g_assert_true (g_file_get_contents ("/proc/self/exe", &bytes, NULL, NULL));
  header = (const Elf64_Ehdr *) bytes;
  segments = (const Elf64_Phdr *) (bytes + header->e_phoff);
  for (guint i = 0; i < header->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr
        && address < segments[i].p_vaddr + segments[i].p_filesz)
      return address - segments[i].p_vaddr + segments[i].p_offset;
  g_assert_not_reached ();
}

static char *
own_build_id (void)
{
  int fd = g_open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  char *build_id = tb_elf_read_build_id (fd);

  close (fd);
  g_assert_nonnull (build_id);
  return build_id;
}

static char *
own_path (void)
{
  return g_file_read_link ("/proc/self/exe", NULL);
}

static const TbFrameName *
name_at (GArray *names, guint index)
{
  g_assert_cmpuint (index, <, names->len);
  return &g_array_index (names, TbFrameName, index);
}

static void
test_elf_symbol (void)
{
  g_autofree char *build_id = own_build_id ();
  g_autofree char *path = own_path ();
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  g_autoptr (GError) error = NULL;
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, &error);

  g_assert_no_error (error);
  g_assert_true (tb_elf_symbols_find (symbols, file_offset ((gconstpointer) outer_function) + 1,
                                      FALSE, names));
  g_assert_cmpuint (names->len, ==, 1);
  g_assert_cmpstr (name_at (names, 0)->function, ==, "outer_function");
  g_assert_false (tb_elf_symbols_find (symbols, G_MAXUINT64, FALSE, names));
  g_assert_false (tb_elf_symbols_find (symbols, 0, FALSE, names));
}

/* Writes a stripped copy: only what is mapped, without section headers or symbols. The file is left
 * in folder. */
static char *
write_bare (const char *folder)
{
  char *path = g_build_filename (folder, "bare", NULL);
  g_autofree char *bytes = NULL;
  Elf64_Ehdr *header;
  gsize size;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &bytes, &size, NULL));
  header = (Elf64_Ehdr *) bytes;
  header->e_shoff = header->e_shnum = header->e_shstrndx = 0;
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  return path;
}

static void
test_elf_bare (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-symbols-XXXXXX", NULL);
  g_autofree char *build_id = own_build_id ();
  g_autofree char *path = write_bare (folder);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, NULL);
  guint64 start = file_offset ((gconstpointer) test_elf_symbol);
  guint inside = 0;

  g_assert_nonnull (symbols);
  for (guint i = 0; i < 16; i++)
    {
      g_array_set_size (names, 0);
      if (!tb_elf_symbols_find (symbols, start + i, i % 2 == 0, names))
        continue;
      g_assert_cmpuint (names->len, ==, 1);
      g_assert_cmpstr (name_at (names, 0)->function, ==, "");
      inside += name_at (names, 0)->line == start;
    }
  g_assert_cmpuint (inside, ==, 16);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The start of every function of this program in the unwind table, against its symbols. */
static void
test_function_starts (void)
{
  int fd = g_open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  Elf *elf = elf_begin (fd, ELF_C_READ_MMAP, NULL);
  Elf_Scn *section = NULL;
  TbFunctionStarts starts;
  guint n_found = 0;

  tb_function_starts_init (&starts, elf);
  while ((section = elf_nextscn (elf, section)) != NULL)
    {
      GElf_Shdr header;
      Elf_Data *data = elf_getdata (section, NULL);
      GElf_Sym symbol;

      if (gelf_getshdr (section, &header) == NULL || header.sh_type != SHT_SYMTAB)
        continue;
      for (int i = 0; gelf_getsym (data, i, &symbol) != NULL; i++)
        {
          const char *name = elf_strptr (elf, header.sh_link, symbol.st_name);
          guint64 start;

          if (GELF_ST_TYPE (symbol.st_info) != STT_FUNC || symbol.st_size == 0
              || symbol.st_shndx == SHN_UNDEF)
            continue;
          for (guint64 at = 0; at < symbol.st_size; at += symbol.st_size / 3 + 1)
            if (tb_function_starts_find (&starts, symbol.st_value + at, &start))
              {
                g_assert_cmphex (start, ==, symbol.st_value);
                n_found++;
              }
            else
              g_assert_false (g_str_has_prefix (name, "test_"));
        }
    }
  g_assert_cmpuint (n_found, >, 100);
  elf_end (elf);
  close (fd);
}

static void
test_elf_inlines (void)
{
  g_autofree char *build_id = own_build_id ();
  g_autofree char *path = own_path ();
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, NULL);

  g_assert_true (
      tb_elf_symbols_find (symbols, file_offset ((gconstpointer) inlined_marker), TRUE, names));
  g_assert_cmpuint (names->len, ==, 3);
  g_assert_cmpstr (name_at (names, 0)->function, ==, "inlined_inner");
  g_assert_cmpstr (name_at (names, 1)->function, ==, "inlined_outer");
  g_assert_cmpstr (name_at (names, 2)->function, ==, "outer_function");
  g_assert_true (name_at (names, 0)->is_inline && name_at (names, 1)->is_inline
                 && !name_at (names, 2)->is_inline);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (g_str_has_suffix (name_at (names, i)->file, "test-symbols.c"));
      g_assert_cmpuint (name_at (names, i)->line, >, 20);
    }
  /* Each call site is further down in this source file than its callee. */
  g_assert_cmpuint (name_at (names, 0)->line, <, name_at (names, 1)->line);
  g_assert_cmpuint (name_at (names, 1)->line, <, name_at (names, 2)->line);
}

struct
{
  int first;
  int second;
} test_aggregate = { 1, 2 };
int test_unset[4];

static guint64
distance_of (gconstpointer variable)
{
  guint64 bias;

  dl_iterate_phdr (first_load_bias, &bias);
  return (guint64) (gsize) variable - bias; /* position-independent: the first page is at 0 */
}

static void
test_elf_variables (void)
{
  g_autofree char *build_id = own_build_id ();
  g_autofree char *path = own_path ();
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, NULL);

  g_assert_true (tb_elf_symbols_find_variable (symbols, distance_of (&test_aggregate), names));
  g_assert_true (
      tb_elf_symbols_find_variable (symbols, distance_of (&test_aggregate.second), names));
  g_assert_true (tb_elf_symbols_find_variable (symbols, distance_of (&test_unset[3]), names));
  g_assert_cmpuint (names->len, ==, 3);
  g_assert_cmpstr (name_at (names, 0)->function, ==, "test_aggregate");
  g_assert_cmpstr (name_at (names, 1)->function, ==, "test_aggregate+0x4");
  g_assert_cmpstr (name_at (names, 2)->function, ==, "test_unset+0xc");
  /* functions are not variables, nor are addresses outside */
  g_assert_false (
      tb_elf_symbols_find_variable (symbols, distance_of ((gconstpointer) outer_function), names));
  g_assert_false (tb_elf_symbols_find_variable (symbols, 0, names));
  g_assert_false (tb_elf_symbols_find_variable (symbols, G_MAXUINT64, names));
  g_assert_false (tb_elf_symbols_find_variable (symbols, G_MAXINT64, names));
  g_assert_cmpuint (names->len, ==, 3);
}

/* The functions that cover an address, innermost first, by libdw's slow functions, for
 * comparison. */
static GPtrArray *
reference_functions (Dwfl_Module *module, Dwarf_Addr address)
{
  GPtrArray *functions = g_ptr_array_new ();
  Dwarf_Addr bias;
  Dwarf_Die *unit = dwfl_module_addrdie (module, address, &bias);
  Dwarf_Die *innermost = NULL, *scopes = NULL;
  /* For an inlined function dwarf_getscopes() continues with the place of its definition, not with
   * its caller. */
  int n = unit != NULL && dwarf_getscopes (unit, address - bias, &innermost) > 0
              ? dwarf_getscopes_die (innermost, &scopes)
              : 0;

  for (int i = 0; i < n; i++)
    {
      int tag = dwarf_tag (&scopes[i]);

      if (tag == 0x1d || tag == 0x2e) /* DW_TAG_inlined_subroutine, DW_TAG_subprogram */
        g_ptr_array_add (functions, (gpointer) dwarf_diename (&scopes[i]));
      if (tag == 0x2e)
        break;
    }
  free (innermost);
  free (scopes);
  return functions;
}

static void
test_elf_against_libdw (void)
{
  static const Dwfl_Callbacks callbacks = { .find_debuginfo = dwfl_standard_find_debuginfo,
                                            .section_address = dwfl_offline_section_address };
  g_autofree char *build_id = own_build_id ();
  g_autofree char *path = own_path ();
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, NULL);
  guint64 start = file_offset ((gconstpointer) outer_function), compared = 0;
  Dwfl *dwfl = dwfl_begin (&callbacks);
  Dwfl_Module *module = dwfl_report_elf (dwfl, "self", path, -1, 0, TRUE);
  guint64 bias, address;

  dwfl_report_end (dwfl, NULL, NULL);
  dl_iterate_phdr (first_load_bias, &bias);
  address = (guint64) outer_function - bias;
  /* Around a known function, byte by byte: starts, ends, gaps. */
  for (gint64 i = -512; i < 2048; i++)
    {
      g_autoptr (GPtrArray) expected = reference_functions (module, address + i);

      g_array_set_size (names, 0);
      if (expected->len == 0)
        continue;
      g_assert_true (tb_elf_symbols_find (symbols, start + i, TRUE, names));
      g_assert_cmpuint (names->len, ==, expected->len);
      for (guint j = 0; j < expected->len; j++)
        g_assert_cmpstr (name_at (names, j)->function, ==, expected->pdata[j]);
      compared++;
    }
  g_assert_cmpuint (compared, >, 500);
  dwfl_end (dwfl);
}

static void
test_elf_other_build_id (void)
{
  g_autofree char *path = own_path ();
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_elf_symbols_open (path, "0123456789abcdef0123456789abcdef01234567", 0, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "no file with build ID 0123456789abcdef"));
  g_clear_error (&error);
  g_assert_null (tb_elf_symbols_open (path, "", 0, &error));
  g_assert_nonnull (strstr (error->message, "without a build ID"));
}

static void
test_elf_hostile_names (void)
{
  static const char *const paths[]
      = { "/dev/zero", "/proc/self/mem", "relative", "", "/", "/dev/../etc/passwd" };
  static const char *const build_ids[] = { "../../etc/passwd", "zz", "0123456789abcdef/../..", "" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    for (guint j = 0; j < G_N_ELEMENTS (build_ids); j++)
      g_assert_cmpint (tb_elf_finder_open (paths[i], build_ids[j], 0, NULL), <, 0);
}

/* Copies this program into a folder, as a collection of debug files would have it. */
static char *
copy_own (const char *folder, const char *first, ...)
{
  g_autofree char *own = own_path ();
  g_autofree char *data = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *below = NULL;
  char *copy;
  gsize length;
  va_list parts;

  va_start (parts, first);
  below = g_build_filename_valist (first, &parts);
  va_end (parts);
  copy = g_build_filename (folder, below, NULL);
  parent = g_path_get_dirname (copy);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_get_contents (own, &data, &length, NULL));
  g_assert_true (g_file_set_contents (copy, data, length, NULL));
  return copy;
}

/* Takes ownership of the path. The copy must be found, and is removed. */
static void
assert_found (const char *path,
              char *copy,
              const char *build_id,
              const char *debuglink,
              gboolean debug)
{
  g_autofree char *own = copy;
  g_autofree char *found = NULL;
  int fd = debug ? tb_elf_finder_open_debug (build_id, path, debuglink, 0, &found)
                 : tb_elf_finder_open (path, build_id, 0, &found);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_assert_cmpstr (found, ==, own);
  g_assert_cmpint (g_unlink (own), ==, 0);
}

static void
test_folders (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("tailback-folders-XXXXXX", &error);
  const char *folders[] = { "relative", "/nonexistent/tailback", folder, folder, NULL };
  g_autofree char *own = own_path ();
  int own_fd = g_open (own, O_RDONLY | O_CLOEXEC);
  g_autofree char *build_id = tb_elf_read_build_id (own_fd);
  g_autofree char *by_id = g_strdup_printf (".build-id/%.2s/%s.debug", build_id, build_id + 2);
  g_autofree char *other = NULL;
  g_auto (GStrv) list = NULL;

  g_assert_no_error (error);
  close (own_fd);
  tb_symbol_folders_set (folders);
  list = tb_symbol_folders_list ();
  g_assert_cmpuint (g_strv_length (list), ==, 2);
  g_assert_cmpstr (list[1], ==, folder);

  g_assert_cmpint (tb_elf_finder_open ("/gone/program", build_id, 0, NULL), <, 0);
  assert_found ("/gone/program", copy_own (folder, "program", NULL), build_id, NULL, FALSE);
  assert_found ("/gone/program (deleted)", copy_own (folder, "gone", "program", NULL), build_id,
                NULL, FALSE);
  assert_found (NULL, copy_own (folder, by_id, NULL), build_id, NULL, TRUE);
  assert_found ("/gone/program", copy_own (folder, "program.debug", NULL), build_id, NULL, TRUE);
  assert_found ("/gone/program", copy_own (folder, "gone", "linked", NULL), build_id, "linked",
                TRUE);

  /* Another build with that name, and a name with a path out of the folder. */
  other = copy_own (folder, "program", NULL);
  g_assert_cmpint (tb_elf_finder_open ("/gone/program", "0123456789abcdef0123456789abcdef01234567",
                                       0, NULL),
                   <, 0);
  g_assert_cmpint (tb_elf_finder_open_debug (build_id, "/gone/..", "../program", 0, NULL), <, 0);
  g_unlink (other);
  tb_symbol_folders_set (NULL);
  test_folder_remove (folder);
}

static void
test_folders_environment (void)
{
  const char *folders[] = { "/usr", "/second", NULL };
  g_auto (GStrv) list = NULL;

  g_setenv ("TAILBACK_SYMBOL_PATH", "/first:relative::/second", TRUE);
  tb_symbol_folders_set (folders);
  list = tb_symbol_folders_list ();
  g_assert_cmpuint (g_strv_length (list), ==, 3);
  g_assert_cmpstr (list[0], ==, "/first");
  g_assert_cmpstr (list[1], ==, "/second");
  g_assert_cmpstr (list[2], ==, "/usr");
  g_unsetenv ("TAILBACK_SYMBOL_PATH");
  tb_symbol_folders_set (NULL);
}

static void
test_folders_check (void)
{
  g_autofree char *own = own_path ();
  const char *const wrong[] = { "relative", "/nonexistent/tailback", own, "" };
  static const char *const sentences[]
      = { "absolute path", "does not exist", "a file, not", "absolute path" };

  g_assert_true (tb_symbol_folders_check ("/", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (tb_symbol_folders_check (wrong[i], &error));
      g_assert_nonnull (strstr (error->message, sentences[i]));
    }
}

static void
test_vdso (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open_vdso ("", TRUE, &error);

  g_assert_no_error (error);
  g_assert_null (tb_elf_symbols_open_vdso ("", FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static char *
write_file (const char *text)
{
  char *path = NULL;
  int fd = g_file_open_tmp ("tailback-XXXXXX.map", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (ssize_t) strlen (text));
  close (fd);
  return path;
}

static void
test_kallsyms (void)
{
  g_autofree char *path = write_file ("ffffffff81000000 T _stext\n"
                                      "ffffffff81000100 t do_work\n"
                                      "ffffffff81000200 d data_here\n"
                                      "ffffffff81000300 W weak_one\n"
                                      "ffffffff81000400 t part_of.constprop.0.isra.0\n"
                                      "ffffffff81000500 t rarely.cold\n"
                                      "ffffffff81000600 t .whole\n"
                                      "nonsense\n"
                                      "ffffffffc0000000 t module_function\t[ext4]\n");
  g_autoptr (TbAddressNames) names = tb_address_names_load_kallsyms (path, NULL);

  g_assert_nonnull (names);
  g_assert_null (tb_address_names_find (names, 0x1000));
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffff81000000), ==, "_stext");
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffff810000ff), ==, "_stext");
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffff81000250), ==, "do_work");
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffff81000410), ==, "part_of");
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffff81000500), ==, "rarely");
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffff81000600), ==, ".whole");
  g_assert_cmpstr (tb_address_names_find (names, 0xffffffffc0000010), ==, "module_function");
  g_unlink (path);
}

static void
test_kallsyms_hidden (void)
{
  g_autofree char *path = write_file ("0000000000000000 T _stext\n0000000000000000 T other\n");
  g_autoptr (GError) error = NULL;

  g_assert_null (tb_address_names_load_kallsyms (path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_nonnull (strstr (error->message, "kptr_restrict"));
  g_unlink (path);
}

static void
test_perf_map (void)
{
  g_autofree char *path = write_file ("1000 100 LazyCompile:*first /a b.js:1\n"
                                      "2000 80 old\n"
                                      "2000 40 new\n"
                                      "3000 1000 wide\n"
                                      "3800 10 inside\n"
                                      "6000 100 moved\n"
                                      "6000 100 moved\n"
                                      "4000 0 empty\n"
                                      "fffffffffffffff0 ffff overflow\n"
                                      "5000\n");
  g_autoptr (TbAddressNames) names = tb_address_names_load_perf_map (path, getuid (), NULL);

  g_assert_cmpstr (tb_address_names_find (names, 0x10ff), ==, "LazyCompile:*first /a b.js:1");
  g_assert_null (tb_address_names_find (names, 0x1100));
  g_assert_false (tb_address_names_is_reused (names, 0x10ff));
  /* The later function at an address is used. It can have had another one before. */
  g_assert_cmpstr (tb_address_names_find (names, 0x2000), ==, "new");
  g_assert_true (tb_address_names_is_reused (names, 0x203f));
  /* No other function was there. */
  g_assert_cmpstr (tb_address_names_find (names, 0x2040), ==, "old");
  g_assert_false (tb_address_names_is_reused (names, 0x2040));
  g_assert_null (tb_address_names_find (names, 0x2080));
  g_assert_cmpstr (tb_address_names_find (names, 0x3400), ==, "wide");
  g_assert_cmpstr (tb_address_names_find (names, 0x3800), ==, "inside");
  g_assert_cmpstr (tb_address_names_find (names, 0x3810), ==, "wide");
  /* A function that is listed twice is one. */
  g_assert_cmpstr (tb_address_names_find (names, 0x6000), ==, "moved");
  g_assert_false (tb_address_names_is_reused (names, 0x6000));
  g_assert_null (tb_address_names_find (names, 0x4000));
  g_assert_null (tb_address_names_find (names, G_MAXUINT64));
  g_unlink (path);
}

static void
test_perf_map_of_another_user (void)
{
  g_autofree char *path = write_file ("1000 100 f\n");
  g_autoptr (GError) error = NULL;

  if (getuid () != 0 || chown (path, 12345, 12345) != 0)
    {
      g_test_skip ("needs root to make another user's file");
      g_unlink (path);
      return;
    }
  g_assert_null (tb_address_names_load_perf_map (path, 54321, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_unlink (path);
}

/* Random ranges against a search of all lines: the last one that contains an address counts, and
 * the address was reused if another one has another name. */
static void
test_perf_map_random (void)
{
  for (guint round = 0; round < 200; round++)
    {
      guint n = (guint) g_test_rand_int_range (1, 40);
      guint n_names = (guint) g_test_rand_int_range (1, 40);
      guint64 starts[40], sizes[40];
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *path = NULL;
      g_autoptr (TbAddressNames) names = NULL;

      for (guint i = 0; i < n; i++)
        {
          starts[i] = (guint64) g_test_rand_int_range (0x100, 0x200);
          sizes[i] = (guint64) g_test_rand_int_range (1, 64);
          g_string_append_printf (text, "%" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x f%u\n",
                                  starts[i], sizes[i], i % n_names);
        }
      path = write_file (text->str);
      names = tb_address_names_load_perf_map (path, getuid (), NULL);
      for (guint64 address = 0xf0; address < 0x260; address++)
        {
          g_autofree char *expected = NULL;
          gboolean is_reused = FALSE;
          int best = -1;

          for (guint i = 0; i < n; i++)
            if (starts[i] <= address && address < starts[i] + sizes[i])
              {
                is_reused |= best >= 0 && (guint) best % n_names != i % n_names;
                best = (int) i;
              }
          if (best >= 0)
            expected = g_strdup_printf ("f%u", (guint) best % n_names);
          g_assert_cmpstr (tb_address_names_find (names, address), ==, expected);
          g_assert_cmpint (tb_address_names_is_reused (names, address), ==, is_reused);
        }
      g_unlink (path);
    }
}

static void
test_demangle (void)
{
  static const char *const cases[][2] = {
    { "main", "main" },
    { "_ZNSt6vectorIiSaIiEE9push_backERKi",
      "std::vector<int, std::allocator<int> >::push_back(int const&)" },
    { "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write" },
    { "_ZN7mycrate4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
      "mycrate::main::{{closure}}" },
    { "_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$..$u7b$$u7b$closure$u7d$"
      "$u7d$$GT$17h0123456789abcdefE",
      "core::ptr::drop_in_place<std::rt::lang_start<()>::{{closure}}>" },
    /* The names of Rust's scheme v0 and of D are those of c++filt (binutils 2.44), without crate
     * hashes, types of constants, and types. */
    { "_RNvC7mycrate4deep", "mycrate::deep" },
    { "_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3newCs15kBYyAo9fc_7mycrate",
      "<std::path::PathBuf>::new" },
    { "_RNCNvNtCs1234_7mycrate3foo3bars0_0", "mycrate::foo::bar::{closure#2}" },
    { "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
    { "_RNvXs_NtC4core3fmtRNtC7mycrate3FooNtB4_7Display3fmt",
      "<&mycrate::Foo as core::fmt::Display>::fmt" },
    { "_RINvC7mycrate3fooKj10_E", "mycrate::foo::<16>" },
    { "_RNvXC7mycrateFUKCRShEuNtB2_3Bar3baz",
      "<unsafe extern \"C\" fn(&[u8]) as mycrate::Bar>::baz" },
    { "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
      "utf8_idents::\u10e1\u10d0\u10ed\u10db\u10d4\u10da\u10d0\u10d3_\u10d2\u10d4\u10db"
      "\u10e0\u10d8\u10d4\u10da\u10d8_\u10e1\u10d0\u10d3\u10d8\u10da\u10d8" },
    { "_RNvNtC5alloc3vec3foo.llvm.123", "alloc::vec::foo" },
    { "_RNvB_4deep", "_RNvB_4deep" },
    { "_RNvC7mycrate9999999999deep", "_RNvC7mycrate9999999999deep" },
    { "_Dmain", "D main" },
    { "_D4test3fooFZv", "test.foo" },
    { "_D3std5stdio__T7writelnTAyaZQnFNfQjZv", "std.stdio.writeln!(\u2026).writeln" },
    { "_D8demangle4testFZ6nestedMFNaNbZi", "demangle.test.nested" },
    { "_D4core6thread8osthread6Thread5startMFNbZCQBoQBlQBdQu",
      "core.thread.osthread.Thread.start" },
    { "_D3foo", "_D3foo" },
    { "_D9999foo", "_D9999foo" },
    { "parse.constprop.0", "parse" },
    { "do_it.isra.0.cold", "do_it" },
    { "_Znonsense", "_Znonsense" },
    { "_Z", "_Z" },
    { "", "" },
    { ".cold", ".cold" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = tb_demangle (cases[i][0]);

      g_assert_cmpstr (name, ==, cases[i][1]);
    }
}

static void
test_notes (void)
{
  static const guint8 notes[]
      = { 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 'G', 'N', 'U', 0, 9,    9,    9,    9,
          4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0 };
  g_autofree char *build_id = tb_elf_parse_build_id_notes (notes, sizeof notes);

  g_assert_cmpstr (build_id, ==, "abcdef");
  for (gsize length = 0; length + 1 < sizeof notes; length++)
    {
      g_autofree char *cut = tb_elf_parse_build_id_notes (notes, length);

      g_assert_true (cut == NULL || length >= sizeof notes - 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  outer_function (argc);
  g_test_add_func ("/symbols/elf/symbol", test_elf_symbol);
  g_test_add_func ("/symbols/elf/bare", test_elf_bare);
  g_test_add_func ("/symbols/elf/function-starts", test_function_starts);
  g_test_add_func ("/symbols/elf/variables", test_elf_variables);
  g_test_add_func ("/symbols/elf/inlines", test_elf_inlines);
  g_test_add_func ("/symbols/elf/against-libdw", test_elf_against_libdw);
  g_test_add_func ("/symbols/elf/other-build-id", test_elf_other_build_id);
  g_test_add_func ("/symbols/elf/hostile-names", test_elf_hostile_names);
  g_test_add_func ("/symbols/elf/folders", test_folders);
  g_test_add_func ("/symbols/elf/folders-environment", test_folders_environment);
  g_test_add_func ("/symbols/elf/folders-check", test_folders_check);
  g_test_add_func ("/symbols/elf/vdso", test_vdso);
  g_test_add_func ("/symbols/kallsyms", test_kallsyms);
  g_test_add_func ("/symbols/kallsyms/hidden", test_kallsyms_hidden);
  g_test_add_func ("/symbols/perf-map", test_perf_map);
  g_test_add_func ("/symbols/perf-map/of-another-user", test_perf_map_of_another_user);
  g_test_add_func ("/symbols/perf-map/random", test_perf_map_random);
  g_test_add_func ("/symbols/demangle", test_demangle);
  g_test_add_func ("/symbols/notes", test_notes);
  return g_test_run ();
}
