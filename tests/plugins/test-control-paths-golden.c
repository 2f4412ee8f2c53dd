/* test-control-paths-golden.c: golden test of the sentences of the analysis "control-paths"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

static void
add_report (GString *golden, const char *heading, TbTrace *trace, const char *process)
{
  g_autoptr (TbReport) report = control_paths_explain (trace, process);

  golden_add (golden, heading, report);
}

static void
add_story (GString *golden, const char *heading, Story *story, const char *process)
{
  g_autoptr (TbTrace) trace = story_open (story);

  add_report (golden, heading, trace, process);
}

/* --- main activity of a contributor: runs 1 ms, waits until end_ms, runs 1 ms --- */

static Story *
begin_wait (const char *state, const char *stack)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "task", 10);
  story_name (story, 20, "rival", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 1000, 0, 10, state, g_str_equal (state, "R") ? 20 : 0, stack);
  return story;
}

static void
end_wait (Story *story, gint64 us, gint32 from)
{
  story_switch (story, us, 0, from, from == 0 ? "R" : "S", 10);
  story_end (story, us + 1000, 0, 10);
}

/* The thread waits for the disk from the request on; before the request the reason of the wait is
 * unknown. */
static Story *
make_disk (gint64 request_us, gint64 end_us)
{
  Story *story = begin_wait ("D", "main@task;fsync@libc.so");

  story_add (story, request_us, "0,io_insert,,,,,,,10,vda,4096,/var/log/x,,100,");
  story_add (story, request_us, "0,io_issue,,,,,,,10,vda,4096,/var/log/x,,100,");
  story_add (story, end_us, "0,irq_entry,,,,,,,,vda,,,,,");
  story_add (story, end_us, "0,io_complete,,,,,,,10,vda,4096,,,100,");
  story_wake (story, end_us, 0, 0, 10);
  story_add (story, end_us, "0,irq_exit,,,,,,,,vda,,,,,");
  end_wait (story, end_us, 0);
  return story;
}

static Story *
make_network (gint64 end_us)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "task", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_add (story, 900, "0,net_send,,,,,,,10,,100,10.0.0.1:80,,,7");
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@task;recv@libc.so");
  story_add (story, end_us, "0,softirq_entry,,,,,,3,,,,,,,");
  story_add (story, end_us, "0,net_receive,,,,,,,10,,200,10.0.0.1:80,,,7");
  story_wake (story, end_us, 0, 0, 10);
  story_add (story, end_us, "0,softirq_exit,,,,,,3,,,,,,,");
  end_wait (story, end_us, 0);
  return story;
}

static Story *
make_timer (const char *stack, gint64 end_us)
{
  Story *story = begin_wait ("S", stack);

  story_wake_by_timer (story, end_us, 0, 10);
  end_wait (story, end_us, 0);
  return story;
}

static void
add_waits (GString *golden)
{
  Story *story;

  add_story (golden, "disk", make_disk (1000, 9000), "task");
  add_story (golden, "kernel", make_disk (8000, 9000), "task");
  add_story (golden, "network", make_network (9000), "task");
  add_story (golden, "sleep",
             make_timer ("main@task;nanosleep@libc.so;do_nanosleep@[kernel]", 9000), "task");
  add_story (golden, "time-out", make_timer ("main@task;poll@libc.so", 9000), "task");

  story = begin_wait ("S", "main@task;ioctl@libc.so");
  story_wake_by_device (story, 9000, 0, "", 10);
  end_wait (story, 9000, 0);
  add_story (golden, "interrupt", story, "task");

  story = begin_wait ("R", "main@task;work@task");
  end_wait (story, 9000, 20);
  add_story (golden, "preempted", story, "task");

  story = begin_wait ("S", "main@task;poll@libc.so");
  story_wake_by_timer (story, 1100, 0, 10);
  end_wait (story, 9000, 0);
  add_story (golden, "ready", story, "task");

  story = begin_wait ("S", "main@task;wait@task");
  end_wait (story, 9000, 0);
  add_story (golden, "unknown", story, "task");

  story = begin_wait ("S", "main@task;wait@task");
  story_switch (story, 1000, 1, 0, "R", 20);
  story_switch (story, 9000, 1, 20, "S", 0);
  add_story (golden, "unfinished", story, "task");
}

/* --- several threads --- */

