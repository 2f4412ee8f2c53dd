/* test-graph-view.c: a graph with mouse, keyboard and assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "layers/tb-graph-engine.h"
#include "sample-figures.h"
#include "session/schema/tb-schema.h"
#include "ui-test.h"
#include "widgets/tailback-gtk.h"

#define SECOND (1000 * SAMPLE_MS)

typedef struct
{
  TbGraphFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkWidget *canvas;
  GtkWindow *window;
} Fixture;

static gboolean
is_settled (gpointer view)
{
  return !tb_graph_view_is_busy (view);
}

static void
fixture_init (Fixture *fixture, TbGraphFigure *figure, int width)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  fixture->view = tb_graph_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, width, 640);
  fixture->canvas = ui_find (fixture->view, "TbGraphCanvas");
  ui_wait (is_settled, fixture->view);
  ui_frames (fixture->view, 3);
}

static gboolean
is_gone (gpointer object)
{
  return *(gpointer *) object == NULL;
}

/* A cancelled layout ends in its thread at its next check. */
static void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_object_add_weak_pointer (G_OBJECT (fixture->figure), (gpointer *) &fixture->figure);
  g_object_unref (fixture->figure);
  ui_wait (is_gone, &fixture->figure);
}

static TbGraphView *
get_view (Fixture *fixture)
{
  return TB_GRAPH_VIEW (fixture->view);
}

static void
select_item (Fixture *fixture, const char *item)
{
  tb_focus_select_item (fixture->focus, "graph", item, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  ui_wait (is_settled, fixture->view);
  ui_frames (fixture->view, 2);
}

typedef struct
{
  Fixture *fixture;
  const char *item;
  double before;
} Awaited;

static gboolean
has_item (gpointer data)
{
  const Awaited *awaited = data;

  return g_strcmp0 (tb_focus_get_item (awaited->fixture->focus), awaited->item) == 0;
}

/* Waits for the effect of mouse and keys, which come through the display server. */
static void
await_item (Fixture *fixture, const char *item)
{
  Awaited awaited = { fixture, item, 0 };

  ui_wait (has_item, &awaited);
}

static gboolean
has_grown (gpointer data)
{
  const Awaited *awaited = data;

  return tb_graph_view_get_scale (get_view (awaited->fixture)) > awaited->before;
}

static gboolean
has_moved (gpointer data)
{
  const Awaited *awaited = data;
  double x, y;

  return tb_graph_view_get_place (get_view (awaited->fixture), awaited->item, &x, &y)
         && x > awaited->before + 10;
}

/* Each item is at its reported place, and a click there selects it. */
static void
test_hits (void)
{
  static const int widths[] = { 900, 420 };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    {
      Fixture fixture;
      double x, y;

      fixture_init (&fixture, sample_graph (), widths[w]);
      for (guint i = 0; i < tb_graph_figure_get_n_vertices (fixture.figure); i++)
        {
          const char *id = tb_graph_figure_get_vertex (fixture.figure, i)->id;

          g_assert_true (tb_graph_view_get_place (get_view (&fixture), id, &x, &y));
          g_assert_cmpstr (tb_graph_view_get_item_at (get_view (&fixture), x, y), ==, id);
        }
      for (guint i = 0; i < tb_graph_figure_get_n_edges (fixture.figure); i++)
        {
          const char *id = tb_graph_figure_get_edge (fixture.figure, i)->id;

          g_assert_true (tb_graph_view_get_place (get_view (&fixture), id, &x, &y));
          /* Another edge's label may cover it. */
          g_assert_nonnull (tb_graph_view_get_item_at (get_view (&fixture), x, y));
        }
      g_assert_null (tb_graph_view_get_item_at (get_view (&fixture), 2, 2));
      tb_graph_view_get_place (get_view (&fixture), "v1", &x, &y);
      ui_click (fixture.view, x, y);
      await_item (&fixture, "v1");
      tb_graph_view_get_place (get_view (&fixture), "0>4", &x, &y);
      ui_click (fixture.view, x, y);
      g_assert_cmpstr (tb_focus_get_figure (fixture.focus), ==, "graph");
      await_item (&fixture, "0>4");
      ui_click (fixture.view, 3, 3);
      await_item (&fixture, NULL);
      fixture_clear (&fixture);
    }
}

/* The item that a menu applies to is selected; beside all items the selection stays. */
static void
test_select_at (void)
{
  Fixture fixture;
  double x, y;

  fixture_init (&fixture, sample_graph (), 900);
  for (guint i = 0; i < tb_graph_figure_get_n_edges (fixture.figure); i++)
    {
      g_assert_true (tb_graph_view_get_place (get_view (&fixture),
                                              tb_graph_figure_get_edge (fixture.figure, i)->id, &x,
                                              &y));
      tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), x, y);
      g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==,
                       tb_graph_view_get_item_at (get_view (&fixture), x, y));
    }
  g_assert_true (tb_graph_view_get_place (get_view (&fixture), "0>4", &x, &y));
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), x, y);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "0>4");
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), 2, 2);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), ==, "0>4");
  fixture_clear (&fixture);
}

