/* test-symbolizer.c: test of resolving the addresses of a session to names that are stored
 * permanently
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "session/recorder/tb-recorder.h"
#include "symbols/tb-elf-finder-private.h"
#include "symbols/tb-symbol-folders.h"
#include "symbols/tb-symbolizer.h"

#define JIT_START 0x700000000000
#define JIT_LENGTH 0x10000

typedef struct
{
  char *folder;
  GFile *file;
  guint64 kernel_address;
  char *kernel_name;
} Fixture;

/* A kernel function with an address, NULL if addresses are hidden. */
static void
find_kernel_function (Fixture *fixture)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents ("/proc/kallsyms", &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && fixture->kernel_name == NULL; i++)
    {
      char *end;
      guint64 address = g_ascii_strtoull (lines[i], &end, 16);

      if (address != 0 && strcmp (end, " T vfs_read") == 0)
        {
          fixture->kernel_address = address;
          fixture->kernel_name = g_strdup (end + 3);
        }
    }
}

static void
add_own_mapping (TbRecorder *recorder, const char *as, guint32 *module)
{
  g_autofree char *maps = NULL;
  g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *build_id = NULL;
  g_auto (GStrv) lines = NULL;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC);

  build_id = tb_elf_read_build_id (fd);
  close (fd);
  *module = tb_recorder_intern_module (recorder, TB_MODULE_FILE, as != NULL ? as : path, build_id,
                                       getpid ());
  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  lines = g_strsplit (maps, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *at = lines[i];
      guint64 start = g_ascii_strtoull (at, &at, 16);
      guint64 end = *at == '-' ? g_ascii_strtoull (at + 1, &at, 16) : 0;
      gboolean executable = strlen (at) > 6 && at[3] == 'x';
      TbEvent event = {
        .time = 1, .kind = TB_EVENT_MAPPING, .tid = getpid (), .pid = getpid (), .module = *module
      };

      if (!executable || !g_str_has_suffix (lines[i], path))
        continue;
      event.a = start;
      event.b = end - start;
      event.c = g_ascii_strtoull (at + 6, NULL, 16);
      tb_recorder_add (recorder, &event);
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = NULL;
  g_autofree char *path = NULL;
  g_autofree char *boot_id = NULL;
  guint64 chain[] = { TB_CHAIN_KERNEL,   0, TB_CHAIN_USER, (guint64) set_up + 8, JIT_START + 0x20,
                      JIT_START + 0x8000 };
  TbEvent sample
      = { .time = 5, .kind = TB_EVENT_SAMPLE, .tid = getpid (), .pid = getpid (), .a = 1 };
  TbEvent mapping = { .time = 1,
                      .kind = TB_EVENT_MAPPING,
                      .tid = getpid (),
                      .pid = getpid (),
                      .a = JIT_START,
                      .b = JIT_LENGTH };
  guint32 module;

  fixture->folder = g_dir_make_tmp ("tailback-symbolizer-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (fixture->folder, "names.tailback", NULL);
  fixture->file = g_file_new_for_path (path);
  find_kernel_function (fixture);
  chain[1] = fixture->kernel_address + 1;

  recorder = tb_recorder_new (fixture->file, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot_id, NULL, NULL));
  if (data != NULL) /* as if recorded on another machine */
    boot_id[0] = boot_id[0] == '0' ? '1' : '0';
  tb_recorder_set_fact (recorder, "boot-id", g_strstrip (boot_id));
  tb_recorder_add_host (recorder, "test", "", "x86_64", 1, 0);
  add_own_mapping (recorder, g_strcmp0 (data, "gone") == 0 ? "/gone/program" : NULL, &module);
  mapping.module = tb_recorder_intern_module (recorder, TB_MODULE_JIT, "//anon", "", getpid ());
  tb_recorder_add (recorder, &mapping);
  sample.chain = chain;
  sample.n_chain = G_N_ELEMENTS (chain);
  tb_recorder_add (recorder, &sample);
  g_assert_true (tb_recorder_finish (recorder, &error));
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_file_delete (fixture->file, NULL, NULL);
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->kernel_name);
  g_object_unref (fixture->file);
}

/* The names of the only stack, innermost first, separated by spaces; "?" for none. */
static char *
read_names (TbSession *session)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_STACK);
  g_autoptr (GBytes) parents = tb_table_get_column (table, TB_STACK_PARENT, NULL);
  g_autoptr (GBytes) frames = tb_table_get_column (table, TB_STACK_FRAME, NULL);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint32 stack = (guint32) tb_table_get_n_rows (table) - 1; stack != TB_STACK_NONE;
       stack = ((const guint32 *) g_bytes_get_data (parents, NULL))[stack])
    {
      guint n_names;
      const TbFrameName *name
          = tb_session_get_frame_names (session,
                                        ((const guint32 *) g_bytes_get_data (frames, NULL))[stack],
                                        &n_names);

      g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "",
                              n_names == 0                ? "unsought"
                              : name->function[0] != '\0' ? name->function
                                                          : "?");
    }
  return g_string_free_and_steal (g_steal_pointer (&names));
}

