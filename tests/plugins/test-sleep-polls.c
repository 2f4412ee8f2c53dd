/* test-sleep-polls.c: test that threads that poll by sleeping are found, with what they try between
 * the sleeps and which thread had it meanwhile, and that other sleeps are not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "report-reader.h"
#include "story.h"
#include "trace/tb-trace-file-locks.h"

#define WRITER 11
#define HOLDER 12
#define PERIOD 10000
#define SLEEP 9900
#define N_SLEEPS 10

static const char *const stack = "main@writer;busy@libsqlite3.so;nanosleep@libc.so";

/* The thread of CPU 0 sleeps for SLEEP µs. */
static void
add_sleep (Story *story, gint64 time, gint32 tid)
{
  story_add (story, time, "0,sleep,,timed,,,,,%d,,%d,clock_nanosleep,,,", tid, SLEEP * 1000);
  story_switch_with_stack (story, time, 0, tid, "S", 0, stack);
  story_wake_by_timer (story, time + SLEEP, 0, tid);
  story_switch (story, time + SLEEP, 0, 0, "R", tid);
}

static void
add_lock (Story *story, gint64 time, gint32 tid, const char *result, const char *mode, guint owner)
{
  story_add (story, time, "0,file_lock,,%s,,,,,%d,/var/t.db,,fcntl=%s-%u,,100,200", result, tid,
             mode, owner);
}

static Story *
begin (void)
{
  Story *story = story_new (NULL);

  story_name (story, WRITER, "writer", WRITER);
  story_name (story, HOLDER, "holder", HOLDER);
  story_switch (story, 0, 0, 0, "R", WRITER);
  story_switch (story, 0, 1, 0, "R", HOLDER);
  return story;
}

static TbTrace *
end (Story *story)
{
  story_end (story, (N_SLEEPS + 1) * PERIOD, 0, WRITER);
  story_end (story, (N_SLEEPS + 1) * PERIOD, 1, HOLDER);
  return story_open (story);
}

static void
assert_none (TbTrace *trace)
{
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);

  g_assert_cmpuint (findings_count (report, "polling-by-sleeping"), ==, 0);
}

/* --- locks of files --- */

/* A thread that sleeps while another one has the lock. After the last sleep it gets it. */
static TbTrace *
open_refused (gboolean is_taken_before, gboolean is_tried_again)
{
  Story *story = begin ();

  if (!is_taken_before)
    add_lock (story, 500, HOLDER, "done", "exclusive", 7);
  for (guint i = 0; i < N_SLEEPS; i++)
    {
      gint64 time = 1000 + i * PERIOD;

      if (is_tried_again || i == 0)
        {
          add_lock (story, time, WRITER, "done", "shared", 8);
          add_lock (story, time + 10, WRITER, "refused", "exclusive", 8);
          add_lock (story, time + 20, WRITER, "done", "release", 8);
        }
      add_sleep (story, time + 30, WRITER);
    }
  add_lock (story, N_SLEEPS * PERIOD, HOLDER, "done", "release", 7);
  if (is_tried_again)
    add_lock (story, N_SLEEPS * PERIOD + 1000, WRITER, "done", "exclusive", 8);
  return end (story);
}

static void
assert_lock_finding (TbReport *report)
{
  TbFinding *finding = findings_get (report, "polling-by-sleeping");

  finding_assert_string (finding, "thread", "writer");
  finding_assert_integer (finding, "threads", 1);
  finding_assert_integer (finding, "sleeps", N_SLEEPS);
  finding_assert_integer (finding, "sleep_ns", N_SLEEPS * SLEEP * G_GINT64_CONSTANT (1000));
  finding_assert_string (finding, "call", "fcntl");
  finding_assert_string (finding, "error", "EAGAIN");
  finding_assert_integer (finding, "failed_calls", N_SLEEPS);
  finding_assert_string (finding, "object", "/var/t.db");
  finding_assert_string (finding, "function", "nanosleep");
  finding_assert_string (finding, "holder_thread", "holder");
  finding_assert_integer (finding, "holder_ns", N_SLEEPS * SLEEP * G_GINT64_CONSTANT (1000));
  g_assert_cmpint (tb_finding_get_severity (finding), ==, TB_SEVERITY_HIGH);
}

/* The same in all analyses, and not only as a wait for a timer. A lock that was taken before the
 * recording is known by its release. */
