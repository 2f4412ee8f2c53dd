/* tb-analysis-page.c: page of one analysis: its findings above its figures (tb-analysis-figures);
 * before the first report the progress or a preview, after a failure the error or the choice of a
 * process; actions that run or cancel it and open its options
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-analysis-page-private.h"
#include "shell/document/tb-figure-menu.h"
#include "shell/document/tb-options-dialog.h"
#include "shell/scenarios/tb-scenarios-pane.h"
#include "widgets/tb-figure-view.h"

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  FIGURE_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbAnalysisPage, tb_analysis_page, ADW_TYPE_BIN)

static void
tb_analysis_page_dispose (GObject *object)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (object);

  g_clear_handle_id (&self->space.refit, g_source_remove);
  if (self->document != NULL)
    tb_analysis_page_drop_figures (self);
  g_clear_pointer (&self->figures_bin, tb_figure_menu_detach);
  g_clear_object (&self->report);
  g_clear_object (&self->followed.finding);
  g_clear_pointer (&self->followed.item, g_free);
  g_clear_object (&self->tables);
  g_clear_object (&self->item);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_analysis_page_parent_class)->dispose (object);
}

static void
set_narrow (TbAnalysisPage *self, gboolean narrow)
{
  if (self->space.is_narrow == narrow)
    return;
  self->space.is_narrow = narrow;
  gtk_scrolled_window_set_policy (self->legend_scroller,
                                  narrow ? GTK_POLICY_EXTERNAL : GTK_POLICY_NEVER,
                                  GTK_POLICY_NEVER);
  gtk_scrollable_set_hscroll_policy (GTK_SCROLLABLE (self->legend_viewport),
                                     narrow ? GTK_SCROLL_NATURAL : GTK_SCROLL_MINIMUM);
  gtk_box_set_spacing (GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (self->figure_paned))),
                       narrow ? 6 : 8);
  tb_analysis_page_show_switcher (self);
  tb_analysis_page_fit_scenarios (self);
  g_object_set (self->findings_list, "narrow", narrow, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NARROW]);
}

static void
tb_analysis_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (object);

  switch (id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, self->space.is_narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_analysis_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (object);

  switch (id)
    {
    case PROP_NARROW:
      set_narrow (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_analysis_page_measure (GtkWidget *widget,
                          GtkOrientation orientation,
                          int for_size,
                          int *minimum,
                          int *natural,
                          int *minimum_baseline,
                          int *natural_baseline)
{
  gtk_widget_measure (adw_bin_get_child (ADW_BIN (widget)), orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static GtkSizeRequestMode
tb_analysis_page_get_request_mode (GtkWidget *widget)
{
  return gtk_widget_get_request_mode (adw_bin_get_child (ADW_BIN (widget)));
}

static void
tb_analysis_page_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_size_allocate (adw_bin_get_child (ADW_BIN (widget)),
                            &(GtkAllocation) { 0, 0, width, height }, baseline);
  tb_analysis_page_fit_switcher (TB_ANALYSIS_PAGE (widget), width);
}

static void update (TbAnalysisPage *self);

void
tb_analysis_page_run (TbAnalysisPage *self)
{
  tb_document_run (self->document, self->item);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  tb_analysis_page_run (TB_ANALYSIS_PAGE (widget));
}

static void
cancel_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);

  tb_document_cancel (self->document, self->item);
  update (self);
}

static void
options_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);
  AdwDialog *dialog = tb_options_dialog_new (self->document, self->item);

  g_signal_connect_object (dialog, "analyse", G_CALLBACK (tb_analysis_page_run), self,
                           G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, widget);
}

static void
tb_analysis_page_class_init (TbAnalysisPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (TB_TYPE_FINDINGS_LIST);
  object_class->dispose = tb_analysis_page_dispose;
  object_class->get_property = tb_analysis_page_get_property;
  object_class->set_property = tb_analysis_page_set_property;
  widget_class->get_request_mode = tb_analysis_page_get_request_mode;
  widget_class->measure = tb_analysis_page_measure;
  widget_class->size_allocate = tb_analysis_page_size_allocate;
  props[PROP_NARROW]
      = g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  /* Emitted when another figure is shown, or the same one as a table. */
  signals[FIGURE_CHANGED] = g_signal_new ("figure-changed", TB_TYPE_ANALYSIS_PAGE,
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/tailback/Tailback/tb-analysis-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, stack);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, preview_bar);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, preview_legend_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, preview_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, running_status);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, failed_status);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, process_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, retry_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, findings_list);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, switcher);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figure_choice);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, busy_box);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, tools_box);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, search_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, filter_revealer);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, filter_label);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, scenarios_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, options_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, table_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, legend_scroller);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, legend_viewport);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, legend_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figure_paned);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figures_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figures);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, empty_status);
  gtk_widget_class_install_action (widget_class, "analysis.run", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "analysis.cancel", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "analysis.options", NULL, options_action);
  tb_analysis_page_class_add_scenarios (widget_class);
}

