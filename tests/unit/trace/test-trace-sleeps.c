/* test-trace-sleeps.c: test that recorded objects of sleeps take precedence over inferred ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "trace-events.h"

#define MS 1000000

enum
{
  VDA,
  ETH,
};

/* Thread 1 sleeps from 100 µs to 100 µs + length, woken by thread 2 or, with timer, by a timer
 * interrupt. */
static Events *
begin (char state, gint64 length, gboolean timer)
{
  Events *events = events_new (0, 1000 * MS, 6);
  gint64 end = 100000 + length;

  events_set_device_class (events, VDA, TB_DEVICE_BLOCK);
  events_set_device_class (events, ETH, TB_DEVICE_NETWORK);
  events_switch (events, 0, 0, 0, 'R', 1);
  events_switch (events, 0, 1, 0, 'R', 2);
  events_switch (events, 100000, 0, 1, state, 0);
  if (timer)
    events_interrupt (events, end - 10, end + 10, 1, TB_INTERRUPT_TIMER, 0, 0, TB_ID_NONE);
  events_wakeup (events, end, 1, 2, 1, 0);
  return events;
}

static char *
describe_wait (Events *events)
{
  g_auto (TbTraceOutput) output = { 0 };
  GString *text = g_string_new (NULL);
  const guint8 *flags, *kinds;
  const guint32 *threads, *objects, *sleeps;
  const guint8 *states;

  events_build (events, &output);
  flags = g_bytes_get_data (output.columns[TB_INTERVAL_FLAGS], NULL);
  kinds = g_bytes_get_data (output.columns[TB_INTERVAL_KIND], NULL);
  threads = g_bytes_get_data (output.columns[TB_INTERVAL_THREAD], NULL);
  states = g_bytes_get_data (output.columns[TB_INTERVAL_STATE], NULL);
  objects = g_bytes_get_data (output.columns[TB_INTERVAL_OBJECT], NULL);
  sleeps = g_bytes_get_data (output.columns[TB_INTERVAL_SLEEP], NULL);
  for (gsize i = 0; i < output.n; i++)
    if (threads[i] == 1 && states[i] >= TB_STATE_INTERRUPTIBLE)
      g_string_append_printf (text, "%s=%u%s row %d", tb_wait_kind_get_name (kinds[i]), objects[i],
                              flags[i] & TB_INTERVAL_TIMED_OUT ? " timed out" : "",
                              (int) sleeps[i]);
  return g_string_free (text, FALSE);
}

#define assert_wait(events, expected)                                                              \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree char *described_ = describe_wait (events);                                          \
    g_assert_cmpstr (described_, ==, expected);                                                    \
  }                                                                                                \
  G_STMT_END

static void
test_kinds (void)
{
  static const struct
  {
    TbSleepKind kind;
    const char *interruptible;
    const char *uninterruptible;
  } cases[] = {
    { TB_SLEEP_UNKNOWN, "unknown=0", "unknown=0" },
    { TB_SLEEP_FILE, "unknown=7", "block-io=7" },
    { TB_SLEEP_PIPE, "pipe=7", "unknown=0" },
    { TB_SLEEP_SOCKET, "socket=7", "unknown=0" },
    { TB_SLEEP_POLL, "poll=7", "unknown=0" },
    { TB_SLEEP_EVENT, "other=7", "unknown=0" },
    { TB_SLEEP_TIMER, "sleep=7", "unknown=0" },
    /* the address is no name */
    { TB_SLEEP_LOCK, "lock=0", "unknown=0" },
    { TB_SLEEP_SHARED_LOCK, "lock=0", "unknown=0" },
    { TB_SLEEP_FILE_LOCK, "lock=7", "unknown=0" },
    { TB_SLEEP_SEMAPHORE, "lock=7", "unknown=0" },
    { TB_SLEEP_QUEUE, "other=7", "unknown=0" },
    { TB_SLEEP_CHILD, "child=7", "child=7" },
    { TB_SLEEP_SIGNAL, "signal=7", "unknown=0" },
    { TB_SLEEP_TIMED, "sleep=7", "unknown=0" },
    { TB_SLEEP_TERMINAL, "other=7", "unknown=0" },
    { TB_SLEEP_DEVICE, "other=7", "other=7" },
    { TB_SLEEP_RING, "other=7", "other=7" },
    { TB_SLEEP_FAULT, "page-fault=7", "page-fault=7" },
    { TB_SLEEP_KERNEL, "unknown=0", "unknown=0" },
    { TB_SLEEP_OTHER, "unknown=0", "unknown=0" },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cases) == TB_N_SLEEPS);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint state = 0; state < 2; state++)
      {
        g_autoptr (Events) events = begin ("SD"[state], MS, FALSE);
        const char *what = state == 0 ? cases[i].interruptible : cases[i].uninterruptible;
        g_autofree char *expected = g_strdup_printf ("%s row 0", what);

        events_sleep (events, 100000, 1, cases[i].kind, 7, TB_TIMEOUT_NONE);
        assert_wait (events, expected);
      }
}

