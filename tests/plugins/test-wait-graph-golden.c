/* test-wait-graph-golden.c: golden test of the sentences of the analysis "wait-graph"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MUTEX "main@app;take@app;pthread_mutex_lock@libc.so.6"
#define JOIN "main@app;finish@app;__pthread_clockjoin_ex@libc.so.6"

/* --- parts of recordings --- */

static Story *
begin (const char *names, int n)
{
  Story *story = story_new (names);

  for (int i = 0; i < n; i++)
    story_switch (story, 0, i, 0, "R", 11 + i);
  return story;
}

static TbTrace *
finish (Story *story, int us, const char *name)
{
  story_switch (story, us, 0, 11, "R", 11);
  return story_open_as (story, name);
}

static void
wait_for_disk (Story *story, int from, int to, int cpu, int tid)
{
  story_write (story, from, to, cpu, tid, 4096);
  story_switch_with_stack (story, from, cpu, tid, "D", 0, "main;read");
  story_wake_by_device (story, to, cpu, "vda", tid);
  story_switch (story, to, cpu, 0, "R", tid);
}

/* --- knots --- */

/* Two threads hand work to one another, and together use less than a CPU. */
static void
add_hand_over (Story *story, int cpu)
{
  int tid = 11 + cpu;

  for (int t = cpu; t < 10000; t += 1000)
    {
      story_switch (story, t + 50, cpu, tid, "S", 0);
      story_wake (story, t + 500, cpu + 1, tid + 1, tid);
      story_switch (story, t + 510, cpu + 1, tid + 1, "S", 0);
      story_switch (story, t + 700, cpu, 0, "R", tid);
      story_wake (story, t + 900, cpu, tid, tid + 1);
      story_switch (story, t + 920, cpu + 1, 0, "R", tid + 1);
    }
}

/* A and B mostly wait for one another; A at times for the timer, B rarely for C. */
static TbTrace *
open_hand_over (void)
{
  Story *story = begin ("A B C", 3);

  add_hand_over (story, 0);
  story_sleep_until (story, 9960, 9970, 9970, 0, 11, 1, "main;work;nap");
  story_sleep (story, 9960, 9965, 1, 12, 2, 13);
  story_switch (story, 10000, 2, 13, "R", 13);
  return finish (story, 10000, "hand-over");
}

/* More background knots than are listed. */
static TbTrace *
open_pairs (void)
{
  Story *story = begin ("a b c d e f g h i j", 10);

  for (int cpu = 0; cpu < 10; cpu += 2)
    add_hand_over (story, cpu);
  return finish (story, 10000, "pairs");
}

/* A waits for B so little that A's running limits both, and main waits for A. */
static TbTrace *
open_phases (void)
{
  Story *story = begin ("A B main", 3);

  for (int t = 0; t < 10000; t += 1000)
    story_sleep (story, t + 300, t + 800, 1, 12, 0, 11);
  story_sleep (story, 4850, 4990, 0, 11, 1, 12);
  story_sleep (story, 5850, 5990, 0, 11, 1, 12);
  story_sleep (story, 10, 9990, 2, 13, 0, 11);
  return finish (story, 10000, "phases");
}

/* Refinement leaves only A, which runs for that many µs each millisecond. */
static TbTrace *
open_alone (int running)
{
  Story *story = begin ("A B C", 3);

  for (int t = 0; t < 10000; t += 1000)
    {
      int woken = t + 1000 - running, other = t % 2000 == 0 ? 0 : 2;

      story_sleep (story, t + 5, woken + 3, 2, 13, 0, 11);
      story_sleep (story, t + 5, woken + 4, 1, 12, other, 11 + other);
      story_sleep_until (story, t + 8, woken, woken, 0, 11, 1, "main;work;nap");
    }
  story_sleep (story, 10010, 10160, 0, 11, 1, 12);
  story_switch (story, 10165, 0, 11, "S", 0);
  story_switch (story, 10500, 1, 12, "R", 12);
  return story_open_as (story, "alone");
}

