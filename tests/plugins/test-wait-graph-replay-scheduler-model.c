/* test-wait-graph-replay-scheduler-model.c: test of the scheduler model derived from a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"
#include "replay/tb-wait-replay-recording.h"

#define US 1000

static TbReplayRecording *
open_recording (Script *script)
{
  g_autoptr (TbTrace) trace = script_open (script);
  g_autoptr (GError) error = NULL;
  TbReplayRecording *recording;
  gint64 from, to;

  tb_trace_get_range (trace, &from, &to);
  recording = tb_replay_recording_new (trace, from, to, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return recording;
}

static guint64
count_choices (const TbReplaySchedulerModel *model)
{
  guint64 n = 0;

  for (guint i = 0; i < TB_REPLAY_N_SITUATIONS; i++)
    for (guint j = 0; j < TB_REPLAY_N_PLACEMENTS; j++)
      n += model->n_woken[i][j];
  return n;
}

static gint64
sum_wakes (const TbReplayProgram *program)
{
  gint64 sum = 0;

  for (guint i = 0; i < program->kinds->len; i++)
    if (g_array_index (program->kinds, guint8, i) == TB_REPLAY_WAKE)
      sum += g_array_index (program->values, gint64, i);
  return sum;
}

/* B waits behind A while the other CPU is idle: once until A leaves, once until that CPU takes it,
 * once where it was woken from. It is also woken on an idle CPU. Waiting behind another thread is
 * left to the replay; other delays of a wake-up are recorded. */
static void
test_cpu_choice (void)
{
  Script *script = script_new ("A B");
  g_autoptr (TbReplayRecording) recording = NULL;
  const TbReplaySchedulerModel *model;

  switch_thread (script, 0, 0, 0, "R", 12);
  switch_thread (script, 0, 1, 0, "R", 0);
  switch_thread (script, 100, 0, 12, "S", 11);
  wake (script, 200, 0, 11, 12);
  switch_thread (script, 300, 0, 11, "S", 12);
  switch_thread (script, 400, 0, 12, "S", 0);
  wake (script, 500, 0, 0, 11);
  switch_thread (script, 500, 0, 0, "R", 11);
  wake (script, 600, 0, 11, 12);
  switch_thread (script, 700, 1, 0, "R", 12);
  switch_thread (script, 800, 1, 12, "S", 0);
  wake (script, 900, 0, 11, 12);
  switch_thread (script, 905, 1, 0, "R", 12);
  switch_thread (script, 1000, 1, 12, "S", 0);
  wake (script, 1100, 0, 11, 12);
  switch_thread (script, 1200, 0, 11, "S", 12);
  switch_thread (script, 1300, 0, 12, "S", 0);
  recording = open_recording (script);
  model = &recording->scheduler_model;
  g_assert_cmpuint (model->n_woken[TB_REPLAY_OTHER_IDLE | TB_REPLAY_WAKER_SAME
                                   | TB_REPLAY_WAKER_ALONE][TB_REPLAY_PLACEMENT_PREVIOUS],
                    ==, 2);
  g_assert_cmpuint (
      model->n_woken[TB_REPLAY_PREVIOUS_IDLE | TB_REPLAY_OTHER_IDLE][TB_REPLAY_PLACEMENT_PREVIOUS],
      ==, 1);
  g_assert_cmpuint (model->n_woken[TB_REPLAY_PREVIOUS_IDLE | TB_REPLAY_WAKER_OTHER
                                   | TB_REPLAY_WAKER_ALONE][TB_REPLAY_PLACEMENT_PREVIOUS],
                    ==, 1);
  g_assert_cmpuint (model->n_woken[TB_REPLAY_PREVIOUS_IDLE | TB_REPLAY_WAKER_OTHER
                                   | TB_REPLAY_WAKER_ALONE][TB_REPLAY_PLACEMENT_WAKER],
                    ==, 1);
  g_assert_cmpuint (count_choices (model), ==, 5);
  g_assert_cmpuint (model->n_migrated, ==, 1);
  g_assert_cmpfloat (model->unused, ==, 300 * US);
  g_assert_cmpint (sum_wakes (recording->program), ==, 5 * US);
  g_assert_true (recording->program->scheduler_model == model);
}

