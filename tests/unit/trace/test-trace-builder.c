/* test-trace-builder.c: test of each rule of a thread's states, in a trace of a few events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <gio/gio.h>

#include "trace-events.h"

#define US 1000
#define NONE TB_ID_NONE

/* Two threads alternate on a CPU: the plain case. */
static void
test_states (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 3);

  events_process (events, 0, 0, TB_PROCESS_EXISTING, 1, NONE);
  events_process (events, 0, 0, TB_PROCESS_EXISTING, 2, NONE);
  events_switch (events, 100, 0, 0, 'R', 1);
  events_switch (events, 200, 0, 1, 'S', 0);
  events_switch (events, 300, 1, 0, 'R', 2);
  events_wakeup (events, 350, 1, 2, 1, 0);
  events_switch (events, 400, 0, 0, 'R', 1);
  events_switch (events, 500, 0, 1, '+', 0);
  events_switch (events, 600, 0, 0, 'R', 1);
  events_switch (events, 700, 0, 1, 'D', 0);
  assert_life (events, 1,
               "?0-100[ R100-200 S200-350<t2 q350-400 R400-500 p500-600 R600-700 D700-1000]");
  assert_life (events, 2, "?0-300[ R300-1000]");
  assert_life (events, 0, "");
}

static void
test_letters (void)
{
  static const struct
  {
    char letter;
    const char *life;
  } cases[] = {
    { 'S', "R0-10 S10-100]" }, { 'I', "R0-10 S10-100]" }, { 'P', "R0-10 S10-100]" },
    { 'D', "R0-10 D10-100]" }, { 'K', "R0-10 D10-100]" }, { 'T', "R0-10 T10-100]" },
    { 't', "R0-10 T10-100]" }, { 'R', "R0-10 p10-100]" }, { '+', "R0-10 p10-100]" },
    { 'X', "R0-10" },          { 'Z', "R0-10" },          { '?', "R0-10 S10-100]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = events_new (0, 100, 2);

      events_switch (events, 0, 0, 0, 'R', 1);
      events_switch (events, 10, 0, 1, cases[i].letter, 0);
      assert_life (events, 1, cases[i].life);
    }
}

static void
test_waking_before_switch_out (void)
{
  g_autoptr (Events) events = events_new (0, 1000 * US, 3);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 2);
  /* 100 µs before: no wait */
  events_wakeup (events, 100 * US, 1, 2, 1, 0);
  events_switch (events, 200 * US, 0, 1, 'S', 0);
  events_switch (events, 300 * US, 0, 0, 'R', 1);
  /* one nanosecond earlier: stray */
  events_wakeup (events, 400 * US - 1, 1, 2, 1, 0);
  events_switch (events, 500 * US, 0, 1, 'S', 0);
  events_wakeup (events, 550 * US, 1, 2, 1, 0);
  events_switch (events, 600 * US, 0, 0, 'R', 1);
  /* early, but another wake-up follows, which ends the wait */
  events_wakeup (events, 690 * US, 1, 2, 1, 0);
  events_switch (events, 700 * US, 0, 1, 'S', 0);
  events_wakeup (events, 750 * US, 1, 2, 1, 0);
  events_switch (events, 800 * US, 0, 0, 'R', 1);
  /* early, then preempted: stray */
  events_wakeup (events, 890 * US, 1, 2, 1, 0);
  events_switch (events, 900 * US, 0, 1, '+', 0);

  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (
      life, ==,
      "R0-200000 q200000-300000 R300000-500000 S500000-550000<t2 q550000-600000 R600000-700000 "
      "S700000-750000<t2 q750000-800000 R800000-900000 p900000-1000000]");
  g_assert_cmpuint (output.counts.stray_wakeups, ==, 3);
  g_assert_cmpuint (output.counts.sleeps_without_wakeup, ==, 0);
}

static void
test_waking_grace_is_an_option (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 2);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_wakeup (events, 100, 1, NONE, 1, 0);
  events_switch (events, 200, 0, 1, 'S', 0);
  g_assert_true (tb_trace_build (events_get_input (events, 99), &output, NULL, NULL, NULL, NULL));
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-200 S200-1000]");
  g_assert_cmpuint (output.counts.stray_wakeups, ==, 1);
}