/* From vertex to edge to vertex, in the direction of the arrow; Tab in order; Escape back. */
static void
test_keyboard (void)
{
  Fixture fixture;
  double scale, x, y, other_x, other_y;

  fixture_init (&fixture, sample_graph (), 900);
  gtk_widget_grab_focus (fixture.view);
  g_assert_true (gtk_widget_is_focus (fixture.canvas));
  select_item (&fixture, "v5");
  ui_key (fixture.view, "Right");
  await_item (&fixture, "5>6");
  ui_key (fixture.view, "Right");
  await_item (&fixture, "v6");
  ui_key (fixture.view, "Tab");
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), !=, "v6");
  ui_key (fixture.view, "shift+Tab");
  await_item (&fixture, "v6");

  scale = tb_graph_view_get_scale (get_view (&fixture));
  tb_graph_view_get_place (get_view (&fixture), "v6", &x, &y);
  ui_key (fixture.view, "plus");
  g_assert_cmpfloat (tb_graph_view_get_scale (get_view (&fixture)), >, scale);
  tb_graph_view_get_place (get_view (&fixture), "v6", &other_x, &other_y);
  g_assert_cmpfloat_with_epsilon (x, other_x, 1); /* zooms around the selected item */
  g_assert_cmpfloat_with_epsilon (y, other_y, 1);
  ui_key (fixture.view, "0");
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (get_view (&fixture)), 1, 1e-9);
  ui_key (fixture.view, "minus");
  g_assert_cmpfloat (tb_graph_view_get_scale (get_view (&fixture)), <, 1);
  ui_key (fixture.view, "f");
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (get_view (&fixture)), scale, 1e-6);

  ui_key (fixture.view, "Escape");
  await_item (&fixture, NULL);
  ui_key (fixture.view, "Return");
  ui_frames (fixture.view, 4);
  g_assert_nonnull (tb_focus_get_item (fixture.focus));
  fixture_clear (&fixture);
}

static void
test_mouse (void)
{
  Fixture fixture;
  double x, y, other_x, other_y, scale;

  fixture_init (&fixture, sample_graph (), 900);
  tb_graph_view_get_place (get_view (&fixture), "v1", &x, &y);
  ui_drag (fixture.view, 400, 30, 450, 60, NULL);
  ui_wait (has_moved, &(Awaited) { &fixture, "v1", x });
  ui_frames (fixture.view, 4);
  tb_graph_view_get_place (get_view (&fixture), "v1", &other_x, &other_y);
  g_assert_cmpfloat (other_x, >, x + 10);
  g_assert_cmpfloat (other_y, >, y + 5);
  g_assert_null (tb_focus_get_item (fixture.focus));

  scale = tb_graph_view_get_scale (get_view (&fixture));
  ui_point (fixture.view, other_x, other_y);
  ui_input ("keydown", "ctrl", "click", "4", "keyup", "ctrl", NULL);
  ui_wait (has_grown, &(Awaited) { &fixture, NULL, scale });
  ui_frames (fixture.view, 4);
  g_assert_cmpfloat (tb_graph_view_get_scale (get_view (&fixture)), >, scale);
  tb_graph_view_get_place (get_view (&fixture), "v1", &x, &y);
  g_assert_cmpfloat_with_epsilon (x, other_x, 2); /* the place under the pointer stays there */
  g_assert_cmpfloat_with_epsilon (y, other_y, 2);
  fixture_clear (&fixture);
}