static void
tb_analysis_page_init (TbAnalysisPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* The page needs its own size_allocate() to get its width. */
  gtk_widget_set_layout_manager (GTK_WIDGET (self), NULL);
  tb_analysis_page_add_figures (self);
  tb_analysis_page_add_search (self);
}

static void
show_report (TbAnalysisPage *self)
{
  TbReport *report = tb_analysis_item_get_report (self->item);
  const char *headline = tb_report_get_headline (report);
  g_autofree char *reason = g_markup_escape_text (headline != NULL ? headline : "", -1);
  gboolean has_figures = tb_report_get_n_figures (report) > 0;

  if (g_set_object (&self->report, report))
    {
      g_clear_object (&self->followed.finding); /* the new report may use other ids for the items */
      tb_findings_list_set_document (self->findings_list, self->document);
      tb_findings_list_set_report (self->findings_list, report);
      tb_analysis_page_fill_figures (self);
      tb_analysis_page_selection_changed (self);
      if (gtk_paned_get_end_child (self->figure_paned) != NULL)
        tb_scenarios_pane_set_report (TB_SCENARIOS_PANE (
                                          gtk_paned_get_end_child (self->figure_paned)),
                                      report);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->figure_paned), has_figures);
  gtk_widget_set_visible (self->table_button, has_figures);
  adw_status_page_set_description (
      self->empty_status,
      reason[0] != '\0' ? reason : _ ("The analysis found nothing in this part of the recording"));
  gtk_stack_set_visible_child_name (self->stack,
                                    has_figures || tb_report_get_n_findings (report) > 0 ? "report"
                                                                                         : "empty");
}

/* Before the first report, shows a preliminary timeline of the threads from the overview of the
 * session. */
static gboolean
show_preview (TbAnalysisPage *self)
{
  TbTimelineFigure *preview = tb_document_get_preview (self->document);

  if (preview == NULL)
    return FALSE;
  if (adw_bin_get_child (self->preview_bin) == NULL)
    {
      adw_bin_set_child (self->preview_bin,
                         tb_figure_view_new (TB_FIGURE (preview),
                                             tb_document_get_focus (self->document)));
      adw_bin_set_child (self->preview_legend_bin, tb_figure_view_new_legend (TB_FIGURE (preview)));
    }
  gtk_stack_set_visible_child_name (self->stack, "preview");
  return TRUE;
}

/* An analysis that lacks its process of interest has not failed: the page lets the user choose
 * one. */
