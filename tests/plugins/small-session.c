/* small-session.c: trace of a few events, for tests of plug-ins
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "recording.h"
#include "small-session.h"

static void
add_name (TbRecorder *recorder, gint32 tid, gint32 pid, const char *name)
{
  TbEvent event = { .time = 1000, .kind = TB_EVENT_EXISTING, .tid = tid, .pid = pid };

  event.text = tb_recorder_intern_string (recorder, name, -1);
  tb_recorder_add (recorder, &event);
}

TbTrace *
small_session_open (void)
{
  static const gint32 turns[] = { 0, 10, 20, 10, 11, 20, 10, 0, 20, 0 };
  TbRecorder *recorder = recording_new ("small");

  tb_recorder_add_host (recorder, "h", "", "", 1, 0);
  add_name (recorder, 10, 10, "client");
  add_name (recorder, 11, 10, "helper");
  add_name (recorder, 20, 20, "server");
  for (guint i = 0; i + 1 < G_N_ELEMENTS (turns); i++)
    recording_switch (recorder, 1000 * (i + 1), 0, turns[i], 'S', turns[i + 1]);
  tb_recorder_set_range (recorder, 1000, 10000);
  return recording_open (recorder);
}
