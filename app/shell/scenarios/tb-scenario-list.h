/* tb-scenario-list.h: list of the scenarios of an analysis of a document: adding, removal, all of
 * them combined, and their prediction by runs of the analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-document.h"
#include "shell/scenarios/tb-scenario.h"

G_BEGIN_DECLS

#define TB_TYPE_SCENARIO_LIST (tb_scenario_list_get_type ())
G_DECLARE_FINAL_TYPE (TbScenarioList, tb_scenario_list, TB, SCENARIO_LIST, GObject)

/* (transfer full) (nullable): NULL if the analysis does not support scenarios. */
TbScenarioList *tb_scenario_list_new (TbDocument *document, TbAnalysisItem *item);
GListModel *
tb_scenario_list_get_model (TbScenarioList *self); /* TbScenario; the combined scenario is last */
const char *tb_scenario_list_get_option (TbScenarioList *self);

/* Returns whether the text is valid; several scenarios are separated by commas. */
gboolean tb_scenario_list_check (TbScenarioList *self, const char *text, GError **error);
gboolean tb_scenario_list_add_text (TbScenarioList *self, const char *text, GError **error);
/* A scenario that exists is not added again. */
void
tb_scenario_list_add_action (TbScenarioList *self, const TbReportAction *action, double number);
void tb_scenario_list_remove (TbScenarioList *self, TbScenario *scenario);
void tb_scenario_list_cancel (TbScenarioList *self, TbScenario *scenario);
void tb_scenario_list_run_again (TbScenarioList *self, TbScenario *scenario);
gboolean tb_scenario_list_is_busy (TbScenarioList *self);

G_END_DECLS
