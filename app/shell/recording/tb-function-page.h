/* tb-function-page.h: a function, or a system call, to choose: those of what is going to be recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "extend/tb-live-collector.h"

G_BEGIN_DECLS

#define TB_TYPE_FUNCTION_PAGE (tb_function_page_get_type ())
G_DECLARE_FINAL_TYPE (TbFunctionPage, tb_function_page, TB, FUNCTION_PAGE, AdwNavigationPage)

/* Lists anew what an option of the collector may be for the target; the collector is used by another thread meanwhile. */
void tb_function_page_list (TbFunctionPage *self,
                            TbLiveCollector *collector,
                            const char *option,
                            const TbTarget *target);
/* What it costs to look into what the collector's options say; the collector is used by another thread meanwhile. */
void tb_function_page_estimate_async (TbLiveCollector *collector,
                                      const TbTarget *target,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data);
/* (transfer full) (nullable): NULL where there is nothing to say */
char *tb_function_page_estimate_finish (GAsyncResult *result);
GListModel *tb_function_page_get_found (TbFunctionPage *self);

G_END_DECLS
