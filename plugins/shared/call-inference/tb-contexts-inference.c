/* tb-contexts-inference.c: inference of function entries and exits from the stacks of one thread's
 * events: conservative, aggressive and refined estimate of each call's time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-contexts-inference.h"

void
tb_contexts_inference_init (TbContextsInference *self,
                            const TbContextsTree *tree,
                            TbContextsSink sink,
                            gpointer data)
{
  *self = (TbContextsInference) { .tree = tree, .sink = sink, .data = data };
  self->n_allocated = 64;
  self->frames = g_new (TbContextsFrame, self->n_allocated);
  self->entered = g_new (guint32, self->n_allocated);
  self->changes = g_array_new (FALSE, FALSE, sizeof (TbContextsChange));
  self->gaps = tb_contexts_gaps_new ();
  self->overheads = tb_contexts_call_overheads_new ();
}

void
tb_contexts_inference_clear (TbContextsInference *self)
{
  g_clear_pointer (&self->frames, g_free);
  g_clear_pointer (&self->entered, g_free);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->gaps, tb_contexts_gaps_free);
  g_clear_pointer (&self->overheads, tb_contexts_call_overheads_free);
}

/* Begins a gap: from now on calls and returns are not known. */
static void
begin_gap (TbContextsInference *self, gint64 time)
{
  TbContextsChange change = { time, self->state };

  self->gap = time;
  self->gap_at_call = self->in_call;
  g_array_set_size (self->changes, 0);
  g_array_append_val (self->changes, change);
}

static void
set_state (TbContextsInference *self, gint64 time)
{
  TbContextsState state = self->off_cpu   ? TB_CONTEXTS_OFF_CPU
                          : self->in_call ? TB_CONTEXTS_IN_KERNEL
                                          : TB_CONTEXTS_RUNNING;
  TbContextsChange change = { time, state };

  if (state == self->state)
    return;
  self->state = state;
  if (self->gap != TB_TIME_NONE)
    g_array_append_val (self->changes, change);
}

void
tb_contexts_inference_begin (TbContextsInference *self, guint32 thread)
{
  self->thread = thread;
  self->n_frames = 0;
  self->has_stack = self->has_states = self->in_call = self->off_cpu = FALSE;
  self->state = TB_CONTEXTS_RUNNING;
  self->previous = self->latest = self->gap = TB_TIME_NONE;
  self->floor = G_MININT64;
  self->ran_since = TB_TIME_NONE;
  memset (&self->typical, 0, sizeof self->typical);
  tb_contexts_gaps_reset (self->gaps);
  tb_contexts_call_overheads_reset (self->overheads);
  g_array_set_size (self->changes, 0);
}

void
tb_contexts_inference_start (TbContextsInference *self, gint64 time, gboolean is_new)
{
  /* A new thread must first get a CPU. Where no switches are recorded, all its time counts
   * alike. */
  self->off_cpu |= is_new;
  set_state (self, time);
  begin_gap (self, time);
}

/* A thread that must yield the CPU at the end of its system call does so before it returns to user
 * space. Its functions therefore continue only when it gets a CPU again. A switch this soon after
 * the exit is unlikely to be a coincidence. */
#define MAX_YIELD_DELAY 5000

static void
delay_call_exit (TbContextsInference *self, gint64 time)
{
  TbContextsChange *first;

  if (self->gap == TB_TIME_NONE || !self->gap_at_call || self->changes->len != 1)
    return;
  first = &g_array_index (self->changes, TbContextsChange, 0);
  if (first->state == TB_CONTEXTS_RUNNING && time - first->time <= MAX_YIELD_DELAY)
    first->state = TB_CONTEXTS_IN_KERNEL;
}

void
tb_contexts_inference_set_off_cpu (TbContextsInference *self, gint64 time, gboolean off_cpu)
{
  if (!off_cpu && self->off_cpu)
    self->ran_since = time;
  if (off_cpu && !self->off_cpu)
    delay_call_exit (self, time);
  self->has_states = TRUE;
  self->off_cpu = off_cpu;
  set_state (self, time);
}

