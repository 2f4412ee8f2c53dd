/* test-wait-graph-proposals.c: test of proposed false wake-ups and busy waits, and of cases that
 * only resemble them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define US G_GINT64_CONSTANT (1000)
#define TAKE "main@app;take@app;block@libc"
#define GIVE "main@app;give@app;block@libc"

typedef struct
{
  const char *kind; /* kind of both sleeps; NULL: not recorded */
  guint address[2]; /* object addresses of the sleeps */
  const char *stack[2];
  gint64 ran; /* ns between the sleeps */
  gboolean is_timer;
  int rounds;
  gint64 expected;        /* number of proposed wake-ups; 0: no proposal */
  const char *call;       /* system call of both sleeps; NULL: none recorded */
  const char *between[2]; /* event between them; NULL: none */
} Case;

static void
enter_or_leave (Story *story, gint64 time, const Case *of, const char *what)
{
  if (of->call != NULL)
    story_add_at (story, time, "2,%s,,,,,,,13,,,%s,,,", what, of->call);
}

static void
sleep_in (Story *story, gint64 time, const Case *of, guint which)
{
  enter_or_leave (story, time, of, "sys_enter");
  if (of->kind != NULL)
    story_add_at (story, time, "2,sleep,,%s,,,,,13,,-1,futex,,%u,0", of->kind, of->address[which]);
  story_add_at (story, time, "2,switch,13,S,0,,,,,,,,%s,,", of->stack[which]);
}

