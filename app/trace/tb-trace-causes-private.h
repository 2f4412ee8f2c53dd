/* tb-trace-causes-private.h: cause of each wake-up (thread, device, message, interrupt, signal or
 * timer), found from the interrupt handlers, messages, requests and system calls at that time on
 * its CPU
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-input-private.h"
#include "trace/tb-trace-streams-private.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* Deepest nesting of handlers on a CPU that is tracked; the limit of the kernel is four. */
#define TB_CONTEXT_DEPTH 8
/* Number of recent completed requests stored for each CPU. */
#define TB_N_COMPLETIONS 8

typedef struct
{
  gint64 enter;
  guint32 row;
  gboolean raised_by_hard;  /* a softirq that a hard interrupt raised */
  gboolean may_be_of_timer; /* a softirq of the network, raised by a timer or by a thread */
} TbContext;

typedef struct
{
  gint64 time;
  guint32 device;
} TbCompletion;

typedef struct
{
  guint32 current; /* running thread, TB_ID_NONE if unknown */
  gboolean seen_switch;
  guint depth;
  TbContext contexts[TB_CONTEXT_DEPTH];
  gint64 hard_exit;     /* end of the last hard interrupt, or of a softirq it raised */
  gint64 transmit_exit; /* end of the last softirq that a timer may have raised */
  guint32 hard_device;
  TbCompletion completions[TB_N_COMPLETIONS];
  guint n_completions;
  gint64 receive_time; /* time and peer of the last message received */
  guint32 receive_peer;
  guint64 to_idle;
  guint64 from_idle;
  guint64 idle_missed;
} TbCpu;

/* The requests of one thread on one device. */
typedef struct
{
  guint32 device;
  guint32 next; /* entry for the thread's next device, TB_ID_NONE if none */
  guint32 in_service;
  gint64 last_complete;
} TbIssuer;

typedef struct
{
  const TbTraceInput *input;
  guint n_cpus;
  TbCpu *cpus;

  guint n_issuers;
  TbIssuer *issuers;
  guint32 *issuer_of_row;    /* by row of the block table */
  guint32 *issuer_of_thread; /* first entry of each thread */
  guint32 only_block_device;
  /* requests by completion time, from the next one on; NULL: no look-ahead */
  const TbStream *completing;

  guint32 *syscalls;       /* rows sorted by thread */
  guint32 *syscalls_first; /* first index into syscalls, by thread */
  guint32 *syscalls_next;  /* index of the thread's current or next system call */

  gsize next_network; /* first row that is not processed yet */
  /* hard interrupts were recorded, so a softirq without one before it was not raised by an
   * interrupt */
  gboolean has_hard_interrupts;
  gboolean has_handlers;         /* of hard interrupts of devices */
  gboolean has_timer_interrupts; /* those of the CPUs' timers are among the recorded ones */
  gboolean has_softirqs;
  guint64 unbalanced;
} TbCauses;

/* NULL: the CPU is unknown. */
static inline TbCpu *
tb_causes_get_cpu (TbCauses *causes, guint16 cpu)
{
  return cpu < causes->n_cpus ? &causes->cpus[cpu] : NULL;
}

void tb_causes_init (TbCauses *causes, const TbTraceInput *input, guint n_cpus);
void tb_causes_clear (TbCauses *causes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbCauses, tb_causes_clear)

void tb_causes_enter_interrupt (TbCauses *causes, guint32 row);
void tb_causes_exit_interrupt (TbCauses *causes, guint32 row);
void tb_causes_network (TbCauses *causes, guint32 row);
void tb_causes_switch (TbCauses *causes, guint16 cpu, gint64 time);

gboolean tb_causes_in_interrupt (const TbCauses *causes, guint32 wakeup);
TbCauseKind tb_causes_find (TbCauses *causes, guint32 wakeup, gboolean stopped, guint32 *cause);

/* tb-trace-causes-senders.c */
TbSyscallClass tb_causes_get_syscall_class (TbCauses *causes, guint32 thread, gint64 time);
gboolean tb_causes_is_senders_softirq (TbCauses *causes,
                                       const TbContext *context,
                                       guint16 cpu,
                                       guint32 thread,
                                       gint64 time);
gboolean
tb_causes_is_senders_unrecorded_softirq (TbCauses *causes, const TbCpu *cpu, guint32 wakeup);

/* tb-trace-causes-requests.c */
void tb_causes_init_requests (TbCauses *causes);
void tb_causes_issue (TbCauses *causes, guint32 row);
void tb_causes_complete (TbCauses *causes, guint32 row);
/* Among the devices that completed a request since then, the one on which the thread's own request
 * was in service; without one, and unless own_only, the last device that completed a request. */
gboolean tb_causes_find_completion (TbCauses *causes,
                                    const TbCpu *cpu,
                                    guint32 wakee,
                                    gint64 since,
                                    gboolean own_only,
                                    guint32 *device);
/* One of the wakee's own requests that completed since then or completes at this time; without one,
 * and unless own_only, any request. */
gboolean tb_causes_find_request (TbCauses *causes,
                                 const TbCpu *cpu,
                                 guint32 wakeup,
                                 gint64 since,
                                 gboolean own_only,
                                 guint32 *device);
/* The device on which a request of the thread is in service; without one, the only block device, or
 * TB_ID_NONE. */
guint32 tb_causes_find_device_in_service (TbCauses *causes, guint32 wakee);

G_END_DECLS
