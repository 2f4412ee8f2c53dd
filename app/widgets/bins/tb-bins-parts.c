/* tb-bins-parts.c: what is above and below canvases with bins or cells
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <adwaita.h>

#include "widgets/bins/tb-bins-canvas-private.h"

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
  gtk_widget_add_css_class (status, "numeric");
  gtk_widget_add_css_class (status, "tb-statusline");
  return status;
}
