/* test-calling-contexts-inference.c: test of the inference of calls against a plain implementation
 * of the paper's algorithms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "calling-contexts-reference.h"

#define FIRST_KERNEL 3
#define N_FUNCTIONS 5

static void
keep (const TbContextsInstance *instance, gpointer data)
{
  g_array_append_vals (data, instance, 1);
}

static GArray *
infer (const ReferenceTree *tree, const Step *steps, guint n_steps, gint64 end)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (TbContextsInstance));
  g_auto (TbContextsInference) inference = { 0 };
  gint64 entered = TB_TIME_NONE;

  tb_contexts_inference_init (&inference, &tree->tree, keep, out);
  tb_contexts_inference_begin (&inference, 0);
  for (guint i = 0; i < n_steps; i++)
    switch (steps[i].kind)
      {
      case STEP_STACK:
        tb_contexts_inference_add (&inference, steps[i].time, steps[i].node);
        break;
      case STEP_ENTER_CALL:
        entered = steps[i].time;
        tb_contexts_inference_enter_call (&inference, steps[i].time);
        break;
      case STEP_LEAVE_CALL:
        tb_contexts_inference_leave_call (&inference, steps[i].time, entered);
        break;
      case STEP_OFF_CPU:
      case STEP_ON_CPU:
        tb_contexts_inference_set_off_cpu (&inference, steps[i].time,
                                           steps[i].kind == STEP_OFF_CPU);
        break;
      case STEP_EXEC:
      case STEP_FORK:
        tb_contexts_inference_close (&inference, steps[i].time);
        tb_contexts_inference_start (&inference, steps[i].time, steps[i].kind == STEP_FORK);
        break;
      case STEP_CLOSE:
        tb_contexts_inference_close (&inference, steps[i].time);
        break;
      default:
        g_assert_not_reached ();
      }
  tb_contexts_inference_end (&inference, end);
  return out;
}

/* Kernel functions come after (inside) all others in a stack. */
static guint32
random_stack (GRand *rand, ReferenceTree *tree)
{
  guint functions[8];
  guint n = g_rand_int_range (rand, 1, 9);
  guint n_kernel = g_rand_int_range (rand, 0, 3);

  for (guint i = 0; i < n; i++)
    functions[i] = i + n_kernel >= n
                       ? g_rand_int_range (rand, FIRST_KERNEL, N_FUNCTIONS)
                       : g_rand_int_range (rand, 0, g_rand_boolean (rand) ? 1 : FIRST_KERNEL);
  return reference_tree_get (tree, functions, n, FIRST_KERNEL);
}

static guint
random_steps (GRand *rand,
              ReferenceTree *tree,
              Step *steps,
              guint n,
              gboolean only_stacks,
              gint64 *end)
{
  gint64 time = g_rand_int_range (rand, 0, 5);

  for (guint i = 0; i < n; i++)
    {
      guint chance = only_stacks ? 0 : g_rand_int_range (rand, 0, 20);

      steps[i] = (Step) { .time = time };
      steps[i].kind = chance < 11   ? STEP_STACK
                      : chance < 13 ? STEP_ENTER_CALL
                      : chance < 15 ? STEP_LEAVE_CALL
                      : chance < 17 ? STEP_OFF_CPU
                      : chance < 18 ? STEP_ON_CPU
                      : chance < 19 ? (g_rand_boolean (rand) ? STEP_EXEC : STEP_CLOSE)
                                    : STEP_ON_CPU;
      if (steps[i].kind == STEP_STACK)
        steps[i].node = random_stack (rand, tree);
      time += g_rand_int_range (rand, 0, 9);
    }
  *end = time + g_rand_int_range (rand, 0, 9);
  return n;
}

static void
compare_random (gboolean only_stacks, guint n_traces)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < n_traces; i++)
    {
      ReferenceTree tree;
      Step steps[60];
      gint64 end;
      guint n;
      g_autoptr (GArray) found = NULL;
      g_autoptr (GArray) expected = NULL;

      reference_tree_init (&tree);
      n = random_steps (rand, &tree, steps, g_rand_int_range (rand, 1, 60), only_stacks, &end);
      reference_tree_get (&tree, NULL, 0, FIRST_KERNEL);
      found = infer (&tree, steps, n, end);
      expected = reference_infer (&tree, steps, n, end);
      assert_same_instances (found, expected);
      reference_tree_clear (&tree);
    }
}

static void
test_stacks (void)
{
  compare_random (TRUE, test_rounds (3000, 500));
}

