/* recording.c: recordings of tests: their temporary folder, and events added to a recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-folder.h"
#include "recording.h"

#define NET_RECEIVE_VECTOR 3

static char *folder;

char *
recording_make_path (const char *name)
{
  g_autoptr (GError) error = NULL;

  if (folder == NULL)
    folder = g_dir_make_tmp ("tailback-test-XXXXXX", &error);
  g_assert_no_error (error);
  return g_build_filename (folder, name, NULL);
}

int
recording_run_tests (void)
{
  int status = g_test_run ();

  if (folder != NULL)
    test_folder_remove (folder);
  g_clear_pointer (&folder, g_free);
  return status;
}

TbRecorder *
recording_new (const char *name)
{
  g_autofree char *file_name = g_strconcat (name, ".tailback", NULL);
  g_autofree char *path = recording_make_path (file_name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  TbRecorder *recorder = tb_recorder_new (file, TRUE, &error);

  g_assert_no_error (error);
  g_object_set_data_full (G_OBJECT (recorder), "file", g_steal_pointer (&file), g_object_unref);
  return recorder;
}

TbSession *
recording_open_session (TbRecorder *recorder)
{
  g_autoptr (TbRecorder) owned = recorder;
  g_autoptr (GError) error = NULL;
  TbSession *session;

  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (g_object_get_data (G_OBJECT (recorder), "file"), NULL, &error);
  g_assert_no_error (error);
  return session;
}

TbTrace *
recording_open_trace (TbSession *session)
{
  g_autoptr (GError) error = NULL;
  TbTrace *trace = tb_trace_new (session, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

TbTrace *
recording_open (TbRecorder *recorder)
{
  g_autoptr (TbSession) session = recording_open_session (recorder);

  return recording_open_trace (session);
}

guint32
recording_find_thread (TbTrace *trace, gint32 tid)
{
  guint n;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n);

  for (guint32 i = 1; i < n; i++)
    if (threads[i].tid == tid)
      return i;
  g_error ("no thread %d", tid);
}

TbEvent
recording_make_event (gint64 time, TbEventKind kind, guint16 cpu, gint32 tid)
{
  return (TbEvent) {
    .time = time, .kind = (guint8) kind, .cpu = cpu, .tid = tid, .pid = -1, .device = TB_ID_NONE
  };
}

void
recording_name (TbRecorder *recorder, gint32 tid, const char *name, gint32 pid)
{
  TbEvent event = recording_make_event (0, TB_EVENT_NAME, 0, tid);

  event.pid = pid;
  event.text = tb_recorder_intern_string (recorder, name, -1);
  tb_recorder_add (recorder, &event);
}

void
recording_switch (TbRecorder *recorder,
                  gint64 time,
                  guint16 cpu,
                  gint32 prev,
                  char state,
                  gint32 next)
{
  recording_switch_with_stack (recorder, time, cpu, prev, state, next, TB_STACK_NONE);
}

void
recording_switch_with_stack (TbRecorder *recorder,
                             gint64 time,
                             guint16 cpu,
                             gint32 prev,
                             char state,
                             gint32 next,
                             guint32 stack)
{
  TbEvent event = recording_make_event (time, TB_EVENT_SWITCH, cpu, prev);

  event.code = (guint8) state;
  event.a = (guint64) next;
  event.stack = stack;
  tb_recorder_add (recorder, &event);
}

void
recording_wake (TbRecorder *recorder, gint64 time, guint16 cpu, gint32 waker, gint32 wakee)
{
  TbEvent event = recording_make_event (time, TB_EVENT_WAKEUP, cpu, waker);

  event.a = (guint64) wakee;
  tb_recorder_add (recorder, &event);
}

void
recording_message (TbRecorder *recorder,
                   gint64 time,
                   TbEventKind kind,
                   guint16 cpu,
                   gint32 tid,
                   guint64 socket,
                   const char *remote,
                   const char *local,
                   guint64 bytes)
{
  TbEvent event = recording_make_event (time, kind, cpu, tid);

  event.a = socket;
  event.b = bytes;
  event.text2 = tb_recorder_intern_string (recorder, remote, -1);
  event.text3 = tb_recorder_intern_string (recorder, local, -1);
  tb_recorder_add (recorder, &event);
}

void
recording_net_softirq (TbRecorder *recorder, gint64 time, TbEventKind kind, guint16 cpu)
{
  TbEvent event = recording_make_event (time, kind, cpu, -1);

  event.a = NET_RECEIVE_VECTOR;
  tb_recorder_add (recorder, &event);
}
