/* tb-candidates-dialog.c: dialog to choose a value for an option of an analysis: list of the values
 * in the recording (from tb-option-candidates, in a thread) in groups, with counts and text search;
 * signal with the chosen one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/options/tb-option-candidates.h"
#include "shell/document/tb-candidates-dialog.h"
#include "shell/document/tb-short-text.h"

/* --- list item --- */

#define TB_TYPE_CANDIDATE_ITEM (tb_candidate_item_get_type ())
G_DECLARE_FINAL_TYPE (TbCandidateItem, tb_candidate_item, TB, CANDIDATE_ITEM, GObject)

struct _TbCandidateItem
{
  GObject parent;

  TbOptionCandidate *candidate;
  guint group; /* index of the group */
};

enum
{
  ITEM_PROP_0,
  ITEM_PROP_GROUP,
  ITEM_PROP_TEXT,
  N_ITEM_PROPS
};

static GParamSpec *item_props[N_ITEM_PROPS];

G_DEFINE_FINAL_TYPE (TbCandidateItem, tb_candidate_item, G_TYPE_OBJECT)

static void
tb_candidate_item_finalize (GObject *object)
{
  tb_option_candidate_free (TB_CANDIDATE_ITEM (object)->candidate);
  G_OBJECT_CLASS (tb_candidate_item_parent_class)->finalize (object);
}

static void
tb_candidate_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbCandidateItem *self = TB_CANDIDATE_ITEM (object);

  switch (id)
    {
    case ITEM_PROP_GROUP:
      g_value_set_uint (value, self->group);
      break;
    case ITEM_PROP_TEXT:
      g_value_take_string (value, g_strjoin (" ", self->candidate->label, self->candidate->group,
                                             self->candidate->text, NULL));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_candidate_item_class_init (TbCandidateItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = tb_candidate_item_finalize;
  object_class->get_property = tb_candidate_item_get_property;
  item_props[ITEM_PROP_GROUP] = g_param_spec_uint ("group", NULL, NULL, 0, G_MAXUINT, 0, flags);
  /* Text that the search matches. */
  item_props[ITEM_PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_ITEM_PROPS, item_props);
}

static void
tb_candidate_item_init (TbCandidateItem *self)
{
}

/* --- dialog --- */

struct _TbCandidatesDialog
{
  AdwDialog parent;

  GCancellable *cancellable;
  GtkSearchEntry *search;
  GtkStack *stack;
  GtkListView *view;
  AdwStatusPage *status;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbCandidatesDialog, tb_candidates_dialog, ADW_TYPE_DIALOG)

static void
tb_candidates_dialog_dispose (GObject *object)
{
  TbCandidatesDialog *self = TB_CANDIDATES_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), TB_TYPE_CANDIDATES_DIALOG);
  G_OBJECT_CLASS (tb_candidates_dialog_parent_class)->dispose (object);
}

static void
tb_candidates_dialog_finalize (GObject *object)
{
  g_object_unref (TB_CANDIDATES_DIALOG (object)->cancellable);
  G_OBJECT_CLASS (tb_candidates_dialog_parent_class)->finalize (object);
}

static void
activated (TbCandidatesDialog *self, guint position)
{
  GtkSelectionModel *model = gtk_list_view_get_model (self->view);
  g_autoptr (TbCandidateItem) item
      = model != NULL ? g_list_model_get_item (G_LIST_MODEL (model), position) : NULL;

  if (item == NULL)
    return;
  g_signal_emit (self, signals[CHOSEN], 0, item->candidate->text);
  adw_dialog_close (ADW_DIALOG (self));
}

/* Enter chooses the first match. */
static void
search_activated (TbCandidatesDialog *self)
{
  activated (self, 0);
}

static void
tb_candidates_dialog_class_init (TbCandidatesDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = tb_candidates_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = tb_candidates_dialog_finalize;
  /* Emitted with the value, in command-line syntax. */
  signals[CHOSEN] = g_signal_new ("chosen", TB_TYPE_CANDIDATES_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-candidates-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, TbCandidatesDialog, search);
  gtk_widget_class_bind_template_child (widget_class, TbCandidatesDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, TbCandidatesDialog, view);
  gtk_widget_class_bind_template_child (widget_class, TbCandidatesDialog, status);
}

static GtkWidget *
make_label (const char *class, float xalign)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = make_label (NULL, 0), *count = make_label ("numeric", 1);

  /* Functions of a library differ in the ends of their names. */
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  tb_short_text_add_tooltip (name);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (count, "dimmed");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), count);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_list_item_set_child (list_item, box);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  const TbOptionCandidate *candidate
      = TB_CANDIDATE_ITEM (gtk_list_item_get_item (list_item))->candidate;
  GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  g_autofree char *n = tb_format_count (candidate->count);
  g_autofree char *count = g_strdup_printf (
      /* Translators: number of occurrences, occurrences per second */
      _ ("%s · %.3g/s"), n, candidate->per_second);
  g_autofree char *spoken = g_strdup_printf (
      /* Translators: kind, name, number of occurrences, occurrences per second */
      ngettext ("%s: %s, %s time, %.3g per second", "%s: %s, %s times, %.3g per second",
                (gulong) MIN (candidate->count, G_MAXINT)),
      candidate->group, candidate->label, n, candidate->per_second);

  gtk_label_set_text (GTK_LABEL (name), candidate->label);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (name)), count);
  gtk_list_item_set_accessible_label (list_item, spoken);
}

static void
setup_heading (GtkSignalListItemFactory *factory, GtkListHeader *header)
{
  GtkWidget *label = make_label ("heading", 0);

  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_end (label, 12);
  gtk_list_header_set_child (header, label);
}

