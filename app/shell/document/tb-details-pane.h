/* tb-details-pane.h: pane with details of what is selected: an interval with its causes and call
 * stack (tb-cause-chain), a thread with its time in each state, a call stack, a graph edge
 * (tb-edge-details), another item of a figure, or a time range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_DETAILS_PANE (tb_details_pane_get_type ())
G_DECLARE_FINAL_TYPE (TbDetailsPane, tb_details_pane, TB, DETAILS_PANE, AdwBin)

void tb_details_pane_set_document (TbDetailsPane *self, TbDocument *document);
gboolean tb_details_pane_is_empty (TbDetailsPane *self);

G_END_DECLS
