/* tb-shade-legend-private.h: legend of the shades of a figure: bar with the shades of the palette
 * (of amounts, or of differences) between labels of its ends
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TB_TYPE_SHADE_LEGEND (tb_shade_legend_get_type ())
G_DECLARE_FINAL_TYPE (TbShadeLegend, tb_shade_legend, TB, SHADE_LEGEND, GtkWidget)

/* least, greatest: meanings of the ends. two_sided: the shades are those of a difference. */
GtkWidget *tb_shade_legend_new (gboolean two_sided, const char *least, const char *greatest);

G_END_DECLS
