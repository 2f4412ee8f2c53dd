/* calling-contexts-reference.c: slow reference implementation of IntroPerf's algorithms, as the
 * paper states them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-reference.h"

#define MAX_DEPTH 64

void
reference_tree_init (ReferenceTree *self)
{
  guint32 zero = 0;
  guint8 no = 0;

  self->parent = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->depth = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->function = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->kernel = g_array_new (FALSE, FALSE, sizeof (guint8));
  g_array_append_val (self->parent, zero);
  g_array_append_val (self->depth, zero);
  g_array_append_val (self->function, zero);
  g_array_append_val (self->kernel, no);
}

void
reference_tree_clear (ReferenceTree *self)
{
  g_array_unref (self->parent);
  g_array_unref (self->depth);
  g_array_unref (self->function);
  g_array_unref (self->kernel);
}

guint32
reference_tree_get (ReferenceTree *self, const guint *functions, guint n, guint first_kernel)
{
  guint32 node = 0;

  for (guint i = 0; i < n; i++)
    {
      guint32 child, depth = i + 1, function = functions[i];
      guint8 kernel = function >= first_kernel;

      for (child = 1; child < self->parent->len; child++)
        if (g_array_index (self->parent, guint32, child) == node
            && g_array_index (self->function, guint32, child) == function)
          break;
      if (child == self->parent->len)
        {
          g_array_append_val (self->parent, node);
          g_array_append_val (self->depth, depth);
          g_array_append_val (self->function, function);
          g_array_append_val (self->kernel, kernel);
        }
      node = child;
    }
  self->tree
      = (TbContextsTree) { self->parent->len, (const guint32 *) (gpointer) self->parent->data,
                           (const guint32 *) (gpointer) self->depth->data,
                           (const guint8 *) self->kernel->data,
                           (const guint32 *) (gpointer) self->function->data };
  return node;
}

typedef struct
{
  gint64 ts, te;
  gint64 from;
  guint32 node;
  gint64 called[TB_CONTEXTS_N_ESTIMATES];
} Register;

/* A gap between two system calls in which functions returned or were called. AGAIN: none did. */
typedef struct
{
  guint32 before, after, common;
  gint64 ns;
} Gap;

#define AGAIN (G_MAXUINT32 - 1)

/* A gap before a function's system call. */
typedef struct
{
  guint32 function;
  gint64 ns;
} Head;

/* Range in ns. */
typedef struct
{
  gint64 least;
  gint64 most;
} Bounds;

typedef struct
{
  const ReferenceTree *tree;
  GArray *out;
  GArray *gaps;  /* Gap, those that bounds are learned from */
  GArray *heads; /* Head */
  Register registers[MAX_DEPTH];
  guint n_registers;
  guint8 *states; /* by ns */
  gint64 gap;
  gboolean gap_at_call;
  gboolean in_call;
  gboolean off;
  gboolean is_fresh; /* has run without a break since a system call ended in the gap */
  GArray *shares;    /* gint64: one part of each gap, once for each boundary in it */
  gint64 floor;
  gboolean seen;
  gint64 last_stack;
  gint64 t_last;
} Run;

/* Closes the innermost register: Algorithm 2, lines 32 to 35. */
static void
close_register (Run *run, gint64 t_k, gint64 refined)
{
  Register *r = &run->registers[--run->n_registers];
  TbContextsInstance instance
      = { .node = r->node, .first = r->ts, .last = r->te, .ended = t_k, .from = r->from };

  run->floor = MAX (run->floor, refined);
  instance.to = run->floor;
  instance.latency[TB_CONTEXTS_AGGRESSIVE] = t_k - r->ts;
  instance.latency[TB_CONTEXTS_CONSERVATIVE] = r->te - r->ts;
  instance.latency[TB_CONTEXTS_REFINED] = instance.to - instance.from;
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    {
      instance.own[i] = instance.latency[i] - r->called[i];
      if (run->n_registers > 0)
        run->registers[run->n_registers - 1].called[i] += instance.latency[i];
    }
  g_array_append_val (run->out, instance);
}

/* Finds the best state in the gap, and the time spent in it. */
static guint
find_allowed (const Run *run, gint64 to, gint64 *available)
{
  for (guint allowed = 0; allowed <= TB_CONTEXTS_OFF_CPU; allowed++)
    {
      *available = 0;
      for (gint64 t = run->gap; t < to; t++)
        *available += run->states[t] <= allowed;
      if (*available > 0)
        return allowed;
    }
  return TB_CONTEXTS_OFF_CPU;
}

