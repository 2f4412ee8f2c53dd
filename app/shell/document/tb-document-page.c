/* tb-document-page.c: tab page of a document: progress or failure of loading, then sidebar, page of
 * the chosen analysis, details pane, overview strip; keys, layout if narrow, release of its widgets
 * in steps when closed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/commands/tb-key-filter.h"
#include "shell/document/tb-analysis-page-private.h"
#include "shell/document/tb-document-page-private.h"
#include "shell/tb-deferred-release.h"

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_BUSY,
  PROP_NARROW,
  PROP_SHOW_DETAILS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  ANALYSIS_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbDocumentPage, tb_document_page, ADW_TYPE_BIN)

static void
tb_document_page_dispose (GObject *object)
{
  TbDocumentPage *self = TB_DOCUMENT_PAGE (object);

  if (self->document != NULL)
    tb_document_close (self->document);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_document_page_parent_class)->dispose (object);
}

static void
tb_document_page_finalize (GObject *object)
{
  TbDocumentPage *self = TB_DOCUMENT_PAGE (object);

  g_free (self->title);
  g_free (self->subtitle);
  G_OBJECT_CLASS (tb_document_page_parent_class)->finalize (object);
}

static void
set_narrow (TbDocumentPage *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->analyses_stack));
       child != NULL; child = gtk_widget_get_next_sibling (child))
    if (TB_IS_ANALYSIS_PAGE (child))
      g_object_set (child, "narrow", narrow, NULL);
  gtk_widget_set_margin_start (self->main_box, narrow ? 6 : 12);
  gtk_widget_set_margin_end (self->main_box, narrow ? 6 : 12);
  gtk_widget_set_margin_top (self->main_box, narrow ? 6 : 10);
  gtk_widget_set_margin_bottom (self->main_box, narrow ? 6 : 12);
  gtk_box_set_spacing (GTK_BOX (self->main_box), narrow ? 6 : 10);
  tb_document_page_fit_strip (self);
  if (self->document != NULL && tb_document_get_state (self->document) == TB_DOCUMENT_READY)
    tb_document_page_show_banners (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NARROW]);
}

static gboolean
is_busy (TbDocumentPage *self)
{
  TbDocumentState state
      = self->document != NULL ? tb_document_get_state (self->document) : TB_DOCUMENT_CLOSED;

  return state == TB_DOCUMENT_LOADING || state == TB_DOCUMENT_SKETCHED;
}

static void
tb_document_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbDocumentPage *self = TB_DOCUMENT_PAGE (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, is_busy (self));
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_SHOW_DETAILS:
      g_value_set_boolean (value, adw_overlay_split_view_get_show_sidebar (self->details_view));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_document_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TbDocumentPage *self = TB_DOCUMENT_PAGE (object);

  switch (id)
    {
    case PROP_NARROW:
      set_narrow (self, g_value_get_boolean (value));
      break;
    case PROP_SHOW_DETAILS:
      adw_overlay_split_view_set_show_sidebar (self->details_view, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

/* The document is loaded when its page is first shown, so that a restored tab costs nothing until
 * then. */
static void
tb_document_page_map (GtkWidget *widget)
{
  TbDocumentPage *self = TB_DOCUMENT_PAGE (widget);

  GTK_WIDGET_CLASS (tb_document_page_parent_class)->map (widget);
  if (!self->was_mapped)
    {
      self->was_mapped = TRUE;
      tb_document_load (self->document);
    }
}

static void
reload_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_document_load (TB_DOCUMENT_PAGE (widget)->document);
}

/* These are not accelerators, because an entry needs the keys for typing. A figure with its own use
 * of a key handles it first. */
static void
add_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } keys[] = {
    { GDK_KEY_period, 0, "win.next-occurrence" },
    { GDK_KEY_comma, 0, "win.previous-occurrence" },
    { GDK_KEY_w, 0, "win.zoom-in" },
    { GDK_KEY_s, 0, "win.zoom-out" },
    { GDK_KEY_a, 0, "win.pan-earlier" },
    { GDK_KEY_d, 0, "win.pan-later" },
    { GDK_KEY_f, 0, "win.zoom-selection" },
    { GDK_KEY_m, 0, "win.add-bookmark" },
    { GDK_KEY_c, 0, "win.go-to-cause" },
    { GDK_KEY_slash, 0, "win.search" },
    { GDK_KEY_slash, GDK_SHIFT_MASK, "win.search" },
    { GDK_KEY_question, 0, "win.show-help-overlay" },
    { GDK_KEY_question, GDK_SHIFT_MASK, "win.show-help-overlay" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, keys[i].modifiers,
                                         keys[i].action, NULL);
}

