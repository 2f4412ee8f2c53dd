/* tb-analysis-figures.c: figures of a report on the page of its analysis: their views, replaced
 * with each report; the switcher, fitted to the width; legend and search hint; stored arrangements;
 * links from findings to items
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-short-text.h"
#include "shell/document/tb-analysis-page-private.h"
#include "shell/document/tb-figure-menu.h"
#include "shell/tb-deferred-release.h"
#include "widgets/tb-figure-view.h"

/* Leaves room for the search entry next to it. */
#define CHOICE_CHARS 10
#define SEARCH_WIDTH 130
#define TIGHT_WIDTH 480

GtkWidget *
tb_analysis_page_get_view (TbAnalysisPage *self)
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
  g_set_object (&self->followed.finding, finding);
  g_set_str (&self->followed.item, item);
  tb_focus_select_item (tb_document_get_focus (self->document),
                        shown != NULL ? tb_figure_get_item_owner (shown) : figure, item,
                        n_threads > 0 ? threads[0] : TB_ID_NONE, from, to,
                        tb_finding_get_stack (finding));
}

/* When a figure is shown, the item that the followed finding names in it is selected. */
static void
select_followed (TbAnalysisPage *self, TbFigure *figure)
{
  TbFocus *focus = tb_document_get_focus (self->document);
  const char *item;

  if (self->followed.finding == NULL || self->followed.item == NULL || figure == NULL
      || g_strcmp0 (self->followed.item, tb_focus_get_item (focus)) != 0)
    return;
  item = tb_finding_find_item (self->followed.finding, tb_figure_get_id (figure));
  if (item != NULL)
    select_place (self, self->followed.finding, tb_figure_get_id (figure), item);
}

/* Selects the visible figure in the drop-down list, which replaces the switcher if space is
 * short. */
static void
show_choice (TbAnalysisPage *self)
{
  g_autoptr (GtkSelectionModel) pages = adw_view_stack_get_pages (self->figures);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    if (gtk_selection_model_is_selected (pages, i))
      gtk_drop_down_set_selected (self->figure_choice, i);
}

static void
figure_chosen (TbAnalysisPage *self)
{
  AdwViewStackPage *page = gtk_drop_down_get_selected_item (self->figure_choice);

  if (page != NULL)
    adw_view_stack_set_visible_child (self->figures, adw_view_stack_page_get_child (page));
}

static void
setup_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), CHOICE_CHARS);
  tb_short_text_add_tooltip (label);
  gtk_list_item_set_child (item, label);
}

static void
bind_choice (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  AdwViewStackPage *page = gtk_list_item_get_item (item);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      adw_view_stack_page_get_title (page));
}

void
tb_analysis_page_show_switcher (TbAnalysisPage *self)
{
  gboolean several = self->report != NULL && tb_report_get_n_figures (self->report) > 1;

  gboolean few = self->space.is_narrow || self->space.names_overflow;

  gtk_widget_set_visible (GTK_WIDGET (self->switcher), several && !few);
  gtk_widget_set_visible (GTK_WIDGET (self->figure_choice), several && few);
}

/* Returns the width that the switcher and the tools need. The search entry always counts, even if
 * the visible figure has none. */
static int
measure_switcher (TbAnalysisPage *self)
{
  gboolean has_search = gtk_widget_get_visible (GTK_WIDGET (self->search_entry));
  int names, tools;

  gtk_widget_measure (GTK_WIDGET (self->switcher), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &names,
                      NULL, NULL);
  gtk_widget_measure (self->tools_box, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &tools, NULL, NULL);
  return names + tools + (has_search ? 0 : SEARCH_WIDTH);
}

static gboolean
has_overflow (TbAnalysisPage *self)
{
  return self->space.switcher_width > self->space.width && !self->space.is_narrow;
}

static gboolean
is_tight (TbAnalysisPage *self)
{
  return self->space.is_narrow && self->space.width < TIGHT_WIDTH;
}

static void
refit (gpointer data)
{
  TbAnalysisPage *self = data;

  self->space.refit = 0;
  self->space.names_overflow = has_overflow (self);
  self->space.is_tight = is_tight (self);
  tb_analysis_page_show_switcher (self);
  tb_analysis_page_show_search (self);
  if (self->space.is_tight)
    gtk_button_set_icon_name (GTK_BUTTON (self->scenarios_button), "dialog-question-symbolic");
  else
    gtk_button_set_label (GTK_BUTTON (self->scenarios_button), _ ("_What If…"));
}

/* Truncated names are useless, and a separate line would take space from the figure. Names that do
 * not fit next to the tools are therefore shown as a list. This is done later, because a page
 * cannot be changed during its allocation. */
