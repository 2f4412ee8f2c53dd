/* tb-debug-files-box.c: box that shows which debug files are being received, with buttons to cancel
 * and to allow large ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-debug-files-box.h"

struct _TbDebugFilesBox
{
  GtkBox parent_instance;

  TbDebugFiles *files;
  GtkLabel *label;
  GtkProgressBar *bar;
  GtkButton *receive;
  GtkButton *cancel; /* a run, or the question */
};

G_DEFINE_FINAL_TYPE (TbDebugFilesBox, tb_debug_files_box, GTK_TYPE_BOX)

static void
tb_debug_files_box_dispose (GObject *object)
{
  TbDebugFilesBox *self = TB_DEBUG_FILES_BOX (object);

  g_clear_object (&self->files);
  G_OBJECT_CLASS (tb_debug_files_box_parent_class)->dispose (object);
}

static void
tb_debug_files_box_class_init (TbDebugFilesBoxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_debug_files_box_dispose;
}

static void
receive_clicked (TbDebugFilesBox *self)
{
  tb_debug_files_receive_large (self->files);
}

static void
cancel_clicked (TbDebugFilesBox *self)
{
  tb_debug_files_cancel (self->files);
}

static GtkButton *
add_button (TbDebugFilesBox *self, GtkBox *box, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_hexpand (button, TRUE);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  gtk_box_append (box, button);
  return GTK_BUTTON (button);
}

static void
tb_debug_files_box_init (TbDebugFilesBox *self)
{
  GtkBox *buttons = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->label, 0);
  gtk_label_set_wrap (self->label, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->label));
  self->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Debug files that are done"), -1);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->bar));
  self->receive = add_button (self, buttons, _ ("_Receive"), G_CALLBACK (receive_clicked));
  self->cancel = add_button (self, buttons, _ ("_Cancel"), G_CALLBACK (cancel_clicked));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (buttons));
}

static void
show (TbDebugFilesBox *self)
{
  TbDebugFilesState state = tb_debug_files_get_state (self->files);
  g_autofree char *text = tb_debug_files_describe (self->files);
  g_autofree char *large = tb_debug_files_list_large (self->files);
  gboolean is_asking = state == TB_DEBUG_FILES_ASKING;

  gtk_label_set_label (self->label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->label), is_asking ? large : NULL);
  gtk_progress_bar_set_fraction (self->bar, tb_debug_files_get_share (self->files));
  gtk_widget_set_visible (GTK_WIDGET (self->bar), state == TB_DEBUG_FILES_RECEIVING);
  gtk_widget_set_visible (GTK_WIDGET (self->receive), is_asking);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->receive),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, large, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), state != TB_DEBUG_FILES_IDLE);
}

/**
 * tb_debug_files_box_set_files:
 * @files: what it shows; set only once
 */
void
tb_debug_files_box_set_files (TbDebugFilesBox *self, TbDebugFiles *files)
{
  g_return_if_fail (TB_IS_DEBUG_FILES_BOX (self) && self->files == NULL);

  self->files = g_object_ref (files);
  g_signal_connect_object (files, "changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
}
