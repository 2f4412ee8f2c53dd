/* tb-legend.c: legend of the colours of a figure: samples with meanings for a timeline, flame or
 * histogram, scale of shades for a heat map
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-legend.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "report/tb-report.h"
#include "widgets/tb-shade-legend-private.h"
#include "widgets/tb-swatch-private.h"
#include "widgets/tb-widgets-private.h"

/**
 * TbLegend:
 *
 * Colours with their meanings, in one line, or in several where it is narrow.
 */
struct _TbLegend
{
  GtkWidget parent_instance;

  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (TbLegend, tb_legend, GTK_TYPE_WIDGET)

static void
tb_legend_dispose (GObject *object)
{
  g_clear_pointer (&TB_LEGEND (object)->box, gtk_widget_unparent);

  G_OBJECT_CLASS (tb_legend_parent_class)->dispose (object);
}

static void
tb_legend_class_init (TbLegendClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_legend_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tb-legend");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
tb_legend_init (TbLegend *self)
{
  tb_widgets_load_style ();
  tb_widgets_follow_contrast (GTK_WIDGET (self));
  self->box = GTK_WIDGET (adw_wrap_box_new ());
  adw_wrap_box_set_child_spacing (ADW_WRAP_BOX (self->box), 16);
  adw_wrap_box_set_line_spacing (ADW_WRAP_BOX (self->box), 4);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Legend"), -1);
}

static void
add_entry (TbLegend *self, TbSwatchKind kind, guint paint, const char *text)
{
  GtkWidget *entry = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_LIST_ITEM,
                                   "spacing", 5, NULL);
  GtkWidget *swatch = tb_swatch_new ();

  tb_swatch_set_paint (TB_SWATCH (swatch), kind, paint);
  gtk_box_append (GTK_BOX (entry), swatch);
  gtk_box_append (GTK_BOX (entry), gtk_label_new (text));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  adw_wrap_box_append (ADW_WRAP_BOX (self->box), entry);
}

/**
 * tb_legend_new:
 *
 * Creates a legend, to which entries are added one by one.
 *
 * Returns: an empty legend
 */
GtkWidget *
tb_legend_new (void)
{
  return g_object_new (TB_TYPE_LEGEND, NULL);
}

/**
 * tb_legend_add_paint:
 * @self: a legend
 * @paint: a paint of intervals
 *
 * Adds a colour of a timeline with its meaning.
 */
void
tb_legend_add_paint (TbLegend *self, TbPaint paint)
{
  g_return_if_fail (TB_IS_LEGEND (self));
  g_return_if_fail (paint > TB_PAINT_NONE && paint < TB_N_PAINTS);

  add_entry (self, TB_SWATCH_STATE, paint, tb_paint_get_label (paint));
}

/**
 * tb_legend_add_flame_paint:
 * @self: a legend
 * @paint: a paint of boxes
 *
 * Adds a colour of a flame figure with its meaning.
 */
void
tb_legend_add_flame_paint (TbLegend *self, TbFlamePaint paint)
{
  g_return_if_fail (TB_IS_LEGEND (self));
  g_return_if_fail (paint < TB_N_FLAME_PAINTS);

  add_entry (self, TB_SWATCH_FLAME, paint, tb_flame_paint_get_label (paint));
}

/**
 * tb_legend_new_for_timeline:
 * @figure: a timeline
 *
 * Creates the legend of a timeline.
 *
 * Returns: a legend with the colours that occur in it
 */
GtkWidget *
tb_legend_new_for_timeline (TbTimelineFigure *figure)
{
  TbLegend *self = TB_LEGEND (tb_legend_new ());
  guint32 present = 0;
  gint64 from, to;

  g_return_val_if_fail (TB_IS_TIMELINE_FIGURE (figure), NULL);

  tb_timeline_figure_get_range (figure, &from, &to);
  for (guint track = 0; track < tb_timeline_figure_get_n_tracks (figure); track++)
    {
      TbTimelineCoverage coverage;

      tb_timeline_figure_get_coverage (figure, track, from, to, &coverage);
      present |= coverage.present;
    }
  if (tb_timeline_figure_get_n_lost (figure) > 0)
    present |= 1u << TB_PAINT_LOST;
  for (guint paint = TB_PAINT_NONE + 1; paint < TB_N_PAINTS; paint++)
    if (present & 1u << paint)
      tb_legend_add_paint (self, paint);
  return GTK_WIDGET (self);
}

/**
 * tb_legend_new_for_flame:
 * @figure: a flame figure
 *
 * Creates the legend of a flame figure.
 *
 * Returns: a legend with the colours that occur in it
 */
GtkWidget *
tb_legend_new_for_flame (TbFlameFigure *figure)
{
  TbLegend *self;
  guint32 present = 0;

  g_return_val_if_fail (TB_IS_FLAME_FIGURE (figure), NULL);

  /* Translators: the ends of a scale of differences. */
  if (tb_flame_figure_get_base (figure, NULL))
    return tb_shade_legend_new (TRUE, _ ("gone"), _ ("new"));
  self = TB_LEGEND (tb_legend_new ());
  for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
    present |= 1u << tb_flame_figure_get_node (figure, node)->paint;
  for (guint paint = 0; paint < TB_N_FLAME_PAINTS; paint++)
    if (present & 1u << paint)
      tb_legend_add_flame_paint (self, paint);
  return GTK_WIDGET (self);
}

/**
 * tb_legend_new_for_histogram:
 * @figure: a histogram
 *
 * Creates the legend of a histogram.
 *
 * Returns: (transfer floating) (nullable): a legend of its distributions, where there are several
 */
GtkWidget *
tb_legend_new_for_histogram (TbHistogramFigure *figure)
{
  TbLegend *self;

  g_return_val_if_fail (TB_IS_HISTOGRAM_FIGURE (figure), NULL);

  if (tb_histogram_figure_get_n_series (figure) < 2)
    return NULL;
  self = TB_LEGEND (tb_legend_new ());
  for (guint i = 0; i < tb_histogram_figure_get_n_series (figure); i++)
    add_entry (self, TB_SWATCH_SERIES, i, tb_histogram_figure_get_series_name (figure, i));
  return GTK_WIDGET (self);
}

static char *
format_end (TbHeatmapFigure *figure, guint64 value, const char *sign)
{
  const char *unit = tb_heatmap_figure_get_unit (figure);
  g_autofree char *text = NULL;

  text = tb_format_amount (value, unit);
  return g_strconcat (sign, text, NULL);
}

/**
 * tb_legend_new_for_heatmap:
 * @figure: a heat map
 *
 * Creates the legend of a heat map.
 *
 * Returns: (transfer floating) (nullable): a scale of its colours, where it is not empty
 */
GtkWidget *
tb_legend_new_for_heatmap (TbHeatmapFigure *figure)
{
  guint64 largest;
  gboolean is_signed;
  g_autofree char *least = NULL;
  g_autofree char *greatest = NULL;

  g_return_val_if_fail (TB_IS_HEATMAP_FIGURE (figure), NULL);

  largest = tb_heatmap_figure_get_largest (figure);
  /* A single colour needs no scale. */
  if (largest == 0 || (largest == 1 && !tb_heatmap_figure_is_signed (figure)))
    return NULL;
  is_signed = tb_heatmap_figure_is_signed (figure);
  least = is_signed ? format_end (figure, largest, "−") : format_end (figure, 1, "");
  greatest = format_end (figure, largest, is_signed ? "+" : "");
  return tb_shade_legend_new (is_signed, least, greatest);
}
