/* test-recorder.c: the recorder's state machines
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <signal.h>
#include <sys/resource.h>

#include "recorder-fixture.h"

/* What the tests below say of an event, in the order it happens. */
static void
add (RecorderFixture *fixture, TbEvent event)
{
  tb_recorder_add (fixture->recorder, &event);
}

static guint32
text (RecorderFixture *fixture, const char *string)
{
  return tb_recorder_intern_string (fixture->recorder, string, -1);
}

#define I64(kind, column, row) recorder_fixture_get_i64 (fixture, TB_TABLE_##kind, TB_##kind##_##column, row)
#define U32(kind, column, row) recorder_fixture_get_u32 (fixture, TB_TABLE_##kind, TB_##kind##_##column, row)
#define N_ROWS(kind) recorder_fixture_get_n_rows (fixture, TB_TABLE_##kind)

static void
switch_to (RecorderFixture *fixture, gint64 time, guint cpu, gint32 prev, char state, gint32 next)
{
  add (fixture, (TbEvent) { .time = time,
                            .kind = TB_EVENT_SWITCH,
                            .cpu = cpu,
                            .tid = prev,
                            .pid = -1,
                            .code = state,
                            .a = next });
}

static void
test_pid_reuse (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 first, second;

  add (fixture, (TbEvent) { .time = 10, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50, .b = 50 });
  switch_to (fixture, 20, 0, 1, 'S', 50);
  add (fixture, (TbEvent) { .time = 30, .kind = TB_EVENT_EXIT, .tid = 50, .pid = 50 });
  switch_to (fixture, 31, 0, 50, 'X', 1);
  add (fixture, (TbEvent) { .time = 40, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50, .b = 50 });
  switch_to (fixture, 41, 0, 1, 'S', 50);
  switch_to (fixture, 50, 0, 50, 'S', 0);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
  first = U32 (SWITCH, NEXT, 0);
  second = U32 (SWITCH, NEXT, 2);
  g_assert_cmpuint (U32 (SWITCH, PREV, 1), ==, first);
  g_assert_cmpuint (U32 (SWITCH, PREV, 3), ==, second);
  g_assert_cmpuint (first, !=, second);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->tid, ==, 50);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->start, ==, 10);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->end, ==, 30);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->tid, ==, 50);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->start, ==, 40);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->end, ==, TB_TIME_NONE);
  g_assert_true (recorder_fixture_get_process (fixture, first)
                 != recorder_fixture_get_process (fixture, second));
  g_assert_cmpint (recorder_fixture_get_process (fixture, first)->end, ==, 30);
  g_assert_cmpint (recorder_fixture_get_process (fixture, second)->start, ==, 40);
}

/* A sleep is of the thread that its switch is of, also where a number was given anew; what refers to nothing says so. */
static void
test_sleeps (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 module = tb_recorder_intern_module (fixture->recorder, TB_MODULE_FILE, "/bin/x", "00", 7);
  guint32 jit = tb_recorder_intern_module (fixture->recorder, TB_MODULE_JIT, "//anon", "", 7);
  TbEvent sleep = { .time = 30, .kind = TB_EVENT_SLEEP, .tid = 7, .pid = 7, .code = TB_SLEEP_LOCK };

  switch_to (fixture, 10, 0, 7, 'X', 0);
  switch_to (fixture, 20, 0, 0, 'R', 7);
  sleep.text = text (fixture, "futex");
  sleep.text2 = text (fixture, "[heap]");
  sleep.a = 0x7f0000001000;
  sleep.b = 5000;
  sleep.c = 0x4040;
  sleep.module = module;
  add (fixture, sleep);
  switch_to (fixture, 30, 0, 7, 'S', 0);
  sleep.time = 40;
  sleep.b = (guint64) -77;
  sleep.code = 200;
  sleep.module = TB_ID_NONE;
  add (fixture, sleep);
  sleep.module = jit;
  add (fixture, sleep);
  sleep.module = 99;
  sleep.text = 4000;
  sleep.b = (guint64) TB_TIMEOUT_NONE;
  add (fixture, sleep);
  sleep.tid = sleep.pid = 0;
  add (fixture, sleep);
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
  g_assert_cmpuint (U32 (FRAME, MODULE, U32 (SLEEP, PLACE, 0)), ==, module);
  g_assert_cmpuint ((guint64) I64 (FRAME, OFFSET, U32 (SLEEP, PLACE, 0)), ==, TB_FRAME_DATA | 0x4040);
  g_assert_cmpuint (U32 (SLEEP, KIND, 1), ==, TB_SLEEP_OTHER);
  g_assert_cmpint (I64 (SLEEP, TIMEOUT, 1), ==, TB_TIMEOUT_UNKNOWN);
  for (guint row = 1; row < 4; row++)
    g_assert_cmpuint (U32 (SLEEP, PLACE, row), ==, TB_ID_NONE);
  g_assert_cmpint (I64 (SLEEP, TIMEOUT, 3), ==, TB_TIMEOUT_NONE);
  g_assert_cmpuint (U32 (SLEEP, CALL, 3), ==, TB_STRING_NONE);
  /* the missed fork, two modules, a string, the idle task */
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 5);
}