/* The thread interrupted by the timer that wakes B is not the waker. */
static void
test_interrupted (void)
{
  Script *script = script_new ("A B");
  g_autoptr (TbReplayRecording) recording = NULL;
  const TbReplaySchedulerModel *model;

  switch_thread (script, 0, 0, 0, "R", 12);
  switch_thread (script, 0, 1, 0, "R", 0);
  switch_thread (script, 100, 0, 12, "S", 11);
  add_line (script, 200, "0,softirq_entry,,,,,,1,,,,,,,");
  wake (script, 201, 0, 11, 12);
  add_line (script, 202, "0,softirq_exit,,,,,,1,,,,,,,");
  switch_thread (script, 203, 0, 11, "R", 12);
  switch_thread (script, 300, 0, 12, "S", 11);
  switch_thread (script, 400, 0, 11, "S", 0);
  recording = open_recording (script);
  model = &recording->scheduler_model;
  g_assert_cmpuint (model->n_woken[0][TB_REPLAY_PLACEMENT_PREVIOUS], ==, 1);
  g_assert_cmpuint (count_choices (model), ==, 1);
}

/* B is woken while A runs. Eight times it preempts A at once. Later it runs when A's slice is over;
 * or not at all, because A goes on, or A leaves at once after B was woken on its CPU; or it is
 * woken from elsewhere so soon before A leaves that the case is undecided. C does not preempt, not
 * even where it takes an idle CPU. */
static void
test_preemption (void)
{
  Script *script = script_new ("A B C");
  g_autoptr (TbReplayRecording) recording = NULL;
  const TbReplayPreemption *preemption;
  int at = 1000;

  switch_thread (script, 0, 0, 0, "R", 12);
  switch_thread (script, 10, 0, 12, "S", 13);
  switch_thread (script, 20, 0, 13, "S", 11);
  for (guint i = 0; i < 8; i++, at += 1000)
    {
      wake (script, at, 0, 0, 12);
      switch_thread (script, at + 20, 0, 11, "R", 12);
      switch_thread (script, at + 100, 0, 12, "S", 11);
    }
  for (guint i = 0; i < 4; i++, at += 3000)
    {
      wake (script, at, 0, 0, 12);
      switch_thread (script, at + 700, 0, 11, "R", 12);
      switch_thread (script, at + 800, 0, 12, "S", 11);
      wake (script, at + 1000, 0, 0, 13);
      switch_thread (script, at + 1200, 0, 11, "S", 13);
      switch_thread (script, at + 1300, 0, 13, "S", 0);
      wake (script, at + 1400, 0, 0, 11);
      switch_thread (script, at + 1400, 0, 0, "R", 11);
      wake (script, at + 1600, 0, 0, 13);
      switch_thread (script, at + 1605, 1, 0, "R", 13);
      switch_thread (script, at + 1700, 1, 13, "S", 0);
      for (int cpu = 0; cpu < 2; cpu++)
        {
          int at_late = at + 2000 + 300 * cpu;

          wake (script, at_late, (guint) cpu, 0, 12);
          switch_thread (script, at_late + 10, 0, 11, "S", 12);
          switch_thread (script, at_late + 100, 0, 12, "S", 0);
          wake (script, at_late + 200, 0, 0, 11);
          switch_thread (script, at_late + 200, 0, 0, "R", 11);
        }
    }
  recording = open_recording (script);
  preemption = recording->scheduler_model.preemption;
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 2, 1), ==, 8.0 / 16);
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 2, 3), ==, 8.0 / 16);
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 3, 1), ==, -1);
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 1, 2), ==, -1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/replay-habits/places", test_cpu_choice);
  g_test_add_func ("/wait-graph/replay-habits/interrupted", test_interrupted);
  g_test_add_func ("/wait-graph/replay-habits/preemption", test_preemption);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
