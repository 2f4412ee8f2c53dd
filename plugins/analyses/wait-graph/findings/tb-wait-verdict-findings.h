/* tb-wait-verdict-findings.h: sentence and finding for each verdict that names neither a knot nor a
 * busy thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "graph/tb-wait-verdict.h"
#include "report/tb-report.h"

G_BEGIN_DECLS

/* The sentence of the verdict, which is the headline as well; NULL: other findings have it. */
char *tb_wait_describe_verdict (const TbWaitResult *result);
/* Adds a finding for that sentence. */
void tb_wait_add_verdict (TbReport *report, const TbWaitResult *result);

G_END_DECLS
