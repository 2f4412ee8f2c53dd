/* tb-timeline-private.h: shared drawing state and internal declarations of the parts of a timeline
 * view: rows, drawing into pixels, arrows, overlay, canvas
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

/* Columns of a tile. Tiles are kept between the frames of a pan. */
#define TB_TILE_COLUMNS 256
/* Least width of a label, in pixels. */
#define TB_TIMELINE_MIN_LABEL 26
#define TB_INTERVAL_NONE G_MAXSIZE
#define TB_TRACK_NONE G_MAXUINT

typedef struct _TbTimelineMatches TbTimelineMatches;

/*
 * State shared by all parts of one view. A column is a device pixel. Column c shows the times from
 * origin + c * ns_per_column on, so that a drawn tile stays valid when the view is moved.
 */
typedef struct
{
  TbTimelineFigure *figure;
  TbFocus *focus;
  const TbPalette *palette;
  gint64 origin;
  double ns_per_column;
  gint64 first_column; /* column at the left edge of the plot */
  int scale;           /* columns per logical pixel */
  int width;
  int name_x;
  int name_width;
  int plot_x;
  int plot_width;
  int row_height;
  int bar_height;
  int covered;                      /* height covered by lines that stay at the top */
  const TbTimelineMatches *matches; /* other intervals are drawn faintly; NULL: all match */
  guint match_generation;           /* changes with the matches */
  guint selected_track;
  gsize selected_interval;
} TbTimelineContext;

double tb_timeline_context_get_x (const TbTimelineContext *context, gint64 time);
gint64 tb_timeline_context_get_time (const TbTimelineContext *context, double x);
/* The times [from, to) of the column at x. */
void tb_timeline_context_get_column (const TbTimelineContext *context,
                                     double x,
                                     gint64 *from,
                                     gint64 *to);
/* The height of the colours of a track: a thread's waiting is thin. */
typedef enum
{
  TB_PAINT_HEIGHT_NONE,
  TB_PAINT_HEIGHT_THIN,
  TB_PAINT_HEIGHT_MIDDLE,
  TB_PAINT_HEIGHT_FULL,
} TbPaintHeight;

TbPaintHeight tb_timeline_get_paint_height (gboolean thread, guint paint);

/* Draws columns [first, first + n) of a track, height rows of n pixels, in GDK_MEMORY_DEFAULT.
 * Returns whether anything was drawn. wide: (nullable): the visible intervals of at least
 * wide_columns (gsize) are appended to it. */
gboolean tb_timeline_raster_draw (const TbTimelineContext *context,
                                  guint track,
                                  gint64 first,
                                  guint n,
                                  guint height,
                                  guint32 *pixels,
                                  gint64 wide_columns,
                                  GArray *wide);

/* The interval drawn at a position: x in the view, y 0…1 from the top of the bar. */
gsize
tb_timeline_find_interval_at (const TbTimelineContext *context, guint track, double x, double y);

/* An arrow to draw. */
typedef struct
{
  guint from_track;
  guint to_track;
  gint64 from_time;
  gint64 to_time;
} TbTimelineArrow;

/* The wake-ups of an interval: those made in it, the one that ended it, and the chain that led to
 * that one since the interval began. */
GArray *tb_timeline_arrows_of_interval (TbTimelineFigure *figure, guint track, gsize interval);
void tb_timeline_arrow_append (GtkSnapshot *snapshot,
                               const graphene_point_t *from,
                               const graphene_point_t *to,
                               const GdkRGBA *color,
                               float width);

/* A line: a heading or a track. */
#define TB_TYPE_TIMELINE_ROW (tb_timeline_row_get_type ())
G_DECLARE_FINAL_TYPE (TbTimelineRow, tb_timeline_row, TB, TIMELINE_ROW, GtkWidget)

