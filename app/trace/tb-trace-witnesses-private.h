/* tb-trace-witnesses-private.h: who is seen to run although nobody saw it begin
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-builder-private.h"

G_BEGIN_DECLS

/* A thread turns up on a cpu: by what it did there, at the latest by leaving it. */
typedef struct
{
  gint64 since; /* it got there after this: then somebody else was switched to */
  guint32 thread;
  guint16 cpu;
  gboolean
      first; /* the cpu's first switch is still to come: since when it runs is not known, and contradicts nothing */
} TbWitness;

typedef struct
{
  guint n;
  TbWitness *of; /* ascending in time */
  gint64 *time;
} TbWitnesses;

/* Switches in the order given, NULL: as they stand. */
void tb_witnesses_init (TbWitnesses *self,
                        const TbTraceInput *input,
                        guint n_cpus,
                        const guint32 *switch_order,
                        gsize n_switches);
void tb_witnesses_clear (TbWitnesses *self);

G_END_DECLS