/* With equal time stamps, the wake-up comes before the switch. */
static void
test_waking_at_switch_out (void)
{
  g_autoptr (Events) events = events_new (0, 100, 3);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 20, 0, 1, 'S', 0);
  events_wakeup (events, 20, 1, 2, 1, 0);
  events_switch (events, 30, 0, 0, 'R', 1);
  assert_life (events, 1, "R0-20 q20-30 R30-100]");
}

static void
test_stray_wakings (void)
{
  g_autoptr (Events) events = events_new (0, 1000 * US, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_wakeup (events, 100 * US, 1, 2, 1, 0); /* the wakee runs */
  events_switch (events, 300 * US, 0, 1, 'S', 0);
  events_wakeup (events, 400 * US, 0, 1, 1, 0); /* by the wakee itself */
  events_wakeup (events, 500 * US, 1, 2, 1, 0);
  events_wakeup (events, 600 * US, 1, 2, 1, 0); /* the wakee is runnable */
  events_switch (events, 700 * US, 0, 0, 'R', 1);
  events_wakeup (events, 800 * US, 1, 2, 0, 0);  /* the idle task as wakee */
  events_wakeup (events, 800 * US, 1, 2, 77, 0); /* unknown wakee */
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-300000 S300000-500000<t2 q500000-700000 R700000-1000000]");
  g_assert_cmpuint (output.counts.stray_wakeups, ==, 3);
  g_assert_cmpuint (output.counts.self_wakeups, ==, 1);
}

static void
test_sleep_without_waking (void)
{
  g_autoptr (Events) events = events_new (0, 100, 2);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 20, 0, 1, 'D', 0);
  events_switch (events, 50, 0, 0, 'R', 1);
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-20 D20-50<?! R50-100]");
  g_assert_cmpuint (output.counts.sleeps_without_wakeup, ==, 1);
}

/* A switch-out of a thread without a known switch-in: its state before is unknown. */
static void
test_unknown_switch_out (void)
{
  g_autoptr (Events) events = events_new (0, 100, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *three = NULL;

  events_process (events, 0, 0, TB_PROCESS_EXISTING, 3, NONE);
  events_switch (events, 10, 0, 3, 'S', 1); /* the first one on its CPU contradicts nothing */
  events_switch (events, 20, 0, 1, 'S', 2);
  events_switch (events, 30, 0, 1, 'S', 0); /* 2 was assumed to run, 1 to sleep */
  events_build (events, &output);
  one = describe_thread (&output, 1);
  two = describe_thread (&output, 2);
  three = describe_thread (&output, 3);
  g_assert_cmpstr (one, ==, "R10-20 ?20-30! S30-100]");
  g_assert_cmpstr (two, ==, "?20-100!]");
  g_assert_cmpstr (three, ==, "?0-10[ S10-100]");
  g_assert_cmpuint (output.counts.unknown_switch_outs, ==, 2);
}

/* Neither the wake-up nor the switch-in is recorded, only the switch-in of another thread on that
 * CPU, and this thread's activity there. */
static void
test_inferred_run (void)
{
  g_autoptr (Events) events = events_new (0, 100, 5);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *three = NULL;

  events_switch (events, 5, 0, 4, 'S', 1);
  events_switch (events, 10, 0, 1, 'S', 0);
  events_switch (events, 15, 1, 4, 'S', 2);
  events_switch (events, 20, 1, 2, 'R', 3);
  events_switch (events, 50, 0, 0, 'R', 4);
  events_sample (events, 60, 1, 1); /* on another CPU: no evidence for this one */
  events_sample (events, 70, 0, 1);
  events_wakeup (events, 72, 1, 2, 4, 0);
  events_sample (events, 75, 0, 1);
  events_switch (events, 80, 0, 1, 'S', 0);
  events_switch (events, 90, 1, 2, 'S', 0);
  events_build (events, &output);
  one = describe_thread (&output, 1);
  two = describe_thread (&output, 2);
  three = describe_thread (&output, 3);
  g_assert_cmpstr (one, ==, "R5-10 S10-50<?! ?50-70! R70-80 S80-100]");
  g_assert_cmpstr (two, ==, "R15-20 ?20-72! R72-90 S90-100]");
  g_assert_cmpstr (three, ==, "?20-100!]");
  g_assert_cmpuint (output.counts.unknown_switch_outs, ==,
                    5); /* 1 and 2 are inferred to run, 3 and 4 are in a lost range, 4 slept */
  g_assert_cmpuint (output.counts.sleeps_without_wakeup, ==, 2);
}

/* The thread was never recorded running, only its end. */
static void
test_inferred_run_at_exit (void)
{
  g_autoptr (Events) events = events_new (0, 100, 4);

  events_switch (events, 5, 0, 3, 'R', 1);
  events_switch (events, 10, 0, 1, 'S', 2);
  events_wakeup (events, 30, 1, 3, 1, 0);
  events_process (events, 60, 0, TB_PROCESS_EXIT, 1, NONE);
  events_switch (events, 70, 0, 1, 'X', 0);
  assert_life (events, 1, "R5-10 S10-30<t3 ?30-59! R59-70");
}

static void
test_missed_switch_out (void)
{
  g_autoptr (Events) events = events_new (0, 100, 2);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 40, 1, 0, 'R', 1); /* it ran on CPU 0 */
  events_switch (events, 60, 1, 1, 'S', 0);
  assert_life (events, 1, "?0-40! R40-60 S60-100]");
}

