/* gallery.c: pictures of every widget in every style and size, for visual inspection
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: gallery FOLDER [NAME…]
 *
 * Draws the widgets in the default and the dark style, mirrored, with large text and narrow (600
 * and 360 pixels); with ADW_DEBUG_HIGH_CONTRAST=1, in high contrast. See the script “pictures”.
 */

#include "config.h"

#include <adwaita.h>

#include "layers/tb-graph-engine.h"
#include "sample-figures.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  const char *name;
  int width;
  int height;
  GtkWidget *(*make) (TbFocus *focus);
  void (*prepare) (GtkWidget *view, TbFocus *focus);
  gboolean dark;
  gboolean mirrored;
  gboolean contrast;
  guint percent; /* of the default text size; 0: default */
} Picture;

static GtkWidget *
framed (GtkWidget *view, GtkWidget *above)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 10);
  gtk_widget_set_margin_bottom (box, 10);
  if (above != NULL)
    gtk_box_append (GTK_BOX (box), above);
  gtk_widget_add_css_class (view, "tb-figure");
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (box), view);
  g_object_set_data (G_OBJECT (box), "view", view);
  return box;
}

static GtkWidget *
framed_figure (TbFigure *figure, TbFocus *focus)
{
  GtkWidget *box = framed (tb_figure_view_new (figure, focus), tb_figure_view_new_legend (figure));

  g_object_unref (figure);
  return box;
}

static GtkWidget *
make_page (TbFocus *focus)
{
  TbTimelineFigure *figure = sample_timeline ();
  GtkWidget *strip = tb_overview_strip_new (focus);
  GtkWidget *box;

  tb_overview_strip_set_figure (TB_OVERVIEW_STRIP (strip), figure);
  box = framed_figure (TB_FIGURE (figure), focus);
  gtk_box_prepend (GTK_BOX (box), strip);
  return box;
}

static GtkWidget *
make_timeline (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_timeline ()), focus);
}

static GtkWidget *
make_long_names (TbFocus *focus)
{
  tb_focus_set_extent (focus, SAMPLE_START, SAMPLE_START + 100 * SAMPLE_MS);
  return framed_figure (TB_FIGURE (sample_timeline_long_names ()), focus);
}

static GtkWidget *
make_many (TbFocus *focus)
{
  tb_focus_set_extent (focus, SAMPLE_START, SAMPLE_START + 60000 * SAMPLE_MS);
  return framed_figure (TB_FIGURE (sample_timeline_random (10000, 2000000)), focus);
}

static GtkWidget *
make_dense (TbFocus *focus)
{
  tb_focus_set_extent (focus, SAMPLE_START, SAMPLE_START + 60000 * SAMPLE_MS);
  return framed_figure (TB_FIGURE (sample_timeline_random (60, 3000000)), focus);
}

static GtkWidget *
make_estimated (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_timeline_estimated ()), focus);
}

static GtkWidget *
make_empty_timeline (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_timeline_empty ()), focus);
}

static GtkWidget *
make_flame (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_flame ()), focus);
}

static GtkWidget *
make_big_flame (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_flame_random (20000)), focus);
}

static GtkWidget *
make_empty_flame (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_flame_empty ()), focus);
}

static GtkWidget *
make_compared_flame (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_flame_differences ()), focus);
}

static GtkWidget *
make_paths (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_paths ()), focus);
}

static GtkWidget *
make_dense_paths (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_paths_random (20000)), focus);
}

static GtkWidget *
make_consolidated (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_paths_consolidated ()), focus);
}

static GtkWidget *
make_explanation (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_explanation ()), focus);
}

static GtkWidget *
make_table (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_table ()), focus);
}

static GtkWidget *
make_empty_table (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_table_empty ()), focus);
}

static GtkWidget *
make_histogram (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_histogram ()), focus);
}

static GtkWidget *
make_uncertain_histogram (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_histogram_uncertain ()), focus);
}

static GtkWidget *
make_two_histograms (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_histogram_two ()), focus);
}

static GtkWidget *
make_many_bins (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_histogram_random (1000000)), focus);
}

static GtkWidget *
make_empty_histogram (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_histogram_empty ()), focus);
}

static GtkWidget *
make_heatmap (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_heatmap ()), focus);
}

