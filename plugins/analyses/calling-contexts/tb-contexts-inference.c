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
}

void
tb_contexts_inference_clear (TbContextsInference *self)
{
  g_clear_pointer (&self->frames, g_free);
  g_clear_pointer (&self->entered, g_free);
  g_clear_pointer (&self->changes, g_array_unref);
}

/* From now on it is unknown what is called and left. */
static void
begin_gap (TbContextsInference *self, gint64 time)
{
  TbContextsChange change = { time, self->state };

  self->gap = time;
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

void
tb_contexts_inference_set_off_cpu (TbContextsInference *self, gint64 time, gboolean off_cpu)
{
  if (!off_cpu && self->off_cpu)
    self->ran_since = time;
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

/* --- placing boundaries in a gap --- */

/* Walks through that time of a gap in which the thread was in a state that allows calls and returns. */
typedef struct
{
  const TbContextsInference *of;
  TbContextsState allowed; /* and those before it */
  gint64 to;
  gint64 available;
  guint n_parts; /* one more than there are boundaries */
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
spread_init (Spread *self, const TbContextsInference *of, gint64 to, guint n_boundaries)
{
  *self = (Spread) { .of = of, .to = to, .n_parts = n_boundaries + 1 };
  /* Where it never ran outside the kernel it must have been in there, or the events are not what they seem. */
  for (self->allowed = TB_CONTEXTS_RUNS; self->allowed <= TB_CONTEXTS_OFF_CPU; self->allowed++)
    {
      for (guint i = 0; i < of->changes->len; i++)
        self->available += get_length (self, i);
      if (self->available > 0)
        return;
    }
  self->allowed = TB_CONTEXTS_OFF_CPU;
}

/* The time of a boundary, 1…; in ascending order. */
static gint64
spread_get (Spread *self, guint boundary)
{
  gint64 part = self->available / self->n_parts, rest = self->available % self->n_parts;
  gint64 wanted = part * boundary + rest * boundary / self->n_parts;

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
  if (n_closed + n_entered > 0)
    {
      spread_init (&spread, self, time, n_closed + n_entered);
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
