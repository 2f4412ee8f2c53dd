/* test-wait-graph-replay-workers.c: test of actors with several workers in the replay, and of the
 * cost of wake-ups
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "replay/tb-wait-replay-workers.h"
#include "replay/tb-wait-replay.h"

#define US 1e3
#define N_ACTORS 3

static const guint32 previous[N_ACTORS] = { 0, 1, 2 }, threads[N_ACTORS] = { 1, 2, 3 };

/* Actors without steps. */
static TbReplayProgram *
make_program (guint32 n_cpus, const TbReplaySchedulerModel *model)
{
  TbReplayProgram *program = tb_replay_program_new (n_cpus);

  for (guint i = 0; i < N_ACTORS; i++)
    tb_replay_program_add_actor (program);
  program->scheduler_model = model;
  program->previous = previous;
  program->threads = threads;
  return program;
}

/* Returns when the actor is done. Actors that are done earlier release their CPUs. */
static double
await (TbReplayWorkers *workers, guint32 actor)
{
  for (;;)
    {
      double now = tb_replay_workers_get_next (workers);
      guint32 done;

      g_assert_false (isinf (now));
      done = tb_replay_workers_advance (workers, now);
      tb_replay_workers_release (workers, now);
      if (done == actor)
        return now;
    }
}

/* One of two workers begins their common work while another actor has the other CPU; then they
 * share it. */
static void
test_share (void)
{
  static const TbReplaySchedulerModel nothing_known = { 0 };
  static const guint32 sizes[N_ACTORS] = { 2, 1, 1 };
  const TbReplayChange change = { .size = sizes };
  g_autoptr (TbReplayProgram) program = make_program (2, &nothing_known);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (TbReplayWorkers) workers = tb_replay_workers_new (program, &change);
      double other = i == 0 ? 0 : i == 1 ? 300 * US : i == 2 ? 990 * US : 2000 * US;
      double wanted = i == 3 ? 1000 * US : i == 2 ? 1000 * US : (1000 * US + other) / 2;

      if (other > 0)
        tb_replay_workers_run (workers, 1, other, 1, 0);
      tb_replay_workers_run (workers, 0, 1000 * US, 2, 0);
      g_assert_cmpfloat_with_epsilon (await (workers, 0), wanted, 1);
    }
}

/* No worker takes over from an actor limited to one CPU. */
static void
test_alone (void)
{
  static const TbReplaySchedulerModel nothing_known = { 0 };
  static const guint32 sizes[N_ACTORS] = { 2, 1, 1 };
  const TbReplayChange change = { .size = sizes };
  g_autoptr (TbReplayProgram) program = make_program (2, &nothing_known);
  g_autoptr (TbReplayWorkers) workers = tb_replay_workers_new (program, &change);

  tb_replay_workers_run (workers, 0, 1000 * US, 1, 0);
  g_assert_cmpfloat_with_epsilon (await (workers, 0), 1000 * US, 1);
}

static void
test_costs (void)
{
  static const char *const bad[]
      = { "",           "0:5",      "5:5 20:6", "0:5 20",        "0:5 20:6 20:7",
          "0:5 20:6:7", "0:5 20:0", "0:5 x:6",  "0:5 20:2000000" };
  TbReplayWakeupCosts wakings;

  tb_replay_wakeup_costs_parse (&wakings, "0:1000 20000:5000 320000:25000", "4000", "31000");
  g_assert_cmpfloat (tb_replay_wakeup_cost_get (&wakings.waking, -1), ==, 0);
  g_assert_cmpfloat (tb_replay_wakeup_cost_get (&wakings.waking, 0), ==, 4000);
  g_assert_cmpfloat (tb_replay_wakeup_cost_get (&wakings.waking, 20000), ==, 4000);
  g_assert_cmpfloat_with_epsilon (tb_replay_wakeup_cost_get (&wakings.waking, 80000), 14000, 1e-6);
  g_assert_cmpfloat (tb_replay_wakeup_cost_get (&wakings.waking, 1e9), ==, 24000);
  g_assert_cmpfloat (wakings.queueing, ==, 3000);
  g_assert_cmpfloat (wakings.preempting, ==, 30000);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      tb_replay_wakeup_costs_parse (&wakings, bad[i], "4000", "-1");
      g_assert_cmpfloat (tb_replay_wakeup_cost_get (&wakings.waking, 1e6), ==, 0);
      g_assert_cmpfloat (wakings.queueing, ==, 0);
      g_assert_cmpfloat (wakings.preempting, ==, 0);
    }
  tb_replay_wakeup_costs_parse (&wakings, NULL, NULL, NULL);
  g_assert_cmpfloat (tb_replay_wakeup_cost_get (&wakings.waking, 1e6), ==, 0);
}

/* Waking a thread on an idle CPU costs time of the waker, depending on how long that CPU was
 * idle. */
