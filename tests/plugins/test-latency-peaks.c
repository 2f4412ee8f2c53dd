/* test-latency-peaks.c: the analysis "latency-peaks" on recordings whose truth is known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

static TbReport *
try_analyze (TbTrace *trace, const char *operation, const char *option, const char *value, GError **error)
{
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", error);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);

  g_assert_nonnull (analysis);
  g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "operation", operation, NULL));
  if (option != NULL)
    g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), option, value, NULL));
  return tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, error);
}

static TbReport *
analyze (TbTrace *trace, const char *operation)
{
  g_autoptr (GError) error = NULL;
  TbReport *report = try_analyze (trace, operation, NULL, NULL, &error);

  g_assert_no_error (error);
  return report;
}

static void
enter (Story *story, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (story, "%d000,%d,sys_enter,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

static void
leave (Story *story, int us, int cpu, int tid)
{
  g_string_append_printf (story, "%d000,%d,sys_exit,,,,,,,%d,,0,,,,\n", us, cpu, tid);
}

static void
call (Story *story, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (story, "%d000,%d,call,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

static void
give_back (Story *story, int us, int cpu, int tid, const char *name)
{
  g_string_append_printf (story, "%d000,%d,return,,,,,,,%d,,,%s,,,\n", us, cpu, tid, name);
}

static void
interrupt (Story *story, int from, int to, int cpu, const char *device)
{
  g_string_append_printf (story, "%d000,%d,irq_entry,,,,,,,,%s,,,,,\n", from, cpu, device);
  g_string_append_printf (story, "%d000,%d,irq_exit,,,,,,,,%s,,,,,\n", to, cpu, device);
}

static JsonObject *
get_summary (TbReport *report)
{
  return json_node_get_object (tb_report_get_summary (report));
}

/* Whatever is looked into: its parts are all there is. */
static JsonObject *
get_peak (TbReport *report, guint index)
{
  JsonObject *peak = wait_graph_get_element (get_summary (report), "peaks", index);
  JsonObject *parts
      = json_object_get_null_member (peak, "parts") ? NULL : json_object_get_object_member (peak, "parts");

  if (parts != NULL && json_object_get_int_member (peak, "nested") == 0)
    g_assert_cmpint (json_object_get_int_member (parts, "running_ns")
                         + json_object_get_int_member (parts, "waiting_ns")
                         + json_object_get_int_member (parts, "preempted_ns")
                         + json_object_get_int_member (parts, "run_queue_ns")
                         + json_object_get_int_member (parts, "interrupt_ns")
                         + json_object_get_int_member (parts, "unknown_ns"),
                     ==, json_object_get_int_member (peak, "total_ns"));
  return peak;
}

static void
assert_cause (TbReport *report, guint index, const char *kind, const char *path, const char *detail)
{
  JsonObject *peak = get_peak (report, index);
  JsonObject *cause;

  g_assert_cmpuint (wait_graph_count (peak, "root_causes"), ==, 1);
  cause = wait_graph_get_element (peak, "root_causes", 0);
  g_assert_cmpstr (json_object_get_string_member (cause, "kind"), ==, kind);
  wait_graph_assert_strings (cause, "path", path);
  if (detail == NULL)
    g_assert_true (json_object_get_null_member (cause, "detail"));
  else
    g_assert_cmpstr (json_object_get_string_member (cause, "detail"), ==, detail);
}

/* Two processes read nothing: at times an interrupt comes in between, at times the other process. */
static TbTrace *
read_nothing (void)
{
  Story *story = story_new ("reader other");
  int time = 100;

  go (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 100; i++, time += 10)
    {
      enter (story, time, 0, 11, "read");
      leave (story, time + 1, 0, 11);
    }
  for (guint i = 0; i < 40; i++, time += 100)
    {
      enter (story, time, 0, 11, "read");
      interrupt (story, time + 1, time + 31, 0, "timer");
      leave (story, time + 33, 0, 11);
    }
  for (guint i = 0; i < 30; i++, time += 5000)
    {
      enter (story, time, 0, 11, "read");
      go (story, time + 1, 0, 11, "R", 12);
      go (story, time + 4001, 0, 12, "S", 11);
      leave (story, time + 4002, 0, 11);
    }
  return story_open (story);
}

