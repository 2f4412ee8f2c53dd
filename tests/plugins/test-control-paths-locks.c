/* test-control-paths-locks.c: test of the findings of "control-paths" about locks: time of the path
 * below waits for them, and order among the findings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "control-paths-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

typedef struct
{
  TbRecorder *recorder;
  guint32 heap;
  guint32 futex;
  guint32 file; /* if not 0, threads wait for the lock of this file */
} Builder;

static Builder
begin (void)
{
  Builder self = { .recorder = recording_new ("control-paths-locks") };

  self.heap = tb_recorder_intern_string (self.recorder, "[heap]", -1);
  self.futex = tb_recorder_intern_string (self.recorder, "futex", -1);
  tb_recorder_add_host (self.recorder, "host", "", "x86_64", 8, 0);
  recording_name (self.recorder, 10, "app", 10);
  recording_name (self.recorder, 11, "worker", 10);
  recording_name (self.recorder, 12, "worker", 10);
  return self;
}

static guint32
make_stack (Builder *self, const char *function)
{
  const guint32 frames[]
      = { tb_recorder_intern_named_frame (self->recorder, "main", "app", FALSE),
          tb_recorder_intern_named_frame (self->recorder, function, "libc", FALSE) };
  const guint8 flags[] = { 0, 0 };

  return tb_recorder_intern_stack (self->recorder, frames, flags, G_N_ELEMENTS (frames));
}

/* A thread runs on a CPU of its own from from to to, then sleeps for a lock (address 0: for
 * nothing known). */
static void
run (Builder *self, gint32 tid, gint64 from, gint64 to, guint64 address, const char *function)
{
  guint16 cpu = (guint16) (tid % 8);
  TbEvent event = { .time = to,
                    .kind = TB_EVENT_SLEEP,
                    .cpu = cpu,
                    .tid = tid,
                    .pid = 10,
                    .code = self->file != 0 ? TB_SLEEP_FILE_LOCK : TB_SLEEP_LOCK,
                    .text = self->futex,
                    .text2 = self->file != 0 ? self->file : self->heap,
                    .a = address,
                    .b = (guint64) TB_TIMEOUT_NONE,
                    .c = 0x40,
                    .module = TB_ID_NONE };

  recording_switch (self->recorder, from, cpu, 0, 'R', tid);
  if (address != 0)
    tb_recorder_add (self->recorder, &event);
  recording_switch_with_stack (self->recorder, to, cpu, tid, 'S', 0,
                               function != NULL ? make_stack (self, function) : 0);
}

static TbReport *
end (Builder *self)
{
  g_autoptr (TbTrace) trace = NULL;

  tb_recorder_set_range (self->recorder, 0, 100 * MS);
  trace = recording_open (self->recorder);
  return control_paths_explain (trace, "app");
}

/* The main thread waits 70 ms for what 11 holds, in function. */
static TbReport *
explain_wait (const char *function, const char *file)
{
  Builder builder = begin ();

  if (file != NULL)
    builder.file = tb_recorder_intern_string (builder.recorder, file, -1);
  run (&builder, 11, 0, 80 * MS, 0, NULL);
  run (&builder, 10, 0, 10 * MS, 0x5500, function);
  recording_wake (builder.recorder, 80 * MS - 100, 3, 11, 10);
  run (&builder, 10, 80 * MS, 100 * MS, 0, NULL);
  return end (&builder);
}

static void
test_lock (void)
{
  g_autoptr (TbReport) report = explain_wait ("pthread_mutex_lock", NULL);
  TbFinding *finding = tb_report_get_finding (report, 0);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "lock-contention");
  finding_assert_string (finding, "process", "app");
  finding_assert_integer (finding, "path_ns", 70 * MS - 100);
  finding_assert_integer (finding, "wait_ns", 70 * MS - 100);
  finding_assert_integer (finding, "awaited_ns", 70 * MS);
  finding_assert_integer (finding, "waiter_threads", 1);
  finding_assert_number (finding, "share", 0.699999);
  /* What was done meanwhile, and before and after. */
  finding = findings_get (report, "cpu-bound");
  finding_assert_integer (finding, "own_ns", 100 * MS);
  g_assert_cmpint (tb_finding_get_weight (finding), ==, 30 * MS + 100);
}

