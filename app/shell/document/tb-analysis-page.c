/* tb-analysis-page.c: what one analysis found: findings over figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-analysis-page.h"
#include "shell/document/tb-figure-menu.h"
#include "shell/document/tb-figure-tables.h"
#include "shell/document/tb-findings-list.h"
#include "shell/document/tb-options-dialog.h"
#include "shell/trials/tb-trials-pane.h"
#include "widgets/tb-figure-view.h"

struct _TbAnalysisPage
{
  AdwBin parent;

  TbDocument *document;
  TbAnalysisItem *item;
  TbReport *report; /* that is shown */
  TbFinding *led;   /* what the user was led to by, as long as that is selected */
  char *led_item;
  TbFigureTables *tables;
  gboolean narrow;
  gboolean was_tried; /* the pane for that was open */

  GtkStack *stack;
  GtkProgressBar *sketch_bar;
  AdwBin *sketch_legend_bin;
  AdwBin *sketch_bin;
  AdwStatusPage *running_status;
  GtkProgressBar *progress_bar;
  AdwStatusPage *failed_status;
  GtkWidget *process_button;
  GtkWidget *retry_button;
  TbFindingsList *findings_list;
  AdwInlineViewSwitcher *switcher;
  GtkLabel *figure_label; /* where the switcher has room for icons only */
  GtkWidget *busy_box;
  GtkEditable *search_entry;
  GtkRevealer *filter_revealer; /* why what is typed is no filter */
  GtkLabel *filter_label;
  GtkToggleButton *try_button;
  GtkWidget *options_button;
  AdwBin *legend_bin;
  GtkPaned *figure_paned;
  GtkWidget *figures_bin;
  AdwViewStack *figures;
};

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

  g_clear_pointer (&self->figures_bin, tb_figure_menu_detach);
  g_clear_object (&self->report);
  g_clear_object (&self->led);
  g_clear_pointer (&self->led_item, g_free);
  g_clear_object (&self->tables);
  g_clear_object (&self->item);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (tb_analysis_page_parent_class)->dispose (object);
}

static void
set_narrow (TbAnalysisPage *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  adw_inline_view_switcher_set_display_mode (self->switcher, narrow ? ADW_INLINE_VIEW_SWITCHER_ICONS
                                                                    : ADW_INLINE_VIEW_SWITCHER_LABELS);
  gtk_widget_set_visible (GTK_WIDGET (self->figure_label),
                          narrow && gtk_widget_get_visible (GTK_WIDGET (self->switcher)));
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
      g_value_set_boolean (value, self->narrow);
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

static void update (TbAnalysisPage *self);

static void
run (TbAnalysisPage *self)
{
  tb_document_run (self->document, self->item);
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  run (TB_ANALYSIS_PAGE (widget));
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
  AdwDialog *dialog = tb_options_dialog_new (self->item);

  g_signal_connect_object (dialog, "analyse", G_CALLBACK (run), self, G_CONNECT_SWAPPED);
  adw_dialog_present (dialog, widget);
}

/* Half of the room at first, once there is any; later where the user left it. */
static void
divide_room (TbAnalysisPage *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self->figure_paned));

  if (self->was_tried || height == 0 || !gtk_toggle_button_get_active (self->try_button))
    return;
  self->was_tried = TRUE;
  gtk_paned_set_position (self->figure_paned, height / 2);
}

static void
try_toggled (TbAnalysisPage *self)
{
  GtkWidget *pane = gtk_paned_get_end_child (self->figure_paned);
  gboolean is_shown = gtk_toggle_button_get_active (self->try_button);

  gtk_widget_set_visible (pane, is_shown);
  divide_room (self);
  if (is_shown)
    tb_trials_pane_focus (TB_TRIALS_PANE (pane));
}

/* Where it is open already, the keyboard goes there. */
static void
try_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  TbAnalysisPage *self = TB_ANALYSIS_PAGE (widget);

  if (gtk_toggle_button_get_active (self->try_button))
    tb_trials_pane_focus (TB_TRIALS_PANE (gtk_paned_get_end_child (self->figure_paned)));
  else
    gtk_toggle_button_set_active (self->try_button, TRUE);
}

