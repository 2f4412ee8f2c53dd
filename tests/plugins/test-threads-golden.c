/* test-threads-golden.c: golden test of the sentences of the analysis "threads"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "threads-fixture.h"

#define MS "000000"

/* Waits for five threads, none of which predominates; the end of another wait was not recorded. */
static const char mixed[]
    = "0,0,name,,,,,,,1,,,collector\n0,0,name,,,,,,,11,,,a\n0,0,name,,,,,,,12,,,b\n"
      "0,0,name,,,,,,,13,,,c\n0,0,name,,,,,,,14,,,d\n0,0,name,,,,,,,15,,,e\n"
      "0,0,switch,0,R,1,,,,,,,\n0,1,switch,0,R,11,,,,,,,\n"
      "1" MS ",0,switch,1,S,0,,,,,,,\n3" MS ",1,wakeup,,,,11,1,,,,,\n3" MS
      ",0,switch,0,R,1,,,,,,,\n"
      "3" MS ",1,switch,11,S,12,,,,,,,\n"
      "4" MS ",0,switch,1,S,0,,,,,,,\n6" MS ",1,wakeup,,,,12,1,,,,,\n6" MS
      ",0,switch,0,R,1,,,,,,,\n"
      "6" MS ",1,switch,12,S,13,,,,,,,\n"
      "7" MS ",0,switch,1,S,0,,,,,,,\n9" MS ",1,wakeup,,,,13,1,,,,,\n9" MS
      ",0,switch,0,R,1,,,,,,,\n"
      "9" MS ",1,switch,13,S,14,,,,,,,\n"
      "10" MS ",0,switch,1,S,0,,,,,,,\n12" MS ",1,wakeup,,,,14,1,,,,,\n"
      "12" MS ",0,switch,0,R,1,,,,,,,\n12" MS ",1,switch,14,S,15,,,,,,,\n"
      "13" MS ",0,switch,1,S,0,,,,,,,\n15" MS ",1,wakeup,,,,15,1,,,,,\n"
      "15" MS ",0,switch,0,R,1,,,,,,,\n16" MS ",0,switch,1,S,0,,,,,,,\n"
      "18" MS ",1,switch,15,S,0,,,,,,,\n";

/* Two workers are runnable while hog runs, which then waits for one of them. */
static const char contention[]
    = "0,0,name,,,,,,,1,,,hog\n0,0,name,,,,50,,,51,,,pool/worker\n0,0,name,,,,50,,,52,,,pool/"
      "worker\n"
      "0,0,switch,0,R,51,,,,,,,\n1" MS ",0,switch,51,R,52,,,,,,,\n2" MS ",0,switch,52,R,1,,,,,,,\n"
      "9" MS ",0,switch,1,S,51,,,,,,,\n10" MS ",0,wakeup,,,,51,1,,,,,\n"
      "11" MS ",0,switch,51,S,52,,,,,,,\n12" MS ",0,switch,52,S,1,,,,,,,\n"
      "14" MS ",0,switch,1,S,0,,,,,,,\n";

/* One thread has a CPU to itself; the other one waits most of the time, without a recorded
 * wake-up. */
static const char alone[] = "0,0,name,,,,,,,1,,,busy\n0,0,name,,,,,,,2,,,waiter\n"
                            "0,0,switch,0,R,1,,,,,,,\n0,1,switch,0,R,2,,,,,,,\n"
                            "2" MS ",1,switch,2,S,0,,,,,,,\n8" MS ",1,switch,0,R,2,,,,,,,\n"
                            "9" MS ",1,switch,2,S,0,,,,,,,\n10" MS ",0,switch,1,X,0,,,,,,,\n"
                            "10" MS ",0,exit,,,,,,,1,,,\n";

