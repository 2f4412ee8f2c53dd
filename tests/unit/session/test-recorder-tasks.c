/* test-recorder-tasks.c: test of threads and processes in the recorder: IDs, names, parents, starts
 * and ends
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "recorder-fixture.h"

static void
test_pid_reuse (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 first, second;

  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 10, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50, .b = 50 });
  recorder_fixture_switch (fixture, 20, 0, 1, 'S', 50);
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 30, .kind = TB_EVENT_EXIT, .tid = 50, .pid = 50 });
  recorder_fixture_switch (fixture, 31, 0, 50, 'X', 1);
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 40, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50, .b = 50 });
  recorder_fixture_switch (fixture, 41, 0, 1, 'S', 50);
  recorder_fixture_switch (fixture, 50, 0, 50, 'S', 0);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
  first = U32 (SWITCH, NEXT, 0);
  second = U32 (SWITCH, NEXT, 2);
  g_assert_cmpuint (U32 (SWITCH, PREV, 1), ==, first);
  g_assert_cmpuint (U32 (SWITCH, PREV, 3), ==, second);
  g_assert_cmpuint (first, !=, second);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->tid, ==, 50);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->start, ==, 10);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->end, ==, 31); /* its last switch */
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->tid, ==, 50);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->start, ==, 40);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->end, ==, TB_TIME_NONE);
  g_assert_true (recorder_fixture_get_process (fixture, first)
                 != recorder_fixture_get_process (fixture, second));
  g_assert_cmpint (recorder_fixture_get_process (fixture, first)->end, ==, 31);
  g_assert_cmpint (recorder_fixture_get_process (fixture, second)->start, ==, 40);
}

static void
add_task_event (RecorderFixture *fixture, gint64 time, TbEventKind kind, gint32 tid)
{
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = time, .kind = kind, .tid = tid, .pid = tid, .a = 0 });
}

/* The exit of a thread is recorded before its last switch, of which the state may be unknown. A
 * name that was recorded in between is its own, a program is that of another thread. */
static void
test_exit_before_last_switch (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 first, second;

  add_task_event (fixture, 5, TB_EVENT_EXISTING, 50);
  recorder_fixture_switch (fixture, 10, 0, 1, 'S', 50);
  add_task_event (fixture, 20, TB_EVENT_EXIT, 50);
  add_task_event (fixture, 21, TB_EVENT_NAME, 50);
  recorder_fixture_switch (fixture, 22, 0, 50, TB_PREV_STATE_PREEMPTED, 1);
  recorder_fixture_switch (fixture, 24, 0, 1, 'S', 50);
  recorder_fixture_switch (fixture, 26, 0, 50, TB_PREV_STATE_ASLEEP, 1);
  add_task_event (fixture, 40, TB_EVENT_EXEC, 50);
  recorder_fixture_switch (fixture, 50, 0, 1, 'S', 50);
  recorder_fixture_finish (fixture);

  first = U32 (SWITCH, NEXT, 0);
  second = U32 (SWITCH, NEXT, 4);
  g_assert_cmpuint (U32 (SWITCH, PREV, 1), ==, first);
  g_assert_cmpuint (U32 (SWITCH, NEXT, 2), ==, first);
  g_assert_cmpuint (U32 (SWITCH, PREV, 3), ==, first);
  g_assert_cmpuint (first, !=, second);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, first)->end, ==, 26);
  g_assert_cmpint (recorder_fixture_get_process (fixture, first)->end, ==, 26);
  g_assert_cmpint (recorder_fixture_get_thread (fixture, second)->end, ==, TB_TIME_NONE);
}

/* Linux before 4.14 shows a dead thread as x. */
static void
test_dead_on_early_kernels (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  recorder_fixture_switch (fixture, 10, 0, 7, 'x', 0);
  recorder_fixture_switch (fixture, 20, 0, 0, 'R', 7);
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (U32 (SWITCH, PREV, 0), !=, U32 (SWITCH, NEXT, 1));
  g_assert_cmpint (recorder_fixture_get_thread (fixture, U32 (SWITCH, PREV, 0))->end, ==, 10);
}

