/* tb-report-private.h: version of the JSON of reports; reading of findings; actions and predicted
 * effects to and from JSON
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

#define TB_REPORT_VERSION 1

void tb_report_append_finding (TbReport *self, TbFinding *finding);

/* Report actions and predicted effects, as members of the report's object. Without any, nothing is
 * written. */
void tb_report_write_actions (TbReport *self, JsonBuilder *builder);
gboolean tb_report_read_actions (TbReport *self, JsonObject *object, GError **error);

G_END_DECLS
