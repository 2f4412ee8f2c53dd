/* tb-sequence-order.c: order of events of the same time: the recorded one (from
 * tb-sequence-recorded), or else one deduced from the running thread and the open interrupts of
 * each CPU, which are tracked here
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/sequence/tb-sequence-private.h"

#include <string.h>

/* The tables have the order of the rows of each table only. If the order of simultaneous events was
 * not recorded, an order is computed. A recorder that receives the events in that order makes the
 * same rows in the same order again. It is: ends in the order of their rows, each preceded by its
 * beginning if that has the same time; other beginnings last, the outermost (which ends last)
 * first; wake-ups inside or outside the interrupts of their CPU according to their flags. A cause
 * of a wake-up (a completed request, a message, a mark) comes before the wake-up, the switch of a
 * thread that leaves its CPU comes after it. */

/* limits the time for ordering, however many simultaneous events a file has */
#define MAX_SEARCHED 64u

#define NONE G_MAXUINT

typedef struct
{
  TbSequence *events;
  guint next_exit; /* index in the group */
  guint next_switch;
  guint n_new; /* interrupts that begin at this time */
} Order;

static inline const TbSequenceEvent *
peek (const TbSequence *self, guint index)
{
  return &g_array_index (self->group, TbSequenceEvent, index);
}

static void
emit (TbSequence *self, const TbSequenceEvent *event)
{
  g_array_append_vals (self->ordered, event, 1);
}

static void
emit_all (TbSequence *self, guint kind)
{
  for (guint i = self->group_start[kind]; i < self->group_start[kind + 1]; i++)
    emit (self, peek (self, i));
}

/* The beginning of a thread comes before its other events, its exit after the end of its calls.
 * Returns the index of the first event that was not emitted. */
static guint
emit_processes (TbSequence *self, guint first, gboolean exits)
{
  for (; first < self->group_start[TB_ORDER_PROCESS + 1]; first++)
    {
      if (!exits
          && TB_SEQUENCE_VALUE (self, PROCESS, KIND, guint8, peek (self, first)->row)
                 == TB_PROCESS_EXIT)
        break;
      emit (self, peek (self, first));
    }
  return first;
}

static void
emit_as (TbSequence *self, const TbSequenceEvent *event, guint kind)
{
  TbSequenceEvent other = *event;

  other.kind = kind;
  emit (self, &other);
}

/* Emits the system calls or calls that end at this time. */
static void
emit_ends (TbSequence *self, guint beginnings, guint ends)
{
  const gint64 *enters = self->sources[beginnings].times;

  for (guint i = self->group_start[ends]; i < self->group_start[ends + 1]; i++)
    {
      const TbSequenceEvent event = *peek (self, i);

      if (enters[event.row] == event.time)
        emit_as (self, &event, beginnings);
      emit (self, &event);
    }
}

/* Emits the system calls or calls that begin at this time and end later. */
static void
emit_beginnings (TbSequence *self, guint beginnings, guint ends)
{
  const gint64 *exits = self->sources[ends].times;

  for (guint i = self->group_start[beginnings + 1]; i-- > self->group_start[beginnings];)
    {
      const TbSequenceEvent event = *peek (self, i);

      if (exits[event.row] != event.time)
        emit (self, &event);
    }
}

static guint16
get_interrupt_cpu (const TbSequence *self, guint32 row)
{
  return TB_SEQUENCE_VALUE (self, INTERRUPT, CPU, guint16, row);
}

static gboolean
is_instant (const TbSequence *self, const TbSequenceEvent *exit)
{
  return TB_SEQUENCE_VALUE (self, INTERRUPT, ENTER, gint64, exit->row) == exit->time;
}

/* Returns the index of the next end of an interrupt on the CPU, or NONE. */
static guint
find_exit (const Order *order, guint16 cpu)
{
  const TbSequence *self = order->events;
  guint end = MIN (self->group_start[TB_ORDER_INTERRUPT_EXIT + 1], order->next_exit + MAX_SEARCHED);

  for (guint i = order->next_exit; i < end; i++)
    if (get_interrupt_cpu (self, peek (self, i)->row) == cpu)
      return i;
  return NONE;
}

