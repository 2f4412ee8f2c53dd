/* calling-contexts-random.c: random recordings of many threads, and the steps of each thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-random.h"

#define FIRST_TID 1000
#define CREATOR 999
#define FIRST_FORKED 100000
#define MAX_DEPTH 7
#define LONGEST_STEP 12

static void
add_function (RandomRecording *self, guint function)
{
  g_autofree char *name = g_strdup_printf ("f%u", function);
  gboolean kernel = function >= RANDOM_FIRST_KERNEL;

  self->frames[function] = tb_recorder_intern_named_frame (self->recorder, name,
                                                           kernel         ? "[kernel]"
                                                           : function % 2 ? "lib"
                                                                          : "app",
                                                           kernel);
}

/* Kernel functions come after (inside) all others in a stack. */
static void
add_context (RandomRecording *self)
{
  guint n = (guint) g_rand_int_range (self->rand, 1, MAX_DEPTH + 1);
  guint n_kernel = (guint) g_rand_int_range (self->rand, 0, 3);
  guint functions[MAX_DEPTH];
  guint32 frames[MAX_DEPTH], node, stack;
  guint8 flags[MAX_DEPTH];

  for (guint i = 0; i < n; i++)
    {
      functions[i]
          = (guint) (i + n_kernel >= n
                         ? g_rand_int_range (self->rand, RANDOM_FIRST_KERNEL, RANDOM_N_FUNCTIONS)
                         : g_rand_int_range (self->rand, 0,
                                             g_rand_boolean (self->rand) ? 1
                                                                         : RANDOM_FIRST_KERNEL));
      frames[i] = self->frames[functions[i]];
      flags[i] = functions[i] >= RANDOM_FIRST_KERNEL ? TB_STACK_KERNEL : 0;
    }
  node = reference_tree_get (&self->tree, functions, n, RANDOM_FIRST_KERNEL);
  stack = tb_recorder_intern_stack (self->recorder, frames, flags, n);
  g_array_append_val (self->contexts, node);
  g_array_append_val (self->stacks, stack);
}

/* --- steps of a thread --- */

typedef struct
{
  RandomRecording *recording;
  GArray *steps;
  gint32 tid;
  guint16 cpu;
  gint64 time;
  gboolean in_call;
  gboolean off;
  gboolean ended;
} Actor;

static void
note (Actor *self, StepKind kind, guint32 node)
{
  const Step step = { kind, self->time, node };

  g_array_append_val (self->steps, step);
}

static void
add_event (Actor *self, TbEventKind kind, TbEvent event)
{
  event.time = self->time;
  event.kind = kind;
  event.cpu = self->cpu;
  if (event.tid == 0 && kind != TB_EVENT_SWITCH)
    event.tid = event.pid = self->tid;
  tb_recorder_add (self->recording->recorder, &event);
}

/* Draws one of the recorded stacks and notes a step for it. Without `always`, one event in five has
 * no stack. */
static guint32
draw_stack (Actor *self, gboolean always)
{
  RandomRecording *of = self->recording;
  guint which = (guint) g_rand_int_range (of->rand, 0, (gint32) of->contexts->len);

  if (!always && g_rand_int_range (of->rand, 0, 5) == 0)
    return TB_STACK_NONE;
  note (self, STEP_STACK, g_array_index (of->contexts, guint32, which));
  return g_array_index (of->stacks, guint32, which);
}

/* Events of all kinds that carry a stack of a running thread. The stack of an event in an interrupt
 * is not the thread's own. */
static void
add_stack_event (Actor *self)
{
  TbRecorder *recorder = self->recording->recorder;
  TbEvent event = { .a = 1 };

  switch (g_rand_int_range (self->recording->rand, 0, 8))
    {
    case 0:
      event = (TbEvent) { .a = CREATOR, .flags = TB_WAKEUP_HARDIRQ };
      event.stack = g_array_index (self->recording->stacks, guint32, 0);
      add_event (self, TB_EVENT_WAKEUP, event);
      return;
    case 1:
      event = (TbEvent) { .a = CREATOR, .stack = draw_stack (self, TRUE) };
      add_event (self, TB_EVENT_WAKEUP, event);
      return;
    case 2:
      event.text = tb_recorder_intern_string (recorder, "tcp", -1);
      event.stack = draw_stack (self, TRUE);
      add_event (self, TB_EVENT_NET_SEND, event);
      return;
    case 3:
      event = (TbEvent) { .a = (guint64) self->time, .b = 512, .device = self->recording->device };
      event.stack = draw_stack (self, TRUE);
      add_event (self, TB_EVENT_IO_INSERT, event);
      return;
    case 4:
      event = (TbEvent) { .text = tb_recorder_intern_string (recorder, "work", -1) };
      event.stack = draw_stack (self, TRUE);
      add_event (self, TB_EVENT_MARK, event);
      return;
    case 5:
      self->recording->n_forked++;
      event = (TbEvent) { .a = FIRST_FORKED + self->recording->n_forked };
      event.b = event.a;
      event.stack = draw_stack (self, TRUE);
      add_event (self, TB_EVENT_FORK, event);
      return;
    default:
      event.stack = draw_stack (self, TRUE);
      add_event (self, TB_EVENT_SAMPLE, event);
    }
}

