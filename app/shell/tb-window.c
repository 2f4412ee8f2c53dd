/* tb-window.c: a window of tabs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-record-dialog.h"
#include "shell/tb-recording-page.h"
#include "shell/tb-start-page.h"
#include "shell/tb-window.h"

/* Recordings that are restored at most: each is read when it is looked at, but a tab is a tab. */
#define N_RESTORED 20

struct _TbWindow
{
  AdwApplicationWindow parent;

  GSettings *settings;
  gboolean close_confirmed;
  gboolean narrow;

  AdwToastOverlay *toasts;
  AdwTabOverview *overview;
  AdwTabView *tab_view;
  GtkStack *stack;
  AdwWindowTitle *window_title;
  AdwBreakpoint *narrow_breakpoint;
  GtkWidget *tab_button;
  GtkWidget *sidebar_button;
  GtkWidget *details_button;
  AdwSplitButton *open_button;
  TbStartPage *start_page;
};

G_DEFINE_FINAL_TYPE (TbWindow, tb_window, ADW_TYPE_APPLICATION_WINDOW)

/* While the window goes, its tabs still tell what becomes of them. */
static gboolean
is_going (TbWindow *self)
{
  return self->tab_view == NULL;
}

static void
tb_window_dispose (GObject *object)
{
  TbWindow *self = TB_WINDOW (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), TB_TYPE_WINDOW);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (tb_window_parent_class)->dispose (object);
}

static GtkWidget *
get_page (TbWindow *self)
{
  AdwTabPage *page = is_going (self) ? NULL : adw_tab_view_get_selected_page (self->tab_view);

  return page != NULL ? adw_tab_page_get_child (page) : NULL;
}

/**
 * tb_window_get_document_page:
 *
 * Returns: (nullable): the recording that is in front
 */
TbDocumentPage *
tb_window_get_document_page (TbWindow *self)
{
  GtkWidget *child;

  g_return_val_if_fail (TB_IS_WINDOW (self), NULL);

  child = get_page (self);
  return TB_IS_DOCUMENT_PAGE (child) ? TB_DOCUMENT_PAGE (child) : NULL;
}

static TbDocument *
get_document (TbWindow *self)
{
  TbDocumentPage *page = tb_window_get_document_page (self);
  TbDocument *document = page != NULL ? tb_document_page_get_document (page) : NULL;

  return document != NULL && tb_document_get_state (document) == TB_DOCUMENT_READY ? document : NULL;
}

static void
toast (TbWindow *self, const char *text)
{
  AdwToast *message = adw_toast_new (text);

  adw_toast_set_use_markup (message, FALSE);
  adw_toast_overlay_add_toast (self->toasts, message);
}

static void
show_error (TbWindow *self, const char *heading, const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (heading, body);

  adw_alert_dialog_add_response (ADW_ALERT_DIALOG (dialog), "close", _ ("_Close"));
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* What is in front */

static void
update_title (TbWindow *self)
{
  GtkWidget *page = get_page (self);
  g_autofree char *title = NULL;
  g_autofree char *subtitle = NULL;

  if (is_going (self))
    return;
  if (page != NULL)
    g_object_get (page, "title", &title, "subtitle", &subtitle, NULL);
  adw_window_title_set_title (self->window_title, title != NULL ? title : _ ("Tailback"));
  adw_window_title_set_subtitle (self->window_title, subtitle != NULL ? subtitle : "");
  gtk_window_set_title (GTK_WINDOW (self), title != NULL ? title : _ ("Tailback"));
}

static void
set_enabled (TbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)),
                               enabled);
}

