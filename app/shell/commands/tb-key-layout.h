/* tb-key-layout.h: preference that turns off single-character keys of figures
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

void tb_key_layout_attach (GtkWidget *widget);

G_END_DECLS
