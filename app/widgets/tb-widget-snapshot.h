/* tb-widget-snapshot.h: pictures of widgets as PNG files, written at once or after the next frames,
 * when new widgets are complete
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <gtk/gtk.h>

#include "base/tb-export.h"

G_BEGIN_DECLS

TB_EXPORT void tb_widget_snapshot_to_png (GtkWidget *widget,
                                          const char *path,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
TB_EXPORT gboolean tb_widget_snapshot_to_png_finish (GtkWidget *widget,
                                                     GAsyncResult *result,
                                                     GError **error);
TB_EXPORT gboolean tb_widget_snapshot_to_png_now (GtkWidget *widget,
                                                  const char *path,
                                                  GError **error);

G_END_DECLS