static void
update_actions (TbWindow *self)
{
  static const char *const for_documents[]
      = { "save-copy",       "add-bookmark",   "search",      "next-figure",    "previous-figure",
          "zoom-in",         "zoom-out",       "zoom-all",    "zoom-selection", "analyse-selection",
          "clear-selection", "toggle-sidebar", "show-details" };
  TbDocumentPage *page = tb_window_get_document_page (self);
  TbDocument *document = get_document (self);
  gboolean details = FALSE;
  gint64 from, to;

  if (is_going (self))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (for_documents); i++)
    set_enabled (self, for_documents[i], document != NULL);
  set_enabled (self, "analyse-all",
               document != NULL && tb_document_get_analysed_range (document, &from, &to));
  if (document != NULL)
    {
      TbFocus *focus = tb_document_get_focus (document);
      gboolean has_place = tb_focus_get_range (focus, &from, &to) || tb_focus_get_time (focus, &from, &to);

      set_enabled (self, "analyse-selection", has_place);
      set_enabled (self, "zoom-selection", has_place);
      set_enabled (self, "clear-selection",
                   has_place || tb_focus_get_thread (focus) != TB_ID_NONE
                       || tb_focus_get_item (focus) != NULL);
      g_object_get (page, "show-details", &details, NULL);
    }
  set_enabled (self, "close-tab", get_page (self) != NULL);
  set_enabled (self, "show-in-files", page != NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (
                                 g_action_map_lookup_action (G_ACTION_MAP (self), "show-details")),
                             g_variant_new_boolean (details));
  gtk_widget_set_visible (self->sidebar_button, document != NULL);
  gtk_widget_set_visible (self->details_button, document != NULL);
}

static void
update (TbWindow *self)
{
  gboolean has_tabs = !is_going (self) && adw_tab_view_get_n_pages (self->tab_view) > 0;

  if (is_going (self))
    return;
  gtk_stack_set_visible_child_name (self->stack, has_tabs ? "tabs" : "start");
  gtk_widget_set_visible (self->tab_button, self->narrow && adw_tab_view_get_n_pages (self->tab_view) > 1);
  update_title (self);
  update_actions (self);
}

/* Tabs */

