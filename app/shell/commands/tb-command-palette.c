/* tb-command-palette.c: dialog that finds and runs a command by its title
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-short-text.h"
#include "shell/commands/tb-command-list.h"
#include "shell/commands/tb-command-palette.h"

struct _TbCommandPalette
{
  AdwDialog parent;

  TbWindow *window;
  char *words;
  GtkFilter *filter;
  GtkSingleSelection *selection;

  GtkSearchEntry *search;
  GtkStack *stack;
  GtkListView *view;
};

G_DEFINE_FINAL_TYPE (TbCommandPalette, tb_command_palette, ADW_TYPE_DIALOG)

static void
tb_command_palette_dispose (GObject *object)
{
  TbCommandPalette *self = TB_COMMAND_PALETTE (object);

  g_clear_object (&self->selection);
  g_clear_object (&self->filter);
  g_clear_weak_pointer (&self->window);
  g_clear_pointer (&self->words, g_free);
  G_OBJECT_CLASS (tb_command_palette_parent_class)->dispose (object);
}

static void
tb_command_palette_class_init (TbCommandPaletteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_command_palette_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-command-palette.ui");
  gtk_widget_class_bind_template_child (widget_class, TbCommandPalette, search);
  gtk_widget_class_bind_template_child (widget_class, TbCommandPalette, stack);
  gtk_widget_class_bind_template_child (widget_class, TbCommandPalette, view);
}

typedef struct
{
  TbWindow *window;
  char *action;
} PendingCommand;

/* A command of a figure runs in the visible one. */
static GtkWidget *
find_target (const PendingCommand *self)
{
  TbDocumentPage *page = tb_window_get_document_page (self->window);
  TbAnalysisPage *analysis = page != NULL ? tb_document_page_get_analysis_page (page) : NULL;
  GtkWidget *view = analysis != NULL ? tb_analysis_page_get_view (analysis) : NULL;

  return view != NULL ? view : GTK_WIDGET (self->window);
}

/* Runs after the dialog has closed, because the command may open another dialog. */
static void
run_command (gpointer data)
{
  PendingCommand *self = data;
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  if (g_action_parse_detailed_name (self->action, &name, &target, NULL))
    gtk_widget_activate_action_variant (find_target (self), name, target);
  g_object_unref (self->window);
  g_free (self->action);
  g_free (self);
}

static void
activated (TbCommandPalette *self, guint position)
{
  g_autoptr (TbCommandItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  PendingCommand *pending;

  if (item == NULL || !tb_command_item_is_enabled (item) || self->window == NULL)
    return;
  pending = g_new0 (PendingCommand, 1);
  pending->window = g_object_ref (self->window);
  pending->action = g_strdup (tb_command_item_get_action (item));
  adw_dialog_close (ADW_DIALOG (self));
  g_idle_add_once (run_command, pending);
}

static void
search_activated (TbCommandPalette *self)
{
  activated (self, gtk_single_selection_get_selected (self->selection));
}

static gboolean
matches (gpointer item, gpointer data)
{
  return tb_command_item_matches (item, TB_COMMAND_PALETTE (data)->words);
}

/* Enabled commands come first, otherwise the order of the list is kept. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  return (int) tb_command_item_is_enabled ((TbCommandItem *) b)
         - (int) tb_command_item_is_enabled ((TbCommandItem *) a);
}

static void
found_changed (TbCommandPalette *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  gtk_stack_set_visible_child_name (self->stack, n > 0 ? "list" : "nothing");
}

static void
search_changed (TbCommandPalette *self)
{
  g_set_str (&self->words, gtk_editable_get_text (GTK_EDITABLE (self->search)));
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0)
    {
      gtk_single_selection_set_selected (self->selection, 0);
      gtk_list_view_scroll_to (self->view, 0, GTK_LIST_SCROLL_NONE, NULL);
    }
}

/* Up and Down move the selection while the search entry has the focus. */
static gboolean
key_pressed (TbCommandPalette *self, guint key, guint code, GdkModifierType modifiers)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint selected = gtk_single_selection_get_selected (self->selection);
  int step = key == GDK_KEY_Down ? 1 : key == GDK_KEY_Up ? -1 : 0;

  if (step == 0 || n == 0 || selected == GTK_INVALID_LIST_POSITION)
    return GDK_EVENT_PROPAGATE;
  selected = (selected + n + step) % n;
  gtk_single_selection_set_selected (self->selection, selected);
  gtk_list_view_scroll_to (self->view, selected, GTK_LIST_SCROLL_NONE, NULL);
  return GDK_EVENT_STOP;
}

static void
set_up_row (GtkListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (NULL), *keys = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  tb_short_text_add_tooltip (title);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (keys, "dimmed");
  gtk_widget_add_css_class (keys, "caption");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), keys);
  gtk_list_item_set_child (list_item, box);
}

static void
bind_row (GtkListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *box = gtk_list_item_get_child (list_item);
  TbCommandItem *item = gtk_list_item_get_item (list_item);
  const char *keys = tb_command_item_get_keys (item);
  g_autofree char *label = NULL;

  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (box)),
                      tb_command_item_get_title (item));
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (box)), keys);
  gtk_widget_set_sensitive (box, tb_command_item_is_enabled (item));
  gtk_list_item_set_activatable (list_item, tb_command_item_is_enabled (item));
  label = keys[0] != '\0' ? g_strdup_printf ("%s, %s", tb_command_item_get_title (item), keys)
                          : g_strdup (tb_command_item_get_title (item));
  gtk_list_item_set_accessible_label (list_item, label);
}

static void
tb_command_palette_init (TbCommandPalette *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->words = g_strdup ("");
  g_signal_connect (factory, "setup", G_CALLBACK (set_up_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  gtk_list_view_set_factory (self->view, factory);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (search_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "changed", G_CALLBACK (search_changed), self,
                           G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->search), keys);
}

/**
 * tb_command_palette_new:
 * @window: window in which the chosen command runs
 *
 * Returns: a dialog that lists every action, with search
 */
AdwDialog *
tb_command_palette_new (TbWindow *window)
{
  TbCommandPalette *self = g_object_new (TB_TYPE_COMMAND_PALETTE, NULL);
  GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare, NULL, NULL));
  GtkSortListModel *sorted = gtk_sort_list_model_new (tb_command_list_new (window), sorter);

  g_set_weak_pointer (&self->window, window);
  self->filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (
      gtk_filter_list_model_new (G_LIST_MODEL (sorted), g_object_ref (self->filter))));
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (found_changed), self,
                           G_CONNECT_SWAPPED);
  gtk_list_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  return ADW_DIALOG (self);
}
