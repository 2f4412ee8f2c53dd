/* tb-timeline-private.h: the parts of a timeline view
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-filter.h"
#include "report/timeline/tb-timeline-figure.h"
#include "widgets/accessible/tb-accessible-items-private.h"
#include "widgets/focus/tb-focus.h"
#include "widgets/tb-palette.h"

G_BEGIN_DECLS

/* Columns of a tile. A tile is what is kept between frames of a pan. */
#define TB_TILE_COLUMNS 256
/* Pixels that a label needs at least. */
#define TB_TIMELINE_LEAST_LABEL 26
#define TB_INTERVAL_NONE G_MAXSIZE
#define TB_TRACK_NONE G_MAXUINT

typedef struct _TbTimelineMatches TbTimelineMatches;

/*
 * What every part of one view has to know. A column is a device pixel; column c shows the times from
 * origin + c * ns_per_column on, so that a tile drawn once stays right however the view is moved.
 */
typedef struct
{
  TbTimelineFigure *figure;
  TbFocus *focus;
  const TbPalette *palette;
  gint64 origin;
  double ns_per_column;
  gint64 first_column; /* at the left edge of the plot */
  int scale;           /* columns a logical pixel */
  int width;
  int name_x;
  int name_width;
  int plot_x;
  int plot_width;
  int row_height;
  int bar_height;
  int covered;                      /* of the height, by lines that stay on top */
  const TbTimelineMatches *matches; /* intervals that are none of these are drawn faintly; NULL all are */
  guint match_generation;           /* another one for other matches */
  guint selected_track;
  gsize selected_interval;
} TbTimelineContext;

double tb_timeline_context_get_x (const TbTimelineContext *context, gint64 time);
gint64 tb_timeline_context_get_time (const TbTimelineContext *context, double x);
/* The times [from, to) that the column under x shows. */
void tb_timeline_context_get_column (const TbTimelineContext *context, double x, gint64 *from, gint64 *to);
/* How the colours of a track are drawn: a thread's waiting is thin. */
typedef enum
{
  TB_PAINT_HEIGHT_NONE,
  TB_PAINT_HEIGHT_THIN,
  TB_PAINT_HEIGHT_MIDDLE,
  TB_PAINT_HEIGHT_FULL,
} TbPaintHeight;

TbPaintHeight tb_timeline_get_paint_height (gboolean thread, guint paint);

/* Draws columns [first, first + n) of a track, height rows of n pixels, GDK_MEMORY_DEFAULT. Returns whether anything
 * was drawn. Appends to wide (nullable, gsize) the intervals of at least wide_columns that are seen. */
gboolean tb_timeline_raster_draw (const TbTimelineContext *context,
                                  guint track,
                                  gint64 first,
                                  guint n,
                                  guint height,
                                  guint32 *pixels,
                                  gint64 wide_columns,
                                  GArray *wide);

/* The interval that is drawn at a place: x in the view, y 0…1 from the top of the bar. */
gsize tb_timeline_hit (const TbTimelineContext *context, guint track, double x, double y);

/* One arrow to draw. */
typedef struct
{
  guint from_track;
  guint to_track;
  gint64 from_time;
  gint64 to_time;
} TbTimelineArrow;

/* The wake-ups of an interval: those made in it, the one that ended it, and how that came about since it began. */
GArray *tb_timeline_arrows_of_interval (TbTimelineFigure *figure, guint track, gsize interval);
void tb_timeline_arrow_append (GtkSnapshot *snapshot,
                               const graphene_point_t *from,
                               const graphene_point_t *to,
                               const GdkRGBA *color,
                               float width);

/* One line: a heading or a track. */
#define TB_TYPE_TIMELINE_ROW (tb_timeline_row_get_type ())
G_DECLARE_FINAL_TYPE (TbTimelineRow, tb_timeline_row, TB, TIMELINE_ROW, GtkWidget)

TbTimelineRow *tb_timeline_row_new (const TbTimelineContext *context);
/* with_group: its name is followed by that of its group. */
void tb_timeline_row_show_track (TbTimelineRow *self, guint track, gboolean with_group);
/* can_expand: it can be opened and closed. */
void tb_timeline_row_show_heading (TbTimelineRow *self,
                                   const char *name,
                                   gboolean can_expand,
                                   gboolean expanded,
                                   guint n_tracks);
