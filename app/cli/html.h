/* html.h: the parts of the page that reports are written as
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Text of recordings is anyone's: it is always escaped. */
void html_append_text (GString *page, const char *text);
void html_append (GString *page, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* One for each kind of figure. */
void html_append_figure (GString *page, TbFigure *figure);
void html_append_flame (GString *page, TbFlameFigure *figure);
void html_append_graph (GString *page, TbGraphFigure *figure);
void html_append_heatmap (GString *page, TbHeatmapFigure *figure);
void html_append_histogram (GString *page, TbHistogramFigure *figure);
void html_append_table (GString *page, TbTableFigure *figure);
void html_append_timeline (GString *page, TbTimelineFigure *figure);

extern const char html_style[];

G_END_DECLS
