/* tb-analysis-page-private.h: the parts of the page of an analysis
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
  TbReport *report; /* that is shown */
  TbFinding *led;   /* what the user was led to by, as long as that is selected */
  char *led_item;
  TbFigureTables *tables;
  gboolean narrow;
  gboolean crowded;   /* not all names of figures fit beside each other */
  int switcher_width; /* that they need, with what is beside them */
  gboolean tight;     /* there is no room for the search beside the list of figures */
  int width;
  guint refit;
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
  GtkDropDown *figure_choice; /* where there is no room for the switcher */
  GtkWidget *tools_box;
  GtkWidget *busy_box;
  GtkEditable *search_entry;
  GtkToggleButton *search_button; /* shows it where there is little room */
  GtkRevealer *filter_revealer;   /* why what is typed is no filter */
  GtkLabel *filter_label;
  GtkToggleButton *try_button;
  GtkWidget *options_button;
  GtkWidget *table_button;
  GtkScrolledWindow *legend_scroller; /* of one line, where there is no room for several */
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
/* When the page goes: (transfer full) (nullable) */
GtkWidget *tb_analysis_page_take_figure (TbAnalysisPage *self);
void tb_analysis_page_drop_figures (TbAnalysisPage *self);
/* As many as there are, and as there is room. */
void tb_analysis_page_show_switcher (TbAnalysisPage *self);
/* After the page was given a width. */
void tb_analysis_page_fit_switcher (TbAnalysisPage *self, int width);
void tb_analysis_page_names_changed (TbAnalysisPage *self);
void tb_analysis_page_add_figures (TbAnalysisPage *self);

/* tb-analysis-search.c */
void tb_analysis_page_search_changed (TbAnalysisPage *self);
void tb_analysis_page_filter_changed (TbAnalysisPage *self);
void tb_analysis_page_add_search (TbAnalysisPage *self);
/* The entry, where the figure can be searched, and where there is room or it is asked for. */
void tb_analysis_page_show_search (TbAnalysisPage *self);

/* tb-analysis-trials.c */
void tb_analysis_page_class_add_trials (GtkWidgetClass *widget_class);
void tb_analysis_page_add_trials (TbAnalysisPage *self);
void tb_analysis_page_fit_trials (TbAnalysisPage *self);
void tb_analysis_page_expand (TbAnalysisPage *self);
void tb_analysis_page_selection_changed (TbAnalysisPage *self);

G_END_DECLS
