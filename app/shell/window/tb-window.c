/* tb-window.c: application window: documents in tabs, search for an open file, title, messages,
 * start page, layout if narrow
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-window-private.h"

G_DEFINE_FINAL_TYPE (TbWindow, tb_window, ADW_TYPE_APPLICATION_WINDOW)

gboolean
tb_window_is_disposed (TbWindow *self)
{
  return self->tab_view == NULL;
}

static void
tb_window_dispose (GObject *object)
{
  TbWindow *self = TB_WINDOW (object);
  g_autoptr (GPtrArray) pages = tb_window_list_pages (self);

  gtk_widget_dispose_template (GTK_WIDGET (self), TB_TYPE_WINDOW);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tb_window_parent_class)->dispose (object);
  /* The pages are closed like those of closed tabs, so that other windows are not blocked. */
  for (guint i = 0; i < pages->len; i++)
    tb_document_page_close (pages->pdata[i]);
}

GtkWidget *
tb_window_get_page (TbWindow *self)
{
  AdwTabPage *page
      = tb_window_is_disposed (self) ? NULL : adw_tab_view_get_selected_page (self->tab_view);

  return page != NULL ? adw_tab_page_get_child (page) : NULL;
}

/**
 * tb_window_get_document_page:
 *
 * Returns: (nullable): the page of the current document
 */
TbDocumentPage *
tb_window_get_document_page (TbWindow *self)
{
  GtkWidget *child;

  g_return_val_if_fail (TB_IS_WINDOW (self), NULL);

  child = tb_window_get_page (self);
  return TB_IS_DOCUMENT_PAGE (child) ? TB_DOCUMENT_PAGE (child) : NULL;
}

TbDocument *
tb_window_get_document (TbWindow *self)
{
  TbDocumentPage *page = tb_window_get_document_page (self);
  TbDocument *document = page != NULL ? tb_document_page_get_document (page) : NULL;

  return document != NULL && tb_document_get_state (document) == TB_DOCUMENT_READY ? document
                                                                                   : NULL;
}

void
tb_window_toast (TbWindow *self, const char *text)
{
  AdwToast *message = adw_toast_new (text);

  adw_toast_set_use_markup (message, FALSE);
  adw_toast_overlay_add_toast (self->toasts, message);
}

void
tb_window_show_error (TbWindow *self, const char *heading, const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (heading, body);

  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "close", _ ("_Close"));
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* Current tab */

static void
update_title (TbWindow *self)
{
  GtkWidget *page = tb_window_get_page (self);
  g_autofree char *title = NULL;
  g_autofree char *subtitle = NULL;
  g_autofree char *tooltip = NULL;

  if (tb_window_is_disposed (self))
    return;
  if (page != NULL)
    g_object_get (page, "title", &title, "subtitle", &subtitle, NULL);
  adw_window_title_set_title (self->window_title, title != NULL ? title : _ ("Tailback"));
  adw_window_title_set_subtitle (self->window_title, subtitle != NULL ? subtitle : "");
  /* The title bar may be too narrow to show all of it. */
  tooltip = title != NULL && subtitle != NULL && *subtitle != '\0'
                ? g_strdup_printf ("%s\n%s", title, subtitle)
                : g_strdup (title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->window_title), tooltip);
  gtk_window_set_title (GTK_WINDOW (self), title != NULL ? title : _ ("Tailback"));
}

void
tb_window_update (TbWindow *self)
{
  gboolean has_tabs
      = !tb_window_is_disposed (self) && adw_tab_view_get_n_pages (self->tab_view) > 0;

  if (tb_window_is_disposed (self))
    return;
  gtk_stack_set_visible_child_name (self->stack, has_tabs ? "tabs" : "start");
  gtk_widget_set_visible (self->tab_button,
                          self->narrow && adw_tab_view_get_n_pages (self->tab_view) > 1);
  update_title (self);
  tb_window_update_actions (self);
}

/* Tabs */

AdwTabPage *
tb_window_add_tab (TbWindow *self, GtkWidget *child, AdwTabPage *after)
{
  AdwTabPage *page;
  int position = after != NULL ? adw_tab_view_get_page_position (self->tab_view, after) + 1
                               : adw_tab_view_get_n_pages (self->tab_view);

  page = adw_tab_view_insert (self->tab_view, child, position);
  g_object_bind_property (child, "title", page, "title", G_BINDING_SYNC_CREATE);
  g_object_bind_property (child, "busy", page, "loading", G_BINDING_SYNC_CREATE);
  return page;
}

static gboolean
is_same_file (GFile *a, GFile *b)
{
  return a == b || (a != NULL && b != NULL && g_file_equal (a, b));
}

