/* tb-wait-graph.h: vertices that wait for one another, and what is known of each edge
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-sweep.h"

G_BEGIN_DECLS

/* Why an edge is left out before components are sought. */
typedef enum
{
  TB_ASIDE_NONE,
  TB_ASIDE_TIMER,
  TB_ASIDE_INTERRUPT,
  TB_ASIDE_IDLE,
  TB_ASIDE_UNKNOWN,
  TB_ASIDE_LIGHT,
  TB_N_ASIDES,
} TbWaitAside;

const char *tb_wait_aside_get_name (TbWaitAside aside); /* stable, for options and JSON */

/* What becomes one vertex of several nodes. */
typedef enum
{
  TB_WAIT_MERGED_NOT,
  TB_WAIT_MERGED_VIRTUAL, /* short-lived threads */
  TB_WAIT_MERGED_SIMILAR,
  TB_WAIT_MERGED_OUTSIDE, /* a process that is not the target */
  TB_WAIT_MERGED_POOL,    /* workers of the kernel that take turns */
} TbWaitMerged;

typedef struct
{
  TbWaitNodeKind kind; /* of its nodes */
  TbWaitMerged merged;
  gboolean outside; /* not of the target; devices and the like never are */
  char *id;
  char *name;
  char *common;    /* the name without how many threads it stands for */
  guint32 process; /* of the session, TB_ID_NONE none */
  GArray *nodes;   /* guint32, ascending */
  gint64 running;
  gint64 runnable;
  gint64 waiting;
  gint64 unknown;
  gint64 used;    /* what its threads ran, also those of a virtual node, which runs while any of them does */
  gint64 wanted;  /* likewise of runnable */
  gint64 busiest; /* the most that one of its nodes ran and was runnable of those that others wait for */
  gint64 queued;  /* devices: Σ of the time that requests were in service, for the mean depth */
} TbWaitVertex;

/* Times of several waiters divided by their number. */
typedef struct
{
  guint32 from; /* vertices */
  guint32 to;
  guint64 waits;
  gint64 weight; /* cascaded */
  gint64 asked;  /* what of it delays those asked about; all of it where that is everybody */
  gint64 limits; /* likewise, but what was handed on counts for what it was handed on to: see tb-wait-way.h */
  gint64 plain;
  gint64 longest;
  gint64
      bound; /* at least one wait was open, or handed on to it: union of them; of who is outside, while one asked about hung on it */
  gint64 by_way; /* what of it was only handed on */
  guint32 way;   /* the vertex by way of which most of that was, TB_ID_NONE none */
  guint32 n_waiters;
  gboolean idle;     /* a device waits for requests */
  gboolean new_work; /* most of it was waited where the user says that new work is: see tb-wait-new-work.h */
  const char *said;  /* the element of the option that names the edge itself, not owned; NULL none */
  TbWaitAside aside;
  gsize first; /* its waits, in the graph's order */
  gsize n;
} TbWaitArc;

typedef struct
{
  TbWaitModel *model; /* not owned */
  guint32 *vertex_of_node;
  GArray *vertices;     /* TbWaitVertex */
  GArray *arcs;         /* TbWaitArc: idle ones last */
  guint32 *arc_of_edge; /* of the model */
  guint32 *order;       /* waits of the model, by arc, then by start */
  gboolean has_target;  /* what edges do to it is known */
} TbWaitGraph;

/* group: by node, which nodes become one vertex (any number they share; TB_ID_NONE: alone), and what that makes of them.
 * NULL: none. Both as long as the model's nodes. */
TbWaitGraph *
tb_wait_graph_new (TbWaitModel *model, const guint32 *group, const guint8 *merged, const guint8 *outside);
void tb_wait_graph_free (TbWaitGraph *self);

guint32 tb_wait_graph_add_idle_arc (TbWaitGraph *self,
                                    guint32 device,
                                    guint32 to,
                                    gint64 weight,
                                    guint64 n,
                                    gint64 longest,
                                    gint64 bound);
/* With a target, what edges do to it. delays: of the waits as they were; handed_on: with what is handed on taken for what it was
 * handed on to; NULL: nothing was. Both as tb_wait_sweep_for() gives them for the edges of this graph. */
void tb_wait_graph_set_delays (TbWaitGraph *self, const TbWaitDelays *delays, const TbWaitDelays *handed_on);
/* aside: bit 1 << TbWaitAside for each kind to set aside; light_below: edges of less cascaded weight (ns). */
void tb_wait_graph_set_aside (TbWaitGraph *self, guint aside, gint64 light_below);

/* At the row of many of that number: whether the run is cancelled, at few of which it is looked. Whoever runs the analysis refuses
 * what was left off then. */
static inline gboolean
tb_wait_is_given_up (gsize row)
{
  return G_UNLIKELY (row % 65536 == 0) && g_cancellable_is_cancelled (g_cancellable_get_current ());
}

/* Of indices, in data's graph: what limits most first, then the heaviest, then by number. */
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

/* Of how many threads that are there all the time, side by side, its times are sums. Those of short-lived threads, and of a process
 * that is not the target, stay together: 1. */
static inline guint
tb_wait_vertex_count_alike (const TbWaitVertex *vertex)
{
  gboolean alike = vertex->merged == TB_WAIT_MERGED_SIMILAR || vertex->merged == TB_WAIT_MERGED_POOL;

  return alike ? MAX (vertex->nodes->len, 1) : 1;
}

/* It is over when there is something to do: not worth work. */
static inline gboolean
tb_wait_arc_is_for_work (const TbWaitArc *arc)
{
  return arc->idle || arc->new_work;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitGraph, tb_wait_graph_free)

G_END_DECLS
