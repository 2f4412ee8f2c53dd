/* test-flame-view.c: a flame with mouse, keyboard and assistive technology
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
  TbFlameFigure *figure;
  TbFocus *focus;
  GtkWidget *view;
  GtkWidget *canvas;
  GtkWindow *window;
} Fixture;

static void
fixture_init (Fixture *fixture, TbFlameFigure *figure)
{
  fixture->figure = figure;
  fixture->focus = tb_focus_new (SAMPLE_START, SAMPLE_START + 265 * SAMPLE_MS);
  fixture->view = tb_flame_view_new (figure, fixture->focus);
  fixture->window = ui_window (fixture->view, 900, 500);
  fixture->canvas = ui_find (fixture->view, "TbFlameCanvas");
}

static void
fixture_clear (Fixture *fixture)
{
  ui_close (fixture->window);
  g_assert_finalize_object (fixture->focus);
  g_assert_finalize_object (fixture->figure);
}

static guint
find_node (TbFlameFigure *figure, const char *name)
{
  for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
    if (g_str_equal (tb_flame_figure_get_node (figure, node)->name, name))
      return node;
  g_error ("no %s", name);
}

static void
assert_selected (Fixture *fixture, const char *name)
{
  guint node = tb_flame_view_get_selected (TB_FLAME_VIEW (fixture->view));

  g_assert_cmpuint (node, !=, TB_ID_NONE);
  g_assert_cmpstr (tb_flame_figure_get_node (fixture->figure, node)->name, ==, name);
}

/* Finds a place where a node is drawn. */
static gboolean
find_place (Fixture *fixture, guint node, double *x, double *y)
{
  for (*y = 2; *y < gtk_widget_get_height (fixture->view); *y += 5)
    for (*x = 2; *x < gtk_widget_get_width (fixture->view); *x += 5)
      if (tb_flame_view_get_node_at (TB_FLAME_VIEW (fixture->view), *x, *y) == node)
        return TRUE;
  return FALSE;
}

static void
test_accessible (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_flame ());
  gtk_test_accessible_assert_role (fixture.canvas, GTK_ACCESSIBLE_ROLE_TREE);
  gtk_test_accessible_assert_property (fixture.canvas, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Off-CPU flame");
  gtk_test_accessible_assert_property (fixture.canvas, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "Nothing selected");
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), find_node (fixture.figure, "sha512_rounds"));
  ui_assert_description (
      fixture.canvas, "sha512_rounds (libcrypt.so.1): 84 ms, 30 % of all, 84 ms in itself, 1 time");
  fixture_clear (&fixture);
}

static void
test_keyboard (void)
{
  Fixture fixture;
  const char *const *stack;

  fixture_init (&fixture, sample_flame ());
  gtk_widget_grab_focus (fixture.view);
  g_assert_true (gtk_widget_is_focus (fixture.canvas));
  ui_key (fixture.view, "Up");
  assert_selected (&fixture, "curl (1160)");
  for (guint i = 0; i < 3; i++)
    ui_key (fixture.view, "Up");
  assert_selected (&fixture, "curl_multi_poll → 127.0.0.1:80");
  ui_key (fixture.view, "Right");
  assert_selected (&fixture, "Curl_resolver_wait");
  ui_key (fixture.view, "Left");
  ui_key (fixture.view, "Down");
  assert_selected (&fixture, "curl_easy_perform");
  stack = tb_focus_get_stack (fixture.focus);
  g_assert_cmpstr (stack[0], ==, "curl (1160)");
  g_assert_cmpstr (stack[2], ==, "curl_easy_perform");
  g_assert_null (stack[3]);
  g_assert_cmpstr (tb_focus_get_figure (fixture.focus), ==, "off-cpu");

  ui_key (fixture.view, "Up");
  ui_key (fixture.view, "Return");
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), ==,
                    find_node (fixture.figure, "curl_multi_poll → 127.0.0.1:80"));
  ui_key (fixture.view, "BackSpace");
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), ==,
                    find_node (fixture.figure, "curl_easy_perform"));
  ui_key (fixture.view, "Home");
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  ui_key (fixture.view, "f");
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), ==,
                    find_node (fixture.figure, "curl_multi_poll → 127.0.0.1:80"));
  ui_key (fixture.view, "Home");
  ui_key (fixture.view, "Escape");
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  g_assert_null (tb_focus_get_item (fixture.focus));

  /* Upside down, the keys are reversed too. */
  tb_flame_view_set_icicle (TB_FLAME_VIEW (fixture.view), TRUE);
  ui_key (fixture.view, "Down");
  ui_key (fixture.view, "Down");
  assert_selected (&fixture, "main");
  fixture_clear (&fixture);
}