static void
test_lock (void)
{
  g_autoptr (TbTrace) trace = open_refused (FALSE, TRUE);
  g_autoptr (TbTrace) before = open_refused (TRUE, TRUE);
  g_autoptr (TbReport) threads = report_run ("threads", trace, NULL, NULL);
  g_autoptr (TbReport) late = report_run ("threads", before, NULL, NULL);
  g_autoptr (TbReport) locks = report_run ("locks", trace, NULL, NULL);
  g_autoptr (TbReport) graph = report_run ("wait-graph", trace, NULL, NULL);
  g_autoptr (TbReport) paths = report_run ("control-paths", trace, NULL, "process", "writer", NULL);

  assert_lock_finding (threads);
  assert_lock_finding (late);
  assert_lock_finding (locks);
  assert_lock_finding (graph);
  assert_lock_finding (paths);
  g_assert_cmpuint (findings_count (threads, "timer-wait"), ==, 0);
}

static JsonObject *
find_lock (TbReport *report)
{
  JsonObject *lock = summary_find (report_get_summary (report), "locks", "name", "/var/t.db");

  g_assert_nonnull (lock);
  g_assert_cmpstr (json_object_get_string_member (lock, "kind"), ==, "file");
  g_assert_cmpstr (json_object_get_string_member (lock, "group"), ==, "lock");
  summary_assert_strings (lock, "waiters", "writer");
  summary_assert_strings (lock, "holders", "holder");
  return lock;
}

/* The file is one of the locks, whose finding is the one about polling. */
static void
test_polled_lock (void)
{
  g_autoptr (TbTrace) trace = open_refused (FALSE, TRUE);
  g_autoptr (TbReport) report = report_run ("locks", trace, NULL, NULL);
  JsonObject *lock = find_lock (report);

  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, N_SLEEPS);
  g_assert_cmpint (json_object_get_int_member (lock, "polls"), ==, N_SLEEPS);
  g_assert_cmpint (json_object_get_int_member (lock, "polled_ns"), ==,
                   N_SLEEPS * SLEEP * G_GINT64_CONSTANT (1000));
  g_assert_cmpuint (findings_count (report, "file-lock-contention"), ==, 0);
}

/* Threads wait for the lock of a file after the kernel answered that they have to, also where no
 * sleeps were recorded. A later sleep is no wait for it. */
static void
test_blocked (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *lock;
  TbFinding *finding;

  add_lock (story, 500, HOLDER, "done", "exclusive", 7);
  add_lock (story, 1000, WRITER, "waits", "exclusive", 8);
  story_sleep (story, 1010, 41010, 0, WRITER, 1, HOLDER);
  add_lock (story, 41100, WRITER, "done", "exclusive", 8);
  story_sleep (story, 42000, 52000, 0, WRITER, 1, HOLDER);
  trace = end (story);
  report = report_run ("locks", trace, NULL, NULL);
  lock = find_lock (report);
  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (lock, "wait_ns"), ==, 40000000);
  g_assert_cmpint (json_object_get_int_member (lock, "polls"), ==, 0);
  finding = findings_get (report, "file-lock-contention");
  finding_assert_string (finding, "holder_thread", "holder");
  finding_assert_integer (finding, "wait_ns", 40000000);
}

/* In the wait graph the sleeps are waits for the holder, not for a timer. */
static void
test_edge (void)
{
  g_autoptr (TbTrace) trace = open_refused (FALSE, TRUE);
  g_autoptr (TbReport) report = report_run ("wait-graph", trace, NULL, NULL);
  JsonObject *summary = report_get_summary (report);
  JsonObject *vertices[2] = { summary_find (summary, "vertices", "name", "writer"),
                              summary_find (summary, "vertices", "name", "holder") };
  gboolean found = FALSE;

  for (guint i = 0; i < summary_count (summary, "edges"); i++)
    {
      JsonObject *edge = summary_get_element (summary, "edges", i);

      if (!g_str_equal (json_object_get_string_member (edge, "from"),
                        json_object_get_string_member (vertices[0], "id")))
        continue;
      g_assert_false (found);
      found = TRUE;
      g_assert_cmpstr (json_object_get_string_member (edge, "to"), ==,
                       json_object_get_string_member (vertices[1], "id"));
      g_assert_cmpint (json_object_get_int_member (edge, "waits"), ==, N_SLEEPS);
    }
  g_assert_true (found);
}

static void
test_given_up (void)
{
  g_autoptr (TbTrace) trace = open_refused (FALSE, FALSE);

  assert_none (trace);
}

/* A thread that gets the lock every time, and sleeps for another reason. */
static void
test_granted (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;

  for (guint i = 0; i < N_SLEEPS; i++)
    {
      add_lock (story, 1000 + i * PERIOD, WRITER, "refused", "exclusive", 8);
      add_lock (story, 1010 + i * PERIOD, WRITER, "done", "exclusive", 8);
      add_sleep (story, 1030 + i * PERIOD, WRITER);
    }
  trace = end (story);
  assert_none (trace);
}

