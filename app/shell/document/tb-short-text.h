/* tb-short-text.h: labels and tooltips that cut texts beyond a length; tooltips with the text of
 * ellipsized labels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

/* Some labels are laid out again for each width that they might get. A name of a hundred thousand
 * characters, which a file may contain, would block the window for minutes. Longer texts are
 * therefore truncated, with an ellipsis at the end. */
GtkWidget *tb_short_text_label (const char *text);
void tb_short_text_set (GtkLabel *label, const char *text);
void tb_short_text_set_tooltip (GtkWidget *widget, const char *text);
/* Shows the text of an ellipsized label in a tooltip. */
void tb_short_text_add_tooltip (GtkWidget *label);
