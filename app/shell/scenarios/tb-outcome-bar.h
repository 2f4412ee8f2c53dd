/* tb-outcome-bar.h: bar that compares the predicted effect of a scenario with the recorded value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-report-action.h"

G_BEGIN_DECLS

#define TB_TYPE_OUTCOME_BAR (tb_outcome_bar_get_type ())
G_DECLARE_FINAL_TYPE (TbOutcomeBar, tb_outcome_bar, TB, OUTCOME_BAR, GtkWidget)

GtkWidget *tb_outcome_bar_new (void);
/* outcome: (nullable): if NULL, nothing is drawn. */
void tb_outcome_bar_set_outcome (TbOutcomeBar *self, const TbScenarioOutcome *outcome);

G_END_DECLS
