/* test-wait-graph-what-if.c: test of what-if predictions on recordings from text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "../test-mode.h"
#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

/* The only prediction of a report. */
static JsonObject *
get_prediction (TbReport *report)
{
  JsonObject *summary = wait_graph_get_summary (report);

  g_assert_cmpuint (summary_count (summary, "what_if"), ==, 1);
  return summary_get_element (summary, "what_if", 0);
}

static void
assert_prediction (TbTrace *trace, const char *change, gint64 before, gint64 after)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "what-if", change, NULL);
  JsonObject *prediction = get_prediction (report);
  gint64 low = json_object_get_int_member (prediction, "low"),
         high = json_object_get_int_member (prediction, "high");

  g_assert_cmpstr (json_object_get_string_member (prediction, "change"), ==, change);
  g_assert_cmpstr (json_object_get_string_member (prediction, "metric"), ==, "wall");
  g_assert_cmpint (json_object_get_int_member (prediction, "before"), ==, before);
  g_assert_cmpint (json_object_get_int_member (prediction, "after"), ==, after);
  g_assert_cmpint (low, <=, after);
  g_assert_cmpint (high, >=, after);
  g_assert_cmpfloat (fabs (json_object_get_double_member (prediction, "replay_deviation")), <,
                     1e-9);
}

static void
assert_refused (TbTrace *trace, const char *change, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) report = NULL;
  const char *const changes[] = { change, NULL };

  g_object_set (analysis, "what-if", changes, NULL);
  report = tb_analysis_run (analysis, trace, selection, NULL, NULL, NULL, &error);
  g_assert_null (report);
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_null (strchr (error->message, '\n'));
}

/* B computes for 5 ms and syncs for 5 ms, ten times. A is idle most of the time. */
static void
test_figure_1 (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");

  assert_prediction (trace, "cpus=4", 100 * MS + 1000, 100 * MS + 1000);
  assert_prediction (trace, "edge:A>B*1", 100 * MS + 1000, 100 * MS + 1000);
  assert_prediction (trace, "device:disk*2", 100 * MS + 1000, 75 * MS + 1000);
  assert_prediction (trace, "device:disk*0.5", 100 * MS + 1000, 150 * MS + 1000);
  assert_prediction (trace, "edge:B>disk*0", 100 * MS + 1000, 50 * MS + 1000);
  assert_prediction (trace, "edge:B>disk*0.5", 100 * MS + 1000, 75 * MS + 1000);
  assert_prediction (trace, "edge:B>disk*3", 100 * MS + 1000, 200 * MS + 1000);
  /* No thread waits for A, so removing its waits has no effect. */
  assert_prediction (trace, "edge:A>B*0", 100 * MS + 1000, 100 * MS + 1000);
  assert_prediction (trace, "edge:A>B*0;device:disk*2", 100 * MS + 1000, 75 * MS + 1000);
  /* Each 5 ms of disk time overlap with B's next computing; B only waits for the last one. */
  assert_prediction (trace, "edge:B>disk=ahead", 100 * MS + 1000, 55 * MS + 1000);
}

/* Two customers, one after the other, wait for a clerk, which is busy for 4 ms with each and always
 * has one of them waiting. Halving their waits therefore halves the clerk's work. Removing their
 * waits leaves the work as it is. */
static void
test_clerk (void)
{
  Story *story = story_new ("customer customer clerk");
  g_autoptr (TbTrace) trace = NULL;

  for (int i = 0; i < 3; i++)
    story_switch (story, 0, i, 0, "R", 11 + i);
  for (int i = 0; i < 2; i++)
    story_switch (story, 1000, i, 11 + i, "S", 0);
  for (int i = 1; i <= 10; i++)
    {
      int cpu = (i - 1) % 2, us = 4000 * i;

      story_wake (story, us, 2, 13, 11 + cpu);
      story_switch (story, us, cpu, 0, "R", 11 + cpu);
      story_switch (story, us + 1000, cpu, 11 + cpu, i < 9 ? "S" : "X", 0);
    }
  story_switch (story, 40000, 2, 13, "X", 0);
  trace = story_open (story);
  assert_prediction (trace, "edge:customer>clerk*1", 41 * MS, 41 * MS);
  /* All but the first ms, in which no thread waited. */
  assert_prediction (trace, "edge:customer>clerk*0.5", 41 * MS, 21 * MS + MS / 2);
  assert_prediction (trace, "edge:customer>clerk*0", 41 * MS, 40 * MS);
}