/* The first time in the gap by which `wanted` ns of the allowed states have passed. */
static gint64
find_time (const Run *run, gint64 to, guint allowed, gint64 wanted)
{
  gint64 passed = 0;

  for (gint64 t = run->gap; t < to; t++)
    {
      if (run->states[t] > allowed)
        continue;
      if (wanted == 0)
        return t;
      if (++passed == wanted)
        return t + 1;
    }
  return to;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

/* The median share, rounded to a sixteenth of the power of two below it. */
static gint64
get_usual (const Run *run)
{
  gint64 median, step = 1;

  g_array_sort (run->shares, compare_times);
  median
      = run->shares->len > 0 ? g_array_index (run->shares, gint64, (run->shares->len - 1) / 2) : 0;
  while (median / step >= 32)
    step *= 2;
  return median / step * step + step / 2;
}

/* Counts the other contexts that the caller's gaps lead to from this one or, with to_here, that
 * lead here. */
static guint
count_other_contexts (const Run *run, const Gap *gap, gboolean to_here)
{
  guint n = 0;

  for (guint i = 0; i < run->gaps->len; i++)
    {
      const Gap *other = &g_array_index (run->gaps, Gap, i);
      guint k = 0;

      if (other->common != gap->common
          || (to_here ? other->after != gap->after : other->before != gap->before))
        continue;
      /* Each context once. */
      while (g_array_index (run->gaps, Gap, k).common != gap->common
             || g_array_index (run->gaps, Gap, k).before != other->before
             || g_array_index (run->gaps, Gap, k).after != other->after)
        k++;
      n += k == i;
    }
  return n;
}

static void
add_gap (Run *run, const Gap *gap)
{
  gboolean is_known = FALSE;

  for (guint i = 0; i < run->gaps->len; i++)
    is_known |= g_array_index (run->gaps, Gap, i).before == gap->before
                && g_array_index (run->gaps, Gap, i).after == gap->after
                && g_array_index (run->gaps, Gap, i).common == gap->common;
  if (is_known
      || (count_other_contexts (run, gap, FALSE) < TB_CONTEXTS_GAPS_NEIGHBOURS
          && count_other_contexts (run, gap, TRUE) < TB_CONTEXTS_GAPS_NEIGHBOURS))
    g_array_append_vals (run->gaps, gap, 1);
}

/* The median of the latest such gaps; -1: too few. */
static gint64
get_pair (const Run *run, guint32 before, guint32 after, guint32 common)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = run->gaps->len; i > 0; i--)
    {
      const Gap *gap = &g_array_index (run->gaps, Gap, i - 1);

      if (gap->before == before && gap->after == after && gap->common == common
          && found->len < TB_CONTEXTS_GAPS_MAX_LATEST)
        g_array_append_val (found, gap->ns);
    }
  if (found->len < TB_CONTEXTS_GAPS_MIN_GAPS)
    return -1;
  g_array_sort (found, compare_times);
  return g_array_index (found, gint64, (found->len - 1) / 2);
}

/* The shortest gap of a caller to a context, or from one; -1: none is known. */
static gint64
get_shortest (const Run *run, const Gap *gap, gboolean to_there)
{
  gint64 least = -1;

  for (guint i = 0; i < run->gaps->len; i++)
    {
      const Gap *other = &g_array_index (run->gaps, Gap, i);
      gint64 ns;

      if (other->common != gap->common
          || (to_there ? other->after != gap->after : other->before != gap->before))
        continue;
      ns = get_pair (run, other->before, other->after, other->common);
      if (ns >= 0 && (least < 0 || ns < least))
        least = ns;
    }
  return least;
}

/* How much longer gaps from this context are than from any other, at most; with to_here, gaps to
 * this context. */
static gint64
get_longer (const Run *run, const Gap *gap, gboolean to_here)
{
  gint64 most = 0;

  for (guint i = 0; i < run->gaps->len; i++)
    {
      const Gap *other = &g_array_index (run->gaps, Gap, i);
      gint64 ns = get_pair (run, other->before, other->after, other->common);

      if (ns >= 0 && other->common == gap->common
          && (to_here ? other->after == gap->after : other->before == gap->before))
        most = MAX (most, ns - get_shortest (run, other, !to_here));
    }
  return most;
}

