/* tb-live-collector.h: the interface of collectors that find out something while they record
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/tb-collector.h"
#include "report/tb-report.h"

G_BEGIN_DECLS

#define TB_TYPE_LIVE_COLLECTOR (tb_live_collector_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbLiveCollector, tb_live_collector, TB, LIVE_COLLECTOR, TbCollector)

/**
 * TbLiveCollectorInterface:
 * @look: what it has found out so far; %NULL before there is anything. In any thread
 * @choose: that something of what look() gave is to be looked into. In any thread
 * @suggest: what an option of it may be for a target, such as the functions of a program; may take its time
 * @estimate: what a recording with these options will cost, in a sentence; may take its time
 */
struct _TbLiveCollectorInterface
{
  GTypeInterface parent;

  TbReport *(*look) (TbLiveCollector *self);
  gboolean (*choose) (TbLiveCollector *self, const char *figure, const char *item, GError **error);
  char **(*suggest) (TbLiveCollector *self,
                     const char *option,
                     const TbTarget *target,
                     GCancellable *cancellable,
                     GError **error);
  char *(*estimate) (TbLiveCollector *self, const TbTarget *target, GError **error);
};

TB_EXPORT TbReport *tb_live_collector_look (TbLiveCollector *self);
TB_EXPORT gboolean tb_live_collector_choose (TbLiveCollector *self,
                                             const char *figure,
                                             const char *item,
                                             GError **error);
TB_EXPORT char **tb_live_collector_suggest (TbLiveCollector *self,
                                            const char *option,
                                            const TbTarget *target,
                                            GCancellable *cancellable,
                                            GError **error);
TB_EXPORT char *tb_live_collector_estimate (TbLiveCollector *self, const TbTarget *target, GError **error);

G_END_DECLS
