/* tb-graph-canvas.c: canvas widget of a graph: has tb-graph-scene choose what is shown, by
 * threshold and collapsed clusters, and lay it out, in a thread if large; scale and visible part;
 * selection; texts about items
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/tb-base.h"
#include "widgets/graph/tb-graph-private.h"
#include "widgets/tb-widgets-private.h"

/* More edges could not be distinguished. */
#define MAX_EDGES 300
/* Largest graph that is laid out at once, not in a thread. */
#define MAX_IMMEDIATE_SIZE 90
/* A change of the widget's proportions by this factor makes a new layout worthwhile. */
#define MIN_SHAPE_CHANGE 1.2
#define MIN_SCALE .05
#define MAX_SCALE 4.0
/* The initial scale is not larger than SCALE_NATURAL, and not so small that names cannot be
 * read. */
#define SCALE_NATURAL 1.3
#define SCALE_LEGIBLE .5
#define SCALE_FEW .25 /* where there are few edges */
#define MAX_FEW_EDGES 40
#define MIN_VISIBLE 48 /* pixels of the graph that always stay in the view */

G_DEFINE_FINAL_TYPE_WITH_CODE (TbGraphCanvas,
                               tb_graph_canvas,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_ACCESSIBLE,
                                                      tb_accessible_items_interface_init))

