/* tb-trace-uncertainty-private.h: stretches in which events were lost
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-builder-private.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 from;
  gint64 to;
} TbGap;

/* Gaps of a list are sorted, apart and not empty. */
typedef struct
{
  guint n_cpus;
  guint n_any; /* of any cpu */
  TbGap *any;
  guint n_everywhere; /* whose cpu is not known */
  TbGap *everywhere;
  guint32 *cpu_first; /* n_cpus + 1 entries into cpu_gaps */
  guint32 *cpu_count;
  TbGap *cpu_gaps;
  guint64 n_events;
} TbGaps;

void tb_gaps_init (TbGaps *gaps, const TbLostColumns *losses, guint n_cpus, gint64 from, gint64 to);
void tb_gaps_clear (TbGaps *gaps);
gint64 tb_gaps_get_length (const TbGaps *gaps);

/* Where a stretch of which any cpu may have missed the end is first cut, or -1. */
gint64 tb_gaps_find_any (const TbGaps *gaps, gint64 from, gint64 to);
/* Likewise of a run on one cpu, which only losses there make doubtful. */
gint64 tb_gaps_find_on_cpu (const TbGaps *gaps, guint16 cpu, gint64 from, gint64 to);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbGaps, tb_gaps_clear)

G_END_DECLS