/* Two threads that only compute take turns on one CPU. The state of the second is unknown until it
 * first runs. */
static void
test_spinners (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  for (int i = 1; i < 20; i++)
    story_switch (story, i * 1000, 0, i % 2 == 1 ? 11 : 12, "R", i % 2 == 1 ? 12 : 11);
  story_switch (story, 20000, 0, 12, "S", 0);
  trace = story_open (story);
  assert_prediction (trace, "cpus=1", 20 * MS, 20 * MS);
  assert_prediction (trace, "cpus=2", 20 * MS, 11 * MS);
  assert_prediction (trace, "cpus=8", 20 * MS, 11 * MS);
  assert_prediction (trace, "threads:B*2;cpus=3", 20 * MS, 10 * MS);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *change;
    const char *part;
  } wrong[] = {
    { "", "invalid change “”" },
    { "edge", "edge:A>B*FACTOR" },
    { "edge:A*2", "edge:A>B*FACTOR" },
    { "edge:A>B", "edge:A>B*FACTOR" },
    { "edge:A>B*", "edge:A>B*FACTOR" },
    { "edge:A>B*-1", "edge:A>B*FACTOR" },
    { "edge:A>B*nan", "edge:A>B*FACTOR" },
    { "edge:A>B*1e99", "edge:A>B*FACTOR" },
    { "edge:>B*1", "edge:A>B*FACTOR" },
    { "edge:A>*1", "edge:A>B*FACTOR" },
    { "edge:A>B*0;", "invalid change “”" },
    { "edge:A>C*0", "unknown name “C”; the graph has A, B" },
    { "edge:C>A=ahead", "unknown name “C”" },
    { "device:disk*0", "device:NAME*FACTOR" },
    { "device:tape*2", "unknown name “tape”" },
    { "lock:L", "lock:NAME=free" },
    { "lock:L=free", "unknown lock “L”" },
    { "call:fsync*0", "no thread is known to have been in a system call “fsync”" },
    { "call:*0", "call:SYSCALL*FACTOR" },
    { "threads:A*0", "threads:NAME*COUNT" },
    { "threads:A*1.5", "threads:NAME*COUNT" },
    { "threads:C*2", "unknown name “C”" },
    { "cpus=0", "1 to 4096" },
    { "cpus=x", "1 to 4096" },
    { "cpus=99999999999999999999", "1 to 4096" },
  };
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_refused (trace, wrong[i].change, wrong[i].part);
}

static void
test_refused_times (void)
{
  static const char *const wrong[]
      = { "0", "-1", "x", "1.1x", "nan", "101", "1.1,,1.2", "1.1 1.2" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
      g_autoptr (GError) error = NULL;

      g_assert_false (
          tb_option_set_from_text (G_OBJECT (analysis), "baseline-speedup", wrong[i], &error));
      g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE);
      g_assert_nonnull (strstr (error->message, "use a number above 0 and up to 100"));
    }
}

/* No wake-ups, and then lost events: there is still a prediction, from what is known. */
static void
test_poor (void)
{
  g_autoptr (TbTrace) trace
      = story_open_lines ("story",
                          "0,0,name,,,,10,,,11,,,x/A,,\n0,0,switch,0,R,11,,,,,,,,,\n"
                          "1000000,0,switch,11,S,0,,,,,,,,,\n3000000,0,switch,0,R,11,,,,,,,,,\n"
                          "4000000,0,switch,11,S,0,,,,,,,,,\n5000000,0,lost,,,,,,,,,7,,,\n"
                          "9000000,0,switch,0,R,11,,,,,,,,,\n10000000,0,switch,11,S,0,,,,,,,,,\n");

  assert_prediction (trace, "cpus=2", 10 * MS, 10 * MS);
}

static void
test_no_waiter (void)
{
  g_autoptr (TbTrace) trace = story_open_lines ("story", "0,0,name,,,,10,,,11,,,x/A,,\n"
                                                         "5,0,switch,0,R,0,,,,,,,,,\n");

  assert_refused (trace, "cpus=2", "no thread of interest ran");
}

