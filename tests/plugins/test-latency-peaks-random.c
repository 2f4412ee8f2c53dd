/* test-latency-peaks-random.c: test of random calls and traces against plain sums
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "latency-peaks-fixture.h"

#define RANDOM_CALLS 400
#define RANDOM_ROUNDS test_rounds (8, 2)

/* Parts of one call, in ns. */
typedef struct
{
  gint64 all, preempted, run_queue, interrupt;
  gint64 sum[4]; /* waiting in each of the places */
} Truth;

static const char *const places[4] = { "main;a@[kernel]", "main;a@[kernel];b@[kernel]",
                                       "main;a@[kernel];c@[kernel]", "main;d@[kernel]" };

static int
add_random_part (Story *story, int time, Truth *truth)
{
  int length = g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 10));
  int delay = g_test_rand_int_range (0, 3) == 0 ? g_test_rand_int_range (1, 200) : 0;
  guint place = (guint) g_test_rand_int_range (0, 4);

  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      story_interrupt (story, time, time + length, 0, "nic");
      truth->interrupt += length * 1000;
      return time + length;
    case 1:
      story_switch (story, time, 0, 11, "R", 0);
      story_switch (story, time + length, 0, 0, "R", 11);
      truth->preempted += length * 1000;
      return time + length;
    case 2:
      return time + length;
    default:
      story_switch_with_stack (story, time, 0, 11, "S", 0, places[place]);
      story_wake (story, time + length, 1, 12, 11);
      story_switch (story, time + length + delay, 0, 0, "R", 11);
      truth->sum[place] += length * 1000;
      truth->run_queue += delay * 1000;
      return time + length + delay;
    }
}

static guint
get_bin (gint64 ns)
{
  guint bin = 0;

  while (ns >= 2)
    {
      ns /= 2;
      bin++;
    }
  return bin;
}

/* The paper's rule for one function: own latency first, then each contributor. Returns the set of
 * the largest. */
static guint
decide (const gint64 *latencies, guint n)
{
  gint64 largest = 0;
  guint set = 0;

  for (guint i = 0; i < n; i++)
    largest = MAX (largest, latencies[i]);
  for (guint i = 0; i < n; i++)
    if (latencies[i] > 0 && get_bin (latencies[i]) == get_bin (largest))
      set |= 1u << i;
  return set;
}

static void
count_truth (const Truth *truth, GHashTable *counters)
{
  static const char *const names[2][7]
      = { { "self", "a", "d", "[preempted]", "[waits for a CPU after its wake-up]", "[interrupt]",
            "" },
          { "a:self", "b", "c", "a:wait", "", "", "" } };
  gint64 a = truth->sum[0] + truth->sum[1] + truth->sum[2];
  gint64 of_root[6] = { 0, a, truth->sum[3], truth->preempted, truth->run_queue, truth->interrupt };
  /* Repeated waits at one place are summed. The function a does no work of its own. */
  gint64 of_a[4] = { 0, truth->sum[1], truth->sum[2], truth->sum[0] };
  guint set;

  of_root[0]
      = truth->all - truth->preempted - truth->run_queue - truth->interrupt - a - truth->sum[3];
  for (guint level = 0; level < 2; level++)
    {
      if (level == 1 && a == 0)
        return;
      set = level == 0 ? decide (of_root, 6) : decide (of_a, 4);
      for (guint i = 0; i < 6; i++)
        if (set & (1u << i))
          g_hash_table_insert (
              counters, (gpointer) names[level][i],
              GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counters, names[level][i]))
                                + 1));
    }
}

static void
assert_counter (GHashTable *counters, const char *name, gint64 counter)
{
  g_assert_cmpint (counter, ==, GPOINTER_TO_UINT (g_hash_table_lookup (counters, name)));
}