static void
test_file (void)
{
  g_autoptr (TbReport) report = explain_wait ("flock", "/var/lib/job.lock");
  TbFinding *finding = tb_report_get_finding (report, 0);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "file-lock-contention");
  finding_assert_string (finding, "lock", "/var/lib/job.lock");
  finding_assert_integer (finding, "path_ns", 70 * MS - 100);
}

/* Waits for work and for the end of a thread are not for locks. */
static void
test_no_lock (void)
{
  static const char *const functions[] = { "pthread_cond_wait", "pthread_join", "wait_somehow" };

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autoptr (TbReport) report = explain_wait (functions[i], NULL);

      g_assert_cmpuint (findings_count (report, "lock-contention"), ==, 0);
      finding_assert_integer (tb_report_get_finding (report, 0), "own_ns", 100 * MS);
    }
}

/* 10 waits for a lock of 11, which waits for another one of 12 meanwhile. */
static void
test_chain (void)
{
  Builder builder = begin ();
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  run (&builder, 12, 0, 70 * MS, 0, NULL);
  run (&builder, 11, 0, 20 * MS, 0x7700, "pthread_mutex_lock");
  run (&builder, 10, 0, 10 * MS, 0x5500, "pthread_mutex_lock");
  recording_wake (builder.recorder, 70 * MS - 100, 4, 12, 11);
  run (&builder, 11, 70 * MS, 80 * MS, 0, NULL);
  recording_wake (builder.recorder, 80 * MS - 100, 3, 11, 10);
  run (&builder, 10, 80 * MS, 100 * MS, 0, NULL);
  report = end (&builder);
  finding = tb_report_get_finding (report, 0);
  finding_assert_integer (finding, "path_ns", 50 * MS - 100);
  finding = tb_report_get_finding (report, 1);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding = tb_report_get_finding (report, 2);
  finding_assert_integer (finding, "path_ns", 20 * MS);
}

/* Two programs in turn, in the order in which they get a lock; their parent waits for each. */
static void
test_in_turn (void)
{
  Builder builder = begin ();
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  run (&builder, 11, 0, 50 * MS, 0, NULL);
  run (&builder, 10, 0, 1 * MS, 0, "wait4");
  run (&builder, 12, 0, 1 * MS, 0x5500, "pthread_mutex_lock");
  recording_wake (builder.recorder, 50 * MS - 200, 3, 11, 12);
  recording_wake (builder.recorder, 50 * MS - 100, 3, 11, 10);
  run (&builder, 12, 50 * MS, 90 * MS, 0, NULL);
  run (&builder, 10, 50 * MS, 51 * MS, 0, "wait4");
  recording_wake (builder.recorder, 90 * MS - 100, 4, 12, 10);
  run (&builder, 10, 90 * MS, 100 * MS, 0, NULL);
  report = end (&builder);
  finding = findings_get (report, "lock-contention");
  finding_assert_integer (finding, "path_ns", 49 * MS - 200);
  finding_assert_integer (finding, "wait_ns", 49 * MS - 200);
}

/* Two threads that nothing waits for have a lock in turn. Their waits for it are no work. */
static void
test_parallel (void)
{
  Builder builder = begin ();
  g_autoptr (TbReport) report = NULL;
  JsonArray *paths;

  run (&builder, 10, 0, 100 * MS, 0, NULL);
  run (&builder, 12, 0, 1 * MS, 0x5500, "pthread_mutex_lock");
  run (&builder, 11, 0, 10 * MS, 0x5500, "pthread_mutex_lock");
  recording_wake (builder.recorder, 10 * MS - 100, 3, 11, 12);
  run (&builder, 12, 10 * MS, 40 * MS, 0, NULL);
  recording_wake (builder.recorder, 40 * MS - 100, 4, 12, 11);
  run (&builder, 11, 40 * MS, 60 * MS, 0, NULL);
  report = end (&builder);
  paths = json_object_get_array_member (control_paths_get_summary (report), "paths");
  g_assert_cmpuint (json_array_get_length (paths), ==, 3);
  for (guint i = 1; i < 3; i++)
    {
      JsonObject *path = json_array_get_object_element (paths, i);

      g_assert_cmpint (json_object_get_int_member (path, "wall_ns"), <=, 31 * MS);
      g_assert_cmpint (json_object_get_int_member (path, "running_ns"), >=, 30 * MS);
    }
}

