/* tb-described-combo.h: set-up of a given combo row so that it shows a name and a description of
 * each choice in full; adding of such choices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void tb_described_combo_prepare (AdwComboRow *row);
void tb_described_combo_show_whole (AdwComboRow *row);
void tb_described_combo_append (GtkStringList *list, const char *name, const char *description);

G_END_DECLS
