/* tb-heatmap-input.c: what mouse, fingers and keys do to a heat map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/tb-schema.h"
#include "widgets/heatmap/tb-heatmap-private.h"
#include "widgets/time/tb-time-input-private.h"

#define PAN_STEP .1

static gboolean
is_empty (TbHeatmapCanvas *self)
{
  return tb_heatmap_figure_get_n_rows (self->figure) == 0
         || tb_heatmap_figure_get_n_columns (self->figure) == 0;
}

/* At first the cell with the largest number is gone to. */
static void
select_largest (TbHeatmapCanvas *self)
{
  guint n_columns = tb_heatmap_figure_get_n_columns (self->figure), best_row = 0, best_column = 0;
  double best = -1;

  for (guint row = 0; row < tb_heatmap_figure_get_n_rows (self->figure); row++)
    for (guint column = 0; column < n_columns; column++)
      {
        double size = tb_heatmap_figure_is_signed (self->figure)
                          ? ABS ((double) tb_heatmap_figure_get_signed_row (self->figure, row)[column])
                          : (double) tb_heatmap_figure_get_row (self->figure, row)[column];

        if (size <= best)
          continue;
        best = size;
        best_row = row;
        best_column = column;
      }
  tb_heatmap_canvas_select (self, best_row, best_column, best_column + 1);
}

static gboolean
on_move_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  gint64 row, column;
  int dx, dy;

  if (is_empty (self))
    return FALSE;
  if (self->row == TB_ID_NONE)
    {
      select_largest (self);
      return TRUE;
    }
  g_variant_get (arguments, "(ii)", &dx, &dy);
  row = (gint64) self->row + dy;
  column = (gint64) self->cursor + (self->first < self->end ? dx : 0);
  if (row < 0 || row >= tb_heatmap_figure_get_n_rows (self->figure) || column < 0
      || column >= tb_heatmap_figure_get_n_columns (self->figure))
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor = (guint) column;
  tb_heatmap_canvas_select (self, (guint) row, (guint) column, (guint) column + 1);
  return TRUE;
}

static gboolean
on_extend_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  int direction = g_variant_get_int32 (arguments);
  guint other;

  if (self->row == TB_ID_NONE || self->first == self->end)
    return FALSE;
  other = self->cursor == self->first ? self->end - 1 : self->first;
  if ((direction < 0 && self->cursor == 0)
      || (direction > 0 && self->cursor + 1 >= tb_heatmap_figure_get_n_columns (self->figure)))
    {
      gtk_widget_error_bell (widget);
      return TRUE;
    }
  self->cursor += (guint) direction;
  tb_heatmap_canvas_select (self, self->row, MIN (self->cursor, other), MAX (self->cursor, other) + 1);
  return TRUE;
}

static gboolean
on_edge_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  guint column = g_variant_get_int32 (arguments) < 0 ? 0 : tb_heatmap_figure_get_n_columns (self->figure) - 1;

  if (is_empty (self))
    return FALSE;
  self->cursor = column;
  tb_heatmap_canvas_select (self, self->row != TB_ID_NONE ? self->row : 0, column, column + 1);
  return TRUE;
}

static gboolean
on_fit_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  tb_heatmap_canvas_show_selected (TB_HEATMAP_CANVAS (widget));
  return TRUE;
}

static gboolean
on_escape_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  if (self->row == TB_ID_NONE)
    return FALSE;
  tb_heatmap_canvas_select (self, TB_ID_NONE, 0, 0);
  return TRUE;
}

static gboolean
on_zoom_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);
  double factor = g_variant_get_double (arguments);
  graphene_rect_t plot;

  if (factor == 0)
    {
      tb_heatmap_canvas_show_all (self);
      return TRUE;
    }
  if (!tb_heatmap_canvas_get_bounds (self, self->row, self->first, self->end, &plot))
    tb_heatmap_canvas_get_plot (self, &plot);
  tb_heatmap_canvas_zoom (self, plot.origin.x + plot.size.width / 2, plot.origin.y + plot.size.height / 2,
                          factor);
  return TRUE;
}

static gboolean
on_pan_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  tb_heatmap_canvas_pan (self, PAN_STEP * self->look.n_columns * g_variant_get_int32 (arguments), 0);
  return TRUE;
}

static gboolean
on_page_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  TbHeatmapCanvas *self = TB_HEATMAP_CANVAS (widget);

  tb_heatmap_canvas_pan (self, 0, -.9 * self->look.n_rows * g_variant_get_int32 (arguments));
  return TRUE;
}

static void
add_pair (GtkWidgetClass *widget_class,
          guint back,
          guint forward,
          GdkModifierType state,
          GtkShortcutFunc func)
{
  gtk_widget_class_add_binding (widget_class, back, state, func, "i", -1);
  gtk_widget_class_add_binding (widget_class, forward, state, func, "i", 1);
}

