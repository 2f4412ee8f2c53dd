/* tb-trials-pane.c: pane to choose scenarios and show their predicted effects
 *
 * The choices are the report actions of the selected item and of the report as a whole. Any other
 * scenario can be typed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/trials/tb-trial-row.h"
#include "shell/trials/tb-trials-pane.h"

struct _TbTrialsPane
{
  AdwBin parent;

  TbDocument *document;
  TbTrials *trials;
  TbReport *report;
  GPtrArray *offers; /* TbOffer of the report: those in the drop-down list */

  GtkLabel *hint_label;
  GtkDropDown *choice;
  GtkSpinButton *number;
  GtkWidget *add_button;
  GtkEditable *entry;
  GtkLabel *error_label;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (TbTrialsPane, tb_trials_pane, ADW_TYPE_BIN)

static void
tb_trials_pane_dispose (GObject *object)
{
  TbTrialsPane *self = TB_TRIALS_PANE (object);

  g_clear_pointer (&self->offers, g_ptr_array_unref);
  g_clear_object (&self->report);
  g_clear_object (&self->trials);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_trials_pane_parent_class)->dispose (object);
}

static const TbOffer *
get_offer (TbTrialsPane *self)
{
  guint selected = gtk_drop_down_get_selected (self->choice);

  return self->offers != NULL && selected < self->offers->len ? g_ptr_array_index (self->offers, selected)
                                                              : NULL;
}

static void
offer_chosen (TbTrialsPane *self)
{
  const TbOffer *offer = get_offer (self);
  gboolean has_number = offer != NULL && tb_offer_has_number (offer);

  gtk_widget_set_sensitive (self->add_button, offer != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->number), has_number);
  if (!has_number)
    return;
  gtk_spin_button_set_range (self->number, offer->least, offer->most);
  gtk_spin_button_set_digits (self->number, offer->digits);
  gtk_spin_button_set_increments (self->number, offer->digits > 0 ? 0.1 : 1, 10);
  gtk_spin_button_set_value (self->number, offer->standard);
}

static void
add_offers (TbTrialsPane *self, const char *figure, const char *item)
{
  g_autoptr (GPtrArray) offers = tb_report_list_offers (self->report, figure, item);

  for (guint i = 0; i < offers->len; i++)
    if (((const TbOffer *) g_ptr_array_index (offers, i))->kind == TB_OFFER_TRY)
      g_ptr_array_add (self->offers, g_ptr_array_index (offers, i));
}

/* The actions of the selected item come before those of the whole report. */
static void
list_offers (TbTrialsPane *self)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const char *figure = tb_focus_get_figure (focus), *item = tb_focus_get_item (focus);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  gboolean any;

  g_clear_pointer (&self->offers, g_ptr_array_unref);
  if (self->report == NULL)
    return;
  self->offers = g_ptr_array_new ();
  if (figure != NULL && item != NULL)
    add_offers (self, figure, item);
  any = self->offers->len > 0;
  add_offers (self, "", "");
  for (guint i = 0; i < self->offers->len; i++)
    {
      g_autofree char *name = tb_offer_describe (g_ptr_array_index (self->offers, i));

      gtk_string_list_append (names, name);
    }
  gtk_drop_down_set_model (self->choice, G_LIST_MODEL (names));
  gtk_label_set_text (self->hint_label, any ? _ ("What would be different:")
                                        : item != NULL
                                            ? _ ("What is selected offers nothing to try; it can be written.")
                                            : _ ("Select something in the figure to change it."));
  offer_chosen (self);
}

static void
set_error (TbTrialsPane *self, const char *text)
{
  gtk_label_set_text (self->error_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->error_label), text != NULL);
  if (text != NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE,
                                      self->error_label, NULL, -1);
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
      gtk_accessible_reset_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID);
      gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE);
    }
}

static void
add_clicked (TbTrialsPane *self)
{
  const TbOffer *offer = get_offer (self);

  if (offer == NULL)
    return;
  gtk_spin_button_update (self->number);
  tb_trials_add_offer (self->trials, offer, gtk_spin_button_get_value (self->number));
}

/* A text is not checked while it is typed, only when it is submitted. */
static void
text_changed (TbTrialsPane *self)
{
  set_error (self, NULL);
}

static void
text_activated (TbTrialsPane *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (self->entry)));
  g_autoptr (GError) error = NULL;

  if (*text == '\0')
    return;
  if (tb_trials_add_text (self->trials, text, &error))
    gtk_editable_set_text (self->entry, "");
  else
    {
      set_error (self, error->message);
      gtk_accessible_announce (GTK_ACCESSIBLE (self), error->message,
                               GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
    }
}

static void
tb_trials_pane_class_init (TbTrialsPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_trials_pane_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/tailback/Tailback/tb-trials-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, hint_label);
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, choice);
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, number);
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, add_button);
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, entry);
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, error_label);
  gtk_widget_class_bind_template_child (widget_class, TbTrialsPane, list);
  gtk_widget_class_bind_template_callback (widget_class, offer_chosen);
  gtk_widget_class_bind_template_callback (widget_class, add_clicked);
  gtk_widget_class_bind_template_callback (widget_class, text_changed);
  gtk_widget_class_bind_template_callback (widget_class, text_activated);
}

static void
tb_trials_pane_init (TbTrialsPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static GtkWidget *
make_row (gpointer trial, gpointer trials)
{
  return tb_trial_row_new (trials, trial);
}

static void
trials_changed (TbTrialsPane *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->list),
                          g_list_model_get_n_items (tb_trials_get_model (self->trials)) > 0);
}

/**
 * tb_trials_pane_new:
 * @document: document with the selected item
 * @trials: the scenarios
 *
 * Returns: a pane
 */
GtkWidget *
tb_trials_pane_new (TbDocument *document, TbTrials *trials)
{
  TbTrialsPane *self = g_object_new (TB_TYPE_TRIALS_PANE, NULL);

  self->document = g_object_ref (document);
  self->trials = g_object_ref (trials);
  gtk_list_box_bind_model (self->list, tb_trials_get_model (trials), make_row, g_object_ref (trials),
                           g_object_unref);
  g_signal_connect_object (tb_trials_get_model (trials), "items-changed", G_CALLBACK (trials_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed", G_CALLBACK (list_offers),
                           self, G_CONNECT_SWAPPED);
  trials_changed (self);
  return GTK_WIDGET (self);
}

void
tb_trials_pane_set_report (TbTrialsPane *self, TbReport *report)
{
  g_return_if_fail (TB_IS_TRIALS_PANE (self));

  if (g_set_object (&self->report, report))
    list_offers (self);
}

void
tb_trials_pane_focus (TbTrialsPane *self)
{
  g_return_if_fail (TB_IS_TRIALS_PANE (self));

  gtk_widget_grab_focus (self->offers != NULL && self->offers->len > 0 ? GTK_WIDGET (self->choice)
                                                                       : GTK_WIDGET (self->entry));
}
