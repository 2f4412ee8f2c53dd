/* test-accessible.c: drawn items of figures, walked and hit as by assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "sample-figures.h"
#include "session/schema/tb-schema.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

typedef struct
{
  TbFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkWidget *canvas;
  GtkWindow *window;
} Fixture;

static void
fixture_init (Fixture *fixture, gpointer figure, const char *canvas)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  fixture->view = tb_figure_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, 900, 500);
  fixture->canvas = ui_find (fixture->view, canvas);
  g_assert_nonnull (fixture->canvas);
}

static void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_assert_finalize_object (fixture->figure);
}

/* An accessible item found by the walk. */
typedef struct
{
  GtkAccessible *accessible; /* owned */
  GtkAccessible *parent;     /* the item below which it was found */
  GtkAccessibleRole role;
  char *name;
  int depth;
  GdkRectangle bounds; /* in the canvas */
} FoundItem;

static void
found_item_clear (gpointer data)
{
  FoundItem *item = data;

  g_object_unref (item->accessible);
  g_free (item->name);
}

/* A property can only be read by a check with a wrong value, whose message contains the real
 * one. */
static char *
read_property (GtkAccessible *accessible, GtkAccessibleProperty property)
{
  return gtk_test_accessible_check_property (accessible, property, "\001");
}

static void
walk (GtkAccessible *parent, int x, int y, int depth, GArray *all)
{
  g_autoptr (GtkAccessible) child = gtk_accessible_get_first_accessible_child (parent);

  while (child != NULL)
    {
      FoundItem item = { .accessible = g_object_ref (child), .parent = parent, .depth = depth };
      GtkAccessible *next = gtk_accessible_get_next_accessible_sibling (child);
      g_autoptr (GtkAccessible) reported_parent = gtk_accessible_get_accessible_parent (child);

      g_assert_true (reported_parent == parent);
      item.role = gtk_accessible_get_accessible_role (child);
      item.name = read_property (child, GTK_ACCESSIBLE_PROPERTY_LABEL);
      g_assert_nonnull (item.name);
      g_assert_cmpstr (item.name, !=, "");
      g_assert_true (gtk_accessible_get_bounds (child, &item.bounds.x, &item.bounds.y,
                                                &item.bounds.width, &item.bounds.height));
      item.bounds.x += x;
      item.bounds.y += y;
      g_array_append_val (all, item);
      walk (child, item.bounds.x, item.bounds.y, depth + 1, all);
      g_object_unref (child);
      child = next;
    }
}

static GArray *
walk_all (GtkWidget *widget)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (FoundItem));

  g_array_set_clear_func (all, found_item_clear);
  walk (GTK_ACCESSIBLE (widget), 0, 0, 1, all);
  return all;
}

static const FoundItem *
get (GArray *all, guint i)
{
  return &g_array_index (all, FoundItem, i);
}

static GtkAccessible *
find (GArray *all, const char *part)
{
  for (guint i = 0; i < all->len; i++)
    if (strstr (get (all, i)->name, part) != NULL)
      return get (all, i)->accessible;
  g_error ("nothing is called %s", part);
}

static guint
count_role (GArray *all, GtkAccessibleRole role)
{
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    n += get (all, i)->role == role;
  return n;
}

/* Drawn items are inside the widget that draws them. */
static void
assert_inside (GArray *all, GtkWidget *widget)
{
  for (guint i = 0; i < all->len; i++)
    {
      const GdkRectangle *bounds = &get (all, i)->bounds;

      g_assert_cmpint (bounds->x, >=, 0);
      g_assert_cmpint (bounds->y, >=, 0);
      g_assert_cmpint (bounds->width, >, 0);
      g_assert_cmpint (bounds->height, >, 0);
      g_assert_cmpint (bounds->x + bounds->width, <=, gtk_widget_get_width (widget) + 1);
      g_assert_cmpint (bounds->y + bounds->height, <=, gtk_widget_get_height (widget) + 1);
    }
}

static void
assert_selected (GArray *all, GtkAccessible *selected)
{
  for (guint i = 0; i < all->len; i++)
    gtk_test_accessible_assert_state (get (all, i)->accessible, GTK_ACCESSIBLE_STATE_SELECTED,
                                      get (all, i)->accessible == selected);
}