static GtkWidget *
make_differences (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_heatmap_differences ()), focus);
}

static GtkWidget *
make_many_cells (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_heatmap_random (2000, 2000)), focus);
}

static GtkWidget *
make_empty_heatmap (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_heatmap_empty ()), focus);
}

static GtkWidget *
make_graph (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph ()), focus);
}

static GtkWidget *
make_long_graph (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph_long_names ()), focus);
}

static GtkWidget *
make_empty_graph (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph_empty ()), focus);
}

static GtkWidget *
make_one_vertex (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph_one (FALSE)), focus);
}

static GtkWidget *
make_loop (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph_one (TRUE)), focus);
}

static GtkWidget *
make_graph_of_200 (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph_random (200, 320)), focus);
}

static GtkWidget *
make_huge_graph (TbFocus *focus)
{
  return framed_figure (TB_FIGURE (sample_graph_random (10000, 100000)), focus);
}

static void
select_wait (GtkWidget *view, TbFocus *focus)
{
  tb_timeline_view_select (TB_TIMELINE_VIEW (view), 0, 3);
  tb_focus_set_pointer (focus, SAMPLE_START + 160200000);
}

static void
select_range (GtkWidget *view, TbFocus *focus)
{
  select_wait (view, focus);
  tb_focus_select_range (focus, SAMPLE_START + 90 * SAMPLE_MS, SAMPLE_START + 200 * SAMPLE_MS);
  tb_focus_set_view (focus, SAMPLE_START + 60 * SAMPLE_MS, SAMPLE_START + 250 * SAMPLE_MS);
}

static void
search_auth (GtkWidget *view, TbFocus *focus)
{
  tb_figure_view_set_search (view, "process:dovecot longer:9700us");
}

static void
search_nothing (GtkWidget *view, TbFocus *focus)
{
  tb_figure_view_set_search (view, "no such thing");
}

static void
zoom_in (GtkWidget *view, TbFocus *focus)
{
  tb_focus_set_view (focus, SAMPLE_START + 20000 * SAMPLE_MS, SAMPLE_START + 20020 * SAMPLE_MS);
}

static void
select_flame (GtkWidget *view, TbFocus *focus)
{
  tb_flame_view_select (TB_FLAME_VIEW (view), 8);
}

static void
zoom_flame (GtkWidget *view, TbFocus *focus)
{
  tb_flame_view_zoom_to (TB_FLAME_VIEW (view), 6);
}

static void
search_flame (GtkWidget *view, TbFocus *focus)
{
  tb_figure_view_set_search (view, "poll");
}

static void
invert (GtkWidget *view, TbFocus *focus)
{
  g_object_set (view, "inverted", TRUE, NULL);
}

static void
order_by_name (GtkWidget *view, TbFocus *focus)
{
  g_object_set (view, "by-name", TRUE, NULL);
}

static void
merge (GtkWidget *view, TbFocus *focus)
{
  g_object_set (view, "merged", TRUE, NULL);
}

static void
sandwich (GtkWidget *view, TbFocus *focus)
{
  tb_flame_view_show_function (TB_FLAME_VIEW (view), "memcmp", NULL, TRUE);
}

static void
simplify (GtkWidget *view, TbFocus *focus)
{
  tb_flame_view_hide_module (TB_FLAME_VIEW (view), "libc.so.6");
  g_object_set (view, "collapse-recursion", TRUE, NULL);
}

static void
swap (GtkWidget *view, TbFocus *focus)
{
  g_object_set (view, "swapped", TRUE, NULL);
}

static void
icicle (GtkWidget *view, TbFocus *focus)
{
  tb_flame_view_set_icicle (TB_FLAME_VIEW (view), TRUE);
}

static void
select_disk (GtkWidget *view, TbFocus *focus)
{
  TbFlameFigure *figure = TB_FLAME_FIGURE (tb_figure_view_get_figure (TB_FIGURE_VIEW (view)));

  for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
    if (g_str_equal (tb_flame_figure_get_node (figure, node)->name, "fsync"))
      tb_flame_view_select (TB_FLAME_VIEW (view), node);
  tb_focus_set_pointer (focus, SAMPLE_START + 160200000);
}