/* Similar workers take turns with a lock. */
static TbTrace *
open_holders (void)
{
  Story *story = begin ("worker-1 worker-2 worker-3", 3);

  for (int t = 0; t < 50000; t += 10000)
    {
      story_wait_for_lock (story, t + 100, t + 1100, 13, 11, 0x7000, MUTEX);
      story_wait_for_lock (story, t + 1200, t + 3200, 12, 13, 0x7000, MUTEX);
      story_wait_for_lock (story, t + 3300, t + 7300, 11, 12, 0x7000, MUTEX);
    }
  return finish (story, 50000, "holders");
}

/* While one of three threads waits, the next one runs and then waits itself, finally for the
 * disk. */
static TbTrace *
open_chain (void)
{
  Story *story = begin ("worker worker worker", 3);

  for (int t = 0; t < 10000; t += 2000)
    {
      story_switch_with_stack (story, t + 100, 0, 11, "S", 0, "main;take;block");
      story_switch_with_stack (story, t + 200, 1, 12, "S", 0, "main;take;block");
      story_add (story, t + 300, "2,io_issue,,,,,,,13,vda,4096,,,1,");
      story_switch_with_stack (story, t + 300, 2, 13, "S", 0, "main;take;block");
      story_add (story, t + 500, "3,irq_entry,,,,,,,,vda,,,,,");
      story_add (story, t + 500, "3,io_complete,,,,,,,13,vda,4096,,,1,");
      story_wake (story, t + 500, 3, 0, 13);
      story_add (story, t + 500, "3,irq_exit,,,,,,,,vda,,,,,");
      story_switch (story, t + 600, 2, 0, "R", 13);
      story_wake (story, t + 1500, 2, 13, 12);
      story_switch (story, t + 1500, 1, 0, "R", 12);
      story_wake (story, t + 1700, 1, 12, 11);
      story_switch (story, t + 1700, 0, 0, "R", 11);
    }
  return finish (story, 10000, "chain");
}

/* Two threads wait in turn for each other, one of them at any time, and run for a fifth of the time
 * each. */
static TbTrace *
open_turns (void)
{
  Story *story = begin ("worker-1 worker-2", 2);

  story_switch_with_stack (story, 0, 0, 11, "S", 0, "main;work;lock");
  story_sleep_until (story, 1000, 4000, 4000, 1, 12, 1, "main;work;nap");
  story_wake (story, 5000, 1, 12, 11);
  story_switch_with_stack (story, 5000, 1, 12, "S", 0, "main;work;lock");
  story_switch (story, 5000, 0, 0, "R", 11);
  story_sleep_until (story, 6000, 9000, 9000, 0, 11, 1, "main;work;nap");
  story_wake (story, 10000, 0, 11, 12);
  story_switch (story, 10000, 1, 0, "R", 12);
  return story_open_as (story, "turns");
}

/* Two threads hand work to each other and get the CPU late. */
static TbTrace *
open_starved (void)
{
  Story *story = begin ("A B C", 2);

  for (int t = 0; t < 10000; t += 2000)
    {
      story_switch (story, t + 100, 0, 11, "S", 0);
      story_wake (story, t + 200, 1, 12, 11);
      story_switch (story, t + 900, 0, 0, "R", 11);
      story_switch (story, t + 300, 1, 12, "S", 0);
      story_wake (story, t + 1000, 0, 11, 12);
      story_switch (story, t + 1900, 1, 0, "R", 12);
    }
  return finish (story, 10000, "starved");
}

/* --- busy and idle threads --- */

/* Two similar threads run 0.6 ms of each ms, wait for a CPU, and sleep until a timer wakes them. */
static TbTrace *
open_workers (void)
{
  Story *story = begin ("worker-1 worker-2", 2);

  for (int cpu = 0; cpu < 2; cpu++)
    for (int t = 0; t < 10000; t += 1000)
      story_sleep_until (story, t + 600, t + 920, t + 1000, cpu, 11 + cpu, 1, "main;work;nap");
  return finish (story, 10000, "workers");
}

