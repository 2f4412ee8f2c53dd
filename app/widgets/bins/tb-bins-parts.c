/* tb-bins-parts.c: parts for the views of histograms and heat maps: group of toggle buttons for a
 * choice, status line; placing and drawing of the text labels of their canvases
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <math.h>

#include "widgets/bins/tb-bins-canvas-private.h"
#include "widgets/tb-widgets-private.h"

/* Distance between two labels of an axis, in pixels. */
#define LABEL_DISTANCE 8

GtkWidget *
tb_bins_make_choice (const char *label, const char *const *names, const char *const *tooltips)
{
  GtkWidget *group = adw_toggle_group_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      AdwToggle *toggle = adw_toggle_new ();

      adw_toggle_set_label (toggle, names[i]);
      adw_toggle_set_tooltip (toggle, tooltips[i]);
      adw_toggle_group_add (ADW_TOGGLE_GROUP (group), toggle);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (group), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return group;
}

GtkWidget *
tb_bins_make_labelled (const char *text, GtkWidget *widget)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "dimmed");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), widget);
  return box;
}

GtkWidget *
tb_bins_make_status (void)
{
  GtkWidget *status = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (status), 0);
  gtk_label_set_ellipsize (GTK_LABEL (status), PANGO_ELLIPSIZE_END);
  tb_widgets_add_cut_tooltip (status);
  gtk_widget_add_css_class (status, "numeric");
  gtk_widget_add_css_class (status, "tb-statusline");
  return status;
}

static PangoLayout *
make_label (gpointer canvas, const char *text, gboolean bold)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (canvas), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (TB_BINS_LABEL_SCALE));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  return layout;
}

double
tb_bins_get_label_width (gpointer canvas, const char *text, gboolean bold)
{
  g_autoptr (PangoLayout) layout = make_label (canvas, text, bold);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

gboolean
tb_bins_place_label (double x, double align, double width, double *last_end)
{
  double from = x - align * width;

  if (from < *last_end + LABEL_DISTANCE)
    return FALSE;
  *last_end = from + width;
  return TRUE;
}

void
tb_bins_append_label (gpointer canvas,
                      GtkSnapshot *snapshot,
                      const char *text,
                      double x,
                      double y,
                      const TbBinsLabel *style)
{
  g_autoptr (PangoLayout) layout = make_label (canvas, text, style->bold);
  PangoRectangle extents;

  if (style->width > 0)
    {
      pango_layout_set_ellipsize (layout, style->cut);
      pango_layout_set_width (layout, (int) (style->width * PANGO_SCALE));
    }
  /* In right-to-left text, a layout narrower than its width is aligned to the end of the width. */
  pango_layout_get_pixel_extents (layout, NULL, &extents);
  x = floor (x - style->align * extents.width) - extents.x;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) floor (y)));
  gtk_snapshot_append_layout (snapshot, layout, style->color);
  gtk_snapshot_restore (snapshot);
}