/* --- locks that no function shows --- */

#define N_TURNS 90
#define US G_GINT64_CONSTANT (1000)

typedef enum
{
  TURNS_ANY,     /* any thread goes on after any other one */
  TURNS_RING,    /* always the next one */
  TURNS_BARRIER, /* all go on at once, as soon as the last one of them is there */
  TURNS_IDLE,    /* all wait for half of the time */
  TURNS_PAIR,    /* two threads in turn */
} Turns;

static gint32
get_next (Turns turns, guint i)
{
  static const gint32 any[] = { 10, 11, 10, 12, 11, 12 };

  if (turns == TURNS_RING)
    return 10 + (gint32) (i % 3);
  if (turns == TURNS_PAIR)
    return 10 + (gint32) (i % 2);
  return any[i % G_N_ELEMENTS (any)];
}

/* All run, for 1 ms or less, and sleep. The last one wakes the others. */
static void
add_barrier (Builder *self, guint i)
{
  gint64 from = i * MS + 50 * US, end = from + MS - 10 * US;
  gint32 last = get_next (TURNS_BARRIER, i);
  guint16 cpu = (guint16) (last % 8);

  for (gint32 tid = 10; tid <= 12; tid++)
    {
      run (self, tid, from, tid == last ? end + 5 * US : from + 300 * US, 0x5500, "wait_somehow");
      if (tid != last)
        recording_wake (self->recorder, end + (tid - 10), cpu, last, tid);
      else
        recording_wake (self->recorder, end + 6 * US, 0, 0, tid);
    }
}

/* The thread of a turn runs for 1 ms, wakes that of the next turn, and sleeps. Where all are idle,
 * both run for a while, and another process wakes the next one. */
static void
add_turn (Builder *self, Turns turns, guint i)
{
  gint64 from = i * MS + 50 * US, end = from + MS - 10 * US;
  gint32 tid = get_next (turns, i), next = get_next (turns, i + 1);

  if (turns == TURNS_IDLE)
    {
      run (self, tid, from, from + 200 * US, 0x5500, "wait_somehow");
      recording_wake (self->recorder, from + 190 * US, (guint16) (tid % 8), tid, next);
      run (self, next, from + 200 * US, from + 400 * US, 0x5500, "wait_somehow");
      recording_wake (self->recorder, end, 5, 40, next);
      return;
    }
  run (self, tid, from, end + 5 * US, 0x5500, "wait_somehow");
  recording_wake (self->recorder, end, (guint16) (tid % 8), tid, next);
}

static TbReport *
explain_turns (Turns turns)
{
  Builder builder = begin ();

  recording_name (builder.recorder, 40, "other", 40);
  for (gint32 tid = 10; tid <= 12; tid++)
    if (turns != TURNS_BARRIER)
      run (&builder, tid, 0, 10 * US, 0x5500, "wait_somehow");
  if (turns != TURNS_BARRIER)
    recording_wake (builder.recorder, 40 * US, 5, 40, 10);
  for (guint i = 0; i < N_TURNS; i++)
    if (turns == TURNS_BARRIER)
      add_barrier (&builder, i);
    else
      add_turn (&builder, turns, i);
  return end (&builder);
}