/* Beside the figures of an analysis with which something can be tried. */
static void
add_trials (TbAnalysisPage *self)
{
  g_autoptr (TbTrials) trials = tb_trials_new (self->document, self->item);
  GtkWidget *pane;

  gtk_widget_set_visible (GTK_WIDGET (self->try_button), trials != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.try", trials != NULL);
  if (trials == NULL)
    return;
  pane = tb_trials_pane_new (self->document, trials);
  gtk_widget_set_visible (pane, FALSE);
  gtk_paned_set_end_child (self->figure_paned, pane);
  gtk_paned_set_shrink_end_child (self->figure_paned, FALSE);
  g_signal_connect_object (self->try_button, "toggled", G_CALLBACK (try_toggled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figure_paned, "notify::max-position", G_CALLBACK (divide_room), self,
                           G_CONNECT_SWAPPED);
}

/* What the selected item offers to show in more or less detail; NULL nothing. */
static const TbOffer *
find_expansion (TbAnalysisPage *self)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const char *figure = tb_focus_get_figure (focus), *item = tb_focus_get_item (focus);
  g_autoptr (GPtrArray) offers = NULL;

  if (self->report == NULL || figure == NULL || item == NULL || tb_document_is_comparison (self->document))
    return NULL;
  offers = tb_report_list_offers (self->report, figure, item);
  for (guint i = 0; i < offers->len; i++)
    if (((const TbOffer *) g_ptr_array_index (offers, i))->kind != TB_OFFER_TRY)
      return g_ptr_array_index (offers, i);
  return NULL;
}

static void
expand (TbAnalysisPage *self)
{
  const TbOffer *offer = find_expansion (self);

  if (offer == NULL)
    return;
  tb_analysis_item_apply_offer (self->item, offer);
  run (self);
}

static void
expand_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  expand (TB_ANALYSIS_PAGE (widget));
}

static void
selection_changed (TbAnalysisPage *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.expand", find_expansion (self) != NULL);
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
  props[PROP_NARROW]
      = g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  /* Another figure is looked at, or it in another way. */
  signals[FIGURE_CHANGED] = g_signal_new ("figure-changed", TB_TYPE_ANALYSIS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/tailback/Tailback/tb-analysis-page.ui");
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, stack);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, sketch_bar);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, sketch_legend_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, sketch_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, running_status);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, failed_status);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, process_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, retry_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, findings_list);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, switcher);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figure_label);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, busy_box);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, filter_revealer);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, filter_label);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, try_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, options_button);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, legend_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figure_paned);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figures_bin);
  gtk_widget_class_bind_template_child (widget_class, TbAnalysisPage, figures);
  gtk_widget_class_install_action (widget_class, "analysis.run", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "analysis.cancel", NULL, cancel_action);
  gtk_widget_class_install_action (widget_class, "analysis.options", NULL, options_action);
  gtk_widget_class_install_action (widget_class, "analysis.try", NULL, try_action);
  gtk_widget_class_install_action (widget_class, "analysis.expand", NULL, expand_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, GDK_CONTROL_MASK, "analysis.try", NULL);
}

static GtkWidget *
get_figure_view (TbAnalysisPage *self)
{
  return adw_view_stack_get_visible_child (self->figures);
}

static TbFigure *
get_shown_figure (TbAnalysisPage *self)
{
  const char *id = adw_view_stack_get_visible_child_name (self->figures);

  return self->report != NULL && id != NULL ? tb_report_find_figure (self->report, id) : NULL;
}

static void
select_place (TbAnalysisPage *self, TbFinding *finding, const char *figure, const char *item)
{
  guint n_threads;
  const guint32 *threads = tb_finding_get_threads (finding, &n_threads);
  gint64 from = TB_TIME_NONE, to = TB_TIME_NONE;
  TbFigure *shown = figure != NULL ? tb_report_find_figure (self->report, figure) : NULL;

  tb_finding_get_range (finding, &from, &to);
  g_set_object (&self->led, finding);
  g_set_str (&self->led_item, item);
  tb_focus_select_item (tb_document_get_focus (self->document),
                        shown != NULL ? tb_figure_get_items_of (shown) : figure, item,
                        n_threads > 0 ? threads[0] : TB_ID_NONE, from, to, tb_finding_get_stack (finding));
}