void
tb_contexts_inference_enter_call (TbContextsInference *self, gint64 time)
{
  self->in_call = TRUE;
  set_state (self, time);
}

/* Keeps boundaries in ascending order, so that they nest and come after the known ones. */
static gint64
place_boundary (TbContextsInference *self, gint64 time)
{
  self->floor = MAX (self->floor, time);
  return self->floor;
}

/* Closes the innermost frame. */
static void
close_frame (TbContextsInference *self, gint64 ended, gint64 to)
{
  const TbContextsFrame *frame = &self->frames[--self->n_frames];
  const gint64 left = place_boundary (self, to);
  const gint64 latency[TB_CONTEXTS_N_ESTIMATES]
      = { [TB_CONTEXTS_CONSERVATIVE] = self->previous - frame->first,
          [TB_CONTEXTS_AGGRESSIVE] = ended - frame->first,
          [TB_CONTEXTS_REFINED] = left - frame->from };
  /* Members are set one by one, because clearing the whole struct first takes longer. */
  TbContextsInstance instance;

  instance.node = frame->node;
  instance.depth = self->n_frames + 1;
  instance.thread = self->thread;
  instance.first = frame->first;
  instance.last = self->previous;
  instance.ended = ended;
  instance.from = frame->from;
  instance.to = left;
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    {
      instance.latency[i] = latency[i];
      instance.own[i] = latency[i] - frame->called[i];
      if (self->n_frames > 0)
        self->frames[self->n_frames - 1].called[i] += latency[i];
    }
  self->sink (&instance, self->data);
}

/* --- usual times --- */

/* Weights of a return and of a call. A return is shorter: after its system call a function soon
 * ends, before a system call it prepares the request. */
#define RETURN_PARTS 1u
#define CALL_PARTS 4u
/* Weight of the common caller, which does little between its callees. */
#define BETWEEN_PARTS 1u

static guint
get_magnitude (gint64 ns)
{
  guint power = ns >= 16 ? 63 - (guint) __builtin_clzll ((unsigned long long) ns) : 4;

  return ns >= 16 ? (power - 3) * 16 + (guint) (ns >> (power - 4) & 15) : (guint) MAX (ns, 0);
}

/* The middle of the times of a magnitude. */
static gint64
get_time (guint magnitude)
{
  guint shift = magnitude < 32 ? 0 : magnitude / 16 - 1;

  return magnitude < 32 ? magnitude
                        : ((gint64) (16 + magnitude % 16) << shift) + ((gint64) 1 << (shift - 1));
}

/* Adds values and moves the median accordingly. */
static void
add_typical (TbContextsTypical *self, gint64 ns, guint count)
{
  guint magnitude = get_magnitude (ns);

  self->counts[magnitude] += count;
  self->all += count;
  if (magnitude < self->median)
    self->below += count;
  while (self->below * 2 >= self->all)
    self->below -= self->counts[--self->median];
  while ((self->below + self->counts[self->median]) * 2 < self->all)
    self->below += self->counts[self->median++];
}

/* --- placing boundaries in a gap --- */

/* The part of a gap in which the thread was in a state that allows calls and returns, in ascending
 * order of time. */
typedef struct
{
  const TbContextsInference *of;
  TbContextsState allowed; /* this state and those before it in the enum */
  gint64 to;
  gint64 available;
  guint n_closed;
  guint n_entered;
  /* least time of the functions that make the system calls, after the first call (tail) and before
   * the second (head) */
  gint64 tail;
  gint64 head;
  guint64 n_parts; /* parts that the rest is divided into where nothing is known about it */
  gint64 share;    /* length of each part, and the remainder */
  gint64 left_over;
  /* time of all functions left (thin_left) and of all functions entered (thin_entered), as far as
   * they only pass the call on */
  gint64 thin_left;
  gint64 thin_entered;
  gint64 behind; /* total time of the functions left, and of those entered */
  gint64 before;
  guint i;
  gint64 start; /* start of change i, and the length of its available time */
  gint64 length;
  gint64 passed; /* available time before start */
} GapDivision;

