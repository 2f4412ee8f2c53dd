/* test-name-cache.c: test of the names of addresses that are kept from one look-up to the next
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "../../test-folder.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-elf-symbols-private.h"
#include "symbols/tb-name-cache-private.h"
#include "symbols/tb-running-kernel-private.h"

#define ID "0123456789abcdef"

static char *cache_folder;

static char *
make_path (const char *id)
{
  return g_build_filename (cache_folder, "tailback", "names", id, NULL);
}

static GArray *
find (TbNameCache *cache, guint64 address, gboolean *known)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));

  *known = tb_name_cache_find (cache, address, names);
  return names;
}

/* An inlined function and its caller at 0x10, an address without a name at 0x20. */
static void
add_names (TbNameCache *cache)
{
  const TbFrameName names[]
      = { { "inner", "a.c", 7, TRUE }, { "outer", "a.c", 70, FALSE }, { "last", "", 0, FALSE } };

  tb_name_cache_add (cache, 0x30, &names[2], 1);
  tb_name_cache_add (cache, 0x10, names, 2);
  tb_name_cache_add (cache, 0x20, NULL, 0);
}

static void
assert_names (TbNameCache *cache)
{
  gboolean known;
  g_autoptr (GArray) first = find (cache, 0x10, &known);
  g_autoptr (GArray) second = NULL;
  g_autoptr (GArray) third = NULL;
  const TbFrameName *name = &g_array_index (first, TbFrameName, 0);

  g_assert_true (known);
  g_assert_cmpuint (first->len, ==, 2);
  g_assert_cmpstr (name[0].function, ==, "inner");
  g_assert_cmpstr (name[0].file, ==, "a.c");
  g_assert_cmpuint (name[0].line, ==, 7);
  g_assert_true (name[0].is_inline);
  g_assert_cmpstr (name[1].function, ==, "outer");
  g_assert_false (name[1].is_inline);
  second = find (cache, 0x20, &known);
  g_assert_true (known);
  g_assert_cmpuint (second->len, ==, 0);
  third = find (cache, 0x30, &known);
  g_assert_true (known);
  g_assert_cmpstr (g_array_index (third, TbFrameName, 0).function, ==, "last");
}

static void
test_kept (void)
{
  TbNameCache *cache = tb_name_cache_open (ID, "key");
  const TbFrameName more = { "more", "", 0, FALSE };
  gboolean known;

  g_assert_true (tb_name_cache_is_empty (cache));
  add_names (cache);
  tb_name_cache_close (cache);

  cache = tb_name_cache_open (ID, "key");
  assert_names (cache);
  g_array_unref (find (cache, 0x18, &known));
  g_assert_false (known);
  tb_name_cache_add (cache, 0x18, &more, 1);
  tb_name_cache_close (cache);

  cache = tb_name_cache_open (ID, "key");
  assert_names (cache);
  g_array_unref (find (cache, 0x18, &known));
  g_assert_true (known);
  tb_name_cache_close (cache);
}

static void
test_other_key (void)
{
  TbNameCache *cache = tb_name_cache_open (ID, "key");

  add_names (cache);
  tb_name_cache_close (cache);
  cache = tb_name_cache_open (ID, "yek");
  g_assert_true (tb_name_cache_is_empty (cache));
  add_names (cache);
  tb_name_cache_discard (cache);
  tb_name_cache_close (cache);
  cache = tb_name_cache_open (ID, "key");
  assert_names (cache);
  tb_name_cache_close (cache);
}

/* Looks up everything in a file with this content. */
static void
read_damaged (const char *path, const char *data, gsize length)
{
  TbNameCache *cache;
  gsize total = 0;

  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
  cache = tb_name_cache_open (ID, "key");
  for (guint64 address = 0; address < 0x40; address++)
    {
      gboolean known;
      g_autoptr (GArray) names = find (cache, address, &known);

      for (guint i = 0; i < names->len; i++)
        total += strlen (g_array_index (names, TbFrameName, i).function)
                 + strlen (g_array_index (names, TbFrameName, i).file);
    }
  g_assert_cmpuint (total, <=, 0x40 * 4 * length);
  tb_name_cache_close (cache);
}

static void
test_damaged (void)
{
  g_autofree char *path = make_path (ID);
  g_autofree char *data = NULL;
  TbNameCache *cache = tb_name_cache_open (ID, "key");
  gsize length;

  add_names (cache);
  tb_name_cache_close (cache);
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  for (gsize cut = 0; cut < length; cut++)
    read_damaged (path, data, cut);
  for (gsize i = 0; i < length; i++)
    for (guint bit = 0; bit < 8; bit++)
      {
        data[i] ^= (char) (1 << bit);
        read_damaged (path, data, length);
        data[i] ^= (char) (1 << bit);
      }
  g_unlink (path);
}

/* A link that another program placed there is not followed. */
static void
test_link (void)
{
  g_autofree char *path = make_path (ID);
  g_autofree char *other = make_path ("other");
  TbNameCache *cache = tb_name_cache_open ("other", "key");

  add_names (cache);
  tb_name_cache_close (cache);
  g_assert_cmpint (symlink (other, path), ==, 0);
  cache = tb_name_cache_open (ID, "key");
  g_assert_true (tb_name_cache_is_empty (cache));
  tb_name_cache_close (cache);
  g_unlink (path);
}