static void
tb_document_page_class_init (TbDocumentPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  g_type_ensure (TB_TYPE_SIDEBAR);
  g_type_ensure (TB_TYPE_DETAILS_PANE);
  g_type_ensure (TB_TYPE_LIMIT_BAR);
  object_class->dispose = tb_document_page_dispose;
  object_class->finalize = tb_document_page_finalize;
  object_class->get_property = tb_document_page_get_property;
  object_class->set_property = tb_document_page_set_property;
  widget_class->map = tb_document_page_map;
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  props[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  props[PROP_NARROW]
      = g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  props[PROP_SHOW_DETAILS]
      = g_param_spec_boolean ("show-details", NULL, NULL, TRUE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  /* Emitted when the visible analysis has a new report, or another analysis or figure is shown. */
  signals[ANALYSIS_CHANGED] = g_signal_new ("analysis-changed", TB_TYPE_DOCUMENT_PAGE,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-document-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, stack);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, loading_status);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, loading_bar);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, failed_status);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, sidebar_view);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, details_view);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, sidebar);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, details);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, copy_banner);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, copy_button);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, copy_content);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, notices_box);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, warning_button);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, warning_label);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, main_box);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, strip_bin);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, limit_bar);
  gtk_widget_class_bind_template_child (widget_class, TbDocumentPage, analyses_stack);
  gtk_widget_class_install_action (widget_class, "document.reload", NULL, reload_action);
  gtk_widget_class_install_action (widget_class, "document.show-warnings", NULL,
                                   tb_document_page_show_warnings);
  add_keys (widget_class);
}

static void
set_subtitle (TbDocumentPage *self)
{
  g_autofree char *subtitle = tb_document_describe (self->document);

  if (g_set_str (&self->subtitle, subtitle))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SUBTITLE]);
}

static void
figure_changed (TbDocumentPage *self)
{
  g_signal_emit (self, signals[ANALYSIS_CHANGED], 0);
}

static void
analysis_selected (TbDocumentPage *self, TbAnalysisItem *item)
{
  const char *id = tb_analysis_item_get_id (item);
  GtkWidget *page = gtk_stack_get_child_by_name (self->analyses_stack, id);

  if (page == NULL)
    {
      page = tb_analysis_page_new (self->document, item);
      g_object_set (page, "narrow", self->narrow, NULL);
      g_signal_connect_object (page, "figure-changed", G_CALLBACK (figure_changed), self,
                               G_CONNECT_SWAPPED);
      gtk_stack_add_named (self->analyses_stack, page, id);
    }
  tb_document_ensure_report (self->document, item);
  gtk_stack_set_visible_child (self->analyses_stack, page);
  g_signal_emit (self, signals[ANALYSIS_CHANGED], 0);
}

/* A collapsed sidebar covers what was just selected. */
static void
hide_collapsed_sidebar (TbDocumentPage *self)
{
  if (adw_overlay_split_view_get_collapsed (self->sidebar_view))
    adw_overlay_split_view_set_show_sidebar (self->sidebar_view, FALSE);
}

static void
bookmark_activated (TbDocumentPage *self, gint64 from, gint64 to, guint thread)
{
  TbFocus *focus = tb_document_get_focus (self->document);

  tb_focus_begin_change (focus);
  tb_focus_set_view (focus, from - (to - from) / 2, to + (to - from) / 2);
  if (thread != TB_ID_NONE)
    tb_focus_select_item (focus, NULL, NULL, thread, from, to, NULL);
  else
    tb_focus_select_range (focus, from, to);
  tb_focus_end_change (focus);
  hide_collapsed_sidebar (self);
}

static void
details_shown (TbDocumentPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SHOW_DETAILS]);
}

