/* tb-wait-what-if.h: what-if predictions of one or several recordings, by replays; findings, table,
 * warning and JSON about them in a report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/tb-report.h"
#include "graph/tb-wait-result.h"
#include "what-if/tb-wait-what-if-prediction.h"

G_BEGIN_DECLS

#define TB_WAIT_FIGURE_WHAT_IF "what-if"

typedef struct
{
  GArray *predictions; /* TbWaitPrediction */
} TbWaitWhatIf;

/* texts: changes; each is predicted by itself. target: the threads of which the wall time is
 * predicted; NULL: the processes with waits that change. baseline_speedups: doubles, the speed-up
 * of each run of the load that was measured without a recorder; NULL or empty: not measured. Their
 * median determines the cost of recording, and their variance is used for that of measured runs. */
TbWaitWhatIf *tb_wait_what_if_new (const TbWaitResult *result,
                                   const char *const *texts,
                                   TbSelection *target,
                                   GArray *baseline_speedups,
                                   GCancellable *cancellable,
                                   GError **error);
void tb_wait_what_if_free (TbWaitWhatIf *self);
/* Adds the predictions of the same changes from another recording of the same load. Returns FALSE
 * if only one of the two recordings has units of work, because they then predict different
 * quantities. */
gboolean tb_wait_what_if_add (TbWaitWhatIf *self, const TbWaitWhatIf *other, GError **error);
/* Adds findings and a table. */
void tb_wait_what_if_add_to_report (const TbWaitWhatIf *self, TbReport *report);
/* The member "what_if" of the summary. */
JsonNode *tb_wait_what_if_to_json (const TbWaitWhatIf *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbWaitWhatIf, tb_wait_what_if_free)

G_END_DECLS