/* What only its end tells of is whole, and sorted in by it; what claims to begin after its end is none. */
static void
test_whole_calls (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint64 args[TB_WHOLE_SYSCALL_WORDS] = { 3, 4, 5, 0, 0, 6, 70, (guint64) -11 };
  guint64 late[TB_WHOLE_SYSCALL_WORDS] = { [TB_WHOLE_SYSCALL_ENTER] = 101 };
  guint32 open, function;
  TbEvent event = { .time = 100, .tid = 7, .pid = 7, .kind = TB_EVENT_WHOLE_SYSCALL, .args = args };

  open = text (fixture, "open");
  function = text (fixture, "work");
  event.text = open;
  add (fixture, event);
  event.args = late;
  add (fixture, event);
  add (fixture,
       (TbEvent) { .time = 90, .tid = 7, .pid = 7, .kind = TB_EVENT_SYS_EXIT, .text = open, .a = 1 });
  add (fixture,
       (TbEvent) { .time = 80, .tid = 7, .pid = 7, .kind = TB_EVENT_CALL, .text = function, .a = 1 });
  add (fixture,
       (TbEvent) {
           .time = 95, .tid = 7, .pid = 7, .kind = TB_EVENT_RETURN, .text = function, .a = 0x40, .b = 85 });
  add (fixture,
       (TbEvent) {
           .time = 96, .tid = 7, .pid = 7, .kind = TB_EVENT_RETURN, .text = function, .a = 0x40, .b = 97 });
  add (fixture, (TbEvent) { .time = 99, .tid = 7, .pid = 7, .kind = TB_EVENT_RETURN, .text = function });
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

/* Without its fork, a thread that runs after its end is a new one all the same. */
static void
test_missed_fork (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  switch_to (fixture, 10, 0, 7, 'X', 0);
  switch_to (fixture, 20, 0, 0, 'R', 7);
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 1);
  g_assert_cmpuint (U32 (SWITCH, PREV, 0), !=, U32 (SWITCH, NEXT, 1));
  g_assert_cmpuint (U32 (SWITCH, NEXT, 0), ==, TB_THREAD_IDLE);
}

static void
test_fork_chain (void)
{
  enum
  {
    LENGTH = 2000
  };
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  add (fixture,
       (TbEvent) {
           .time = 1, .kind = TB_EVENT_NAME, .tid = 100, .pid = 100, .text = text (fixture, "root") });
  for (guint i = 0; i < LENGTH; i++)
    add (fixture, (TbEvent) { .time = 10 + i,
                              .kind = TB_EVENT_FORK,
                              .tid = 100 + i,
                              .pid = 100 + i,
                              .a = 101 + i,
                              .b = 101 + i });
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (PROCESS), ==, LENGTH + 1);
  for (guint i = 0; i < LENGTH; i++)
    {
      guint32 thread = U32 (PROCESS, THREAD, 1 + i);

      g_assert_cmpint (recorder_fixture_get_thread (fixture, thread)->tid, ==, 101 + i);
      g_assert_cmpstr (recorder_fixture_get_thread (fixture, thread)->name, ==, "root");
      g_assert_cmpint (recorder_fixture_get_thread (fixture, U32 (PROCESS, CREATOR, 1 + i))->tid, ==,
                       100 + i);
      g_assert_cmpuint (recorder_fixture_get_process (fixture, thread)->parent, ==,
                        recorder_fixture_get_thread (fixture, U32 (PROCESS, CREATOR, 1 + i))->process);
    }
}

