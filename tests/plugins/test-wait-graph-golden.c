/* test-wait-graph-golden.c: every sentence of the wait graph that recordings told here lead to, as golden text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MUTEX "main@app;take@app;pthread_mutex_lock@libc.so.6"
#define JOIN "main@app;finish@app;__pthread_clockjoin_ex@libc.so.6"

/* --- parts of recordings --- */

/* Softirqs: 1 a timer, 3 a message, 6 none that is known. */
static void
wake_by (Story *story, int us, int cpu, int tid, int vector)
{
  g_autofree char *entry = g_strdup_printf ("%d,softirq_entry,,,,,,%d,,,,,,,", cpu, vector);
  g_autofree char *leave = g_strdup_printf ("%d,softirq_exit,,,,,,%d,,,,,,,", cpu, vector);

  tell (story, us, entry);
  wake (story, us, cpu, 0, tid);
  tell (story, us, leave);
}

static void
sleep_until (Story *story, int from, int woken, int on, int cpu, int tid, int vector)
{
  go (story, from, cpu, tid, "S", 0);
  wake_by (story, woken, cpu, tid, vector);
  go (story, on, cpu, 0, "R", tid);
}

static Story *
begin (const char *names, int n)
{
  Story *story = story_new (names);

  for (int i = 0; i < n; i++)
    go (story, 0, i, 0, "R", 11 + i);
  return story;
}

static TbTrace *
finish (Story *story, int us, const char *name)
{
  go (story, us, 0, 11, "R", 11);
  sort_story (story);
  return story_open_as (story, name);
}

static void
write_to_disk (Story *story, int from, int to, int cpu, int tid)
{
  g_string_append_printf (story, "%d000,%d,io_issue,,,,,,,%d,vda,4096,,,%d,\n", from, cpu, tid, from);
  g_string_append_printf (story, "%d000,3,io_complete,,,,,,,,vda,4096,,,%d,\n", to, from);
}

static void
wait_for_disk (Story *story, int from, int to, int cpu, int tid)
{
  g_autofree char *entry = g_strdup_printf ("%d,irq_entry,,,,,,,,vda,,,,,", cpu);
  g_autofree char *leave = g_strdup_printf ("%d,irq_exit,,,,,,,,vda,,,,,", cpu);

  write_to_disk (story, from, to, cpu, tid);
  go_with_stack (story, from, cpu, tid, "D", 0, "main;read");
  tell (story, to, entry);
  wake (story, to, cpu, 0, tid);
  tell (story, to, leave);
  go (story, to, cpu, 0, "R", tid);
}

/* Each has a cpu of its own. */
static void
wait_for_lock (Story *story, int from, int to, int tid, int holder, guint address, const char *stack)
{
  g_autofree char *line = g_strdup_printf ("%d,sleep,,lock,,,,,%d,,-1,futex,,%u,0", tid - 11, tid, address);

  tell (story, from, line);
  go_with_stack (story, from, tid - 11, tid, "S", 0, stack);
  wake (story, to, holder - 11, holder, tid);
  go (story, to, tid - 11, 0, "R", tid);
}

/* --- knots --- */

/* A and B wait for one another, most of all; A now and then for the timer, B hardly ever for C. */
static TbTrace *
open_hand_over (void)
{
  Story *story = begin ("A B C", 3);

  for (int t = 0; t < 10000; t += 1000)
    {
      go (story, t + 50, 0, 11, "S", 0);
      wake (story, t + 500, 1, 12, 11);
      go (story, t + 510, 1, 12, "S", 0);
      go (story, t + 700, 0, 0, "R", 11);
      wake (story, t + 900, 0, 11, 12);
      go (story, t + 920, 1, 0, "R", 12);
    }
  sleep_until (story, 9960, 9970, 9970, 0, 11, 1);
  sleep_and_wake (story, 9960, 9965, 1, 12, 2, 13);
  go (story, 10000, 2, 13, "R", 13);
  return finish (story, 10000, "hand-over");
}

/* A waits for B for so little of the time that what it runs limits both, and main waits for A. */
static TbTrace *
open_phases (void)
{
  Story *story = begin ("A B main", 3);

  for (int t = 0; t < 10000; t += 1000)
    sleep_and_wake (story, t + 300, t + 800, 1, 12, 0, 11);
  sleep_and_wake (story, 4850, 4990, 0, 11, 1, 12);
  sleep_and_wake (story, 5850, 5990, 0, 11, 1, 12);
  sleep_and_wake (story, 10, 9990, 2, 13, 0, 11);
  return finish (story, 10000, "phases");
}

