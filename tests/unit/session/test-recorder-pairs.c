/* test-recorder-pairs.c: test of events that the recorder combines: sleeps with switches, entries
 * with exits
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "recorder-fixture.h"

/* A sleep belongs to the thread of its switch, also if its ID is reused. A missing reference is
 * stored as none. */
static void
test_sleeps (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 module = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/x", "00", 7);
  guint32 jit = tb_recorder_intern_module (fixture->recorder, TB_MODULE_JIT, "//anon", "", 7);
  TbEvent sleep = { .time = 30, .kind = TB_EVENT_SLEEP, .tid = 7, .pid = 7, .code = TB_SLEEP_LOCK };

  recorder_fixture_switch (fixture, 10, 0, 7, 'X', 0);
  recorder_fixture_switch (fixture, 20, 0, 0, 'R', 7);
  sleep.text = recorder_fixture_intern (fixture, "futex");
  sleep.text2 = recorder_fixture_intern (fixture, "[heap]");
  sleep.a = 0x7f0000001000;
  sleep.b = 5000;
  sleep.c = 0x4040;
  sleep.module = module;
  recorder_fixture_add (fixture, sleep);
  recorder_fixture_switch (fixture, 30, 0, 7, 'S', 0);
  sleep.time = 40;
  sleep.b = (guint64) -77;
  sleep.code = 200;
  sleep.module = TB_ID_NONE;
  recorder_fixture_add (fixture, sleep);
  sleep.module = jit;
  recorder_fixture_add (fixture, sleep);
  sleep.module = 99;
  sleep.text = 4000;
  sleep.b = (guint64) TB_TIMEOUT_NONE;
  recorder_fixture_add (fixture, sleep);
  sleep.tid = sleep.pid = 0;
  recorder_fixture_add (fixture, sleep);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (SLEEP), ==, 4);
  g_assert_cmpint (I64 (SLEEP, TIME, 0), ==, 30);
  g_assert_cmpuint (U32 (SLEEP, THREAD, 0), ==, U32 (SWITCH, PREV, 2));
  g_assert_cmpuint (U32 (SLEEP, THREAD, 0), !=, U32 (SWITCH, PREV, 0));
  g_assert_cmpuint (U32 (SLEEP, KIND, 0), ==, TB_SLEEP_LOCK);
  g_assert_cmpstr (tb_session_get_string (fixture->session, U32 (SLEEP, CALL, 0)), ==, "futex");
  g_assert_cmpstr (tb_session_get_string (fixture->session, U32 (SLEEP, OBJECT, 0)), ==, "[heap]");
  g_assert_cmpint (I64 (SLEEP, ADDRESS, 0), ==, 0x7f0000001000);
  g_assert_cmpint (I64 (SLEEP, TIMEOUT, 0), ==, 5000);
  g_assert_cmpint (I64 (SLEEP, OFFSET, 0), ==, 0x4040);
  g_assert_cmpuint (U32 (FRAME, MODULE, U32 (SLEEP, FRAME, 0)), ==, module);
  g_assert_cmpuint ((guint64) I64 (FRAME, OFFSET, U32 (SLEEP, FRAME, 0)), ==,
                    TB_FRAME_DATA | 0x4040);
  g_assert_cmpuint (U32 (SLEEP, KIND, 1), ==, TB_SLEEP_OTHER);
  g_assert_cmpint (I64 (SLEEP, TIMEOUT, 1), ==, TB_TIMEOUT_UNKNOWN);
  for (guint row = 1; row < 4; row++)
    g_assert_cmpuint (U32 (SLEEP, FRAME, row), ==, TB_ID_NONE);
  g_assert_cmpint (I64 (SLEEP, TIMEOUT, 3), ==, TB_TIMEOUT_NONE);
  g_assert_cmpuint (U32 (SLEEP, CALL, 3), ==, TB_STRING_NONE);
  /* the missed fork, two modules, a string, the idle task */
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 5);
}

/* A system call has the same row in each form: as two events, with a late start, or as one event;
 * an open call at the end is stored as open. */
