/* tb-timeline-tracks.h: timeline tracks that several analyses share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"
#include "trace/tb-trace.h"
#include "trace/tb-track.h"

G_BEGIN_DECLS

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

G_END_DECLS