static void
run_a_while (Actor *self)
{
  guint chance = (guint) g_rand_int_range (self->recording->rand, 0, 40);

  if (chance < 16)
    add_stack_event (self);
  else if (chance < 28 && !self->in_call)
    {
      note (self, STEP_ENTER_CALL, 0);
      self->in_call = TRUE;
      add_event (self, TB_EVENT_SYS_ENTER, (TbEvent) { .stack = draw_stack (self, FALSE) });
    }
  else if (chance < 28)
    {
      note (self, STEP_LEAVE_CALL, 0);
      self->in_call = FALSE;
      add_event (self, TB_EVENT_SYS_EXIT, (TbEvent) { 0 });
    }
  else if (chance < 37)
    {
      guint32 stack = draw_stack (self, FALSE);

      note (self, STEP_OFF_CPU, 0);
      self->off = TRUE;
      add_event (self, TB_EVENT_SWITCH,
                 (TbEvent) { .tid = self->tid, .pid = self->tid, .code = 'S', .stack = stack });
    }
  else if (chance < 39)
    {
      g_autofree char *program
          = g_strdup_printf ("/bin/%d", g_rand_int_range (self->recording->rand, 0, 1000000));

      note (self, STEP_EXEC, 0);
      add_event (self, TB_EVENT_EXEC,
                 (TbEvent) {
                     .text = tb_recorder_intern_string (self->recording->recorder, program, -1) });
    }
  else
    {
      /* The recorder ends an open system call together with its thread. */
      if (self->in_call)
        note (self, STEP_LEAVE_CALL, 0);
      note (self, STEP_CLOSE, 0);
      self->ended = TRUE;
      add_event (self, TB_EVENT_EXIT, (TbEvent) { 0 });
    }
}

static void
act (Actor *self, RandomKind kind)
{
  if (kind == RANDOM_MARKS)
    add_event (self, TB_EVENT_MARK,
               (TbEvent) { .stack = draw_stack (self, TRUE),
                           .text
                           = tb_recorder_intern_string (self->recording->recorder, "m", -1) });
  else if (self->off)
    {
      note (self, STEP_ON_CPU, 0);
      self->off = FALSE;
      add_event (self, TB_EVENT_SWITCH,
                 (TbEvent) { .a = (guint64) self->tid, .b = (guint64) self->tid, .code = 'R' });
    }
  else
    run_a_while (self);
}

static void
add_thread (RandomRecording *self, RandomKind kind, guint n_most)
{
  Actor actor = { .recording = self,
                  .steps = g_array_new (FALSE, FALSE, sizeof (Step)),
                  .tid = FIRST_TID + (gint32) self->threads->len,
                  .cpu = (guint16) self->threads->len,
                  .time = g_rand_int_range (self->rand, 1, LONGEST_STEP) };
  guint n = (guint) g_rand_int_range (self->rand, 1, (gint32) n_most + 1);

  g_ptr_array_add (self->threads, actor.steps);
  if (kind == RANDOM_ALL && g_rand_int_range (self->rand, 0, 4) == 0)
    {
      note (&actor, STEP_FORK, 0);
      actor.off = TRUE;
      add_event (&actor, TB_EVENT_FORK,
                 (TbEvent) { .tid = CREATOR,
                             .pid = CREATOR,
                             .a = (guint64) actor.tid,
                             .b = (guint64) actor.tid });
      actor.time++;
    }
  for (guint i = 0; i < n && !actor.ended; i++)
    {
      act (&actor, kind);
      actor.time += g_rand_int_range (self->rand, 1, LONGEST_STEP);
    }
}

/* --- lost events --- */

typedef struct
{
  gint64 from;
  gint64 to;
} Loss;

/* A call that is open between two events of a thread, with lost events between them, ends where the
 * lost range begins, or at the first event in it. */
static void
close_between (GArray *steps, const GArray *losses, gint64 before, gint64 after)
{
  Step step = { STEP_CLOSE, G_MAXINT64, 0 };

  for (guint i = 0; i < losses->len; i++)
    {
      const Loss *loss = &g_array_index (losses, Loss, i);

      if (loss->from <= after && loss->to >= before)
        step.time = MIN (step.time, MAX (loss->from, before));
    }
  if (step.time != G_MAXINT64)
    g_array_append_val (steps, step);
}

static GArray *
lose (const GArray *steps, const GArray *losses, gint64 from, gint64 to)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (Step));
  gint64 before = from;

  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);

      if (step->time != before || i == 0)
        close_between (out, losses, before, step->time);
      g_array_append_vals (out, step, 1);
      before = step->time;
    }
  close_between (out, losses, before, to);
  return out;
}

