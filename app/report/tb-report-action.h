/* tb-report-action.h: actions that items of figures offer (another run of the analysis, a new
 * recording), and predicted effects of scenarios, both kept in a report: adding, search, label with
 * its number, to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

/**
 * TbReportActionKind:
 * @TB_REPORT_ACTION_TRY: the analysis is run with the element in addition, to predict the effect
 * @TB_REPORT_ACTION_ADD: the element is added to the option, a list, and the report is made again,
 *   with more detail
 * @TB_REPORT_ACTION_REMOVE: the element is removed from the option, and the report is made again,
 *   with less detail
 * @TB_REPORT_ACTION_SET: the option is set to the element, and the report is made again about
 *   something else
 * @TB_REPORT_ACTION_ASSERT: the user asserts a fact about the item: like @TB_REPORT_ACTION_ADD, but
 *   only an explicit choice of the user adds the element
 * @TB_REPORT_ACTION_RETRACT: the user retracts the assertion of @TB_REPORT_ACTION_ASSERT
 * @TB_REPORT_ACTION_RECORD: a new recording is made: the option is the id of the collector, not an
 *   option of the analysis
 *
 * What an action on an item of a report does.
 */
typedef enum
{
  TB_REPORT_ACTION_TRY,
  TB_REPORT_ACTION_ADD,
  TB_REPORT_ACTION_REMOVE,
  TB_REPORT_ACTION_SET,
  TB_REPORT_ACTION_ASSERT,
  TB_REPORT_ACTION_RETRACT,
  TB_REPORT_ACTION_RECORD,
} TbReportActionKind;

/**
 * TB_REPORT_ACTION_ANY:
 *
 * As an item: any item of the figure that has no action of its own, such as a range of bins that
 * the user selects. As a text: placeholder of the item.
 */
#define TB_REPORT_ACTION_ANY "*"

/**
 * TbReportAction: (skip)
 * @kind: kind of the action
 * @figure: id of the figure whose item has the action; "": the report as a whole has it
 * @item: item of that figure
 * @option: option of the analysis, see tb_option_set_scenario_separator()
 * @text: element of that option; "{}" is the place of the number
 * @label: user-visible label of the change; "{}" is the place of the number
 * @least: minimum of the number; the action has no number unless this is less than @most
 * @most: maximum of the number
 * @standard: default of the number
 * @digits: decimal digits of the number
 *
 * An action on an item of a figure that runs the analysis again with another option.
 */
typedef struct
{
  TbReportActionKind kind;
  const char *figure;
  const char *item;
  const char *option;
  const char *text;
  const char *label;
  double least;
  double most;
  double standard;
  guint digits;
} TbReportAction;

/**
 * TbScenarioOutcome: (skip)
 * @option: option of the analysis that was set
 * @text: element of the option that was tried
 * @sentence: user-visible sentence about the predicted effect
 * @detail: user-visible text about the basis of the prediction
 * @before: recorded value, in any unit
 * @after: predicted value
 * @low: lower end of the prediction interval of @after
 * @high: upper end of the prediction interval
 * @more_is_better: whether a larger value is an improvement
 *
 * The predicted effect of an action.
 */
typedef struct
{
  const char *option;
  const char *text;
  const char *sentence;
  const char *detail;
  double before;
  double after;
  double low;
  double high;
  gboolean more_is_better;
} TbScenarioOutcome;

/* The structs are copied. Actions and effects are for callers that can run the analysis again. They
 * are members "offers" and "outcomes" of the report's JSON if the report has any. */
TB_EXPORT void tb_report_add_action (TbReport *self, const TbReportAction *action);
TB_EXPORT void tb_report_add_outcome (TbReport *self, const TbScenarioOutcome *outcome);

TB_EXPORT GPtrArray *tb_report_list_actions (TbReport *self, const char *figure, const char *item);
TB_EXPORT const TbScenarioOutcome *
tb_report_find_outcome (TbReport *self, const char *option, const char *text);
TB_EXPORT gboolean tb_report_action_has_number (const TbReportAction *action);
TB_EXPORT char *tb_report_action_describe (const TbReportAction *action);
TB_EXPORT char *
tb_report_action_insert_number (const TbReportAction *action, const char *text, double number);

G_END_DECLS