/* Each box stands on the box of its caller, and is found by the mouse at its place. */
static void
test_flame (void)
{
  Fixture fixture;
  TbFlameFigure *figure = sample_flame ();
  g_autoptr (GArray) all = NULL;
  guint n_single = 0;

  fixture_init (&fixture, figure, "TbFlameCanvas");
  all = walk_all (fixture.canvas);
  g_assert_cmpuint (all->len, >, 10);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_TREE_ITEM), ==, all->len);
  assert_inside (all, fixture.canvas);
  for (guint i = 0; i < all->len; i++)
    {
      const FoundItem *item = get (all, i);
      graphene_point_t middle
          = GRAPHENE_POINT_INIT ((float) item->bounds.x + (float) item->bounds.width / 2,
                                 (float) item->bounds.y + (float) item->bounds.height / 2);
      const TbFlameNode *info;
      guint node;

      g_assert_true (gtk_widget_compute_point (fixture.canvas, fixture.view, &middle, &middle));
      node = tb_flame_view_get_node_at (TB_FLAME_VIEW (fixture.view), middle.x, middle.y);
      if (node == TB_ID_NONE)
        continue; /* one box for several nodes */
      n_single++;
      info = tb_flame_figure_get_node (figure, node);
      g_assert_cmpstr (item->name, ==, info->name);
      gtk_test_accessible_assert_property (item->accessible, GTK_ACCESSIBLE_PROPERTY_LEVEL,
                                           (int) info->depth + 1);
      g_assert_cmpint (item->depth, ==, (int) info->depth + 1);
      tb_flame_view_select (TB_FLAME_VIEW (fixture.view), node);
      assert_selected (all, item->accessible);
      gtk_test_accessible_assert_relation (fixture.canvas,
                                           GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT,
                                           item->accessible);
    }
  g_assert_cmpuint (n_single, >, all->len / 2);
  fixture_clear (&fixture);
}

/* Items that are still visible stay the same objects; an item no longer visible that is still
 * referenced is empty. */
static void
test_zoom (void)
{
  Fixture fixture;
  TbFlameFigure *figure = sample_flame ();
  g_autoptr (GArray) before = NULL, after = NULL;
  g_autoptr (GtkAccessible) inside = NULL, outside = NULL, parent = NULL;
  guint node = TB_ID_NONE;
  int x, y, width, height;

  fixture_init (&fixture, figure, "TbFlameCanvas");
  before = walk_all (fixture.canvas);
  inside = g_object_ref (find (before, "do_sys_poll"));
  outside = g_object_ref (find (before, "sha512_rounds"));
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (figure); i++)
    if (g_str_equal (tb_flame_figure_get_node (figure, i)->name, "poll"))
      node = i;
  tb_flame_view_zoom_to (TB_FLAME_VIEW (fixture.view), node);
  ui_frames (fixture.view, 2);
  after = walk_all (fixture.canvas);
  g_assert_true (find (after, "do_sys_poll") == inside);
  g_assert_null (gtk_accessible_get_first_accessible_child (outside));
  g_assert_null (gtk_accessible_get_next_accessible_sibling (outside));
  g_assert_false (gtk_accessible_get_bounds (outside, &x, &y, &width, &height));
  parent = gtk_accessible_get_accessible_parent (outside);
  g_assert_null (parent);
  fixture_clear (&fixture);
  g_assert_null (gtk_accessible_get_first_accessible_child (inside));
}