static void
test_names (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  const TbThreadName *names;
  guint n_names, worker, leader;

  add (fixture,
       (TbEvent) {
           .time = 1, .kind = TB_EVENT_EXISTING, .tid = 5, .pid = 5, .a = 1, .text = text (fixture, "old") });
  add (fixture,
       (TbEvent) {
           .time = 1, .kind = TB_EVENT_EXISTING, .tid = 1, .pid = 1, .text = text (fixture, "init") });
  add (fixture,
       (TbEvent) { .time = 1, .kind = TB_EVENT_COMMAND, .pid = 5, .text = text (fixture, "old --very") });
  add (fixture, (TbEvent) { .time = 2, .kind = TB_EVENT_FORK, .tid = 5, .pid = 5, .a = 6, .b = 5 });
  add (fixture,
       (TbEvent) { .time = 3, .kind = TB_EVENT_NAME, .tid = 6, .pid = 5, .text = text (fixture, "worker") });
  add (fixture,
       (TbEvent) { .time = 4, .kind = TB_EVENT_NAME, .tid = 5, .pid = 5, .text = text (fixture, "new") });
  add (fixture,
       (TbEvent) { .time = 5, .kind = TB_EVENT_PROCESS_NAME, .pid = 1, .text = text (fixture, "systemd") });
  recorder_fixture_finish (fixture);

  leader = U32 (PROCESS, THREAD, 0);
  worker = U32 (PROCESS, THREAD, 2);
  g_assert_cmpuint (U32 (PROCESS, KIND, 0), ==, TB_PROCESS_EXISTING);
  g_assert_cmpuint (U32 (PROCESS, KIND, 2), ==, TB_PROCESS_FORK);
  g_assert_cmpstr (recorder_fixture_get_thread (fixture, leader)->name, ==, "new");
  g_assert_cmpstr (recorder_fixture_get_thread (fixture, worker)->name, ==, "worker");
  g_assert_cmpuint (recorder_fixture_get_thread (fixture, worker)->process, ==,
                    recorder_fixture_get_thread (fixture, leader)->process);
  g_assert_cmpstr (recorder_fixture_get_process (fixture, leader)->name, ==, "new");
  g_assert_cmpstr (recorder_fixture_get_process (fixture, leader)->command, ==, "old --very");
  g_assert_cmpuint (recorder_fixture_get_process (fixture, leader)->parent, ==,
                    recorder_fixture_get_thread (fixture, U32 (PROCESS, THREAD, 1))->process);
  g_assert_cmpstr (recorder_fixture_get_process (fixture, U32 (PROCESS, THREAD, 1))->name, ==, "systemd");

  names = tb_session_get_thread_names (fixture->session, &n_names);
  for (guint i = 0; i < n_names; i++)
    g_test_message ("%u %" G_GINT64_FORMAT " %s", names[i].thread, names[i].time, names[i].name);
  g_assert_cmpuint (n_names, ==, 5);
  g_assert_cmpstr (names[0].name, ==, "old");
  g_assert_cmpstr (names[1].name, ==, "new");
  g_assert_cmpint (names[1].time, ==, 4);
}

/* A thread told of by tid alone belongs to the process that is told of later. */
static void
test_late_process (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  switch_to (fixture, 1, 0, 0, 'R', 12);
  switch_to (fixture, 2, 0, 12, 'S', 10);
  add (fixture,
       (TbEvent) {
           .time = 3, .kind = TB_EVENT_NAME, .tid = 12, .pid = 10, .text = text (fixture, "helper") });
  switch_to (fixture, 4, 0, 10, 'S', 13);
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (recorder_fixture_get_thread (fixture, U32 (SWITCH, NEXT, 0))->process, ==,
                    recorder_fixture_get_thread (fixture, U32 (SWITCH, NEXT, 1))->process);
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 0))->pid, ==, 10);
  g_assert_cmpstr (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 0))->name, ==, "helper");
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 2))->pid, ==, 13);
}

/* An exec by a thread that is not the leader: it goes on under the leader's number. */
static void
test_exec_by_thread (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 leader, thread;

  switch_to (fixture, 1, 0, 0, 'R', 20);
  add (fixture, (TbEvent) { .time = 2, .kind = TB_EVENT_FORK, .tid = 20, .pid = 20, .a = 21, .b = 20 });
  switch_to (fixture, 3, 0, 20, 'S', 21);
  add (fixture, (TbEvent) { .time = 4, .cpu = 1, .kind = TB_EVENT_EXIT, .tid = 20, .pid = 20 });
  add (fixture,
       (TbEvent) {
           .time = 5, .kind = TB_EVENT_EXEC, .tid = 20, .pid = 20, .text = text (fixture, "/bin/true") });
  switch_to (fixture, 6, 0, 20, 'S', 0);
  recorder_fixture_finish (fixture);
  leader = U32 (SWITCH, NEXT, 0);
  thread = U32 (SWITCH, NEXT, 1);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
  g_assert_cmpuint (U32 (SWITCH, PREV, 2), ==, thread);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, thread)->tid, ==, 20);
  g_assert_cmpstr (recorder_fixture_get_thread (fixture, thread)->name, ==, "true");
  g_assert_cmpint (recorder_fixture_get_thread (fixture, leader)->end, ==, 4);
  g_assert_cmpint (recorder_fixture_get_process (fixture, thread)->end, ==, TB_TIME_NONE);
}