static AdwTabPage *
add_tab (TbWindow *self, GtkWidget *child, AdwTabPage *after)
{
  AdwTabPage *page;
  int position = after != NULL ? adw_tab_view_get_page_position (self->tab_view, after) + 1
                               : adw_tab_view_get_n_pages (self->tab_view);

  page = adw_tab_view_insert (self->tab_view, child, position);
  g_object_bind_property (child, "title", page, "title", G_BINDING_SYNC_CREATE);
  g_object_bind_property (child, "busy", page, "loading", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (child, "notify::title", G_CALLBACK (update_title), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (child, "notify::subtitle", G_CALLBACK (update_title), self, G_CONNECT_SWAPPED);
  return page;
}

static gboolean
is_same_file (AdwTabPage *page, GFile *file)
{
  GtkWidget *child = adw_tab_page_get_child (page);

  return TB_IS_DOCUMENT_PAGE (child)
         && g_file_equal (tb_document_get_file (tb_document_page_get_document (TB_DOCUMENT_PAGE (child))),
                          file);
}

static void
document_state_changed (TbWindow *self, GParamSpec *pspec, TbDocument *document)
{
  if (tb_document_get_state (document) == TB_DOCUMENT_READY)
    tb_recent_add (tb_document_get_file (document));
  update_actions (self);
}

static TbDocumentPage *
add_document (TbWindow *self, GFile *file, AdwTabPage *after, gboolean in_front)
{
  g_autoptr (TbDocument) document = tb_document_new (file);
  GtkWidget *child = tb_document_page_new (document);
  g_autofree char *place = g_file_get_parse_name (file);
  g_autofree char *tooltip = g_markup_escape_text (place, -1);
  AdwTabPage *page = add_tab (self, child, after);

  adw_tab_page_set_tooltip (page, tooltip);
  g_signal_connect_object (document, "notify::state", G_CALLBACK (document_state_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "range-changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "message", G_CALLBACK (toast), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed", G_CALLBACK (update_actions),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (child, "notify::show-details", G_CALLBACK (update_actions), self,
                           G_CONNECT_SWAPPED);
  if (in_front)
    adw_tab_view_set_selected_page (self->tab_view, page);
  update (self);
  return TB_DOCUMENT_PAGE (child);
}

/**
 * tb_window_open:
 * @file: a session or anything an importer reads
 * @in_front: whether to look at it
 *
 * Opens it in a tab; if it is open already, that tab comes to the front.
 *
 * Returns: (transfer none): its page
 */
TbDocumentPage *
tb_window_open (TbWindow *self, GFile *file, gboolean in_front)
{
  g_return_val_if_fail (TB_IS_WINDOW (self), NULL);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);

      if (is_same_file (page, file))
        {
          if (in_front)
            adw_tab_view_set_selected_page (self->tab_view, page);
          return TB_DOCUMENT_PAGE (adw_tab_page_get_child (page));
        }
    }
  return add_document (self, file, NULL, in_front);
}

/* Recording */

/* The tab of the recording becomes that of what was recorded. */
static void
recording_changed (TbWindow *self, GParamSpec *pspec, TbRecording *recording)
{
  AdwTabPage *page = is_going (self) ? NULL : g_object_get_data (G_OBJECT (recording), "tb-tab");
  const GError *error = tb_recording_get_error (recording);
  gboolean in_front;

  if (tb_recording_get_state (recording) == TB_RECORDING_FAILED && page != NULL)
    adw_tab_page_set_needs_attention (page, TRUE);
  if (tb_recording_get_state (recording) != TB_RECORDING_DONE)
    return;

  if (page != NULL)
    {
      in_front = adw_tab_view_get_selected_page (self->tab_view) == page;
      add_document (self, tb_recording_get_file (recording), page, in_front);
      adw_tab_view_close_page (self->tab_view, page);
    }
  else
    tb_recent_add (tb_recording_get_file (recording));

  if (error != NULL)
    show_error (self, _ ("The Recording Is Incomplete"), error->message);
  else if (tb_recording_get_note (recording) != NULL)
    {
      g_autofree char *name = tb_recording_dup_name (recording);
      g_autofree char *text = g_strdup_printf ("%s: %s", name, tb_recording_get_note (recording));

      toast (self, text);
    }
}

static void
forget_tab (gpointer recording, GObject *page)
{
  g_object_set_data (recording, "tb-tab", NULL);
  g_object_unref (recording);
}

/**
 * tb_window_record:
 * @recording: not started yet
 *
 * Starts it in a tab of its own, which becomes that of the session when it ends.
 */
void
tb_window_record (TbWindow *self, TbRecording *recording)
{
  AdwTabPage *page;

  g_return_if_fail (TB_IS_WINDOW (self));

  page = add_tab (self, tb_recording_page_new (recording), adw_tab_view_get_selected_page (self->tab_view));
  g_object_set_data (G_OBJECT (recording), "tb-tab", page);
  g_object_weak_ref (G_OBJECT (page), forget_tab, g_object_ref (recording));
  adw_tab_view_set_selected_page (self->tab_view, page);
  update (self);
  g_signal_connect_object (recording, "notify::state", G_CALLBACK (recording_changed), self,
                           G_CONNECT_SWAPPED);
  tb_recording_start (recording);
}

static gboolean
is_recording_tab (AdwTabPage *page)
{
  GtkWidget *child = adw_tab_page_get_child (page);

  return TB_IS_RECORDING_PAGE (child)
         && tb_recording_is_active (tb_recording_page_get_recording (TB_RECORDING_PAGE (child)));
}

gboolean
tb_window_is_recording (TbWindow *self)
{
  g_return_val_if_fail (TB_IS_WINDOW (self), FALSE);

  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      if (is_recording_tab (adw_tab_view_get_nth_page (self->tab_view, i)))
        return TRUE;
    }
  return FALSE;
}

static void
record_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  AdwDialog *dialog = tb_record_dialog_new (self->settings);

  g_signal_connect_object (dialog, "record", G_CALLBACK (tb_window_record), self, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* Files */

static void
files_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbWindow) self = data;
  g_autoptr (GListModel) files
      = gtk_file_dialog_open_multiple_finish (GTK_FILE_DIALOG (object), result, NULL);

  for (guint i = 0; files != NULL && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      tb_window_open (self, file, TRUE);
    }
}

