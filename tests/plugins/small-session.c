/* small-session.c: trace of a few events, for tests of plug-ins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "small-session.h"

static char *folder;
static char *path;

static void
add_name (TbRecorder *recorder, gint32 tid, gint32 pid, const char *name)
{
  TbEvent event = { .time = 1000, .kind = TB_EVENT_EXISTING, .tid = tid, .pid = pid };

  event.text = tb_recorder_intern_string (recorder, name, -1);
  tb_recorder_add (recorder, &event);
}

static void
add_switch (TbRecorder *recorder, gint64 time, gint32 prev, gint32 next)
{
  TbEvent event = { .time = time, .kind = TB_EVENT_SWITCH, .tid = prev, .pid = -1, .code = 'S' };

  event.a = next;
  tb_recorder_add (recorder, &event);
}

TbTrace *
small_session_open (void)
{
  static const gint32 turns[] = { 0, 10, 20, 10, 11, 20, 10, 0, 20, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (TbSession) session = NULL;
  TbTrace *trace;

  folder = g_dir_make_tmp ("tailback-test-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (folder, "small.tailback", NULL);
  file = g_file_new_for_path (path);
  recorder = tb_recorder_new (file, FALSE, &error);
  g_assert_no_error (error);
  tb_recorder_add_host (recorder, "h", "", "", 1, 0);
  add_name (recorder, 10, 10, "client");
  add_name (recorder, 11, 10, "helper");
  add_name (recorder, 20, 20, "server");
  for (guint i = 0; i + 1 < G_N_ELEMENTS (turns); i++)
    add_switch (recorder, 1000 * (i + 1), turns[i], turns[i + 1]);
  tb_recorder_set_range (recorder, 1000, 10000);
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  trace = tb_trace_new (session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

const char *
small_session_get_path (void)
{
  return path;
}

void
small_session_remove (void)
{
  g_unlink (path);
  g_rmdir (folder);
  g_clear_pointer (&path, g_free);
  g_clear_pointer (&folder, g_free);
}
