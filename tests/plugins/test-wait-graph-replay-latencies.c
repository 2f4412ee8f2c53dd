/* test-wait-graph-replay-latencies.c: test of wake-up latencies by the state of the CPU
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "replay/tb-wait-replay-latencies.h"
#include "replay/tb-wait-replay.h"

#define US 1000.0

static void
add (TbReplayLatencies *self, TbReplayWakerCpu from, double idle, double latency, guint n)
{
  for (guint i = 0; i < n; i++)
    tb_replay_latencies_add (self, tb_replay_latencies_get_state (from, idle), latency);
}

static void
test_states (void)
{
  guint8 state;

  for (guint from = 0; from < TB_REPLAY_N_WAKER_CPUS; from++)
    {
      g_assert_cmpuint (tb_replay_latencies_get_state (from, -1), ==, from * TB_REPLAY_N_SINCE);
      g_assert_cmpuint (tb_replay_latencies_get_state (from, 0), ==, from * TB_REPLAY_N_SINCE + 1);
      g_assert_cmpuint (tb_replay_latencies_get_state (from, 1e300), ==,
                        (from + 1) * TB_REPLAY_N_SINCE - 1);
      g_assert_cmpuint (tb_replay_latencies_get_state (from, 1024), ==,
                        tb_replay_latencies_get_state (from, 2047));
      g_assert_cmpuint (tb_replay_latencies_get_state (from, 1023), <,
                        tb_replay_latencies_get_state (from, 1024));
    }
  state = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_UNKNOWN, 5000);
  g_assert_cmpuint (tb_replay_latencies_set_waker_cpu (
                        state, tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, -1)),
                    ==, tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 5000));
  g_assert_cmpuint (tb_replay_latencies_set_waker_cpu (state, TB_REPLAY_STATE_UNKNOWN), ==, state);
}

/* The nearest state with enough recorded cases counts. A wake-up on a busy CPU is never compared
 * with one on an idle CPU. */
static void
test_difference (void)
{
  TbReplayLatencies latencies = { { 0 } };
  guint8 busy = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, -1);
  guint8 awake = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 20 * US);
  guint8 asleep = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 1000 * US);
  guint8 near = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 3000 * US);
  guint8 same = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_SAME, 1000 * US);

  add (&latencies, TB_REPLAY_WAKER_CPU_OTHER, 20 * US, 8 * US, 10);
  add (&latencies, TB_REPLAY_WAKER_CPU_OTHER, 1000 * US, 60 * US, 5);
  add (&latencies, TB_REPLAY_WAKER_CPU_OTHER, 1000 * US, 80 * US, 5);
  add (&latencies, TB_REPLAY_WAKER_CPU_OTHER, 3000 * US, 5 * US, 1);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, asleep, awake), ==, 62 * US);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, awake, asleep), ==, -62 * US);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, near, awake), ==, 62 * US);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, busy, asleep), ==, -70 * US);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, same, asleep), ==, 0);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, asleep,
                                                         TB_REPLAY_STATE_UNKNOWN),
                     ==, 0);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, TB_REPLAY_STATE_UNKNOWN,
                                                         asleep),
                     ==, 0);
  /* A very long time is not a latency. */
  add (&latencies, TB_REPLAY_WAKER_CPU_SAME, 1000 * US, 1e9, 10);
  g_assert_cmpfloat (tb_replay_latencies_get_difference (&latencies, same, asleep), ==, 930 * US);
}

/* The first thread runs for 500 µs and wakes the second, which had waited for it on another CPU and
 * runs 10 µs after the wake-up. In the replay a third thread runs there for the time `other`, or
 * none. */
static double
replay (TbReplaySchedulerModel *model, double other, guint8 recorded)
{
  const guint32 previous[] = { 0, 1, 1 }, threads[] = { 1, 2, 3 };
  const TbReplayChange none = { 0 };
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (2);
  g_autoptr (TbReplayTimes) times = NULL;
  g_autoptr (GError) error = NULL;
  guint32 wait = tb_replay_program_add_wait (program, 500000, 0, TRUE);

  g_array_index (program->waits, TbReplayWait, wait).state = recorded;
  program->scheduler_model = model;
  program->previous = previous;
  program->threads = threads;
  program->n_marks = 1;
  tb_replay_program_add_actor (program);
  tb_replay_program_add_step (program, TB_REPLAY_RUN, 500000);
  tb_replay_program_add_step (program, TB_REPLAY_SIGNAL, wait);
  tb_replay_program_add_actor (program);
  tb_replay_program_add_step (program, TB_REPLAY_WAIT, wait);
  tb_replay_program_add_step (program, TB_REPLAY_WAKE, 10000);
  tb_replay_program_add_step (program, TB_REPLAY_RUN, 1000);
  tb_replay_program_add_step (program, TB_REPLAY_MARK, 0);
  tb_replay_program_add_actor (program);
  if (other > 0)
    tb_replay_program_add_step (program, TB_REPLAY_RUN, (gint64) other);
  times = tb_replay_run (program, &none, NULL, &error);
  g_assert_no_error (error);
  return times->marks[0];
}

static void
test_replay (void)
{
  TbReplaySchedulerModel model = { .preemption = NULL };
  guint8 busy = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, -1);
  guint8 awake = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 20 * US);
  guint8 asleep = tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 500 * US);

  /* Nothing is known of other states: the latency is as recorded. */
  g_assert_cmpfloat_with_epsilon (replay (&model, 0, asleep), 511 * US, 1);
  g_assert_cmpfloat_with_epsilon (replay (&model, 0, TB_REPLAY_STATE_UNKNOWN), 511 * US, 1);
  add (&model.latencies, TB_REPLAY_WAKER_CPU_OTHER, 500 * US, 60 * US, 9);
  add (&model.latencies, TB_REPLAY_WAKER_CPU_OTHER, 20 * US, 9 * US, 9);
  g_assert_cmpfloat_with_epsilon (replay (&model, 0, asleep), 511 * US, 1);
  g_assert_cmpfloat_with_epsilon (replay (&model, 0, awake), 562 * US, 1);
  g_assert_cmpfloat_with_epsilon (replay (&model, 0, busy), 571 * US, 1);
  /* Idle since 10 µs only: no latency, the largest possible reduction. */
  g_assert_cmpfloat_with_epsilon (replay (&model, 490 * US, asleep), 501 * US, 1);
  /* On a CPU that is busy until later, the thread waits for that run and has no further latency. */
  g_assert_cmpfloat_with_epsilon (replay (&model, 800 * US, asleep), 801 * US, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay-latencies/states", test_states);
  g_test_add_func ("/wait-graph/replay-latencies/difference", test_difference);
  g_test_add_func ("/wait-graph/replay-latencies/play", test_replay);
  return g_test_run ();
}
