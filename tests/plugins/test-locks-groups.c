/* test-locks-groups.c: test of the groups and classes of the analysis "locks", and of its sums
 * against a simple reference
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "locks-fixture.h"
#include "report-reader.h"
#include "report/table/tb-table-figure.h"
#include "trace/tb-trace-lock-origins.h"

#define MS LOCKS_MS

static TbReport *
analyze (TbTrace *trace)
{
  return report_run ("locks", trace, NULL, "top", "0", NULL);
}

static JsonObject *
find_lock (TbReport *report, const char *name)
{
  return summary_find (report_get_summary (report), "locks", "name", name);
}

static void
assert_lock (JsonObject *lock, const char *use, const char *group, gint64 wait_ns)
{
  g_assert_nonnull (lock);
  if (use != NULL)
    g_assert_cmpstr (json_object_get_string_member (lock, "use"), ==, use);
  else
    g_assert_true (json_object_get_null_member (lock, "use"));
  g_assert_cmpstr (json_object_get_string_member (lock, "group"), ==, group);
  g_assert_cmpint (json_object_get_int_member (lock, "wait_ns"), ==, wait_ns);
}

/* Without any function, the operation alone shows what a word is no lock. Conditions, timeouts and
 * joins have no holder, and come after all locks, however long they took. */
static void
test_operations (void)
{
  LocksFixture fixture = locks_begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *lock;

  fixture.operation = LOCKS_CONDITION;
  locks_wait (&fixture, 10, 11, 10 * MS, 40 * MS, 0x1000, TB_SLEEP_LOCK, 10);
  locks_wait (&fixture, 10, 12, 10 * MS, 45 * MS, 0x1004, TB_SLEEP_LOCK, 10);
  locks_wait (&fixture, 20, 20, 10 * MS, 90 * MS, 0x2000, TB_SLEEP_LOCK, 0);
  fixture.operation = LOCKS_JOIN;
  locks_wait (&fixture, 10, 11, 50 * MS, 70 * MS, 0x3000, TB_SLEEP_SHARED_LOCK, 13);
  fixture.operation = LOCKS_MUTEX;
  locks_wait (&fixture, 10, 12, 50 * MS, 51 * MS, 0x4000, TB_SLEEP_LOCK, 10);
  fixture.operation = LOCKS_WAIT;
  locks_wait (&fixture, 10, 12, 60 * MS, 62 * MS, 0x5000, TB_SLEEP_LOCK, 10);
  recording_switch (fixture.recorder, 70 * MS + 10, 5, 0, 'R', 13);
  recording_switch (fixture.recorder, 70 * MS + 20, 5, 13, 'X', 0);
  trace = locks_end (&fixture);
  report = analyze (trace);

  lock = find_lock (report, "heap 0x4000");
  assert_lock (lock, "mutex", "lock", 1 * MS);
  summary_assert_strings (lock, "holders", "owner");
  g_assert_true (lock == summary_get_element (report_get_summary (report), "locks", 0));
  assert_lock (find_lock (report, "heap 0x5000"), NULL, "unknown", 2 * MS);
  /* The two words of one condition */
  lock = find_lock (report, "heap 0x1000");
  assert_lock (lock, "not-mutex", "condition", 65 * MS);
  g_assert_true (json_object_get_null_member (lock, "holders"));
  summary_assert_strings (lock, "ended_by", "owner");
  g_assert_null (find_lock (report, "heap 0x1004"));
  lock = find_lock (report, "heap 0x2000");
  assert_lock (lock, "not-mutex", "timed", 80 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "timed_out_ns"), ==, 80 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "released"), ==, 0);
  g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==, "lock-contention");
}

/* A word is used for a join if an exiting thread ended the wait; otherwise a wait in the way of
 * shared memory proves nothing. */
