/* tb-bookmark-dialog.c: dialog to edit the name and the note of a bookmark
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-bookmark-dialog.h"

#define NOTE_HEIGHT 96

typedef struct
{
  TbDocument *document;
  gint64 id;
  GtkEditable *name;
  GtkTextBuffer *note;
} Edit;

static void
edit_free (gpointer data, GClosure *closure)
{
  Edit *self = data;

  g_object_unref (self->document);
  g_free (self);
}

/* A session stores both as one text: the first line is the name, the rest is the note. */
static void
answered (AdwAlertDialog *dialog, const char *response, gpointer data)
{
  Edit *self = data;
  GtkTextIter start, end;
  g_autofree char *name = NULL, *note = NULL, *text = NULL;

  if (!g_str_equal (response, "save"))
    return;
  gtk_text_buffer_get_bounds (self->note, &start, &end);
  note = g_strstrip (gtk_text_buffer_get_text (self->note, &start, &end, FALSE));
  name = g_strstrip (g_strdelimit (g_strdup (gtk_editable_get_text (self->name)), "\n", ' '));
  text = *note != '\0' ? g_strdup_printf ("%s\n%s", name, note) : g_strdup (name);
  tb_document_rename_bookmark (self->document, self->id, text);
}

static GtkWidget *
make_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");
  return label;
}

static GtkWidget *
make_note (GtkTextBuffer **buffer, const char *text)
{
  GtkWidget *view = gtk_text_view_new (), *scrolled = gtk_scrolled_window_new ();

  *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_text (*buffer, text, -1);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 9);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Note"),
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), NOTE_HEIGHT);
  gtk_widget_add_css_class (scrolled, "card");
  return scrolled;
}

/**
 * tb_bookmark_dialog_new:
 * @document: document of the bookmark
 * @id: id of the bookmark
 * @name: its name, and its note in further lines
 *
 * Returns: a dialog that changes them
 */
AdwDialog *
tb_bookmark_dialog_new (TbDocument *document, gint64 id, const char *name)
{
  AdwDialog *dialog = adw_alert_dialog_new (_ ("Bookmark"), NULL);
  g_auto (GStrv) lines = g_strsplit (name, "\n", 2);
  gboolean has_note = lines[0] != NULL && lines[1] != NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *entry = gtk_entry_new ();
  Edit *self = g_new0 (Edit, 1);

  self->document = g_object_ref (document);
  self->id = id;
  self->name = GTK_EDITABLE (entry);
  gtk_editable_set_text (self->name, lines[0] != NULL ? lines[0] : "");
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Name"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Name"),
                                  -1);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), make_heading (_ ("Note")));
  gtk_box_append (GTK_BOX (box), make_note (&self->note, has_note ? lines[1] : ""));
  adw_alert_dialog_set_extra_child (ADW_ALERT_DIALOG (dialog), box);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _ ("_Cancel"), "save",
                                  _ ("_Save"), NULL);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "save",
                                            ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "save");
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered), self, edit_free, 0);
  return dialog;
}