static GArray *
add_losses (RandomRecording *self, guint n_losses)
{
  GArray *losses = g_array_new (FALSE, FALSE, sizeof (Loss));

  for (guint i = 0; i < n_losses; i++)
    {
      gint64 from = g_rand_int_range (self->rand, 1, 200);
      const Loss loss = { from, from + g_rand_int_range (self->rand, 0, 30) };
      const TbEvent event = {
        .time = loss.to, .kind = TB_EVENT_LOST, .cpu = TB_CPU_ALL, .a = 1, .b = (guint64) loss.from
      };

      g_array_append_val (losses, loss);
      tb_recorder_add (self->recorder, &event);
    }
  return losses;
}

/* --- trace --- */

static guint32
find_in_reference (const RandomRecording *self, guint32 parent, guint function)
{
  for (guint32 i = 1; i < self->tree.parent->len; i++)
    if (g_array_index (self->tree.parent, guint32, i) == parent
        && g_array_index (self->tree.function, guint32, i) == function)
      return i;
  g_assert_not_reached ();
}

static void
flatten (RandomRecording *self)
{
  guint32 n = tb_context_tree_get_n_nodes (self->context_tree);
  guint32 *parents = g_new0 (guint32, n), *depths = g_new0 (guint32, n),
          *functions = g_new0 (guint32, n);
  guint8 *kernel = g_new0 (guint8, n);

  self->in_reference = g_new0 (guint32, n);
  for (guint32 i = 1; i < n; i++)
    {
      TbContextNode node;

      tb_context_tree_get_node (self->context_tree, i, &node);
      parents[i] = node.parent;
      depths[i] = node.depth;
      kernel[i] = node.kernel;
      functions[i] = tb_context_tree_get_function (self->context_tree, i);
      self->in_reference[i] = find_in_reference (self, self->in_reference[node.parent],
                                                 (guint) (node.function[1] - '0'));
    }
  self->flat = (TbContextsTree) { n, parents, depths, kernel, functions };
}

RandomRecording *
random_recording_new (GRand *rand, RandomKind kind, guint n_threads, guint n_contexts, guint n_most)
{
  RandomRecording *self = g_new0 (RandomRecording, 1);
  g_autoptr (GArray) losses = NULL;
  gint64 from;

  self->rand = rand;
  self->threads = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->contexts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->stacks = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->recorder = recording_new ("random");
  tb_recorder_add_host (self->recorder, "host", "", "x86_64", n_threads, 0);
  self->device = tb_recorder_intern_device (self->recorder, 0, "sda", "disk", "8:0");
  reference_tree_init (&self->tree);
  for (guint i = 0; i < RANDOM_N_FUNCTIONS; i++)
    add_function (self, i);
  for (guint i = 0; i < n_contexts; i++)
    add_context (self);
  for (guint i = 0; i < n_threads; i++)
    add_thread (self, kind, n_most);
  losses = add_losses (self, kind == RANDOM_ALL ? (guint) g_rand_int_range (rand, 0, 4) : 0);
  self->trace = recording_open (g_steal_pointer (&self->recorder));
  tb_trace_get_range (self->trace, &from, &self->end);
  for (guint i = 0; i < n_threads; i++)
    {
      GArray *steps = g_ptr_array_index (self->threads, i);

      self->threads->pdata[i] = lose (steps, losses, from, self->end);
      g_array_unref (steps);
    }
  self->context_tree = tb_trace_get_context_tree (self->trace);
  flatten (self);
  return self;
}

void
random_recording_free (RandomRecording *self)
{
  g_ptr_array_unref (self->threads);
  g_array_unref (self->contexts);
  g_array_unref (self->stacks);
  g_object_unref (self->context_tree);
  g_object_unref (self->trace);
  reference_tree_clear (&self->tree);
  g_free ((gpointer) self->flat.parent);
  g_free ((gpointer) self->flat.depth);
  g_free ((gpointer) self->flat.function);
  g_free ((gpointer) self->flat.kernel);
  g_free (self->in_reference);
  g_free (self);
}

guint32
random_recording_find_thread (const RandomRecording *self, guint index)
{
  return recording_find_thread (self->trace, FIRST_TID + (gint32) index);
}

GArray *
random_recording_infer (const RandomRecording *self, guint index)
{
  const GArray *steps = g_ptr_array_index (self->threads, index);

  return reference_infer (&self->tree, (const Step *) (gpointer) steps->data, steps->len,
                          self->end);
}

char *
random_recording_name (const RandomRecording *self, guint32 node)
{
  g_autofree char *callers = NULL;
  guint32 parent = g_array_index (self->tree.parent, guint32, node);
  guint function = g_array_index (self->tree.function, guint32, node);

  if (parent == 0)
    return g_strdup_printf ("f%u", function);
  callers = random_recording_name (self, parent);
  return g_strdup_printf ("%s;f%u", callers, function);
}
