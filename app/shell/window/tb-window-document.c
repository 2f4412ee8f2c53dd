/* tb-window-document.c: actions of a window on its current document: table of the functions that
 * they call, in tb-document or its page; which actions are enabled; explanation of a process; links
 * to analyses and figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/recording/tb-process-dialog.h"
#include "shell/window/tb-window-private.h"

#define ZOOM_STEP 0.5

static void
zoom_in (TbDocument *document)
{
  tb_document_zoom (document, ZOOM_STEP);
}

static void
zoom_out (TbDocument *document)
{
  tb_document_zoom (document, 1 / ZOOM_STEP);
}

static void
next_figure (TbDocumentPage *page)
{
  tb_document_page_step_figure (page, 1);
}

static void
previous_figure (TbDocumentPage *page)
{
  tb_document_page_step_figure (page, -1);
}

/* Functions of a document or its page, and whether they are possible (NULL: always). */
static const struct
{
  const char *name;
  void (*run) (TbDocument *document);
  void (*run_on_page) (TbDocumentPage *page);
  gboolean (*is_possible) (TbDocument *document);
} commands[] = {
  { "add-bookmark", tb_document_add_bookmark, NULL, tb_document_is_recording },
  { "analyse-all", tb_document_analyse_all, NULL, tb_document_is_limited },
  { "analyse-all-threads", tb_document_analyse_all_threads, NULL, tb_document_is_limited },
  { "analyse-all-times", tb_document_analyse_all_times, NULL, tb_document_is_limited },
  { "analyse-command", tb_document_analyse_command, NULL, tb_document_can_analyse_command },
  { "analyse-process", tb_document_analyse_process, NULL, tb_document_can_analyse_process },
  { "analyse-selection", tb_document_analyse_selection, NULL, tb_document_can_analyse_selection },
  { "analyse-thread", tb_document_analyse_thread, NULL, tb_document_can_analyse_process },
  { "clear-selection", tb_document_clear_selection, NULL, tb_document_has_selection },
  { "go-back", tb_document_go_back, NULL, tb_document_can_go_back },
  { "go-forward", tb_document_go_forward, NULL, tb_document_can_go_forward },
  { "go-to-cause", tb_document_go_to_cause, NULL, tb_document_can_go_to_cause },
  { "next-figure", NULL, next_figure, NULL },
  { "next-occurrence", tb_document_next_occurrence, NULL, tb_document_has_occurrences },
  { "options", NULL, tb_document_page_show_options, NULL },
  { "pan-earlier", tb_document_pan_earlier, NULL, NULL },
  { "pan-later", tb_document_pan_later, NULL, NULL },
  { "previous-figure", NULL, previous_figure, NULL },
  { "previous-occurrence", tb_document_previous_occurrence, NULL, tb_document_has_occurrences },
  { "search", NULL, tb_document_page_focus_search, NULL },
  { "toggle-sidebar", NULL, tb_document_page_toggle_sidebar, NULL },
  { "zoom-all", tb_document_zoom_all, NULL, NULL },
  { "zoom-in", zoom_in, NULL, NULL },
  { "zoom-out", zoom_out, NULL, NULL },
  { "zoom-selection", tb_document_zoom_selection, NULL, tb_document_has_selected_time },
};

static void
set_enabled (TbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                   g_action_map_lookup_action (G_ACTION_MAP (self), name)),
                               enabled);
}

/* Explains the process of the selected thread, in the open recording with most details about it. */
static void
explain (TbWindow *self)
{
  TbDocument *document = tb_window_get_document (self);
  g_autoptr (GError) error = NULL;
  TbAnalysisItem *item;

  if (document == NULL || !tb_document_can_explain (document))
    return;
  if (tb_window_show_simultaneous_recording (self) != NULL)
    {
      g_autofree char *name = NULL;
      g_autofree char *text = NULL;

      document = tb_window_get_document (self);
      name = tb_document_dup_name (document);
      text = g_strdup_printf (_ ("Explained by “%s”, which was recorded at the same time"), name);
      tb_window_toast (self, text);
    }
  item = tb_document_explain (document, &error);
  if (item != NULL)
    tb_document_page_show_analysis (tb_window_get_document_page (self),
                                    tb_analysis_item_get_id (item));
  else
    tb_window_toast (self, error->message);
}

