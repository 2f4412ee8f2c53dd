/* tb-wait-hierarchy.h: how strongly connected components grow as edges are added
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-refine.h"

G_BEGIN_DECLS

#define TB_WAIT_NO_TIME G_MAXUINT32

/* A set of vertices that became strongly connected when one more edge was there: a single vertex, or several parts. */
typedef struct
{
  guint32 time;   /* the edge that made it one, TB_WAIT_NO_TIME: a single vertex, there from the beginning */
  guint32 parent; /* G_MAXUINT32 none */
  guint32 first_part; /* part and next_part form lists; G_MAXUINT32 none */
  guint32 next_part;
  guint32 n_vertices;
  guint32 n_between;   /* edges from one part to another, without the one that made it one */
  guint32 n_later;     /* edges within, of later times, before it became part of something else */
  guint32 first_later; /* list by next_later, the latest first */
} TbWaitSet;

typedef struct
{
  GArray *sets; /* TbWaitSet; the vertices come first, parts before what they are parts of */
  guint32 *next_later;
  guint32 *
      between_from; /* by edge: sets that it connects where it does; G_MAXUINT32 none: within one from the beginning */
  guint32 *between_to;
} TbWaitHierarchy;

/* Adds the links one after another. O(n log n). */
void
tb_wait_hierarchy_init (TbWaitHierarchy *self, guint32 n_vertices, const TbWaitLink *links, guint32 n_links);
void tb_wait_hierarchy_clear (TbWaitHierarchy *self);

static inline TbWaitSet *
tb_wait_hierarchy_get (const TbWaitHierarchy *self, guint32 set)
{
  return &g_array_index (self->sets, TbWaitSet, set);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbWaitHierarchy, tb_wait_hierarchy_clear)

G_END_DECLS
