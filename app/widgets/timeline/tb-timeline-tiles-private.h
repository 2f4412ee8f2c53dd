/* tb-timeline-tiles-private.h: drawn tiles of a track, kept between frames, and its intervals with
 * room for a label
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/timeline/tb-timeline-private.h"

G_BEGIN_DECLS

/**
 * TbTimelineTiles:
 *
 * A track as textures of a fixed number of columns. A pan moves them. After a zoom all of them must
 * be drawn again, which takes too long for one frame if many tracks are visible. Until then the old
 * ones are drawn scaled.
 */
typedef struct _TbTimelineTiles TbTimelineTiles;

TbTimelineTiles *tb_timeline_tiles_new (const TbTimelineContext *context);
void tb_timeline_tiles_free (TbTimelineTiles *self);
/* Sets another track, TB_TRACK_NONE for none, and drops the tiles. */
void tb_timeline_tiles_set_track (TbTimelineTiles *self, guint track);
/* Whether the tiles were drawn for another zoom or another look. */
gboolean tb_timeline_tiles_are_old (TbTimelineTiles *self);
/* Whether the old tiles can be drawn scaled instead of new ones. */
gboolean tb_timeline_tiles_can_wait (TbTimelineTiles *self);
/* Draws the missing tiles of the visible part. */
void tb_timeline_tiles_refresh (TbTimelineTiles *self);
/* Appends the tiles of the visible part. bar_y: its upper edge. */
void tb_timeline_tiles_append (TbTimelineTiles *self, GtkSnapshot *snapshot, float bar_y);
/* Appends the intervals (gsize) with room for a label to an array, ascending. */
void tb_timeline_tiles_get_wide (TbTimelineTiles *self, GArray *wide);

G_END_DECLS
