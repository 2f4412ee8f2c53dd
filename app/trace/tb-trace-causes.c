/* tb-trace-causes.c: causes of wake-ups
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <string.h>

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
#define MAX_DEVICES_OF_THREAD 16

static gint64
issue_time (const TbBlockColumns *blocks, guint32 row)
{
  /* A request that completed without an issue event counts as issued when it was inserted. */
  return blocks->issue[row] >= 0 ? blocks->issue[row] : blocks->insert[row];
}

static void
init_issuers (TbCauses *causes)
{
  const TbBlockColumns *blocks = &causes->input->blocks;
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree gint64 *keys = g_new (gint64, MAX (blocks->n, 1));

  causes->issuers = g_new0 (TbIssuer, MAX (blocks->n, 1));
  causes->issuer_of_row = g_new (guint32, MAX (blocks->n, 1));
  causes->issuer_of_thread = g_new (guint32, MAX (causes->input->n_threads, 1));
  memset (causes->issuer_of_thread, 0xff, sizeof (guint32) * causes->input->n_threads);

  for (gsize row = 0; row < blocks->n; row++)
    {
      guint32 thread = blocks->thread[row];
      gpointer found;

      causes->issuer_of_row[row] = TB_ID_NONE;
      if (thread >= causes->input->n_threads)
        continue;
      keys[row] = (gint64) ((guint64) thread << 32 | blocks->device[row]);
      if (g_hash_table_lookup_extended (known, &keys[row], NULL, &found))
        {
          causes->issuer_of_row[row] = GPOINTER_TO_UINT (found);
          continue;
        }
      causes->issuers[causes->n_issuers] = (TbIssuer) { .device = blocks->device[row],
                                                        .next = causes->issuer_of_thread[thread],
                                                        .last_complete = -1 };
      causes->issuer_of_thread[thread] = causes->n_issuers;
      causes->issuer_of_row[row] = causes->n_issuers;
      g_hash_table_insert (known, &keys[row], GUINT_TO_POINTER (causes->n_issuers));
      causes->n_issuers++;
    }
}

static void
find_only_block_device (TbCauses *causes)
{
  const TbTraceInput *input = causes->input;
  guint n = 0;

  causes->only_block_device = TB_ID_NONE;
  for (guint device = 0; input->device_classes != NULL && device < input->n_devices; device++)
    if (input->device_classes[device] == TB_DEVICE_BLOCK)
      {
        causes->only_block_device = device;
        n++;
      }
  if (n > 1)
    causes->only_block_device = TB_ID_NONE;
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
      causes->cpus[cpu].hard_device = TB_ID_NONE;
      causes->cpus[cpu].receive_time = -1;
    }
  init_issuers (causes);
  find_only_block_device (causes);

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
tb_causes_issue (TbCauses *causes, guint32 row)
{
  guint32 issuer = causes->issuer_of_row[row];

  if (issuer != TB_ID_NONE)
    causes->issuers[issuer].in_service++;
}