/* Every interval large enough for the mouse is an accessible item, and nothing else is. */
static void
test_timeline (void)
{
  Fixture fixture;
  TbTimelineFigure *figure = sample_timeline ();
  guint checked = 0;

  fixture_init (&fixture, figure, "TbTimelineCanvas");
  for (GtkWidget *row = gtk_widget_get_first_child (fixture.canvas); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      g_autoptr (GArray) all = NULL;

      if (!gtk_widget_get_child_visible (row)
          || g_strcmp0 (G_OBJECT_TYPE_NAME (row), "TbTimelineRow") != 0)
        continue;
      all = walk_all (row);
      assert_inside (all, row);
      for (guint i = 0; i < all->len; i++)
        {
          const FoundItem *item = get (all, i);
          graphene_point_t middle
              = GRAPHENE_POINT_INIT ((float) item->bounds.x + (float) item->bounds.width / 2,
                                     (float) gtk_widget_get_height (row) / 2);
          g_autofree char *label = NULL;
          g_autofree char *description = NULL;
          TbTimelineTrack track;
          guint index;
          gsize interval;

          g_assert_cmpint (item->role, ==, GTK_ACCESSIBLE_ROLE_CELL);
          g_assert_true (gtk_widget_compute_point (row, fixture.view, &middle, &middle));
          if (item->bounds.width < 4
              || !tb_timeline_view_get_interval_at (TB_TIMELINE_VIEW (fixture.view), middle.x,
                                                    middle.y, &index, &interval))
            continue;
          tb_timeline_figure_get_track (figure, index, &track);
          g_assert_cmpstr (item->name, ==, tb_paint_get_label (track.paint[interval]));
          label = tb_timeline_figure_get_label (figure, index, interval, TRUE);
          description = read_property (item->accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
          g_assert_true (g_str_has_prefix (description, *label != '\0' ? label : item->name));
          tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), index, interval);
          assert_selected (all, item->accessible);
          checked++;
        }
    }
  g_assert_cmpuint (checked, >, 20);
  fixture_clear (&fixture);
}

/* The actions of r, ] and p through keys without characters, for users who have turned off
 * single-character keys. */
static void
test_keys (void)
{
  Fixture fixture;
  gint64 from, to;
  double y, pinned;

  fixture_init (&fixture, sample_timeline (), "TbTimelineCanvas");
  gtk_widget_grab_focus (fixture.view);
  tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), 0, 3);
  ui_key (fixture.view, "shift+Return");
  g_assert_true (tb_focus_get_range (fixture.focus, &from, &to));
  g_assert_cmpint (from, ==, SAMPLE_START + 15 * SAMPLE_MS);
  g_assert_cmpint (to, ==, SAMPLE_START + 262 * SAMPLE_MS);
  tb_timeline_view_select (TB_TIMELINE_VIEW (fixture.view), 2, 1);
  ui_key (fixture.view, "shift+End");
  tb_focus_get_range (fixture.focus, &from, &to);
  g_assert_cmpint (from, ==, SAMPLE_START + 15 * SAMPLE_MS);
  g_assert_cmpint (to, ==, SAMPLE_START + 17 * SAMPLE_MS);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 2, SAMPLE_START, NULL, &y);
  ui_key (fixture.view, "ctrl+End");
  ui_key (fixture.view, "Insert");
  ui_frames (fixture.view, 2);
  tb_timeline_view_get_position (TB_TIMELINE_VIEW (fixture.view), 2, SAMPLE_START, NULL, &pinned);
  g_assert_cmpfloat (pinned, !=, y); /* a pinned track is above the others */
  fixture_clear (&fixture);
}

/* However many intervals there are, there are no more items than pixels; a rare long interval is
 * among them. */
static void
test_timeline_dense (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_timeline_random (2, 400000), "TbTimelineCanvas");
  for (GtkWidget *row = gtk_widget_get_first_child (fixture.canvas); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      g_autoptr (GArray) all = NULL;

      if (!gtk_widget_get_child_visible (row)
          || g_strcmp0 (G_OBJECT_TYPE_NAME (row), "TbTimelineRow") != 0)
        continue;
      all = walk_all (row);
      g_assert_cmpuint (all->len, <=, 3 * (guint) gtk_widget_get_width (row));
      assert_inside (all, row);
    }
  fixture_clear (&fixture);
}

