/* test-trace-thread-switches.c: test of the states that follow from switches of threads, recorded
 * without those of the other threads of their CPUs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <gio/gio.h>

#include "trace-events.h"

#define NONE TB_ID_NONE
#define ANY TB_CPU_ALL

static Events *
begin (gint64 to, guint n_threads)
{
  Events *events = events_new (0, to, n_threads);

  events_set_thread_switches (events);
  return events;
}

static void
come (Events *events, gint64 time, guint16 cpu, guint32 thread)
{
  events_switch (events, time, cpu, NONE, TB_PREV_STATE_UNKNOWN, thread);
}

static void
leave (Events *events, gint64 time, guint16 cpu, guint32 thread, char state)
{
  events_switch (events, time, cpu, thread, state, NONE);
}

/* What it did before its first switch is unknown. It does not run beyond its last one. */
static void
test_states (void)
{
  g_autoptr (Events) events = begin (1000, 3);

  come (events, 100, ANY, 1);
  leave (events, 200, ANY, 1, TB_PREV_STATE_ASLEEP);
  come (events, 300, ANY, 1);
  leave (events, 400, ANY, 1, TB_PREV_STATE_PREEMPTED);
  come (events, 500, ANY, 1);
  leave (events, 600, ANY, 1, TB_PREV_STATE_UNKNOWN);
  come (events, 700, ANY, 1);
  leave (events, 800, ANY, 1, 'D');
  assert_life (events, 1,
               "R100-200 S200-300<?! R300-400 p400-500 R500-600 ?600-700! R700-800 "
               "D800-1000]");
}

/* Two threads run at the same time: the records have no CPU, and none displaces the other. */
static void
test_parallel (void)
{
  g_autoptr (Events) events = begin (100, 3);

  come (events, 10, ANY, 1);
  come (events, 20, ANY, 2);
  leave (events, 30, ANY, 1, TB_PREV_STATE_ASLEEP);
  leave (events, 40, ANY, 2, TB_PREV_STATE_ASLEEP);
  assert_life (events, 1, "R10-30 S30-100]");
  assert_life (events, 2, "R20-40 S40-100]");
}

/* The CPU is known at one of the ends of a run. */
static void
test_cpus (void)
{
  g_autoptr (Events) events = begin (100, 2);

  come (events, 10, ANY, 1);
  leave (events, 20, 3, 1, TB_PREV_STATE_PREEMPTED);
  come (events, 30, 2, 1);
  leave (events, 40, ANY, 1, TB_PREV_STATE_PREEMPTED);
  come (events, 50, 2, 1);
  leave (events, 60, 2, 1, TB_PREV_STATE_ASLEEP);
  assert_life (events, 1, "R10-20 p20-30 R30-40 p40-50 R50-60 S60-100]");
}

/* A record is missing between two that come, or leave. */
static void
test_order (void)
{
  g_autoptr (Events) events = begin (100, 2);

  come (events, 10, ANY, 1);
  come (events, 20, ANY, 1);
  leave (events, 30, ANY, 1, TB_PREV_STATE_ASLEEP);
  leave (events, 40, ANY, 1, TB_PREV_STATE_PREEMPTED);
  come (events, 50, ANY, 1);
  assert_life (events, 1, "?10-20! R20-30 ?30-40! p40-50 R50-100]");
}

/* A thread ran before it left its CPU for the first time, from its first sample on; and between two
 * records of which one is missing, from a sample on. */
static void
test_samples (void)
{
  g_autoptr (Events) events = begin (100, 3);

  events_process (events, 0, ANY, TB_PROCESS_EXISTING, 1, NONE);
  events_sample (events, 10, 0, 1);
  events_sample (events, 15, 1, 2);
  leave (events, 30, ANY, 1, TB_PREV_STATE_ASLEEP);
  events_sample (events, 50, 0, 1);
  leave (events, 60, ANY, 1, TB_PREV_STATE_ASLEEP);
  assert_life (events, 1, "?0-10[ R10-30 ?30-50! R50-60 S60-100]");
  /* Nothing is known of a thread that has no switches. */
  assert_life (events, 2, "?15-100]");
}

