/* tb-flame-draw.c: drawing of a flame figure: boxes with fitted labels, names of lanes, time grid;
 * above them selected range, pointer, outlines of the selected and hovered box
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "report/tb-report.h"
#include "widgets/tb-widget-drawing-private.h"
#include "widgets/flame/tb-flame-canvas-private.h"
#include "widgets/time/tb-time-axis.h"
#include "widgets/tb-widgets-private.h"

#define MIN_LABEL 26
/* Below this width letters are more useful than an ellipsis. */
#define MIN_ELLIPSIZED 44
/* From this width on, the end of a file name is shown too. */
#define MIN_BOTH_ENDS 64
/* Names of process boundaries are drawn even in narrow boxes. */
#define MIN_PROCESS_LABEL 16
#define MIN_MERGED_LABEL 14
#define MIN_ROUNDED 4
#define FADED .28f
#define CALLER .55f

static guint8
get_match (TbFlameCanvas *self, const TbFlameBox *box)
{
  guint8 matched = 0;

  if (self->match == NULL)
    return 1;
  if (box->n_merged == 0)
    return self->match->matched[box->node];
  if (self->lens != NULL)
    return self->match->matched[box->node];
  for (guint node = box->first_merged, i = 0;
       node != TB_ID_NONE && i < box->n_merged && matched == 0;
       node = tb_flame_figure_get_node (self->figure, node)->next_sibling, i++)
    matched |= self->match->matched[node] != 0;
  return matched;
}

/* Text after the name, "" for none. Notes take precedence. For processes, disks and networks the
 * module is part of the name. */
static const char *
get_suffix (const TbFlameNode *info)
{
  if (info->note[0] != '\0')
    return info->note;
  return info->paint == TB_FLAME_PROCESS || info->paint == TB_FLAME_DISK
                 || info->paint == TB_FLAME_NETWORK
             ? info->module
             : "";
}

static char *
make_label (const TbFlameNode *info)
{
  const char *addition = get_suffix (info);

  return addition[0] != '\0' ? g_strdup_printf ("%s  %s", info->name, addition)
                             : g_strdup (info->name);
}

static PangoLayout *
get_label (TbFlameCanvas *self, guint node)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, node);
  gpointer key = GUINT_TO_POINTER (node + 1);
  PangoLayout *layout = g_hash_table_lookup (self->labels, key);
  g_autoptr (PangoAttrList) attributes = NULL;
  g_autofree char *text = NULL;

  if (layout != NULL)
    return layout;
  text = make_label (info);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_scale_new (TB_FLAME_LABEL_SCALE));
  if (info->paint == TB_FLAME_PROCESS)
    {
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->end_index = (guint) strlen (info->name);
      pango_attr_list_insert (attributes, bold);
    }
  if (get_suffix (info)[0] != '\0')
    {
      PangoAttribute *faint = pango_attr_foreground_alpha_new (G_MAXUINT16 / 4 * 3);

      faint->start_index = (guint) strlen (info->name);
      pango_attr_list_insert (attributes, faint);
    }
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  /* The end of a file name is as informative as its start. */
  pango_layout_set_ellipsize (layout, info->paint == TB_FLAME_DISK ? PANGO_ELLIPSIZE_MIDDLE
                                                                   : PANGO_ELLIPSIZE_END);
  g_hash_table_insert (self->labels, key, layout);
  return layout;
}

/* Where there is not enough room, the addition and then the number of a process are left out,
 * before any part of the name. */
static void
fit_label (TbFlameCanvas *self, PangoLayout *layout, guint node, int width)
{
  const TbFlameNode *info = tb_flame_figure_get_node (self->figure, node);
  const char *number = info->paint == TB_FLAME_PROCESS ? strrchr (info->name, ' ') : NULL;
  const int lengths[]
      = { -1, (int) strlen (info->name), number != NULL ? (int) (number - info->name) : 0 };
  g_autofree char *whole = NULL;

  if (get_suffix (info)[0] == '\0' && number == NULL)
    return;
  whole = make_label (info);
  pango_layout_set_width (layout, -1);
  for (guint i = 0; i < G_N_ELEMENTS (lengths) && lengths[i] != 0; i++)
    {
      int needed;

      pango_layout_set_text (layout, whole, lengths[i]);
      pango_layout_get_pixel_size (layout, &needed, NULL);
      if (needed <= width)
        break;
    }
}

