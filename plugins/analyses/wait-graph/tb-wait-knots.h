/* tb-wait-knots.h: components, knots, and what is left of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-graph.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_KNOT,  /* a cycle or an edge to itself that nothing leads out of */
  TB_WAIT_SINK,  /* a single vertex that nothing leads out of and that runs: execution limits it */
  TB_WAIT_IDLE,  /* likewise, but it mostly waits for what was set aside */
  TB_WAIT_INNER, /* it waits for others */
  TB_N_WAIT_COMPONENTS,
} TbWaitComponentKind;

/* Waits of so little of the time gain next to nothing: a finding of less is told as one of low severity, too. */
#define TB_WAIT_NEXT_TO_NOTHING 0.05

/* The paper's definition 3.1. */
typedef enum
{
  TB_WAIT_ROLE_UNKNOWN,
  TB_WAIT_ROLE_WORKER,     /* does more when more is to be done */
  TB_WAIT_ROLE_BACKGROUND, /* does not */
} TbWaitRole;

typedef struct
{
  TbWaitComponentKind kind;
  gboolean background;
  gboolean outside; /* nothing of the target is in it or, through whomever, waits for it */
  GArray *vertices; /* guint32, sorted by id */
  GArray *let_go;   /* guint32: arcs by which it would be in a knot, see tb-wait-execution.h; NULL none */
  gint64 running;
  gint64 runnable;
} TbWaitComponent;

/* What is left of a knot. */
typedef struct
{
  guint32 component;
  GArray *vertices; /* guint32, sorted by id */
  GArray *arcs;     /* guint32: to be looked at in this order; those that only wait for new work last */
  GArray *removed;  /* guint32: in the order in which they were taken away */
  gint64 bound;     /* what removing one could gain at most: the greatest of its edges' */
} TbWaitBottleneck;

typedef struct
{
  gint64 threshold;         /* ns: see tb_wait_refine() */
  const guint8 *background; /* by vertex: the user says that it is background; nullable */
  const guint8 *workers;    /* by vertex: that it is not */
  const guint8 *roles;      /* TbWaitRole by vertex, as seen under two loads; nullable */
} TbWaitKnotOptions;

typedef struct
{
  GArray *components; /* TbWaitComponent: those of the last round, then background ones, in the order found */
  GArray *bottlenecks;   /* TbWaitBottleneck: background ones last, then by bound, largest first */
  guint32 *component_of; /* by vertex */
} TbWaitKnots;

TbWaitKnots *tb_wait_knots_new (TbWaitGraph *graph, const TbWaitKnotOptions *options);
void tb_wait_knots_free (TbWaitKnots *self);

/* The network, where it is not known whom something came from: nobody in particular, and so never saturated. */
gboolean tb_wait_vertex_is_unknown_peer (const TbWaitGraph *graph, guint32 vertex);
/* Whether it is more than half of the time ready to work. */
gboolean tb_wait_vertex_is_saturated (const TbWaitGraph *graph, guint32 vertex);

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
