/* tb-timeline-view.c: shows tracks of intervals over time
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-timeline-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/tb-time-axis.h"
#include "widgets/tb-timeline-private.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbTimelineView:
 *
 * Shows a #TbTimelineFigure: a line for each track, under headings that can be closed, over a scale of times.
 *
 * What a thread does is drawn at full height, what it waits for as a thin band. Where several intervals share a pixel
 * each state that occurs among them is still drawn, see #TbTimelineCoverage. The view draws what is visible and
 * no more, however many tracks and intervals the figure has.
 *
 * Keys: Up, Down, Page Up, Page Down, Home and End go from line to line; Left and Right select intervals, or close and
 * open a heading; with Control or Shift they move the view; Enter zooms to the selected interval; plus, minus and 0
 * zoom; r selects the range of the selected interval, [ and ] set one end of it; Escape drops the selection, then
 * the range, then the zoom.
 */
struct _TbTimelineView
{
  GtkWidget parent_instance;

  TbTimelineFigure *figure;
  TbFocus *focus;
  char *search;

  GtkWidget *stack;
  GtkWidget *box;
  GtkWidget *scroller;
  TbTimelineCanvas *canvas;
  GtkWidget *axis;
  GtkWidget *empty;
};

G_DEFINE_FINAL_TYPE (TbTimelineView, tb_timeline_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FIGURE,
  PROP_FOCUS,
  PROP_SEARCH,
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
  if (!found)
    {
      adw_status_page_set_title (ADW_STATUS_PAGE (self->empty),
                                 any ? _ ("No Track Found") : _ ("Nothing to Show"));
      adw_status_page_set_description (ADW_STATUS_PAGE (self->empty),
                                       any ? _ ("Try a different search.")
                                           : _ ("Nothing was recorded in this range."));
      adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->empty), any ? "edit-find-symbolic" : NULL);
    }
  gtk_stack_set_visible_child (GTK_STACK (self->stack), found ? self->box : self->empty);
}

static void
tb_timeline_view_constructed (GObject *object)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  G_OBJECT_CLASS (tb_timeline_view_parent_class)->constructed (object);
  self->canvas = tb_timeline_canvas_new (self->figure, self->focus);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->canvas));
  self->axis = tb_time_axis_new (self->focus);
  gtk_box_append (GTK_BOX (self->box), self->axis);
  g_signal_connect_object (self->canvas, "layout-changed", G_CALLBACK (on_layout_changed), self,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (self->figure)), -1);
  on_layout_changed (self);
}

static void
tb_timeline_view_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  switch (property_id)
    {
    case PROP_FIGURE:
      self->figure = g_value_dup_object (value);
      break;
    case PROP_FOCUS:
      self->focus = g_value_dup_object (value);
      break;
    case PROP_SEARCH:
      tb_timeline_view_set_search (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_timeline_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  switch (property_id)
    {
    case PROP_FIGURE:
      g_value_set_object (value, self->figure);
      break;
    case PROP_FOCUS:
      g_value_set_object (value, self->focus);
      break;
    case PROP_SEARCH:
      g_value_set_string (value, self->search);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
tb_timeline_view_dispose (GObject *object)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  g_clear_pointer (&self->stack, gtk_widget_unparent);

  G_OBJECT_CLASS (tb_timeline_view_parent_class)->dispose (object);
}

static void
tb_timeline_view_finalize (GObject *object)
{
  TbTimelineView *self = TB_TIMELINE_VIEW (object);

  g_clear_object (&self->figure);
  g_clear_object (&self->focus);
  g_free (self->search);

  G_OBJECT_CLASS (tb_timeline_view_parent_class)->finalize (object);
}

static gboolean
tb_timeline_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (TB_TIMELINE_VIEW (widget)->canvas));
}

/* The default would take the keyboard back to where grab_focus() puts it when it is to go backwards. */
static gboolean
tb_timeline_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  return gtk_widget_child_focus (TB_TIMELINE_VIEW (widget)->stack, direction);
}

