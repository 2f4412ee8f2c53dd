/* tb-trials.h: scenarios of an analysis of a document, and their prediction
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-document.h"
#include "shell/trials/tb-trial.h"

G_BEGIN_DECLS

#define TB_TYPE_TRIALS (tb_trials_get_type ())
G_DECLARE_FINAL_TYPE (TbTrials, tb_trials, TB, TRIALS, GObject)

/* (transfer full) (nullable): NULL if the analysis does not support scenarios. */
TbTrials *tb_trials_new (TbDocument *document, TbAnalysisItem *item);
GListModel *tb_trials_get_model (TbTrials *self); /* TbTrial; the combined scenario is last */
const char *tb_trials_get_option (TbTrials *self);

/* Returns whether the text is valid; several scenarios are separated by commas. */
gboolean tb_trials_check (TbTrials *self, const char *text, GError **error);
gboolean tb_trials_add_text (TbTrials *self, const char *text, GError **error);
/* A scenario that exists is not added again. */
void tb_trials_add_offer (TbTrials *self, const TbOffer *offer, double number);
void tb_trials_remove (TbTrials *self, TbTrial *trial);
void tb_trials_cancel (TbTrials *self, TbTrial *trial);
void tb_trials_run_again (TbTrials *self, TbTrial *trial);
gboolean tb_trials_is_busy (TbTrials *self);

G_END_DECLS
