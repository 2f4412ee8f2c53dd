/* tb-exporter.h: interface of plug-ins that write a trace or a report to a stream in another
 * format: options, file name extension, which of the two it writes, export
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/options/tb-option.h"
#include "report/tb-report.h"
#include "trace/tb-trace.h"

G_BEGIN_DECLS

#define TB_TYPE_EXPORTER (tb_exporter_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbExporter, tb_exporter, TB, EXPORTER, GObject)

struct _TbExporterInterface
{
  GTypeInterface parent;

  char **(*get_options) (TbExporter *self);
  /* "csv", "json"…: the usual file name extension of the format */
  const char *(*get_extension) (TbExporter *self);
  /* Each is NULL if the plug-in cannot export that kind. */
  gboolean (*export_trace) (TbExporter *self,
                            TbTrace *trace,
                            GOutputStream *stream,
                            TbProgressFunc progress,
                            gpointer data,
                            GCancellable *cancellable,
                            GError **error);
  gboolean (*export_report) (TbExporter *self,
                             TbReport *report,
                             GOutputStream *stream,
                             GCancellable *cancellable,
                             GError **error);
};

TB_EXPORT char **tb_exporter_get_options (TbExporter *self);
TB_EXPORT const char *tb_exporter_get_extension (TbExporter *self);
TB_EXPORT gboolean tb_exporter_can_export_trace (TbExporter *self);
TB_EXPORT gboolean tb_exporter_can_export_report (TbExporter *self);
TB_EXPORT gboolean tb_exporter_export_trace (TbExporter *self,
                                             TbTrace *trace,
                                             GOutputStream *stream,
                                             TbProgressFunc progress,
                                             gpointer data,
                                             GCancellable *cancellable,
                                             GError **error);
TB_EXPORT gboolean tb_exporter_export_report (TbExporter *self,
                                              TbReport *report,
                                              GOutputStream *stream,
                                              GCancellable *cancellable,
                                              GError **error);

G_END_DECLS
