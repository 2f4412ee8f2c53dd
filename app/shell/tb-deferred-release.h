/* tb-deferred-release.h: release of large widgets and data in steps or in a thread, so that the
 * window does not stop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Name of the thread that frees data. Nothing waits for its work. */
#define TB_RELEASE_THREAD "tb-release"

/* Releases the last reference to a widget when idle: (transfer full), without a parent. */
void tb_release_widget (GtkWidget *widget);
/* Takes the next part out of a widget: (transfer full), without a parent; %NULL when the rest can
 * be released at once. */
typedef GtkWidget *(*TbReleaseTakePart) (GtkWidget *widget);
/* Like tb_release_widget(), but releases one part after the other, each in a step of its own:
 * (transfer full), a widget that is no longer visible. */
void tb_release_parts (GtkWidget *widget, TbReleaseTakePart take_part);
/* Releases the last references to data in a thread, after the widgets dropped before have released
 * theirs: (transfer full), objects that any thread may finalize. */
void tb_release_data (GPtrArray *objects);
/* Releases one object like tb_release_data(); %NULL is ignored. Can be called from any thread. */
void tb_release_object (gpointer object);
/* Returns whether everything is freed. */
gboolean tb_release_is_done (void);
/* Called at the end of the program: releases the rest and joins the thread, so that it does not run
 * while the process exits. */
void tb_release_finish (void);

G_END_DECLS
