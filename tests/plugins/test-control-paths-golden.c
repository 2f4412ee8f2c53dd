/* test-control-paths-golden.c: golden test of the sentences of the analysis "control-paths"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"
#include "finding-checks.h"

static void
add_report (GString *golden, const char *heading, TbTrace *trace, const char *process)
{
  g_autoptr (TbReport) report = control_paths_explain (trace, process);

  golden_add (golden, heading, report);
}

static void
add_script (GString *golden, const char *heading, Script *script, const char *process)
{
  g_autoptr (TbTrace) trace = script_open (script);

  add_report (golden, heading, trace, process);
}

/* --- main activity of a contributor: runs 1 ms, waits until end_ms, runs 1 ms --- */

static Script *
begin_wait (char state, const char *stack)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "task", 10);
  script_name (script, 20, "rival", 20);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  if (state == 'R')
    script_switch (script, 1000, 0, 10, state, 20, stack);
  else
    script_switch (script, 1000, 0, 10, state, 0, stack);
  return script;
}

static void
end_wait (Script *script, gint64 us, gint32 from)
{
  script_switch (script, us, 0, from, from == 0 ? 'R' : 'S', 10, NULL);
  script_exit (script, us + 1000, 0, 10);
  script_switch (script, us + 1000, 0, 10, 'X', 0, NULL);
}

/* The thread waits for the disk from the request on; before the request the reason of the wait is
 * unknown. */
static Script *
make_disk (gint64 request_us, gint64 end_us)
{
  Script *script = begin_wait ('D', "main@task;fsync@libc.so");

  script_add (script, request_us, "0,io_insert,,,,,,,10,vda,4096,/var/log/x,,100,");
  script_add (script, request_us, "0,io_issue,,,,,,,10,vda,4096,/var/log/x,,100,");
  script_add (script, end_us, "0,irq_entry,,,,,,,,vda,,,,,");
  script_add (script, end_us, "0,io_complete,,,,,,,10,vda,4096,,,100,");
  script_wake (script, end_us, 0, 0, 10);
  script_add (script, end_us, "0,irq_exit,,,,,,,,vda,,,,,");
  end_wait (script, end_us, 0);
  return script;
}

static Script *
make_network (gint64 end_us)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "task", 10);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  script_add (script, 900, "0,net_send,,,,,,,10,,100,10.0.0.1:80,,,7");
  script_switch (script, 1000, 0, 10, 'S', 0, "main@task;recv@libc.so");
  script_add (script, end_us, "0,softirq_entry,,,,,,3,,,,,,,");
  script_add (script, end_us, "0,net_receive,,,,,,,10,,200,10.0.0.1:80,,,7");
  script_wake (script, end_us, 0, 0, 10);
  script_add (script, end_us, "0,softirq_exit,,,,,,3,,,,,,,");
  end_wait (script, end_us, 0);
  return script;
}

static Script *
make_timer (const char *stack, gint64 end_us)
{
  Script *script = begin_wait ('S', stack);

  script_wake_by_timer (script, end_us, 0, 10);
  end_wait (script, end_us, 0);
  return script;
}

static void
add_waits (GString *golden)
{
  Script *script;

  add_script (golden, "disk", make_disk (1000, 9000), "task");
  add_script (golden, "kernel", make_disk (8000, 9000), "task");
  add_script (golden, "network", make_network (9000), "task");
  add_script (golden, "sleep",
              make_timer ("main@task;nanosleep@libc.so;do_nanosleep@[kernel]", 9000), "task");
  add_script (golden, "time-out", make_timer ("main@task;poll@libc.so", 9000), "task");

  script = begin_wait ('S', "main@task;ioctl@libc.so");
  script_add (script, 9000, "0,irq_entry,,,,,,,,,,,,,");
  script_wake (script, 9000, 0, 0, 10);
  script_add (script, 9000, "0,irq_exit,,,,,,,,,,,,,");
  end_wait (script, 9000, 0);
  add_script (golden, "interrupt", script, "task");

  script = begin_wait ('R', "main@task;work@task");
  end_wait (script, 9000, 20);
  add_script (golden, "preempted", script, "task");

  script = begin_wait ('S', "main@task;poll@libc.so");
  script_wake_by_timer (script, 1100, 0, 10);
  end_wait (script, 9000, 0);
  add_script (golden, "ready", script, "task");

  script = begin_wait ('S', "main@task;wait@task");
  end_wait (script, 9000, 0);
  add_script (golden, "unknown", script, "task");

  script = begin_wait ('S', "main@task;wait@task");
  script_switch (script, 1000, 1, 0, 'R', 20, NULL);
  script_switch (script, 9000, 1, 20, 'S', 0, NULL);
  add_script (golden, "unfinished", script, "task");
}

/* --- several threads --- */

/* A task creates another one, which exits while the first polls for it. */
static Script *
make_oversleep (void)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "curl", 10);
  script_name (script, 20, "curl/resolver", 10);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  script_fork (script, 1000, 0, 10, 20);
  script_switch (script, 1000, 1, 0, 'R', 20, NULL);
  script_switch (script, 1050, 0, 10, 'S', 0, "main@curl;wait_resolv@curl;poll@libc.so");
  script_exit (script, 3000, 1, 20);
  script_switch (script, 3000, 1, 20, 'X', 0, NULL);
  script_wake_by_timer (script, 8000, 0, 10);
  script_switch (script, 8000, 0, 0, 'R', 10, NULL);
  script_exit (script, 9000, 0, 10);
  script_switch (script, 9000, 0, 10, 'X', 0, NULL);
  return script;
}

