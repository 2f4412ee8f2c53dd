/* tb-wait-refine.h: what is left of strongly connected vertices when the lightest edges are taken away
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An edge as far as refinement knows it. */
typedef struct
{
  guint32 from;
  guint32 to;
  gint64 weight;
} TbWaitLink;

typedef enum
{
  TB_WAIT_LEAF_VERTEX, /* a single one, with or without an edge to itself */
  TB_WAIT_LEAF_CYCLE,  /* a simple one */
  TB_WAIT_LEAF_HEAVY,  /* its lightest edge exceeds the threshold */
} TbWaitLeafKind;

/* Where refinement ended. */
typedef struct
{
  TbWaitLeafKind kind;
  guint32 parent;   /* the leaves' common steps: index of the step it came from, G_MAXUINT32 none */
  GArray *vertices; /* guint32, ascending */
  GArray *links;    /* guint32: what is left between them, in the order given */
} TbWaitLeaf;

/* A strongly connected part from which edges were taken until it fell apart. */
typedef struct
{
  guint32 parent;  /* the step before, G_MAXUINT32 none */
  GArray *removed; /* guint32: links in the order in which they were taken */
} TbWaitStep;

typedef struct
{
  GArray *leaves; /* TbWaitLeaf */
  GArray *steps;  /* TbWaitStep; of a leaf that lost edges before it became one too */
} TbWaitRefined;

/* The refinement of the paper (3.2): takes the lightest edge away until the whole is not strongly connected any more, looks
 * for the parts without an edge to another part, and so on with each, until a part is a single vertex, a simple cycle, or its
 * lightest edge is heavier than threshold. Of equal ones the one given last is taken first. The links must be sorted by
 * weight, heaviest first, and connect vertices 0…n_vertices-1 strongly; edges of a vertex to itself are permitted. */
TbWaitRefined *
tb_wait_refine (guint32 n_vertices, const TbWaitLink *links, guint32 n_links, gint64 threshold);
void tb_wait_refined_free (TbWaitRefined *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitRefined, tb_wait_refined_free)

G_END_DECLS