/* Collapsed panes cover the page, so they are shown only on demand. */
static void
collapsed (AdwOverlaySplitView *view)
{
  adw_overlay_split_view_set_show_sidebar (view, !adw_overlay_split_view_get_collapsed (view));
}

/* Side buttons of the mouse go back and forward, as in a browser. */
static void
side_button_pressed (TbDocumentPage *self, int n_press, double x, double y, GtkGesture *gesture)
{
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button != 8 && button != 9)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_activate_action (GTK_WIDGET (self), button == 8 ? "win.go-back" : "win.go-forward",
                              NULL);
}

static void
add_side_buttons (TbDocumentPage *self)
{
  GtkGesture *gesture = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (gesture, "pressed", G_CALLBACK (side_button_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
}

static void
tb_document_page_init (TbDocumentPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_side_buttons (self);
  tb_key_filter_attach (GTK_WIDGET (self));
  g_signal_connect_object (self->sidebar, "analysis-selected", G_CALLBACK (analysis_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sidebar, "analysis-activated", G_CALLBACK (hide_collapsed_sidebar),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->sidebar, "bookmark-activated", G_CALLBACK (bookmark_activated),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->details_view, "notify::show-sidebar", G_CALLBACK (details_shown),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self->sidebar_view, "notify::collapsed", G_CALLBACK (collapsed), NULL);
  g_signal_connect (self->details_view, "notify::collapsed", G_CALLBACK (collapsed), NULL);
}

static void
report_finished (TbDocumentPage *self, TbAnalysisItem *item)
{
  g_signal_emit (self, signals[ANALYSIS_CHANGED], 0);
  tb_document_page_take_overview (self, tb_analysis_item_get_report (item));
}

static void
selection_changed (TbDocumentPage *self)
{
  set_subtitle (self);
}

static void
fill_page (TbDocumentPage *self)
{
  tb_document_page_fill_strip (self);
  tb_sidebar_set_document (self->sidebar, self->document);
  tb_details_pane_set_document (self->details, self->document);
  tb_limit_bar_set_document (self->limit_bar, self->document);
  g_signal_connect_object (tb_document_get_focus (self->document), "selection-changed",
                           G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
}

/* Shows the document: all of it, or a preview until the trace is loaded. */
static void
show_document (TbDocumentPage *self)
{
  GListModel *analyses = tb_document_get_analyses (self->document);
  const char *first;

  if (adw_bin_get_child (self->strip_bin) == NULL)
    fill_page (self);
  tb_document_page_show_preview (self);
  for (guint i = 0; i < g_list_model_get_n_items (analyses); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, i);

      g_signal_connect_object (item, "finished", G_CALLBACK (report_finished), self,
                               G_CONNECT_SWAPPED);
    }
  set_subtitle (self);
  gtk_stack_set_visible_child_name (self->stack, "document");
  self->is_shown = TRUE;

  /* If the analysis to begin with is not installed, then "threads", then the first of the list. */
  first = tb_document_is_recording (self->document)
              ? tb_session_get_first_analysis (tb_document_get_session (self->document))
              : NULL;
  if (!(first != NULL && tb_document_page_show_analysis (self, first))
      && !tb_document_page_show_analysis (self, "threads")
      && g_list_model_get_n_items (analyses) > 0)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (analyses, 0);

      tb_sidebar_select (self->sidebar, item);
    }
}

static void
show_failure (TbDocumentPage *self)
{
  g_autofree char *name = tb_document_dup_name (self->document);
  g_autofree char *title = g_strdup_printf (_ ("Could Not Open “%s”"), name);
  g_autofree char *description
      = g_markup_escape_text (tb_document_get_error (self->document)->message, -1);

  adw_status_page_set_title (self->failed_status, title);
  adw_status_page_set_description (self->failed_status, description);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

/* Used when loading fails after a preview was shown. */
static void
remove_analysis_pages (TbDocumentPage *self)
{
  GtkWidget *child, *next;

  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->analyses_stack)); child != NULL;
       child = next)
    {
      next = gtk_widget_get_next_sibling (child);
      if (TB_IS_ANALYSIS_PAGE (child))
        gtk_stack_remove (self->analyses_stack, child);
    }
  self->is_shown = FALSE;
}

