/* test-widget-snapshot.c: pictures of widgets that are redrawn meanwhile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "redraws.h"
#include "timeline-fixture.h"
#include "widgets/tb-widget-snapshot.h"

#define LENGTH_MS 10
/* Without frames the snapshot needs ten seconds to detect it. */
#define PATIENCE (40 * G_USEC_PER_SEC)

static char *path;

typedef struct
{
  gboolean done;
  GError *error;
} Outcome;

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;
  gboolean written
      = tb_widget_snapshot_to_png_finish (GTK_WIDGET (source), result, &outcome->error);

  g_assert_cmpint (written, ==, outcome->error == NULL);
  outcome->done = TRUE;
}

static void
await (Outcome *outcome)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (!outcome->done)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
}

static GdkTexture *
take_picture (GtkWidget *widget)
{
  g_autoptr (GError) error = NULL;
  Outcome outcome = { 0 };
  GdkTexture *texture;

  tb_widget_snapshot_to_png (widget, path, NULL, on_done, &outcome);
  await (&outcome);
  g_assert_no_error (outcome.error);
  texture = gdk_texture_new_from_filename (path, &error);
  g_assert_no_error (error);
  g_assert_no_errno (g_unlink (path));
  return texture;
}

static guint8 *
get_pixels (GdkTexture *texture, gsize *size)
{
  gsize stride = 4 * (gsize) gdk_texture_get_width (texture);
  guint8 *pixels;

  *size = stride * (gsize) gdk_texture_get_height (texture);
  pixels = g_malloc (*size);
  gdk_texture_download (texture, pixels, stride);
  return pixels;
}

static void
assert_same_picture (GdkTexture *a, GdkTexture *b)
{
  gsize size_a, size_b;
  g_autofree guint8 *pixels_a = get_pixels (a, &size_a);
  g_autofree guint8 *pixels_b = get_pixels (b, &size_b);

  g_assert_cmpmem (pixels_a, size_a, pixels_b, size_b);
}

/* The window too: it draws around its content. */
static void
take_redrawn (GtkWidget *widget, Fixture *fixture, const char *kind)
{
  g_autoptr (GdkTexture) before = take_picture (widget);

  redraw_often (fixture->view, kind);
  redraw_often (GTK_WIDGET (fixture->window), kind);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GdkTexture) redrawn = take_picture (widget);

      assert_same_picture (before, redrawn);
    }
}

static void
test_redrawn (gconstpointer kind)
{
  for (guint of_window = 0; of_window < 2; of_window++)
    {
      Fixture fixture;

      fixture_init (&fixture, sample_timeline (), LENGTH_MS);
      take_redrawn (of_window ? GTK_WIDGET (fixture.window) : fixture.view, &fixture, kind);
      fixture_clear (&fixture);
    }
}

/* A handler that is called after the snapshot's. */
static void
test_redrawn_later (void)
{
  Fixture fixture;
  Outcome outcome = { 0 };
  g_autoptr (GdkTexture) before = NULL;
  g_autoptr (GdkTexture) redrawn = NULL;

  fixture_init (&fixture, sample_timeline (), LENGTH_MS);
  before = take_picture (fixture.view);
  tb_widget_snapshot_to_png (fixture.view, path, NULL, on_done, &outcome);
  redraw_often (fixture.view, "all");
  await (&outcome);
  g_assert_no_error (outcome.error);
  redrawn = gdk_texture_new_from_filename (path, NULL);
  assert_same_picture (before, redrawn);
  g_unlink (path);
  fixture_clear (&fixture);
}

/* Content that changes in each frame appears as drawn in one of the frames of the snapshot, not as
 * long before. */
static void
draw_step (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  guint *step = data;

  (*step)++;
  cairo_set_source_rgb (cairo, 1, *step % 256 / 255.0, 0);
  cairo_paint (cairo);
}

static void
test_changing (void)
{
  GtkWidget *area = gtk_drawing_area_new ();
  GtkWindow *window;
  guint step = 0;

  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_step, &step, NULL);
  window = ui_window (area, 200, 100);
  redraw_often (area, "all");
  for (guint i = 0; i < 5; i++)
    {
      guint first = step;
      g_autoptr (GdkTexture) texture = take_picture (area);
      gsize size;
      g_autofree guint8 *pixels = get_pixels (texture, &size);
      guint drawn = (guint) (guint8) (pixels[1] - first % 256);

      g_assert_cmpint (step - first, <, 200);
      g_assert_cmpint (pixels[2], ==, 255);
      /* not before the third frame is drawn */
      g_assert_cmpint (drawn, >=, 3);
      g_assert_cmpint (drawn, <=, step - first);
    }
  ui_close (window);
}

