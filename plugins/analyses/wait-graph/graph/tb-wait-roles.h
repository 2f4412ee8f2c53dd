/* tb-wait-roles.h: roles of threads, worker or background, by how their activity grows between
 * recordings of two loads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-result.h"
#include "output/tb-wait-vertex-match.h"

G_BEGIN_DECLS

/* Throughputs that differ by a smaller factor do not show the roles. */
#define TB_WAIT_MIN_LOAD_RATIO 1.2

/* Vertices that match in both recordings. */
typedef struct
{
  char *name;
  guint64 rounds[2]; /* waits that ended: base, other */
  gint64 running[2];
  double growth; /* of its activity a second, from the smaller load to the greater */
  TbWaitRole role;
} TbWaitVertexRole;

typedef struct
{
  gboolean is_known; /* both throughputs are known and differ enough */
  double throughput[2];
  double growth;  /* of the throughput, from the smaller load to the greater */
  GPtrArray *all; /* TbWaitVertexRole, by name */
} TbWaitRoles;

/* Definition 3.1: a worker's throughput grows with that of the application. The activity of a
 * thread is measured by its rounds, from one wait to the next, and by its running time; the one
 * that grows more counts. A thread that never finds an empty queue sleeps less often, and a thread
 * that does more in a round runs longer. A thread grows with the application if its growth exceeds
 * the square root of the application's growth. */
TbWaitRoles *tb_wait_roles_new (const TbWaitResult *base,
                                const TbWaitResult *other,
                                const TbWaitVertexMatch *same);
void tb_wait_roles_free (TbWaitRoles *self);
/* By vertex of a result. (transfer full) */
guint8 *tb_wait_roles_find (const TbWaitRoles *self,
                            const TbWaitVertexMatch *same,
                            const TbWaitResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitRoles, tb_wait_roles_free)

G_END_DECLS
