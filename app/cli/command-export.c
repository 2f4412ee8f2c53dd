/* command-export.c: "tailback-cli export", which writes a recording in the format of an exporter,
 * to a file or standard output
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>

#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>

#include "cli.h"
#include "report/tb-atomic-file.h"

typedef struct
{
  TbExporter *exporter;
  TbTrace *trace;
  GFile *file; /* NULL: standard output */
  gboolean has_begun;
} Run;

static gboolean
write_trace (gpointer data, GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  Run *run = data;

  run->has_begun = TRUE;
  return tb_exporter_export_trace (run->exporter, run->trace, stream, cli_progress, NULL,
                                   cancellable, error);
}

static gboolean
export_work (gpointer data, GCancellable *cancellable, GError **error)
{
  Run *run = data;
  g_autoptr (GOutputStream) stream = NULL;

  if (run->file)
    return tb_atomic_file_write (run->file, write_trace, run, cancellable, error);
  stream = g_unix_output_stream_new (cli_output_get_descriptor (), FALSE);
  return write_trace (run, stream, cancellable, error)
         && g_output_stream_close (stream, cancellable, error);
}

/* A part of the recording is missing in the output, which is not kept. What has gone to standard
 * output before the error cannot be taken back. */
static void
set_damage_error (const char *path, const GError *damage, GError **error)
{
  if (path != NULL)
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                 _ ("%s; “%s” was not written, because it would lack what cannot be read: copy the "
                    "recording again from where it was made, or record again"),
                 damage->message, path);
  else
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
                 _ ("%s; the output is not complete and must not be used: copy the recording again "
                    "from where it was made, or record again"),
                 damage->message);
}

/* Also by the name of the file, which is that of another one while a plug-in works */
static gboolean
is_standard_output (const char *path)
{
  return g_str_equal (path, "-") || g_str_equal (path, "/dev/stdout");
}

/* An error of the output file is reported with its path, an error of the exporter unchanged. */
static gboolean
export_to (TbExporter *exporter, TbTrace *trace, const char *path, GError **error)
{
  g_autoptr (GFile) file
      = !is_standard_output (path) ? g_file_new_for_commandline_arg (path) : NULL;
  Run run = { .exporter = exporter, .trace = trace, .file = file };
  g_autoptr (GError) local_error = NULL;

  if (cli_work_of (exporter, export_work, &run, &local_error))
    return TRUE;
  if (local_error->domain == TB_SESSION_ERROR)
    set_damage_error (file != NULL ? path : NULL, local_error, error);
  else if (!file)
    cli_propagate_output_error (error, g_steal_pointer (&local_error));
  else if (run.has_begun || g_error_matches (local_error, CLI_ERROR, CLI_ERROR_INTERRUPTED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED, _ ("cannot write “%s”: %s"), path,
                 local_error->message);
  return FALSE;
}

static gboolean
check_output (const char *path, GError **error)
{
  g_autoptr (GFile) file
      = !is_standard_output (path) ? g_file_new_for_commandline_arg (path) : NULL;

  if (file == NULL || !g_file_query_exists (file, NULL))
    return TRUE;
  g_set_error (error, CLI_ERROR, CLI_ERROR_FAILED,
               _ ("“%s” exists already: choose another name with -o, or replace it with --force"),
               path);
  return FALSE;
}

static gboolean export (char **arguments, GError **error)
{
  g_autofree char *id = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) options = NULL;
  gboolean force = FALSE;
  const GOptionEntry entries[] = {
    { "exporter", 'e', 0, G_OPTION_ARG_STRING, &id,
      N_ ("The format (“tailback-cli list” lists them)"), N_ ("ID") },
    { "option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options,
      N_ ("Set an option of the exporter; repeatable"), N_ ("KEY=VALUE") },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      N_ ("Write to this file, or to standard output with -"), N_ ("OUT") },
    { "force", 0, 0, G_OPTION_ARG_NONE, &force, N_ ("Replace an existing file"), NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = NULL;
  g_auto (CliFile) file = { 0 };
  g_autoptr (TbExporter) exporter = NULL;

  if (!cli_parse (&cli_command_export, entries, FALSE, arguments, &rest, error)
      || !cli_expect (rest, 1, N_ ("FILE"), error))
    return FALSE;
  if (id == NULL || *id == '\0')
    return cli_missing_plugin ("--exporter", "exporter", error);
  exporter = tb_engine_create_exporter (tb_engine_get_default (), id, error);
  if (!exporter || !cli_set_options (exporter, options, error))
    return FALSE;
  if (!tb_exporter_can_export_trace (exporter))
    return cli_usage_error (error,
                            _ ("%s exports reports, not recordings: use “analyze --format %s”"), id,
                            id);
  if (!output)
    return cli_usage_error (error, _ ("-o OUT is missing"));
  if (!force && !check_output (output, error))
    return FALSE;
  if (!cli_file_open (&file, rest[0], TRUE, error))
    return FALSE;
  cli_print_warnings (file.trace);
  return export_to (exporter, file.trace, output, error);
}

const CliCommand cli_command_export = {
  .name = "export",
  .parameters = N_ ("FILE --exporter ID -o OUT"),
  .summary = N_ ("Write a recording in another format"),
  .run = export,
};