static void
enter (Order *order, guint index)
{
  TbSequence *self = order->events;
  const TbSequenceEvent event = *peek (self, index);
  TbSequenceCpu *cpu = &self->cpus[get_interrupt_cpu (self, event.row)];

  self->entered->data[index] = TRUE;
  if (cpu->depth < TB_SEQUENCE_MAX_DEPTH)
    cpu->kinds[cpu->depth++] = TB_SEQUENCE_VALUE (self, INTERRUPT, KIND, guint8, event.row);
  emit_as (self, &event, TB_ORDER_INTERRUPT_ENTER);
}

static void step_to (Order *order, guint end);

/* Emits the next switch. Before it come those ends of interrupts on its CPU, up to limit, that are
 * open already or that interrupted the thread which leaves. */
static void
emit_switch (Order *order, guint limit)
{
  TbSequence *self = order->events;
  guint index = order->next_switch, exit;
  const TbSequenceEvent *event = peek (self, index);
  guint16 cpu = TB_SEQUENCE_VALUE (self, SWITCH, CPU, guint16, event->row);

  while ((exit = find_exit (order, cpu)) != NONE && exit < limit)
    {
      const TbSequenceEvent *end = peek (self, exit);
      guint32 interrupted = TB_SEQUENCE_VALUE (self, INTERRUPT, THREAD, guint32, end->row);
      gint64 entered = TB_SEQUENCE_VALUE (self, INTERRUPT, ENTER, gint64, end->row);

      if (!self->entered->data[exit] && (entered == end->time || entered == TB_TIME_NONE)
          && self->cpus[cpu].current != TB_ID_NONE && interrupted != self->cpus[cpu].current)
        break;
      step_to (order, exit + 1);
    }
  if (order->next_switch != index)
    return;
  order->next_switch++;
  self->cpus[cpu].current = TB_SEQUENCE_VALUE (self, SWITCH, NEXT, guint32, event->row);
  emit (self, event);
}

/* If an interrupt interrupted a thread that is switched in at this time, it comes after that
 * switch: after the first such switch, as a later interrupt may have interrupted another thread. */
static void
switch_to_thread (Order *order, guint exit)
{
  TbSequence *self = order->events;
  guint32 row = peek (self, exit)->row;
  guint16 cpu = get_interrupt_cpu (self, row);
  guint32 thread = TB_SEQUENCE_VALUE (self, INTERRUPT, THREAD, guint32, row);
  guint end = MIN (self->group_start[TB_ORDER_SWITCH + 1], order->next_switch + MAX_SEARCHED);

  if (self->cpus[cpu].current == thread)
    return;
  for (guint i = order->next_switch; i < end; i++)
    if (TB_SEQUENCE_VALUE (self, SWITCH, CPU, guint16, peek (self, i)->row) == cpu
        && TB_SEQUENCE_VALUE (self, SWITCH, NEXT, guint32, peek (self, i)->row) == thread)
      {
        while (order->next_switch <= i)
          emit_switch (order, exit);
        return;
      }
}

static void
enter_instant (Order *order, guint exit)
{
  switch_to_thread (order, exit);
  enter (order, exit);
}

/* Emits the ends of interrupts before end in the order of their rows, and the beginnings that they
 * need. */
static void
step_to (Order *order, guint end)
{
  TbSequence *self = order->events;

  while (order->next_exit < end)
    {
      guint index = order->next_exit;
      const TbSequenceEvent event = *peek (self, index);
      TbSequenceCpu *cpu = &self->cpus[get_interrupt_cpu (self, event.row)];

      if (TB_SEQUENCE_VALUE (self, INTERRUPT, ENTER, gint64, event.row) == TB_TIME_NONE)
        switch_to_thread (order, index);
      else
        {
          if (is_instant (self, &event) && !self->entered->data[index])
            enter_instant (order, index);
          if (cpu->depth > 0)
            cpu->depth--;
        }
      emit (self, &event);
      order->next_exit++;
    }
}

/* Returns an interrupt on the CPU that begins at this time and ends later, or NONE. Outer
 * interrupts have a higher index than inner ones. */
static guint
find_new (const Order *order, guint16 cpu)
{
  const TbSequence *self = order->events;
  guint first = self->group_start[TB_ORDER_INTERRUPT_ENTER];
  guint least = order->n_new > MAX_SEARCHED ? first + order->n_new - MAX_SEARCHED : first;

  for (guint i = first + order->n_new; i-- > least;)
    if (!self->entered->data[i]
        && TB_SEQUENCE_VALUE (self, INTERRUPT, EXIT, gint64, peek (self, i)->row)
               != peek (self, i)->time
        && get_interrupt_cpu (self, peek (self, i)->row) == cpu)
      return i;
  return NONE;
}

