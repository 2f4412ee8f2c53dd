/* tb-scenarios-pane.h: pane for the scenarios of an analysis: choice of a proposed change and its
 * number, or typed text with error message, added to tb-scenario-list; list of them with their
 * predicted effects (rows by tb-scenario-row)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/scenarios/tb-scenario-list.h"

G_BEGIN_DECLS

#define TB_TYPE_SCENARIOS_PANE (tb_scenarios_pane_get_type ())
G_DECLARE_FINAL_TYPE (TbScenariosPane, tb_scenarios_pane, TB, SCENARIOS_PANE, AdwBin)

GtkWidget *tb_scenarios_pane_new (TbDocument *document, TbScenarioList *scenarios);
/* Sets the report with the actions to choose from. */
void tb_scenarios_pane_set_report (TbScenariosPane *self, TbReport *report);
/* Moves the keyboard focus to the choice of a scenario. */
void tb_scenarios_pane_focus (TbScenariosPane *self);

G_END_DECLS