/* A row belongs to the sleep that begins at exactly its time, and to its thread. */
static void
test_exact (void)
{
  g_autoptr (Events) events = begin ('S', MS, FALSE);

  events_sleep (events, 99999, 1, TB_SLEEP_PIPE, 3, TB_TIMEOUT_NONE);
  events_sleep (events, 100000, 2, TB_SLEEP_PIPE, 4, TB_TIMEOUT_NONE);
  events_sleep (events, 100001, 1, TB_SLEEP_PIPE, 5, TB_TIMEOUT_NONE);
  assert_wait (events, "unknown=0 row -1");
}

/* A recorded object takes precedence over the kind of the system call. */
static void
test_precedence (void)
{
  g_autoptr (Events) events = begin ('S', MS, FALSE);
  g_autoptr (Events) fault = begin ('D', MS, FALSE);
  g_autoptr (Events) fsync = begin ('D', MS, FALSE);
  g_autoptr (Events) poll = begin ('S', MS, FALSE);

  events_syscall (events, 90000, 2 * MS, 1, TB_SYSCALL_POLL);
  events_network (events, 95000, 0, TB_NETWORK_SEND, 1, 9);
  events_sleep (events, 100000, 1, TB_SLEEP_SOCKET, 7, TB_TIMEOUT_NONE);
  assert_wait (events, "socket=7 row 0");

  events_block (fault, 90000, 91000, 100000 + MS, VDA, 1, 1, 8);
  events_interrupt (fault, 99000 + MS, 101000 + MS, 1, TB_INTERRUPT_HARD, 36, 5, VDA);
  events_sleep (fault, 100000, 1, TB_SLEEP_FAULT, TB_STRING_NONE, TB_TIMEOUT_NONE);
  assert_wait (fault, "page-fault=8 row 0");

  events_block (fsync, 90000, 91000, 100000 + MS, VDA, 1, 1, 8);
  events_interrupt (fsync, 99000 + MS, 101000 + MS, 1, TB_INTERRUPT_HARD, 36, 5, VDA);
  events_sleep (fsync, 100000, 1, TB_SLEEP_FILE, 7, TB_TIMEOUT_NONE);
  assert_wait (fsync, "block-io=7 row 0");

  events_syscall (poll, 90000, 2 * MS, 1, TB_SYSCALL_OTHER);
  events_network (poll, 95000, 0, TB_NETWORK_RECEIVE, 1, 9);
  events_sleep (poll, 100000, 1, TB_SLEEP_POLL, TB_STRING_NONE, TB_TIMEOUT_NONE);
  assert_wait (poll, "poll=9 row 0");
}

