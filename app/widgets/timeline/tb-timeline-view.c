/* tb-timeline-view.c: view of a timeline figure: canvas, time axis and menu (sorting, pinning,
 * groups); filter, saved arrangement, interval at a position, selection and zoom
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-view.h"

#include <glib/gi18n-lib.h>

#include "widgets/tb-figure-view-private.h"
#include "widgets/time/tb-time-axis.h"
#include "widgets/timeline/tb-timeline-private.h"

/**
 * TbTimelineView:
 *
 * Shows a #TbTimelineFigure: a line for each track, under headings that can be closed, with a time
 * axis.
 *
 * Activity of a thread is drawn at full height, waiting as a thin band. Where several intervals
 * share a pixel, each state that occurs is drawn, see #TbTimelineCoverage. The view draws only what
 * is visible, however many tracks and intervals the figure has.
 *
 * A filter, see #TbFilter, shows only tracks that match. A word is looked for in the names of a
 * track and of its group, `process:` in that of the group and `thread:` in that of the track. Where
 * the filter also limits intervals (`state:`, `longer:`, `function:`), tracks with any match are
 * shown, and other intervals are drawn faintly.
 *
 * Tracks are under the headings of their groups, and these under the headings of their hosts where
 * there are several. The heading of the group that is scrolled to stays visible. Pinned tracks stay
 * at the top. Only the wake-ups of the selected interval, and of the interval under the pointer,
 * are drawn.
 *
 * Keys: Up, Down, Page Up, Page Down, and Home and End with Control go from line to line. Left and
 * Right, comma and full stop select intervals, or close and open a heading. Left and Right with
 * Control or Shift, A and D move the view, Home and End go to the ends of time. Enter zooms to the
 * selected interval. Plus, minus, W, S and 0 zoom, F fits the selection. P pins. Control and space
 * add a thread to the selected ones. r selects the range of the selected interval, [ and ] set one
 * end of it. Escape clears the selection, then the range, the threads, the zoom.
 */
struct _TbTimelineView
{
  TbFigureView parent_instance;

  TbTimelineFigure *figure;
  GtkWidget *box;
  GtkWidget *scroller;
  TbTimelineCanvas *canvas;
  GtkWidget *axis;
  GtkWidget *menu_button; /* in the corner next to the axis */
};

G_DEFINE_FINAL_TYPE (TbTimelineView, tb_timeline_view, TB_TYPE_FIGURE_VIEW)

enum
{
  PROP_0,
  PROP_SORT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
on_layout_changed (TbTimelineView *self)
{
  const TbTimelineContext *context = tb_timeline_canvas_get_context (self->canvas);
  gboolean found = tb_timeline_canvas_get_n_tracks (self->canvas) > 0;
  gboolean any = tb_timeline_figure_get_n_tracks (self->figure) > 0;

  tb_time_axis_set_margins (TB_TIME_AXIS (self->axis), context->name_width, 4);
  gtk_widget_set_size_request (self->menu_button, MIN (context->name_width, 34), -1);
  tb_figure_view_set_found (TB_FIGURE_VIEW (self), any, found,
                            _ ("Nothing was recorded in this range."), _ ("No Track Found"));
}

static void
tb_timeline_view_filter (TbFigureView *view, TbFilter *filter)
{
  tb_timeline_canvas_set_filter (TB_TIMELINE_VIEW (view)->canvas, filter);
}

static void
tb_timeline_view_names_changed (TbFigureView *view)
{
  tb_timeline_canvas_forget_labels (TB_TIMELINE_VIEW (view)->canvas);
}

static void
tb_timeline_view_keep_place (TbFigureView *view, TbFigureView *before)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (view);
  TbTimelineView *other = TB_TIMELINE_VIEW (before);
  GtkAdjustment *from = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (other->scroller));
  GtkAdjustment *to = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  /* The visible part and the selection belong to the focus. */
  tb_timeline_canvas_copy_place (self->canvas, other->canvas);
  tb_figure_view_restore_scroll (to, gtk_adjustment_get_value (from));
}

static GVariant *
tb_timeline_view_get_state (TbFigureView *view)
{
  return tb_timeline_canvas_get_state (TB_TIMELINE_VIEW (view)->canvas);
}

static void
tb_timeline_view_set_state (TbFigureView *view, GVariant *state)
{
  tb_timeline_canvas_set_state (TB_TIMELINE_VIEW (view)->canvas, state);
  g_object_notify_by_pspec (G_OBJECT (view), properties[PROP_SORT]);
}