/* One thread works, and the other one waits for it and does the rest. A third and a fourth wake
 * each other and sleep by timers. The main thread (11) waits for the second, then for the end of
 * the third. */
#define N_PHASES 20
#define PHASE 4000 /* µs */

static void
add_timer (Story *story, int us, int cpu, int tid)
{
  story_wake_in_softirq (story, us, cpu, 0, tid, 8);
  story_switch (story, us, cpu, 0, "R", tid);
}

/* first (12) runs a phase of 3 ms and wakes second (13), which then runs 1 ms and wakes it. */
static void
add_phases (Story *story)
{
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 13);
  story_switch (story, 200, 2, 13, "S", 0);
  for (int i = 0; i < N_PHASES; i++)
    {
      int start = i * PHASE;

      story_wake (story, start + 3000, 1, 12, 13);
      story_switch (story, start + 3000, 2, 0, "R", 13);
      if (i + 1 == N_PHASES)
        break;
      story_switch (story, start + 3000, 1, 12, "S", 0);
      story_wake (story, start + 4000, 2, 13, 12);
      story_switch (story, start + 4000, 1, 0, "R", 12);
      story_switch (story, start + 4000, 2, 13, "S", 0);
    }
}

/* heart (14) and pulse (15): one beat every 2 ms, each on a CPU of its own. */
static void
add_beats (Story *story, int end)
{
  story_switch (story, 0, 3, 0, "R", 14);
  story_switch (story, 100, 3, 14, "S", 0);
  story_switch (story, 0, 4, 0, "R", 15);
  story_switch (story, 10, 4, 15, "S", 0);
  for (int start = 1500; start < end; start += 2000)
    {
      add_timer (story, start, 3, 14);
      story_wake (story, start + 10, 3, 14, 15);
      story_switch (story, start + 10, 4, 0, "R", 15);
      story_switch (story, start + 20, 3, 14, "S", 0);
      story_switch (story, start + 30, 4, 15, "S", 0);
      add_timer (story, start + 500, 4, 15);
      story_wake (story, start + 510, 4, 15, 14);
      story_switch (story, start + 510, 3, 0, "R", 14);
      story_switch (story, start + 520, 3, 14, "S", 0);
      story_switch (story, start + 520, 4, 15, "S", 0);
    }
}

static void
test_periodic_threads (void)
{
  int end = N_PHASES * PHASE - 1000, last;
  Story *story = story_new ("main first second heart pulse");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 100, 0, 11, "S", 0);
  add_phases (story);
  add_beats (story, end);
  story_switch (story, end + 100, 1, 12, "S", 0);
  story_wake (story, end + 1000, 2, 13, 11);
  story_switch (story, end + 1000, 0, 0, "R", 11);
  story_switch (story, end + 1100, 2, 13, "X", 0);
  story_switch (story, end + 1100, 0, 11, "S", 0);
  last = end + 1500;
  add_timer (story, last, 3, 14);
  story_wake (story, last + 10, 3, 14, 11);
  story_switch (story, last + 10, 0, 0, "R", 11);
  story_switch (story, last + 20, 3, 14, "X", 0);
  story_switch (story, last + 30, 0, 11, "X", 0);
  trace = story_open (story);
  {
    g_autoptr (TbReport) report
        = wait_graph_analyze (trace, "what-if", "edge:second>first*0", NULL);
    JsonObject *prediction = get_prediction (report);
    gint64 before = json_object_get_int_member (prediction, "before");
    gint64 after = json_object_get_int_member (prediction, "after");

    /* The waits of first are not shorter by themselves: it waits for second, which now arrives at
     * once. */
    g_assert_cmpint (before, >=, (gint64) last * 1000);
    g_assert_cmpint (after, <, before * 8 / 10);
    g_assert_cmpint (json_object_get_int_member (prediction, "clockwork"), ==, 2);
  }
}

/* Five calls of 10 ms with 1 ms of work in between. The change keeps one call in two or in five, or
 * none. */
