/* tb-trace-causes.c: cause of each wake-up (thread, device, message, interrupt, signal or timer),
 * from the open interrupt handlers of each CPU, which it tracks, messages, requests
 * (tb-trace-causes-requests) and system calls (tb-trace-causes-senders)
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-causes-private.h"

/* A softirq that begins within this time (ns) after a hard interrupt was raised by it. A later one
 * runs because the current thread, by sending, raised it. */
#define MAX_RAISE_DELAY 20000
/* Without interrupt events: a thread's own request that completed on this CPU at most this long
 * (ns) before a wake-up caused it. */
#define MAX_COMPLETION_DELAY 50000

static gboolean
is_timer_interrupt (const TbTraceInput *input, gsize row)
{
  guint32 device = input->interrupts.device[row];

  return input->interrupts.kind[row] == TB_INTERRUPT_TIMER
         || (input->device_classes != NULL && device < input->n_devices
             && input->device_classes[device] == TB_DEVICE_TIMER);
}

void
tb_causes_init (TbCauses *causes, const TbTraceInput *input, guint n_cpus)
{
  const TbInterruptColumns *interrupts = &input->interrupts;

  *causes = (TbCauses) { .input = input, .n_cpus = n_cpus };
  causes->cpus = g_new0 (TbCpu, MAX (n_cpus, 1));
  for (guint cpu = 0; cpu < n_cpus; cpu++)
    {
      causes->cpus[cpu].current = TB_ID_NONE;
      causes->cpus[cpu].hard_exit = -1;
      causes->cpus[cpu].transmit_exit = -1;
      causes->cpus[cpu].hard_device = TB_ID_NONE;
      causes->cpus[cpu].receive_time = -1;
    }
  tb_causes_init_requests (causes);

  causes->syscalls = tb_group_order (input->syscalls.thread, input->syscalls.n, input->n_threads,
                                     &causes->syscalls_first);
  causes->syscalls_next
      = g_memdup2 (causes->syscalls_first, sizeof (guint32) * ((gsize) input->n_threads + 1));

  for (gsize row = 0; row < interrupts->n; row++)
    {
      causes->has_hard_interrupts |= interrupts->kind[row] == TB_INTERRUPT_HARD;
      /* Without its beginning, no wake-up is found in it. */
      if (interrupts->enter[row] < 0)
        {
          causes->unbalanced++;
          continue;
        }
      causes->has_softirqs |= interrupts->kind[row] == TB_INTERRUPT_SOFT;
      causes->has_timer_interrupts |= is_timer_interrupt (input, row);
      /* Interrupts of the CPU itself, which have vectors only, have no device. */
      causes->has_handlers
          |= interrupts->kind[row] == TB_INTERRUPT_HARD && interrupts->device[row] != TB_ID_NONE;
    }
}

void
tb_causes_clear (TbCauses *causes)
{
  g_clear_pointer (&causes->cpus, g_free);
  g_clear_pointer (&causes->issuers, g_free);
  g_clear_pointer (&causes->issuer_of_row, g_free);
  g_clear_pointer (&causes->issuer_of_thread, g_free);
  g_clear_pointer (&causes->syscalls, g_free);
  g_clear_pointer (&causes->syscalls_first, g_free);
  g_clear_pointer (&causes->syscalls_next, g_free);
}

static gboolean
is_softirq (const TbInterruptColumns *interrupts, guint32 row, guint32 vector)
{
  return interrupts->kind[row] == TB_INTERRUPT_SOFT && interrupts->vector[row] == vector;
}

/* Whether what raised a softirq of the network may be a timer that was not recorded: it makes a
 * queueing discipline send what it held back (net/sched/sch_api.c, qdisc_watchdog()), and what is
 * sent to this machine then arrives. */
static gboolean
may_be_of_timer (const TbCauses *causes, const TbCpu *cpu, const TbContext *context)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;

  if (is_softirq (interrupts, context->row, TB_SOFTIRQ_NET_TX))
    return !context->raised_by_hard && !causes->has_timer_interrupts;
  return is_softirq (interrupts, context->row, TB_SOFTIRQ_NET_RX) && cpu->transmit_exit >= 0
         && context->enter - cpu->transmit_exit <= MAX_RAISE_DELAY;
}