void
tb_analysis_page_fit_switcher (TbAnalysisPage *self, int width)
{
  self->space.width = width;
  if (gtk_widget_get_visible (GTK_WIDGET (self->switcher)))
    self->space.switcher_width = measure_switcher (self);
  if ((has_overflow (self) != self->space.names_overflow || is_tight (self) != self->space.is_tight)
      && self->space.refit == 0)
    self->space.refit = g_idle_add_once (refit, self);
}

static void
figure_shown (TbAnalysisPage *self)
{
  GtkWidget *view = tb_analysis_page_get_view (self);
  TbFigure *figure = get_shown_figure (self);
  gboolean can_search = view != NULL && tb_figure_view_can_search (view);
  GtkWidget *legend
      = figure != NULL ? tb_figure_view_new_legend (tb_figure_tables_choose (self->tables, figure))
                       : NULL;

  show_choice (self);
  adw_bin_set_child (self->legend_bin, legend);
  gtk_widget_set_visible (GTK_WIDGET (self->legend_scroller), legend != NULL);
  tb_analysis_page_show_search (self);
  if (can_search)
    {
      const char *hint = tb_figure_view_get_search_hint (view);

      gtk_search_entry_set_placeholder_text (GTK_SEARCH_ENTRY (self->search_entry), hint);
      /* The entry may be too narrow to show the whole hint. */
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->search_entry), hint);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->search_entry),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Filter the figures or find in them"), -1);
      tb_analysis_page_search_changed (self);
    }
  select_followed (self, figure);
  g_signal_emit_by_name (self, "figure-changed");
}

/* Returns the first figure that a finding names. The visible figure is preferred if it is of the
 * same kind and the finding names an item of it. */
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

  /* The switch to another figure must not select the item of the earlier finding again. */
  g_clear_object (&self->followed.finding);
  if (figure != NULL)
    tb_analysis_page_show_figure (self, figure);
  if (tb_finding_get_range (finding, &from, &to))
    tb_focus_reveal (tb_document_get_focus (self->document), from, to);
  /* With the keyboard focus, the figure announces its selected item to screen readers. */
  if (tb_analysis_page_get_view (self) != NULL)
    gtk_widget_grab_focus (tb_analysis_page_get_view (self));
  select_place (self, finding, figure, tb_finding_find_item (finding, figure));
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

/* The destruction of a view takes a while. */
static void
remove_figure (gpointer view, gpointer data)
{
  g_object_ref (view);
  adw_view_stack_remove (ADW_VIEW_STACK (data), view);
  tb_release_widget (view);
}

/* Removes the next view of a page that is closed and returns it: (transfer full); NULL: no view is
 * left. */
GtkWidget *
tb_analysis_page_take_figure (TbAnalysisPage *self)
{
  GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->figures));

  g_signal_handlers_disconnect_by_data (self->figures, self);
  g_signal_handlers_disconnect_by_data (self->figure_choice, self);
  if (view != NULL)
    {
      g_object_ref (view);
      adw_view_stack_remove (self->figures, view);
    }
  return view;
}

void
tb_analysis_page_drop_figures (TbAnalysisPage *self)
{
  GtkWidget *view;

  while ((view = tb_analysis_page_take_figure (self)) != NULL)
    tb_release_widget (view);
}

/* Returns the figure to show first: that of the first finding that points to a figure. */
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

static void
figure_arranged (TbAnalysisPage *self, GtkWidget *view)
{
  g_autoptr (GVariant) state = tb_figure_view_get_state (view);

  tb_document_set_arrangement (self->document, tb_analysis_item_get_id (self->item),
                               tb_figure_view_get_figure (TB_FIGURE_VIEW (view)), state);
}

/* Restores the arrangement that is stored with the recording. */
static void
restore_arrangement (TbAnalysisPage *self, TbFigure *figure, GtkWidget *view)
{
  g_autoptr (GVariant) state
      = tb_document_get_arrangement (self->document, tb_analysis_item_get_id (self->item), figure);

  if (state != NULL)
    tb_figure_view_set_state (view, state);
}

/* The state of a view that is replaced by one of another kind (figure or table) is not carried
 * over. */
static GtkWidget *
make_view (TbAnalysisPage *self, TbFigure *figure, GtkWidget *old_view)
{
  TbFigure *shown = tb_figure_tables_choose (self->tables, figure);
  TbFigure *old_figure = old_view != NULL && TB_IS_FIGURE_VIEW (old_view)
                             ? tb_figure_view_get_figure (TB_FIGURE_VIEW (old_view))
                             : NULL;
  gboolean is_same_kind
      = old_figure != NULL
        && g_str_equal (tb_figure_get_kind (old_figure), tb_figure_get_kind (shown));
  GtkWidget *view = tb_figure_view_new_after (shown, tb_document_get_focus (self->document),
                                              is_same_kind ? old_view : NULL);

  if (!is_same_kind)
    restore_arrangement (self, shown, view);
  return g_object_ref_sink (view);
}