static PangoEllipsizeMode
choose_ellipsis (TbFlamePaint paint, int width)
{
  if (width < MIN_ELLIPSIZED)
    return PANGO_ELLIPSIZE_NONE;
  return paint == TB_FLAME_DISK && width >= MIN_BOTH_ENDS ? PANGO_ELLIPSIZE_MIDDLE
                                                          : PANGO_ELLIPSIZE_END;
}

static void
append_label (TbFlameCanvas *self,
              GtkSnapshot *snapshot,
              const TbFlameBox *box,
              const GdkRGBA *color,
              const graphene_rect_t *bounds)
{
  gboolean gathered = box->n_merged > 0 && !box->equal;
  gboolean process
      = !gathered && tb_flame_figure_get_node (self->figure, box->node)->paint == TB_FLAME_PROCESS;
  float least = box->n_merged > 0 ? MIN_MERGED_LABEL : process ? MIN_PROCESS_LABEL : MIN_LABEL;
  /* In narrow boxes the margin is reduced in favour of the name. */
  int margin = bounds->size.width < 2 * MIN_LABEL ? 2 : 5;
  int width = (int) bounds->size.width - margin - MIN (margin, 3);
  g_autoptr (PangoLayout) layout = NULL;
  int height;

  if (bounds->size.width < least)
    return;
  layout = gathered ? gtk_widget_create_pango_layout (GTK_WIDGET (self), "…")
                    : g_object_ref (get_label (self, box->node));
  if (!gathered)
    fit_label (self, layout, box->node, width);
  if (!gathered)
    pango_layout_set_ellipsize (
        layout, choose_ellipsis (tb_flame_figure_get_node (self->figure, box->node)->paint, width));
  pango_layout_set_width (layout, gathered || width >= MIN_ELLIPSIZED ? width * PANGO_SCALE : -1);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_push_clip (snapshot, bounds);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (bounds->origin.x + (float) margin,
                                      floorf (bounds->origin.y
                                              + (bounds->size.height - (float) height) / 2)));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
}

/* Process boundaries keep their colour, by which they are recognized. */
static gboolean
is_compared (TbFlameCanvas *self, const TbFlameBox *box)
{
  return tb_flame_figure_get_base (self->figure, NULL) && box->n_merged == 0
         && tb_flame_figure_get_node (self->figure, box->node)->paint != TB_FLAME_PROCESS;
}

/* Black or white, whichever has more contrast: by relative luminance, as in WCAG 2. */
static const GdkRGBA *
choose_text_color (const GdkRGBA *color)
{
  static const GdkRGBA black = { .05f, .05f, .06f, 1 }, white = { 1, 1, 1, 1 };
  double luminance = .2126 * pow (color->red, 2.2) + .7152 * pow (color->green, 2.2)
                     + .0722 * pow (color->blue, 2.2);

  return luminance > .179 ? &black : &white;
}

