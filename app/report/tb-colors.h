/* tb-colors.h: colours of figures: palettes with light, dark and high-contrast styles, and the
 * palette in use
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "report/timeline/tb-timeline-figure.h"

G_BEGIN_DECLS

/**
 * TbColorPalette:
 * @TB_COLOR_PALETTE_OKABE_ITO: the hues of Okabe and Ito, which are distinguishable with every kind
 *   of colour vision
 * @TB_COLOR_PALETTE_SHADES: distinguishable by lightness alone, also without colour, as on paper
 * @TB_COLOR_PALETTE_CALM: the hues of the first palette, softer
 *
 * The palettes that a user can choose from.
 */
typedef enum
{
  TB_COLOR_PALETTE_OKABE_ITO,
  TB_COLOR_PALETTE_SHADES,
  TB_COLOR_PALETTE_CALM,
} TbColorPalette;

/**
 * TB_N_COLOR_PALETTES:
 *
 * Number of the values of [enum@ColorPalette].
 */
#define TB_N_COLOR_PALETTES (TB_COLOR_PALETTE_CALM + 1)

/**
 * TbColorStyle:
 * @TB_COLORS_LIGHT: on a light background
 * @TB_COLORS_DARK: on a dark background
 * @TB_COLORS_LIGHT_CONTRAST: high contrast on a light background
 * @TB_COLORS_DARK_CONTRAST: high contrast on a dark background
 *
 * A set of colours of a palette. The colours of the high-contrast styles differ in lightness too.
 */
typedef enum
{
  TB_COLORS_LIGHT,
  TB_COLORS_DARK,
  TB_COLORS_LIGHT_CONTRAST,
  TB_COLORS_DARK_CONTRAST,
} TbColorStyle;

/**
 * TB_N_COLOR_STYLES:
 *
 * Number of the values of [enum@ColorStyle].
 */
#define TB_N_COLOR_STYLES (TB_COLORS_DARK_CONTRAST + 1)

/**
 * TbColors:
 * @paint: intervals of a timeline, by #TbPaint
 * @text_on_paint: text on @paint
 * @flame: boxes of a flame figure, by #TbFlamePaint
 * @text_on_flame: text on @flame
 * @surface: background of figures
 * @text: text on @surface
 * @dim: secondary text
 * @grid: grid lines
 * @line: borders
 * @select: outlines and arrows of the selection
 * @accent: line and bubble of the pointer, handles, bars
 * @text_on_accent: text on @accent
 * @range: overlay of a selected range, drawn with @range_opacity
 * @range_opacity: opacity of the overlay of a selected range, 0…1
 * @match: search matches
 * @severity: severities, by #TbSeverity
 * @series: distributions that are shown together
 * @chosen: selected part of a distribution
 * @shade: amounts, from small to large
 * @difference: differences, from much less through none to much more
 *
 * The colours of a style, each as 0xRRGGBB.
 */
typedef struct
{
  guint32 paint[TB_N_PAINTS];
  guint32 text_on_paint[TB_N_PAINTS];
  guint32 flame[TB_N_FLAME_PAINTS];
  guint32 text_on_flame[TB_N_FLAME_PAINTS];
  guint32 surface;
  guint32 text;
  guint32 dim;
  guint32 grid;
  guint32 line;
  guint32 select;
  guint32 accent;
  guint32 text_on_accent;
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
TB_EXPORT const TbColors *tb_colors_get_for_palette (TbColorPalette palette, TbColorStyle style);
/* The palette that tb_colors_get() uses, for all figures of this process. Can be called from any
 * thread. */
TB_EXPORT void tb_colors_set_palette (TbColorPalette palette);
TB_EXPORT TbColorPalette tb_colors_get_palette (void);

G_END_DECLS
