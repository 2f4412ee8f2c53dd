/* tb-deferred-release.c: release of large widgets and data in steps or in a thread, so that the
 * window does not stop
 *
 * Freeing the tables, trees and columns of a recording of ten million events takes a tenth of a
 * second. To keep a window responsive, this is done in steps. Widgets must be destroyed in the main
 * thread; the data that they showed may be freed in another thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <unistd.h>

#include "shell/tb-deferred-release.h"

typedef struct
{
  GtkWidget *widget;
  TbReleaseTakePart take_part; /* NULL: released as a whole */
} ReleaseItem;

static GQueue widgets = G_QUEUE_INIT; /* Dropped */
/* GPtrArray: released when no widget is left that may hold references */
static GQueue data_sets = G_QUEUE_INIT;
static guint source;
static GThread *thread;
static GAsyncQueue *data_queue; /* to the thread: GPtrArray, and &end as the last item */
static char end;
static int n_queued; /* not freed yet */

static gpointer
free_thread (gpointer unused)
{
  GPtrArray *data;

  while ((data = g_async_queue_pop (data_queue)) != (gpointer) &end)
    {
      g_ptr_array_unref (data);
      g_atomic_int_add (&n_queued, -1);
    }
  return NULL;
}

/* The thread has a name of its own. Its priority is normal, because it holds allocator locks at
 * times. */
static void
free_data (GPtrArray *data)
{
  if (thread == NULL)
    {
      data_queue = g_async_queue_new ();
      thread = g_thread_new (TB_RELEASE_THREAD, free_thread, NULL);
    }
  g_atomic_int_inc (&n_queued);
  g_async_queue_push (data_queue, data);
}

static void
add_widget (GtkWidget *widget, TbReleaseTakePart take_part, void (*push) (GQueue *, gpointer))
{
  ReleaseItem *item = g_new (ReleaseItem, 1);

  *item = (ReleaseItem) { .widget = widget, .take_part = take_part };
  push (&widgets, item);
}

/* Takes one part out of the widget, which is then released in a step of its own, or releases the
 * widget. */
static void
release_step (ReleaseItem *item)
{
  GtkWidget *part = item->take_part != NULL ? item->take_part (item->widget) : NULL;

  if (part != NULL)
    {
      g_queue_push_head (&widgets, item);
      add_widget (part, NULL, g_queue_push_head);
      return;
    }
  g_object_unref (item->widget);
  g_free (item);
}

static gboolean
take_step (gpointer unused)
{
  ReleaseItem *item = g_queue_pop_head (&widgets);

  if (item != NULL)
    release_step (item);
  else
    free_data (g_queue_pop_head (&data_sets));
  if (!g_queue_is_empty (&widgets) || !g_queue_is_empty (&data_sets))
    return G_SOURCE_CONTINUE;
  source = 0;
  return G_SOURCE_REMOVE;
}

static void
schedule_step (void)
{
  if (source == 0)
    source = g_idle_add (take_step, NULL);
}

void
tb_release_widget (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (gtk_widget_get_parent (widget) == NULL);

  add_widget (widget, NULL, g_queue_push_tail);
  schedule_step ();
}

void
tb_release_parts (GtkWidget *widget, TbReleaseTakePart take_part)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (take_part != NULL);

  add_widget (widget, take_part, g_queue_push_tail);
  schedule_step ();
}

void
tb_release_data (GPtrArray *objects)
{
  g_return_if_fail (objects != NULL);

  g_queue_push_tail (&data_sets, objects);
  schedule_step ();
}

void
tb_release_object (gpointer object)
{
  GPtrArray *objects;

  if (object == NULL)
    return;
  /* Other threads do not block the window, and must not use the queues. */
  if (gettid () != getpid ())
    {
      g_object_unref (object);
      return;
    }
  objects = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (objects, object);
  tb_release_data (objects);
}

gboolean
tb_release_is_done (void)
{
  return source == 0 && g_atomic_int_get (&n_queued) == 0;
}

void
tb_release_finish (void)
{
  if (source != 0)
    {
      g_source_remove (source);
      while (take_step (NULL) == G_SOURCE_CONTINUE)
        ;
    }
  if (thread == NULL)
    return;
  g_async_queue_push (data_queue, &end);
  g_thread_join (g_steal_pointer (&thread));
  g_clear_pointer (&data_queue, g_async_queue_unref);
}
