/* tb-widget-snapshot.c: pictures of widgets
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-widget-snapshot.h"

#include <glib/gi18n-lib.h>

/* A widget that was just shown is laid out in the first frame, its lists are filled in the second and drawn in the third. */
#define FRAMES 3

typedef struct
{
  char *path;
  GdkFrameClock *clock;
  gulong after_paint;
  gulong destroyed;
  guint frames;
} Wait;

static void
wait_free (gpointer data)
{
  Wait *wait = data;

  g_clear_object (&wait->clock);
  g_free (wait->path);
  g_free (wait);
}

/**
 * tb_widget_snapshot_to_png_now:
 * @widget: a widget in a realized window
 * @path: (type filename): where to write
 * @error: return location for an error
 *
 * Writes what a widget looks like now.
 *
 * Returns: whether it was written
 */
gboolean
tb_widget_snapshot_to_png_now (GtkWidget *widget, const char *path, GError **error)
{
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GtkSnapshot) snapshot = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GtkNative *native;
  GskRenderer *renderer;
  int width, height;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  native = gtk_widget_get_native (widget);
  renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;
  /* With the shadow of a window, else the picture would be scaled and blurred. */
  paintable = gtk_widget_paintable_new (widget);
  width = gdk_paintable_get_intrinsic_width (paintable);
  height = gdk_paintable_get_intrinsic_height (paintable);
  if (renderer == NULL || width <= 0 || height <= 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                   _ ("%s: no picture of what is not on a screen"), path);
      return FALSE;
    }

  snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  if (node == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("%s: the widget draws nothing"), path);
      return FALSE;
    }
  texture = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (!gdk_texture_save_to_png (texture, path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("%s: the picture cannot be written there"), path);
      return FALSE;
    }
  return TRUE;
}

static void
finish (GTask *task)
{
  Wait *wait = g_task_get_task_data (task);

  g_clear_signal_handler (&wait->after_paint, wait->clock);
  g_clear_signal_handler (&wait->destroyed, g_task_get_source_object (task));
}

static gboolean
take (gpointer data)
{
  GTask *task = data;
  Wait *wait = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;
  if (tb_widget_snapshot_to_png_now (g_task_get_source_object (task), wait->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
  return G_SOURCE_REMOVE;
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  GTask *task = data;
  Wait *wait = g_task_get_task_data (task);

  if (++wait->frames < FRAMES && !g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      gtk_widget_queue_draw (g_task_get_source_object (task));
      return;
    }
  finish (task);
  g_idle_add_full (G_PRIORITY_DEFAULT, take, task, g_object_unref);
}

static void
on_unrealized (GtkWidget *widget, gpointer data)
{
  g_autoptr (GTask) task = data;
  Wait *wait = g_task_get_task_data (task);

  finish (task);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                           _ ("%s: no picture of what is not on a screen"), wait->path);
}

/**
 * tb_widget_snapshot_to_png:
 * @widget: a widget in a window that is shown
 * @path: (type filename): where to write
 * @cancellable: (nullable): to cancel it
 * @callback: (scope async): called when it is written
 * @user_data: for @callback
 *
 * Writes what a widget looks like, after three frames of its window were drawn: what was just shown is complete by then.
 */
void
tb_widget_snapshot_to_png (GtkWidget *widget,
                           const char *path,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Wait *wait;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (path != NULL);

  task = g_task_new (widget, cancellable, callback, user_data);
  g_task_set_source_tag (task, tb_widget_snapshot_to_png);
  wait = g_new0 (Wait, 1);
  wait->path = g_strdup (path);
  g_task_set_task_data (task, wait, wait_free);
  if (!gtk_widget_get_realized (widget))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                               _ ("%s: no picture of what is not on a screen"), path);
      return;
    }
  wait->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  wait->destroyed = g_signal_connect (widget, "unrealize", G_CALLBACK (on_unrealized), task);
  wait->after_paint = g_signal_connect (wait->clock, "after-paint", G_CALLBACK (on_after_paint), task);
  gtk_widget_queue_draw (widget);
  g_steal_pointer (&task);
}

/**
 * tb_widget_snapshot_to_png_finish:
 * @widget: the widget
 * @result: what the callback got
 * @error: return location for an error
 *
 * Returns: whether the picture was written
 */
gboolean
tb_widget_snapshot_to_png_finish (GtkWidget *widget, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, widget), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