static void
test_states (void)
{
  compare_random (FALSE, test_rounds (10000, 1500));
}

/* One system call after another, from few contexts: gaps between the same contexts repeat. */
static void
test_calls (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < test_rounds (40, 8); i++)
    {
      ReferenceTree tree;
      Step steps[300];
      guint32 nodes[6];
      guint next = 0, longer = i % 4 ? 30 : 1000;
      gint64 time = 0;
      g_autoptr (GArray) found = NULL;
      g_autoptr (GArray) expected = NULL;

      reference_tree_init (&tree);
      for (guint k = 0; k < G_N_ELEMENTS (nodes); k++)
        nodes[k] = random_stack (rand, &tree);
      reference_tree_get (&tree, NULL, 0, FIRST_KERNEL);
      for (guint k = 0; k < G_N_ELEMENTS (steps); k += 3)
        {
          guint which = next;

          next = g_rand_int_range (rand, 0, g_rand_int_range (rand, 1, 7));

          steps[k] = (Step) { STEP_ENTER_CALL, time, 0 };
          steps[k + 1] = (Step) { STEP_STACK, time, nodes[which] };
          steps[k + 2] = (Step) { STEP_LEAVE_CALL, time + g_rand_int_range (rand, 0, 9), 0 };
          /* The gap is longer after the first context, or before it. */
          time = steps[k + 2].time
                 + g_rand_int_range (rand, 1, 9) * ((i % 8 < 4 ? which : next) == 0 ? longer : 3);
        }
      found = infer (&tree, steps, G_N_ELEMENTS (steps), time);
      expected = reference_infer (&tree, steps, G_N_ELEMENTS (steps), time);
      assert_same_instances (found, expected);
      reference_tree_clear (&tree);
    }
}

/* Recursion: the cost of an event is proportional to the frames that it changes. */
static void
test_deep (void)
{
  const guint depth = 20000;
  g_autofree guint32 *parent = g_new (guint32, depth + 1);
  g_autofree guint32 *depths = g_new (guint32, depth + 1);
  g_autofree guint8 *kernel = g_new0 (guint8, depth + 1);
  g_autofree guint32 *function = g_new0 (guint32, depth + 1);
  TbContextsTree tree = { depth + 1, parent, depths, kernel, function };
  g_autoptr (GArray) out = g_array_new (FALSE, FALSE, sizeof (TbContextsInstance));
  g_auto (TbContextsInference) inference = { 0 };

  for (guint i = 0; i <= depth; i++)
    {
      parent[i] = i > 0 ? i - 1 : 0;
      depths[i] = i;
    }
  tb_contexts_inference_init (&inference, &tree, keep, out);
  tb_contexts_inference_begin (&inference, 0);
  for (guint i = 0; i < 100000; i++)
    tb_contexts_inference_add (&inference, i, depth - i % 2);
  g_assert_cmpuint (out->len, ==, 50000);
  tb_contexts_inference_end (&inference, 100000);
  g_assert_cmpuint (out->len, ==, 50000 + depth - 1);
}

/* Between two sleeps in different functions, both boundaries are where the thread ran. A call takes
 * four times as long as a return. */
static void
test_refined (void)
{
  ReferenceTree tree;
  const guint first[] = { 0, 1 }, second[] = { 0, 2 };
  g_autoptr (GArray) found = NULL;
  const TbContextsInstance *one;

  reference_tree_init (&tree);
  {
    const Step steps[] = {
      { STEP_STACK, 100, reference_tree_get (&tree, first, 2, FIRST_KERNEL) },
      { STEP_OFF_CPU, 100, 0 },
      { STEP_ON_CPU, 1000, 0 },
      { STEP_STACK, 1300, reference_tree_get (&tree, second, 2, FIRST_KERNEL) },
      { STEP_OFF_CPU, 1300, 0 },
    };

    found = infer (&tree, steps, G_N_ELEMENTS (steps), 2000);
  }
  g_assert_cmpuint (found->len, ==, 3);
  one = &g_array_index (found, TbContextsInstance, 0);
  g_assert_cmpint (one->from, ==, 100);
  g_assert_cmpint (one->to, ==, 1050);
  g_assert_cmpint (one->latency[TB_CONTEXTS_CONSERVATIVE], ==, 0);
  g_assert_cmpint (one->latency[TB_CONTEXTS_AGGRESSIVE], ==, 1200);
  one = &g_array_index (found, TbContextsInstance, 1);
  g_assert_cmpint (one->from, ==, 1100);
  g_assert_cmpint (one->to, ==, 2000);
  reference_tree_clear (&tree);
}

