/* ui-test.c: windows, keys and mouse for tests of widgets
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "ui-test.h"

#include <gdk/x11/gdkx.h>

#define PATIENCE (10 * G_USEC_PER_SEC)

/* build-aux/test sets it for slow builds. */
gint64
ui_get_patience (gint64 usual)
{
  const char *factor = g_getenv ("TAILBACK_TEST_PATIENCE");

  return usual * (factor != NULL ? MAX (g_ascii_strtoll (factor, NULL, 10), 1) : 1);
}

void
ui_test_init (int *argc, char ***argv)
{
  gtk_test_init (argc, argv, NULL);
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_LIGHT);
}

void
ui_wait (UiCondition condition, gpointer data)
{
  gint64 end = g_get_monotonic_time () + ui_get_patience (PATIENCE);

  while (!condition (data))
    {
      if (g_get_monotonic_time () > end)
        g_error ("what the test waits for does not happen");
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
}

static void
on_after_paint (guint *frames)
{
  (*frames)++;
}

typedef struct
{
  GtkWidget *widget;
  guint frames;
  guint wanted;
} Frames;

static gboolean
has_enough_frames (gpointer data)
{
  Frames *frames = data;

  gtk_widget_queue_draw (frames->widget);
  return frames->frames >= frames->wanted;
}

void
ui_frames (GtkWidget *widget, guint n)
{
  Frames frames = { widget, 0, n };
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gulong handler = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (on_after_paint),
                                             &frames.frames);

  ui_wait (has_enough_frames, &frames);
  g_signal_handler_disconnect (clock, handler);
}

static gboolean
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

static gboolean
is_mapped (gpointer window)
{
  return gtk_widget_get_mapped (window) && gtk_widget_get_width (window) > 0;
}

char *
ui_window_id (GtkWidget *widget)
{
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (widget));

  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  return g_strdup_printf ("%lu", gdk_x11_surface_get_xid (surface));
  G_GNUC_END_IGNORE_DEPRECATIONS
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

static void
run (const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (words, G_SUBPROCESS_FLAGS_NONE, &error);
  gboolean done = FALSE;

  g_assert_no_error (error);
  g_subprocess_wait_check_async (process, NULL, on_done, &done);
  ui_wait (is_true, &done);
}

void
ui_input (const char *first, ...)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  const char *word;
  va_list more;

  g_ptr_array_add (words, (gpointer) "xdotool");
  va_start (more, first);
  for (word = first; word != NULL; word = va_arg (more, const char *))
    g_ptr_array_add (words, (gpointer) word);
  va_end (more);
  g_ptr_array_add (words, NULL);
  run ((const char *const *) words->pdata);
}

GtkWindow *
ui_window (GtkWidget *content, int width, int height)
{
  GtkWidget *window = adw_window_new ();
  g_autofree char *id = NULL;

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  adw_window_set_content (ADW_WINDOW (window), content);
  gtk_window_present (GTK_WINDOW (window));
  ui_wait (is_mapped, window);
  ui_frames (window, 2);
  id = ui_window_id (window);
  ui_input ("windowfocus", id, NULL);
  ui_wait (is_active, window);
  return GTK_WINDOW (window);
}

void
ui_close (GtkWindow *window)
{
  gtk_window_destroy (window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
ui_key (GtkWidget *widget, const char *key)
{
  ui_input ("key", key, NULL);
  ui_frames (widget, 2);
}

static void
to_screen (GtkWidget *widget, double x, double y, char **screen_x, char **screen_y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_point_t point;
  double shadow_x, shadow_y;

  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (native),
                                           &GRAPHENE_POINT_INIT ((float) x, (float) y), &point));
  gtk_native_get_surface_transform (native, &shadow_x, &shadow_y);
  *screen_x = g_strdup_printf ("%d", (int) (point.x + shadow_x));
  *screen_y = g_strdup_printf ("%d", (int) (point.y + shadow_y));
}

void
ui_point (GtkWidget *widget, double x, double y)
{
  g_autofree char *id = ui_window_id (widget);
  g_autofree char *screen_x = NULL;
  g_autofree char *screen_y = NULL;

  to_screen (widget, x, y, &screen_x, &screen_y);
  ui_input ("mousemove", "--window", id, screen_x, screen_y, NULL);
  ui_frames (widget, 2);
}

void
ui_click (GtkWidget *widget, double x, double y)
{
  ui_point (widget, x, y);
  ui_input ("click", "1", NULL);
  ui_frames (widget, 3);
}

void
ui_drag (GtkWidget *widget, double x0, double y0, double x1, double y1, const char *modifier)
{
  if (modifier != NULL)
    ui_input ("keydown", modifier, NULL);
  ui_point (widget, x0, y0);
  ui_input ("mousedown", "1", NULL);
  ui_frames (widget, 2);
  for (guint i = 1; i <= 4; i++)
    ui_point (widget, x0 + (x1 - x0) * i / 4, y0 + (y1 - y0) * i / 4);
  ui_input ("mouseup", "1", NULL);
  ui_frames (widget, 2);
  if (modifier != NULL)
    ui_input ("keyup", modifier, NULL);
}

GtkWidget *
ui_find (GtkWidget *widget, const char *type_name)
{
  if (g_strcmp0 (G_OBJECT_TYPE_NAME (widget), type_name) == 0
      && gtk_widget_get_child_visible (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = ui_find (child, type_name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

guint
ui_count (GtkWidget *widget, const char *type_name)
{
  guint n = g_strcmp0 (G_OBJECT_TYPE_NAME (widget), type_name) == 0
            && gtk_widget_get_child_visible (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += ui_count (child, type_name);
  return n;
}

gpointer
ui_find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller; /* the widget's */
    }
  return NULL;
}

void
ui_assert_description (GtkWidget *widget, const char *text)
{
  g_autofree char *actual
      = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                            GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);

  if (actual != NULL)
    g_error ("described as %s instead of \"%s\"", actual, text);
}

GdkTexture *
ui_texture (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_widget_queue_draw (widget);
  ui_frames (widget, 3);
  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
  node = gtk_snapshot_to_node (snapshot);
  g_assert_nonnull (node);
  return gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)),
                                      node,
                                      &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
}