/* A thread that runs after its end is a new thread, even without a fork. */
static void
test_missed_fork (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  recorder_fixture_switch (fixture, 10, 0, 7, 'X', 0);
  recorder_fixture_switch (fixture, 20, 0, 0, 'R', 7);
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

  recorder_fixture_add (fixture, (TbEvent) { .time = 1,
                                             .kind = TB_EVENT_NAME,
                                             .tid = 100,
                                             .pid = 100,
                                             .text = recorder_fixture_intern (fixture, "root") });
  for (guint i = 0; i < LENGTH; i++)
    recorder_fixture_add (fixture, (TbEvent) { .time = 10 + i,
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
      g_assert_cmpint (recorder_fixture_get_thread (fixture, U32 (PROCESS, CREATOR, 1 + i))->tid,
                       ==, 100 + i);
      g_assert_cmpuint (
          recorder_fixture_get_process (fixture, thread)->parent, ==,
          recorder_fixture_get_thread (fixture, U32 (PROCESS, CREATOR, 1 + i))->process);
    }
}

static void
test_names (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  const TbThreadName *names;
  guint n_names, worker, leader;

  recorder_fixture_add (fixture, (TbEvent) { .time = 1,
                                             .kind = TB_EVENT_EXISTING,
                                             .tid = 5,
                                             .pid = 5,
                                             .a = 1,
                                             .text = recorder_fixture_intern (fixture, "old") });
  recorder_fixture_add (fixture, (TbEvent) { .time = 1,
                                             .kind = TB_EVENT_EXISTING,
                                             .tid = 1,
                                             .pid = 1,
                                             .text = recorder_fixture_intern (fixture, "init") });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 1,
                                    .kind = TB_EVENT_COMMAND,
                                    .pid = 5,
                                    .text = recorder_fixture_intern (fixture, "old --very") });
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 2, .kind = TB_EVENT_FORK, .tid = 5, .pid = 5, .a = 6, .b = 5 });
  recorder_fixture_add (fixture, (TbEvent) { .time = 3,
                                             .kind = TB_EVENT_NAME,
                                             .tid = 6,
                                             .pid = 5,
                                             .text = recorder_fixture_intern (fixture, "worker") });
  recorder_fixture_add (fixture, (TbEvent) { .time = 4,
                                             .kind = TB_EVENT_NAME,
                                             .tid = 5,
                                             .pid = 5,
                                             .text = recorder_fixture_intern (fixture, "new") });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 5,
                                    .kind = TB_EVENT_PROCESS_NAME,
                                    .pid = 1,
                                    .text = recorder_fixture_intern (fixture, "systemd") });
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
  g_assert_cmpstr (recorder_fixture_get_process (fixture, U32 (PROCESS, THREAD, 1))->name, ==,
                   "systemd");

  names = tb_session_get_thread_names (fixture->session, &n_names);
  for (guint i = 0; i < n_names; i++)
    g_test_message ("%u %" G_GINT64_FORMAT " %s", names[i].thread, names[i].time, names[i].name);
  g_assert_cmpuint (n_names, ==, 5);
  g_assert_cmpstr (names[0].name, ==, "old");
  g_assert_cmpstr (names[1].name, ==, "new");
  g_assert_cmpint (names[1].time, ==, 4);
}

/* A thread recorded by TID only belongs to the process that is recorded later. */
static void
test_late_process (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 12);
  recorder_fixture_switch (fixture, 2, 0, 12, 'S', 10);
  recorder_fixture_add (fixture, (TbEvent) { .time = 3,
                                             .kind = TB_EVENT_NAME,
                                             .tid = 12,
                                             .pid = 10,
                                             .text = recorder_fixture_intern (fixture, "helper") });
  recorder_fixture_switch (fixture, 4, 0, 10, 'S', 13);
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (recorder_fixture_get_thread (fixture, U32 (SWITCH, NEXT, 0))->process, ==,
                    recorder_fixture_get_thread (fixture, U32 (SWITCH, NEXT, 1))->process);
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 0))->pid, ==, 10);
  g_assert_cmpstr (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 0))->name, ==,
                   "helper");
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (SWITCH, NEXT, 2))->pid, ==, 13);
}

/* An exec by a thread that is not the leader: it continues under the leader's TID. */
static void
test_exec_by_thread (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint32 leader, thread;

  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 20);
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 2, .kind = TB_EVENT_FORK, .tid = 20, .pid = 20, .a = 21, .b = 20 });
  recorder_fixture_switch (fixture, 3, 0, 20, 'S', 21);
  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 4, .cpu = 1, .kind = TB_EVENT_EXIT, .tid = 20, .pid = 20 });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 5,
                                    .kind = TB_EVENT_EXEC,
                                    .tid = 20,
                                    .pid = 20,
                                    .text = recorder_fixture_intern (fixture, "/bin/true") });
  recorder_fixture_switch (fixture, 6, 0, 20, 'S', 0);
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
test_repeated_events (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  recorder_fixture_add (fixture,
                        (TbEvent) {
                            .time = 10, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50 });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 11, .kind = TB_EVENT_FORK, .tid = 1, .pid = 1, .a = 50, .b = 50 });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 20, .kind = TB_EVENT_EXIT, .tid = 50, .pid = 50 });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 21, .kind = TB_EVENT_EXIT, .tid = 50, .pid = 50 });
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
  g_assert_cmpuint (N_ROWS (PROCESS), ==, 2);
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (PROCESS, THREAD, 0))->pid, ==, 50);
  g_assert_cmpint (recorder_fixture_get_process (fixture, U32 (PROCESS, THREAD, 0))->start, ==, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/pid-reuse", test_pid_reuse);
  g_test_add_func ("/recorder/exit-before-last-switch", test_exit_before_last_switch);
  g_test_add_func ("/recorder/dead-on-early-kernels", test_dead_on_early_kernels);
  g_test_add_func ("/recorder/missed-fork", test_missed_fork);
  g_test_add_func ("/recorder/fork-chain", test_fork_chain);
  g_test_add_func ("/recorder/names", test_names);
  g_test_add_func ("/recorder/late-process", test_late_process);
  g_test_add_func ("/recorder/exec-by-thread", test_exec_by_thread);
  g_test_add_func ("/recorder/double-tellings", test_repeated_events);
  return g_test_run ();
}
