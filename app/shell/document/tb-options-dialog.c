/* tb-options-dialog.c: dialog for the options of an analysis: draft of them, edited in rows
 * (tb-option-rows), with values from the recording (tb-candidates-dialog); reset; applied with a
 * signal for a new run
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/tb-option-rows.h"
#include "shell/document/tb-candidates-dialog.h"
#include "shell/document/tb-options-dialog.h"

struct _TbOptionsDialog
{
  AdwDialog parent;

  TbDocument *document;
  TbAnalysisItem *item;
  TbAnalysis *draft; /* holds the edited options until they are applied */
  TbOptionRows *rows;
};

enum
{
  ANALYSE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbOptionsDialog, tb_options_dialog, ADW_TYPE_DIALOG)

static void
tb_options_dialog_dispose (GObject *object)
{
  TbOptionsDialog *self = TB_OPTIONS_DIALOG (object);

  g_clear_object (&self->draft);
  g_clear_object (&self->item);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_options_dialog_parent_class)->dispose (object);
}

static void
rows_changed (TbOptionsDialog *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "options.analyse",
                                 tb_option_rows_is_valid (self->rows));
}

static void
show_draft (TbOptionsDialog *self)
{
  g_auto (GStrv) names = tb_analysis_get_options (self->draft);

  tb_option_rows_set_plugin (self->rows, G_OBJECT (self->draft), (const char *const *) names);
  rows_changed (self);
}

static void
analyse_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbOptionsDialog *self = TB_OPTIONS_DIALOG (widget);

  tb_analysis_item_copy_options_from (self->item, self->draft);
  g_signal_emit (self, signals[ANALYSE], 0);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
reset_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbOptionsDialog *self = TB_OPTIONS_DIALOG (widget);
  g_autoptr (TbAnalysis) fresh = tb_analysis_item_create (self->item, NULL);

  if (fresh == NULL)
    return;
  g_set_object (&self->draft, fresh);
  show_draft (self);
}

static void
chosen (GtkEditable *row, const char *text)
{
  gtk_editable_set_text (row, text);
  gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
choose (TbOptionsDialog *self, const char *option, GtkEditable *row)
{
  g_auto (GStrv) names = tb_analysis_get_options (self->draft);
  TbAnalysis *copy = tb_analysis_item_create (self->item, NULL);
  AdwDialog *dialog;

  if (copy == NULL)
    return;
  tb_option_copy (G_OBJECT (self->draft), G_OBJECT (copy), (const char *const *) names);
  dialog = tb_candidates_dialog_new (self->document, copy, option);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (chosen), row, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
tb_options_dialog_class_init (TbOptionsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_OPTION_ROWS);
  G_OBJECT_CLASS (klass)->dispose = tb_options_dialog_dispose;
  /* Emitted when the options were applied and the analysis must run with them. */
  signals[ANALYSE] = g_signal_new ("analyse", TB_TYPE_OPTIONS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-options-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbOptionsDialog, rows);
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
  gtk_widget_class_install_action (widget_class, "options.analyse", NULL, analyse_action);
  gtk_widget_class_install_action (widget_class, "options.reset", NULL, reset_action);
}

static void
tb_options_dialog_init (TbOptionsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->rows, "changed", G_CALLBACK (rows_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "choose", G_CALLBACK (choose), self, G_CONNECT_SWAPPED);
}

/**
 * tb_options_dialog_new:
 * @document: document of the analysis
 * @item: an analysis with options
 *
 * Returns: a dialog; it emits `analyse` when the options have changed and the analysis must run
 *   again
 */
AdwDialog *
tb_options_dialog_new (TbDocument *document, TbAnalysisItem *item)
{
  TbOptionsDialog *self = g_object_new (TB_TYPE_OPTIONS_DIALOG, NULL);

  self->document = g_object_ref (document);
  self->item = g_object_ref (item);
  tb_option_rows_set_can_choose (self->rows, tb_document_get_trace (document) != NULL);
  self->draft = tb_analysis_item_create (item, NULL);
  adw_dialog_set_title (ADW_DIALOG (self), tb_analysis_item_get_name (item));
  if (self->draft != NULL)
    {
      tb_analysis_item_copy_options_to (item, self->draft);
      show_draft (self);
    }
  return ADW_DIALOG (self);
}
