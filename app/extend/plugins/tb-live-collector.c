/* tb-live-collector.c: interface of collectors that report results while they record and measure a
 * chosen item more closely, suggest values of options, and estimate overhead
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/plugins/tb-live-collector.h"
#include "extend/tb-plugin-private.h"

/**
 * TbLiveCollector:
 *
 * A collector that reports results while it records, and measures more closely what the user
 * selects in them.
 */
G_DEFINE_INTERFACE (TbLiveCollector, tb_live_collector, TB_TYPE_COLLECTOR)

static void
tb_live_collector_default_init (TbLiveCollectorInterface *iface)
{
}

/**
 * tb_live_collector_get_report:
 * @self: a collector
 *
 * Reports the results so far. May be called in any thread from start to stop, any number of times.
 *
 * Returns: (transfer full) (nullable): a report with figures; %NULL if there are no results yet
 */
TbReport *
tb_live_collector_get_report (TbLiveCollector *self)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), NULL);

  if (TB_LIVE_COLLECTOR_GET_IFACE (self)->get_report == NULL)
    return NULL;
  return TB_LIVE_COLLECTOR_GET_IFACE (self)->get_report (self);
}

/**
 * tb_live_collector_choose:
 * @self: a collector that is recording
 * @figure: id of a figure in the report of [method@LiveCollector.get_report]
 * @item: the item of that figure to measure more closely
 * @error: return location
 *
 * Selects an item for closer measurement.
 *
 * Returns: %FALSE with @error set if that is not possible
 */
gboolean
tb_live_collector_choose (TbLiveCollector *self,
                          const char *figure,
                          const char *item,
                          GError **error)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), FALSE);
  g_return_val_if_fail (figure != NULL && item != NULL, FALSE);

  if (!tb_plugin_check_function (G_OBJECT (self),
                                 TB_LIVE_COLLECTOR_GET_IFACE (self)->choose != NULL, "choose",
                                 error))
    return FALSE;
  return TB_LIVE_COLLECTOR_GET_IFACE (self)->choose (self, figure, item, error);
}

/**
 * tb_live_collector_suggest:
 * @self: a collector
 * @option: one of its options
 * @target: the system, command or process that would be recorded
 * @cancellable: (nullable): cancels the work
 * @error: return location
 *
 * Lists values of an option for a target. Reads program files: not for the main thread.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): values, the most likely first;
 *   %NULL with @error set
 */
char **
tb_live_collector_suggest (TbLiveCollector *self,
                           const char *option,
                           const TbTarget *target,
                           GCancellable *cancellable,
                           GError **error)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), NULL);
  g_return_val_if_fail (option != NULL && target != NULL, NULL);

  if (!tb_plugin_check_function (G_OBJECT (self),
                                 TB_LIVE_COLLECTOR_GET_IFACE (self)->suggest != NULL, "suggest",
                                 error))
    return NULL;
  return TB_LIVE_COLLECTOR_GET_IFACE (self)->suggest (self, option, target, cancellable, error);
}

/**
 * tb_live_collector_estimate:
 * @self: a collector with its options set
 * @target: the system, command or process that would be recorded
 * @error: return location
 *
 * Estimates the overhead that a recording will cause in its target, without starting it. Reads
 * program files: not for the main thread.
 *
 * Returns: (transfer full) (nullable): a sentence for display; %NULL without an estimate, or with
 *   @error set
 */
char *
tb_live_collector_estimate (TbLiveCollector *self, const TbTarget *target, GError **error)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), NULL);
  g_return_val_if_fail (target != NULL, NULL);

  if (TB_LIVE_COLLECTOR_GET_IFACE (self)->estimate == NULL)
    return NULL;
  return TB_LIVE_COLLECTOR_GET_IFACE (self)->estimate (self, target, error);
}
