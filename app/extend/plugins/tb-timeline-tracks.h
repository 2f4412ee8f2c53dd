/* tb-timeline-tracks.h: tracks of CPUs, devices and interrupts of a trace, and lost events, added
 * to a timeline; intervals clipped to its range, and the host of a track
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"
#include "trace/tb-trace.h"
#include "trace/tb-track.h"

G_BEGIN_DECLS

/**
 * TbTraceTrackKind:
 * @TB_TRACE_TRACK_SERVICE: a device processes requests
 * @TB_TRACE_TRACK_QUEUE: requests wait for a device
 * @TB_TRACE_TRACK_INTERRUPT: an interrupt handler runs
 * @TB_TRACE_TRACK_CPU: a CPU runs a thread
 *
 * What the intervals of a track mean.
 */
typedef enum
{
  TB_TRACE_TRACK_SERVICE,
  TB_TRACE_TRACK_QUEUE,
  TB_TRACE_TRACK_INTERRUPT,
  TB_TRACE_TRACK_CPU,
} TbTraceTrackKind;

/**
 * TbTraceTrackFunc:
 * @kind: what the intervals mean
 * @track: the track of the trace
 * @first: the interval of @track that is the first interval in the figure
 * @data: user data
 *
 * Called after a track was added to the figure.
 */
typedef void (*TbTraceTrackFunc) (TbTraceTrackKind kind,
                                  const TbTrack *track,
                                  gsize first,
                                  gpointer data);

TB_EXPORT void tb_timeline_figure_set_clipped_intervals (TbTimelineFigure *figure,
                                                         guint track,
                                                         GBytes *start,
                                                         GBytes *end,
                                                         GBytes *paint);
/* first: the interval of the track that is the first interval in the figure */
TB_EXPORT guint tb_timeline_figure_add_trace_track (TbTimelineFigure *figure,
                                                    const char *id,
                                                    const char *name,
                                                    const char *group,
                                                    const TbTrack *track,
                                                    TbPaint paint,
                                                    gsize *first);
TB_EXPORT void tb_timeline_figure_set_trace_host (TbTimelineFigure *figure,
                                                  guint track,
                                                  TbTrace *trace,
                                                  guint32 host);
TB_EXPORT void tb_timeline_figure_set_thread_host (TbTimelineFigure *figure,
                                                   guint track,
                                                   TbTrace *trace,
                                                   guint32 thread);
TB_EXPORT void tb_timeline_figure_add_trace_losses (TbTimelineFigure *figure, TbTrace *trace);
/* These add a track for each device, source of interrupts or CPU that has intervals in the time
 * range of the figure, and group it under its host. */
TB_EXPORT void tb_timeline_figure_add_device_tracks (TbTimelineFigure *figure,
                                                     TbTrace *trace,
                                                     TbTraceTrackFunc added,
                                                     gpointer data);
TB_EXPORT void tb_timeline_figure_add_interrupt_tracks (TbTimelineFigure *figure,
                                                        TbTrace *trace,
                                                        gboolean only_hard,
                                                        TbTraceTrackFunc added,
                                                        gpointer data);
TB_EXPORT void tb_timeline_figure_add_cpu_tracks (TbTimelineFigure *figure,
                                                  TbTrace *trace,
                                                  TbTraceTrackFunc added,
                                                  gpointer data);

G_END_DECLS
