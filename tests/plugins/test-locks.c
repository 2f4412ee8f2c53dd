/* test-locks.c: test of the analysis "locks" on a small recording with known results
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "locks-fixture.h"
#include "report-reader.h"
#include "story.h"

#define MS LOCKS_MS

/* Three threads of one name wait in line after 10. Another process has a lock at the same address.
 * Two processes share a lock. */
static TbTrace *
record (void)
{
  LocksFixture builder = locks_begin ();

  builder.operation = LOCKS_MUTEX;
  locks_wait (&builder, 10, 11, 10 * MS, 50 * MS, 0x5500, TB_SLEEP_LOCK, 10);
  locks_wait (&builder, 10, 12, 20 * MS, 60 * MS, 0x5500, TB_SLEEP_LOCK, 11);
  locks_wait (&builder, 10, 13, 30 * MS, 45 * MS, 0x5500, TB_SLEEP_LOCK, 0);
  locks_wait (&builder, 20, 20, 30 * MS, 35 * MS, 0x5500, TB_SLEEP_LOCK, 10);
  locks_wait (&builder, 10, 11, 80 * MS, 82 * MS, 0x7000, TB_SLEEP_SHARED_LOCK, 20);
  locks_wait (&builder, 20, 20, 84 * MS, 87 * MS, 0x9000, TB_SLEEP_SHARED_LOCK, 11);
  return locks_end (&builder);
}

static TbReport *
analyze (TbTrace *trace, const char *option, const char *value, gint64 from, gint64 to)
{
  g_autoptr (TbSelection) selection = tb_selection_new (trace);

  tb_selection_set_range (selection, from, to);
  return report_run ("locks", trace, selection, option, value, NULL);
}

static JsonArray *
get_locks (TbReport *report)
{
  return json_object_get_array_member (report_get_summary (report), "locks");
}

static void
test_summary (void)
{
  g_autoptr (TbTrace) trace = record ();
  g_autoptr (TbReport) report = analyze (trace, NULL, NULL, 0, 100 * MS);
  JsonArray *locks = get_locks (report);
  JsonObject *lock;

  g_assert_cmpuint (json_array_get_length (locks), ==, 3);
  lock = json_array_get_object_element (locks, 0);
  g_assert_cmpstr (json_object_get_string_member (lock, "name"), ==, "heap 0x5500");
  g_assert_cmpstr (json_object_get_string_member (lock, "address"), ==, "0x5500");
  g_assert_cmpstr (json_object_get_string_member (lock, "process"), ==, "owner");
  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (lock, "wait_ns"), ==, 95 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "longest_ns"), ==, 40 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "contended_ns"), ==, 50 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "most_waiting"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (lock, "timed_out"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (lock, "ended_by_unknown"), ==, 0);
  summary_assert_strings (lock, "waiters", "worker");
  summary_assert_strings (lock, "holders", "owner worker");
  lock = json_array_get_object_element (locks, 1);
  g_assert_cmpstr (json_object_get_string_member (lock, "process"), ==, "other");
  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (lock, "wait_ns"), ==, 5 * MS);
  lock = json_array_get_object_element (locks, 2);
  g_assert_cmpstr (json_object_get_string_member (lock, "name"), ==, "/dev/shm/ring+0x40");
  g_assert_true (json_object_get_null_member (lock, "process"));
  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, 2);
  summary_assert_strings (lock, "waiters", "other worker");
}

/* A wait counts as far as it is in the range. A thread that ends a wait after the range has not yet
 * released anything. */
static void
test_range (void)
{
  g_autoptr (TbTrace) trace = record ();
  g_autoptr (TbReport) report = analyze (trace, NULL, NULL, 32 * MS, 40 * MS);
  JsonArray *locks = get_locks (report);
  JsonObject *lock = json_array_get_object_element (locks, 0);

  g_assert_cmpuint (json_array_get_length (locks), ==, 2);
  g_assert_cmpint (json_object_get_int_member (lock, "waits"), ==, 3);
  g_assert_cmpint (json_object_get_int_member (lock, "wait_ns"), ==, 24 * MS);
  g_assert_cmpint (json_object_get_int_member (lock, "contended_ns"), ==, 8 * MS);
  g_assert_true (json_object_get_null_member (lock, "holders"));
}

static void
test_options (void)
{
  g_autoptr (TbTrace) trace = record ();
  g_autoptr (TbReport) top = analyze (trace, "top", "1", 0, 100 * MS);
  g_autoptr (TbReport) longer = analyze (trace, "min-wait", "4ms", 0, 100 * MS);
  g_autoptr (TbReport) process = analyze (trace, "process", "other", 0, 100 * MS);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (json_array_get_length (get_locks (top)), ==, 1);
  g_assert_cmpuint (tb_report_get_n_findings (top), ==, 1);
  g_assert_cmpuint (json_array_get_length (get_locks (longer)), ==, 2);
  g_assert_cmpuint (json_array_get_length (get_locks (process)), ==, 2);
  summary_assert_strings (json_array_get_object_element (get_locks (process), 0), "waiters",
                          "other");
  g_assert_null (report_try ("locks", trace, NULL, &error, "process", "absent", NULL));
  g_assert_nonnull (error);
}

