/* tb-finding-row.h: row of one finding: severity, sentence, share and weight, link to another
 * analysis, button of a report action
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/tb-finding.h"
#include "report/tb-report-action.h"

G_BEGIN_DECLS

#define TB_TYPE_FINDING_ROW (tb_finding_row_get_type ())
G_DECLARE_FINAL_TYPE (TbFindingRow, tb_finding_row, TB, FINDING_ROW, GtkListBoxRow)

GtkWidget *tb_finding_row_new (TbFinding *finding, gboolean whole, gboolean narrow);
void tb_finding_row_set_link (TbFindingRow *self, const char *id, const char *name);
void tb_finding_row_set_action (TbFindingRow *self, const TbReportAction *offer);
TbFinding *tb_finding_row_get_finding (TbFindingRow *self);

G_END_DECLS