static void
test_mouse (void)
{
  Fixture fixture;
  guint node;
  double x, y;

  fixture_init (&fixture, sample_flame ());
  node = find_node (fixture.figure, "login.log");
  g_assert_true (find_place (&fixture, node, &x, &y));
  ui_click (fixture.view, x + 20, y + 5);
  assert_selected (&fixture, "login.log");
  ui_input ("click", "--repeat", "2", "--delay", "20", "1", NULL);
  ui_frames (fixture.view, 4);
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), ==, node);
  /* The first of the names above leads back. */
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwWrapBox")));
  g_signal_emit_by_name (ui_find (ui_find (fixture.view, "AdwWrapBox"), "GtkButton"), "clicked");
  ui_frames (fixture.view, 3);
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  fixture_clear (&fixture);
}

/* The node that a menu applies to is selected. */
static void
test_select_at (void)
{
  Fixture fixture;
  double x, y;

  fixture_init (&fixture, sample_flame ());
  g_assert_true (find_place (&fixture, find_node (fixture.figure, "login.log"), &x, &y));
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), x + 20, y + 5);
  assert_selected (&fixture, "login.log");
  g_assert_true (find_place (&fixture, find_node (fixture.figure, "sha512_rounds"), &x, &y));
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), x + 5, y + 5);
  assert_selected (&fixture, "sha512_rounds");
  tb_figure_view_select_at (TB_FIGURE_VIEW (fixture.view), 1, 1);
  assert_selected (&fixture, "sha512_rounds");
  fixture_clear (&fixture);
}

static gboolean
has_tooltip (gpointer data)
{
  Fixture *fixture = data;
  GtkWidget *tooltip = ui_find (GTK_WIDGET (fixture->window), "GtkTooltipWindow");
  GtkWidget *label
      = tooltip != NULL && gtk_widget_get_mapped (tooltip) ? ui_find (tooltip, "GtkLabel") : NULL;

  return label != NULL
         && g_str_equal (
             gtk_label_get_text (GTK_LABEL (label)),
             "sha512_rounds (libcrypt.so.1): 84 ms, 30 % of all, 84 ms in itself, 1 time");
}

/* Under the pointer: its name, its share of the total, and its own share. */
static void
test_tooltip (void)
{
  Fixture fixture;
  double x, y;

  fixture_init (&fixture, sample_flame ());
  g_assert_true (find_place (&fixture, find_node (fixture.figure, "sha512_rounds"), &x, &y));
  ui_point (fixture.view, x + 5, y + 5);
  ui_point (fixture.view, x + 8, y + 5);
  ui_wait (has_tooltip, &fixture);
  fixture_clear (&fixture);
}

static void
test_search (void)
{
  Fixture fixture;
  TbFlameView *view;

  fixture_init (&fixture, sample_flame ());
  view = TB_FLAME_VIEW (fixture.view);
  g_assert_cmpfloat (tb_flame_view_get_matched_share (view), ==, 0);
  tb_figure_view_set_search (GTK_WIDGET (view), "MAIN");
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (view), 1, 1e-9);
  tb_figure_view_set_search (GTK_WIDGET (view), "sha512");
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (view),
                                  84. * SAMPLE_MS
                                      / (double) tb_flame_figure_get_total (fixture.figure),
                                  1e-9);
  tb_figure_view_set_search (GTK_WIDGET (view), "no such thing");
  g_assert_cmpfloat (tb_flame_view_get_matched_share (view), ==, 0);
  ui_frames (fixture.view, 2);
  tb_figure_view_set_search (GTK_WIDGET (view), "");
  ui_frames (fixture.view, 2);
  fixture_clear (&fixture);
}

