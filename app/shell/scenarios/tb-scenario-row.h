/* tb-scenario-row.h: row of one scenario: progress of its prediction, predicted effect, buttons to
 * cancel, repeat or remove it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/scenarios/tb-scenario-list.h"

G_BEGIN_DECLS

#define TB_TYPE_SCENARIO_ROW (tb_scenario_row_get_type ())
G_DECLARE_FINAL_TYPE (TbScenarioRow, tb_scenario_row, TB, SCENARIO_ROW, AdwExpanderRow)

GtkWidget *tb_scenario_row_new (TbScenarioList *scenarios, TbScenario *scenario);

G_END_DECLS