static void
test_every (void)
{
  static const struct
  {
    const char *change;
    gint64 after; /* ms */
  } cases[] = {
    { "call:fsync*0", 6 }, { "call:fsync/1", 56 }, { "call:fsync/2", 26 }, { "call:fsync/5", 16 }
  };
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  for (gint64 i = 0; i < 5; i++)
    {
      gint64 start = (i * 11 + 1) * 1000;

      story_enter (story, start, 0, 11, "fsync");
      story_switch (story, start + 1000, 0, 11, "S", 0);
      story_switch (story, start + 9000, 0, 0, "R", 11);
      story_leave (story, start + 10000, 0, 11);
    }
  story_switch (story, 56000, 0, 11, "S", 0);
  trace = story_open (story);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_prediction (trace, cases[i].change, 56 * MS, cases[i].after * MS);
  assert_refused (trace, "call:write/2", "times at which “write” began and ended");
  assert_refused (trace, "call:fsync/0", "call:SYSCALL/COUNT");
}

/* A request of thread 11 for a block. The thread waits for the last part of its time. */
static void
add_disk_request (Story *story, int from, int wait_from, int to, const char *letter, int sector)
{
  story_add (story, from, "0,io_insert,,%s,,,,,11,vda,4096,,,%d,", letter, sector);
  if (wait_from < to)
    story_switch (story, wait_from, 0, 11, "D", 0);
  story_add (story, to, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, to, "0,io_complete,,,,,,,11,vda,4096,,,%d,", sector);
  if (wait_from < to)
    story_add (story, to, "0,wakeup,,,,,11,,,,,,,,");
  story_add (story, to, "0,irq_exit,,,,,,,,vda,,,,,");
  if (wait_from < to)
    story_switch (story, to, 0, 0, "R", 11);
}

static void
call_in (Story *story, int us, const char *kind, const char *name)
{
  story_add (story, us, "0,%s,,,,,,,11,,,%s,,,", kind, name);
}

/* A file is written, synced and deleted five times. The disk must discard the block of each deleted
 * file. The block of the last one is written again after that. */
static TbTrace *
open_deletions (const char *name, const char *letter)
{
  Story *story = story_new ("A");

  story_switch (story, 0, 0, 0, "R", 11);
  for (int i = 0; i < 5; i++)
    {
      int start = i * 7000 + 1000;

      call_in (story, start, "sys_enter", "fsync");
      add_disk_request (story, start, start + 1000, start + 3000, "WS", 80 * i);
      call_in (story, start + 4000, "sys_exit", "");
      if (i == 4)
        add_disk_request (story, start + 4000, start + 4500, start + 4500, "W", 80 * i);
      call_in (story, start + 4600, "sys_enter", "unlink");
      add_disk_request (story, start + 4600, start + 5000, start + 6000, letter, 80 * i);
      call_in (story, start + 6000, "sys_exit", "");
    }
  story_switch (story, 36000, 0, 11, "X", 0);
  return story_open_as (story, name);
}

/* A block that was never written, because its sync is left out, need not be discarded. If the
 * operation of a request is unknown, it is kept. */
static void
test_discard (void)
{
  g_autoptr (TbTrace) discards = open_deletions ("discards", "D");
  g_autoptr (TbTrace) writes = open_deletions ("writes", "W");
  g_autoptr (TbTrace) unknown = open_deletions ("unknown", "");

  assert_prediction (discards, "call:fsync*1", 36 * MS, 36 * MS);
  assert_prediction (discards, "call:fsync*0", 36 * MS, 12 * MS);
  assert_prediction (writes, "call:fsync*0", 36 * MS, 16 * MS);
  assert_prediction (unknown, "call:fsync*0", 36 * MS, 16 * MS);
}

/* The room for prefetched data is unknown: the result is 12 ms with room for everything, 14 ms with
 * room for the next item only. */
static void
test_room (void)
{
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *prediction;
  int now = 1000;

  story_switch (story, 0, 0, 0, "R", 11);
  for (int i = 0; i < 10; i++)
    {
      int length = i % 2 == 0 ? 500 : 1500;

      add_disk_request (story, now, now, now + length, "R", 80 * i);
      now += length + 1000;
    }
  story_switch (story, now, 0, 11, "X", 0);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "what-if", "edge:A>vda=ahead", NULL);
  prediction = get_prediction (report);
  g_assert_cmpint (json_object_get_int_member (prediction, "before"), ==, 21 * MS);
  g_assert_cmpfloat (fabs ((double) json_object_get_int_member (prediction, "after")
                           - sqrt (12 * 14) * MS),
                     <, 2);
  g_assert_cmpfloat (fabs (json_object_get_double_member (
                               json_object_get_object_member (prediction, "spread"), "ahead")
                           - log (14.0 / 12) / 2),
                     <, 1e-9);
}

