/* tb-document-symbols.c: symbolization of an open document: runs of tb-symbolization for its
 * recordings one after another, then request for debug files (tb-debug-files), and new runs with
 * those received; reports and facts are renewed with the new names
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "shell/document/tb-document-private.h"
#include "shell/document/tb-symbolization.h"

/* Symbols arrive in batches: views are redrawn at most this often (ms). */
#define SYMBOLS_REFRESH_MS 500
/* Reports are repeated when all symbols are there, or earlier after this many times the duration of
 * the last run. */
#define RERUN_FACTOR 10
#define RERUN_MIN_US (4 * G_USEC_PER_SEC)

static void
facts_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbDocument) self = data;
  TbRecordingFacts *facts = tb_recording_facts_gather_finish (result, NULL);

  if (facts == NULL)
    return;
  g_clear_pointer (&self->facts, tb_recording_facts_free);
  self->facts = facts;
  g_object_notify (G_OBJECT (self), "facts");
}

void
tb_document_gather_facts (TbDocument *self)
{
  tb_recording_facts_gather_async (self->trace, self->cancellable, facts_ready,
                                   g_object_ref (self));
}

static gboolean
symbols_refresh (gpointer data)
{
  TbDocument *self = data;
  gint64 longest = 0;

  self->symbols_refresh = 0;
  g_signal_emit_by_name (self, "names-changed");

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->analyses)); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (G_LIST_MODEL (self->analyses), i);

      longest = MAX (longest, tb_analysis_item_get_run_time (item));
    }
  longest = MAX (longest * RERUN_FACTOR, RERUN_MIN_US);
  if (self->running == NULL && g_get_monotonic_time () - self->last_rerun > longest)
    tb_document_run_again (self);
  return G_SOURCE_REMOVE;
}

static void
symbols_changed (TbDocument *self)
{
  if (self->symbols_refresh == 0)
    self->symbols_refresh = g_timeout_add (SYMBOLS_REFRESH_MS, symbols_refresh, self);
}

/* Returns the next recording of a comparison to symbolize, after the one shown. */
static TbLoadResult *
get_next (TbDocument *self)
{
  guint i = self->n_symbolized;

  if (self->base == NULL)
    return NULL;
  if (i-- == 0)
    return self->base;
  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    {
      if (i < self->further[side]->len)
        return g_ptr_array_index (self->further[side], i);
      i -= self->further[side]->len;
    }
  return NULL;
}

static GPtrArray *
list_sessions (TbDocument *self)
{
  GPtrArray *sessions = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (sessions, g_object_ref (self->session));
  if (self->base != NULL)
    g_ptr_array_add (sessions, g_object_ref (self->base->session));
  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    for (guint i = 0; i < self->further[side]->len; i++)
      {
        TbLoadResult *further = g_ptr_array_index (self->further[side], i);

        g_ptr_array_add (sessions, g_object_ref (further->session));
      }
  return sessions;
}

/* Requests what has no name after a search on this machine. */
static void
seek_debug_files (TbDocument *self)
{
  g_autoptr (GPtrArray) sessions = NULL;

  if (self->debug_files_sought)
    return;
  self->debug_files_sought = TRUE;
  sessions = list_sessions (self);
  tb_debug_files_start (self->debug_files, sessions,
                        self->current != NULL ? tb_analysis_item_get_report (self->current) : NULL);
}

static void symbolize_again (TbDocument *self);

static void
debug_files_message (TbDocument *self, const char *text)
{
  g_signal_emit_by_name (self, "message", text);
}

void
tb_document_make_debug_files (TbDocument *self)
{
  self->debug_files = tb_debug_files_new ();
  g_signal_connect_object (self->debug_files, "received", G_CALLBACK (symbolize_again), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->debug_files, "message", G_CALLBACK (debug_files_message), self,
                           G_CONNECT_SWAPPED);
}

static void
symbolization_done (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbDocument) self = data;
  g_autoptr (GError) error = NULL;
  TbLoadResult *next;

  if (!tb_symbolization_run_finish (result, &error))
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
          || self->state != TB_DOCUMENT_READY)
        return;
      g_signal_emit_by_name (self, "message", error->message);
    }
  if (self->state != TB_DOCUMENT_READY)
    return; /* closed in between */
  next = get_next (self);
  if (next != NULL)
    {
      self->n_symbolized++;
      tb_symbolization_run_async (next->session, self->retry_unresolved,
                                  self->symbolization_progress, self->cancellable,
                                  symbolization_done, g_object_ref (self));
      return;
    }
  self->is_symbolizing = FALSE;
  self->is_symbolized = TRUE;
  g_object_notify (G_OBJECT (self), "naming");
  g_clear_handle_id (&self->symbols_refresh, g_source_remove);
  if (self->symbols_generation != tb_document_get_symbols_generation (self))
    {
      g_signal_emit_by_name (self, "names-changed");
      tb_document_run_again (self);
    }
  tb_document_gather_facts (self);
  if (self->symbolize_again)
    symbolize_again (self);
  else
    seek_debug_files (self);
  tb_document_check_settled (self);
}

void
tb_document_start_symbolization (TbDocument *self)
{
  if (self->is_symbolizing || self->is_symbolized || self->session == NULL)
    return;
  self->is_symbolizing = TRUE;
  self->last_rerun = g_get_monotonic_time ();
  tb_symbolization_run_async (self->session, self->retry_unresolved, self->symbolization_progress,
                              self->cancellable, symbolization_done, g_object_ref (self));
  g_object_notify (G_OBJECT (self), "naming");
}

/* A search for debug files goes on meanwhile. */
static void
symbolize_again (TbDocument *self)
{
  self->symbolize_again = self->is_symbolizing;
  if (self->is_symbolizing || !self->is_symbolized || self->state != TB_DOCUMENT_READY)
    return;
  self->retry_unresolved = TRUE;
  self->is_symbolized = FALSE;
  self->n_symbolized = 0;
  tb_document_start_symbolization (self);
}

/**
 * tb_document_symbolize_again:
 *
 * Symbolizes again what has no name yet, because other files are available now. If symbolization is
 * in progress, this is done afterwards.
 */
void
tb_document_symbolize_again (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  self->debug_files_sought = FALSE;
  symbolize_again (self);
}

guint
tb_document_get_symbols_generation (TbDocument *self)
{
  guint generation
      = tb_session_get_symbols_generation (self->session)
        + (self->base != NULL ? tb_session_get_symbols_generation (self->base->session) : 0);

  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    for (guint i = 0; i < self->further[side]->len; i++)
      generation += tb_session_get_symbols_generation (
          ((TbLoadResult *) g_ptr_array_index (self->further[side], i))->session);
  return generation;
}

void
tb_document_watch_symbols (TbDocument *self)
{
  self->symbols_generation = tb_document_get_symbols_generation (self);
  g_signal_connect_object (self->session, "symbols-changed", G_CALLBACK (symbols_changed), self,
                           G_CONNECT_SWAPPED);
  if (self->base != NULL)
    g_signal_connect_object (self->base->session, "symbols-changed", G_CALLBACK (symbols_changed),
                             self, G_CONNECT_SWAPPED);
}