void tb_timeline_row_set_position (TbTimelineRow *self, guint index, guint n_rows);
void tb_timeline_row_forget (TbTimelineRow *self);
/* Whether it is drawn from what was drawn for another zoom; draws it for this one. */
gboolean tb_timeline_row_is_old (TbTimelineRow *self);
void tb_timeline_row_refresh (TbTimelineRow *self);
void tb_timeline_row_forget_labels (TbTimelineRow *self);
void tb_timeline_row_update_accessible (TbTimelineRow *self);
const TbTimelineContext *tb_timeline_row_get_context (TbTimelineRow *self);

/* tb-timeline-accessible.c: "waiting in poll, 12.5 ms, from 160.2 ms" */
char *tb_timeline_row_describe_interval (TbTimelineRow *self, gsize interval);
extern const TbAccessibleItemsClass tb_timeline_accessible_items;
/* Its thread may be one of the selected ones, or no longer. */
void tb_timeline_row_show_selected (TbTimelineRow *self);
gboolean tb_timeline_row_is_heading (TbTimelineRow *self);
guint tb_timeline_row_get_track (TbTimelineRow *self);

/* What lies over the lines: the selected interval, arrows, the selected range, the pointer. */
typedef gboolean (*TbTimelineLocateFunc) (guint track, double *y, gpointer data);
/* Whether a track is one of the lines that stay on top. */
typedef gboolean (*TbTimelineFixedFunc) (guint track, gpointer data);

#define TB_TYPE_TIMELINE_OVERLAY (tb_timeline_overlay_get_type ())
G_DECLARE_FINAL_TYPE (TbTimelineOverlay, tb_timeline_overlay, TB, TIMELINE_OVERLAY, GtkWidget)

TbTimelineOverlay *tb_timeline_overlay_new (const TbTimelineContext *context,
                                            TbTimelineLocateFunc locate,
                                            TbTimelineFixedFunc is_fixed,
                                            gpointer data);
/* Another interval is selected or hovered, or other tracks are shown. */
void tb_timeline_overlay_set_hovered (TbTimelineOverlay *self, guint track, gsize interval);
void tb_timeline_overlay_update (TbTimelineOverlay *self);

/* All lines, as many of them as are visible. */
#define TB_TYPE_TIMELINE_CANVAS (tb_timeline_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbTimelineCanvas, tb_timeline_canvas, TB, TIMELINE_CANVAS, GtkWidget)

TbTimelineCanvas *tb_timeline_canvas_new (TbTimelineFigure *figure, TbFocus *focus);
const TbTimelineContext *tb_timeline_canvas_get_context (TbTimelineCanvas *self);
void tb_timeline_canvas_set_filter (TbTimelineCanvas *self, TbFilter *filter);
guint tb_timeline_canvas_get_n_tracks (TbTimelineCanvas *self);
gboolean tb_timeline_canvas_pick (TbTimelineCanvas *self, double x, double y, guint *track, gsize *interval);
gboolean tb_timeline_canvas_locate (TbTimelineCanvas *self, guint track, double *y);
/* Labels are asked for anew: they may hold names that were found since. */
void tb_timeline_canvas_forget_labels (TbTimelineCanvas *self);
/* Closes the headings that are closed in another one of the same figure, with names as wide as there. */
void tb_timeline_canvas_keep_place (TbTimelineCanvas *self, TbTimelineCanvas *before);
/* How it is sorted and what is pinned, floating; NULL: as it was recorded. */
GVariant *tb_timeline_canvas_get_state (TbTimelineCanvas *self);
void tb_timeline_canvas_set_state (TbTimelineCanvas *self, GVariant *state);
void tb_timeline_canvas_select (TbTimelineCanvas *self, guint track, gsize interval);
void tb_timeline_canvas_zoom_to (TbTimelineCanvas *self, gint64 from, gint64 to);
void tb_timeline_canvas_collapse_all (TbTimelineCanvas *self, gboolean collapsed);
/* Pins the track the keyboard is at, or no longer. */
void tb_timeline_canvas_pin_current (TbTimelineCanvas *self);
void tb_timeline_canvas_toggle_pinned (TbTimelineCanvas *self, guint track);
void tb_timeline_canvas_unpin_all (TbTimelineCanvas *self);
const char *tb_timeline_canvas_get_sort (TbTimelineCanvas *self);
void tb_timeline_canvas_sort_by (TbTimelineCanvas *self, const char *sort);

G_END_DECLS
