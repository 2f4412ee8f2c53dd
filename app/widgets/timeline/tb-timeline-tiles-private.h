/* tb-timeline-tiles-private.h: what is kept of a track between frames
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "widgets/timeline/tb-timeline-private.h"

G_BEGIN_DECLS

/**
 * TbTimelineTiles:
 *
 * A track as textures of a fixed number of columns. A pan moves them; a zoom makes all of them anew, which takes too long for
 * one frame where many tracks are seen: until it is their turn the old ones are drawn larger or smaller.
 */
typedef struct _TbTimelineTiles TbTimelineTiles;

TbTimelineTiles *tb_timeline_tiles_new (const TbTimelineContext *context);
void tb_timeline_tiles_free (TbTimelineTiles *self);
/* Another track, TB_TRACK_NONE for none; drops what there is. */
void tb_timeline_tiles_set_track (TbTimelineTiles *self, guint track);
/* Whether what there is was drawn for another zoom or another look. */
gboolean tb_timeline_tiles_are_old (TbTimelineTiles *self);
/* Whether what there is can stand in for what is to be seen. */
gboolean tb_timeline_tiles_can_wait (TbTimelineTiles *self);
/* Draws what is missing of what is to be seen. */
void tb_timeline_tiles_refresh (TbTimelineTiles *self);
/* Appends what there is for what is to be seen; bar_y is its upper edge. */
void tb_timeline_tiles_append (TbTimelineTiles *self, GtkSnapshot *snapshot, float bar_y);
/* The intervals (gsize) that have room for a label, ascending, into an array. */
void tb_timeline_tiles_get_wide (TbTimelineTiles *self, GArray *wide);

G_END_DECLS