static gint64
get_end (const GapDivision *self, guint i)
{
  const GArray *changes = self->of->changes;

  return i + 1 < changes->len
             ? MIN (g_array_index (changes, TbContextsChange, i + 1).time, self->to)
             : self->to;
}

static gint64
get_length (const GapDivision *self, guint i)
{
  const TbContextsChange *change = &g_array_index (self->of->changes, TbContextsChange, i);

  return change->state <= self->allowed ? MAX (get_end (self, i) - change->time, 0) : 0;
}

static void
set_change (GapDivision *self, guint i)
{
  self->i = i;
  self->start = g_array_index (self->of->changes, TbContextsChange, i).time;
  self->length = get_length (self, i);
}

static void
find_available (GapDivision *self)
{
  /* Where the thread never ran outside the kernel, it must have been in there, or the events are
   * contradictory. */
  for (self->allowed = TB_CONTEXTS_RUNNING; self->allowed <= TB_CONTEXTS_OFF_CPU; self->allowed++)
    {
      for (guint i = 0; i < self->of->changes->len; i++)
        self->available += get_length (self, i);
      if (self->available > 0)
        return;
    }
  self->allowed = TB_CONTEXTS_OFF_CPU;
}

/* The time left for functions other than those that make the system calls. */
static gint64
get_rest (const GapDivision *self)
{
  return self->available - self->tail - self->head;
}

/* Sets the least time of the functions that make the system calls around the gap. */
static void
find_call_overheads (GapDivision *self, TbContextsInference *of, guint32 node)
{
  guint32 function;
  gint64 behind, before;

  if (!of->gap_at_call && !of->in_call)
    return;
  function = of->tree->function[node];
  if (of->gap_at_call && of->in_call && self->allowed == TB_CONTEXTS_RUNNING)
    tb_contexts_call_overheads_add (of->overheads, function, self->available);
  tb_contexts_call_overheads_get (of->overheads, function, &behind, &before);
  self->tail = of->gap_at_call && (self->n_closed > 0 || self->n_entered == 0)
                   ? MIN (behind, self->available)
                   : 0;
  self->head = of->in_call && (self->n_entered > 0 || self->n_closed == 0)
                   ? MIN (before, self->available - self->tail)
                   : 0;
}

static gint64
get_parts (const GapDivision *self, gint64 part, guint64 n)
{
  gint64 parts = (gint64) self->n_parts;

  return part >= 0 ? part * (gint64) n
                   : self->share * (gint64) n + self->left_over * (gint64) n / parts;
}

/* Between two system calls: narrows the times by what other gaps show about these functions. */
static void
learn_gap (GapDivision *self, TbContextsInference *of, guint32 node, guint32 common)
{
  guint32 before = of->frames[of->n_frames - 1].node;
  TbContextsBounds left, entered;

  tb_contexts_gaps_learn (of->gaps, before, node, common, get_rest (self), &left, &entered);
  self->behind = CLAMP (self->thin_left, left.least, left.most);
  self->before = CLAMP (self->thin_entered, entered.least, entered.most);
  if (self->behind > get_rest (self) - self->before)
    {
      double part = (double) get_rest (self) / ((double) self->behind + (double) self->before);

      self->behind = (gint64) ((double) self->behind * part);
      self->before = (gint64) ((double) self->before * part);
    }
}

/* Two system calls in one context: the gap between them is learned as well. */
static void
learn_repetition (TbContextsInference *of, gint64 to, guint32 node)
{
  GapDivision division = { .of = of, .to = to };

  if (!of->gap_at_call || !of->in_call)
    return;
  find_available (&division);
  find_call_overheads (&division, of, node);
  if (division.allowed == TB_CONTEXTS_RUNNING)
    tb_contexts_gaps_add_repeated (of->gaps, node, get_rest (&division));
}