/* A double click beside all items zooms to everything. */
static void
test_double_click (void)
{
  Fixture fixture;
  double fitting, scale;

  fixture_init (&fixture, sample_graph (), 900);
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "f");
  fitting = tb_graph_view_get_scale (get_view (&fixture));
  for (guint i = 0; i < 3; i++)
    ui_key (fixture.view, "minus");
  scale = tb_graph_view_get_scale (get_view (&fixture));
  g_assert_cmpfloat (scale, <, fitting);
  g_assert_null (tb_graph_view_get_item_at (get_view (&fixture), 5, 5));
  ui_point (fixture.view, 5, 5);
  ui_input ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  ui_wait (has_grown, &(Awaited) { &fixture, NULL, scale });
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (get_view (&fixture)), fitting, 1e-6);
  fixture_clear (&fixture);
}

static GtkAccessible *
find_accessible (Fixture *fixture, guint index)
{
  g_autoptr (GtkAccessible) child
      = gtk_accessible_get_first_accessible_child (GTK_ACCESSIBLE (fixture->canvas));

  for (guint i = 0; i < index && child != NULL; i++)
    {
      GtkAccessible *next = gtk_accessible_get_next_accessible_sibling (child);

      g_object_unref (child);
      child = next;
    }
  return child; /* the canvas's child */
}

/* Every vertex and edge can be reached, with its role, name and value. */
static void
test_accessible (void)
{
  Fixture fixture;
  GtkAccessible *child;
  guint n, n_vertices, n_edges;

  fixture_init (&fixture, sample_graph (), 900);
  n_vertices = tb_graph_figure_get_n_vertices (fixture.figure);
  n_edges = tb_graph_figure_get_n_edges (fixture.figure);
  gtk_test_accessible_assert_role (fixture.canvas, GTK_ACCESSIBLE_ROLE_LIST);
  gtk_test_accessible_assert_property (fixture.canvas, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Graph of waits");
  ui_assert_description (fixture.canvas, "Nothing selected");
  for (n = 0; find_accessible (&fixture, n) != NULL; n++)
    gtk_test_accessible_assert_role (find_accessible (&fixture, n), GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  g_assert_cmpuint (n, ==, n_vertices + n_edges + 1);
  /* The heaviest edge is the first edge. */
  child = find_accessible (&fixture, n_vertices);
  gtk_test_accessible_assert_property (child, GTK_ACCESSIBLE_PROPERTY_LABEL, "SyncThread → vda");
  gtk_test_accessible_assert_property (child, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "1 min 11 s");
  gtk_test_accessible_assert_state (child, GTK_ACCESSIBLE_STATE_SELECTED, FALSE);
  select_item (&fixture, "5>6");
  gtk_test_accessible_assert_state (child, GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  ui_assert_description (fixture.canvas, "SyncThread → vda: 1 min 11 s, 56.8 s without added "
                                         "amounts, 14201 times, the longest 1.42 s");
  fixture_clear (&fixture);
}

/* A frame can be reached, collapsed and expanded with the keyboard, and its description identifies
 * it. */
static void
test_frame (void)
{
  Fixture fixture;
  guint last;

  fixture_init (&fixture, sample_graph (), 900);
  last = tb_graph_figure_get_n_vertices (fixture.figure)
         + tb_graph_figure_get_n_edges (fixture.figure);
  gtk_test_accessible_assert_property (find_accessible (&fixture, last),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Knot 1");
  gtk_test_accessible_assert_state (find_accessible (&fixture, last), GTK_ACCESSIBLE_STATE_EXPANDED,
                                    TRUE);
  /* The frame comes last, after the lightest edge. */
  gtk_widget_grab_focus (fixture.view);
  select_item (&fixture, "knot:1");
  ui_assert_description (fixture.canvas, "Knot 1: 3 vertices; Space collapses it");
  ui_key (fixture.view, "shift+Tab");
  g_assert_nonnull (strstr (tb_focus_get_item (fixture.focus), ">"));
  ui_key (fixture.view, "Tab");
  await_item (&fixture, "knot:1");
  ui_key (fixture.view, "space");
  g_assert_true (tb_graph_view_get_collapsed (get_view (&fixture), 0));
  ui_assert_description (fixture.canvas, "Knot 1: 3 vertices, collapsed; Space expands it");
  for (guint i = 0; i < tb_graph_view_get_n_drawn (get_view (&fixture), FALSE); i++)
    {
      g_autofree char *mismatch
          = gtk_test_accessible_check_property (find_accessible (&fixture, i),
                                                GTK_ACCESSIBLE_PROPERTY_LABEL, "Knot 1");

      if (mismatch == NULL)
        gtk_test_accessible_assert_state (find_accessible (&fixture, i),
                                          GTK_ACCESSIBLE_STATE_EXPANDED, FALSE);
    }
  ui_key (fixture.view, "space");
  g_assert_false (tb_graph_view_get_collapsed (get_view (&fixture), 0));
  /* From a frame into it, or to its neighbour. */
  ui_key (fixture.view, "Right");
  ui_frames (fixture.view, 2);
  g_assert_cmpstr (tb_focus_get_item (fixture.focus), !=, "knot:1");
  fixture_clear (&fixture);
}

/* GTK's macro uses its argument as a format string. */
static void
assert_value (GtkWidget *widget, const char *text)
{
  g_autofree char *other
      = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget),
                                            GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text);

  g_assert_null (other);
}

/* The text of the only label with that beginning; NULL if there is none. */
static const char *
find_label (GtkWidget *widget, const char *start)
{
  const char *found
      = GTK_IS_LABEL (widget) && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), start)
            ? gtk_label_get_text (GTK_LABEL (widget))
            : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, start);
  return found;
}

