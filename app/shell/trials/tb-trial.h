/* tb-trial.h: scenario of an analysis and its predicted effect
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-offer.h"
#include "shell/tb-progress.h"

G_BEGIN_DECLS

typedef enum
{
  TB_TRIAL_WAITING,
  TB_TRIAL_RUNNING,
  TB_TRIAL_DONE,
  TB_TRIAL_FAILED,
  TB_TRIAL_CANCELLED,
} TbTrialState;

#define TB_TYPE_TRIAL (tb_trial_get_type ())
G_DECLARE_FINAL_TYPE (TbTrial, tb_trial, TB, TRIAL, GObject)

/* text: element of the option. label: display name, NULL for the text. is_together: the scenario
 * combines all others. */
TbTrial *tb_trial_new (const char *text, const char *label, gboolean is_together);
/* Each of these emits TbTrial::changed. */
void tb_trial_set_text (TbTrial *self, const char *text);
void tb_trial_set_state (TbTrial *self, TbTrialState state);
void tb_trial_fail (TbTrial *self, const char *why);
void tb_trial_take_outcome (TbTrial *self, const TbOutcome *outcome);

const char *tb_trial_get_text (TbTrial *self);
const char *tb_trial_get_label (TbTrial *self);
gboolean tb_trial_is_together (TbTrial *self);
TbTrialState tb_trial_get_state (TbTrial *self);
/* Returns the predicted effect, why it cannot be predicted, or that the prediction is pending. */
char *tb_trial_describe (TbTrial *self);
/* Returns NULL if there is no outcome, or none any more. */
const TbOutcome *tb_trial_get_outcome (TbTrial *self);
TbProgress *tb_trial_get_progress (TbTrial *self);

G_END_DECLS