static void
compare_with_truth (JsonObject *peak, GHashTable *counters)
{
  const char *a = "";

  for (guint i = 0; i < summary_count (peak, "tree"); i++)
    {
      JsonObject *node = summary_get_element (peak, "tree", i);
      const char *label = json_object_get_string_member (node, "function");
      gint64 counter = json_object_get_int_member (node, "maxcount");

      if (json_object_get_null_member (node, "parent"))
        {
          assert_counter (counters, "self", json_object_get_int_member (node, "self_maxcount"));
          continue;
        }
      if (g_str_equal (label, "a"))
        {
          a = json_object_get_string_member (node, "id");
          assert_counter (counters, "a:self", json_object_get_int_member (node, "self_maxcount"));
        }
      /* The activity of the waker is tested elsewhere. */
      if (g_str_has_suffix (label, " during the wait]"))
        continue;
      if (g_str_has_prefix (label, "[interrupt"))
        assert_counter (counters, "[interrupt]", counter);
      else if (!g_str_has_prefix (label, "[waits (") && !g_str_has_prefix (label, "[waker"))
        assert_counter (counters, label, counter);
      else if (g_str_equal (json_object_get_string_member (node, "parent"), a))
        assert_counter (counters, "a:wait", counter);
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < RANDOM_ROUNDS; round++)
    {
      Story *story = story_new ("reader waker");
      g_autoptr (GHashTable) counters = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      int time = 100;

      story_switch (story, time, 0, 0, "R", 11);
      story_switch (story, time, 1, 0, "R", 12);
      for (guint i = 0; i < RANDOM_CALLS; i++)
        {
          int start = ++time;
          Truth truth = { 0 };

          story_enter (story, time++, 0, 11, "read");
          for (int n = g_test_rand_int_range (0, 6); n > 0; n--)
            time = add_random_part (story, time, &truth) + 1;
          story_leave (story, time, 0, 11);
          truth.all = (time - start) * G_GINT64_CONSTANT (1000);
          count_truth (&truth, counters);
        }
      trace = story_open (story);
      report = report_run ("latency-peaks", trace, NULL, "operation", "syscall:read", "from-bin",
                           "0", "root-cause-threshold", "0", NULL);
      compare_with_truth (peaks_get_peak (report, 0), counters);
    }
}

/* --- thousands of random traces, each a thread on a CPU of its own --- */

#define TRACE_SESSIONS test_rounds (20, 4)
#define TRACES 100

static int
add_part_of (Story *story, int time, int cpu, int tid, Truth *truth)
{
  int length = g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 8)), delay;

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      story_interrupt (story, time, time + length, cpu, "nic");
      truth->interrupt += length * 1000;
      return time + length;
    case 1:
      story_switch (story, time, cpu, tid, "R", 0);
      story_switch (story, time + length, cpu, 0, "R", tid);
      truth->preempted += length * 1000;
      return time + length;
    case 2:
      return time + length;
    default:
      delay = g_test_rand_int_range (0, 60);
      story_switch_with_stack (story, time, cpu, tid, "S", 0, places[g_test_rand_int_range (0, 4)]);
      story_wake (story, time + length, TRACES + 1, 11, tid);
      story_switch (story, time + length + delay, cpu, 0, "R", tid);
      truth->sum[0] += length * 1000;
      truth->run_queue += delay * 1000;
      return time + length + delay;
    }
}

static void
assert_part (JsonObject *peak, const char *part, gint64 ns)
{
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (peak, "parts"), part),
                   ==, ns);
}

static void
compare_trace (TbTrace *trace, int tid, const Truth *truth)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autofree char *name = g_strdup_printf ("%d", tid);
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  g_assert_true (tb_selection_add_thread_by_name (selection, name, NULL));
  report = report_run ("latency-peaks", trace, selection, "operation", "syscall:read", "from-bin",
                       "0", NULL);
  peak = peaks_get_peak (report, 0);
  assert_part (peak, "waiting_ns", truth->sum[0]);
  assert_part (peak, "preempted_ns", truth->preempted);
  assert_part (peak, "run_queue_ns", truth->run_queue);
  assert_part (peak, "interrupt_ns", truth->interrupt);
  assert_part (peak, "running_ns",
               truth->all - truth->sum[0] - truth->preempted - truth->run_queue - truth->interrupt);
}