/* Checks the text below the slider: numbers of edges, above the threshold, and in knots. rest:
 * further text. */
static void
assert_counts (Fixture *fixture, const char *rest)
{
  guint64 threshold = tb_graph_view_get_threshold (get_view (fixture));
  guint n = tb_graph_figure_get_n_edges (fixture->figure), n_above = 0, n_grouped = 0;
  g_autofree char *all = g_strdup_printf ("%u edges, ", n);
  g_autofree char *expected = NULL;
  const char *counts_text;

  for (guint i = 0; i < n; i++)
    {
      const TbGraphEdge *edge = tb_graph_figure_get_edge (fixture->figure, i);
      guint32 group = tb_graph_figure_get_vertex (fixture->figure, edge->from)->cluster;

      n_above += edge->weight > threshold;
      n_grouped += group != TB_ID_NONE
                   && group == tb_graph_figure_get_vertex (fixture->figure, edge->to)->cluster;
    }
  expected
      = g_strdup_printf ("%s%u above the threshold, %u in knots%s", all, n_above, n_grouped, rest);
  ui_wait (is_settled, fixture->view);
  ui_frames (fixture->view, 3);
  counts_text = find_label (fixture->view, all);
  g_assert_nonnull (counts_text);
  g_assert_cmpint (n_above, >, 0);
  g_assert_cmpint (n_grouped, >, 0);
  g_assert_cmpstr (counts_text, ==, expected);
}

/* Edges up to the threshold are counted separately. */
static void
test_threshold (void)
{
  Fixture fixture;
  GtkWidget *slider;

  fixture_init (&fixture, sample_graph (), 900);
  assert_counts (&fixture, "");
  slider = ui_find (fixture.view, "GtkScale");
  gtk_test_accessible_assert_property (slider, GTK_ACCESSIBLE_PROPERTY_LABEL, "Threshold");
  assert_value (slider, "18 s (20 %)");
  gtk_range_set_value (GTK_RANGE (slider), 0);
  g_assert_cmpuint (tb_graph_view_get_threshold (get_view (&fixture)), ==, 0);
  gtk_range_set_value (GTK_RANGE (slider), 1);
  g_assert_cmpuint (tb_graph_view_get_threshold (get_view (&fixture)), ==, 71 * SECOND);
  tb_graph_view_set_threshold (get_view (&fixture), 40 * SECOND);
  assert_value (slider, "40 s (44 %)");
  assert_counts (&fixture, "");
  /* With keys, wherever in the view the keyboard focus is. */
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "less");
  g_assert_cmpuint (tb_graph_view_get_threshold (get_view (&fixture)), <, 40 * SECOND);
  ui_key (fixture.view, "greater");
  ui_key (fixture.view, "greater");
  g_assert_cmpuint (tb_graph_view_get_threshold (get_view (&fixture)), >, 40 * SECOND);
  tb_graph_view_set_threshold (get_view (&fixture), 40 * SECOND);
  g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), TRUE), ==, 15);
  fixture_clear (&fixture);
}

