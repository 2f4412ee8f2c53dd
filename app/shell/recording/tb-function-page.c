/* tb-function-page.c: page to choose a function or system call to probe in the program to record:
 * names that the collector suggests, search, any typed name; apart from the page, call in a thread
 * of the collector that estimates the cost of a probe
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-short-text.h"
#include "shell/recording/tb-function-page.h"

/**
 * TbFunctionPage:
 *
 * Emits `chosen` with the function. A typed name that is not listed is accepted as it is, for
 * example a function of a library that is not loaded yet.
 */
struct _TbFunctionPage
{
  AdwNavigationPage parent;

  GCancellable *cancellable;
  GtkFilterListModel *found;
  GtkStringFilter *filter;
  GtkSearchEntry *search;
  GtkStack *stack;
  GtkListView *view;
  AdwStatusPage *failure;
};

enum
{
  CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbFunctionPage, tb_function_page, ADW_TYPE_NAVIGATION_PAGE)

static void
tb_function_page_dispose (GObject *object)
{
  TbFunctionPage *self = TB_FUNCTION_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->found);
  G_OBJECT_CLASS (tb_function_page_parent_class)->dispose (object);
}

static void
tb_function_page_class_init (TbFunctionPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tb_function_page_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", TB_TYPE_FUNCTION_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
activated (TbFunctionPage *self, guint position)
{
  g_autoptr (GtkStringObject) item = g_list_model_get_item (G_LIST_MODEL (self->found), position);

  if (item != NULL)
    g_signal_emit (self, signals[CHOSEN], 0, gtk_string_object_get_string (item));
}

/* Enter accepts the typed text if it is a listed name, else the first match. Without a match, the
 * typed text is accepted. */
static void
search_activated (TbFunctionPage *self)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->search));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->found));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GtkStringObject) item = g_list_model_get_item (G_LIST_MODEL (self->found), i);

      if (g_str_equal (gtk_string_object_get_string (item), typed))
        n = 0;
    }
  if (n > 0)
    activated (self, 0);
  else if (typed[0] != '\0')
    g_signal_emit (self, signals[CHOSEN], 0, typed);
}

static void
show_found (TbFunctionPage *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "wait") != 0)
    gtk_stack_set_visible_child_name (
        self->stack, g_list_model_get_n_items (G_LIST_MODEL (self->found)) > 0 ? "list" : "none");
}

static void
set_up_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  tb_short_text_add_tooltip (label);
  gtk_list_item_set_child (item, label);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static GtkWidget *
make_list (TbFunctionPage *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkSelectionModel *selection
      = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->found))));
  GtkWidget *scroller = gtk_scrolled_window_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  self->view = GTK_LIST_VIEW (gtk_list_view_new (selection, factory));
  gtk_list_view_set_single_click_activate (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Functions"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  g_signal_connect_object (self->view, "activate", G_CALLBACK (activated), self, G_CONNECT_SWAPPED);
  return scroller;
}

/* Escape in the search goes back, as elsewhere on the page. */
static void
search_stopped (TbFunctionPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "navigation.pop", NULL);
}

static void
tb_function_page_init (TbFunctionPage *self)
{
  GtkWidget *toolbars = adw_toolbar_view_new (), *header = adw_header_bar_new ();

  adw_navigation_page_set_title (ADW_NAVIGATION_PAGE (self), _ ("Choose a Function"));
  adw_navigation_page_set_tag (ADW_NAVIGATION_PAGE (self), "function");
  self->filter = gtk_string_filter_new (
      gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));
  self->found = gtk_filter_list_model_new (NULL, GTK_FILTER (self->filter));
  gtk_filter_list_model_set_incremental (self->found, TRUE);
  self->search = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  gtk_search_entry_set_placeholder_text (self->search, _ ("Function, syscall:NAME or kernel:NAME"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Find a function"), -1);
  gtk_widget_set_margin_start (GTK_WIDGET (self->search), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->search), 12);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->search), 6);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, adw_spinner_new (), "wait");
  gtk_stack_add_named (self->stack, make_list (self), "list");
  self->failure = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_icon_name (self->failure, "edit-find-symbolic");
  adw_status_page_set_title (self->failure, _ ("No Function Found"));
  adw_status_page_set_description (self->failure,
                                   _ ("Press Enter to use the typed name as it is."));
  gtk_widget_add_css_class (GTK_WIDGET (self->failure), "compact");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->failure), "none");
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbars), header);
  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (toolbars), GTK_WIDGET (self->search));
  adw_toolbar_view_set_content (ADW_TOOLBAR_VIEW (toolbars), GTK_WIDGET (self->stack));
  adw_navigation_page_set_child (ADW_NAVIGATION_PAGE (self), toolbars);
  g_object_bind_property (self->search, "text", self->filter, "search", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->search, "stop-search", G_CALLBACK (search_stopped), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (search_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->found, "items-changed", G_CALLBACK (show_found), self,
                           G_CONNECT_SWAPPED);
}

/* Requests */

typedef struct
{
  TbLiveCollector *collector;
  char *option;
  TbTarget target;
  char *program;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->collector);
  g_free (request->option);
  g_free (request->program);
  g_free (request);
}

static void
list_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;
  GError *error = NULL;
  char **names = tb_live_collector_suggest (request->collector, request->option, &request->target,
                                            cancellable, &error);

  if (names != NULL)
    g_task_return_pointer (task, names, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, error);
}

static void
listed (GObject *object, GAsyncResult *result, gpointer data)
{
  TbFunctionPage *self = TB_FUNCTION_PAGE (object);
  g_auto (GStrv) names = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GtkStringList) list = NULL;

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  list = gtk_string_list_new ((const char *const *) names);
  gtk_stack_set_visible_child_name (self->stack, "none");
  gtk_filter_list_model_set_model (self->found, G_LIST_MODEL (list));
  show_found (self);
}

static Request *
request_new (TbLiveCollector *collector, const char *option, const TbTarget *target)
{
  Request *request = g_new0 (Request, 1);

  request->collector = g_object_ref (collector);
  request->option = g_strdup (option);
  request->program = g_strdup (target->program);
  request->target = *target;
  request->target.program = request->program;
  return request;
}

static void
estimate_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Request *request = data;

  g_task_return_pointer (task,
                         tb_live_collector_estimate (request->collector, &request->target, NULL),
                         g_free);
}

void
tb_function_page_estimate_async (TbLiveCollector *collector,
                                 const TbTarget *target,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_task_data (task, request_new (collector, NULL, target), request_free);
  g_task_run_in_thread (task, estimate_thread);
}

char *
tb_function_page_estimate_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

void
tb_function_page_list (TbFunctionPage *self,
                       TbLiveCollector *collector,
                       const char *option,
                       const TbTarget *target)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (TB_IS_FUNCTION_PAGE (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_filter_list_model_set_model (self->found, NULL);
  gtk_stack_set_visible_child_name (self->stack, "wait");
  task = g_task_new (self, self->cancellable, listed, NULL);
  g_task_set_task_data (task, request_new (collector, option, target), request_free);
  g_task_run_in_thread (task, list_thread);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

GListModel *
tb_function_page_get_found (TbFunctionPage *self)
{
  g_return_val_if_fail (TB_IS_FUNCTION_PAGE (self), NULL);
  return G_LIST_MODEL (self->found);
}
