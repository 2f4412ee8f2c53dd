/* test-poll-loops.c: test that waits that time out and are repeated are one wait, for what ends the
 * last of them, in every analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "wait-graph-fixture.h"

#define CLIENT 10
#define SERVER 20
#define SET 4096
#define ANSWER 251000

/* How a client waits for an answer that comes at ANSWER, µs. */
typedef struct
{
  gint64 timeout;       /* of each wait */
  gint64 run;           /* CPU time between two waits */
  gint64 preempted;     /* time without a CPU in the middle of each of these runs */
  gboolean changes_set; /* each wait is for other descriptors */
  gboolean forgets_set; /* only for every other wait the descriptors are known */
  gboolean is_unanswered;
  gboolean has_no_place; /* neither stacks nor system calls are recorded */
} Polling;

static void
begin_wait (Story *story, const Polling *polling, gint64 time, guint n)
{
  if (polling->has_no_place)
    {
      story_switch (story, time, 0, CLIENT, "S", 0);
      return;
    }
  story_add (story, time, "0,sleep,,poll,,,,,%d,,%" G_GINT64_FORMAT ",poll,,%u,", CLIENT,
             polling->timeout * 1000,
             polling->forgets_set && n % 2 == 1 ? 0 : SET + (polling->changes_set ? n : 0));
  story_switch_with_stack (story, time, 0, CLIENT, "S", 0, "main@client;ask@client;poll@libc.so");
}

/* Returns the time at which the next wait begins. */
static gint64
time_out (Story *story, const Polling *polling, gint64 time)
{
  gint64 half = polling->run / 2;

  time += polling->timeout;
  story_wake_by_timer (story, time, 0, CLIENT);
  story_switch (story, time, 0, 0, "R", CLIENT);
  if (polling->preempted > 0)
    {
      story_switch (story, time + half, 0, CLIENT, "R+", 30);
      story_switch (story, time + half + polling->preempted, 0, 30, "S", CLIENT);
    }
  return time + polling->run + polling->preempted;
}

static TbTrace *
open_polling (const Polling *polling)
{
  Story *story = story_new (NULL);
  gint64 time = 1010;
  guint n = 0;

  story_name (story, CLIENT, "client", CLIENT);
  story_name (story, SERVER, "server", SERVER);
  story_name (story, 30, "other", 30);
  story_switch (story, 0, 0, 0, "R", CLIENT);
  story_switch (story, 0, 1, 0, "R", SERVER);
  story_switch_with_stack (story, 10, 1, SERVER, "S", 0, "main@server;accept@libc.so");
  story_wake (story, 1000, 0, CLIENT, SERVER);
  story_switch (story, 1005, 1, 0, "R", SERVER);
  begin_wait (story, polling, time, n++);
  while (time + polling->timeout < ANSWER)
    {
      time = time_out (story, polling, time);
      begin_wait (story, polling, time, n++);
    }
  if (polling->is_unanswered)
    time = time_out (story, polling, time);
  else
    {
      story_wake (story, ANSWER, 1, SERVER, CLIENT);
      story_switch (story, ANSWER + 5, 0, 0, "R", CLIENT);
    }
  story_switch_with_stack (story, ANSWER + 20, 1, SERVER, "S", 0, "main@server;accept@libc.so");
  story_end (story, MAX (ANSWER, time) + 1000, 0, CLIENT);
  return story_open (story);
}

static guint
count_loops (TbTrace *trace)
{
  g_autoptr (TbPollLoops) loops = tb_poll_loops_new (trace, TB_POLL_RUN, NULL);
  guint n;

  tb_poll_loops_list (loops, &n);
  return n;
}

/* The waits of a thread for a thread of that name, NULL: for a timer, ns. */
static gint64
get_waits_of (TbReport *report, const char *thread, const char *waker)
{
  JsonObject *client = summary_find (report_get_summary (report), "threads", "name", thread);

  for (guint i = 0; i < summary_count (client, "wakers"); i++)
    {
      JsonObject *of = summary_get_element (client, "wakers", i);
      const char *name = json_object_get_null_member (of, "name")
                             ? NULL
                             : json_object_get_string_member (of, "name");

      if (g_strcmp0 (name, waker) == 0
          || (waker == NULL && g_str_equal (json_object_get_string_member (of, "kind"), "timer")))
        return json_object_get_int_member (of, "wait_ns");
    }
  return 0;
}