/* C sleeps, is woken by A or a timer, sleeps again soon, is woken by B, and works for long. */
static TbTrace *
open_case (const Case *of)
{
  Story *story = story_new ("A B C");

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int i = 0; i < of->rounds; i++)
    {
      int us = i * 2000;
      gint64 again = (us + 600) * US + of->ran;

      sleep_in (story, (us + 100) * US, of, 0);
      if (of->is_timer)
        story_add (story, us + 600, "2,softirq_entry,,,,,,1,,,,,,,");
      story_wake (story, us + 600, of->is_timer ? 2 : 0, of->is_timer ? 0 : 11, 13);
      if (of->is_timer)
        story_add (story, us + 600, "2,softirq_exit,,,,,,1,,,,,,,");
      story_switch (story, us + 600, 2, 0, "R", 13);
      enter_or_leave (story, (us + 601) * US, of, "sys_exit");
      for (int j = 0; j < 2 && of->between[j] != NULL; j++)
        story_add (story, us + 602 + j, "%s", of->between[j]);
      sleep_in (story, again, of, 1);
      story_wake (story, us + 900, 1, 12, 13);
      story_switch (story, us + 900, 2, 0, "R", 13);
      enter_or_leave (story, (us + 901) * US, of, "sys_exit");
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

#define RECEIVE "2,net_receive,,,,,,,13,eth0,100,host:80,,,7"
#define READ "2,sys_enter,,,,,,,13,,,read,,,"
#define READ_END "2,sys_exit,,,,,,,13,,7,read,,,"

/* A false wake-up: the thread sleeps again within 50 µs at the same place or for the same lock. It
 * is not one if the thread waited for its own request, or if the call may have returned something,
 * as a poll does when the thread then uses the kernel or the network, or when such activity was not
 * recorded. Nor is it one that occurs by chance. */
static void
test_false_wakeups (void)
{
  static const Case cases[] = {
    { NULL, { 0, 0 }, { TAKE, TAKE }, 50000, FALSE, 4, 4 },
    { NULL, { 0, 0 }, { TAKE, TAKE }, 50001, FALSE, 4, 0 },
    { NULL, { 0, 0 }, { TAKE, GIVE }, 10000, FALSE, 4, 0 },
    { NULL, { 0, 0 }, { TAKE, TAKE }, 10000, TRUE, 4, 0 },
    { NULL, { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 3, 3 },
    { NULL, { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 2, 0 },
    { "lock", { 64, 64 }, { TAKE, TAKE }, 10000, FALSE, 4, 4 },
    { "lock", { 64, 64 }, { TAKE, GIVE }, 10000, FALSE, 4, 4 },
    { "lock", { 64, 128 }, { TAKE, TAKE }, 10000, FALSE, 4, 0 },
    { "lock", { 64, 64 }, { TAKE, TAKE }, 50001, FALSE, 4, 0 },
    { "poll", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 0 },
    { "poll", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 4, "epoll_wait" },
    { "poll", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 0, NULL, { RECEIVE } },
    { "poll", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 0, "epoll_wait", { RECEIVE } },
    { "poll", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 0, "epoll_wait", { READ, READ_END } },
    { "lock", { 64, 64 }, { TAKE, TAKE }, 10000, FALSE, 4, 4, "futex", { READ, READ_END } },
    { "pipe", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 0 },
    { "socket", { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) trace = open_case (&cases[i]);
      g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
      JsonObject *summary = wait_graph_get_summary (report);

      g_test_message ("case %u", i);
      g_assert_cmpuint (summary_count (summary, "proposals"), ==, cases[i].expected > 0);
      if (cases[i].expected > 0)
        g_assert_cmpint (json_object_get_int_member (summary_get_element (summary, "proposals", 0),
                                                     "count"),
                         ==, cases[i].expected);
    }
}

/* Of a sleep that began before the range, the part in the range counts. */
static void
test_range (void)
{
  static const Case what = { NULL, { 0, 0 }, { TAKE, TAKE }, 10000, FALSE, 4, 4 };
  g_autoptr (TbTrace) trace = open_case (&what);
  g_autoptr (TbSelection) selection = tb_selection_new (trace);
  g_autoptr (TbReport) report = NULL;
  JsonObject *proposal;

  tb_selection_set_range (selection, 400 * US, 9000 * US);
  report = report_run ("wait-graph", trace, selection, NULL);
  proposal = summary_get_element (wait_graph_get_summary (report), "proposals", 0);
  g_assert_cmpint (json_object_get_int_member (proposal, "count"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (proposal, "effect_ns"), ==, (200 + 3 * 500) * US);
}

typedef struct
{
  const char *stack[2]; /* stacks of the samples, in turn */
  int n;                /* number of samples of A, one each 100 µs */
  int call;             /* sample before which A makes a system call; -1: none */
  int sleep;            /* sample before which A sleeps; -1: none */
  gboolean has_calls;   /* whether system calls were recorded */
  gint64 count;         /* number of proposed busy waits */
  gint64 us;            /* total length of the proposed busy waits */
  gboolean in_call;     /* whether all of it is in one system call */
  int runnable_at;      /* sample before which A is runnable for 60 µs; 0: none */
} Spin;

static TbTrace *
open_spin (const Spin *of)
{
  Story *story = story_new ("A B C");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  if (of->has_calls)
    {
      story_enter (story, 10, 1, 12, "write");
      story_add (story, 20, "1,sys_exit,,,,,,,12,,0,write,,,");
    }
  for (int i = 0; i < of->n; i++)
    {
      int us = 1000 + i * 100;
      g_autofree char *sample = g_strdup_printf ("0,sample,,,,,,,11,,,,%s,,", of->stack[i % 2]);

      if (i == of->call)
        {
          story_enter (story, us - 20, 0, 11, "read");
          story_add (story, us - 10, "0,sys_exit,,,,,,,11,,0,read,,,");
        }
      if (i == of->sleep)
        story_sleep (story, us - 60, us - 40, 0, 11, 1, 12);
      if (of->runnable_at > 0 && i == of->runnable_at)
        {
          story_switch (story, us - 80, 0, 11, "R", 13);
          story_switch (story, us - 20, 0, 13, "S", 11);
        }
      story_add (story, us, "%s", sample);
    }
  if (of->in_call)
    {
      story_enter (story, 900, 0, 11, "getrandom");
      story_add (story, 1000 + of->n * 100 - 10, "0,sys_exit,,,,,,,11,,0,getrandom,,,");
    }
  /* A sample elsewhere ends the busy wait while B still runs. */
  story_sample (story, 1000 + of->n * 100, 0, 11, "main@app;go_on@app");
  story_switch (story, 10000, 0, 11, "R", 11);
  return story_open (story);
}

/* Busy waiting: ten consecutive samples in one function of the program, whatever its caller,
 * without a system call or sleep in between. Time in which the thread is runnable does not
 * count. */
static void
test_spins (void)
{
  static const Spin cases[] = {
    { { "main@app;spin@app", "main@app;spin@app" }, 10, -1, -1, TRUE, 1, 900 },
    { { "main@app;spin@app", "main@app;spin@app" }, 9, -1, -1, TRUE, 0, 0 },
    { { "main@app;spin@app", "main@app;spin@app" }, 10, -1, -1, FALSE, 0, 0 },
    { { "main@app;spin@app", "main@app;work@app" }, 30, -1, -1, TRUE, 0, 0 },
    { { "main@app;copy@[kernel]", "main@app;copy@[kernel]" }, 30, -1, -1, TRUE, 0, 0 },
    { { "main@app;spin@app", "main@app;spin@app" }, 25, 10, -1, TRUE, 2, 900 + 1400 },
    { { "main@app;spin@app", "main@app;spin@app" }, 15, 7, -1, TRUE, 0, 0 },
    { { "main@app;spin@app", "main@app;spin@app" }, 15, 5, -1, TRUE, 1, 900 },
    { { "main@app;spin@app", "main@app;spin@app" }, 25, -1, 10, TRUE, 2, 900 + 1400 },
    { { "main@app;spin@app", "main@app;spin@app" }, 12, -1, -1, TRUE, 0, 0, TRUE },
    { { "main@app;spin@app", "main@app;spin@app" }, 12, -1, -1, TRUE, 1, 1100 - 60, FALSE, 5 },
    { { "main@app;a@app;spin@app", "main@app;b@app;spin@app" }, 12, -1, -1, TRUE, 1, 1100 },
    { { "main@app;a@app;spin@app", "main@app;b@app;spin@app" }, 25, 11, -1, TRUE, 2, 1000 + 1300 },
    { { "main@app;spin@app", "main@app;spin@other" }, 12, -1, -1, TRUE, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) trace = open_spin (&cases[i]);
      g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
      JsonObject *summary = wait_graph_get_summary (report), *proposal;

      g_test_message ("case %u", i);
      g_assert_cmpuint (summary_count (summary, "proposals"), ==, cases[i].count > 0);
      if (cases[i].count == 0)
        continue;
      proposal = summary_get_element (summary, "proposals", 0);
      g_assert_cmpint (json_object_get_int_member (proposal, "count"), ==, cases[i].count);
      g_assert_cmpint (json_object_get_int_member (proposal, "effect_ns"), ==, cases[i].us * US);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/proposals/false-wakeups", test_false_wakeups);
  g_test_add_func ("/wait-graph/proposals/range", test_range);
  g_test_add_func ("/wait-graph/proposals/spins", test_spins);
  return recording_run_tests ();
}