static void
zoom_disk (GtkWidget *view, TbFocus *focus)
{
  select_disk (view, focus);
  tb_focus_set_view (tb_flame_view_get_lens (TB_FLAME_VIEW (view)), SAMPLE_START + 110 * SAMPLE_MS,
                     SAMPLE_START + 160 * SAMPLE_MS);
}

static void
search_disk (GtkWidget *view, TbFocus *focus)
{
  tb_figure_view_set_search (view, "/var/log");
}

static void
zoom_runs (GtkWidget *view, TbFocus *focus)
{
  tb_focus_set_view (tb_flame_view_get_lens (TB_FLAME_VIEW (view)), SAMPLE_START + 100 * SAMPLE_MS,
                     SAMPLE_START + 101 * SAMPLE_MS);
}

static void
select_category (GtkWidget *view, TbFocus *focus)
{
  tb_focus_select_item (focus, "explanation", "blocking_io", G_MAXUINT32, -1, -1, NULL);
}

static void
select_thread (GtkWidget *view, TbFocus *focus)
{
  tb_focus_select_thread (focus, 13);
}

static void
select_peak (GtkWidget *view, TbFocus *focus)
{
  tb_focus_select_item (focus, "latency", "3", G_MAXUINT32, -1, -1, NULL);
}

static void
show_percentiles (GtkWidget *view, TbFocus *focus)
{
  tb_histogram_view_set_percentiles (TB_HISTOGRAM_VIEW (view), TRUE);
  tb_histogram_view_select (TB_HISTOGRAM_VIEW (view), 9, 12);
}

static void
show_linear (GtkWidget *view, TbFocus *focus)
{
  tb_histogram_view_set_logarithmic (TB_HISTOGRAM_VIEW (view), FALSE, FALSE);
}

static void
select_cell (GtkWidget *view, TbFocus *focus)
{
  tb_heatmap_view_select (TB_HEATMAP_VIEW (view), 21, 22, 23);
  tb_focus_set_pointer (focus, SAMPLE_START + 160200000);
}

static void
select_difference (GtkWidget *view, TbFocus *focus)
{
  tb_focus_select_item (focus, "heat", "path2/3", G_MAXUINT32, -1, -1, NULL);
}

static void
select_edge (GtkWidget *view, TbFocus *focus)
{
  tb_focus_select_item (focus, "graph", "5>6", G_MAXUINT32, -1, -1, NULL);
}

static void
select_vertex (GtkWidget *view, TbFocus *focus)
{
  tb_focus_select_item (focus, "graph", "v1", G_MAXUINT32, -1, -1, NULL);
}

static void
collapse (GtkWidget *view, TbFocus *focus)
{
  tb_graph_view_set_collapsed (TB_GRAPH_VIEW (view), 0, TRUE);
}

static void
search_graph (GtkWidget *view, TbFocus *focus)
{
  tb_figure_view_set_search (view, "sync");
}

static void
show_all (GtkWidget *view, TbFocus *focus)
{
  while (tb_graph_view_is_busy (TB_GRAPH_VIEW (view))
         || tb_graph_view_get_n_drawn (TB_GRAPH_VIEW (view), TRUE) == 0)
    g_main_context_iteration (NULL, TRUE);
  tb_graph_view_fit (TB_GRAPH_VIEW (view));
}