static const char lost[] = "0,0,name,,,,,,,1,,,one\n0,0,name,,,,,,,2,,,two\n"
                           "0,0,switch,0,R,1,,,,,,,\n0,1,switch,0,R,2,,,,,,,\n"
                           "1" MS ",0,lost,,,,,,,,,1,\n1" MS ",1,lost,,,,,,,,,2,\n"
                           "6" MS ",0,switch,0,R,1,,,,,,,\n7" MS ",1,switch,0,R,2,,,,,,,\n"
                           "8" MS ",0,switch,1,S,0,,,,,,,\n9" MS ",1,switch,2,S,0,,,,,,,\n";

static void
add_file (GString *golden, const char *name)
{
  g_autofree char *path = g_build_filename ("fixtures", "events", name, NULL);
  g_autoptr (TbTrace) trace = story_open_file (path);
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);

  golden_add (golden, name, report);
}

static void
add_text (GString *golden, const char *heading, const char *text)
{
  g_autoptr (TbTrace) trace = story_open_lines ("story", text);
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);

  golden_add (golden, heading, report);
}

/* Times in ms: a task runs, is preempted, runs for 1, waits for another thread, runs for 1 and
 * ends. 100 are recorded. */
static TbTrace *
open_task (int run, int ready, int wait, const char *more)
{
  int preempted = run, back = run + ready, asleep = back + 1, awake = asleep + wait;
  g_autofree char *text
      = g_strdup_printf ("0,0,name,,,,,,,77,,,task\n0,0,name,,,,,,,78,,,rival\n"
                         "0,0,name,,,,,,,79,,,clock\n0,0,name,,,,,,,80,,,%s\n"
                         "0,0,switch,0,R,77,,,,,,,\n0,1,switch,0,R,79,,,,,,,\n"
                         "0,2,switch,0,R,80,,,,,,,\n"
                         "%d" MS ",0,switch,77,R,78,,,,,,,\n%d" MS ",0,switch,78,S,77,,,,,,,\n"
                         "%d" MS ",0,switch,77,S,0,,,,,,,\n%d" MS ",1,wakeup,,,,79,77,,,,,\n"
                         "%d" MS ",0,switch,0,R,77,,,,,,,\n%d" MS ",0,exit,,,,,,,77,,,\n"
                         "%d" MS ",0,switch,77,X,0,,,,,,,\n100" MS ",1,switch,79,S,0,,,,,,,\n"
                         "100" MS ",2,switch,80,S,0,,,,,,,\n",
                         more, preempted, back, asleep, awake, awake, awake + 1, awake + 1);

  return story_open_lines ("story", text);
}

static void
add_comparison (GString *golden, const char *heading, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbReport) report = report_compare ("threads", base, other, NULL, NULL);

  golden_add (golden, heading, report);
}

static void
add_several (GString *golden, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbReport) report = NULL;
  TbFinding *counts;

  for (guint i = 0; i < 2; i++)
    {
      tb_comparison_add (comparison, TB_COMPARISON_BASE, base, "base");
      tb_comparison_add (comparison, TB_COMPARISON_OTHER, other, "other");
    }
  report = report_compare_all ("threads", comparison, NULL);
  golden_add (golden, "compared: two of each", report);
  counts = findings_get (report, "compared-recordings");
  finding_assert_integer (counts, "base_recordings", 2);
  finding_assert_integer (counts, "other_recordings", 2);
  g_assert_cmpint (finding_get_integer (counts, "significant_differences"), ==,
                   findings_count (report, "significant-difference"));
}

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) base = NULL;
  g_autoptr (TbTrace) other = NULL;

  add_file (golden, "pipes.csv");
  add_file (golden, "devices.csv");
  add_file (golden, "uncertain.csv");
  add_text (golden, "mixed", mixed);
  add_text (golden, "contention", contention);
  add_text (golden, "alone", alone);
  add_text (golden, "lost", lost);
  base = open_task (20, 10, 20, "first");
  other = open_task (30, 15, 40, "second");
  add_comparison (golden, "compared: more", base, other);
  add_comparison (golden, "compared: less", other, base);
  add_comparison (golden, "compared: the same", base, base);
  add_several (golden, base, other);
  golden_compare (golden, "threads");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/golden", test_golden);
  return recording_run_tests ();
}
