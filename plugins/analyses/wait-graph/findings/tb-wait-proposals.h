/* tb-wait-proposals.h: search of a recording for places where the program lacks annotations: busy
 * waiting and false wake-ups; the marks that it would have emitted there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

#include "trace/tb-trace-added-marks.h"

G_BEGIN_DECLS

/* A thread that sleeps at the same place, or for the same lock, again after running for at most
 * this time (ns) was woken for nothing. */
#define TB_WAIT_FALSE_WAKEUP_MAX_NS (50 * G_GINT64_CONSTANT (1000))
/* So many consecutive samples with one innermost function and no system call between them look like
 * busy waiting, if a single thread can have ended all of it. */
#define TB_WAIT_BUSY_SAMPLES 10

typedef enum
{
  TB_WAIT_PROPOSE_FALSE_WAKEUP,
  TB_WAIT_PROPOSE_SPIN,
} TbWaitProposalKind;

/* A proposal by itself changes nothing. */
typedef struct
{
  TbWaitProposalKind kind;
  guint32 vertex;
  guint32 stack; /* where it sleeps again, or runs; of the session */
  guint64 count;
  /* time that would count differently: waiting that would move to another edge, or running that
   * would be waiting */
  gint64 ns;
  gint64 from; /* the longest occurrence */
  gint64 to;
  guint32 waker;        /* vertex that ends most of it; TB_ID_NONE: unknown */
  guint32 waker_thread; /* the thread of waker that ends most of it; TB_ID_NONE: unknown */
  guint number;         /* identifies its marks */
} TbWaitProposal;

/* A mark that the program would have emitted. */
typedef struct
{
  guint proposal; /* number of its proposal */
  TbAddedMark mark;
} TbWaitProposedMark;

/* Returns proposals by descending effect. marks: receives a TbWaitProposedMark for each mark that
 * the program would have emitted, also for effects too small to propose; NULL: not needed. */
GArray *tb_wait_propose (const TbWaitGraph *graph,
                         GArray *marks,
                         GCancellable *cancellable,
                         GError **error);

G_END_DECLS