static void
test_nothing_drawn (void)
{
  GtkWidget *area = gtk_drawing_area_new ();
  GtkWindow *window = ui_window (area, 200, 100);
  Outcome outcome = { 0 };

  tb_widget_snapshot_to_png (area, path, NULL, on_done, &outcome);
  await (&outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_nonnull (strstr (outcome.error->message, "draws nothing"));
  g_clear_error (&outcome.error);
  ui_close (window);
}

/* Draws only after some frames. */
static void
draw_late (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  cairo_set_source_rgb (cairo, 0, 0, 1);
  cairo_paint (cairo);
}

static gboolean
begin_to_draw (GtkWidget *area, GdkFrameClock *clock, gpointer data)
{
  guint *frames = data;

  if (++*frames < 20)
    return G_SOURCE_CONTINUE;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_late, NULL, NULL);
  return G_SOURCE_REMOVE;
}

static void
test_drawn_late (void)
{
  GtkWidget *area = gtk_drawing_area_new ();
  GtkWindow *window = ui_window (area, 200, 100);
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree guint8 *pixels = NULL;
  guint frames = 0;
  gsize size;

  gtk_widget_add_tick_callback (area, begin_to_draw, &frames, NULL);
  texture = take_picture (area);
  pixels = get_pixels (texture, &size);
  g_assert_cmpint (pixels[0], ==, 255);
  g_assert_cmpint (frames, ==, 20);
  ui_close (window);
}

static void
test_hidden (void)
{
  Fixture fixture;
  Outcome outcome = { 0 };

  fixture_init (&fixture, sample_timeline (), LENGTH_MS);
  gtk_widget_set_visible (GTK_WIDGET (fixture.window), FALSE);
  g_assert_true (gtk_widget_get_realized (fixture.view));
  tb_widget_snapshot_to_png (fixture.view, path, NULL, on_done, &outcome);
  await (&outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED);
  g_clear_error (&outcome.error);
  fixture_clear (&fixture);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Fixture fixture;
  Outcome outcome = { 0 };

  fixture_init (&fixture, sample_timeline (), LENGTH_MS);
  tb_widget_snapshot_to_png (fixture.view, path, cancellable, on_done, &outcome);
  g_cancellable_cancel (cancellable);
  await (&outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&outcome.error);
  fixture_clear (&fixture);
}

static void
test_unrealized (void)
{
  GtkWidget *area = g_object_ref_sink (gtk_drawing_area_new ());
  GtkWindow *window = ui_window (area, 200, 100);
  Outcome outcome = { 0 };

  tb_widget_snapshot_to_png (area, path, NULL, on_done, &outcome);
  ui_close (window);
  await (&outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED);
  g_clear_error (&outcome.error);
  g_assert_finalize_object (area);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-snapshot-XXXXXX", NULL);
  int status;

  path = g_build_filename (folder, "picture.png", NULL);
  ui_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (redraw_kinds); i++)
    {
      g_autofree char *name = g_strconcat ("/widget-snapshot/redrawn/", redraw_kinds[i], NULL);

      g_test_add_data_func (name, redraw_kinds[i], test_redrawn);
    }
  g_test_add_data_func ("/widget-snapshot/redrawn/all", "all", test_redrawn);
  g_test_add_func ("/widget-snapshot/redrawn-later", test_redrawn_later);
  g_test_add_func ("/widget-snapshot/changing", test_changing);
  g_test_add_func ("/widget-snapshot/nothing-drawn", test_nothing_drawn);
  g_test_add_func ("/widget-snapshot/drawn-late", test_drawn_late);
  g_test_add_func ("/widget-snapshot/hidden", test_hidden);
  g_test_add_func ("/widget-snapshot/cancelled", test_cancelled);
  g_test_add_func ("/widget-snapshot/unrealized", test_unrealized);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (path);
  return status;
}