static gint64
get_waits (TbReport *report, const char *waker)
{
  return get_waits_of (report, "client", waker);
}

/* The weight of the edge from the client to the server. */
static gint64
get_edge (TbReport *report)
{
  JsonObject *edge = wait_graph_find_edge (wait_graph_get_summary (report), "client", "server");

  return edge != NULL ? json_object_get_int_member (edge, "plain_ns") : 0;
}

static gint64
get_category (TbReport *report, const char *name)
{
  JsonObject *categories
      = json_object_get_object_member (report_get_summary (report), "categories");

  return json_object_get_int_member (categories, name);
}

/* --- one kind of loop each --- */

/* Equal requests, answered after 250 ms, whatever the client's timeout. */
static void
test_timeouts (void)
{
  const gint64 timeouts[] = { 1000000, 200000, 100000, 30000, 7000 };

  for (guint i = 0; i < G_N_ELEMENTS (timeouts); i++)
    {
      const Polling polling = { .timeout = timeouts[i], .run = 60 };
      g_autoptr (TbTrace) trace = open_polling (&polling);
      g_autoptr (TbReport) threads = report_run ("threads", trace, NULL, NULL);
      g_autoptr (TbReport) graph = report_run ("wait-graph", trace, NULL, NULL);
      g_autoptr (TbReport) paths
          = report_run ("control-paths", trace, NULL, "process", "client", NULL);
      gint64 n_timeouts = (ANSWER - 1010) / (polling.timeout + polling.run);
      gint64 waited = (ANSWER - 1010 - n_timeouts * polling.run) * 1000;
      TbFinding *wait = findings_get_with (threads, "thread-wait", "thread", "client");

      g_test_message ("timeout %" G_GINT64_FORMAT, polling.timeout);
      g_assert_cmpuint (count_loops (trace), ==, n_timeouts > 0 ? 1 : 0);
      g_assert_cmpint (get_waits (threads, "server"), ==, waited);
      g_assert_cmpint (get_waits (threads, NULL), ==, 0);
      finding_assert_string (wait, "awaited_thread", "server");
      g_assert_cmpint (get_edge (graph), ==, waited);
      g_assert_cmpint (get_category (paths, "timed_out"), ==, 0);
      g_assert_cmpint (get_category (paths, "other_path"), ==, 0);
      g_assert_cmpint (get_category (paths, "unaccounted"), ==, 0);
    }
}