/* What a finding led to in one figure is chosen in the others too. */
static void
select_led (TbAnalysisPage *self, TbFigure *figure)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const char *item;

  if (self->led == NULL || self->led_item == NULL || figure == NULL
      || g_strcmp0 (self->led_item, tb_focus_get_item (focus)) != 0)
    return;
  item = tb_finding_find_item (self->led, tb_figure_get_id (figure));
  if (item != NULL)
    select_place (self, self->led, tb_figure_get_id (figure), item);
}

static void
explain_filter (TbAnalysisPage *self, const char *error)
{
  if (error != NULL)
    gtk_label_set_text (self->filter_label, error);
  gtk_revealer_set_reveal_child (self->filter_revealer, error != NULL);
  if (error != NULL)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->search_entry), "error");
      gtk_accessible_update_state (GTK_ACCESSIBLE (self->search_entry), GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
      gtk_accessible_update_relation (GTK_ACCESSIBLE (self->search_entry),
                                      GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE, self->filter_label, NULL, -1);
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->search_entry), "error");
      gtk_accessible_reset_state (GTK_ACCESSIBLE (self->search_entry), GTK_ACCESSIBLE_STATE_INVALID);
      gtk_accessible_reset_relation (GTK_ACCESSIBLE (self->search_entry),
                                     GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE);
    }
}

/* What is typed limits all figures of the document. What is no filter leaves the one there was; a figure that only looks for
 * text looks for it all the same. */
static void
search_changed (TbAnalysisPage *self)
{
  GtkWidget *view = get_figure_view (self);
  const char *text = gtk_editable_get_text (self->search_entry);
  gboolean understands = view == NULL || tb_figure_view_can_filter (view);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbFilter) filter = tb_filter_parse (text, &error);

  explain_filter (self, filter == NULL && understands ? error->message : NULL);
  if (filter != NULL)
    tb_document_set_filter (self->document, filter);
  if (!understands)
    tb_figure_view_set_search (view, text);
}

/* Also typed in the page of another analysis. */
static void
filter_changed (TbAnalysisPage *self)
{
  TbFilter *filter = tb_document_get_filter (self->document);
  g_autoptr (TbFilter) typed = tb_filter_parse (gtk_editable_get_text (self->search_entry), NULL);

  if (typed == NULL || !tb_filter_equal (typed, filter))
    {
      g_signal_handlers_block_by_func (self->search_entry, search_changed, self);
      gtk_editable_set_text (self->search_entry, filter != NULL ? tb_filter_get_text (filter) : "");
      g_signal_handlers_unblock_by_func (self->search_entry, search_changed, self);
      explain_filter (self, NULL);
    }
  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->figures)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    tb_figure_view_set_filter (view, filter);
}

static void
figure_shown (TbAnalysisPage *self)
{
  GtkWidget *view = get_figure_view (self);
  TbFigure *figure = get_shown_figure (self);
  gboolean can_search = view != NULL && tb_figure_view_can_search (view);
  GtkWidget *legend
      = figure != NULL ? tb_figure_view_new_legend (tb_figure_tables_choose (self->tables, figure)) : NULL;

  gtk_label_set_text (self->figure_label, figure != NULL ? tb_figure_get_title (figure) : "");
  adw_bin_set_child (self->legend_bin, legend);
  gtk_widget_set_visible (GTK_WIDGET (self->legend_bin), legend != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->search_entry), can_search);
  if (can_search)
    {
      const char *hint = tb_figure_view_get_search_hint (view);

      gtk_search_entry_set_placeholder_text (GTK_SEARCH_ENTRY (self->search_entry), hint);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->search_entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Limit the figures to"), -1);
      search_changed (self);
    }
  select_led (self, figure);
  g_signal_emit (self, signals[FIGURE_CHANGED], 0);
}

static void
go_to_figure (TbAnalysisPage *self)
{
  if (get_figure_view (self) != NULL)
    gtk_widget_grab_focus (get_figure_view (self));
}

static void
search_stopped (TbAnalysisPage *self)
{
  gtk_editable_set_text (self->search_entry, "");
  go_to_figure (self);
}

/* The figure in which a finding tells most; one of that kind that is looked at already is as good. */
static const char *
choose_figure (TbAnalysisPage *self, TbFinding *finding)
{
  TbFigure *shown = get_shown_figure (self);

  for (guint i = 0; i < tb_finding_get_n_places (finding); i++)
    {
      const char *id = tb_finding_get_place (finding, i, NULL);
      TbFigure *figure = tb_report_find_figure (self->report, id);

      if (figure == NULL)
        continue;
      if (shown != NULL && tb_finding_find_item (finding, tb_figure_get_id (shown)) != NULL
          && g_str_equal (tb_figure_get_kind (shown), tb_figure_get_kind (figure)))
        return tb_figure_get_id (shown);
      return id;
    }
  return tb_finding_get_figure (finding);
}