/* A node too narrow for its own box is shown when it is selected. */
static void
test_narrow (void)
{
  Fixture fixture;
  guint node;
  double x, y;
  g_autofree char *item = NULL;

  fixture_init (&fixture, sample_flame ());
  node = find_node (fixture.figure, "small_helper_39");
  g_assert_false (find_place (&fixture, node, &x, &y));
  item = g_strdup_printf ("%u", node);
  tb_focus_select_item (fixture.focus, "off-cpu", item, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  ui_frames (fixture.view, 3);
  assert_selected (&fixture, "small_helper_39");
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), !=, TB_ID_NONE);
  g_assert_true (find_place (&fixture, node, &x, &y));
  /* An item of another figure is not selected in this one. */
  tb_focus_select_item (fixture.focus, "threads", item, TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  tb_focus_select_item (fixture.focus, "off-cpu", "99999", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE,
                        NULL);
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  fixture_clear (&fixture);
}

static void
test_large (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_flame_random (100000));
  ui_frames (fixture.view, 3);
  tb_figure_view_set_search (fixture.view, "function_1");
  tb_flame_view_zoom_to (TB_FLAME_VIEW (fixture.view), 700);
  ui_frames (fixture.view, 3);
  fixture_clear (&fixture);
}

static void
test_empty (void)
{
  Fixture fixture;

  fixture_init (&fixture, sample_flame_empty ());
  g_assert_true (gtk_widget_get_mapped (ui_find (fixture.view, "AdwStatusPage")));
  g_assert_cmpstr (adw_status_page_get_description (
                       ADW_STATUS_PAGE (ui_find (fixture.view, "AdwStatusPage"))),
                   ==, "No stacks were recorded in this range.");
  tb_figure_view_set_search (fixture.view, "x");
  tb_focus_select_item (fixture.focus, "on-cpu", "0", TB_ID_NONE, TB_TIME_NONE, TB_TIME_NONE, NULL);
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (fixture.view)), ==, TB_ID_NONE);
  fixture_clear (&fixture);
}

static guint
add_chain (TbFlameFigure *figure, guint parent, const char *first, const char *second, guint64 own)
{
  parent = tb_flame_figure_add_node (figure, parent, first, "libc", TB_FLAME_USER, 0, 1);
  return tb_flame_figure_add_node (figure, parent, second, "libc", TB_FLAME_USER, own, 1);
}

/* The same stacks before and after symbolization; deep enough to scroll. */
static TbFlameFigure *
named_flame (gboolean named)
{
  TbFlameFigure *figure = tb_flame_figure_new ("on-cpu", "On-CPU flame", "ns");
  guint root
      = tb_flame_figure_add_node (figure, TB_ID_NONE, "program (7)", NULL, TB_FLAME_PROCESS, 0, 1);
  guint node;

  if (named) /* another one comes first in this case */
    add_chain (figure, root, "aaa", "bbb", 5);
  node = add_chain (figure, root, named ? "main" : "0x401000", named ? "work" : "0x402000", 800);
  for (guint i = 0; i < 60; i++)
    node = add_chain (figure, node, named ? "outer" : "0x403000", named ? "inner" : "0x404000", 10);
  add_chain (figure, root, named ? "clone" : "0x405000", named ? "start" : "0x406000", 300);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* After symbolization, the view of the new figure has the zoom, scroll position, search and
 * selection of the old one. */
static void
test_keep_place (void)
{
  Fixture fixture;
  g_autoptr (TbFlameFigure) figure = named_flame (TRUE);
  GtkWidget *view, *scroller;
  GtkWindow *window;
  double scrolled;

  fixture_init (&fixture, named_flame (FALSE));
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), 4);
  tb_flame_view_zoom_to (TB_FLAME_VIEW (fixture.view), find_node (fixture.figure, "0x402000"));
  tb_figure_view_set_search (fixture.view, "inner");
  ui_frames (fixture.view, 3);
  scroller = gtk_widget_get_ancestor (fixture.canvas, GTK_TYPE_SCROLLED_WINDOW);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)),
                            400);
  ui_frames (fixture.view, 3);

  view = g_object_ref_sink (
      tb_figure_view_new_after (TB_FIGURE (figure), fixture.focus, fixture.view));
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (view)), ==,
                    find_node (figure, "work"));
  g_assert_cmpstr (
      tb_flame_figure_get_node (figure, tb_flame_view_get_selected (TB_FLAME_VIEW (view)))->name,
      ==, "inner");
  g_assert_cmpstr (tb_figure_view_get_search (view), ==, "inner");
  g_assert_cmpfloat (tb_flame_view_get_matched_share (TB_FLAME_VIEW (view)), >, .3);
  window = ui_window (view, 900, 500);
  ui_frames (view, 3);
  scroller = gtk_widget_get_ancestor (ui_find (view, "TbFlameCanvas"), GTK_TYPE_SCROLLED_WINDOW);
  scrolled = gtk_adjustment_get_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)));
  g_assert_cmpfloat_with_epsilon (scrolled, 400, 1);
  /* The selection is the document's, with the new index. */
  g_assert_cmpstr (tb_focus_get_stack (fixture.focus)[1], ==, "main");
  ui_close (window);
  g_object_unref (view);
  fixture_clear (&fixture);
}