static void
test_histogram (void)
{
  Fixture fixture;
  TbHistogramFigure *figure = sample_histogram ();
  g_autoptr (GArray) all = NULL;
  guint n_counted = 0;

  fixture_init (&fixture, figure, "TbHistogramCanvas");
  for (guint i = 0; i < tb_histogram_figure_get_n_bins (figure); i++)
    n_counted += tb_histogram_figure_get_count (figure, 0, i) > 0;
  all = walk_all (fixture.canvas);
  g_assert_cmpuint (all->len, ==, n_counted);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_LIST_ITEM), ==, n_counted);
  assert_inside (all, fixture.canvas);
  /* From left to right. */
  for (guint i = 1; i < all->len; i++)
    g_assert_cmpint (get (all, i)->bounds.x, >=, get (all, i - 1)->bounds.x);
  for (guint i = 0, bar = 0; i < tb_histogram_figure_get_n_bins (figure); i++)
    {
      g_autofree char *description = NULL;
      g_autofree char *expected = NULL;

      if (tb_histogram_figure_get_count (figure, 0, i) == 0)
        continue;
      description = read_property (get (all, bar)->accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      expected = tb_histogram_figure_describe (figure, i, i + 1);
      g_assert_cmpstr (description, ==, expected);
      tb_histogram_view_select (TB_HISTOGRAM_VIEW (fixture.view), i, i + 1);
      assert_selected (all, get (all, bar)->accessible);
      bar++;
    }
  fixture_clear (&fixture);

  /* With two distributions each has its own bars. */
  fixture_init (&fixture, sample_histogram_two (), "TbHistogramCanvas");
  g_clear_pointer (&all, g_array_unref);
  all = walk_all (fixture.canvas);
  for (guint i = 0; i < 2; i++)
    g_assert_nonnull (
        find (all, tb_histogram_figure_get_series_name (TB_HISTOGRAM_FIGURE (fixture.figure), i)));
  fixture_clear (&fixture);
}

static void
test_heatmap (void)
{
  Fixture fixture;
  TbHeatmapFigure *figure = sample_heatmap ();
  guint n_rows = tb_heatmap_figure_get_n_rows (figure),
        n_columns = tb_heatmap_figure_get_n_columns (figure);
  g_autoptr (GArray) all = NULL;

  fixture_init (&fixture, figure, "TbHeatmapCanvas");
  all = walk_all (fixture.canvas);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_ROW), ==, n_rows);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_CELL), ==, n_rows * n_columns);
  assert_inside (all, fixture.canvas);
  ui_assert_description (
      fixture.canvas, "Nothing selected. Rows: Latency, at least. Columns: Time since the start.");
  /* The highest row comes first, its cells after it. */
  g_assert_cmpstr (get (all, 0)->name, ==, tb_heatmap_figure_get_row_label (figure, n_rows - 1));
  for (guint i = 0; i < 3; i++)
    {
      guint row = n_rows - 1 - i, column = i * 2;
      const FoundItem *item = get (all, i * (n_columns + 1) + 1 + column);
      g_autofree char *description
          = read_property (item->accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      g_autofree char *expected = tb_heatmap_figure_describe (figure, row, column);

      g_assert_cmpstr (description, ==, expected);
      tb_heatmap_view_select (TB_HEATMAP_VIEW (fixture.view), row, column, column + 1);
      assert_selected (all, item->accessible);
    }
  fixture_clear (&fixture);

  /* Too many to distinguish: rows only, or nothing. */
  fixture_init (&fixture, sample_heatmap_random (20, 5000), "TbHeatmapCanvas");
  g_clear_pointer (&all, g_array_unref);
  all = walk_all (fixture.canvas);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_ROW), ==, 20);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_CELL), ==, 0);
  fixture_clear (&fixture);
}

/* Figures without data have no items, and no crash. */
static void
test_empty (void)
{
  static const struct
  {
    gpointer (*make) (void);
    const char *canvas;
  } figures[] = { { (gpointer) sample_flame_empty, "TbFlameCanvas" },
                  { (gpointer) sample_histogram_empty, "TbHistogramCanvas" },
                  { (gpointer) sample_heatmap_empty, "TbHeatmapCanvas" },
                  { (gpointer) sample_graph_empty, "TbGraphCanvas" } };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      TbFigure *figure = figures[i].make ();
      g_autoptr (TbFocus) focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
      GtkWidget *view = tb_figure_view_new (figure, focus);
      GtkWindow *window = ui_window (view, 900, 500);
      GtkWidget *canvas = ui_find (view, figures[i].canvas);

      if (canvas != NULL)
        {
          g_autoptr (GArray) all = walk_all (canvas);

          g_assert_cmpuint (all->len, ==, 0);
        }
      ui_close (window);
      g_assert_finalize_object (figure);
    }
}