static void
explain_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  explain (data);
}

static void
process_chosen (TbWindow *self, guint process)
{
  TbDocument *document = tb_window_get_document (self);

  if (document == NULL)
    return;
  tb_document_select_process (document, process);
  explain (self);
}

static void
explain_process_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocument *document = tb_window_get_document (data);
  AdwDialog *dialog;

  if (document == NULL)
    return;
  dialog = tb_process_dialog_new (tb_document_get_session (document));
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (process_chosen), data, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (data));
}

/* Without a plug-in that explains processes, the actions do not exist, and their buttons and menu
 * items are hidden. */
static void
update_explain_actions (TbWindow *self, TbDocument *document)
{
  static const GActionEntry entries[]
      = { { "explain", explain_action }, { "explain-process", explain_process_action } };
  gboolean is_possible = document != NULL && tb_document_get_explainer (document) != NULL;

  if (!is_possible)
    g_action_map_remove_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries));
  else if (g_action_map_lookup_action (G_ACTION_MAP (self), entries[0].name) == NULL)
    g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  if (is_possible)
    set_enabled (self, "explain", tb_document_can_explain (document));
}

void
tb_window_update_actions (TbWindow *self)
{
  TbDocumentPage *page;
  TbDocument *document;
  gboolean details = FALSE;

  if (tb_window_is_disposed (self))
    return;
  page = tb_window_get_document_page (self);
  document = tb_window_get_document (self);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    set_enabled (self, commands[i].name,
                 document != NULL
                     && (commands[i].is_possible == NULL || commands[i].is_possible (document)));
  update_explain_actions (self, document);
  tb_window_update_export_actions (self);
  tb_window_update_exporters (self);
  set_enabled (self, "compare", document != NULL);
  set_enabled (self, "swap-comparison", document != NULL && tb_document_is_comparison (document));
  set_enabled (self, "add-to-base", document != NULL && tb_document_is_comparison (document));
  set_enabled (self, "add-to-other", document != NULL && tb_document_is_comparison (document));
  set_enabled (self, "save-copy", document != NULL && tb_document_is_recording (document));
  set_enabled (self, "show-details", document != NULL);
  set_enabled (self, "close-tab", tb_window_get_page (self) != NULL);
  set_enabled (self, "move-tab", tb_window_get_page (self) != NULL);
  set_enabled (self, "show-in-files", page != NULL);
  if (document != NULL)
    g_object_get (page, "show-details", &details, NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (
                                 g_action_map_lookup_action (G_ACTION_MAP (self), "show-details")),
                             g_variant_new_boolean (details));
  gtk_widget_set_visible (self->sidebar_button, document != NULL);
  gtk_widget_set_visible (self->details_button, document != NULL);
}

static void
command_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);
  TbDocument *document = tb_window_get_document (data);
  const char *name = g_action_get_name (G_ACTION (action));

  for (guint i = 0; document != NULL && i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      {
        if (commands[i].run != NULL)
          commands[i].run (document);
        else
          commands[i].run_on_page (page);
        return;
      }
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

/* Target: id of the analysis, thread, from and to in ns. */
static void
follow_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);
  const char *id;
  guint32 thread;
  gint64 from, to;

  g_variant_get (parameter, "(&suxx)", &id, &thread, &from, &to);
  if (page != NULL)
    tb_document_page_show_wait (page, id, thread, from, to);
}

static const GActionEntry actions[] = {
  { "follow", follow_action, "(suxx)" },
  { "show-analysis", show_analysis_action, "s" },
  { "show-figure", show_figure_action, "s" },
  { "show-details", NULL, NULL, "true", show_details_changed },
};

void
tb_window_add_document_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const GActionEntry entry = { commands[i].name, command_action };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
}
