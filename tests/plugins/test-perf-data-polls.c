/* test-perf-data-polls.c: test of the sets of descriptors for which threads wait with epoll, as the
 * system calls in perf.data files make them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include "perf-data-checks.h"
#include "perf-data-scenario.h"

enum
{
  ENTER = 11, /* events of the scenario */
  EXIT = 12
};

/* Numbers of system calls of x86-64 */
enum
{
  READ = 0,
  OPEN = 2,
  CLOSE = 3,
  POLL = 7,
  DUP2 = 33,
  FCNTL = 72,
  EPOLL_WAIT = 232,
  EPOLL_CTL = 233,
  TIMERFD_CREATE = 283,
  EVENTFD2 = 290,
  EPOLL_CREATE1 = 291,
  EPOLL_PWAIT2 = 441
};

enum
{
  ADD = 1,
  REMOVE = 2
};

static guint64 now;

static Writer *
begin (void)
{
  Writer *writer = writer_new (FALSE, WRITER_FILE, WRITER_PLAIN);

  writer->feature_bits = ALL_FEATURES;
  add_attrs (writer);
  now = 1000;
  return writer;
}

static void
enter (Writer *writer, gint32 tid, guint call, guint64 a, guint64 b, guint64 c, guint64 d)
{
  begin_tracepoint (writer, ENTER, 0, tid, now++, 0);
  put_u64 (writer, call);
  put_u64 (writer, a);
  put_u64 (writer, b);
  put_u64 (writer, c);
  put_u64 (writer, d);
  put_u64 (writer, 0);
  put_u64 (writer, 0);
  end_tracepoint (writer);
}

static void
leave (Writer *writer, gint32 tid, guint call, gint64 result)
{
  begin_tracepoint (writer, EXIT, 0, tid, now++, 0);
  put_u64 (writer, call);
  put_u64 (writer, result);
  end_tracepoint (writer);
}

static void
call (Writer *writer, gint32 tid, guint number, guint64 a, guint64 b, guint64 c, gint64 result)
{
  enter (writer, tid, number, a, b, c, 0);
  leave (writer, tid, number, result);
}

/* The thread sleeps in the call, or is preempted there. */
static void
wait_in (Writer *writer, gint32 tid, guint number, guint64 set, gint32 timeout, guint64 state)
{
  enter (writer, tid, number, set, 0x7000, 16, (guint64) (gint64) timeout);
  add_switch (writer, 0, now++, tid, state, 0);
  add_switch (writer, 0, now++, 0, 0, tid);
  leave (writer, tid, number, 0);
}

#define SLEEPS 1
#define PREEMPTED 256

static void
assert_sleeps (Writer *writer, const char *expected)
{
  g_autoptr (TbRecorder) recorder = import_writer (writer);
  g_auto (GStrv) lines = g_strsplit (recorder_log_get_text (recorder), "\n", -1);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *sleep = strstr (lines[i], " sleep ");

      if (sleep != NULL)
        g_string_append_printf (found, "%s\n", sleep + 1);
    }
  g_assert_cmpstr (found->str, ==, expected);
  if (*expected != '\0')
    assert_contains (recorder_log_get_facts (recorder), "fact sleeps=epoll\n");
  else
    assert_lacks (recorder_log_get_facts (recorder), "fact sleeps=");
}

/* A set has the members that were added and not removed or closed since, by their numbers, with
 * what they are where a call showed it. */