static void
test_event_forms (void)
{
  enum
  {
    N_THREADS = 5,
    N_CALLS = 400
  };
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint64 args[N_CALLS][TB_WHOLE_SYSCALL_WORDS] = { 0 };
  gint64 begun[N_CALLS], ended[N_CALLS], free_at[N_THREADS] = { 0 };
  guint32 name = recorder_fixture_intern (fixture, "read");

  for (guint i = 0; i < N_CALLS; i++)
    {
      guint thread = i % N_THREADS;
      TbEvent event = { .tid = (gint32) thread + 10, .pid = 10, .text = name, .args = args[i] };
      gboolean is_last = i + N_THREADS >= N_CALLS;
      gint64 recorded;

      begun[i] = free_at[thread] + g_test_rand_int_range (1, 1000);
      recorded = begun[i] + g_test_rand_int_range (0, 1000);
      /* Distinct times, so that the order of the rows is known. */
      ended[i] = (recorded / N_THREADS + 1) * N_THREADS + thread;
      free_at[thread] = ended[i];
      args[i][0] = i;
      args[i][TB_WHOLE_SYSCALL_ENTER] = (guint64) begun[i];
      args[i][TB_WHOLE_SYSCALL_RESULT] = i * 2;
      if (g_test_rand_bit () && !is_last)
        {
          event.kind = TB_EVENT_WHOLE_SYSCALL;
          event.time = ended[i];
          recorder_fixture_add (fixture, event);
          continue;
        }
      event.kind = TB_EVENT_SYS_ENTER;
      event.time = g_test_rand_bit () ? recorded : begun[i];
      event.b = event.time != begun[i] ? (guint64) begun[i] : 0;
      recorder_fixture_add (fixture, event);
      if (is_last)
        continue;
      recorder_fixture_add (fixture, (TbEvent) { .time = ended[i],
                                                 .kind = TB_EVENT_SYS_EXIT,
                                                 .tid = event.tid,
                                                 .pid = 10,
                                                 .text = name,
                                                 .a = i * 2 });
    }
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (SYSCALL), ==, N_CALLS);
  for (guint row = 0; row < N_CALLS; row++)
    {
      guint i = (guint) I64 (SYSCALL, ARG0, row);
      gboolean is_open = row >= N_CALLS - N_THREADS;

      g_assert_cmpuint (i, <, N_CALLS);
      g_assert_cmpint (I64 (SYSCALL, ENTER, row), ==, begun[i]);
      g_assert_cmpint (I64 (SYSCALL, EXIT, row), ==, is_open ? TB_TIME_NONE : ended[i]);
      g_assert_cmpint (I64 (SYSCALL, RESULT, row), ==, is_open ? G_MININT64 : (gint64) i * 2);
      g_assert_cmpuint (i >= N_CALLS - N_THREADS, ==, is_open);
    }
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
}

/* A call recorded as a whole ends an open call with a lost exit. An entry that comes after the
 * whole call is ignored. */
static void
test_lost_ends (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint64 args[TB_WHOLE_SYSCALL_WORDS] = { 1, [TB_WHOLE_SYSCALL_ENTER] = 50 };
  guint32 name = recorder_fixture_intern (fixture, "read");
  TbEvent event = { .time = 10, .tid = 7, .pid = 7, .kind = TB_EVENT_SYS_ENTER, .text = name };

  recorder_fixture_add (fixture, event);
  event.time = 60;
  event.kind = TB_EVENT_WHOLE_SYSCALL;
  event.args = args;
  recorder_fixture_add (fixture, event);
  event.time = 70;
  event.kind = TB_EVENT_SYS_ENTER;
  event.b = 71;
  recorder_fixture_add (fixture, event);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (SYSCALL), ==, 2);
  g_assert_cmpint (I64 (SYSCALL, ENTER, 0), ==, 10);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 0), ==, 60);
  g_assert_cmpint (I64 (SYSCALL, RESULT, 0), ==, G_MININT64);
  g_assert_cmpint (I64 (SYSCALL, ENTER, 1), ==, 50);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 1), ==, 60);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 2);
}

/* A call recorded at its end only is complete, and sorted by its end. One with a start after its
 * end is invalid. */
