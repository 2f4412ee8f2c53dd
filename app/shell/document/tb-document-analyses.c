/* tb-document-analyses.c: analyses of a document: queue in which they run one after another,
 * cancel, repetition of all that have run, look-up by id
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-private.h"

static void
run_finished (TbAnalysisItem *item, gpointer data)
{
  TbDocument *self = data;

  if (self->running == item)
    {
      g_signal_handlers_disconnect_by_func (item, run_finished, self);
      g_clear_object (&self->running);
    }
  if (tb_analysis_item_get_report (item) != NULL)
    g_clear_object (&self->preview);
  tb_document_run_next (self);
}

void
tb_document_run_next (TbDocument *self)
{
  g_autoptr (TbAnalysisItem) next = NULL;
  g_autoptr (TbComparison) comparison = NULL;

  if (self->trace == NULL || self->running != NULL)
    return;
  next = g_queue_pop_head (&self->queue);
  if (next == NULL)
    {
      /* after the analyses, so that the first figures appear before function names are resolved */
      tb_document_start_symbolization (self);
      tb_document_check_settled (self);
      return;
    }
  self->running = g_object_ref (next);
  g_signal_connect (next, "finished", G_CALLBACK (run_finished), self);
  comparison = tb_document_make_comparison (self);
  tb_analysis_item_run (next, comparison, self->trace, self->selection);
}

void
tb_document_cancel_run (TbDocument *self, TbAnalysisItem *item)
{
  GList *link = g_queue_find (&self->queue, item);

  if (link != NULL)
    {
      g_queue_delete_link (&self->queue, link);
      g_object_unref (item);
    }
  if (item == self->running)
    {
      g_signal_handlers_disconnect_by_func (item, run_finished, self);
      self->running = NULL;
      tb_analysis_item_cancel (item);
      g_object_unref (item);
    }
}

/**
 * tb_document_cancel:
 * @item: an analysis of the document
 *
 * Cancels its run, whether in progress or queued.
 */
void
tb_document_cancel (TbDocument *self, TbAnalysisItem *item)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  tb_document_cancel_run (self, item);
  tb_document_run_next (self);
}

gboolean
tb_document_is_pending (TbDocument *self, TbAnalysisItem *item)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return (item == self->running && tb_analysis_item_is_running (item))
         || g_queue_find (&self->queue, item) != NULL;
}

/**
 * tb_document_run:
 * @item: an analysis of the document
 *
 * Runs the analysis with its current options when the run in progress ends, before all other queued
 * analyses. If the trace is still being read, it runs after that.
 */
void
tb_document_run (TbDocument *self, TbAnalysisItem *item)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (self->session == NULL)
    return;
  if (!tb_analysis_item_store_options (item, &error))
    g_signal_emit_by_name (self, "message", error->message);
  tb_document_cancel_run (self, item);
  g_queue_push_head (&self->queue, g_object_ref (item));
  tb_document_run_next (self);
}

/**
 * tb_document_ensure_report:
 * @item: an analysis of the document
 *
 * Makes it the visible analysis, and runs it unless it has run or is queued.
 */
void
tb_document_ensure_report (TbDocument *self, TbAnalysisItem *item)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  g_set_object (&self->current, item);
  if (!tb_document_is_pending (self, item) && tb_analysis_item_get_report (item) == NULL
      && tb_analysis_item_get_error (item) == NULL)
    tb_document_run (self, item);
}

void
tb_document_run_again (TbDocument *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->analyses));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (G_LIST_MODEL (self->analyses), i);

      if (item != self->running && tb_analysis_item_get_report (item) == NULL)
        continue;
      tb_document_cancel_run (self, item);
      if (item == self->current)
        g_queue_push_head (&self->queue, g_object_ref (item));
      else
        g_queue_push_tail (&self->queue, g_object_ref (item));
    }
  self->last_rerun = g_get_monotonic_time ();
  self->symbols_generation = tb_document_get_symbols_generation (self);
  tb_document_run_next (self);
}

GListModel *
tb_document_get_analyses (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return G_LIST_MODEL (self->analyses);
}

TbAnalysisItem *
tb_document_find_analysis (TbDocument *self, const char *id)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->analyses)); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (G_LIST_MODEL (self->analyses), i);

      if (g_strcmp0 (tb_analysis_item_get_id (item), id) == 0)
        return item; /* the list holds a reference */
    }
  return NULL;
}
