/* tb-document.c: open recording or comparison: loading in a thread (by tb-load-recording) with a
 * preview, state, session and trace, list of analyses, release when closed; texts for display:
 * name, place, extent, facts, warnings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-private.h"
#include "shell/tb-deferred-release.h"

enum
{
  PROP_0,
  PROP_STATE,
  PROP_NAMING,
  PROP_FACTS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

enum
{
  NAMES_CHANGED,
  BOOKMARKS_CHANGED,
  FILTER_CHANGED,
  LIMIT_CHANGED,
  SETTLED,
  MESSAGE,
  IMPORTER_FOUND,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbDocument, tb_document, G_TYPE_OBJECT)

static void
tb_document_dispose (GObject *object)
{
  TbDocument *self = TB_DOCUMENT (object);

  tb_document_close (self);
  G_OBJECT_CLASS (tb_document_parent_class)->dispose (object);
}

static void
tb_document_finalize (GObject *object)
{
  TbDocument *self = TB_DOCUMENT (object);

  g_clear_object (&self->file);
  g_clear_object (&self->base_file);
  g_free (self->normalization);
  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    {
      g_ptr_array_unref (self->further_files[side]);
      g_ptr_array_unref (self->further[side]);
    }
  g_clear_error (&self->error);
  g_clear_object (&self->progress);
  g_clear_object (&self->symbolization_progress);
  g_clear_object (&self->debug_files);
  g_clear_object (&self->focus);
  g_clear_pointer (&self->filter, tb_filter_unref);
  g_array_unref (self->threads);
  g_clear_object (&self->analyses);
  G_OBJECT_CLASS (tb_document_parent_class)->finalize (object);
}

static void
tb_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbDocument *self = TB_DOCUMENT (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_int (value, self->state);
      break;
    case PROP_NAMING:
      g_value_set_boolean (value, self->is_symbolizing);
      break;
    case PROP_FACTS:
      g_value_take_string (value, tb_document_describe_recording (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_document_class_init (TbDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = tb_document_dispose;
  object_class->finalize = tb_document_finalize;
  object_class->get_property = tb_document_get_property;
  props[PROP_STATE] = g_param_spec_int ("state", NULL, NULL, TB_DOCUMENT_CLOSED, TB_DOCUMENT_FAILED,
                                        TB_DOCUMENT_CLOSED, flags);
  props[PROP_NAMING] = g_param_spec_boolean ("naming", NULL, NULL, FALSE, flags);
  props[PROP_FACTS] = g_param_spec_string ("facts", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[NAMES_CHANGED] = g_signal_new ("names-changed", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[BOOKMARKS_CHANGED]
      = g_signal_new ("bookmarks-changed", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 0);
  /* Emitted when the analyses cover another part of the recording. */
  signals[LIMIT_CHANGED] = g_signal_new ("limit-changed", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* Emitted when the filter of the figures changes. */
  signals[FILTER_CHANGED] = g_signal_new ("filter-changed", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* Emitted when no background work is left. */
  signals[SETTLED] = g_signal_new ("settled", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
  /* Emitted with a sentence to show to the user; the operation in progress goes on. */
  signals[MESSAGE] = g_signal_new ("message", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  /* Emitted if the importer of the file has options, with the importer. The document then waits for
   * tb_document_import(). */
  signals[IMPORTER_FOUND] = g_signal_new ("importer-found", TB_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 1, TB_TYPE_IMPORTER);
}

static void
tb_document_init (TbDocument *self)
{
  self->is_interactive = TRUE;
  self->progress = tb_progress_new ();
  self->symbolization_progress = tb_progress_new ();
  self->cancellable = g_cancellable_new ();
  tb_document_make_debug_files (self);
  self->analyses = g_list_store_new (TB_TYPE_ANALYSIS_ITEM);
  self->focus = tb_focus_new (0, 1);
  g_queue_init (&self->queue);
  self->thread = TB_ID_NONE;
  self->threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    {
      self->further_files[side] = g_ptr_array_new_with_free_func (g_object_unref);
      self->further[side] = g_ptr_array_new_with_free_func ((GDestroyNotify) tb_load_result_free);
    }
}

/**
 * tb_document_new:
 * @file: a session, or any file that an importer reads
 *
 * Returns: (transfer full): a document that is not loaded yet
 */
TbDocument *
tb_document_new (GFile *file)
{
  TbDocument *self = g_object_new (TB_TYPE_DOCUMENT, NULL);

  self->file = g_object_ref (file);
  return self;
}

static void
set_state (TbDocument *self, TbDocumentState state)
{
  self->state = state;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATE]);
}

void
tb_document_check_settled (TbDocument *self)
{
  if (tb_document_is_settled (self))
    g_signal_emit (self, signals[SETTLED], 0);
}

/* Loading */

static gboolean
can_compare (const char *id)
{
  g_autoptr (TbAnalysis) analysis = tb_engine_create_analysis (tb_engine_get_default (), id, NULL);

  return analysis != NULL && tb_analysis_can_compare (analysis);
}

static void
list_analyses (TbDocument *self)
{
  g_autoptr (GPtrArray) plugins = tb_engine_list_analyses (tb_engine_get_default ());

  for (guint i = 0; i < plugins->len; i++)
    {
      const TbPluginInfo *info = g_ptr_array_index (plugins, i);
      g_autoptr (TbAnalysisItem) item = NULL;

      if (info->disabled
          || (tb_document_is_comparison (self) && info->error == NULL && !can_compare (info->id)))
        continue;
      item = tb_analysis_item_new (info->id, info->name, info->description, info->error);
      /* A comparison does not use the options stored in a single recording. */
      if (tb_document_is_recording (self))
        tb_analysis_item_set_session (item, self->session);
      g_list_store_append (self->analyses, item);
    }
}

/* Sets the session once, at the preview or at the end of loading, so that the view of the preview
 * is kept. */
static void
set_session (TbDocument *self, TbSession *session)
{
  gint64 from, to;

  if (self->session != NULL)
    return;
  self->session = g_object_ref (session);
  tb_session_get_range (session, &from, &to);
  tb_focus_set_extent (self->focus, from, MAX (to, from + 1));
  list_analyses (self);
}

static void
previewed (TbSession *session, TbTimelineFigure *preview, gpointer data)
{
  TbDocument *self = data;

  if (self->state != TB_DOCUMENT_LOADING)
    return;
  self->preview = g_object_ref (preview);
  set_session (self, session);
  set_state (self, TB_DOCUMENT_SKETCHED);
}

/* Releases the session and what depends on it, except the trace. */
static void
drop_session (TbDocument *self)
{
  g_queue_clear_full (&self->queue, g_object_unref);
  g_clear_object (&self->current);
  g_list_store_remove_all (self->analyses);
  self->thread = TB_ID_NONE;
  g_array_set_size (self->threads, 0);
  self->whole_process = FALSE;
  self->whole_system = FALSE;
  self->has_range = FALSE;
  self->is_symbolized = FALSE;
  self->debug_files_sought = FALSE;
  self->n_symbolized = 0;
  g_clear_object (&self->preview);
  g_clear_object (&self->overviews[0]);
  g_clear_object (&self->overviews[1]);
  g_clear_object (&self->session);
  g_clear_pointer (&self->base, tb_load_result_free);
  g_clear_object (&self->base_focus);
  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    g_ptr_array_set_size (self->further[side], 0);
}

void
tb_document_take_load_result (TbDocument *self, TbLoadResult *loaded, GError *error)
{
  g_autoptr (GError) reason = error;

  if (loaded == NULL)
    {
      drop_session (self);
      if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          set_state (self, TB_DOCUMENT_CLOSED);
          return;
        }
      self->error = g_steal_pointer (&reason);
      set_state (self, TB_DOCUMENT_FAILED);
      return;
    }

  set_session (self, loaded->session);
  self->trace = g_steal_pointer (&loaded->trace);
  self->imported = g_steal_pointer (&loaded->imported);
  tb_document_update_selection (self);
  tb_document_watch_symbols (self);
  tb_document_gather_facts (self);
  set_state (self, TB_DOCUMENT_READY);
  tb_document_run_next (self); /* if no analysis is queued, symbolization starts */
}