static void
tb_timeline_view_class_init (TbTimelineViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = tb_timeline_view_constructed;
  object_class->set_property = tb_timeline_view_set_property;
  object_class->get_property = tb_timeline_view_get_property;
  object_class->dispose = tb_timeline_view_dispose;
  object_class->finalize = tb_timeline_view_finalize;
  widget_class->focus = tb_timeline_view_focus;
  widget_class->grab_focus = tb_timeline_view_grab_focus;

  properties[PROP_FIGURE]
      = g_param_spec_object ("figure", "Figure", "What is shown", TB_TYPE_TIMELINE_FIGURE,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_FOCUS]
      = g_param_spec_object ("focus", "Focus", "What the user looks at", TB_TYPE_FOCUS,
                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SEARCH]
      = g_param_spec_string ("search", "Search", "Limits the tracks that are shown", NULL,
                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tb-timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
tb_timeline_view_init (TbTimelineView *self)
{
  tb_widgets_load_style ();
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_stack_add_child (GTK_STACK (self->stack), self->box);
  self->empty = adw_status_page_new ();
  gtk_widget_add_css_class (self->empty, "compact");
  gtk_stack_add_child (GTK_STACK (self->stack), self->empty);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * tb_timeline_view_new:
 * @figure: what to show
 * @focus: what the user of the document looks at
 *
 * Returns: a view of @figure
 */
GtkWidget *
tb_timeline_view_new (TbTimelineFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  return g_object_new (TB_TYPE_TIMELINE_VIEW, "figure", figure, "focus", focus, NULL);
}

/**
 * tb_timeline_view_get_figure:
 * @self: a timeline view
 *
 * Returns: (transfer none): what it shows
 */
TbTimelineFigure *
tb_timeline_view_get_figure (TbTimelineView *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_VIEW (self), NULL);

  return self->figure;
}

/**
 * tb_timeline_view_get_focus:
 * @self: a timeline view
 *
 * Returns: (transfer none): what the user looks at
 */
TbFocus *
tb_timeline_view_get_focus (TbTimelineView *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_VIEW (self), NULL);

  return self->focus;
}

/**
 * tb_timeline_view_set_search:
 * @self: a timeline view
 * @search: (nullable): what to look for, words that must all be found
 *
 * Shows only tracks that match. A word is looked for in the names of a track and of its group, `process:` before it
 * means the group alone and `thread:` the track alone; `longer:1ms` asks for an interval of at least that length and
 * draws shorter ones faintly; `state:disk` asks for a state that occurs.
 */
void
tb_timeline_view_set_search (TbTimelineView *self, const char *search)
{
  g_return_if_fail (TB_IS_TIMELINE_VIEW (self));

  if (!g_set_str (&self->search, search))
    return;
  tb_timeline_canvas_set_search (self->canvas, search);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SEARCH]);
}

/**
 * tb_timeline_view_get_search:
 * @self: a timeline view
 *
 * Returns: (nullable): what is looked for
 */
const char *
tb_timeline_view_get_search (TbTimelineView *self)
{
  g_return_val_if_fail (TB_IS_TIMELINE_VIEW (self), NULL);

  return self->search;
}

/**
 * tb_timeline_view_get_n_shown:
 * @self: a timeline view
 *
 * Returns: how many tracks the search leaves
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
 * @x: a place in the view
 * @y: a place in the view
 * @track: (out) (optional): the track that is drawn there, %G_MAXUINT none
 * @interval: (out) (optional): the interval that is drawn there
 *
 * Finds what is drawn at a place: where several intervals share a pixel, the longest one of those drawn at that height.
 *
 * Returns: whether an interval is drawn there
 */
gboolean
tb_timeline_view_get_interval_at (TbTimelineView *self, double x, double y, guint *track, gsize *interval)
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
 * @x: (out) (optional): where in the view it is drawn
 * @y: (out) (optional): the middle of the track's line
 *
 * Finds where a time of a track is drawn. It may be outside of what is visible.
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
 * @from: start of what is to be visible, ns
 * @to: its end, ns
 *
 * Glides to another part; at once where the user wants no animations.
 */
void
tb_timeline_view_zoom_to (TbTimelineView *self, gint64 from, gint64 to)
{
  g_return_if_fail (TB_IS_TIMELINE_VIEW (self));

  tb_timeline_canvas_zoom_to (self->canvas, from, to);
}
