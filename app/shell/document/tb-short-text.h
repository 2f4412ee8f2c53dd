/* tb-short-text.h: texts of recordings in labels, no longer than anybody reads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

/* Some labels are laid out again for each width that they might have: a name of a hundred thousand characters, which a file
 * may well hold, would keep the window for minutes. What is longer is cut, and ends with an ellipsis. */
GtkWidget *tb_short_text_label (const char *text);
void tb_short_text_set (GtkLabel *label, const char *text);
void tb_short_text_set_tooltip (GtkWidget *widget, const char *text);
/* Where there is no room for all of a label's text, all of it is in a tooltip. */
void tb_short_text_show_cut (GtkWidget *label);
