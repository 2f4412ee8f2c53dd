/* tb-document-wait-link.c: link from a wait to another analysis: shows that analysis, and selects
 * in its report the graph edge with the longest part of the wait
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-page-private.h"
#include "widgets/focus/tb-focus.h"

/* The wait to show once the other analysis is done. */
typedef struct
{
  GWeakRef page;
  guint32 thread;
  gint64 from;
  gint64 to;
} PendingWait;

static void
pending_wait_free (gpointer data, GClosure *closure)
{
  PendingWait *pending = data;

  (void) closure;
  g_weak_ref_clear (&pending->page);
  g_free (pending);
}

/* Returns the time that occurrences of the edge by a thread overlap a range. */
static gint64
get_overlap (TbGraphFigure *figure, guint edge, guint32 thread, gint64 from, gint64 to)
{
  TbGraphOccurrences occurrences;
  gint64 ns = 0;

  tb_graph_figure_get_occurrences (figure, edge, &occurrences);
  for (gsize i = 0; i < occurrences.n; i++)
    if (occurrences.thread[i] == thread)
      ns += MAX (MIN (occurrences.to[i], to) - MAX (occurrences.from[i], from), 0);
  return ns;
}

/* Finds the edge with the longest part of the thread's wait. */
static gboolean
find_edge (TbReport *report, const PendingWait *pending, TbSelectedEdge *found)
{
  gint64 most = 0;

  for (guint i = 0; i < tb_report_get_n_figures (report); i++)
    {
      TbFigure *figure = tb_report_get_figure (report, i);

      for (guint k = 0; TB_IS_GRAPH_FIGURE (figure)
                        && k < tb_graph_figure_get_n_edges (TB_GRAPH_FIGURE (figure));
           k++)
        {
          gint64 ns = get_overlap (TB_GRAPH_FIGURE (figure), k, pending->thread, pending->from,
                                   pending->to);

          if (ns <= most)
            continue;
          most = ns;
          *found = (TbSelectedEdge) { report, TB_GRAPH_FIGURE (figure), k };
        }
    }
  return most > 0;
}

static void
show_edge (TbDocumentPage *self, TbAnalysisItem *item, const PendingWait *pending)
{
  TbReport *report = tb_analysis_item_get_report (item);
  TbSelectedEdge found;
  const char *figure;

  if (report == NULL || !find_edge (report, pending, &found))
    return;
  figure = tb_figure_get_id (TB_FIGURE (found.figure));
  tb_document_page_show_figure (self, figure);
  tb_focus_select_item (tb_document_get_focus (self->document), figure,
                        tb_graph_figure_get_edge (found.figure, found.edge)->id, pending->thread,
                        pending->from, pending->to, NULL);
}

/* Shows the edge, unless the user selected something else in between. */
static void
analysis_finished (TbAnalysisItem *item, gpointer data)
{
  PendingWait *pending = data;
  g_autoptr (TbDocumentPage) self = g_weak_ref_get (&pending->page);
  TbAnalysisPage *page = self != NULL ? tb_document_page_get_analysis_page (self) : NULL;
  gint64 from, to;

  if (page != NULL && tb_analysis_page_get_item (page) == item
      && tb_focus_get_thread (tb_document_get_focus (self->document)) == pending->thread
      && tb_focus_get_time (tb_document_get_focus (self->document), &from, &to)
      && from == pending->from && to == pending->to)
    show_edge (self, item, pending);
  g_signal_handlers_disconnect_by_data (item, data);
}

/**
 * tb_document_page_show_wait:
 * @id: id of an analysis
 * @thread: id of a thread
 * @from: start of the wait, ns
 * @to: end of the wait, ns
 *
 * Selects the thread and the time, and shows the analysis. When its report is available, the edge
 * with the longest part of the wait is selected in it.
 *
 * Returns: whether there is such an analysis
 */
gboolean
tb_document_page_show_wait (TbDocumentPage *self,
                            const char *id,
                            guint32 thread,
                            gint64 from,
                            gint64 to)
{
  TbFocus *focus;
  TbAnalysisItem *item;
  PendingWait *pending;

  g_return_val_if_fail (TB_IS_DOCUMENT_PAGE (self), FALSE);

  item = tb_document_find_analysis (self->document, id);
  if (item == NULL)
    return FALSE;
  focus = tb_document_get_focus (self->document);
  tb_focus_begin_change (focus);
  tb_focus_reveal (focus, from, to);
  tb_focus_select_item (focus, NULL, NULL, thread, from, to, NULL);
  tb_focus_end_change (focus);
  pending = g_new0 (PendingWait, 1);
  g_weak_ref_init (&pending->page, self);
  pending->thread = thread;
  pending->from = from;
  pending->to = to;
  g_signal_connect_data (item, "finished", G_CALLBACK (analysis_finished), pending,
                         pending_wait_free, 0);
  tb_document_page_show_analysis (self, id);
  if (tb_analysis_item_get_report (item) != NULL)
    analysis_finished (item, pending);
  return TRUE;
}
