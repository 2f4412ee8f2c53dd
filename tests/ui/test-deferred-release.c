/* test-deferred-release.c: stepwise freeing of dropped objects: widgets first, then data, in a
 * thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <adwaita.h>
#include <unistd.h>

#include "shell/tb-deferred-release.h"
#include "ui-test.h"

#define N_PARTS 20
#define PATIENCE_S 20

/* Data that records, when it is finalized, the number of remaining widgets and the thread. */
#define DATA_TYPE (data_get_type ())
G_DECLARE_FINAL_TYPE (Data, data, SAMPLE, DATA, GObject)

struct _Data
{
  GObject parent;
};

G_DEFINE_FINAL_TYPE (Data, data, G_TYPE_OBJECT)

static int n_widgets;
static int n_data;
static int max_widgets_left; /* maximum, when data is finalized */
static int n_in_thread;
static guint n_iterations;

static void
data_finalize (GObject *object)
{
  /* From one thread only, otherwise the test fails. */
  max_widgets_left = MAX (max_widgets_left, g_atomic_int_get (&n_widgets));
  if (gettid () != getpid ())
    g_atomic_int_inc (&n_in_thread);
  g_atomic_int_add (&n_data, -1);
  G_OBJECT_CLASS (data_parent_class)->finalize (object);
}

static void
data_class_init (DataClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = data_finalize;
}

static void
data_init (Data *self)
{
  g_atomic_int_inc (&n_data);
}

static void
widget_gone (gpointer unused, GObject *where)
{
  g_atomic_int_add (&n_widgets, -1);
}

/* Makes a widget that holds a reference to data, as views do. */
static GtkWidget *
make_widget (GObject *data)
{
  GtkWidget *widget = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));

  n_widgets++;
  g_object_weak_ref (G_OBJECT (widget), widget_gone, NULL);
  if (data != NULL)
    g_object_set_data_full (G_OBJECT (widget), "data", g_object_ref (data), g_object_unref);
  return widget;
}

static GPtrArray *
make_set (GObject *data)
{
  GPtrArray *set = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (set, data);
  return set;
}

/* Returns the maximum number of widgets finalized in a step. */
static int
wait_gone (void)
{
  gint64 end = g_get_monotonic_time () + ui_get_patience (PATIENCE_S * G_USEC_PER_SEC);
  int most = 0;

  n_iterations = 0;
  while (!tb_release_is_done ())
    {
      int before = n_widgets;

      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000); /* gives the thread time to start too early */
      n_iterations += before != n_widgets;
      most = MAX (most, before - n_widgets);
    }
  g_assert_cmpint (n_widgets, ==, 0);
  g_assert_cmpint (n_data, ==, 0);
  return most;
}

/* In any order of dropping. */
static void
test_order (void)
{
  n_in_thread = max_widgets_left = 0;
  for (guint i = 0; i < N_PARTS; i++)
    {
      GObject *data = g_object_new (DATA_TYPE, NULL);
      GtkWidget *widget = make_widget (data);

      tb_release_data (make_set (data));
      tb_release_widget (widget);
    }
  g_assert_cmpint (n_widgets, ==, N_PARTS);
  g_assert_false (tb_release_is_done ());
  g_assert_cmpint (wait_gone (), ==, 1);
  g_assert_cmpint (max_widgets_left, ==, 0);
  g_assert_cmpint (n_in_thread, ==, N_PARTS);
}

static GtkWidget *
take_part (GtkWidget *widget)
{
  GtkWidget *part = gtk_widget_get_first_child (widget);

  if (part != NULL)
    {
      g_object_ref (part);
      gtk_box_remove (GTK_BOX (widget), part);
    }
  return part;
}

static GtkWidget *
make_parts (GObject *data)
{
  GtkWidget *whole = make_widget (NULL);

  for (guint i = 0; i < N_PARTS; i++)
    {
      GtkWidget *part = make_widget (data);

      gtk_box_append (GTK_BOX (whole), part);
      g_object_unref (part);
    }
  return whole;
}

/* One part per step, and the whole after its parts. */
static void
test_parts (void)
{
  GObject *data = g_object_new (DATA_TYPE, NULL);

  n_in_thread = max_widgets_left = 0;
  tb_release_parts (make_parts (data), take_part);
  tb_release_data (make_set (data));
  g_assert_cmpint (wait_gone (), ==, 1);
  g_assert_cmpuint (n_iterations, ==, N_PARTS + 1);
  g_assert_cmpint (max_widgets_left, ==, 0);
  g_assert_cmpint (n_in_thread, ==, 1);
}

static gboolean
set_called (gpointer was_called)
{
  *(gboolean *) was_called = TRUE;
  return G_SOURCE_REMOVE;
}

/* Drawing takes precedence. */
static void
test_drawing_first (void)
{
  gboolean was_called = FALSE;

  tb_release_parts (make_parts (NULL), take_part);
  g_main_context_iteration (NULL, FALSE);
  g_idle_add_full (GDK_PRIORITY_REDRAW, set_called, &was_called, NULL);
  while (!was_called)
    {
      int before = n_widgets;

      g_main_context_iteration (NULL, FALSE);
      g_assert_true (!was_called || n_widgets == before);
    }
  g_assert_cmpint (n_widgets, >=, N_PARTS - 1);
  wait_gone ();
}

/* The program's end in the middle of the work, after which it can start again. */
static void
test_finish (void)
{
  for (guint round = 0; round < 3; round++)
    {
      GObject *data = g_object_new (DATA_TYPE, NULL);

      tb_release_data (make_set (g_object_ref (data)));
      tb_release_parts (make_parts (data), take_part);
      tb_release_object (data);
      tb_release_object (NULL);
      g_main_context_iteration (NULL, FALSE);
      tb_release_finish ();
      g_assert_true (tb_release_is_done ());
      g_assert_cmpint (n_widgets, ==, 0);
      g_assert_cmpint (n_data, ==, 0);
    }
  tb_release_finish ();
}

static gpointer
drop_here (gpointer data)
{
  tb_release_object (data);
  return GINT_TO_POINTER (g_atomic_int_get (&n_data));
}

/* In other threads an object is freed at once, as nothing waits for them. */
static void
test_other_thread (void)
{
  GThread *thread
      = g_thread_new ("test-deferred-release", drop_here, g_object_new (DATA_TYPE, NULL));

  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, 0);
  g_assert_true (tb_release_is_done ());
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/drop/order", test_order);
  g_test_add_func ("/drop/parts", test_parts);
  g_test_add_func ("/drop/drawing-first", test_drawing_first);
  g_test_add_func ("/drop/finish", test_finish);
  g_test_add_func ("/drop/other-thread", test_other_thread);
  status = g_test_run ();
  tb_release_finish ();
  return status;
}