/* Bounds of the time in the gap that belongs to the functions that return or, with entered, are
 * called. */
static Bounds
get_bounds (const Run *run, const Gap *gap, gboolean entered)
{
  guint32 context = entered ? gap->after : gap->before;
  gint64 again = get_pair (run, context, context, AGAIN),
         shortest = get_shortest (run, gap, entered);
  const Gap turned = { gap->after, gap->before, gap->common, 0 };
  gint64 other = get_shortest (run, &turned, !entered);
  Bounds bounds = { get_longer (run, gap, entered), shortest >= 0 ? shortest : G_MAXINT64 };

  if (again >= 0 && again <= get_pair (run, gap->before, gap->after, gap->common))
    {
      bounds.most = again;
      if (other >= 0)
        bounds.least = MAX (bounds.least, again - other);
    }
  if (bounds.least > bounds.most)
    bounds.least = 0;
  return bounds;
}

/* Limits the shares of the returning and the called functions to what is known of similar gaps. */
static void
learn (Run *run, const Gap *gap, gint64 *behind, gint64 *before)
{
  Bounds left, entered;

  add_gap (run, gap);
  left = get_bounds (run, gap, FALSE);
  entered = get_bounds (run, gap, TRUE);
  *behind = CLAMP (*behind, left.least, left.most);
  *before = CLAMP (*before, entered.least, entered.most);
  if (*behind + *before > gap->ns)
    {
      double part = (double) gap->ns / (double) (*behind + *before);

      *behind = (gint64) ((double) *behind * part);
      *before = (gint64) ((double) *before * part);
    }
}

/* The second shortest of the latest full block of gaps before a function's system calls; -1: there
 * is none. */
static gint64
get_least_head (const Run *run, guint32 function)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < run->heads->len; i++)
    if (g_array_index (run->heads, Head, i).function == function)
      g_array_append_val (found, g_array_index (run->heads, Head, i).ns);
  g_array_set_size (found,
                    found->len / TB_CONTEXTS_CALL_OVERHEADS_GAPS * TB_CONTEXTS_CALL_OVERHEADS_GAPS);
  if (found->len == 0)
    return -1;
  g_array_remove_range (found, 0, found->len - TB_CONTEXTS_CALL_OVERHEADS_GAPS);
  g_array_sort (found, compare_times);
  return g_array_index (found, gint64, 1);
}

/* Least parts of a gap that belong to the functions which make the system calls before (tail) and
 * after (head) it. */
static void
find_heads (Run *run,
            gint64 available,
            guint allowed,
            guint32 node,
            gboolean leaves,
            gboolean enters,
            gint64 *tail,
            gint64 *head)
{
  guint32 function = g_array_index (run->tree->function, guint32, node);
  gint64 floor = -1, least;
  const Head added = { function, available };

  if (run->gap_at_call && run->in_call && allowed == TB_CONTEXTS_RUNNING)
    g_array_append_val (run->heads, added);
  for (guint i = 0; i < run->heads->len; i++)
    {
      least = get_least_head (run, g_array_index (run->heads, Head, i).function);
      if (least >= 0 && (floor < 0 || least < floor))
        floor = least;
    }
  *tail = *head = 0;
  if (floor < 0)
    return;
  least = get_least_head (run, function);
  if (run->gap_at_call && leaves)
    *tail = MIN (floor / 2, available);
  if (run->in_call && enters)
    *head = MIN ((least >= 0 ? least : floor) - floor / 2, available - *tail);
}

/* Time of the first n of `all` functions. Each has its part of the thin time. The excess belongs to
 * the middle one or, if it is very much more, to the last one. */
static gint64
get_part (gint64 ns, gint64 thin, gint64 n, gint64 all)
{
  gint64 part = MIN (ns, thin) * n / all;

  if (ns <= thin)
    return part;
  if (ns - thin >= (thin + 1) * TB_CONTEXTS_MAX_EXCESS_FACTOR)
    return n == all ? part + ns - thin : part;
  return n * 2 >= all ? part + ns - thin : part;
}