/* A task creates another one, which exits while the first polls for it. */
static Story *
make_oversleep (void)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "curl", 10);
  story_name (story, 20, "curl/resolver", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_fork (story, 1000, 0, 10, 20);
  story_switch (story, 1000, 1, 0, "R", 20);
  story_switch_with_stack (story, 1050, 0, 10, "S", 0, "main@curl;wait_resolv@curl;poll@libc.so");
  story_end (story, 3000, 1, 20);
  story_wake_by_timer (story, 8000, 0, 10);
  story_switch (story, 8000, 0, 0, "R", 10);
  story_end (story, 9000, 0, 10);
  return story;
}

/* The first part of a child runs in parallel to its parent. */
static Story *
make_parallel (void)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "boss", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_fork (story, 1000, 0, 10, 20);
  story_switch (story, 1020, 1, 0, "R", 20);
  story_switch_with_stack (story, 4000, 0, 10, "S", 0, "main@boss;wait@boss");
  story_wake (story, 9000, 1, 20, 10);
  story_switch (story, 9010, 0, 0, "R", 10);
  story_exit (story, 9020, 1, 20);
  story_switch (story, 9030, 1, 20, "X", 0);
  story_switch (story, 10000, 0, 10, "S", 0);
  return story;
}

/* Services that are woken without being waited for: one, or two with the same name. */
static Story *
make_asynchronous (gboolean two)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "main", 10);
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    {
      int cpu = tid - 19;

      story_name (story, tid, "logger", tid);
      story_switch (story, 0, cpu, 0, "R", tid);
    }
  story_switch (story, 0, 0, 0, "R", 10);
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    story_switch_with_stack (story, 100, tid - 19, tid, "S", 0, "main@logger;get@logger");
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    {
      story_wake (story, 1000, 0, 10, tid);
      story_switch (story, 1000, tid - 19, 0, "R", tid);
    }
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    story_switch_with_stack (story, 3000, tid - 19, tid, "S", 0, "main@logger;get@logger");
  story_switch (story, 7000, 0, 10, "S", 0);
  return story;
}

/* The helper started 500 µs before the wait for it. */
static Story *
make_helper (void)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "asker", 10);
  story_name (story, 20, "helper", 20);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch_with_stack (story, 10, 1, 20, "S", 0, "main@helper;wait@helper");
  story_wake_by_timer (story, 500, 1, 20);
  story_switch (story, 500, 1, 0, "R", 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@asker;ask@asker");
  story_wake (story, 5000, 1, 20, 10);
  story_switch (story, 5000, 0, 0, "R", 10);
  story_switch_with_stack (story, 5100, 1, 20, "S", 0, "main@helper;wait@helper");
  story_switch_with_stack (story, 8000, 0, 10, "S", 0, "main@asker;rest@asker");
  return story;
}

/* Each thread wakes the other while both sleep. Events are lost later if lost_us is not 0. */
static Story *
make_contradictions (gint64 lost_us)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "one", 10);
  story_name (story, 20, "two", 20);
  story_switch (story, 0, 0, 0, "R", 10);
  story_switch (story, 0, 1, 0, "R", 20);
  story_switch_with_stack (story, 1000, 0, 10, "S", 0, "main@one;wait@one");
  story_switch_with_stack (story, 1000, 1, 20, "S", 0, "main@two;wait@two");
  story_wake (story, 2000, 1, 20, 10);
  story_wake (story, 2000, 0, 10, 20);
  story_switch (story, 2100, 0, 0, "R", 10);
  story_switch (story, 2100, 1, 0, "R", 20);
  if (lost_us != 0 && lost_us < 5000)
    story_add (story, lost_us, "0,lost,,,,,,,,,7,,,,");
  story_switch_with_stack (story, 5000, 0, 10, "S", 0, "main@one;wait@one");
  if (lost_us >= 5000)
    story_add (story, lost_us, "0,lost,,,,,,,,,7,,,,");
  story_wake (story, 6000, 1, 20, 10);
  story_switch (story, 6000, 0, 0, "R", 10);
  story_end (story, 7000, 0, 10);
  return story;
}

/* --- comparison --- */

static void
add_comparison (GString *golden, const char *heading, Story *base_story, Story *other_story)
{
  g_autoptr (TbTrace) base = story_open (base_story);
  g_autoptr (TbTrace) other = story_open (other_story);
  g_autoptr (TbReport) report
      = report_compare ("control-paths", base, other, NULL, "process", "task", NULL);

  golden_add (golden, heading, report);
}