/* Replaces the figures by those of the new report. The visible figure stays visible, with its zoom
 * and scroll position. */
void
tb_analysis_page_fill_figures (TbAnalysisPage *self)
{
  g_autofree char *shown = g_strdup (adw_view_stack_get_visible_child_name (self->figures));
  g_autoptr (GPtrArray) old = g_ptr_array_new ();
  g_autoptr (GPtrArray) views = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_figures = tb_report_get_n_figures (self->report);

  g_signal_handlers_block_by_func (self->figures, figure_shown, self);
  g_signal_handlers_block_by_func (self->figure_choice, figure_chosen, self);
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->figures)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    g_ptr_array_add (old, child);
  for (guint i = 0; i < n_figures; i++)
    {
      TbFigure *figure = tb_report_get_figure (self->report, i);
      GtkWidget *old_view
          = adw_view_stack_get_child_by_name (self->figures, tb_figure_get_id (figure));

      g_ptr_array_add (views, make_view (self, figure, old_view));
    }
  for (guint i = 0; i < n_figures; i++)
    tb_figure_view_set_filter (g_ptr_array_index (views, i),
                               tb_document_get_filter (self->document));
  for (guint i = 0; i < n_figures; i++)
    if (TB_IS_FIGURE_VIEW (g_ptr_array_index (views, i)))
      {
        g_signal_connect_object (g_ptr_array_index (views, i), "item-activated",
                                 G_CALLBACK (tb_analysis_page_expand), self, G_CONNECT_SWAPPED);
        g_signal_connect_object (g_ptr_array_index (views, i), "arranged",
                                 G_CALLBACK (figure_arranged), self, G_CONNECT_SWAPPED);
      }
  g_ptr_array_foreach (old, remove_figure, self->figures);
  for (guint i = 0; i < n_figures; i++)
    {
      TbFigure *figure = tb_report_get_figure (self->report, i);

      adw_view_stack_add_titled_with_icon (self->figures, g_ptr_array_index (views, i),
                                           tb_figure_get_id (figure), tb_figure_get_title (figure),
                                           get_figure_icon (figure));
    }
  if (old->len != n_figures) /* the names are different, perhaps shorter */
    {
      self->space.names_overflow = FALSE;
      self->space.switcher_width = 0;
    }
  tb_analysis_page_show_figure (self, shown != NULL ? shown : choose_first (self));
  g_signal_handlers_unblock_by_func (self->figures, figure_shown, self);
  g_signal_handlers_unblock_by_func (self->figure_choice, figure_chosen, self);
  tb_analysis_page_show_switcher (self);
  figure_shown (self);
}

static void
tables_changed (TbAnalysisPage *self)
{
  if (self->report != NULL)
    tb_analysis_page_fill_figures (self);
}

void
tb_analysis_page_symbols_changed (TbAnalysisPage *self)
{
  for (GtkWidget *view = gtk_widget_get_first_child (GTK_WIDGET (self->figures)); view != NULL;
       view = gtk_widget_get_next_sibling (view))
    tb_figure_view_names_changed (view);
}

/**
 * tb_analysis_page_step_figure:
 * @step: 1 for the next figure, −1 for the previous one
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
 * @id: id of a figure; nothing happens if the report has no such figure
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
 * Returns: (nullable): the visible figure, also if it is shown as a table
 */
TbFigure *
tb_analysis_page_get_shown_figure (TbAnalysisPage *self)
{
  g_return_val_if_fail (TB_IS_ANALYSIS_PAGE (self), NULL);
  return get_shown_figure (self);
}

/**
 * tb_analysis_page_set_as_table:
 * @as_table: whether the visible figure is shown as a table
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

static GtkWidget *
get_menu_view (gpointer page)
{
  return tb_analysis_page_get_view (page);
}

void
tb_analysis_page_add_figures (TbAnalysisPage *self)
{
  g_autoptr (GtkSelectionModel) pages = adw_view_stack_get_pages (self->figures);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_choice), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_choice), NULL);
  gtk_drop_down_set_factory (self->figure_choice, factory);
  gtk_drop_down_set_model (self->figure_choice, G_LIST_MODEL (pages));
  g_signal_connect_object (self->figure_choice, "notify::selected", G_CALLBACK (figure_chosen),
                           self, G_CONNECT_SWAPPED);
  tb_figure_menu_attach (self->figures_bin, get_menu_view, self);
  self->tables = tb_figure_tables_new ();
  g_signal_connect_object (self->tables, "changed", G_CALLBACK (tables_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->figures, "notify::visible-child", G_CALLBACK (figure_shown), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->findings_list, "finding-activated", G_CALLBACK (finding_activated),
                           self, G_CONNECT_SWAPPED);
}