/* Around system calls functions are thin: most of a long time between two calls belongs to the
 * caller. */
static void
test_thin (void)
{
  const guint first[] = { 0, 1 }, second[] = { 0, 2 };
  ReferenceTree tree;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) found = NULL;
  gint64 time = 0;

  reference_tree_init (&tree);
  for (guint i = 0; i < 10; i++)
    {
      guint32 node = reference_tree_get (&tree, i % 2 ? second : first, 2, FIRST_KERNEL);
      const Step some[] = { { STEP_ENTER_CALL, time, 0 },
                            { STEP_STACK, time, node },
                            { STEP_LEAVE_CALL, time + 5, 0 } };

      g_array_append_vals (steps, some, 3);
      /* The last gap but one is long. */
      time += 5 + (i == 8 ? 9000 : 6);
    }
  found = infer (&tree, (const Step *) (gpointer) steps->data, steps->len, time);
  g_assert_cmpuint (found->len, ==, 11);
  for (guint i = 1; i < 9; i++)
    {
      /* A return takes 1/6 of the gap, a call 4/6. */
      const TbContextsInstance *one = &g_array_index (found, TbContextsInstance, i);

      g_assert_cmpint (one->first - one->from, ==, 4);
      g_assert_cmpint (one->to - one->last, ==, 5 + 1);
    }
  g_assert_cmpint (g_array_index (found, TbContextsInstance, 9).first
                       - g_array_index (found, TbContextsInstance, 9).from,
                   ==, 4);
  reference_tree_clear (&tree);
}

/* Other gaps reveal the time of a function after and before its system call. From the first
 * function every gap is 100 ns longer than from the second, so the first takes 100 ns longer after
 * its own call. */
static void
test_gaps (void)
{
  const guint stacks[3][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 } };
  static const guint order[] = { 0, 2, 1, 2 };
  ReferenceTree tree;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) found = NULL;
  gint64 time = 0;

  reference_tree_init (&tree);
  for (guint i = 0; i < 160; i++)
    {
      guint which = order[i % G_N_ELEMENTS (order)];
      guint32 node = reference_tree_get (&tree, stacks[which], 2, 10);
      const Step some[] = { { STEP_ENTER_CALL, time, 0 },
                            { STEP_STACK, time, node },
                            { STEP_LEAVE_CALL, time + 5, 0 } };

      g_array_append_vals (steps, some, 3);
      time += 5 + (which == 0 ? 109 : 9);
    }
  found = infer (&tree, (const Step *) (gpointer) steps->data, steps->len, time);
  g_assert_cmpuint (found->len, ==, 161);
  for (guint i = 120; i < 160; i++)
    {
      const TbContextsInstance *one = &g_array_index (found, TbContextsInstance, i - 1);
      guint which = order[(i - 1) % G_N_ELEMENTS (order)];

      /* The duration of the call itself, half of the thin time around calls, and the 100 ns. */
      g_assert_cmpint (one->to - one->last, ==, which == 0 ? 5 + 4 + 100 : 5 + 4);
    }
  reference_tree_clear (&tree);
}

/* From one function the gap to a stack with seven called functions is 100 µs longer than to a stack
 * with one; other gaps take some ns. The functions in the middle must not get that time: the first
 * of them contains all of the gap and gets it. */
static void
test_long_gap (void)
{
  static const guint stacks[3][8] = { { 0, 1, 9 }, { 0, 2, 9 }, { 0, 3, 4, 5, 6, 7, 8, 9 } };
  static const guint depths[] = { 3, 3, 8 }, order[] = { 0, 1, 0, 2, 0, 1 };
  ReferenceTree tree;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) found = NULL;
  gint64 time = 0;
  guint n_far = 0;

  reference_tree_init (&tree);
  for (guint i = 0; i < 600; i++)
    {
      guint which = order[i % G_N_ELEMENTS (order)];
      guint32 node = reference_tree_get (&tree, stacks[which], depths[which], 10);
      const Step some[] = { { STEP_ENTER_CALL, time + (which == 2 ? 100000 : 0), 0 },
                            { STEP_STACK, time + (which == 2 ? 100000 : 0), node },
                            { STEP_LEAVE_CALL, time + (which == 2 ? 100000 : 0) + 5, 0 } };

      g_array_append_vals (steps, some, 3);
      time = some[2].time + 40;
    }
  found = infer (&tree, (const Step *) (gpointer) steps->data, steps->len, time);
  for (guint i = found->len / 2; i < found->len; i++)
    {
      const TbContextsInstance *one = &g_array_index (found, TbContextsInstance, i);
      guint function = g_array_index (tree.function, guint32, one->node);

      if (function == 3)
        g_assert_cmpint (one->first - one->from, >=, 100000 - 40);
      else if (function > 3)
        g_assert_cmpint (one->first - one->from, <=, 40);
      n_far += function > 3;
    }
  g_assert_cmpuint (n_far, >, 100);
  reference_tree_clear (&tree);
}

