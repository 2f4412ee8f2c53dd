/* tb-edge-details.h: details of a graph edge: parts of flame graphs of the report with the call
 * stacks of both ends; occurrences in a strip, for a comparison on each side, with buttons to step
 * through them and to show one in its own recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "shell/document/tb-document.h"

G_BEGIN_DECLS

#define TB_TYPE_EDGE_DETAILS (tb_edge_details_get_type ())
G_DECLARE_FINAL_TYPE (TbEdgeDetails, tb_edge_details, TB, EDGE_DETAILS, GtkBox)

/* edge: NULL for none. If the edge has not changed, only the selected occurrence is updated. */
void
tb_edge_details_set_edge (TbEdgeDetails *self, TbDocument *document, const TbSelectedEdge *edge);

G_END_DECLS
