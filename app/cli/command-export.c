/* command-export.c: tailback-cli export
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>

#include "cli.h"

typedef struct
{
  TbExporter *exporter;
  TbTrace *trace;
  GOutputStream *stream;
} Run;

static gboolean
export_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  return tb_exporter_export_trace (run->exporter, run->trace, run->stream, cli_progress, NULL, cancellable,
                                   error)
         && g_output_stream_close (run->stream, cancellable, error);
}

/* A file is written beside its name and gets it when it is complete. */
static GOutputStream *
open_output (const char *path, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GFile) file = NULL;
  GFileOutputStream *stream;

  if (strcmp (path, "-") == 0)
    return g_unix_output_stream_new (1, FALSE);
  file = g_file_new_for_commandline_arg (path);
  stream = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL, &local_error);
  if (!stream)
    {
      g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("%s cannot be written: %s"), path,
                   local_error->message);
      return NULL;
    }
  return G_OUTPUT_STREAM (stream);
}

static gboolean
write_trace (TbExporter *exporter, TbTrace *trace, const char *path, GError **error)
{
  g_autoptr (GOutputStream) stream = open_output (path, error);
  Run run = { .exporter = exporter, .trace = trace, .stream = stream };

  if (!stream)
    return FALSE;
  if (!cli_work (export_work, &run, error))
    {
      g_autoptr (GCancellable) cancelled = g_cancellable_new ();

      /* closing it cancelled leaves what was there before */
      g_cancellable_cancel (cancelled);
      g_output_stream_close (stream, cancelled, NULL);
      return FALSE;
    }
  return TRUE;
}

static gboolean export (char **arguments, GError **error)
{
  g_autofree char *id = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) options = NULL;
  const GOptionEntry entries[] = {
    { "exporter", 'e', 0, G_OPTION_ARG_STRING, &id, N_ ("The format (see \"tailback-cli list\")"),
      N_ ("ID") },
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options, N_ ("Set an option of the exporter; repeatable"),
      N_ ("KEY=VALUE") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("The file to write, - for standard output"),
      N_ ("OUT") },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) file = { 0 };
  g_autoptr (TbExporter) exporter = NULL;

  if (!cli_parse (&cli_command_export, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 1, "FILE", error))
    return FALSE;
  exporter = tb_engine_create_exporter (tb_engine_get_default (), id ? id : "", error);
  if (!exporter || !cli_set_options (exporter, options, error))
    return FALSE;
  if (!tb_exporter_can_export_trace (exporter))
    return cli_usage_error (error, _ ("%s writes reports; use \"analyze --format %s\""), id, id);
  if (!output)
    return cli_usage_error (error, _ ("-o OUT is missing"));
  if (!cli_file_open (&file, rest[0], TRUE, error))
    return FALSE;
  cli_print_warnings (file.trace);
  return write_trace (exporter, file.trace, output, error);
}

const CliCommand cli_command_export = {
  .name = "export",
  .parameters = "FILE --exporter ID -o OUT",
  .summary = N_ ("Write a recording in another format"),
  .run = export,
};
