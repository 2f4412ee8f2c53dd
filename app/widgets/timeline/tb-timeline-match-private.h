/* tb-timeline-match-private.h: intervals of a timeline that match a filter: search of all tracks,
 * count in a stretch, next match
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-filter.h"
#include "widgets/timeline/tb-timeline-private.h"

G_BEGIN_DECLS

/* Examines all intervals, so call it in a thread. NULL when cancelled. */
TbTimelineMatches *tb_timeline_matches_new (TbTimelineFigure *figure,
                                            const TbFilter *filter,
                                            GCancellable *cancellable);
void tb_timeline_matches_free (TbTimelineMatches *self);
gboolean tb_timeline_matches_has (const TbTimelineMatches *self, guint track, gsize interval);
/* The number of matches in [first, end). O(1). */
gsize
tb_timeline_matches_count (const TbTimelineMatches *self, guint track, gsize first, gsize end);
/* The first match at or after an interval, or TB_INTERVAL_NONE. */
gsize tb_timeline_matches_next (const TbTimelineMatches *self, guint track, gsize interval);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbTimelineMatches, tb_timeline_matches_free)

G_END_DECLS
