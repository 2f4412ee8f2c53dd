/* test-latency-peaks-interrupts.c: test of random calls with nested interrupts of several sources
 * against plain sums
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "latency-peaks-fixture.h"

#define ROUNDS test_rounds (30, 8)
#define CALLS 60
#define N_SOURCES 5
/* Contributors to a function's latency: itself, its callee, each interrupt source, preemption. */
#define SELF 0
#define CALLEE 1
#define FIRST_SOURCE 2
#define PREEMPTED (FIRST_SOURCE + N_SOURCES)
#define N_CONTRIBUTORS (PREEMPTED + 1)

static const struct
{
  const char *event;
  guint number;
  const char *device;
  const char *words;
  const char *kind;
  const char *name; /* NULL: unknown */
} sources[N_SOURCES] = {
  { "irq", 24, "vda", "interrupt 24 (vda)", "hard", "vda" },
  { "irq", 31, "vda", "interrupt 31 (vda)", "hard", "vda" },
  { "irq", 40, "eth0", "interrupt 40 (eth0)", "hard", "eth0" },
  { "irq", 236, "timer", "timer interrupt", "timer", "timer" },
  { "softirq", 3, "", "softirq 3 (NET_RX)", "soft", "NET_RX" },
};

/* Contributions to one function in one call of f0. */
typedef struct
{
  gint64 ns[N_CONTRIBUTORS];
} Parts;

/* Sums over all calls. */
typedef struct
{
  guint counters[2][N_CONTRIBUTORS]; /* of f0 and of its callee */
  guint came[N_SOURCES];             /* calls that the source interrupted */
  gint64 ns[N_SOURCES];
  gint64 part_ns[2][N_CONTRIBUTORS];
  double percentage;
} Truth;

typedef struct
{
  Story *story;
  int time;
  Parts now[2]; /* f0, its callee */
  gboolean in_callee;
  gint64 undisturbed; /* time run since the innermost call began */
} CallBuilder;

static void
add_handler (CallBuilder *self, guint source, const char *edge, int time)
{
  story_add (self->story, time, "0,%s_%s,,,,,,%u,,%s,,,,,", sources[source].event, edge,
             sources[source].number, sources[source].device);
}

static void
disturb (CallBuilder *self, guint part, gint64 us)
{
  self->now[0].ns[part] += us * 1000;
  if (self->in_callee)
    self->now[1].ns[part] += us * 1000;
}

static int
draw_length (void)
{
  return g_test_rand_int_range (1, 1 << g_test_rand_int_range (1, 9));
}

/* An interrupt handler, which another handler may interrupt, and that one a third. */
static void
add_interrupt (CallBuilder *self)
{
  guint depth = (guint) g_test_rand_int_range (1, 4),
        first = (guint) g_test_rand_int_range (0, N_SOURCES);

  for (guint i = 0; i < depth; i++)
    {
      int before = draw_length ();

      add_handler (self, (first + i) % N_SOURCES, "entry", self->time);
      self->time += before;
      disturb (self, FIRST_SOURCE + (first + i) % N_SOURCES, before);
    }
  for (guint i = depth; i > 0; i--)
    {
      int after = i == depth ? 0 : draw_length ();

      self->time += after;
      disturb (self, FIRST_SOURCE + (first + i - 1) % N_SOURCES, after);
      add_handler (self, (first + i - 1) % N_SOURCES, "exit", self->time);
    }
}

static void
add_part (CallBuilder *self)
{
  int length = draw_length ();

  switch (g_test_rand_int_range (0, 4))
    {
    case 0:
      story_switch (self->story, self->time, 0, 11, "R", 12);
      self->time += length;
      story_switch (self->story, self->time, 0, 12, "R", 11);
      disturb (self, PREEMPTED, length);
      break;
    case 1:
      self->time += length;
      self->undisturbed += length;
      break;
    default:
      add_interrupt (self);
    }
  self->time++;
  self->undisturbed++;
}

