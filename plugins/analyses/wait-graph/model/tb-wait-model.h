/* tb-wait-model.h: waits of threads for threads, devices and other nodes, read from a trace into
 * columns (by tb-wait-recorded-waits.c), and the edges between nodes that sum them up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
#include "trace/tb-trace-poll-loops.h"
#include "trace/tb-trace-programs.h"

G_BEGIN_DECLS

/* What can be waited for. */
typedef enum
{
  TB_WAIT_NODE_THREAD,    /* id: thread, while it is one program */
  TB_WAIT_NODE_DEVICE,    /* id: device; TB_ID_NONE: some block device */
  TB_WAIT_NODE_NETWORK,   /* id: string, its peer; TB_STRING_NONE: unknown */
  TB_WAIT_NODE_TIMER,     /* id: TB_ID_NONE, as for all below unless stated */
  TB_WAIT_NODE_INTERRUPT, /* id: string, its name; TB_STRING_NONE: unknown */
  TB_WAIT_NODE_IDLE,      /* the idle task, where no interrupt of its CPU was recorded */
  TB_WAIT_NODE_BUSY,      /* busy waiting that no known thread ended */
  TB_WAIT_NODE_UNKNOWN,
  TB_WAIT_NODE_VIRTUAL, /* successive short-lived threads; id: index of the group */
  TB_N_WAIT_NODES,
} TbWaitNodeKind;

/* Nodes are numbered: threads as in the session, then all others in the order of first
 * occurrence. A thread that executed programs has a further node for each earlier program: see
 * tb-wait-program-nodes.h. */
typedef struct
{
  TbWaitNodeKind kind;
  guint32 id;
  gint64 running; /* of devices: with a request in flight */
  gint64 runnable;
  gint64 waiting; /* sleeping and busy waiting, whether or not the awaited node is known */
  gint64 unknown;
  /* the part of unknown in which it may have run or been runnable: see tb-wait-unknown-load.h */
  gint64 possible;
  gint64 lost;  /* the part of waiting of which the end was not recorded */
  gint64 first; /* beginning of its life, clipped to the range; TB_TIME_NONE: none */
  gint64 last;
  guint32 n_lost; /* the sleeps of lost */
  guint32 n_cut;  /* its waits that would close a circle: see cycles_cut */
} TbWaitNode;

/* The waits with a known end, clipped to the range and sorted by waiter and start. Those of one
 * waiter do not overlap. */
typedef struct
{
  gsize n;
  gint64 *start;
  gint64 *end;
  guint32 *waiter; /* node */
  guint32 *waker;  /* node */
  guint32 *edge;
  guint32 *row; /* interval of the trace; TB_ID_NONE: none, it is a wait for new work */
} TbWaits;

/* There is an edge for each pair of nodes of which one waited for the other. For a virtual node,
 * waits and longest are those of its members, as far as the node itself waited, and plain is the
 * node's own part of them. */
typedef struct
{
  guint32 from;
  guint32 to;
  guint64 waits;
  gint64 plain;
  gint64 weight; /* cascaded: set by tb_wait_set_cascaded_weights() */
  gint64 longest;
  gsize longest_wait; /* index of that wait */
} TbWaitEdge;

typedef struct
{
  TbTrace *trace;       /* owned, like all members below */
  TbPrograms *programs; /* NULL where trace is, as is loops */
  TbPollLoops *loops;
  gint64 from;
  gint64 to;
  guint32 n_threads; /* threads are the first nodes */
  GArray *nodes;     /* TbWaitNode */
  TbWaits waits;
  GArray *edges;           /* TbWaitEdge, sorted by from, then by first occurrence */
  guint64 unmatched_waits; /* sleeps without a known end cause, which are left out */
  gint64 unmatched_ns;     /* their length */
  guint64 open_waits;      /* of these, not ended when the recording ended: nothing is missing */
  gint64 open_ns;
  /* waits with a chain that led back to them: see tb_wait_set_cascaded_weights() */
  guint64 cycles_cut;
  /* likewise, but through merged short-lived threads, where no waker is wrong */
  guint64 merged_cycles;
  guint64 stray_wakeups;    /* of the whole recording */
  GArray *parts;            /* TbWaitPart, by thread and time */
  guint32 *part_of_thread;  /* index of its first part; TB_ID_NONE: none; NULL: all have none */
  GArray *groups;           /* TbWaitGroup, of short-lived threads */
  GArray *opens;            /* TbWaitOpen, by node, then by start */
  guint32 *group_of_thread; /* NULL where nothing was merged; TB_ID_NONE: none */
  /* by thread: it made the recording, and neither it nor waits for it are in the model; NULL:
   * none */
  guint8 *is_recorder;
  gint64 recorder_running;
} TbWaitModel;