static void
test_whole_calls (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint64 args[TB_WHOLE_SYSCALL_WORDS] = { 3, 4, 5, 0, 0, 6, 70, (guint64) -11 };
  guint64 late[TB_WHOLE_SYSCALL_WORDS] = { [TB_WHOLE_SYSCALL_ENTER] = 101 };
  guint32 open, function;
  TbEvent event = { .time = 100, .tid = 7, .pid = 7, .kind = TB_EVENT_WHOLE_SYSCALL, .args = args };

  open = recorder_fixture_intern (fixture, "open");
  function = recorder_fixture_intern (fixture, "work");
  event.text = open;
  recorder_fixture_add (fixture, event);
  event.args = late;
  recorder_fixture_add (fixture, event);
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = 90, .tid = 7, .pid = 7, .kind = TB_EVENT_SYS_EXIT, .text = open, .a = 1 });
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = 80, .tid = 7, .pid = 7, .kind = TB_EVENT_CALL, .text = function, .a = 1 });
  recorder_fixture_add (fixture, (TbEvent) { .time = 95,
                                             .tid = 7,
                                             .pid = 7,
                                             .kind = TB_EVENT_RETURN,
                                             .text = function,
                                             .a = 0x40,
                                             .b = 85 });
  recorder_fixture_add (fixture, (TbEvent) { .time = 96,
                                             .tid = 7,
                                             .pid = 7,
                                             .kind = TB_EVENT_RETURN,
                                             .text = function,
                                             .a = 0x40,
                                             .b = 97 });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 99, .tid = 7, .pid = 7, .kind = TB_EVENT_RETURN, .text = function });
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (SYSCALL), ==, 2);
  g_assert_cmpint (I64 (SYSCALL, ENTER, 1), ==, 70);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 1), ==, 100);
  g_assert_cmpuint (U32 (SYSCALL, NUMBER, 1), ==, open);
  g_assert_cmpint (I64 (SYSCALL, ARG0, 1), ==, 3);
  g_assert_cmpint (I64 (SYSCALL, ARG5, 1), ==, 6);
  g_assert_cmpint (I64 (SYSCALL, RESULT, 1), ==, -11);
  g_assert_cmpuint (N_ROWS (CALL), ==, 2);
  g_assert_cmpint (I64 (CALL, ENTER, 0), ==, 85);
  g_assert_cmpint (I64 (CALL, EXIT, 0), ==, 95);
  g_assert_cmpint (I64 (CALL, SITE, 0), ==, 0x40);
  g_assert_cmpint (I64 (CALL, ENTER, 1), ==, 80);
  g_assert_cmpint (I64 (CALL, EXIT, 1), ==, 99);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 2);
}

static void
interrupt (RecorderFixture *fixture, gint64 time, TbEventKind kind, guint number, guint32 device)
{
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = time, .kind = kind, .tid = -1, .pid = -1, .a = number, .device = device });
}