static void
test_double_tellings (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  add (fixture, (TbEvent) { .time = 10, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50 });
  add (fixture, (TbEvent) { .time = 11, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50, .b = 50 });
  add (fixture, (TbEvent) { .time = 20, .kind = TB_EVENT_EXIT, .tid = 50, .pid = 50 });
  add (fixture, (TbEvent) { .time = 21, .kind = TB_EVENT_EXIT, .tid = 50, .pid = 50 });
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
  g_assert_cmpuint (N_ROWS (PROCESS), ==, 2);
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (PROCESS, THREAD, 0))->pid, ==, 50);
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (PROCESS, THREAD, 0))->start, ==, 10);
}

static void
interrupt (RecorderFixture *fixture, gint64 time, TbEventKind kind, guint number, guint32 device)
{
  add (fixture,
       (TbEvent) { .time = time, .kind = kind, .tid = -1, .pid = -1, .a = number, .device = device });
}

static void
test_interrupts (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 vda = tb_recorder_intern_device (fixture->recorder, 0, "vda", "irq", NULL);

  g_assert_cmpuint (tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", "254:0"), ==, vda);
  switch_to (fixture, 1, 0, 0, 'R', 9);
  interrupt (fixture, 10, TB_EVENT_SOFTIRQ_ENTRY, TB_SOFTIRQ_NET_RX, TB_ID_NONE);
  interrupt (fixture, 11, TB_EVENT_IRQ_ENTRY, 33, vda);
  add (fixture, (TbEvent) { .time = 12, .kind = TB_EVENT_WAKEUP, .tid = 9, .pid = 9, .a = 8 });
  interrupt (fixture, 13, TB_EVENT_IRQ_EXIT, 33, vda);
  add (fixture, (TbEvent) { .time = 14, .kind = TB_EVENT_WAKEUP, .tid = 9, .pid = 9, .a = 8 });
  interrupt (fixture, 15, TB_EVENT_SOFTIRQ_EXIT, TB_SOFTIRQ_NET_RX, TB_ID_NONE);
  add (fixture, (TbEvent) { .time = 16, .kind = TB_EVENT_WAKEUP, .tid = 9, .pid = 9, .a = 8 });
  interrupt (fixture, 20, TB_EVENT_IRQ_ENTRY, 1, TB_ID_NONE); /* loses its exit */
  interrupt (fixture, 21, TB_EVENT_IRQ_ENTRY, 2, TB_ID_NONE);
  switch_to (fixture, 30, 0, 9, 'S', 0);
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

static void
io (RecorderFixture *fixture, gint64 time, TbEventKind kind, gint32 tid, guint64 sector)
{
  add (fixture,
       (TbEvent) { .time = time, .kind = kind, .tid = tid, .pid = -1, .a = sector, .b = 512, .device = 0 });
}

static void
assert_request (RecorderFixture *fixture, guint row, gint64 insert, gint64 issue, gint64 complete, gint32 tid)
{
  guint32 thread = U32 (BLOCK, THREAD, row);

  g_assert_cmpint (I64 (BLOCK, INSERT, row), ==, insert);
  g_assert_cmpint (I64 (BLOCK, ISSUE, row), ==, issue);
  g_assert_cmpint (I64 (BLOCK, COMPLETE, row), ==, complete);
  if (tid < 0)
    g_assert_cmpuint (thread, ==, TB_ID_NONE);
  else
    g_assert_cmpint (recorder_fixture_get_thread (fixture, thread)->tid, ==, tid);
}

static void
test_block (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  const guint64 unknown = G_MAXUINT64;

  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  /* by sector, out of order, completed in somebody else's context */
  io (fixture, 1, TB_EVENT_IO_INSERT, 5, 100);
  io (fixture, 2, TB_EVENT_IO_INSERT, 6, 200);
  io (fixture, 3, TB_EVENT_IO_ISSUE, 7, 200);
  io (fixture, 4, TB_EVENT_IO_ISSUE, 7, 100);
  io (fixture, 5, TB_EVENT_IO_COMPLETE, 0, 200);
  io (fixture, 6, TB_EVENT_IO_COMPLETE, 0, 100);
  /* never queued apart; completed without an issue; unknown */
  io (fixture, 10, TB_EVENT_IO_ISSUE, 5, 300);
  io (fixture, 11, TB_EVENT_IO_COMPLETE, 0, 300);
  io (fixture, 12, TB_EVENT_IO_INSERT, 5, 400);
  io (fixture, 13, TB_EVENT_IO_COMPLETE, 0, 400);
  io (fixture, 14, TB_EVENT_IO_COMPLETE, 0, 500);
  /* the oldest of the thread */
  io (fixture, 20, TB_EVENT_IO_INSERT, 5, unknown);
  io (fixture, 21, TB_EVENT_IO_INSERT, 5, 600);
  io (fixture, 22, TB_EVENT_IO_INSERT, 6, unknown);
  io (fixture, 23, TB_EVENT_IO_ISSUE, 5, unknown);
  io (fixture, 24, TB_EVENT_IO_ISSUE, 5, unknown);
  io (fixture, 25, TB_EVENT_IO_COMPLETE, 5, unknown);
  io (fixture, 26, TB_EVENT_IO_COMPLETE, 5, unknown);
  /* open */
  io (fixture, 30, TB_EVENT_IO_ISSUE, 5, 700);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (BLOCK), ==, 9);
  assert_request (fixture, 0, 2, 3, 5, 6);
  assert_request (fixture, 1, 1, 4, 6, 5);
  assert_request (fixture, 2, 10, 10, 11, 5);
  assert_request (fixture, 3, 12, 12, 13, 5);
  assert_request (fixture, 4, -1, -1, 14, -1);
  assert_request (fixture, 5, 20, 23, 25, 5);
  assert_request (fixture, 6, 21, 24, 26, 5);
  g_assert_cmpint (I64 (BLOCK, COMPLETE, 7), ==, TB_TIME_NONE);
  g_assert_cmpint (I64 (BLOCK, COMPLETE, 8), ==, TB_TIME_NONE);
  g_assert_cmpint (I64 (BLOCK, INSERT, 7) + I64 (BLOCK, INSERT, 8), ==, 22 + 30);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 1);
}

