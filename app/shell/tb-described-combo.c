/* tb-described-combo.c: set-up of a given combo row so that it shows a name and a description of
 * each choice in full; adding of such choices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/tb-described-combo.h"

#define KEY_DESCRIPTION "tb-description"
/* Width of the descriptions in the list, in characters. */
#define WIDTH 44

static const char *
get_description (gpointer item)
{
  const char *description = item != NULL ? g_object_get_data (item, KEY_DESCRIPTION) : NULL;

  return description != NULL ? description : "";
}

/* The selected name is shown in full: the description wraps instead. */
static void
set_up_chosen (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  gtk_list_item_set_child (list_item, gtk_label_new (NULL));
}

static void
bind_chosen (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (list_item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (list_item)));
}

static void
set_up (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *name = gtk_label_new (NULL), *description = gtk_label_new (NULL);
  GtkWidget *mark = gtk_image_new_from_icon_name ("object-select-symbolic");

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_xalign (GTK_LABEL (description), 0);
  gtk_label_set_wrap (GTK_LABEL (description), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (description), WIDTH / 2);
  gtk_label_set_max_width_chars (GTK_LABEL (description), WIDTH);
  gtk_widget_add_css_class (description, "caption");
  gtk_widget_add_css_class (description, "dimmed");
  gtk_widget_set_margin_top (box, 4);
  gtk_widget_set_margin_bottom (box, 4);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), description);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (line), box);
  gtk_box_append (GTK_BOX (line), mark);
  gtk_list_item_set_child (list_item, line);
}

static void
show_mark (GtkListItem *list_item, GParamSpec *ignored, AdwComboRow *row)
{
  GtkWidget *line = gtk_list_item_get_child (list_item);

  gtk_widget_set_opacity (gtk_widget_get_last_child (line),
                          adw_combo_row_get_selected_item (row)
                              == gtk_list_item_get_item (list_item));
}

static void
unbind (GtkSignalListItemFactory *factory, GtkListItem *list_item, AdwComboRow *row)
{
  g_signal_handlers_disconnect_by_func (row, show_mark, list_item);
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, AdwComboRow *row)
{
  GtkWidget *box = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  gpointer item = gtk_list_item_get_item (list_item);
  const char *name = gtk_string_object_get_string (item), *description = get_description (item);

  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (box)), description);
  gtk_widget_set_visible (gtk_widget_get_last_child (box), description[0] != '\0');
  gtk_list_item_set_accessible_label (list_item, name);
  gtk_list_item_set_accessible_description (list_item, description);
  g_signal_connect_object (row, "notify::selected-item", G_CALLBACK (show_mark), list_item,
                           G_CONNECT_SWAPPED);
  show_mark (list_item, NULL, row);
}

/**
 * tb_described_combo_show_whole:
 *
 * Makes the row show the selected choice in full: the title wraps instead.
 */
void
tb_described_combo_show_whole (AdwComboRow *row)
{
  g_autoptr (GtkListItemFactory) chosen = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkListItemFactory) each = gtk_signal_list_item_factory_new ();

  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  g_signal_connect (chosen, "setup", G_CALLBACK (set_up_chosen), NULL);
  g_signal_connect (chosen, "bind", G_CALLBACK (bind_chosen), NULL);
  g_signal_connect (each, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (each, "bind", G_CALLBACK (bind), row, 0);
  g_signal_connect_object (each, "unbind", G_CALLBACK (unbind), row, 0);
  adw_combo_row_set_factory (row, chosen);
  adw_combo_row_set_list_factory (row, each);
}

static void
show_description (AdwComboRow *row)
{
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row),
                               get_description (adw_combo_row_get_selected_item (row)));
}

/**
 * tb_described_combo_prepare:
 * @row: a row with a model filled by tb_described_combo_append()
 *
 * Makes the row show the description of the selected choice, and its list the description of each
 * choice.
 */
void
tb_described_combo_prepare (AdwComboRow *row)
{
  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  tb_described_combo_show_whole (row);
  g_signal_connect (row, "notify::selected-item", G_CALLBACK (show_description), NULL);
}

/**
 * tb_described_combo_append:
 * @name: name of a choice
 * @description: one sentence about it
 */
void
tb_described_combo_append (GtkStringList *list, const char *name, const char *description)
{
  g_autoptr (GtkStringObject) item = NULL;

  gtk_string_list_append (list, name);
  item = g_list_model_get_item (G_LIST_MODEL (list),
                                g_list_model_get_n_items (G_LIST_MODEL (list)) - 1);
  g_object_set_data_full (G_OBJECT (item), KEY_DESCRIPTION, g_strdup (description), g_free);
}