static void
test_read_nothing (void)
{
  g_autoptr (TbTrace) trace = read_nothing ();
  g_autoptr (TbReport) report = analyze (trace, "read");
  JsonObject *summary = get_summary (report);

  g_assert_cmpstr (json_object_get_string_member (summary, "operation"), ==, "syscall:read");
  g_assert_cmpint (json_object_get_int_member (summary, "calls"), ==, 170);
  g_assert_cmpuint (wait_graph_count (summary, "peaks"), ==, 3);
  assert_cause (report, 0, "function", "syscall:read", NULL);
  assert_cause (report, 1, "interrupt", "syscall:read", "timer interrupt");
  assert_cause (report, 2, "preemption", "syscall:read", "is preempted");
  g_assert_true (wait_graph_has_warning (report, "read was taken for syscall:read"));
}

static JsonObject *
find_operation (JsonObject *summary, const char *id)
{
  for (guint i = 0; i < wait_graph_count (summary, "operations"); i++)
    {
      JsonObject *operation = wait_graph_get_element (summary, "operations", i);

      if (g_str_equal (json_object_get_string_member (operation, "operation"), id))
        return operation;
    }
  g_error ("no operation %s", id);
}

static void
test_operations (void)
{
  g_autoptr (TbTrace) trace = read_nothing ();
  g_autoptr (TbReport) report = analyze (trace, "");
  JsonObject *summary = get_summary (report), *operation;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (wait_graph_count (summary, "operations"), ==, 3);
  operation = find_operation (summary, "syscall:read");
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 170);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==,
                   (100 * 1 + 40 * 33 + 30 * 4002) * G_GINT64_CONSTANT (1000));
  g_assert_cmpint (json_object_get_int_member (operation, "peaks"), ==, 3);
  g_assert_null (try_analyze (trace, "write", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "syscall:read"));
  g_clear_error (&error);
  g_assert_null (try_analyze (trace, "read", "peak", "4", &error));
  g_assert_nonnull (strstr (error->message, "3 peaks"));
}

/* Reads from the page cache, and from the disk: those wait for a request. */
static void
test_cache_and_disk (void)
{
  Story *story = story_new ("reader waker");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autoptr (TbReport) block = NULL;

  go (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 60; i++, time += 3000)
    {
      enter (story, time, 0, 11, "read");
      if (i % 2 == 1)
        {
          tell (story, time + 1, "0,io_insert,,,,,,,11,vda,4096,,,8,");
          tell (story, time + 11, "0,io_issue,,,,,,,11,vda,4096,,,8,");
          go_with_stack (
              story, time + 12, 0, 11, "D", 0,
              "main;read@libc.so.6;entry_SYSCALL_64@[kernel];vfs_read@[kernel];io_schedule@[kernel];"
              "schedule@[kernel]");
          tell (story, time + 2000, "0,irq_entry,,,,,,,,vda,,,,,");
          tell (story, time + 2000, "0,io_complete,,,,,,,11,vda,4096,,,8,");
          wake (story, time + 2001, 0, 0, 11);
          tell (story, time + 2002, "0,irq_exit,,,,,,,,vda,,,,,");
          go (story, time + 2003, 0, 0, "R", 11);
        }
      leave (story, time + (i % 2 == 1 ? 2005 : 4), 0, 11);
    }
  trace = story_open (story);
  report = analyze (trace, "syscall:read");
  assert_cause (report, 0, "function", "syscall:read", NULL);
  assert_cause (report, 1, "asynchronous", "syscall:read vfs_read io_schedule",
                "waits (block-io), ended by vda, is worked on by the device");
  block = analyze (trace, "block:other");
  assert_cause (block, 0, "asynchronous", "block:other", "is worked on by the device");
}