static void
test_unrecorded (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;

  for (guint i = 0; i < N_SLEEPS; i++)
    add_sleep (story, 1030 + i * PERIOD, WRITER);
  trace = end (story);
  assert_none (trace);
}

/* Threads of one name are one finding. */
static void
test_namesakes (void)
{
  Story *story = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_name (story, 13, "writer", 13);
  add_lock (story, 500, HOLDER, "done", "exclusive", 7);
  story_switch (story, 900, 0, WRITER, "S", 13);
  for (guint i = 0; i < N_SLEEPS; i++)
    {
      add_lock (story, 1000 + i * PERIOD, 13, "refused", "exclusive", 8);
      add_sleep (story, 1030 + i * PERIOD, 13);
    }
  add_lock (story, 1000 + N_SLEEPS * PERIOD, 13, "refused", "exclusive", 8);
  story_switch (story, 1100 + N_SLEEPS * PERIOD, 0, 13, "S", WRITER);
  for (guint i = N_SLEEPS + 1; i < 2 * N_SLEEPS; i++)
    {
      add_lock (story, 1200 + i * PERIOD, WRITER, "refused", "exclusive", 9);
      add_sleep (story, 1230 + i * PERIOD, WRITER);
    }
  add_lock (story, 1200 + 2 * N_SLEEPS * PERIOD, WRITER, "done", "exclusive", 9);
  story_end (story, 3 * N_SLEEPS * PERIOD, 0, WRITER);
  trace = story_open (story);
  report = report_run ("threads", trace, NULL, NULL);
  finding = findings_get (report, "polling-by-sleeping");
  finding_assert_integer (finding, "threads", 2);
  finding_assert_integer (finding, "sleeps", 2 * N_SLEEPS - 1);
  finding_assert_string (finding, "holder_thread", "holder");
}

/* A shell waits for the holder and then for the writer, or computes itself. */
static TbReport *
explain_shell (gboolean waits)
{
  Story *story = story_new (NULL);
  gint64 end = N_SLEEPS * PERIOD + 2000;
  g_autoptr (TbTrace) trace = NULL;

  story_name (story, 10, "sh", 10);
  story_switch (story, 0, 2, 0, "R", 10);
  story_fork (story, 100, 2, 10, WRITER);
  story_name (story, WRITER, "writer", WRITER);
  if (waits)
    story_fork (story, 110, 2, 10, HOLDER);
  story_name (story, HOLDER, "holder", HOLDER);
  story_switch (story, 200, 0, 0, "R", WRITER);
  story_switch (story, 200, 1, 0, "R", HOLDER);
  if (waits)
    story_switch_with_stack (story, 300, 2, 10, "S", 0, "main@sh;wait4@libc.so");
  add_lock (story, 500, HOLDER, "done", "exclusive", 7);
  for (guint i = 0; i < N_SLEEPS; i++)
    {
      add_lock (story, 1000 + i * PERIOD, WRITER, "refused", "exclusive", 8);
      add_sleep (story, 1030 + i * PERIOD, WRITER);
    }
  add_lock (story, end - 900, HOLDER, "done", "release", 7);
  story_wake (story, end - 850, 1, HOLDER, 10);
  story_end (story, end - 800, 1, HOLDER);
  if (waits)
    {
      story_switch (story, end - 850, 2, 0, "R", 10);
      story_switch_with_stack (story, end - 830, 2, 10, "S", 0, "main@sh;wait4@libc.so");
    }
  add_lock (story, end - 700, WRITER, "done", "exclusive", 8);
  story_wake (story, end, 0, WRITER, 10);
  story_end (story, end, 0, WRITER);
  if (waits)
    story_switch (story, end, 2, 0, "R", 10);
  story_end (story, end + 100, 2, 10);
  trace = story_open (story);
  return report_run ("control-paths", trace, NULL, "process", "sh", NULL);
}

/* The path follows the holder while the writer sleeps: what it waits for is the lock. Where the
 * path waits for neither, the lock is of little effect. */
static void
test_below_path (void)
{
  g_autoptr (TbReport) waits = explain_shell (TRUE);
  g_autoptr (TbReport) computes = explain_shell (FALSE);
  TbFinding *finding = tb_report_get_finding (waits, 0);

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "polling-by-sleeping");
  finding_assert_string (finding, "object", "/var/t.db");
  finding_assert_integer (finding, "holder_tid", HOLDER);
  g_assert_cmpint (tb_finding_get_weight (finding), ==,
                   N_SLEEPS * SLEEP * G_GINT64_CONSTANT (1000));
  finding = tb_report_get_finding (computes, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "cpu-bound");
  finding_assert_string (finding, "process", "sh");
}