TbTimelineRow *tb_timeline_row_new (const TbTimelineContext *context);
/* with_group: the name of the track is followed by that of its group. */
void tb_timeline_row_show_track (TbTimelineRow *self, guint track, gboolean with_group);
/* can_expand: it can be opened and closed. */
void tb_timeline_row_show_heading (TbTimelineRow *self,
                                   const char *name,
                                   gboolean can_expand,
                                   gboolean expanded,
                                   guint n_tracks);
void tb_timeline_row_set_position (TbTimelineRow *self, guint index, guint n_rows);
void tb_timeline_row_forget (TbTimelineRow *self);
/* Whether its drawing is from another zoom. tb_timeline_row_refresh() draws it for the current
 * one. */
gboolean tb_timeline_row_is_old (TbTimelineRow *self);
void tb_timeline_row_refresh (TbTimelineRow *self);
void tb_timeline_row_forget_labels (TbTimelineRow *self);
void tb_timeline_row_update_accessible (TbTimelineRow *self);
const TbTimelineContext *tb_timeline_row_get_context (TbTimelineRow *self);

/* tb-timeline-accessible.c: "waiting in poll, 12.5 ms, from 160.2 ms" */
char *tb_timeline_row_describe_interval (TbTimelineRow *self, gsize interval);
extern const TbAccessibleItemsClass tb_timeline_accessible_items;
/* Updates whether its thread is one of the selected ones. */
void tb_timeline_row_show_selected (TbTimelineRow *self);
gboolean tb_timeline_row_is_heading (TbTimelineRow *self);
guint tb_timeline_row_get_track (TbTimelineRow *self);

/* The overlay over the lines: selected interval, arrows, selected range, pointer. */
typedef gboolean (*TbTimelineLocateFunc) (guint track, double *y, gpointer data);
/* Whether a track is one of the lines that stay at the top. */
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

/* The canvas with the visible lines. */
#define TB_TYPE_TIMELINE_CANVAS (tb_timeline_canvas_get_type ())
G_DECLARE_FINAL_TYPE (TbTimelineCanvas, tb_timeline_canvas, TB, TIMELINE_CANVAS, GtkWidget)

TbTimelineCanvas *tb_timeline_canvas_new (TbTimelineFigure *figure, TbFocus *focus);
const TbTimelineContext *tb_timeline_canvas_get_context (TbTimelineCanvas *self);
void tb_timeline_canvas_set_filter (TbTimelineCanvas *self, TbFilter *filter);
guint tb_timeline_canvas_get_n_tracks (TbTimelineCanvas *self);
gboolean
tb_timeline_canvas_pick (TbTimelineCanvas *self, double x, double y, guint *track, gsize *interval);
gboolean tb_timeline_canvas_locate (TbTimelineCanvas *self, guint track, double *y);
/* Requests all labels again, because they may contain names that have been found since. */
void tb_timeline_canvas_forget_labels (TbTimelineCanvas *self);
/* Takes over closed headings and the width of names from a canvas of an earlier state of the
 * figure. */
void tb_timeline_canvas_copy_place (TbTimelineCanvas *self, TbTimelineCanvas *before);
/* The sorting and the pinned tracks. Floating. NULL: as recorded. */
GVariant *tb_timeline_canvas_get_state (TbTimelineCanvas *self);
void tb_timeline_canvas_set_state (TbTimelineCanvas *self, GVariant *state);
void tb_timeline_canvas_select (TbTimelineCanvas *self, guint track, gsize interval);
void tb_timeline_canvas_zoom_to (TbTimelineCanvas *self, gint64 from, gint64 to);
void tb_timeline_canvas_collapse_all (TbTimelineCanvas *self, gboolean collapsed);
/* Pins or unpins the track with the keyboard focus. */
void tb_timeline_canvas_pin_current (TbTimelineCanvas *self);
void tb_timeline_canvas_toggle_pinned (TbTimelineCanvas *self, guint track);
void tb_timeline_canvas_unpin_all (TbTimelineCanvas *self);
const char *tb_timeline_canvas_get_sort (TbTimelineCanvas *self);
void tb_timeline_canvas_sort_by (TbTimelineCanvas *self, const char *sort);

G_END_DECLS
