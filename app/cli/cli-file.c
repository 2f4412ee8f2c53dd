/* cli-file.c: opening of the input file, imported into a temporary session and symbolized if
 * needed; import into a given session; printing of warnings; output of text, JSON and reports to a
 * file or standard output, check of the format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gi18n.h>

#include "cli.h"
#include "report/tb-atomic-file.h"

#define SQLITE_MAGIC "SQLite format 3"

typedef struct
{
  GFile *input;
  TbImporter *importer;
  TbRecorder *recorder;
  GFile *file;
  TbTrace *trace;
  TbSymbolPrefetch *prefetch;
  gboolean symbolize;
  gboolean is_temporary;
} Opening;

gboolean
cli_is_session (GFile *file)
{
  g_autoptr (GFileInputStream) stream = NULL;
  char head[sizeof SQLITE_MAGIC] = { 0 };
  gsize length;

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  return stream
         && g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &length, NULL,
                                     NULL)
         && length == sizeof head && memcmp (head, SQLITE_MAGIC, sizeof head) == 0;
}

static gboolean
import_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Opening *opening = data;

  return tb_importer_import_file (opening->importer, opening->input, opening->recorder,
                                  cli_progress, NULL, cancellable, error)
         && tb_recorder_finish (opening->recorder, error);
}

static gboolean
import (GFile *input, TbImporter *importer, TbRecorder *recorder, GError **error)
{
  Opening opening = { .input = input, .importer = importer, .recorder = recorder };

  if (!cli_work_of (importer, import_work, &opening, error))
    {
      tb_recorder_abandon (recorder);
      return FALSE;
    }
  return TRUE;
}

/* Debug files that will be received must not be sought before. */
static TbSymbolPrefetch *
create_prefetch (TbRecorder *recorder)
{
  return cli_debuginfod_is_enabled () ? NULL
                                      : tb_symbol_prefetch_new (recorder, TB_SYMBOLIZER_INLINES);
}

static void
show_naming (guint named, guint total, gpointer data)
{
  cli_progress (total ? (double) named / total : 1, _ ("resolving function names"), NULL);
}

static gboolean
open_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Opening *opening = data;
  g_autoptr (TbSession) session = tb_session_open (opening->file, cancellable, error);

  if (!session)
    return FALSE;
  if (opening->is_temporary)
    tb_session_keep_in_memory (session);
  if (opening->symbolize)
    {
      TbSymbolizerFlags retry
          = cli_debuginfod_is_enabled () ? TB_SYMBOLIZER_RETRY : TB_SYMBOLIZER_NONE;
      g_autoptr (TbSymbolizer) symbolizer
          = tb_symbolizer_new (session, TB_SYMBOLIZER_INLINES | retry);

      tb_symbolizer_set_prefetch (symbolizer, opening->prefetch);
      if (!cli_debuginfod_receive (session, cancellable, error)
          || !tb_symbolizer_run (symbolizer, show_naming, NULL, cancellable, error))
        return FALSE;
    }
  opening->trace = tb_trace_new (session, cli_progress, NULL, cancellable, error);
  return opening->trace != NULL;
}

static gboolean
complete (GFile *file, TbSymbolPrefetch *prefetch, GError **error)
{
  Opening opening = { .file = file, .symbolize = TRUE, .prefetch = prefetch };

  if (!cli_work (open_work, &opening, error))
    return FALSE;
  cli_print_warnings (opening.trace);
  g_object_unref (opening.trace);
  return TRUE;
}

gboolean
cli_complete_session (GFile *file, GError **error)
{
  return complete (file, NULL, error);
}

gboolean
cli_import (GFile *input, TbImporter *importer, GFile *output, gboolean overwrite, GError **error)
{
  g_autoptr (TbRecorder) recorder = NULL;
  g_autoptr (TbSymbolPrefetch) prefetch = NULL;

  cli_memory_prepare ();
  recorder = tb_recorder_new (output, overwrite, error);
  prefetch = recorder ? create_prefetch (recorder) : NULL;
  return recorder && import (input, importer, recorder, error)
         && complete (output, prefetch, error);
}