enum
{
  SELECTED_CHANGED,
  HOVERED_CHANGED,
  SCENE_CHANGED,
  ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

void
tb_graph_canvas_redraw (TbGraphCanvas *self)
{
  tb_graph_canvas_clear_drawn (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Visible part */

static void
set_view (TbGraphCanvas *self, double scale, double x, double y)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  double wide, high;

  scale = CLAMP (scale, MIN_SCALE, MAX_SCALE);
  if (self->scene == NULL)
    return;
  wide = self->scene->layout->width * scale;
  high = self->scene->layout->height * scale;
  self->scale = scale;
  x = CLAMP (x, MIN (MIN_VISIBLE, width / 2) - wide, width - MIN (MIN_VISIBLE, width / 2));
  y = CLAMP (y, MIN (MIN_VISIBLE, height / 2) - high, height - MIN (MIN_VISIBLE, height / 2));
  /* Whole pixels, so that the drawing can be moved without change. */
  self->x = round (x);
  self->y = round (y);
  self->rest_x = x - self->x;
  self->rest_y = y - self->y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static double
get_fitting_scale (TbGraphCanvas *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));

  return MIN (MIN (width / self->scene->layout->width, height / self->scene->layout->height),
              SCALE_NATURAL);
}

static void
center_view (TbGraphCanvas *self, double scale, double x, double y)
{
  set_view (self, scale, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0 - x * scale,
            gtk_widget_get_height (GTK_WIDGET (self)) / 2.0 - y * scale);
}

void
tb_graph_canvas_show_all (TbGraphCanvas *self)
{
  if (self->scene == NULL || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return;
  self->moved = FALSE;
  center_view (self, get_fitting_scale (self), self->scene->layout->width / 2,
               self->scene->layout->height / 2);
}

/* Shows the whole graph where its names are legible, else the part with the heaviest edge. */
void
tb_graph_canvas_fit (TbGraphCanvas *self)
{
  const TbGraphLayout *layout;
  double width = gtk_widget_get_width (GTK_WIDGET (self)),
         height = gtk_widget_get_height (GTK_WIDGET (self));
  double x, y, legible;

  tb_graph_canvas_show_all (self);
  if (self->scene == NULL || width == 0 || self->scene->n_arcs == 0)
    return;
  legible = self->scene->n_arcs > MAX_FEW_EDGES ? SCALE_LEGIBLE : SCALE_FEW;
  if (self->scale >= legible)
    return;
  layout = self->scene->layout;
  x = layout->places[self->scene->arcs[0].from].centre.x;
  y = layout->places[self->scene->arcs[0].from].centre.y;
  /* No space beyond the edge of the graph is shown where that can be avoided. */
  x = width / legible < layout->width
          ? CLAMP (x, width / 2 / legible, layout->width - width / 2 / legible)
          : layout->width / 2;
  y = height / legible < layout->height
          ? CLAMP (y, height / 2 / legible, layout->height - height / 2 / legible)
          : layout->height / 2;
  center_view (self, legible, x, y);
}

void
tb_graph_canvas_zoom (TbGraphCanvas *self, double factor, double x, double y)
{
  double scale = CLAMP (self->scale * factor, MIN_SCALE, MAX_SCALE);

  self->moved = TRUE;
  set_view (self, scale, x - (x - self->x - self->rest_x) * scale / self->scale,
            y - (y - self->y - self->rest_y) * scale / self->scale);
}

void
tb_graph_canvas_pan (TbGraphCanvas *self, double dx, double dy)
{
  self->moved = TRUE;
  set_view (self, self->scale, self->x + self->rest_x + dx, self->y + self->rest_y + dy);
}

/* Moves as little as needed. */
void
tb_graph_canvas_reveal (TbGraphCanvas *self, TbGraphElement element)
{
  float width = gtk_widget_get_width (GTK_WIDGET (self)),
        height = gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_t bounds;
  float margin = 40, dx = 0, dy = 0;

  if (width == 0 || !tb_graph_canvas_get_bounds (self, element, &bounds))
    return;
  if (bounds.origin.x + bounds.size.width > width - margin)
    dx = width - margin - bounds.origin.x - bounds.size.width;
  if (bounds.origin.x + dx < margin)
    dx = margin - bounds.origin.x;
  if (bounds.origin.y + bounds.size.height > height - margin)
    dy = height - margin - bounds.origin.y - bounds.size.height;
  if (bounds.origin.y + dy < margin)
    dy = margin - bounds.origin.y;
  if ((dx != 0 || dy != 0)
      && !(bounds.origin.x >= 0 && bounds.origin.y >= 0
           && bounds.origin.x + bounds.size.width <= width
           && bounds.origin.y + bounds.size.height <= height))
    tb_graph_canvas_pan (self, dx, dy);
}

/* Drawn part */

static void
measure_text (const char *name, const char *detail, double *width, double *height, gpointer data)
{
  PangoLayout *layout;
  int w, h;

  layout = detail != NULL ? tb_graph_canvas_get_name_layout (data, name, detail)
                          : tb_graph_canvas_get_edge_layout (data, name);
  pango_layout_get_pixel_size (layout, &w, &h);
  *width = *name != '\0' || (detail != NULL && *detail != '\0') ? w : 0;
  *height = *width > 0 ? h : 0;
}

static void
announce_selected (TbGraphCanvas *self)
{
  g_autofree char *text = tb_graph_canvas_describe (self, self->selected);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : _ ("Nothing selected"), -1);
  tb_accessible_items_selection_changed (GTK_WIDGET (self));
  if (text != NULL && gtk_widget_is_focus (GTK_WIDGET (self)))
    tb_widgets_announce (GTK_WIDGET (self), text);
}

static void
use_scene (TbGraphCanvas *self)
{
  tb_accessible_items_invalidate (GTK_WIDGET (self));
  g_clear_pointer (&self->scene, tb_graph_scene_free);
  self->scene = g_steal_pointer (&self->coming);
  self->hovered = TB_GRAPH_NO_ELEMENT;
  announce_selected (self);
  if (!self->moved)
    tb_graph_canvas_fit (self);
  else
    set_view (self, self->scale, self->x, self->y);
  if (self->selected.kind != TB_GRAPH_NOTHING)
    tb_graph_canvas_reveal (self, self->selected);
  tb_graph_canvas_redraw (self);
}

static gboolean
on_notify (gpointer data)
{
  TbGraphCanvas *self = data;

  self->notify = 0;
  g_signal_emit (self, signals[SCENE_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* Handlers may request another size, which is not allowed during allocation. The signal is
 * therefore emitted later. */
static void
notify_scene (TbGraphCanvas *self)
{
  if (self->notify == 0)
    self->notify = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_notify, self, NULL);
}

/* The input and output of a worker thread, which owns the scene until it is done. */
typedef struct
{
  TbGraphScene *scene;
  double width; /* of the visible area */
  double height;
  gboolean is_mirrored;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  tb_graph_scene_free (job->scene);
  g_free (job);
}

static void
run_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (tb_graph_scene_lay_out_to_fit (job->scene, job->width, job->height, job->is_mirrored,
                                     cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
job_done (GObject *object, GAsyncResult *result, gpointer data)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (object);
  Job *job = g_task_get_task_data (G_TASK (result));

  /* It fails only when it was cancelled: another layout is in progress, or the widget is gone. */
  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_clear_object (&self->cancellable);
  self->coming = g_steal_pointer (&job->scene);
  use_scene (self);
  notify_scene (self);
}

static void
cancel (TbGraphCanvas *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static gboolean
is_mirrored (TbGraphCanvas *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

static void
start_job (TbGraphCanvas *self)
{
  Job *job = g_new0 (Job, 1);
  g_autoptr (GTask) task = NULL;

  self->cancellable = g_cancellable_new ();
  job->scene = g_steal_pointer (&self->coming);
  job->width = gtk_widget_get_width (GTK_WIDGET (self));
  job->height = gtk_widget_get_height (GTK_WIDGET (self));
  job->is_mirrored = is_mirrored (self);
  task = g_task_new (self, self->cancellable, job_done, NULL);
  g_task_set_source_tag (task, start_job);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run_job);
}

static void
rebuild (TbGraphCanvas *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)),
         height = gtk_widget_get_height (GTK_WIDGET (self));

  if (width == 0)
    return;
  self->laid_out_width = width;
  self->laid_out_height = height;
  cancel (self);
  self->coming = tb_graph_scene_new (self->figure, self->ranking, self->threshold, MAX_EDGES,
                                     self->extra, self->collapsed, measure_text, self);
  if (self->coming->n_arcs + self->coming->n_nodes > MAX_IMMEDIATE_SIZE)
    start_job (self);
  else if (tb_graph_scene_lay_out_to_fit (self->coming, width, height, is_mirrored (self), NULL,
                                          NULL))
    use_scene (self);
  notify_scene (self);
}

/* Whether an area has other proportions than the one that the graph was laid out for. */
static gboolean
has_other_shape (TbGraphCanvas *self, double width, double height)
{
  double before = self->laid_out_width / MAX (1, self->laid_out_height),
         now = width / MAX (1, height);

  return now > MIN_SHAPE_CHANGE * before || before > MIN_SHAPE_CHANGE * now;
}

static void
tb_graph_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);

  if (self->scene == NULL && self->cancellable == NULL)
    rebuild (self);
  else if (!self->moved && has_other_shape (self, width, height))
    rebuild (self);
  else if (!self->moved)
    tb_graph_canvas_fit (self);
  else
    set_view (self, self->scale, self->x, self->y);
}

static void
tb_graph_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  tb_graph_canvas_draw (TB_GRAPH_CANVAS (widget), snapshot);
}