static void
load_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (TbDocument) self = data;
  GError *error = NULL;
  g_autoptr (TbLoadResult) loaded = tb_load_recording_finish (result, &error);

  if (self->state != TB_DOCUMENT_LOADING && self->state != TB_DOCUMENT_SKETCHED)
    g_clear_error (&error);
  else if (loaded != NULL && loaded->importer != NULL)
    tb_document_take_importer (self, loaded->importer);
  else
    tb_document_take_load_result (self, loaded, error);
}

void
tb_document_load_with (TbDocument *self, TbImporter *importer)
{
  tb_load_recording_async (self->file, importer, self->progress, previewed, self->cancellable,
                           load_done, g_object_ref (self));
}

/**
 * tb_document_load:
 *
 * Starts to load the file in a thread; #TbDocument:state shows the outcome. A load that failed is
 * tried again.
 */
void
tb_document_load (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (self->state != TB_DOCUMENT_CLOSED && self->state != TB_DOCUMENT_FAILED)
    return;
  g_clear_error (&self->error);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  set_state (self, TB_DOCUMENT_LOADING);
  if (tb_document_is_comparison (self))
    tb_document_load_comparison (self);
  else
    tb_document_load_with (self, NULL);
}

static void
add_reference (GPtrArray *large, gpointer object)
{
  if (object != NULL)
    g_ptr_array_add (large, g_object_ref (object));
}