/* A call of 10 ms, which after 2 ms calls fsync for 4 ms. The recording of 56 ms has five such
 * calls, with 1 ms of work in between. Time after the inner call belongs to the outer one again. */
static void
test_nested (void)
{
  static const struct
  {
    const char *change;
    gint64 after; /* ms */
  } cases[] = { { "call:fsync*0", 36 }, { "call:flush*0", 6 }, { "call:flush*0;call:fsync*0", 6 } };
  Story *story = story_new ("A");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  for (gint64 i = 0; i < 5; i++)
    {
      gint64 start = (i * 11 + 1) * 1000;

      story_call (story, start, 0, 11, "flush");
      story_enter (story, start + 2000, 0, 11, "fsync");
      story_switch (story, start + 3000, 0, 11, "S", 0);
      story_switch (story, start + 5000, 0, 0, "R", 11);
      story_leave (story, start + 6000, 0, 11);
      story_return (story, start + 10000, 0, 11, "flush");
    }
  story_switch (story, 56000, 0, 11, "S", 0);
  trace = story_open (story);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_prediction (trace, cases[i].change, 56 * MS, cases[i].after * MS);
}

/* A recording of the given length: a thread runs, sleeps, and runs. */
static TbTrace *
open_length (const char *name, gint64 length)
{
  Story *story = story_new ("A");

  story_switch (story, 0, 0, 0, "R", 11);
  story_add_at (story, length, "0,switch,11,S,0,,,,,,,,,,");
  return story_open_as (story, name);
}

/* A standard deviation; 90 % of errors are within 1.645 times this value. */
#define MODEL_ERROR 0.074

/* unrecorded: speedups of runs without a recorder; "": none. */
static void
assert_several (const gint64 *lengths,
                guint n,
                const char *unrecorded,
                gint64 expected,
                double spread)
{
  const char *const changes[] = { "cpus=4", NULL };
  g_auto (GStrv) times = g_strsplit (unrecorded, ",", -1);
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) more = g_ptr_array_new ();
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
  g_autoptr (TbSelection) selection = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *prediction;
  double whole;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("again-%u-%u-%s", n, i, unrecorded);

      g_ptr_array_add (traces, open_length (name, lengths[i]));
      if (i > 0)
        g_ptr_array_add (more, traces->pdata[i]);
    }
  selection = tb_selection_new (traces->pdata[0]);
  g_object_set (analysis, "what-if", changes, "more-traces", more, "baseline-speedup", times, NULL);
  report = tb_analysis_run (analysis, traces->pdata[0], selection, NULL, NULL, NULL, NULL);
  findings_assert_codes (report);
  prediction = get_prediction (report);
  whole = hypot (spread, 1.645 * MODEL_ERROR);
  g_assert_cmpint (json_object_get_int_member (prediction, "recordings"), ==, n);
  g_assert_cmpint (json_object_get_int_member (prediction, "before"), ==, expected);
  g_assert_cmpint (json_object_get_int_member (prediction, "after"), ==, expected);
  g_assert_cmpint (llabs (json_object_get_int_member (prediction, "low")
                          - llround ((double) expected * exp (-whole))),
                   <=, 1);
  g_assert_cmpint (llabs (json_object_get_int_member (prediction, "high")
                          - llround ((double) expected * exp (whole))),
                   <=, 1);
  /* A prediction less certain than from half to twice the value is reported as vague. */
  g_assert_cmpuint (findings_count (report, "vague-prediction"), ==, whole > log (2));
}

/* Several recordings of the same load: the prediction is their mean. The interval is the difference
 * of medians of as many runs before and after the change, which vary like the recorded runs, and
 * like those measured without a recorder. Of five recordings the smallest and the largest are left
 * out. */
