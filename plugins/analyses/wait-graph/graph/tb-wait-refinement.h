/* tb-wait-refinement.h: refinement of strongly connected vertices: removal of the lightest edges
 * until single vertices, simple cycles or heavy parts are left, with its steps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-component-hierarchy.h"

G_BEGIN_DECLS

typedef enum
{
  TB_WAIT_LEAF_VERTEX, /* a single vertex, with or without a self-loop */
  TB_WAIT_LEAF_CYCLE,  /* a simple cycle */
  TB_WAIT_LEAF_HEAVY,  /* its lightest edge exceeds the threshold */
} TbWaitLeafKind;

/* Where refinement ended. */
typedef struct
{
  TbWaitLeafKind kind;
  /* index of the step that led to it, which several leaves may share; G_MAXUINT32: none */
  guint32 parent;
  GArray *vertices; /* guint32, ascending */
  GArray *links;    /* guint32: links that are left between them, in the given order */
} TbWaitLeaf;

/* A strongly connected part from which links were removed until it fell apart. */
typedef struct
{
  guint32 parent;  /* the previous step; G_MAXUINT32: none */
  GArray *removed; /* guint32: links in the order of removal */
} TbWaitStep;

typedef struct
{
  GArray *leaves; /* TbWaitLeaf */
  GArray *steps;  /* TbWaitStep; also for a leaf that lost links before it became one */
} TbWaitRefined;

/* The refinement of the paper (3.2). It removes the lightest link until the whole is no longer
 * strongly connected, finds the parts without a link to another part, and does the same with each
 * of them. It stops when a part is a single vertex or a simple cycle, or its lightest link is
 * heavier than threshold. Of equal links, the one given last is removed first. The links must be
 * sorted by weight, heaviest first, and connect the vertices 0…n_vertices-1 strongly. Self-loops
 * are permitted. */
TbWaitRefined *
tb_wait_refine (guint32 n_vertices, const TbWaitLink *links, guint32 n_links, gint64 threshold);
void tb_wait_refined_free (TbWaitRefined *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitRefined, tb_wait_refined_free)

G_END_DECLS