/* A thread whose switches were not recorded does not wait for a CPU for ever. */
static void
test_unrecorded_threads (void)
{
  g_autoptr (Events) events = begin (100, 5);

  events_process (events, 10, ANY, TB_PROCESS_FORK, 2, 1);
  events_process (events, 10, ANY, TB_PROCESS_FORK, 3, 1);
  come (events, 5, ANY, 1);
  come (events, 20, ANY, 2);
  events_wakeup (events, 30, 0, 1, 4, 0);
  assert_life (events, 2, "q10-20 R20-100]");
  assert_life (events, 3, "?10-100]");
  assert_life (events, 4, "?30-100]");
}

/* A wake-up by a recorded thread is known, others are not missing. */
static void
test_wakeups (void)
{
  g_autoptr (Events) events = begin (100, 3);
  g_auto (TbTraceOutput) output = { 0 };

  come (events, 0, ANY, 1);
  come (events, 10, ANY, 2);
  leave (events, 20, ANY, 2, TB_PREV_STATE_ASLEEP);
  events_wakeup (events, 30, 0, 1, 2, 0);
  come (events, 40, ANY, 2);
  leave (events, 50, ANY, 2, TB_PREV_STATE_ASLEEP);
  come (events, 60, ANY, 2);
  assert_life (events, 2, "R10-20 S20-30<t1 q30-40 R40-50 S50-60<?! R60-100]");
  events_build (events, &output);
  g_assert_cmpuint (output.counts.sleeps_without_wakeup, ==, 0);
  g_assert_cmpuint (output.counts.unknown_switch_outs, ==, 0);
}

/* A run on an unknown CPU is uncertain from a loss of events on any CPU on. */
static void
test_losses (void)
{
  g_autoptr (Events) events = begin (100, 2);

  come (events, 10, ANY, 1);
  events_lost (events, 20, 25, 0, 1);
  leave (events, 30, ANY, 1, TB_PREV_STATE_ASLEEP);
  assert_life (events, 1, "R10-20! ?20-30! S30-100]");
}

/* The state of a sleep is not known, and that of a wait for a CPU after it is. */
static void
test_sleep_flags (void)
{
  g_autoptr (Events) events = begin (100, 3);
  g_auto (TbTraceOutput) output = { 0 };
  const guint8 *flags, *state;

  come (events, 0, ANY, 1);
  come (events, 10, ANY, 2);
  leave (events, 20, ANY, 2, TB_PREV_STATE_ASLEEP);
  events_wakeup (events, 30, 0, 1, 2, 0);
  come (events, 40, ANY, 2);
  leave (events, 50, ANY, 2, 'S');
  events_build (events, &output);
  flags = g_bytes_get_data (output.columns[TB_INTERVAL_FLAGS], NULL);
  state = g_bytes_get_data (output.columns[TB_INTERVAL_STATE], NULL);
  for (gsize i = 0; i < output.n; i++)
    g_assert_cmpint ((flags[i] & TB_INTERVAL_UNKNOWN_SLEEP) != 0, ==,
                     state[i] == TB_STATE_INTERRUPTIBLE && !(flags[i] & TB_INTERVAL_OPEN_END));
}

/* In a recording of CPUs one of the threads of a switch may be unknown, and its CPU. */
static void
test_unknown_sides (void)
{
  g_autoptr (Events) events = events_new (0, 100, 4);

  events_switch (events, 10, 0, NONE, 'S', 1);
  events_switch (events, 20, 0, 1, 'S', NONE);
  events_switch (events, 30, ANY, 1, 'S', 2);
  events_switch (events, 40, 0, 2, 'S', 3);
  assert_life (events, 1, "R10-20 ?20-30! S30-100]");
  assert_life (events, 2, "R30-40 S40-100]");
  assert_life (events, 3, "R40-100]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/thread-switches/states", test_states);
  g_test_add_func ("/trace/thread-switches/parallel", test_parallel);
  g_test_add_func ("/trace/thread-switches/cpus", test_cpus);
  g_test_add_func ("/trace/thread-switches/order", test_order);
  g_test_add_func ("/trace/thread-switches/samples", test_samples);
  g_test_add_func ("/trace/thread-switches/unrecorded-threads", test_unrecorded_threads);
  g_test_add_func ("/trace/thread-switches/wakeups", test_wakeups);
  g_test_add_func ("/trace/thread-switches/losses", test_losses);
  g_test_add_func ("/trace/thread-switches/sleep-flags", test_sleep_flags);
  g_test_add_func ("/trace/thread-switches/unknown-sides", test_unknown_sides);
  return g_test_run ();
}