/* A selected node that no longer exists is deselected, instead of another node with its index. */
static void
test_gone (void)
{
  Fixture fixture;
  g_autoptr (TbFlameFigure) figure = sample_flame ();
  GtkWidget *view;

  fixture_init (&fixture, named_flame (FALSE));
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), 2);
  view = g_object_ref_sink (
      tb_figure_view_new_after (TB_FIGURE (figure), fixture.focus, fixture.view));
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (view)), ==, TB_ID_NONE);
  g_assert_null (tb_focus_get_item (fixture.focus));
  g_object_unref (view);
  fixture_clear (&fixture);
}

static guint
n_panes (GtkWidget *view)
{
  return ui_count (view, "TbFlameCanvas");
}

/* With keys: the selection stays that of the figure, in any form of it. */
static void
test_forms (void)
{
  Fixture fixture;
  TbFlameView *view;
  gboolean collapsed;
  guint node;

  fixture_init (&fixture, sample_flame_differences ());
  view = TB_FLAME_VIEW (fixture.view);
  node = find_node (fixture.figure, "hash");
  gtk_widget_grab_focus (fixture.view);
  tb_flame_view_select (view, node);
  ui_key (fixture.view, "i");
  g_assert_cmpuint (tb_flame_view_get_selected (view), ==, node);
  g_assert_cmpuint (n_panes (fixture.view), ==, 1);
  /* The selected node is a root of the inverted flame; the node above it is its caller. */
  ui_key (fixture.view, "Up");
  g_assert_cmpstr (
      tb_flame_figure_get_node (fixture.figure, tb_flame_view_get_selected (view))->name, ==,
      "lookup");
  ui_key (fixture.view, "i");
  g_assert_cmpuint (tb_flame_view_get_selected (view), ==, find_node (fixture.figure, "lookup"));
  tb_flame_view_select (view, node);
  ui_key (fixture.view, "x");
  g_assert_cmpuint (n_panes (fixture.view), ==, 2);
  g_assert_nonnull (ui_find (fixture.view, "GtkImage"));
  ui_key (fixture.view, "shift+r");
  g_assert_cmpuint (n_panes (fixture.view), ==, 1);
  g_assert_cmpuint (tb_flame_view_get_selected (view), ==, node);
  /* Recursion is collapsed and restored. */
  ui_key (fixture.view, "r");
  g_object_get (view, "collapse-recursion", &collapsed, NULL);
  g_assert_true (collapsed);
  ui_key (fixture.view, "r");
  g_object_get (view, "collapse-recursion", &collapsed, NULL);
  g_assert_false (collapsed);
  /* Only the callees of the function are left. */
  ui_key (fixture.view, "o");
  tb_figure_view_set_search (fixture.view, "hash");
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (view), 1, 1e-9);
  tb_figure_view_set_search (fixture.view, NULL);
  ui_key (fixture.view, "shift+r");
  g_assert_cmpuint (tb_flame_view_get_selected (view), ==, node);
  /* Its module is hidden, and its time moves to its caller. The function stays selected. */
  ui_key (fixture.view, "h");
  g_assert_cmpuint (tb_flame_view_get_selected (view), ==, find_node (fixture.figure, "lookup"));
  ui_frames (fixture.view, 2);
  tb_flame_view_reset (view);
  g_assert_cmpuint (tb_flame_view_get_selected (view), ==, node);
  tb_figure_view_set_search (fixture.view, "hash");
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (view), 25. / 128, 1e-9);
  g_object_set (view, "inverted", TRUE, NULL);
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (view), 25. / 128, 1e-9);
  fixture_clear (&fixture);
}

static gboolean
is_gone (gpointer pointer)
{
  return *(gpointer *) pointer == NULL;
}