static void
test_several (void)
{
  static const gint64 three[] = { 100 * MS, 110 * MS, 121 * MS };
  static const gint64 two[] = { 100 * MS, 144 * MS };
  static const gint64 five[] = { 1000 * MS, 133100000, 100 * MS, 110 * MS, 121 * MS };
  double step = log (1.1), far = log (1.44), median = G_PI / 2;

  /* A single recording has no variance. Its prediction and its recorded value add two samples
   * without variance. */
  assert_several (three, 1, "0.909090909,1,1.1", 100 * MS, 1.725 * sqrt (2 * step * step / 3));
  /* The median of two runs is their mean. */
  assert_several (three, 2, "", 104880885, 6.314 * sqrt (2 * step * step / 2 / 2));
  assert_several (two, 2, "", 120 * MS, 6.314 * sqrt (2 * far * far / 2 / 2));
  /* Variances of the logarithms: of -1, 0, 1 steps; of -1, -1, 0, 1, 1 steps. */
  assert_several (three, 3, "", 110 * MS, 2.920 * sqrt (2 * median * step * step / 3));
  assert_several (five, 5, "", 121 * MS, 2.920 * sqrt (2 * median * step * step / 5) / 0.6);
  /* First a further variance of -1, 0, 1 steps; then one of zero: the mean of the variances of both
   * samples, with twice as many degrees of freedom. */
  assert_several (three, 3, "0.909090909,1,1.1", 110 * MS,
                  2.132 * sqrt (2 * median * step * step / 3));
  assert_several (three, 3, "1,1,1", 110 * MS, 2.132 * sqrt (2 * median * step * step * 2 / 3 / 3));
  /* A single run gives no variance. */
  assert_several (three, 3, "1", 110 * MS, 2.920 * sqrt (2 * median * step * step / 3));
}

/* Ten runs of 50 µs, 60 µs apart. Each but the first is woken in an interrupt that began 1 µs
 * before. A switch was measured to take 2 µs, and recording it 0.5 µs. */
static TbTrace *
open_recorded (void)
{
  Story *story = story_new ("A");
  TbTrace *trace;
  TbSession *session;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 10; i++)
    {
      if (i == 0)
        story_switch (story, 0, 0, 0, "R", 11);
      else
        {
          story_add (story, i * 110 - 1, "0,softirq_entry,,,,,,8,,,,,,,");
          story_wake (story, i * 110, 0, 0, 11);
          story_add (story, i * 110, "0,softirq_exit,,,,,,8,,,,,,,");
          story_switch (story, i * 110, 0, 0, "R", 11);
        }
      story_switch (story, i * 110 + 50, 0, 11, "S", 0);
    }
  trace = story_open_as (story, "recorded");
  session = tb_trace_get_session (trace);
  tb_session_set_fact (session, "cost-switch-ns", "2000", &error);
  tb_session_set_fact (session, "cost-recorded-switch-ns", "2500", &error);
  g_assert_no_error (error);
  return trace;
}

/* A sleeps from 100 to 200 µs, and another process has its CPU until 260 µs. If that is the
 * recorder, it is absent from a prediction without a recorder. */
