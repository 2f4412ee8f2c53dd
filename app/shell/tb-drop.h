/* tb-drop.h: release of large widgets and data without blocking the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Name of the thread that frees data. Nothing waits for its work. */
#define TB_DROP_THREAD "tb-drop"

/* Releases the last reference to a widget when idle: (transfer full), without a parent. */
void tb_drop_widget (GtkWidget *widget);
/* Takes the next part out of a widget: (transfer full), without a parent; %NULL when the rest can
 * be released at once. */
typedef GtkWidget *(*TbDropTakePart) (GtkWidget *widget);
/* Like tb_drop_widget(), but releases one part after the other, each in a step of its own:
 * (transfer full), a widget that is no longer visible. */
void tb_drop_parts (GtkWidget *widget, TbDropTakePart take_part);
/* Releases the last references to data in a thread, after the widgets dropped before have released
 * theirs: (transfer full), objects that any thread may finalize. */
void tb_drop_data (GPtrArray *objects);
/* Releases one object like tb_drop_data(); %NULL is ignored. Can be called from any thread. */
void tb_drop_object (gpointer object);
/* Returns whether everything is freed. */
gboolean tb_drop_is_done (void);
/* Called at the end of the program: releases the rest and joins the thread, so that it does not run
 * while the process exits. */
void tb_drop_finish (void);

G_END_DECLS