/* A probed function that calls another often, at times once for long: then it is that one, else the loop. */
static void
test_loop (void)
{
  Story *story = story_new ("looper");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  go (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 60; i++, time += 1000)
    {
      int step = i % 2 == 0 ? 2 : 90;

      call (story, time, 0, 11, "outer");
      for (int j = 0; j < (i % 2 == 0 ? 20 : 2); j++)
        {
          call (story, time + j * step, 0, 11, "inner");
          give_back (story, time + j * step + (j == 0 ? step : 1), 0, 11, "inner");
        }
      give_back (story, time + (i % 2 == 0 ? 40 : 100), 0, 11, "outer");
    }
  trace = story_open (story);
  report = analyze (trace, "function:outer");
  g_assert_cmpuint (wait_graph_count (get_summary (report), "peaks"), ==, 1);
  g_clear_object (&report);
  report = try_analyze (trace, "function:outer", "to-bin", "15", NULL);
  assert_cause (report, 0, "function", "function:outer", NULL);
  g_clear_object (&report);
  report = try_analyze (trace, "function:outer", "from-bin", "16", NULL);
  assert_cause (report, 0, "function", "function:outer inner", NULL);
}

/* Each level of a recursion is a function of its own; the calls within one that is looked into are left to it. */
static void
test_recursion (void)
{
  Story *story = story_new ("walker");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  go (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 100)
    {
      call (story, time, 0, 11, "walk");
      call (story, time + 1, 0, 11, "walk");
      call (story, time + 2, 0, 11, "walk");
      give_back (story, time + 18, 0, 11, "walk");
      give_back (story, time + 19, 0, 11, "walk");
      give_back (story, time + 20, 0, 11, "walk");
    }
  trace = story_open (story);
  report = analyze (trace, "walk");
  assert_cause (report, 0, "function", "function:walk walk walk", NULL);
  peak = get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (peak, "nested"), ==, 60);
  g_clear_object (&report);
  report = try_analyze (trace, "walk", "max-depth", "1", NULL);
  g_assert_cmpstr (json_object_get_string_member (get_peak (report, 0), "status"), ==, "depth-reached");
  g_clear_object (&report);
  report = try_analyze (trace, "walk", "decision-ops", "31", NULL);
  g_assert_cmpstr (json_object_get_string_member (get_peak (report, 0), "status"), ==, "in-progress");
}

/* Too few calls, calls that never return, waiting without stacks, events lost: said, and nothing made up. */
static void
test_bad_input (void)
{
  Story *story = story_new ("reader waker");
  int time = 100;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *text = NULL;

  go (story, time, 0, 0, "R", 11);
  enter (story, time, 0, 11, "once");
  leave (story, time + 5, 0, 11);
  for (guint i = 0; i < 30; i++, time += 200)
    {
      enter (story, time + 10, 0, 11, "read");
      go (story, time + 11, 0, 11, "S", 0);
      if (i == 10)
        tell (story, time + 50, "0,lost,,,,,,,,,7,,,,");
      wake (story, time + 100, 1, 12, 11);
      go (story, time + 100, 0, 0, "R", 11);
      leave (story, time + 101, 0, 11);
    }
  enter (story, time + 20, 0, 11, "pause");
  go (story, time + 30, 0, 11, "S", 0);
  trace = story_open (story);
  report = analyze (trace, "once");
  g_assert_cmpuint (wait_graph_count (get_summary (report), "peaks"), ==, 0);
  g_assert_true (wait_graph_has_finding (report, "called 1 time: too few"));
  g_clear_object (&report);
  report = analyze (trace, "pause");
  g_assert_cmpuint (wait_graph_count (get_summary (report), "bins"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (get_summary (report), "open_calls"), ==, 1);
  g_assert_true (wait_graph_has_finding (report, "not over at its end"));
  g_clear_object (&report);
  report = analyze (trace, "read");
  g_assert_cmpint (json_object_get_int_member (get_summary (report), "uncertain_calls"), >, 0);
  g_assert_true (wait_graph_has_finding (report, "lost events"));
  g_assert_true (wait_graph_has_finding (report, "no stack tells where"));
  text = tb_report_to_text (report, 100);
  g_assert_nonnull (strstr (text, "syscall:read"));
}

/* --- random calls against a naive account of them --- */

#define RANDOM_CALLS 400
#define RANDOM_ROUNDS 8

/* What one call consists of, in ns. */
typedef struct
{
  gint64 all, preempted, run_queue, interrupt;
  gint64 sum[4]; /* waiting at each place */
  gint64 max[4];
} Truth;

static const char *const places[4]
    = { "main;a@[kernel]", "main;a@[kernel];b@[kernel]", "main;a@[kernel];c@[kernel]", "main;d@[kernel]" };

static int
add_random_piece (Story *story, int time, Truth *truth)
{
  int length = g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 10));
  int delay = g_test_rand_int_range (0, 3) == 0 ? g_test_rand_int_range (1, 200) : 0;
  guint place = (guint) g_test_rand_int_range (0, 4);

  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      interrupt (story, time, time + length, 0, "nic");
      truth->interrupt += length * 1000;
      return time + length;
    case 1:
      go (story, time, 0, 11, "R", 0);
      go (story, time + length, 0, 0, "R", 11);
      truth->preempted += length * 1000;
      return time + length;
    case 2:
      return time + length;
    default:
      go_with_stack (story, time, 0, 11, "S", 0, places[place]);
      wake (story, time + length, 1, 12, 11);
      go (story, time + length + delay, 0, 0, "R", 11);
      truth->sum[place] += length * 1000;
      truth->max[place] = MAX (truth->max[place], length * 1000);
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