static GMenuModel *
make_menu (void)
{
  static const struct
  {
    const char *label;
    const char *sort;
  } orders[] = {
    { N_ ("As Recorded"), "recorded" },         { N_ ("By Name"), "name" },
    { N_ ("By Time Running"), "running" },      { N_ ("By Time Waiting"), "waiting" },
    { N_ ("By Longest Wait"), "longest-wait" },
  };
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) sorting = g_menu_new ();
  g_autoptr (GMenu) pinning = g_menu_new ();
  g_autoptr (GMenu) groups = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (_ (orders[i].label), NULL);

      g_menu_item_set_action_and_target (item, "timeline.sort", "s", orders[i].sort);
      g_menu_append_item (sorting, item);
    }
  g_menu_append (pinning, _ ("Pin or Unpin the Track"), "timeline.pin");
  g_menu_append (pinning, _ ("Unpin All"), "timeline.unpin-all");
  g_menu_append (groups, _ ("Open All Groups"), "timeline.expand-all");
  g_menu_append (groups, _ ("Close All Groups"), "timeline.collapse-all");
  g_menu_append_section (menu, _ ("Sort Tracks"), G_MENU_MODEL (sorting));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (pinning));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (groups));
  return G_MENU_MODEL (menu);
}

/* The axis, and the sort button below the names. */
static GtkWidget *
make_foot (TbTimelineView *self)
{
  GtkWidget *overlay = gtk_overlay_new ();
  g_autoptr (GMenuModel) menu = make_menu ();

  self->menu_button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->menu_button), "view-more-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->menu_button), menu);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (self->menu_button), GTK_ARROW_UP);
  gtk_widget_set_tooltip_text (self->menu_button, _ ("Order of the tracks"));
  gtk_widget_set_halign (self->menu_button, GTK_ALIGN_START);
  gtk_widget_set_valign (self->menu_button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->menu_button, "flat");
  gtk_widget_add_css_class (self->menu_button, "tb-corner");
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->axis);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->menu_button);
  return overlay;
}

static void
pin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_timeline_canvas_pin_current (TB_TIMELINE_VIEW (widget)->canvas);
}

static void
unpin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_timeline_canvas_unpin_all (TB_TIMELINE_VIEW (widget)->canvas);
}

static void
expand_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_timeline_canvas_collapse_all (TB_TIMELINE_VIEW (widget)->canvas, FALSE);
}

static void
collapse_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_timeline_canvas_collapse_all (TB_TIMELINE_VIEW (widget)->canvas, TRUE);
}

static void
tb_timeline_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  if (property_id == PROP_SORT)
    g_value_set_string (value,
                        self->canvas != NULL ? tb_timeline_canvas_get_sort (self->canvas) : NULL);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
tb_timeline_view_set_property (GObject *object,
                               guint property_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  if (property_id != PROP_SORT)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
      return;
    }
  tb_timeline_canvas_sort_by (self->canvas, g_value_get_string (value));
  g_object_notify_by_pspec (object, properties[PROP_SORT]);
}

static void
tb_timeline_view_constructed (GObject *object)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);
  TbFigureView *view = TB_FIGURE_VIEW (object);

  G_OBJECT_CLASS (tb_timeline_view_parent_class)->constructed (object);
  self->figure = TB_TIMELINE_FIGURE (tb_figure_view_get_figure (view));
  self->canvas = tb_timeline_canvas_new (self->figure, tb_figure_view_get_focus (view));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->canvas));
  self->axis = tb_time_axis_new (tb_figure_view_get_focus (view));
  gtk_box_append (GTK_BOX (self->box), make_foot (self));
  g_signal_connect_object (self->canvas, "layout-changed", G_CALLBACK (on_layout_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "arranged", G_CALLBACK (tb_figure_view_arranged), self,
                           G_CONNECT_SWAPPED);
  tb_figure_view_set_page (view, self->box, GTK_WIDGET (self->canvas));
  on_layout_changed (self);
}

static void
tb_timeline_view_select_at (TbFigureView *view, double x, double y)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (view);
  TbTimelineTrack shown;
  gsize interval;
  guint track;

  if (tb_timeline_view_get_interval_at (self, x, y, &track, &interval))
    tb_timeline_view_select (self, track, interval);
  else if (track != TB_TRACK_NONE)
    {
      tb_timeline_figure_get_track (self->figure, track, &shown);
      tb_focus_select_thread (tb_figure_view_get_focus (view), shown.thread);
    }
}

/**
 * TbTimelineView:sort:
 *
 * By what tracks and groups are sorted: "recorded" (their order in the figure), "name", "running",
 * "waiting" or "longest-wait", the largest first.
 */