static guint
count_textures (GskRenderNode *node)
{
  guint n = 0;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        n += count_textures (gsk_container_node_get_child (node, i));
      return n;
    case GSK_TRANSFORM_NODE:
      return count_textures (gsk_transform_node_get_child (node));
    case GSK_CLIP_NODE:
      return count_textures (gsk_clip_node_get_child (node));
    case GSK_TEXTURE_NODE:
      return 1;
    default:
      return 0;
    }
}

/* A picture of the last drawing, which comes some time after it. */
typedef struct
{
  GtkWidget *canvas;
  GdkPaintable *paintable;
  gboolean tiled; /* whether the picture has to consist of tiles */
  GskRenderNode *node;
} Drawn;

static gboolean
is_drawn (gpointer data)
{
  Drawn *drawn = data;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  g_clear_pointer (&drawn->node, gsk_render_node_unref);
  gdk_paintable_snapshot (drawn->paintable, GDK_SNAPSHOT (snapshot),
                          gtk_widget_get_width (drawn->canvas),
                          gtk_widget_get_height (drawn->canvas));
  drawn->node = gtk_snapshot_to_node (snapshot);
  if (drawn->node != NULL && (count_textures (drawn->node) > 4) == drawn->tiled)
    return TRUE;
  /* Only a redraw copies tiles. */
  if (drawn->tiled)
    gtk_widget_queue_draw (drawn->canvas);
  return FALSE;
}

static GdkTexture *
await_drawn (Drawn *drawn, gboolean tiled)
{
  GdkTexture *texture;

  drawn->tiled = tiled;
  ui_wait (is_drawn, drawn);
  if (!tiled)
    g_assert_cmpuint (count_textures (drawn->node), ==, 0);
  texture = gsk_renderer_render_texture (
      gtk_native_get_renderer (gtk_widget_get_native (drawn->canvas)), drawn->node,
      &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (drawn->canvas),
                           (float) gtk_widget_get_height (drawn->canvas)));
  g_clear_pointer (&drawn->node, gsk_render_node_unref);
  return texture;
}

/* Counts the pixels that differ in any channel by more than a limit of 255. */
static guint
count_different (GdkTexture *a, GdkTexture *b, int by)
{
  gsize width = (gsize) gdk_texture_get_width (a), height = (gsize) gdk_texture_get_height (a);
  g_autofree guchar *one = g_malloc (width * height * 4), *other = g_malloc (width * height * 4);
  guint n = 0;

  g_assert_cmpuint (gdk_texture_get_width (b), ==, width);
  g_assert_cmpuint (gdk_texture_get_height (b), ==, height);
  gdk_texture_download (a, one, width * 4);
  gdk_texture_download (b, other, width * 4);
  for (gsize i = 0; i < width * height; i++)
    for (guint channel = 0; channel < 4; channel++)
      if (ABS ((int) one[4 * i + channel] - (int) other[4 * i + channel]) > by)
        {
          n++;
          break;
        }
  return n;
}

/* With software rendering a moving graph is copied from tiles. At any place and scale the result
 * equals a new drawing, except for rounding: one step of 255 where items overlap in another order,
 * and at most three points of lines that cairo cuts at another place. */
static void
test_tiles (void)
{
  static const char *const keys[]
      = { "a", "ctrl+Down", "d", "ctrl+Up", "a", "plus", "d", "minus", "minus" };
  /* The search text differs between even and odd steps; the quick mode has steps of both kinds. */
  static const gboolean is_in_quick_mode[G_N_ELEMENTS (keys)]
      = { TRUE, TRUE, [4] = TRUE, TRUE, [8] = TRUE };
  Fixture fixture;
  Drawn last;

  fixture_init (&fixture, sample_graph_random (60, 120), 900);
  /* The test suite selects this renderer; other renderers keep no tiles. */
  g_assert_true (GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (GTK_NATIVE (fixture.window))));
  last = (Drawn) { fixture.canvas, gtk_widget_paintable_new (fixture.canvas), FALSE, NULL };
  gtk_widget_grab_focus (fixture.view);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GdkTexture) copied = NULL;
      g_autoptr (GdkTexture) drawn = NULL;

      if (i == 4)
        select_item (&fixture, "v7");
      if (!test_is_thorough () && !is_in_quick_mode[i])
        continue;
      ui_key (fixture.view, keys[i]);
      copied = await_drawn (&last, TRUE);
      /* Discards the tiles. */
      tb_figure_view_set_search (fixture.view, i % 2 == 0 ? "worker" : "");
      drawn = await_drawn (&last, FALSE);
      g_assert_cmpuint (count_different (copied, drawn, 64), ==, 0);
      g_assert_cmpuint (count_different (copied, drawn, 16), <=, 3);
      g_assert_cmpuint (count_different (copied, drawn, 1), <, 20);
    }
  g_object_unref (last.paintable);
  fixture_clear (&fixture);
}

