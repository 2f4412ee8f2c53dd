/* tb-timeline-figure-private.h: functions of a timeline that its files share: JSON with its limits,
 * text, labels, and indexes of a track for sums and for the longest intervals
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"

G_BEGIN_DECLS

/* Maximum numbers of intervals and arrows, and of texts, in the JSON of one timeline. */
#define TB_TIMELINE_JSON_INTERVALS 60000
#define TB_TIMELINE_JSON_ARROWS 30000
#define TB_TIMELINE_JSON_LABELS 20000

/* Limits of what is read. */
#define TB_TIMELINE_TRACKS_MAX 200000
#define TB_TIMELINE_INTERVALS_MAX 4000000
#define TB_TIMELINE_LOST_MAX 100000

void tb_timeline_figure_write_json (TbFigure *figure, JsonBuilder *builder);
gboolean tb_timeline_figure_read_json (TbFigure *figure, JsonObject *object, GError **error);
void tb_timeline_figure_render_text (TbFigure *figure, GString *text, guint width);

void tb_timeline_figure_set_range (TbTimelineFigure *self, gint64 from, gint64 to);
void tb_timeline_figure_set_merge_threshold (TbTimelineFigure *self, gint64 ns);
char *tb_timeline_figure_make_label (TbTimelineFigure *self,
                                     guint track,
                                     gsize interval,
                                     gboolean long_form);
gboolean tb_timeline_figure_has_labels (TbTimelineFigure *self);

/* Sums over blocks of a track's intervals. */
typedef struct _TbTimelineSums TbTimelineSums;

TbTimelineSums *
tb_timeline_sums_new (gsize n, const gint64 *start, const gint64 *end, const guint8 *paint);
void tb_timeline_sums_free (TbTimelineSums *self);
void tb_timeline_sums_get_coverage (const TbTimelineSums *self,
                                    const TbTimelineTrack *track,
                                    gint64 from,
                                    gint64 to,
                                    TbTimelineCoverage *out);
/* The longest interval of each paint, in levels of blocks. */
typedef struct _TbTimelineLongest TbTimelineMaxima;

TbTimelineMaxima *tb_timeline_maxima_new (const TbTimelineTrack *track);
void tb_timeline_maxima_free (TbTimelineMaxima *self);
gsize tb_timeline_maxima_find (const TbTimelineMaxima *self,
                               const TbTimelineTrack *track,
                               gsize first,
                               gsize end,
                               guint32 paints);
/* The first interval that ends after time. */
gsize tb_timeline_track_find (const TbTimelineTrack *track, gint64 time);

G_END_DECLS