/* Emits the beginning of the interrupt, after all switches on its CPU. */
static void
enter_new (Order *order, guint index)
{
  TbSequence *self = order->events;
  guint16 cpu = get_interrupt_cpu (self, peek (self, index)->row);
  guint end = MIN (self->group_start[TB_ORDER_SWITCH + 1], order->next_switch + MAX_SEARCHED);

  for (guint i = end; i-- > order->next_switch;)
    if (TB_SEQUENCE_VALUE (self, SWITCH, CPU, guint16, peek (self, i)->row) == cpu)
      while (order->next_switch <= i)
        emit_switch (order, self->group_start[TB_ORDER_INTERRUPT_EXIT + 1]);
  enter (order, index);
}

static void
enter_all_new (Order *order)
{
  TbSequence *self = order->events;

  for (guint i = self->group_start[TB_ORDER_INTERRUPT_ENTER] + order->n_new;
       i-- > self->group_start[TB_ORDER_INTERRUPT_ENTER];)
    if (!self->entered->data[i]
        && TB_SEQUENCE_VALUE (self, INTERRUPT, EXIT, gint64, peek (self, i)->row)
               != peek (self, i)->time)
      enter (order, i);
}

typedef enum
{
  ANYWHERE,
  OUTSIDE,
  IN_ANY,
  IN_HARD,
  IN_SOFT,
} Context;

static gboolean
is_in_context (const TbSequenceCpu *cpu, Context context)
{
  if (context == ANYWHERE)
    return TRUE;
  if (cpu->depth == 0 || context == OUTSIDE)
    return cpu->depth == 0 && context == OUTSIDE;
  return context == IN_ANY
         || (cpu->kinds[cpu->depth - 1] == TB_INTERRUPT_SOFT) == (context == IN_SOFT);
}

static gboolean
fits (const TbSequence *self, guint32 interrupt, Context context)
{
  gboolean soft = TB_SEQUENCE_VALUE (self, INTERRUPT, KIND, guint8, interrupt) == TB_INTERRUPT_SOFT;

  return context == IN_ANY || soft == (context == IN_SOFT);
}

/* Returns the number of interrupt ends to process until the CPU is in the context: 0 if it is in it
 * already, NONE if it cannot be reached. */
static guint
count_exits (const Order *order, guint16 cpu, Context context)
{
  const TbSequence *self = order->events;
  guint end = self->group_start[TB_ORDER_INTERRUPT_EXIT + 1];
  guint stop = MIN (end, order->next_exit + MAX_SEARCHED);
  guint depth = self->cpus[cpu].depth, fresh;

  if (is_in_context (&self->cpus[cpu], context))
    return 0;
  for (guint i = order->next_exit; i < stop; i++)
    {
      const TbSequenceEvent *exit = peek (self, i);

      if (get_interrupt_cpu (self, exit->row) != cpu)
        continue;
      if (context != OUTSIDE && fits (self, exit->row, context))
        return i + 1;
      if (!is_instant (self, exit) || self->entered->data[i])
        depth -= depth > 0;
      if (context == OUTSIDE && depth == 0)
        return i + 1;
    }
  fresh = context != OUTSIDE ? find_new (order, cpu) : NONE;
  return fresh != NONE && fits (self, peek (self, fresh)->row, context) ? end + 1 : NONE;
}

/* Whether an earlier interrupt begins after a switch that was not emitted yet: this one then does
 * so, too. */
static gboolean
follows_switches (const Order *order, guint exit)
{
  const TbSequence *self = order->events;

  for (guint i = order->next_exit; i < exit; i++)
    {
      guint32 row = peek (self, i)->row;

      if (is_instant (self, peek (self, i)) && !self->entered->data[i]
          && TB_SEQUENCE_VALUE (self, INTERRUPT, THREAD, guint32, row)
                 != self->cpus[get_interrupt_cpu (self, row)].current)
        return TRUE;
    }
  return FALSE;
}

/* Processes the interrupts of the CPU until it is in the context, and no further. */
static gboolean
reach_context (Order *order, guint16 cpu, Context context)
{
  TbSequence *self = order->events;
  const TbSequenceCpu *state = &self->cpus[cpu];
  guint next;

  if (count_exits (order, cpu, context) == NONE)
    return FALSE;
  while (!is_in_context (state, context) && (next = find_exit (order, cpu)) != NONE)
    if (context != OUTSIDE && is_instant (self, peek (self, next)) && !self->entered->data[next]
        && fits (self, peek (self, next)->row, context))
      {
        if (follows_switches (order, next))
          step_to (order, next);
        enter_instant (order, next);
      }
    else
      step_to (order, next + 1);
  while (!is_in_context (state, context) && context != OUTSIDE
         && (next = find_new (order, cpu)) != NONE)
    enter_new (order, next);
  return is_in_context (state, context);
}

