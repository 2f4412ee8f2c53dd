/* test-recorder.c: test of the recorder's handling of a whole stream: order, hosts, losses, and
 * failed writes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <signal.h>
#include <sys/resource.h>

#include "recorder-fixture.h"
#include "session/schema/tb-interface.h"

static void
test_lost (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 9);
  recorder_fixture_switch (fixture, 2, 1, 0, 'R', 8);
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 30, .cpu = 1, .kind = TB_EVENT_LOST, .a = 3, .b = 20 });
  recorder_fixture_add (fixture,
                        (TbEvent) { .time = 40, .cpu = 0, .kind = TB_EVENT_LOST, .a = 4, .b = 10 });
  recorder_fixture_switch (fixture, 50, 0, 3, 'S', 9); /* the running thread is unknown */
  recorder_fixture_switch (fixture, 51, 0, 3, 'S', 9);
  recorder_fixture_add (
      fixture, (TbEvent) { .time = 60, .cpu = TB_CPU_ALL, .kind = TB_EVENT_LOST, .a = 5, .b = 70 });
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

  recorder_fixture_switch (fixture, 100, 0, 3, 'R', 3);
  recorder_fixture_switch (fixture, 200, 0, 0, 'R', 4);
  recorder_fixture_switch (fixture, 300, 0, 7, 'R', 7);
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
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = 1, .host = 1, .cpu = 1, .kind = TB_EVENT_SWITCH, .tid = 0, .a = 7, .code = 'R' });
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = 2, .host = 0, .cpu = 1, .kind = TB_EVENT_SWITCH, .tid = 0, .a = 7, .code = 'R' });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 3, .host = 0, .cpu = 9, .kind = TB_EVENT_SAMPLE, .tid = 7, .a = 1 });
  recorder_fixture_add (
      fixture,
      (TbEvent) { .time = 4, .host = 9, .cpu = 0, .kind = TB_EVENT_SAMPLE, .tid = 7, .a = 1 });
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

static void
add_interface (RecorderFixture *fixture,
               guint32 host,
               guint32 index,
               const char *name,
               guint64 speed)
{
  static const char *const addresses[] = { "192.0.2.1", "not an address", "::1", NULL };

  tb_recorder_add_interface (fixture->recorder, &(TbInterface) { .host = host,
                                                                 .index = index,
                                                                 .name = name,
                                                                 .speed = speed,
                                                                 .addresses = addresses });
}

/* Interfaces are sorted, whatever the order in which they are added. The last one added counts.
 * Invalid addresses are counted. */
static void
test_interfaces (void)
{
  static const struct
  {
    guint32 host, index;
    const char *name;
    guint64 speed;
  } expected[] = {
    { 0, 1, "lo", 0 },
    { 0, 3, "renamed", 2 },
    { 1, 2, "? ?", G_MAXINT64 },
    { 1, 9, "?", 5 },
  };
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  g_autoptr (GError) error = NULL;
  const TbInterface *interfaces;
  guint n;

  tb_recorder_add_host (fixture->recorder, "here", "6.18", "x86_64", 4, 0);
  tb_recorder_add_host (fixture->recorder, "there", "6.18", "x86_64", 2, 500);
  add_interface (fixture, 1, 9, NULL, 5);
  add_interface (fixture, 0, 3, "eth0", 1);
  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 9);
  recorder_fixture_switch (fixture, 2, 0, 9, 'R', 9);
  tb_recorder_advance (fixture->recorder, 2, &error);
  g_assert_no_error (error);
  add_interface (fixture, 0, 3, "renamed", 2);
  add_interface (fixture, 1, 2, "\t \n", G_MAXUINT64);
  add_interface (fixture, 0, 1, "lo", 0);
  recorder_fixture_finish (fixture);
  interfaces = tb_session_get_interfaces (fixture->session, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (interfaces[i].host, ==, expected[i].host);
      g_assert_cmpuint (interfaces[i].index, ==, expected[i].index);
      g_assert_cmpstr (interfaces[i].name, ==, expected[i].name);
      g_assert_cmpuint (interfaces[i].speed, ==, expected[i].speed);
      g_assert_cmpuint (interfaces[i].n_omitted, ==, 1);
      g_assert_cmpstr (interfaces[i].addresses[0], ==, "192.0.2.1");
      g_assert_cmpstr (interfaces[i].addresses[1], ==, "::1");
      g_assert_null (interfaces[i].addresses[2]);
    }
}

/* No interface was recorded. */
static void
test_no_interfaces (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  guint n = 1;

  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 9);
  recorder_fixture_finish (fixture);
  g_assert_null (tb_session_get_interfaces (fixture->session, &n));
  g_assert_cmpuint (n, ==, 0);
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
    recorder_fixture_intern (fixture, (const char *[]) { "a", "b", "c", "d" }[i]);
  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  tb_recorder_intern_device (fixture->recorder, 0, "vdb", "block", NULL);
  tb_recorder_add_host (fixture->recorder, "h", "", "", 4, 0);
}

/* Events added CPU by CPU in random portions give the same session as events added in order. */
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
      /* equal times on one CPU only, where the order of arrival counts */
      time += i > 0 && g_test_rand_int_range (0, 4) == 0 ? 0 : g_test_rand_int_range (1, 50);
      events[i] = random_event (time, i > 0 && time == events[i - 1].time
                                          ? events[i - 1].cpu
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

/* No contents of an event break the recorder or its file. */
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
          TbEvent event = random_event (g_test_rand_int_range (0, 1000) + limit - 10,
                                        g_test_rand_int_range (0, 6));
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

/* A full disk: the failure is reported, every later call fails at once, and committed data can be
 * opened. */
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
      recorder_fixture_add (fixture, (TbEvent) { .time = 1 + i,
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

  recorder_fixture_switch (fixture, 1, 0, 0, 'R', 9);
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
  g_test_add_func ("/recorder/lost", test_lost);
  g_test_add_func ("/recorder/range", test_range);
  g_test_add_func ("/recorder/hosts", test_hosts);
  g_test_add_func ("/recorder/interfaces", test_interfaces);
  g_test_add_func ("/recorder/no-interfaces", test_no_interfaces);
  g_test_add_func ("/recorder/order", test_order);
  g_test_add_func ("/recorder/random", test_random);
  g_test_add_func ("/recorder/full-disk", test_full_disk);
  g_test_add_func ("/recorder/abandon", test_abandon);
  return g_test_run ();
}
