/* tb-wait-knots.h: knots of a wait graph (components that wait for no others), bottlenecks in them,
 * other components, found by tb-wait-knot-search.c; properties of vertices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_KNOT, /* a cycle or self-loop without an edge out of it */
  /* a single vertex without an outgoing edge that is busy: its execution is the limit */
  TB_WAIT_SINK,
  TB_WAIT_IDLE,  /* likewise, but it mostly waits for what was excluded */
  TB_WAIT_INNER, /* it waits for other components */
  TB_N_WAIT_COMPONENTS,
} TbWaitComponentKind;

/* Waits for less than this share of the time gain next to nothing. Findings with less have low
 * severity, too. */
#define TB_WAIT_NEGLIGIBLE_SHARE 0.05

/* The paper's definition 3.1. */
typedef enum
{
  TB_WAIT_ROLE_UNKNOWN,
  TB_WAIT_ROLE_WORKER,     /* does more when there is more to do */
  TB_WAIT_ROLE_BACKGROUND, /* does not */
} TbWaitRole;

typedef struct
{
  TbWaitComponentKind kind;
  gboolean background;
  /* no vertex of the target is in it, or waits for it directly or through others */
  gboolean outside;
  GArray *vertices; /* guint32, sorted by id */
  /* guint32: removed arcs by which it would be in a knot, see tb-wait-execution-limits.h; NULL:
   * none */
  GArray *cut_arcs;
  gint64 running;
  gint64 runnable;
  /* from the beginning of its first thread to the end of its last one */
  gint64 first;
  gint64 last;
} TbWaitComponent;

/* What refinement leaves of a knot. */
typedef struct
{
  guint32 component;
  GArray *vertices; /* guint32, sorted by id */
  /* guint32, in the order in which to examine them; waits for new work come last */
  GArray *arcs;
  GArray *removed; /* guint32, in the order of removal */
  /* upper limit of the gain from removing one of its edges: the greatest of their bounds */
  gint64 bound;
} TbWaitBottleneck;

typedef struct
{
  gint64 threshold;         /* ns: see tb_wait_refine() */
  const guint8 *background; /* by vertex: the user declared it to be background; nullable */
  const guint8 *workers;    /* by vertex: the user declared it to be a worker; nullable */
  const guint8 *roles;      /* TbWaitRole by vertex, from recordings of two loads; nullable */
  /* by arc: most of it was waited for locks that others held, not for new work; nullable */
  const guint8 *for_locks;
  gboolean keeps_ended; /* edges of threads that ended count as exits of a knot */
} TbWaitKnotOptions;

typedef struct
{
  /* TbWaitComponent: those of the last round, then background ones, in the order found */
  GArray *components;
  GArray *bottlenecks;   /* TbWaitBottleneck: background ones last, then by bound, largest first */
  guint32 *component_of; /* by vertex */
} TbWaitKnots;

TbWaitKnots *tb_wait_knots_new (TbWaitGraph *graph, const TbWaitKnotOptions *options);
void tb_wait_knots_free (TbWaitKnots *self);

/* Whether it is the network with an unknown peer. It stands for no particular peer, so it is never
 * saturated. */
gboolean tb_wait_vertex_is_unknown_peer (const TbWaitGraph *graph, guint32 vertex);
/* For how long it runs or is runnable; of similar threads the sum. */
gint64 tb_wait_vertex_get_busy (const TbWaitVertex *vertex);
/* Whether it runs or is runnable for more than half of its life, and long enough to limit
 * others. */
gboolean tb_wait_vertex_is_saturated (const TbWaitGraph *graph, guint32 vertex);
/* Likewise, if it was busy in all unknown states in which it may have been. */
gboolean tb_wait_vertex_may_be_saturated (const TbWaitGraph *graph, guint32 vertex);
/* Whether it belongs to the target. Devices and the like do only through its threads. */
gboolean tb_wait_vertex_is_targeted (const TbWaitVertex *vertex);
/* A GCompareDataFunc of vertices (guint32) by their ids; data: the graph. */
int tb_wait_graph_compare_ids (gconstpointer a, gconstpointer b, gpointer data);

static inline TbWaitComponent *
tb_wait_knots_get_component (const TbWaitKnots *self, guint32 component)
{
  return &g_array_index (self->components, TbWaitComponent, component);
}

static inline TbWaitBottleneck *
tb_wait_knots_get_bottleneck (const TbWaitKnots *self, guint bottleneck)
{
  return &g_array_index (self->bottlenecks, TbWaitBottleneck, bottleneck);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitKnots, tb_wait_knots_free)

G_END_DECLS