/* Refinement leaves A alone: it runs for so long each millisecond. */
static TbTrace *
open_alone (int running)
{
  Story *story = begin ("A B C", 3);

  for (int t = 0; t < 10000; t += 1000)
    {
      int woken = t + 1000 - running, other = t % 2000 == 0 ? 0 : 2;

      sleep_and_wake (story, t + 5, woken + 3, 2, 13, 0, 11);
      sleep_and_wake (story, t + 5, woken + 4, 1, 12, other, 11 + other);
      sleep_until (story, t + 8, woken, woken, 0, 11, 1);
    }
  sleep_and_wake (story, 10010, 10160, 0, 11, 1, 12);
  go (story, 10165, 0, 11, "S", 0);
  go (story, 10500, 1, 12, "R", 12);
  sort_story (story);
  return story_open_as (story, "alone");
}

/* Workers that are alike take turns with a lock. */
static TbTrace *
open_holders (void)
{
  Story *story = begin ("worker-1 worker-2 worker-3", 3);

  for (int t = 0; t < 50000; t += 10000)
    {
      wait_for_lock (story, t + 100, t + 1100, 13, 11, 0x7000, MUTEX);
      wait_for_lock (story, t + 1200, t + 3200, 12, 13, 0x7000, MUTEX);
      wait_for_lock (story, t + 3300, t + 7300, 11, 12, 0x7000, MUTEX);
    }
  return finish (story, 50000, "holders");
}

/* While one of three waits the next runs and waits itself, at last for the disk. */
static TbTrace *
open_chain (void)
{
  Story *story = begin ("worker worker worker other", 4);

  for (int t = 0; t < 10000; t += 2000)
    {
      wait_for_disk (story, t + 300, t + 500, 2, 13);
      go_with_stack (story, t + 100, 0, 11, "S", 0, "main;take;block");
      go_with_stack (story, t + 200, 1, 12, "S", 0, "main;take;block");
      wake (story, t + 1500, 2, 13, 12);
      go (story, t + 1500, 1, 0, "R", 12);
      wake (story, t + 1700, 1, 12, 11);
      go (story, t + 1700, 0, 0, "R", 11);
    }
  return finish (story, 10000, "chain");
}

static void
tell_background_pair (Story *story, int cpu)
{
  for (int t = 0; t < 10000; t += 1000)
    {
      sleep_and_wake (story, t + 50 + cpu, t + 500 + cpu, cpu, 11 + cpu, cpu + 1, 12 + cpu);
      sleep_and_wake (story, t + 510 + cpu, t + 990 + cpu, cpu + 1, 12 + cpu, cpu, 11 + cpu);
    }
}

/* More knots than are listed. */
static TbTrace *
open_pairs (void)
{
  Story *story = begin ("a b c d e f g h i j", 10);

  for (int cpu = 0; cpu < 10; cpu += 2)
    tell_background_pair (story, cpu);
  return finish (story, 10000, "pairs");
}

/* Two hand over to each other and get the cpu late. */
static TbTrace *
open_starved (void)
{
  Story *story = begin ("A B C", 2);

  for (int t = 0; t < 10000; t += 2000)
    {
      go (story, t + 100, 0, 11, "S", 0);
      wake (story, t + 200, 1, 12, 11);
      go (story, t + 900, 0, 0, "R", 11);
      go (story, t + 300, 1, 12, "S", 0);
      wake (story, t + 1000, 0, 11, 12);
      go (story, t + 1900, 1, 0, "R", 12);
    }
  return finish (story, 10000, "starved");
}

/* --- threads that are busy, and that are not --- */

/* Two that are alike run 0.6 ms of each, wait for a cpu, and sleep until a timer wakes them. */
static TbTrace *
open_workers (void)
{
  Story *story = begin ("worker-1 worker-2", 2);

  for (int cpu = 0; cpu < 2; cpu++)
    for (int t = 0; t < 10000; t += 1000)
      sleep_until (story, t + 600, t + 920, t + 1000, cpu, 11 + cpu, 1);
  return finish (story, 10000, "workers");
}