static void
test_timeouts (void)
{
  static const struct
  {
    gint64 length;
    gint64 timeout;
    TbSleepKind kind;
    gboolean timer;
    gboolean timed_out;
  } cases[] = {
    { 50 * MS, 50 * MS, TB_SLEEP_LOCK, TRUE, TRUE },
    { 50 * MS, 50 * MS, TB_SLEEP_LOCK, FALSE, FALSE }, /* a thread woke it just in time */
    { 49 * MS, 50 * MS, TB_SLEEP_POLL, TRUE, TRUE },   /* the call began before the sleep */
    { 40 * MS, 50 * MS, TB_SLEEP_POLL, TRUE, FALSE },  /* another timer, which it polled */
    { 96 * MS, 100 * MS, TB_SLEEP_SOCKET, TRUE, TRUE },
    { 94 * MS, 100 * MS, TB_SLEEP_SOCKET, TRUE, FALSE },
    { 90 * MS, 50 * MS, TB_SLEEP_SIGNAL, TRUE, TRUE }, /* timers may be late */
    { 50 * MS, 50 * MS, TB_SLEEP_TIMED, TRUE, FALSE }, /* the timeout is its purpose */
    { 50 * MS, 50 * MS, TB_SLEEP_TIMER, TRUE, FALSE },
    { 50 * MS, TB_TIMEOUT_NONE, TB_SLEEP_POLL, TRUE, FALSE },
    { 50 * MS, TB_TIMEOUT_UNKNOWN, TB_SLEEP_POLL, TRUE, FALSE },
    { 50 * MS, 0, TB_SLEEP_POLL, TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = begin ('S', cases[i].length, cases[i].timer);
      g_autofree char *described = NULL;

      events_sleep (events, 100000, 1, cases[i].kind, TB_STRING_NONE, cases[i].timeout);
      described = describe_wait (events);
      g_test_message ("%u: %s", i, described);
      g_assert_cmpint (strstr (described, "timed out") != NULL, ==, cases[i].timed_out);
    }
}

/* The cause of the wake-up was not recorded. It is known only whether the timeout had just
 * expired. */
static void
test_unseen_timeouts (void)
{
  const struct
  {
    gint64 timeout;
    TbSleepKind kind;
    const char *described;
  } cases[] = {
    { 41 * MS, TB_SLEEP_LOCK, "timer timed out" },
    { 41 * MS, TB_SLEEP_TIMED, "timer" },
    { 45 * MS, TB_SLEEP_LOCK, "unknown" }, /* not yet expired */
    { 20 * MS, TB_SLEEP_LOCK, "unknown" },
    /* expired long before */ { TB_TIMEOUT_NONE, TB_SLEEP_LOCK, "unknown" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Events) events = events_new (0, 100 * MS, 4);
      g_auto (TbTraceOutput) output = { 0 };
      const gint64 *start;
      const guint8 *causes, *flags;
      const char *described = "unknown";

      events_switch (events, 0, 0, 0, 'R', 1);
      events_switch (events, 1 * MS, 0, 1, 'S', 0);
      events_sleep (events, 1 * MS, 1, cases[i].kind, TB_STRING_NONE, cases[i].timeout);
      events_switch (events, 41 * MS, 0, 0, 'R', 2);
      events_sample (events, 43 * MS, 0, 1);
      events_switch (events, 44 * MS, 0, 1, 'S', 0);
      events_build (events, &output);
      start = g_bytes_get_data (output.columns[TB_INTERVAL_START], NULL);
      causes = g_bytes_get_data (output.columns[TB_INTERVAL_CAUSE_KIND], NULL);
      flags = g_bytes_get_data (output.columns[TB_INTERVAL_FLAGS], NULL);
      for (gsize k = 0; k < output.n; k++)
        if (start[k] == 1 * MS && causes[k] == TB_CAUSE_TIMER)
          described = flags[k] & TB_INTERVAL_TIMED_OUT ? "timer timed out" : "timer";
      g_assert_cmpstr (described, ==, cases[i].described);
    }
}

/* Random sleeps of several threads. The row of each interval is searched among all of them. */
static void
test_random (void)
{
  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (Events) events = events_new (0, 4000, 5);
      g_auto (TbTraceOutput) output = { 0 };
      g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (guint32));
      guint n_found = 0;
      const gint64 *start;
      const guint32 *threads, *sleeps;
      const guint8 *states;

      for (gint64 time = 10; time < 3900; time += g_test_rand_int_range (1, 40))
        {
          guint32 thread = (guint32) g_test_rand_int_range (1, 5);
          guint cpu = thread - 1;
          gint64 out = time + g_test_rand_int_range (1, 6);

          events_switch (events, time, cpu, 0, 'R', thread);
          if (g_test_rand_int_range (0, 3) > 0)
            {
              /* Some rows belong to a thread that does not sleep at that time. */
              guint32 described = g_test_rand_int_range (0, 5) == 0 ? 5 - thread : thread;

              events_sleep (events, out, described, TB_SLEEP_PIPE, 1, TB_TIMEOUT_NONE);
              g_array_append_val (times, out);
              g_array_append_val (owners, described);
            }
          events_switch (events, out, cpu, thread, "SD+"[g_test_rand_int_range (0, 3)], 0);
          time = out;
          if (g_test_rand_bit ())
            events_wakeup (events, time + 1, cpu, 0, thread, 0);
        }
      events_build (events, &output);
      start = g_bytes_get_data (output.columns[TB_INTERVAL_START], NULL);
      threads = g_bytes_get_data (output.columns[TB_INTERVAL_THREAD], NULL);
      states = g_bytes_get_data (output.columns[TB_INTERVAL_STATE], NULL);
      sleeps = g_bytes_get_data (output.columns[TB_INTERVAL_SLEEP], NULL);
      for (gsize i = 0; i < output.n; i++)
        {
          guint32 expected = TB_ID_NONE;

          for (guint row = 0; row < times->len && states[i] >= TB_STATE_INTERRUPTIBLE; row++)
            if (g_array_index (times, gint64, row) == start[i]
                && g_array_index (owners, guint32, row) == threads[i])
              expected = row;
          g_assert_cmpuint (sleeps[i], ==, expected);
          n_found += expected != TB_ID_NONE;
        }
      g_assert_cmpuint (n_found, >, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/sleeps/kinds", test_kinds);
  g_test_add_func ("/trace/sleeps/exact", test_exact);
  g_test_add_func ("/trace/sleeps/precedence", test_precedence);
  g_test_add_func ("/trace/sleeps/timeouts", test_timeouts);
  g_test_add_func ("/trace/sleeps/unseen-timeouts", test_unseen_timeouts);
  g_test_add_func ("/trace/sleeps/random", test_random);
  return g_test_run ();
}
