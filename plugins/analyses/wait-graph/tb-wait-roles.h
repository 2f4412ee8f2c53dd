/* tb-wait-roles.h: who does more when more is to be done: workers and background threads, from two loads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-wait-result.h"
#include "tb-wait-same.h"

G_BEGIN_DECLS

/* Throughputs that differ by less tell nobody apart. */
#define TB_WAIT_LOADS_DIFFER 1.2

/* Vertices that are the same. */
typedef struct
{
  char *name;
  guint64 rounds[2]; /* waits that ended: base, other */
  gint64 running[2];
  double growth; /* of what it does a second, from the smaller load to the greater */
  TbWaitRole role;
} TbWaitRoleOf;

typedef struct
{
  gboolean is_known; /* the throughputs are, and differ enough */
  double throughput[2];
  double growth;  /* from the smaller to the greater */
  GPtrArray *all; /* TbWaitRoleOf, by name */
} TbWaitRoles;

/* Definition 3.1: a worker's throughput grows with that of the application. What a thread does is counted by its rounds, from one
 * wait to the next, and by its running time, of which that which grows more counts: who never finds an empty queue sleeps less
 * often, and who does more in a round runs longer. It grows with the application if by more than the root of its growth. */
TbWaitRoles *tb_wait_roles_new (const TbWaitResult *base, const TbWaitResult *other, const TbWaitSame *same);
void tb_wait_roles_free (TbWaitRoles *self);
/* By vertex of a result. (transfer full) */
guint8 *tb_wait_roles_find (const TbWaitRoles *self, const TbWaitSame *same, const TbWaitResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitRoles, tb_wait_roles_free)

G_END_DECLS