static void
assert_contention (TbFinding *finding)
{
  g_autofree char *waiters = finding_join_strings (finding, "waiters");
  g_autofree char *holders = finding_join_strings (finding, "holders");

  g_assert_cmpstr (tb_finding_get_code (finding), ==, "lock-contention");
  g_assert_cmpstr (waiters, ==, "worker,worker,worker");
  finding_assert_integer (finding, "waiter_threads", 3);
  finding_assert_integer (finding, "wait_ns", 95 * MS);
  finding_assert_string (finding, "lock", "heap 0x5500");
  finding_assert_string (finding, "process", "owner");
  finding_assert_integer (finding, "pid", 10);
  finding_assert_number (finding, "contended_share", 0.5);
  finding_assert_integer (finding, "most_waiting", 3);
  finding_assert_integer (finding, "longest_ns", 40 * MS);
  finding_assert_integer (finding, "uncertain_waits", 0);
  g_assert_cmpstr (holders, ==, "owner,worker");
  finding_assert_string (finding, "holder_thread", "owner");
  /* The lock passes from thread to thread: none of them ended more than half of the waits. */
  g_assert_cmpfloat (finding_get_number (finding, "holder_share"), <=, 0.5);
}

/* Sentences name threads and times, and refer to the longest wait. The report survives conversion
 * to JSON and back. */
static void
test_report (void)
{
  g_autoptr (TbTrace) trace = record ();
  g_autoptr (TbReport) report = analyze (trace, NULL, NULL, 0, 100 * MS);
  TbFinding *finding = tb_report_get_finding (report, 0);
  TbFigure *histogram = tb_report_find_figure (report, "wait-lengths");
  TbFigure *table = tb_report_find_figure (report, "locks");
  g_autoptr (JsonNode) node = tb_report_to_json (report);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) again = tb_report_from_json (node, &error);
  g_autofree char *text = tb_report_to_text (report, 120);
  guint64 counted = 0;
  gint64 from, to;
  guint n_threads;

  g_assert_no_error (error);
  g_assert_cmpuint (tb_report_get_n_figures (again), ==, 2);
  g_assert_cmpstr (tb_report_get_headline (report), ==,
                   "Threads waited 105 ms for 3 locks, 6 times.");
  assert_contention (finding);
  g_assert_cmpint (tb_finding_get_severity (finding), ==, TB_SEVERITY_HIGH);
  g_assert_true (tb_finding_get_range (finding, &from, &to));
  g_assert_cmpint (from, ==, 10 * MS);
  g_assert_cmpint (to, ==, 50 * MS);
  tb_finding_get_threads (finding, &n_threads);
  g_assert_cmpuint (n_threads, ==, 2);
  g_assert_cmpuint (tb_table_figure_get_n_rows (TB_TABLE_FIGURE (table)), ==, 3);
  for (guint bin = 0; bin < tb_histogram_figure_get_n_bins (TB_HISTOGRAM_FIGURE (histogram)); bin++)
    for (guint series = 0; series < 3; series++)
      {
        const TbHistogramBin *range
            = tb_histogram_figure_get_bin (TB_HISTOGRAM_FIGURE (histogram), bin);
        guint64 count
            = tb_histogram_figure_get_count (TB_HISTOGRAM_FIGURE (histogram), series, bin);
        guint64 total
            = tb_histogram_figure_get_total (TB_HISTOGRAM_FIGURE (histogram), series, bin);

        counted += count;
        g_assert_cmpuint (total, >=, count * (guint64) range->from);
        g_assert_true (count == 0 || total < count * (guint64) range->to);
      }
  g_assert_cmpuint (counted, ==, 6);
  g_assert_nonnull (strstr (text, "/dev/shm/ring+0x40"));
}

/* If the objects of sleeps were not recorded, the report must not state that no thread waited for a
 * lock. */
static void
test_unknown (void)
{
  TbRecorder *recorder = recording_new ("unknown");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  recording_switch (recorder, 10, 0, 0, 'R', 10);
  recording_switch (recorder, 20, 0, 10, 'S', 0);
  trace = recording_open (recorder);
  report = analyze (trace, NULL, NULL, 0, 30);
  g_assert_nonnull (strstr (tb_report_get_headline (report), "was not recorded"));
  g_assert_cmpuint (json_array_get_length (get_locks (report)), ==, 0);
}

/* --- golden text of the sentences --- */

/* A condition, thread joins, a lock with an unknown holder, a file, a word whose use is not known,
 * a wait until a timeout, two locks in one function, a semaphore, and a lock about which nothing
 * else is known. */
