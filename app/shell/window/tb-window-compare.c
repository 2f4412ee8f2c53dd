/* tb-window-compare.c: comparisons of recordings in the tabs of a window: opening one, adding
 * recordings to a side, swapping the sides, showing an occurrence in its own recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/window/tb-compare-dialog.h"
#include "shell/window/tb-window-private.h"

/**
 * tb_window_compare:
 * @base: a recording
 * @other: another recording
 * @in_front: whether to select the tab
 *
 * Opens a comparison of both in a tab, or selects the tab if the comparison is already open.
 *
 * Returns: (transfer none): its page
 */
TbDocumentPage *
tb_window_compare (TbWindow *self, GFile *base, GFile *other, gboolean in_front)
{
  g_autoptr (GPtrArray) bases = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (bases, g_object_ref (base));
  g_ptr_array_add (others, g_object_ref (other));
  return tb_window_compare_several (self, bases, others, in_front);
}

/* The separator is a line break, which a URI cannot contain. (transfer full) */
static char *
join_side (GPtrArray *files)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *uri = g_file_get_uri (g_ptr_array_index (files, i));

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", uri);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * tb_window_join_side:
 * @document: a comparison
 * @base: %TRUE for the base, %FALSE for the other side
 *
 * Returns: (transfer full): the URIs of the recordings of the side, one per line
 */
char *
tb_window_join_side (TbDocument *document, gboolean base)
{
  g_autoptr (GPtrArray) files = tb_document_list_side (document, base);

  return join_side (files);
}

/* (transfer full) */
GPtrArray *
tb_window_split_side (const char *uris)
{
  g_auto (GStrv) lines = g_strsplit (uris, "\n", -1);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_ptr_array_add (files, g_file_new_for_uri (lines[i]));
  return files;
}

/**
 * tb_window_compare_several:
 * @bases: (element-type GFile): recordings, at least one
 * @others: (element-type GFile): recordings that are compared with them, at least one
 * @in_front: whether to select the tab
 *
 * Opens a comparison of all in a tab, or selects the tab if the comparison is already open.
 *
 * Returns: (transfer none): its page
 */
TbDocumentPage *
tb_window_compare_several (TbWindow *self, GPtrArray *bases, GPtrArray *others, gboolean in_front)
{
  g_autoptr (TbDocument) document = NULL;
  g_autofree char *base_uris = NULL;
  g_autofree char *other_uris = NULL;

  g_return_val_if_fail (TB_IS_WINDOW (self) && bases->len > 0 && others->len > 0, NULL);

  base_uris = join_side (bases);
  other_uris = join_side (others);
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      AdwTabPage *page = adw_tab_view_get_nth_page (self->tab_view, i);
      GtkWidget *child = adw_tab_page_get_child (page);
      TbDocument *open = TB_IS_DOCUMENT_PAGE (child)
                             ? tb_document_page_get_document (TB_DOCUMENT_PAGE (child))
                             : NULL;
      g_autofree char *open_bases = open != NULL && tb_document_is_comparison (open)
                                        ? tb_window_join_side (open, TRUE)
                                        : NULL;
      g_autofree char *open_others = open_bases != NULL ? tb_window_join_side (open, FALSE) : NULL;

      if (g_strcmp0 (open_bases, base_uris) != 0 || g_strcmp0 (open_others, other_uris) != 0)
        continue;
      if (in_front)
        adw_tab_view_set_selected_page (self->tab_view, page);
      return TB_DOCUMENT_PAGE (child);
    }
  document = tb_document_new_comparison_of_several (bases, others);
  return tb_window_add_document (self, document, adw_tab_view_get_selected_page (self->tab_view),
                                 in_front);
}

static void
chosen (TbWindow *self, GFile *base, GFile *other)
{
  tb_window_compare (self, base, other, TRUE);
}

static void
compare_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbWindow *self = data;
  TbDocument *document = tb_window_get_document (self);
  AdwDialog *dialog;

  if (document == NULL)
    return;
  dialog = tb_compare_dialog_new (tb_document_get_file (document));
  for (int i = 0; i < adw_tab_view_get_n_pages (self->tab_view); i++)
    {
      GtkWidget *child = adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, i));
      TbDocument *open = TB_IS_DOCUMENT_PAGE (child)
                             ? tb_document_page_get_document (TB_DOCUMENT_PAGE (child))
                             : NULL;

      if (open != NULL && open != document && tb_document_is_recording (open))
        tb_compare_dialog_add_open (TB_COMPARE_DIALOG (dialog), tb_document_get_file (open));
    }
  g_signal_connect_object (dialog, "compare", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

/* Opens the comparison with base and other side swapped in a new tab. */
static void
swap_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocument *document = tb_window_get_document (data);
  g_autoptr (GPtrArray) bases = NULL;
  g_autoptr (GPtrArray) others = NULL;

  if (document == NULL || !tb_document_is_comparison (document))
    return;
  bases = tb_document_list_side (document, TRUE);
  others = tb_document_list_side (document, FALSE);
  tb_window_compare_several (data, others, bases, TRUE);
}

