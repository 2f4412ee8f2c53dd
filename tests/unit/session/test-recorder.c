/* test-recorder.c: the recorder's state machines
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "session/tb-recorder.h"

static GFile *
make_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-recorder-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return g_file_new_build_filename (folder, "test.tailback", NULL);
}

static void
remove_file (GFile *file)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_smoke (void)
{
  g_autoptr (GFile) file = make_file ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, FALSE, &error);
  guint64 chain[]
      = { TB_CHAIN_KERNEL, 0xffffffff81000010, 0xffffffff81000020, TB_CHAIN_USER, 0x401000, 0x402000 };
  TbRecorderStatistics statistics;

  g_assert_no_error (error);
  for (guint i = 0; i < 100000; i++)
    {
      TbEvent event = {
        .time = 1000 + i * 10,
        .kind = TB_EVENT_SWITCH,
        .code = 'S',
        .cpu = i & 1,
        .tid = i / 2 % 2 ? 0 : 5,
        .pid = i / 2 % 2 ? 0 : 5,
        .a = i / 2 % 2 ? 5 : 0,
        .chain = chain,
        .n_chain = G_N_ELEMENTS (chain),
      };

      tb_recorder_add (recorder, &event);
      if (i % 1000 == 999)
        {
          tb_recorder_advance (recorder, event.time, &error);
          g_assert_no_error (error);
        }
    }
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  tb_recorder_get_statistics (recorder, &statistics);
  g_assert_cmpuint (statistics.events, ==, 100000);
  g_assert_cmpint (statistics.first_time, ==, 1000);
  g_assert_cmpint (statistics.last_time, ==, 1000 + 99999 * 10);
  g_assert_true (g_file_query_exists (file, NULL));
  remove_file (file);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/smoke", test_smoke);
  return g_test_run ();
}