/* The rule of the paper for one function: own latency first, then each contributor. Returns which are the largest. */
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
      = { { "self", "a", "d", "[is preempted]", "[waits for a cpu after it was woken]", "[interrupt]", "" },
          { "a:self", "b", "c", "a:wait", "", "", "" } };
  gint64 a = truth->sum[0] + truth->sum[1] + truth->sum[2];
  gint64 of_root[6] = { 0, a, truth->sum[3], truth->preempted, truth->run_queue, truth->interrupt };
  gint64 of_a[4] = { truth->sum[0] - truth->max[0], truth->sum[1], truth->sum[2], truth->max[0] };
  guint set;

  of_root[0] = truth->all - truth->preempted - truth->run_queue - truth->interrupt - a - truth->sum[3];
  for (guint level = 0; level < 2; level++)
    {
      if (level == 1 && a == 0)
        return;
      set = level == 0 ? decide (of_root, 6) : decide (of_a, 4);
      for (guint i = 0; i < 6; i++)
        if (set & (1u << i))
          g_hash_table_insert (counters, (gpointer) names[level][i],
                               GUINT_TO_POINTER (
                                   GPOINTER_TO_UINT (g_hash_table_lookup (counters, names[level][i])) + 1));
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

  for (guint i = 0; i < wait_graph_count (peak, "tree"); i++)
    {
      JsonObject *node = wait_graph_get_element (peak, "tree", i);
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
      /* What the waker did meanwhile is another test's. */
      if (g_str_has_prefix (label, "[which"))
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
      g_autoptr (TbAnalysis) analysis
          = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", NULL);
      g_autoptr (TbSelection) selection = NULL;
      g_autoptr (TbReport) report = NULL;
      int time = 100;

      go (story, time, 0, 0, "R", 11);
      go (story, time, 1, 0, "R", 12);
      for (guint i = 0; i < RANDOM_CALLS; i++)
        {
          int start = ++time;
          Truth truth = { 0 };

          enter (story, time++, 0, 11, "read");
          for (int n = g_test_rand_int_range (0, 6); n > 0; n--)
            time = add_random_piece (story, time, &truth) + 1;
          leave (story, time, 0, 11);
          truth.all = (time - start) * G_GINT64_CONSTANT (1000);
          count_truth (&truth, counters);
        }
      trace = story_open (story);
      selection = tb_selection_new (trace);
      tb_option_set_from_text (G_OBJECT (analysis), "operation", "syscall:read", NULL);
      tb_option_set_from_text (G_OBJECT (analysis), "from-bin", "0", NULL);
      tb_option_set_from_text (G_OBJECT (analysis), "maxcount-percentage", "0", NULL);
      report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, NULL);
      compare_with_truth (get_peak (report, 0), counters);
    }
}