/* Three threads that end the waits of each other, one at a time, while one of them goes on. */
static void
test_inferred (void)
{
  static const Turns others[] = { TURNS_RING, TURNS_BARRIER, TURNS_IDLE, TURNS_PAIR };
  g_autoptr (TbReport) report = explain_turns (TURNS_ANY);
  TbFinding *finding = tb_report_get_finding (report, 0);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "lock-contention");
  g_assert_cmpint (tb_finding_get_severity (finding), ==, TB_SEVERITY_MEDIUM);
  finding_assert_integer (finding, "waiter_threads", 3);
  g_assert_cmpint (finding_get_integer (finding, "inferred_ns"), ==,
                   finding_get_integer (finding, "wait_ns"));
  g_assert_cmpint (finding_get_integer (finding, "path_ns"), >, 80 * MS);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (TbReport) other = explain_turns (others[i]);

      g_test_message ("turns %u", others[i]);
      g_assert_cmpuint (findings_count (other, "lock-contention"), ==, 0);
    }
}

/* A thread that uses the lock waits for it, until a thread or a timer ends that. */
static void
wait_timed (Story *story, gint64 from, gint64 to, int cpu, gint32 tid, gint32 waker)
{
  story_add (story, from, "%d,sleep,,lock,,,,,%d,,5000000,futex,,8192,", cpu, tid);
  story_switch_with_stack (story, from, cpu, tid, "S", 0,
                           "main@app;take@app;pthread_mutex_timedlock@libc.so");
  if (waker != 0)
    story_wake (story, to, waker - 10, waker, tid);
  else
    story_wake_by_timer (story, to, cpu, tid);
  story_switch (story, to, cpu, 0, "R", tid);
}

/* The main thread finds the lock free after a timeout. Another thread had it, unless two may have
 * had it. */
static TbReport *
explain_timeout (gboolean are_two)
{
  Story *story = story_new ("first second");
  g_autoptr (TbTrace) trace = NULL;

  story_name (story, 10, "app", 10);
  for (gint32 tid = 10; tid <= 12; tid++)
    story_switch (story, 0, tid - 10, 0, "R", tid);
  /* Each uses the lock. */
  wait_timed (story, 1000, 2000, 1, 11, 10);
  wait_timed (story, 2100, 3000, 2, 12, 11);
  if (!are_two)
    {
      story_add (story, 3900, "2,sleep,,lock,,,,,12,,-1,futex,,8192,");
      story_switch_with_stack (story, 3900, 2, 12, "S", 0,
                               "main@app;take@app;pthread_mutex_lock@libc.so");
    }
  wait_timed (story, 4000, 9000, 0, 10, 0);
  story_end (story, 20000, 1, 11);
  if (are_two)
    story_end (story, 20000, 2, 12);
  story_end (story, 20000, 0, 10);
  trace = story_open (story);
  return control_paths_explain (trace, "app");
}

static void
test_timeout (void)
{
  g_autoptr (TbReport) known = explain_timeout (FALSE);
  g_autoptr (TbReport) unknown = explain_timeout (TRUE);
  TbFinding *finding = findings_get (known, "lock-contention");

  g_assert_cmpint (control_paths_get_category (control_paths_get_summary (known), "timed_out"), ==,
                   0);
  /* and 1 ms in which the main thread had it */
  finding_assert_integer (finding, "path_ns", 6 * MS);
  g_assert_cmpint (control_paths_get_category (control_paths_get_summary (unknown), "timed_out"),
                   ==, 5 * MS);
  g_assert_cmpuint (findings_count (unknown, "lock-contention"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths-locks/lock", test_lock);
  g_test_add_func ("/control-paths-locks/file", test_file);
  g_test_add_func ("/control-paths-locks/no-lock", test_no_lock);
  g_test_add_func ("/control-paths-locks/chain", test_chain);
  g_test_add_func ("/control-paths-locks/in-turn", test_in_turn);
  g_test_add_func ("/control-paths-locks/parallel", test_parallel);
  g_test_add_func ("/control-paths-locks/inferred", test_inferred);
  g_test_add_func ("/control-paths-locks/timeout", test_timeout);
  return recording_run_tests ();
}
