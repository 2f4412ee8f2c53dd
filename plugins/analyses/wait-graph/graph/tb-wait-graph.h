/* tb-wait-graph.h: wait graph, made from the waits of a recording: vertices of one or more threads
 * or devices, edges with sums, longest and upper bound of their waits; also exclusion of edges by
 * reasons
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-cascaded-weights.h"

G_BEGIN_DECLS

/* The reason for which an edge is excluded before components are sought. */
typedef enum
{
  TB_WAIT_EXCLUSION_NONE,
  TB_WAIT_EXCLUSION_TIMER,
  TB_WAIT_EXCLUSION_INTERRUPT,
  TB_WAIT_EXCLUSION_IDLE,
  TB_WAIT_EXCLUSION_UNKNOWN,
  TB_WAIT_EXCLUSION_LIGHT,
  TB_WAIT_EXCLUSION_ENDED, /* out of a knot, of a thread that ended before: set with the knots */
  TB_N_WAIT_EXCLUSIONS,
} TbWaitExclusion;

const char *
tb_wait_exclusion_get_name (TbWaitExclusion exclusion); /* stable, for options and JSON */

/* How several nodes become one vertex. */
typedef enum
{
  TB_WAIT_MERGED_NOT,
  TB_WAIT_MERGED_VIRTUAL, /* short-lived threads */
  TB_WAIT_MERGED_SIMILAR,
  TB_WAIT_MERGED_OUTSIDE, /* a process outside the target */
  TB_WAIT_MERGED_POOL,    /* kernel workers of one pool */
} TbWaitMerged;

typedef struct
{
  TbWaitNodeKind kind; /* of its nodes */
  TbWaitMerged merged;
  gboolean outside; /* not of the target; never set for devices and the like */
  char *id;
  char *name;
  char *common;    /* its name without the number of threads */
  char *label;     /* its name with all programs that it was; NULL: it was one */
  guint32 process; /* of the session; TB_ID_NONE: none */
  GArray *nodes;   /* guint32, ascending */
  gint64 running;
  gint64 runnable;
  gint64 waiting;
  gint64 unknown;
  gint64 possible; /* the part of unknown in which it may have run or been runnable */
  /* Beginning and end of its life: of several threads, the first and the last. All of the recording
   * for devices and the like. */
  gint64 first;
  gint64 last;
  gint64 life; /* of similar threads and of a pool the sum, else from first to last */
  /* sum of the CPU time of its threads; running of a virtual node is the union over its members */
  gint64 used;
  gint64 wanted; /* likewise, runnable time */
  /* the longest time that one of its nodes ran or was runnable, of those nodes that others wait
   * for */
  gint64 busiest;
  gint64 queued; /* devices: sum of the requests' time in service, for the mean depth */
} TbWaitVertex;

/* The times of several waiters are divided by the number of waiters. */
typedef struct
{
  guint32 from; /* vertices */
  guint32 to;
  guint64 waits;
  gint64 weight; /* cascaded */
  /* the part of weight that delays the target; all of it where there is no target */
  gint64 target_delay;
  /* likewise, but forwarded waits count for the device that they were forwarded to: see
   * tb-wait-forwarding.h */
  gint64 limits;
  gint64 plain;
  gint64 longest;
  /* time during which at least one wait was open or forwarded to it; for a vertex outside the
   * target, only while the target waited for it */
  gint64 bound;
  gint64 forwarded;  /* the part of bound that was only forwarded */
  guint32 forwarder; /* vertex that forwarded most of forwarded; TB_ID_NONE: none */
  guint32 n_waiters;
  gboolean idle; /* a device waits for requests */
  /* most of it was waited where, according to the user, threads wait for new work: see
   * tb-wait-new-work.h */
  gboolean new_work;
  const char
      *assertion; /* element of the option that names the edge itself; not owned; NULL: none */
  TbWaitExclusion exclusion;
  gsize first; /* its waits, in the graph's order */
  gsize n;
} TbWaitArc;

typedef struct
{
  TbWaitModel *model; /* not owned */
  guint32 *vertex_of_node;
  GArray *vertices;     /* TbWaitVertex */
  GArray *arcs;         /* TbWaitArc: idle ones last */
  guint32 *arc_of_edge; /* by edge of the model */
  guint32 *order;       /* waits of the model, by arc, then by start */
  gboolean has_target;  /* the delays of the target are known */
  /* ns: a vertex that runs and is runnable for less limits nothing, however short its life */
  gint64 least_busy;
} TbWaitGraph;

/* group: by node, a number shared by the nodes that become one vertex; TB_ID_NONE: alone. merged:
 * how they are merged. Both are as long as the model's nodes; NULL: none. */
TbWaitGraph *tb_wait_graph_new (TbWaitModel *model,
                                const guint32 *group,
                                const guint8 *merged,
                                const guint8 *outside);
void tb_wait_graph_free (TbWaitGraph *self);

/* The vertex of a thread at a time; TB_ID_NONE: none. */
guint32 tb_wait_graph_find_vertex (const TbWaitGraph *self, guint32 thread, gint64 time);

guint32 tb_wait_graph_add_idle_arc (TbWaitGraph *self,
                                    guint32 device,
                                    guint32 to,
                                    gint64 weight,
                                    guint64 n,
                                    gint64 longest,
                                    gint64 bound);
/* Sets the delays of the target. delays: from the waits as they were. forwarded: with forwarded
 * waits counted for what they were forwarded to; NULL: none was. Both are results of
 * tb_wait_compute_delays() for the edges of this graph. */
void tb_wait_graph_set_delays (TbWaitGraph *self,
                               const TbWaitDelays *delays,
                               const TbWaitDelays *forwarded);
/* exclusion: bits 1 << TbWaitExclusion of the kinds to exclude. light_below: edges of less cascaded
 * weight (ns) are light. */
void tb_wait_graph_exclude_edges (TbWaitGraph *self, guint exclusion, gint64 light_below);

/* Whether the run is cancelled, checked only at some of many rows. The caller of the analysis
 * discards an incomplete result. */
static inline gboolean
tb_wait_is_cancelled (gsize row)
{
  return G_UNLIKELY (row % 65536 == 0) && g_cancellable_is_cancelled (g_cancellable_get_current ());
}

/* Order of arc indices (data: the graph): the strongest limit first, then the heaviest, then by
 * index. */
int tb_wait_graph_compare_arcs (gconstpointer a, gconstpointer b, gpointer data);

static inline TbWaitVertex *
tb_wait_graph_get_vertex (const TbWaitGraph *self, guint32 vertex)
{
  return &g_array_index (self->vertices, TbWaitVertex, vertex);
}

static inline TbWaitArc *
tb_wait_graph_get_arc (const TbWaitGraph *self, guint32 arc)
{
  return &g_array_index (self->arcs, TbWaitArc, arc);
}

/* The number of concurrent threads over which the times of a vertex are summed. It is 1 for
 * short-lived threads and for a process outside the target, because their times stay together. */
static inline guint
tb_wait_vertex_count_alike (const TbWaitVertex *vertex)
{
  gboolean alike
      = vertex->merged == TB_WAIT_MERGED_SIMILAR || vertex->merged == TB_WAIT_MERGED_POOL;

  return alike ? MAX (vertex->nodes->len, 1) : 1;
}

/* Whether the edge is a wait for new work, which is not worth improving. */
static inline gboolean
tb_wait_arc_is_for_work (const TbWaitArc *arc)
{
  return arc->idle || arc->new_work;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitGraph, tb_wait_graph_free)

G_END_DECLS
