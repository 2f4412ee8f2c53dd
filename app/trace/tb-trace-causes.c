/* tb-trace-causes.c: causes of wake-ups
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-causes-private.h"

/* A softirq that begins within this time (ns) after a hard interrupt was raised by it. A later one
 * runs because the current thread, by sending, raised it. */
#define MAX_RAISE_DELAY 20000
/* Maximum time (ns) between a network softirq and the send that it belongs to: a send is recorded
 * at the end of its call. */
#define MAX_SEND_DELAY 200000
#define MAX_SENDS_EXAMINED 64
/* Without interrupt events: a thread's own request that completed on this CPU at most this long
 * (ns) before a wake-up caused it. */
#define MAX_COMPLETION_DELAY 50000

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
      causes->unbalanced += interrupts->enter[row] < 0;
      causes->has_hard_interrupts |= interrupts->kind[row] == TB_INTERRUPT_HARD;
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

void
tb_causes_enter_interrupt (TbCauses *causes, guint32 row)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  TbCpu *cpu;
  gint64 enter = interrupts->enter[row];

  if (interrupts->cpu[row] >= causes->n_cpus)
    return;
  cpu = &causes->cpus[interrupts->cpu[row]];
  if (cpu->depth == TB_CONTEXT_DEPTH)
    {
      causes->unbalanced++;
      return;
    }
  cpu->contexts[cpu->depth].enter = enter;
  cpu->contexts[cpu->depth].row = row;
  cpu->contexts[cpu->depth].raised_by_hard
      = interrupts->kind[row] != TB_INTERRUPT_SOFT || cpu->depth > 0
        || (cpu->hard_exit >= 0 && enter - cpu->hard_exit <= MAX_RAISE_DELAY);
  cpu->depth++;
}

void
tb_causes_exit_interrupt (TbCauses *causes, guint32 row)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  TbCpu *cpu;

  if (interrupts->cpu[row] >= causes->n_cpus)
    return;
  cpu = &causes->cpus[interrupts->cpu[row]];
  for (guint i = cpu->depth; i > 0; i--)
    if (cpu->contexts[i - 1].row == row)
      {
        /* Handlers that are still open inside this one have lost their exit events. */
        causes->unbalanced += cpu->depth - i;
        cpu->depth = i - 1;
        if (cpu->contexts[i - 1].raised_by_hard)
          cpu->hard_exit = interrupts->exit[row];
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

/* The system call that a thread is in, or G_MAXUINT32. Calls must be in ascending order of time. */
static guint32
find_syscall (TbCauses *causes, guint32 thread, gint64 time)
{
  const TbSyscallColumns *syscalls = &causes->input->syscalls;
  guint32 *next = &causes->syscalls_next[thread];
  guint32 end = causes->syscalls_first[thread + 1];

  while (*next < end && syscalls->exit[causes->syscalls[*next]] >= 0
         && syscalls->exit[causes->syscalls[*next]] < time)
    (*next)++;
  if (*next == end || syscalls->enter[causes->syscalls[*next]] > time)
    return G_MAXUINT32;
  return causes->syscalls[*next];
}

static TbSyscallClass
get_syscall_class (TbCauses *causes, guint32 thread, gint64 time)
{
  const TbTraceInput *input = causes->input;
  guint32 row;

  if (input->syscalls.n == 0 || input->syscall_classes == NULL || thread >= input->n_threads)
    return TB_SYSCALL_OTHER;
  row = find_syscall (causes, thread, time);
  if (row == G_MAXUINT32 || input->syscalls.number[row] >= input->n_strings)
    return TB_SYSCALL_OTHER;
  return input->syscall_classes[input->syscalls.number[row]];
}

typedef enum
{
  BACKWARDS,
  FORWARDS,
} Direction;

/* Whether the thread sent something on that CPU, among the network events that precede or follow
 * the current time, until a time. */
static gboolean
has_sent (const TbCauses *causes, guint32 thread, guint16 cpu, Direction direction, gint64 until)
{
  const TbNetworkColumns *networks = &causes->input->networks;
  gsize next = causes->next_network;
  gsize n = direction == FORWARDS ? networks->n - MIN (next, networks->n) : next;

  n = MIN (n, MAX_SENDS_EXAMINED);
  for (gsize i = 0; i < n; i++)
    {
      gsize row = direction == FORWARDS ? next + i : next - 1 - i;
      gint64 time = networks->time[row];

      if (direction == FORWARDS ? time > until : time < until)
        return FALSE;
      if (networks->thread[row] == thread && networks->cpu[row] == cpu
          && (networks->kind[row] == TB_NETWORK_SEND || networks->kind[row] == TB_NETWORK_CONNECT))
        return TRUE;
    }
  return FALSE;
}

/* Whether the thread raised the network softirq in which it wakes another thread, because it sends
 * over loopback. The kernel delivers such a message within the sender's call: loopback_xmit()
 * (drivers/net/loopback.c) puts it into the CPU's queue and raises NET_RX, which runs in
 * do_softirq() as soon as the call enables softirqs again (net/core/dev.c, kernel/softirq.c). The
 * sender is then the waker.
 *
 * The evidence is the system call that the thread is in, or else a send recorded shortly before or
 * after. A call that may also concern a file proves nothing if hard interrupts were not recorded:
 * an interrupt of the writer may have raised the softirq. */
static gboolean
is_senders_softirq (TbCauses *causes,
                    const TbContext *context,
                    guint16 cpu,
                    guint32 thread,
                    gint64 time)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  guint32 vector = interrupts->vector[context->row];
  TbSyscallClass class;

  if (thread == TB_THREAD_IDLE || thread >= causes->input->n_threads || context->raised_by_hard
      || (vector != TB_SOFTIRQ_NET_RX && vector != TB_SOFTIRQ_NET_TX))
    return FALSE;
  class = get_syscall_class (causes, thread, time);
  if (class == TB_SYSCALL_SEND || (class == TB_SYSCALL_WRITE && causes->has_hard_interrupts))
    return TRUE;
  return has_sent (causes, thread, cpu, BACKWARDS, context->enter - MAX_SEND_DELAY)
         || has_sent (causes, thread, cpu, FORWARDS, time + MAX_SEND_DELAY);
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
  if (stopped || get_syscall_class (causes, waker, wakeups->time[wakeup]) == TB_SYSCALL_KILL)
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
    return is_ksoftirqd;
  context = &cpu->contexts[cpu->depth - 1];
  return cpu->depth == 1 && input->interrupts.kind[context->row] == TB_INTERRUPT_SOFT
         && (is_ksoftirqd
             || is_senders_softirq (causes, context, wakeups->cpu[wakeup], waker,
                                    wakeups->time[wakeup]));
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
  if (cpu != NULL && cpu->depth > 0)
    return find_interrupt_cause (causes, cpu, wakeup, late, cause);
  if (cpu != NULL && tb_causes_find_request (causes, cpu, wakeup, time, late, cause))
    return TB_CAUSE_DEVICE;
  if (cpu != NULL && input->interrupts.n == 0
      && tb_causes_find_completion (causes, cpu, wakeups->wakee[wakeup],
                                    time - MAX_COMPLETION_DELAY, TRUE, cause))
    return TB_CAUSE_DEVICE;
  if (late)
    return TB_CAUSE_UNKNOWN;
  *cause = TB_STRING_NONE;
  return TB_CAUSE_INTERRUPT;
}
