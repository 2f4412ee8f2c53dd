/* test-calling-contexts-golden.c: golden test of the sentences of the analysis "calling-contexts"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-fixture.h"

#define SWITCH(time, rest) LINE (time, "switch", rest)

static const char base_lines[] = STACK (0, "mark", "main;parse@app;copy@libc")
    STACK (100, "mark", "main;draw@app") STACK (400, "mark", "main;old@plug")
        STACK (450, "mark", "main;draw@app") STACK (500, "mark", "main");
static const char other_lines[]
    = STACK (0, "mark", "main;parse@app;copy@libc") STACK (900, "mark", "main;draw@app")
        STACK (1200, "mark", "main;new@plug") STACK (1300, "mark", "main");

/* estimate: NULL for the default one. */
static void
add_text (GString *golden, const char *name, const char *lines, const char *estimate)
{
  g_autoptr (TbTrace) trace = story_open_lines (name, lines);
  g_autoptr (TbReport) report
      = contexts_analyze (trace, estimate != NULL ? "estimate" : NULL, estimate, NULL);

  golden_add (golden, name, report);
}

static void
add_file (GString *golden, const char *name)
{
  g_autofree char *path = g_build_filename ("plugins", name, NULL);
  g_autoptr (TbTrace) trace = story_open_file (path);
  g_autoptr (TbReport) report = contexts_analyze (trace, "estimate", "aggressive", NULL);

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
          = g_strconcat (SWITCH (0, "0,R,11,,,,,,,,,,") STACK (100, "mark", "a"), states[i].between,
                         STACK (900, "mark", "a") SWITCH (1000, "11,S,0,,,,,,,,,,"), NULL);

      add_text (golden, states[i].name, lines, NULL);
    }
}

/* Samples without switches. */
static void
add_samples (GString *golden)
{
  add_text (golden, "samples",
            STACK (100, "sample", "main;parse@app") STACK (200, "sample", "main;parse@app")
                STACK (300, "sample", "main;draw@app") STACK (9000, "sample", "main"),
            NULL);
}

/* Enough stacks to estimate the number of contexts not recorded: some contexts occur once. */
static void
add_coverage (GString *golden)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (lines, "%u,0,mark,,,,,,,11,,,x,main;work_%u@app,,\n", i * 100,
                            i % 10 == 0 ? i : 1);
  add_text (golden, "coverage", lines->str, "aggressive");
}

static void
add_several (GString *golden)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbReport) report = NULL;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("run-%u", i);
      g_autoptr (TbTrace) trace = story_open_lines (name, i < 2 ? base_lines : other_lines);

      tb_comparison_add (comparison, i < 2 ? TB_COMPARISON_BASE : TB_COMPARISON_OTHER, trace, name);
    }
  report = report_compare_all ("calling-contexts", comparison, "estimate", "aggressive", NULL);
  golden_add (golden, "compared: two of each", report);
}

/* A comparison with a named base. */
static void
add_named (GString *golden, TbTrace *base, TbTrace *other)
{
  g_autoptr (TbComparison) comparison = tb_comparison_new ();
  g_autoptr (TbReport) report = NULL;

  tb_comparison_add (comparison, TB_COMPARISON_BASE, base, "before");
  tb_comparison_add (comparison, TB_COMPARISON_OTHER, other, "after");
  report = report_compare_all ("calling-contexts", comparison, "estimate", "aggressive", NULL);
  golden_add (golden, "compared: named", report);
}

static void
add_comparisons (GString *golden)
{
  g_autoptr (TbTrace) base = story_open_lines ("base", base_lines);
  g_autoptr (TbTrace) other = story_open_lines ("other", other_lines);
  g_autoptr (TbReport) differs = contexts_compare (base, other, "estimate", "aggressive", NULL);
  g_autoptr (TbReport) same = contexts_compare (base, base, "estimate", "aggressive", NULL);

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
  add_text (golden, "several modules", other_lines, "aggressive");
  add_states (golden);
  add_coverage (golden);
  add_samples (golden);
  add_text (golden, "no stacks", SWITCH (0, "0,R,11,,,,,,,,,,") SWITCH (100, "11,S,0,,,,,,,,,,"),
            NULL);
  add_text (golden, "one stack", STACK (100, "mark", "main;work"), NULL);
  add_comparisons (golden);
  golden_compare (golden, "calling-contexts");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/golden", test_golden);
  return recording_run_tests ();
}