static void
test_traces (void)
{
  for (guint session = 0; session < TRACE_SESSIONS; session++)
    {
      Story *story = story_new ("waker");
      g_autoptr (TbTrace) trace = NULL;
      Truth truths[TRACES] = { 0 };

      story_switch (story, 1, TRACES + 1, 0, "R", 11);
      for (int i = 0; i < TRACES; i++)
        {
          int time = 10, tid = 1000 + i;

          story_add (story, 0, "0,name,,,,10,,,%d,,,app/r%d,,,", tid, i);
          story_switch (story, time++, i, 0, "R", tid);
          for (int calls = g_test_rand_int_range (1, 5); calls > 0; calls--)
            {
              int start = time;

              story_enter (story, time++, i, tid, "read");
              for (int n = g_test_rand_int_range (0, 5); n > 0; n--)
                time = add_part_of (story, time, i, tid, &truths[i]) + 1;
              story_leave (story, time, i, tid);
              truths[i].all += (time - start) * G_GINT64_CONSTANT (1000);
              time += 3;
            }
        }
      trace = story_open (story);
      for (int i = 0; i < TRACES; i++)
        compare_trace (trace, 1000 + i, &truths[i]);
    }
}

/* Phases of two processes with two threads each, which begin and end them; some ends have no
 * beginning. */

#define PHASE_SESSIONS test_rounds (20, 6)
#define PHASE_EVENTS 200

/* Reference without spans: the state as the events arrive. */
typedef struct
{
  gboolean is_inside[4];
  int since[4]; /* µs at which each thread's open call began, 0: none */
  gboolean counts[4];
  guint calls;
  gint64 total;
} PhaseState;

static void
add_phase_event (Story *story, int time, PhaseState *state)
{
  int which = g_test_rand_int_range (0, 4), tid = 1000 + which;
  int first = which / 2 * 2; /* first thread of the process */

  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      story_add (story, time, "%d,mark,,,,,,,%d,,,phase_begin=load,,,", which, tid);
      state->is_inside[which] = TRUE;
      break;
    case 1:
      story_add (story, time, "%d,mark,,,,,,,%d,,,phase_end=load,,,", which, tid);
      state->is_inside[which] = FALSE;
      break;
    case 2:
      story_add (story, time, "%d,mark,,,,,,,%d,,,phase_%s=loads,,,", which, tid,
                 g_test_rand_bit () ? "begin" : "end");
      break;
    default:
      if (state->since[which] == 0)
        {
          story_enter (story, time, which, tid, "read");
          state->since[which] = time;
          state->counts[which] = state->is_inside[first] || state->is_inside[first + 1];
          break;
        }
      story_leave (story, time, which, tid);
      state->calls += state->counts[which];
      state->total += state->counts[which] ? (time - state->since[which]) * 1000 : 0;
      state->since[which] = 0;
    }
}

static void
test_phases (void)
{
  guint n_counted = 0;

  for (guint session = 0; session < PHASE_SESSIONS; session++)
    {
      Story *story = story_new ("waker");
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      g_autoptr (GError) error = NULL;
      PhaseState state = { 0 };

      for (int i = 0; i < 4; i++)
        story_add (story, 0, "0,name,,,,%d,,,%d,,,p%d/t%d,,,", 2000 + i / 2, 1000 + i, i / 2, i);
      for (int i = 0; i < 4; i++)
        story_switch (story, 1, i, 0, "R", 1000 + i);
      for (int event = 0, time = 10; event < PHASE_EVENTS; event++)
        add_phase_event (story, time += g_test_rand_int_range (1, 20), &state);
      trace = story_open (story);
      report = peaks_try_analyze (trace, "syscall:read", "phase", "load", &error);
      n_counted += state.calls;
      if (state.calls == 0)
        {
          g_assert_null (report);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "calls"), ==,
                       state.calls);
      g_assert_cmpint (json_object_get_int_member (report_get_summary (report), "total_ns"), ==,
                       state.total);
    }
  g_assert_cmpuint (n_counted, >, 0);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/random", test_random);
  g_test_add_func ("/latency-peaks/traces", test_traces);
  g_test_add_func ("/latency-peaks/phases", test_phases);
  return recording_run_tests ();
}