/* Places the boundaries of a gap: n_closed returns, then n_entered calls. */
static void
place_boundaries (Run *run,
                  gint64 to,
                  guint32 node,
                  guint32 common,
                  guint n_closed,
                  guint n_entered,
                  gint64 *out)
{
  gint64 available, parts = n_closed + 4 * n_entered + 1, rest, tail, head, usual, thin_behind,
                    thin_before, behind, before;
  guint allowed = find_allowed (run, to, &available);

  find_heads (run, available, allowed, node, n_closed > 0, n_entered > 0, &tail, &head);
  rest = available - tail - head;
  for (guint i = 0; available > 0 && i < n_closed + n_entered; i++)
    {
      gint64 share = rest / parts;

      g_array_append_val (run->shares, share);
    }
  usual = get_usual (run);
  behind = thin_behind
      = run->gap_at_call && rest / parts > usual ? usual * n_closed : rest * n_closed / parts;
  before = thin_before
      = run->in_call && rest / parts > usual ? usual * 4 * n_entered : rest * 4 * n_entered / parts;
  if (run->gap_at_call && run->in_call && run->n_registers > 0 && allowed == TB_CONTEXTS_RUNNING)
    learn (run, &(Gap) { run->registers[run->n_registers - 1].node, node, common, rest }, &behind,
           &before);
  for (guint i = 0; i < n_closed + n_entered; i++)
    if (available == 0)
      out[i] = to;
    else if (i < n_closed)
      out[i] = find_time (run, to, allowed, tail + get_part (behind, thin_behind, i + 1, n_closed));
    else
      out[i]
          = find_time (run, to, allowed,
                       available - head
                           - get_part (before, thin_before, n_closed + n_entered - i, n_entered));
}

/* A gap in which no function returns or is called. */
static void
learn_repeated_gap (Run *run, gint64 to, guint32 node)
{
  gint64 available, tail, head;
  guint allowed = find_allowed (run, to, &available);

  if (!run->gap_at_call || !run->in_call)
    return;
  find_heads (run, available, allowed, node, TRUE, TRUE, &tail, &head);
  if (allowed == TB_CONTEXTS_RUNNING)
    add_gap (run, &(Gap) { node, node, AGAIN, available - tail - head });
}

/* Algorithm 2, lines 6 to 31. */
static void
new_stack_event (Run *run, gint64 t_k, guint32 node)
{
  guint32 path[MAX_DEPTH];
  guint n = g_array_index (run->tree->depth, guint32, node), same = 0, boundary = 0;
  gint64 boundaries[2 * MAX_DEPTH];

  for (guint i = n; i-- > 0; node = g_array_index (run->tree->parent, guint32, node))
    path[i] = node;
  if (!run->seen && run->gap < 0)
    {
      run->gap = t_k;
      run->gap_at_call = run->in_call;
    }
  while (same < n && same < run->n_registers
         && g_array_index (run->tree->function, guint32, path[same])
                == g_array_index (run->tree->function, guint32, run->registers[same].node))
    same++;
  if (run->n_registers > same || n > same)
    place_boundaries (run, t_k, n > 0 ? path[n - 1] : 0,
                      same > 0 ? run->registers[same - 1].node : 0, run->n_registers - same,
                      n - same, boundaries);
  else
    learn_repeated_gap (run, t_k, n > 0 ? path[n - 1] : 0);
  while (run->n_registers > same)
    close_register (run, t_k, boundaries[boundary++]);
  for (guint d = 0; d < n; d++)
    if (d < same)
      run->registers[d].te = t_k;
    else
      {
        run->floor = MAX (run->floor, boundaries[boundary]);
        boundary++;
        run->registers[run->n_registers++]
            = (Register) { .ts = t_k, .te = t_k, .from = run->floor, .node = path[d] };
      }
  run->seen = TRUE;
  run->is_fresh = FALSE;
  run->t_last = run->last_stack = run->gap = t_k;
  run->gap_at_call = run->in_call;
}

static void
leave_call (Run *run, gint64 time, gint64 entered)
{
  gboolean in_call = run->last_stack >= entered;

  run->in_call = FALSE;
  if (!run->seen)
    return;
  while (run->n_registers > 0
         && g_array_index (run->tree->kernel, guint8, run->registers[run->n_registers - 1].node))
    {
      close_register (run, time, in_call ? time : MIN (entered, time));
      run->t_last = time;
    }
  if (in_call)
    {
      run->t_last = run->gap = time;
      run->gap_at_call = TRUE;
      run->is_fresh = !run->off;
    }
}

static void
close_all (Run *run, gint64 ended, gint64 to)
{
  while (run->n_registers > 0)
    close_register (run, ended, to);
  run->seen = run->is_fresh = FALSE;
  run->gap = -1;
}