/* --- what else is said of peaks --- */

static JsonObject *
find_in_tree (JsonObject *peak, const char *label)
{
  for (guint i = 0; i < wait_graph_count (peak, "tree"); i++)
    {
      JsonObject *node = wait_graph_get_element (peak, "tree", i);

      if (g_str_equal (json_object_get_string_member (node, "function"), label))
        return node;
    }
  g_error ("no node %s", label);
}

/* Waits for a cpu, and interrupt handlers, are operations themselves: of those who had the cpu, and of themselves. */
static void
test_delays_and_handlers (void)
{
  g_autoptr (TbTrace) trace = read_nothing ();
  g_autoptr (TbReport) report = analyze (trace, "");
  g_autoptr (TbReport) delays = NULL;
  g_autoptr (TbReport) handlers = NULL;
  JsonObject *operation = find_operation (get_summary (report), "run-queue:preempted");

  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==, 30 * G_GINT64_CONSTANT (4000000));
  operation = find_operation (get_summary (report), "interrupt:timer");
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 40);
  g_assert_cmpint (json_object_get_int_member (operation, "total_ns"), ==, 40 * G_GINT64_CONSTANT (30000));
  delays = analyze (trace, "run-queue:preempted");
  assert_cause (delays, 0, "preemption", "run-queue:preempted", "waits while the cpu runs other (12)");
  handlers = analyze (trace, "interrupt:timer");
  assert_cause (handlers, 0, "function", "interrupt:timer", NULL);
}

/* Reads by two threads, of which those of the second are slow; every so many µs. */
static Story *
tell_readers (int n, int slow, int every)
{
  Story *story = story_new ("reader other waker");
  int time = 1000;

  go (story, 10, 0, 0, "R", 11);
  go (story, 10, 1, 0, "R", 12);
  go (story, 10, 2, 0, "R", 13);
  for (int i = 0; i < n; i++, time += every)
    {
      for (int j = 0; j < 5; j++)
        {
          enter (story, time + j * 10, 0, 11, "read");
          leave (story, time + j * 10 + 2, 0, 11);
        }
      enter (story, time + 100, 1, 12, "read");
      go_with_stack (story, time + 101, 1, 12, "S", 0, "main;entry_SYSCALL_64@[kernel];wait@[kernel]");
      wake (story, time + 100 + slow - 2, 2, 13, 12);
      go (story, time + 100 + slow - 1, 1, 0, "R", 12);
      leave (story, time + 100 + slow, 1, 12);
    }
  return story;
}

static void
test_apart_and_period (void)
{
  g_autoptr (TbTrace) trace = story_open (tell_readers (40, 900, 20000));
  g_autoptr (TbReport) report = analyze (trace, "read");
  JsonObject *peak = get_peak (report, 1), *first, *period;
  gboolean is_thread = FALSE;

  g_assert_cmpuint (wait_graph_count (peak, "distinguishing"), >=, 1);
  for (guint i = 0; i < wait_graph_count (peak, "distinguishing"); i++)
    {
      first = wait_graph_get_element (peak, "distinguishing", i);
      if (!g_str_equal (json_object_get_string_member (first, "variable"), "thread"))
        continue;
      is_thread = TRUE;
      g_assert_cmpfloat (json_object_get_double_member (first, "information"), >, 0.9);
      g_assert_cmpstr (json_object_get_string_member (first, "value"), ==, "other (12)");
      g_assert_cmpfloat (json_object_get_double_member (first, "share_in_peak"), ==, 1);
      g_assert_cmpfloat (json_object_get_double_member (first, "share_elsewhere"), ==, 0);
    }
  g_assert_true (is_thread);
  g_assert_true (wait_graph_has_finding (report, "What sets them apart is the"));
  period = json_object_get_object_member (peak, "periodicity");
  g_assert_cmpint (ABS (json_object_get_int_member (period, "period_ns") - 20000000), <, 200000);
  g_assert_cmpfloat (json_object_get_double_member (period, "confidence"), >, 0.999);
  /* What a slow call has more of. */
  g_assert_cmpuint (wait_graph_count (peak, "explanation"), >=, 1);
  g_assert_true (wait_graph_has_finding (report, "longer than one of the fastest peak"));
  g_assert_cmpuint (wait_graph_count (get_peak (report, 0), "explanation"), ==, 0);
}