/* The forms are mostly computed in a thread, which can be cancelled. */
static void
test_many_forms (void)
{
  Fixture fixture;
  TbFlameView *view;

  fixture_init (&fixture, sample_flame_random (60000));
  view = TB_FLAME_VIEW (fixture.view);
  g_object_set (view, "inverted", TRUE, NULL);
  g_assert_true (tb_flame_view_is_busy (view));
  g_object_set (view, "by-name", TRUE, NULL);
  g_object_set (view, "inverted", FALSE, NULL);
  while (tb_flame_view_is_busy (view))
    g_main_context_iteration (NULL, TRUE);
  ui_frames (fixture.view, 3);
  tb_figure_view_set_search (fixture.view, "function_17");
  g_assert_cmpfloat (tb_flame_view_get_matched_share (view), >, 0);
  /* Cancelled work may still be running; it releases its data when it ends. */
  ui_close (fixture.window);
  g_object_add_weak_pointer (G_OBJECT (fixture.focus), (gpointer *) &fixture.focus);
  g_object_add_weak_pointer (G_OBJECT (fixture.figure), (gpointer *) &fixture.figure);
  g_object_unref (fixture.focus);
  g_object_unref (fixture.figure);
  ui_wait (is_gone, &fixture.focus);
  ui_wait (is_gone, &fixture.figure);
}

/* A map of the whole flame shows the place of a zoomed flame, and leads to the rest of it. */
static void
test_map (void)
{
  Fixture fixture;
  GtkWidget *map;

  fixture_init (&fixture, sample_flame ());
  map = ui_find (fixture.view, "TbFlameMap");
  g_assert_false (gtk_widget_get_mapped (map));
  tb_flame_view_zoom_to (TB_FLAME_VIEW (fixture.view), find_node (fixture.figure, "pam_verify"));
  ui_frames (fixture.view, 2);
  g_assert_true (gtk_widget_get_mapped (map));
  ui_click (map, 20, gtk_widget_get_height (map) - 2);
  ui_frames (fixture.view, 2);
  g_assert_cmpuint (tb_flame_view_get_zoomed (TB_FLAME_VIEW (fixture.view)), !=,
                    find_node (fixture.figure, "pam_verify"));
  fixture_clear (&fixture);
}

static void
test_filter (void)
{
  Fixture fixture;
  g_autoptr (TbFilter) filter = tb_filter_parse ("module:libc.so", NULL);

  fixture_init (&fixture, sample_flame_differences ());
  tb_figure_view_set_filter (fixture.view, filter);
  g_assert_cmpfloat_with_epsilon (tb_flame_view_get_matched_share (TB_FLAME_VIEW (fixture.view)),
                                  40. / 128, 1e-9);
  tb_figure_view_set_filter (fixture.view, NULL);
  g_assert_cmpfloat (tb_flame_view_get_matched_share (TB_FLAME_VIEW (fixture.view)), ==, 0);
  fixture_clear (&fixture);
}