static GListModel *
make_filters (void)
{
  GListStore *filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) recordings = gtk_file_filter_new ();

  gtk_file_filter_set_name (all, _ ("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_filter_set_name (recordings, _ ("Recordings"));
  gtk_file_filter_add_suffix (recordings, "tailback");
  gtk_file_filter_add_mime_type (recordings, "application/x-tailback");
  g_list_store_append (filters, all); /* importers know files by content, not by name */
  g_list_store_append (filters, recordings);
  return G_LIST_MODEL (filters);
}

static void
open_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autoptr (GListModel) filters = make_filters ();

  gtk_file_dialog_set_title (dialog, _ ("Open Recordings"));
  gtk_file_dialog_set_filters (dialog, filters);
  gtk_file_dialog_open_multiple (dialog, GTK_WINDOW (self), NULL, files_chosen, g_object_ref (self));
}

static void
open_uri_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  tb_window_open (data, file, TRUE);
}

static void
copy_saved (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (tb_document_save_copy_finish (TB_DOCUMENT (object), result, &error))
    toast (self, _ ("Copy saved"));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_error (self, _ ("The Copy Could Not Be Saved"), error->message);
}

typedef struct
{
  TbWindow *window;
  TbDocument *document;
} SaveCopy;

static void
copy_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  SaveCopy *save = data;
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (file != NULL && tb_document_get_state (save->document) == TB_DOCUMENT_READY)
    tb_document_save_copy_async (save->document, file, NULL, copy_saved, g_object_ref (save->window));
  g_object_unref (save->window);
  g_object_unref (save->document);
  g_free (save);
}

static void
save_copy_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  TbDocument *document = get_document (self);
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autofree char *name = NULL;
  g_autofree char *copy_name = NULL;
  SaveCopy *save;

  if (document == NULL)
    return;
  name = tb_document_dup_name (document);
  if (g_str_has_suffix (name, ".tailback"))
    name[strlen (name) - strlen (".tailback")] = '\0';
  copy_name = tb_document_is_imported (document) ? g_strdup_printf ("%s.tailback", name)
                                                 : g_strdup_printf (_ ("%s (copy).tailback"), name);
  save = g_new0 (SaveCopy, 1);
  save->window = g_object_ref (self);
  save->document = g_object_ref (document);
  gtk_file_dialog_set_title (dialog, _ ("Save a Copy"));
  gtk_file_dialog_set_initial_name (dialog, copy_name);
  gtk_file_dialog_save (dialog, GTK_WINDOW (self), NULL, copy_chosen, save);
}

static void
show_in_files_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  TbDocumentPage *page = tb_window_get_document_page (self);
  g_autoptr (GtkFileLauncher) launcher = NULL;

  if (page == NULL)
    return;
  launcher = gtk_file_launcher_new (tb_document_get_file (tb_document_page_get_document (page)));
  gtk_file_launcher_open_containing_folder (launcher, GTK_WINDOW (self), NULL, NULL, NULL);
}

static gboolean
dropped (TbWindow *self, const GValue *value)
{
  GSList *files;

  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  files = g_value_get_boxed (value);
  for (GSList *link = files; link != NULL; link = link->next)
    tb_window_open (self, link->data, TRUE);
  return files != NULL;
}

static GdkDragAction
drag_entered (TbWindow *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self->stack), "drop-target");
  return GDK_ACTION_COPY;
}

static void
drag_left (TbWindow *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self->stack), "drop-target");
}

/* What is done to the recording in front */

static void
close_tab_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);

  if (page != NULL)
    adw_tab_view_close_page (self->tab_view, page);
}

