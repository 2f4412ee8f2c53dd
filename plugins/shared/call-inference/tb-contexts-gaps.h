/* tb-contexts-gaps.h: bounds of the time of functions after their last event and before their first
 * one, learned from the gaps between events (system calls) that tb-contexts-inference.c adds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between two events of a thread, the thread leaves the functions A of the first event and enters
 * the functions B of the second, from a caller of both. The gap g(A→B) is the sum of three times:
 * t(A), which the first functions take after their event, the time of the caller, and h(B), which
 * the second functions take before theirs. One gap does not show how it is divided, but many gaps
 * do. If the gap to the same place is longer from A than from A', the functions A take longer after
 * their event: t(A) ≥ g(A→B) − g(A'→B) for all A' and B, as t(A') ≥ 0. The same holds for h(B). The
 * upper bound is the shortest gap: t(A) ≤ g(A→B) for all B. A single pair gives no other bounds.
 *
 * Two events in the same context show that it was called repeatedly, but not by which caller. If
 * that gap is no longer than those to other places, it is likely to be the same caller. Then t(A) ≥
 * g(A→A) − g(A'→A), and both t(A) and h(A) ≤ g(A→A).
 *
 * Memory is bounded: by the number of places, and by the number of other places before or after
 * each. Later ones are not learned. */
#define TB_CONTEXTS_GAPS_PLACES 16384
#define TB_CONTEXTS_GAPS_NEIGHBOURS 8
/* The median of this many latest gaps of a pair is used, and none while there are fewer than the
 * least number. */
#define TB_CONTEXTS_GAPS_MAX_LATEST 8
#define TB_CONTEXTS_GAPS_MIN_GAPS 3

typedef struct _TbContextsGaps TbContextsGaps;

/* In ns. */
typedef struct
{
  gint64 least;
  gint64 most; /* G_MAXINT64: unknown */
} TbContextsBounds;

TbContextsGaps *tb_contexts_gaps_new (void);
void tb_contexts_gaps_free (TbContextsGaps *self);
/* Discards everything learned. */
void tb_contexts_gaps_reset (TbContextsGaps *self);
/* Adds a gap from an event in one context to one in another. common: the innermost common caller
 * (0: none). ns: the part of the gap in which calls and returns were possible. */
void tb_contexts_gaps_add (TbContextsGaps *self,
                           guint32 before,
                           guint32 after,
                           guint32 common,
                           gint64 ns);
/* Adds a gap between two events in the same context. */
void tb_contexts_gaps_add_repeated (TbContextsGaps *self, guint32 context, gint64 ns);
/* Computes bounds for the time of the functions left and of the functions entered in such a gap. */
void tb_contexts_gaps_get (const TbContextsGaps *self,
                           guint32 before,
                           guint32 after,
                           guint32 common,
                           TbContextsBounds *left,
                           TbContextsBounds *entered);
/* Adds a gap, then computes its bounds. */
void tb_contexts_gaps_learn (TbContextsGaps *self,
                             guint32 before,
                             guint32 after,
                             guint32 common,
                             gint64 ns,
                             TbContextsBounds *left,
                             TbContextsBounds *entered);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsGaps, tb_contexts_gaps_free)

G_END_DECLS