/* Those of a process that is not the target are one. */
static TbTrace *
open_helper (void)
{
  Story *story = story_new ("A");

  g_string_append (story, "0,0,name,,,,10,,,10,,,app,,,\n0,0,name,,,,30,,,30,,,helper,,,\n"
                          "0,0,name,,,,30,,,31,,,helper/one,,,\n0,0,name,,,,30,,,32,,,helper/two,,,\n");
  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 31);
  go (story, 0, 2, 0, "R", 32);
  sleep_and_wake (story, 1000, 9000, 0, 11, 1, 31);
  return finish (story, 10000, "helper");
}

/* A runs and wants to run, B is idle, and C holds the cpu that A wants. */
static TbTrace *
open_wanting (void)
{
  Story *story = story_new ("A B C");

  go (story, 0, 0, 0, "R", 11);
  go (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      go (story, t + 400, 0, 11, "S", 13);
      wake_by (story, t + 800, 0, 11, 1);
      go (story, t + 1000, 0, 13, "S", 11);
      sleep_until (story, t + 450, t + 1000, t + 1000, 1, 12, 1);
    }
  return finish (story, 10000, "wanting");
}

/* A server that waits for messages. */
static TbTrace *
open_server (void)
{
  Story *story = begin ("server", 1);

  for (int t = 0; t < 10000; t += 1000)
    sleep_until (story, t + 100, t + 1000, t + 1000, 0, 11, 3);
  return finish (story, 10000, "server");
}

/* A waits for each of what can be excluded, and for B hardly at all. longest: which of them it waits for longest. */
static TbTrace *
open_excluded (guint longest)
{
  Story *story = begin ("A B", 2);
  int to[] = { 1500, 3000, 4500, 6000, 7020 };

  to[longest] += 400;
  sleep_until (story, 1000, to[0], to[0], 0, 11, 1);
  go (story, 2500, 0, 11, "S", 0);
  wake_by (story, to[1], 1, 11, 6);
  go (story, to[1], 0, 0, "R", 11);
  go (story, 4000, 0, 11, "S", 0);
  wake (story, to[2], 0, 0, 11);
  go (story, to[2], 0, 0, "R", 11);
  tell (story, 5500, "0,spin_begin,,,,,,,11,,,,,,");
  g_string_append_printf (story, "%d000,0,spin_end,,,,,,,11,,,,,,\n", to[3]);
  sleep_and_wake (story, 7000, to[4], 0, 11, 1, 12);
  return finish (story, 10000, "excluded");
}

/* A is busy. B waits longest for it, but more hangs on what C waits for. */
static TbTrace *
open_sink (void)
{
  Story *story = begin ("A B C D", 4);

  sleep_and_wake (story, 1000, 7000, 1, 12, 0, 11);
  sleep_and_wake (story, 1500, 6500, 2, 13, 0, 11);
  sleep_and_wake (story, 1500, 6600, 3, 14, 2, 13);
  return finish (story, 10000, "sink");
}

/* The disk serves one after the other for a thread that waits for none of them, and another waits for the disk. */
static TbTrace *
open_disk (void)
{
  Story *story = begin ("A B", 2);

  for (int t = 100; t < 9900; t += 200)
    write_to_disk (story, t, t + 190, 1, 12);
  for (int t = 1000; t < 9000; t += 1000)
    wait_for_disk (story, t, t + 300, 0, 11);
  return finish (story, 10000, "disk");
}

/* --- work, and annotations that are missing --- */

static void
tell_false_wakeups (Story *story, int tid)
{
  for (int t = 0; t < 8000; t += 2000)
    {
      go_with_stack (story, t + 100, tid - 11, tid, "S", 0, "main;take;block");
      wake (story, t + 600, 0, 11, tid);
      go (story, t + 600, tid - 11, 0, "R", tid);
      go_with_stack (story, t + 610, tid - 11, tid, "S", 0, "main;take;block");
      wake (story, t + 900, 1, 12, tid);
      go (story, t + 900, tid - 11, 0, "R", tid);
    }
}

