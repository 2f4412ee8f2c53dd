/* tb-timeline-figure.h: tracks of intervals over time, with arrows between them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"
#include "report/tb-filter.h"
#include "session/tb-schema.h"

G_BEGIN_DECLS

/* How an interval looks; the legend names them. */
typedef enum
{
  TB_PAINT_NONE, /* not drawn */
  TB_PAINT_RUNNING,
  TB_PAINT_RUNNABLE,
  TB_PAINT_WAITING,
  TB_PAINT_DISK,
  TB_PAINT_UNINTERRUPTIBLE,
  TB_PAINT_STOPPED,
  TB_PAINT_NETWORK,
  TB_PAINT_INTERRUPT,
  TB_PAINT_LOST, /* hatched */
  TB_PAINT_UNKNOWN,
  TB_N_PAINTS,
} TbPaint;

TB_EXPORT const char *tb_paint_get_name (TbPaint paint);  /* stable, for JSON */
TB_EXPORT const char *tb_paint_get_label (TbPaint paint); /* translated, for the legend */

#define TB_TYPE_TIMELINE_FIGURE (tb_timeline_figure_get_type ())
TB_EXPORT G_DECLARE_FINAL_TYPE (TbTimelineFigure, tb_timeline_figure, TB, TIMELINE_FIGURE, TbFigure)

    /* Text of an interval, asked for when it is drawn or hovered, so that no string is kept an interval. Thread-safe. */
    typedef char *(*TbTimelineLabelFunc) (TbTimelineFigure *self,
                                          guint track,
                                          gsize interval,
                                          gboolean long_form,
                                          gpointer data);

TB_EXPORT TbTimelineFigure *
tb_timeline_figure_new (const char *id, const char *title, gint64 from, gint64 to);

/* A track; group is a heading it stands under ("curl 1160", "devices"), thread the thread it shows or TB_ID_NONE. Returns
 * its index. */
TB_EXPORT guint tb_timeline_figure_add_track (TbTimelineFigure *self,
                                              const char *id,
                                              const char *name,
                                              const char *group,
                                              guint32 thread);
/* Tells which host a track is of, where there are several. */
TB_EXPORT void tb_timeline_figure_set_track_host (TbTimelineFigure *self, guint track, const char *host);
/* Gives a track its intervals, without copying: n values each of start and end (gint64, ns, ascending, not overlapping) and
 * paint (guint8 TbPaint). The label function and selections know an interval by its index. */
TB_EXPORT void tb_timeline_figure_set_intervals (TbTimelineFigure *self,
                                                 guint track,
                                                 gsize n,
                                                 GBytes *start,
                                                 GBytes *end,
                                                 GBytes *paint);
/* Arrows, ascending by time of their head: from (track, time) to (track, time): wake-ups. guint32, gint64. */
TB_EXPORT void tb_timeline_figure_set_arrows (TbTimelineFigure *self,
                                              gsize n,
                                              GBytes *from_track,
                                              GBytes *from_time,
                                              GBytes *to_track,
                                              GBytes *to_time);
/* Stretches where events were lost: drawn across all tracks (track = TB_ID_NONE) or one. */
TB_EXPORT void
tb_timeline_figure_add_lost (TbTimelineFigure *self, guint32 track, gint64 from, gint64 to, guint64 count);
TB_EXPORT void tb_timeline_figure_set_label_func (TbTimelineFigure *self,
                                                  TbTimelineLabelFunc func,
                                                  gpointer data,
                                                  GDestroyNotify destroy);

/* Which intervals of a track a filter's functions and modules leave: sets matched (of as many bytes as the track has intervals, all
 * 0) to 1 for those. FALSE where that is not known. Thread-safe. */
typedef gboolean (*TbTimelineMatchFunc) (TbTimelineFigure *self,
                                         guint track,
                                         const TbFilter *filter,
                                         guint8 *matched,
                                         gpointer data);
TB_EXPORT void tb_timeline_figure_set_match_func (TbTimelineFigure *self,
                                                  TbTimelineMatchFunc func,
                                                  gpointer data,
                                                  GDestroyNotify destroy);

/**
 * TbTimelineTrack:
 *
 * A track as the view reads it.
 */
typedef struct
{
  const char *id;
  const char *name;
  const char *group;
  guint32 thread;
  gsize n;
  const gint64 *start;
  const gint64 *end;
  const guint8 *paint;
  const char *host; /* "" where that is not told */
} TbTimelineTrack;

/**
 * TbTimelineCoverage:
 *
 * How long each paint is seen in a stretch of a track, and which paints occur at all (bit 1 << paint), so that what is
 * rare is never dropped.
 */
typedef struct
{
  gint64 ns[TB_N_PAINTS];
  guint32 present;
} TbTimelineCoverage;

/* From a figure that came from JSON: within stretches shorter than this the order of intervals was not kept, only how long
 * each paint lasted; 0: all is exact. */
TB_EXPORT gint64 tb_timeline_figure_get_merged_below (TbTimelineFigure *self);
TB_EXPORT void tb_timeline_figure_get_range (TbTimelineFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_timeline_figure_get_n_tracks (TbTimelineFigure *self);
TB_EXPORT void tb_timeline_figure_get_track (TbTimelineFigure *self, guint track, TbTimelineTrack *out);
/* The first interval of the track that ends after time. O(log n). */
TB_EXPORT gsize tb_timeline_figure_find (TbTimelineFigure *self, guint track, gint64 time);
/* Exact, O(log n) from sums over blocks of intervals that are made when the figure is frozen. */
TB_EXPORT void tb_timeline_figure_get_coverage (TbTimelineFigure *self,
                                                guint track,
                                                gint64 from,
                                                gint64 to,
                                                TbTimelineCoverage *out);
/* The longest of the intervals [first, end) with one of the paints (bits 1 << paint), G_MAXSIZE none. O(log n). */
TB_EXPORT gsize
tb_timeline_figure_find_longest (TbTimelineFigure *self, guint track, gsize first, gsize end, guint32 wanted);
TB_EXPORT gsize tb_timeline_figure_get_arrows (TbTimelineFigure *self,
                                               const guint32 **from_track,
                                               const gint64 **from_time,
                                               const guint32 **to_track,
                                               const gint64 **to_time);
TB_EXPORT guint tb_timeline_figure_get_n_lost (TbTimelineFigure *self);
TB_EXPORT void tb_timeline_figure_get_lost (TbTimelineFigure *self,
                                            guint index,
                                            guint32 *track,
                                            gint64 *from,
                                            gint64 *to,
                                            guint64 *count);
TB_EXPORT gboolean tb_timeline_figure_match_functions (TbTimelineFigure *self,
                                                       guint track,
                                                       const TbFilter *filter,
                                                       guint8 *matched);
/* Never NULL. */
TB_EXPORT char *
tb_timeline_figure_get_label (TbTimelineFigure *self, guint track, gsize interval, gboolean long_form);

G_END_DECLS