static void
test_start_and_end (void)
{
  g_autoptr (Events) events = events_new (100, 1000, 6);

  events_process (events, 150, 0, TB_PROCESS_EXISTING, 1, NONE); /* listed: alive since the start */
  events_process (events, 300, 0, TB_PROCESS_FORK, 2, 1);        /* forked: since then, runnable */
  events_process (events, 310, 0, TB_PROCESS_NAME, 3, NONE);     /* else: since its first event */
  events_wakeup (events, 320, 0, 1, 2, TB_WAKEUP_NEW);
  events_switch (events, 400, 0, 0, 'R', 2);
  events_process (events, 450, 0, TB_PROCESS_EXIT, 2, NONE);
  events_switch (events, 460, 0, 2, 'X', 0); /* it ran on until then */
  events_wakeup (events, 500, 0, 1, 3, 0);
  events_syscall (events, 600, 700, 4, TB_SYSCALL_POLL);
  assert_life (events, 1, "?100-1000[]");
  assert_life (events, 2, "q300-400 R400-460");
  assert_life (events, 3, "?310-500<t1 q500-1000]");
  assert_life (events, 4, "?600-1000]");
  assert_life (events, 5, "");
}

static void
test_exit_in_mid_wait (void)
{
  g_autoptr (Events) events = events_new (0, 100, 3);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 10, 0, 1, 'S', 0);
  events_process (events, 40, 1, TB_PROCESS_EXIT, 1, NONE);
  events_wakeup (events, 50, 1, 2, 1, 0);
  events_switch (events, 60, 0, 0, 'R', 1);
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-10 S10-40");
  g_assert_cmpuint (output.counts.sleeps_without_wakeup, ==, 0);
  g_assert_cmpuint (output.counts.stray_wakeups, ==, 1);
}

/* The exit of a thread is recorded before it notifies its parent, and before its last switch. */
static void
test_run_after_exit (void)
{
  g_autoptr (Events) events = events_new (0, 100, 8);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_process (events, 10, 0, TB_PROCESS_EXIT, 1, NONE);
  events_switch (events, 12, 0, 1, 'R', 2); /* preempted after its exit */
  events_process (events, 20, 0, TB_PROCESS_EXIT, 2, NONE);
  events_switch (events, 22, 0, 2, 'D', 1); /* waits after its exit */
  events_wakeup (events, 24, 0, 1, 2, 0);
  events_switch (events, 26, 0, 1, 'Z', 2);
  events_switch (events, 29, 0, 2, TB_PREV_STATE_ASLEEP, 3); /* no state that shows its end */
  events_process (events, 40, 0, TB_PROCESS_EXIT, 3, NONE);  /* its last switch was not recorded */
  events_process (events, 50, 1, TB_PROCESS_EXISTING, 4, NONE);
  events_process (events, 60, 1, TB_PROCESS_EXIT, 4, NONE);
  events_switch (events, 65, 1, 4, TB_PREV_STATE_UNKNOWN, 0);
  events_wakeup (events, 66, 1, 4, 5, 0); /* its number only */
  events_switch (events, 70, 1, 0, 'R', 6);
  events_process (events, 80, 1, TB_PROCESS_EXIT, 6, NONE);
  events_switch (events, 85, 1, 6, 'R', 7); /* preempted at the end of the recording */
  assert_life (events, 1, "R0-12 p12-22 R22-26");
  assert_life (events, 2, "R12-22 D22-24<t1 q24-26 R26-29");
  assert_life (events, 3, "R29-40");
  assert_life (events, 4, "?0-65[");
  assert_life (events, 6, "R70-85 p85-100]");
}

