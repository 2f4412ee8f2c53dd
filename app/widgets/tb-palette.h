/* tb-palette.h: the colours of figures
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "report/flame/tb-flame-figure.h"
#include "report/tb-colors.h"
#include "report/timeline/tb-timeline-figure.h"

G_BEGIN_DECLS

/**
 * TbPaletteStyle:
 *
 * Which style of the chosen palette is meant. The high-contrast ones differ in lightness too.
 */
typedef enum
{
  TB_PALETTE_LIGHT,
  TB_PALETTE_DARK,
  TB_PALETTE_LIGHT_CONTRAST,
  TB_PALETTE_DARK_CONTRAST,
  TB_N_PALETTES,
} TbPaletteStyle;

/**
 * TbPalette:
 * @paint: of intervals of a timeline, by #TbPaint
 * @on_paint: of text on them
 * @flame: of boxes of a flame figure, by #TbFlamePaint
 * @on_flame: of text on them
 * @surface: what figures are drawn on
 * @text: of text on @surface
 * @dim: of secondary text
 * @grid: of grid lines
 * @line: of borders
 * @select: outlines and arrows of what is selected
 * @accent: of the pointer's line, its bubble and of handles
 * @on_accent: of text on @accent
 * @range: laid over a selected range
 * @match: marks what a search found
 * @severity: by #TbSeverity
 * @series: of distributions that are shown together
 * @chosen: of the part of one that is selected
 * @shade: of amounts, from little to much; see [func@palette_get_shade]
 * @difference: from much less over none to much more; see [func@palette_get_difference]
 */
typedef struct
{
  GdkRGBA paint[TB_N_PAINTS];
  GdkRGBA on_paint[TB_N_PAINTS];
  GdkRGBA flame[TB_N_FLAME_PAINTS];
  GdkRGBA on_flame[TB_N_FLAME_PAINTS];
  GdkRGBA surface;
  GdkRGBA text;
  GdkRGBA dim;
  GdkRGBA grid;
  GdkRGBA line;
  GdkRGBA select;
  GdkRGBA accent;
  GdkRGBA on_accent;
  GdkRGBA range;
  GdkRGBA match;
  GdkRGBA severity[4];
  GdkRGBA series[4];
  GdkRGBA chosen;
  GdkRGBA shade[3];
  GdkRGBA difference[5];
} TbPalette;

TB_EXPORT const TbPalette *tb_palette_get (TbPaletteStyle style);
TB_EXPORT const TbPalette *tb_palette_get_default (void);
/* Of all figures, at once. */
TB_EXPORT void tb_palette_choose (TbColorPalette palette);
TB_EXPORT void tb_palette_get_shade (const TbPalette *self, double share, GdkRGBA *color);
TB_EXPORT void tb_palette_get_difference (const TbPalette *self, double difference, GdkRGBA *color);

G_END_DECLS
