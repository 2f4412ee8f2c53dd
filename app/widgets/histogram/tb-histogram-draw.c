/* tb-histogram-draw.c: drawing of a histogram: axes, bars (hatched where uncertain, with a legend
 * of that), outlines of further series, marks with names, percentiles, selection, hovered bin
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/tb-base.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/histogram/tb-histogram-private.h"

#define VALUE_SPACING 84
#define COUNT_SPACING 34
/* Least height of a bar with a count. */
#define MIN_HEIGHT 2
#define MIN_GAP 4

typedef struct
{
  TbHistogramCanvas *canvas;
  GtkSnapshot *snapshot;
  const TbPalette *palette;
  graphene_rect_t plot;
} Drawing;

static void
append_text (const Drawing *self,
             const char *text,
             const GdkRGBA *color,
             gboolean bold,
             double x,
             double y,
             double align,
             double width)
{
  tb_bins_append_label (self->canvas, self->snapshot, text, x, y,
                        &(TbBinsLabel) { color, bold, align, width, PANGO_ELLIPSIZE_END });
}

/* Draws text over the existing drawing. */
static void
append_bubble (const Drawing *self, const char *text, double x, double y, double align)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->canvas), text);
  GdkRGBA color = self->palette->surface;
  float width, height;
  int w, h;

  pango_layout_get_pixel_size (layout, &w, &h);
  width = (float) (w * TB_BINS_LABEL_SCALE) + 8;
  height = (float) (h * TB_BINS_LABEL_SCALE) + 2;
  color.alpha = .88f;
  tb_draw_rounded (self->snapshot, &color,
                   &GRAPHENE_RECT_INIT ((float) (x - align * (w * TB_BINS_LABEL_SCALE)) - 4,
                                        (float) y, width, height),
                   4);
  append_text (self, text, &self->palette->text, FALSE, x, y, align, 0);
}

static double
get_x (const Drawing *self, gint64 value)
{
  return self->plot.origin.x
         + tb_histogram_scale_get_x (&self->canvas->scale, self->plot.size.width, value);
}

static double
get_bottom (const Drawing *self)
{
  return self->plot.origin.y + self->plot.size.height;
}

static void
append_counts (const Drawing *self)
{
  TbHistogramCanvas *canvas = self->canvas;
  guint64 largest = tb_histogram_figure_get_largest_count (canvas->figure);
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (canvas)) == GTK_TEXT_DIR_RTL;
  double last = self->plot.origin.x + self->plot.size.width;
  g_autoptr (GArray) ticks = tb_histogram_make_count_ticks (largest, canvas->counts_are_log,
                                                            self->plot.size.height, COUNT_SPACING);

  for (guint i = 0; i < ticks->len; i++)
    {
      const TbHistogramTick *tick = &g_array_index (ticks, TbHistogramTick, i);
      double y = floor (get_bottom (self) - tick->x * self->plot.size.height);

      gtk_snapshot_append_color (self->snapshot, &self->palette->grid,
                                 &GRAPHENE_RECT_INIT (self->plot.origin.x, (float) y,
                                                      self->plot.size.width, 1));
      append_text (self, tick->label, &self->palette->dim, FALSE,
                   mirrored ? last + 6 : self->plot.origin.x - 6, y - canvas->line * .45,
                   mirrored ? 0 : 1, 0);
    }
  gtk_snapshot_append_color (self->snapshot, &self->palette->line,
                             &GRAPHENE_RECT_INIT (self->plot.origin.x, (float) get_bottom (self),
                                                  self->plot.size.width, 1));
}