/* Threads that are woken for nothing, more of them than are listed, and one that waits busily for B. */
static TbTrace *
open_candidates (void)
{
  Story *story = begin ("A B C D E F G H I spinner", 10);

  for (int tid = 13; tid < 20; tid++)
    tell_false_wakeups (story, tid);
  for (int i = 1; i <= 5; i++)
    tell (story, i * 100, "0,mark,,,,,,,11,,,work,,,");
  tell (story, 10, "9,sys_enter,,,,,,,20,,,read,,,");
  tell (story, 20, "9,sys_exit,,,,,,,20,,,read,,,");
  for (int us = 2000; us <= 5000; us += 200)
    tell (story, us, "9,sample,,,,,,,20,,,,main;lock;spin,,");
  tell (story, 5200, "9,sample,,,,,,,20,,,,main;work,,");
  return finish (story, 10000, "candidates");
}

/* Two short-lived threads that wait in a circle only as one vertex. */
static TbTrace *
open_circle (void)
{
  Story *story = begin ("A B", 2);

  for (int tid = 21; tid <= 22; tid++)
    {
      g_string_append_printf (story, "1000000,0,fork,,,,11,%d,,,,,,,,\n", tid);
      g_string_append_printf (story, "1000000,0,name,,,,10,,,%d,,,task,,,\n", tid);
      go (story, 1000, tid - 19, 0, "R", tid);
      go (story, 2000, tid - 19, tid, "S", 0);
    }
  go (story, 2000, 0, 11, "S", 0);
  wake (story, 6000, 1, 12, 22);
  go (story, 6000, 3, 0, "R", 22);
  wake (story, 6100, 3, 22, 11);
  go (story, 6100, 0, 0, "R", 11);
  wake (story, 6200, 0, 11, 21);
  go (story, 6200, 2, 0, "R", 21);
  tell (story, 6300, "2,exit,,,,,,,21,,,,,,");
  go (story, 6300, 2, 21, "X", 0);
  tell (story, 6400, "3,exit,,,,,,,22,,,,,,");
  go (story, 6400, 3, 22, "X", 0);
  tell (story, 20000, "1,mark,,,,,,,12,,,end,,,");
  sort_story (story);
  return story_open_as (story, "circle");
}

/* B ends, for which A waits. */
static TbTrace *
open_end (void)
{
  Story *story = begin ("A B", 2);

  wait_for_lock (story, 1000, 9000, 11, 12, 0x7000, JOIN);
  tell (story, 9005, "1,exit,,,,,,,12,,,,,,");
  go (story, 9005, 1, 12, "X", 0);
  return finish (story, 10000, "end");
}

/* --- two recordings --- */

/* A server that works so often, and a heartbeat. */
static TbTrace *
open_load (const char *name, int period)
{
  Story *story = begin ("server worker beat listener", 4);
  const int periods[] = { period, 25000 };

  for (int i = 0; i < 2; i++)
    {
      int cpu = 2 * i, tid = 11 + 2 * i;

      go (story, 10, cpu, tid, "S", 0);
      go (story, 20, cpu + 1, tid + 1, "S", 0);
      for (int t = 1000; t + periods[i] <= 1000000; t += periods[i])
        {
          wake_by (story, t, cpu, tid, 1);
          go (story, t, cpu, 0, "R", tid);
          wake (story, t + 1000, cpu, tid, tid + 1);
          go (story, t + 1000, cpu + 1, 0, "R", tid + 1);
          go (story, t + 1001, cpu, tid, "S", 0);
          wake (story, t + 3000, cpu + 1, tid + 1, tid);
          go (story, t + 3000, cpu, 0, "R", tid);
          go (story, t + 3001, cpu + 1, tid + 1, "S", 0);
          if (i == 0)
            tell (story, t + 3500, "0,mark,,,,,,,11,,,work,,,");
          go (story, t + 4000, cpu, tid, "S", 0);
        }
    }
  tell (story, 1000000, "0,mark,,,,,,,11,,,end,,,");
  sort_story (story);
  return story_open_as (story, name);
}

static void
add_comparison (GString *golden, const char *heading, TbTrace *base, TbTrace *other)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", &error);
  g_autoptr (TbSelection) selection = tb_selection_new (other);
  g_autoptr (TbReport) report = NULL;

  g_assert_no_error (error);
  report = tb_analysis_compare (analysis, base, other, selection, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  golden_add (golden, heading, report);
}

/* --- what-if --- */

