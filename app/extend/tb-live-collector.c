/* tb-live-collector.c: the interface of collectors that find out something while they record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "extend/tb-live-collector.h"

/**
 * TbLiveCollector:
 *
 * A collector that finds out something while it records: it can be looked at, and told what to look into.
 */
G_DEFINE_INTERFACE (TbLiveCollector, tb_live_collector, TB_TYPE_COLLECTOR)

static void
tb_live_collector_default_init (TbLiveCollectorInterface *iface)
{
}

/**
 * tb_live_collector_look:
 * @self: a collector
 *
 * What it has found out so far. May be called in any thread from start to stop, as often as somebody looks.
 *
 * Returns: (transfer full) (nullable): a report with figures; %NULL where there is none
 */
TbReport *
tb_live_collector_look (TbLiveCollector *self)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), NULL);

  return TB_LIVE_COLLECTOR_GET_IFACE (self)->look (self);
}

/**
 * tb_live_collector_choose:
 * @self: a collector that records
 * @figure: id of a figure of what [method@LiveCollector.look] gave
 * @item: of that figure: what is to be looked into
 * @error: return location
 *
 * Has it find out more of something.
 *
 * Returns: %FALSE with @error set where that cannot be
 */
gboolean
tb_live_collector_choose (TbLiveCollector *self, const char *figure, const char *item, GError **error)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), FALSE);
  g_return_val_if_fail (figure != NULL && item != NULL, FALSE);

  return TB_LIVE_COLLECTOR_GET_IFACE (self)->choose (self, figure, item, error);
}

/**
 * tb_live_collector_suggest:
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
tb_live_collector_suggest (TbLiveCollector *self,
                           const char *option,
                           const TbTarget *target,
                           GCancellable *cancellable,
                           GError **error)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), NULL);
  g_return_val_if_fail (option != NULL && target != NULL, NULL);

  return TB_LIVE_COLLECTOR_GET_IFACE (self)->suggest (self, option, target, cancellable, error);
}

/**
 * tb_live_collector_estimate:
 * @self: a collector with its options set
 * @target: what would be recorded
 * @error: return location
 *
 * What the recording will cost what is recorded, before anything is done. Reads programs: not for the main thread.
 *
 * Returns: (transfer full) (nullable): a sentence for people; %NULL where there is nothing to say, or with @error set
 */
char *
tb_live_collector_estimate (TbLiveCollector *self, const TbTarget *target, GError **error)
{
  g_return_val_if_fail (TB_IS_LIVE_COLLECTOR (self), NULL);
  g_return_val_if_fail (target != NULL, NULL);

  return TB_LIVE_COLLECTOR_GET_IFACE (self)->estimate (self, target, error);
}
