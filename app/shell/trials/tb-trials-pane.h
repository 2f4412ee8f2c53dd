/* tb-trials-pane.h: pane to choose scenarios and show their predicted effects
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/trials/tb-trials.h"

G_BEGIN_DECLS

#define TB_TYPE_TRIALS_PANE (tb_trials_pane_get_type ())
G_DECLARE_FINAL_TYPE (TbTrialsPane, tb_trials_pane, TB, TRIALS_PANE, AdwBin)

GtkWidget *tb_trials_pane_new (TbDocument *document, TbTrials *trials);
/* Sets the report with the actions to choose from. */
void tb_trials_pane_set_report (TbTrialsPane *self, TbReport *report);
/* Moves the keyboard focus to the choice of a scenario. */
void tb_trials_pane_focus (TbTrialsPane *self);

G_END_DECLS
