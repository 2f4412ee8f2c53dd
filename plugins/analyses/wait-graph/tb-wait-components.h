/* tb-wait-components.h: strongly connected components, without recursion
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The edges of a graph by where they begin. */
typedef struct
{
  guint32 n_vertices;
  guint32 *first; /* by vertex, and one past the last */
  guint32 *to;    /* edges in that order */
  guint32 *edge;  /* their numbers as given */
} TbWaitAdjacency;

/* Edges that begin at TB_ID_NONE are left out. */
void tb_wait_adjacency_init (TbWaitAdjacency *self,
                             guint32 n_vertices,
                             const guint32 *from,
                             const guint32 *to,
                             guint32 n_edges);
void tb_wait_adjacency_clear (TbWaitAdjacency *self);

/* Sets the number of each vertex's component. Components are numbered such that edges between them lead to smaller numbers.
 * Returns how many there are. */
guint32 tb_wait_find_components (const TbWaitAdjacency *adjacency, guint32 *component);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitAdjacency, tb_wait_adjacency_clear)

G_END_DECLS
