/* tb-occurrences.h: when something was, in a strip over all of a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/graph/tb-graph-figure.h"

G_BEGIN_DECLS

#define TB_TYPE_OCCURRENCES (tb_occurrences_get_type ())
G_DECLARE_FINAL_TYPE (TbOccurrences, tb_occurrences, TB, OCCURRENCES, GtkWidget)

/* Signal: "chosen" (guint64 which). */
TbOccurrences *tb_occurrences_new (void);
/* from, to: what the strip goes over. */
void tb_occurrences_set (TbOccurrences *self, const TbGraphOccurrences *occurrences, gint64 from, gint64 to);
/* When the one that is selected begins, TB_TIME_NONE none. */
void tb_occurrences_set_current (TbOccurrences *self, gint64 time);

G_END_DECLS
