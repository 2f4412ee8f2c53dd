/* tb-contexts-instances.h: single calls of chosen contexts, inferred again from the events of a
 * recording: thread and times of each, and counts of them by duration
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-summary.h"

G_BEGIN_DECLS

#define TB_CONTEXTS_N_BINS 63

/* A call, by the chosen estimate. */
typedef struct
{
  guint32 thread;
  gint64 from;
  gint64 to;
} TbContextsCall;

/* The calls of one node. */
typedef struct
{
  GArray *calls; /* TbContextsCall, by time; where there are very many, the longest */
  guint64 n;     /* number of all calls */
  /* number of calls that took at least 2^i ns and less than twice that; those under 2 ns are in
   * the first bin */
  guint64 bins[TB_CONTEXTS_N_BINS];
  guint64 sums[TB_CONTEXTS_N_BINS]; /* ns */
} TbContextsCalls;

typedef struct
{
  TbContextsSummary *summary; /* not owned */
  GHashTable *nodes;          /* node → TbContextsCalls */
} TbContextsInstances;

/* Reads the events again and lists the calls of the nodes that are set in wanted. */
TbContextsInstances *tb_contexts_instances_new (TbContextsSummary *summary,
                                                const guint8 *wanted,
                                                GCancellable *cancellable,
                                                GError **error);
void tb_contexts_instances_free (TbContextsInstances *self);
/* NULL: none */
const TbContextsCalls *tb_contexts_instances_get (const TbContextsInstances *self, guint32 node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsInstances, tb_contexts_instances_free)

G_END_DECLS
