/* tb-live-collector.h: interface of collectors that report results while they record and measure a
 * chosen item more closely, suggest values of options, and estimate overhead
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/plugins/tb-collector.h"
#include "report/tb-report.h"

G_BEGIN_DECLS

#define TB_TYPE_LIVE_COLLECTOR (tb_live_collector_get_type ())
TB_EXPORT
G_DECLARE_INTERFACE (TbLiveCollector, tb_live_collector, TB, LIVE_COLLECTOR, TbCollector)

/**
 * TbLiveCollectorInterface:
 * @get_report: reports the results so far; %NULL before there are any. Called in any thread
 * @choose: selects an item of get_report()'s report for closer measurement. Called in any thread
 * @suggest: lists values of an option for a target, such as the functions of a program; may be slow
 * @estimate: estimates the overhead of a recording with these options, in a sentence; may be slow
 */
struct _TbLiveCollectorInterface
{
  GTypeInterface parent;

  TbReport *(*get_report) (TbLiveCollector *self);
  gboolean (*choose) (TbLiveCollector *self, const char *figure, const char *item, GError **error);
  char **(*suggest) (TbLiveCollector *self,
                     const char *option,
                     const TbTarget *target,
                     GCancellable *cancellable,
                     GError **error);
  char *(*estimate) (TbLiveCollector *self, const TbTarget *target, GError **error);
};

TB_EXPORT TbReport *tb_live_collector_get_report (TbLiveCollector *self);
TB_EXPORT gboolean tb_live_collector_choose (TbLiveCollector *self,
                                             const char *figure,
                                             const char *item,
                                             GError **error);
TB_EXPORT char **tb_live_collector_suggest (TbLiveCollector *self,
                                            const char *option,
                                            const TbTarget *target,
                                            GCancellable *cancellable,
                                            GError **error);
TB_EXPORT char *
tb_live_collector_estimate (TbLiveCollector *self, const TbTarget *target, GError **error);

G_END_DECLS