void
tb_causes_complete (TbCauses *causes, guint32 row)
{
  const TbBlockColumns *blocks = &causes->input->blocks;
  guint32 issuer = causes->issuer_of_row[row];
  gint64 time = blocks->complete[row];

  if (issuer != TB_ID_NONE)
    {
      if (issue_time (blocks, row) >= 0 && causes->issuers[issuer].in_service > 0)
        causes->issuers[issuer].in_service--;
      causes->issuers[issuer].last_complete = time;
    }
  if (blocks->cpu[row] < causes->n_cpus)
    {
      TbCpu *cpu = &causes->cpus[blocks->cpu[row]];

      cpu->completions[cpu->n_completions++ % TB_N_COMPLETIONS]
          = (TbCompletion) { time, blocks->device[row] };
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

/* Over loopback, the receiver is woken in a softirq inside the sender's call: the sender is then
 * the waker. A call that may also concern a file proves nothing if hard interrupts were not
 * recorded: an interrupt of the writer may have raised the softirq. */
static gboolean
is_senders_softirq (TbCauses *causes,
                    const TbContext *context,
                    guint16 cpu,
                    guint32 thread,
                    gint64 time)
{
  const TbInterruptColumns *interrupts = &causes->input->interrupts;
  const TbNetworkColumns *networks = &causes->input->networks;
  TbSyscallClass class;

  if (thread == TB_THREAD_IDLE || thread >= causes->input->n_threads || context->raised_by_hard
      || (interrupts->vector[context->row] != TB_SOFTIRQ_NET_RX
          && interrupts->vector[context->row] != TB_SOFTIRQ_NET_TX))
    return FALSE;

  class = get_syscall_class (causes, thread, time);
  if (class == TB_SYSCALL_SEND || (class == TB_SYSCALL_WRITE && causes->has_hard_interrupts))
    return TRUE;

  for (gsize i = causes->next_network, seen = 0;
       i > 0 && seen < MAX_SENDS_EXAMINED
       && networks->time[i - 1] >= context->enter - MAX_SEND_DELAY;
       i--, seen++)
    if (networks->thread[i - 1] == thread && networks->cpu[i - 1] == cpu
        && (networks->kind[i - 1] == TB_NETWORK_SEND
            || networks->kind[i - 1] == TB_NETWORK_CONNECT))
      return TRUE;
  for (gsize i = causes->next_network, seen = 0;
       i < networks->n && seen < MAX_SENDS_EXAMINED && networks->time[i] <= time + MAX_SEND_DELAY;
       i++, seen++)
    if (networks->thread[i] == thread && networks->cpu[i] == cpu
        && (networks->kind[i] == TB_NETWORK_SEND || networks->kind[i] == TB_NETWORK_CONNECT))
      return TRUE;
  return FALSE;
}

/* Whether one of the wakee's own requests completes at the same time on that CPU, though its event
 * follows the wake-up. */
static gboolean
find_completing (const TbCauses *causes, guint16 cpu, guint32 wakee, gint64 time, guint32 *device)
{
  const TbBlockColumns *blocks = &causes->input->blocks;
  const TbStream *stream = causes->completing;

  for (gsize i = stream != NULL ? stream->i : 0;
       stream != NULL && i < stream->n && i < stream->i + TB_N_COMPLETIONS; i++)
    {
      gsize row = stream->order != NULL ? stream->order[i] : i;

      if (blocks->complete[row] != time)
        break;
      if (blocks->thread[row] == wakee && blocks->cpu[row] == cpu)
        {
          *device = blocks->device[row];
          return TRUE;
        }
    }
  return FALSE;
}

/* Among the devices that completed a request since then, the one on which the thread's own request
 * was in service; without one, and unless own_only, the last device that completed a request. */
static gboolean
find_completion (TbCauses *causes,
                 const TbCpu *cpu,
                 guint32 wakee,
                 gint64 since,
                 gboolean own_only,
                 guint32 *device)
{
  guint n = MIN (cpu->n_completions, TB_N_COMPLETIONS);
  gboolean found = FALSE;

  for (guint i = 1; i <= n; i++)
    {
      const TbCompletion *completion
          = &cpu->completions[(cpu->n_completions - i) % TB_N_COMPLETIONS];
      guint32 issuer
          = wakee < causes->input->n_threads ? causes->issuer_of_thread[wakee] : TB_ID_NONE;

      if (completion->time < since)
        break;
      for (guint devices = 0; issuer != TB_ID_NONE && devices < MAX_DEVICES_OF_THREAD; devices++)
        {
          const TbIssuer *own = &causes->issuers[issuer];

          if (own->device == completion->device
              && (own->in_service > 0 || own->last_complete >= since))
            {
              *device = completion->device;
              return TRUE;
            }
          issuer = own->next;
        }
      if (!found && !own_only)
        {
          *device = completion->device;
          found = TRUE;
        }
    }
  return found;
}

/* One of the wakee's own requests that completed since then or completes at this time; without one,
 * and unless own_only, any request. */
static gboolean
find_request (TbCauses *causes,
              const TbCpu *cpu,
              guint32 wakeup,
              gint64 since,
              gboolean own_only,
              guint32 *device)
{
  const TbWakeupColumns *wakeups = &causes->input->wakeups;
  guint32 wakee = wakeups->wakee[wakeup];

  return find_completion (causes, cpu, wakee, since, TRUE, device)
         || find_completing (causes, wakeups->cpu[wakeup], wakee, wakeups->time[wakeup], device)
         || (!own_only && find_completion (causes, cpu, wakee, since, FALSE, device));
}

static guint32
find_device_in_service (TbCauses *causes, guint32 wakee)
{
  guint32 issuer = wakee < causes->input->n_threads ? causes->issuer_of_thread[wakee] : TB_ID_NONE;

  for (guint devices = 0; issuer != TB_ID_NONE && devices < MAX_DEVICES_OF_THREAD; devices++)
    {
      if (causes->issuers[issuer].in_service > 0)
        return causes->issuers[issuer].device;
      issuer = causes->issuers[issuer].next;
    }
  return causes->only_block_device;
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

  if (find_request (causes, cpu, wakeup, context->enter, own_only, cause))
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
        *cause = find_device_in_service (causes, wakee);
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
      if (cpu != NULL && find_request (causes, cpu, wakeup, time, late, cause))
        return TB_CAUSE_DEVICE;
      if (waker != TB_THREAD_IDLE || late)
        return TB_CAUSE_UNKNOWN;
      /* The idle task itself wakes no thread: an interrupt did, of which nothing else was
       * recorded. */
      if (cpu != NULL && input->interrupts.n == 0
          && find_completion (causes, cpu, wakeups->wakee[wakeup], time - MAX_COMPLETION_DELAY,
                              TRUE, cause))
        return TB_CAUSE_DEVICE;
      *cause = TB_STRING_NONE;
      return TB_CAUSE_INTERRUPT;
    }

  if (is_softirq_of_waker (causes, cpu, wakeup))
    return find_thread (causes, wakeup, stopped, cause);
  if (cpu != NULL && cpu->depth > 0)
    return find_interrupt_cause (causes, cpu, wakeup, late, cause);
  if (cpu != NULL && find_request (causes, cpu, wakeup, time, late, cause))
    return TB_CAUSE_DEVICE;
  if (cpu != NULL && input->interrupts.n == 0
      && find_completion (causes, cpu, wakeups->wakee[wakeup], time - MAX_COMPLETION_DELAY, TRUE,
                          cause))
    return TB_CAUSE_DEVICE;
  if (late)
    return TB_CAUSE_UNKNOWN;
  *cause = TB_STRING_NONE;
  return TB_CAUSE_INTERRUPT;
}
