/* tb-contexts-inference.c: when functions were entered and left, inferred from the stacks of one thread
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
  self->heads = tb_contexts_heads_new ();
}

void
tb_contexts_inference_clear (TbContextsInference *self)
{
  g_clear_pointer (&self->frames, g_free);
  g_clear_pointer (&self->entered, g_free);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->gaps, tb_contexts_gaps_free);
  g_clear_pointer (&self->heads, tb_contexts_heads_free);
}

/* From now on it is unknown what is called and left. */
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
                                          : TB_CONTEXTS_RUNS;
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
  self->seen = self->has_states = self->in_call = self->off_cpu = FALSE;
  self->state = TB_CONTEXTS_RUNS;
  self->previous = self->latest = self->gap = TB_TIME_NONE;
  self->floor = G_MININT64;
  self->ran_since = TB_TIME_NONE;
  memset (&self->typical, 0, sizeof self->typical);
  tb_contexts_gaps_reset (self->gaps);
  tb_contexts_heads_reset (self->heads);
  g_array_set_size (self->changes, 0);
}

void
tb_contexts_inference_start (TbContextsInference *self, gint64 time, gboolean is_new)
{
  /* What is new has to get a cpu first; where no switches are known all its time counts alike. */
  self->off_cpu |= is_new;
  set_state (self, time);
  begin_gap (self, time);
}

/* A thread that has to give way when its system call ends does so before it goes on: it leaves the call, as far as functions are
 * concerned, when it gets a cpu again. That it is by chance that it is switched so soon is unlikely. */
#define GIVES_WAY_NS 5000

static void
give_way (TbContextsInference *self, gint64 time)
{
  TbContextsChange *first;

  if (self->gap == TB_TIME_NONE || !self->gap_at_call || self->changes->len != 1)
    return;
  first = &g_array_index (self->changes, TbContextsChange, 0);
  if (first->state == TB_CONTEXTS_RUNS && time - first->time <= GIVES_WAY_NS)
    first->state = TB_CONTEXTS_IN_KERNEL;
}

