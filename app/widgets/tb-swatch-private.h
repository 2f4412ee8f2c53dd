/* tb-swatch-private.h: a little of a colour, beside what it means
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define TB_TYPE_SWATCH (tb_swatch_get_type ())
G_DECLARE_FINAL_TYPE (TbSwatch, tb_swatch, TB, SWATCH, GtkWidget)

GtkWidget *tb_swatch_new (void);
/* A TbFlamePaint where flame is set, else a TbPaint. */
void tb_swatch_set_paint (TbSwatch *self, gboolean flame, guint paint);

G_END_DECLS