static void
gap_division_init (GapDivision *self,
                   TbContextsInference *of,
                   gint64 to,
                   guint32 node,
                   guint32 common,
                   guint n_closed,
                   guint n_entered)
{
  gint64 usual;

  *self = (GapDivision) { .of = of, .to = to, .n_closed = n_closed, .n_entered = n_entered };
  self->n_parts
      = (guint64) n_closed * RETURN_PARTS + (guint64) n_entered * CALL_PARTS + BETWEEN_PARTS;
  find_available (self);
  find_call_overheads (self, of, node);
  self->share = get_rest (self) / (gint64) self->n_parts;
  self->left_over = get_rest (self) % (gint64) self->n_parts;
  if (self->available > 0)
    add_typical (&of->typical, self->share, n_closed + n_entered);
  usual = get_time (of->typical.median);
  self->thin_left = get_parts (self, of->gap_at_call && self->share > usual ? usual : -1,
                               n_closed * RETURN_PARTS);
  self->thin_entered
      = get_parts (self, of->in_call && self->share > usual ? usual : -1, n_entered * CALL_PARTS);
  self->behind = self->thin_left;
  self->before = self->thin_entered;
  if (of->gap_at_call && of->in_call && of->n_frames > 0 && self->allowed == TB_CONTEXTS_RUNNING)
    learn_gap (self, of, node, common);
  set_change (self, 0);
}

/* The total time of the n innermost functions of all, which grows or shrinks by one function at a
 * time. Each function has its part of the thin time, in which it only passes the call on. The time
 * besides that may belong to any of them. It is given to the middle one, which is nearest to each
 * of them. If it is out of proportion, some function on the way took long. Thin functions around a
 * system call, such as the middle one, are then not charged with it: only the outermost one is,
 * because it contains all the others. */
typedef struct
{
  guint all;
  guint n;       /* number of functions included */
  gint64 thin;   /* thin time of these: n * each, and their part of left, rounded down */
  gint64 each;   /* thin time of one function */
  guint left;    /* remainder of the division, less than all */
  guint rounded; /* left * n % all */
  gint64 excess;
  guint excess_from; /* besides is included from this number of functions on */
} Parts;

/* n: number of functions included, 0 or all */
static Parts
divide (gint64 ns, gint64 thin, guint all, guint n)
{
  gint64 even = MIN (ns, thin);
  Parts parts = { .all = all, .n = n, .thin = n > 0 ? even : 0, .excess = ns - even };

  if (all == 0)
    return parts;
  parts.each = even / all;
  parts.left = (guint) (even % all);
  parts.excess_from = parts.excess / TB_CONTEXTS_MAX_EXCESS_FACTOR > even ? all : (all + 1) / 2;
  return parts;
}

static gint64
get_part (const Parts *self)
{
  return self->thin + (self->n >= self->excess_from ? self->excess : 0);
}

static void
include_next (Parts *self)
{
  self->n++;
  self->thin += self->each;
  self->rounded += self->left;
  if (self->rounded >= self->all)
    {
      self->rounded -= self->all;
      self->thin++;
    }
}

static void
exclude_last (Parts *self)
{
  self->n--;
  self->thin -= self->each;
  if (self->rounded < self->left)
    {
      self->rounded += self->all;
      self->thin--;
    }
  self->rounded -= self->left;
}

/* The time at which the wanted amount of available time has passed. Call it with ascending
 * amounts. */
static gint64
find_time (GapDivision *self, gint64 wanted)
{
  if (self->available == 0)
    return self->to;
  while (self->length == 0 || self->passed + self->length < wanted)
    {
      self->passed += self->length;
      set_change (self, self->i + 1);
    }
  return self->start + (wanted - self->passed);
}

/* --- events --- */

static void
reserve (TbContextsInference *self, guint n)
{
  if (n <= self->n_allocated)
    return;
  self->n_allocated = MAX (n, self->n_allocated * 2);
  self->frames = g_renew (TbContextsFrame, self->frames, self->n_allocated);
  self->entered = g_renew (guint32, self->entered, self->n_allocated);
}

/* Returns the depth to which the open frames and the context are equal. Lists the functions of the
 * context above that in entered, innermost first. */