/* Where events were lost after an exit, the thread has ended. */
static void
test_loss_after_exit (void)
{
  g_autoptr (Events) events = events_new (0, 100, 3);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_process (events, 10, 0, TB_PROCESS_EXIT, 1, NONE);
  events_switch (events, 12, 0, 1, 'R', 2);
  events_lost (events, 20, 30, 0, 1);
  assert_life (events, 1, "R0-12 p12-20!");
}

/* A reused TID is another thread, with another ID; no state of the first one is carried over. */
static void
test_pid_reuse (void)
{
  g_autoptr (Events) events = events_new (0, 100, 3);

  events_process (events, 0, 0, TB_PROCESS_EXISTING, 1, NONE);
  events_switch (events, 5, 0, 0, 'R', 1);
  events_process (events, 20, 0, TB_PROCESS_EXIT, 1, NONE);
  events_switch (events, 22, 0, 1, 'Z', 0);
  events_process (events, 50, 1, TB_PROCESS_FORK, 2, NONE);
  events_switch (events, 60, 0, 0, 'R', 2);
  assert_life (events, 1, "?0-5[ R5-22");
  assert_life (events, 2, "q50-60 R60-100]");
}

/* An exec ends the run of one program and begins that of another, without a sleep. A new name
 * changes nothing. */
static void
test_exec_and_names (void)
{
  g_autoptr (Events) events = events_new (0, 100, 2);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_process (events, 10, 0, TB_PROCESS_NAME, 1, NONE);
  events_process (events, 30, 0, TB_PROCESS_EXEC, 1, NONE);
  events_process (events, 30, 0, TB_PROCESS_NAME, 1, NONE);
  events_switch (events, 80, 0, 1, 'S', 0);
  assert_life (events, 1, "R0-30 R30-80 S80-100]");
}

/* On a CPU without switches, a sample shows the running thread. */
static void
test_run_inferred_from_sample (void)
{
  g_autoptr (Events) events = events_new (0, 100, 4);

  events_process (events, 0, 0, TB_PROCESS_EXISTING, 1, NONE);
  events_process (events, 0, 0, TB_PROCESS_EXISTING, 2, NONE);
  events_process (events, 0, 0, TB_PROCESS_EXISTING, 3, NONE);
  events_sample (events, 10, 0, 1);
  events_sample (events, 15, 1, 2);
  events_sample (events, 20, 0, 1);
  events_sample (events, 50, 1, 3); /* after the CPU's first switch: no new information */
  events_switch (events, 40, 1, 2, 'S', 0);
  assert_life (events, 1, "?0-10[ R10-100]");
  assert_life (events, 2, "?0-15[ R15-40 S40-100]");
  assert_life (events, 3, "?0-100[]");
}

