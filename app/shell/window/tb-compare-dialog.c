/* tb-compare-dialog.c: dialog to choose the base of a comparison among the open and recent
 * recordings, or by file chooser
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-compare-dialog.h"
#include "shell/window/tb-recent.h"

struct _TbCompareDialog
{
  AdwDialog parent;

  GFile *file;

  AdwPreferencesGroup *file_group;
  GtkWidget *open_group;
  GtkListBox *open_list;
  GtkWidget *recent_group;
  GtkListBox *recent_list;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbCompareDialog, tb_compare_dialog, ADW_TYPE_DIALOG)

static void
tb_compare_dialog_dispose (GObject *object)
{
  g_clear_object (&TB_COMPARE_DIALOG (object)->file);
  G_OBJECT_CLASS (tb_compare_dialog_parent_class)->dispose (object);
}

static void
choose (TbCompareDialog *self, GFile *base)
{
  g_signal_emit (self, signals[CHOSEN], 0, base, self->file);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
choose_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) base = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  choose (TB_COMPARE_DIALOG (widget), base);
}

static void
file_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbCompareDialog) self = data;
  g_autoptr (GFile) base = gtk_file_dialog_open_finish (GTK_FILE_DIALOG (object), result, NULL);

  if (base != NULL && self->file != NULL)
    choose (self, base);
}

static void
choose_file_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  gtk_file_dialog_set_title (dialog, _ ("Compare With"));
  gtk_file_dialog_open (dialog, GTK_WINDOW (gtk_widget_get_root (widget)), NULL, file_chosen,
                        g_object_ref (widget));
}

static void
tb_compare_dialog_class_init (TbCompareDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_compare_dialog_dispose;
  /* Emitted with the base and the other recording. */
  signals[CHOSEN] = g_signal_new ("compare", TB_TYPE_COMPARE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_FILE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-compare-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbCompareDialog, file_group);
  gtk_widget_class_bind_template_child (widget_class, TbCompareDialog, open_group);
  gtk_widget_class_bind_template_child (widget_class, TbCompareDialog, open_list);
  gtk_widget_class_bind_template_child (widget_class, TbCompareDialog, recent_group);
  gtk_widget_class_bind_template_child (widget_class, TbCompareDialog, recent_list);
  gtk_widget_class_install_action (widget_class, "compare.choose", "s", choose_action);
  gtk_widget_class_install_action (widget_class, "compare.choose-file", NULL, choose_file_action);
}

static void
tb_compare_dialog_init (TbCompareDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
list_recent (TbCompareDialog *self)
{
  g_autofree char *own = g_file_get_uri (self->file);
  GList *recent = tb_recent_list ();

  for (GList *link = recent; link != NULL; link = link->next)
    if (g_strcmp0 (gtk_recent_info_get_uri (link->data), own) != 0)
      gtk_list_box_append (self->recent_list, tb_recent_row_new (link->data, "compare.choose"));
  gtk_widget_set_visible (self->recent_group,
                          gtk_list_box_get_row_at_index (self->recent_list, 0) != NULL);
  g_list_free_full (recent, (GDestroyNotify) gtk_recent_info_unref);
}

/**
 * tb_compare_dialog_new:
 * @file: the recording to compare
 *
 * Returns: a dialog; its signal `compare` passes the chosen base and @file
 */
AdwDialog *
tb_compare_dialog_new (GFile *file)
{
  TbCompareDialog *self = g_object_new (TB_TYPE_COMPARE_DIALOG, NULL);
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *text
      = g_strdup_printf (_ ("“%s” is compared with the recording that you choose."), name);
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  self->file = g_object_ref (file);
  adw_preferences_group_set_description (self->file_group, escaped);
  list_recent (self);
  return ADW_DIALOG (self);
}

/**
 * tb_compare_dialog_add_open:
 * @file: a recording that is open
 *
 * Adds the recording to the choices.
 */
void
tb_compare_dialog_add_open (TbCompareDialog *self, GFile *file)
{
  g_autofree char *base = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *place = g_file_get_parse_name (file);
  g_autofree char *uri = g_file_get_uri (file);

  g_return_if_fail (TB_IS_COMPARE_DIALOG (self));

  gtk_list_box_append (self->open_list,
                       tb_recent_make_file_row (name, place, uri, "compare.choose"));
  gtk_widget_set_visible (self->open_group, TRUE);
}
