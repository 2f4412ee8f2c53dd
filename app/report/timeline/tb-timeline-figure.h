/* tb-timeline-figure.h: timeline figure: tracks with intervals, arrows between them, and lost
 * events: building, labels and matches of intervals from functions of the caller, access by track
 * and time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"
#include "report/tb-filter.h"
#include "report/tb-paint.h"
#include "base/tb-base.h"

G_BEGIN_DECLS

#define TB_TYPE_TIMELINE_FIGURE (tb_timeline_figure_get_type ())
TB_EXPORT G_DECLARE_FINAL_TYPE (TbTimelineFigure, tb_timeline_figure, TB, TIMELINE_FIGURE, TbFigure)

    /* Makes the text of an interval on demand, when it is drawn or hovered, so that no string is
     * stored for each interval. Thread-safe. */
    typedef char *(*TbTimelineLabelFunc) (TbTimelineFigure *self,
                                          guint track,
                                          gsize interval,
                                          gboolean long_form,
                                          gpointer data);

TB_EXPORT TbTimelineFigure *
tb_timeline_figure_new (const char *id, const char *title, gint64 from, gint64 to);

/* Adds a track. group: heading above the track ("curl 1160", "devices"). thread: thread that the
 * track shows, or TB_ID_NONE. Returns the index of the track. */
TB_EXPORT guint tb_timeline_figure_add_track (TbTimelineFigure *self,
                                              const char *id,
                                              const char *name,
                                              const char *group,
                                              guint32 thread);
/* Sets the host of a track, if there are several hosts. */
TB_EXPORT void
tb_timeline_figure_set_track_host (TbTimelineFigure *self, guint track, const char *host);
/* Sets the intervals of a track, without copying them: n values each of start and end (gint64, ns,
 * ascending, not overlapping) and paint (guint8 TbPaint). The label function and selections
 * identify an interval by its index. */
TB_EXPORT void tb_timeline_figure_set_intervals (TbTimelineFigure *self,
                                                 guint track,
                                                 gsize n,
                                                 GBytes *start,
                                                 GBytes *end,
                                                 GBytes *paint);
/* Sets arrows from (track, time) to (track, time), such as wake-ups, ascending by time of their
 * head. guint32, gint64. */
TB_EXPORT void tb_timeline_figure_set_arrows (TbTimelineFigure *self,
                                              gsize n,
                                              GBytes *from_track,
                                              GBytes *from_time,
                                              GBytes *to_track,
                                              GBytes *to_time);
/* Ranges in which events were lost, drawn across all tracks (track = TB_ID_NONE) or one. */
TB_EXPORT void tb_timeline_figure_add_lost (TbTimelineFigure *self,
                                            guint32 track,
                                            gint64 from,
                                            gint64 to,
                                            guint64 count);
TB_EXPORT void tb_timeline_figure_set_label_func (TbTimelineFigure *self,
                                                  TbTimelineLabelFunc func,
                                                  gpointer data,
                                                  GDestroyNotify destroy);

/* Sets matched (one byte for each interval of the track, all 0) to 1 for intervals that match the
 * functions and modules of a filter. FALSE if the functions are not known. Thread-safe. */
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
 * A track, as a view reads it.
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
  const char *host; /* "" if it is not set */
} TbTimelineTrack;

/**
 * TbTimelineCoverage:
 *
 * The time of each paint in a range of a track, and the paints that occur at all (bit 1 << paint),
 * so that rare ones are not dropped.
 */
typedef struct
{
  gint64 ns[TB_N_PAINTS];
  guint32 present;
} TbTimelineCoverage;

/* In a figure from JSON: within ranges shorter than this only the time of each paint is kept, not
 * the order of the intervals. 0: everything is exact. */
TB_EXPORT gint64 tb_timeline_figure_get_merge_threshold (TbTimelineFigure *self);
TB_EXPORT void tb_timeline_figure_get_range (TbTimelineFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_timeline_figure_get_n_tracks (TbTimelineFigure *self);
TB_EXPORT void
tb_timeline_figure_get_track (TbTimelineFigure *self, guint track, TbTimelineTrack *out);
/* The first interval of the track that ends after time. O(log n). */
TB_EXPORT gsize tb_timeline_figure_find (TbTimelineFigure *self, guint track, gint64 time);
/* Exact, O(log n), from sums over blocks of intervals that freezing computes. */
TB_EXPORT void tb_timeline_figure_get_coverage (TbTimelineFigure *self,
                                                guint track,
                                                gint64 from,
                                                gint64 to,
                                                TbTimelineCoverage *out);
/* The longest of the intervals [first, end) with one of the paints (bits 1 << paint), G_MAXSIZE:
 * none. O(log n). */
TB_EXPORT gsize tb_timeline_figure_find_longest (TbTimelineFigure *self,
                                                 guint track,
                                                 gsize first,
                                                 gsize end,
                                                 guint32 wanted);
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
TB_EXPORT char *tb_timeline_figure_get_label (TbTimelineFigure *self,
                                              guint track,
                                              gsize interval,
                                              gboolean long_form);

G_END_DECLS
