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

    /**
 * TbTimelineLabelFunc:
 * @self: a timeline
 * @track: index of a track
 * @interval: index of an interval of the track
 * @long_form: whether there is room for more than a word
 * @data: user data
 *
 * Makes the text of an interval on demand, when it is drawn or hovered, so that no string is stored
 * for each interval. Called from any thread.
 *
 * Returns: (transfer full) (nullable): the text
 */
    typedef char *(*TbTimelineLabelFunc) (TbTimelineFigure *self,
                                          guint track,
                                          gsize interval,
                                          gboolean long_form,
                                          gpointer data);

TB_EXPORT TbTimelineFigure *
tb_timeline_figure_new (const char *id, const char *title, gint64 from, gint64 to);

TB_EXPORT guint tb_timeline_figure_add_track (TbTimelineFigure *self,
                                              const char *id,
                                              const char *name,
                                              const char *group,
                                              guint32 thread);
TB_EXPORT void
tb_timeline_figure_set_track_host (TbTimelineFigure *self, guint track, const char *host);
TB_EXPORT void tb_timeline_figure_set_intervals (TbTimelineFigure *self,
                                                 guint track,
                                                 gsize n,
                                                 GBytes *start,
                                                 GBytes *end,
                                                 GBytes *paint);
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

/**
 * TbTimelineMatchFunc:
 * @self: a timeline
 * @track: index of a track
 * @filter: a filter
 * @matched: one byte for each interval of the track, all 0; set to 1 for those that match
 * @data: user data
 *
 * Finds the intervals of a track that match the functions and modules of a filter. Called from any
 * thread.
 *
 * Returns: %FALSE if the functions are not known
 */
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
 * @id: id that references use
 * @name: user-visible name
 * @group: heading above the track, "": none
 * @thread: thread that the track shows, %TB_ID_NONE: none
 * @n: number of intervals
 * @start: (array length=n): starts, ns, ascending
 * @end: (array length=n): ends, ns
 * @paint: (array length=n): looks, [enum@Tailback.Paint]
 * @host: user-visible host, "" if it is not set
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
  const char *host;
} TbTimelineTrack;

/**
 * TbTimelineCoverage:
 * @ns: time of each paint, ns
 * @present: paints that occur, bits 1 << paint
 *
 * The time of each paint in a range of a track, and the paints that occur at all (bit 1 << paint),
 * so that rare ones are not dropped.
 */
typedef struct
{
  gint64 ns[TB_N_PAINTS];
  guint32 present;
} TbTimelineCoverage;

TB_EXPORT gint64 tb_timeline_figure_get_merge_threshold (TbTimelineFigure *self);
TB_EXPORT void tb_timeline_figure_get_range (TbTimelineFigure *self, gint64 *from, gint64 *to);
TB_EXPORT guint tb_timeline_figure_get_n_tracks (TbTimelineFigure *self);
TB_EXPORT void
tb_timeline_figure_get_track (TbTimelineFigure *self, guint track, TbTimelineTrack *out);
TB_EXPORT gsize tb_timeline_figure_find (TbTimelineFigure *self, guint track, gint64 time);
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
TB_EXPORT char *tb_timeline_figure_get_label (TbTimelineFigure *self,
                                              guint track,
                                              gsize interval,
                                              gboolean long_form);

G_END_DECLS
