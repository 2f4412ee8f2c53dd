/* tb-function-page.h: page to choose a function or system call to probe in the program to record:
 * names that the collector suggests, search, any typed name; apart from the page, call in a thread
 * of the collector that estimates the cost of a probe
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "extend/plugins/tb-live-collector.h"

G_BEGIN_DECLS

#define TB_TYPE_FUNCTION_PAGE (tb_function_page_get_type ())
G_DECLARE_FINAL_TYPE (TbFunctionPage, tb_function_page, TB, FUNCTION_PAGE, AdwNavigationPage)

/* Lists the possible values of a collector option for the target. The collector is used by another
 * thread until then. */
void tb_function_page_list (TbFunctionPage *self,
                            TbLiveCollector *collector,
                            const char *option,
                            const TbTarget *target);
/* Estimates the cost of recording with the collector's options. The collector is used by another
 * thread until then. */
void tb_function_page_estimate_async (TbLiveCollector *collector,
                                      const TbTarget *target,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data);
/* (transfer full) (nullable): NULL if there is no estimate */
char *tb_function_page_estimate_finish (GAsyncResult *result);
GListModel *tb_function_page_get_found (TbFunctionPage *self);

G_END_DECLS