static void
test_wake (void)
{
  TbReplaySchedulerModel model = { 0 };
  const TbReplayChange change = { 0 };
  g_autoptr (TbReplayProgram) program = make_program (3, &model);
  g_autoptr (TbReplayWorkers) workers = NULL;
  guint8 state;

  tb_replay_wakeup_costs_parse (&model.wakings, "0:1000 20000:5000 320000:25000", NULL, NULL);
  model.wakings.busy = 7000;
  workers = tb_replay_workers_new (program, &change);
  g_assert_cmpfloat (tb_replay_workers_wake (workers, 1, 0, 320000, &state), ==, 24000);
  tb_replay_workers_begin (workers, 1, 50 * US, 1, 320000);
  g_assert_cmpuint (state, ==, tb_replay_latencies_get_state (TB_REPLAY_WAKER_CPU_OTHER, 320000));
  g_assert_cmpfloat_with_epsilon (await (workers, 1), 370 * US, 1);
  g_assert_cmpfloat (tb_replay_workers_wake (workers, 1, 0, 390 * US, &state), ==, 4000);
  tb_replay_workers_begin (workers, 1, 50 * US, 1, 390 * US);
  g_assert_cmpfloat_with_epsilon (await (workers, 1), 440 * US, 1);
}

/* Waking a thread on a busy CPU costs time of the waker, except on its own CPU; a device pays
 * nothing. */
static void
test_wake_busy (void)
{
  static const struct
  {
    guint32 waker;
    double cost;
    TbReplayWakerCpu from;
  } cases[] = { { 1, 7000, TB_REPLAY_WAKER_CPU_OTHER },
                { 0, 0, TB_REPLAY_WAKER_CPU_SAME },
                { TB_REPLAY_NONE, 0, TB_REPLAY_WAKER_CPU_UNKNOWN } };
  const TbReplaySchedulerModel model = { .wakings = { .busy = 7000 } };
  const TbReplayChange change = { 0 };
  g_autoptr (TbReplayProgram) program = make_program (2, &model);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReplayWorkers) workers = tb_replay_workers_new (program, &change);
      guint8 state;

      for (guint32 j = 0; j < 2; j++)
        tb_replay_workers_run (workers, j, 1000 * US, 1, 0);
      g_assert_cmpfloat (tb_replay_workers_wake (workers, 2, cases[i].waker, 100 * US, &state), ==,
                         cases[i].cost);
      g_assert_cmpuint (state, ==, tb_replay_latencies_get_state (cases[i].from, -1));
      g_assert_cmpuint (tb_replay_workers_get_cpu (workers, 2), ==, 0);
    }
}

/* The signalling thread pays for the recorded wake-up, even if the other thread finally did not
 * wait for the signal in the replay, but not if that thread no longer needs to wait. */
static void
test_paid (void)
{
  static const struct
  {
    double factor;
    gint64 before; /* ns that the other thread runs before its wait */
    double end;    /* of the signalling thread, µs */
  } cases[] = { { 1, 0, 600 }, { 0.5, 0, 600 }, { 1, 700 * US, 600 - 24 } };
  TbReplaySchedulerModel model = { 0 };

  tb_replay_wakeup_costs_parse (&model.wakings, "0:1000 20000:25000 320000:25000", NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TbReplayChange change = { .factor = &cases[i].factor, .waking_share = 1 };
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (2);
      g_autoptr (TbReplayTimes) times = NULL;
      g_autoptr (GError) error = NULL;
      guint32 wait = tb_replay_program_add_wait (program, 500 * US, 0, TRUE);

      g_array_index (program->waits, TbReplayWait, wait).waking = 24 * US;
      program->scheduler_model = &model;
      program->previous = previous;
      program->threads = threads;
      program->n_marks = 1;
      tb_replay_program_add_actor (program);
      tb_replay_program_add_step (program, TB_REPLAY_RUN, 500 * US);
      tb_replay_program_add_step (program, TB_REPLAY_SIGNAL, wait);
      tb_replay_program_add_step (program, TB_REPLAY_RUN, 100 * US);
      tb_replay_program_add_step (program, TB_REPLAY_MARK, 0);
      tb_replay_program_add_actor (program);
      if (cases[i].before > 0)
        tb_replay_program_add_step (program, TB_REPLAY_RUN, cases[i].before);
      tb_replay_program_add_step (program, TB_REPLAY_WAIT, wait);
      tb_replay_program_add_step (program, TB_REPLAY_RUN, 10 * US);
      times = tb_replay_run (program, &change, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (times->marks[0], cases[i].end * US, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay-bodies/share", test_share);
  g_test_add_func ("/wait-graph/replay-bodies/alone", test_alone);
  g_test_add_func ("/wait-graph/replay-bodies/costs", test_costs);
  g_test_add_func ("/wait-graph/replay-bodies/wake", test_wake);
  g_test_add_func ("/wait-graph/replay-bodies/wake-busy", test_wake_busy);
  g_test_add_func ("/wait-graph/replay-bodies/paid", test_paid);
  return g_test_run ();
}