static const TbContextsBounds unknown = { 0, G_MAXINT64 };

static void
assert_bounds (const TbContextsGaps *gaps,
               guint32 before,
               guint32 after,
               guint32 common,
               TbContextsBounds left,
               TbContextsBounds entered)
{
  TbContextsBounds found[2];

  tb_contexts_gaps_get (gaps, before, after, common, &found[0], &found[1]);
  g_assert_cmpint (found[0].least, ==, left.least);
  g_assert_cmpint (found[0].most, ==, left.most);
  g_assert_cmpint (found[1].least, ==, entered.least);
  g_assert_cmpint (found[1].most, ==, entered.most);
}

/* More contexts than can be learned: what was learned stays valid, and nothing of it is used for a
 * new thread. */
static void
test_many_gaps (void)
{
  g_autoptr (TbContextsGaps) gaps = tb_contexts_gaps_new ();

  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < 3; i++)
        {
          tb_contexts_gaps_add (gaps, 1, 3, 0, 100);
          tb_contexts_gaps_add (gaps, 2, 3, 0, 10);
          tb_contexts_gaps_add (gaps, 2, 4, 0, 30);
        }
      for (guint i = 0; i < 3 * TB_CONTEXTS_GAPS_PLACES; i++)
        tb_contexts_gaps_add (gaps, 5 + i, 6 + i, i % 7, 1);
      for (guint i = 0; i < 100; i++)
        tb_contexts_gaps_add (gaps, 1, 10 + i, 0, 1000000);
      assert_bounds (gaps, 1, 3, 0, (TbContextsBounds) { 90, 100 }, (TbContextsBounds) { 0, 10 });
      assert_bounds (gaps, 2, 4, 0, (TbContextsBounds) { 0, 10 }, (TbContextsBounds) { 20, 30 });
      assert_bounds (gaps, 2, 4, 1, unknown, unknown);
      tb_contexts_gaps_reset (gaps);
      assert_bounds (gaps, 1, 3, 0, unknown, unknown);
    }
}

/* A gap that repeats in one context, shorter than gaps to other contexts, takes that long: 60 from
 * 1 to 1 again, 10 from 2 to 1, 80 from 1 to 3. */
static void
test_repeated_gap (void)
{
  g_autoptr (TbContextsGaps) gaps = tb_contexts_gaps_new ();

  for (guint i = 0; i < 3; i++)
    {
      tb_contexts_gaps_add (gaps, 2, 1, 0, 10);
      tb_contexts_gaps_add (gaps, 1, 3, 0, 80);
      tb_contexts_gaps_add (gaps, 3, 4, 0, 5);
      tb_contexts_gaps_add_repeated (gaps, 1, 60);
      /* A repeated gap in one context that is longer than the gaps from it to others. */
      tb_contexts_gaps_add_repeated (gaps, 3, 1000);
    }
  assert_bounds (gaps, 1, 3, 0, (TbContextsBounds) { 50, 60 }, (TbContextsBounds) { 0, 80 });
  assert_bounds (gaps, 3, 4, 0, (TbContextsBounds) { 0, 5 }, (TbContextsBounds) { 0, 5 });
  /* The repeated gap is now longer than any known gap from another context: the known gaps are from
   * different times. */
  for (guint i = 0; i < TB_CONTEXTS_GAPS_MAX_LATEST; i++)
    {
      tb_contexts_gaps_add (gaps, 5, 3, 0, 7);
      tb_contexts_gaps_add (gaps, 5, 6, 0, 5000);
      tb_contexts_gaps_add (gaps, 7, 6, 0, 3);
    }
  assert_bounds (gaps, 5, 3, 0, (TbContextsBounds) { 0, 7 }, (TbContextsBounds) { 0, 7 });
}

/* Function 2 takes 12 more than 1 before each of its system calls, in every caller. Those 12 are
 * its own; further long gaps are not. */