/* "read" below other callers; below the same callers twice, once with a lower weight. */
static TbFlameFigure *
other_flame (void)
{
  TbFlameFigure *figure = tb_flame_figure_new ("other", "Other flame", "ns");
  guint root = tb_flame_figure_add_node (figure, TB_ID_NONE, "all", "", TB_FLAME_PROCESS, 0, 1);
  guint log = tb_flame_figure_add_node (figure, root, "log", "a.so", TB_FLAME_USER, 0, 1);
  guint load = tb_flame_figure_add_node (figure, root, "load", "a.so", TB_FLAME_USER, 0, 1), main_;

  tb_flame_figure_add_node (figure, log, "read", "libc.so.6", TB_FLAME_USER, 900, 1);
  tb_flame_figure_add_node (figure, load, "read", "libc.so.6", TB_FLAME_USER, 10, 1);
  main_ = tb_flame_figure_add_node (figure, root, "main", "a.so", TB_FLAME_USER, 0, 1);
  load = tb_flame_figure_add_node (figure, main_, "load", "a.so", TB_FLAME_USER, 0, 1);
  tb_flame_figure_add_node (figure, load, "read", "libc.so.6", TB_FLAME_USER, 20, 1);
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

/* Reference implementation: of all nodes with that name, the one with most common callers, then the
 * heaviest. */
static guint
find_like (TbFlameFigure *figure, const char *const *stack)
{
  guint n = g_strv_length ((char **) stack), best = TB_ID_NONE;
  gint64 most = -1;

  for (guint node = 0; node < tb_flame_figure_get_n_nodes (figure); node++)
    {
      guint common = 0;

      for (guint at = node;
           at != TB_ID_NONE && common < n
           && g_str_equal (tb_flame_figure_get_node (figure, at)->name, stack[n - 1 - common]);
           at = tb_flame_figure_get_node (figure, at)->parent)
        common++;
      if (common > 0
          && (gint64) common * 1000000 + (gint64) tb_flame_figure_get_node (figure, node)->total
                 > most)
        {
          most
              = (gint64) common * 1000000 + (gint64) tb_flame_figure_get_node (figure, node)->total;
          best = node;
        }
    }
  return best;
}

/* A frame selected in one flame is shown in the document's other flames, and stays selected where
 * it was. */
static void
test_other_figure (void)
{
  static const char *const stack[] = { "client (10)", "main", "load", "read", NULL };
  Fixture fixture;
  g_autoptr (TbFlameFigure) other = other_flame ();
  g_autoptr (TbFlameFigure) renewed = other_flame ();
  GtkWidget *view, *after;
  TbFlameFigure *figure = tb_flame_figure_new ("one", "One flame", "ns");
  guint parent = TB_ID_NONE;

  for (guint i = 0; stack[i] != NULL; i++)
    parent = tb_flame_figure_add_node (figure, parent, stack[i], "", TB_FLAME_USER, 5, 1);
  tb_flame_figure_add_node (figure, 0, "elsewhere", "", TB_FLAME_USER, 5, 1);
  tb_figure_freeze (TB_FIGURE (figure));
  fixture_init (&fixture, figure);
  view = g_object_ref_sink (tb_flame_view_new (other, fixture.focus));

  for (guint i = 1; stack[i] != NULL; i++)
    {
      const char *part[G_N_ELEMENTS (stack)] = { NULL };

      memcpy (part, stack, (i + 1) * sizeof *part);
      tb_flame_view_select (TB_FLAME_VIEW (fixture.view), i);
      g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (view)), ==,
                        find_like (other, part));
      g_assert_cmpstr (tb_focus_get_figure (fixture.focus), ==, "one");
    }
  /* The one with both callers, not the heaviest. */
  g_assert_cmpuint (
      tb_flame_figure_get_node (other, tb_flame_view_get_selected (TB_FLAME_VIEW (view)))->total,
      ==, 20);
  /* Late symbolization makes the figure again; the selection in the other figure is kept. */
  after = g_object_ref_sink (tb_figure_view_new_after (TB_FIGURE (renewed), fixture.focus, view));
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (after)), ==,
                    tb_flame_view_get_selected (TB_FLAME_VIEW (view)));
  g_assert_cmpstr (tb_focus_get_figure (fixture.focus), ==, "one");
  tb_flame_view_select (TB_FLAME_VIEW (fixture.view), find_node (fixture.figure, "elsewhere"));
  g_assert_cmpuint (tb_flame_view_get_selected (TB_FLAME_VIEW (after)), ==, TB_ID_NONE);
  g_assert_cmpstr (tb_focus_get_figure (fixture.focus), ==, "one");
  g_object_unref (after);
  g_object_unref (view);
  fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/flame-view/accessible", test_accessible);
  g_test_add_func ("/flame-view/keyboard", test_keyboard);
  g_test_add_func ("/flame-view/mouse", test_mouse);
  g_test_add_func ("/flame-view/select-at", test_select_at);
  g_test_add_func ("/flame-view/tooltip", test_tooltip);
  g_test_add_func ("/flame-view/search", test_search);
  g_test_add_func ("/flame-view/narrow", test_narrow);
  g_test_add_func ("/flame-view/large", test_large);
  g_test_add_func ("/flame-view/empty", test_empty);
  g_test_add_func ("/flame-view/keep-place", test_keep_place);
  g_test_add_func ("/flame-view/gone", test_gone);
  g_test_add_func ("/flame-view/forms", test_forms);
  g_test_add_func ("/flame-view/many-forms", test_many_forms);
  g_test_add_func ("/flame-view/map", test_map);
  g_test_add_func ("/flame-view/filter", test_filter);
  g_test_add_func ("/flame-view/other-figure", test_other_figure);
  return g_test_run ();
}
