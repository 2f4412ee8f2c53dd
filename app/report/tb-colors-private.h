/* tb-colors-private.h: what palettes have of their own
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-colors.h"

G_BEGIN_DECLS

/* All else is as in the palette of Okabe and Ito; text is black or white, whichever can be read better. */
typedef struct
{
  guint32 paint[TB_N_PAINTS];
  guint32 flame[TB_N_FLAME_PAINTS];
  guint32 shade[3];
  guint32 difference[5];
} TbColorVariant;

/* None of the first palette. */
extern const TbColorVariant tb_color_variants[TB_N_COLOR_PALETTES][TB_N_COLOR_STYLES];

G_END_DECLS