static void
append_values (const Drawing *self)
{
  g_autoptr (GArray) ticks
      = tb_histogram_scale_make_ticks (&self->canvas->scale, self->canvas->figure,
                                       self->plot.size.width, VALUE_SPACING);
  double last_end = -G_MAXDOUBLE;

  for (guint i = 0; i < ticks->len; i++)
    {
      const TbHistogramTick *tick = &g_array_index (ticks, TbHistogramTick, i);
      double x = floor (self->plot.origin.x + tick->x);
      /* The outermost labels stay within the widget. */
      double align = tick->x < 30 ? .2 : tick->x > self->plot.size.width - 30 ? .9 : .5;

      gtk_snapshot_append_color (self->snapshot, &self->palette->line,
                                 &GRAPHENE_RECT_INIT ((float) x, (float) get_bottom (self), 1, 4));
      if (tb_bins_place_label (x, align, tb_bins_get_label_width (self->canvas, tick->label, FALSE),
                               &last_end))
        append_text (self, tick->label, &self->palette->dim, FALSE, x, get_bottom (self) + 4, align,
                     0);
    }
}

/* The visible area of bins [first, end). FALSE where none is visible. */
static gboolean
get_bounds (const Drawing *self, guint first, guint end, graphene_rect_t *bounds)
{
  double left, right, last = self->plot.origin.x + self->plot.size.width;

  if (first >= end)
    return FALSE;
  left = get_x (self, tb_histogram_figure_get_bin (self->canvas->figure, first)->from);
  right = get_x (self, tb_histogram_figure_get_bin (self->canvas->figure, end - 1)->to);
  if (right <= self->plot.origin.x || left >= last)
    return FALSE;
  left = floor (MAX (left, self->plot.origin.x));
  right = ceil (MIN (right, last));
  graphene_rect_init (bounds, (float) left, self->plot.origin.y, (float) MAX (1, right - left),
                      self->plot.size.height);
  return TRUE;
}

static gboolean
is_selected (TbHistogramCanvas *canvas, guint first, guint end)
{
  return first < canvas->end && end > canvas->first;
}

/* "Peak 2 (1.05 ms–4.19 ms)": the name comes first. The part in brackets is also on the axis. */
static void
append_mark_name (const Drawing *self, const char *label, const graphene_rect_t *bounds)
{
  double room = bounds->size.width - 6;
  const char *bracket = strstr (label, " (");
  g_autofree char *name
      = bracket != NULL && tb_bins_get_label_width (self->canvas, label, TRUE) > room
            ? g_strndup (label, (gsize) (bracket - label))
            : g_strdup (label);

  append_text (self, name, &self->palette->text, TRUE, bounds->origin.x + bounds->size.width / 2, 4,
               .5, room);
}

/* A mark is a tinted stretch with its name on top. */
static void
append_marks (const Drawing *self)
{
  static const TbPaint tints[]
      = { TB_PAINT_RUNNING, TB_PAINT_RUNNABLE, TB_PAINT_NETWORK, TB_PAINT_INTERRUPT };
  TbHistogramCanvas *canvas = self->canvas;

  for (guint i = 0; i < tb_histogram_figure_get_n_marks (canvas->figure); i++)
    {
      const TbHistogramMark *mark = tb_histogram_figure_get_mark (canvas->figure, i);
      gboolean selected;
      graphene_rect_t bounds;
      GdkRGBA color;
      guint first, end;

      tb_histogram_figure_get_mark_bins (canvas->figure, i, &first, &end);
      if (!get_bounds (self, first, end, &bounds))
        continue;
      selected = canvas->first == first && canvas->end == end;
      color = selected ? self->palette->chosen
                       : self->palette->paint[tints[i % G_N_ELEMENTS (tints)]];
      color.alpha = .14f;
      bounds.origin.y = 2;
      bounds.size.height = (float) get_bottom (self) - 2;
      tb_draw_rounded (self->snapshot, &color, &bounds, 4);
      if (bounds.size.width > 18)
        append_mark_name (self, mark->label, &bounds);
    }
}

static void
append_uncertain (const Drawing *self, const GdkRGBA *color, const graphene_rect_t *bounds)
{
  GdkRGBA faint = *color;

  faint.alpha *= .45f;
  gtk_snapshot_append_color (self->snapshot, &faint, bounds);
  tb_draw_hatch (self->snapshot, color, bounds);
}

/* The legend of the hatching is where the fewest bars are: at the top, below the names of the
 * marks, on the side of large values. */
