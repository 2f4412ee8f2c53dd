/* shell-texts.h: whether texts of a window can be read, and are translated
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The texts below widget that are cut for lack of room, without a tooltip that has the complete
 * text. */
GStrv shell_texts_list_cut (GtkWidget *widget);
/* The texts below widget that look like English sentences or headings. To be called with the
 * translation of pseudo-locale.py, in which each translated text has brackets. */
GStrv shell_texts_list_untranslated (GtkWidget *widget);

G_END_DECLS
