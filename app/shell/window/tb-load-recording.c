/* tb-load-recording.c: opening of a session file, or import of another tool's file (by a plug-in)
 * into a temporary session, then construction of its trace, all in a thread, with progress; passes
 * on a preliminary timeline (tb-preview-timeline)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "extend/plugins/tb-engine.h"
#include "shell/window/tb-load-recording.h"
#include "shell/tb-plugin-options.h"
#include "shell/tb-temporary-files.h"
#include "shell/window/tb-preview-timeline.h"

/* Share of the progress bar for the import, which reads far more than the construction of the
 * trace. */
#define IMPORT_SHARE 0.7

typedef struct
{
  GFile *file;
  TbImporter *importer; /* NULL: the one that recognizes the file */
  TbProgress *progress;
  TbPreviewFunc preview_func;
  gpointer data;
  gboolean has_preview;
  double from; /* share of the progress bar of the current step */
  double to;
} Load;

void
tb_load_result_free (TbLoadResult *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->trace);
  g_clear_object (&self->session);
  if (self->imported != NULL)
    g_file_delete (self->imported, NULL, NULL);
  g_clear_object (&self->imported);
  g_clear_object (&self->importer);
  g_free (self);
}

static void
load_free (gpointer data)
{
  Load *load = data;

  g_object_unref (load->file);
  g_clear_object (&load->importer);
  g_object_unref (load->progress);
  g_free (load);
}

static void
report (double share, const char *what, gpointer data)
{
  Load *load = data;

  tb_progress_report (load->from + CLAMP (share, 0, 1) * (load->to - load->from), what,
                      load->progress);
}

static gboolean
check_session_magic (GFile *file, gboolean *is_session, GCancellable *cancellable, GError **error)
{
  static const char magic[16] = "SQLite format 3";
  g_autoptr (GFileInputStream) stream = NULL;
  char head[sizeof magic];
  gsize n_read;

  *is_session = FALSE;
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) == G_FILE_TYPE_DIRECTORY)
    return TRUE; /* some tools record into a folder */
  stream = g_file_read (file, cancellable, error);
  if (stream == NULL
      || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &n_read, cancellable,
                                   error))
    return FALSE;
  *is_session = n_read == sizeof head && memcmp (head, magic, sizeof head) == 0;
  return TRUE;
}

static gboolean
import (Load *load, TbLoadResult *loaded, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_file_get_basename (load->file);
  g_autoptr (TbRecorder) recorder = NULL;

  loaded->imported = tb_temporary_files_new_file (name, error);
  if (loaded->imported == NULL)
    return FALSE;
  recorder = tb_recorder_new (loaded->imported, FALSE, error);
  if (recorder == NULL)
    return FALSE;
  if (!tb_importer_import_file (load->importer, load->file, recorder, report, load, cancellable,
                                error))
    {
      tb_recorder_abandon (recorder);
      return FALSE;
    }
  return tb_recorder_finish (recorder, error);
}

/* Imports the file, unless its importer has options, which the caller sets. */
static gboolean
find_and_import (Load *load, TbLoadResult *loaded, GCancellable *cancellable, GError **error)
{
  g_autoptr (TbImporter) found = NULL;

  if (load->importer != NULL)
    return import (load, loaded, cancellable, error);
  found = tb_engine_find_importer (tb_engine_get_default (), load->file, error);
  if (found == NULL)
    return FALSE;
  if (tb_plugin_options_exist (G_OBJECT (found)))
    {
      loaded->importer = g_steal_pointer (&found);
      return TRUE;
    }
  load->importer = g_steal_pointer (&found);
  return import (load, loaded, cancellable, error);
}

typedef struct
{
  TbPreviewFunc preview_func;
  gpointer data;
  TbSession *session;
  TbTimelineFigure *figure;
} Preview;

static void
preview_free (gpointer data)
{
  Preview *preview = data;

  g_object_unref (preview->session);
  g_object_unref (preview->figure);
  g_free (preview);
}

