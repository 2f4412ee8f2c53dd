/* tb-figure-view.c: the widget of a figure, whatever its kind
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-figure-view.h"

#include <glib/gi18n-lib.h>

#include "widgets/tb-flame-view.h"
#include "widgets/tb-legend.h"
#include "widgets/tb-table-view.h"
#include "widgets/tb-timeline-view.h"

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
 * @figure: something to show
 * @focus: what the user of the document looks at
 *
 * Returns: (transfer floating): the view for the kind of @figure; its text where there is none
 */
GtkWidget *
tb_figure_view_new (TbFigure *figure, TbFocus *focus)
{
  g_return_val_if_fail (TB_IS_FIGURE (figure), NULL);
  g_return_val_if_fail (TB_IS_FOCUS (focus), NULL);

  if (TB_IS_TIMELINE_FIGURE (figure))
    return tb_timeline_view_new (TB_TIMELINE_FIGURE (figure), focus);
  if (TB_IS_FLAME_FIGURE (figure))
    return tb_flame_view_new (TB_FLAME_FIGURE (figure), focus);
  if (TB_IS_TABLE_FIGURE (figure))
    return tb_table_view_new (TB_TABLE_FIGURE (figure), focus);
  return new_text_view (figure);
}

/**
 * tb_figure_view_can_search:
 * @view: made by tb_figure_view_new()
 *
 * Returns: whether it can be searched
 */
gboolean
tb_figure_view_can_search (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), FALSE);

  return TB_IS_TIMELINE_VIEW (view) || TB_IS_FLAME_VIEW (view) || TB_IS_TABLE_VIEW (view);
}

/**
 * tb_figure_view_set_search:
 * @view: made by tb_figure_view_new()
 * @search: (nullable): what to look for
 *
 * Searches, if that is possible, the way its kind does: a timeline and a table show what matches, a flame highlights it.
 */
void
tb_figure_view_set_search (GtkWidget *view, const char *search)
{
  g_return_if_fail (GTK_IS_WIDGET (view));

  if (TB_IS_TIMELINE_VIEW (view))
    tb_timeline_view_set_search (TB_TIMELINE_VIEW (view), search);
  else if (TB_IS_FLAME_VIEW (view))
    tb_flame_view_set_search (TB_FLAME_VIEW (view), search);
  else if (TB_IS_TABLE_VIEW (view))
    tb_table_view_set_search (TB_TABLE_VIEW (view), search);
}

/**
 * tb_figure_view_get_search_hint:
 * @view: made by tb_figure_view_new()
 *
 * Returns: (transfer none) (nullable): an example of what can be looked for, for an empty search entry
 */
const char *
tb_figure_view_get_search_hint (GtkWidget *view)
{
  g_return_val_if_fail (GTK_IS_WIDGET (view), NULL);

  if (TB_IS_TIMELINE_VIEW (view))
    /* Translators: an example of a search; what stands before the colons is not translated. */
    return _ ("process:name longer:1ms");
  if (TB_IS_FLAME_VIEW (view))
    return _ ("Find function");
  if (TB_IS_TABLE_VIEW (view))
    return _ ("Find row");
  return NULL;
}

/**
 * tb_figure_view_new_legend:
 * @figure: something to show
 *
 * Returns: (transfer floating) (nullable): the legend of its colours, if it has any
 */
GtkWidget *
tb_figure_view_new_legend (TbFigure *figure)
{
  g_return_val_if_fail (TB_IS_FIGURE (figure), NULL);

  if (TB_IS_TIMELINE_FIGURE (figure))
    return tb_legend_new_for_timeline (TB_TIMELINE_FIGURE (figure));
  if (TB_IS_FLAME_FIGURE (figure))
    return tb_legend_new_for_flame (TB_FLAME_FIGURE (figure));
  return NULL;
}