/* Against a list that is searched from its front. */
static void
test_block_random (void)
{
  enum
  {
    N = 4000
  };
  typedef struct
  {
    gint64 insert, issue;
    guint64 sector;
    gint32 tid;
    gboolean open;
  } Request;
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  g_autofree Request *requests = g_new0 (Request, N);
  g_autofree gint64 *expected = g_new0 (gint64, 3 * N);
  guint n_requests = 0, n_rows = 0, n_open = 0;

  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  for (guint i = 0; i < N; i++)
    {
      TbEventKind kind = TB_EVENT_IO_INSERT + g_test_rand_int_range (0, 3);
      gboolean by_sector = g_test_rand_bit ();
      guint64 sector = by_sector ? (guint64) g_test_rand_int_range (0, 6) : G_MAXUINT64;
      gint32 tid = g_test_rand_int_range (1, 4);
      Request *found = NULL;

      io (fixture, i, kind, tid, sector);
      /* the one in service that was issued first, or the one queued that was inserted first */
      for (guint r = 0; r < n_requests && kind != TB_EVENT_IO_INSERT; r++)
        {
          Request *request = &requests[r];
          gboolean in_service = request->issue >= 0;

          if (!request->open || (by_sector ? request->sector != sector : request->tid != tid)
              || (kind == TB_EVENT_IO_ISSUE && in_service))
            continue;
          if (found == NULL || (in_service && found->issue < 0)
              || (in_service && request->issue < found->issue))
            found = request;
        }
      if (kind == TB_EVENT_IO_COMPLETE)
        {
          expected[3 * n_rows] = found != NULL ? found->insert : -1;
          expected[3 * n_rows + 1] = found == NULL ? -1 : found->issue >= 0 ? found->issue : found->insert;
          expected[3 * n_rows + 2] = i;
          n_rows++;
          if (found != NULL)
            found->open = FALSE;
        }
      else if (found != NULL)
        found->issue = i;
      else
        requests[n_requests++]
            = (Request) { i, kind == TB_EVENT_IO_ISSUE ? (gint64) i : -1, sector, tid, TRUE };
    }
  for (guint r = 0; r < n_requests; r++)
    n_open += requests[r].open;
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (BLOCK), ==, n_rows + n_open);
  for (guint i = 0; i < n_rows; i++)
    {
      g_assert_cmpint (I64 (BLOCK, INSERT, i), ==, expected[3 * i]);
      g_assert_cmpint (I64 (BLOCK, ISSUE, i), ==, expected[3 * i + 1]);
      g_assert_cmpint (I64 (BLOCK, COMPLETE, i), ==, expected[3 * i + 2]);
    }
}