static void
add_parts (CallBuilder *self)
{
  for (int n = g_test_rand_int_range (0, 3); n > 0; n--)
    add_part (self);
}

/* f0 calls another function at times. The longest of these calls is the callee's time, the rest is
 * f0's own. */
static void
add_call (CallBuilder *self)
{
  gint64 own = 0, longest = 0, callees = 0;

  memset (self->now, 0, sizeof self->now);
  story_call (self->story, self->time, 0, 11, "outer");
  for (int calls = g_test_rand_int_range (0, 3); calls >= 0; calls--)
    {
      self->undisturbed = 0;
      add_parts (self);
      self->time++;
      own += self->undisturbed + 1;
      if (calls == 0)
        break;
      self->undisturbed = 0;
      self->in_callee = TRUE;
      story_call (self->story, self->time, 0, 11, "inner");
      add_parts (self);
      self->time++;
      story_return (self->story, self->time, 0, 11, "inner");
      self->in_callee = FALSE;
      callees += self->undisturbed + 1;
      longest = MAX (longest, self->undisturbed + 1);
    }
  story_return (self->story, self->time, 0, 11, "outer");
  self->now[0].ns[SELF] = (own + callees - longest) * 1000;
  self->now[0].ns[CALLEE] = self->now[1].ns[SELF] = longest * 1000;
  self->time += 5;
}

static guint
get_bin (gint64 ns)
{
  guint bin = 0;

  for (; ns >= 2; ns /= 2)
    bin++;
  return bin;
}

/* The paper's rule: every contributor in the bin of the largest one has its counter raised. */
static void
count (const CallBuilder *builder, Truth *truth)
{
  for (guint level = 0; level < 2; level++)
    {
      const gint64 *ns = builder->now[level].ns;
      gint64 largest = 0;

      for (guint i = 0; i < N_CONTRIBUTORS; i++)
        largest = MAX (largest, ns[i]);
      for (guint i = 0; i < N_CONTRIBUTORS; i++)
        {
          truth->counters[level][i] += ns[i] > 0 && get_bin (ns[i]) == get_bin (largest);
          truth->part_ns[level][i] += ns[i];
        }
    }
  for (guint i = 0; i < N_SOURCES; i++)
    {
      truth->came[i] += builder->now[0].ns[FIRST_SOURCE + i] > 0;
      truth->ns[i] += builder->now[0].ns[FIRST_SOURCE + i];
    }
}

static gboolean
is_root_cause (const Truth *truth, guint level, guint part)
{
  guint highest = 0;

  if (level == 1 && !is_root_cause (truth, 0, CALLEE))
    return FALSE;
  for (guint i = 0; i < N_CONTRIBUTORS; i++)
    highest = MAX (highest, truth->counters[level][i]);
  return truth->counters[level][part] > 0
         && truth->counters[level][part] >= truth->percentage * highest;
}

/* A root cause is reported if it has a third of the time of all calls. */
static gboolean
is_reported (const Truth *truth, guint level, guint part)
{
  gint64 total = 0;

  for (guint i = 0; i < N_CONTRIBUTORS; i++)
    total += truth->part_ns[0][i];
  return is_root_cause (truth, level, part)
         && (double) truth->part_ns[level][part] >= 0.333 * (double) total;
}

static JsonObject *
find_cause (JsonObject *peak, const char *path, const char *detail, const char *kind)
{
  for (guint i = 0; i < summary_count (peak, "root_causes"); i++)
    {
      JsonObject *cause = summary_get_element (peak, "root_causes", i);
      const char *of = json_object_get_null_member (cause, "detail")
                           ? NULL
                           : json_object_get_string_member (cause, "detail");

      if (summary_count (cause, "path") == (g_str_equal (path, "") ? 1 : 2)
          && g_strcmp0 (of, detail) == 0
          && g_str_equal (json_object_get_string_member (cause, "kind"), kind))
        return cause;
    }
  return NULL;
}