/* The first part of a child runs in parallel to its parent. */
static Script *
make_parallel (void)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "boss", 10);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  script_fork (script, 1000, 0, 10, 20);
  script_switch (script, 1020, 1, 0, 'R', 20, NULL);
  script_switch (script, 4000, 0, 10, 'S', 0, "main@boss;wait@boss");
  script_wake (script, 9000, 1, 20, 10);
  script_switch (script, 9010, 0, 0, 'R', 10, NULL);
  script_exit (script, 9020, 1, 20);
  script_switch (script, 9030, 1, 20, 'X', 0, NULL);
  script_switch (script, 10000, 0, 10, 'S', 0, NULL);
  return script;
}

/* Services that are woken without being waited for: one, or two with the same name. */
static Script *
make_asynchronous (gboolean two)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "main", 10);
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    {
      int cpu = tid - 19;

      script_name (script, tid, "logger", tid);
      script_switch (script, 0, cpu, 0, 'R', tid, NULL);
    }
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    script_switch (script, 100, tid - 19, tid, 'S', 0, "main@logger;get@logger");
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    {
      script_wake (script, 1000, 0, 10, tid);
      script_switch (script, 1000, tid - 19, 0, 'R', tid, NULL);
    }
  for (gint32 tid = 20; tid <= (two ? 21 : 20); tid++)
    script_switch (script, 3000, tid - 19, tid, 'S', 0, "main@logger;get@logger");
  script_switch (script, 7000, 0, 10, 'S', 0, NULL);
  return script;
}

/* The helper started 500 µs before the wait for it. */
static Script *
make_helper (void)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "asker", 10);
  script_name (script, 20, "helper", 20);
  script_switch (script, 0, 1, 0, 'R', 20, NULL);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  script_switch (script, 10, 1, 20, 'S', 0, "main@helper;wait@helper");
  script_wake_by_timer (script, 500, 1, 20);
  script_switch (script, 500, 1, 0, 'R', 20, NULL);
  script_switch (script, 1000, 0, 10, 'S', 0, "main@asker;ask@asker");
  script_wake (script, 5000, 1, 20, 10);
  script_switch (script, 5000, 0, 0, 'R', 10, NULL);
  script_switch (script, 5100, 1, 20, 'S', 0, "main@helper;wait@helper");
  script_switch (script, 8000, 0, 10, 'S', 0, "main@asker;rest@asker");
  return script;
}

/* Each thread wakes the other while both sleep. Events are lost later if lost_us is not 0. */
static Script *
make_contradictions (gint64 lost_us)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "one", 10);
  script_name (script, 20, "two", 20);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  script_switch (script, 0, 1, 0, 'R', 20, NULL);
  script_switch (script, 1000, 0, 10, 'S', 0, "main@one;wait@one");
  script_switch (script, 1000, 1, 20, 'S', 0, "main@two;wait@two");
  script_wake (script, 2000, 1, 20, 10);
  script_wake (script, 2000, 0, 10, 20);
  script_switch (script, 2100, 0, 0, 'R', 10, NULL);
  script_switch (script, 2100, 1, 0, 'R', 20, NULL);
  if (lost_us != 0 && lost_us < 5000)
    script_add (script, lost_us, "0,lost,,,,,,,,,7,,,,");
  script_switch (script, 5000, 0, 10, 'S', 0, "main@one;wait@one");
  if (lost_us >= 5000)
    script_add (script, lost_us, "0,lost,,,,,,,,,7,,,,");
  script_wake (script, 6000, 1, 20, 10);
  script_switch (script, 6000, 0, 0, 'R', 10, NULL);
  script_exit (script, 7000, 0, 10);
  script_switch (script, 7000, 0, 10, 'X', 0, NULL);
  return script;
}

/* --- comparison --- */

static void
add_comparison (GString *golden, const char *heading, Script *base_script, Script *other_script)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbTrace) base = script_open (base_script);
  g_autoptr (TbTrace) other = script_open (other_script);
  g_autoptr (TbAnalysis) analysis
      = tb_engine_create_analysis (tb_engine_get_default (), "control-paths", &error);
  g_autoptr (TbSelection) whole = tb_selection_new (other);
  g_autoptr (TbReport) report = NULL;

  g_assert_no_error (error);
  g_object_set (analysis, "process", "task", NULL);
  report = tb_analysis_compare (analysis, base, other, whole, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  golden_add (golden, heading, report);
}

static Script *
make_running (gint64 us)
{
  Script *script = g_string_new (NULL);

  script_name (script, 10, "task", 10);
  script_switch (script, 0, 0, 0, 'R', 10, NULL);
  script_exit (script, us, 0, 10);
  script_switch (script, us, 0, 10, 'X', 0, NULL);
  return script;
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

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) pipes = control_paths_open ("pipes.csv", NULL);

  add_report (golden, "pipes.csv", pipes, "front");
  add_waits (golden);
  add_script (golden, "oversleep", make_oversleep (), "10");
  add_script (golden, "parallel", make_parallel (), "boss");
  add_script (golden, "asynchronous", make_asynchronous (FALSE), "main");
  add_script (golden, "asynchronous, two", make_asynchronous (TRUE), "main");
  add_script (golden, "grace", make_helper (), "asker");
  add_script (golden, "contradictions", make_contradictions (0), "one");
  add_script (golden, "lost in a run", make_contradictions (4000), "one");
  add_script (golden, "lost in a wait", make_contradictions (5500), "one");
  add_comparisons (golden);
  golden_compare (golden, "control-paths");
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  control_paths_fixture_init ();
  g_test_add_func ("/control-paths/golden", test_golden);
  result = g_test_run ();
  control_paths_fixture_clear ();
  return result;
}