static void
test_lost (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 6);
  g_auto (TbTraceOutput) output = { 0 };
  static const char *const lives[] = {
    NULL,
    "R0-100 S100-300! ?300-600<t4! q600-700 R700-1000]", /* the wait is cut, nothing is joined */
    "R0-300! ?300-500! S500-1000]",                      /* ran on the CPU with the loss */
    "R0-900 S900-1000]",                                 /* ran on another CPU */
    "R0-1000]",
    "R0-100 S100-150<t4 q150-300! ?300-1000!]",
  };

  events_switch (events, 0, 0, 0, 'R', 2);
  events_switch (events, 0, 1, 0, 'R', 3);
  events_switch (events, 0, 2, 0, 'R', 1);
  events_switch (events, 0, 3, 0, 'R', 4);
  events_switch (events, 0, 4, 0, 'R', 5);
  events_switch (events, 100, 2, 1, 'S', 0);
  events_switch (events, 100, 4, 5, 'S', 0);
  events_wakeup (events, 150, 3, 4, 5, 0);
  events_lost (events, 300, 400, 0, 7);
  events_switch (events, 500, 0, 2, 'S', 0);
  events_wakeup (events, 600, 3, 4, 1, 0);
  events_switch (events, 700, 2, 0, 'R', 1);
  events_switch (events, 900, 1, 3, 'S', 0);
  events_build (events, &output);
  for (guint i = 1; i < G_N_ELEMENTS (lives); i++)
    {
      g_autofree char *life = describe_thread (&output, i);

      g_assert_cmpstr (life, ==, lives[i]);
    }
  g_assert_cmpuint (output.counts.lost_events, ==, 7);
  g_assert_cmpint (output.counts.lost_ns, ==, 100);
}

/* The length of lost ranges is that of their union. A lost range of an unknown CPU cuts every
 * run. */
static void
test_lost_everywhere (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 2);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_lost (events, 300, 400, TB_CPU_ALL, 2);
  events_lost (events, 350, 450, 1, 3);
  events_lost (events, 600, 600, 1, 1);
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-300! ?300-1000!]");
  g_assert_cmpuint (output.counts.lost_events, ==, 6);
  g_assert_cmpint (output.counts.lost_ns, ==, 151);
}

static void
test_cpu_without_idle (void)
{
  g_autoptr (Events) events = events_new (0, 100, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *one = NULL;

  events_switch (events, 0, 0, 0, 'R', 3);
  events_switch (events, 10, 0, 3, 'S', 0);
  events_switch (events, 10, 1, 2, 'S', 1);
  events_switch (events, 20, 1, 1, 'S', 0);
  events_wakeup (events, 30, 0, 3, 1, 0);
  events_switch (events, 60, 1, 1, 'S', 0); /* from the idle task to 1: not recorded */
  events_build (events, &output);
  one = describe_thread (&output, 1);
  g_assert_cmpstr (one, ==, "R10-20 S20-30<t3 ?30-60! S60-100]");
  g_assert_cmpuint (output.counts.cpus_without_idle, ==, 1);
}

static void
test_false_wakeup (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *life = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 100, 0, 1, 'S', 0);
  events_wakeup (events, 200, 1, 2, 1, 0);
  events_switch (events, 250, 0, 0, 'R', 1);
  events_switch (events, 260, 0, 1, '+', 3); /* preempted in between */
  events_switch (events, 270, 0, 3, 'S', 1);
  events_mark (events, 280, TB_MARK_FALSE_WAKEUP, 1, NONE);
  events_switch (events, 300, 0, 1, 'D', 0);
  events_wakeup (events, 400, 1, 3, 1, 0);
  events_switch (events, 450, 0, 0, 'R', 1);
  events_mark (events, 460, TB_MARK_FALSE_WAKEUP, 1, NONE); /* once more */
  events_switch (events, 500, 0, 1, 'S', 0);
  events_wakeup (events, 600, 1, 2, 1, 0);
  events_switch (events, 650, 0, 0, 'R', 1);
  events_mark (events, 655, TB_MARK_FALSE_WAKEUP, 2, NONE); /* of a thread that never slept */
  events_build (events, &output);
  life = describe_thread (&output, 1);
  g_assert_cmpstr (life, ==, "R0-100 S100-600<t2 q600-650 R650-1000]");
  g_assert_cmpuint (output.counts.merged_false_wakeups, ==, 2);
  g_assert_cmpuint (output.counts.unmatched_marks, ==, 1);
}