static void
compare_causes (JsonObject *peak, const Truth *truth)
{
  guint n = 0;

  for (guint level = 0; level < 2; level++)
    {
      const char *path = level == 0 ? "" : "inner";

      for (guint i = 0; i < N_SOURCES; i++)
        {
          gboolean is_cause = is_reported (truth, level, FIRST_SOURCE + i);

          g_assert_true (is_cause
                         == (find_cause (peak, path, sources[i].words, "interrupt") != NULL));
          n += is_cause != FALSE;
        }
      g_assert_true (is_reported (truth, level, PREEMPTED)
                     == (find_cause (peak, path, "preempted", "preemption") != NULL));
      n += is_reported (truth, level, PREEMPTED) + is_reported (truth, level, SELF);
    }
  g_assert_cmpuint (summary_count (peak, "root_causes"), ==, n);
}

static JsonObject *
find_interrupt (JsonObject *parts, guint source)
{
  for (guint i = 0; i < summary_count (parts, "interrupts"); i++)
    {
      JsonObject *interrupt = summary_get_element (parts, "interrupts", i);

      if (json_object_get_int_member (interrupt, "number") == sources[source].number)
        return interrupt;
    }
  return NULL;
}

static void
compare_interrupts (JsonObject *peak, const Truth *truth)
{
  JsonObject *parts = json_object_get_object_member (peak, "parts");
  guint n = 0;

  for (guint i = 0; i < N_SOURCES; i++)
    {
      JsonObject *interrupt = find_interrupt (parts, i);

      g_assert_true ((interrupt != NULL) == (truth->came[i] > 0));
      if (interrupt == NULL)
        continue;
      n++;
      g_assert_cmpint (json_object_get_int_member (interrupt, "calls"), ==, truth->came[i]);
      g_assert_cmpint (json_object_get_int_member (interrupt, "total_ns"), ==, truth->ns[i]);
      g_assert_cmpint (json_object_get_int_member (interrupt, "maxcount"), ==,
                       truth->counters[0][FIRST_SOURCE + i]);
      g_assert_cmpstr (json_object_get_string_member (interrupt, "kind"), ==, sources[i].kind);
      g_assert_cmpstr (json_object_get_string_member (interrupt, "name"), ==, sources[i].name);
    }
  g_assert_cmpuint (summary_count (parts, "interrupts"), ==, n);
}

static TbReport *
analyze (TbTrace *trace, const char *percentage)
{
  return report_run ("latency-peaks", trace, NULL, "operation", "function:outer", "from-bin", "0",
                     "root-cause-threshold", percentage, NULL);
}

static void
test_random (void)
{
  /* 1: only contributors equal to the highest. */
  static const char *const percentages[] = { "0", "0.3", "0.8", "1" };

  for (guint round = 0; round < ROUNDS; round++)
    {
      CallBuilder builder = { .story = story_new ("reader other"), .time = 100 };
      const char *percentage = percentages[round % G_N_ELEMENTS (percentages)];
      Truth truth = { .percentage = g_ascii_strtod (percentage, NULL) };
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;

      story_switch (builder.story, 50, 0, 0, "R", 11);
      for (guint i = 0; i < CALLS; i++)
        {
          add_call (&builder);
          count (&builder, &truth);
        }
      trace = story_open (builder.story);
      report = analyze (trace, percentage);
      compare_interrupts (peaks_get_peak (report, 0), &truth);
      compare_causes (peaks_get_peak (report, 0), &truth);
    }
}

/* The inner handler's time is its own. Interrupts are distinguished by number, even if handlers
 * have the same name. */
