/* tb-colors.h: the colours of figures, wherever they are drawn
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "report/timeline/tb-timeline-figure.h"

G_BEGIN_DECLS

/**
 * TbColorPalette:
 * @TB_COLOR_PALETTE_OKABE_ITO: the hues of Okabe and Ito, which people of every colour vision tell apart
 * @TB_COLOR_PALETTE_SHADES: told apart by lightness alone, also where nothing has a colour, as on paper
 * @TB_COLOR_PALETTE_CALM: the same hues as the first, softer
 * @TB_N_COLOR_PALETTES: how many there are
 *
 * The palettes that people choose from.
 */
typedef enum
{
  TB_COLOR_PALETTE_OKABE_ITO,
  TB_COLOR_PALETTE_SHADES,
  TB_COLOR_PALETTE_CALM,
  TB_N_COLOR_PALETTES,
} TbColorPalette;

/**
 * TbColorStyle:
 *
 * Which set of colours of a palette is meant. The high-contrast ones differ in lightness too.
 */
typedef enum
{
  TB_COLORS_LIGHT,
  TB_COLORS_DARK,
  TB_COLORS_LIGHT_CONTRAST,
  TB_COLORS_DARK_CONTRAST,
  TB_N_COLOR_STYLES,
} TbColorStyle;

/**
 * TbColors:
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
 * @accent: of the pointer's line, its bubble, of handles, and of bars
 * @on_accent: of text on @accent
 * @range: laid over a selected range, with @range_opacity
 * @match: marks what a search found
 * @severity: by #TbSeverity
 * @series: of distributions that are shown together
 * @chosen: of the part of one that is selected
 * @shade: of amounts, from little to much
 * @difference: from much less over none to much more
 *
 * Each as 0xRRGGBB.
 */
typedef struct
{
  guint32 paint[TB_N_PAINTS];
  guint32 on_paint[TB_N_PAINTS];
  guint32 flame[TB_N_FLAME_PAINTS];
  guint32 on_flame[TB_N_FLAME_PAINTS];
  guint32 surface;
  guint32 text;
  guint32 dim;
  guint32 grid;
  guint32 line;
  guint32 select;
  guint32 accent;
  guint32 on_accent;
  guint32 range;
  double range_opacity;
  guint32 match;
  guint32 severity[4];
  guint32 series[4];
  guint32 chosen;
  guint32 shade[3];
  guint32 difference[5];
} TbColors;

TB_EXPORT const TbColors *tb_colors_get (TbColorStyle style);
TB_EXPORT const TbColors *tb_colors_get_of (TbColorPalette palette, TbColorStyle style);
/* The one that tb_colors_get() is about, of all figures of this process. May be called in any thread. */
TB_EXPORT void tb_colors_set_palette (TbColorPalette palette);
TB_EXPORT TbColorPalette tb_colors_get_palette (void);

G_END_DECLS