static void
state_changed (TbDocumentPage *self)
{
  switch (tb_document_get_state (self->document))
    {
    case TB_DOCUMENT_LOADING:
      gtk_stack_set_visible_child_name (self->stack, "loading");
      break;
    case TB_DOCUMENT_SKETCHED:
      show_document (self);
      break;
    case TB_DOCUMENT_READY:
      if (!self->is_shown)
        show_document (self);
      tb_document_page_show_banners (self);
      break;
    case TB_DOCUMENT_FAILED:
      remove_analysis_pages (self);
      show_failure (self);
      break;
    case TB_DOCUMENT_CLOSED:
    default:
      tb_document_page_drop_options (self);
      break;
    }
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
}

/* Gathering the facts may have found parts that cannot be read. */
static void
facts_known (TbDocumentPage *self)
{
  if (tb_document_get_state (self->document) == TB_DOCUMENT_READY)
    tb_document_page_show_banners (self);
}

static void
progressed (TbDocumentPage *self)
{
  TbProgress *progress = tb_document_get_progress (self->document);

  gtk_progress_bar_set_fraction (self->loading_bar, tb_progress_get_share (progress));
  if (tb_progress_get_text (progress) != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (tb_progress_get_text (progress), -1);

      adw_status_page_set_description (self->loading_status, escaped);
    }
}

/**
 * tb_document_page_new:
 * @document: document to show; it is loaded when the page is first mapped
 *
 * Returns: a page
 */
GtkWidget *
tb_document_page_new (TbDocument *document)
{
  TbDocumentPage *self = g_object_new (TB_TYPE_DOCUMENT_PAGE, NULL);
  g_autofree char *loading = NULL;

  self->document = g_object_ref (document);
  self->title = tb_document_dup_name (document);
  loading = g_strdup_printf (_ ("Opening “%s”…"), self->title);
  adw_status_page_set_title (self->loading_status, loading);
  g_signal_connect_object (document, "notify::state", G_CALLBACK (state_changed), self,
                           G_CONNECT_SWAPPED);
  tb_document_page_watch_importer (self);
  g_signal_connect_object (document, "notify::facts", G_CALLBACK (facts_known), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "limit-changed", G_CALLBACK (set_subtitle), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_progress (document), "notify", G_CALLBACK (progressed),
                           self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

TbDocument *
tb_document_page_get_document (TbDocumentPage *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT_PAGE (self), NULL);
  return self->document;
}

void
tb_document_page_toggle_sidebar (TbDocumentPage *self)
{
  g_return_if_fail (TB_IS_DOCUMENT_PAGE (self));

  adw_overlay_split_view_set_show_sidebar (self->sidebar_view,
                                           !adw_overlay_split_view_get_show_sidebar (
                                               self->sidebar_view));
}

static GtkWidget *
take_analysis_part (TbDocumentPage *self, GtkWidget *page)
{
  GtkWidget *view = tb_analysis_page_take_figure (TB_ANALYSIS_PAGE (page));

  if (view != NULL)
    return view;
  g_object_ref (page);
  gtk_stack_remove (self->analyses_stack, page);
  return page;
}

static GtkWidget *
take_part (GtkWidget *widget)
{
  TbDocumentPage *self = TB_DOCUMENT_PAGE (widget);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->analyses_stack));
  GtkWidget *strip = adw_bin_get_child (self->strip_bin);

  for (; child != NULL; child = gtk_widget_get_next_sibling (child))
    if (TB_IS_ANALYSIS_PAGE (child))
      return take_analysis_part (self, child);
  if (strip == NULL)
    return NULL;
  g_object_ref (strip);
  adw_bin_set_child (self->strip_bin, NULL);
  return strip;
}

/**
 * tb_document_page_close:
 *
 * Cancels all background work at once, and destroys the page, which is no longer visible, step by
 * step.
 */
void
tb_document_page_close (TbDocumentPage *self)
{
  g_return_if_fail (TB_IS_DOCUMENT_PAGE (self));

  tb_document_close (self->document);
  tb_release_parts (g_object_ref (GTK_WIDGET (self)), take_part);
}