/* A lock that is waited for with a timeout, as of a condition variable. */
static void
test_lock (void)
{
  Story *story = story_new ("waiter holder");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *lock;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (guint i = 0; i < 4; i++)
    {
      gint64 time = 1000 + i * 10050;

      story_add (story, time, "0,sleep,,lock,,,,,11,,10000000,futex,,8192,");
      story_switch_with_stack (story, time, 0, 11, "S", 0,
                               "main@app;take@app;pthread_mutex_timedlock@libc.so");
      if (i < 3)
        story_wake_by_timer (story, time + 10000, 0, 11);
      else
        story_wake (story, time + 10000, 1, 12, 11);
      story_switch (story, time + 10000, 0, 0, "R", 11);
    }
  story_end (story, 50000, 1, 12);
  story_end (story, 50000, 0, 11);
  trace = story_open (story);
  report = report_run ("locks", trace, NULL, NULL);
  lock = summary_get_element (report_get_summary (report), "locks", 0);
  summary_assert_strings (lock, "holders", "holder");
  g_assert_cmpint (json_object_get_int_member (lock, "timed_out"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (summary_get_element (lock, "holder_threads", 0),
                                               "wait_ns"),
                   ==, 40000000);
}

/* A condition has two words, one beside the other. A word that is further away is another lock. */
static guint
count_loops_of_words (guint64 other)
{
  Story *story = story_new ("waiter holder");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (guint i = 0; i < 4; i++)
    {
      gint64 time = 1000 + i * 10050;

      story_add (story, time, "0,sleep,,lock,,,,,11,,10000000,futex,,%" G_GUINT64_FORMAT ",",
                 i % 2 == 0 ? (guint64) 8192 : other);
      story_switch_with_stack (story, time, 0, 11, "S", 0,
                               "main@app;take@app;pthread_cond_timedwait@libc.so");
      if (i < 3)
        story_wake_by_timer (story, time + 10000, 0, 11);
      else
        story_wake (story, time + 10000, 1, 12, 11);
      story_switch (story, time + 10000, 0, 0, "R", 11);
    }
  story_end (story, 50000, 1, 12);
  story_end (story, 50000, 0, 11);
  trace = story_open (story);
  return count_loops (trace);
}

static void
test_condition (void)
{
  g_assert_cmpuint (count_loops_of_words (8196), ==, 1);
  g_assert_cmpuint (count_loops_of_words (8208), ==, 0);
}

/* The waiter sleeps in a call that waits for a condition: for the condition, or for its mutex. */
static void
wait_in_call (Story *story, gint64 time, gboolean is_mutex)
{
  story_add (story, time, "0,sleep,,lock,,,,,11,,%s,futex,,%u,", is_mutex ? "-1" : "10000000",
             is_mutex ? 16384 : 8192);
  story_switch_with_stack (story, time, 0, 11, "S", 0,
                           is_mutex ? "main@app;take@app;pthread_cond_timedwait@libc.so;"
                                      "mutex_cond_lock@libc.so"
                                    : "main@app;take@app;pthread_cond_timedwait@libc.so;"
                                      "futex_wait@libc.so");
}

/* After two timeouts the waiter waits for the mutex of the condition, which the holder has. then:
 * it waits for the condition again. */
static TbTrace *
open_relock (gboolean holder_signals, gboolean then)
{
  Story *story = story_new ("waiter holder other");
  gint32 signaller = holder_signals ? 12 : 13;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 13);
  wait_in_call (story, 1000, FALSE);
  story_wake (story, 3000, signaller - 11, signaller, 11);
  story_switch (story, 3000, 0, 0, "R", 11);
  for (guint i = 0; i < 2; i++)
    {
      wait_in_call (story, 10000 + i * 10050, FALSE);
      story_wake_by_timer (story, 20000 + i * 10050, 0, 11);
      story_switch (story, 20000 + i * 10050, 0, 0, "R", 11);
    }
  wait_in_call (story, 30070, TRUE);
  story_wake (story, 30100, 1, 12, 11);
  story_switch (story, 30100, 0, 0, "R", 11);
  if (then)
    {
      wait_in_call (story, 30120, FALSE);
      story_wake (story, 35000, 2, 13, 11);
      story_switch (story, 35000, 0, 0, "R", 11);
    }
  story_end (story, 50000, 2, 13);
  story_end (story, 50000, 1, 12);
  story_end (story, 50000, 0, 11);
  return story_open (story);
}

/* How long the waiter waited until that thread ended it, ns. */
static gint64
get_ended (TbTrace *trace, const char *waker)
{
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);

  return get_waits_of (report, "waiter", waker);
}

/* A wait for a condition ends when its call returns, with the mutex. The thread that has the mutex
 * to signal the condition ends the wait, though the timeout expired before. */
static void
test_relock (void)
{
  g_autoptr (TbTrace) ended = open_relock (TRUE, FALSE);
  g_autoptr (TbTrace) repeated = open_relock (FALSE, TRUE);
  g_autoptr (TbTrace) unrelated = open_relock (FALSE, FALSE);

  g_assert_cmpuint (count_loops (ended), ==, 1);
  g_assert_cmpint (get_ended (ended, "holder"), ==, 2000000 + 20000000 + 30000);
  g_assert_cmpuint (count_loops (repeated), ==, 1);
  g_assert_cmpint (get_ended (repeated, "other"), ==, 2000000 + 20000000 + 4880000);
  /* The wait for the mutex itself is not for what ends the loop. */
  g_assert_cmpint (get_ended (repeated, "holder"), ==, 30000);
  g_assert_cmpuint (count_loops (unrelated), ==, 0);
}

static void
assert_not_joined (const Polling *polling)
{
  g_autoptr (TbTrace) trace = open_polling (polling);
  g_autoptr (TbReport) threads = report_run ("threads", trace, NULL, NULL);

  g_assert_cmpuint (count_loops (trace), ==, 0);
  g_assert_cmpint (get_waits (threads, NULL), >=, 2 * polling->timeout * 1000);
}

