/* tb-live-pane.h: pane with the live report of a collector during the recording: its figures,
 * findings and warnings; button that emits a signal with the selected item, for the collector to
 * investigate
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
/* Shows the current report; the selection and the keyboard focus are kept. */
void tb_live_pane_show (TbLivePane *self, TbReport *report);
/* Shows an error about the chosen item; NULL for none. */
void tb_live_pane_set_problem (TbLivePane *self, const char *problem);

G_END_DECLS