static void
test_interrupts (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 vda = tb_recorder_intern_device (fixture->recorder, 0, "vda", "irq", NULL);

  g_assert_cmpuint (tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", "254:0"), ==,
                    vda);
  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 9);
  interrupt (fixture, 10, TB_EVENT_SOFTIRQ_ENTRY, TB_SOFTIRQ_NET_RX, TB_ID_NONE);
  interrupt (fixture, 11, TB_EVENT_IRQ_ENTRY, 33, vda);
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 12, .kind = TB_EVENT_WAKEUP, .tid = 9, .pid = 9, .a = 8 });
  interrupt (fixture, 13, TB_EVENT_IRQ_EXIT, 33, vda);
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 14, .kind = TB_EVENT_WAKEUP, .tid = 9, .pid = 9, .a = 8 });
  interrupt (fixture, 15, TB_EVENT_SOFTIRQ_EXIT, TB_SOFTIRQ_NET_RX, TB_ID_NONE);
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 16, .kind = TB_EVENT_WAKEUP, .tid = 9, .pid = 9, .a = 8 });
  interrupt (fixture, 20, TB_EVENT_IRQ_ENTRY, 1, TB_ID_NONE); /* its exit is lost */
  interrupt (fixture, 21, TB_EVENT_IRQ_ENTRY, 2, TB_ID_NONE);
  recorder_fixture_switch (fixture, 30, 0, 9, 'S', 0);
  interrupt (fixture, 40, TB_EVENT_IRQ_EXIT, 5, TB_ID_NONE); /* has no entry */
  interrupt (fixture, 50, TB_EVENT_IRQ_ENTRY, 6, TB_ID_NONE);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (INTERRUPT), ==, 6);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 0), ==, 11);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 0), ==, 13);
  g_assert_cmpuint (U32 (INTERRUPT, DEVICE, 0), ==, vda);
  g_assert_cmpuint (U32 (INTERRUPT, KIND, 0), ==, TB_INTERRUPT_HARD);
  g_assert_cmpuint (U32 (INTERRUPT, THREAD, 0), ==, U32 (SWITCH, NEXT, 0));
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 1), ==, 10);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 1), ==, 15);
  g_assert_cmpuint (U32 (INTERRUPT, KIND, 1), ==, TB_INTERRUPT_SOFT);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 2), ==, 21);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 2), ==, 30);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 3), ==, 20);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 3), ==, 30);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 4), ==, TB_TIME_NONE);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 4), ==, 40);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 5), ==, 50);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 5), ==, TB_TIME_NONE);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 3);
  g_assert_cmpuint (U32 (WAKEUP, FLAGS, 0), ==, TB_WAKEUP_HARDIRQ);
  g_assert_cmpuint (U32 (WAKEUP, FLAGS, 1), ==, TB_WAKEUP_SOFTIRQ);
  g_assert_cmpuint (U32 (WAKEUP, FLAGS, 2), ==, 0);
  g_assert_cmpuint (g_strv_length ((char **) tb_session_get_warnings (fixture->session)), ==, 2);
}

/* Interrupts recorded at their ends only, in the order of those. They do not affect an interrupt
 * that is open at that time. */
static void
test_whole_interrupts (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 vda = tb_recorder_intern_device (fixture->recorder, 0, "vda", "irq", NULL);
  TbEvent irq = {
    .time = 15, .kind = TB_EVENT_IRQ_EXIT, .tid = -1, .pid = -1, .a = 33, .b = 12, .device = vda
  };
  TbEvent soft = { .time = 20,
                   .kind = TB_EVENT_SOFTIRQ_EXIT,
                   .tid = -1,
                   .pid = -1,
                   .a = TB_SOFTIRQ_NET_RX,
                   .b = 10,
                   .device = TB_ID_NONE };

  irq.text = recorder_fixture_intern (fixture, "virtio1");
  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 9);
  interrupt (fixture, 5, TB_EVENT_IRQ_ENTRY, 1, TB_ID_NONE);
  recorder_fixture_add (fixture, soft);
  recorder_fixture_add (fixture, irq);
  interrupt (fixture, 25, TB_EVENT_IRQ_EXIT, 1, TB_ID_NONE);
  soft.time = 30;
  soft.b = 31; /* after its end */
  recorder_fixture_add (fixture, soft);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (INTERRUPT), ==, 3);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 0), ==, 12);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 0), ==, 15);
  g_assert_cmpuint (U32 (INTERRUPT, DEVICE, 0), ==, vda);
  g_assert_cmpuint (U32 (INTERRUPT, NAME, 0), ==, irq.text);
  g_assert_cmpuint (U32 (INTERRUPT, THREAD, 0), ==, U32 (SWITCH, NEXT, 0));
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 1), ==, 10);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 1), ==, 20);
  g_assert_cmpuint (U32 (INTERRUPT, KIND, 1), ==, TB_INTERRUPT_SOFT);
  g_assert_cmpuint (U32 (INTERRUPT, VECTOR, 1), ==, TB_SOFTIRQ_NET_RX);
  g_assert_cmpint (I64 (INTERRUPT, ENTER, 2), ==, 5);
  g_assert_cmpint (I64 (INTERRUPT, EXIT, 2), ==, 25);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 1);
}