static void
bind_heading (GtkSignalListItemFactory *factory, GtkListHeader *header)
{
  TbCandidateItem *item = gtk_list_header_get_item (header);

  gtk_label_set_text (GTK_LABEL (gtk_list_header_get_child (header)), item->candidate->group);
}

static void
tb_candidates_dialog_init (TbCandidatesDialog *self)
{
  g_autoptr (GtkListItemFactory) rows = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkListItemFactory) headings = gtk_signal_list_item_factory_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
  g_signal_connect (rows, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (rows, "bind", G_CALLBACK (bind_row), NULL);
  g_signal_connect (headings, "setup", G_CALLBACK (setup_heading), NULL);
  g_signal_connect (headings, "bind", G_CALLBACK (bind_heading), NULL);
  gtk_list_view_set_factory (self->view, rows);
  gtk_list_view_set_header_factory (self->view, headings);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (search_activated), self,
                           G_CONNECT_SWAPPED);
}

static void
show_empty (TbCandidatesDialog *self, const char *title, const char *description)
{
  g_autofree char *escaped = description != NULL ? g_markup_escape_text (description, -1) : NULL;

  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, escaped);
  gtk_stack_set_visible_child_name (self->stack, "nothing");
}

/* GtkListView keeps the first row visible, but not the heading above it. */
static gboolean
scroll_to_top (GtkWidget *view, GdkFrameClock *clock, gpointer data)
{
  gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)), 0);
  return G_SOURCE_REMOVE;
}

static void
found_changed (TbCandidatesDialog *self,
               guint position,
               guint removed,
               guint added,
               GListModel *found)
{
  if (g_list_model_get_n_items (found) == 0)
    show_empty (self, _ ("Nothing Found"), NULL);
  else
    gtk_stack_set_visible_child_name (self->stack, "list");
}

static void
show_list (TbCandidatesDialog *self, GPtrArray *candidates)
{
  GListStore *items = g_list_store_new (TB_TYPE_CANDIDATE_ITEM);
  GtkStringFilter *filter
      = gtk_string_filter_new (gtk_property_expression_new (TB_TYPE_CANDIDATE_ITEM, NULL, "text"));
  GtkSortListModel *sorted;
  g_autoptr (GtkSorter) sections = NULL;
  g_autoptr (GtkFilterListModel) found = NULL;
  g_autoptr (GtkSelectionModel) selection = NULL;
  const char *group = NULL;
  guint n_groups = 0;

  g_ptr_array_set_free_func (candidates, NULL);
  for (guint i = 0; i < candidates->len; i++)
    {
      g_autoptr (TbCandidateItem) item = g_object_new (TB_TYPE_CANDIDATE_ITEM, NULL);

      item->candidate = g_ptr_array_index (candidates, i);
      n_groups += g_strcmp0 (group, item->candidate->group) != 0;
      group = item->candidate->group;
      item->group = n_groups;
      g_list_store_append (items, item);
    }
  sections = GTK_SORTER (
      gtk_numeric_sorter_new (gtk_property_expression_new (TB_TYPE_CANDIDATE_ITEM, NULL, "group")));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (items), NULL);
  gtk_sort_list_model_set_section_sorter (sorted, sections);
  found = gtk_filter_list_model_new (G_LIST_MODEL (sorted), GTK_FILTER (filter));
  g_object_bind_property (self->search, "text", filter, "search", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (found, "items-changed", G_CALLBACK (found_changed), self,
                           G_CONNECT_SWAPPED);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (found))));
  gtk_list_view_set_model (self->view, selection);
  found_changed (self, 0, 0, 0, G_LIST_MODEL (found));
  gtk_widget_add_tick_callback (GTK_WIDGET (self->view), scroll_to_top, NULL, NULL);
}

/* --- search for values --- */

typedef struct
{
  TbAnalysis *analysis;
  char *option;
  TbTrace *trace;
  TbSelection *selection;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->analysis);
  g_object_unref (request->trace);
  g_object_unref (request->selection);
  g_free (request->option);
  g_free (request);
}

static void
list_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;
  GPtrArray *found
      = tb_option_list_candidates (G_OBJECT (request->analysis), request->option, request->trace,
                                   request->selection, cancellable, &error);

  if (found != NULL)
    g_task_return_pointer (task, found, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
listed (GObject *source, GAsyncResult *result, gpointer data)
{
  TbCandidatesDialog *self = TB_CANDIDATES_DIALOG (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    show_empty (self, _ ("Could Not Search the Recording"), error->message);
  else if (found->len == 0)
    show_empty (self, _ ("Nothing to Choose From"),
                _ ("The analyzed part of the recording has no value for this option."));
  else
    show_list (self, found);
}

/**
 * tb_candidates_dialog_new:
 * @document: document with a trace
 * @analysis: (transfer full): analysis with the option and its other options set; not used
 *   elsewhere
 * @option: name of the option
 *
 * Returns: a dialog; its signal `chosen` passes the value
 */
AdwDialog *
tb_candidates_dialog_new (TbDocument *document, TbAnalysis *analysis, const char *option)
{
  TbCandidatesDialog *self = g_object_new (TB_TYPE_CANDIDATES_DIALOG, NULL);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (analysis), option);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, listed, NULL);
  Request *request = g_new0 (Request, 1);

  adw_dialog_set_title (ADW_DIALOG (self), g_param_spec_get_nick (pspec));
  request->analysis = analysis;
  request->option = g_strdup (option);
  request->trace = g_object_ref (tb_document_get_trace (document));
  request->selection = g_object_ref (tb_document_get_selection (document));
  g_task_set_source_tag (task, tb_candidates_dialog_new);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, list_thread);
  return ADW_DIALOG (self);
}