static void
finding_activated (TbAnalysisPage *self, TbFinding *finding)
{
  const char *figure = choose_figure (self, finding);
  gint64 from, to;

  /* What was led to before is not to be chosen anew on the way. */
  g_clear_object (&self->led);
  if (figure != NULL)
    tb_analysis_page_show_figure (self, figure);
  if (tb_finding_get_range (finding, &from, &to))
    tb_focus_reveal (tb_document_get_focus (self->document), from, to);
  /* The figure tells what is chosen in it to who works there with the keyboard. */
  if (get_figure_view (self) != NULL)
    gtk_widget_grab_focus (get_figure_view (self));
  select_place (self, finding, figure, tb_finding_find_item (finding, figure));
}

static void tables_changed (TbAnalysisPage *self);

static void
tb_analysis_page_init (TbAnalysisPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  tb_figure_menu_attach (self->figures_bin);
  self->tables = tb_figure_tables_new ();
  g_signal_connect_object (self->tables, "changed", G_CALLBACK (tables_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figures, "notify::visible-child", G_CALLBACK (figure_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_entry, "search-changed", G_CALLBACK (search_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_entry, "stop-search", G_CALLBACK (search_stopped), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_entry, "activate", G_CALLBACK (go_to_figure), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->findings_list, "finding-activated", G_CALLBACK (finding_activated), self,
                           G_CONNECT_SWAPPED);
}

static const char *
get_figure_icon (TbFigure *figure)
{
  const char *kind = tb_figure_get_kind (figure);

  if (g_strcmp0 (kind, "timeline") == 0)
    return "tb-timeline-symbolic";
  if (g_strcmp0 (kind, "flame") == 0)
    return "tb-flame-symbolic";
  if (g_strcmp0 (kind, "table") == 0)
    return "tb-table-symbolic";
  return "tb-figure-symbolic";
}

static void
remove_figure (gpointer view, gpointer data)
{
  adw_view_stack_remove (ADW_VIEW_STACK (data), view);
}

/* What is looked at first: what the weightiest finding leads to, where one does. */
static const char *
choose_first (TbAnalysisPage *self)
{
  for (guint i = 0; i < tb_report_get_n_findings (self->report); i++)
    {
      TbFinding *finding = tb_report_get_finding (self->report, i);

      if (tb_finding_get_n_places (finding) > 0)
        return tb_finding_get_place (finding, 0, NULL);
    }
  return NULL;
}

/* What was the other of figure and table has no place to keep. */
static GtkWidget *
make_view (TbAnalysisPage *self, TbFigure *figure, GtkWidget *before)
{
  TbFigure *shown = tb_figure_tables_choose (self->tables, figure);
  TbFigure *was = before != NULL && TB_IS_FIGURE_VIEW (before)
                      ? tb_figure_view_get_figure (TB_FIGURE_VIEW (before))
                      : NULL;
  gboolean same = was != NULL && g_str_equal (tb_figure_get_kind (was), tb_figure_get_kind (shown));

  return g_object_ref_sink (
      tb_figure_view_new_after (shown, tb_document_get_focus (self->document), same ? before : NULL));
}

/* The figures of the new report take the place of the old; what was shown stays shown, and as it was zoomed and scrolled. */
static void
fill_figures (TbAnalysisPage *self)
{
  g_autofree char *shown = g_strdup (adw_view_stack_get_visible_child_name (self->figures));
  g_autoptr (GPtrArray) old = g_ptr_array_new ();
  g_autoptr (GPtrArray) views = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_figures = tb_report_get_n_figures (self->report);

  g_signal_handlers_block_by_func (self->figures, figure_shown, self);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->figures)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    g_ptr_array_add (old, child);
  for (guint i = 0; i < n_figures; i++)
    {
      TbFigure *figure = tb_report_get_figure (self->report, i);
      GtkWidget *before = adw_view_stack_get_child_by_name (self->figures, tb_figure_get_id (figure));

      g_ptr_array_add (views, make_view (self, figure, before));
    }
  for (guint i = 0; i < n_figures; i++)
    tb_figure_view_set_filter (g_ptr_array_index (views, i), tb_document_get_filter (self->document));
  for (guint i = 0; i < n_figures; i++)
    if (TB_IS_FIGURE_VIEW (g_ptr_array_index (views, i)))
      g_signal_connect_object (g_ptr_array_index (views, i), "item-activated", G_CALLBACK (expand), self,
                               G_CONNECT_SWAPPED);
  g_ptr_array_foreach (old, remove_figure, self->figures);
  for (guint i = 0; i < n_figures; i++)
    {
      TbFigure *figure = tb_report_get_figure (self->report, i);

      adw_view_stack_add_titled_with_icon (self->figures, g_ptr_array_index (views, i),
                                           tb_figure_get_id (figure), tb_figure_get_title (figure),
                                           get_figure_icon (figure));
    }
  tb_analysis_page_show_figure (self, shown != NULL ? shown : choose_first (self));
  g_signal_handlers_unblock_by_func (self->figures, figure_shown, self);
  gtk_widget_set_visible (GTK_WIDGET (self->switcher), n_figures > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->figure_label), self->narrow && n_figures > 1);
  figure_shown (self);
}

static void
tables_changed (TbAnalysisPage *self)
{
  if (self->report != NULL)
    fill_figures (self);
}

static void
show_report (TbAnalysisPage *self)
{
  TbReport *report = tb_analysis_item_get_report (self->item);
  const char *headline = tb_report_get_headline (report);
  gboolean has_headline = headline != NULL && headline[0] != '\0';

  if (g_set_object (&self->report, report))
    {
      g_clear_object (&self->led); /* what it led to may be called otherwise now */
      tb_findings_list_set_report (self->findings_list, report);
      fill_figures (self);
      selection_changed (self);
      if (gtk_paned_get_end_child (self->figure_paned) != NULL)
        tb_trials_pane_set_report (TB_TRIALS_PANE (gtk_paned_get_end_child (self->figure_paned)), report);
    }
  gtk_stack_set_visible_child_name (self->stack, tb_report_get_n_figures (report) > 0
                                                         || tb_report_get_n_findings (report) > 0
                                                         || has_headline
                                                     ? "report"
                                                     : "empty");
}

/* What there is to see before the first report: the threads as the session's overview has them. */
static gboolean
show_sketch (TbAnalysisPage *self)
{
  TbTimelineFigure *sketch = tb_document_get_sketch (self->document);

  if (sketch == NULL)
    return FALSE;
  if (adw_bin_get_child (self->sketch_bin) == NULL)
    {
      adw_bin_set_child (self->sketch_bin,
                         tb_figure_view_new (TB_FIGURE (sketch), tb_document_get_focus (self->document)));
      adw_bin_set_child (self->sketch_legend_bin, tb_figure_view_new_legend (TB_FIGURE (sketch)));
    }
  gtk_stack_set_visible_child_name (self->stack, "sketch");
  return TRUE;
}

/* Not to know which process is meant is no failure: it is asked. */
static void
show_failure (TbAnalysisPage *self, const GError *error)
{
  gboolean lacks_process = tb_document_lacks_process (self->document, self->item);
  g_autofree char *escaped = g_markup_escape_text (error->message, -1);

  adw_status_page_set_icon_name (self->failed_status,
                                 lacks_process ? "tb-figure-symbolic" : "dialog-warning-symbolic");
  adw_status_page_set_title (self->failed_status, lacks_process ? _ ("Whose Time Shall Be Explained?")
                                                                : _ ("The Analysis Failed"));
  adw_status_page_set_description (
      self->failed_status,
      lacks_process ? _ ("Choose a process, or select it in the timeline and explain it from there")
                    : escaped);
  gtk_widget_set_visible (self->process_button, lacks_process);
  gtk_widget_set_visible (self->retry_button, !lacks_process);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
update (TbAnalysisPage *self)
{
  const GError *error = tb_analysis_item_get_error (self->item);
  TbReport *report = tb_analysis_item_get_report (self->item);
  gboolean running = tb_document_is_wanted (self->document, self->item);

  gtk_widget_set_visible (self->busy_box, running && report != NULL);
  if (report != NULL)
    show_report (self);
  else if (running)
    {
      if (!show_sketch (self))
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
  gtk_progress_bar_set_fraction (self->sketch_bar,
                                 (tb_progress_get_share (reading ? tb_document_get_progress (self->document)
                                                                 : progress)
                                  + (reading ? 0 : 1))
                                     / 2);
  if (tb_progress_get_text (progress) != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (tb_progress_get_text (progress), -1);

      adw_status_page_set_description (self->running_status, escaped);
    }
}

static void
names_changed (TbAnalysisPage *self)
{
  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->figures)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    tb_figure_view_names_changed (view);
}

/**
 * tb_analysis_page_new:
 * @document: the analysis belongs to
 * @item: the analysis; it is run if it has not been
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
  g_signal_connect_object (tb_analysis_item_get_progress (item), "notify", G_CALLBACK (progressed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (tb_document_get_progress (document), "notify", G_CALLBACK (progressed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "filter-changed", G_CALLBACK (filter_changed), self, G_CONNECT_SWAPPED);
  filter_changed (self);
  g_signal_connect_object (document, "names-changed", G_CALLBACK (names_changed), self, G_CONNECT_SWAPPED);
  gtk_widget_set_visible (self->options_button, tb_analysis_item_has_options (item));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "analysis.options", tb_analysis_item_has_options (item));
  add_trials (self);
  g_signal_connect_object (tb_document_get_focus (document), "selection-changed",
                           G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  selection_changed (self);
  tb_document_want (document, item);
  update (self);
  return GTK_WIDGET (self);
}

TbAnalysisItem *
tb_analysis_page_get_item (TbAnalysisPage *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);
  return self->item;
}

/**
 * tb_analysis_page_focus_search:
 *
 * Puts the cursor into the search entry, where the figure has one.
 */
void
tb_analysis_page_focus_search (TbAnalysisPage *self)
{
  g_return_if_fail (TB_IS_ANALYSIS_PAGE (self));

  if (gtk_widget_get_visible (GTK_WIDGET (self->search_entry)))
    gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

/**
 * tb_analysis_page_step_figure:
 * @step: 1 the next one, −1 the one before
 */
void
tb_analysis_page_step_figure (TbAnalysisPage *self, int step)
{
  g_autoptr (GtkSelectionModel) pages = NULL;
  guint n;

  g_return_if_fail (TB_IS_ANALYSIS_PAGE (self));

  pages = adw_view_stack_get_pages (self->figures);
  n = g_list_model_get_n_items (G_LIST_MODEL (pages));
  for (guint i = 0; i < n; i++)
    if (gtk_selection_model_is_selected (pages, i))
      {
        gtk_selection_model_select_item (pages, (i + n + step) % n, TRUE);
        return;
      }
}

/**
 * tb_analysis_page_show_figure:
 * @id: of a figure; nothing happens if the report has no such
 */
void
tb_analysis_page_show_figure (TbAnalysisPage *self, const char *id)
{
  g_return_if_fail (TB_IS_ANALYSIS_PAGE (self));

  if (id != NULL && adw_view_stack_get_child_by_name (self->figures, id) != NULL)
    adw_view_stack_set_visible_child_name (self->figures, id);
}

const char *
tb_analysis_page_get_figure (TbAnalysisPage *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);
  return adw_view_stack_get_visible_child_name (self->figures);
}

/**
 * tb_analysis_page_get_shown_figure:
 *
 * Returns: (nullable): the figure that is looked at, also where it is shown as a table
 */
TbFigure *
tb_analysis_page_get_shown_figure (TbAnalysisPage *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);
  return get_shown_figure (self);
}

/**
 * tb_analysis_page_set_as_table:
 * @as_table: whether the figure that is looked at is to be shown as a table
 */
void
tb_analysis_page_set_as_table (TbAnalysisPage *self, gboolean as_table)
{
  TbFigure *figure;

  g_return_if_fail (TB_IS_ANALYSIS_PAGE (self));

  figure = get_shown_figure (self);
  if (figure != NULL)
    tb_figure_tables_set_wanted (self->tables, tb_figure_get_id (figure), as_table);
}

gboolean
tb_analysis_page_get_as_table (TbAnalysisPage *self)
{
  TbFigure *figure;

  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), FALSE);

  figure = get_shown_figure (self);
  return figure != NULL && tb_figure_tables_is_wanted (self->tables, tb_figure_get_id (figure));
}