static TbTrace *
open_length (const char *name, int us)
{
  Story *story = begin ("A", 1);

  go (story, us, 0, 11, "S", 0);
  return story_open_as (story, name);
}

static void
add_predictions (GString *golden)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "wait-graph", &error);
  g_autoptr (TbTrace) first = open_length ("first", 1000), second = open_length ("second", 5000);
  g_autoptr (TbSelection) selection = tb_selection_new (first);
  g_autoptr (GPtrArray) more = g_ptr_array_new ();
  g_autoptr (TbReport) report = NULL;
  const char *const changes[] = { "cpus=4", NULL };

  g_assert_no_error (error);
  g_ptr_array_add (more, second);
  g_object_set (analysis, "what-if", changes, "more-traces", more, NULL);
  report = tb_analysis_run (analysis, first, selection, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  golden_add (golden, "what-if, of recordings that differ", report);
}

/* --- all of them --- */

static const struct
{
  const char *name;
  TbTrace *(*open) (void);
  const char *options[5]; /* names and values */
} stories[] = {
  { "hand-over", open_hand_over, { NULL } },
  { "hand-over", open_hand_over, { "workers", "A" } },
  { "phases", open_phases, { NULL } },
  { "lock holders", open_holders, { NULL } },
  { "chain", open_chain, { "workers", "app", "threshold", "0" } },
  { "background pairs", open_pairs, { NULL } },
  { "starved", open_starved, { NULL } },
  { "workers", open_workers, { NULL } },
  { "helper", open_helper, { "target", "app" } },
  { "wanting a CPU", open_wanting, { NULL } },
  { "server", open_server, { NULL } },
  { "sink", open_sink, { NULL } },
  { "disk", open_disk, { NULL } },
  { "disk of a target", open_disk, { "target", "app" } },
  { "candidates", open_candidates, { NULL } },
  { "applied candidates", open_candidates, { "apply", "all" } },
  { "circle", open_circle, { NULL } },
  { "end of a thread", open_end, { NULL } },
  { "what-if", open_hand_over, { "what-if", "edge:A>B*0.5" } },
};

static void
test_golden (void)
{
  static const char *const excluded[] = { "timer", "interrupt", "idle task", "busy wait", "B" };
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) figure = wait_graph_open_file ("wait-graph-figure-1.csv");
  g_autoptr (TbReport) of_figure = wait_graph_analyze (figure, NULL);
  g_autoptr (TbTrace) busy = open_alone (300), idle = NULL, low = NULL, high = NULL, other = NULL;
  g_autoptr (TbReport) of_busy = wait_graph_analyze (busy, "workers", "A", NULL), of_idle = NULL;

  golden_add (golden, "figure 1", of_figure);
  golden_add (golden, "alone and busy", of_busy);
  idle = open_alone (12);
  of_idle = wait_graph_analyze (idle, "workers", "A", NULL);
  golden_add (golden, "alone and idle", of_idle);
  for (guint i = 0; i < G_N_ELEMENTS (stories); i++)
    {
      const char *const *options = stories[i].options;
      g_autoptr (TbTrace) trace = stories[i].open ();
      g_autoptr (TbReport) report
          = wait_graph_analyze (trace, options[0], options[1], options[2], options[3], NULL);
      g_autofree char *heading = g_strdup_printf ("%s%s%s%s%s", stories[i].name, options[0] ? ", " : "",
                                                  options[0] ? options[0] : "", options[0] ? " " : "",
                                                  options[0] ? options[1] : "");

      golden_add (golden, heading, report);
    }
  for (guint i = 0; i < G_N_ELEMENTS (excluded); i++)
    {
      g_autoptr (TbTrace) trace = open_excluded (i);
      g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
      g_autofree char *heading = g_strdup_printf ("longest wait for %s", excluded[i]);

      golden_add (golden, heading, report);
    }
  low = open_load ("low", 40000);
  high = open_load ("high", 10000);
  add_comparison (golden, "comparison of loads", low, high);
  other = open_hand_over ();
  add_comparison (golden, "comparison of others", figure, other);
  add_predictions (golden);
  golden_compare (golden, "wait-graph");
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  wait_graph_fixture_init ();
  g_test_add_func ("/wait-graph/golden", test_golden);
  result = g_test_run ();
  wait_graph_fixture_clear ();
  return result;
}