/* Threads of a process outside the target are one vertex. */
static TbTrace *
open_helper (void)
{
  Story *story = story_new ("A");

  story_name (story, 10, "app", 10);
  story_name (story, 30, "helper", 30);
  story_name (story, 31, "helper/one", 30);
  story_name (story, 32, "helper/two", 30);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 31);
  story_switch (story, 0, 2, 0, "R", 32);
  story_sleep (story, 1000, 9000, 0, 11, 1, 31);
  return finish (story, 10000, "helper");
}

/* A runs and is often runnable, B is idle, and C holds the CPU that A wants. */
static TbTrace *
open_wanting (void)
{
  Story *story = story_new ("A B C");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_switch (story, t + 400, 0, 11, "S", 13);
      story_wake_in_softirq (story, t + 800, 0, 13, 11, 1);
      story_switch (story, t + 1000, 0, 13, "S", 11);
      story_sleep_until (story, t + 450, t + 1000, t + 1000, 1, 12, 1, "main;work;nap");
    }
  return finish (story, 10000, "wanting");
}

/* A server that waits for messages. */
static TbTrace *
open_server (void)
{
  Story *story = begin ("server", 1);

  for (int t = 0; t < 10000; t += 1000)
    story_sleep_until (story, t + 100, t + 1000, t + 1000, 0, 11, 3, "main;work;nap");
  return finish (story, 10000, "server");
}

/* A waits for each kind of excluded waker, and briefly for B. longest: the kind for which it waits
 * longest. */
static TbTrace *
open_excluded (guint longest)
{
  Story *story = begin ("A B", 2);
  int to[] = { 1500, 3000, 4500, 6000, 7020 };

  to[longest] += 400;
  story_sleep_until (story, 1000, to[0], to[0], 0, 11, 1, "main;work;nap");
  story_switch (story, 2500, 0, 11, "S", 0);
  story_wake_in_softirq (story, to[1], 1, 12, 11, 6);
  story_switch (story, to[1], 0, 0, "R", 11);
  story_switch (story, 4000, 0, 11, "S", 0);
  story_wake (story, to[2], 0, 0, 11);
  story_switch (story, to[2], 0, 0, "R", 11);
  story_add (story, 5500, "0,spin_begin,,,,,,,11,,,,,,");
  story_add (story, to[3], "0,spin_end,,,,,,,11,,,,,,");
  story_sleep (story, 7000, to[4], 0, 11, 1, 12);
  return finish (story, 10000, "excluded");
}

/* A is busy. B waits longest for it, but more threads wait behind C's wait. */
static TbTrace *
open_sink (void)
{
  Story *story = begin ("A B C D", 4);

  story_sleep (story, 1000, 7000, 1, 12, 0, 11);
  story_sleep (story, 1500, 6500, 2, 13, 0, 11);
  story_sleep (story, 1500, 6600, 3, 14, 2, 13);
  return finish (story, 10000, "sink");
}

/* The disk always serves a thread that does not wait for it, and another thread waits for the
 * disk. */
static TbTrace *
open_disk (void)
{
  Story *story = begin ("A B", 2);

  for (int t = 0; t < 10000; t += 200)
    story_write (story, t, t + 250, 1, 12, 4096);
  for (int t = 1000; t < 9000; t += 1000)
    wait_for_disk (story, t, t + 300, 0, 11);
  return finish (story, 10000, "disk");
}

/* A waits only briefly for B. */
static TbTrace *
open_light (void)
{
  Story *story = begin ("A B", 2);

  story_sleep (story, 7000, 7020, 0, 11, 1, 12);
  return finish (story, 10000, "light");
}

/* --- work units and proposed annotations --- */