static guint
find_common (TbContextsInference *self, guint32 node, guint *n_entered)
{
  const TbContextsTree *tree = self->tree;
  guint n = 0, depth = tree->depth[node];

  for (; depth > 0 && (depth > self->n_frames || self->frames[depth - 1].node != node); depth--)
    {
      self->entered[n++] = node;
      node = tree->parent[node];
    }
  *n_entered = n;
  return depth;
}

/* Returns precede calls. */
static void
close_frames (TbContextsInference *self, gint64 time, GapDivision *division)
{
  Parts parts = divide (division->behind, division->thin_left, division->n_closed, 0);

  for (guint i = 0; i < division->n_closed; i++)
    {
      include_next (&parts);
      close_frame (self, time, find_time (division, division->tail + get_part (&parts)));
    }
}

static void
open_frames (TbContextsInference *self, gint64 time, GapDivision *division)
{
  Parts parts
      = divide (division->before, division->thin_entered, division->n_entered, division->n_entered);

  for (guint i = division->n_entered; i > 0; i--)
    {
      guint32 node = self->entered[i - 1];
      gint64 from = find_time (division, division->available - division->head - get_part (&parts));

      self->frames[self->n_frames++]
          = (TbContextsFrame) { .node = node, .first = time, .from = place_boundary (self, from) };
      /* The frame will be closed soon. */
      if (self->totals != NULL)
        __builtin_prefetch (self->totals + node * self->size, 1);
      exclude_last (&parts);
    }
}

void
tb_contexts_inference_add (TbContextsInference *self, gint64 time, guint32 node)
{
  guint common, n_closed, n_entered;
  GapDivision division;

  if (node == 0)
    return;
  reserve (self, self->tree->depth[node]);
  if (!self->has_stack && self->gap == TB_TIME_NONE)
    begin_gap (self, time);
  common = find_common (self, node, &n_entered);
  n_closed = self->n_frames - common;
  if (n_closed + n_entered == 0)
    learn_repetition (self, time, node);
  else
    {
      gap_division_init (&division, self, time, node,
                         common > 0 ? self->frames[common - 1].node : 0, n_closed, n_entered);
      close_frames (self, time, &division);
      open_frames (self, time, &division);
    }
  if (self->ran_since != TB_TIME_NONE && time > self->ran_since)
    self->spacings[63 - __builtin_clzll ((unsigned long long) (time - self->ran_since))]++;
  self->ran_since = time;
  self->has_stack = TRUE;
  self->previous = self->latest = time;
  begin_gap (self, time);
  if (self->watch != NULL)
    self->watch (self, time, self->data);
}

void
tb_contexts_inference_leave_call (TbContextsInference *self, gint64 time, gint64 entered)
{
  self->in_call = FALSE;
  set_state (self, time);
  if (!self->has_stack)
    return;
  /* An event within the call shows the functions that made it. Its kernel functions last until
   * now. */
  if (self->previous >= entered)
    {
      while (self->n_frames > 0 && self->tree->kernel[self->frames[self->n_frames - 1].node])
        close_frame (self, time, time);
      self->latest = time;
      begin_gap (self, time);
      self->gap_at_call = TRUE;
      return;
    }
  /* Without an event within the call: kernel functions that were there before it had ended when it
   * began. */
  while (self->n_frames > 0 && self->tree->kernel[self->frames[self->n_frames - 1].node])
    {
      close_frame (self, time, MIN (entered, time));
      self->latest = time;
    }
}

static void
close_all (TbContextsInference *self, gint64 ended, gint64 to)
{
  while (self->n_frames > 0)
    close_frame (self, ended, to);
  self->has_stack = FALSE;
  self->gap = TB_TIME_NONE;
  g_array_set_size (self->changes, 0);
}

void
tb_contexts_inference_close (TbContextsInference *self, gint64 time)
{
  gint64 at = self->has_stack ? MAX (time, self->latest) : time;

  close_all (self, at, at);
}

void
tb_contexts_inference_end (TbContextsInference *self, gint64 to)
{
  close_all (self, self->latest, self->has_states ? MAX (to, self->latest) : self->latest);
}
