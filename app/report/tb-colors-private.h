/* tb-colors-private.h: table of the colours in which the other palettes differ from that of Okabe
 * and Ito
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-colors.h"

G_BEGIN_DECLS

/* The other colours are those of the palette of Okabe and Ito. Text is black or white, whichever is
 * easier to read. */
typedef struct
{
  guint32 paint[TB_N_PAINTS];
  guint32 flame[TB_N_FLAME_PAINTS];
  guint32 shade[3];
  guint32 difference[5];
} TbColorVariant;

/* The entry of the first palette is empty. */
extern const TbColorVariant tb_color_variants[TB_N_COLOR_PALETTES][TB_N_COLOR_STYLES];

G_END_DECLS
