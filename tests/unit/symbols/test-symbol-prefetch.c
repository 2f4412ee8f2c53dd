/* test-symbol-prefetch.c: test of reading the files of modules while a recording is imported: which
 * modules are reported, what can be taken, and that the names are the same as without it
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
#include "symbols/tb-symbol-prefetch-private.h"
#include "symbols/tb-symbolizer.h"

#define START 0x400000
#define LENGTH 0x10000000
#define OTHER_START 0x7f0000000000
#define N_OFFSETS 4000
#define UNKNOWN_ID "00112233445566778899aabbccddeeff00112233"

typedef struct
{
  char *folder;
  GFile *file;
  char *program;
  char *build_id;
  TbRecorder *recorder;
} Fixture;

/* Removes the names that were kept: files of which names are known are not read. */
static void
forget_names (void)
{
  g_autofree char *names = g_build_filename (g_get_user_cache_dir (), "tailback", NULL);

  test_folder_remove (names);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd;

  fixture->folder = g_dir_make_tmp ("tailback-prefetch-XXXXXX", &error);
  g_assert_no_error (error);
  forget_names ();
  path = g_build_filename (fixture->folder, "prefetch.tailback", NULL);
  fixture->file = g_file_new_for_path (path);
  fixture->program = g_file_read_link ("/proc/self/exe", NULL);
  fd = g_open (fixture->program, O_RDONLY | O_CLOEXEC);
  fixture->build_id = tb_elf_read_build_id (fd);
  g_assert_nonnull (fixture->build_id);
  close (fd);
  fixture->recorder = tb_recorder_new (fixture->file, FALSE, &error);
  g_assert_no_error (error);
  tb_recorder_add_host (fixture->recorder, "test", "", "x86_64", 1, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->recorder);
  test_folder_remove (fixture->folder);
  g_object_unref (fixture->file);
  g_free (fixture->folder);
  g_free (fixture->program);
  g_free (fixture->build_id);
}

static void
add_mapping (Fixture *fixture, const char *path, const char *build_id, guint64 start)
{
  TbEvent event = { .time = 1, .kind = TB_EVENT_MAPPING, .tid = 7, .pid = 7 };

  event.module = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, path, build_id, 7);
  event.a = start;
  event.b = LENGTH;
  tb_recorder_add (fixture->recorder, &event);
}

/* Adds a sample at an address, and lets the recorder resolve it. */
static void
add_sample (Fixture *fixture, gint64 time, guint64 address)
{
  guint64 chain[] = { TB_CHAIN_USER, address };
  TbEvent event = { .time = time, .kind = TB_EVENT_SAMPLE, .tid = 7, .pid = 7, .a = 1 };

  event.chain = chain;
  event.n_chain = G_N_ELEMENTS (chain);
  tb_recorder_add (fixture->recorder, &event);
  g_assert_true (tb_recorder_advance (fixture->recorder, time + 1, NULL));
}

static void
list_module (TbModuleKind kind, const char *path, const char *build_id, gpointer data)
{
  g_string_append_printf (data, "%d %s %s\n", kind, path, build_id);
}

/* A module is reported once, when it gets an address; what is only mapped is not. */
static void
test_modules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *expected
      = g_strdup_printf ("%d /b %s\n%d /a \n", TB_MODULE_FILE, UNKNOWN_ID, TB_MODULE_FILE);

  tb_recorder_set_module_func (fixture->recorder, list_module, list, NULL);
  add_mapping (fixture, "/a", "", START);
  add_mapping (fixture, "/b", UNKNOWN_ID, OTHER_START);
  add_mapping (fixture, "/never", UNKNOWN_ID, OTHER_START + LENGTH);
  add_sample (fixture, 5, OTHER_START + 1);
  g_assert_cmpuint (list->len, >, 0);
  add_sample (fixture, 15, START + 1);
  add_sample (fixture, 25, OTHER_START + 2);
  add_sample (fixture, 35, START + 2);
  g_assert_cmpstr (list->str, ==, expected);
}

