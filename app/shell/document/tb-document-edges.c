/* tb-document-edges.c: graph edge for which the selected item of any figure stands, and the
 * parallel edge of the other side of a comparison; selection of the next or previous occurrence of
 * that edge
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "report/graph/tb-graph-occurrences.h"
#include "shell/document/tb-document-private.h"

/* Finds the graph edge that an item of another figure stands for, such as a row of a table. */
static gboolean
find_represented (TbReport *report, const char *figure, const char *item, TbSelectedEdge *edge)
{
  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *graph = tb_report_get_figure (report, i);
      guint index = TB_IS_GRAPH_FIGURE (graph)
                        ? tb_graph_figure_find_edge_for_item (TB_GRAPH_FIGURE (graph), figure, item)
                        : TB_ID_NONE;

      if (index == TB_ID_NONE)
        continue;
      *edge = (TbSelectedEdge) { report, TB_GRAPH_FIGURE (graph), index };
      return TRUE;
    }
  return FALSE;
}

static gboolean
find_in_report (TbReport *report, const char *figure, const char *item, TbSelectedEdge *edge)
{
  TbFigure *found = tb_report_find_figure (report, figure);
  guint index;

  if (found == NULL)
    return FALSE;
  if (!TB_IS_GRAPH_FIGURE (found))
    return find_represented (report, figure, item, edge);
  index = tb_graph_figure_find_edge (TB_GRAPH_FIGURE (found), item);
  if (index == TB_ID_NONE)
    return FALSE;
  *edge = (TbSelectedEdge) { report, TB_GRAPH_FIGURE (found), index };
  return TRUE;
}

/**
 * tb_document_get_edge:
 * @edge: (out caller-allocates): the edge; its pointers belong to the document
 *
 * Returns: whether an edge of a graph is selected, in the graph itself or through an item of
 *   another figure
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
  /* Another analysis may have a figure with the same id: the visible analysis comes first. */
  report = self->current != NULL ? tb_analysis_item_get_report (self->current) : NULL;
  if (report != NULL && find_in_report (report, figure, item, edge))
    return TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->analyses)); i++)
    {
      g_autoptr (TbAnalysisItem) analysis
          = g_list_model_get_item (G_LIST_MODEL (self->analyses), i);

      report = tb_analysis_item_get_report (analysis);
      if (report != NULL && find_in_report (report, figure, item, edge))
        return TRUE;
    }
  return FALSE;
}

/* Replaces the edge by the parallel edge of the other side of a comparison. */
static gboolean
find_other_side (TbSelectedEdge *edge)
{
  const TbGraphEdge *info = tb_graph_figure_get_edge (edge->figure, edge->edge);

  for (guint i = 0; i < tb_graph_figure_get_n_edges (edge->figure); i++)
    {
      const TbGraphEdge *parallel = tb_graph_figure_get_edge (edge->figure, i);

      if (parallel->from == info->from && parallel->to == info->to
          && ((parallel->flags ^ info->flags) & TB_EDGE_BASE) != 0)
        {
          edge->edge = i;
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * tb_document_get_side_edge:
 * @base: side of a comparison; %FALSE for a single recording
 * @edge: (out caller-allocates): the selected edge, or its parallel edge of that side
 *
 * Returns: whether an edge is selected that the side has
 */
gboolean
tb_document_get_side_edge (TbDocument *self, gboolean base, TbSelectedEdge *edge)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  return tb_document_get_edge (self, edge)
         && (tb_document_is_base_edge (edge) == base || find_other_side (edge));
}

/* Returns whether the edge belongs to the base of a comparison. */
gboolean
tb_document_is_base_edge (const TbSelectedEdge *edge)
{
  return (tb_graph_figure_get_edge (edge->figure, edge->edge)->flags & TB_EDGE_BASE) != 0;
}

/**
 * tb_document_get_edge_recording:
 * @edge: an edge
 * @from: (out): start of the recording that has the edge's occurrences
 * @to: (out): end of that recording
 *
 * Returns: index of that recording in its side of a comparison; only the times of recording 0 fit
 *   the focus of the side
 */
guint
tb_document_get_edge_recording (TbDocument *self,
                                const TbSelectedEdge *edge,
                                gint64 *from,
                                gint64 *to)
{
  guint recording;
  gboolean base;
  GPtrArray *further;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), 0);

  recording = tb_graph_figure_get_edge_recording (edge->figure, edge->edge);
  base = tb_document_is_base_edge (edge);
  further = self->further[base ? 0 : 1];
  if (recording > 0 && recording <= further->len)
    tb_session_get_range (((TbLoadResult *) g_ptr_array_index (further, recording - 1))->session,
                          from, to);
  else
    tb_focus_get_extent (tb_document_get_side_focus (self, base), from, to);
  return recording;
}