static void
test_recorder (void)
{
  static const struct
  {
    const char *process;
    gint64 after; /* µs, of 360: 100 of shorter sleep, and the 60 unless they are absent anyway */
  } cases[] = { { "other", 200 }, { "tailback-agent", 240 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Story *story = story_new ("A");
      g_autoptr (TbTrace) trace = NULL;

      story_add (story, 0, "0,name,,,,20,,,21,,,%s/agent,,,", cases[i].process);
      story_switch (story, 0, 0, 0, "R", 11);
      story_switch (story, 0, 1, 0, "R", 0);
      story_switch (story, 100, 0, 11, "S", 0);
      story_switch (story, 150, 0, 0, "R", 21);
      story_wake_in_softirq (story, 200, 0, 0, 11, 8);
      story_switch (story, 260, 0, 21, "S", 11);
      story_switch (story, 360, 0, 11, "S", 0);
      trace = story_open_as (story, cases[i].process);
      assert_prediction (trace, "edge:A>timer*0", 360 * 1000, cases[i].after * 1000);
    }
}

/* Ratio of the total time with nine waits less. `cost` is the cost of recording a switch with its
 * wake-up: half of it belongs to the switch, and half to every other record, of which the interrupt
 * of each wait has two. Each removed wait also saves a switch, `saved` times its measured cost. */
static double
get_ratio (double cost, double saved)
{
  double before = 1040e3 - 10 * cost / 2 - 9 * 2 * cost / 2, after = 500e3 - 10 * cost / 2;

  return (after - 9 * 2000 * saved) / before;
}

/* A measured speed of the load without a recorder determines the cost of recording: between the
 * measured cost and four times as much, with the rest unknown, or a lower cost than measured. */
static void
test_unrecorded (void)
{
  static const struct
  {
    const char *times;
    double cost; /* ns, -1: not reported */
    double step; /* step of the search */
  } cases[] = { { "", -1, 0 }, { "0.9", 0, 2 }, { "1.0136452", 1000, 2 }, { "2", 2000, 0 } };
  g_autoptr (TbTrace) trace = open_recorded ();
  double widths[G_N_ELEMENTS (cases)];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = wait_graph_analyze (trace, "what-if", "edge:A>timer*0",
                                                        "baseline-speedup", cases[i].times, NULL);
      JsonObject *prediction = get_prediction (report);
      double cost = cases[i].cost >= 0 ? cases[i].cost : 500, step = cases[i].step;
      double after = 1040e3 * sqrt (get_ratio (MIN (cost, 500), 1) * get_ratio (cost, 1));
      JsonObject *spread = json_object_get_object_member (prediction, "spread");

      g_assert_cmpint (json_object_has_member (prediction, "recording_ns"), ==, cases[i].cost >= 0);
      if (cases[i].cost >= 0)
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (prediction, "recording_ns"),
                                        cost, step + 1e-6);
      g_assert_cmpint (json_object_get_int_member (prediction, "before"), ==, 1040000);
      g_assert_cmpfloat_with_epsilon ((double) json_object_get_int_member (prediction, "after"),
                                      after, 10 * step + 10); /* simultaneous events: 1 ns apart */
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (spread, "sparing"),
                                      log (get_ratio (cost, 2) / get_ratio (cost, 1)), 1e-4);
      widths[i] = (double) (json_object_get_int_member (prediction, "high")
                            - json_object_get_int_member (prediction, "low"));
    }
  g_assert_cmpfloat (widths[2], >, widths[0]);
  g_assert_cmpfloat (widths[3], >, widths[2] * 1.1);
}

/* On the only CPU A runs before B and then sleeps for 9 ms. In the replay both share the CPU, so
 * A's sleep begins 10 ms later. This error of the replay is known for this load only. It widens the
 * interval of every change, like an error that is exceeded with equal probability. */
static void
test_off (void)
{
  g_autoptr (TbTrace) trace = story_open_lines (
      "story", "0,0,name,,,,10,,,11,,,x/A,,\n0,0,name,,,,10,,,12,,,x/B,,\n"
               "0,0,switch,0,R,12,,,,,,,,,\n1,0,switch,12,R,11,,,,,,,,,\n"
               "10000000,0,switch,11,S,12,,,,,,,,,\n"
               "19000000,0,softirq_entry,,,,,,1,,,,,,\n19000000,0,wakeup,,,,0,11,,,,,,,\n"
               "19000000,0,softirq_exit,,,,,,1,,,,,,\n20000000,0,switch,12,S,11,,,,,,,,,\n"
               "21000000,0,switch,11,S,0,,,,,,,,,\n");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "what-if", "cpus=1", NULL);
  JsonObject *prediction = get_prediction (report),
             *spread = json_object_get_object_member (prediction, "spread");
  double chance = json_object_get_double_member (spread, "chance");
  double off = log (30.0 / 21), whole = hypot (chance, 1.645 * hypot (off, MODEL_ERROR));

  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (prediction, "replay_deviation"),
                                  9.0 / 21, 1e-6);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (spread, "replay"), off, 1e-6);
  g_assert_cmpint (json_object_get_int_member (prediction, "before"), ==, 21 * MS);
  g_assert_cmpint (json_object_get_int_member (prediction, "after"), ==, 21 * MS);
  g_assert_cmpfloat_with_epsilon ((double) json_object_get_int_member (prediction, "low"),
                                  21e6 * exp (-whole), 1e4);
  g_assert_cmpfloat_with_epsilon ((double) json_object_get_int_member (prediction, "high"),
                                  21e6 * exp (whole), 1e4);
}