/* What was read can be taken once, and only under its own name. */
static void
test_take (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSymbolPrefetch) prefetch
      = tb_symbol_prefetch_new (fixture->recorder, TB_SYMBOLIZER_INLINES);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (TbFrameName));
  TbElfSymbols *elf = NULL;

  if (g_get_num_processors () < 2)
    {
      g_test_skip ("with one CPU nothing is read ahead");
      return;
    }
  add_mapping (fixture, fixture->program, fixture->build_id, START);
  add_mapping (fixture, "/gone", UNKNOWN_ID, OTHER_START);
  add_sample (fixture, 5, START + 1);
  add_sample (fixture, 15, OTHER_START + 1);
  tb_symbol_prefetch_wait (prefetch);
  g_assert_null (tb_symbol_prefetch_take_file (prefetch, fixture->program, UNKNOWN_ID));
  g_assert_null (tb_symbol_prefetch_take_file (prefetch, "/gone", UNKNOWN_ID));
  g_assert_null (tb_symbol_prefetch_take_kernel (prefetch, "[kernel]", UNKNOWN_ID));
  elf = tb_symbol_prefetch_take_file (prefetch, fixture->program, fixture->build_id);
  g_assert_nonnull (elf);
  g_assert_cmpstr (tb_elf_symbols_get_path (elf), ==, fixture->program);
  g_assert_null (tb_symbol_prefetch_take_file (prefetch, fixture->program, fixture->build_id));
  tb_elf_symbols_free (elf);
}

/* The names of all frames, one line each. */
static char *
name_all (Fixture *fixture, TbSymbolPrefetch *prefetch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, &error);
  g_autoptr (TbSymbolizer) symbolizer = tb_symbolizer_new (session, TB_SYMBOLIZER_INLINES);
  GString *all = g_string_new (NULL);
  guint64 n = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_FRAME));

  g_assert_no_error (error);
  tb_session_keep_in_memory (session);
  tb_symbolizer_set_prefetch (symbolizer, prefetch);
  g_assert_true (tb_symbolizer_run (symbolizer, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  for (guint32 frame = 0; frame < n; frame++)
    {
      guint n_names;
      const TbFrameName *names = tb_session_get_frame_names (session, frame, &n_names);

      for (guint i = 0; i < n_names; i++)
        g_string_append_printf (all, "%s %s:%u %d;", names[i].function, names[i].file,
                                names[i].line, names[i].is_inline);
      g_string_append_c (all, '\n');
    }
  return g_string_free_and_steal (all);
}

static void
test_same_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSymbolPrefetch) prefetch
      = tb_symbol_prefetch_new (fixture->recorder, TB_SYMBOLIZER_INLINES);
  g_autofree char *with = NULL, *without = NULL;

  add_mapping (fixture, fixture->program, fixture->build_id, START);
  add_mapping (fixture, "/gone", UNKNOWN_ID, OTHER_START);
  for (guint i = 0; i < N_OFFSETS; i++)
    add_sample (fixture, 5 + 10 * i, START + i * 509);
  add_sample (fixture, 5 + 10 * N_OFFSETS, OTHER_START + 1);
  g_assert_true (tb_recorder_finish (fixture->recorder, NULL));
  with = name_all (fixture, prefetch);
  forget_names ();
  without = name_all (fixture, NULL);
  g_assert_cmpstr (with, ==, without);
  g_assert_nonnull (strstr (with, ".c:"));
}

/* It ends while it reads, waits, or has more than it may open. */
static void
test_end (Fixture *fixture, gconstpointer data)
{
  TbSymbolPrefetch *prefetch = tb_symbol_prefetch_new (fixture->recorder, TB_SYMBOLIZER_INLINES);

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u", fixture->folder, i);

      g_assert_cmpint (symlink (fixture->program, path), ==, 0);
      add_mapping (fixture, path, fixture->build_id, START + (guint64) i * LENGTH);
      add_sample (fixture, 5 + 10 * i, START + (guint64) i * LENGTH + 1);
    }
  if (data != NULL)
    tb_symbol_prefetch_wait (prefetch);
  g_clear_object (&fixture->recorder);
  g_object_unref (prefetch);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("tailback-cache-XXXXXX", NULL);
  int result;

  g_assert_true (g_setenv ("XDG_CACHE_HOME", cache, TRUE));
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/symbols/prefetch/modules", Fixture, NULL, set_up, test_modules, tear_down);
  g_test_add ("/symbols/prefetch/take", Fixture, NULL, set_up, test_take, tear_down);
  g_test_add ("/symbols/prefetch/same-names", Fixture, NULL, set_up, test_same_names, tear_down);
  g_test_add ("/symbols/prefetch/end", Fixture, NULL, set_up, test_end, tear_down);
  g_test_add ("/symbols/prefetch/end-later", Fixture, "later", set_up, test_end, tear_down);
  result = g_test_run ();
  test_folder_remove (cache);
  return result;
}
