/* tb-collector.c: the interface of plug-ins that record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "extend/tb-collector.h"
#include "extend/tb-extend-private.h"

/**
 * TbCollector:
 *
 * A plug-in that records what happens now into a session.
 */
G_DEFINE_INTERFACE (TbCollector, tb_collector, G_TYPE_OBJECT)

static void
tb_collector_default_init (TbCollectorInterface *iface)
{
  /**
   * TbCollector::ended:
   * @self: the collector
   * @message: (nullable): why, for people; %NULL where it ended as it should
   *
   * The source ended by itself. May be emitted in any thread; [method@Collector.stop] must still be called.
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
 * @cancellable: (nullable): ends the work early
 * @error: return location
 *
 * What works here, what does not and why. Empty where the collector has nothing to say.
 *
 * Returns: (transfer full) (element-type TbPreflightLine) (nullable): the lines, or %NULL with @error set
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
  tb_plugin_complete_error (G_OBJECT (self), lines != NULL, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return lines;
}

/**
 * tb_preflight_is_good:
 * @lines: (element-type TbPreflightLine): what tb_collector_preflight() said
 *
 * Whether a recording would hold something: what is missing of it, if anything, is not essential.
 *
 * Returns: %FALSE where a line that is essential does not work
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
 * tb_collector_describe_narrowing:
 * @reason: why the whole system could not be recorded
 *
 * The warning that goes into a session where the whole system was asked for and the command alone is recorded.
 *
 * Returns: (transfer full): sentences for people
 */
char *
tb_collector_describe_narrowing (const GError *reason)
{
  g_return_val_if_fail (reason != NULL, NULL);

  return g_strdup_printf (
      _ ("Only the command is recorded, not the whole system: chains of causes end where they "
         "leave it. %s"),
      reason->message);
}

/**
 * tb_collector_start:
 * @self: a collector, made for this one recording
 * @target: what is recorded
 * @recorder: takes the events; the collector's alone until [method@Collector.stop] has returned
 * @cancellable: (nullable): gives up starting
 * @error: return location
 *
 * Begins to record; returns once events flow. The options cannot be set afterwards.
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
  gboolean started;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);
  g_return_val_if_fail (target != NULL, FALSE);
  g_return_val_if_fail (TB_COLLECTOR_GET_IFACE (self)->start != NULL, FALSE);

  tb_plugin_freeze_options (G_OBJECT (self));
  started = TB_COLLECTOR_GET_IFACE (self)->start (self, target, recorder, cancellable, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), started, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return started;
}

/**
 * tb_collector_stop:
 * @self: a collector that was started
 * @error: return location
 *
 * Ends the recording and hands over what is still buffered. Whatever it returns, the recorder is the caller's
 * again.
 *
 * Returns: %FALSE with @error set where something was not recorded as asked
 */
gboolean
tb_collector_stop (TbCollector *self, GError **error)
{
  gboolean stopped;
  GError *local_error = NULL;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);
  g_return_val_if_fail (TB_COLLECTOR_GET_IFACE (self)->stop != NULL, FALSE);

  stopped = TB_COLLECTOR_GET_IFACE (self)->stop (self, &local_error);
  tb_plugin_complete_error (G_OBJECT (self), stopped, &local_error);
  if (local_error)
    g_propagate_error (error, local_error);
  return stopped;
}

/**
 * tb_collector_can_look:
 * @self: a collector
 *
 * Returns: whether it finds out something while it records
 */
gboolean
tb_collector_can_look (TbCollector *self)
{
  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);

  return TB_COLLECTOR_GET_IFACE (self)->look != NULL;
}

/**
 * tb_collector_look:
 * @self: a collector
 *
 * What it has found out so far. May be called in any thread from start to stop, as often as somebody looks.
 *
 * Returns: (transfer full) (nullable): a report with figures; %NULL where there is none
 */
TbReport *
tb_collector_look (TbCollector *self)
{
  g_return_val_if_fail (TB_IS_COLLECTOR (self), NULL);

  return tb_collector_can_look (self) ? TB_COLLECTOR_GET_IFACE (self)->look (self) : NULL;
}

/**
 * tb_collector_choose:
 * @self: a collector that records
 * @figure: id of a figure of what [method@Collector.look] gave
 * @item: of that figure: what is to be looked into
 * @error: return location
 *
 * Has it find out more of something.
 *
 * Returns: %FALSE with @error set where that cannot be
 */
gboolean
tb_collector_choose (TbCollector *self, const char *figure, const char *item, GError **error)
{
  TbCollectorInterface *iface;

  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);
  g_return_val_if_fail (figure != NULL && item != NULL, FALSE);

  iface = TB_COLLECTOR_GET_IFACE (self);
  if (iface->choose != NULL)
    return iface->choose (self, figure, item, error);
  g_set_error_literal (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE, _ ("There is nothing to choose."));
  return FALSE;
}

/**
 * tb_collector_can_suggest:
 * @self: a collector
 *
 * Returns: whether it knows what some option may be
 */
gboolean
tb_collector_can_suggest (TbCollector *self)
{
  g_return_val_if_fail (TB_IS_COLLECTOR (self), FALSE);

  return TB_COLLECTOR_GET_IFACE (self)->suggest != NULL;
}

/**
 * tb_collector_suggest:
 * @self: a collector
 * @option: one of its options
 * @target: what would be recorded
 * @cancellable: (nullable): ends the work early
 * @error: return location
 *
 * What an option may be for a target. Reads programs: not for the main thread.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): values, those that are most likely first; %NULL with @error set
 */
char **
tb_collector_suggest (TbCollector *self,
                      const char *option,
                      const TbTarget *target,
                      GCancellable *cancellable,
                      GError **error)
{
  g_return_val_if_fail (TB_IS_COLLECTOR (self), NULL);
  g_return_val_if_fail (option != NULL && target != NULL, NULL);

  if (!tb_collector_can_suggest (self))
    return g_new0 (char *, 1);
  return TB_COLLECTOR_GET_IFACE (self)->suggest (self, option, target, cancellable, error);
}

/**
 * tb_collector_estimate:
 * @self: a collector with its options set
 * @target: what would be recorded
 * @error: return location
 *
 * What the recording will cost what is recorded, before anything is done. Reads programs: not for the main thread.
 *
 * Returns: (transfer full) (nullable): a sentence for people; %NULL where there is nothing to say, or with @error set
 */
char *
tb_collector_estimate (TbCollector *self, const TbTarget *target, GError **error)
{
  g_return_val_if_fail (TB_IS_COLLECTOR (self), NULL);
  g_return_val_if_fail (target != NULL, NULL);

  if (TB_COLLECTOR_GET_IFACE (self)->estimate == NULL)
    return NULL;
  return TB_COLLECTOR_GET_IFACE (self)->estimate (self, target, error);
}
