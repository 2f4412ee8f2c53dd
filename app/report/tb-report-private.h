/* tb-report-private.h: the parts of a report that lie in several files
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-report.h"

G_BEGIN_DECLS

#define TB_REPORT_VERSION 1

/* What can be tried and what came of it, as members of the report's object; none where there is nothing. */
void tb_report_write_trials (TbReport *self, JsonBuilder *builder);
gboolean tb_report_read_trials (TbReport *self, JsonObject *object, GError **error);

G_END_DECLS