/* The map of a zoomed flame has the boxes of the whole flame; those in the visible part are
 * selected. */
static void
test_map (void)
{
  Fixture fixture;
  TbFlameFigure *figure = sample_flame ();
  g_autoptr (GArray) all = NULL;
  GtkWidget *map;
  guint node = TB_ID_NONE, n_selected = 0;

  fixture_init (&fixture, figure, "TbFlameCanvas");
  for (guint i = 0; i < tb_flame_figure_get_n_nodes (figure); i++)
    if (g_str_equal (tb_flame_figure_get_node (figure, i)->name, "poll"))
      node = i;
  tb_flame_view_zoom_to (TB_FLAME_VIEW (fixture.view), node);
  ui_frames (fixture.view, 3);
  map = ui_find (fixture.view, "TbFlameMap");
  g_assert_nonnull (map);
  all = walk_all (map);
  g_assert_cmpuint (all->len, >, 10);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_TREE_ITEM), ==, all->len);
  assert_inside (all, map);
  for (guint i = 0; i < all->len; i++)
    {
      g_autofree char *not_selected
          = gtk_test_accessible_check_state (get (all, i)->accessible,
                                             GTK_ACCESSIBLE_STATE_SELECTED, FALSE);

      if (not_selected == NULL)
        continue;
      g_assert_cmpstr (get (all, i)->name, ==, "poll");
      n_selected++;
    }
  g_assert_cmpuint (n_selected, ==, 1);
  /* Boxes outside the zoomed part are items of the map. */
  find (all, "sha512_rounds");
  fixture_clear (&fixture);
}

/* The strip has items for parts of the recording with their activity; those of the selected range
 * are selected. */
static void
test_strip (void)
{
  static const float activity[] = { 0, .5f, 1, .25f };
  TbFocus *focus = tb_focus_new (0, 100 * SAMPLE_MS);
  GtkWidget *strip = tb_overview_strip_new (focus);
  GtkWindow *window = ui_window (strip, 600, 60);
  g_autoptr (GArray) all = NULL;
  guint n_selected = 0;

  g_assert_null (gtk_accessible_get_first_accessible_child (GTK_ACCESSIBLE (strip)));
  tb_overview_strip_set_activity (TB_OVERVIEW_STRIP (strip), activity, G_N_ELEMENTS (activity));
  all = walk_all (strip);
  g_assert_cmpuint (all->len, ==, 20);
  g_assert_cmpuint (count_role (all, GTK_ACCESSIBLE_ROLE_LIST_ITEM), ==, all->len);
  assert_inside (all, strip);
  for (guint i = 0; i < all->len; i++)
    {
      g_autofree char *value
          = read_property (get (all, i)->accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT);
      g_autofree char *share = g_strdup_printf ("%g", activity[i / 5] * 100.);

      g_assert_true (g_str_has_prefix (value, share));
    }
  tb_focus_select_range (focus, 12 * SAMPLE_MS, 31 * SAMPLE_MS);
  for (guint i = 0; i < all->len; i++)
    {
      gboolean selected = i >= 2 && i <= 6;

      gtk_test_accessible_assert_state (get (all, i)->accessible, GTK_ACCESSIBLE_STATE_SELECTED,
                                        selected);
      n_selected += selected;
    }
  g_assert_cmpuint (n_selected, ==, 5);
  ui_close (window);
  g_assert_finalize_object (focus);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/accessible/flame", test_flame);
  g_test_add_func ("/accessible/zoom", test_zoom);
  g_test_add_func ("/accessible/timeline", test_timeline);
  g_test_add_func ("/accessible/keys", test_keys);
  g_test_add_func ("/accessible/timeline-dense", test_timeline_dense);
  g_test_add_func ("/accessible/histogram", test_histogram);
  g_test_add_func ("/accessible/heatmap", test_heatmap);
  g_test_add_func ("/accessible/map", test_map);
  g_test_add_func ("/accessible/strip", test_strip);
  g_test_add_func ("/accessible/empty", test_empty);
  return g_test_run ();
}
