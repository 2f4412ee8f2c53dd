/* test-overview.c: widgets around the figures: overview, legend, colours, pictures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "sample-figures.h"
#include "session/schema/tb-schema.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define LENGTH (265 * SAMPLE_MS)

static void
assert_range (TbFocus *focus, double from, double to, double tolerance)
{
  gint64 range_from, range_to, view_from, view_to;

  g_assert_true (tb_focus_get_range (focus, &range_from, &range_to));
  g_assert_cmpfloat_with_epsilon ((double) (range_from - SAMPLE_START) / LENGTH, from, tolerance);
  g_assert_cmpfloat_with_epsilon ((double) (range_to - SAMPLE_START) / LENGTH, to, tolerance);
  /* The range chosen here becomes the visible range. */
  tb_focus_get_view (focus, &view_from, &view_to);
  g_assert_cmpint (view_from, ==, range_from);
  g_assert_cmpint (view_to, ==, range_to);
}

static void
test_strip (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + LENGTH);
  g_autoptr (TbTimelineFigure) figure = sample_timeline ();
  GtkWidget *strip = tb_overview_strip_new (focus);
  GtkWindow *window = ui_window (strip, 808, 60);
  double height = gtk_widget_get_height (strip) / 2,
         unit = (gtk_widget_get_width (strip) - 8) / 800.;
  gint64 from, to;

  tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), figure);
  gtk_test_accessible_assert_property (strip, GTK_ACCESSIBLE_PROPERTY_LABEL, "Whole recording");
  gtk_test_accessible_assert_property (strip, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "0\u00a0ns to 265.0\u00a0ms visible, nothing selected");
  ui_drag (strip, 4 + 200 * unit, height, 4 + 400 * unit, height, NULL);
  assert_range (focus, .25, .5, .01);
  /* With a handle, and with the middle. */
  ui_drag (strip, 4 + 400 * unit, height, 4 + 600 * unit, height, NULL);
  assert_range (focus, .25, .75, .01);
  ui_drag (strip, 4 + 500 * unit, height, 4 + 400 * unit, height, NULL);
  assert_range (focus, .125, .625, .01);
  ui_drag (strip, 4 + 300 * unit, height, 4 + 10 * unit, height, NULL);
  assert_range (focus, 0, .5, .01);

  gtk_widget_grab_focus (strip);
  tb_focus_select_range (focus, SAMPLE_START + 100 * SAMPLE_MS, SAMPLE_START + 200 * SAMPLE_MS);
  ui_key (strip, "Right");
  assert_range (focus, 105. / 265, 205. / 265, 1e-6);
  ui_key (strip, "shift+Left");
  assert_range (focus, 105. / 265, 200. / 265, 1e-6);
  gtk_test_accessible_assert_property (strip, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "105.00\u00a0ms to 200.00\u00a0ms selected");
  ui_key (strip, "Escape");
  g_assert_false (tb_focus_get_range (focus, NULL, NULL));
  tb_focus_get_view (focus, &from, &to);
  g_assert_cmpint (to - from, ==, LENGTH);
  ui_close (window);
}

/* The strip is removed while its activity is being counted. */
static void
test_strip_cancelled (void)
{
  TbFocus *focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 60000 * SAMPLE_MS);
  g_autoptr (TbTimelineFigure) figure = sample_timeline_random (100, 500000);

  for (guint i = 0; i < 5; i++)
    {
      GtkWidget *strip = g_object_ref_sink (tb_overview_strip_new (focus));

      tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), figure);
      tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), i % 2 ? NULL : figure);
      g_object_run_dispose (G_OBJECT (strip));
      g_object_unref (strip);
    }
  while (G_OBJECT (focus)->ref_count > 1)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (focus);
}

static void
test_legend (void)
{
  g_autoptr (TbTimelineFigure) timeline = sample_timeline ();
  g_autoptr (TbFlameFigure) flame = sample_flame ();
  GtkWidget *legend = g_object_ref_sink (tb_legend_new_for_timeline (timeline));
  GtkWidget *other = g_object_ref_sink (tb_figure_view_new_legend (TB_FIGURE (flame)));

  /* Only the states that occur, including one of 50 µs, and lost ranges. */
  g_assert_cmpuint (ui_count (legend, "TbSwatch"), ==, 6);
  g_assert_cmpuint (ui_count (other, "TbSwatch"), ==, 6);
  gtk_test_accessible_assert_role (legend, GTK_ACCESSIBLE_ROLE_LIST);
  gtk_test_accessible_assert_property (ui_find (legend, "GtkBox"), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       tb_paint_get_label (TB_PAINT_RUNNING));
  g_object_unref (legend);
  g_object_unref (other);
}