static void
tb_graph_canvas_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 700 : 420;
}

/* The font description, which sizes of text depend on. */
static char *
dup_font (TbGraphCanvas *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  g_autofree char *font
      = pango_font_description_to_string (pango_context_get_font_description (context));

  return g_strdup_printf ("%s %g", font, pango_cairo_context_get_resolution (context));
}

/* A new text size changes the sizes of names. Most style changes are different ones, such as a
 * window in the background. */
static void
tb_graph_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);
  g_autofree char *font = NULL;

  GTK_WIDGET_CLASS (tb_graph_canvas_parent_class)->css_changed (widget, change);
  font = dup_font (self);
  if (g_strcmp0 (font, self->font) == 0)
    return;
  g_free (self->font);
  self->font = g_steal_pointer (&font);
  g_hash_table_remove_all (self->labels);
  if (self->scene != NULL)
    rebuild (self);
}

static void
tb_graph_canvas_direction_changed (GtkWidget *widget, GtkTextDirection before)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (widget);

  GTK_WIDGET_CLASS (tb_graph_canvas_parent_class)->direction_changed (widget, before);
  if (self->scene != NULL)
    rebuild (self);
}

static void
tb_graph_canvas_unmap (GtkWidget *widget)
{
  tb_graph_canvas_clear_tiles (TB_GRAPH_CANVAS (widget));
  GTK_WIDGET_CLASS (tb_graph_canvas_parent_class)->unmap (widget);
}

static char *
describe_cluster (TbGraphCanvas *self, guint cluster)
{
  guint n = 0;
  g_autofree char *count = NULL;

  for (guint i = 0; i < tb_graph_figure_get_n_vertices (self->figure); i++)
    n += tb_graph_figure_get_vertex (self->figure, i)->cluster == cluster;
  count = g_strdup_printf (ngettext ("%'u vertex", "%'u vertices", n), n);
  return g_strdup_printf (self->collapsed[cluster]
                              /* Translators: the name of a group, "3 vertices" */
                              ? _ ("%s: %s, collapsed; Space expands it")
                              /* Translators: the name of a group, "3 vertices" */
                              : _ ("%s: %s; Space collapses it"),
                          tb_graph_figure_get_cluster_name (self->figure, cluster), count);
}

char *
tb_graph_canvas_describe (TbGraphCanvas *self, TbGraphElement element)
{
  switch (element.kind)
    {
    case TB_GRAPH_VERTEX:
      return tb_graph_figure_describe_vertex (self->figure, element.index);
    case TB_GRAPH_EDGE:
      return tb_graph_figure_describe_edge (self->figure, element.index);
    case TB_GRAPH_CLUSTER:
      return describe_cluster (self, element.index);
    case TB_GRAPH_NOTHING:
    default:
      return NULL;
    }
}

