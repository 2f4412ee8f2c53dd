/* tb-analysis-trials.c: scenarios pane on the page of an analysis, and actions on items of its
 * report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-analysis-page-private.h"
#include "shell/document/tb-figure-menu.h"
#include "shell/trials/tb-trials-pane.h"

#define ROOM_FOR_OUTCOMES 64

/* When the pane is opened first, it gets room for its scenarios and the first outcome, but at most
 * half of the height. Later the user's position is kept. */
static void
divide_room (TbAnalysisPage *self)
{
  GtkWidget *paned = GTK_WIDGET (self->figure_paned);
  int height = gtk_widget_get_height (paned), wanted;

  if (self->was_tried || self->narrow || height == 0 || !gtk_toggle_button_get_active (self->try_button))
    return;
  self->was_tried = TRUE;
  gtk_widget_measure (gtk_paned_get_end_child (self->figure_paned), GTK_ORIENTATION_VERTICAL,
                      gtk_widget_get_width (paned), NULL, &wanted, NULL, NULL);
  gtk_paned_set_position (self->figure_paned, height - MIN (wanted + ROOM_FOR_OUTCOMES, height / 2));
}

/* A narrow page has no room for both: the scenarios pane replaces the figure until it is closed. */
void
tb_analysis_page_fit_trials (TbAnalysisPage *self)
{
  GtkWidget *pane = gtk_paned_get_end_child (self->figure_paned);
  gboolean is_shown = pane != NULL && gtk_toggle_button_get_active (self->try_button);

  gtk_widget_set_visible (gtk_paned_get_start_child (self->figure_paned), !(is_shown && self->narrow));
}

static void
try_toggled (TbAnalysisPage *self)
{
  GtkWidget *pane = gtk_paned_get_end_child (self->figure_paned);
  gboolean is_shown = gtk_toggle_button_get_active (self->try_button);

  gtk_widget_set_visible (pane, is_shown);
  tb_analysis_page_fit_trials (self);
  divide_room (self);
  if (is_shown)
    tb_trials_pane_focus (TB_TRIALS_PANE (pane));
}

/* If the pane is open already, it gets the keyboard focus. */
static void
try_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);

  if (gtk_toggle_button_get_active (self->try_button))
    tb_trials_pane_focus (TB_TRIALS_PANE (gtk_paned_get_end_child (self->figure_paned)));
  else
    gtk_toggle_button_set_active (self->try_button, TRUE);
}

/* Adds the scenarios pane below the figures of an analysis that supports scenarios. */
void
tb_analysis_page_add_trials (TbAnalysisPage *self)
{
  g_autoptr (TbTrials) trials = tb_trials_new (self->document, self->item);
  GtkWidget *pane;

  gtk_widget_set_visible (GTK_WIDGET (self->try_button), trials != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.try", trials != NULL);
  if (trials == NULL)
    return;
  pane = tb_trials_pane_new (self->document, trials);
  gtk_widget_set_visible (pane, FALSE);
  gtk_paned_set_end_child (self->figure_paned, pane);
  gtk_paned_set_shrink_end_child (self->figure_paned, FALSE);
  g_signal_connect_object (self->try_button, "toggled", G_CALLBACK (try_toggled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figure_paned, "notify::max-position", G_CALLBACK (divide_room), self,
                           G_CONNECT_SWAPPED);
}

/* Kinds of report actions of an item, other than scenarios. */
typedef enum
{
  OFFERS_CHANGE, /* show in more or less detail, or otherwise */
  OFFERS_SAYING, /* assert or retract a statement about it */
  OFFERS_RECORDING,
} Offers;

static gboolean
is_of (const TbOffer *offer, Offers offers)
{
  switch (offer->kind)
    {
    case TB_OFFER_TRY:
      return FALSE;
    case TB_OFFER_SAY:
    case TB_OFFER_UNSAY:
      return offers == OFFERS_SAYING;
    case TB_OFFER_RECORD:
      return offers == OFFERS_RECORDING;
    default:
      return offers == OFFERS_CHANGE;
    }
}

/* Returns NULL if there is none. */
static const TbOffer *
find_offer (TbAnalysisPage *self, const char *figure, const char *item, Offers wanted)
{
  g_autoptr (GPtrArray) offers = NULL;

  if (self->report == NULL || figure == NULL || item == NULL || tb_document_is_comparison (self->document))
    return NULL;
  offers = tb_report_list_offers (self->report, figure, item);
  for (guint i = 0; i < offers->len; i++)
    {
      const TbOffer *offer = g_ptr_array_index (offers, i);

      if (is_of (offer, wanted))
        return offer;
    }
  return NULL;
}

static const TbOffer *
find_of_selected (TbAnalysisPage *self, Offers wanted)
{
  TbFocus *focus = tb_document_get_focus (self->document);

  return find_offer (self, tb_focus_get_figure (focus), tb_focus_get_item (focus), wanted);
}

/**
 * tb_analysis_page_get_saying:
 *
 * Returns: (nullable): display label of the statement that analysis.say asserts or retracts for the
 *   selected item
 */
const char *
tb_analysis_page_get_saying (TbAnalysisPage *self)
{
  const TbOffer *offer;

  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);

  offer = find_of_selected (self, OFFERS_SAYING);
  return offer != NULL ? offer->label : NULL;
}

/**
 * tb_analysis_page_get_recording:
 *
 * Returns: (nullable): display label of the new recording that analysis.record makes for the
 *   selected item
 */
const char *
tb_analysis_page_get_recording (TbAnalysisPage *self)
{
  const TbOffer *offer;

  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);

  offer = find_of_selected (self, OFFERS_RECORDING);
  return offer != NULL ? offer->label : NULL;
}

