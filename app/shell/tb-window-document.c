/* tb-window-document.c: what is done to the recording that is in front of a window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-window-private.h"

static void
set_enabled (TbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)),
                               enabled);
}

void
tb_window_update_actions (TbWindow *self)
{
  static const char *const for_documents[]
      = { "save-copy",       "add-bookmark",   "search",      "next-figure",    "previous-figure",
          "zoom-in",         "zoom-out",       "zoom-all",    "zoom-selection", "analyse-selection",
          "clear-selection", "toggle-sidebar", "show-details" };
  TbDocumentPage *page = tb_window_get_document_page (self);
  TbDocument *document = tb_window_get_document (self);
  gboolean details = FALSE;
  gint64 from, to;

  if (tb_window_is_going (self))
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
  set_enabled (self, "close-tab", tb_window_get_page (self) != NULL);
  set_enabled (self, "show-in-files", page != NULL);
  g_simple_action_set_state (G_SIMPLE_ACTION (
                                 g_action_map_lookup_action (G_ACTION_MAP (self), "show-details")),
                             g_variant_new_boolean (details));
  gtk_widget_set_visible (self->sidebar_button, document != NULL);
  gtk_widget_set_visible (self->details_button, document != NULL);
}

static void
document_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocumentPage *page = tb_window_get_document_page (data);
  TbDocument *document = tb_window_get_document (data);
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
    tb_document_clear_selection (document);
  else if (g_str_equal (name, "search"))
    tb_document_page_focus_search (page);
  else if (g_str_equal (name, "next-figure"))
    tb_document_page_step_figure (page, 1);
  else if (g_str_equal (name, "previous-figure"))
    tb_document_page_step_figure (page, -1);
  else if (g_str_equal (name, "zoom-in"))
    tb_document_zoom (document, 0.5);
  else if (g_str_equal (name, "zoom-out"))
    tb_document_zoom (document, 2);
  else if (g_str_equal (name, "zoom-all"))
    tb_document_zoom_all (document);
  else if (g_str_equal (name, "zoom-selection"))
    tb_document_zoom_selection (document);
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

static const GActionEntry actions[] = {
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

void
tb_window_add_document_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