static void
test_syscalls (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 read_text = recorder_fixture_intern (fixture, "read"),
          write_text = recorder_fixture_intern (fixture, "write");
  guint64 args[6] = { 3, 4096, 10, 0, 0, 99 };

  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = 1, .kind = TB_EVENT_SYS_EXIT, .tid = 5, .pid = 5, .text = read_text, .a = 7 });
  recorder_fixture_add (fixture, (TbEvent) { .time = 2,
                                             .kind = TB_EVENT_SYS_ENTER,
                                             .tid = 5,
                                             .pid = 5,
                                             .text = write_text,
                                             .args = args });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 3, .kind = TB_EVENT_SYS_EXIT, .tid = 5, .pid = 5, .a = (guint64) -4 });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 4, .kind = TB_EVENT_SYS_ENTER, .tid = 5, .pid = 5, .text = read_text });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 5, .kind = TB_EVENT_SYS_ENTER, .tid = 5, .pid = 5, .text = write_text });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 6, .kind = TB_EVENT_SYS_ENTER, .tid = 6, .pid = 5, .text = read_text });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 7, .kind = TB_EVENT_EXIT, .tid = 6, .pid = 5 });
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (SYSCALL), ==, 5);
  g_assert_cmpint (I64 (SYSCALL, ENTER, 0), ==, TB_TIME_NONE);
  g_assert_cmpint (I64 (SYSCALL, RESULT, 0), ==, 7);
  g_assert_cmpint (I64 (SYSCALL, ENTER, 1), ==, 2);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 1), ==, 3);
  g_assert_cmpint (I64 (SYSCALL, RESULT, 1), ==, -4);
  g_assert_cmpint (I64 (SYSCALL, ARG0, 1), ==, 3);
  g_assert_cmpint (I64 (SYSCALL, ARG5, 1), ==, 99);
  g_assert_cmpuint (U32 (SYSCALL, NUMBER, 1), ==, write_text);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 2), ==, 5);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 3), ==, 7);
  g_assert_cmpint (I64 (SYSCALL, ENTER, 4), ==, 5);
  g_assert_cmpint (I64 (SYSCALL, EXIT, 4), ==, TB_TIME_NONE);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 1);
}

static void
call (RecorderFixture *fixture, gint64 time, TbEventKind kind, const char *function)
{
  recorder_fixture_add (fixture, (TbEvent) { .time = time,
                                             .kind = kind,
                                             .tid = 5,
                                             .pid = 5,
                                             .text = recorder_fixture_intern (fixture, function) });
}

static void
test_calls (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  static const gint64 expected[][2]
      = { { -1, 1 }, { 3, 4 }, { 6, 8 }, { 5, 8 }, { 2, 8 }, { 9, -1 } };

  call (fixture, 1, TB_EVENT_RETURN, "main");
  call (fixture, 2, TB_EVENT_CALL, "a");
  call (fixture, 3, TB_EVENT_CALL, "b");
  call (fixture, 4, TB_EVENT_RETURN, "b");
  call (fixture, 5, TB_EVENT_CALL, "b");
  call (fixture, 6, TB_EVENT_CALL, "c");
  call (fixture, 8, TB_EVENT_RETURN, "a"); /* longjmp() past two calls */
  call (fixture, 9, TB_EVENT_CALL, "d");
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (CALL), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpint (I64 (CALL, ENTER, i), ==, expected[i][0]);
      g_assert_cmpint (I64 (CALL, EXIT, i), ==, expected[i][1]);
    }
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/sleeps", test_sleeps);
  g_test_add_func ("/recorder/ways-of-telling-calls", test_event_forms);
  g_test_add_func ("/recorder/lost-ends-of-calls", test_lost_ends);
  g_test_add_func ("/recorder/whole-calls", test_whole_calls);
  g_test_add_func ("/recorder/interrupts", test_interrupts);
  g_test_add_func ("/recorder/whole-interrupts", test_whole_interrupts);
  g_test_add_func ("/recorder/syscalls", test_syscalls);
  g_test_add_func ("/recorder/calls", test_calls);
  return g_test_run ();
}