static gboolean
show_preview (gpointer data)
{
  Preview *preview = data;

  preview->preview_func (preview->session, preview->figure, preview->data);
  return G_SOURCE_REMOVE;
}

/* Passes on the preliminary timeline as soon as there is one. The source has the priority of the
 * task's callback and is attached before it, so the data are still valid. */
static void
preview (Load *load, TbSession *session, GTask *task)
{
  g_autoptr (TbTimelineFigure) figure
      = load->has_preview ? NULL : tb_preview_timeline_new (session);
  g_autoptr (GSource) source = NULL;
  Preview *handed;

  if (figure == NULL)
    return;
  load->has_preview = TRUE;
  handed = g_new0 (Preview, 1);
  handed->preview_func = load->preview_func;
  handed->data = load->data;
  handed->session = g_object_ref (session);
  handed->figure = g_steal_pointer (&figure);
  source = g_idle_source_new ();
  g_source_set_priority (source, g_task_get_priority (task));
  g_source_set_callback (source, show_preview, handed, preview_free);
  g_source_attach (source, g_task_get_context (task));
}

static void
load_file (GTask *task, Load *load, GCancellable *cancellable)
{
  g_autoptr (TbLoadResult) loaded = g_new0 (TbLoadResult, 1);
  g_autofree char *name = g_file_get_parse_name (load->file);
  GError *error = NULL;
  gboolean is_session;

  if (!check_session_magic (load->file, &is_session, cancellable, &error))
    {
      if (error->domain == G_IO_ERROR && error->code != G_IO_ERROR_CANCELLED)
        {
          g_autoptr (GError) cause = g_steal_pointer (&error);

          error = g_error_new (cause->domain, cause->code, _ ("%s cannot be read: %s"), name,
                               cause->message);
        }
      g_task_return_error (task, error);
      return;
    }
  load->to = IMPORT_SHARE;
  if (!is_session && !find_and_import (load, loaded, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (loaded->importer != NULL)
    {
      g_task_return_pointer (task, g_steal_pointer (&loaded), (GDestroyNotify) tb_load_result_free);
      return;
    }
  load->from = is_session ? 0 : IMPORT_SHARE;
  load->to = 1;
  loaded->session
      = tb_session_open (is_session ? load->file : loaded->imported, cancellable, &error);
  if (loaded->session != NULL)
    {
      preview (load, loaded->session, task);
      loaded->trace = tb_trace_new (loaded->session, report, load, cancellable, &error);
    }
  if (loaded->trace == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  preview (load, loaded->session, task); /* an imported session has an overview only now */
  g_task_return_pointer (task, g_steal_pointer (&loaded), (GDestroyNotify) tb_load_result_free);
}

/* The current cancellable also cancels the reading of columns. */
static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  load_file (task, data, cancellable);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
}

/**
 * tb_load_recording_async:
 * @file: a session, or any file that an importer reads
 * @importer: (nullable): the importer, with its options; %NULL: the one that recognizes the file
 * @progress: receives the progress
 * @preview_func: (scope async): called when there is a preliminary timeline
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the file is loaded
 * @data: for @callback
 *
 * Opens a session, or imports a file into a temporary one, and builds its trace. If @importer is
 * %NULL and the importer has options, the result is only the importer.
 */
void
tb_load_recording_async (GFile *file,
                         TbImporter *importer,
                         TbProgress *progress,
                         TbPreviewFunc preview_func,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Load *load = g_new0 (Load, 1);

  load->file = g_object_ref (file);
  g_set_object (&load->importer, importer);
  load->progress = g_object_ref (progress);
  load->preview_func = preview_func;
  load->data = data;
  g_task_set_source_tag (task, tb_load_recording_async);
  g_task_set_task_data (task, load, load_free);
  g_task_run_in_thread (task, load_thread);
}

TbLoadResult *
tb_load_recording_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
