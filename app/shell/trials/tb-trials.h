/* tb-trials.h: what is tried with an analysis of a document, and finding out what would come of it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "shell/document/tb-document.h"
#include "shell/trials/tb-trial.h"

G_BEGIN_DECLS

#define TB_TYPE_TRIALS (tb_trials_get_type ())
G_DECLARE_FINAL_TYPE (TbTrials, tb_trials, TB, TRIALS, GObject)

/* NULL where nothing can be tried with the analysis. (transfer full) */
TbTrials *tb_trials_new (TbDocument *document, TbAnalysisItem *item);
GListModel *tb_trials_get_model (TbTrials *self); /* of TbTrial; that of all together is the last */
const char *tb_trials_get_option (TbTrials *self);

/* Whether text can be understood; several with commas between. */
gboolean tb_trials_check (TbTrials *self, const char *text, GError **error);
gboolean tb_trials_add_text (TbTrials *self, const char *text, GError **error);
/* What is there already is not added again. */
void tb_trials_add_offer (TbTrials *self, const TbOffer *offer, double number);
void tb_trials_remove (TbTrials *self, TbTrial *trial);
void tb_trials_cancel (TbTrials *self, TbTrial *trial);
void tb_trials_run_again (TbTrials *self, TbTrial *trial);
gboolean tb_trials_is_busy (TbTrials *self);

G_END_DECLS
