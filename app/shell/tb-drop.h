/* tb-drop.h: lets go of what is large without keeping the window waiting
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The thread that frees: what it does is no work that anybody waits for. */
#define TB_DROP_THREAD "tb-drop"

/* The last of a widget, in a step of its own when nothing else is to be done: (transfer full), without a parent. */
void tb_drop_widget (GtkWidget *widget);
/* Takes the next part out of a widget: (transfer full), without a parent; %NULL when the rest may go at once. */
typedef GtkWidget *(*TbDropTakePart) (GtkWidget *widget);
/* Likewise, but first one part after the other, each in a step of its own: (transfer full), a widget that is not seen any more. */
void tb_drop_parts (GtkWidget *widget, TbDropTakePart take_part);
/* The last of data, in a thread, when the widgets dropped before have let go of it: (transfer full), of objects that any thread
 * may finalize. */
void tb_drop_data (GPtrArray *objects);
/* Likewise of one object; %NULL is none. From any thread. */
void tb_drop_object (gpointer object);
/* Whether all of it is gone. */
gboolean tb_drop_is_done (void);
/* At the end of the program: lets go of the rest, and waits for the thread. No thread is at work when what it uses is taken down. */
void tb_drop_finish (void);

G_END_DECLS
