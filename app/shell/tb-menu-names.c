/* tb-menu-names.c: names of the items of menus for assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <gtk/gtk.h>

#include "shell/tb-menu-names.h"

/* (transfer full): a label without its mnemonics; two underscores are one. */
static char *
strip_mnemonics (const char *label)
{
  GString *text = g_string_new (NULL);

  for (const char *c = label; *c != '\0'; c++)
    {
      if (*c == '_' && c[1] != '\0')
        c++;
      g_string_append_c (text, *c);
    }
  return g_string_free (text, FALSE);
}

/* GTK 4.18 labels the items of its menus by labels that have no text for assistive technology, so
 * the items have no name. */
static gboolean
name_item (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GObject *widget = g_value_get_object (&values[0]);
  g_autofree char *label = NULL;
  g_autofree char *name = NULL;

  if (!g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton"))
    return TRUE;
  g_object_get (widget, "text", &label, NULL);
  name = strip_mnemonics (label != NULL ? label : "");
  if (name[0] == '\0')
    return TRUE;
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return TRUE;
}

/**
 * tb_menu_names_set_up:
 *
 * Names the items of all menus of the program whenever they are shown.
 */
void
tb_menu_names_set_up (void)
{
  static gsize done;

  if (!g_once_init_enter (&done))
    return;
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* it has the signal */
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, name_item, NULL, NULL);
  g_once_init_leave (&done, 1);
}
