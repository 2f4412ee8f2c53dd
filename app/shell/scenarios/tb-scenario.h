/* tb-scenario.h: one scenario of an analysis: text, label, state and progress of its prediction,
 * predicted effect or error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report-action.h"
#include "shell/tb-progress.h"

G_BEGIN_DECLS

typedef enum
{
  TB_SCENARIO_WAITING,
  TB_SCENARIO_RUNNING,
  TB_SCENARIO_DONE,
  TB_SCENARIO_FAILED,
  TB_SCENARIO_CANCELLED,
} TbScenarioState;

#define TB_TYPE_SCENARIO (tb_scenario_get_type ())
G_DECLARE_FINAL_TYPE (TbScenario, tb_scenario, TB, SCENARIO, GObject)

/* text: element of the option. label: display name, NULL for the text. is_combined: the scenario
 * combines all others. */
TbScenario *tb_scenario_new (const char *text, const char *label, gboolean is_combined);
/* Each of these emits TbScenario::changed. */
void tb_scenario_set_text (TbScenario *self, const char *text);
void tb_scenario_set_state (TbScenario *self, TbScenarioState state);
void tb_scenario_fail (TbScenario *self, const char *why);
void tb_scenario_take_outcome (TbScenario *self, const TbScenarioOutcome *outcome);

const char *tb_scenario_get_text (TbScenario *self);
const char *tb_scenario_get_label (TbScenario *self);
gboolean tb_scenario_is_combined (TbScenario *self);
TbScenarioState tb_scenario_get_state (TbScenario *self);
/* Returns the predicted effect, why it cannot be predicted, or that the prediction is pending. */
char *tb_scenario_describe (TbScenario *self);
/* Returns NULL if there is no outcome, or none any more. */
const TbScenarioOutcome *tb_scenario_get_outcome (TbScenario *self);
TbProgress *tb_scenario_get_progress (TbScenario *self);

G_END_DECLS