static char *
write_perf_map (void)
{
  char *path = g_strdup_printf ("/tmp/perf-%d.map", getpid ());
  g_autofree char *text
      = g_strdup_printf ("%" G_GINT64_MODIFIER "x 100 JIT:hot_loop\n", (guint64) JIT_START);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *perf_map = write_perf_map ();
  g_autoptr (GError) error = NULL;
  g_autofree char *names = NULL;
  g_autofree char *before = NULL;
  g_autofree char *again = NULL;
  g_autofree char *expected = NULL;

  {
    g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, &error);
    g_autoptr (TbSymbolizer) symbolizer = NULL;

    g_assert_no_error (error);
    before = read_names (session);
    g_assert_cmpstr (before, ==, "unsought unsought unsought unsought");
    symbolizer = tb_symbolizer_new (session, TB_SYMBOLIZER_NONE);
    g_assert_true (tb_symbolizer_run (symbolizer, NULL, NULL, NULL, &error));
    g_assert_no_error (error);
    names = read_names (session);
  }
  expected = g_strdup_printf ("%s set_up JIT:hot_loop ?",
                              fixture->kernel_name != NULL ? fixture->kernel_name : "?");
  g_assert_cmpstr (names, ==, expected);
  g_unlink (perf_map);

  /* Stored names stay when their source files are gone, and are not resolved again. */
  {
    g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, &error);
    g_autoptr (TbSymbolizer) symbolizer = tb_symbolizer_new (session, TB_SYMBOLIZER_NONE);
    guint generation = tb_session_get_symbols_generation (session);

    again = read_names (session);
    g_assert_cmpstr (again, ==, expected);
    g_assert_true (tb_symbolizer_run (symbolizer, NULL, NULL, NULL, &error));
    g_assert_no_error (error);
    g_assert_cmpuint (tb_session_get_symbols_generation (session), ==, generation);
  }
}

/* On another machine: files with the same build ID still match, kernel addresses and perf maps do
 * not. */
static void
test_other_boot (Fixture *fixture, gconstpointer data)
{
  g_autofree char *perf_map = write_perf_map ();
  g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, NULL);
  g_autoptr (TbSymbolizer) symbolizer = tb_symbolizer_new (session, TB_SYMBOLIZER_INLINES);
  g_autofree char *names = NULL;

  g_assert_true (tb_symbolizer_run (symbolizer, NULL, NULL, NULL, NULL));
  names = read_names (session);
  g_assert_cmpstr (names, ==, "? set_up ? ?");
  g_assert_cmpuint (g_strv_length ((char **) tb_symbolizer_get_problems (symbolizer)), >=, 2);
  g_unlink (perf_map);
}

static char *
name_all (Fixture *fixture, TbSymbolizerFlags flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, &error);
  g_autoptr (TbSymbolizer) symbolizer = NULL;

  g_assert_no_error (error);
  symbolizer = tb_symbolizer_new (session, flags);
  g_assert_true (tb_symbolizer_run (symbolizer, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  return read_names (session);
}

/* Unresolved addresses are resolved when a folder with the files is set. Earlier names stay, and so
 * do the new ones. */
static void
test_resolve_again (Fixture *fixture, gconstpointer data)
{
  const char *folders[] = { fixture->folder, NULL };
  g_autofree char *program = g_build_filename (fixture->folder, "program", NULL);
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  const char *without = "? ? ? ?", *with = "? set_up ? ?";
  g_autofree char *image = NULL, *first = NULL, *second = NULL, *third = NULL, *fourth = NULL,
                  *last = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (own, &image, &length, NULL));
  first = name_all (fixture, TB_SYMBOLIZER_NONE);
  g_assert_cmpstr (first, ==, without);
  second = name_all (fixture, TB_SYMBOLIZER_RETRY);
  g_assert_cmpstr (second, ==, without);
  g_assert_true (g_file_set_contents (program, image, (gssize) length, NULL));
  tb_symbol_folders_set (folders);
  third = name_all (fixture, TB_SYMBOLIZER_NONE);
  g_assert_cmpstr (third, ==, without);
  fourth = name_all (fixture, TB_SYMBOLIZER_RETRY);
  g_assert_cmpstr (fourth, ==, with);
  tb_symbol_folders_set (NULL);
  g_assert_cmpint (g_unlink (program), ==, 0);
  last = name_all (fixture, TB_SYMBOLIZER_RETRY);
  g_assert_cmpstr (last, ==, with);
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (TbSession) session = tb_session_open (fixture->file, NULL, NULL);
  g_autoptr (TbSymbolizer) symbolizer = tb_symbolizer_new (session, TB_SYMBOLIZER_NONE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (tb_symbolizer_run (symbolizer, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/symbols/symbolizer/names", Fixture, NULL, set_up, test_names, tear_down);
  g_test_add ("/symbols/symbolizer/other-boot", Fixture, "other", set_up, test_other_boot,
              tear_down);
  g_test_add ("/symbols/symbolizer/again", Fixture, "gone", set_up, test_resolve_again, tear_down);
  g_test_add ("/symbols/symbolizer/cancelled", Fixture, NULL, set_up, test_cancelled, tear_down);
  return g_test_run ();
}