static void
test_syscalls (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 read_text = text (fixture, "read"), write_text = text (fixture, "write");
  guint64 args[6] = { 3, 4096, 10, 0, 0, 99 };

  add (fixture,
       (TbEvent) { .time = 1, .kind = TB_EVENT_SYS_EXIT, .tid = 5, .pid = 5, .text = read_text, .a = 7 });
  add (fixture,
       (TbEvent) {
           .time = 2, .kind = TB_EVENT_SYS_ENTER, .tid = 5, .pid = 5, .text = write_text, .args = args });
  add (fixture, (TbEvent) { .time = 3, .kind = TB_EVENT_SYS_EXIT, .tid = 5, .pid = 5, .a = (guint64) -4 });
  add (fixture, (TbEvent) { .time = 4, .kind = TB_EVENT_SYS_ENTER, .tid = 5, .pid = 5, .text = read_text });
  add (fixture, (TbEvent) { .time = 5, .kind = TB_EVENT_SYS_ENTER, .tid = 5, .pid = 5, .text = write_text });
  add (fixture, (TbEvent) { .time = 6, .kind = TB_EVENT_SYS_ENTER, .tid = 6, .pid = 5, .text = read_text });
  add (fixture, (TbEvent) { .time = 7, .kind = TB_EVENT_EXIT, .tid = 6, .pid = 5 });
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
  add (fixture,
       (TbEvent) { .time = time, .kind = kind, .tid = 5, .pid = 5, .text = text (fixture, function) });
}

static void
test_calls (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  static const gint64 expected[][2] = { { -1, 1 }, { 3, 4 }, { 6, 8 }, { 5, 8 }, { 2, 8 }, { 9, -1 } };

  call (fixture, 1, TB_EVENT_RETURN, "main");
  call (fixture, 2, TB_EVENT_CALL, "a");
  call (fixture, 3, TB_EVENT_CALL, "b");
  call (fixture, 4, TB_EVENT_RETURN, "b");
  call (fixture, 5, TB_EVENT_CALL, "b");
  call (fixture, 6, TB_EVENT_CALL, "c");
  call (fixture, 8, TB_EVENT_RETURN, "a"); /* a longjmp over two */
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

static void
test_lost (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  switch_to (fixture, 1, 0, 0, 'R', 9);
  switch_to (fixture, 2, 1, 0, 'R', 8);
  add (fixture, (TbEvent) { .time = 30, .cpu = 1, .kind = TB_EVENT_LOST, .a = 3, .b = 20 });
  add (fixture, (TbEvent) { .time = 40, .cpu = 0, .kind = TB_EVENT_LOST, .a = 4, .b = 10 });
  switch_to (fixture, 50, 0, 3, 'S', 9); /* no contradiction: who ran is not known */
  switch_to (fixture, 51, 0, 3, 'S', 9);
  add (fixture, (TbEvent) { .time = 60, .cpu = TB_CPU_ALL, .kind = TB_EVENT_LOST, .a = 5, .b = 70 });
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (LOST), ==, 3);
  g_assert_cmpint (I64 (LOST, FROM, 0), ==, 10);
  g_assert_cmpint (I64 (LOST, TO, 0), ==, 40);
  g_assert_cmpint (I64 (LOST, FROM, 1), ==, 20);
  g_assert_cmpint (I64 (LOST, FROM, 2), ==, 60);
  g_assert_cmpuint (U32 (LOST, CPU, 2), ==, TB_CPU_ALL);
  g_assert_cmpuint (fixture->statistics.lost, ==, 12);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 1);
}

static void
test_range (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  gint64 from, to;

  switch_to (fixture, 100, 0, 3, 'R', 3);
  switch_to (fixture, 200, 0, 0, 'R', 4);
  switch_to (fixture, 300, 0, 7, 'R', 7);
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (SWITCH), ==, 1);
  tb_session_get_range (fixture->session, &from, &to);
  g_assert_cmpint (from, ==, 100);
  g_assert_cmpint (to, ==, 300);
}

static void
test_hosts (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint n_hosts;
  const TbHost *hosts;

  tb_recorder_add_host (fixture->recorder, "here", "6.18", "x86_64", 4, 0);
  tb_recorder_add_host (fixture->recorder, "there", "6.18", "x86_64", 2, 500);
  add (fixture,
       (TbEvent) { .time = 1, .host = 1, .cpu = 1, .kind = TB_EVENT_SWITCH, .tid = 0, .a = 7, .code = 'R' });
  add (fixture,
       (TbEvent) { .time = 2, .host = 0, .cpu = 1, .kind = TB_EVENT_SWITCH, .tid = 0, .a = 7, .code = 'R' });
  add (fixture, (TbEvent) { .time = 3, .host = 0, .cpu = 9, .kind = TB_EVENT_SAMPLE, .tid = 7, .a = 1 });
  add (fixture, (TbEvent) { .time = 4, .host = 9, .cpu = 0, .kind = TB_EVENT_SAMPLE, .tid = 7, .a = 1 });
  recorder_fixture_finish (fixture);
  hosts = tb_session_get_hosts (fixture->session, &n_hosts);
  g_assert_cmpuint (n_hosts, ==, 2);
  g_assert_cmpuint (hosts[1].first_cpu, ==, 4);
  g_assert_cmpuint (U32 (SWITCH, CPU, 0), ==, 5);
  g_assert_cmpuint (U32 (SWITCH, CPU, 1), ==, 1);
  g_assert_cmpuint (U32 (SWITCH, NEXT, 0), !=, U32 (SWITCH, NEXT, 1));
  g_assert_cmpuint (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 0))->host, ==, 1);
  g_assert_cmpuint (U32 (SAMPLE, CPU, 0), ==, TB_CPU_ALL);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 2);
}