/* Threads with a CPU each, which sleep and wake one another. */
static Story *
make_random (GRand *rand, int n_threads, int n_events, gint64 shift, const int *tids, gint64 *last)
{
  Story *story = story_new (NULL);
  gboolean sleeps[8] = { FALSE };
  gint64 now = shift;

  for (int i = 0; i < n_threads; i++)
    story_add_at (story, now, "0,name,,,,10,,,%d,,,x/t%d,,", tids[i], i);
  for (int i = 0; i < n_threads; i++)
    story_add_at (story, now, "%d,switch,0,R,%d,,,,,,,,,", i, tids[i]);
  for (int i = 0; i < n_events; i++)
    {
      int waker = g_rand_int_range (rand, 0, n_threads),
          wakee = g_rand_int_range (rand, 0, n_threads);

      now += g_rand_int_range (rand, 200000, 400000); /* beyond the grace for early wake-ups */
      if (sleeps[waker])
        continue;
      if (sleeps[wakee])
        {
          story_add_at (story, now, "%d,wakeup,,,,%d,%d,,,,,,,", waker, tids[waker], tids[wakee]);
          story_add_at (story, now, "%d,switch,0,R,%d,,,,,,,,,", wakee, tids[wakee]);
          sleeps[wakee] = FALSE;
        }
      else if (wakee != waker && !sleeps[wakee])
        {
          story_add_at (story, now, "%d,switch,%d,S,0,,,,,,,,,", wakee, tids[wakee]);
          sleeps[wakee] = TRUE;
        }
    }
  now += 500000;
  for (int i = 0; i < n_threads; i++)
    if (!sleeps[i])
      story_add_at (story, now, "%d,switch,%d,S,0,,,,,,,,,", i, tids[i]);
  *last = now - shift;
  return story;
}

/* Without a change the duration is as recorded, whatever the names of the threads and the start
 * time. */
static void
test_random (void)
{
  static const int tids[] = { 11, 12, 13, 14, 15, 16 }, others[] = { 25, 21, 24, 22, 26, 23 };

  for (guint i = 0; i < test_rounds (12, 3); i++)
    {
      guint32 seed = (guint32) g_test_rand_int ();
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GRand) again = g_rand_new_with_seed (seed);
      int n_threads = 2 + (int) (seed % 5);
      gint64 last, last_again;
      Story *story = make_random (rand, n_threads, 60, 0, tids, &last);
      Story *moved = make_random (again, n_threads, 60, 123456789, others, &last_again);
      g_autoptr (TbTrace) trace = story_open (story);
      g_autoptr (TbTrace) moved_trace = NULL;
      gint64 half;

      assert_prediction (trace, "cpus=6", last, last);
      {
        g_autoptr (TbReport) report = wait_graph_analyze (trace, "what-if", "edge:t1>t0*0.5", NULL);

        half = json_object_get_int_member (get_prediction (report), "after");
      }
      moved_trace = story_open (moved);
      assert_prediction (moved_trace, "cpus=6", last, last);
      {
        g_autoptr (TbReport) report
            = wait_graph_analyze (moved_trace, "what-if", "edge:t1>t0*0.5", NULL);

        g_assert_cmpint (json_object_get_int_member (get_prediction (report), "after"), ==, half);
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/what-if/figure-1", test_figure_1);
  g_test_add_func ("/wait-graph/what-if/spinners", test_spinners);
  g_test_add_func ("/wait-graph/what-if/clerk", test_clerk);
  g_test_add_func ("/wait-graph/what-if/refused", test_refused);
  g_test_add_func ("/wait-graph/what-if/refused-times", test_refused_times);
  g_test_add_func ("/wait-graph/what-if/poor", test_poor);
  g_test_add_func ("/wait-graph/what-if/no-waiter", test_no_waiter);
  g_test_add_func ("/wait-graph/what-if/periodic-threads", test_periodic_threads);
  g_test_add_func ("/wait-graph/what-if/every", test_every);
  g_test_add_func ("/wait-graph/what-if/discard", test_discard);
  g_test_add_func ("/wait-graph/what-if/room", test_room);
  g_test_add_func ("/wait-graph/what-if/nested", test_nested);
  g_test_add_func ("/wait-graph/what-if/several", test_several);
  g_test_add_func ("/wait-graph/what-if/recorder", test_recorder);
  g_test_add_func ("/wait-graph/what-if/unrecorded", test_unrecorded);
  g_test_add_func ("/wait-graph/what-if/off", test_off);
  g_test_add_func ("/wait-graph/what-if/random", test_random);
  return recording_run_tests ();
}