static void
test_other_set (void)
{
  assert_not_joined (&(Polling) { .timeout = 100000, .run = 60, .changes_set = TRUE });
}

/* Where the set is not known, as in earlier files, the place decides. */
static void
test_unknown_set (void)
{
  const Polling polling = { .timeout = 50000, .run = 60, .forgets_set = TRUE };
  g_autoptr (TbTrace) trace = open_polling (&polling);

  g_assert_cmpuint (count_loops (trace), ==, 1);
}

/* One hundredth of the wait is short, by CPU time: a thread that lost its CPU did nothing else. */
static void
test_run (void)
{
  const Polling brief = { .timeout = 100000, .run = 1000 };
  const Polling preempted = { .timeout = 100000, .run = 60, .preempted = 20000 };
  g_autoptr (TbTrace) trace = open_polling (&brief);
  g_autoptr (TbTrace) other = open_polling (&preempted);
  g_autoptr (TbReport) paths = NULL;

  g_assert_cmpuint (count_loops (trace), ==, 1);
  g_assert_cmpuint (count_loops (other), ==, 1);
  paths = report_run ("control-paths", other, NULL, "process", "client", NULL);
  g_assert_cmpint (get_category (paths, "timed_out"), ==, 0);
  assert_not_joined (&(Polling) { .timeout = 100000, .run = 1002 });
  assert_not_joined (&(Polling) { .timeout = 2000, .run = 100 });
}

/* Nothing shows what such a loop waited for. */
static void
test_unanswered (void)
{
  assert_not_joined (&(Polling) { .timeout = 100000, .run = 60, .is_unanswered = TRUE });
}

static void
test_unknown_place (void)
{
  const Polling polling = { .timeout = 100000, .run = 60, .has_no_place = TRUE };
  g_autoptr (TbTrace) trace = open_polling (&polling);

  g_assert_cmpuint (count_loops (trace), ==, 0);
}

/* Waits in futex of a recording without system calls, by stacks alone. */
static guint
count_loops_of_stacks (const char *stack)
{
  Story *story = story_new ("waiter holder");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (guint i = 0; i < 4; i++)
    {
      gint64 time = 1000 + i * 10050;

      story_switch_with_stack (story, time, 0, 11, "S", 0, stack);
      if (i < 3)
        story_wake_by_timer (story, time + 10000, 0, 11);
      else
        story_wake (story, time + 10000, 1, 12, 11);
      story_switch (story, time + 10000, 0, 0, "R", 11);
    }
  story_end (story, 50000, 1, 12);
  story_end (story, 50000, 0, 11);
  trace = story_open (story);
  return count_loops (trace);
}

/* Where the callers of the C library are missing, a wait for another lock looks the same. */
static void
test_broken_stacks (void)
{
  g_assert_cmpuint (count_loops_of_stacks ("main@app;take@app;syscall@libc.so;futex_wait@[kernel]"),
                    ==, 1);
  g_assert_cmpuint (count_loops_of_stacks ("[broken];syscall@libc.so;futex_wait@[kernel]"), ==, 0);
  g_assert_cmpuint (count_loops_of_stacks ("[broken];poll@libc.so;do_poll@[kernel]"), ==, 1);
}

/* --- random rows --- */

#define N_ROWS 60

typedef struct
{
  gint64 start[N_ROWS], end[N_ROWS];
  guint32 thread[N_ROWS], stack[N_ROWS], sleep[N_ROWS];
  guint8 state[N_ROWS], cause_kind[N_ROWS];
  TbIntervals rows;
} RandomRows;