/* Returns the file of a session in a temporary folder that only this user can read. */
static GFile *
make_temporary (CliFile *file, GError **error)
{
  file->temporary = tb_temporary_folder_new (TB_TEMPORARY_TMP, error);
  return file->temporary != NULL
             ? g_file_new_build_filename (tb_temporary_folder_get_path (file->temporary),
                                          "import.tailback", NULL)
             : NULL;
}

/* Imports into a temporary session. Returns its file. */
static GFile *
import_temporarily (CliFile *file, GFile *input, TbSymbolPrefetch **prefetch, GError **error)
{
  g_autoptr (TbImporter) importer
      = tb_engine_find_importer (tb_engine_get_default (), input, error);
  g_autoptr (GFile) imported = importer ? make_temporary (file, error) : NULL;
  g_autoptr (TbRecorder) recorder = imported ? tb_recorder_new (imported, FALSE, error) : NULL;

  if (!recorder)
    return NULL;
  tb_recorder_set_temporary (recorder);
  *prefetch = create_prefetch (recorder);
  return import (input, importer, recorder, error) ? g_steal_pointer (&imported) : NULL;
}

gboolean
cli_file_open (CliFile *file, const char *path, gboolean symbolize, GError **error)
{
  g_autoptr (GFile) input = cli_open_input (path, error);
  g_autoptr (GFile) imported = NULL;
  g_autoptr (TbSymbolPrefetch) prefetch = NULL;
  Opening opening = { .file = input, .symbolize = symbolize || cli_debuginfod_is_enabled () };

  if (!input)
    return FALSE;
  if (!cli_is_session (input))
    {
      cli_memory_prepare ();
      imported = import_temporarily (file, input, &prefetch, error);
      if (!imported)
        return FALSE;
      opening.file = imported;
      opening.symbolize = opening.is_temporary = TRUE;
      opening.prefetch = prefetch;
    }
  if (!cli_work (open_work, &opening, error))
    return FALSE;
  file->trace = opening.trace;
  return TRUE;
}

void
cli_file_leave (CliFile *file, GObject *result)
{
  static GPtrArray *left;

  if (file->temporary == NULL)
    return;
  if (left == NULL)
    left = g_ptr_array_new ();
  g_ptr_array_add (left, g_object_ref (result));
  g_ptr_array_add (left, g_steal_pointer (&file->trace));
  g_clear_pointer (&file->temporary, tb_temporary_folder_remove);
}

void
cli_file_close (CliFile *file)
{
  g_clear_object (&file->trace);
  g_clear_pointer (&file->temporary, tb_temporary_folder_remove);
}

void
cli_print_warnings (TbTrace *trace)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  const char *const *lists[]
      = { tb_session_get_warnings (tb_trace_get_session (trace)), tb_trace_get_warnings (trace) };

  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (guint i = 0; lists[list] && lists[list][i]; i++)
      if (g_hash_table_add (seen, (gpointer) lists[list][i]))
        cli_warn ("%s", lists[list][i]);
}

static gboolean output_is_closed;

gboolean
cli_is_output_closed (void)
{
  return output_is_closed;
}

void
cli_propagate_output_error (GError **error, GError *cause)
{
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE)
      && !cli_signals_pipe_was_ignored ())
    {
      output_is_closed = TRUE;
      g_set_error_literal (error, CLI_ERROR, CLI_ERROR_CLOSED, cause->message);
      g_error_free (cause);
    }
  else
    g_propagate_error (error, cause);
}

