/* tb-document-edges.c: the edge of a graph that is selected, and when it was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-private.h"

static gboolean
find_in_report (TbReport *report, const char *figure, const char *item, TbSelectedEdge *edge)
{
  TbFigure *found = tb_report_find_figure (report, figure);
  guint index;

  if (found == NULL || !TB_IS_GRAPH_FIGURE (found))
    return FALSE;
  index = tb_graph_figure_find_edge (TB_GRAPH_FIGURE (found), item);
  if (index == TB_ID_NONE)
    return FALSE;
  *edge = (TbSelectedEdge) { report, TB_GRAPH_FIGURE (found), index };
  return TRUE;
}

/**
 * tb_document_get_edge:
 * @edge: (out caller-allocates): the edge; what it points to belongs to the document
 *
 * Returns: whether an edge of a graph is selected, be it in the graph or in what shows its items, too
 */
gboolean
tb_document_get_edge (TbDocument *self, TbSelectedEdge *edge)
{
  const char *figure, *item;
  TbReport *report;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  figure = tb_focus_get_figure (self->focus);
  item = tb_focus_get_item (self->focus);
  if (figure == NULL || item == NULL)
    return FALSE;
  /* Another analysis may have a figure of that name: what is looked at comes first. */
  report = self->current != NULL ? tb_analysis_item_get_report (self->current) : NULL;
  if (report != NULL && find_in_report (report, figure, item, edge))
    return TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->analyses)); i++)
    {
      g_autoptr (TbAnalysisItem) analysis = g_list_model_get_item (G_LIST_MODEL (self->analyses), i);

      report = tb_analysis_item_get_report (analysis);
      if (report != NULL && find_in_report (report, figure, item, edge))
        return TRUE;
    }
  return FALSE;
}

/**
 * tb_document_has_occurrences:
 *
 * Returns: whether an edge is selected of which is known when it was
 */
gboolean
tb_document_has_occurrences (TbDocument *self)
{
  TbGraphOccurrences occurrences;
  TbSelectedEdge edge;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  if (!tb_document_get_edge (self, &edge))
    return FALSE;
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  return occurrences.n > 0;
}

/**
 * tb_document_select_occurrence:
 * @index: which of the selected edge's
 *
 * Selects the time at which the edge was, and shows it; the edge stays selected.
 */
void
tb_document_select_occurrence (TbDocument *self, gsize index)
{
  g_autofree char *figure = NULL;
  g_autofree char *item = NULL;
  TbGraphOccurrences occurrences;
  TbSelectedEdge edge;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_get_edge (self, &edge))
    return;
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  if (index >= occurrences.n)
    return;
  figure = g_strdup (tb_focus_get_figure (self->focus));
  item = g_strdup (tb_focus_get_item (self->focus));
  tb_focus_begin_change (self->focus);
  tb_focus_reveal (self->focus, occurrences.from[index], occurrences.to[index]);
  tb_focus_select_item (self->focus, figure, item, occurrences.thread[index], occurrences.from[index],
                        occurrences.to[index], NULL);
  tb_focus_end_change (self->focus);
}

/**
 * tb_document_get_occurrence:
 * @occurrences: of the selected edge
 *
 * Returns: which of them is selected, or @occurrences->n
 */
gsize
tb_document_get_occurrence (TbDocument *self, const TbGraphOccurrences *occurrences)
{
  guint32 thread;
  gint64 from, to;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), 0);

  thread = tb_focus_get_thread (self->focus);
  if (!tb_focus_get_time (self->focus, &from, &to))
    return occurrences->n;
  for (gsize i = 0; i < occurrences->n && occurrences->from[i] <= from; i++)
    if (occurrences->from[i] == from && occurrences->to[i] == to && occurrences->thread[i] == thread)
      return i;
  return occurrences->n;
}

/* From the one that is selected to the one after it or before it; the first or the last where none is. */
static void
step (TbDocument *self, gboolean forward)
{
  TbGraphOccurrences occurrences;
  TbSelectedEdge edge;
  gsize at;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_get_edge (self, &edge))
    return;
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  if (occurrences.n == 0)
    return;
  at = tb_document_get_occurrence (self, &occurrences);
  if (forward)
    at = at + 1 < occurrences.n ? at + 1 : at == occurrences.n ? 0 : at;
  else
    at = at > 0 ? at - 1 : 0;
  tb_document_select_occurrence (self, at);
}

void
tb_document_next_occurrence (TbDocument *self)
{
  step (self, TRUE);
}

void
tb_document_previous_occurrence (TbDocument *self)
{
  step (self, FALSE);
}
