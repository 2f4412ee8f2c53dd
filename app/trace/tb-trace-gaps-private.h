/* tb-trace-gaps-private.h: time ranges in which events were lost, merged by CPU; search for the
 * first loss in a range of time, on one CPU or any
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-input-private.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 from;
  gint64 to;
} TbGap;

/* The gaps of a list are sorted, disjoint and not empty. */
typedef struct
{
  guint n_cpus;
  guint n_any; /* gaps on any CPU */
  TbGap *any;
  guint n_unknown_cpu; /* gaps for which the CPU is not known */
  TbGap *unknown_cpu;
  guint32 *cpu_first; /* n_cpus + 1 entries into cpu_gaps */
  guint32 *cpu_count;
  TbGap *cpu_gaps;
  guint64 n_events;
} TbGaps;

void tb_gaps_init (TbGaps *gaps, const TbLostColumns *losses, guint n_cpus, gint64 from, gint64 to);
void tb_gaps_clear (TbGaps *gaps);
gint64 tb_gaps_get_length (const TbGaps *gaps);

/* The first time in the range at which any CPU lost events, so that an end may be missing; -1 if
 * none. */
gint64 tb_gaps_find_any (const TbGaps *gaps, gint64 from, gint64 to);
/* The same for a run on one CPU, which only losses on that CPU make uncertain. */
gint64 tb_gaps_find_on_cpu (const TbGaps *gaps, guint16 cpu, gint64 from, gint64 to);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbGaps, tb_gaps_clear)

G_END_DECLS
