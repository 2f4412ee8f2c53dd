/* tb-timeline-canvas-private.h: the lines of a timeline, for the files that implement them
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <adwaita.h>

#include "widgets/timeline/tb-timeline-private.h"

G_BEGIN_DECLS

typedef enum
{
  TB_LINE_PINNED, /* the heading of what is pinned */
  TB_LINE_HOST,
  TB_LINE_GROUP,
  TB_LINE_TRACK,
} TbTimelineLineKind;

typedef struct
{
  TbTimelineLineKind kind;
  guint group;   /* of hosts the first one; TB_TRACK_NONE of what is pinned */
  guint track;   /* TB_TRACK_NONE: a heading */
  guint heading; /* of a track: the line of its group, TB_TRACK_NONE none */
  guint n_tracks;
} TbTimelineLine;

typedef struct
{
  char *name;
  guint host;     /* in hosts */
  guint recorded; /* its place in the figure */
  gint64 weight;  /* that it is sorted by */
  gboolean collapsed;
  GArray *tracks; /* guint */
} TbTimelineGroup;

typedef enum
{
  TB_SORT_RECORDED,
  TB_SORT_NAME,
  TB_SORT_RUNNING,
  TB_SORT_WAITING,
  TB_SORT_LONGEST_WAIT,
  TB_N_SORTS,
} TbTimelineSort;

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

  GPtrArray *hosts;  /* names, of the figure */
  GPtrArray *groups; /* TbTimelineGroup */
  GArray *pinned;    /* guint: tracks */
  TbTimelineSort sort;
  TbTimelineRow *sticky; /* the heading of what is scrolled to */
  guint n_pinned_lines;
  GArray *lines; /* TbTimelineLine */
  guint *line_of_track;
  guint n_tracks;
  GHashTable *track_by_id;     /* → track + 1 */
  GHashTable *track_by_thread; /* → track + 1 */
  GHashTable *live;            /* line + 1 → TbTimelineRow */
  GPtrArray *spare;
  guint refreshed;        /* the line behind the last that was drawn for this zoom */
  guint refresh_callback; /* the next frame goes on with it */
  guint current;          /* the line the keyboard is at */
  gboolean scroll_to_current;

  TbFilter *filter;
  TbTimelineMatches *matches; /* of the filter, once they were sought; NULL: it limits no intervals */
  GCancellable *cancellable;  /* of the search */

  int natural_names;
  int wanted_names; /* what the user made of it, 0 nothing */

  TbTimelineDrag drag;
  gint64 drag_time;
  gint64 drag_from;
  gint64 drag_to;
  double drag_value;
  double drag_x;    /* where a range is dragged to, which may be beyond an edge */
  guint edge_tick;  /* then time moves by itself */
  gint64 edge_time; /* of the last frame that did so */
  int drag_names;
  gint64 pinch_from;
  gint64 pinch_to;
  double pointer_x;
  double pointer_y;

  AdwAnimation *animation;
  gint64 animate_from[2];
  gint64 animate_to[2];
};

/* tb-timeline-canvas.c */
TbTimelineRow *tb_timeline_canvas_get_row (TbTimelineCanvas *self, guint line);
double tb_timeline_canvas_get_scrolled (TbTimelineCanvas *self);
void tb_timeline_canvas_place_rows (TbTimelineCanvas *self, int height);
void tb_timeline_canvas_redraw (TbTimelineCanvas *self);
void tb_timeline_canvas_lines_changed (TbTimelineCanvas *self);
/* Emits "arranged": by what they are sorted, or which are pinned. */
void tb_timeline_canvas_arranged (TbTimelineCanvas *self);

