/* fuzz-recorder.c: fuzz target for the recorder, with arbitrary events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz-target.h"
#include "session/recorder/tb-recorder.h"
#include "session/sequence/tb-sequence.h"
#include "session/file/tb-session.h"

#define MAX_EVENTS 20000
#define MAX_CHAIN 16

/* Adds valid IDs, so that events pass the check of their IDs. */
static void
intern_some (TbRecorder *recorder)
{
  static const char *const texts[] = { "a", "b", "main", "/bin/x", "x" };
  guint32 frame = tb_recorder_intern_named_frame (recorder, "f", "m", FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    tb_recorder_intern_string (recorder, texts[i], -1);
  tb_recorder_intern_module (recorder, TB_MODULE_FILE, "/bin/x", "00", 1);
  tb_recorder_intern_module (recorder, TB_MODULE_JIT, "//anon", NULL, 1);
  tb_recorder_intern_device (recorder, 0, "vda", "block", "254:0");
  tb_recorder_intern_stack (recorder, &frame, NULL, 1);
  tb_recorder_add_host (recorder, "one", "6.18", "x86_64", 2, 0);
  tb_recorder_add_host (recorder, "two", "6.18 PREEMPT_RT", "x86_64", 2, 10);
}

/* Reduces numbers so that IDs and times of events coincide; one event in sixteen stays as it is. */
static TbEvent
tame (TbEvent event, const guint64 *words, gsize n_words, gsize place)
{
  gboolean wild = (event.flags & 0xf0) == 0xf0;

  event.kind = wild ? event.kind : event.kind % TB_N_EVENT_KINDS;
  event.n_chain %= MAX_CHAIN;
  event.chain = place + event.n_chain <= n_words ? words + place : NULL;
  if (!wild)
    {
      event.time &= 0xffff;
      event.cpu %= 3;
      event.host %= 2;
      event.tid = event.tid & 7;
      event.pid = event.pid & 7;
      event.stack %= 3;
      event.text %= 6;
      event.text2 %= 6;
      event.text3 %= 6;
      event.code = "SDR+XZtT"[event.code & 7];
    }
  event.args = NULL;
  if (event.kind == TB_EVENT_SYS_ENTER)
    event.args = place + 6 <= n_words ? words + place : NULL;
  else if (event.kind == TB_EVENT_WHOLE_SYSCALL)
    event.args = place + TB_WHOLE_SYSCALL_WORDS <= n_words ? words + place : NULL;
  else if (!wild)
    {
      event.a &= 0xff;
      event.b &= 0xff;
      event.c &= 0xff;
      event.module %= 3;
      event.device %= 2;
    }
  return event;
}

/* Checks that every event appears once, whatever order of simultaneous events is recorded. */
static void
walk (TbSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSequence) sequence = tb_sequence_new (session, TRUE, &error);
  const TbSequenceEvent *events;
  gint64 before = -1;
  gsize n_seen = 0;
  guint n;

  g_assert_no_error (error);
  while ((events = tb_sequence_next (sequence, &n)) != NULL)
    {
      g_assert_true (n > 0 && events[0].time > before && events[n - 1].time == events[0].time);
      before = events[0].time;
      n_seen += n;
    }
  g_assert_cmpuint (n_seen, ==, tb_sequence_get_length (sequence));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  gsize n_words = size / 8;
  g_autofree guint64 *words = g_memdup2 (data, n_words * 8);
  gsize n_events = MIN (size / sizeof (TbEvent), MAX_EVENTS);
  /* In memory if possible: a disk would slow the test down. */
  const char *where = access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();
  g_autofree char *folder = g_build_filename (where, "tailback-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (g_mkdtemp (folder), "fuzz.tailback", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbRecorder) recorder = tb_recorder_new (file, FALSE, &error);
  g_autoptr (TbSession) session = NULL;
  gint64 limit = 0;

  g_assert_no_error (error);
  intern_some (recorder);
  /* The last byte belongs to no event, if there is one. */
  if (size > 0 && data[size - 1] % 2 == 1)
    tb_recorder_store_order (recorder);
  for (gsize i = 0; i < n_events; i++)
    {
      TbEvent event;

      memcpy (&event, data + i * sizeof event, sizeof event);
      event = tame (event, words, n_words, i * sizeof event / 8);
      tb_recorder_add (recorder, &event);
      if ((event.flags & 0x0f) == 0x0f)
        {
          limit += event.cpu * 100;
          tb_recorder_advance (recorder, limit, &error);
          g_assert_no_error (error);
        }
    }
  tb_recorder_finish (recorder, &error);
  g_assert_no_error (error);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  tb_session_check (session, NULL, &error);
  g_assert_no_error (error);
  walk (session);
  g_unlink (path);
  g_rmdir (folder);
  return 0;
}