static double
luminance (const GdkRGBA *color)
{
  const float parts[] = { color->red, color->green, color->blue };
  const double weights[] = { .2126, .7152, .0722 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    sum += weights[i]
           * (parts[i] <= .04045f ? parts[i] / 12.92 : pow ((parts[i] + .055) / 1.055, 2.4));
  return sum;
}

static double
contrast (const GdkRGBA *a, const GdkRGBA *b)
{
  double x = luminance (a) + .05, y = luminance (b) + .05;

  return MAX (x, y) / MIN (x, y);
}

/* Contrast ratios of WCAG: 4.5 for text, 7 in high contrast; states against their background. */
static void
test_contrast (void)
{
  for (guint set = 0; set < TB_N_COLOR_PALETTES * TB_N_PALETTES; set++)
    {
      guint style = set % TB_N_PALETTES;
      gboolean high = style >= TB_PALETTE_LIGHT_CONTRAST;
      const TbPalette *palette;

      tb_palette_choose (set / TB_N_PALETTES);
      palette = tb_palette_get (style);

      g_assert_cmpfloat (contrast (&palette->text, &palette->surface), >=, 7);
      g_assert_cmpfloat (contrast (&palette->dim, &palette->surface), >=, high ? 7 : 4.5);
      g_assert_cmpfloat (contrast (&palette->select, &palette->surface), >=, 4.5);
      for (guint paint = 1; paint < TB_N_PAINTS; paint++)
        g_assert_cmpfloat (contrast (&palette->text_on_paint[paint], &palette->paint[paint]), >=,
                           paint == TB_PAINT_RUNNING && style == TB_PALETTE_LIGHT ? 3 : 4.5);
      for (guint paint = 0; paint < TB_N_FLAME_PAINTS; paint++)
        g_assert_cmpfloat (contrast (&palette->text_on_flame[paint], &palette->flame[paint]), >=,
                           4.5);
    }
  tb_palette_choose (TB_COLOR_PALETTE_OKABE_ITO);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (tb_widget_snapshot_to_png_finish (GTK_WIDGET (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
on_failed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (tb_widget_snapshot_to_png_finish (GTK_WIDGET (source), result, &error));
  g_assert_nonnull (error);
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

static void
test_picture (void)
{
  g_autofree char *folder = g_dir_make_tmp ("tailback-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.png", NULL);
  g_autofree char *missing_path = g_build_filename (folder, "no", "a.png", NULL);
  g_autoptr (TbTimelineFigure) figure = sample_timeline ();
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + LENGTH);
  GtkWidget *view = tb_timeline_view_new (figure, focus);
  GtkWindow *window = ui_window (view, 640, 480);
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  tb_widget_snapshot_to_png (view, path, NULL, on_written, &done);
  ui_wait (is_true, &done);
  texture = gdk_texture_new_from_filename (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, gtk_widget_get_width (view));
  done = FALSE;
  tb_widget_snapshot_to_png (view, missing_path, NULL, on_failed, &done);
  ui_wait (is_true, &done);
  done = FALSE;
  tb_widget_snapshot_to_png (view, path, NULL, on_failed, &done);
  g_object_ref (view);
  ui_close (window);
  ui_wait (is_true, &done);
  g_assert_false (tb_widget_snapshot_to_png_now (view, path, &error));
  g_assert_nonnull (error);
  g_object_unref (view);
  g_unlink (path);
  g_rmdir (folder);
}

/* A figure kind without a view of its own is shown as text. */
static void
test_figure_view (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + LENGTH);
  g_autoptr (TbTimelineFigure) timeline = sample_timeline ();
  g_autoptr (TbFlameFigure) flame = sample_flame ();
  g_autoptr (TbTableFigure) table = sample_table ();
  TbFigure *figures[] = { TB_FIGURE (timeline), TB_FIGURE (flame), TB_FIGURE (table) };
  GType types[] = { TB_TYPE_TIMELINE_VIEW, TB_TYPE_FLAME_VIEW, TB_TYPE_TABLE_VIEW };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      GtkWidget *view = g_object_ref_sink (tb_figure_view_new (figures[i], focus));

      g_assert_true (G_OBJECT_TYPE (view) == types[i]);
      g_assert_true (tb_figure_view_can_search (view));
      g_assert_nonnull (tb_figure_view_get_search_hint (view));
      tb_figure_view_set_search (view, "curl");
      g_assert_finalize_object (view);
    }
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/overview/strip", test_strip);
  g_test_add_func ("/overview/strip-cancelled", test_strip_cancelled);
  g_test_add_func ("/overview/legend", test_legend);
  g_test_add_func ("/overview/contrast", test_contrast);
  g_test_add_func ("/overview/picture", test_picture);
  g_test_add_func ("/overview/figure-view", test_figure_view);
  return g_test_run ();
}