static void
add_false_wakeups (Story *story, int tid)
{
  for (int t = 0; t < 8000; t += 2000)
    {
      story_switch_with_stack (story, t + 100, tid - 11, tid, "S", 0, "main;take;block");
      story_wake (story, t + 600, 0, 11, tid);
      story_switch (story, t + 600, tid - 11, 0, "R", tid);
      story_switch_with_stack (story, t + 610, tid - 11, tid, "S", 0, "main;take;block");
      story_wake (story, t + 900, 1, 12, tid);
      story_switch (story, t + 900, tid - 11, 0, "R", tid);
    }
}

/* More threads with false wake-ups than are listed. */
static TbTrace *
open_candidates (void)
{
  Story *story = begin ("A B C D E F G H I", 9);

  for (int tid = 13; tid < 20; tid++)
    add_false_wakeups (story, tid);
  for (int i = 1; i <= 5; i++)
    story_add (story, i * 100, "0,mark,,,,,,,11,,,work,,,");
  return finish (story, 10000, "candidates");
}

/* A finally sleeps until B wakes it. Before that it runs the same function for 3 ms without a
 * system call. */
static TbTrace *
open_spins (void)
{
  Story *story = begin ("A B", 2);

  story_enter (story, 10, 0, 11, "read");
  story_add (story, 20, "0,sys_exit,,,,,,,11,,,read,,,");
  for (int us = 2000; us <= 5000; us += 200)
    story_sample (story, us, 0, 11, "main;lock;spin");
  story_sample (story, 5200, 0, 11, "main;work");
  for (int us = 6000; us <= 8000; us += 1000)
    story_sleep (story, us, us + 700, 0, 11, 1, 12);
  return finish (story, 10000, "spins");
}

/* Two short-lived threads that form a cycle of waits only as one vertex. */
static TbTrace *
open_circle (void)
{
  Story *story = begin ("A B", 2);

  for (int tid = 21; tid <= 22; tid++)
    {
      story_fork (story, 1000, 0, 11, tid);
      story_add (story, 1000, "0,name,,,,10,,,%d,,,task,,,", tid);
      story_switch (story, 1000, tid - 19, 0, "R", tid);
      story_switch (story, 2000, tid - 19, tid, "S", 0);
    }
  story_switch (story, 2000, 0, 11, "S", 0);
  story_wake (story, 6000, 1, 12, 22);
  story_switch (story, 6000, 3, 0, "R", 22);
  story_wake (story, 6100, 3, 22, 11);
  story_switch (story, 6100, 0, 0, "R", 11);
  story_wake (story, 6200, 0, 11, 21);
  story_switch (story, 6200, 2, 0, "R", 21);
  story_end (story, 6300, 2, 21);
  story_end (story, 6400, 3, 22);
  story_add (story, 20000, "1,mark,,,,,,,12,,,end,,,");
  return story_open_as (story, "circle");
}

/* A waits for the end of B. */
static TbTrace *
open_end (void)
{
  Story *story = begin ("A B", 2);

  story_wait_for_lock (story, 1000, 9000, 11, 12, 0x7000, JOIN);
  story_end (story, 9005, 1, 12);
  return finish (story, 10000, "end");
}

/* --- two recordings --- */

