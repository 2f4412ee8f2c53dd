/* tb-occurrences-strip.h: strip of the occurrences of a graph edge over the whole recording: in
 * each column a bar for the longest one that begins there; a click emits a signal with the one of
 * the nearest bar
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/graph/tb-graph-figure.h"

G_BEGIN_DECLS

#define TB_TYPE_OCCURRENCES_STRIP (tb_occurrences_strip_get_type ())
G_DECLARE_FINAL_TYPE (TbOccurrencesStrip, tb_occurrences_strip, TB, OCCURRENCES_STRIP, GtkWidget)

/* Signal: "chosen" (guint64 index of the occurrence). */
TbOccurrencesStrip *tb_occurrences_strip_new (void);
/* from, to: range of the strip. */
void tb_occurrences_strip_set (TbOccurrencesStrip *self,
                               const TbGraphOccurrences *occurrences,
                               gint64 from,
                               gint64 to);
/* time: start of the selected occurrence, TB_TIME_NONE for none. */
void tb_occurrences_strip_set_current (TbOccurrencesStrip *self, gint64 time);

G_END_DECLS