static void
append_box (TbFlameCanvas *self,
            GtkSnapshot *snapshot,
            const TbPalette *palette,
            const TbFlameBox *box)
{
  guint8 matched = get_match (self, box);
  gboolean gathered = box->n_merged > 0 && self->lens == NULL;
  gboolean caller = self->zoomed != TB_ID_NONE && box->n_merged == 0 && box->node != self->zoomed
                    && box->depth < tb_flame_figure_get_node (self->figure, self->zoomed)->depth;
  float alpha = matched == 0 ? FADED : caller ? CALLER : 1;
  gboolean compared = is_compared (self, box);
  TbFlamePaint paint = TB_FLAME_UNKNOWN;
  GdkRGBA color = palette->surface;
  graphene_rect_t bounds;
  GskRoundedRect rounded;

  tb_flame_canvas_get_bounds (self, box, &bounds);
  if (compared)
    tb_palette_get_difference (palette, tb_flame_figure_get_difference (self->figure, box->node),
                               &color);
  color.alpha = alpha;
  if (!gathered)
    paint = MIN (tb_flame_figure_get_node (self->figure, box->node)->paint, TB_N_FLAME_PAINTS - 1);
  if (bounds.size.width >= MIN_ROUNDED)
    {
      gsk_rounded_rect_init_from_rect (&rounded, &bounds, 1.5f);
      gtk_snapshot_push_rounded_clip (snapshot, &rounded);
    }
  if (compared)
    gtk_snapshot_append_color (snapshot, &color, &bounds);
  else
    tb_draw_flame_paint (snapshot, palette, paint, alpha, &bounds);
  if (bounds.size.width >= MIN_ROUNDED)
    gtk_snapshot_pop (snapshot);
  if (self->match != NULL && matched & 1)
    gtk_snapshot_append_color (snapshot, &palette->match,
                               &GRAPHENE_RECT_INIT (bounds.origin.x,
                                                    bounds.origin.y + bounds.size.height - 3,
                                                    bounds.size.width, 3));
  append_label (self, snapshot, box,
                alpha < 1  ? &palette->dim
                : compared ? choose_text_color (&color)
                           : &palette->text_on_flame[paint],
                &bounds);
}

/* Draws the names of the lanes, each on its line. */
static void
append_lanes (TbFlameCanvas *self, GtkSnapshot *snapshot, const TbPalette *palette)
{
  for (guint lane = 0;
       self->zoomed == TB_ID_NONE && lane < tb_flame_figure_get_n_lanes (self->figure); lane++)
    {
      TbFlameBox box = { .depth = self->lines->label[lane], .width = self->layout_width };
      g_autoptr (PangoLayout) layout = NULL;
      g_autoptr (PangoAttrList) attributes = NULL;
      graphene_rect_t bounds;

      if (self->lines->label[lane] == TB_ID_NONE)
        continue;
      tb_flame_canvas_get_bounds (self, &box, &bounds);
      layout = gtk_widget_create_pango_layout (GTK_WIDGET (self),
                                               tb_flame_figure_get_lane_name (self->figure, lane));
      attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes, pango_attr_scale_new (TB_FLAME_LABEL_SCALE));
      pango_layout_set_attributes (layout, attributes);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (layout, (int) bounds.size.width * PANGO_SCALE);
      gtk_snapshot_append_color (snapshot, &palette->line,
                                 &GRAPHENE_RECT_INIT (bounds.origin.x,
                                                      bounds.origin.y + bounds.size.height - 1,
                                                      bounds.size.width, 1));
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot,
                              &GRAPHENE_POINT_INIT (bounds.origin.x, bounds.origin.y + 2));
      gtk_snapshot_append_layout (snapshot, layout, &palette->dim);
      gtk_snapshot_restore (snapshot);
    }
}

static double
get_x (TbFlameCanvas *self, gint64 time)
{
  gint64 from, to;

  tb_focus_get_view (self->lens, &from, &to);
  return TB_FLAME_MARGIN
         + (double) (time - from) * tb_flame_canvas_get_plot_width (self) / (double) (to - from);
}

static void
append_grid (TbFlameCanvas *self, GtkSnapshot *snapshot, const TbPalette *palette, int height)
{
  TbTimeTicks ticks;
  gint64 from, to, origin;

  tb_focus_get_view (self->lens, &from, &to);
  tb_focus_get_extent (self->lens, &origin, NULL);
  tb_time_ticks_init (&ticks, origin, from, to, tb_flame_canvas_get_plot_width (self),
                      TB_TICK_SPACING);
  for (gint64 time = ticks.first; time <= to; time += ticks.step)
    gtk_snapshot_append_color (snapshot, &palette->grid,
                               &GRAPHENE_RECT_INIT ((float) floor (get_x (self, time)), 0, 1,
                                                    (float) height));
}

