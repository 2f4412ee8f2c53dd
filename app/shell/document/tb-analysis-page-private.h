/* tb-analysis-page-private.h: members of TbAnalysisPage (widgets, report, layout) and functions
 * shared by the files that implement it: figures, search, scenarios
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-analysis-page.h"
#include "shell/document/tb-figure-tables.h"
#include "shell/document/tb-findings-list.h"

G_BEGIN_DECLS

struct _TbAnalysisPage
{
  AdwBin parent;

  TbDocument *document;
  TbAnalysisItem *item;
  TbReport *report; /* the report shown */
  struct
  {
    TbFinding *finding; /* the finding that the user followed, as long as its item is selected */
    char *item;
  } followed;
  TbFigureTables *tables;
  /* room for the names of the figures and the tools */
  struct
  {
    gboolean is_narrow;
    gboolean names_overflow; /* the names of the figures do not fit in the switcher */
    int switcher_width;      /* required by the names and the tools next to them */
    gboolean is_tight;       /* no room for the search entry next to the drop-down list */
    int width;
    guint refit;
  } space;
  gboolean pane_was_opened; /* the scenarios pane was opened before */

  GtkStack *stack;
  GtkProgressBar *preview_bar;
  AdwBin *preview_legend_bin;
  AdwBin *preview_bin;
  AdwStatusPage *running_status;
  GtkProgressBar *progress_bar;
  AdwStatusPage *failed_status;
  GtkWidget *process_button;
  GtkWidget *retry_button;
  TbFindingsList *findings_list;
  AdwInlineViewSwitcher *switcher;
  GtkDropDown *figure_choice; /* replaces the switcher if space is short */
  GtkWidget *tools_box;
  GtkWidget *busy_box;
  GtkEditable *search_entry;
  GtkToggleButton *search_button; /* shows the search entry if space is short */
  GtkRevealer *filter_revealer;   /* error message for an invalid filter */
  GtkLabel *filter_label;
  GtkToggleButton *scenarios_button;
  GtkWidget *options_button;
  GtkWidget *table_button;
  GtkScrolledWindow *legend_scroller; /* one line that scrolls, if there is no room for several */
  GtkViewport *legend_viewport;
  AdwBin *legend_bin;
  GtkPaned *figure_paned;
  GtkWidget *figures_bin;
  AdwViewStack *figures;
  AdwStatusPage *empty_status;
};

/* tb-analysis-page.c */
void tb_analysis_page_run (TbAnalysisPage *self);

/* tb-analysis-figures.c */
void tb_analysis_page_fill_figures (TbAnalysisPage *self);
/* Used when the page is closed: (transfer full) (nullable) */
GtkWidget *tb_analysis_page_take_figure (TbAnalysisPage *self);
void tb_analysis_page_drop_figures (TbAnalysisPage *self);
/* Shows the switcher or the drop-down list, depending on the number of figures and the space. */
void tb_analysis_page_show_switcher (TbAnalysisPage *self);
/* Called when the width of the page is allocated. */
void tb_analysis_page_fit_switcher (TbAnalysisPage *self, int width);
void tb_analysis_page_symbols_changed (TbAnalysisPage *self);
void tb_analysis_page_add_figures (TbAnalysisPage *self);

/* tb-analysis-search.c */
void tb_analysis_page_search_changed (TbAnalysisPage *self);
void tb_analysis_page_filter_changed (TbAnalysisPage *self);
void tb_analysis_page_add_search (TbAnalysisPage *self);
/* Shows the search entry if the figure is searchable and there is room or the user opened it. */
void tb_analysis_page_show_search (TbAnalysisPage *self);

/* tb-analysis-scenarios.c */
void tb_analysis_page_class_add_scenarios (GtkWidgetClass *widget_class);
void tb_analysis_page_add_scenarios (TbAnalysisPage *self);
void tb_analysis_page_fit_scenarios (TbAnalysisPage *self);
void tb_analysis_page_expand (TbAnalysisPage *self);
void tb_analysis_page_selection_changed (TbAnalysisPage *self);

G_END_DECLS