static void
test_joins (void)
{
  for (guint ends = 0; ends < 2; ends++)
    {
      LocksFixture fixture = locks_begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;

      fixture.operation = LOCKS_JOIN;
      fixture.heap = TB_STRING_NONE;
      locks_wait (&fixture, 10, 11, 10 * MS, 20 * MS, 0x3000, TB_SLEEP_LOCK, 13);
      locks_wait (&fixture, 10, 11, 30 * MS, 50 * MS, 0x9000, TB_SLEEP_LOCK, 12);
      for (gint32 tid = 12; ends && tid <= 13; tid++)
        {
          gint64 time = (tid == 12 ? 50 : 20) * MS;
          /* One of them waits for its CPU before it is gone. */
          gint64 gone = time + (tid == 12 ? 20 * MS : 40);
          TbEvent exit = recording_make_event (gone, TB_EVENT_EXIT, 6, tid);

          recording_switch (fixture.recorder, time - MS, 6, 0, 'R', tid);
          if (tid == 12)
            {
              recording_switch (fixture.recorder, time + 10, 6, tid, 'R', 0);
              recording_switch (fixture.recorder, gone - 10, 6, 0, 'R', tid);
            }
          recording_switch (fixture.recorder, gone + 10, 6, tid, 'X', 0);

          tb_recorder_add (fixture.recorder, &exit);
        }
      trace = locks_end (&fixture);
      report = analyze (trace);
      if (ends)
        {
          JsonObject *lock = find_lock (report, "end of 2 threads");

          assert_lock (lock, "join", "join", 30 * MS);
          g_assert_cmpint (json_object_get_int_member (lock, "n_members"), ==, 2);
          g_assert_cmpstr (tb_finding_get_code (tb_report_get_finding (report, 0)), ==,
                           "join-wait");
          g_assert_cmpstr (tb_finding_get_text (tb_report_get_finding (report, 0)), ==,
                           "worker joined threads: 30 ms.");
        }
      else
        g_assert_null (find_lock (report, "end of 2 threads"));
    }
}

static void
test_files (void)
{
  LocksFixture fixture = locks_begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;
  JsonObject *lock;

  locks_wait (&fixture, 10, 11, 10 * MS, 40 * MS, 0, TB_SLEEP_FILE_LOCK, 20);
  locks_wait (&fixture, 20, 20, 50 * MS, 60 * MS, 0, TB_SLEEP_FILE_LOCK, 11);
  trace = locks_end (&fixture);
  report = analyze (trace);
  lock = find_lock (report, "/var/tmp/t.db");
  assert_lock (lock, "file", "lock", 40 * MS);
  g_assert_cmpstr (json_object_get_string_member (lock, "kind"), ==, "file");
  g_assert_true (json_object_get_null_member (lock, "address"));
  g_assert_true (json_object_get_null_member (lock, "process"));
  summary_assert_strings (lock, "holders", "other worker");
  finding = tb_report_get_finding (report, 0);
  g_assert_cmpstr (tb_finding_get_code (finding), ==, "file-lock-contention");
  g_assert_cmpint (tb_finding_get_severity (finding), ==, TB_SEVERITY_HIGH);
  finding_assert_string (finding, "lock", "/var/tmp/t.db");
  finding_assert_string (finding, "holder_thread", "other");
}

/* Java: every thread sleeps on a condition of its own, for a monitor and for an idle wait. How many
 * monitors there are is not known. */