gboolean
tb_graph_canvas_is_drawn (TbGraphCanvas *self, TbGraphElement element)
{
  double x, y;

  return tb_graph_canvas_get_centre (self, element, &x, &y);
}

void
tb_graph_canvas_set_threshold (TbGraphCanvas *self, guint64 threshold)
{
  if (self->threshold == threshold)
    return;
  self->threshold = threshold;
  rebuild (self);
}

void
tb_graph_canvas_set_collapsed (TbGraphCanvas *self, guint cluster, gboolean collapsed)
{
  if (!self->collapsed[cluster] == !collapsed)
    return;
  self->collapsed[cluster] = collapsed;
  rebuild (self);
}

void
tb_graph_canvas_set_matched (TbGraphCanvas *self, guint8 *matched)
{
  g_free (self->matched);
  self->matched = matched;
  tb_graph_canvas_redraw (self);
}

void
tb_graph_canvas_select (TbGraphCanvas *self, TbGraphElement element)
{
  if (tb_graph_element_equal (self->selected, element))
    return;
  self->selected = element;
  /* An edge that was selected elsewhere is drawn even if it is light. */
  if (element.kind == TB_GRAPH_EDGE && self->scene != NULL
      && tb_graph_canvas_find_arc (self, element) < 0)
    {
      self->extra = element.index;
      rebuild (self);
    }
  else if (element.kind != TB_GRAPH_NOTHING)
    tb_graph_canvas_reveal (self, element);
  announce_selected (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED_CHANGED], 0);
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

void
tb_graph_canvas_activate (TbGraphCanvas *self)
{
  g_signal_emit (self, signals[ACTIVATED], 0);
}

void
tb_graph_canvas_hover (TbGraphCanvas *self, TbGraphElement element)
{
  if (tb_graph_element_equal (self->hovered, element))
    return;
  self->hovered = element;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[HOVERED_CHANGED], 0);
}

static void
tb_graph_canvas_dispose (GObject *object)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (object);

  cancel (self);
  g_clear_handle_id (&self->notify, g_source_remove);
  tb_graph_canvas_clear_tiles (self);
  G_OBJECT_CLASS (tb_graph_canvas_parent_class)->dispose (object);
}

static void
tb_graph_canvas_finalize (GObject *object)
{
  TbGraphCanvas *self = TB_GRAPH_CANVAS (object);

  g_clear_pointer (&self->scene, tb_graph_scene_free);
  g_clear_pointer (&self->coming, tb_graph_scene_free);
  g_clear_pointer (&self->ranking, tb_graph_ranking_free);
  tb_graph_canvas_clear_drawn (self);
  g_clear_object (&self->figure);
  g_hash_table_unref (self->labels);
  g_free (self->font);
  g_free (self->collapsed);
  g_free (self->matched);
  G_OBJECT_CLASS (tb_graph_canvas_parent_class)->finalize (object);
}

static void
tb_graph_canvas_class_init (TbGraphCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = tb_graph_canvas_dispose;
  object_class->finalize = tb_graph_canvas_finalize;
  widget_class->snapshot = tb_graph_canvas_snapshot;
  widget_class->unmap = tb_graph_canvas_unmap;
  widget_class->measure = tb_graph_canvas_measure;
  widget_class->direction_changed = tb_graph_canvas_direction_changed;
  widget_class->size_allocate = tb_graph_canvas_size_allocate;
  widget_class->css_changed = tb_graph_canvas_css_changed;

  signals[SELECTED_CHANGED] = g_signal_new ("selected-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                            NULL, NULL, G_TYPE_NONE, 0);
  signals[HOVERED_CHANGED] = g_signal_new ("hovered-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);
  signals[SCENE_CHANGED] = g_signal_new ("scene-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);

  signals[ACTIVATED]
      = g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  tb_graph_canvas_class_add_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "tb-graph-canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
tb_graph_canvas_init (TbGraphCanvas *self)
{
  self->extra = TB_ID_NONE;
  self->scale = 1;
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  tb_accessible_items_attach (GTK_WIDGET (self), &tb_graph_accessible_items);
  tb_graph_canvas_add_controllers (self);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (tb_graph_canvas_redraw));
}

TbGraphCanvas *
tb_graph_canvas_new (TbGraphFigure *figure)
{
  TbGraphCanvas *self = g_object_new (TB_TYPE_GRAPH_CANVAS, NULL);

  self->figure = g_object_ref (figure);
  self->ranking = tb_graph_ranking_new (figure);
  self->threshold = tb_graph_figure_get_threshold (figure);
  self->collapsed = g_new0 (guint8, tb_graph_figure_get_n_clusters (figure) + 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (TB_FIGURE (figure)),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ ("Nothing selected"), -1);
  return self;
}