static void
tb_timeline_view_class_init (TbTimelineViewClass *klass)
{
  TbFigureViewClass *view_class = TB_FIGURE_VIEW_CLASS (klass);

  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = tb_timeline_view_constructed;
  G_OBJECT_CLASS (klass)->get_property = tb_timeline_view_get_property;
  G_OBJECT_CLASS (klass)->set_property = tb_timeline_view_set_property;
  /* One of recorded, name, running, waiting and longest-wait. */
  properties[PROP_SORT]
      = g_param_spec_string ("sort", "Sort", "What tracks and groups are sorted by", "recorded",
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  gtk_widget_class_install_property_action (widget_class, "timeline.sort", "sort");
  gtk_widget_class_install_action (widget_class, "timeline.pin", NULL, pin_action);
  gtk_widget_class_install_action (widget_class, "timeline.unpin-all", NULL, unpin_action);
  gtk_widget_class_install_action (widget_class, "timeline.expand-all", NULL, expand_action);
  gtk_widget_class_install_action (widget_class, "timeline.collapse-all", NULL, collapse_action);
  /* Translators: an example of a search. The words before the colons are not translated. */
  view_class->search_hint = N_ ("process:name longer:1ms");
  view_class->filter = tb_timeline_view_filter;
  view_class->names_changed = tb_timeline_view_names_changed;
  view_class->keep_place = tb_timeline_view_keep_place;
  view_class->get_state = tb_timeline_view_get_state;
  view_class->set_state = tb_timeline_view_set_state;
  view_class->select_at = tb_timeline_view_select_at;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "tb-timeline");
}

static void
tb_timeline_view_init (TbTimelineView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
}

/**
 * tb_timeline_view_new:
 * @figure: a timeline figure
 * @focus: the focus of the document
 *
 * Creates a view of a timeline.
 *
 * Returns: a view of @figure
 */
GtkWidget *
tb_timeline_view_new (TbTimelineFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return tb_figure_view_new (TB_FIGURE (figure), focus);
}

/**
 * tb_timeline_view_get_n_shown:
 * @self: a timeline view
 *
 * Gets how many tracks are shown.
 *
 * Returns: number of tracks that match the search
 */
guint
tb_timeline_view_get_n_shown (TbTimelineView *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_VIEW (self), 0);

  return tb_timeline_canvas_get_n_tracks (self->canvas);
}

/**
 * tb_timeline_view_get_interval_at:
 * @self: a timeline view
 * @x: a position in the view
 * @y: a position in the view
 * @track: (out) (optional): the track that is drawn there, %G_MAXUINT none
 * @interval: (out) (optional): the interval that is drawn there
 *
 * Finds the interval drawn at a position: where several intervals share a pixel, the longest of
 * those drawn at that height.
 *
 * Returns: whether an interval is drawn there
 */
gboolean
tb_timeline_view_get_interval_at (TbTimelineView *self,
                                  double x,
                                  double y,
                                  guint *track,
                                  gsize *interval)
{
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);
  guint found_track = TB_TRACK_NONE;
  gsize found = TB_INTERVAL_NONE;
  gboolean hit = FALSE;

  g_return_val_if_fail (TB_IS_TIMELINE_VIEW (self), FALSE);

  if (gtk_widget_compute_point (GTK_WIDGET (self), GTK_WIDGET (self->canvas), &point, &point))
    hit = tb_timeline_canvas_pick (self->canvas, point.x, point.y, &found_track, &found);
  if (track != NULL)
    *track = found_track;
  if (interval != NULL)
    *interval = found;
  return hit;
}

/**
 * tb_timeline_view_get_position:
 * @self: a timeline view
 * @track: a track
 * @time: a time, ns
 * @x: (out) (optional): its position in the view
 * @y: (out) (optional): the middle of the track's line
 *
 * Finds the position of a time of a track. It may be outside the visible part.
 *
 * Returns: whether the track is shown
 */
gboolean
tb_timeline_view_get_position (TbTimelineView *self, guint track, gint64 time, double *x, double *y)
{
  const TbTimelineContext *context;
  graphene_point_t point;
  double top;

  g_return_val_if_fail (TB_IS_TIMELINE_VIEW (self), FALSE);

  context = tb_timeline_canvas_get_context (self->canvas);
  if (!tb_timeline_canvas_locate (self->canvas, track, &top))
    return FALSE;
  point.x = (float) tb_timeline_context_get_x (context, time);
  point.y = (float) (top + context->row_height / 2.);
  if (!gtk_widget_compute_point (GTK_WIDGET (self->canvas), GTK_WIDGET (self), &point, &point))
    return FALSE;
  if (x != NULL)
    *x = point.x;
  if (y != NULL)
    *y = point.y;
  return TRUE;
}

/**
 * tb_timeline_view_select:
 * @self: a timeline view
 * @track: a track
 * @interval: one of its intervals, or %G_MAXSIZE for the track as a whole
 *
 * Selects an interval, as a click on it does.
 */
void
tb_timeline_view_select (TbTimelineView *self, guint track, gsize interval)
{
  g_return_if_fail (TB_IS_TIMELINE_VIEW (self));
  g_return_if_fail (track < tb_timeline_figure_get_n_tracks (self->figure));

  tb_timeline_canvas_select (self->canvas, track, interval);
}

/**
 * tb_timeline_view_zoom_to:
 * @self: a timeline view
 * @from: start of the part to show, ns
 * @to: its end, ns
 *
 * Makes another part visible, with an animation unless the user has disabled animations.
 */
void
tb_timeline_view_zoom_to (TbTimelineView *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_TIMELINE_VIEW (self));

  tb_timeline_canvas_zoom_to (self->canvas, from, to);
}
