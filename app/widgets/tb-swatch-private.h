/* tb-swatch-private.h: small sample of the colour, hatching or line of a thread state, flame box or
 * histogram series, next to its meaning
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The type of its paint: TbPaint, TbFlamePaint, or the series of a histogram. */
typedef enum
{
  TB_SWATCH_STATE,
  TB_SWATCH_FLAME,
  TB_SWATCH_SERIES,
} TbSwatchKind;

#define TB_TYPE_SWATCH (tb_swatch_get_type ())
G_DECLARE_FINAL_TYPE (TbSwatch, tb_swatch, TB, SWATCH, GtkWidget)

GtkWidget *tb_swatch_new (void);
void tb_swatch_set_paint (TbSwatch *self, TbSwatchKind kind, guint paint);

G_END_DECLS
