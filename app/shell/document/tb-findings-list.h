/* tb-findings-list.h: headline of a report and list of its findings, the most severe first, with a
 * button that shows the rest; choice of the link to another analysis and of the report action that
 * each row (tb-finding-row) has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "report/tb-report.h"
#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_FINDINGS_LIST (tb_findings_list_get_type ())
G_DECLARE_FINAL_TYPE (TbFindingsList, tb_findings_list, TB, FINDINGS_LIST, AdwBin)

void tb_findings_list_set_report (TbFindingsList *self, TbReport *report);
void tb_findings_list_set_document (TbFindingsList *self, TbDocument *document);

G_END_DECLS
