/* tb-flame-input.c: input of a flame: keys that select, zoom and pan, clicks that select and zoom,
 * hovering, and tooltips
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/flame/tb-flame-canvas-private.h"
#include "widgets/tb-widgets-private.h"
#include "widgets/time/tb-time-input-private.h"

static guint
first_child (TbFlameCanvas *self, guint node)
{
  return node == TB_ID_NONE ? tb_flame_figure_get_first_root (self->figure)
                            : tb_flame_figure_get_node (self->figure, node)->first_child;
}

static guint
sibling (TbFlameCanvas *self, guint node, int direction)
{
  guint before = TB_ID_NONE;

  /* Over time the sibling is the visible neighbour, whatever its caller. */
  if (self->lens != NULL)
    return tb_flame_find_neighbour (self->figure, node, direction);
  if (direction > 0)
    return tb_flame_figure_get_node (self->figure, node)->next_sibling;
  for (guint other = first_child (self, tb_flame_figure_get_node (self->figure, node)->parent);
       other != TB_ID_NONE && other != node;
       other = tb_flame_figure_get_node (self->figure, other)->next_sibling)
    before = other;
  return before;
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  int dx, dy;
  guint next;

  g_variant_get (arguments, "(ii)", &dx, &dy);
  if (tb_flame_figure_get_n_nodes (self->figure) == 0)
    return FALSE;
  if (self->selected == TB_ID_NONE)
    next = self->zoomed != TB_ID_NONE ? self->zoomed : first_child (self, TB_ID_NONE);
  else if (dx != 0)
    next = sibling (self, self->selected, dx);
  else if ((dy < 0) == self->icicle)
    next = tb_flame_figure_get_node (self->figure, self->selected)->parent;
  else
    next = first_child (self, self->selected);
  if (next == TB_ID_NONE)
    gtk_widget_error_bell (widget);
  else
    tb_flame_canvas_select (self, next);
  return TRUE;
}

static gboolean
on_activate_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (self->selected == TB_ID_NONE)
    return FALSE;
  tb_flame_canvas_zoom_to (self, self->selected);
  return TRUE;
}

static gboolean
on_back_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return tb_flame_canvas_zoom_out (TB_FLAME_CANVAS (widget));
}

static gboolean
on_home_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_flame_canvas_zoom_to (TB_FLAME_CANVAS (widget), TB_ID_NONE);
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (self->selected == TB_ID_NONE)
    return tb_flame_canvas_zoom_out (self);
  tb_flame_canvas_select (self, TB_ID_NONE);
  return TRUE;
}

/* Only over time. A flame of weights is zoomed by going to one of its nodes. */
static gboolean
on_zoom_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);
  double factor = g_variant_get_double (arguments);
  gint64 around, from, to;

  if (factor == 0)
    return on_home_key (widget, NULL, NULL);
  if (self->lens == NULL)
    return factor > 1 ? on_back_key (widget, NULL, NULL) : on_activate_key (widget, NULL, NULL);
  tb_focus_get_view (self->lens, &from, &to);
  around = from + (to - from) / 2;
  if (self->selected != TB_ID_NONE)
    {
      const TbFlameNode *info = tb_flame_figure_get_node (self->figure, self->selected);

      if (info->from < to && info->to > from)
        around = MAX (info->from, from) / 2 + MIN (info->to, to) / 2;
    }
  tb_focus_zoom (self->lens, around, factor);
  return TRUE;
}

static gboolean
on_pan_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbFlameCanvas *self = TB_FLAME_CANVAS (widget);

  if (self->lens == NULL)
    return FALSE;
  tb_time_input_pan (self->lens, g_variant_get_int32 (arguments));
  return TRUE;
}

