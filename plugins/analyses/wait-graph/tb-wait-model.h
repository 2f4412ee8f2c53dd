/* tb-wait-model.h: who waited for whom and when, in columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-selection.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

/* What can be waited for. */
typedef enum
{
  TB_WAIT_NODE_THREAD,    /* id: thread */
  TB_WAIT_NODE_DEVICE,    /* id: device, TB_ID_NONE some block device */
  TB_WAIT_NODE_NETWORK,   /* id: string: its peer, TB_STRING_NONE unknown */
  TB_WAIT_NODE_TIMER,     /* TB_ID_NONE, as all below but for the first */
  TB_WAIT_NODE_INTERRUPT, /* id: string: its name, TB_STRING_NONE unknown */
  TB_WAIT_NODE_IDLE,      /* the idle task, where no interrupt of its cpu was recorded */
  TB_WAIT_NODE_BUSY,      /* busy waiting that nobody is known to have ended */
  TB_WAIT_NODE_UNKNOWN,
  TB_WAIT_NODE_VIRTUAL, /* short-lived threads that follow one another; id: index of the group */
  TB_N_WAIT_NODES,
} TbWaitNodeKind;

/* Nodes are numbered: threads as in the session, then all else in the order in which it is first met. */
typedef struct
{
  TbWaitNodeKind kind;
  guint32 id;
  gint64 running; /* of devices: with a request in flight */
  gint64 runnable;
  gint64 waiting; /* sleeping and busy waiting, whether or not it is known for whom */
  gint64 unknown;
  gint64 first; /* its life, clipped; TB_TIME_NONE: none */
  gint64 last;
} TbWaitNode;

/* The waits whose end is known, sorted by waiter and start; those of one waiter do not overlap. Clipped to the range. */
typedef struct
{
  gsize n;
  gint64 *start;
  gint64 *end;
  guint32 *waiter; /* node */
  guint32 *waker;  /* node */
  guint32 *edge;
  guint32 *row; /* interval of the trace, TB_ID_NONE none: waiting for new work */
} TbWaits;

/* One for each pair of nodes of which one waited for the other. Of a virtual node's, waits and longest are of the members' waits,
 * as far as it waited itself; plain is what it has of them. */
typedef struct
{
  guint32 from;
  guint32 to;
  guint64 waits;
  gint64 plain;
  gint64 weight; /* cascaded: set by tb_wait_sweep() */
  gint64 longest;
  gsize longest_wait; /* which */
} TbWaitEdge;

typedef struct
{
  TbTrace *trace; /* owned, as all else */
  gint64 from;
  gint64 to;
  guint32 n_threads; /* the first nodes */
  GArray *nodes;     /* TbWaitNode */
  TbWaits waits;
  GArray *edges;           /* TbWaitEdge, sorted by from, then in the order in which they first occur */
  guint64 unmatched_waits; /* sleeps whose end has no known cause: kept out */
  gint64 unmatched_ns;     /* their length */
  guint64 cycles_cut;      /* waits whose chain led back to them: see tb_wait_sweep() */
  guint64 merged_cycles; /* likewise, but through short-lived threads that were made one: no waker is wrong */
  guint64 stray_wakeups; /* of the whole recording */
  GArray *groups;        /* TbWaitGroup, of short-lived threads */
  GArray *opens;         /* TbWaitOpen, by node, then by start */
  guint32 *group_of_thread; /* NULL where nothing was merged; TB_ID_NONE none */
} TbWaitModel;

/* Short-lived threads with one creator and one entry function. */
typedef struct
{
  guint32 node;
  guint32 creator; /* node, TB_ID_NONE unknown */
  GArray *members; /* guint32 threads, in the order of their beginnings */
} TbWaitGroup;

/* How long a virtual node waited while a wait of a member was open, of which it has only a part. In its own time, which goes on
 * only while members wait and none does anything else: so each is in one piece. */
typedef struct
{
  guint32 node;
  guint32 edge; /* which leads to whom was waited for */
  gint64 start;
  gint64 end;
} TbWaitOpen;

TbWaitModel *
tb_wait_model_new (TbTrace *trace, gint64 from, gint64 to, GCancellable *cancellable, GError **error);
/* Without a recording, for tests and benchmarks: takes n_threads idle nodes of the kind thread and no waits yet. */
TbWaitModel *tb_wait_model_new_empty (guint32 n_threads, gint64 from, gint64 to);
void tb_wait_model_free (TbWaitModel *self);
void tb_waits_clear (TbWaits *waits);
/* Makes room for n waits. */
void tb_wait_model_reserve (TbWaitModel *self, gsize n);
/* Waits must come in their order. */
void
tb_wait_model_add (TbWaitModel *self, gint64 start, gint64 end, guint32 waiter, guint32 waker, guint32 row);
guint32 tb_wait_model_add_node (TbWaitModel *self, TbWaitNodeKind kind, guint32 id);
/* Finds the edges anew, with all but their cascaded weights. */
void tb_wait_model_index_edges (TbWaitModel *self);

static inline TbWaitNode *
tb_wait_model_get_node (const TbWaitModel *self, guint32 node)
{
  return &g_array_index (self->nodes, TbWaitNode, node);
}

static inline TbWaitEdge *
tb_wait_model_get_edge (const TbWaitModel *self, guint32 edge)
{
  return &g_array_index (self->edges, TbWaitEdge, edge);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitModel, tb_wait_model_free)

G_END_DECLS
