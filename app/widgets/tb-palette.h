/* tb-palette.h: palettes, as GTK colours, of the figures by the style of the application; choice of
 * the kind of palette; colours of amounts and of differences
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
 * @TB_PALETTE_LIGHT: on a light background
 * @TB_PALETTE_DARK: on a dark background
 * @TB_PALETTE_LIGHT_CONTRAST: high contrast on a light background
 * @TB_PALETTE_DARK_CONTRAST: high contrast on a dark background
 *
 * The styles of a palette. Colours of the high-contrast styles also differ in lightness.
 */
typedef enum
{
  TB_PALETTE_LIGHT,
  TB_PALETTE_DARK,
  TB_PALETTE_LIGHT_CONTRAST,
  TB_PALETTE_DARK_CONTRAST,
} TbPaletteStyle;

/**
 * TB_N_PALETTES:
 *
 * Number of the values of [enum@PaletteStyle].
 */
#define TB_N_PALETTES (TB_PALETTE_DARK_CONTRAST + 1)

/**
 * TbPalette:
 * @paint: intervals of a timeline, by #TbPaint
 * @text_on_paint: text on intervals
 * @flame: boxes of a flame figure, by #TbFlamePaint
 * @text_on_flame: text on boxes
 * @surface: background of figures
 * @text: text on @surface
 * @dim: secondary text
 * @grid: grid lines
 * @line: borders
 * @select: outlines and arrows of the selection
 * @accent: pointer line, its bubble, and handles
 * @text_on_accent: text on @accent
 * @range: overlay of a selected range
 * @match: matches of a search
 * @severity: by #TbSeverity
 * @series: distributions that are shown together
 * @chosen: the selected part of a distribution
 * @shade: amounts, from small to large; see [method@Palette.get_shade]
 * @difference: from much less over no difference to much more; see [method@Palette.get_difference]
 *
 * The colours of a style, for drawing with GTK.
 */
typedef struct
{
  GdkRGBA paint[TB_N_PAINTS];
  GdkRGBA text_on_paint[TB_N_PAINTS];
  GdkRGBA flame[TB_N_FLAME_PAINTS];
  GdkRGBA text_on_flame[TB_N_FLAME_PAINTS];
  GdkRGBA surface;
  GdkRGBA text;
  GdkRGBA dim;
  GdkRGBA grid;
  GdkRGBA line;
  GdkRGBA select;
  GdkRGBA accent;
  GdkRGBA text_on_accent;
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
/* For all figures at once. */
TB_EXPORT void tb_palette_choose (TbColorPalette palette);
TB_EXPORT void tb_palette_get_shade (const TbPalette *self, double share, GdkRGBA *color);
TB_EXPORT void tb_palette_get_difference (const TbPalette *self, double difference, GdkRGBA *color);

G_END_DECLS