void
tb_contexts_inference_set_off_cpu (TbContextsInference *self, gint64 time, gboolean off_cpu)
{
  if (!off_cpu && self->off_cpu)
    self->ran_since = time;
  if (off_cpu && !self->off_cpu)
    give_way (self, time);
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

/* Boundaries are in time, inside one another, and after what is known already. */
static gint64
place (TbContextsInference *self, gint64 time)
{
  self->floor = MAX (self->floor, time);
  return self->floor;
}

/* Closes the innermost frame. */
static void
close_frame (TbContextsInference *self, gint64 ended, gint64 to)
{
  const TbContextsFrame *frame = &self->frames[--self->n_frames];
  TbContextsInstance instance = { .node = frame->node,
                                  .thread = self->thread,
                                  .first = frame->first,
                                  .last = self->previous,
                                  .ended = ended,
                                  .from = frame->from,
                                  .to = place (self, to) };

  instance.latency[TB_CONTEXTS_CONSERVATIVE] = instance.last - instance.first;
  instance.latency[TB_CONTEXTS_AGGRESSIVE] = instance.ended - instance.first;
  instance.latency[TB_CONTEXTS_REFINED] = instance.to - instance.from;
  for (guint i = 0; i < TB_CONTEXTS_N_ESTIMATES; i++)
    {
      instance.own[i] = instance.latency[i] - frame->called[i];
      if (self->n_frames > 0)
        self->frames[self->n_frames - 1].called[i] += instance.latency[i];
    }
  self->sink (&instance, self->data);
}

/* --- what is usual --- */

/* A return takes a part of what a call does: a function that has what it asked the kernel for is soon over, one that asks it
 * prepares that. */
#define RETURN_PARTS 1u
#define CALL_PARTS 4u
/* What calls them in turn does little between. */
#define BETWEEN_PARTS 1u

static guint
get_magnitude (gint64 ns)
{
  guint power = ns >= 16 ? 63 - (guint) __builtin_clzll ((unsigned long long) ns) : 4;

  return ns >= 16 ? (power - 3) * 16 + (guint) (ns >> (power - 4) & 15) : (guint) MAX (ns, 0);
}

/* The middle of a magnitude. */
static gint64
get_time (guint magnitude)
{
  guint shift = magnitude < 32 ? 0 : magnitude / 16 - 1;

  return magnitude < 32 ? magnitude : ((gint64) (16 + magnitude % 16) << shift) + ((gint64) 1 << (shift - 1));
}

/* The median moves by what was added. */
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

/* Walks through that time of a gap in which the thread was in a state that allows calls and returns. */
typedef struct
{
  const TbContextsInference *of;
  TbContextsState allowed; /* and those before it */
  gint64 to;
  gint64 available;
  guint n_closed;
  guint n_entered;
  gint64 tail; /* what the innermost ones do around their system calls at least */
  gint64 head;
  guint64 n_parts;    /* of the rest, where nothing is known of it */
  gint64 thin_behind; /* what all do that are left, and all that are entered, as far as they only pass on */
  gint64 thin_before;
  gint64 behind; /* and altogether */
  gint64 before;
  guint i;
  gint64 passed; /* available time before change i */
} Spread;

static gint64
get_end (const Spread *self, guint i)
{
  const GArray *changes = self->of->changes;

  return i + 1 < changes->len ? MIN (g_array_index (changes, TbContextsChange, i + 1).time, self->to)
                              : self->to;
}

static gint64
get_length (const Spread *self, guint i)
{
  const TbContextsChange *change = &g_array_index (self->of->changes, TbContextsChange, i);

  return change->state <= self->allowed ? MAX (get_end (self, i) - change->time, 0) : 0;
}

static void
find_available (Spread *self)
{
  /* Where it never ran outside the kernel it must have been in there, or the events are not what they seem. */
  for (self->allowed = TB_CONTEXTS_RUNS; self->allowed <= TB_CONTEXTS_OFF_CPU; self->allowed++)
    {
      for (guint i = 0; i < self->of->changes->len; i++)
        self->available += get_length (self, i);
      if (self->available > 0)
        return;
    }
  self->allowed = TB_CONTEXTS_OFF_CPU;
}

/* What other functions than those that make the system calls can have taken. */
static gint64
get_rest (const Spread *self)
{
  return self->available - self->tail - self->head;
}

/* Around system calls: what the functions that make them take at least. */
static void
find_heads (Spread *self, TbContextsInference *of, guint32 node)
{
  guint32 function = of->tree->function[node];
  gint64 behind, before;

  if (of->gap_at_call && of->in_call && self->allowed == TB_CONTEXTS_RUNS)
    tb_contexts_heads_add (of->heads, function, self->available);
  tb_contexts_heads_get (of->heads, function, &behind, &before);
  self->tail
      = of->gap_at_call && (self->n_closed > 0 || self->n_entered == 0) ? MIN (behind, self->available) : 0;
  self->head = of->in_call && (self->n_entered > 0 || self->n_closed == 0)
                   ? MIN (before, self->available - self->tail)
                   : 0;
}

static gint64
get_parts (const Spread *self, gint64 part, guint64 n)
{
  gint64 parts = (gint64) self->n_parts, rest = get_rest (self);

  return part >= 0 ? part * (gint64) n : rest / parts * (gint64) n + rest % parts * (gint64) n / parts;
}

/* Between two system calls: what other gaps tell of these functions. */
static void
learn (Spread *self, TbContextsInference *of, guint32 node, guint32 common)
{
  guint32 before = of->frames[of->n_frames - 1].node;
  TbContextsBounds left, entered;

  tb_contexts_gaps_learn (of->gaps, before, node, common, get_rest (self), &left, &entered);
  self->behind = CLAMP (self->thin_behind, left.least, left.most);
  self->before = CLAMP (self->thin_before, entered.least, entered.most);
  if (self->behind > get_rest (self) - self->before)
    {
      double part = (double) get_rest (self) / ((double) self->behind + (double) self->before);

      self->behind = (gint64) ((double) self->behind * part);
      self->before = (gint64) ((double) self->before * part);
    }
}

/* Two system calls in one context: what lies between them is learned, too. */
static void
repeat (TbContextsInference *of, gint64 to, guint32 node)
{
  Spread spread = { .of = of, .to = to };

  if (!of->gap_at_call || !of->in_call)
    return;
  find_available (&spread);
  find_heads (&spread, of, node);
  if (spread.allowed == TB_CONTEXTS_RUNS)
    tb_contexts_gaps_add_again (of->gaps, node, get_rest (&spread));
}

static void
spread_init (Spread *self,
             TbContextsInference *of,
             gint64 to,
             guint32 node,
             guint32 common,
             guint n_closed,
             guint n_entered)
{
  gint64 share, usual;

  *self = (Spread) { .of = of, .to = to, .n_closed = n_closed, .n_entered = n_entered };
  self->n_parts = (guint64) n_closed * RETURN_PARTS + (guint64) n_entered * CALL_PARTS + BETWEEN_PARTS;
  find_available (self);
  find_heads (self, of, node);
  share = get_rest (self) / (gint64) self->n_parts;
  if (self->available > 0)
    add_typical (&of->typical, share, n_closed + n_entered);
  usual = get_time (of->typical.median);
  self->thin_behind
      = get_parts (self, of->gap_at_call && share > usual ? usual : -1, n_closed * RETURN_PARTS);
  self->thin_before = get_parts (self, of->in_call && share > usual ? usual : -1, n_entered * CALL_PARTS);
  self->behind = self->thin_behind;
  self->before = self->thin_before;
  if (of->gap_at_call && of->in_call && of->n_frames > 0 && self->allowed == TB_CONTEXTS_RUNS)
    learn (self, of, node, common);
}

/* What the innermost so many of all take. What they do besides being thin may be done by any of them: by the middle one, which is
 * least far from each. Where that is out of all proportion, something took long on the way there, and thin functions around a
 * system call, the middle one among them, are not told of it: only the outermost one is, which has all of the way in it. */
static gint64
get_part (gint64 ns, gint64 thin, guint n, guint all)
{
  gint64 even = MIN (ns, thin), besides = ns - even;
  gboolean is_far = besides / TB_CONTEXTS_FAR > even;

  return even / all * n + even % all * n / all + ((is_far ? n == all : n * 2 >= all) ? besides : 0);
}

/* How much of the time that is available lies before a boundary. */
static gint64
get_wanted (const Spread *self, guint boundary)
{
  guint inner = self->n_closed + self->n_entered + 1 - boundary;

  if (boundary <= self->n_closed)
    return self->tail + get_part (self->behind, self->thin_behind, boundary, self->n_closed);
  return self->available - self->head - get_part (self->before, self->thin_before, inner, self->n_entered);
}

/* The time of a boundary, 1…; in ascending order: first returns, then calls. */
static gint64
spread_get (Spread *self, guint boundary)
{
  gint64 wanted = get_wanted (self, boundary);

  if (self->available == 0)
    return self->to;
  for (;; self->i++)
    {
      gint64 length = get_length (self, self->i);

      if (length > 0 && self->passed + length >= wanted)
        break;
      self->passed += length;
    }
  return g_array_index (self->of->changes, TbContextsChange, self->i).time + (wanted - self->passed);
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

/* Down to where the open frames and the context are the same; what lies above there is noted innermost first. */
static guint
find_common (TbContextsInference *self, guint32 node, guint *n_entered)
{
  const TbContextsTree *tree = self->tree;
  guint n = 0;

  while (node != 0
         && (tree->depth[node] > self->n_frames || self->frames[tree->depth[node] - 1].node != node))
    {
      self->entered[n++] = node;
      node = tree->parent[node];
    }
  *n_entered = n;
  return node != 0 ? tree->depth[node] : 0;
}

void
tb_contexts_inference_add (TbContextsInference *self, gint64 time, guint32 node)
{
  guint common, n_closed, n_entered;
  Spread spread;

  if (node == 0)
    return;
  reserve (self, self->tree->depth[node]);
  if (!self->seen && self->gap == TB_TIME_NONE)
    begin_gap (self, time);
  common = find_common (self, node, &n_entered);
  n_closed = self->n_frames - common;
  if (n_closed + n_entered == 0)
    repeat (self, time, node);
  else
    {
      spread_init (&spread, self, time, node, common > 0 ? self->frames[common - 1].node : 0, n_closed,
                   n_entered);
      for (guint i = 1; i <= n_closed; i++)
        close_frame (self, time, spread_get (&spread, i));
      for (guint i = 1; i <= n_entered; i++)
        self->frames[self->n_frames++]
            = (TbContextsFrame) { .node = self->entered[n_entered - i],
                                  .first = time,
                                  .from = place (self, spread_get (&spread, n_closed + i)) };
    }
  if (self->ran_since != TB_TIME_NONE && time > self->ran_since)
    self->spacings[63 - __builtin_clzll ((unsigned long long) (time - self->ran_since))]++;
  self->ran_since = time;
  self->seen = TRUE;
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
  if (!self->seen)
    return;
  /* An event in the call shows what made it, which goes on until here. */
  if (self->previous >= entered)
    {
      while (self->n_frames > 0 && self->tree->kernel[self->frames[self->n_frames - 1].node])
        close_frame (self, time, time);
      self->latest = time;
      begin_gap (self, time);
      self->gap_at_call = TRUE;
      return;
    }
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
  self->seen = FALSE;
  self->gap = TB_TIME_NONE;
  g_array_set_size (self->changes, 0);
}

void
tb_contexts_inference_close (TbContextsInference *self, gint64 time)
{
  gint64 at = self->seen ? MAX (time, self->latest) : time;

  close_all (self, at, at);
}

void
tb_contexts_inference_end (TbContextsInference *self, gint64 to)
{
  close_all (self, self->latest, self->has_states ? MAX (to, self->latest) : self->latest);
}