/* A program that a thread was, of a thread that was several. */
typedef struct
{
  guint32 thread;
  guint32 program; /* index, see tb_programs_get() */
  guint32 number;  /* in the order of the programs of the thread */
  guint32 node;    /* that of the thread for the last one; TB_ID_NONE: it belongs to the recorder */
  gint64 from;
  gint64 to;
} TbWaitPart;

/* Short-lived threads with the same creator and entry function. */
typedef struct
{
  guint32 node;
  guint32 creator; /* node; TB_ID_NONE: unknown */
  GArray *members; /* guint32 threads, in the order of their beginnings */
} TbWaitGroup;

/* How long a virtual node waited while a wait of a member was open, of which it has only a part. It
 * is given in the node's own time, which advances only while members wait and no member does
 * anything else. In that time, each wait is in one piece. */
typedef struct
{
  guint32 node;
  guint32 edge; /* the edge to the awaited node */
  gint64 start;
  gint64 end;
} TbWaitOpen;

/* is_recorder: by thread, see above; NULL: none. */
TbWaitModel *tb_wait_model_new (TbTrace *trace,
                                gint64 from,
                                gint64 to,
                                const guint8 *is_recorder,
                                GCancellable *cancellable,
                                GError **error);
/* Creates a model without a recording, for tests and benchmarks. It has n_threads idle thread nodes
 * and no waits. */
TbWaitModel *tb_wait_model_new_empty (guint32 n_threads, gint64 from, gint64 to);
/* The interval whose end shows what a wait was for: that of the last wait of its poll loop, or its
 * own. */
static inline guint32
tb_wait_model_get_awaited_row (const TbWaitModel *self, guint32 row)
{
  return self->loops != NULL && row != TB_ID_NONE
             ? (guint32) tb_poll_loops_get_last (self->loops, row)
             : row;
}

void tb_wait_model_free (TbWaitModel *self);
void tb_waits_clear (TbWaits *waits);
/* Makes room for n waits. */
void tb_wait_model_reserve (TbWaitModel *self, gsize n);
/* Waits must be added in their order. */
void tb_wait_model_add (TbWaitModel *self,
                        gint64 start,
                        gint64 end,
                        guint32 waiter,
                        guint32 waker,
                        guint32 row);
guint32 tb_wait_model_add_node (TbWaitModel *self, TbWaitNodeKind kind, guint32 id);
/* Recomputes the edges, with all values but their cascaded weights. */
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

/* Whether a thread is merged with other short-lived ones, so that it has no waits of its own. */
static inline gboolean
tb_wait_model_is_member (const TbWaitModel *self, guint32 node)
{
  return self->group_of_thread != NULL && node < self->n_threads
         && self->group_of_thread[node] != TB_ID_NONE;
}

/* Like tb_wait_model_add(), where there is room. */
static inline void
tb_waits_add (TbWaits *waits, gint64 start, gint64 end, guint32 waiter, guint32 waker, guint32 row)
{
  gsize i = waits->n++;

  waits->start[i] = start;
  waits->end[i] = end;
  waits->waiter[i] = waiter;
  waits->waker[i] = waker;
  waits->row[i] = row;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitModel, tb_wait_model_free)

G_END_DECLS