static Context
get_context (const TbSequence *self, guint32 wakeup)
{
  guint8 flags = TB_SEQUENCE_VALUE (self, WAKEUP, FLAGS, guint8, wakeup);

  return flags & TB_WAKEUP_HARDIRQ ? IN_HARD : flags & TB_WAKEUP_SOFTIRQ ? IN_SOFT : OUTSIDE;
}

/* The interrupted thread is not recorded for messages that an interrupt handles. */
static Context
get_message_context (const TbSequence *self, guint32 row)
{
  guint16 cpu = TB_SEQUENCE_VALUE (self, NETWORK, CPU, guint16, row);
  guint32 thread = TB_SEQUENCE_VALUE (self, NETWORK, THREAD, guint32, row);

  return thread == TB_ID_NONE ? IN_ANY : thread == self->cpus[cpu].current ? OUTSIDE : ANYWHERE;
}

static void
emit_message (Order *order, guint index)
{
  TbSequence *self = order->events;
  const TbSequenceEvent event = *peek (self, index);

  reach_context (order, TB_SEQUENCE_VALUE (self, NETWORK, CPU, guint16, event.row),
                 get_message_context (self, event.row));
  emit (self, &event);
}

static void
emit_wakeup (Order *order, guint index)
{
  TbSequence *self = order->events;
  TbSequenceEvent event = *peek (self, index);
  Context context = get_context (self, event.row);

  event.lacks_interrupt
      = !reach_context (order, TB_SEQUENCE_VALUE (self, WAKEUP, CPU, guint16, event.row), context)
        && context != OUTSIDE;
  emit (self, &event);
}

/* Emits the one that needs fewer steps first: it may be in an interrupt that must end before the
 * other. */
static void
emit_messages_and_wakeups (Order *order)
{
  TbSequence *self = order->events;
  guint message = self->group_start[TB_ORDER_NETWORK],
        messages = self->group_start[TB_ORDER_NETWORK + 1];
  guint wakeup = self->group_start[TB_ORDER_WAKEUP],
        wakeups = self->group_start[TB_ORDER_WAKEUP + 1];

  while (message < messages && wakeup < wakeups)
    {
      guint32 one = peek (self, message)->row, other = peek (self, wakeup)->row;

      if (count_exits (order, TB_SEQUENCE_VALUE (self, NETWORK, CPU, guint16, one),
                       get_message_context (self, one))
          <= count_exits (order, TB_SEQUENCE_VALUE (self, WAKEUP, CPU, guint16, other),
                          get_context (self, other)))
        emit_message (order, message++);
      else
        emit_wakeup (order, wakeup++);
    }
  while (message < messages)
    emit_message (order, message++);
  while (wakeup < wakeups)
    emit_wakeup (order, wakeup++);
}

static void
reset_cpu (TbSequenceCpu *cpu)
{
  cpu->depth = 0;
  cpu->current = TB_ID_NONE;
}

/* After a gap, the running thread and the open interrupts are unknown. */
static void
reset_lost (TbSequence *self, guint32 row)
{
  guint16 cpu = TB_SEQUENCE_VALUE (self, LOST, CPU, guint16, row);

  reset_cpu (&self->cpus[cpu]);
  if (cpu == TB_CPU_ALL)
    for (guint k = 0; k < TB_CPU_ALL; k++)
      reset_cpu (&self->cpus[k]);
}

static void
emit_lost (TbSequence *self)
{
  for (guint i = self->group_start[TB_ORDER_LOST]; i < self->group_start[TB_ORDER_LOST + 1]; i++)
    {
      emit (self, peek (self, i));
      reset_lost (self, peek (self, i)->row);
    }
}

