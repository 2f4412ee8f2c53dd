/* tb-trace-causes-senders.c: check whether the thread that a network softirq interrupts caused a
 * wake-up in it, by sending over loopback: from its system call and the messages recorded around
 * that time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-causes-private.h"

/* Maximum time (ns) between a network softirq and the send that it belongs to: a send is recorded
 * at the end of its call. */
#define MAX_SEND_DELAY 200000
#define MAX_SENDS_EXAMINED 64
/* Maximum time (ns) between the arrival of a packet and the wake-up of its receiver. */
#define MAX_DELIVERY_DELAY 20000
/* A softirq that was not recorded was raised by a hard interrupt that ended within this time (ns)
 * before the wake-up. */
#define MAX_RAISED_LENGTH 50000

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

TbSyscallClass
tb_causes_get_syscall_class (TbCauses *causes, guint32 thread, gint64 time)
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
gboolean
tb_causes_is_senders_softirq (TbCauses *causes,
                              const TbContext *context,
                              guint16 cpu,
                              guint32 thread,
                              gint64 time)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  guint32 vector = interrupts->vector[context->row];
  TbSyscallClass class;

  if (thread == TB_THREAD_IDLE || thread >= causes->input->n_threads || context->raised_by_hard
      || context->may_be_of_timer || (vector != TB_SOFTIRQ_NET_RX && vector != TB_SOFTIRQ_NET_TX))
    return FALSE;
  class = tb_causes_get_syscall_class (causes, thread, time);
  if (class == TB_SYSCALL_SEND || (class == TB_SYSCALL_WRITE && causes->has_hard_interrupts))
    return TRUE;
  return has_sent (causes, thread, cpu, BACKWARDS, context->enter - MAX_SEND_DELAY)
         || has_sent (causes, thread, cpu, FORWARDS, time + MAX_SEND_DELAY);
}

/* Whether packets were received on that CPU while the thread ran there, since a time. */
static gboolean
has_received (const TbCauses *causes, guint32 thread, guint16 cpu, gint64 since)
{
  const TbNetworkColumns *networks = &causes->input->networks;
  gsize next = MIN (causes->next_network, networks->n);
  gsize n = MIN (next, MAX_SENDS_EXAMINED);

  for (gsize i = 0; i < n && networks->time[next - 1 - i] >= since; i++)
    {
      gsize row = next - 1 - i;

      if (networks->thread[row] == thread && networks->cpu[row] == cpu
          && networks->kind[row] == TB_NETWORK_RECEIVE)
        return TRUE;
    }
  return FALSE;
}

/* The same for a softirq of which only the flags of the wake-up are known, because softirqs were
 * not recorded. Any softirq may interrupt a sender. It is the sender's if no interrupt of a device
 * preceded it, and none of a timer either or it delivered a packet. */
gboolean
tb_causes_is_senders_unrecorded_softirq (TbCauses *causes, const TbCpu *cpu, guint32 wakeup)
{
  const TbWakeupColumns *wakeups = &causes->input->wakeups;
  guint32 thread = wakeups->waker[wakeup];
  guint16 cpu_id = wakeups->cpu[wakeup];
  gint64 time = wakeups->time[wakeup];

  if (causes->has_softirqs || !causes->has_handlers || cpu == NULL
      || (wakeups->flags[wakeup] & TB_WAKEUP_SOFTIRQ) == 0)
    return FALSE;
  if (cpu->hard_exit >= 0 && time - cpu->hard_exit <= MAX_RAISED_LENGTH)
    return FALSE;
  if (!causes->has_timer_interrupts
      && !has_received (causes, thread, cpu_id, time - MAX_DELIVERY_DELAY))
    return FALSE;
  return tb_causes_get_syscall_class (causes, thread, time) == TB_SYSCALL_SEND
         || has_sent (causes, thread, cpu_id, BACKWARDS, time - MAX_SEND_DELAY)
         || has_sent (causes, thread, cpu_id, FORWARDS, time + MAX_SEND_DELAY);
}