TbDocumentPage *
tb_window_find_document (TbWindow *self, GFile *base, GFile *file, gboolean in_front)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
      GtkWidget *child = adw_tab_page_get_child (page);
      TbDocument *document = TB_IS_DOCUMENT_PAGE (child)
                                 ? tb_document_page_get_document (TB_DOCUMENT_PAGE (child))
                                 : NULL;

      if (document == NULL || !is_same_file (tb_document_get_file (document), file)
          || !is_same_file (tb_document_get_base_file (document), base))
        continue;
      if (in_front)
        adw_tab_view_set_selected_page (self->tab_view, page);
      return TB_DOCUMENT_PAGE (child);
    }
  return NULL;
}

TbDocumentPage *
tb_window_add_document (TbWindow *self, TbDocument *document, AdwTabPage *after, gboolean in_front)
{
  GtkWidget *child = tb_document_page_new (document);
  g_autofree char *place = tb_document_dup_place (document);
  g_autofree char *tooltip = g_markup_escape_text (place, -1);
  AdwTabPage *page = tb_window_add_tab (self, child, after);

  adw_tab_page_set_tooltip (page, tooltip);
  if (in_front)
    adw_tab_view_set_selected_page (self->tab_view, page);
  tb_window_update (self);
  return TB_DOCUMENT_PAGE (child);
}

/**
 * tb_window_open:
 * @file: a session, or any file that an importer reads
 * @in_front: whether to select the tab
 *
 * Opens the file in a tab, or selects the tab if the file is already open.
 *
 * Returns: (transfer none): its page
 */
TbDocumentPage *
tb_window_open (TbWindow *self, GFile *file, gboolean in_front)
{
  g_autoptr (TbDocument) document = NULL;
  TbDocumentPage *page;

  g_return_val_if_fail (TB_IS_WINDOW (self), NULL);

  page = tb_window_find_document (self, NULL, file, in_front);
  if (page != NULL)
    return page;
  document = tb_document_new (file);
  return tb_window_add_document (self, document, NULL, in_front);
}

static void
overview_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;

  adw_tab_overview_set_open (self->overview, !adw_tab_overview_get_open (self->overview));
}

/* Construction */

static const GActionEntry actions[] = {
  { "overview", overview_action },
};

static gboolean
tb_window_close_request (GtkWindow *window)
{
  if (!tb_window_may_close (TB_WINDOW (window)))
    return GDK_EVENT_STOP;
  return GTK_WINDOW_CLASS (tb_window_parent_class)->close_request (window);
}

static void
recent_shown (TbWindow *self)
{
  g_autoptr (GMenuModel) menu = tb_recent_menu_new ();

  adw_split_button_set_menu_model (self->open_button, menu);
}

static void
tb_window_class_init (TbWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_START_PAGE);
  G_OBJECT_CLASS (klass)->dispose = tb_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = tb_window_close_request;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/tailback/Tailback/tb-window.ui");
  gtk_widget_class_bind_template_child (widget_class, TbWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, overview);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, tab_view);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, window_title);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, narrow_breakpoint);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, tab_button);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, details_button);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, open_button);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, start_page);
  gtk_widget_class_bind_template_child (widget_class, TbWindow, exporters_menu);
}

static void
became_narrow (TbWindow *self)
{
  self->narrow = TRUE;
  tb_window_update (self);
}

static void
became_wide (TbWindow *self)
{
  self->narrow = FALSE;
  tb_window_update (self);
}

static void
tb_window_init (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  tb_window_add_dialog_actions (self);
  tb_window_add_recording_actions (self);
  tb_window_add_file_actions (self);
  tb_window_add_document_actions (self);
  tb_window_add_compare_actions (self);
  tb_window_add_closing_actions (self);
  tb_window_add_export_actions (self);
  tb_window_add_exporter_actions (self);
  tb_window_add_tab_actions (self);
  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect_object (self->narrow_breakpoint, "apply", G_CALLBACK (became_narrow), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->narrow_breakpoint, "unapply", G_CALLBACK (became_wide), self,
                           G_CONNECT_SWAPPED);
  tb_window_watch_tabs (self);
  g_signal_connect_object (self->tab_view, "notify::n-pages", G_CALLBACK (tb_window_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "close-page", G_CALLBACK (tb_window_close_page), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (recent_shown),
                           self, G_CONNECT_SWAPPED);
  tb_window_accept_drops (self);
  recent_shown (self);
  tb_window_update (self);
}

/**
 * tb_window_new:
 * @application: the application
 * @settings: settings of the application
 *
 * Returns: a window without recordings, with the size of the last window
 */
GtkWindow *
tb_window_new (GtkApplication *application, GSettings *settings)
{
  TbWindow *self = g_object_new (TB_TYPE_WINDOW, "application", application, NULL);
  int width, height;

  self->settings = g_object_ref (settings);
  g_settings_get (settings, "window-size", "(ii)", &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), CLAMP (width, 360, 16384),
                               CLAMP (height, 294, 16384));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  return GTK_WINDOW (self);
}