/* A table of the edges shares the selection. */
static void
test_table (void)
{
  Fixture fixture;
  TbTableFigure *edges = sample_graph_edges ();
  g_autofree char *copy = NULL;
  GtkWidget *table;

  fixture_init (&fixture, sample_graph (), 900);
  table = g_object_ref_sink (tb_table_view_new (edges, fixture.focus));
  select_item (&fixture, "6>7");
  copy = tb_table_view_copy (TB_TABLE_VIEW (table));
  g_assert_nonnull (strstr (copy, "vda\tjbd2/vda-8"));
  g_assert_null (strstr (copy, "Commit"));
  g_object_unref (table);
  g_object_unref (edges);
  fixture_clear (&fixture);
}

static void
test_collapse (void)
{
  Fixture fixture;
  double x, y;

  fixture_init (&fixture, sample_graph (), 900);
  select_item (&fixture, "v7");
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "space");
  g_assert_true (tb_graph_view_get_collapsed (get_view (&fixture), 0));
  g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), FALSE), ==, 7);
  g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), TRUE), ==, 10);
  await_item (&fixture, "knot:1");
  g_assert_true (tb_graph_view_get_place (get_view (&fixture), "v7", &x, &y));
  g_assert_cmpstr (tb_graph_view_get_item_at (get_view (&fixture), x, y), ==, "knot:1");
  /* Edges inside the collapsed group are not among the lighter ones left out for lack of room. */
  assert_counts (&fixture, ", 5 of these collapsed");
  tb_graph_view_set_threshold (get_view (&fixture), 0);
  assert_counts (&fixture, ", 5 of these collapsed");
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "Return");
  g_assert_false (tb_graph_view_get_collapsed (get_view (&fixture), 0));
  assert_counts (&fixture, "");
  g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), FALSE), ==, 9);
  fixture_clear (&fixture);
}

static void
test_search (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_graph (), 900);
  tb_figure_view_set_search (fixture.view, "SYNC");
  g_assert_true (gtk_widget_get_mapped (fixture.canvas));
  tb_figure_view_set_search (fixture.view, "no such thing");
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  tb_figure_view_set_search (fixture.view, "");
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (fixture.canvas));
  fixture_clear (&fixture);
}

/* A filter that does not apply to vertices is ignored: the graph stays as shown. */
static void
test_filter (void)
{
  static const struct
  {
    const char *text;
    gboolean found;
  } filters[] = {
    { "process:curl", TRUE },
    { "thread:commit", TRUE },
    { "function:read longer:1ms", TRUE },
    { "sync thread:sync", TRUE },
    { "sync thread:commit", FALSE },
    { "no such thing", FALSE },
    { "process:curl commit", TRUE },
    { "process:curl nowhere", FALSE },
  };
  Fixture fixture;

  fixture_init (&fixture, sample_graph (), 900);
  g_assert_true (tb_figure_view_can_filter (fixture.view));
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      g_autoptr (TbFilter) filter = tb_filter_parse (filters[i].text, NULL);

      tb_figure_view_set_filter (fixture.view, filter);
      ui_frames (fixture.view, 2);
      g_test_message ("%s", filters[i].text);
      g_assert_cmpint (gtk_widget_get_mapped (fixture.canvas), ==, filters[i].found);
      g_assert_cmpint (ui_find (fixture.view, "AdwStatusPage") != NULL, ==, !filters[i].found);
    }
  tb_figure_view_set_filter (fixture.view, NULL);
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (fixture.canvas));
  fixture_clear (&fixture);
}

/* Ten thousand vertices and a hundred thousand edges: the heaviest are drawn, and an edge that is
 * selected elsewhere. */
