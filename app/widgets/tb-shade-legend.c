/* tb-shade-legend.c: legend of the shades of a figure: bar with the shades of the palette (of
 * amounts, or of differences) between labels of its ends
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "widgets/tb-palette.h"
#include "widgets/tb-shade-legend-private.h"
#include "widgets/tb-widgets-private.h"

#define WIDTH 120
#define HEIGHT 11
#define STOPS 17

#define TB_TYPE_SHADE_BAR (tb_shade_bar_get_type ())
G_DECLARE_FINAL_TYPE (TbShadeBar, tb_shade_bar, TB, SHADE_BAR, GtkWidget)

struct _TbShadeBar
{
  GtkWidget parent_instance;

  gboolean two_sided;
};

G_DEFINE_FINAL_TYPE (TbShadeBar, tb_shade_bar, GTK_TYPE_WIDGET)

static void
tb_shade_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  TbShadeBar *self = TB_SHADE_BAR (widget);
  const TbPalette *palette = tb_palette_get_default ();
  gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  float width = (float) gtk_widget_get_width (widget),
        height = (float) gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, width, height);
  GskColorStop stops[STOPS];
  GskRoundedRect rounded;

  for (guint i = 0; i < STOPS; i++)
    {
      double share = (double) i / (STOPS - 1);

      stops[i].offset = (float) share;
      if (self->two_sided)
        tb_palette_get_difference (palette, 2 * share - 1, &stops[i].color);
      else
        tb_palette_get_shade (palette, share, &stops[i].color);
    }
  gsk_rounded_rect_init_from_rect (&rounded, &bounds, 3);
  gtk_snapshot_push_rounded_clip (snapshot, &rounded);
  gtk_snapshot_append_linear_gradient (snapshot, &bounds,
                                       &GRAPHENE_POINT_INIT (mirrored ? width : 0, 0),
                                       &GRAPHENE_POINT_INIT (mirrored ? 0 : width, 0), stops,
                                       STOPS);
  gtk_snapshot_pop (snapshot);
}

static void
tb_shade_bar_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
tb_shade_bar_class_init (TbShadeBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = tb_shade_bar_snapshot;
  widget_class->measure = tb_shade_bar_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
tb_shade_bar_init (TbShadeBar *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  tb_widgets_follow_style (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_draw));
}

struct _TbShadeLegend
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (TbShadeLegend, tb_shade_legend, GTK_TYPE_WIDGET)

static void
tb_shade_legend_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (tb_shade_legend_parent_class)->dispose (object);
}

static void
tb_shade_legend_class_init (TbShadeLegendClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_shade_legend_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tb-legend");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
tb_shade_legend_init (TbShadeLegend *self)
{
  tb_widgets_load_style ();
  tb_widgets_follow_contrast (GTK_WIDGET (self));
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              8);
}

GtkWidget *
tb_shade_legend_new (gboolean two_sided, const char *least, const char *greatest)
{
  GtkWidget *self = g_object_new (TB_TYPE_SHADE_LEGEND, NULL);
  GtkWidget *bar = g_object_new (TB_TYPE_SHADE_BAR, NULL);
  g_autofree char *text = NULL;

  TB_SHADE_BAR (bar)->two_sided = two_sided;
  gtk_widget_set_parent (gtk_label_new (least), self);
  gtk_widget_set_parent (bar, self);
  gtk_widget_set_parent (gtk_label_new (greatest), self);
  /* Translators: a legend: from the smallest to the largest number. */
  text = g_strdup_printf (_ ("Colors from %s to %s"), least, greatest);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  return self;
}
