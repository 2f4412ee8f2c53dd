/* tb-selection-scope.h: scope of a selection as a sentence and as values for a report, with
 * the share of recording itself
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "extend/selection/tb-selection.h"
#include "report/tb-report.h"

G_BEGIN_DECLS

TB_EXPORT void tb_selection_describe_scope (TbSelection *self, TbReport *report);

G_END_DECLS