void
tb_sequence_update (TbSequence *self, TbSequenceEvent *event)
{
  TbSequenceCpu *cpu = NULL;

  switch (event->kind)
    {
    case TB_ORDER_SWITCH:
      self->cpus[TB_SEQUENCE_VALUE (self, SWITCH, CPU, guint16, event->row)].current
          = TB_SEQUENCE_VALUE (self, SWITCH, NEXT, guint32, event->row);
      break;
    case TB_ORDER_WAKEUP:
      cpu = &self->cpus[TB_SEQUENCE_VALUE (self, WAKEUP, CPU, guint16, event->row)];
      event->lacks_interrupt = get_context (self, event->row) != OUTSIDE
                               && !is_in_context (cpu, get_context (self, event->row));
      break;
    case TB_ORDER_INTERRUPT_ENTER:
      cpu = &self->cpus[get_interrupt_cpu (self, event->row)];
      if (cpu->depth < TB_SEQUENCE_MAX_DEPTH)
        cpu->kinds[cpu->depth++] = TB_SEQUENCE_VALUE (self, INTERRUPT, KIND, guint8, event->row);
      break;
    case TB_ORDER_INTERRUPT_EXIT:
      cpu = &self->cpus[get_interrupt_cpu (self, event->row)];
      if (cpu->depth > 0
          && TB_SEQUENCE_VALUE (self, INTERRUPT, ENTER, gint64, event->row) != TB_TIME_NONE)
        cpu->depth--;
      break;
    case TB_ORDER_LOST:
      reset_lost (self, event->row);
      break;
    default:
      break;
    }
}

/* Listed processes existed before all other events, whenever they were listed. */
static gboolean
is_existing (const TbSequence *self, const TbSequenceEvent *event)
{
  return event->kind == TB_ORDER_PROCESS
         && TB_SEQUENCE_VALUE (self, PROCESS, KIND, guint8, event->row) == TB_PROCESS_EXISTING;
}

/* Emits the events in their recorded order. Returns FALSE if the order at this time was not
 * recorded. */
static gboolean
emit_recorded (TbSequence *self)
{
  gint64 time = peek (self, 0)->time;
  gboolean recorded = FALSE;

  for (; self->next_recorded < self->recorded->len; self->next_recorded++)
    {
      TbSequenceEvent event = g_array_index (self->recorded, TbSequenceEvent, self->next_recorded);

      if (event.time > time)
        break;
      if (event.time < time)
        continue;
      recorded = TRUE;
      if (is_existing (self, &event) || self->sources[event.kind].n == 0)
        continue;
      tb_sequence_update (self, &event);
      emit (self, &event);
    }
  return recorded;
}

/* Orders the events of the group into self->ordered. */
void
tb_sequence_order (TbSequence *self)
{
  Order order = {
    .events = self,
    .next_exit = self->group_start[TB_ORDER_INTERRUPT_EXIT],
    .next_switch = self->group_start[TB_ORDER_SWITCH],
    .n_new
    = self->group_start[TB_ORDER_INTERRUPT_ENTER + 1] - self->group_start[TB_ORDER_INTERRUPT_ENTER],
  };
  guint exits = self->group_start[TB_ORDER_INTERRUPT_EXIT + 1], process;

  g_array_set_size (self->ordered, 0);
  emit_all (self, TB_SEQUENCE_EXISTING);
  if (emit_recorded (self))
    return;
  g_byte_array_set_size (self->entered, self->group->len);
  memset (self->entered->data, 0, self->group->len);
  process = emit_processes (self, self->group_start[TB_ORDER_PROCESS], FALSE);
  emit_ends (self, TB_ORDER_SYSCALL_ENTER, TB_ORDER_SYSCALL_EXIT);
  emit_ends (self, TB_ORDER_CALL_ENTER, TB_ORDER_CALL_EXIT);
  emit_processes (self, process, TRUE);
  emit_all (self, TB_ORDER_BLOCK_INSERT);
  emit_all (self, TB_ORDER_BLOCK_ISSUE);
  emit_all (self, TB_ORDER_BLOCK_COMPLETE);
  emit_all (self, TB_ORDER_SLEEP);
  emit_all (self, TB_ORDER_MARK);
  emit_messages_and_wakeups (&order);
  while (order.next_switch < self->group_start[TB_ORDER_SWITCH + 1])
    emit_switch (&order, exits);
  step_to (&order, exits);
  enter_all_new (&order);
  emit_all (self, TB_ORDER_SAMPLE);
  emit_beginnings (self, TB_ORDER_SYSCALL_ENTER, TB_ORDER_SYSCALL_EXIT);
  emit_beginnings (self, TB_ORDER_CALL_ENTER, TB_ORDER_CALL_EXIT);
  emit_lost (self);
}
