/* tb-csv-export-order.c: the order of events of one time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-export-private.h"

/* In the text the order of lines counts, at equal times too; in the tables only the order of rows within each. So among the
 * events of one time an order is made up in which reading the text gives the same rows in the same order again: ends in the
 * order of their rows, with the beginnings of what has no length right before them; other beginnings last, outermost (what
 * ends last) first; wakings inside or outside of the cpu's interrupts as their flags say. */

#define MAX_LOOKED_AT 64u /* whatever a file claims to have happened at once, ordering it stays quick */

typedef struct
{
  TbCsvEvents *events;
  guint next_exit;      /* in the group */
  gboolean has_entered; /* next_exit has no length and its beginning is written */
  guint next_switch;
  guint n_new; /* interrupts that begin and do not end now, the first at the end of their part of the group */
} Order;

static inline const TbCsvEvent *
peek (const TbCsvEvents *self, guint index)
{
  return &g_array_index (self->group, TbCsvEvent, index);
}

static void
emit (TbCsvEvents *self, const TbCsvEvent *event)
{
  g_array_append_vals (self->ordered, event, 1);
}

static void
emit_all (TbCsvEvents *self, TbCsvSource source)
{
  for (guint i = self->group_start[source]; i < self->group_start[source + 1]; i++)
    emit (self, peek (self, i));
}

static void
emit_as (TbCsvEvents *self, const TbCsvEvent *event, TbCsvSource source)
{
  TbCsvEvent other = *event;

  other.source = source;
  emit (self, &other);
}

/* System calls and calls: what ends now. */
static void
emit_ends (TbCsvEvents *self, TbCsvSource enter, TbCsvSource exit, const gint64 *enters)
{
  for (guint i = self->group_start[exit]; i < self->group_start[exit + 1]; i++)
    {
      const TbCsvEvent event = *peek (self, i);

      if (enters[event.row] == event.time)
        emit_as (self, &event, enter);
      emit (self, &event);
    }
}

/* What begins now and ends later. */
static void
emit_beginnings (TbCsvEvents *self, TbCsvSource enter, const gint64 *exits)
{
  for (guint i = self->group_start[enter + 1]; i-- > self->group_start[enter];)
    {
      const TbCsvEvent event = *peek (self, i);

      if (exits[event.row] != event.time)
        emit (self, &event);
    }
}

static guint16
get_interrupt_cpu (const TbCsvEvents *self, guint32 row)
{
  return TB_CSV_VALUE (self, INTERRUPT, CPU, guint16, row);
}

static void
emit_switch (Order *order)
{
  TbCsvEvents *self = order->events;
  const TbCsvEvent *event = peek (self, order->next_switch++);

  self->cpus[TB_CSV_VALUE (self, SWITCH, CPU, guint16, event->row)].current
      = TB_CSV_VALUE (self, SWITCH, NEXT, guint32, event->row);
  emit (self, event);
}

/* An interrupt that met the thread which a switch of this time brings comes behind that switch: behind the first, as a
 * later interrupt may have met whom it brings instead. */
static void
emit_switches_before (Order *order, guint32 row)
{
  TbCsvEvents *self = order->events;
  guint16 cpu = get_interrupt_cpu (self, row);
  guint32 thread = TB_CSV_VALUE (self, INTERRUPT, THREAD, guint32, row);
  guint end = MIN (self->group_start[TB_CSV_SWITCH + 1], order->next_switch + MAX_LOOKED_AT);

  if (self->cpus[cpu].current == thread)
    return;
  for (guint i = order->next_switch; i < end; i++)
    {
      guint32 other = peek (self, i)->row;

      if (TB_CSV_VALUE (self, SWITCH, CPU, guint16, other) == cpu
          && TB_CSV_VALUE (self, SWITCH, NEXT, guint32, other) == thread)
        {
          while (order->next_switch <= i)
            emit_switch (order);
          return;
        }
    }
}