static void
add_loaded_references (GPtrArray *large, const TbLoadResult *loaded)
{
  if (loaded != NULL)
    {
      add_reference (large, loaded->trace);
      add_reference (large, loaded->session);
    }
}

/* Keeps references to objects that take long to free, so that no other owner frees the last one. */
static GPtrArray *
list_large_objects (TbDocument *self)
{
  GPtrArray *large = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->analyses)); i++)
    {
      g_autoptr (TbAnalysisItem) item = g_list_model_get_item (G_LIST_MODEL (self->analyses), i);

      add_reference (large, tb_analysis_item_get_report (item));
    }
  add_reference (large, self->preview);
  add_reference (large, self->trace);
  add_reference (large, self->session);
  add_loaded_references (large, self->base);
  for (guint side = 0; side < G_N_ELEMENTS (self->further); side++)
    for (guint i = 0; i < self->further[side]->len; i++)
      add_loaded_references (large, g_ptr_array_index (self->further[side], i));
  return large;
}

/**
 * tb_document_close:
 *
 * Cancels background work and releases the session.
 */
void
tb_document_close (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  g_cancellable_cancel (self->cancellable);
  tb_debug_files_cancel (self->debug_files);
  g_clear_handle_id (&self->symbols_refresh, g_source_remove);
  if (self->running != NULL)
    tb_document_cancel_run (self, self->running);
  if (self->session != NULL)
    tb_release_data (list_large_objects (self));
  g_clear_object (&self->selection);
  g_clear_pointer (&self->facts, tb_recording_facts_free);
  g_clear_object (&self->trace);
  drop_session (self);
  if (self->imported != NULL)
    g_file_delete (self->imported, NULL, NULL);
  g_clear_object (&self->imported);
  self->is_symbolizing = FALSE;
  if (self->state != TB_DOCUMENT_CLOSED)
    set_state (self, TB_DOCUMENT_CLOSED);
}

/* Properties */

GFile *
tb_document_get_file (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->file;
}

/**
 * tb_document_dup_name:
 *
 * Returns: (transfer full): display name of the file
 */
char *
tb_document_dup_name (TbDocument *self)
{
  g_autofree char *base = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  name = tb_document_dup_side_name (self, FALSE);
  if (self->base_file == NULL)
    return g_steal_pointer (&name);
  base = tb_document_dup_side_name (self, TRUE);
  /* Translators: the names of two recordings in a comparison, the base and the other */
  return g_strdup_printf (_ ("%s → %s"), base, name);
}

/**
 * tb_document_dup_place:
 *
 * Returns: (transfer full): path of the file, or a line for each side of a comparison
 */