void
tb_causes_enter_interrupt (TbCauses *causes, guint32 row)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  TbCpu *cpu;
  TbContext *context;
  gint64 enter = interrupts->enter[row];

  if (interrupts->cpu[row] >= causes->n_cpus)
    return;
  cpu = &causes->cpus[interrupts->cpu[row]];
  if (cpu->depth == TB_CONTEXT_DEPTH)
    {
      causes->unbalanced++;
      return;
    }
  context = &cpu->contexts[cpu->depth];
  context->enter = enter;
  context->row = row;
  context->raised_by_hard = interrupts->kind[row] != TB_INTERRUPT_SOFT || cpu->depth > 0
                            || (cpu->hard_exit >= 0 && enter - cpu->hard_exit <= MAX_RAISE_DELAY);
  context->may_be_of_timer = may_be_of_timer (causes, cpu, context);
  cpu->depth++;
}

void
tb_causes_exit_interrupt (TbCauses *causes, guint32 row)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  TbCpu *cpu;
  const TbContext *context;

  if (interrupts->cpu[row] >= causes->n_cpus)
    return;
  cpu = &causes->cpus[interrupts->cpu[row]];
  for (guint i = cpu->depth; i > 0; i--)
    if (cpu->contexts[i - 1].row == row)
      {
        /* Handlers that are still open inside this one have lost their exit events. */
        causes->unbalanced += cpu->depth - i;
        cpu->depth = i - 1;
        context = &cpu->contexts[i - 1];
        if (context->raised_by_hard)
          cpu->hard_exit = interrupts->exit[row];
        if (context->may_be_of_timer)
          cpu->transmit_exit = interrupts->exit[row];
        if (interrupts->kind[row] != TB_INTERRUPT_SOFT)
          cpu->hard_device = interrupts->device[row];
        return;
      }
}

void
tb_causes_network (TbCauses *causes, guint32 row)
{
  const TbNetworkColumns *networks = &causes->input->networks;

  causes->next_network++;
  if (networks->kind[row] == TB_NETWORK_RECEIVE && networks->cpu[row] < causes->n_cpus)
    {
      causes->cpus[networks->cpu[row]].receive_time = networks->time[row];
      causes->cpus[networks->cpu[row]].receive_peer = networks->remote[row];
    }
}

/* No thread switch happens inside a handler: handlers that are still open have lost their exit
 * events. */
void
tb_causes_switch (TbCauses *causes, guint16 cpu_id, gint64 time)
{
  TbCpu *cpu = &causes->cpus[cpu_id];

  if (G_LIKELY (cpu->depth == 0))
    return;
  for (guint i = 0; i < cpu->depth; i++)
    if (cpu->contexts[i].enter < time
        && causes->input->interrupts.exit[cpu->contexts[i].row] != time)
      {
        causes->unbalanced += cpu->depth - i;
        cpu->depth = i;
        return;
      }
}

static TbDeviceClass
get_device_class (const TbCauses *causes, guint32 device)
{
  if (causes->input->device_classes == NULL || device >= causes->input->n_devices)
    return TB_DEVICE_OTHER;
  return causes->input->device_classes[device];
}

static TbCauseKind
find_network (TbCauses *causes, const TbCpu *cpu, const TbContext *context, guint32 *cause)
{
  if (cpu->receive_time >= context->enter && cpu->receive_peer != TB_STRING_NONE)
    {
      *cause = cpu->receive_peer;
      return TB_CAUSE_NETWORK;
    }
  /* The network interface whose interrupt raised the softirq. */
  if (context->raised_by_hard && get_device_class (causes, cpu->hard_device) == TB_DEVICE_NETWORK)
    {
      *cause = cpu->hard_device;
      return TB_CAUSE_DEVICE;
    }
  *cause = TB_STRING_NONE;
  return TB_CAUSE_NETWORK;
}

static TbCauseKind
find_by_device (TbCauses *causes, guint32 row, guint32 *cause)
{
  guint32 device = causes->input->interrupts.device[row];

  if (device == TB_ID_NONE || device >= causes->input->n_devices)
    return TB_CAUSE_NONE;
  switch (get_device_class (causes, device))
    {
    case TB_DEVICE_TIMER:
      *cause = 0;
      return TB_CAUSE_TIMER;
    case TB_DEVICE_IRQ:
      return TB_CAUSE_NONE;
    case TB_DEVICE_OTHER:
    case TB_DEVICE_BLOCK:
    case TB_DEVICE_NETWORK:
    default:
      *cause = device;
      return TB_CAUSE_DEVICE;
    }
}