static void
enter_interrupt (Order *order, const TbCsvEvent *event)
{
  TbCsvEvents *self = order->events;
  TbCsvCpu *cpu = &self->cpus[get_interrupt_cpu (self, event->row)];

  emit_switches_before (order, event->row);
  if (cpu->depth < TB_CSV_MAX_DEPTH)
    cpu->kinds[cpu->depth++] = TB_CSV_VALUE (self, INTERRUPT, KIND, guint8, event->row);
  emit_as (self, event, TB_CSV_IRQ_ENTER);
}

static gboolean
has_exits (const Order *order)
{
  return order->next_exit < order->events->group_start[TB_CSV_IRQ_EXIT + 1];
}

static gboolean
has_exits_of (const Order *order, guint16 cpu)
{
  guint end = MIN (order->events->group_start[TB_CSV_IRQ_EXIT + 1], order->next_exit + MAX_LOOKED_AT);

  for (guint i = order->next_exit; i < end; i++)
    if (get_interrupt_cpu (order->events, peek (order->events, i)->row) == cpu)
      return TRUE;
  return FALSE;
}

/* The next interrupt's end, or its beginning if it has no length. */
static void
step (Order *order)
{
  TbCsvEvents *self = order->events;
  const TbCsvEvent event = *peek (self, order->next_exit);
  TbCsvCpu *cpu = &self->cpus[get_interrupt_cpu (self, event.row)];

  if (!order->has_entered && TB_CSV_VALUE (self, INTERRUPT, ENTER, gint64, event.row) == event.time)
    {
      order->has_entered = TRUE;
      enter_interrupt (order, &event);
      return;
    }
  if (TB_CSV_VALUE (self, INTERRUPT, ENTER, gint64, event.row) == TB_TIME_NONE)
    emit_switches_before (order, event.row);
  else if (cpu->depth > 0)
    cpu->depth--;
  emit (self, &event);
  order->has_entered = FALSE;
  order->next_exit++;
}

/* The next interrupt that begins and does not end now, if it is one of the cpu; TB_CPU_ALL: of any. */
static gboolean
enter_new (Order *order, guint16 cpu)
{
  TbCsvEvents *self = order->events;

  while (order->n_new > 0)
    {
      const TbCsvEvent event = *peek (self, self->group_start[TB_CSV_IRQ_ENTER] + order->n_new - 1);

      if (TB_CSV_VALUE (self, INTERRUPT, EXIT, gint64, event.row) == event.time)
        {
          order->n_new--;
          continue;
        }
      if (cpu != TB_CPU_ALL && get_interrupt_cpu (self, event.row) != cpu)
        return FALSE;
      order->n_new--;
      enter_interrupt (order, &event);
      return TRUE;
    }
  return FALSE;
}

typedef enum
{
  OUTSIDE,
  IN_ANY,
  IN_HARD,
  IN_SOFT,
} Place;

static gboolean
is_at (const TbCsvCpu *cpu, Place place)
{
  if (cpu->depth == 0 || place == OUTSIDE)
    return cpu->depth == 0 && place == OUTSIDE;
  return place == IN_ANY || (cpu->kinds[cpu->depth - 1] == TB_INTERRUPT_SOFT) == (place == IN_SOFT);
}

/* Goes on with the interrupts of the cpu, no further than needed, until it is at the place. */
static gboolean
go_to (Order *order, guint16 cpu, Place place)
{
  const TbCsvCpu *state = &order->events->cpus[cpu];

  while (!is_at (state, place))
    if (has_exits_of (order, cpu))
      step (order);
    else if (place == OUTSIDE || !enter_new (order, cpu))
      return FALSE;
  return TRUE;
}

static void
emit_network (Order *order)
{
  TbCsvEvents *self = order->events;

  for (guint i = self->group_start[TB_CSV_NETWORK]; i < self->group_start[TB_CSV_NETWORK + 1]; i++)
    {
      const TbCsvEvent event = *peek (self, i);

      if (TB_CSV_VALUE (self, NETWORK, THREAD, guint32, event.row) == TB_ID_NONE)
        go_to (order, TB_CSV_VALUE (self, NETWORK, CPU, guint16, event.row), IN_ANY);
      emit (self, &event);
    }
}

