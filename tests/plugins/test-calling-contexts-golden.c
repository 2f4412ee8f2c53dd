/* test-calling-contexts-golden.c: golden test of the sentences of the analysis "calling-contexts"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-fixture.h"
#include "finding-checks.h"

#define SWITCH(time, rest) LINE (time, "switch", rest)

static const char base_lines[] = STACK (0, "sample", "main;parse@app;copy@libc")
    STACK (100, "sample", "main;draw@app") STACK (400, "sample", "main;old@plug")
        STACK (450, "sample", "main;draw@app") STACK (500, "sample", "main");
static const char other_lines[]
    = STACK (0, "sample", "main;parse@app;copy@libc") STACK (900, "sample", "main;draw@app")
        STACK (1200, "sample", "main;new@plug") STACK (1300, "sample", "main");

static void
add_text (GString *golden, const char *name, const char *lines, const char *options)
{
  g_autoptr (TbTrace) trace = open_text (name, lines);
  g_autoptr (TbReport) report = analyze (trace, options);

  golden_add (golden, name, report);
}

static void
add_file (GString *golden, const char *name)
{
  g_autoptr (TbTrace) trace = open_file (name);
  g_autoptr (TbReport) report = analyze (trace, "estimate=aggressive");

  golden_add (golden, name, report);
}

/* States of the thread during the longest call. */
static void
add_states (GString *golden)
{
  static const struct
  {
    const char *name;
    const char *between;
  } states[] = {
    { "running", "" },
    { "preempted", SWITCH (200, "11,R,0,,,,,,,,,,") SWITCH (800, "0,R,11,,,,,,,,,,") },
    { "waiting", SWITCH (200, "11,S,0,,,,,,,,a;poll,,") LINE (790, "wakeup", ",,,0,11,,,,,,,,")
                     SWITCH (800, "0,R,11,,,,,,,,,,") },
    { "runnable", SWITCH (200, "11,S,0,,,,,,,,a,,") LINE (210, "wakeup", ",,,0,11,,,,,,,,")
                      SWITCH (800, "0,R,11,,,,,,,,,,") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      g_autofree char *lines
          = g_strconcat (SWITCH (0, "0,R,11,,,,,,,,,,") STACK (100, "sample", "a"),
                         states[i].between,
                         STACK (900, "sample", "a") SWITCH (1000, "11,S,0,,,,,,,,,,"), NULL);

      add_text (golden, states[i].name, lines, "");
    }
}

/* Enough stacks to estimate the number of contexts not recorded: some contexts occur once. */
static void
add_coverage (GString *golden)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (lines, "%u,0,sample,,,,,,,11,,,,main;work_%u@app,,\n", i * 100,
                            i % 10 == 0 ? i : 1);
  add_text (golden, "coverage", lines->str, "estimate=aggressive");
}

static void
add_several (GString *golden)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbAnalysis) analysis = create_analysis ("estimate=aggressive");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("run-%u", i);
      g_autoptr (TbTrace) trace = open_text (name, i < 2 ? base_lines : other_lines);

      tb_comparison_add (comparison, i < 2 ? TB_COMPARISON_BASE : TB_COMPARISON_OTHER, trace, name);
    }
  report = tb_analysis_compare_all (analysis, comparison, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  golden_add (golden, "compared: two of each", report);
}

/* A comparison with a named base. */
static void
add_named (GString *golden, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbAnalysis) analysis = create_analysis ("estimate=aggressive");
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = NULL;

  tb_comparison_add (comparison, TB_COMPARISON_BASE, base, "before");
  tb_comparison_add (comparison, TB_COMPARISON_OTHER, other, "after");
  report = tb_analysis_compare_all (analysis, comparison, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  findings_assert_codes (report);
  golden_add (golden, "compared: named", report);
}

static void
add_comparisons (GString *golden)
{
  g_autoptr (TbTrace) base = open_text ("base", base_lines);
  g_autoptr (TbTrace) other = open_text ("other", other_lines);
  g_autoptr (TbReport) differs = compare (base, other, "estimate=aggressive");
  g_autoptr (TbReport) same = compare (base, base, "estimate=aggressive");

  golden_add (golden, "compared", differs);
  add_named (golden, base, other);
  golden_add (golden, "compared: the same", same);
  add_several (golden);
}

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);

  add_file (golden, "calling-contexts-figure-3.csv");
  add_file (golden, "calling-contexts-figure-4.csv");
  add_text (golden, "several modules", other_lines, "estimate=aggressive");
  add_states (golden);
  add_coverage (golden);
  add_text (golden, "no stacks", SWITCH (0, "0,R,11,,,,,,,,,,") SWITCH (100, "11,S,0,,,,,,,,,,"),
            "");
  add_text (golden, "one stack", STACK (100, "sample", "main;work"), "");
  add_comparisons (golden);
  golden_compare (golden, "calling-contexts");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/golden", test_golden);
  return run_tests ();
}
