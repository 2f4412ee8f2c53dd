/* tb-wait-proposals.h: annotations that a program would need, as far as its recording tells
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

#include "trace/tb-trace-marks.h"

G_BEGIN_DECLS

/* A thread that sleeps at the same place, or for the same lock, again after running for so long was woken for nothing. */
#define TB_WAIT_FALSE_WITHIN (50 * G_GINT64_CONSTANT (1000))
/* So many samples in a row with one innermost function, and no system call between them, look like waiting, where one thread can have
 * ended all of it. */
#define TB_WAIT_BUSY_SAMPLES 10

typedef enum
{
  TB_WAIT_PROPOSE_FALSE_WAKEUP,
  TB_WAIT_PROPOSE_SPIN,
} TbWaitProposalKind;

/* Nothing is changed by a proposal. */
typedef struct
{
  TbWaitProposalKind kind;
  guint32 vertex;
  guint32 stack; /* where it sleeps again, or runs; of the session */
  guint64 count;
  gint64
      ns; /* what would count otherwise: waiting that would go to another edge, running that would be waiting */
  gint64 from; /* the longest */
  gint64 to;
  guint32 waker;        /* vertex that ends most of it, TB_ID_NONE unknown */
  guint32 waker_thread; /* of its threads the one that ends most, TB_ID_NONE unknown */
  guint number;         /* whose marks are its own */
} TbWaitProposal;

/* Where the program would have made a mark. */
typedef struct
{
  guint proposal; /* its number */
  TbAddedMark mark;
} TbWaitProposedMark;

/* Those of the greatest effect first. marks: gets a TbWaitProposedMark for each that the program would have made, also for what is
 * too little to propose; NULL unwanted. */
GArray *tb_wait_propose (const TbWaitGraph *graph, GArray *marks, GCancellable *cancellable, GError **error);

G_END_DECLS