/* The cause behind the innermost open handler, by the precedence that the design defines. */
static TbCauseKind
find_interrupt_cause (TbCauses *causes,
                      const TbCpu *cpu,
                      guint32 wakeup,
                      gboolean own_only,
                      guint32 *cause)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  guint32 wakee = causes->input->wakeups.wakee[wakeup];
  const TbContext *context = &cpu->contexts[cpu->depth - 1];
  guint32 row = context->row;

  if (tb_causes_find_request (causes, cpu, wakeup, context->enter, own_only, cause))
    return TB_CAUSE_DEVICE;
  if (own_only)
    return TB_CAUSE_UNKNOWN;

  for (guint i = cpu->depth; i > 0; i--)
    if (interrupts->kind[cpu->contexts[i - 1].row] == TB_INTERRUPT_HARD)
      {
        TbCauseKind kind = find_by_device (causes, cpu->contexts[i - 1].row, cause);

        if (kind != TB_CAUSE_NONE)
          return kind;
        break;
      }

  if (interrupts->kind[row] == TB_INTERRUPT_TIMER)
    return TB_CAUSE_TIMER;
  if (interrupts->kind[row] == TB_INTERRUPT_SOFT)
    switch (interrupts->vector[row])
      {
      case TB_SOFTIRQ_BLOCK:
      case TB_SOFTIRQ_IRQ_POLL:
        *cause = tb_causes_find_device_in_service (causes, wakee);
        return TB_CAUSE_DEVICE;
      case TB_SOFTIRQ_NET_TX:
      case TB_SOFTIRQ_NET_RX:
        return find_network (causes, cpu, context, cause);
      case TB_SOFTIRQ_TIMER:
      case TB_SOFTIRQ_HRTIMER:
        return TB_CAUSE_TIMER;
      default:
        break;
      }
  *cause = interrupts->name[row];
  return TB_CAUSE_INTERRUPT;
}

gboolean
tb_causes_in_interrupt (const TbCauses *causes, guint32 wakeup)
{
  const TbWakeupColumns *wakeups = &causes->input->wakeups;
  guint16 cpu = wakeups->cpu[wakeup];

  return (wakeups->flags[wakeup] & (TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ)) != 0
         || (cpu < causes->n_cpus && causes->cpus[cpu].depth > 0);
}

static TbCauseKind
find_thread (TbCauses *causes, guint32 wakeup, gboolean stopped, guint32 *cause)
{
  const TbWakeupColumns *wakeups = &causes->input->wakeups;
  guint32 waker = wakeups->waker[wakeup];

  *cause = waker;
  if (stopped
      || tb_causes_get_syscall_class (causes, waker, wakeups->time[wakeup]) == TB_SYSCALL_KILL)
    return TB_CAUSE_SIGNAL;
  return TB_CAUSE_THREAD;
}

/* ksoftirqd counts as a waker like any thread, as does a thread that sends over loopback. Neither
 * applies if the wake-up may belong to another CPU. */
static gboolean
is_softirq_of_waker (TbCauses *causes, const TbCpu *cpu, guint32 wakeup)
{
  const TbTraceInput *input = causes->input;
  const TbWakeupColumns *wakeups = &input->wakeups;
  guint32 waker = wakeups->waker[wakeup];
  const TbContext *context;
  gboolean is_ksoftirqd;

  if (waker == TB_THREAD_IDLE || waker >= input->n_threads
      || (wakeups->flags[wakeup] & (TB_WAKEUP_LATE | TB_WAKEUP_HARDIRQ)) != 0)
    return FALSE;
  is_ksoftirqd
      = input->thread_traits != NULL && (input->thread_traits[waker] & TB_THREAD_KSOFTIRQD) != 0;
  if (cpu == NULL || cpu->depth == 0)
    return is_ksoftirqd || tb_causes_is_senders_unrecorded_softirq (causes, cpu, wakeup);
  context = &cpu->contexts[cpu->depth - 1];
  return cpu->depth == 1 && input->interrupts.kind[context->row] == TB_INTERRUPT_SOFT
         && (is_ksoftirqd
             || tb_causes_is_senders_softirq (causes, context, wakeups->cpu[wakeup], waker,
                                              wakeups->time[wakeup]));
}

static gboolean
is_in_hard_interrupt (const TbCauses *causes, const TbCpu *cpu)
{
  for (guint i = 0; i < cpu->depth; i++)
    if (causes->input->interrupts.kind[cpu->contexts[i].row] != TB_INTERRUPT_SOFT)
      return TRUE;
  return FALSE;
}

