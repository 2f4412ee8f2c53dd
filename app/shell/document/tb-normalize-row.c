/* tb-normalize-row.c: row with a list in which the user chooses the normalization of a comparison:
 * default, none, by duration, or by marks, system calls or function calls that both sides have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-short-text.h"
#include "shell/document/tb-normalize-row.h"

struct _TbNormalizeRow
{
  GtkBox parent;

  TbDocument *document;
  GPtrArray *choices; /* normalizations in the syntax of tb_normalization_check() */
  GtkDropDown *drop_down;
};

G_DEFINE_FINAL_TYPE (TbNormalizeRow, tb_normalize_row, GTK_TYPE_BOX)

static void
tb_normalize_row_dispose (GObject *object)
{
  TbNormalizeRow *self = TB_NORMALIZE_ROW (object);

  g_clear_object (&self->document);
  g_clear_pointer (&self->choices, g_ptr_array_unref);
  G_OBJECT_CLASS (tb_normalize_row_parent_class)->dispose (object);
}

static void
tb_normalize_row_class_init (TbNormalizeRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_normalize_row_dispose;
}

static void
add_choice (TbNormalizeRow *self, const char *choice, const char *label)
{
  g_ptr_array_add (self->choices, g_strdup (choice));
  gtk_string_list_append (GTK_STRING_LIST (gtk_drop_down_get_model (self->drop_down)), label);
}

static void
on_selected (TbNormalizeRow *self)
{
  guint selected = gtk_drop_down_get_selected (self->drop_down);

  if (selected < self->choices->len && self->document != NULL)
    tb_document_set_normalization (self->document, g_ptr_array_index (self->choices, selected));
}

static void
tb_normalize_row_init (TbNormalizeRow *self)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Normalize by"));
  GtkWidget *drop_down = gtk_drop_down_new (G_LIST_MODEL (gtk_string_list_new (NULL)), NULL);

  self->choices = g_ptr_array_new_with_free_func (g_free);
  self->drop_down = GTK_DROP_DOWN (drop_down);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), drop_down);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  tb_short_text_add_tooltip (label);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (drop_down, "flat");
  gtk_widget_add_css_class (drop_down, "small-button");
  gtk_widget_set_tooltip_text (drop_down,
                               _ ("How numbers of recordings of different length are scaled"));
  gtk_widget_set_margin_start (GTK_WIDGET (self), 8);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_box_append (GTK_BOX (self), label);
  gtk_box_append (GTK_BOX (self), drop_down);
  add_choice (self, "", _ ("Default of each analysis"));
  add_choice (self, "none", _ ("Nothing"));
  add_choice (self, "duration", _ ("Duration"));
}

static void
listed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbNormalizeRow) self = data;
  g_auto (GStrv) choices = tb_document_list_normalizations_finish (result);

  for (guint i = 0; choices != NULL && self->choices != NULL && choices[i] != NULL; i++)
    {
      const char *name = strchr (choices[i], ':') + 1;
      g_autofree char *label = NULL;

      if (g_str_has_prefix (choices[i], "mark:"))
        label = g_strdup_printf (_ ("Marks “%s”"), name);
      else if (g_str_has_prefix (choices[i], "syscall:"))
        label = g_strdup_printf (_ ("Calls of %s"), name);
      else
        label = g_strdup_printf (_ ("Calls of the function %s"), name);
      add_choice (self, choices[i], label);
    }
}

/**
 * tb_normalize_row_new:
 * @document: a comparison that is loaded
 *
 * Returns: a row that lets the user choose
 */
GtkWidget *
tb_normalize_row_new (TbDocument *document)
{
  TbNormalizeRow *self
      = g_object_new (TB_TYPE_NORMALIZE_ROW, "orientation", GTK_ORIENTATION_HORIZONTAL, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  tb_document_list_normalizations_async (document, listed, g_object_ref (self));
  return GTK_WIDGET (self);
}
