/* tb-exporter.c: interface of plug-ins that write a trace or a report to a stream in another
 * format: options, file name extension, which of the two it writes, export
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/options/tb-option-private.h"
#include "extend/plugins/tb-exporter.h"
#include "extend/tb-plugin-private.h"

/**
 * TbExporter:
 *
 * A plug-in that writes a trace or a report in another format.
 */
G_DEFINE_INTERFACE (TbExporter, tb_exporter, G_TYPE_OBJECT)

static void
tb_exporter_default_init (TbExporterInterface *iface)
{
  tb_plugin_set_options_func (TB_TYPE_EXPORTER, (TbPluginOptionsFunc) tb_exporter_get_options);
}

/**
 * tb_exporter_get_options:
 * @self: an exporter
 *
 * The names of the properties that are its options.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): property names, or %NULL for none
 */
char **
tb_exporter_get_options (TbExporter *self)
{
  TbExporterInterface *iface;

  g_return_val_if_fail (TB_IS_EXPORTER (self), NULL);

  iface = TB_EXPORTER_GET_IFACE (self);
  return iface->get_options ? iface->get_options (self) : tb_option_object_list (G_OBJECT (self));
}

/**
 * tb_exporter_get_extension:
 * @self: an exporter
 *
 * Gets the usual file name extension of the format.
 *
 * Returns: the usual file name extension of its format ("csv"), without the dot; "" if there is
 *   none
 */
const char *
tb_exporter_get_extension (TbExporter *self)
{
  TbExporterInterface *iface;

  g_return_val_if_fail (TB_IS_EXPORTER (self), "");

  iface = TB_EXPORTER_GET_IFACE (self);
  return iface->get_extension ? iface->get_extension (self) : "";
}

/**
 * tb_exporter_can_export_trace:
 * @self: an exporter
 *
 * Gets whether the exporter writes recordings: whether it implements `export_trace`.
 *
 * Returns: whether it writes traces
 */
gboolean
tb_exporter_can_export_trace (TbExporter *self)
{
  g_return_val_if_fail (TB_IS_EXPORTER (self), FALSE);

  return TB_EXPORTER_GET_IFACE (self)->export_trace != NULL;
}

/**
 * tb_exporter_can_export_report:
 * @self: an exporter
 *
 * Gets whether the exporter writes reports: whether it implements `export_report`.
 *
 * Returns: whether it writes reports
 */
gboolean
tb_exporter_can_export_report (TbExporter *self)
{
  g_return_val_if_fail (TB_IS_EXPORTER (self), FALSE);

  return TB_EXPORTER_GET_IFACE (self)->export_report != NULL;
}

/* A part of the recording that cannot be read is missing in the output, which must not pass for
 * whole: it goes to where the warnings about this recording are not seen, unlike the report of an
 * analysis, which may lack names. What the plug-in makes of missing columns is no fault of it; an
 * error of the output is another matter. */
static void
complete_reads (const TbPluginReads *reads, gboolean *exported, GError **error)
{
  GError *failure = NULL;

  if (*error != NULL && (*error)->domain == G_IO_ERROR)
    return;
  if (tb_plugin_reads_check (reads, &failure) && tb_plugin_reads_check_names (reads, &failure))
    return;
  *exported = FALSE;
  g_clear_error (error);
  g_propagate_error (error, failure);
}

/**
 * tb_exporter_export_trace:
 * @self: an exporter, made for this one run
 * @trace: the trace to write
 * @stream: the stream to write to; left open
 * @progress: (nullable) (scope call) (closure data): receives the progress of the work, in the
 *   calling thread
 * @data: for @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Writes @trace. The options cannot be set afterwards.
 *
 * Fails with the error of the session, such as %TB_SESSION_ERROR_DAMAGED, if the exporter requested
 * a part of it that cannot be read, whatever the exporter made of that: what it wrote is not whole,
 * and the caller discards it.
 *
 * Returns: %TRUE, else %FALSE with @error set
 */
gboolean
tb_exporter_export_trace (TbExporter *self,
                          TbTrace *trace,
                          GOutputStream *stream,
                          TbProgressFunc progress,
                          gpointer data,
                          GCancellable *cancellable,
                          GError **error)
{
  TbPluginProgress checked = { G_OBJECT (self), progress, data, FALSE };
  TbPluginReads reads;
  gboolean exported;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_EXPORTER (self), FALSE);

  if (!tb_exporter_can_export_trace (self))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("%s exports reports, not recordings"), tb_plugin_get_id (G_OBJECT (self)));
      return FALSE;
    }
  tb_plugin_freeze_options (G_OBJECT (self));
  tb_plugin_reads_begin (&reads, trace);
  exported
      = TB_EXPORTER_GET_IFACE (self)->export_trace (self, trace, stream,
                                                    progress != NULL ? tb_plugin_report_progress
                                                                     : NULL,
                                                    &checked, cancellable, &local_error);
  complete_reads (&reads, &exported, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "export_trace", exported, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return exported;
}

/**
 * tb_exporter_export_report:
 * @self: an exporter, made for this one run
 * @report: the report to write
 * @stream: the stream to write to; left open
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Writes @report. The options cannot be set afterwards.
 *
 * Returns: %TRUE, else %FALSE with @error set
 */
gboolean
tb_exporter_export_report (TbExporter *self,
                           TbReport *report,
                           GOutputStream *stream,
                           GCancellable *cancellable,
                           GError **error)
{
  gboolean exported;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_EXPORTER (self), FALSE);

  if (!tb_exporter_can_export_report (self))
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                   _ ("%s exports recordings, not reports"), tb_plugin_get_id (G_OBJECT (self)));
      return FALSE;
    }
  tb_plugin_freeze_options (G_OBJECT (self));
  exported = TB_EXPORTER_GET_IFACE (self)->export_report (self, report, stream, cancellable,
                                                          &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "export_report", exported, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return exported;
}