static char *
describe (TbElfSymbols *symbols, guint64 length)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));

  for (guint64 offset = 0; offset < length; offset += 61)
    {
      g_array_set_size (names, 0);
      tb_elf_symbols_find (symbols, offset, TRUE, names);
      for (guint i = 0; i < names->len; i++)
        {
          const TbFrameName *name = &g_array_index (names, TbFrameName, i);

          g_string_append_printf (text, "%s %s %u %d\n", name->function, name->file, name->line,
                                  name->is_inline);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free_and_steal (text);
}

static char *
describe_file (const char *path, const char *build_id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbElfSymbols) symbols = tb_elf_symbols_open (path, build_id, 0, &error);
  GStatBuf status;

  g_assert_no_error (error);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return describe (symbols, (guint64) status.st_size);
}

/* The second look-up of each address of this program has the names of the first. */
static void
test_file (void)
{
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  g_autofree char *build_id = tb_elf_read_build_id (fd);
  g_autofree char *cached = make_path (build_id);
  g_autofree char *first = describe_file (path, build_id);
  g_autofree char *second = NULL;
  g_autofree char *data = NULL;
  char *at;
  gsize length;

  close (fd);
  g_assert_nonnull (strstr (first, "test_file"));
  second = describe_file (path, build_id);
  g_assert_cmpstr (first, ==, second);
  /* the names are those in the cache */
  g_assert_true (g_file_get_contents (cached, &data, &length, NULL));
  at = memmem (data, length, "test_file", sizeof "test_file");
  g_assert_nonnull (at);
  memcpy (at, "TEST", 4);
  g_assert_true (g_file_set_contents (cached, data, (gssize) length, NULL));
  g_clear_pointer (&second, g_free);
  second = describe_file (path, build_id);
  g_assert_nonnull (strstr (second, "TEST_file"));
}

static guint64
find_kernel_function (const char *name)
{
  g_autofree char *text = NULL;
  g_autofree char *end = g_strdup_printf (" T %s\n", name);
  const char *at;

  if (!g_file_get_contents (TB_RUNNING_KERNEL_PATH, &text, NULL, NULL)
      || (at = strstr (text, end)) == NULL || at - text < 16)
    return 0;
  return g_ascii_strtoull (at - 16, NULL, 16);
}

static void
test_kernel (void)
{
  guint64 addresses[] = { find_kernel_function ("schedule") + 1, 0x1000, G_MAXUINT64 - 0x1000 };
  g_autoptr (TbAddressNames) first = NULL;
  g_autoptr (TbAddressNames) second = NULL;
  g_autoptr (TbAddressNames) third = NULL;

  if (addresses[0] <= 1)
    {
      g_test_skip ("kallsyms hides addresses from this user");
      return;
    }
  first = tb_running_kernel_load_names (addresses, 1, NULL, NULL, NULL);
  g_assert_cmpstr (tb_address_names_find (first, addresses[0]), ==, "schedule");
  /* only that one is known now */
  second = tb_running_kernel_load_names (addresses, 1, NULL, NULL, NULL);
  g_assert_cmpstr (tb_address_names_find (second, addresses[0]), ==, "schedule");
  g_assert_null (tb_address_names_find (second, addresses[0] + 1));
  g_assert_cmpuint (tb_address_names_get_kernel_start (second, "_text"), ==,
                    tb_address_names_get_kernel_start (first, "_text"));
  /* an address far from all code is known to have no name */
  g_clear_pointer (&second, tb_address_names_free);
  second = tb_running_kernel_load_names (addresses, 2, NULL, NULL, NULL);
  g_clear_pointer (&second, tb_address_names_free);
  second = tb_running_kernel_load_names (addresses, 2, NULL, NULL, NULL);
  g_assert_null (tb_address_names_find (second, addresses[0] + 1));
  g_assert_null (tb_address_names_find (second, addresses[1]));
  /* code that is generated later, and a kernel that was loaded elsewhere, need all names */
  g_clear_pointer (&third, tb_address_names_free);
  third = tb_running_kernel_load_names (addresses, 3, NULL, NULL, NULL);
  g_clear_pointer (&third, tb_address_names_free);
  third = tb_running_kernel_load_names (addresses, 3, NULL, NULL, NULL);
  g_assert_nonnull (tb_address_names_find (third, addresses[0] + 1));
  g_clear_pointer (&third, tb_address_names_free);
  third = tb_running_kernel_load_names (addresses, 1, "_text ffffffff12345000", NULL, NULL);
  g_assert_nonnull (tb_address_names_find (third, addresses[0] + 1));
}

int
main (int argc, char **argv)
{
  int status;

  cache_folder = g_dir_make_tmp ("tailback-names-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", cache_folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/name-cache/kept", test_kept);
  g_test_add_func ("/name-cache/other-key", test_other_key);
  g_test_add_func ("/name-cache/damaged", test_damaged);
  g_test_add_func ("/name-cache/link", test_link);
  g_test_add_func ("/name-cache/file", test_file);
  g_test_add_func ("/name-cache/kernel", test_kernel);
  status = g_test_run ();
  test_folder_remove (cache_folder);
  g_free (cache_folder);
  return status;
}