static guint32
make_java_stack (LocksFixture *fixture, const char *inner, const char *java)
{
  const char *const names[][2] = { { "start_thread", "libc.so.6" },
                                   { java, "app.jar" },
                                   { inner, "libjvm.so" },
                                   { "PlatformEvent::park", "libjvm.so" },
                                   { "pthread_cond_wait", "libc.so.6" } };
  const guint8 flags[G_N_ELEMENTS (names)] = { 0 };
  guint32 frames[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    frames[i] = tb_recorder_intern_named_frame (fixture->recorder, names[i][0], names[i][1], FALSE);
  return tb_recorder_intern_stack (fixture->recorder, frames, flags, G_N_ELEMENTS (frames));
}

static void
test_monitors (void)
{
  LocksFixture fixture = locks_begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbTableFigure *table;
  JsonObject *lock;
  guint first, row = 0;

  fixture.operation = LOCKS_CONDITION;
  fixture.stack = make_java_stack (&fixture, "ObjectMonitor::enter", "Account.pay");
  locks_wait (&fixture, 10, 11, 10 * MS, 20 * MS, 0x1100, TB_SLEEP_LOCK, 12);
  locks_wait (&fixture, 10, 12, 22 * MS, 28 * MS, 0x1200, TB_SLEEP_LOCK, 13);
  locks_wait (&fixture, 10, 13, 30 * MS, 42 * MS, 0x1300, TB_SLEEP_LOCK, 11);
  fixture.stack = make_java_stack (&fixture, "ObjectMonitor::wait", "Queue.take");
  locks_wait (&fixture, 10, 11, 50 * MS, 80 * MS, 0x1100, TB_SLEEP_LOCK, 10);
  locks_wait (&fixture, 10, 12, 50 * MS, 90 * MS, 0x1200, TB_SLEEP_LOCK, 10);
  locks_wait (&fixture, 10, 13, 50 * MS, 60 * MS, 0x1300, TB_SLEEP_LOCK, 10);
  trace = locks_end (&fixture);
  report = analyze (trace);
  lock = find_lock (report, "locks in Account.pay");
  assert_lock (lock, "mutex", "lock", 28 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "n_members"), ==, 3);
  g_assert_cmpuint (summary_count (lock, "members"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (summary_get_element (lock, "members", 0), "wait_ns"),
                   ==, 12 * MS);
  summary_assert_strings (lock, "holders", "worker");
  g_assert_true (json_object_get_boolean_member (lock, "parked"));
  g_assert_nonnull (strstr (tb_report_get_headline (report), "waited 28 ms for 1 lock, 3 times"));
  assert_lock (find_lock (report, "locks in Queue.take"), "condition", "condition", 80 * MS);

  /* One row, which opens */
  table = TB_TABLE_FIGURE (tb_report_find_figure (report, "locks"));
  g_assert_cmpuint (tb_table_figure_get_n_rows (table), ==, 2);
  g_assert_cmpuint (tb_table_figure_get_children (table, row, &first), ==, 3);
  g_assert_cmpint (tb_table_figure_get_integer (table, first, 3), ==, 12 * MS);
  g_assert_cmpuint (tb_table_figure_get_children (table, 1, &first), ==, 3);
}

static void
add_semaphore (LocksFixture *fixture, const char *address)
{
  TbEvent made = recording_make_event (2 * MS, TB_EVENT_MARK, 5, 10);
  g_autofree char *place = g_strconcat (address, "+32", NULL);

  made.pid = 10;
  made.text = tb_recorder_intern_string (fixture->recorder, TB_MARK_LOCK_CREATED, -1);
  made.text2 = tb_recorder_intern_string (fixture->recorder, place, -1);
  made.stack = locks_make_stack (fixture, "_PySemaphore_Init");
  tb_recorder_add (fixture->recorder, &made);
}

/* CPython: two threads wait for one lock, each on a semaphore of its own. Where the stacks do not
 * show it, the function that made the semaphores does. */
static void
test_parked (void)
{
  for (guint has_stacks = 0; has_stacks < 2; has_stacks++)
    {
      LocksFixture fixture = locks_begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *lock;

      fixture.operation = LOCKS_CONDITION;
      fixture.stack = has_stacks ? locks_make_stack (&fixture, "_PySemaphore_Wait") : 0;
      add_semaphore (&fixture, "0x1000");
      add_semaphore (&fixture, "0x1100");
      locks_wait (&fixture, 10, 11, 10 * MS, 20 * MS, 0x1000, TB_SLEEP_LOCK, 12);
      locks_wait (&fixture, 10, 12, 22 * MS, 28 * MS, 0x1100, TB_SLEEP_LOCK, 11);
      trace = locks_end (&fixture);
      report = analyze (trace);
      g_assert_cmpuint (summary_count (report_get_summary (report), "locks"), ==, 1);
      lock = summary_get_element (report_get_summary (report), "locks", 0);
      assert_lock (lock, "not-mutex", "lock", 16 * MS);
      g_assert_cmpint (json_object_get_int_member (lock, "n_members"), ==, 2);
      g_assert_true (json_object_get_boolean_member (lock, "parked"));
      g_assert_cmpstr (json_object_get_string_member (lock, "name"), ==,
                       has_stacks ? "locks in main" : "locks with semaphores from main");
    }
}

/* The interpreter's lock of CPython is a condition with a timeout: its two words are one lock. Two
 * words for which threads wait without a timeout may be two locks. */
static void
test_timed_condition (void)
{
  for (guint has_timeouts = 0; has_timeouts < 2; has_timeouts++)
    {
      LocksFixture fixture = locks_begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;

      fixture.operation = LOCKS_TIMED;
      fixture.timeout = has_timeouts ? 5 * MS : 0;
      locks_wait (&fixture, 10, 11, 10 * MS, 13 * MS, 0x1000, TB_SLEEP_LOCK, 12);
      locks_wait (&fixture, 10, 12, 15 * MS, 19 * MS, 0x1004, TB_SLEEP_LOCK, 11);
      trace = locks_end (&fixture);
      report = analyze (trace);
      g_assert_cmpuint (summary_count (report_get_summary (report), "locks"), ==,
                        has_timeouts ? 1 : 2);
      if (has_timeouts)
        assert_lock (find_lock (report, "heap 0x1000"), "not-mutex", "lock", 7 * MS);
    }
}

/* A main thread signals another one, which has its name and waits on a word that is no mutex: it
 * holds nothing. */
static void
test_signal_of_peer (void)
{
  LocksFixture fixture = locks_begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  fixture.operation = LOCKS_CONDITION;
  recording_name (fixture.recorder, 11, "owner", 10);
  locks_wait (&fixture, 10, 11, 10 * MS, 80 * MS, 0x1000, TB_SLEEP_LOCK, 10);
  locks_wait (&fixture, 10, 12, 10 * MS, 70 * MS, 0x2000, TB_SLEEP_LOCK, 13);
  trace = locks_end (&fixture);
  report = analyze (trace);
  assert_lock (find_lock (report, "heap 0x1000"), "not-mutex", "condition", 70 * MS);
  assert_lock (find_lock (report, "heap 0x2000"), "not-mutex", "lock", 60 * MS);
}

/* A wait that is not over at the end of the recording did not end for an unknown reason. */
static void
test_open_wait (void)
{
  LocksFixture fixture = locks_begin ();
  TbEvent event = { .time = 60 * MS,
                    .kind = TB_EVENT_SLEEP,
                    .cpu = 3,
                    .tid = 11,
                    .pid = 10,
                    .code = TB_SLEEP_LOCK,
                    .a = 0x1000,
                    .b = (guint64) TB_TIMEOUT_NONE,
                    .c = 0x40,
                    .device = LOCKS_MUTEX,
                    .module = TB_ID_NONE };
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *lock;

  fixture.operation = LOCKS_MUTEX;
  locks_wait (&fixture, 10, 11, 10 * MS, 20 * MS, 0x1000, TB_SLEEP_LOCK, 12);
  event.text = fixture.futex;
  event.text2 = fixture.heap;
  recording_switch (fixture.recorder, 59 * MS, 3, 0, 'R', 11);
  tb_recorder_add (fixture.recorder, &event);
  recording_switch (fixture.recorder, 60 * MS, 3, 11, 'S', 0);
  trace = locks_end (&fixture);
  report = analyze (trace);
  lock = find_lock (report, "heap 0x1000");
  assert_lock (lock, "mutex", "lock", 50 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "released"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (lock, "open"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (lock, "ended_by_unknown"), ==, 0);
}

/* Semaphores of one code place, each in shared memory at its own address: a lock where threads
 * that post also wait, a signal where others post. */
static void
test_semaphores (void)
{
  for (guint lock_like = 0; lock_like < 2; lock_like++)
    {
      LocksFixture fixture = locks_begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;

      fixture.stack = locks_make_stack (&fixture, "sem_wait");
      locks_wait (&fixture, 10, 11, 10 * MS, 20 * MS, 0x1100, TB_SLEEP_LOCK, lock_like ? 12 : 20);
      locks_wait (&fixture, 10, 12, 22 * MS, 28 * MS, 0x1200, TB_SLEEP_LOCK, lock_like ? 11 : 20);
      locks_wait (&fixture, 10, 13, 30 * MS, 34 * MS, 0x1300, TB_SLEEP_LOCK, lock_like ? 12 : 20);
      trace = locks_end (&fixture);
      report = analyze (trace);
      assert_lock (find_lock (report, "3 locks in main"), "semaphore",
                   lock_like ? "lock" : "condition", 20 * MS);
    }
}

/* A thread waits in a futex() call, of which the arguments were recorded, but not its sleep. */
static void
call_futex (TbRecorder *recorder,
            gint32 tid,
            gint64 from,
            gint64 to,
            const guint64 *args,
            gint32 waker)
{
  guint16 cpu = (guint16) (tid % 8);
  TbEvent enter = recording_make_event (from - 1000, TB_EVENT_SYS_ENTER, cpu, tid);
  TbEvent leave = recording_make_event (to + 150, TB_EVENT_SYS_EXIT, cpu, tid);

  enter.pid = leave.pid = 10;
  enter.text = leave.text = tb_recorder_intern_string (recorder, "futex", -1);
  enter.args = args;
  recording_switch (recorder, from - 2000, cpu, 0, 'R', tid);
  tb_recorder_add (recorder, &enter);
  recording_switch (recorder, from, cpu, tid, 'S', 0);
  recording_wake (recorder, to, 7, waker, tid);
  recording_switch (recorder, to + 100, cpu, 0, 'R', tid);
  tb_recorder_add (recorder, &leave);
  recording_switch (recorder, to + 200, cpu, tid, 'S', 0);
}

/* Without sleeps, as from perf, the calls have the address and the operation. */
static void
test_calls (void)
{
  static const guint64 mutex[6] = { 0x7f10, LOCKS_MUTEX - 1 },
                       condition[6] = { 0x7f20, LOCKS_CONDITION - 1 }, unknown[6] = { 0 };
  LocksFixture fixture = locks_begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  call_futex (fixture.recorder, 11, 10 * MS, 20 * MS, mutex, 12);
  call_futex (fixture.recorder, 12, 25 * MS, 28 * MS, mutex, 11);
  call_futex (fixture.recorder, 13, 30 * MS, 70 * MS, condition, 10);
  call_futex (fixture.recorder, 11, 80 * MS, 85 * MS, unknown, 10);
  trace = locks_end (&fixture);
  report = analyze (trace);
  g_assert_cmpuint (summary_count (report_get_summary (report), "locks"), ==, 2);
  assert_lock (find_lock (report, "0x7f10"), "mutex", "lock", 13 * MS);
  assert_lock (find_lock (report, "0x7f20"), "not-mutex", "condition", 40 * MS);
  g_assert_cmpint (summary_get_int (report_get_summary (report), "unplaced_ns"), ==, 5 * MS);
}

/* --- reference --- */

#define N_WAITS 60
#define N_WORDS 5

typedef struct
{
  gint64 from;
  gint64 to;
  gint32 tid;
  gint32 waker; /* 0: a timeout */
  guint64 address;
} Wait;

typedef struct
{
  gint64 wait_ns;
  gint64 released_ns;
  gint64 handed_on_ns;
  gint64 timed_out_ns;
  gint64 contended_ns;
  gint64 most;
  gint64 waits;
} Sums;

/* Random waits of four threads, one after the other in each thread. */
static void
make_waits (Wait *waits)
{
  gint64 free_at[4] = { 2 * MS, 2 * MS, 2 * MS, 2 * MS };
  const gint32 tids[] = { 11, 12, 13, 20 };

  for (guint i = 0; i < N_WAITS; i++)
    {
      guint which = (guint) g_test_rand_int_range (0, 4);
      gint64 from = free_at[which] + 2 * MS + g_test_rand_int_range (0, 1000000);
      gint64 to = from + g_test_rand_int_range (500000, 4000000);

      waits[i] = (Wait) { from, to, tids[which],
                          g_test_rand_int_range (0, 5) == 0 ? 0 : tids[(which + 1) % 4],
                          0x1000 + 0x100 * (guint64) g_test_rand_int_range (0, N_WORDS) };
      free_at[which] = to + MS / 10;
    }
}

static gboolean
waits_for (const Wait *waits, gint32 tid, const Wait *like)
{
  for (guint i = 0; i < N_WAITS; i++)
    if (waits[i].to != 0 && waits[i].tid == tid && waits[i].address == like->address
        && (waits[i].tid == 20) == (like->tid == 20))
      return TRUE;
  return FALSE;
}

/* Whether a wait is for the word of a process; the thread 20 is a process of its own. */
static gboolean
is_for (const Wait *wait, guint64 address, gboolean of_other)
{
  return wait->to != 0 && wait->address == address && (wait->tid == 20) == of_other;
}

static Sums
sum_up (const Wait *waits, guint64 address, gboolean of_other)
{
  Sums sums = { 0 };

  for (guint i = 0; i < N_WAITS; i++)
    {
      gint64 ns = waits[i].to - waits[i].from, open = 0, next = G_MAXINT64;

      if (!is_for (&waits[i], address, of_other))
        continue;
      sums.waits++;
      sums.wait_ns += ns;
      if (waits[i].waker == 0)
        sums.timed_out_ns += ns;
      else
        sums.released_ns += ns;
      if (waits[i].waker != 0 && waits_for (waits, waits[i].waker, &waits[i]))
        sums.handed_on_ns += ns;
      /* at the start of this wait */
      for (guint k = 0; k < N_WAITS; k++)
        if (is_for (&waits[k], address, of_other) && waits[k].from <= waits[i].from
            && waits[k].to > waits[i].from)
          open++;
      sums.most = MAX (sums.most, open);
      /* Each moment is counted by the wait that began last. */
      for (guint k = 0; k < N_WAITS; k++)
        if (k != i && is_for (&waits[k], address, of_other) && waits[k].from > waits[i].from)
          next = MIN (next, waits[k].from);
      for (guint k = 0; k < N_WAITS; k++)
        if (is_for (&waits[k], address, of_other) && waits[k].from <= waits[i].from)
          ns = MAX (ns, waits[k].to - waits[i].from);
      sums.contended_ns += MIN (ns, next - waits[i].from);
    }
  return sums;
}

static void
assert_sums (JsonObject *lock, const Sums *sums)
{
  g_assert_nonnull (lock);
  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, sums->waits);
  g_assert_cmpint (json_object_get_int_member (lock, "wait_ns"), ==, sums->wait_ns);
  g_assert_cmpint (json_object_get_int_member (lock, "released_ns"), ==, sums->released_ns);
  g_assert_cmpint (json_object_get_int_member (lock, "handed_on_ns"), ==, sums->handed_on_ns);
  g_assert_cmpint (json_object_get_int_member (lock, "timed_out_ns"), ==, sums->timed_out_ns);
  g_assert_cmpint (json_object_get_int_member (lock, "contended_ns"), ==, sums->contended_ns);
  g_assert_cmpint (json_object_get_int_member (lock, "most_waiting"), ==, sums->most);
}

static JsonObject *
find_of_process (TbReport *report, guint64 address, gboolean of_other)
{
  JsonArray *locks = json_object_get_array_member (report_get_summary (report), "locks");
  g_autofree char *text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", address);

  for (guint i = 0; i < json_array_get_length (locks); i++)
    {
      JsonObject *lock = json_array_get_object_element (locks, i);

      if (g_str_equal (json_object_get_string_member (lock, "address"), text)
          && (json_object_get_int_member (lock, "pid") == 20) == of_other)
        return lock;
    }
  return NULL;
}

static void
test_reference (void)
{
  for (guint round = 0; round < 20; round++)
    {
      LocksFixture fixture = locks_begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      Wait waits[N_WAITS];
      guint n_compared = 0;

      fixture.operation = LOCKS_MUTEX;
      make_waits (waits);
      for (guint i = 0; i < N_WAITS; i++)
        if (waits[i].to < 99 * MS)
          locks_wait (&fixture, waits[i].tid == 20 ? 20 : 10, waits[i].tid, waits[i].from,
                      waits[i].to, waits[i].address, TB_SLEEP_LOCK, waits[i].waker);
        else
          waits[i].to = 0;
      trace = locks_end (&fixture);
      report = analyze (trace);
      for (guint word = 0; word < N_WORDS; word++)
        for (guint of_other = 0; of_other < 2; of_other++)
          {
            Sums sums = sum_up (waits, 0x1000 + 0x100 * word, of_other != 0);

            if (sums.waits == 0)
              continue;
            assert_sums (find_of_process (report, 0x1000 + 0x100 * word, of_other != 0), &sums);
            n_compared++;
          }
      g_assert_cmpuint (n_compared, >, 4);
    }
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/locks/operations", test_operations);
  g_test_add_func ("/locks/joins", test_joins);
  g_test_add_func ("/locks/files", test_files);
  g_test_add_func ("/locks/monitors", test_monitors);
  g_test_add_func ("/locks/parked", test_parked);
  g_test_add_func ("/locks/timed-condition", test_timed_condition);
  g_test_add_func ("/locks/open-wait", test_open_wait);
  g_test_add_func ("/locks/signal-of-peer", test_signal_of_peer);
  g_test_add_func ("/locks/semaphores", test_semaphores);
  g_test_add_func ("/locks/calls", test_calls);
  g_test_add_func ("/locks/reference", test_reference);
  return recording_run_tests ();
}
