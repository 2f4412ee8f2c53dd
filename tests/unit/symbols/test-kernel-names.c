/* test-kernel-names.c: test of names of the kernel from perf's cache, right and wrong ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "session/recorder/tb-recorder.h"
#include "symbols/tb-kernel-names-private.h"
#include "symbols/tb-symbolizer.h"

#define BUILD_ID "aabbccddeeff00112233445566778899aabbccdd"
#define START G_GUINT64_CONSTANT (0xffffffff81000000)

typedef struct
{
  guint64 offset;
  const char *name;
} Symbol;

static const Symbol right[] = {
  { 0, "_text" },
  { 0x100, "entry_SYSCALL_64_after_hwframe" },
  { 0x1000, "do_syscall_64" },
  { 0x2000, "ksys_read" },
  { 0x3000, "pipe_read" },
  { 0x4000, "schedule" },
  { 0x5000, "__schedule" },
  { 0x6000, "__traceiter_sched_switch" },
  { 0x7000, "_etext" },
};

static const Symbol foreign[] = {
  { 0, "_text" },          { 0x80, "xen_hypercall" },   { 0x900, "kmem_cache_alloc" },
  { 0x1800, "vfs_fsync" }, { 0x2800, "ext4_readpage" }, { 0x3900, "tcp_ack" },
  { 0x4800, "md5_final" }, { 0x5900, "strlcpy" },       { 0x7000, "_etext" },
};

typedef struct
{
  const char *description;
  const Symbol *symbols;
  guint n_symbols;
  guint64 moved;        /* kallsyms are of a boot in which the kernel was so far behind */
  gboolean with_switch; /* else the stacks are those of samples */
  guint n_frames;       /* of the kernel, innermost first */
  gboolean is_named;
} Case;

static const guint64 frames[] = { 0x6010, 0x5010, 0x4010, 0x3010, 0x2010, 0x1010, 0x110 };

static char *
get_cache_folder (void)
{
  return g_strdup_printf ("%s/.debug/.build-id/%.2s/%s", g_get_home_dir (), BUILD_ID, BUILD_ID + 2);
}

static void
write_kallsyms (const Case *of)
{
  g_autofree char *folder = get_cache_folder ();
  g_autofree char *path = g_build_filename (folder, "kallsyms", NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < of->n_symbols; i++)
    g_string_append_printf (text, "%" G_GINT64_MODIFIER "x T %s\n",
                            START + of->moved + of->symbols[i].offset, of->symbols[i].name);
  g_string_append (text, "ffffffffc0001000 t module_function\t[ext4]\n");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
}

static TbSession *
record (const Case *of, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "names.tailback", NULL);
  g_autofree char *start = g_strdup_printf ("_text %" G_GINT64_MODIFIER "x", START);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, TRUE, NULL);
  guint64 chain[G_N_ELEMENTS (frames) + 1] = { TB_CHAIN_KERNEL };
  TbEvent event = { .time = 10, .tid = 7, .pid = 7, .code = 'S', .chain = chain };
  guint64 alone[] = { TB_CHAIN_KERNEL, 0xffffffffc0001010 }; /* in a module */
  TbEvent sample = {
    .time = 20, .kind = TB_EVENT_SAMPLE, .tid = 7, .pid = 7, .a = 1, .chain = alone, .n_chain = 2
  };
  g_autoptr (GError) error = NULL;
  TbSession *session;

  g_assert_nonnull (recorder);
  tb_recorder_set_fact (recorder, "boot-id", "");
  tb_recorder_set_fact (recorder, TB_KERNEL_NAMES_START_FACT, start);
  tb_recorder_add_host (recorder, "host", "", "x86_64", 1, 0);
  tb_recorder_intern_module (recorder, TB_MODULE_KERNEL, "[kernel]", BUILD_ID, -1);
  for (guint i = 0; i < of->n_frames; i++)
    chain[i + 1] = START + frames[i + G_N_ELEMENTS (frames) - of->n_frames];
  event.n_chain = of->n_frames + 1;
  event.kind = of->with_switch ? TB_EVENT_SWITCH : TB_EVENT_SAMPLE;
  tb_recorder_add (recorder, &event);
  tb_recorder_add (recorder, &sample);
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  return session;
}

/* The names of all frames, sorted by address: "entry_SYSCALL_64_after_hwframe do_syscall_64 …" */
static char *
list_names (TbSession *session)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_FRAME);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint32 frame = 0; frame < tb_table_get_n_rows (table); frame++)
    {
      guint n_names;
      const TbFrameName *name = tb_session_get_frame_names (session, frame, &n_names);

      if (n_names > 0 && name->function[0] != '\0')
        g_ptr_array_add (names, g_strdup (name->function));
    }
  g_ptr_array_sort_values (names, (GCompareFunc) strcmp);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

static void
test_cache (gconstpointer data)
{
  const Case *of = data;
  g_autofree char *folder = g_dir_make_tmp ("tailback-kernel-names-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "names.tailback", NULL);
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbSymbolizer) symbolizer = NULL;
  g_autofree char *names = NULL;
  const char *const *problems;

  write_kallsyms (of);
  session = record (of, folder);
  symbolizer = tb_symbolizer_new (session, 0);
  g_assert_true (tb_symbolizer_run (symbolizer, NULL, NULL, NULL, NULL));
  names = list_names (session);
  problems = tb_symbolizer_get_problems (symbolizer);
  g_test_message ("%s", names);
  if (of->is_named)
    {
      for (guint i = 0; problems[i] != NULL; i++)
        g_assert_null (strstr (problems[i], "another kernel"));
      g_assert_nonnull (strstr (names, "do_syscall_64"));
      g_assert_nonnull (strstr (names, "entry_SYSCALL_64_after_hwframe"));
      /* The place of a module in that boot is not known. */
      g_assert_cmpint (strstr (names, "module_function") != NULL, ==, of->moved == 0);
    }
  else
    {
      g_assert_cmpstr (names, ==, "");
      g_assert_nonnull (problems[0]);
      g_assert_null (problems[1]);
      g_assert_nonnull (strstr (problems[0], "another kernel"));
      g_assert_nonnull (strstr (problems[0], BUILD_ID + 2));
      g_assert_null (strchr (problems[0], '\n'));
    }
  g_clear_object (&session);
  g_unlink (path);
  g_rmdir (folder);
}

#define SYMBOLS(of) of, G_N_ELEMENTS (of)
static const Case cases[] = {
  { "right", SYMBOLS (right), 0, TRUE, 7, TRUE },
  { "right-relocated", SYMBOLS (right), 0x1a000000, TRUE, 7, TRUE },
  { "right-samples", SYMBOLS (right), 0, FALSE, 7, TRUE },
  { "right-samples-cut", SYMBOLS (right), 0, FALSE, 2, TRUE },
  { "foreign", SYMBOLS (foreign), 0, TRUE, 7, FALSE },
  { "foreign-relocated", SYMBOLS (foreign), 0x1a000000, TRUE, 7, FALSE },
  { "foreign-samples", SYMBOLS (foreign), 0, FALSE, 7, FALSE },
  { "foreign-start", SYMBOLS (right), 0x1a000123, TRUE, 7, FALSE },
};

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("tailback-home-XXXXXX", NULL);
  g_autofree char *debug = g_build_filename (home, ".debug", NULL);
  const char *arguments[] = { "rm", "-r", debug, home, NULL };
  int status;

  g_setenv ("HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/symbols/kernel-names/", cases[i].description, NULL);

      g_test_add_data_func (path, &cases[i], test_cache);
    }
  status = g_test_run ();
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL,
                NULL);
  return status;
}
