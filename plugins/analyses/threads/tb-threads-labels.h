/* tb-threads-labels.h: labels of the intervals on tracks of the timeline; test whether intervals
 * match a filter (tb-threads-match.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/timeline/tb-timeline-figure.h"
#include "trace/tb-trace.h"
#include "trace/tb-track.h"

typedef enum
{
  TRACK_THREAD,
  TRACK_ESTIMATE, /* a thread of which the running time is estimated */
  TRACK_SERVICE,
  TRACK_QUEUE,
  TRACK_INTERRUPT,
  TRACK_CPU,
  TRACK_ANNOTATION, /* phases, marks */
} TbTrackContentKind;

/* The data that a track of the figure shows. */
typedef struct
{
  TbTrackContentKind kind;
  gsize first_row;      /* threads: row of the first interval */
  guint32 thread;       /* estimates */
  const TbTrack *track; /* other tracks: the trace's track, shown from its interval first on */
  gsize first;
  GBytes *names; /* phases and marks: guint32 strings; the labels take ownership */
} TbTrackContent;

/* The data from which labels are made. */
typedef struct _TbLabels TbLabels;

TbLabels *tb_labels_new (TbTrace *trace);
void tb_labels_free (TbLabels *self);
/* To be called in the order of the figure's tracks. */
void tb_labels_add (TbLabels *self, const TbTrackContent *shown);
/* A TbTimelineLabelFunc; data is the TbLabels. */
char *tb_labels_get_label (TbTimelineFigure *figure,
                           guint track,
                           gsize interval,
                           gboolean long_form,
                           gpointer data);
/* A TbTimelineMatchFunc; data is the TbLabels. */
gboolean tb_labels_match (TbTimelineFigure *figure,
                          guint track,
                          const TbFilter *filter,
                          guint8 *matched,
                          gpointer data);
