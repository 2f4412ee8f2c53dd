/* tb-figure-view-factory.c: choice of the widget for a figure: the view for its kind, or its text
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gtk/gtk.h>

#include "widgets/flame/tb-flame-view.h"
#include "widgets/graph/tb-graph-view.h"
#include "widgets/heatmap/tb-heatmap-view.h"
#include "widgets/histogram/tb-histogram-view.h"
#include "widgets/table/tb-table-view.h"
#include "widgets/timeline/tb-timeline-view.h"

static GtkWidget *
new_text_view (TbFigure *figure)
{
  g_autofree char *text = tb_figure_to_text (figure, 0);
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tb_figure_get_title (figure), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

/**
 * tb_figure_view_new:
 * @figure: a figure
 * @focus: the focus of the document
 *
 * Creates the view of a figure.
 *
 * Returns: (transfer floating): the view for the kind of @figure; a label with its text where that
 *   kind has no view
 */
GtkWidget *
tb_figure_view_new (TbFigure *figure, TbFocus *focus)
{
  return tb_figure_view_new_after (figure, focus, NULL);
}

/**
 * tb_figure_view_new_after:
 * @figure: a figure
 * @focus: the focus of the document
 * @before: (nullable): a view of an earlier state of @figure, made with the same @focus
 *
 * Creates a view that replaces another one. It keeps the zoom, scroll position and selection, as
 * far as their subjects still exist. Rows are matched by their items, boxes of a flame by their
 * callers, and boxes over time by their time.
 *
 * Returns: (transfer floating): the view for the kind of @figure; a label with its text where that
 *   kind has no view
 */
GtkWidget *
tb_figure_view_new_after (TbFigure *figure, TbFocus *focus, GtkWidget *before)
{
  GType type;

  g_return_val_if_fail (TB_IS_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);
  g_return_val_if_fail (before == NULL || GTK_IS_WIDGET (before), NULL);

  if (TB_IS_TIMELINE_FIGURE (figure))
    type = TB_TYPE_TIMELINE_VIEW;
  else if (TB_IS_FLAME_FIGURE (figure))
    type = TB_TYPE_FLAME_VIEW;
  else if (TB_IS_GRAPH_FIGURE (figure))
    type = TB_TYPE_GRAPH_VIEW;
  else if (TB_IS_TABLE_FIGURE (figure))
    type = TB_TYPE_TABLE_VIEW;
  else if (TB_IS_HISTOGRAM_FIGURE (figure))
    type = TB_TYPE_HISTOGRAM_VIEW;
  else if (TB_IS_HEATMAP_FIGURE (figure))
    type = TB_TYPE_HEATMAP_VIEW;
  else
    return new_text_view (figure);
  return g_object_new (type, "figure", figure, "focus", focus, "before",
                       before != NULL && TB_IS_FIGURE_VIEW (before) ? before : NULL, NULL);
}