static void
show_failure (TbAnalysisPage *self, const GError *error)
{
  gboolean lacks_process = tb_document_lacks_process (self->document, self->item);
  gboolean is_comparison = tb_document_is_comparison (self->document);
  g_autofree char *escaped = g_markup_escape_text (error->message, -1);

  adw_status_page_set_icon_name (self->failed_status,
                                 lacks_process ? "tb-figure-symbolic" : "dialog-warning-symbolic");
  adw_status_page_set_title (self->failed_status,
                             lacks_process ? _ ("Choose a Process") : _ ("The Analysis Failed"));
  adw_status_page_set_description (
      self->failed_status,
      !lacks_process ? escaped
      : is_comparison
          ? _ ("Name a process of both recordings in the options")
          : _ ("Choose a process, or select it in the timeline and explain it from there"));
  gtk_widget_set_visible (self->process_button, lacks_process && !is_comparison);
  gtk_widget_set_visible (self->retry_button, !lacks_process);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

/* The options of a plug-in can change with its file, and with whether it can be loaded. */
static void
update_options (TbAnalysisPage *self)
{
  gboolean has_options = tb_analysis_item_has_options (self->item);

  gtk_widget_set_visible (self->options_button, has_options);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.options", has_options);
}

static void
update (TbAnalysisPage *self)
{
  const GError *error = tb_analysis_item_get_error (self->item);
  TbReport *report = tb_analysis_item_get_report (self->item);
  gboolean running = tb_document_is_pending (self->document, self->item);

  update_options (self);
  gtk_widget_set_visible (self->busy_box, running && report != NULL);
  if (report != NULL)
    show_report (self);
  else if (running)
    {
      if (!show_preview (self))
        gtk_stack_set_visible_child_name (self->stack, "running");
    }
  else if (error != NULL)
    show_failure (self, error);
  else
    gtk_stack_set_visible_child_name (self->stack, "cancelled");
}

static void
progressed (TbAnalysisPage *self)
{
  TbProgress *progress = tb_analysis_item_get_progress (self->item);
  gboolean reading = tb_document_get_trace (self->document) == NULL;

  gtk_progress_bar_set_fraction (self->progress_bar, tb_progress_get_share (progress));
  gtk_progress_bar_set_fraction (
      self->preview_bar,
      (tb_progress_get_share (reading ? tb_document_get_progress (self->document) : progress)
       + (reading ? 0 : 1))
          / 2);
  if (tb_progress_get_text (progress) != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (tb_progress_get_text (progress), -1);

      adw_status_page_set_description (self->running_status, escaped);
    }
}

/**
 * tb_analysis_page_new:
 * @document: document of the analysis
 * @item: the analysis; it is run unless it has run before
 *
 * Returns: a page
 */
GtkWidget *
tb_analysis_page_new (TbDocument *document, TbAnalysisItem *item)
{
  TbAnalysisPage *self = g_object_new (TB_TYPE_ANALYSIS_PAGE, NULL);
  g_autofree char *title = NULL;

  self->document = g_object_ref (document);
  self->item = g_object_ref (item);
  title = g_strdup_printf (_ ("%s…"), tb_analysis_item_get_name (item));
  adw_status_page_set_title (self->running_status, title);
  g_signal_connect_object (item, "notify::running", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "finished", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_analysis_item_get_progress (item), "notify", G_CALLBACK (progressed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_progress (document), "notify", G_CALLBACK (progressed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "filter-changed", G_CALLBACK (tb_analysis_page_filter_changed),
                           self, G_CONNECT_SWAPPED);
  tb_analysis_page_filter_changed (self);
  g_signal_connect_object (document, "names-changed", G_CALLBACK (tb_analysis_page_symbols_changed),
                           self, G_CONNECT_SWAPPED);
  tb_analysis_page_add_scenarios (self);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed",
                           G_CALLBACK (tb_analysis_page_selection_changed), self,
                           G_CONNECT_SWAPPED);
  tb_analysis_page_selection_changed (self);
  tb_document_ensure_report (document, item);
  update (self);
  return GTK_WIDGET (self);
}

TbAnalysisItem *
tb_analysis_page_get_item (TbAnalysisPage *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);
  return self->item;
}