static void
test_report (void)
{
  Story *story = story_new ("reader other");
  CallBuilder builder = { .story = story };
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  g_autofree char *text = NULL;
  g_autofree char *path = NULL;
  TbFinding *finding;
  int time = 100;

  story_switch (story, 50, 0, 0, "R", 11);
  for (guint i = 0; i < 30; i++, time += 1000)
    {
      story_call (story, time, 0, 11, "outer");
      add_handler (&builder, 0, "entry", time + 10);
      add_handler (&builder, 1, "entry", time + 20);
      add_handler (&builder, 1, "exit", time + 320);
      add_handler (&builder, 0, "exit", time + 330);
      story_return (story, time + 350, 0, 11, "outer");
    }
  trace = story_open (story);
  report = analyze (trace, "0.8");
  peaks_assert_cause (report, 0, "interrupt", "function:outer", "interrupt 31 (vda)");
  finding = findings_get (report, "latency-peak");
  path = finding_join_strings (finding, "cause_1_path");
  g_assert_cmpstr (path, ==, "function:outer");
  finding_assert_string (finding, "cause_1_part", "interrupt");
  finding_assert_integer (finding, "cause_1_interrupt_number", 31);
  finding_assert_string (finding, "cause_1_interrupt", "vda");
  text = tb_report_to_text (report, 100);
  g_assert_nonnull (strstr (text, "Interrupts of Calls"));
  g_assert_nonnull (strstr (text, "interrupt 24 (vda)"));
}

/* --- handlers that take less time than the calls themselves --- */

/* Calls of about 1 µs and calls of 30 µs. The timer interrupts some of the long ones for 12 µs;
 * others are as long by themselves. The thread runs on in between. Rule: an interrupt counts for
 * all interrupted calls if there are four times as many as by chance. */
static void
assert_blamed (guint slow, guint alone, gint64 between)
{
  Story *story = story_new ("reader other");
  CallBuilder builder = { .story = story };
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  gint64 time = 100, running;
  double expected, least = 0.8 * MAX (slow, alone);
  gboolean is_blamed, is_self = TRUE;

  story_switch (story, 100, 0, 0, "R", 11);
  for (guint i = 0; i < 2 * (slow + alone); i++, time += between)
    {
      int length = i % 2 == 0 ? 1 : 30;

      story_call (story, (int) time, 0, 11, "outer");
      if (i % 2 == 1 && i / 2 < slow)
        {
          add_handler (&builder, 3, "entry", (int) time + 5);
          add_handler (&builder, 3, "exit", (int) time + 17);
        }
      story_return (story, (int) time + length, 0, 11, "outer");
      time += length;
    }
  story_switch (story, (int) time, 0, 11, "S", 0);
  running = time - 100;
  trace = story_open (story);
  report = peaks_try_analyze (trace, "function:outer", "from-bin", "12", NULL);
  expected = (slow + alone) * 30.0 * slow / (double) running;
  is_blamed = slow >= 4 * expected && slow >= least;
  if (slow >= 4 * expected)
    is_self = alone >= least;
  g_assert_true (
      is_blamed
      == (find_cause (peaks_get_peak (report, 0), "", sources[3].words, "interrupt") != NULL));
  g_assert_true (is_self
                 == (find_cause (peaks_get_peak (report, 0), "", NULL, "function") != NULL));
  g_assert_cmpuint (findings_count (report, "frequent-interrupt"), ==, is_blamed);
  if (slow > 0)
    {
      JsonObject *parts = json_object_get_object_member (peaks_get_peak (report, 0), "parts");
      JsonObject *interrupt = summary_get_element (parts, "interrupts", 0);

      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (interrupt, "expected_calls"),
                                      expected, 0.001);
      g_assert_true (json_object_get_boolean_member (interrupt, "blamed") == is_blamed);
    }
}

static void
test_blamed (void)
{
  assert_blamed (40, 0, 500);
  assert_blamed (40, 40, 500);
  assert_blamed (10, 40, 500);
  assert_blamed (0, 40, 500);
  /* Nearly all of the time is in such calls, so interrupts hit them by chance. */
  assert_blamed (40, 0, 5);
  for (guint round = 0; round < ROUNDS; round++)
    assert_blamed ((guint) g_test_rand_int_range (1, 60), (guint) g_test_rand_int_range (0, 60),
                   g_test_rand_int_range (2, 200));
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/interrupts/random", test_random);
  g_test_add_func ("/latency-peaks/interrupts/report", test_report);
  g_test_add_func ("/latency-peaks/interrupts/blamed", test_blamed);
  return recording_run_tests ();
}