static void
append_legend (const Drawing *self)
{
  const char *why = tb_histogram_figure_get_uncertain_reason (self->canvas->figure);
  double size = floor (self->canvas->line * .7),
         right = self->plot.origin.x + self->plot.size.width;
  double y = self->plot.origin.y + 2;
  g_autoptr (PangoLayout) layout = NULL;
  g_autofree char *text = NULL;
  GdkRGBA back;
  int width;

  if (*why == '\0')
    return;
  text = g_strdup_printf (_ ("uncertain: %s"), why);
  /* Where the reason would cover the bars, only the status line shows it. */
  if (tb_bins_get_label_width (self->canvas, text, FALSE) > self->plot.size.width / 2)
    g_set_str (&text, _ ("uncertain"));
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->canvas), text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  width = (int) MIN (width * TB_BINS_LABEL_SCALE + 2, self->plot.size.width - size - 12);
  if (width <= 0)
    return;
  back = self->palette->surface;
  back.alpha = .88f;
  tb_draw_rounded (self->snapshot, &back,
                   &GRAPHENE_RECT_INIT ((float) (right - width - size - 12), (float) y - 1,
                                        (float) (width + size + 12), (float) size + 7),
                   4);
  append_uncertain (self, &self->palette->series[0],
                    &GRAPHENE_RECT_INIT ((float) floor (right - width - size - 8), (float) y + 2,
                                         (float) size, (float) size));
  append_text (self, text, &self->palette->dim, FALSE, right - 4, y, 1, width);
}

static void
append_bars (const Drawing *self)
{
  TbHistogramCanvas *canvas = self->canvas;
  GArray *bars = g_ptr_array_index (canvas->bars, 0);
  guint64 largest = tb_histogram_figure_get_largest_count (canvas->figure);

  for (guint i = 0; i < bars->len; i++)
    {
      const TbHistogramBar *bar = &g_array_index (bars, TbHistogramBar, i);
      double share = tb_histogram_get_height (bar->count, largest, canvas->counts_are_log);
      float height = MAX (MIN_HEIGHT, (float) (share * self->plot.size.height));
      float width = (float) (bar->width >= MIN_GAP ? bar->width - 1 : bar->width);
      const GdkRGBA *color = is_selected (canvas, bar->first, bar->end) ? &self->palette->chosen
                                                                        : &self->palette->series[0];
      graphene_rect_t bounds
          = GRAPHENE_RECT_INIT (self->plot.origin.x + (float) bar->x,
                                (float) get_bottom (self) - height, width, height);

      if (tb_histogram_figure_is_uncertain (canvas->figure, bar->first))
        append_uncertain (self, color, &bounds);
      else if (width > 8 && height > 3)
        tb_draw_rounded (self->snapshot, color, &bounds, 1.5f);
      else
        gtk_snapshot_append_color (self->snapshot, color, &bounds);
    }
}

static GskPath *
make_outline (const Drawing *self, GArray *bars)
{
  g_autoptr (GskPathBuilder) builder = gsk_path_builder_new ();
  guint64 largest = tb_histogram_figure_get_largest_count (self->canvas->figure);
  float bottom = (float) get_bottom (self), right = self->plot.origin.x;

  gsk_path_builder_move_to (builder, right, bottom);
  for (guint i = 0; i < bars->len; i++)
    {
      const TbHistogramBar *bar = &g_array_index (bars, TbHistogramBar, i);
      double share = tb_histogram_get_height (bar->count, largest, self->canvas->counts_are_log);
      float left = self->plot.origin.x + (float) bar->x;
      float top = bottom - MAX (MIN_HEIGHT, (float) share * self->plot.size.height);

      /* A gap between bars. */
      if (left > right + .5f)
        {
          gsk_path_builder_line_to (builder, right, bottom);
          gsk_path_builder_line_to (builder, left, bottom);
        }
      gsk_path_builder_line_to (builder, left, top);
      right = left + (float) bar->width;
      gsk_path_builder_line_to (builder, right, top);
    }
  gsk_path_builder_line_to (builder, right, bottom);
  return gsk_path_builder_free_to_path (g_steal_pointer (&builder));
}