static void
append_range (TbFlameCanvas *self, GtkSnapshot *snapshot, const TbPalette *palette, int height)
{
  double last = TB_FLAME_MARGIN + tb_flame_canvas_get_plot_width (self);
  gint64 from, to;
  float left, right;

  if (!tb_focus_get_range (self->lens, &from, &to))
    return;
  left = (float) CLAMP (get_x (self, from), TB_FLAME_MARGIN - 1, last);
  right = (float) CLAMP (get_x (self, to), TB_FLAME_MARGIN, last + 1);
  gtk_snapshot_append_color (snapshot, &palette->range,
                             &GRAPHENE_RECT_INIT (left, 0, MAX (1, right - left), (float) height));
}

static void
append_pointer (TbFlameCanvas *self, GtkSnapshot *snapshot, const TbPalette *palette)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_VIEWPORT);
  double width = tb_flame_canvas_get_plot_width (self);
  gint64 pointer = tb_focus_get_pointer (self->lens);
  graphene_rect_t plot = GRAPHENE_RECT_INIT (TB_FLAME_MARGIN, 0, (float) width,
                                             (float) gtk_widget_get_height (GTK_WIDGET (self)));
  g_autofree char *text = NULL;
  gint64 origin, from, to;

  tb_focus_get_view (self->lens, &from, &to);
  if (pointer == TB_TIME_NONE || pointer < from || pointer >= to)
    return;
  /* The bubble stays in the visible part. */
  if (viewport != NULL)
    {
      GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (viewport));

      plot.origin.y = (float) gtk_adjustment_get_value (adjustment);
      plot.size.height = (float) gtk_adjustment_get_page_size (adjustment);
    }
  tb_focus_get_extent (self->lens, &origin, NULL);
  text = tb_format_time (pointer - origin, (gint64) ((double) (to - from) / width * 2));
  tb_draw_pointer (GTK_WIDGET (self), snapshot, palette, text, get_x (self, pointer), &plot);
}

static GskRenderNode *
draw_boxes (TbFlameCanvas *self, const TbPalette *palette)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  if (self->lens != NULL)
    append_grid (self, snapshot, palette, gtk_widget_get_height (GTK_WIDGET (self)));
  append_lanes (self, snapshot, palette);
  for (guint i = 0; i < self->boxes->len; i++)
    append_box (self, snapshot, palette, &g_array_index (self->boxes, TbFlameBox, i));
  return gtk_snapshot_to_node (snapshot);
}

static void
append_outline (TbFlameCanvas *self,
                GtkSnapshot *snapshot,
                const TbPalette *palette,
                guint node,
                float width)
{
  graphene_rect_t bounds;

  if (node != TB_ID_NONE && tb_flame_canvas_get_box (self, node, &bounds))
    tb_draw_outline (snapshot, &palette->select, &bounds, width);
}

/* The drawn boxes are kept. Moving the mouse over them redraws only the overlays. */
void
tb_flame_canvas_draw (TbFlameCanvas *self, GtkSnapshot *snapshot)
{
  const TbPalette *palette = tb_palette_get_default ();
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  if (self->drawn_height != height)
    g_clear_pointer (&self->drawn, gsk_render_node_unref);
  self->drawn_height = height;
  if (self->drawn == NULL)
    self->drawn = draw_boxes (self, palette);
  if (self->drawn != NULL)
    gtk_snapshot_append_node (snapshot, self->drawn);
  if (self->lens != NULL)
    append_range (self, snapshot, palette, gtk_widget_get_height (GTK_WIDGET (self)));
  if (self->hovered != self->selected)
    append_outline (self, snapshot, palette, self->hovered, 1);
  append_outline (self, snapshot, palette, self->selected, 2);
  tb_flame_canvas_append_links (self, snapshot, &palette->select, self->selected);
  if (self->lens != NULL)
    append_pointer (self, snapshot, palette);
}
