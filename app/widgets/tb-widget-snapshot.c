/* tb-widget-snapshot.c: pictures of widgets as PNG files, written at once or after the next frames,
 * when new widgets are complete
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-widget-snapshot.h"

#include <glib/gi18n-lib.h>

/* A new widget is laid out in the first frame. Its lists are filled in the second and drawn in the
 * third. */
#define FRAMES 3
/* A widget draws nothing while it is laid out again. */
#define MAX_FRAMES 120
/* A hidden window has no frames. */
#define MAX_SECONDS_WITHOUT_FRAME 10

/* The content of one frame. It does not change, whatever happens to the widget. */
typedef struct
{
  GskRenderNode *node; /* NULL where the frame is empty */
  int width, height;
} Image;

typedef struct
{
  char *path;
  GdkFrameClock *clock;
  GdkPaintable *paintable;
  gulong after_paint;
  gulong destroyed;
  guint timeout;
  guint frames;
  Image image;
} Wait;

static void
image_clear (Image *image)
{
  g_clear_pointer (&image->node, gsk_render_node_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Image, image_clear)

static gboolean
image_init (Image *image, GdkPaintable *paintable)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  image->width = gdk_paintable_get_intrinsic_width (paintable);
  image->height = gdk_paintable_get_intrinsic_height (paintable);
  gdk_paintable_snapshot (paintable, snapshot, image->width, image->height);
  image->node = gtk_snapshot_to_node (snapshot);
  return image->node != NULL;
}

static void
wait_free (gpointer data)
{
  Wait *wait = data;

  image_clear (&wait->image);
  g_clear_object (&wait->paintable);
  g_clear_object (&wait->clock);
  g_free (wait->path);
  g_free (wait);
}

static gboolean
write_image (GtkWidget *widget, const Image *image, const char *path, GError **error)
{
  GtkNative *native = gtk_widget_get_native (widget);
  GskRenderer *renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (renderer == NULL || image->width <= 0 || image->height <= 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                   _ ("Cannot draw %s: the widget is not on a screen"), path);
      return FALSE;
    }
  if (image->node == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                   _ ("Cannot draw %s: the widget draws nothing"), path);
      return FALSE;
    }
  texture = gsk_renderer_render_texture (renderer, image->node,
                                         &GRAPHENE_RECT_INIT (0, 0, (float) image->width,
                                                              (float) image->height));
  if (!gdk_texture_save_to_png (texture, path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Cannot write the picture %s"), path);
      return FALSE;
    }
  return TRUE;
}

/**
 * tb_widget_snapshot_to_png_now:
 * @widget: a widget in a realized window
 * @path: (type filename): where to write
 * @error: return location for an error
 *
 * Writes the current picture of a widget. Fails between a change of the widget and the frame that
 * draws it, because there is no picture then: [func@widget_snapshot_to_png] waits for that frame.
 *
 * Returns: whether it was written
 */
gboolean
tb_widget_snapshot_to_png_now (GtkWidget *widget, const char *path, GError **error)
{
  g_autoptr (GdkPaintable) paintable = NULL;
  g_auto (Image) image = { 0 };

  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  /* The picture includes the shadow of the window. Without it the picture would be scaled and
   * blurred. */
  paintable = gtk_widget_paintable_new (widget);
  image_init (&image, paintable);
  return write_image (widget, &image, path, error);
}

static void
finish (GTask *task)
{
  Wait *wait = g_task_get_task_data (task);

  g_clear_signal_handler (&wait->after_paint, wait->clock);
  g_clear_signal_handler (&wait->destroyed, g_task_get_source_object (task));
  g_clear_handle_id (&wait->timeout, g_source_remove);
}

static gboolean
write_picture (gpointer data)
{
  GTask *task = data;
  Wait *wait = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;
  if (write_image (g_task_get_source_object (task), &wait->image, wait->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
  return G_SOURCE_REMOVE;
}

/* Takes the content of this frame. If another handler of this frame has requested a redraw since,
 * the widget itself has lost its content. The paintable, which existed before, still has that of
 * the last frame. */
static gboolean
capture_frame (GtkWidget *widget, Wait *wait)
{
  g_autoptr (GdkPaintable) drawn = gtk_widget_paintable_new (widget);

  return image_init (&wait->image, drawn)
         || (wait->frames > FRAMES && image_init (&wait->image, wait->paintable));
}

static gboolean on_no_frame (gpointer data);

/* The timeout has a low priority, so that it comes after all frames that are due. */
static void
await_frame (GTask *task)
{
  Wait *wait = g_task_get_task_data (task);

  g_clear_handle_id (&wait->timeout, g_source_remove);
  wait->timeout = g_timeout_add_seconds_full (G_PRIORITY_LOW, MAX_SECONDS_WITHOUT_FRAME,
                                              on_no_frame, task, NULL);
  gtk_widget_queue_draw (g_task_get_source_object (task));
}

static void
on_after_paint (GdkFrameClock *clock, gpointer data)
{
  GTask *task = data;
  Wait *wait = g_task_get_task_data (task);
  gboolean is_cancelled = g_cancellable_is_cancelled (g_task_get_cancellable (task));

  wait->frames++;
  if (!is_cancelled
      && (wait->frames < FRAMES
          || (!capture_frame (g_task_get_source_object (task), wait) && wait->frames < MAX_FRAMES)))
    {
      await_frame (task);
      return;
    }
  finish (task);
  /* The callback may close the window, which is being drawn now. */
  g_idle_add_full (G_PRIORITY_DEFAULT, write_picture, task, g_object_unref);
}

static gboolean
on_no_frame (gpointer data)
{
  g_autoptr (GTask) task = data;
  Wait *wait = g_task_get_task_data (task);

  wait->timeout = 0;
  finish (task);
  write_picture (task);
  return G_SOURCE_REMOVE;
}

static void
on_unrealized (GtkWidget *widget, gpointer data)
{
  g_autoptr (GTask) task = data;
  Wait *wait = g_task_get_task_data (task);

  finish (task);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                           _ ("Cannot draw %s: the widget is not on a screen"), wait->path);
}

/**
 * tb_widget_snapshot_to_png:
 * @widget: a widget in a visible window
 * @path: (type filename): where to write
 * @cancellable: (nullable): to cancel it, which takes effect with the next frame
 * @callback: (scope async): called when the picture is written
 * @user_data: for @callback
 *
 * Writes a picture of a widget after three frames of its window, when new widgets are complete. The
 * picture is that of one drawn frame, even if the widget is redrawn meanwhile. While the widget
 * draws nothing, later frames are tried: up to 120, or until there was no frame for ten seconds. If
 * the widget is unrealized meanwhile, the call fails with %G_IO_ERROR_NOT_INITIALIZED.
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
                               _ ("Cannot draw %s: the widget is not on a screen"), path);
      return;
    }
  wait->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  wait->paintable = gtk_widget_paintable_new (widget);
  wait->destroyed = g_signal_connect (widget, "unrealize", G_CALLBACK (on_unrealized), task);
  wait->after_paint
      = g_signal_connect (wait->clock, "after-paint", G_CALLBACK (on_after_paint), task);
  await_frame (task);
  g_steal_pointer (&task);
}

/**
 * tb_widget_snapshot_to_png_finish:
 * @widget: the widget
 * @result: the result passed to the callback
 * @error: return location for an error
 *
 * Finishes writing a picture.
 *
 * Returns: whether the picture was written
 */
gboolean
tb_widget_snapshot_to_png_finish (GtkWidget *widget, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, widget), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