static void
test_heads (void)
{
  const guint stacks[2][2] = { { 0, 1 }, { 0, 2 } };
  ReferenceTree tree;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) found = NULL;
  gint64 time = 0;

  reference_tree_init (&tree);
  for (guint i = 0; i < 200; i++)
    {
      /* In turn, and at times twice. */
      guint which = i / 3 % 2 ? i % 2 : (i / 3) % 4 / 2;
      guint32 node = reference_tree_get (&tree, stacks[which], 2, 10);

      time += 2 + (which == 1 ? 12 : 0);
      g_array_append_vals (steps,
                           (Step[]) { { STEP_ENTER_CALL, time, 0 },
                                      { STEP_STACK, time, node },
                                      { STEP_LEAVE_CALL, time + 5, 0 } },
                           3);
      time += 5;
    }
  found = infer (&tree, (const Step *) (gpointer) steps->data, steps->len, time);
  for (guint i = 100; i < found->len - 1; i++)
    {
      const TbContextsInstance *one = &g_array_index (found, TbContextsInstance, i);
      gboolean second = g_array_index (tree.function, guint32, one->node) == 2;

      g_assert_cmpint (one->first - one->from, ==, second ? 13 : 1);
      g_assert_cmpint (one->to - one->last, ==, 5 + 1);
    }
  reference_tree_clear (&tree);
}

/* More functions than can be learned, and a new thread. */
static void
test_many_heads (void)
{
  g_autoptr (TbContextsCallOverheads) heads = tb_contexts_call_overheads_new ();
  gint64 behind, before;

  for (guint round = 0; round < 2; round++)
    {
      tb_contexts_call_overheads_get (heads, 1, &behind, &before);
      g_assert_cmpint (behind + before, ==, 0);
      for (guint i = 0; i < TB_CONTEXTS_CALL_OVERHEADS_GAPS; i++)
        {
          tb_contexts_call_overheads_add (heads, 1, 10 + i);
          tb_contexts_call_overheads_add (heads, 2, 100 - i);
        }
      for (guint i = 0; i < 2 * TB_CONTEXTS_CALL_OVERHEADS_FUNCTIONS; i++)
        tb_contexts_call_overheads_add (heads, 3 + i, 0);
      tb_contexts_call_overheads_get (heads, 1, &behind, &before);
      g_assert_cmpint (behind, ==, 5);
      g_assert_cmpint (before, ==, 6);
      tb_contexts_call_overheads_get (heads, 2, &behind, &before);
      g_assert_cmpint (behind, ==, 5);
      g_assert_cmpint (before, ==, 6 + 100 - (TB_CONTEXTS_CALL_OVERHEADS_GAPS - 2) - 11);
      tb_contexts_call_overheads_get (heads, G_MAXUINT32 - 5, &behind, &before);
      g_assert_cmpint (behind + before, ==, 11);
      tb_contexts_call_overheads_reset (heads);
    }
}

/* A thread that is preempted at the end of a system call returns from it when it runs again. */
static void
test_preempted_at_exit (void)
{
  ReferenceTree tree;
  const guint first[] = { 0, 1 }, second[] = { 0, 2 };
  g_autoptr (GArray) found = NULL;

  reference_tree_init (&tree);
  {
    const Step steps[] = {
      { STEP_ENTER_CALL, 100, 0 },
      { STEP_STACK, 100, reference_tree_get (&tree, first, 2, FIRST_KERNEL) },
      { STEP_LEAVE_CALL, 200, 0 },
      { STEP_OFF_CPU, 290, 0 },
      { STEP_ON_CPU, 1000, 0 },
      { STEP_ENTER_CALL, 1090, 0 },
      { STEP_STACK, 1090, reference_tree_get (&tree, second, 2, FIRST_KERNEL) },
      { STEP_LEAVE_CALL, 1100, 0 },
    };

    found = infer (&tree, steps, G_N_ELEMENTS (steps), 1200);
  }
  g_assert_cmpuint (found->len, ==, 3);
  g_assert_cmpint (g_array_index (found, TbContextsInstance, 0).to, ==, 1015);
  g_assert_cmpint (g_array_index (found, TbContextsInstance, 1).from, ==, 1030);
  reference_tree_clear (&tree);
}

/* IntroPerf's Table 1: results of line 11 and the following lines for the stacks of Figure 3, at
 * each depth. */
typedef struct
{
  gboolean is_new;  /* AllNew; here also for all deeper frames */
  char last;        /* LastStack, '-': none */
  char this;        /* ThisStack */
  guint start, end; /* Register, numbers of events; 0: none */
  char function;
} TableCell;