/* tb-timeline-lines.c */
void tb_timeline_group_free (gpointer data);
void tb_timeline_canvas_collect_groups (TbTimelineCanvas *self);
/* Which lines there are, after a search or a heading was opened. */
void tb_timeline_canvas_collect_lines (TbTimelineCanvas *self);
const TbTimelineLine *tb_timeline_canvas_get_line (TbTimelineCanvas *self, guint line);
guint tb_timeline_canvas_line_at (TbTimelineCanvas *self, double y);
void tb_timeline_canvas_toggle (TbTimelineCanvas *self, guint line);
gboolean tb_timeline_canvas_is_collapsed (TbTimelineCanvas *self, guint line);
char *tb_timeline_canvas_name_line (TbTimelineCanvas *self, guint line, gboolean with_host);
gboolean tb_timeline_canvas_is_pinned (TbTimelineCanvas *self, guint track);
/* The lines that stay on top, from the first on. */
guint tb_timeline_canvas_get_n_fixed (TbTimelineCanvas *self);
double tb_timeline_canvas_get_top (TbTimelineCanvas *self, guint line);
gboolean tb_timeline_canvas_get_sticky (TbTimelineCanvas *self, guint *heading, double *pushed);

/* tb-timeline-sort.c */
void tb_timeline_canvas_sort_groups (TbTimelineCanvas *self);

/* tb-timeline-filter.c */
gboolean tb_timeline_canvas_is_filtered (TbTimelineCanvas *self);
gboolean tb_timeline_canvas_leaves_track (TbTimelineCanvas *self, guint track);
gboolean tb_timeline_canvas_leaves_interval (TbTimelineCanvas *self, guint track, gsize interval);

/* tb-timeline-scrolling.c */
void tb_timeline_canvas_set_adjustment (TbTimelineCanvas *self,
                                        GtkOrientation orientation,
                                        GtkAdjustment *adjustment);
/* Brings the adjustments into line with what is seen; the vertical one where height > 0. */
void tb_timeline_canvas_configure (TbTimelineCanvas *self, int height);
void tb_timeline_canvas_scroll_to (TbTimelineCanvas *self, guint line);

/* tb-timeline-selection.c */
/* What of the focus' selection can be seen in this figure. */
void tb_timeline_canvas_find_selection (TbTimelineCanvas *self, guint *track, gsize *interval);
void tb_timeline_canvas_show_selection (TbTimelineCanvas *self);
void tb_timeline_canvas_reveal_track (TbTimelineCanvas *self, guint track);
/* Adds the thread of a line, or those under a heading, to the selected ones, or takes them out. */
void tb_timeline_canvas_toggle_threads (TbTimelineCanvas *self, guint line);

static inline gboolean
tb_timeline_canvas_in_plot (TbTimelineCanvas *self, double x)
{
  return x >= self->context.plot_x && x < self->context.plot_x + self->context.plot_width;
}

/* The track the keyboard is at, or TB_TRACK_NONE. */
static inline guint
tb_timeline_canvas_get_current_track (TbTimelineCanvas *self)
{
  return self->current < self->lines->len ? g_array_index (self->lines, TbTimelineLine, self->current).track
                                          : TB_TRACK_NONE;
}

/* tb-timeline-tooltip.c */
gboolean tb_timeline_canvas_query_tooltip (TbTimelineCanvas *self,
                                           int x,
                                           int y,
                                           gboolean keyboard,
                                           GtkTooltip *tooltip);

/* tb-timeline-keys.c */
void tb_timeline_canvas_class_add_keys (GtkWidgetClass *widget_class);
void tb_timeline_canvas_stop (TbTimelineCanvas *self);
void tb_timeline_canvas_go_to_line (TbTimelineCanvas *self, guint line);
void tb_timeline_canvas_zoom_around (TbTimelineCanvas *self, double x, double factor);
/* With something of what is around. */
void tb_timeline_canvas_zoom_to_time (TbTimelineCanvas *self, gint64 from, gint64 to);
/* Where zooming by key keeps still. */
double tb_timeline_canvas_get_zoom_center (TbTimelineCanvas *self);

/* tb-timeline-canvas-input.c */
void tb_timeline_canvas_add_controllers (TbTimelineCanvas *self);
void tb_timeline_canvas_end_drag (TbTimelineCanvas *self);

G_END_DECLS
