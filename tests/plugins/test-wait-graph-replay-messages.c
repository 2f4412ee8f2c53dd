/* test-wait-graph-replay-messages.c: test that a busy server does not handle a request before it is
 * sent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"
#include "replay/tb-wait-replay-recording.h"

#define US 1000

enum
{
  SERVER = 11,
  ONE,
  TWO
};

static const char to_one[] = "one:1 from server:80", to_two[] = "two:2 from server:80";

static void
add_send (Story *story, int us, int cpu, int tid, const char *ends)
{
  story_add (story, us, "%d,net_send,,,,,,,%d,tcp,100,%s,,,%d", cpu, tid, ends, tid);
}

static void
sleep_until (Story *story, int from, int to, const char *why, int waker)
{
  story_add (story, from, "0,sleep,,%s,,,,,%d,,-1,,,0,0", why, SERVER);
  story_switch (story, from, 0, SERVER, "S", 0);
  story_wake (story, to, waker - SERVER, waker, SERVER);
  story_switch (story, to, 0, 0, "R", SERVER);
}

/* ONE wakes the server at 200. TWO sends a request while the server works until 400. The server
 * answers first_answer then, and the second client at 700. ONE sends again at 900. Only the server
 * sleeps. */
static TbReplayRecording *
open_recording (const char *why,
                const char *other,
                const char *first_answer,
                const char *second_answer)
{
  static const TbReplayMoment answered = { 1, 700 * US };
  Story *story = story_new ("server one two");
  g_autoptr (GArray) work_times = g_array_new (FALSE, FALSE, sizeof (TbReplayMoment));
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  TbReplayRecording *recording;
  gint64 from, to;

  for (int cpu = 0; cpu < 3; cpu++)
    story_switch (story, 0, cpu, 0, "R", SERVER + cpu);
  sleep_until (story, 100, 200, why, ONE);
  add_send (story, 201, 1, ONE, "server:80 from one:1");
  add_send (story, 250, 2, TWO, other);
  add_send (story, 400, 0, SERVER, first_answer);
  add_send (story, 700, 0, SERVER, second_answer);
  sleep_until (story, 750, 900, why, ONE);
  add_send (story, 901, 1, ONE, "server:80 from one:1");
  add_send (story, 950, 0, SERVER, "one:1 from server:80");
  for (int cpu = 0; cpu < 3; cpu++)
    story_switch (story, 1000, cpu, SERVER + cpu, "R", 0);
  trace = story_open (story);
  tb_trace_get_range (trace, &from, &to);
  g_array_append_val (work_times, answered);
  recording = tb_replay_recording_new (trace, from, to, NULL, work_times, NULL, &error);
  g_assert_no_error (error);
  return recording;
}

/* Counts waits that took no time in the recording; last: the last of them. */
static guint
count_messages (const TbReplayRecording *recording, guint32 *last)
{
  guint n = 0;

  for (guint32 i = 0; i < recording->program->waits->len; i++)
    if (g_array_index (recording->program->waits, TbReplayWait, i).length == 0)
      {
        *last = i;
        n++;
      }
  return n;
}

/* The step of an actor's first run. */
static gsize
find_run (const TbReplayProgram *program, guint32 actor)
{
  gsize step = g_array_index (program->first, gsize, actor);

  while (g_array_index (program->kinds, guint8, step) != TB_REPLAY_RUN)
    step++;
  return step;
}

/* Time of the second answer in µs, if a client's first run takes so many times as long. */
static double
get_answer (const TbReplayRecording *recording, guint32 client, double times)
{
  g_autofree double *runs = g_new (double, recording->program->kinds->len);
  TbReplayChange change = { .run = runs };
  g_autoptr (TbReplayTimes) result = NULL;

  for (guint i = 0; i < recording->program->kinds->len; i++)
    runs[i] = 1;
  runs[find_run (recording->program, client)] = times;
  result = tb_replay_run (recording->program, &change, NULL, NULL);
  g_assert_cmpuint (result->n_stuck, ==, 0);
  return result->marks[0] / US;
}

static void
test_no_match (void)
{
  g_autoptr (TbReplayRecording) recording
      = open_recording ("poll", "server:80 from two:2", to_one, to_two);
  const TbReplayOrigin *origin;
  guint32 wait = 0;
  gint64 before = 0;

  g_assert_cmpuint (count_messages (recording, &wait), ==, 1);
  origin = &g_array_index (recording->origins, TbReplayOrigin, wait);
  g_assert_cmpuint (origin->waiter, ==, 1);
  g_assert_cmpuint (origin->ended_by, ==, 3);
  g_assert_cmpuint (g_array_index (recording->program->waits, TbReplayWait, wait).source, ==, 3);
  g_assert_cmpuint (g_array_index (recording->program->kinds, guint8, origin->step), ==,
                    TB_REPLAY_WAIT);
  g_assert_cmpint (g_array_index (recording->program->values, gint64, origin->step), ==, wait);
  for (gsize i = 0; i < origin->step; i++)
    if (g_array_index (recording->program->kinds, guint8, i) == TB_REPLAY_RUN)
      before += g_array_index (recording->program->values, gint64, i);
  /* The server cannot have begun the second request before its first answer. */
  g_assert_cmpint (before, ==, (100 + 400 - 200) * US);
  g_assert_cmpfloat (get_answer (recording, 2, 1), ==, 700);
  /* The server cannot finish a request before it is sent, but it may finish it before a request
   * that is sent later. */
  g_assert_cmpfloat (get_answer (recording, 2, 8), ==, 2000 + 300);
  g_assert_cmpfloat (get_answer (recording, 1, 3), ==, 250 + 300);
}

/* A server that answers another client before the one that woke it does not need the other client's
 * message for that answer. */
static void
test_other_first (void)
{
  g_autoptr (TbReplayRecording) recording
      = open_recording ("poll", "server:80 from two:2", to_two, to_one);
  guint32 wait = 0;

  g_assert_cmpuint (count_messages (recording, &wait), ==, 2);
  /* Requests are replayed in the order in which they were sent, even if TWO sends at 2000. Work
   * from 200 to 250 for an unknown client comes first. */
  g_assert_cmpfloat (get_answer (recording, 2, 1), ==, 200 + 50 + 300);
  g_assert_cmpfloat (get_answer (recording, 2, 8), ==, 200 + 50 + 300);
}

/* The wait that the server was woken from is not a wait for a message that arrived later. Messages
 * with an unknown other end, and threads that never wait for any of several, are not matched
 * either. */
static void
test_none (void)
{
  g_autoptr (TbReplayRecording) waits
      = open_recording ("socket", "server:80 from two:2", to_one, to_two);
  g_autoptr (TbReplayRecording) unknown = open_recording ("poll", "server:80", to_one, to_two);
  g_autoptr (TbReplayRecording) unrequested
      = open_recording ("poll", "server:80 from two:2", to_one, "two:3 from server:80");
  guint32 wait;

  g_assert_cmpuint (count_messages (waits, &wait), ==, 0);
  g_assert_cmpuint (count_messages (unknown, &wait), ==, 0);
  g_assert_cmpuint (count_messages (unrequested, &wait), ==, 0);
  g_assert_cmpfloat (get_answer (unknown, 2, 8), ==, 700);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay-messages/meanwhile", test_no_match);
  g_test_add_func ("/wait-graph/replay-messages/other-first", test_other_first);
  g_test_add_func ("/wait-graph/replay-messages/none", test_none);
  return recording_run_tests ();
}