/* --- adding recordings to a side --- */

typedef struct
{
  TbWindow *window;
  TbDocument *document;
  gboolean base;
} AddRequest;

static gboolean
has_file (GPtrArray *files, GFile *file)
{
  return g_ptr_array_find_with_equal_func (files, file, (GEqualFunc) g_file_equal, NULL);
}

/* Adds only recordings that the side does not have yet: a duplicate would make differences seem
 * smaller than they are. */
static void
files_chosen (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree AddRequest *request = data;
  g_autoptr (TbWindow) window = request->window;
  g_autoptr (TbDocument) document = request->document;
  g_autoptr (GListModel) chosen_files
      = gtk_file_dialog_open_multiple_finish (GTK_FILE_DIALOG (object), result, NULL);
  g_autoptr (GPtrArray) bases = tb_document_list_side (document, TRUE);
  g_autoptr (GPtrArray) others = tb_document_list_side (document, FALSE);

  GPtrArray *side = request->base ? bases : others;
  guint n_before = side->len;

  for (guint i = 0; chosen_files != NULL && i < g_list_model_get_n_items (chosen_files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (chosen_files, i);

      if (!has_file (side, file))
        g_ptr_array_add (side, g_object_ref (file));
    }
  if (side->len > n_before)
    tb_window_compare_several (window, bases, others, TRUE);
  else if (chosen_files != NULL)
    tb_window_toast (window, _ ("Already part of this side"));
}

static void
add_to_side (TbWindow *self, gboolean base)
{
  TbDocument *document = tb_window_get_document (self);
  g_autoptr (GtkFileDialog) dialog = NULL;
  AddRequest *request;

  if (document == NULL || !tb_document_is_comparison (document))
    return;
  dialog = gtk_file_dialog_new ();
  gtk_file_dialog_set_title (dialog, base ? _ ("Add to the Base") : _ ("Add to the Other Side"));
  request = g_new (AddRequest, 1);
  *request = (AddRequest) { g_object_ref (self), g_object_ref (document), base };
  gtk_file_dialog_open_multiple (dialog, GTK_WINDOW (self), NULL, files_chosen, request);
}

static void
add_base_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  add_to_side (data, TRUE);
}

static void
add_other_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  add_to_side (data, FALSE);
}

/* --- showing one of the recordings --- */

/* A time range of a thread. */
typedef struct
{
  guint32 thread;
  gint64 from;
  gint64 to;
} Place;

#define PLACE "tb-place-to-show"

static void
show_place (TbDocumentPage *page, const Place *place)
{
  TbFocus *focus = tb_document_get_focus (tb_document_page_get_document (page));

  tb_document_page_show_analysis (page, "threads");
  tb_focus_begin_change (focus);
  tb_focus_reveal (focus, place->from, place->to);
  tb_focus_select_item (focus, NULL, NULL, place->thread, place->from, place->to, NULL);
  tb_focus_end_change (focus);
}

static void
show_pending_place (TbDocument *document, GParamSpec *pspec, TbDocumentPage *page)
{
  TbDocumentState state = tb_document_get_state (document);

  if (state == TB_DOCUMENT_READY)
    show_place (page, g_object_get_data (G_OBJECT (page), PLACE));
  if (state == TB_DOCUMENT_READY || state == TB_DOCUMENT_FAILED)
    g_signal_handlers_disconnect_by_func (document, show_pending_place, page);
}

/* Target: side of the comparison, index of the recording on it, thread, from and to in ns. */
static void
show_in_recording_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  TbDocument *document = tb_window_get_document (data), *recording;
  g_autoptr (GPtrArray) files = NULL;
  TbDocumentPage *page;
  gboolean base;
  guint32 recording_of_side;
  Place place;

  if (document == NULL || !tb_document_is_comparison (document))
    return;
  g_variant_get (parameter, "(buuxx)", &base, &recording_of_side, &place.thread, &place.from,
                 &place.to);
  files = tb_document_list_side (document, base);
  if (recording_of_side >= files->len)
    return;
  page = tb_window_open (data, g_ptr_array_index (files, recording_of_side), TRUE);
  recording = tb_document_page_get_document (page);
  if (tb_document_get_state (recording) == TB_DOCUMENT_READY)
    {
      show_place (page, &place);
      return;
    }
  g_object_set_data_full (G_OBJECT (page), PLACE, g_memdup2 (&place, sizeof place), g_free);
  g_signal_handlers_disconnect_by_func (recording, show_pending_place, page);
  g_signal_connect_object (recording, "notify::state", G_CALLBACK (show_pending_place), page, 0);
}

static const GActionEntry actions[] = {
  { "compare", compare_action },
  { "swap-comparison", swap_action },
  { "add-to-base", add_base_action },
  { "add-to-other", add_other_action },
  { "show-in-recording", show_in_recording_action, "(buuxx)" },
};

void
tb_window_add_compare_actions (TbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
