/* tb-trace-causes-private.h: what stands behind a waking
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-builder-private.h"
#include "trace/tb-trace-streams-private.h"

G_BEGIN_DECLS

/* Deepest nesting of handlers on a cpu that is followed; the kernel's own limit is four. */
#define TB_CONTEXT_DEPTH 8
/* Completed requests that are remembered of a cpu. */
#define TB_N_COMPLETIONS 8

typedef struct
{
  gint64 enter;
  guint32 row;
  gboolean after_hard; /* a softirq that a hard interrupt raised */
} TbContext;

typedef struct
{
  gint64 time;
  guint32 device;
} TbCompletion;

typedef struct
{
  guint32 current; /* thread that runs, TB_ID_NONE unknown */
  gboolean seen_switch;
  guint depth;
  TbContext contexts[TB_CONTEXT_DEPTH];
  gint64 hard_exit; /* when the last hard interrupt, or a softirq it raised, ended */
  guint32 hard_device;
  TbCompletion completions[TB_N_COMPLETIONS];
  guint n_completions;
  gint64 receive_time; /* last message received, and its peer */
  guint32 receive_peer;
  guint64 to_idle;
  guint64 from_idle;
  guint64 idle_missed;
} TbCpu;

/* The requests of one thread on one device. */
typedef struct
{
  guint32 device;
  guint32 next; /* further device of the thread, TB_ID_NONE none */
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
  guint32 *issuer_of_thread; /* the first */
  guint32 only_block_device;
  const TbStream
      *completing; /* requests by their ends, from the next on; NULL: none is looked at in advance */

  guint32 *syscalls;       /* rows by thread */
  guint32 *syscalls_first; /* by thread */
  guint32 *syscalls_next;  /* the row that a thread is in or comes to next */

  gsize next_network;           /* rows before it are past */
  gboolean has_hard_interrupts; /* they were recorded: a softirq without one before it was raised by none */
  guint64 unbalanced;
} TbCauses;

void tb_causes_init (TbCauses *causes, const TbTraceInput *input, guint n_cpus);
void tb_causes_clear (TbCauses *causes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbCauses, tb_causes_clear)

void tb_causes_enter_interrupt (TbCauses *causes, guint32 row);
void tb_causes_exit_interrupt (TbCauses *causes, guint32 row);
void tb_causes_issue (TbCauses *causes, guint32 row);
void tb_causes_complete (TbCauses *causes, guint32 row);
void tb_causes_network (TbCauses *causes, guint32 row);
void tb_causes_switch (TbCauses *causes, guint16 cpu, gint64 time);

gboolean tb_causes_in_interrupt (const TbCauses *causes, guint32 wakeup);
TbCauseKind tb_causes_find (TbCauses *causes, guint32 wakeup, gboolean stopped, guint32 *cause);

G_END_DECLS