void
tb_heatmap_canvas_class_add_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    int dx;
    int dy;
  } moves[] = { { GDK_KEY_Left, -1, 0 }, { GDK_KEY_Right, 1, 0 },    { GDK_KEY_Up, 0, 1 },
                { GDK_KEY_Down, 0, -1 }, { GDK_KEY_KP_Left, -1, 0 }, { GDK_KEY_KP_Right, 1, 0 },
                { GDK_KEY_KP_Up, 0, 1 }, { GDK_KEY_KP_Down, 0, -1 } };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_class_add_binding (widget_class, moves[i].key, 0, on_move_key, "(ii)", moves[i].dx,
                                  moves[i].dy);
  /* Before those of tb_time_input_add_keys(), which has Shift and arrows pan. */
  add_pair (widget_class, GDK_KEY_Left, GDK_KEY_Right, GDK_SHIFT_MASK, on_extend_key);
  add_pair (widget_class, GDK_KEY_KP_Left, GDK_KEY_KP_Right, GDK_SHIFT_MASK, on_extend_key);
  add_pair (widget_class, GDK_KEY_Home, GDK_KEY_End, 0, on_edge_key);
  add_pair (widget_class, GDK_KEY_Page_Up, GDK_KEY_Page_Down, 0, on_page_key);
  add_pair (widget_class, GDK_KEY_a, GDK_KEY_d, 0, on_pan_key);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_w, 0, on_zoom_key, "d", 1 / TB_ZOOM_STEP);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_s, 0, on_zoom_key, "d", TB_ZOOM_STEP);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_f, 0, on_fit_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape_key, NULL);
  tb_time_input_add_keys (widget_class, on_zoom_key, on_pan_key);
}

static void
on_motion (TbHeatmapCanvas *self, double x, double y)
{
  guint row, column;
  gint64 from, to;

  self->zoom_x = x;
  self->zoom_y = y;
  if (!tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    row = column = TB_ID_NONE;
  tb_heatmap_canvas_set_hovered (self, row, column);
  if (!self->timed)
    return;
  if (row == TB_ID_NONE)
    tb_focus_set_pointer (self->focus, TB_TIME_NONE);
  else
    {
      graphene_rect_t plot;
      double share;

      tb_heatmap_canvas_get_plot (self, &plot);
      tb_heatmap_figure_get_range (self->figure, &from, &to);
      share = (self->look.column + (x - plot.origin.x) / plot.size.width * self->look.n_columns)
              / tb_heatmap_figure_get_n_columns (self->figure);
      tb_focus_set_pointer (self->focus, from + (gint64) (share * (double) (to - from)));
    }
}

static void
on_leave (TbHeatmapCanvas *self)
{
  tb_heatmap_canvas_set_hovered (self, TB_ID_NONE, TB_ID_NONE);
  if (self->timed)
    tb_focus_set_pointer (self->focus, TB_TIME_NONE);
}

/* Beside the cells a row is chosen as a whole. */
static gboolean
get_row_at (TbHeatmapCanvas *self, double y, guint *row)
{
  graphene_rect_t plot;
  guint column;

  tb_heatmap_canvas_get_plot (self, &plot);
  return tb_heatmap_canvas_get_cell_at (self, plot.origin.x + 1, y, row, &column);
}

static void
on_released (TbHeatmapCanvas *self, int n_press, double x, double y)
{
  guint row, column;

  if (self->brushing)
    return;
  if (tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    {
      self->cursor = column;
      tb_heatmap_canvas_select (self, row, column, column + 1);
      if (n_press == 2)
        tb_heatmap_canvas_show_selected (self);
    }
  else if (get_row_at (self, y, &row))
    tb_heatmap_canvas_select (self, row, 0, 0);
  else
    tb_heatmap_canvas_select (self, TB_ID_NONE, 0, 0);
}

static void
on_drag_begin (TbHeatmapCanvas *self, double x, double y, GtkGesture *gesture)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->brushing = FALSE;
  if (!tb_heatmap_canvas_get_cell_at (self, x, y, &self->brush_row, &self->brush_column))
    self->brush_row = TB_ID_NONE;
}

/* Dragging chooses columns of the row it began in. */
static void
on_drag_update (TbHeatmapCanvas *self, double dx, double dy, GtkGestureDrag *gesture)
{
  graphene_rect_t plot;
  guint row, column;
  double x, y;

  if (self->brush_row == TB_ID_NONE
      || (!self->brushing && !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy)))
    return;
  self->brushing = TRUE;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  tb_heatmap_canvas_get_plot (self, &plot);
  x = CLAMP (x + dx, plot.origin.x, plot.origin.x + plot.size.width - .5);
  if (!tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    return;
  self->cursor = column;
  tb_heatmap_canvas_select (self, self->brush_row, MIN (column, self->brush_column),
                            MAX (column, self->brush_column) + 1);
}

static gboolean
on_scroll (TbHeatmapCanvas *self, double dx, double dy, GtkEventControllerScroll *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if (state & GDK_CONTROL_MASK)
    tb_heatmap_canvas_zoom (self, self->zoom_x, self->zoom_y, tb_time_input_get_zoom (controller, dy));
  else if (dx != 0 || state & GDK_SHIFT_MASK)
    tb_heatmap_canvas_pan (self, PAN_STEP * self->look.n_columns * (dx != 0 ? dx : dy), 0);
  else if (self->look.n_rows < tb_heatmap_figure_get_n_rows (self->figure))
    tb_heatmap_canvas_pan (self, 0, -PAN_STEP * self->look.n_rows * dy);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static gboolean
on_query_tooltip (TbHeatmapCanvas *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;
  guint row, column;

  if (keyboard && self->row != TB_ID_NONE)
    text = tb_heatmap_figure_describe (self->figure, self->row,
                                       self->end == self->first + 1 ? self->first : TB_ID_NONE);
  else if (!keyboard && tb_heatmap_canvas_get_cell_at (self, x, y, &row, &column))
    text = tb_heatmap_figure_describe (self->figure, row, column);
  else if (!keyboard && get_row_at (self, y, &row))
    text = tb_heatmap_figure_describe (self->figure, row, TB_ID_NONE);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
tb_heatmap_canvas_add_controllers (TbHeatmapCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect_swapped (widget, "query-tooltip", G_CALLBACK (on_query_tooltip), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}