/* A server with work units at that period and, if there are two pairs, a heartbeat. */
static TbTrace *
open_load (const char *name, int period, int n_pairs)
{
  Story *story
      = begin (n_pairs == 2 ? "server worker beat listener" : "server worker", 2 * n_pairs);
  const int periods[] = { period, 25000 };

  for (int i = 0; i < n_pairs; i++)
    {
      int cpu = 2 * i, tid = 11 + 2 * i;

      story_switch (story, 10, cpu, tid, "S", 0);
      story_switch (story, 20, cpu + 1, tid + 1, "S", 0);
      for (int t = 1000; t + periods[i] <= 1000000; t += periods[i])
        {
          story_wake_in_softirq (story, t, cpu, 0, tid, 1);
          story_switch (story, t, cpu, 0, "R", tid);
          story_wake (story, t + 1000, cpu, tid, tid + 1);
          story_switch (story, t + 1000, cpu + 1, 0, "R", tid + 1);
          story_switch (story, t + 1001, cpu, tid, "S", 0);
          story_wake (story, t + 3000, cpu + 1, tid + 1, tid);
          story_switch (story, t + 3000, cpu, 0, "R", tid);
          story_switch (story, t + 3001, cpu + 1, tid + 1, "S", 0);
          if (i == 0)
            story_add (story, t + 3500, "0,mark,,,,,,,11,,,work,,,");
          story_switch (story, t + 4000, cpu, tid, "S", 0);
        }
    }
  story_add (story, 1000000, "0,mark,,,,,,,11,,,end,,,");
  return story_open_as (story, name);
}

static void
add_comparison (GString *golden, const char *heading, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbReport) report = report_compare ("wait-graph", base, other, NULL, NULL);

  golden_add (golden, heading, report);
}

static void
add_loads (GString *golden, const char *heading, int n_pairs)
{
  g_autoptr (TbTrace) low = open_load ("low", 40000, n_pairs);
  g_autoptr (TbTrace) high = open_load ("high", 10000, n_pairs);

  add_comparison (golden, heading, low, high);
}

/* --- what-if --- */

static TbTrace *
open_length (const char *name, int us)
{
  Story *story = begin ("A", 1);

  story_switch (story, us, 0, 11, "S", 0);
  return story_open_as (story, name);
}

static void
add_predictions (GString *golden)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbAnalysis) analysis = report_create_analysis ("wait-graph", NULL);
  g_autoptr (TbTrace) first = open_length ("first", 1000), second = open_length ("second", 5000);
  g_autoptr (TbSelection) selection = tb_selection_new (first);
  g_autoptr (GPtrArray) more = g_ptr_array_new ();
  g_autoptr (TbReport) report = NULL;
  const char *const changes[] = { "cpus=4", NULL };

  g_ptr_array_add (more, second);
  g_object_set (analysis, "what-if", changes, "more-traces", more, NULL);
  report = tb_analysis_run (analysis, first, selection, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  golden_add (golden, "what-if, of recordings that differ", report);
}

/* --- all recordings --- */

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
  { "turns", open_turns, { NULL } },
  { "workers", open_workers, { NULL } },
  { "helper", open_helper, { "target", "app" } },
  { "wanting a CPU", open_wanting, { NULL } },
  { "server", open_server, { NULL } },
  { "sink", open_sink, { NULL } },
  { "disk", open_disk, { NULL } },
  { "light", open_light, { NULL } },
  { "candidates", open_candidates, { "merge-similar", "no" } },
  { "similar candidates", open_candidates, { NULL } },
  { "applied candidates", open_candidates, { "apply", "all" } },
  { "busy waiting", open_spins, { NULL } },
  { "applied busy waiting", open_spins, { "apply", "all" } },
  { "circle", open_circle, { NULL } },
  { "end of a thread", open_end, { NULL } },
  { "what-if", open_hand_over, { "what-if", "edge:A>B*0.5" } },
};

static void
test_golden (void)
{
  static const char *const excluded[] = { "timer", "interrupt", "idle task", "busy wait", "B" };
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) figure = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) of_figure = wait_graph_analyze (figure, NULL);
  g_autoptr (TbTrace) busy = open_alone (300), idle = NULL, other = NULL;
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
      g_autofree char *heading
          = g_strdup_printf ("%s%s%s%s%s", stories[i].name, options[0] ? ", " : "",
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
  add_loads (golden, "comparison of loads", 2);
  add_loads (golden, "comparison of loads, without a heartbeat", 1);
  other = open_hand_over ();
  add_comparison (golden, "comparison of others", figure, other);
  add_predictions (golden);
  golden_compare (golden, "wait-graph");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/golden", test_golden);
  return recording_run_tests ();
}
