/* tb-live-pane.h: what a collector finds out while it records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "report/tb-report.h"

G_BEGIN_DECLS

#define TB_TYPE_LIVE_PANE (tb_live_pane_get_type ())
G_DECLARE_FINAL_TYPE (TbLivePane, tb_live_pane, TB, LIVE_PANE, AdwBin)

GtkWidget *tb_live_pane_new (void);
/* How it is now; what is selected, and who has the keyboard, stays. */
void tb_live_pane_show (TbLivePane *self, TbReport *report);
/* Under what was chosen; NULL nothing. */
void tb_live_pane_set_problem (TbLivePane *self, const char *problem);

G_END_DECLS
