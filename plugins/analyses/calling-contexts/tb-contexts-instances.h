/* tb-contexts-instances.h: the calls of chosen functions in their contexts, one by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-summary.h"

G_BEGIN_DECLS

#define TB_CONTEXTS_N_BINS 63

/* One call, by the chosen estimate. */
typedef struct
{
  guint32 thread;
  gint64 from;
  gint64 to;
} TbContextsCall;

/* Of one node. */
typedef struct
{
  GArray *calls; /* TbContextsCall, by time; of very many the longest */
  guint64 n;     /* how many there are */
  guint64 bins
      [TB_CONTEXTS_N_BINS]; /* how many took 2^i ns or more, less than twice that; under 2 ns in the first */
  guint64 sums[TB_CONTEXTS_N_BINS]; /* ns */
} TbContextsCalls;

typedef struct
{
  TbContextsSummary *summary; /* not owned */
  GHashTable *nodes;          /* node → TbContextsCalls */
} TbContextsInstances;

/* Reads the events once more, for those nodes that wanted is set of. */
TbContextsInstances *tb_contexts_instances_new (TbContextsSummary *summary,
                                                const guint8 *wanted,
                                                GCancellable *cancellable,
                                                GError **error);
void tb_contexts_instances_free (TbContextsInstances *self);
/* NULL: there are none. */
const TbContextsCalls *tb_contexts_instances_get (const TbContextsInstances *self, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsInstances, tb_contexts_instances_free)

G_END_DECLS