static void
make_random_rows (RandomRows *self)
{
  const TbState after_run[]
      = { TB_STATE_INTERRUPTIBLE, TB_STATE_INTERRUPTIBLE, TB_STATE_INTERRUPTIBLE,
          TB_STATE_RUNNABLE,      TB_STATE_RUNNING,       TB_STATE_UNKNOWN };
  const TbCauseKind causes[] = { TB_CAUSE_TIMER,  TB_CAUSE_TIMER,   TB_CAUSE_TIMER,
                                 TB_CAUSE_THREAD, TB_CAUSE_UNKNOWN, TB_CAUSE_NETWORK };
  gint64 time = 0;
  guint32 thread = 0;

  for (guint i = 0; i < N_ROWS; i++)
    {
      gboolean sleeps;

      if (g_test_rand_int_range (0, 20) == 0)
        {
          thread++;
          time = g_test_rand_int_range (0, 50);
        }
      self->state[i] = i > 0 && self->state[i - 1] == TB_STATE_RUNNING
                           ? after_run[g_test_rand_int_range (0, G_N_ELEMENTS (after_run))]
                           : TB_STATE_RUNNING;
      sleeps = self->state[i] >= TB_STATE_INTERRUPTIBLE;
      self->thread[i] = thread;
      self->start[i] = time;
      time += sleeps ? g_test_rand_int_range (1, 1000) : g_test_rand_int_range (1, 8);
      self->end[i] = time;
      self->stack[i] = sleeps ? (guint32) MIN (g_test_rand_int_range (0, 5), 2) : TB_STACK_NONE;
      self->sleep[i] = TB_ID_NONE;
      self->cause_kind[i]
          = sleeps ? causes[g_test_rand_int_range (0, G_N_ELEMENTS (causes))] : TB_CAUSE_NONE;
    }
  self->rows = (TbIntervals) { .n = N_ROWS,
                               .start = self->start,
                               .end = self->end,
                               .thread = self->thread,
                               .state = self->state,
                               .cause_kind = self->cause_kind,
                               .stack = self->stack,
                               .sleep = self->sleep };
}

/* The wait that continues a wait, by the words of the rule; -1: none. */
static int
find_continuation (const RandomRows *self, int row, gint64 run)
{
  gint64 ran = 0, wait = self->end[row] - self->start[row];

  if (self->state[row] != TB_STATE_INTERRUPTIBLE || self->cause_kind[row] != TB_CAUSE_TIMER)
    return -1;
  for (int i = row + 1; i < N_ROWS && self->thread[i] == self->thread[row]; i++)
    switch ((TbState) self->state[i])
      {
      case TB_STATE_RUNNING:
        ran += self->end[i] - self->start[i];
        break;
      case TB_STATE_RUNNABLE:
        break;
      case TB_STATE_INTERRUPTIBLE:
        return ran > 0 && (ran < run || 100 * ran <= wait) && self->stack[i] == self->stack[row]
                       && self->stack[i] != TB_STACK_NONE
                   ? i
                   : -1;
      default:
        return -1;
      }
  return -1;
}

static gsize
find_awaited (const RandomRows *self, gsize row, gint64 run)
{
  int last = (int) row, next;

  while ((next = find_continuation (self, last, run)) >= 0)
    last = next;
  return self->cause_kind[last] == TB_CAUSE_THREAD || self->cause_kind[last] == TB_CAUSE_NETWORK
             ? (gsize) last
             : row;
}

static void
test_random (void)
{
  guint n_joined = 0, n_rounds = test_rounds (20000, 3000);

  for (guint round = 0; round < n_rounds; round++)
    {
      gint64 run = g_test_rand_int_range (0, 8);
      RandomRows random;
      g_autoptr (TbPollLoops) loops = NULL;

      make_random_rows (&random);
      loops = tb_poll_loops_new_from_rows (&random.rows, run);
      for (gsize row = 0; row < N_ROWS; row++)
        if (random.state[row] == TB_STATE_INTERRUPTIBLE)
          {
            gsize expected = find_awaited (&random, row, run);

            n_joined += expected != row;
            g_assert_cmpuint (tb_poll_loops_get_last (loops, row), ==, expected);
          }
    }
  g_assert_cmpuint (n_joined, >, n_rounds / 4);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/poll-loops/timeouts", test_timeouts);
  g_test_add_func ("/poll-loops/lock", test_lock);
  g_test_add_func ("/poll-loops/condition", test_condition);
  g_test_add_func ("/poll-loops/relock", test_relock);
  g_test_add_func ("/poll-loops/other-set", test_other_set);
  g_test_add_func ("/poll-loops/unknown-set", test_unknown_set);
  g_test_add_func ("/poll-loops/run", test_run);
  g_test_add_func ("/poll-loops/unanswered", test_unanswered);
  g_test_add_func ("/poll-loops/unknown-place", test_unknown_place);
  g_test_add_func ("/poll-loops/broken-stacks", test_broken_stacks);
  g_test_add_func ("/poll-loops/random", test_random);
  return recording_run_tests ();
}