static void
test_members (void)
{
  g_autoptr (Writer) writer = begin ();

  call (writer, 20, EPOLL_CREATE1, 0, 0, 0, 4);
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS); /* an empty set */
  call (writer, 20, EVENTFD2, 0, 0, 0, 5);
  call (writer, 21, TIMERFD_CREATE, 0, 0, 0, 6);
  call (writer, 20, EPOLL_CTL, 4, ADD, 9, 0);
  call (writer, 21, EPOLL_CTL, 4, ADD, 6, 0);
  call (writer, 20, EPOLL_CTL, 4, ADD, 5, 0);
  call (writer, 20, EPOLL_CTL, 4, ADD, 7, -9); /* failed */
  wait_in (writer, 20, EPOLL_WAIT, 4, 20, SLEEPS);
  wait_in (writer, 20, EPOLL_WAIT, 4, 20, PREEMPTED);
  call (writer, 20, EPOLL_CTL, 4, REMOVE, 9, 0);
  wait_in (writer, 21, EPOLL_WAIT, 4, -1, SLEEPS);
  call (writer, 20, CLOSE, 5, 0, 0, 0);
  wait_in (writer, 20, EPOLL_WAIT, 4, 0, SLEEPS);
  assert_sleeps (writer,
                 "sleep code=4 5 20000000 0 'epoll_wait' 'epoll:[eventfd 5, timerfd 6, 9]'\n"
                 "sleep code=4 5 -1 0 'epoll_wait' 'epoll:[eventfd 5, timerfd 6]'\n"
                 "sleep code=4 5 0 0 'epoll_wait' 'epoll:[timerfd 6]'\n");
}

/* What is not known remains unknown: sets that began before the recording, those of another
 * process, timeouts in memory, other calls. */
static void
test_unknown (void)
{
  g_autoptr (Writer) writer = begin ();

  call (writer, 20, EPOLL_CTL, 3, ADD, 9, 0);
  wait_in (writer, 20, EPOLL_WAIT, 3, -1, SLEEPS);
  call (writer, 30, EPOLL_CREATE1, 0, 0, 0, 4);
  call (writer, 30, EPOLL_CTL, 4, ADD, 9, 0);
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS);
  wait_in (writer, 30, EPOLL_PWAIT2, 4, 0x7000, SLEEPS);
  wait_in (writer, 30, POLL, 4, 100, SLEEPS);
  wait_in (writer, 30, READ, 4, 0, SLEEPS);
  assert_sleeps (writer, "");
}

/* A number that stands for another file, a closed set, another program. */
static void
test_replaced (void)
{
  g_autoptr (Writer) writer = begin ();

  call (writer, 20, EPOLL_CREATE1, 0, 0, 0, 4);
  call (writer, 20, EVENTFD2, 0, 0, 0, 5);
  call (writer, 20, EPOLL_CTL, 4, ADD, 5, 0);
  call (writer, 20, EPOLL_CTL, 4, ADD, 8, 0);
  call (writer, 20, DUP2, 5, 6, 0, 6);
  call (writer, 20, FCNTL, 5, 0, 10, 10);
  call (writer, 20, FCNTL, 5, 3, 0, 11);
  for (gint32 fd = 10; fd <= 11; fd++)
    call (writer, 20, EPOLL_CTL, 4, ADD, fd, 0);
  call (writer, 20, OPEN, 0x7000, 0, 0, 5); /* how 5 was closed is not in the recording */
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS);
  call (writer, 20, OPEN, 0x7000, 0, 0, 4);
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS);
  call (writer, 20, EPOLL_CREATE1, 0, 0, 0, 4);
  call (writer, 20, EPOLL_CTL, 4, ADD, 5, 0);
  add_comm (writer, 20, 20, "other", now++, 1 << 13);
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS);
  assert_sleeps (writer, "sleep code=4 5 -1 0 'epoll_wait' 'epoll:[8, eventfd 10, 11]'\n");
}

/* Lost events may have changed everything. A long set is cut. */
static void
test_lost (void)
{
  g_autoptr (Writer) writer = begin ();
  const guint64 lost[] = { 1, 1 };

  call (writer, 20, EPOLL_CREATE1, 0, 0, 0, 4);
  for (gint32 fd = 20; fd > 10; fd--)
    call (writer, 20, EPOLL_CTL, 4, ADD, fd, 0);
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS);
  add_simple (writer, PERF_RECORD_LOST, lost, 2, now++, 0);
  wait_in (writer, 20, EPOLL_WAIT, 4, -1, SLEEPS);
  assert_sleeps (writer, "sleep code=4 5 -1 0 'epoll_wait' "
                         "'epoll:[11, 12, 13, 14, 15, 16, 17, 18, …]'\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-polls/members", test_members);
  g_test_add_func ("/perf-data-polls/unknown", test_unknown);
  g_test_add_func ("/perf-data-polls/replaced", test_replaced);
  g_test_add_func ("/perf-data-polls/lost", test_lost);
  return g_test_run ();
}