static void
document_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);
  TbDocument *document = get_document (data);
  const char *name = g_action_get_name (G_ACTION (action));

  if (document == NULL)
    return;
  if (g_str_equal (name, "add-bookmark"))
    tb_document_add_bookmark (document);
  else if (g_str_equal (name, "analyse-selection"))
    tb_document_analyse_selection (document);
  else if (g_str_equal (name, "analyse-all"))
    tb_document_analyse_all (document);
  else if (g_str_equal (name, "clear-selection"))
    tb_document_page_clear_selection (page);
  else if (g_str_equal (name, "search"))
    tb_document_page_focus_search (page);
  else if (g_str_equal (name, "next-figure"))
    tb_document_page_step_figure (page, 1);
  else if (g_str_equal (name, "previous-figure"))
    tb_document_page_step_figure (page, -1);
  else if (g_str_equal (name, "zoom-in"))
    tb_document_page_zoom (page, 0.5);
  else if (g_str_equal (name, "zoom-out"))
    tb_document_page_zoom (page, 2);
  else if (g_str_equal (name, "zoom-all"))
    tb_document_page_zoom_all (page);
  else if (g_str_equal (name, "zoom-selection"))
    tb_document_page_zoom_selection (page);
  else if (g_str_equal (name, "toggle-sidebar"))
    tb_document_page_toggle_sidebar (page);
}

static void
show_details_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);

  if (page != NULL)
    g_object_set (page, "show-details", g_variant_get_boolean (state), NULL);
  g_simple_action_set_state (action, state);
}

static void
show_analysis_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);

  if (page != NULL)
    tb_document_page_show_analysis (page, g_variant_get_string (parameter, NULL));
}

static void
show_figure_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);

  if (page != NULL)
    tb_document_page_show_figure (page, g_variant_get_string (parameter, NULL));
}

static void
stop_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *page = get_page (data);

  if (TB_IS_RECORDING_PAGE (page))
    tb_recording_stop (tb_recording_page_get_recording (TB_RECORDING_PAGE (page)));
}

static void
overview_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;

  adw_tab_overview_set_open (self->overview, !adw_tab_overview_get_open (self->overview));
}

/* Closing */

static void
close_recording_answered (TbWindow *self, const char *response, AdwAlertDialog *dialog)
{
  g_autoptr (AdwTabPage) page = g_object_steal_data (G_OBJECT (dialog), "tb-tab");

  /* It may have ended by itself meanwhile. */
  if (page != NULL && !is_going (self))
    adw_tab_view_close_page_finish (self->tab_view, page,
                                    g_str_equal (response, "stop") || !is_recording_tab (page));
}

