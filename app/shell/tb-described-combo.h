/* tb-described-combo.h: combo row with a description for each choice
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
