/* tb-key-filter.h: filter of key presses, which withholds single characters from figures if a
 * preference turns these keys off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Values of the setting "key-layout". */
typedef enum
{
  TB_KEY_LAYOUT_LETTERS,
  TB_KEY_LAYOUT_ARROWS,
} TbKeyLayout;

void tb_key_filter_attach (GtkWidget *widget);

G_END_DECLS