static Story *
make_running (gint64 us)
{
  Story *story = story_new (NULL);

  story_name (story, 10, "task", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  story_end (story, us, 0, 10);
  return story;
}

static void
add_comparisons (GString *golden)
{
  add_comparison (golden, "compared: running", make_running (5000), make_running (9000));
  add_comparison (golden, "compared: running less", make_running (9000), make_running (5000));
  add_comparison (golden, "compared: disk", make_disk (1000, 5000), make_disk (1000, 9000));
  add_comparison (golden, "compared: network", make_network (5000), make_network (9000));
  add_comparison (golden, "compared: sleep",
                  make_timer ("main@task;nanosleep@libc.so;do_nanosleep@[kernel]", 5000),
                  make_timer ("main@task;nanosleep@libc.so;do_nanosleep@[kernel]", 9000));
  add_comparison (golden, "compared: the same", make_running (5000), make_running (5000));
}

/* One run with ten samples: the function with most of them has its share, named outside of the C
 * library; the one in the middle of the run is another. */
static Story *
make_samples (void)
{
  static const char *const stacks[] = {
    "main@zip;pack@libzip.so;memcpy@libc.so.6",
    "main@zip;pack@libzip.so",
    "main@zip;pack@libzip.so;memcpy@libc.so.6",
    "main@zip;pack@libzip.so",
    "main@zip;check@zip",
    "main@zip;check@zip",
    "main@zip;pack@libzip.so",
    "main@zip;pack@libzip.so;memcpy@libc.so.6",
    "main@zip;check@zip",
    "read@libc.so.6",
  };
  Story *story = story_new (NULL);

  story_name (story, 10, "zip", 10);
  story_switch (story, 0, 0, 0, "R", 10);
  for (guint i = 0; i < G_N_ELEMENTS (stacks); i++)
    story_sample (story, 500 + i * 1000, 0, 10, stacks[i]);
  story_switch (story, 10000, 0, 10, "S", 0);
  return story;
}

/* Three processes of one name, one after another, for which the same process waits. */
static Story *
make_equal_processes (gboolean has_rival)
{
  Story *story = story_new (NULL);
  gint64 at = 1000;

  story_name (story, 10, "make", 10);
  story_name (story, 40, "rival", 40);
  story_switch (story, 0, 0, 0, "R", 10);
  for (gint32 i = 0; i < 3; i++)
    {
      gint32 tid = 20 + i;
      gint64 end = at + 1000 * (i + 1);

      story_fork (story, at, 0, 10, tid);
      story_name (story, tid, "cc", tid);
      story_switch_with_stack (story, at + 10, 0, 10, "S", 0, "main@make;wait4@libc.so.6");
      story_switch (story, at + 10, 1, 0, "R", tid);
      if (has_rival && i == 2)
        {
          story_switch (story, at + 100, 1, tid, "R", 40);
          story_switch (story, end - 100, 1, 40, "S", tid);
        }
      story_wake (story, end, 1, tid, 10);
      story_switch (story, end, 0, 0, "R", 10);
      story_end (story, end + 5, 1, tid);
      at = end + 100;
    }
  story_switch (story, at, 0, 10, "S", 0);
  return story;
}

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) pipes = story_open_file ("fixtures/events/pipes.csv");

  add_report (golden, "pipes.csv", pipes, "front");
  add_waits (golden);
  add_story (golden, "oversleep", make_oversleep (), "10");
  add_story (golden, "parallel", make_parallel (), "boss");
  add_story (golden, "asynchronous", make_asynchronous (FALSE), "main");
  add_story (golden, "asynchronous, two", make_asynchronous (TRUE), "main");
  add_story (golden, "samples", make_samples (), "zip");
  add_story (golden, "equal processes", make_equal_processes (FALSE), "make");
  add_story (golden, "equal processes, one of them preempted", make_equal_processes (TRUE), "make");
  add_story (golden, "grace", make_helper (), "asker");
  add_story (golden, "contradictions", make_contradictions (0), "one");
  add_story (golden, "lost in a run", make_contradictions (4000), "one");
  add_story (golden, "lost in a wait", make_contradictions (5500), "one");
  add_comparisons (golden);
  golden_compare (golden, "control-paths");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths/golden", test_golden);
  return recording_run_tests ();
}
