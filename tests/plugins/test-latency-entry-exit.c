/* test-latency-entry-exit.c: test of measuring the latency of a function with cheap probes only, at
 * its entry and its ends
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One letter for each instruction: c cheap to probe, o other, r return, C a call that is cheap to
 * probe, b a call or similar that takes time, d an instruction after which nothing returns. A
 * number after it is the target of a jump: "c7" may jump to instruction 7; "j7" always does, and is
 * cheap to probe.
 */

#include <string.h>
#include <glib.h>

#include "tb-latency-entry-exit.h"

static GArray *
find (const char *code)
{
  g_auto (GStrv) words = g_strsplit (code, " ", -1);
  guint n = g_strv_length (words);
  g_autofree TbLatencyStep *steps = g_new0 (TbLatencyStep, n);

  for (guint i = 0; i < n; i++)
    {
      char kind = words[i][0];
      TbLatencyStep *step = &steps[i];

      step->flags |= TB_LATENCY_STEP_REACHED
                     | (strchr ("cCj", kind) != NULL ? TB_LATENCY_STEP_CHEAP : 0)
                     | (kind == 'r' ? TB_LATENCY_STEP_RETURN : 0)
                     | (kind == 'd' ? TB_LATENCY_STEP_DEAD_END : 0)
                     | (strchr ("Cbd", kind) != NULL ? TB_LATENCY_STEP_BARRIER : 0);
      step->next[0] = strchr ("rdj", kind) == NULL && i + 1 < n ? i + 1 : G_MAXUINT;
      step->next[1]
          = words[i][1] != '\0' ? (guint) g_ascii_strtoull (words[i] + 1, NULL, 10) : G_MAXUINT;
      if (step->next[1] != G_MAXUINT)
        steps[step->next[1]].flags |= TB_LATENCY_STEP_TARGET;
    }
  return tb_latency_find_entry_and_exits (steps, n);
}

static void
check (const char *code, const char *expected)
{
  g_autoptr (GArray) edges = find (code);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < edges->len; i++)
    g_string_append_printf (found, "%s%u", i > 0 ? " " : "", g_array_index (edges, guint, i));
  g_test_message ("%s", code);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_straight (void)
{
  check ("o C c o r", "1 2");
  check ("o o C o c o r", "2 4");
  /* Of several cheap instructions, the first one of each path is enough. */
  check ("o C c c o r", "1 2");
  /* No cheap instruction follows the call. */
  check ("o C o r", "");
  check ("o C o o o o o r", "");
  check ("c C o r", "");
  /* Nothing in the function takes time. */
  check ("o c o c r", "");
  /* The function begins with an instruction that takes time. */
  check ("b C c r", "");
  check ("o b C c r", "");
  check ("o", "");
  check ("r", "");
}

static void
test_branches (void)
{
  /* Two returns. */
  check ("o C c6 C c r c r", "1 4 6");
  /* One of the two returns has no cheap instruction before it. */
  check ("o C c5 C r c r", "");
  /* The other branch ends in an instruction that does not return. */
  check ("o C c5 o r d", "1 2");
  check ("o C c5 o r b", "");
  /* Jumps to a common end. */
  check ("o C o c6 C j2 C c r", "1 7");
  check ("o C o c6 C j2 o r", "");
  /* Paths split or join before the first probe. */
  check ("o C C c r j1", "");
  check ("o C C c r j0", "");
  /* A loop may take any time, so it is not part of the end. */
  check ("o C o c2 o r", "");
  check ("o C o c2 c r", "1 4");
}

static void
test_long (void)
{
  g_autoptr (GString) far = g_string_new ("o C c"), near = g_string_new ("o C o"),
                      many = g_string_new ("o C");

  for (guint i = 0; i < 40; i++)
    {
      g_string_append (far, " o");
      g_string_append (near, " o");
    }
  g_string_append (far, " r");
  g_string_append (near, " c o r");
  check (far->str, "");
  check (near->str, "1 43");
  /* More ends than the limit on probes. */
  for (guint i = 0; i < 40; i++)
    g_string_append_printf (many, " c%u C c r", 2 + 4 * (i + 1));
  g_string_append (many, " C c r");
  check (many->str, "");
}

/* In any code, every path has a probe between the last instruction that takes time and the
 * return. */
static void
test_random (void)
{
  for (guint round = 0; round < 3000; round++)
    {
      guint n = (guint) g_test_rand_int_range (2, 14);
      g_autofree TbLatencyStep *steps = g_new0 (TbLatencyStep, n);
      g_autofree guint8 *is_end = g_new0 (guint8, n);
      g_autoptr (GArray) edges = NULL;

      for (guint i = 0; i < n; i++)
        {
          guint32 bits = (guint32) g_test_rand_int ();

          steps[i].flags = TB_LATENCY_STEP_REACHED | ((bits & 1) != 0 ? TB_LATENCY_STEP_CHEAP : 0)
                           | (i == n - 1        ? TB_LATENCY_STEP_RETURN
                              : (bits & 6) == 2 ? TB_LATENCY_STEP_BARRIER
                                                : 0);
          steps[i].next[0] = i < n - 1 ? i + 1 : G_MAXUINT;
          steps[i].next[1] = (bits & 24) == 8 && i < n - 1 ? (bits >> 8) % n : G_MAXUINT;
        }
      for (guint i = 0; i < n; i++)
        if (steps[i].next[1] != G_MAXUINT)
          steps[steps[i].next[1]].flags |= TB_LATENCY_STEP_TARGET;
      edges = tb_latency_find_entry_and_exits (steps, n);
      for (guint i = 1; i < edges->len; i++)
        is_end[g_array_index (edges, guint, i)] = 1;
      /* Follows a random path. */
      for (guint i = 0, k = 0, begun = 0, seen = 0; edges->len > 0 && k < 1000; k++)
        {
          begun |= i == g_array_index (edges, guint, 0);
          if ((steps[i].flags & TB_LATENCY_STEP_BARRIER) != 0)
            g_assert_true (begun && !seen);
          seen |= is_end[i];
          if ((steps[i].flags & TB_LATENCY_STEP_RETURN) != 0)
            {
              g_assert_true (seen);
              break;
            }
          i = steps[i].next[1] != G_MAXUINT && g_test_rand_bit () ? steps[i].next[1]
                                                                  : steps[i].next[0];
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-edges/straight", test_straight);
  g_test_add_func ("/latency-edges/ways", test_branches);
  g_test_add_func ("/latency-edges/long", test_long);
  g_test_add_func ("/latency-edges/random", test_random);
  return g_test_run ();
}
