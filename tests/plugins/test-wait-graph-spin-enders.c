/* test-wait-graph-spin-enders.c: test that spin enders are the threads that ran each time busy
 * waiting ended
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "findings/tb-wait-spin-enders.h"
#include "wait-graph-fixture.h"

#define N_WORLDS test_rounds (100, 20)
#define N_CPUS 4
#define STEPS 60
#define STEP 10 /* µs */

/* Whether the thread of a CPU runs in each step, as recorded. */
typedef struct
{
  gboolean runs[N_CPUS][STEPS];
  TbTrace *trace;
} World;

/* Thread 11 + i belongs to CPU i. */
static void
world_init (World *self)
{
  Story *story = story_new ("A B C D");
  double idle = g_test_rand_double ();

  for (int cpu = 0; cpu < N_CPUS; cpu++)
    {
      for (int i = 0; i < STEPS; i++)
        {
          self->runs[cpu][i] = i == 0 || g_test_rand_double () >= idle;
          if (i == 0)
            story_switch (story, 0, cpu, 0, "R", 11 + cpu);
          else if (self->runs[cpu][i] && !self->runs[cpu][i - 1])
            {
              story_wake (story, i * STEP, cpu, 0, 11 + cpu);
              story_switch (story, i * STEP, cpu, 0, "R", 11 + cpu);
            }
          else if (!self->runs[cpu][i] && self->runs[cpu][i - 1])
            story_switch (story, i * STEP, cpu, 11 + cpu, "S", 0);
        }
      if (self->runs[cpu][STEPS - 1])
        story_switch (story, STEPS * STEP, cpu, 11 + cpu, "S", 0);
    }
  self->trace = story_open (story);
}

static gboolean
contains (const GArray *threads, guint32 thread)
{
  for (guint i = 0; i < threads->len; i++)
    if (g_array_index (threads, guint32, i) == thread)
      return TRUE;
  return FALSE;
}

static void
test_random (void)
{
  for (guint round = 0; round < N_WORLDS; round++)
    {
      World world = { 0 };
      TbWaitSpinEnders enders = { 0 };
      gboolean expected[N_CPUS] = { FALSE, TRUE, TRUE, TRUE };
      int n = g_test_rand_int_range (1, 5);
      guint64 n_checks = 1000;

      world_init (&world);
      for (int end = 0; end < n; end++)
        {
          /* Strictly within steps: an event at the edge belongs to both steps. */
          int first = g_test_rand_int_range (0, STEPS), more = g_test_rand_int_range (0, 4),
              last = MIN (first + more, STEPS - 1);

          for (int cpu = 1; cpu < N_CPUS; cpu++)
            {
              gboolean ran = FALSE;

              for (int i = first; i <= last; i++)
                ran |= world.runs[cpu][i];
              expected[cpu] &= ran;
            }
          g_assert_true (tb_wait_spin_enders_narrow (
              &enders, world.trace, recording_find_thread (world.trace, 11),
              first * STEP * 1000 + 1, last * STEP * 1000 + STEP * 1000 - 1, &n_checks));
        }
      g_assert_cmpuint (enders.n_ends, ==, (guint64) n);
      for (int cpu = 0; cpu < N_CPUS; cpu++)
        g_assert_cmpint (contains (enders.threads, recording_find_thread (world.trace, 11 + cpu)),
                         ==, expected[cpu]);
      tb_wait_spin_enders_clear (&enders);
      g_object_unref (world.trace);
    }
}

/* Without a complete search there is no result. */
static void
test_too_many (void)
{
  World world = { 0 };
  TbWaitSpinEnders enders = { 0 };
  guint64 n_checks = 7;

  world_init (&world);
  g_assert_true (tb_wait_spin_enders_narrow (&enders, world.trace, 1, 0, STEP, &n_checks));
  n_checks = 0;
  g_assert_cmpuint (enders.threads->len, >, 0);
  g_assert_false (tb_wait_spin_enders_narrow (&enders, world.trace, 1, 0, STEP, &n_checks));
  g_assert_null (enders.threads);
  g_object_unref (world.trace);
}

/* A waits busily three times; each time another thread runs when the wait ends. */
static JsonObject *
propose (const char *runners, TbReport **report)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_enter (story, 10, 0, 11, "write");
  story_add (story, 20, "0,sys_exit,,,,,,,11,,0,write,,,");
  for (int i = 0; i < 3; i++)
    {
      int begin = 1000 + i * 3000;

      for (int j = 0; j < 12; j++)
        story_sample (story, begin + j * 100, 0, 11, "main@app;spin@app");
      for (int j = 0; j < 2; j++)
        if (runners[2 * i + j] != '.')
          {
            int cpu = runners[2 * i + j] - 'A', tid = 11 + cpu;

            story_wake (story, begin + 1110, cpu, 0, tid);
            story_switch (story, begin + 1120, cpu, 0, "R", tid);
            story_switch (story, begin + 1180, cpu, tid, "S", 0);
          }
      story_sample (story, begin + 1200, 0, 11, "main@app;work@app");
    }
  story_switch (story, 20000, 0, 11, "R", 11);
  trace = story_open (story);
  *report = wait_graph_analyze (trace, "merge-similar", "no", NULL);
  return wait_graph_get_summary (*report);
}

/* If no single thread can have ended every busy wait, it may also be work. It is not proposed, so
 * that "all" does not turn it into waiting. */
static void
test_proposed (void)
{
  static const struct
  {
    const char *runners; /* two letters for each time */
    const char *ended;
    const char *by;
  } cases[] = {
    { "B.B.B.", "one", "B" },   { "C.C.C.", "one", "C" },   { "BCB.BC", "one", "B" },
    { "BCBCBC", "none", NULL }, { "B.C.B.", "none", NULL }, { "......", "none", NULL },
    { "B.B...", "none", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbReport) report = NULL;
      g_autofree char *waker = NULL;
      TbFinding *finding;
      JsonObject *summary = propose (cases[i].runners, &report), *proposal;

      g_test_message ("%s", cases[i].runners);
      g_assert_cmpuint (summary_count (summary, "proposals"), ==,
                        !g_str_equal (cases[i].ended, "none"));
      if (g_str_equal (cases[i].ended, "none"))
        continue;
      proposal = summary_get_element (summary, "proposals", 0);
      g_assert_cmpstr (json_object_get_string_member (proposal, "ended_by"), ==, cases[i].ended);
      g_assert_cmpint (json_object_get_int_member (proposal, "count"), ==, 3);
      finding = findings_get (report, "busy-wait-candidate");
      finding_assert_integer (finding, "count", 3);
      waker = g_strdup_printf ("%s (%d)", cases[i].by, 11 + *cases[i].by - 'A');
      finding_assert_string (finding, "waker", waker);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/enders/random", test_random);
  g_test_add_func ("/wait-graph/enders/too-many", test_too_many);
  g_test_add_func ("/wait-graph/enders/proposed", test_proposed);
  return recording_run_tests ();
}
