/* tb-collector.c: interface of plug-ins that record live events into a session: options, check of
 * what can be recorded on this machine, start, stop
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "extend/options/tb-option-private.h"
#include "extend/plugins/tb-collector.h"
#include "extend/tb-plugin-private.h"

/**
 * TbCollector:
 *
 * A plug-in that records live events into a session.
 */
G_DEFINE_INTERFACE (TbCollector, tb_collector, G_TYPE_OBJECT)

static void
tb_collector_default_init (TbCollectorInterface *iface)
{
  tb_plugin_set_options_func (TB_TYPE_COLLECTOR, (TbPluginOptionsFunc) tb_collector_get_options);

  /**
   * TbCollector::ended:
   * @self: the collector
   * @message: (nullable): the reason, for display; %NULL if it ended normally
   *
   * The source ended by itself. May be emitted in any thread; [method@Collector.stop] must still be
   * called.
   */
  g_signal_new ("ended", TB_TYPE_COLLECTOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_STRING);
}

/**
 * tb_collector_get_options:
 * @self: a collector
 *
 * The names of the properties that are its options.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): property names, or %NULL for none
 */
char **
tb_collector_get_options (TbCollector *self)
{
  TbCollectorInterface *iface;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), NULL);

  iface = TB_COLLECTOR_GET_IFACE (self);
  return iface->get_options ? iface->get_options (self) : tb_option_object_list (G_OBJECT (self));
}

/**
 * tb_collector_preflight:
 * @self: a collector
 * @scope: what would be recorded
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Checks what works on this machine, what does not, and why. The list is empty if the collector has
 * nothing to report.
 *
 * Returns: (transfer full) (element-type TbPreflightLine) (nullable): the lines, or %NULL with
 *   @error set
 */
GPtrArray *
tb_collector_preflight (TbCollector *self, TbScope scope, GCancellable *cancellable, GError **error)
{
  TbCollectorInterface *iface;
  GPtrArray *lines;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), NULL);

  iface = TB_COLLECTOR_GET_IFACE (self);
  if (!iface->preflight)
    return g_ptr_array_new ();
  lines = iface->preflight (self, scope, cancellable, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "preflight", lines != NULL, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return lines;
}

/**
 * tb_preflight_is_good:
 * @lines: (element-type TbPreflightLine): the lines of tb_collector_preflight()
 *
 * Checks whether a recording would hold any events: only lines that are not essential may fail.
 *
 * Returns: %FALSE if an essential line does not work
 */
gboolean
tb_preflight_is_good (GPtrArray *lines)
{
  g_return_val_if_fail (lines != NULL, FALSE);

  for (guint i = 0; i < lines->len; i++)
    {
      const TbPreflightLine *line = g_ptr_array_index (lines, i);

      if (line->essential && !line->works)
        return FALSE;
    }
  return TRUE;
}

/**
 * tb_collector_describe_command_only:
 * @reason: why the whole system could not be recorded
 *
 * Makes the warning of a session that records only the command, although the whole system was
 * requested.
 *
 * Returns: (transfer full): sentences for display
 */
char *
tb_collector_describe_command_only (const GError *reason)
{
  g_return_val_if_fail (reason != NULL, NULL);

  return g_strdup_printf (_ ("Only the command is recorded, not the whole system: chains of causes "
                             "end where they leave the command. %s"),
                          reason->message);
}

/**
 * tb_collector_start:
 * @self: a collector, made for this one recording
 * @target: the system, command or process to record
 * @recorder: receives the events; used only by the collector until [method@Collector.stop] has
 *   returned
 * @cancellable: (nullable): cancels the start
 * @error: return location
 *
 * Starts recording; returns once events flow. The options cannot be set afterwards.
 *
 * Returns: %TRUE once it is armed, else %FALSE with @error set, which names the plug-in
 */
gboolean
tb_collector_start (TbCollector *self,
                    const TbTarget *target,
                    TbRecorder *recorder,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  gboolean started;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);
  g_return_val_if_fail (target != NULL, FALSE);

  if (!tb_plugin_check_function (G_OBJECT (self), TB_COLLECTOR_GET_IFACE (self)->start != NULL,
                                 "start", error)
      || !tb_plugin_check_function (G_OBJECT (self), TB_COLLECTOR_GET_IFACE (self)->stop != NULL,
                                    "stop", error))
    return FALSE;
  tb_plugin_freeze_options (G_OBJECT (self));
  tb_recorder_set_fact (recorder, TB_FACT_RECORDER_PID, pid);
  started
      = TB_COLLECTOR_GET_IFACE (self)->start (self, target, recorder, cancellable, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "start", started, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return started;
}

/**
 * tb_collector_stop:
 * @self: a collector that was started
 * @error: return location
 *
 * Ends the recording and writes the events still buffered. The recorder belongs to the caller
 * again, whatever is returned.
 *
 * Returns: %FALSE with @error set if something was not recorded as requested
 */
gboolean
tb_collector_stop (TbCollector *self, GError **error)
{
  gboolean stopped;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);
  g_return_val_if_fail (TB_COLLECTOR_GET_IFACE (self)->stop != NULL, FALSE);

  stopped = TB_COLLECTOR_GET_IFACE (self)->stop (self, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), "stop", stopped, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return stopped;
}