/* Whether a timer of the CPU itself woke the thread. Its interrupt has no handler in the sense of
 * the tracepoint irq_handler_entry: where the handlers of devices were recorded and none is open, a
 * wake-up that happened in a hard interrupt is the timer's. The other interrupts of a CPU that wake
 * threads are those by which tracers wake their readers, and those by which another CPU completes a
 * wake-up, which are late. */
static gboolean
is_unrecorded_timer (const TbCauses *causes, const TbCpu *cpu, guint32 wakeup)
{
  const TbTraceInput *input = causes->input;
  guint32 wakee = input->wakeups.wakee[wakeup];
  guint8 flags = input->wakeups.flags[wakeup];

  if ((flags & TB_WAKEUP_HARDIRQ) == 0 || (flags & TB_WAKEUP_LATE) != 0 || !causes->has_handlers
      || causes->has_timer_interrupts || cpu == NULL || is_in_hard_interrupt (causes, cpu))
    return FALSE;
  return input->thread_traits == NULL || wakee >= input->n_threads
         || (input->thread_traits[wakee] & TB_THREAD_TRACER) == 0;
}

/* Whether handlers like that in which the wake-up happened were not recorded. */
static gboolean
is_in_unrecorded_handler (const TbCauses *causes, guint32 wakeup)
{
  guint8 flags = causes->input->wakeups.flags[wakeup];

  if (causes->input->interrupts.n == 0)
    return TRUE;
  return (flags & TB_WAKEUP_HARDIRQ) != 0   ? !causes->has_hard_interrupts
         : (flags & TB_WAKEUP_SOFTIRQ) != 0 ? !causes->has_softirqs
                                            : FALSE;
}

/* The cause of a wake-up. stopped: the wake-up continues a stopped thread, which only signals
 * do. */
TbCauseKind
tb_causes_find (TbCauses *causes, guint32 wakeup, gboolean stopped, guint32 *cause)
{
  const TbTraceInput *input = causes->input;
  const TbWakeupColumns *wakeups = &input->wakeups;
  guint32 waker = wakeups->waker[wakeup];
  guint16 cpu_id = wakeups->cpu[wakeup];
  const TbCpu *cpu = cpu_id < causes->n_cpus ? &causes->cpus[cpu_id] : NULL;
  gint64 time = wakeups->time[wakeup];
  gboolean is_thread = waker != TB_THREAD_IDLE && waker < input->n_threads;
  gboolean late = (wakeups->flags[wakeup] & TB_WAKEUP_LATE) != 0;

  *cause = 0;
  if (!tb_causes_in_interrupt (causes, wakeup))
    {
      if (is_thread)
        return find_thread (causes, wakeup, stopped, cause);
      if (cpu != NULL && tb_causes_find_request (causes, cpu, wakeup, time, late, cause))
        return TB_CAUSE_DEVICE;
      if (waker != TB_THREAD_IDLE || late)
        return TB_CAUSE_UNKNOWN;
      /* The idle task itself wakes no thread: an interrupt did, of which nothing else was
       * recorded. */
      if (cpu != NULL && input->interrupts.n == 0
          && tb_causes_find_completion (causes, cpu, wakeups->wakee[wakeup],
                                        time - MAX_COMPLETION_DELAY, TRUE, cause))
        return TB_CAUSE_DEVICE;
      *cause = TB_STRING_NONE;
      return TB_CAUSE_INTERRUPT;
    }

  if (is_softirq_of_waker (causes, cpu, wakeup))
    return find_thread (causes, wakeup, stopped, cause);
  if (is_unrecorded_timer (causes, cpu, wakeup))
    return TB_CAUSE_TIMER;
  if (cpu != NULL && cpu->depth > 0)
    return find_interrupt_cause (causes, cpu, wakeup, late, cause);
  if (cpu != NULL && tb_causes_find_request (causes, cpu, wakeup, time, late, cause))
    return TB_CAUSE_DEVICE;
  if (cpu != NULL && is_in_unrecorded_handler (causes, wakeup)
      && tb_causes_find_completion (causes, cpu, wakeups->wakee[wakeup],
                                    time - MAX_COMPLETION_DELAY, TRUE, cause))
    return TB_CAUSE_DEVICE;
  if (late)
    return TB_CAUSE_UNKNOWN;
  *cause = TB_STRING_NONE;
  return TB_CAUSE_INTERRUPT;
}