static void
change (TbAnalysisPage *self, const TbOffer *offer, const char *item)
{
  TbOffer of_item;

  if (offer == NULL)
    return;
  of_item = *offer;
  if (g_str_equal (offer->text, TB_OFFER_ANY))
    of_item.text = item;
  tb_analysis_item_apply_offer (self->item, &of_item);
  tb_analysis_page_run (self);
}

static void
change_selected (TbAnalysisPage *self, Offers wanted)
{
  /* The selected item may change during the run. */
  g_autofree char *item = g_strdup (tb_focus_get_item (tb_document_get_focus (self->document)));

  change (self, find_of_selected (self, wanted), item);
}

void
tb_analysis_page_expand (TbAnalysisPage *self)
{
  change_selected (self, OFFERS_CHANGE);
}

/* Applies a report action of an item that a finding names: "(ss)", figure and item. */
static void
change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);
  const char *figure, *item;

  g_variant_get (parameter, "(&s&s)", &figure, &item);
  change (self, find_offer (self, figure, item, OFFERS_CHANGE), item);
}

static void
expand_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_analysis_page_expand (TB_ANALYSIS_PAGE (widget));
}

static void
say_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);

  change_selected (self, OFFERS_SAYING);
}

/* The window provides the recording assistant. */
static void
record_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const TbOffer *offer = find_of_selected (TB_ANALYSIS_PAGE (widget), OFFERS_RECORDING);

  if (offer != NULL)
    gtk_widget_activate_action (widget, "win.record-function", "(ss)", offer->option, offer->text);
}

void
tb_analysis_page_selection_changed (TbAnalysisPage *self)
{
  const char *saying = tb_analysis_page_get_saying (self);
  const char *recording = tb_analysis_page_get_recording (self);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.expand",
                                 find_of_selected (self, OFFERS_CHANGE) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.say", saying != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.record", recording != NULL);
  if (self->figures_bin != NULL)
    tb_figure_menu_set_offered (self->figures_bin, saying, recording);
}

void
tb_analysis_page_class_add_trials (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "analysis.try", NULL, try_action);
  gtk_widget_class_install_action (widget_class, "analysis.expand", NULL, expand_action);
  gtk_widget_class_install_action (widget_class, "analysis.say", NULL, say_action);
  gtk_widget_class_install_action (widget_class, "analysis.record", NULL, record_action);
  gtk_widget_class_install_action (widget_class, "analysis.change", "(ss)", change_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, GDK_CONTROL_MASK, "analysis.try", NULL);
}