static TbEvent
random_event (gint64 time, guint cpu)
{
  TbEvent event = {
    .time = time,
    .cpu = cpu,
    .kind = g_test_rand_int_range (0, TB_N_EVENT_KINDS),
    .tid = g_test_rand_int_range (0, 12),
    .pid = -1,
    .a = g_test_rand_int_range (0, 12),
    .code = "SDR+XZ"[g_test_rand_int_range (0, 6)],
    .text = g_test_rand_int_range (0, 4),
    .text2 = g_test_rand_int_range (0, 4),
  };

  if (event.kind == TB_EVENT_SYS_ENTER || event.kind == TB_EVENT_WHOLE_SYSCALL)
    event.args = NULL;
  else
    {
      event.b = g_test_rand_int_range (0, 12);
      event.device = g_test_rand_int_range (0, 2);
    }
  if (event.kind == TB_EVENT_LOST)
    event.b = time;
  return event;
}

static void
intern_few (RecorderFixture *fixture)
{
  for (guint i = 0; i < 4; i++)
    text (fixture, (const char *[]) { "a", "b", "c", "d" }[i]);
  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  tb_recorder_intern_device (fixture->recorder, 0, "vdb", "block", NULL);
  tb_recorder_add_host (fixture->recorder, "h", "", "", 4, 0);
}

/* What comes cpu by cpu in random portions gives the same session as what comes in order. */
static void
test_order (void)
{
  enum
  {
    N = 20000,
    N_CPUS = 4
  };
  g_autoptr (RecorderFixture) sorted = recorder_fixture_new ();
  g_autoptr (RecorderFixture) shuffled = recorder_fixture_new ();
  g_autofree TbEvent *events = g_new (TbEvent, N);
  g_autoptr (GError) error = NULL;
  guint next[N_CPUS] = { 0 };
  guint n_added = 0, safe = 0;
  gint64 time = 1000;

  intern_few (sorted);
  intern_few (shuffled);
  for (guint i = 0; i < N; i++)
    {
      /* equal times only on one cpu, where the order of arrival counts */
      time += i > 0 && g_test_rand_int_range (0, 4) == 0 ? 0 : g_test_rand_int_range (1, 50);
      events[i]
          = random_event (time, i > 0 && time == events[i - 1].time ? events[i - 1].cpu
                                                                    : g_test_rand_int_range (0, N_CPUS));
      tb_recorder_add (sorted->recorder, &events[i]);
    }
  while (n_added < N)
    {
      guint cpu = g_test_rand_int_range (0, N_CPUS);
      guint portion = g_test_rand_int_range (1, 300);

      for (; portion > 0 && next[cpu] < N; next[cpu]++)
        if (events[next[cpu]].cpu == cpu)
          {
            tb_recorder_add (shuffled->recorder, &events[next[cpu]]);
            n_added++;
            portion--;
          }
      safe = N;
      for (guint i = 0; i < N_CPUS; i++)
        safe = MIN (safe, next[i]);
      if (safe < N && g_test_rand_bit ())
        g_assert_true (tb_recorder_advance (shuffled->recorder, events[safe].time, &error));
    }
  recorder_fixture_finish (sorted);
  recorder_fixture_finish (shuffled);
  g_assert_cmpuint (shuffled->statistics.events, ==, N);
  g_assert_cmpuint (shuffled->statistics.mismatched, ==, sorted->statistics.mismatched);
  recorder_fixture_assert_equal (sorted, shuffled);
}