/* Further distributions are outlines over the first one, each with its own dashes. */
static void
append_overlay (const Drawing *self, guint series)
{
  g_autoptr (GskPath) path = make_outline (self, g_ptr_array_index (self->canvas->bars, series));
  GskStroke *stroke = gsk_stroke_new (4);

  gtk_snapshot_append_stroke (self->snapshot, path, stroke, &self->palette->surface);
  gsk_stroke_set_line_width (stroke, 2);
  tb_draw_set_series_dash (stroke, series);
  gtk_snapshot_append_stroke (self->snapshot, path, stroke,
                              tb_draw_get_series_color (self->palette, series));
  gsk_stroke_free (stroke);
}

static void
append_percentiles (const Drawing *self)
{
  static const struct
  {
    double share;
    const char *name;
  } cursors[] = { { .5, "p50" }, { .9, "p90" }, { .99, "p99" }, { .999, "p99.9" } };
  double after = self->plot.origin.x;

  for (guint i = 0; i < G_N_ELEMENTS (cursors); i++)
    {
      g_autofree char *value_text = NULL;
      g_autofree char *text = NULL;
      double y = self->plot.origin.y + 2, x;
      gint64 value;

      if (!tb_histogram_figure_get_percentile (self->canvas->figure, 0, cursors[i].share, &value))
        return;
      x = get_x (self, value);
      if (x < self->plot.origin.x || x > self->plot.origin.x + self->plot.size.width)
        continue;
      value_text = tb_histogram_figure_format_value (self->canvas->figure, value);
      text = g_strdup_printf ("%s %s", cursors[i].name, value_text);
      /* Labels of neighbouring lines are placed below each other. */
      y += x < after ? (i % 4) * (self->canvas->line + 1) : 0;
      after = x + 110;
      gtk_snapshot_append_color (self->snapshot, &self->palette->text,
                                 &GRAPHENE_RECT_INIT ((float) floor (x), (float) y, 1,
                                                      (float) (get_bottom (self) - y)));
      if (x > self->plot.origin.x + self->plot.size.width - 110)
        append_bubble (self, text, x - 6, y, 1);
      else
        append_bubble (self, text, x + 6, y, 0);
    }
}

static GskRenderNode *
draw_all (Drawing *self)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  GtkSnapshot *outer = self->snapshot;

  self->snapshot = snapshot;
  append_marks (self);
  append_counts (self);
  append_values (self);
  if (self->canvas->bars->len > 0)
    {
      graphene_rect_t clip = self->plot;

      clip.size.height += 1;
      gtk_snapshot_push_clip (snapshot, &clip);
      append_bars (self);
      for (guint i = 1; i < self->canvas->bars->len; i++)
        append_overlay (self, i);
      gtk_snapshot_pop (snapshot);
    }
  append_legend (self);
  if (self->canvas->percentiles)
    append_percentiles (self);
  self->snapshot = outer;
  return gtk_snapshot_to_node (snapshot);
}

/* Parts that do not move with the mouse are kept as drawn. */
void
tb_histogram_canvas_draw (TbHistogramCanvas *self, GtkSnapshot *snapshot)
{
  Drawing drawing = { self, snapshot, tb_palette_get_default (), { { 0 } } };
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_t bounds;

  tb_histogram_canvas_get_plot (self, &drawing.plot);
  if (self->drawn_height != height)
    g_clear_pointer (&self->drawn, gsk_render_node_unref);
  self->drawn_height = height;
  if (self->drawn == NULL)
    self->drawn = draw_all (&drawing);
  if (self->drawn != NULL)
    gtk_snapshot_append_node (snapshot, self->drawn);
  if (self->hovered != TB_ID_NONE
      && get_bounds (&drawing, self->hovered, self->hovered + 1, &bounds))
    gtk_snapshot_append_color (snapshot, &drawing.palette->range, &bounds);
  if (get_bounds (&drawing, self->first, self->end, &bounds))
    {
      bounds.origin.y = 2;
      bounds.size.height = (float) get_bottom (&drawing) - 1;
      tb_draw_outline (snapshot, &drawing.palette->chosen, &bounds, 2);
    }
}