static gboolean
write_output (const char *data, gsize length, GError **error)
{
  int error_number;

  if (fwrite (data, 1, length, stdout) == length && fflush (stdout) == 0)
    return TRUE;
  error_number = errno;
  cli_propagate_output_error (error, g_error_new (G_IO_ERROR, g_io_error_from_errno (error_number),
                                                  _ ("cannot write to standard output: %s"),
                                                  g_strerror (error_number)));
  return FALSE;
}

/* Writes the whole file or none: the file gets its name only when it is complete. */
gboolean
cli_write (const char *path, const char *data, gssize length, GError **error)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) local_error = NULL;

  if (length < 0)
    length = strlen (data);
  if (!path || strcmp (path, "-") == 0)
    return write_output (data, (gsize) length, error);
  file = g_file_new_for_commandline_arg (path);
  if (tb_atomic_file_write_contents (file, data, length, NULL, &local_error))
    return TRUE;
  g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("cannot write “%s”: %s"), path,
               local_error->message);
  return FALSE;
}

void
cli_print (const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* Texts of plug-ins may be anything. */
  valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);
  cli_write (NULL, valid ? valid : text, -1, NULL);
}

gboolean
cli_write_json (const char *path, JsonNode *node, GError **error)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *text = NULL;
  gsize length;

  json_generator_set_root (generator, node);
  text = json_generator_to_data (generator, &length);
  /* JSON is UTF-8, whatever a plug-in puts into its summary or its options. */
  if (!g_utf8_validate (text, (gssize) length, NULL))
    {
      g_autofree char *invalid = text;

      text = g_utf8_make_valid (invalid, (gssize) length);
      length = strlen (text);
    }
  text = g_realloc (text, length + 2);
  text[length++] = '\n';
  return cli_write (path, text, length, error);
}

static TbExporter *
create_report_exporter (const char *format, GError **error)
{
  g_autoptr (TbExporter) exporter = NULL;
  g_autoptr (GError) local_error = NULL;

  exporter = tb_engine_create_exporter (tb_engine_get_default (), format, &local_error);
  if (exporter && tb_exporter_can_export_report (exporter))
    return g_steal_pointer (&exporter);
  if (local_error && !g_error_matches (local_error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    cli_usage_error (error, _ ("invalid --format “%s”: use text, json, html or a report exporter"),
                     format);
  return NULL;
}

gboolean
cli_check_format (const char *format, GError **error)
{
  static const char *const own[] = { "text", "json", "html", NULL };
  g_autoptr (TbExporter) exporter = NULL;

  if (g_strv_contains (own, format))
    return TRUE;
  exporter = create_report_exporter (format, error);
  return exporter != NULL;
}

typedef struct
{
  TbExporter *exporter;
  TbReport *report;
  GOutputStream *stream;
} Exporting;

static gboolean
export_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Exporting *exporting = data;

  return tb_exporter_export_report (exporting->exporter, exporting->report, exporting->stream,
                                    cancellable, error)
         && g_output_stream_close (exporting->stream, cancellable, error);
}

static gboolean
export_report (TbReport *report, const char *format, const char *path, GError **error)
{
  g_autoptr (TbExporter) exporter = create_report_exporter (format, error);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  Exporting exporting = { exporter, report, stream };

  if (!exporter || !cli_work_of (exporter, export_work, &exporting, error))
    return FALSE;
  return cli_write (path, g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                    g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)), error);
}

gboolean
cli_write_report (TbReport *report, const char *format, const char *path, GError **error)
{
  g_autofree char *text = NULL;

  if (strcmp (format, "json") == 0)
    {
      g_autoptr (JsonNode) node = tb_report_to_json (report);

      return cli_write_json (path, node, error);
    }
  if (strcmp (format, "html") == 0)
    text = tb_html_page_new (&report, 1, tb_report_get_title (report), NULL);
  else if (strcmp (format, "text") == 0)
    text = tb_report_to_text (report, path ? 0 : cli_get_width ());
  else
    return export_report (report, format, path, error);
  return cli_write (path, text, -1, error);
}