/* Nothing that an event may hold breaks the recorder or what it writes. */
static void
test_random (void)
{
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
      g_autoptr (GError) error = NULL;
      gint64 limit = 0;

      intern_few (fixture);
      for (guint i = 0; i < 3000; i++)
        {
          TbEvent event
              = random_event (g_test_rand_int_range (0, 1000) + limit - 10, g_test_rand_int_range (0, 6));
          guint odd = g_test_rand_int_range (0, 40);
          gboolean with_args;

          if (odd == 0)
            event.kind = g_test_rand_int_range (0, 256);
          with_args = event.kind == TB_EVENT_SYS_ENTER || event.kind == TB_EVENT_WHOLE_SYSCALL;
          if (with_args)
            event.args = NULL;
          if (odd == 1)
            event.tid = event.pid = g_test_rand_int ();
          if (odd == 2 && !with_args)
            event.a = event.b = event.c = (guint64) g_test_rand_int () << 32 | g_test_rand_int ();
          if (odd == 3 && !with_args)
            event.module = event.device = g_test_rand_int ();
          if (odd == 4)
            event.text = event.text2 = event.text3 = event.stack = g_test_rand_int ();
          if (odd == 5)
            event.cpu = g_test_rand_int ();
          if (odd == 6)
            event.host = g_test_rand_int ();
          if (odd == 7)
            event.time = (gint64) ((guint64) g_test_rand_int () << 32);
          tb_recorder_add (fixture->recorder, &event);
          if (g_test_rand_int_range (0, 50) == 0)
            {
              limit += g_test_rand_int_range (0, 200);
              g_assert_true (tb_recorder_advance (fixture->recorder, limit, &error));
            }
        }
      recorder_fixture_finish (fixture);
    }
}

/* A full disk: the failure is told, every later call fails at once, and what was committed opens. */
static void
test_full_disk (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  struct rlimit old, limited;
  gboolean failed = FALSE;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  limited = old;
  limited.rlim_cur = 400000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limited), ==, 0);
  for (guint i = 0; i < 3000000 && !failed; i++)
    {
      add (fixture, (TbEvent) { .time = 1 + i,
                                .kind = TB_EVENT_SAMPLE,
                                .tid = 1 + i % 1000,
                                .pid = -1,
                                .a = g_test_rand_int () });
      if (i % 5000 == 0)
        failed = !tb_recorder_advance (fixture->recorder, 1 + i, &error);
    }
  g_assert_true (failed);
  g_test_message ("%s", error->message);
  g_assert_error (error, TB_SESSION_ERROR, TB_SESSION_ERROR_IO);
  g_assert_false (tb_recorder_finish (fixture->recorder, &again));
  g_assert_cmpstr (again->message, ==, error->message);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_clear_object (&fixture->recorder);
  fixture->session = tb_session_open (fixture->file, NULL, NULL);
  g_assert_true (fixture->session == NULL || tb_session_is_cut_short (fixture->session));
}

static void
test_abandon (void)
{
  RecorderFixture *fixture = recorder_fixture_new ();
  g_autoptr (GError) error = NULL;

  switch_to (fixture, 1, 0, 0, 'R', 9);
  g_assert_true (tb_recorder_advance (fixture->recorder, 10, &error));
  g_assert_true (g_file_query_exists (fixture->file, NULL));
  tb_recorder_abandon (fixture->recorder);
  g_assert_false (g_file_query_exists (fixture->file, NULL));
  g_assert_false (tb_recorder_advance (fixture->recorder, 20, &error));
  g_assert_nonnull (error);
  recorder_fixture_free (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/pid-reuse", test_pid_reuse);
  g_test_add_func ("/recorder/sleeps", test_sleeps);
  g_test_add_func ("/recorder/whole-calls", test_whole_calls);
  g_test_add_func ("/recorder/missed-fork", test_missed_fork);
  g_test_add_func ("/recorder/fork-chain", test_fork_chain);
  g_test_add_func ("/recorder/names", test_names);
  g_test_add_func ("/recorder/late-process", test_late_process);
  g_test_add_func ("/recorder/exec-by-thread", test_exec_by_thread);
  g_test_add_func ("/recorder/double-tellings", test_double_tellings);
  g_test_add_func ("/recorder/interrupts", test_interrupts);
  g_test_add_func ("/recorder/block", test_block);
  g_test_add_func ("/recorder/block-random", test_block_random);
  g_test_add_func ("/recorder/syscalls", test_syscalls);
  g_test_add_func ("/recorder/calls", test_calls);
  g_test_add_func ("/recorder/lost", test_lost);
  g_test_add_func ("/recorder/range", test_range);
  g_test_add_func ("/recorder/hosts", test_hosts);
  g_test_add_func ("/recorder/order", test_order);
  g_test_add_func ("/recorder/random", test_random);
  g_test_add_func ("/recorder/full-disk", test_full_disk);
  g_test_add_func ("/recorder/abandon", test_abandon);
  return g_test_run ();
}
