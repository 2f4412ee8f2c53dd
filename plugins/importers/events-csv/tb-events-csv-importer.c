/* tb-events-csv-importer.c: importer of the plain-text event format: recognition of such files,
 * loop over their lines, warnings and facts in comments, errors with line numbers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include "tb-events-csv-importer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "tb-events-csv-parser.h"

#define LINES_BETWEEN_ADVANCES 4096u
#define MAX_WARNINGS 64u
#define MAX_WARNING_LENGTH 4096u

struct _TbEventsCsvImporter
{
  GObject parent_instance;
};

static void tb_events_csv_importer_iface_init (TbImporterInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TbEventsCsvImporter,
                               tb_events_csv_importer,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (TB_TYPE_IMPORTER,
                                                      tb_events_csv_importer_iface_init))

static void
tb_events_csv_importer_class_init (TbEventsCsvImporterClass *klass)
{
}

static void
tb_events_csv_importer_init (TbEventsCsvImporter *self)
{
}

static char **
get_mime_types (TbImporter *importer)
{
  static const char *const types[] = { "text/csv", "text/comma-separated-values", NULL };

  return g_strdupv ((char **) types);
}

/* The format is recognized by its header, which may follow comments and empty lines. */
static int
sniff (TbImporter *importer, const guint8 *head, gsize length, const char *name)
{
  static const char header[] = "time_ns,cpu,kind,";
  const char *text = (const char *) head;
  const char *end = text + length;

  if (length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  while (text < end && (*text == '#' || *text == '\n' || *text == '\r'))
    {
      const char *newline = memchr (text, '\n', end - text);

      if (newline == NULL)
        break;
      text = newline + 1;
    }
  if ((gsize) (end - text) >= strlen (header) && memcmp (text, header, strlen (header)) == 0)
    return 95;
  /* There are only comments so far, or another header. The file name alone suggests the format, and
   * the reader reports what is wrong. */
  return name != NULL && g_str_has_suffix (name, ".csv") ? 20 : 0;
}

typedef struct
{
  GFile *file;
  TbRecorder *recorder;
  GCancellable *cancellable;
  TbProgressFunc progress;
  gpointer data;
  guint64 size;
  TbCsvReader reader;
  TbEventsCsvParser lines;
  guint n_warnings;
  guint64 n_warnings_omitted;
} Import;

/* Returns what follows the prefix in a comment, NULL if it begins otherwise. */
static const char *
skip_prefix (const char *text, gsize *length, const char *prefix)
{
  gsize n = strlen (prefix);

  if (*length <= n || memcmp (text, prefix, n) != 0)
    return NULL;
  *length -= n;
  return text + n;
}

static void
read_warning (Import *import, const char *text, gsize length)
{
  g_autofree char *warning = NULL;

  if (import->n_warnings == MAX_WARNINGS || length > MAX_WARNING_LENGTH
      || !g_utf8_validate_len (text, length, NULL))
    {
      import->n_warnings_omitted++;
      return;
    }
  import->n_warnings++;
  warning = g_strndup (text, length);
  tb_recorder_add_warning (import->recorder, "%s", warning);
}

/* Reads NAME=VALUE. Other facts than those about the events belong to their own recording. */
static void
read_fact (Import *import, const char *text, gsize length)
{
  const char *equals = memchr (text, '=', length);
  g_autofree char *name = equals != NULL ? g_strndup (text, equals - text) : NULL;
  g_autofree char *value = NULL;

  if (name == NULL || length > MAX_WARNING_LENGTH || !g_utf8_validate_len (text, length, NULL)
      || !g_strv_contains (tb_schema_list_evidence_facts (), name))
    return;
  value = g_strndup (equals + 1, length - strlen (name) - 1);
  tb_recorder_set_fact (import->recorder, name, value);
}

/* The exporter writes what is no event as comments. */
static void
read_comment (const char *text, gsize length, gpointer data)
{
  Import *import = data;
  gsize warning_length = length, fact_length = length;
  const char *warning = skip_prefix (text, &warning_length, "# warning: ");
  const char *fact = skip_prefix (text, &fact_length, "# fact: ");

  if (warning != NULL)
    read_warning (import, warning, warning_length);
  if (fact != NULL)
    read_fact (import, fact, fact_length);
}

/* Adds the file name and the current line to the error. */
static gboolean
fail (Import *import, GError *cause, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (import->file);

  if (cause->domain == TB_EXTEND_ERROR)
    g_prefix_error (&cause, _ ("%s, line %" PRIu64 ": "), name, import->reader.line);
  g_propagate_error (error, cause);
  return FALSE;
}

static gboolean
step (Import *import, GError **error)
{
  if (import->progress != NULL && import->size > 0)
    import->progress (MIN ((double) tb_csv_reader_get_position (&import->reader) / import->size, 1),
                      _ ("Reading events"), import->data);
  return !g_cancellable_set_error_if_cancelled (import->cancellable, error)
         && tb_recorder_advance (import->recorder, import->lines.time, error);
}

static void
report_truncation (Import *import)
{
  g_autofree char *reason
      = g_strdup_printf (_ ("the file ends within line %" PRIu64), import->reader.line);

  tb_recorder_set_fact (import->recorder, "cut-short", reason);
  tb_recorder_add_warning (import->recorder,
                           _ ("The file was cut short: it ends within line %" PRIu64 "; the lines "
                              "before it are shown"),
                           import->reader.line);
}

static gboolean
read_header (Import *import, GError **error)
{
  GError *local_error = NULL;

  switch (tb_csv_reader_next (&import->reader, import->cancellable, &local_error))
    {
    case TB_CSV_RECORD:
      if (tb_events_csv_parser_read_header (&import->lines, &import->reader, &local_error))
        return TRUE;
      break;
    case TB_CSV_ERROR:
      break;
    default:
      local_error = g_error_new_literal (
          TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT,
          _ ("expected the header time_ns,cpu,kind,…, found the end of the file"));
      break;
    }
  return fail (import, local_error, error);
}

/* Whether the line was truncated: it is invalid and has no line end. */
static gboolean
is_truncated (const Import *import, const GError *error)
{
  return !import->reader.terminated && import->reader.at_end && error->domain == TB_EXTEND_ERROR;
}

static gboolean
read_lines (Import *import, GError **error)
{
  for (guint n = 1;; n++)
    {
      GError *local_error = NULL;
      TbCsvResult result = tb_csv_reader_next (&import->reader, import->cancellable, &local_error);

      if (result == TB_CSV_END)
        return TRUE;
      if (result == TB_CSV_RECORD && !import->reader.terminated
          && import->reader.n_cells < import->lines.n_columns)
        result = TB_CSV_CUT;
      if (result == TB_CSV_RECORD
          && !tb_events_csv_parser_read (&import->lines, &import->reader, &local_error))
        result = TB_CSV_ERROR;
      if (result == TB_CSV_CUT || (result == TB_CSV_ERROR && is_truncated (import, local_error)))
        {
          g_clear_error (&local_error);
          report_truncation (import);
          return TRUE;
        }
      if (result == TB_CSV_ERROR)
        return fail (import, local_error, error);
      if (n % LINES_BETWEEN_ADVANCES == 0 && !step (import, error))
        return FALSE;
    }
}

static gboolean
import_stream (Import *import, GError **error)
{
  if (!read_header (import, error))
    return FALSE;
  tb_recorder_add_host (import->recorder, "", NULL, NULL, 0, 0);
  tb_recorder_store_order (import->recorder);
  tb_recorder_set_fact (import->recorder, "clock", "file");
  tb_recorder_set_fact (import->recorder, "collector", "events-csv");
  if (!read_lines (import, error))
    return FALSE;
  if (import->lines.unused_cells > 0)
    tb_recorder_add_warning (
        import->recorder,
        _ ("Values in cells that their kind of event does not use were ignored: %" PRIu64),
        import->lines.unused_cells);
  if (import->n_warnings_omitted > 0)
    tb_recorder_add_warning (import->recorder,
                             _ ("Warnings of the file that were left out: %" PRIu64),
                             import->n_warnings_omitted);
  return step (import, error);
}

static gboolean
import_file (TbImporter *importer,
             GFile *file,
             TbRecorder *recorder,
             TbProgressFunc progress,
             gpointer data,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autoptr (GFileInfo) info = NULL;
  Import import = {
    .file = file,
    .recorder = recorder,
    .cancellable = cancellable,
    .progress = progress,
    .data = data,
  };
  gboolean imported;

  if (stream == NULL)
    return FALSE;
  info = g_file_input_stream_query_info (stream, G_FILE_ATTRIBUTE_STANDARD_SIZE, cancellable, NULL);
  if (info != NULL && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_STANDARD_SIZE))
    import.size = (guint64) MAX (g_file_info_get_size (info), 0);
  tb_csv_reader_init (&import.reader, G_INPUT_STREAM (stream));
  import.reader.comment = read_comment;
  import.reader.comment_data = &import;
  tb_events_csv_parser_init (&import.lines, recorder);
  imported = import_stream (&import, error);
  tb_events_csv_parser_clear (&import.lines);
  tb_csv_reader_clear (&import.reader);
  return imported;
}

static void
tb_events_csv_importer_iface_init (TbImporterInterface *iface)
{
  iface->get_mime_types = get_mime_types;
  iface->sniff = sniff;
  iface->import_file = import_file;
}