/* A thread waits for another, which runs, waits itself, and runs again. */
static void
test_served (void)
{
  Story *story = story_new ("client server");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  go (story, 10, 0, 0, "R", 11);
  go (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      enter (story, time, 0, 11, "read");
      go_with_stack (story, time + 1, 0, 11, "S", 0, "main;entry_SYSCALL_64@[kernel];ask@[kernel]");
      go_with_stack (story, time + 31, 1, 12, "D", 0, "serve;entry_SYSCALL_64@[kernel];fetch@[kernel]");
      go (story, time + 331, 1, 0, "R", 12);
      wake (story, time + 401, 1, 12, 11);
      go (story, time + 401, 0, 0, "R", 11);
      leave (story, time + 403, 0, 11);
    }
  trace = story_open (story);
  report = analyze (trace, "read");
  peak = get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (find_in_tree (peak, "[server (12)]"), "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (400000));
  g_assert_cmpint (json_object_get_int_member (find_in_tree (peak, "[which runs meanwhile]"), "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (100000));
  g_assert_cmpint (json_object_get_int_member (find_in_tree (peak, "[server (12)]"), "own_ns"), ==, 0);
}

/* Samples tell in which function a call ran, as many as fell into each. */
static void
test_samples (void)
{
  Story *story = story_new ("worker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;
  int time = 100;

  go (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      call (story, time, 0, 11, "outer");
      for (int j = 0; j < 10; j++)
        g_string_append_printf (story, "%d000,0,sample,,,,,,,11,,,,main;outer%s,,\n", time + 5 + j * 10,
                                j < 9 ? ";inner" : "");
      give_back (story, time + 100, 0, 11, "outer");
    }
  trace = story_open (story);
  report = analyze (trace, "function:outer");
  assert_cause (report, 0, "function", "function:outer inner", NULL);
  peak = get_peak (report, 0);
  g_assert_cmpint (json_object_get_int_member (find_in_tree (peak, "inner"), "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (90000));
  g_assert_cmpint (json_object_get_int_member (find_in_tree (peak, "function:outer"), "own_ns"), ==,
                   30 * G_GINT64_CONSTANT (10000));
}

/* Functions of which only stacks tell: as many as were seen, said to be a bound. */
static void
test_inferred (void)
{
  g_autoptr (TbTrace) trace = story_open (tell_readers (60, 900, 20000));
  g_autoptr (TbReport) report = analyze (trace, "");
  g_autoptr (TbReport) wait = NULL;
  JsonObject *operation = find_operation (get_summary (report), "function:wait@[kernel]");

  g_assert_true (json_object_get_boolean_member (operation, "inferred"));
  g_assert_true (json_object_get_null_member (operation, "missing_calls_at_most"));
  /* Of the last one nobody saw the end. */
  g_assert_cmpint (json_object_get_int_member (operation, "calls"), ==, 59);
  g_assert_cmpint (json_object_get_int_member (operation, "open_calls"), ==, 1);
  wait = analyze (trace, "function:wait@[kernel]");
  g_assert_true (wait_graph_has_finding (wait, "inferred from stacks"));
  g_assert_true (wait_graph_has_finding (wait, "probe=wait"));
}

/* Messages take as long as the call that passes them. */
static void
test_messages (void)
{
  Story *story = story_new ("talker");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  int time = 100;

  go (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 20; i++, time += 100)
    {
      enter (story, time, 0, 11, "sendto");
      g_string_append_printf (story, "%d000,0,net_send,,,,,,,11,,100,10.0.0.1:80>10.0.0.2:90,,,s1\n",
                              time + 2);
      leave (story, time + 9, 0, 11);
    }
  trace = story_open (story);
  report = analyze (trace, "network:send");
  g_assert_cmpint (json_object_get_int_member (get_summary (report), "total_ns"), ==,
                   20 * G_GINT64_CONSTANT (9000));
}

static char *
get_state (TbReport *report)
{
  JsonNode *state = json_object_get_member (get_summary (report), "state");

  g_assert_true (JSON_NODE_HOLDS_OBJECT (state));
  return json_to_string (state, FALSE);
}

/* Another recording of the same goes on with the counters of the first; one of something else does not. */
static void
test_resume (void)
{
  g_autoptr (TbTrace) first = story_open_as (tell_readers (25, 900, 20000), "first");
  g_autoptr (TbTrace) same = story_open_as (tell_readers (30, 900, 20000), "same");
  g_autoptr (TbTrace) other = story_open_as (tell_readers (30, 9000, 20000), "other");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) before = try_analyze (first, "read", "peak", "2", &error);
  g_autoptr (TbReport) after = NULL;
  g_autoptr (TbReport) refused = NULL;
  g_autofree char *state = get_state (before);
  JsonObject *peak, *root;

  after = try_analyze (same, "read", "state", state, &error);
  g_assert_no_error (error);
  g_assert_true (
      json_object_get_boolean_member (json_object_get_object_member (get_summary (after), "distance"),
                                      "same"));
  peak = wait_graph_get_element (get_summary (after), "peaks", 0);
  root = wait_graph_get_element (peak, "tree", 0);
  g_assert_cmpint (json_object_get_int_member (peak, "drilled"), ==, 25 + 30);
  g_assert_cmpint (json_object_get_int_member (root, "calls"), ==, 25 + 30);
  g_assert_cmpint (json_object_get_int_member (find_in_tree (peak, "wait"), "maxcount"), ==, 25 + 30);
  g_assert_true (wait_graph_has_finding (after, "Gone on from an earlier recording"));

  refused = try_analyze (other, "read", "state", state, &error);
  g_assert_no_error (error);
  g_assert_false (
      json_object_get_boolean_member (json_object_get_object_member (get_summary (refused), "distance"),
                                      "same"));
  g_assert_true (wait_graph_has_finding (refused, "Not gone on"));
  g_assert_cmpint (json_object_get_int_member (wait_graph_get_element (get_summary (refused), "peaks", 1),
                                               "drilled"),
                   ==, 30);

  g_assert_null (try_analyze (same, "run-queue:woken", "state", state, &error));
  g_assert_nonnull (strstr (error->message, "syscall:read"));
  g_clear_error (&error);
  g_assert_null (try_analyze (same, "read", "state", "{}", &error));
  g_assert_nonnull (strstr (error->message, "no JSON of a drill-down"));
}

static void
test_compare (void)
{
  g_autoptr (TbTrace) base = story_open_as (tell_readers (150, 900, 20000), "base");
  g_autoptr (TbTrace) other = story_open_as (tell_readers (150, 9000, 20000), "changed");
  TbTrace *const others[] = { base, other };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TbAnalysis) analysis
          = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", NULL);
      g_autoptr (TbSelection) selection = tb_selection_new (others[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *distance;

      g_assert_true (tb_option_set_from_text (G_OBJECT (analysis), "operation", "syscall:read", NULL));
      report = tb_analysis_compare (analysis, base, others[i], selection, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      distance = json_object_get_object_member (get_summary (report), "distance");
      g_assert_true (json_object_get_boolean_member (distance, "same") == (i == 0));
      g_assert_cmpuint (wait_graph_count (get_summary (report), "other_only"), ==, i);
      g_assert_cmpuint (wait_graph_count (get_summary (report), "base_only"), ==, i);
      /* One of six calls is moved by as many bins as its new length has more. */
      if (i == 1)
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (distance, "emd_bins"), 4 / 6.0, 1e-6);
    }
}

/* --- thousands of random traces, each a thread on its own cpu --- */

#define TRACE_SESSIONS 20
#define TRACES 100

static int
add_piece_of (Story *story, int time, int cpu, int tid, Truth *truth)
{
  int length = g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 8)), delay;

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      interrupt (story, time, time + length, cpu, "nic");
      truth->interrupt += length * 1000;
      return time + length;
    case 1:
      go (story, time, cpu, tid, "R", 0);
      go (story, time + length, cpu, 0, "R", tid);
      truth->preempted += length * 1000;
      return time + length;
    case 2:
      return time + length;
    default:
      delay = g_test_rand_int_range (0, 60);
      go_with_stack (story, time, cpu, tid, "S", 0, places[g_test_rand_int_range (0, 4)]);
      wake (story, time + length, TRACES + 1, 11, tid);
      go (story, time + length + delay, cpu, 0, "R", tid);
      truth->sum[0] += length * 1000;
      truth->run_queue += delay * 1000;
      return time + length + delay;
    }
}

static void
assert_part (JsonObject *peak, const char *part, gint64 ns)
{
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (peak, "parts"), part), ==, ns);
}

