/* tb-contexts-gaps.h: what functions do behind their last system call and before their first one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between two events of a thread it leaves the functions of the first and enters those of the second, from a caller of both. How
 * long that takes is what the first ones do behind their event, what the caller does, and what the second ones do before theirs.
 * One gap does not tell which; many do. Where it takes longer to the same place from here than from elsewhere, it takes longer
 * behind the event here: t(A) ≥ g(A→B) − g(A'→B) for all A' and B, as t(A') ≥ 0; likewise before B. And it takes no longer than
 * the shortest: t(A) ≤ g(A→B) for all B. Of one pair alone no more is known.
 *
 * Two events in the same context tell that they were made in turn, but not by whom. If that takes no longer than to go elsewhere,
 * it is likely to be the same caller: then t(A) ≥ g(A→A) − g(A'→A), and t(A) and h(A) ≤ g(A→A).
 *
 * Memory is bounded: so many places, each with so many others before or behind it; what comes later is not learned. */
#define TB_CONTEXTS_GAPS_PLACES 16384
#define TB_CONTEXTS_GAPS_OTHERS 8
/* The median of so many latest gaps of a pair counts, and that of fewer than so many does not. */
#define TB_CONTEXTS_GAPS_LATEST 8
#define TB_CONTEXTS_GAPS_LEAST 3

typedef struct _TbContextsGaps TbContextsGaps;

/* ns */
typedef struct
{
  gint64 least;
  gint64 most; /* G_MAXINT64: unknown */
} TbContextsBounds;

TbContextsGaps *tb_contexts_gaps_new (void);
void tb_contexts_gaps_free (TbContextsGaps *self);
/* All is forgotten. */
void tb_contexts_gaps_reset (TbContextsGaps *self);
/* From an event in one context to one in another, whose innermost common caller is given (0: none); ns: how much of it was
 * possible. */
void tb_contexts_gaps_add (TbContextsGaps *self, guint32 before, guint32 after, guint32 common, gint64 ns);
/* Between two events in the same context. */
void tb_contexts_gaps_add_again (TbContextsGaps *self, guint32 context, gint64 ns);
/* How much of such gaps lies in the functions that are left and in those that are entered. */
void tb_contexts_gaps_get (const TbContextsGaps *self,
                           guint32 before,
                           guint32 after,
                           guint32 common,
                           TbContextsBounds *left,
                           TbContextsBounds *entered);
/* Both at once. */
void tb_contexts_gaps_learn (TbContextsGaps *self,
                             guint32 before,
                             guint32 after,
                             guint32 common,
                             gint64 ns,
                             TbContextsBounds *left,
                             TbContextsBounds *entered);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbContextsGaps, tb_contexts_gaps_free)

G_END_DECLS