static void
emit_wakeups (Order *order)
{
  TbCsvEvents *self = order->events;

  for (guint i = self->group_start[TB_CSV_WAKEUP]; i < self->group_start[TB_CSV_WAKEUP + 1]; i++)
    {
      TbCsvEvent event = *peek (self, i);
      guint8 flags = TB_CSV_VALUE (self, WAKEUP, FLAGS, guint8, event.row);
      Place place = flags & TB_WAKEUP_HARDIRQ ? IN_HARD : flags & TB_WAKEUP_SOFTIRQ ? IN_SOFT : OUTSIDE;

      event.wrap
          = !go_to (order, TB_CSV_VALUE (self, WAKEUP, CPU, guint16, event.row), place) && place != OUTSIDE;
      emit (self, &event);
    }
}

static void
emit_switches (Order *order)
{
  TbCsvEvents *self = order->events;

  while (order->next_switch < self->group_start[TB_CSV_SWITCH + 1])
    {
      guint16 cpu = TB_CSV_VALUE (self, SWITCH, CPU, guint16, peek (self, order->next_switch)->row);
      guint current = order->next_switch;

      while (current == order->next_switch && has_exits_of (order, cpu))
        step (order);
      if (current == order->next_switch)
        emit_switch (order);
    }
}

static void
forget_cpu (TbCsvCpu *cpu)
{
  cpu->depth = 0;
  cpu->current = TB_ID_NONE;
}

/* Behind a gap it is not known what runs and what is open. */
static void
emit_lost (TbCsvEvents *self)
{
  for (guint i = self->group_start[TB_CSV_LOST]; i < self->group_start[TB_CSV_LOST + 1]; i++)
    {
      guint16 cpu = TB_CSV_VALUE (self, LOST, CPU, guint16, peek (self, i)->row);

      emit (self, peek (self, i));
      forget_cpu (&self->cpus[cpu]);
      if (cpu == TB_CPU_ALL)
        for (guint k = 0; k < TB_CPU_ALL; k++)
          forget_cpu (&self->cpus[k]);
    }
}

#define TIMES(kind, column) (&TB_CSV_VALUE (self, kind, column, gint64, 0))

/* Puts the group into self->ordered. */
void
tb_csv_events_order (TbCsvEvents *self)
{
  Order order = {
    .events = self,
    .next_exit = self->group_start[TB_CSV_IRQ_EXIT],
    .next_switch = self->group_start[TB_CSV_SWITCH],
    .n_new = self->group_start[TB_CSV_IRQ_ENTER + 1] - self->group_start[TB_CSV_IRQ_ENTER],
  };

  g_array_set_size (self->ordered, 0);
  emit_all (self, TB_CSV_EXISTING);
  emit_all (self, TB_CSV_IO_INSERT);
  emit_all (self, TB_CSV_IO_ISSUE);
  emit_ends (self, TB_CSV_SYS_ENTER, TB_CSV_SYS_EXIT, TIMES (SYSCALL, ENTER));
  emit_ends (self, TB_CSV_CALL_ENTER, TB_CSV_CALL_EXIT, TIMES (CALL, ENTER));
  emit_all (self, TB_CSV_PROCESS);
  emit_all (self, TB_CSV_SLEEP);
  emit_network (&order);
  emit_wakeups (&order);
  emit_switches (&order);
  while (has_exits (&order))
    step (&order);
  while (enter_new (&order, TB_CPU_ALL))
    continue;
  emit_all (self, TB_CSV_SAMPLE);
  emit_all (self, TB_CSV_MARK);
  emit_beginnings (self, TB_CSV_SYS_ENTER, TIMES (SYSCALL, EXIT));
  emit_beginnings (self, TB_CSV_CALL_ENTER, TIMES (CALL, EXIT));
  emit_all (self, TB_CSV_IO_COMPLETE);
  emit_lost (self);
}