char *
tb_document_dup_place (TbDocument *self)
{
  g_autofree char *place = NULL;
  g_autofree char *base = NULL;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  place = g_file_get_parse_name (self->file);
  if (self->base_file == NULL)
    return g_steal_pointer (&place);
  g_free (place);
  place = tb_document_describe_side (self, FALSE);
  base = tb_document_describe_side (self, TRUE);
  return g_strdup_printf (_ ("Base: %s\nOther: %s"), base, place);
}

TbDocumentState
tb_document_get_state (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), TB_DOCUMENT_CLOSED);
  return self->state;
}

const GError *
tb_document_get_error (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->error;
}

TbProgress *
tb_document_get_progress (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->progress;
}

/**
 * tb_document_is_imported:
 *
 * Returns: whether the session is a temporary one, made from a file of another tool
 */
gboolean
tb_document_is_imported (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return self->imported != NULL;
}

TbSession *
tb_document_get_session (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->session;
}

TbTrace *
tb_document_get_trace (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->trace;
}

TbFocus *
tb_document_get_focus (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->focus;
}

/**
 * tb_document_get_preview:
 *
 * Returns: (transfer none) (nullable): approximate timeline of the threads, shown until there is a
 *   report
 */
TbTimelineFigure *
tb_document_get_preview (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->preview;
}

gboolean
tb_document_is_symbolizing (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return self->is_symbolizing;
}

TbProgress *
tb_document_get_symbolization_progress (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->symbolization_progress;
}

TbDebugFiles *
tb_document_get_debug_files (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->debug_files;
}

/**
 * tb_document_is_settled:
 *
 * Returns: whether no background work is left
 */
gboolean
tb_document_is_settled (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return self->state == TB_DOCUMENT_FAILED
         || (self->state == TB_DOCUMENT_READY && self->running == NULL
             && g_queue_is_empty (&self->queue) && !self->is_symbolizing);
}

/**
 * tb_document_describe:
 *
 * Returns: (transfer full): subtitle in one line, for example "18 threads of 7 processes · 265 ms
 *   selected of 3.2 s"
 */
char *
tb_document_describe (TbDocument *self)
{
  gint64 from, to;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  if (self->session == NULL)
    return g_strdup ("");
  if (tb_document_is_comparison (self))
    return tb_document_describe_comparison (self);
  return tb_recording_facts_describe_extent (
      self->session, tb_focus_get_range (self->focus, &from, &to) ? to - from : -1);
}

/**
 * tb_document_describe_recording:
 *
 * Returns: (transfer full): facts about the recording: collector, size and quality
 */
char *
tb_document_describe_recording (TbDocument *self)
{
  g_autofree char *facts = NULL;
  g_autofree char *base_facts = NULL;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  if (self->trace == NULL)
    return g_strdup ("");
  facts = tb_recording_facts_describe (self->facts, self->trace);
  if (self->base == NULL)
    return g_steal_pointer (&facts);
  base_facts = tb_recording_facts_describe (NULL, self->base->trace);
  return g_strdup_printf (_ ("Base: %s\n\nOther: %s"), base_facts, facts);
}

/* Takes ownership of warnings, and adds which files have no names or unverified ones. */
static char **
add_symbols (TbDocument *self, char **warnings)
{
  const char *const *symbols
      = self->is_symbolized ? tb_recording_facts_list_symbols (self->facts) : NULL;
  g_autoptr (GStrvBuilder) builder = NULL;

  if (symbols == NULL)
    return warnings;
  builder = g_strv_builder_new ();
  g_strv_builder_addv (builder, (const char **) warnings);
  g_strv_builder_addv (builder, (const char **) symbols);
  g_strfreev (warnings);
  return g_strv_builder_end (builder);
}

/**
 * tb_document_dup_warnings:
 *
 * Returns: (transfer full): reasons why the recording is inaccurate or incomplete, the most
 *   important first
 */
char **
tb_document_dup_warnings (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  if (self->trace == NULL)
    return g_new0 (char *, 1);
  if (self->base != NULL)
    return tb_document_list_comparison_warnings (self);
  return add_symbols (self, tb_recording_facts_list_warnings (self->trace));
}
