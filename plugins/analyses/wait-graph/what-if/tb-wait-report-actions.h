/* tb-wait-report-actions.h: report actions on vertices and edges (try a change, expand or contract,
 * assert a wait for new work, apply an annotation), and results of the tried changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "what-if/tb-wait-what-if.h"

G_BEGIN_DECLS

#define TB_WAIT_OPTION_WHAT_IF "what-if"
#define TB_WAIT_OPTION_UNMERGE "unmerge"
#define TB_WAIT_OPTION_APPLY "apply"
#define TB_WAIT_OPTION_IDLE_IN "idle-in"

/* Adds the actions of edges that are not light (heaviest first), of devices and of threads. */
void tb_wait_add_actions (TbReport *report, const TbWaitResult *result);
/* To be called after tb_wait_what_if_add_to_report(). */
void tb_wait_add_change_results (TbReport *report, const TbWaitWhatIf *what_if);

G_END_DECLS