static void
test_large (void)
{
  Fixture fixture;
  guint lightest = 0;
  double x, y;

  fixture_init (&fixture, sample_graph_random (10000, 100000), 900);
  g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), TRUE), ==, 300);
  for (guint i = 1; i < tb_graph_figure_get_n_edges (fixture.figure); i++)
    if (tb_graph_figure_get_edge (fixture.figure, i)->weight
        < tb_graph_figure_get_edge (fixture.figure, lightest)->weight)
      lightest = i;
  select_item (&fixture, tb_graph_figure_get_edge (fixture.figure, lightest)->id);
  g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), TRUE), ==, 301);
  g_assert_true (tb_graph_view_get_place (get_view (&fixture),
                                          tb_graph_figure_get_edge (fixture.figure, lightest)->id,
                                          &x, &y));
  /* Cancelled during the layout. */
  tb_graph_view_set_threshold (get_view (&fixture), 59 * SECOND);
  tb_graph_view_set_threshold (get_view (&fixture), 30 * SECOND);
  fixture_clear (&fixture);
}

static void
test_small (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_graph_empty (), 900);
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  g_assert_cmpstr (adw_status_page_get_description (
                       ADW_STATUS_PAGE (ui_find (fixture.view, "AdwStatusPage"))),
                   ==, "No waits were recorded in this range.");
  select_item (&fixture, "v0");
  tb_figure_view_set_search (fixture.view, "x");
  fixture_clear (&fixture);

  for (guint with_loop = 0; with_loop < 2; with_loop++)
    {
      fixture_init (&fixture, sample_graph_one (with_loop), 900);
      g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), FALSE), ==, 1);
      g_assert_cmpuint (tb_graph_view_get_n_drawn (get_view (&fixture), TRUE), ==, with_loop);
      gtk_widget_grab_focus (fixture.view);
      ui_key (fixture.view, "Return");
      await_item (&fixture, "v0");
      ui_key (fixture.view, "Right");
      ui_key (fixture.view, "Up");
      await_item (&fixture, with_loop ? "0>0" : "v0");
      fixture_clear (&fixture);
    }
  fixture_init (&fixture, sample_graph_long_names (), 400);
  fixture_clear (&fixture);
}

/* The view of the new figure has the zoom, threshold and selection of the old one. */
static void
test_keep_place (void)
{
  Fixture fixture;
  g_autoptr (TbGraphFigure) figure = sample_graph ();
  GtkWidget *view;
  GtkWindow *window;

  fixture_init (&fixture, sample_graph (), 900);
  select_item (&fixture, "5>6");
  tb_graph_view_set_threshold (get_view (&fixture), 30 * SECOND);
  tb_graph_view_set_collapsed (get_view (&fixture), 0, TRUE);
  gtk_widget_grab_focus (fixture.view);
  ui_key (fixture.view, "0");
  view = g_object_ref_sink (
      tb_figure_view_new_after (TB_FIGURE (figure), fixture.focus, fixture.view));
  window = ui_window (view, 900, 640);
  g_assert_cmpuint (tb_graph_view_get_threshold (TB_GRAPH_VIEW (view)), ==, 30 * SECOND);
  g_assert_true (tb_graph_view_get_collapsed (TB_GRAPH_VIEW (view), 0));
  g_assert_cmpfloat_with_epsilon (tb_graph_view_get_scale (TB_GRAPH_VIEW (view)), 1, 1e-9);
  await_item (&fixture, "5>6");
  ui_close (window);
  g_object_unref (view);
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  tb_graph_engine_install ();
  g_test_add_func ("/graph-view/hits", test_hits);
  g_test_add_func ("/graph-view/select-at", test_select_at);
  g_test_add_func ("/graph-view/keyboard", test_keyboard);
  g_test_add_func ("/graph-view/mouse", test_mouse);
  g_test_add_func ("/graph-view/double-click", test_double_click);
  g_test_add_func ("/graph-view/accessible", test_accessible);
  g_test_add_func ("/graph-view/threshold", test_threshold);
  g_test_add_func ("/graph-view/frame", test_frame);
  g_test_add_func ("/graph-view/tiles", test_tiles);
  g_test_add_func ("/graph-view/table", test_table);
  g_test_add_func ("/graph-view/collapse", test_collapse);
  g_test_add_func ("/graph-view/search", test_search);
  g_test_add_func ("/graph-view/filter", test_filter);
  g_test_add_func ("/graph-view/large", test_large);
  g_test_add_func ("/graph-view/small", test_small);
  g_test_add_func ("/graph-view/keep-place", test_keep_place);
  return g_test_run ();
}
