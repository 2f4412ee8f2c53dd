/* tb-trial-row.h: row of one scenario and its predicted effect
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/trials/tb-trials.h"

G_BEGIN_DECLS

#define TB_TYPE_TRIAL_ROW (tb_trial_row_get_type ())
G_DECLARE_FINAL_TYPE (TbTrialRow, tb_trial_row, TB, TRIAL_ROW, AdwExpanderRow)

GtkWidget *tb_trial_row_new (TbTrials *trials, TbTrial *trial);

G_END_DECLS