static const Picture pictures[] = {
  { "timeline", 900, 720, make_page, select_wait },
  { "timeline-dark", 900, 720, make_page, select_wait, .dark = TRUE },
  { "timeline-range", 900, 720, make_page, select_range },
  { "timeline-search", 900, 420, make_timeline, search_auth },
  { "timeline-not-found", 900, 420, make_timeline, search_nothing },
  { "timeline-narrow", 380, 600, make_page, select_wait },
  { "timeline-mirrored", 900, 620, make_page, select_wait, .mirrored = TRUE },
  { "timeline-long-names", 900, 330, make_long_names },
  { "timeline-estimated", 900, 330, make_estimated },
  { "timeline-estimated-dark", 900, 330, make_estimated, .dark = TRUE },
  { "timeline-many", 1100, 700, make_many },
  { "timeline-dense", 1100, 700, make_dense },
  { "timeline-dense-dark", 1100, 700, make_dense, .dark = TRUE },
  { "timeline-dense-zoomed", 1100, 700, make_dense, zoom_in },
  { "timeline-empty", 900, 420, make_empty_timeline },
  { "flame", 900, 420, make_flame, select_flame },
  { "flame-dark", 900, 420, make_flame, select_flame, .dark = TRUE },
  { "flame-zoomed", 900, 420, make_flame, zoom_flame },
  { "flame-search", 900, 420, make_flame, search_flame },
  { "flame-icicle", 900, 420, make_flame, icicle },
  { "flame-narrow", 360, 420, make_flame, select_flame },
  { "flame-big", 1100, 700, make_big_flame },
  { "flame-inverted", 900, 420, make_flame, invert },
  { "flame-by-name", 900, 420, make_flame, order_by_name },
  { "flame-compared", 900, 420, make_compared_flame },
  { "flame-compared-dark", 900, 420, make_compared_flame, .dark = TRUE },
  { "flame-compared-before", 900, 420, make_compared_flame, swap },
  { "flame-sandwich", 900, 420, make_compared_flame, sandwich },
  { "flame-simplified", 900, 420, make_compared_flame, simplify },
  { "flame-empty", 900, 420, make_empty_flame },
  { "paths", 1000, 560, make_paths, select_disk },
  { "paths-dark", 1000, 560, make_paths, select_disk, .dark = TRUE },
  { "paths-low", 1000, 300, make_paths, NULL },
  { "paths-narrow", 380, 560, make_paths, select_disk },
  { "paths-zoomed", 1000, 560, make_paths, zoom_disk },
  { "paths-merged", 1000, 560, make_paths, merge },
  { "paths-search", 1000, 560, make_paths, search_disk },
  { "paths-mirrored", 1000, 560, make_paths, select_disk, .mirrored = TRUE },
  { "paths-dense", 1000, 400, make_dense_paths },
  { "paths-dense-zoomed", 1000, 400, make_dense_paths, zoom_runs },
  { "consolidated", 1000, 420, make_consolidated, select_disk },
  { "consolidated-dark", 1000, 420, make_consolidated, select_disk, .dark = TRUE },
  { "explanation", 800, 620, make_explanation, select_category },
  { "explanation-dark", 800, 620, make_explanation, select_category, .dark = TRUE },
  { "explanation-narrow", 360, 620, make_explanation, select_category },
  { "graph", 900, 600, make_graph, select_edge },
  { "graph-dark", 900, 600, make_graph, select_edge, .dark = TRUE },
  { "graph-vertex", 900, 600, make_graph, select_vertex },
  { "graph-narrow", 400, 700, make_graph, select_edge },
  { "graph-mirrored", 900, 600, make_graph, select_edge, .mirrored = TRUE },
  { "graph-collapsed", 900, 600, make_graph, collapse },
  { "graph-search", 900, 600, make_graph, search_graph },
  { "graph-long-names", 900, 500, make_long_graph },
  { "graph-empty", 900, 420, make_empty_graph },
  { "graph-one", 900, 420, make_one_vertex },
  { "graph-loop", 900, 420, make_loop },
  { "graph-200", 1100, 760, make_graph_of_200 },
  { "graph-200-all", 1100, 760, make_graph_of_200, show_all },
  { "graph-huge", 1100, 760, make_huge_graph },
  { "graph-huge-all", 1100, 760, make_huge_graph, show_all },
  { "histogram", 900, 420, make_histogram, select_peak },
  { "histogram-dark", 900, 420, make_histogram, select_peak, .dark = TRUE },
  { "histogram-mirrored", 900, 420, make_histogram, select_peak, .mirrored = TRUE },
  { "histogram-narrow", 360, 420, make_histogram, select_peak },
  { "histogram-percentiles", 900, 420, make_histogram, show_percentiles },
  { "histogram-linear", 900, 420, make_histogram, show_linear },
  { "histogram-uncertain", 900, 420, make_uncertain_histogram },
  { "histogram-uncertain-dark", 900, 420, make_uncertain_histogram, .dark = TRUE },
  { "histogram-uncertain-narrow", 360, 420, make_uncertain_histogram },
  { "histogram-two", 900, 420, make_two_histograms },
  { "histogram-two-dark", 900, 420, make_two_histograms, .dark = TRUE },
  { "histogram-many", 900, 420, make_many_bins },
  { "histogram-empty", 900, 420, make_empty_histogram },
  { "heatmap", 900, 560, make_heatmap, select_cell },
  { "heatmap-dark", 900, 560, make_heatmap, select_cell, .dark = TRUE },
  { "heatmap-mirrored", 900, 560, make_heatmap, select_cell, .mirrored = TRUE },
  { "heatmap-narrow", 360, 420, make_heatmap, select_cell },
  { "heatmap-differences", 900, 320, make_differences, select_difference },
  { "heatmap-differences-dark", 900, 320, make_differences, select_difference, .dark = TRUE },
  { "heatmap-many", 900, 560, make_many_cells },
  { "heatmap-empty", 900, 420, make_empty_heatmap },
  { "table", 900, 420, make_table, select_thread },
  { "table-dark", 900, 420, make_table, select_thread, .dark = TRUE },
  { "table-narrow", 420, 420, make_table },
  { "table-empty", 900, 420, make_empty_table },
};

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!tb_widget_snapshot_to_png_finish (GTK_WIDGET (source), result, &error))
    g_printerr ("%s\n", error->message);
  *(gboolean *) data = TRUE;
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
draw (const Picture *picture, const char *folder)
{
  g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  g_autofree char *file = g_strconcat (picture->name, ".png", NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  GtkWidget *window = adw_window_new (), *content;
  gboolean done = FALSE, settled = FALSE;

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      picture->dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                    : ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                96 * 1024 * (picture->percent > 0 ? (int) picture->percent : 100) / 100, NULL);
  gtk_widget_set_default_direction (picture->mirrored ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  gtk_window_set_default_size (GTK_WINDOW (window), picture->width, picture->height);
  content = picture->make (focus);
  adw_window_set_content (ADW_WINDOW (window), content);
  gtk_window_present (GTK_WINDOW (window));
  if (picture->prepare != NULL)
    picture->prepare (g_object_get_data (G_OBJECT (content), "view"), focus);
  /* Waits for results of threads and for fading styles. */
  g_timeout_add (400, set_true, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);
  tb_widget_snapshot_to_png (window, path, NULL, on_written, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
draw_variant (const Picture *picture, const char *name, const char *folder)
{
  g_autofree char *full = g_strdup_printf ("%s-%s", picture->name, name);
  Picture variant = *picture;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    if (g_str_equal (pictures[i].name, full))
      return; /* the name already has a variant */
  variant.name = full;
  variant.dark = strstr (name, "dark") != NULL;
  variant.contrast = strstr (name, "contrast") != NULL;
  variant.mirrored = g_str_equal (name, "mirrored");
  variant.percent = g_str_equal (name, "large") ? 150 : 0;
  if (g_str_equal (name, "narrow"))
    variant.width = 600;
  if (g_str_equal (name, "phone"))
    variant.width = 360;
  draw (&variant, folder);
}

/* Draws a figure in every variant. High contrast applies to the whole program. */
static void
draw_all (const Picture *picture, const char *folder, gboolean contrast)
{
  static const char *const usual[] = { "dark", "mirrored", "large", "narrow", "phone" };

  if (contrast)
    {
      draw_variant (picture, "contrast", folder);
      draw_variant (picture, "contrast-dark", folder);
      return;
    }
  draw (picture, folder);
  for (guint i = 0; strchr (picture->name, '-') == NULL && i < G_N_ELEMENTS (usual); i++)
    draw_variant (picture, usual[i], folder);
}

int
main (int argc, char **argv)
{
  const char *const *names = (const char *const *) argv + MIN (argc, 2);
  gboolean contrast = g_strcmp0 (g_getenv ("ADW_DEBUG_HIGH_CONTRAST"), "1") == 0;

  if (argc < 2)
    {
      g_printerr ("usage: %s FOLDER [NAME…]\n", argv[0]);
      return 2;
    }
  g_mkdir_with_parents (argv[1], 0777);
  adw_init ();
  tb_graph_engine_install ();
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    if ((names[0] == NULL || g_strv_contains (names, pictures[i].name))
        && (!contrast || strchr (pictures[i].name, '-') == NULL))
      draw_all (&pictures[i], argv[1], contrast);
  return 0;
}
