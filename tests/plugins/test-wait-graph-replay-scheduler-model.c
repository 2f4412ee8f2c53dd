/* test-wait-graph-replay-scheduler-model.c: test of the scheduler model derived from a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"
#include "replay/tb-wait-replay-recording.h"

#define US 1000

static TbReplayRecording *
open_recording (Story *story)
{
  g_autoptr (TbTrace) trace = story_open (story);
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
  Story *story = story_new ("A B");
  g_autoptr (TbReplayRecording) recording = NULL;
  const TbReplaySchedulerModel *model;

  story_switch (story, 0, 0, 0, "R", 12);
  story_switch (story, 0, 1, 0, "R", 0);
  story_switch (story, 100, 0, 12, "S", 11);
  story_wake (story, 200, 0, 11, 12);
  story_switch (story, 300, 0, 11, "S", 12);
  story_switch (story, 400, 0, 12, "S", 0);
  story_wake (story, 500, 0, 0, 11);
  story_switch (story, 500, 0, 0, "R", 11);
  story_wake (story, 600, 0, 11, 12);
  story_switch (story, 700, 1, 0, "R", 12);
  story_switch (story, 800, 1, 12, "S", 0);
  story_wake (story, 900, 0, 11, 12);
  story_switch (story, 905, 1, 0, "R", 12);
  story_switch (story, 1000, 1, 12, "S", 0);
  story_wake (story, 1100, 0, 11, 12);
  story_switch (story, 1200, 0, 11, "S", 12);
  story_switch (story, 1300, 0, 12, "S", 0);
  recording = open_recording (story);
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
  Story *story = story_new ("A B");
  g_autoptr (TbReplayRecording) recording = NULL;
  const TbReplaySchedulerModel *model;

  story_switch (story, 0, 0, 0, "R", 12);
  story_switch (story, 0, 1, 0, "R", 0);
  story_switch (story, 100, 0, 12, "S", 11);
  story_add (story, 200, "0,softirq_entry,,,,,,1,,,,,,,");
  story_wake (story, 201, 0, 11, 12);
  story_add (story, 202, "0,softirq_exit,,,,,,1,,,,,,,");
  story_switch (story, 203, 0, 11, "R", 12);
  story_switch (story, 300, 0, 12, "S", 11);
  story_switch (story, 400, 0, 11, "S", 0);
  recording = open_recording (story);
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
  Story *story = story_new ("A B C");
  g_autoptr (TbReplayRecording) recording = NULL;
  const TbReplayPreemption *preemption;
  int at = 1000;

  story_switch (story, 0, 0, 0, "R", 12);
  story_switch (story, 10, 0, 12, "S", 13);
  story_switch (story, 20, 0, 13, "S", 11);
  for (guint i = 0; i < 8; i++, at += 1000)
    {
      story_wake (story, at, 0, 0, 12);
      story_switch (story, at + 20, 0, 11, "R", 12);
      story_switch (story, at + 100, 0, 12, "S", 11);
    }
  for (guint i = 0; i < 4; i++, at += 3000)
    {
      story_wake (story, at, 0, 0, 12);
      story_switch (story, at + 700, 0, 11, "R", 12);
      story_switch (story, at + 800, 0, 12, "S", 11);
      story_wake (story, at + 1000, 0, 0, 13);
      story_switch (story, at + 1200, 0, 11, "S", 13);
      story_switch (story, at + 1300, 0, 13, "S", 0);
      story_wake (story, at + 1400, 0, 0, 11);
      story_switch (story, at + 1400, 0, 0, "R", 11);
      story_wake (story, at + 1600, 0, 0, 13);
      story_switch (story, at + 1605, 1, 0, "R", 13);
      story_switch (story, at + 1700, 1, 13, "S", 0);
      for (int cpu = 0; cpu < 2; cpu++)
        {
          int at_late = at + 2000 + 300 * cpu;

          story_wake (story, at_late, (guint) cpu, 0, 12);
          story_switch (story, at_late + 10, 0, 11, "S", 12);
          story_switch (story, at_late + 100, 0, 12, "S", 0);
          story_wake (story, at_late + 200, 0, 0, 11);
          story_switch (story, at_late + 200, 0, 0, "R", 11);
        }
    }
  recording = open_recording (story);
  preemption = recording->scheduler_model.preemption;
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 2, 1), ==, 8.0 / 16);
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 2, 3), ==, 8.0 / 16);
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 3, 1), ==, -1);
  g_assert_cmpfloat (tb_replay_preemption_get_share (preemption, 1, 2), ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay-habits/places", test_cpu_choice);
  g_test_add_func ("/wait-graph/replay-habits/interrupted", test_interrupted);
  g_test_add_func ("/wait-graph/replay-habits/preemption", test_preemption);
  return recording_run_tests ();
}