static const TableCell table_1[4][3] = {
  { { TRUE, '-', 'A', 1, 1, 'A' }, { TRUE, '-', 'B', 1, 1, 'B' }, { TRUE, '-', 'D', 1, 1, 'D' } },
  { { FALSE, 'A', 'A', 1, 2, 'A' },
    { FALSE, 'B', 'B', 1, 2, 'B' },
    { FALSE, 'D', 'D', 1, 2, 'D' } },
  { { FALSE, 'A', 'A', 1, 3, 'A' }, { TRUE, 'B', 'C', 3, 3, 'C' }, { TRUE, 'D', 'D', 3, 3, 'D' } },
  { { FALSE, 'A', 'A', 1, 4, 'A' },
    { FALSE, 'C', 'C', 3, 4, 'C' },
    { FALSE, 'D', '-', 0, 0, '-' } },
};

static char
get_letter (const ReferenceTree *tree, guint32 node)
{
  return (char) ('A' + g_array_index (tree->function, guint32, node));
}

static char
get_open (const ReferenceTree *tree, const TbContextsInference *inference, guint depth)
{
  return depth < inference->n_frames ? get_letter (tree, inference->frames[depth].node) : '-';
}

static char
get_function (const ReferenceTree *tree, guint32 node, guint depth)
{
  while (g_array_index (tree->depth, guint32, node) > depth + 1)
    node = g_array_index (tree->parent, guint32, node);
  return g_array_index (tree->depth, guint32, node) == depth + 1 ? get_letter (tree, node) : '-';
}

static void
test_table_1 (void)
{
  const guint stacks[4][3] = { { 0, 1, 3 }, { 0, 1, 3 }, { 0, 2, 3 }, { 0, 2 } };
  const gint64 times[] = { 100, 200, 400, 700 };
  guint32 nodes[4];
  ReferenceTree tree;
  g_autoptr (GArray) out = g_array_new (FALSE, FALSE, sizeof (TbContextsInstance));
  g_auto (TbContextsInference) inference = { 0 };

  reference_tree_init (&tree);
  for (guint i = 0; i < 4; i++)
    nodes[i] = reference_tree_get (&tree, stacks[i], i == 3 ? 2 : 3, 10);
  tb_contexts_inference_init (&inference, &tree.tree, keep, out);
  tb_contexts_inference_begin (&inference, 0);
  for (guint i = 0; i < 4; i++)
    {
      for (guint d = 0; d < 3; d++)
        {
          g_assert_cmpint (get_open (&tree, &inference, d), ==, table_1[i][d].last);
          g_assert_cmpint (get_function (&tree, nodes[i], d), ==, table_1[i][d].this);
        }
      tb_contexts_inference_add (&inference, times[i], nodes[i]);
      for (guint d = 0; d < 3; d++)
        {
          const TableCell *cell = &table_1[i][d];

          g_assert_cmpint (get_open (&tree, &inference, d), ==, cell->function);
          if (cell->start == 0)
            continue;
          g_assert_cmpint (inference.frames[d].first, ==, times[cell->start - 1]);
          g_assert_cmpint (inference.previous, ==, times[cell->end - 1]);
          g_assert_cmpint (inference.frames[d].first == times[i], ==, cell->is_new);
        }
    }
  tb_contexts_inference_end (&inference, 700);
  g_assert_cmpuint (out->len, ==, 5);
  reference_tree_clear (&tree);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/inference/stacks", test_stacks);
  g_test_add_func ("/calling-contexts/inference/states", test_states);
  g_test_add_func ("/calling-contexts/inference/calls", test_calls);
  g_test_add_func ("/calling-contexts/inference/deep", test_deep);
  g_test_add_func ("/calling-contexts/inference/refined", test_refined);
  g_test_add_func ("/calling-contexts/inference/thin", test_thin);
  g_test_add_func ("/calling-contexts/inference/gaps", test_gaps);
  g_test_add_func ("/calling-contexts/inference/far", test_long_gap);
  g_test_add_func ("/calling-contexts/inference/many-gaps", test_many_gaps);
  g_test_add_func ("/calling-contexts/inference/again", test_repeated_gap);
  g_test_add_func ("/calling-contexts/inference/heads", test_heads);
  g_test_add_func ("/calling-contexts/inference/many-heads", test_many_heads);
  g_test_add_func ("/calling-contexts/inference/giving-way", test_preempted_at_exit);
  g_test_add_func ("/calling-contexts/inference/table-1", test_table_1);
  return g_test_run ();
}