static AdwDialog *
make_stop_dialog (const char *body)
{
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Stop Recording?"), body);

  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Keep Recording"), "stop",
                                  _ ("_Stop"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "stop", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  return dialog;
}

static gboolean
close_page (TbWindow *self, AdwTabPage *page)
{
  AdwDialog *dialog;

  if (!is_recording_tab (page))
    {
      adw_tab_view_close_page_finish (self->tab_view, page, TRUE);
      return GDK_EVENT_STOP;
    }
  dialog = make_stop_dialog (_ ("What was recorded so far is kept, and is among the recent recordings."));
  g_object_set_data_full (G_OBJECT (dialog), "tb-tab", g_object_ref (page), g_object_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (close_recording_answered), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
  return GDK_EVENT_STOP;
}

static void
close_window_answered (TbWindow *self, const char *response)
{
  if (!g_str_equal (response, "stop"))
    return;
  self->close_confirmed = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

static void
save_size (TbWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (!gtk_window_is_maximized (GTK_WINDOW (self)))
    g_settings_set (self->settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
}

static gboolean
tb_window_close_request (GtkWindow *window)
{
  TbWindow *self = TB_WINDOW (window);
  AdwDialog *dialog;

  if (tb_window_is_recording (self) && !self->close_confirmed)
    {
      dialog = make_stop_dialog (_ ("A recording is being made. What was recorded so far is kept."));
      g_signal_connect_object (dialog, "response", G_CALLBACK (close_window_answered), self,
                               G_CONNECT_SWAPPED);
      adw_dialog_present (dialog, GTK_WIDGET (self));
      return GDK_EVENT_STOP;
    }
  save_size (self);
  tb_window_save_session (self);
  return GTK_WINDOW_CLASS (tb_window_parent_class)->close_request (window);
}

/* What was open when it was closed */

/**
 * tb_window_save_session:
 *
 * Remembers which recordings are open.
 */
void
tb_window_save_session (TbWindow *self)
{
  GVariantBuilder builder;
  AdwTabPage *selected;

  g_return_if_fail (TB_IS_WINDOW (self));

  selected = adw_tab_view_get_selected_page (self->tab_view);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sb)"));
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
      GtkWidget *child = adw_tab_page_get_child (page);
      g_autofree char *uri = NULL;

      if (!TB_IS_DOCUMENT_PAGE (child))
        continue;
      uri = g_file_get_uri (tb_document_get_file (tb_document_page_get_document (TB_DOCUMENT_PAGE (child))));
      g_variant_builder_add (&builder, "(sb)", uri, page == selected);
    }
  g_settings_set_value (self->settings, "open-recordings", g_variant_builder_end (&builder));
}

/**
 * tb_window_restore_session:
 *
 * Opens the recordings again that were open; each is read when it is looked at. Those that are gone are left out.
 */
void
tb_window_restore_session (TbWindow *self)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *uri;
  gboolean in_front;
  guint n = 0;

  g_return_if_fail (TB_IS_WINDOW (self));

  g_settings_get (self->settings, "open-recordings", "a(sb)", &iter);
  while (n++ < N_RESTORED && g_variant_iter_next (iter, "(&sb)", &uri, &in_front))
    {
      g_autoptr (GFile) file = g_file_new_for_uri (uri);

      if (g_file_query_exists (file, NULL))
        tb_window_open (self, file, in_front);
    }
}

/* Making it */

static const GActionEntry actions[] = {
  { "record", record_action },
  { "open", open_action },
  { "open-uri", open_uri_action, "s" },
  { "save-copy", save_copy_action },
  { "show-in-files", show_in_files_action },
  { "close-tab", close_tab_action },
  { "overview", overview_action },
  { "stop-recording", stop_recording_action },
  { "show-analysis", show_analysis_action, "s" },
  { "show-figure", show_figure_action, "s" },
  { "toggle-sidebar", document_action },
  { "show-details", NULL, NULL, "true", show_details_changed },
  { "search", document_action },
  { "next-figure", document_action },
  { "previous-figure", document_action },
  { "zoom-in", document_action },
  { "zoom-out", document_action },
  { "zoom-all", document_action },
  { "zoom-selection", document_action },
  { "analyse-selection", document_action },
  { "analyse-all", document_action },
  { "add-bookmark", document_action },
  { "clear-selection", document_action },
};

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
}

static void
became_narrow (TbWindow *self)
{
  self->narrow = TRUE;
  update (self);
}

static void
became_wide (TbWindow *self)
{
  self->narrow = FALSE;
  update (self);
}

static void
tb_window_init (TbWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_init_template (GTK_WIDGET (self));

  g_signal_connect_object (self->narrow_breakpoint, "apply", G_CALLBACK (became_narrow), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->narrow_breakpoint, "unapply", G_CALLBACK (became_wide), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "notify::selected-page", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "notify::n-pages", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tab_view, "close-page", G_CALLBACK (close_page), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (recent_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (drop, "drop", G_CALLBACK (dropped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drop, "enter", G_CALLBACK (drag_entered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drop, "leave", G_CALLBACK (drag_left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->stack), GTK_EVENT_CONTROLLER (drop));
  recent_shown (self);
  update (self);
}

/**
 * tb_window_new:
 * @application: it belongs to
 * @settings: of the application
 *
 * Returns: a window without recordings, as large as the last one was
 */
GtkWindow *
tb_window_new (GtkApplication *application, GSettings *settings)
{
  TbWindow *self = g_object_new (TB_TYPE_WINDOW, "application", application, NULL);
  int width, height;

  self->settings = g_object_ref (settings);
  g_settings_get (settings, "window-size", "(ii)", &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), CLAMP (width, 360, 16384), CLAMP (height, 294, 16384));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  return GTK_WINDOW (self);
}
