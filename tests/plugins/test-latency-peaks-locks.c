/* test-latency-peaks-locks.c: test of lock hold times inferred from waits, on simulated locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "latency-peaks-fixture.h"

#define ROUNDS test_rounds (25, 6)
#define MAX_THREADS 5
#define LOCK_CYCLES 60
#define FOREVER G_MAXINT

typedef struct
{
  int thread;
  int from;
  int to;
  int woken; /* when its wait ended, −1: it did not wait */
} Hold;

typedef struct
{
  int thread;
  int from;
  int to;
} Wait;

/* A lock and its threads, all times in µs. Each thread has a CPU of its own. */
typedef struct
{
  Story *story;
  int n_threads;
  gboolean is_fair; /* the lock passes directly to the woken thread */
  GArray *holds;    /* finished ones, of type Hold */
  GArray *waits;    /* finished ones, of type Wait */
  GQueue asleep;    /* thread + 1 */
  int owner;        /* −1: free */
  struct
  {
    int next; /* time of its next action */
    enum
    {
      TO_LOCK,
      TO_RUN,
      TO_TRY_AGAIN,
      TO_RELEASE,
      ASLEEP,
    } action;
    int asleep_since; /* start of the sleep */
    int woken;
    int cycles;
  } of[MAX_THREADS];
} Lock;

/* No two actions have the same time. */
static int
draw_time (int thread, int from, int most)
{
  return from + 10 * g_test_rand_int_range (1, most) + 10 - from % 10 + thread;
}

static void
take_lock (Lock *self, int thread, int time)
{
  Hold hold = { thread, time, -1, self->of[thread].woken };

  g_array_append_val (self->holds, hold);
  self->owner = thread;
  self->of[thread].action = TO_RELEASE;
  self->of[thread].next = draw_time (thread, time, 1 << g_test_rand_int_range (1, 9));
}

static void
fall_asleep (Lock *self, int thread, int time)
{
  story_add (self->story, time, "%d,sleep,,lock,,,,,%d,,0,futex=bkl,,64,0", thread, 11 + thread);
  story_switch_with_stack (self->story, time, thread, 11 + thread, "S", 0,
                           "main;pthread_mutex_lock@libc.so.6");
  self->of[thread].action = ASLEEP;
  self->of[thread].next = FOREVER;
  self->of[thread].asleep_since = time;
  g_queue_push_tail (&self->asleep, GINT_TO_POINTER (thread + 1));
}

static void
release (Lock *self, int thread, int time)
{
  int woken = GPOINTER_TO_INT (g_queue_pop_head (&self->asleep)) - 1;

  for (guint i = self->holds->len; i > 0; i--)
    if (g_array_index (self->holds, Hold, i - 1).to < 0)
      g_array_index (self->holds, Hold, i - 1).to = time;
  self->owner = -1;
  self->of[thread].woken = -1;
  self->of[thread].cycles++;
  self->of[thread].action = TO_LOCK;
  self->of[thread].next = self->of[thread].cycles < LOCK_CYCLES
                              ? draw_time (thread, time, 1 << g_test_rand_int_range (1, 9))
                              : FOREVER;
  if (woken >= 0)
    {
      Wait wait = { woken, self->of[woken].asleep_since, time };

      g_array_append_val (self->waits, wait);
      story_wake (self->story, time, thread, 11 + thread, 11 + woken);
      self->of[woken].action = TO_RUN;
      self->of[woken].woken = time;
      self->of[woken].next = draw_time (woken, time, 4);
      self->owner = self->is_fair ? woken : -1;
    }
}

static void
act (Lock *self, int thread, int time)
{
  gboolean runs = self->of[thread].action == TO_RUN;

  if (self->of[thread].action == TO_RELEASE)
    {
      release (self, thread, time);
      return;
    }
  if (runs)
    story_switch (self->story, time, thread, 0, "R", 11 + thread);
  if (self->owner < 0 || (runs && self->is_fair))
    take_lock (self, thread, time);
  else if (runs)
    {
      /* The woken thread finds the lock taken, and sleeps again soon. */
      self->of[thread].action = TO_TRY_AGAIN;
      self->of[thread].next = time + 5;
    }
  else
    fall_asleep (self, thread, time);
}

static void
run (Lock *self)
{
  for (;;)
    {
      int thread = 0;

      for (int i = 1; i < self->n_threads; i++)
        if (self->of[i].next < self->of[thread].next)
          thread = i;
      if (self->of[thread].next == FOREVER)
        return;
      act (self, thread, self->of[thread].next);
    }
}

static int
get_bin (gint64 ns)
{
  int bin = 0;

  for (; ns >= 2; ns /= 2)
    bin++;
  return bin;
}

static gboolean
has_waiter (const Lock *self, int except, int from, int to)
{
  for (guint i = 0; i < self->waits->len; i++)
    {
      const Wait *wait = &g_array_index (self->waits, Wait, i);

      if (wait->thread != except && wait->from <= from && wait->to >= to)
        return TRUE;
    }
  return FALSE;
}

/* Returns from when on a hold is known, that is, another thread waits until its end; −1: never.
 * Computed by a check of every µs. */
