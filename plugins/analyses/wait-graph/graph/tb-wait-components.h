/* tb-wait-components.h: strongly connected components of a directed graph, found without recursion,
 * and the graph's edges sorted by origin as input
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The edges of a graph by their origin. */
typedef struct
{
  guint32 n_vertices;
  guint32 *first; /* by vertex, and one past the last */
  guint32 *to;    /* where the edges lead to, in that order */
  guint32 *edge;  /* their indices as given */
} TbWaitAdjacency;

/* Edges from TB_ID_NONE are left out. */
void tb_wait_adjacency_init (TbWaitAdjacency *self,
                             guint32 n_vertices,
                             const guint32 *from,
                             const guint32 *to,
                             guint32 n_edges);
void tb_wait_adjacency_clear (TbWaitAdjacency *self);

/* Sets the number of each vertex's component. Components are numbered such that edges between them
 * lead to smaller numbers. Returns the number of components. */
guint32 tb_wait_find_components (const TbWaitAdjacency *adjacency, guint32 *component);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitAdjacency, tb_wait_adjacency_clear)

G_END_DECLS