/* --- system calls --- */

/* A call that fails between the sleeps, as far as its result was recorded. */
static TbTrace *
open_calls (const char *call, int result, guint n)
{
  Story *story = begin ();

  for (guint i = 0; i <= n; i++)
    {
      gint64 time = 1000 + i * PERIOD;

      story_add (story, time, "0,sys_enter,,,,,,,%d,,,%s,,,", WRITER, call);
      story_add (story, time + 10, "0,sys_exit,,,,,,,%d,,%d,%s,,,", WRITER, i < n ? result : 0,
                 call);
      if (i < n)
        add_sleep (story, time + 30, WRITER);
    }
  return end (story);
}

static void
test_calls (void)
{
  static const struct
  {
    const char *call;
    int result;
    guint n_sleeps;
    const char *error; /* NULL: no finding */
  } cases[] = {
    { "connect", -111, 5, "ECONNREFUSED" },
    { "read", -11, 5, "EAGAIN" },
    { "openat", -2, 5, "ENOENT" },
    { "mkdir", -17, 2, "EEXIST" },
    { "fcntl", -13, 2, "EACCES" },
    { "openat", -13, 5, NULL }, /* forbidden for good */
    { "futex", -11, 5, NULL },  /* the value changed */
    { "connect", -111, 1, NULL } /* by chance */,
    { "read", 100, 5, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) trace = open_calls (cases[i].call, cases[i].result, cases[i].n_sleeps);
      g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
      TbFinding *finding;

      g_test_message ("%s %d", cases[i].call, cases[i].result);
      g_assert_cmpuint (findings_count (report, "polling-by-sleeping"), ==,
                        cases[i].error != NULL ? 1 : 0);
      if (cases[i].error == NULL)
        continue;
      finding = findings_get (report, "polling-by-sleeping");
      finding_assert_string (finding, "call", cases[i].call);
      finding_assert_string (finding, "error", cases[i].error);
      finding_assert_integer (finding, "sleeps", cases[i].n_sleeps);
      g_assert_true (finding_is_null (finding, "object"));
      g_assert_true (finding_is_null (finding, "holder_thread"));
      g_assert_true (finding_is_null (finding, "holder_ns"));
    }
}

/* --- sentences --- */

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) held = open_refused (FALSE, TRUE);
  g_autoptr (TbReport) of_held = report_run ("locks", held, NULL, NULL);
  g_autoptr (TbTrace) refused = open_calls ("connect", -111, 3);
  g_autoptr (TbReport) of_refused = report_run ("locks", refused, NULL, NULL);

  golden_add (golden, "a lock of a file", of_held);
  golden_add (golden, "a call", of_refused);
  golden_compare (golden, "polling");
}

/* --- a shell --- */

/* The shell starts a command on its CPU and waits for its end. */
static void
run_command (Story *story, gint64 *time, gint32 tid, const char *program, gboolean sleeps)
{
  story_fork (story, *time, 0, WRITER, tid);
  story_add (story, *time + 5, "0,sleep,,child,,,,,%d,,-1,wait4,,,", WRITER);
  story_switch_with_stack (story, *time + 5, 0, WRITER, "S", tid, "main@sh;wait4@libc.so");
  story_exec (story, *time + 10, 0, tid, program);
  if (sleeps)
    {
      add_sleep (story, *time + 20, tid);
      *time += SLEEP;
    }
  else
    story_add (story, *time + 20, "0,file_lock,,refused,,,,,%d,/tmp/lock,,flock=exclusive-9,,,",
               tid);
  story_exit (story, *time + 30, 0, tid);
  story_wake (story, *time + 32, 0, tid, WRITER);
  story_switch (story, *time + 35, 0, tid, "X", WRITER);
  *time += 40;
}

/* until flock -n 9; do sleep 0.01; done */
static void
test_shell (void)
{
  Story *story = begin ();
  gint64 time = 1000;
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_add (story, 500, "1,file_lock,,done,,,,,%d,/tmp/lock,,flock=exclusive-7,,,", HOLDER);
  for (guint i = 0; i < 5; i++)
    {
      run_command (story, &time, 100 + 2 * (gint32) i, "/usr/bin/flock", FALSE);
      run_command (story, &time, 101 + 2 * (gint32) i, "/usr/bin/sleep", TRUE);
    }
  run_command (story, &time, 200, "/usr/bin/flock", FALSE);
  trace = end (story);
  report = report_run ("threads", trace, NULL, NULL);
  finding = findings_get (report, "polling-by-sleeping");
  finding_assert_string (finding, "thread", "writer");
  finding_assert_string (finding, "call", "flock");
  finding_assert_string (finding, "object", "/tmp/lock");
  finding_assert_integer (finding, "sleeps", 5);
  finding_assert_string (finding, "holder_thread", "holder");
}