/* State of the thread in each ns. */
static guint8 *
make_states (const Step *steps, guint n_steps, gint64 end)
{
  guint8 *states = g_malloc0 (end + 1);
  gboolean in_call = FALSE, off = FALSE;
  guint i = 0;

  for (gint64 t = 0; t <= end; t++)
    {
      for (; i < n_steps && steps[i].time == t; i++)
        switch (steps[i].kind)
          {
          case STEP_ENTER_CALL:
            in_call = TRUE;
            break;
          case STEP_LEAVE_CALL:
            in_call = FALSE;
            break;
          case STEP_OFF_CPU:
          case STEP_FORK:
            off = TRUE;
            break;
          case STEP_ON_CPU:
            off = FALSE;
            break;
          default:
            break;
          }
      states[t] = off ? TB_CONTEXTS_OFF_CPU : in_call ? TB_CONTEXTS_IN_KERNEL : TB_CONTEXTS_RUNNING;
    }
  return states;
}

static void
do_step (Run *run, const Step *step, gint64 *entered)
{
  switch (step->kind)
    {
    case STEP_STACK:
      new_stack_event (run, step->time, step->node);
      break;
    case STEP_ENTER_CALL:
      *entered = step->time;
      run->in_call = TRUE;
      run->is_fresh = FALSE;
      break;
    case STEP_OFF_CPU:
      /* A thread that is preempted before it leaves the system call is still in the kernel. */
      for (gint64 t = run->gap; run->is_fresh && t < step->time; t++)
        run->states[t] = TB_CONTEXTS_IN_KERNEL;
      run->off = TRUE;
      run->is_fresh = FALSE;
      break;
    case STEP_ON_CPU:
      run->off = FALSE;
      break;
    case STEP_LEAVE_CALL:
      leave_call (run, step->time, *entered);
      break;
    case STEP_EXEC:
    case STEP_FORK:
    case STEP_CLOSE:
      close_all (run, step->time, step->time);
      run->off |= step->kind == STEP_FORK;
      if (step->kind != STEP_CLOSE)
        {
          run->gap = step->time;
          run->gap_at_call = run->in_call;
        }
      break;
    default:
      break;
    }
}

GArray *
reference_infer (const ReferenceTree *tree, const Step *steps, guint n_steps, gint64 end)
{
  g_autofree guint8 *states = make_states (steps, n_steps, end);
  Run run = { .tree = tree, .states = states, .gap = -1, .floor = G_MININT64, .t_last = -1 };
  gboolean has_states = FALSE;
  gint64 entered = -1;

  run.out = g_array_new (FALSE, FALSE, sizeof (TbContextsInstance));
  run.shares = g_array_new (FALSE, FALSE, sizeof (gint64));
  run.gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  run.heads = g_array_new (FALSE, FALSE, sizeof (Head));
  for (guint i = 0; i < n_steps; i++)
    {
      do_step (&run, &steps[i], &entered);
      has_states |= steps[i].kind == STEP_OFF_CPU || steps[i].kind == STEP_ON_CPU;
    }
  close_all (&run, run.t_last, has_states ? MAX (end, run.t_last) : run.t_last);
  g_array_unref (run.shares);
  g_array_unref (run.gaps);
  g_array_unref (run.heads);
  return run.out;
}

void
assert_same_instances (const GArray *found, const GArray *expected)
{
  g_assert_cmpuint (found->len, ==, expected->len);
  for (guint i = 0; i < found->len; i++)
    {
      const TbContextsInstance *one = &g_array_index (found, TbContextsInstance, i);
      const TbContextsInstance *two = &g_array_index (expected, TbContextsInstance, i);

      g_assert_cmpuint (one->node, ==, two->node);
      g_assert_cmpint (one->first, ==, two->first);
      g_assert_cmpint (one->last, ==, two->last);
      g_assert_cmpint (one->ended, ==, two->ended);
      g_assert_cmpint (one->from, ==, two->from);
      g_assert_cmpint (one->to, ==, two->to);
      for (guint k = 0; k < TB_CONTEXTS_N_ESTIMATES; k++)
        {
          g_assert_cmpint (one->latency[k], ==, two->latency[k]);
          g_assert_cmpint (one->own[k], ==, two->own[k]);
          g_assert_cmpint (one->own[k], >=, 0);
        }
      g_assert_cmpint (one->latency[TB_CONTEXTS_CONSERVATIVE], <=,
                       one->latency[TB_CONTEXTS_AGGRESSIVE]);
    }
}