static void
test_spin (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;
  g_autofree char *three = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 2);
  events_switch (events, 0, 2, 0, 'R', 3);
  events_mark (events, 100, TB_MARK_SPIN_BEGIN, 1, NONE);
  events_mark (events, 150, TB_MARK_SPIN_BEGIN, 2, NONE);
  events_mark (events, 160, TB_MARK_SPIN_END, 3, NONE); /* without a begin */
  events_switch (events, 200, 0, 1, '+', 0);            /* preempted while it spins */
  events_switch (events, 300, 0, 0, 'R', 1);
  events_mark (events, 400, TB_MARK_SPIN_END, 1, 2);
  events_mark (events, 500, TB_MARK_SPIN_END, 2, NONE);
  events_mark (events, 600, TB_MARK_SPIN_BEGIN, 3, NONE); /* without an end */
  events_build (events, &output);
  one = describe_thread (&output, 1);
  two = describe_thread (&output, 2);
  three = describe_thread (&output, 3);
  g_assert_cmpstr (one, ==, "R0-100 S100-400:busy<t2 R400-1000]");
  g_assert_cmpstr (two, ==, "R0-150 S150-500:busy<? R500-1000]");
  g_assert_cmpstr (three, ==, "R0-1000]");
  g_assert_cmpuint (output.counts.unmatched_marks, ==, 2);
}

/* Busy waiting is not joined across lost events. */
static void
test_spin_across_loss (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 2);

  events_switch (events, 0, 0, 0, 'R', 1);
  events_mark (events, 100, TB_MARK_SPIN_BEGIN, 1, NONE);
  events_lost (events, 200, 250, 0, 1);
  events_mark (events, 300, TB_MARK_SPIN_END, 1, 1);
  assert_life (events, 1, "R0-200! ?200-1000!]");
}

static void
test_sched_wakeup_only (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *one = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 100, 0, 1, 'S', 0);
  events_wakeup (events, 200, 1, 2, 1, TB_WAKEUP_LATE); /* outside interrupts: the waker */
  events_switch (events, 210, 0, 0, 'R', 1);
  events_switch (events, 300, 0, 1, 'S', 0);
  events_wakeup (events, 400, 0, 0, 1, TB_WAKEUP_LATE); /* the idle task is never the waker */
  events_switch (events, 410, 0, 0, 'R', 1);
  events_switch (events, 500, 0, 1, 'S', 0);
  events_wakeup (events, 600, 1, 2, 1, TB_WAKEUP_LATE | TB_WAKEUP_HARDIRQ); /* nor this */
  events_build (events, &output);
  one = describe_thread (&output, 1);
  g_assert_cmpstr (
      one, ==,
      "R0-100 S100-200<t2 q200-210 R210-300 S300-400<? q400-410 R410-500 S500-600<? q600-1000]");
  g_assert_cmpuint (output.counts.late_wakeups, ==, 3);
}

/* If both are recorded, only sched_waking counts. */
static void
test_sched_wakeup_with_waking (void)
{
  g_autoptr (Events) events = events_new (0, 1000, 4);
  g_auto (TbTraceOutput) output = { 0 };
  g_autofree char *one = NULL;

  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 100, 0, 1, 'S', 0);
  events_wakeup (events, 200, 1, 2, 1, 0);
  events_wakeup (events, 205, 1, 3, 1, TB_WAKEUP_LATE);
  events_build (events, &output);
  one = describe_thread (&output, 1);
  g_assert_cmpstr (one, ==, "R0-100 S100-200<t2 q200-1000]");
  g_assert_cmpuint (output.counts.stray_wakeups, ==, 0);
  g_assert_cmpuint (output.counts.late_wakeups, ==, 0);
}