static int
find_begin (const Lock *self, const Hold *hold, int released)
{
  gboolean has_waited = hold->woken >= 0 && hold->woken == released;

  for (int from = hold->from; from < hold->to; from++)
    if (has_waiter (self, hold->thread, from, hold->to))
      {
        if (has_waited)
          return from;
        /* A waiter from before the previous release does not prove that this hold had begun. */
        for (guint i = 0; i < self->waits->len; i++)
          {
            const Wait *wait = &g_array_index (self->waits, Wait, i);

            if (wait->from == from && wait->from > released && wait->to >= hold->to)
              return from;
          }
      }
  return -1;
}

static void
compare (const Lock *self, TbReport *report)
{
  JsonObject *summary = report_get_summary (report);
  gint64 counts[64] = { 0 }, total = 0, calls = 0;
  int released = G_MININT;

  for (guint i = 0; i < self->holds->len; i++)
    {
      const Hold *hold = &g_array_index (self->holds, Hold, i);
      gboolean wakes = FALSE;
      int from;

      for (guint j = 0; j < self->waits->len; j++)
        wakes |= g_array_index (self->waits, Wait, j).to == hold->to;
      if (!wakes)
        continue;
      from = find_begin (self, hold, released);
      released = hold->to;
      if (from < 0)
        continue;
      g_assert_cmpint (from, >=, hold->from);
      calls++;
      total += (hold->to - from) * G_GINT64_CONSTANT (1000);
      counts[get_bin ((hold->to - from) * G_GINT64_CONSTANT (1000))]++;
    }
  g_assert_cmpint (calls, >, 0);
  g_assert_cmpint (json_object_get_int_member (summary, "calls"), ==, calls);
  g_assert_cmpint (json_object_get_int_member (summary, "total_ns"), ==, total);
  for (guint i = 0; i < summary_count (summary, "bins"); i++)
    {
      JsonObject *bin = summary_get_element (summary, "bins", i);

      g_assert_cmpint (json_object_get_int_member (bin, "count"), ==,
                       counts[json_object_get_int_member (bin, "bin")]);
    }
}

static void
test_random (void)
{
  for (guint round = 0; round < ROUNDS; round++)
    {
      Lock lock = { .story = story_new ("t0 t1 t2 t3 t4"), .owner = -1, .is_fair = round % 2 == 0 };
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;

      lock.n_threads = g_test_rand_int_range (2, MAX_THREADS + 1);
      lock.holds = g_array_new (FALSE, FALSE, sizeof (Hold));
      lock.waits = g_array_new (FALSE, FALSE, sizeof (Wait));
      for (int i = 0; i < lock.n_threads; i++)
        {
          story_switch (lock.story, 20, i, 0, "R", 11 + i);
          lock.of[i].woken = -1;
          lock.of[i].next = draw_time (i, 100, 50);
        }
      run (&lock);
      trace = story_open (lock.story);
      report = peaks_analyze (trace, "lock-hold:bkl");
      compare (&lock, report);
      finding_assert_string (findings_get (report, "inferred-lock-holds"), "operation",
                             "lock-hold:bkl");
      g_array_unref (lock.holds);
      g_array_unref (lock.waits);
      g_queue_clear (&lock.asleep);
    }
}

/* A flusher waits for the disk while it holds a lock that readers need. The condition that it
 * signals is not a lock. */
static TbTrace *
flush (const char *waits_in)
{
  Story *story = story_new ("reader flusher");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 100000)
    {
      g_autofree char *stack = g_strdup_printf ("main;read;%s@libc.so.6", waits_in);

      story_add (story, time, "0,sleep,,lock,,,,,11,,0,futex=bkl,,64,0");
      story_switch_with_stack (story, time, 0, 11, "S", 0, stack);
      story_switch_with_stack (
          story, time + 100, 1, 12, "D", 0,
          "main;flush@app;fsync@libc.so.6;entry_SYSCALL_64@[kernel];ext4_sync_file@[kernel];"
          "io_schedule@[kernel];schedule@[kernel]");
      story_switch (story, time + 8100, 1, 0, "R", 12);
      story_wake (story, time + 8200, 1, 12, 11);
      story_switch (story, time + 8201, 0, 0, "R", 11);
    }
  return story_open (story);
}

static void
test_flusher (void)
{
  g_autoptr (TbTrace) trace = flush ("pthread_mutex_lock");
  g_autoptr (TbTrace) signalled = NULL;
  g_autoptr (TbReport) table = peaks_analyze (trace, "");
  g_autoptr (TbReport) report = peaks_analyze (trace, "lock-hold:bkl");
  g_autoptr (TbReport) waits = peaks_analyze (trace, "bkl");
  g_autoptr (GError) error = NULL;
  JsonObject *hold = peaks_find_operation (report_get_summary (table), "lock-hold:bkl");

  g_assert_cmpint (json_object_get_int_member (hold, "calls"), ==, 30);
  g_assert_cmpint (json_object_get_int_member (hold, "total_ns"), ==,
                   30 * G_GINT64_CONSTANT (8200000));
  g_assert_true (json_object_get_null_member (hold, "missing_calls_at_most"));
  peaks_assert_cause (report, 0, "wait",
                      "lock-hold:bkl main flush fsync ext4_sync_file io_schedule",
                      "waits (block-io)");
  g_assert_cmpstr (json_object_get_string_member (report_get_summary (waits), "operation"), ==,
                   "lock:bkl");
  signalled = flush ("pthread_cond_wait");
  g_assert_null (peaks_try_analyze (signalled, "lock-hold:bkl", NULL, NULL, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/locks/random", test_random);
  g_test_add_func ("/latency-peaks/locks/flusher", test_flusher);
  return recording_run_tests ();
}