/* Only times of the first recording of a side can be selected. */
static gboolean
is_in_first_recording (const TbSelectedEdge *edge)
{
  return tb_graph_figure_get_edge_recording (edge->figure, edge->edge) == 0;
}

/**
 * tb_document_has_occurrences:
 *
 * Returns: whether an edge is selected that has occurrences in the first recording of its side
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
  return occurrences.n > 0 && is_in_first_recording (&edge);
}

/**
 * tb_document_select_occurrence:
 * @base: side of a comparison; %FALSE for a single recording
 * @index: index of an occurrence of the selected edge
 *
 * Selects the time of the occurrence and makes it visible; the edge stays selected.
 */
void
tb_document_select_occurrence (TbDocument *self, gboolean base, gsize index)
{
  g_autofree char *figure = NULL;
  g_autofree char *item = NULL;
  TbGraphOccurrences occurrences;
  TbSelectedEdge edge;
  TbFocus *focus;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_get_side_edge (self, base, &edge) || !is_in_first_recording (&edge))
    return;
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  if (index >= occurrences.n)
    return;
  focus = tb_document_get_side_focus (self, base);
  figure = g_strdup (tb_focus_get_figure (self->focus));
  item = g_strdup (tb_focus_get_item (self->focus));
  tb_focus_begin_change (focus);
  tb_focus_reveal (focus, occurrences.from[index], occurrences.to[index]);
  tb_focus_select_item (focus, figure, item, occurrences.thread[index], occurrences.from[index],
                        occurrences.to[index], NULL);
  tb_focus_end_change (focus);
}

/**
 * tb_document_get_occurrence:
 * @base: side of a comparison; %FALSE for a single recording
 * @occurrences: those of the selected edge on that side
 *
 * Returns: index of the selected occurrence, or @occurrences->n
 */
gsize
tb_document_get_occurrence (TbDocument *self, gboolean base, const TbGraphOccurrences *occurrences)
{
  TbFocus *focus;
  guint32 thread;
  gint64 from, to;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), 0);

  focus = tb_document_get_side_focus (self, base);
  thread = tb_focus_get_thread (focus);
  if (!tb_focus_get_time (focus, &from, &to))
    return occurrences->n;
  for (gsize i = 0; i < occurrences->n && occurrences->from[i] <= from; i++)
    if (occurrences->from[i] == from && occurrences->to[i] == to
        && occurrences->thread[i] == thread)
      return i;
  return occurrences->n;
}

/* The occurrence before or after the selected one of n; the selected one if there is none.
 * selected: n if none is selected; then the last or the first one is returned. */
static gsize
get_neighbor (gsize selected, gsize n, TbOccurrenceStep step)
{
  switch (step)
    {
    case TB_OCCURRENCE_PREVIOUS:
      return selected > 0 ? selected - 1 : 0;
    case TB_OCCURRENCE_NEXT:
      if (selected == n)
        return 0;
      return MIN (selected + 1, n - 1);
    }
  g_assert_not_reached ();
}

/**
 * tb_document_step_occurrence:
 * @base: side of a comparison; %FALSE for a single recording
 * @step: direction
 *
 * Selects the occurrence before or after the selected one. If none is selected, that is the last or
 * the first one.
 */
void
tb_document_step_occurrence (TbDocument *self, gboolean base, TbOccurrenceStep step)
{
  TbGraphOccurrences occurrences;
  TbSelectedEdge edge;
  gsize selected;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_get_side_edge (self, base, &edge))
    return;
  tb_graph_figure_get_occurrences (edge.figure, edge.edge, &occurrences);
  if (occurrences.n == 0)
    return;
  selected = tb_document_get_occurrence (self, base, &occurrences);
  tb_document_select_occurrence (self, base, get_neighbor (selected, occurrences.n, step));
}

/* Steps through the occurrences on the side to which the selected edge belongs. */
static void
step_occurrence_of_edge (TbDocument *self, TbOccurrenceStep step)
{
  TbSelectedEdge edge;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (tb_document_get_edge (self, &edge))
    tb_document_step_occurrence (self, tb_document_is_base_edge (&edge), step);
}

void
tb_document_next_occurrence (TbDocument *self)
{
  step_occurrence_of_edge (self, TB_OCCURRENCE_NEXT);
}

void
tb_document_previous_occurrence (TbDocument *self)
{
  step_occurrence_of_edge (self, TB_OCCURRENCE_PREVIOUS);
}