void
tb_flame_canvas_class_add_keys (GtkWidgetClass *widget_class)
{
  tb_widgets_add_move_keys (widget_class, on_move_key, -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_space, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, 0, on_activate_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_BackSpace, 0, on_back_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, on_home_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  tb_time_input_add_keys (widget_class, on_zoom_key, on_pan_key);
}

static gboolean
in_plot (TbFlameCanvas *self, double x)
{
  return x >= TB_FLAME_MARGIN && x < TB_FLAME_MARGIN + tb_flame_canvas_get_plot_width (self);
}

static void
on_motion (TbFlameCanvas *self, double x, double y)
{
  const TbFlameBox *box = tb_flame_canvas_get_box_at (self, x, y);

  self->pointer_x = x;
  self->pointer_y = y;
  tb_flame_canvas_set_hovered (self, tb_flame_canvas_get_node_at (self, x, y));
  if (self->lens != NULL)
    tb_focus_set_pointer (self->lens,
                          in_plot (self, x) ? tb_flame_canvas_get_time (self, x) : TB_TIME_NONE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), box != NULL ? "pointer" : NULL);
}

static void
on_leave (TbFlameCanvas *self)
{
  tb_flame_canvas_set_hovered (self, TB_ID_NONE);
  if (self->lens != NULL)
    tb_focus_set_pointer (self->lens, TB_TIME_NONE);
}

/* Zooms so that a merged box fills the view and its nodes become visible. */
static void
zoom_to_merged (TbFlameCanvas *self, const TbFlameBox *box)
{
  gint64 from, to;

  if (self->lens == NULL)
    {
      tb_flame_canvas_zoom_to (self, box->node);
      return;
    }
  from = tb_flame_canvas_get_time (self, box->x + TB_FLAME_MARGIN - 1);
  to = tb_flame_canvas_get_time (self, box->x + box->width + TB_FLAME_MARGIN + 1);
  tb_focus_set_view (self->lens, from, to);
}

/* A double click on a box that already fills the view zooms out to its caller. */
static void
zoom_in_or_back (TbFlameCanvas *self, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, node);
  gboolean zoomed = self->zoomed == node;
  gint64 from, to;

  if (self->lens != NULL)
    {
      tb_focus_get_view (self->lens, &from, &to);
      zoomed = from == info->from && to == info->to;
    }
  tb_flame_canvas_zoom_to (self, zoomed ? info->parent : node);
}

/* A click selects. A click on the selection, a double click, and a click on a merged box zoom. */
static void
on_released (TbFlameCanvas *self, int n_press, double x, double y)
{
  const TbFlameBox *found = tb_flame_canvas_get_box_at (self, x, y);
  TbFlameBox box;
  guint node;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (found == NULL)
    {
      tb_flame_canvas_select (self, TB_ID_NONE);
      return;
    }
  box = *found;
  node = tb_flame_canvas_get_node_at (self, x, y);
  if (box.n_merged > 0)
    zoom_to_merged (self, &box);
  else if (n_press == 2)
    zoom_in_or_back (self, node);
  else if (n_press == 1)
    tb_flame_canvas_select (self, node);
}

char *
tb_flame_canvas_describe_merged (TbFlameCanvas *self, const TbFlameBox *box)
{
  g_autofree char *total = tb_flame_format_value (self->figure, box->total);

  if (self->lens != NULL)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%'u box too narrow to draw: click to zoom in",
                                         "%'u boxes too narrow to draw: click to zoom in",
                                         box->n_merged),
                            box->n_merged);
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%'u function too narrow to draw, %s: click to zoom in",
                   "%'u functions too narrow to draw, %s together: click to zoom in",
                   box->n_merged),
      box->n_merged, total);
}

static gboolean
on_query_tooltip (TbFlameCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  graphene_rect_t bounds;
  GdkRectangle area;
  const TbFlameBox *box;

  if (keyboard)
    {
      if (self->selected == TB_ID_NONE || !tb_flame_canvas_get_box (self, self->selected, &bounds))
        return FALSE;
      text = tb_flame_describe (self->figure, self->selected);
    }
  else
    {
      box = tb_flame_canvas_get_box_at (self, x, y);
      if (box == NULL)
        return FALSE;
      tb_flame_canvas_get_bounds (self, box, &bounds);
      text = box->n_merged > 0
                 ? tb_flame_canvas_describe_merged (self, box)
                 : tb_flame_describe (self->figure, tb_flame_canvas_get_node_at (self, x, y));
    }
  area = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                          (int) bounds.size.height };
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

void
tb_flame_canvas_add_controllers (TbFlameCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  tb_flame_canvas_add_scrolling (self);
}
