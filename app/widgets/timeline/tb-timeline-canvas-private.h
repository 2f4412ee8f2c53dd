/* tb-timeline-canvas-private.h: state of the canvas of a timeline, its lines and groups, and
 * functions shared by the files that implement the canvas
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <adwaita.h>

#include "widgets/timeline/tb-timeline-private.h"

G_BEGIN_DECLS

typedef enum
{
  TB_LINE_PINNED, /* heading of the pinned tracks */
  TB_LINE_HOST,
  TB_LINE_GROUP,
  TB_LINE_TRACK,
} TbTimelineLineKind;

typedef struct
{
  TbTimelineLineKind kind;
  guint group;   /* of a host: its first group; TB_TRACK_NONE for the pinned heading */
  guint track;   /* TB_TRACK_NONE: a heading */
  guint heading; /* of a track: the line of its group, TB_TRACK_NONE none */
  guint n_tracks;
} TbTimelineLine;

typedef struct
{
  char *name;
  guint host;     /* index in hosts */
  guint recorded; /* index in the figure */
  gint64 weight;  /* value that it is sorted by */
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
  guint configuring; /* greater than 0 while the program sets the adjustments, not the user */
  guint selecting;   /* greater than 0 while the canvas changes the selection */

  GPtrArray *hosts;  /* names of the hosts of the figure */
  GPtrArray *groups; /* TbTimelineGroup */
  GArray *pinned;    /* guint: tracks */
  TbTimelineSort sort;
  TbTimelineRow *sticky; /* heading of the group at the top of the scrolled part */
  guint n_pinned_lines;
  GArray *lines; /* TbTimelineLine */
  guint *line_of_track;
  guint n_tracks;
  GHashTable *track_by_id;     /* → track + 1 */
  GHashTable *track_by_thread; /* → track + 1 */
  /* widgets of the visible lines */
  struct
  {
    GHashTable *live; /* line + 1 → TbTimelineRow */
    GPtrArray *spare;
    guint refreshed;        /* line after the last one that was drawn for this zoom */
    guint refresh_callback; /* continues with it in the next frame */
  } rows;
  guint current; /* line with the keyboard focus */
  gboolean scroll_to_current;

  /* of the filter */
  struct
  {
    TbFilter *filter;
    /* matches of the filter, when they have been found; NULL: intervals are not limited */
    TbTimelineMatches *found;
    GCancellable *cancellable; /* of the search */
  } matches;

  /* widths of the names of lines */
  struct
  {
    int natural;
    int user; /* width set by the user, 0 none */
  } names;

  struct
  {
    TbTimelineDrag kind;
    gint64 time;
    gint64 from;
    gint64 to;
    double value;
    double x;         /* position to which a range is dragged, which may be beyond an edge */
    guint edge_tick;  /* moves the visible part in that case */
    gint64 edge_time; /* time of the last frame in which it did so */
    int names;
  } drag;
  struct
  {
    gint64 from;
    gint64 to;
  } pinch;
  struct
  {
    double x;
    double y;
  } pointer;

  /* animated change of the visible part */
  struct
  {
    AdwAnimation *animation;
    gint64 from[2];
    gint64 to[2];
  } zoom;
};

/* tb-timeline-canvas.c */
TbTimelineRow *tb_timeline_canvas_get_row (TbTimelineCanvas *self, guint line);
double tb_timeline_canvas_get_scrolled (TbTimelineCanvas *self);
void tb_timeline_canvas_place_rows (TbTimelineCanvas *self, int height);
void tb_timeline_canvas_redraw (TbTimelineCanvas *self);
void tb_timeline_canvas_lines_changed (TbTimelineCanvas *self);
/* Emits "arranged": sorting or pinning has changed. */
void tb_timeline_canvas_arranged (TbTimelineCanvas *self);

/* tb-timeline-lines.c */
void tb_timeline_group_free (gpointer data);
void tb_timeline_canvas_collect_groups (TbTimelineCanvas *self);
/* Lists the lines again after a search, or after a heading was opened or closed. */
void tb_timeline_canvas_collect_lines (TbTimelineCanvas *self);
const TbTimelineLine *tb_timeline_canvas_get_line (TbTimelineCanvas *self, guint line);
guint tb_timeline_canvas_line_at (TbTimelineCanvas *self, double y);
void tb_timeline_canvas_toggle (TbTimelineCanvas *self, guint line);
gboolean tb_timeline_canvas_is_collapsed (TbTimelineCanvas *self, guint line);
char *tb_timeline_canvas_name_line (TbTimelineCanvas *self, guint line, gboolean with_host);
gboolean tb_timeline_canvas_is_pinned (TbTimelineCanvas *self, guint track);
/* The number of lines that stay at the top. */
guint tb_timeline_canvas_get_n_fixed (TbTimelineCanvas *self);
double tb_timeline_canvas_get_top (TbTimelineCanvas *self, guint line);
gboolean tb_timeline_canvas_get_sticky (TbTimelineCanvas *self, guint *heading, double *pushed);

/* tb-timeline-sort.c */
void tb_timeline_canvas_sort_groups (TbTimelineCanvas *self);

/* tb-timeline-filter.c */
gboolean tb_timeline_canvas_is_filtered (TbTimelineCanvas *self);
gboolean tb_timeline_canvas_matches_track (TbTimelineCanvas *self, guint track);
gboolean tb_timeline_canvas_matches_interval (TbTimelineCanvas *self, guint track, gsize interval);

/* tb-timeline-scrolling.c */
void tb_timeline_canvas_set_adjustment (TbTimelineCanvas *self,
                                        GtkOrientation orientation,
                                        GtkAdjustment *adjustment);
/* Sets the adjustments to the visible part; the vertical one only where height > 0. */
void tb_timeline_canvas_configure (TbTimelineCanvas *self, int height);
void tb_timeline_canvas_scroll_to (TbTimelineCanvas *self, guint line);

/* tb-timeline-selection.c */
/* The part of the focus's selection that is in this figure. */
void tb_timeline_canvas_find_selection (TbTimelineCanvas *self, guint *track, gsize *interval);
void tb_timeline_canvas_show_selection (TbTimelineCanvas *self);
void tb_timeline_canvas_reveal_track (TbTimelineCanvas *self, guint track);
/* Selects the thread of a line, or those under a heading, in addition to the others, or deselects
 * them. */
void tb_timeline_canvas_toggle_threads (TbTimelineCanvas *self, guint line);

static inline gboolean
tb_timeline_canvas_in_plot (TbTimelineCanvas *self, double x)
{
  return x >= self->context.plot_x && x < self->context.plot_x + self->context.plot_width;
}

/* The track with the keyboard focus, or TB_TRACK_NONE. */
static inline guint
tb_timeline_canvas_get_current_track (TbTimelineCanvas *self)
{
  return self->current < self->lines->len
             ? g_array_index (self->lines, TbTimelineLine, self->current).track
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
/* With a margin around the time. */
void tb_timeline_canvas_zoom_to_time (TbTimelineCanvas *self, gint64 from, gint64 to);
/* The time that stays at its position when zooming by key. */
double tb_timeline_canvas_get_zoom_center (TbTimelineCanvas *self);

/* tb-timeline-canvas-input.c */
void tb_timeline_canvas_add_controllers (TbTimelineCanvas *self);
void tb_timeline_canvas_end_drag (TbTimelineCanvas *self);

G_END_DECLS
