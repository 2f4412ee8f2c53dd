/* tb-wait-vertex-match.h: names by which the vertices of two recordings are matched for a
 * comparison: without the number of threads, so that "server ×4" and "server ×16" match
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-graph.h"

G_BEGIN_DECLS

/* Vertices of one name match. The number of threads that a vertex stands for is not part of the
 * name, because more clients are served by more threads: "server ×4" and "server ×16" match.
 * "server" matches them, too, if one recording has no other; otherwise it is another vertex. The
 * resulting name does not depend on the numbers, so that it is the same in comparisons with several
 * recordings. */
typedef struct
{
  GHashTable *groups; /* name without a number → how its vertices are distinguished */
} TbWaitVertexMatch;

TbWaitVertexMatch *tb_wait_vertex_match_new (const TbWaitGraph *base, const TbWaitGraph *other);
void tb_wait_vertex_match_free (TbWaitVertexMatch *self);
/* The name of a vertex of either recording. (transfer none) */
const char *tb_wait_vertex_match_get_name (const TbWaitVertexMatch *self,
                                           const TbWaitVertex *vertex);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitVertexMatch, tb_wait_vertex_match_free)

G_END_DECLS
