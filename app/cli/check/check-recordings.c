/* check-recordings.c: synthetic recordings to check plug-ins with: empty, normal, with lost events,
 * with the largest ids, with odd names, damaged, long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "check/check.h"

#define US G_GINT64_CONSTANT (1000)
#define LONG_TURNS 20000

static const char *const names[CHECK_N_RECORDINGS] = {
  [CHECK_RECORDING_NORMAL] = "normal",       [CHECK_RECORDING_EMPTY] = "empty",
  [CHECK_RECORDING_ONE_EVENT] = "one-event", [CHECK_RECORDING_LOSSY] = "lossy",
  [CHECK_RECORDING_LARGE_IDS] = "large-ids", [CHECK_RECORDING_ODD_NAMES] = "odd-names",
  [CHECK_RECORDING_DAMAGED] = "damaged",     [CHECK_RECORDING_LONG] = "long",
};

/* The three threads of a recording, two of them of one process. */
typedef struct
{
  gint32 client;
  gint32 helper;
  gint32 server;
  guint16 cpu;
  gint64 start;
  const char *const *names;
} Cast;

static const char *const plain_names[] = { "client", "helper", "server", "work", "request" };
static const char *const odd_names[]
    = { "<b>&amp;\"'", "a\tb\nc\033[2J", "", "\u202e\u0645\u0631\u062d\u0628\u0627", "=1+1,;\\" };

static const Cast normal = { 10, 11, 20, 0, 1000 * US, plain_names };
static const Cast large
    = { G_MAXINT32, G_MAXINT32 - 1, G_MAXINT32 - 2, 4095, G_MAXINT64 / 4, plain_names };
static const Cast odd = { 10, 11, 20, 0, 1000 * US, odd_names };

static TbEvent
new_event (const Cast *cast, gint64 us, TbEventKind kind, gint32 tid)
{
  return (TbEvent) { .time = cast->start + us * US,
                     .kind = (guint8) kind,
                     .cpu = cast->cpu,
                     .tid = tid,
                     .pid = -1,
                     .stack = TB_STACK_NONE,
                     .module = TB_ID_NONE };
}

static void
add_name (TbRecorder *recorder, const Cast *cast, gint32 tid, gint32 pid, const char *name)
{
  TbEvent event = new_event (cast, 0, TB_EVENT_EXISTING, tid);

  event.pid = pid;
  event.text = tb_recorder_intern_string (recorder, name, -1);
  tb_recorder_add (recorder, &event);
}

static void
add_switch (TbRecorder *recorder,
            const Cast *cast,
            gint64 us,
            gint32 prev,
            char state,
            gint32 next,
            guint32 stack)
{
  TbEvent event = new_event (cast, us, TB_EVENT_SWITCH, prev);

  event.code = (guint8) state;
  event.a = (guint64) next;
  event.stack = stack;
  tb_recorder_add (recorder, &event);
}

static void
add_wakeup (TbRecorder *recorder, const Cast *cast, gint64 us, gint32 waker, gint32 woken)
{
  TbEvent event = new_event (cast, us, TB_EVENT_WAKEUP, waker);

  event.a = (guint64) woken;
  tb_recorder_add (recorder, &event);
}

static void
add_mark (TbRecorder *recorder, const Cast *cast, gint64 us, gint32 tid, const char *value)
{
  TbEvent event = new_event (cast, us, TB_EVENT_MARK, tid);

  event.text = tb_recorder_intern_string (recorder, cast->names[4], -1);
  event.text2 = tb_recorder_intern_string (recorder, value, -1);
  tb_recorder_add (recorder, &event);
}

static guint32
add_stack (TbRecorder *recorder, const Cast *cast, const char *function)
{
  guint32 frames[2];

  frames[0] = tb_recorder_intern_named_frame (recorder, "main", cast->names[0], FALSE);
  frames[1] = tb_recorder_intern_named_frame (recorder, function, cast->names[0], FALSE);
  return tb_recorder_intern_stack (recorder, frames, NULL, G_N_ELEMENTS (frames));
}

static void
add_cast (TbRecorder *recorder, const Cast *cast)
{
  tb_recorder_add_host (recorder, "host", "6.1", "x86_64", cast->cpu + 1u, 0);
  tb_recorder_set_fact (recorder, "clock", "monotonic");
  add_name (recorder, cast, cast->client, cast->client, cast->names[0]);
  add_name (recorder, cast, cast->helper, cast->client, cast->names[1]);
  add_name (recorder, cast, cast->server, cast->server, cast->names[2]);
}