static void
compare_trace (TbTrace *trace, int tid, const Truth *truth)
{
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "latency-peaks", NULL);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autofree char *name = g_strdup_printf ("%d", tid);
  g_autoptr (TbReport) report = NULL;
  JsonObject *peak;

  g_assert_true (tb_selection_add_thread_by_name (selection, name, NULL));
  tb_option_set_from_text (G_OBJECT (analysis), "operation", "syscall:read", NULL);
  tb_option_set_from_text (G_OBJECT (analysis), "from-bin", "0", NULL);
  report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, NULL);
  g_assert_nonnull (report);
  peak = get_peak (report, 0);
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

      go (story, 1, TRACES + 1, 0, "R", 11);
      for (int i = 0; i < TRACES; i++)
        {
          int time = 10, tid = 1000 + i;

          g_string_append_printf (story, "0,0,name,,,,%d,,,%d,,,app/r%d,,,\n", 10, tid, i);
          go (story, time++, i, 0, "R", tid);
          for (int calls = g_test_rand_int_range (1, 5); calls > 0; calls--)
            {
              int start = time;

              enter (story, time++, i, tid, "read");
              for (int n = g_test_rand_int_range (0, 5); n > 0; n--)
                time = add_piece_of (story, time, i, tid, &truths[i]) + 1;
              leave (story, time, i, tid);
              truths[i].all += (time - start) * G_GINT64_CONSTANT (1000);
              time += 3;
            }
        }
      sort_story (story);
      trace = story_open (story);
      for (int i = 0; i < TRACES; i++)
        compare_trace (trace, 1000 + i, &truths[i]);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/latency-peaks/read-nothing", test_read_nothing);
  g_test_add_func ("/latency-peaks/operations", test_operations);
  g_test_add_func ("/latency-peaks/cache-and-disk", test_cache_and_disk);
  g_test_add_func ("/latency-peaks/loop", test_loop);
  g_test_add_func ("/latency-peaks/recursion", test_recursion);
  g_test_add_func ("/latency-peaks/bad-input", test_bad_input);
  g_test_add_func ("/latency-peaks/random", test_random);
  g_test_add_func ("/latency-peaks/delays-and-handlers", test_delays_and_handlers);
  g_test_add_func ("/latency-peaks/apart-and-period", test_apart_and_period);
  g_test_add_func ("/latency-peaks/served", test_served);
  g_test_add_func ("/latency-peaks/samples", test_samples);
  g_test_add_func ("/latency-peaks/inferred", test_inferred);
  g_test_add_func ("/latency-peaks/messages", test_messages);
  g_test_add_func ("/latency-peaks/resume", test_resume);
  g_test_add_func ("/latency-peaks/compare", test_compare);
  g_test_add_func ("/latency-peaks/traces", test_traces);
  status = g_test_run ();
  wait_graph_fixture_clear ();
  return status;
}
