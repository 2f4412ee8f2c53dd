/* shell-texts.c: whether texts of a window can be read, and are translated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell-texts.h"
#include "shell/recording/tb-process-list.h"

typedef gboolean (*TextCheck) (GtkLabel *label);

static void
collect (GtkWidget *widget, TextCheck check, GStrvBuilder *found)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget) && check (GTK_LABEL (widget)))
    g_strv_builder_add (found, gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, check, found);
}

static gboolean
has_tooltip (GtkWidget *widget)
{
  while (widget != NULL && !gtk_widget_get_has_tooltip (widget))
    widget = gtk_widget_get_parent (widget);
  return widget != NULL;
}

/* A label without ellipsis that is wider than its place is clipped by what surrounds it. */
static gboolean
is_cut (GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  GtkWidget *widget = GTK_WIDGET (label);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  if (!pango_layout_is_ellipsized (layout) && width <= gtk_widget_get_width (widget) + 1)
    return FALSE;
  return !has_tooltip (widget);
}

GStrv
shell_texts_list_cut (GtkWidget *widget)
{
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();

  collect (widget, is_cut, found);
  return g_strv_builder_end (found);
}

/* Names and command lines of the machine's processes, whatever they are */
static gboolean
is_in_process_list (GtkLabel *label)
{
  GtkWidget *list = gtk_widget_get_ancestor (GTK_WIDGET (label), GTK_TYPE_LIST_VIEW);
  g_autoptr (GObject) first = NULL;

  if (list == NULL)
    return FALSE;
  first = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list))), 0);
  return TB_IS_PROCESS_ITEM (first);
}

/* Names of threads and functions have no blanks, and seldom a capital. */
static gboolean
is_untranslated (GtkLabel *label)
{
  static GRegex *english;

  if (is_in_process_list (label))
    return FALSE;

  if (english == NULL)
    english = g_regex_new ("\\b[A-Za-z]{2,} [a-z]{2,} [a-z]+|^[A-Z][a-z]{2,}( [A-Z]?[a-z]+)*$", 0,
                           0, NULL);
  return g_utf8_strchr (gtk_label_get_text (label), -1, 0x27e6) == NULL
         && g_regex_match (english, gtk_label_get_text (label), 0, NULL);
}

GStrv
shell_texts_list_untranslated (GtkWidget *widget)
{
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();

  collect (widget, is_untranslated, found);
  return g_strv_builder_end (found);
}