/* The client asks the server, sleeps until it answers, then lets its helper work. */
static void
add_turns (TbRecorder *recorder, const Cast *cast, guint n)
{
  guint32 asking = add_stack (recorder, cast, "ask"), serving = add_stack (recorder, cast, "serve");
  guint32 helping = add_stack (recorder, cast, cast->names[3]);

  add_switch (recorder, cast, 0, 0, 'R', cast->client, TB_STACK_NONE);
  for (guint i = 0; i < n; i++)
    {
      gint64 us = (gint64) i * 1000;

      add_wakeup (recorder, cast, us + 100, cast->client, cast->server);
      add_switch (recorder, cast, us + 120, cast->client, 'S', cast->server, asking);
      add_wakeup (recorder, cast, us + 600, cast->server, cast->client);
      add_switch (recorder, cast, us + 620, cast->server, i % 2 ? 'D' : 'S', cast->client, serving);
      add_mark (recorder, cast, us + 640, cast->client, "1");
      add_wakeup (recorder, cast, us + 700, cast->client, cast->helper);
      add_switch (recorder, cast, us + 720, cast->client, 'R', cast->helper, asking);
      add_switch (recorder, cast, us + 990, cast->helper, 'S', cast->client, helping);
    }
}

static void
add_lost (TbRecorder *recorder, const Cast *cast, gint64 from_us, gint64 to_us)
{
  TbEvent event = new_event (cast, to_us, TB_EVENT_LOST, -1);

  event.a = 1000;
  event.b = (guint64) (cast->start + from_us * US);
  event.cpu = TB_CPU_ALL;
  tb_recorder_add (recorder, &event);
}

/* Lost events, wake-ups of unknown threads, a switch from a thread that did not run. */
static void
add_damage (TbRecorder *recorder, const Cast *cast)
{
  add_lost (recorder, cast, 2100, 2900);
  add_wakeup (recorder, cast, 3650, 999, 998);
  add_switch (recorder, cast, 5050, cast->helper, 'S', 777, TB_STACK_NONE);
  add_lost (recorder, cast, 5100, 20000);
}

static void
fill (TbRecorder *recorder, CheckRecording recording)
{
  const Cast *cast = recording == CHECK_RECORDING_LARGE_IDS   ? &large
                     : recording == CHECK_RECORDING_ODD_NAMES ? &odd
                                                              : &normal;

  add_cast (recorder, cast);
  if (recording == CHECK_RECORDING_ONE_EVENT)
    add_wakeup (recorder, cast, 100, cast->client, cast->server);
  else if (recording != CHECK_RECORDING_EMPTY)
    add_turns (recorder, cast, recording == CHECK_RECORDING_LONG ? LONG_TURNS : 8);
  if (recording == CHECK_RECORDING_LOSSY)
    add_damage (recorder, cast);
}

const char *
check_recording_get_name (CheckRecording recording)
{
  return names[recording];
}

TbTemporaryFolder *
check_get_folder (GError **error)
{
  static TbTemporaryFolder *folder;

  if (folder == NULL)
    folder = tb_temporary_folder_new (TB_TEMPORARY_TMP, error);
  return folder;
}

static TbTrace *
open_trace (GFile *file, GError **error)
{
  g_autoptr (TbSession) session = tb_session_open (file, NULL, error);

  return session != NULL ? tb_trace_new (session, NULL, NULL, NULL, error) : NULL;
}

static TbTrace *
make_trace (CheckRecording recording, GError **error)
{
  static guint n_made;
  TbTemporaryFolder *folder = check_get_folder (error);
  g_autofree char *name = g_strdup_printf ("%s-%u.tailback", names[recording], n_made++);
  g_autoptr (GFile) file = NULL;
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (TbTrace) trace = NULL;

  if (folder == NULL)
    return NULL;
  file = g_file_new_build_filename (tb_temporary_folder_get_path (folder), name, NULL);
  recorder = tb_recorder_new (file, FALSE, error);
  if (recorder == NULL)
    return NULL;
  tb_recorder_set_temporary (recorder);
  fill (recorder, recording);
  if (!tb_recorder_finish (recorder, error))
    return NULL;
  trace = open_trace (file, error);
  if (trace == NULL || recording != CHECK_RECORDING_DAMAGED)
    return g_steal_pointer (&trace);
  /* What is derived is stored in it now. */
  g_clear_object (&trace);
  return check_damage (g_file_peek_path (file), error) ? open_trace (file, error) : NULL;
}

TbTrace *
check_recording_open (CheckRecording recording, GError **error)
{
  static TbTrace *long_trace; /* takes long to make */

  if (recording != CHECK_RECORDING_LONG)
    return make_trace (recording, error);
  if (long_trace == NULL)
    long_trace = make_trace (recording, error);
  return long_trace != NULL ? g_object_ref (long_trace) : NULL;
}
