/* tb-analysis-search.c: search entry on the page of an analysis: sets the filter of all figures of
 * the document, or has the visible figure search for the text; follows a filter set on another
 * page; reason why a filter is invalid
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-analysis-page-private.h"
#include "widgets/tb-figure-view.h"

static void
explain_filter (TbAnalysisPage *self, const char *error)
{
  if (error != NULL)
    gtk_label_set_text (self->filter_label, error);
  gtk_revealer_set_reveal_child (self->filter_revealer, error != NULL);
  if (error != NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->search_entry), "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->search_entry),
                                   GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE, -1);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (self->search_entry),
                                      GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE, self->filter_label,
                                      NULL, -1);
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->search_entry), "error");
      gtk_accessible_reset_state (GTK_ACCESSIBLE (self->search_entry),
                                  GTK_ACCESSIBLE_STATE_INVALID);
      gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->search_entry),
                                     GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE);
    }
}

/* Applies the typed filter to all figures of the document. An invalid filter leaves the previous
 * one in place. A figure with text search only searches for the text in either case. */
void
tb_analysis_page_search_changed (TbAnalysisPage *self)
{
  GtkWidget *view = tb_analysis_page_get_view (self);
  const char *text = gtk_editable_get_text (self->search_entry);
  gboolean understands = view == NULL || tb_figure_view_can_filter (view);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbFilter) filter = tb_filter_parse (text, &error);

  explain_filter (self, filter == NULL && understands ? error->message : NULL);
  if (filter != NULL)
    tb_document_set_filter (self->document, filter);
  if (!understands)
    tb_figure_view_set_search (view, text);
}

void
tb_analysis_page_show_search (TbAnalysisPage *self)
{
  GtkWidget *view = tb_analysis_page_get_view (self);
  gboolean can_search = view != NULL && tb_figure_view_can_search (view);

  gtk_widget_set_visible (GTK_WIDGET (self->search_button), can_search && self->space.is_tight);
  gtk_widget_set_visible (GTK_WIDGET (self->search_entry),
                          can_search
                              && (!self->space.is_tight
                                  || gtk_toggle_button_get_active (self->search_button)));
}

static void
search_toggled (TbAnalysisPage *self)
{
  tb_analysis_page_show_search (self);
  if (gtk_toggle_button_get_active (self->search_button))
    gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  else
    gtk_editable_set_text (self->search_entry, "");
}

/* Also called when the filter was typed on the page of another analysis. */
void
tb_analysis_page_filter_changed (TbAnalysisPage *self)
{
  TbFilter *filter = tb_document_get_filter (self->document);
  g_autoptr (TbFilter) typed = tb_filter_parse (gtk_editable_get_text (self->search_entry), NULL);

  if (typed == NULL || !tb_filter_equal (typed, filter))
    {
      g_signal_handlers_block_by_func (self->search_entry, tb_analysis_page_search_changed, self);
      gtk_editable_set_text (self->search_entry, filter != NULL ? tb_filter_get_text (filter) : "");
      g_signal_handlers_unblock_by_func (self->search_entry, tb_analysis_page_search_changed, self);
      /* An active filter must be visible. */
      if (filter != NULL)
        {
          g_signal_handlers_block_by_func (self->search_button, search_toggled, self);
          gtk_toggle_button_set_active (self->search_button, TRUE);
          g_signal_handlers_unblock_by_func (self->search_button, search_toggled, self);
          tb_analysis_page_show_search (self);
        }
      explain_filter (self, NULL);
    }
  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->figures)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    tb_figure_view_set_filter (view, filter);
}

static void
go_to_figure (TbAnalysisPage *self)
{
  if (tb_analysis_page_get_view (self) != NULL)
    gtk_widget_grab_focus (tb_analysis_page_get_view (self));
}

static void
search_stopped (TbAnalysisPage *self)
{
  gtk_editable_set_text (self->search_entry, "");
  gtk_toggle_button_set_active (self->search_button, FALSE);
  go_to_figure (self);
}

/**
 * tb_analysis_page_focus_search:
 *
 * Moves the keyboard focus to the search entry, if the figure has one, and selects its text, which
 * typing then replaces.
 */
void
tb_analysis_page_focus_search (TbAnalysisPage *self)
{
  g_return_if_fail (TB_IS_ANALYSIS_PAGE (self));

  if (gtk_widget_get_visible (GTK_WIDGET (self->search_button)))
    gtk_toggle_button_set_active (self->search_button, TRUE);
  if (gtk_widget_get_visible (GTK_WIDGET (self->search_entry)))
    {
      gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
      gtk_editable_select_region (self->search_entry, 0, -1);
    }
}

void
tb_analysis_page_add_search (TbAnalysisPage *self)
{
  g_signal_connect_object (self->search_entry, "search-changed",
                           G_CALLBACK (tb_analysis_page_search_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_button, "toggled", G_CALLBACK (search_toggled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_entry, "stop-search", G_CALLBACK (search_stopped), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_entry, "activate", G_CALLBACK (go_to_figure), self,
                           G_CONNECT_SWAPPED);
}