static TbTrace *
record_uses (void)
{
  LocksFixture builder = locks_begin ();

  builder.stack = locks_make_stack (&builder, "pthread_cond_wait");
  locks_wait (&builder, 10, 11, 10 * MS, 20 * MS, 0x5500, TB_SLEEP_LOCK, 10);
  locks_wait (&builder, 10, 12, 12 * MS, 25 * MS, 0x5500, TB_SLEEP_LOCK, 20);
  builder.stack = locks_make_stack (&builder, "pthread_join");
  locks_wait (&builder, 10, 11, 30 * MS, 40 * MS, 0x6600, TB_SLEEP_LOCK, 12);
  builder.stack = locks_make_stack (&builder, "pthread_mutex_lock");
  locks_wait (&builder, 10, 12, 42 * MS, 50 * MS, 0x7700, TB_SLEEP_LOCK, 0);
  locks_wait (&builder, 10, 13, 52 * MS, 60 * MS, 0x8800, TB_SLEEP_LOCK, 11);
  recording_switch (builder.recorder, 69 * MS, 5, 0, 'R', 13);
  recording_switch_with_stack (builder.recorder, 70 * MS, 5, 13, 'S', 0,
                               locks_make_stack (&builder, "futex_wait"));
  recording_switch (builder.recorder, 80 * MS, 5, 0, 'R', 13);
  builder.stack = 0;
  locks_wait (&builder, 10, 11, 82 * MS, 88 * MS, 0, TB_SLEEP_FILE_LOCK, 20);
  locks_wait (&builder, 10, 12, 82 * MS, 86 * MS, 0x9900, TB_SLEEP_LOCK, 20);
  builder.operation = LOCKS_CONDITION;
  locks_wait (&builder, 20, 20, 90 * MS, 95 * MS, 0xaa00, TB_SLEEP_LOCK, 0);
  locks_wait (&builder, 10, 11, 92 * MS, 96 * MS, 3, TB_SLEEP_SEMAPHORE, 12);
  locks_wait (&builder, 10, 12, 93 * MS, 97 * MS, 3, TB_SLEEP_SEMAPHORE, 11);
  return locks_end (&builder);
}

/* Events were lost during the wait: its end is unknown. */
static TbTrace *
record_lost (void)
{
  LocksFixture builder = locks_begin ();
  TbEvent event = { .time = 15 * MS, .kind = TB_EVENT_LOST, .cpu = 11 % 8, .a = 5, .b = 14 * MS };

  locks_wait (&builder, 10, 11, 10 * MS, 50 * MS, 0x5500, TB_SLEEP_LOCK, 10);
  tb_recorder_add (builder.recorder, &event);
  return locks_end (&builder);
}

static void
add_report (GString *golden, const char *heading, TbTrace *trace)
{
  g_autoptr (TbReport) report = analyze (trace, NULL, NULL, 0, 100 * MS);

  golden_add (golden, heading, report);
}

static void
add_comparison (GString *golden, const char *heading, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbReport) report = report_compare ("locks", base, other, NULL, NULL);

  golden_add (golden, heading, report);
}

/* Values that are times have names with the suffix "_ns"; numbers of waits do not. */
static void
add_several (GString *golden, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;
  guint n_checked = 0;

  for (guint i = 0; i < 2; i++)
    {
      tb_comparison_add (comparison, TB_COMPARISON_BASE, base, "base");
      tb_comparison_add (comparison, TB_COMPARISON_OTHER, other, "other");
    }
  report = report_compare_all ("locks", comparison, NULL);
  golden_add (golden, "compared: two of each", report);
  for (guint i = 0; i < tb_report_get_n_findings (report); i++)
    {
      finding = tb_report_get_finding (report, i);
      if (g_strcmp0 (tb_finding_get_code (finding), "significant-difference") != 0
          || !g_str_equal (finding_get_string (finding, "id"), "owner/heap 0x5500"))
        continue;
      n_checked++;
      if (g_str_equal (finding_get_string (finding, "measure"), "waits"))
        {
          finding_assert_number (finding, "base", 1);
          finding_assert_number (finding, "other", 3);
          finding_assert_number (finding, "delta", 2);
        }
      else
        {
          finding_assert_integer (finding, "base_ns", 4 * MS);
          finding_assert_integer (finding, "other_ns", 95 * MS);
          finding_assert_integer (finding, "delta_ns", 91 * MS);
        }
    }
  g_assert_cmpuint (n_checked, ==, 2);
}

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) plain = record ();
  g_autoptr (TbTrace) uses = record_uses ();
  g_autoptr (TbTrace) lost = record_lost ();
  g_autoptr (TbReport) part = analyze (plain, NULL, NULL, 32 * MS, 40 * MS);

  add_report (golden, "locks", plain);
  golden_add (golden, "a part of the time", part);
  add_report (golden, "uses", uses);
  add_report (golden, "lost", lost);
  add_comparison (golden, "compared: more", lost, plain);
  add_comparison (golden, "compared: less", plain, lost);
  add_comparison (golden, "compared: the same", plain, plain);
  add_several (golden, lost, plain);
  golden_compare (golden, "locks");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/locks/summary", test_summary);
  g_test_add_func ("/locks/range", test_range);
  g_test_add_func ("/locks/options", test_options);
  g_test_add_func ("/locks/report", test_report);
  g_test_add_func ("/locks/unknown", test_unknown);
  g_test_add_func ("/locks/golden", test_golden);
  return recording_run_tests ();
}
