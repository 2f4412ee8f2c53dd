/* tb-timeline-canvas-private.h: the lines of a timeline, for the two files that implement them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <adwaita.h>

#include "widgets/tb-timeline-private.h"

G_BEGIN_DECLS

typedef struct
{
  guint group;
  guint track; /* TB_TRACK_NONE: the heading of the group */
  guint n_tracks;
} TbTimelineLine;

typedef enum
{
  TB_DRAG_NONE,
  TB_DRAG_PAN,
  TB_DRAG_RANGE,
  TB_DRAG_NAMES,
} TbTimelineDrag;

struct _TbTimelineCanvas
{
  GtkWidget parent_instance;

  TbTimelineFigure *figure;
  TbFocus *focus;
  TbTimelineContext context;
  TbTimelineOverlay *overlay;
  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  GtkScrollablePolicy hscroll_policy;
  GtkScrollablePolicy vscroll_policy;
  guint configuring; /* adjustments are set to follow, not to lead */
  guint selecting;   /* the selection is made here */

  GPtrArray *groups;
  GArray *lines; /* TbTimelineLine */
  guint *line_of_track;
  guint n_tracks;
  GHashTable *track_by_id;     /* → track + 1 */
  GHashTable *track_by_thread; /* → track + 1 */
  GHashTable *live;            /* line + 1 → TbTimelineRow */
  GPtrArray *spare;
  guint current; /* the line the keyboard is at */
  gboolean scroll_to_current;

  TbTimelineFilter *filter;
  gint64 *longest; /* interval of each track, once it was sought */
  gboolean seeking;
  GCancellable *cancellable;

  int natural_names;
  int wanted_names; /* what the user made of it, 0 nothing */

  TbTimelineDrag drag;
  gint64 drag_time;
  gint64 drag_from;
  gint64 drag_to;
  double drag_value;
  int drag_names;
  gint64 pinch_from;
  gint64 pinch_to;
  double pointer_x;
  double pointer_y;

  AdwAnimation *animation;
  gint64 animate_from[2];
  gint64 animate_to[2];
};

TbTimelineRow *tb_timeline_canvas_get_row (TbTimelineCanvas *self, guint line);
guint tb_timeline_canvas_line_at (TbTimelineCanvas *self, double y);
void tb_timeline_canvas_scroll_to (TbTimelineCanvas *self, guint line);
void tb_timeline_canvas_reveal_track (TbTimelineCanvas *self, guint track);
void tb_timeline_canvas_toggle (TbTimelineCanvas *self, guint line);
gboolean tb_timeline_canvas_is_collapsed (TbTimelineCanvas *self, guint line);
void tb_timeline_canvas_lines_changed (TbTimelineCanvas *self);

/* tb-timeline-canvas-input.c */
void tb_timeline_canvas_class_add_keys (GtkWidgetClass *widget_class);
void tb_timeline_canvas_add_controllers (TbTimelineCanvas *self);
void tb_timeline_canvas_stop (TbTimelineCanvas *self);

G_END_DECLS
