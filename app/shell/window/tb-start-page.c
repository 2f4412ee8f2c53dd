/* tb-start-page.c: page of a window without recordings: buttons to record and to open, list of
 * recent recordings, which can be cleared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-recent.h"
#include "shell/window/tb-start-page.h"

struct _TbStartPage
{
  AdwBin parent;

  GtkWidget *record_button;
  AdwPreferencesGroup *recent_group;
  GtkListBox *recent_list;
};

G_DEFINE_FINAL_TYPE (TbStartPage, tb_start_page, ADW_TYPE_BIN)

static void
fill (TbStartPage *self)
{
  GList *recent = tb_recent_list ();

  gtk_list_box_remove_all (self->recent_list);
  for (GList *link = recent; link != NULL; link = link->next)
    gtk_list_box_append (self->recent_list, tb_recent_row_new (link->data, "win.open-uri"));
  gtk_widget_set_visible (GTK_WIDGET (self->recent_group), recent != NULL);
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
}

static void
clear_recent_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkRecentManager *manager = gtk_recent_manager_get_default ();
  GList *recent;

  /* The limit of the list may have hidden further entries. */
  while ((recent = tb_recent_list ()) != NULL)
    {
      gboolean removed = FALSE;

      for (GList *link = recent; link != NULL; link = link->next)
        removed
            |= gtk_recent_manager_remove_item (manager, gtk_recent_info_get_uri (link->data), NULL);
      g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
      if (!removed)
        break;
    }
}

static void
tb_start_page_class_init (TbStartPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TbStartPage, record_button);
  gtk_widget_class_bind_template_child (widget_class, TbStartPage, recent_group);
  gtk_widget_class_bind_template_child (widget_class, TbStartPage, recent_list);
  gtk_widget_class_install_action (widget_class, "start.clear-recent", NULL, clear_recent_action);
}

static void
tb_start_page_init (TbStartPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill), self,
                           G_CONNECT_SWAPPED);
  fill (self);
}
