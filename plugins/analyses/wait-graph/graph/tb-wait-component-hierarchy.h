/* tb-wait-component-hierarchy.h: order in which vertices become strongly connected as edges are
 * added one by one, as a tree of components
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An edge, reduced to what refinement needs. */
typedef struct
{
  guint32 from;
  guint32 to;
  gint64 weight;
} TbWaitLink;

#define TB_WAIT_NO_TIME G_MAXUINT32

/* A set of vertices that became strongly connected when one more edge was added: a single vertex,
 * or several parts. */
typedef struct
{
  /* index of the edge that connected it; TB_WAIT_NO_TIME: a single vertex, present from the
   * beginning */
  guint32 time;
  guint32 parent;     /* G_MAXUINT32: none */
  guint32 first_part; /* first_part and next_part form lists; G_MAXUINT32: none */
  guint32 next_part;
  guint32 n_vertices;
  guint32 n_between;   /* edges between different parts, without the one that connected it */
  guint32 n_later;     /* edges within it that were added before it became a part of another set */
  guint32 first_later; /* list by next_later, the latest first */
} TbWaitSet;

typedef struct
{
  /* TbWaitSet; the vertices come first, and parts come before the sets that they are parts of */
  GArray *sets;
  guint32 *next_later;
  /* by edge: sets that it connects when it is added; G_MAXUINT32: its ends were in one set
   * already */
  guint32 *between_from;
  guint32 *between_to;
} TbWaitHierarchy;

/* Adds the links one after another. O(n log n). */
void tb_wait_hierarchy_init (TbWaitHierarchy *self,
                             guint32 n_vertices,
                             const TbWaitLink *links,
                             guint32 n_links);
void tb_wait_hierarchy_clear (TbWaitHierarchy *self);

static inline TbWaitSet *
tb_wait_hierarchy_get (const TbWaitHierarchy *self, guint32 set)
{
  return &g_array_index (self->sets, TbWaitSet, set);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitHierarchy, tb_wait_hierarchy_clear)

G_END_DECLS
