/* check-exporter.c: checks of an exporter: synthetic recordings and given ones, a report, a full
 * disk, options at their limits, cancelling
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <string.h>

#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>

#include "check/check.h"

#define FULL_DEVICE "/dev/full"

static gboolean
check_extension (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbExporter) exporter = TB_EXPORTER (check_create (subject, error));
  const char *extension = exporter != NULL ? tb_exporter_get_extension (exporter) : NULL;

  if (exporter == NULL)
    return FALSE;
  if (extension == NULL || *extension == '\0' || *extension == '.' || strpbrk (extension, "/ \n"))
    return check_fail (error,
                       _ ("its extension of file names “%s” is invalid: use one such as “csv”"),
                       extension != NULL ? extension : "");
  if (!tb_exporter_can_export_trace (exporter) && !tb_exporter_can_export_report (exporter))
    return check_fail (error, _ ("it exports neither recordings nor reports"));
  return TRUE;
}

/* trace or report: what is exported; the other is NULL. */
static gboolean
export_to (const CheckSubject *subject,
           const char *option,
           TbTrace *trace,
           TbReport *report,
           GOutputStream *stream,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (TbExporter) exporter = TB_EXPORTER (check_create (subject, error));
  char *options[] = { (char *) option, NULL };

  if (exporter == NULL || (option != NULL && !cli_set_options (exporter, options, error)))
    return FALSE;
  return (trace != NULL
              ? tb_exporter_export_trace (exporter, trace, stream, NULL, NULL, cancellable, error)
              : tb_exporter_export_report (exporter, report, stream, cancellable, error))
         && g_output_stream_close (stream, NULL, error);
}

static gboolean
check_export (const CheckSubject *subject,
              const char *option,
              TbTrace *trace,
              TbReport *report,
              GError **error)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) local_error = NULL;

  return export_to (subject, option, trace, report, stream, NULL, &local_error)
         || check_accept_refusal (g_steal_pointer (&local_error), error);
}

/* A report with names that need care in most formats. */
static TbReport *
make_report (void)
{
  TbReport *report = tb_report_new ("check", "Check, \"of\" <exporters>", 1000, 2000);
  TbTableFigure *table = tb_table_figure_new ("table", "A table; with \\ and é");
  guint text = tb_table_figure_add_column (table, "text", "Text, \"quoted\"", TB_CELL_TEXT);
  guint time = tb_table_figure_add_column (table, "time", "Time", TB_CELL_DURATION);
  guint row = tb_table_figure_add_row (table, "a,b");
  TbFinding *finding = tb_finding_new (TB_SEVERITY_INFO, "A *finding* with <tags>", 500, 0.5);

  tb_table_figure_set_text (table, row, text, "line 1\nline 2\t=1+1");
  tb_table_figure_set_integer (table, row, time, G_MAXINT64);
  tb_table_figure_add_row (table, "unknown");
  tb_finding_set_place (finding, "table", "a,b");
  tb_report_add_finding (report, finding);
  tb_report_add_figure (report, TB_FIGURE (table));
  return report;
}

static gboolean
check_recording (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbTrace) trace = check_recording_open (parameter->recording, error);

  return trace != NULL && check_export (subject, parameter->option, trace, NULL, error);
}

static gboolean
check_file (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_auto (CliFile) file = { 0 };

  return cli_file_open (&file, parameter->file, FALSE, error)
         && check_export (subject, NULL, file.trace, NULL, error);
}

static gboolean
check_report (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbReport) report = make_report ();

  return check_export (subject, parameter->option, NULL, report, error);
}

static gboolean
check_empty_report (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbReport) report = tb_report_new ("check", "Nothing", 0, 0);

  return check_export (subject, NULL, NULL, report, error);
}

/* An error in writing must not be lost. */
static gboolean
check_full_disk (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  gboolean is_report = parameter->number != 0;
  g_autoptr (TbTrace) trace
      = is_report ? NULL : check_recording_open (CHECK_RECORDING_NORMAL, error);
  g_autoptr (TbReport) report = is_report ? make_report () : NULL;
  int fd = open (FULL_DEVICE, O_WRONLY | O_CLOEXEC);
  g_autoptr (GOutputStream) stream = fd >= 0 ? g_unix_output_stream_new (fd, TRUE) : NULL;

  if (stream == NULL || (trace == NULL && report == NULL))
    return stream == NULL; /* not on this system */
  if (export_to (subject, NULL, trace, report, stream, NULL, NULL))
    return check_fail (error, _ ("it ignores that its output could not be written"));
  return TRUE;
}

static gboolean
check_cancelling (const CheckSubject *subject, const CheckParameter *parameter, GError **error)
{
  g_autoptr (TbTrace) trace = check_recording_open (CHECK_RECORDING_LONG, error);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gint64 start;

  if (trace == NULL)
    return FALSE;
  g_cancellable_cancel (cancellable);
  start = g_get_monotonic_time ();
  if (export_to (subject, NULL, trace, NULL, stream, cancellable, NULL))
    return check_fail (error, _ ("a cancelled export succeeds"));
  if (g_get_monotonic_time () - start > G_USEC_PER_SEC)
    return check_fail (error, _ ("a cancelled run goes on: look at the cancellable at least every "
                                 "65536 rows"));
  return TRUE;
}

static void
add_trace_checks (GPtrArray *list, const CheckSubject *subject)
{
  for (guint i = 0; i < CHECK_N_RECORDINGS; i++)
    check_list_add (list, check_recording, (CheckParameter) { .recording = i }, "recording %s",
                    check_recording_get_name (i));
  for (guint i = 0; subject->files != NULL && subject->files[i] != NULL; i++)
    check_list_add (list, check_file, (CheckParameter) { .file = subject->files[i] }, "file %s",
                    subject->files[i]);
  check_list_add (list, check_full_disk, (CheckParameter) { 0 }, "full-disk");
  check_list_add (list, check_cancelling, (CheckParameter) { 0 }, "cancelling");
}

void
check_add_exporter (GPtrArray *list, const CheckSubject *subject)
{
  g_autoptr (GObject) object = check_create (subject, NULL);
  TbExporter *exporter = (TbExporter *) object;

  check_list_add (list, check_extension, (CheckParameter) { 0 }, "extension");
  if (exporter == NULL)
    return;
  if (tb_exporter_can_export_trace (exporter))
    add_trace_checks (list, subject);
  if (tb_exporter_can_export_report (exporter))
    {
      check_list_add (list, check_report, (CheckParameter) { 0 }, "report");
      check_list_add (list, check_empty_report, (CheckParameter) { 0 }, "report empty");
      check_list_add (list, check_full_disk, (CheckParameter) { .number = 1 }, "report full-disk");
    }
  check_add_options (list, subject,
                     tb_exporter_can_export_trace (exporter) ? check_recording : check_report);
}