/* --- holders of random locks --- */

#define N_BYTES 8
#define N_OWNERS 4
#define N_REQUESTS 200

/* What each owner has of each byte: 0 nothing, 1 shared, 2 exclusive. */
typedef guint8 Bytes[N_OWNERS][N_BYTES];

static gboolean
is_in_the_way (Bytes bytes, guint other, guint owner, guint from, guint to, gboolean exclusive)
{
  for (guint i = from; i <= to && other != owner; i++)
    if (bytes[other][i] == 2 || (bytes[other][i] == 1 && exclusive))
      return TRUE;
  return FALSE;
}

/* Every thread is an owner of its own. Refused requests have the owners in the way as a mask. */
static TbTrace *
open_random (guint *masks, guint *n_masks)
{
  static const char *const modes[] = { "release", "shared", "exclusive" };
  Story *story = begin ();
  Bytes bytes = { 0 };

  for (guint i = 2; i < N_OWNERS; i++)
    story_name (story, WRITER + (gint32) i, "other", WRITER + (gint32) i);
  for (guint n = 0; n < N_REQUESTS; n++)
    {
      guint owner = g_test_rand_int_range (0, N_OWNERS), mode = g_test_rand_int_range (0, 3);
      guint from = g_test_rand_int_range (0, N_BYTES), mask = 0;
      guint to = g_test_rand_int_range ((gint32) from, N_BYTES);

      for (guint other = 0; other < N_OWNERS && mode > 0; other++)
        if (is_in_the_way (bytes, other, owner, from, to, mode == 2))
          mask |= 1u << other;
      if (mask != 0)
        masks[(*n_masks)++] = mask;
      else
        for (guint i = from; i <= to; i++)
          bytes[owner][i] = (guint8) mode;
      story_add (story, 1000 + n, "0,file_lock,,%s,,,,,%d,/f,,fcntl=%s-%u,,%u,%u",
                 mask != 0 ? "refused" : "done", WRITER + (gint32) owner, modes[mode], owner, from,
                 to);
    }
  return end (story);
}

static void
test_random_holders (void)
{
  for (guint round = 0; round < test_rounds (500, 15); round++)
    {
      guint masks[N_REQUESTS], n_masks = 0, found = 0;
      g_autoptr (TbTrace) trace = open_random (masks, &n_masks);
      g_autoptr (TbFileLocks) locks = tb_file_locks_new (trace);
      const TbFileLockRows *rows = tb_file_locks_get_rows (locks);
      guint n_threads;
      const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);

      g_assert_cmpuint (rows->n, ==, N_REQUESTS);
      for (gsize row = 0; row < rows->n; row++)
        {
          guint32 holder = tb_file_locks_get_holder (locks, row);

          if (rows->result[row] != TB_FILE_LOCK_REFUSED)
            {
              g_assert_cmpuint (holder, ==, TB_ID_NONE);
              continue;
            }
          g_assert_cmpuint (holder, <, n_threads);
          g_assert_true ((masks[found++] >> (threads[holder].tid - WRITER) & 1) != 0);
        }
      g_assert_cmpuint (found, ==, n_masks);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sleep-polls/lock", test_lock);
  g_test_add_func ("/sleep-polls/polled-lock", test_polled_lock);
  g_test_add_func ("/sleep-polls/blocked", test_blocked);
  g_test_add_func ("/sleep-polls/edge", test_edge);
  g_test_add_func ("/sleep-polls/given-up", test_given_up);
  g_test_add_func ("/sleep-polls/granted", test_granted);
  g_test_add_func ("/sleep-polls/unrecorded", test_unrecorded);
  g_test_add_func ("/sleep-polls/namesakes", test_namesakes);
  g_test_add_func ("/sleep-polls/below-path", test_below_path);
  g_test_add_func ("/sleep-polls/calls", test_calls);
  g_test_add_func ("/sleep-polls/golden", test_golden);
  g_test_add_func ("/sleep-polls/shell", test_shell);
  g_test_add_func ("/sleep-polls/random-holders", test_random_holders);
  return recording_run_tests ();
}