/* Hostile input: IDs out of range, times out of range and out of order. */
static void
test_hostile (void)
{
  g_autoptr (Events) events = events_new (100, 200, 3);
  g_auto (TbTraceOutput) output = { 0 };
  gint64 sum = 0;

  events_switch (events, 5000, 3, 1, 'S', 2);
  events_switch (events, -7, 0, 0, 'R', 1);
  events_switch (events, 50, 0, 0, 'R', 1);
  events_switch (events, G_MAXINT64, 9, 77, 'D', G_MAXUINT32);
  events_switch (events, G_MININT64, 65535, G_MAXUINT32, 0, 1);
  events_wakeup (events, G_MAXINT64, 65535, 99, 98, 0xff);
  events_process (events, 150, 7, 200, 1, 50);
  events_process (events, -1, 7, TB_PROCESS_FORK, 2, 50);
  events_block (events, -1, -1, -1, 99, 99, 65535, 7);
  events_block (events, G_MAXINT64, 5, 3, 99, 1, 65535, 7);
  events_interrupt (events, 10, 5, 65535, 99, 99, 99, 99);
  events_interrupt (events, -1, -1, 3, 99, 99, 99, 99);
  events_network (events, G_MAXINT64, 65535, 77, 77, 77);
  events_mark (events, -5, 77, 77, 77);
  events_mark (events, 120, TB_MARK_SPIN_END, 1, 77);
  events_syscall (events, 150, 120, 1, 63);
  events_lost (events, G_MAXINT64, -1, 65535, G_MAXUINT64);
  events_lost (events, 120, 110, 4, G_MAXUINT64);
  events_build (events, &output);
  for (gsize i = 0; i < output.n; i++)
    {
      const gint64 *start = g_bytes_get_data (output.columns[TB_INTERVAL_START], NULL);
      const gint64 *end = g_bytes_get_data (output.columns[TB_INTERVAL_END], NULL);

      g_assert_cmpint (start[i], >=, 100);
      g_assert_cmpint (end[i], <=, 200);
      g_assert_cmpint (start[i], <, end[i]);
      sum += end[i] - start[i];
    }
  g_assert_cmpint (sum, >, 0);
}

static void
test_cancel (void)
{
  g_autoptr (Events) events = events_new (0, 100, 2);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_auto (TbTraceOutput) output = { 0 };

  events_switch (events, 5, 0, 0, 'R', 1);
  g_cancellable_cancel (cancellable);
  g_assert_false (tb_trace_build (events_get_input (events, TB_WAKEUP_TOLERANCE), &output, NULL,
                                  NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/trace/builder/states", test_states);
  g_test_add_func ("/trace/builder/letters", test_letters);
  g_test_add_func ("/trace/builder/waking-before-switch-out", test_waking_before_switch_out);
  g_test_add_func ("/trace/builder/waking-grace", test_waking_grace_is_an_option);
  g_test_add_func ("/trace/builder/waking-at-switch-out", test_waking_at_switch_out);
  g_test_add_func ("/trace/builder/stray-wakings", test_stray_wakings);
  g_test_add_func ("/trace/builder/sleep-without-waking", test_sleep_without_waking);
  g_test_add_func ("/trace/builder/unknown-switch-out", test_unknown_switch_out);
  g_test_add_func ("/trace/builder/missed-switch-out", test_missed_switch_out);
  g_test_add_func ("/trace/builder/edges-of-a-life", test_start_and_end);
  g_test_add_func ("/trace/builder/exit-in-mid-wait", test_exit_in_mid_wait);
  g_test_add_func ("/trace/builder/run-after-exit", test_run_after_exit);
  g_test_add_func ("/trace/builder/loss-after-exit", test_loss_after_exit);
  g_test_add_func ("/trace/builder/pid-reuse", test_pid_reuse);
  g_test_add_func ("/trace/builder/exec-and-names", test_exec_and_names);
  g_test_add_func ("/trace/builder/turning-up", test_inferred_run);
  g_test_add_func ("/trace/builder/turning-up-to-end", test_inferred_run_at_exit);
  g_test_add_func ("/trace/builder/sample-as-witness", test_run_inferred_from_sample);
  g_test_add_func ("/trace/builder/lost", test_lost);
  g_test_add_func ("/trace/builder/lost-everywhere", test_lost_everywhere);
  g_test_add_func ("/trace/builder/cpu-without-idle", test_cpu_without_idle);
  g_test_add_func ("/trace/builder/false-wakeup", test_false_wakeup);
  g_test_add_func ("/trace/builder/spin", test_spin);
  g_test_add_func ("/trace/builder/spin-across-loss", test_spin_across_loss);
  g_test_add_func ("/trace/builder/sched-wakeup-only", test_sched_wakeup_only);
  g_test_add_func ("/trace/builder/sched-wakeup-beside-waking", test_sched_wakeup_with_waking);
  g_test_add_func ("/trace/builder/hostile", test_hostile);
  g_test_add_func ("/trace/builder/cancel", test_cancel);

  return g_test_run ();
}
