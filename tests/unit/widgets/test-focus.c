/* test-focus.c: test of the selection and view of a document
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/schema/tb-schema.h"
#include "widgets/focus/tb-focus.h"

static void
count (guint *counter)
{
  (*counter)++;
}

static void
assert_view (TbFocus *focus, gint64 from, gint64 to)
{
  gint64 view_from, view_to;

  tb_focus_get_view (focus, &view_from, &view_to);
  g_assert_cmpint (view_from, ==, from);
  g_assert_cmpint (view_to, ==, to);
}

static void
test_view (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (1000, 11000);
  guint changes = 0;

  g_signal_connect_swapped (focus, "view-changed", G_CALLBACK (count), &changes);
  assert_view (focus, 1000, 11000);
  tb_focus_set_view (focus, 2000, 3000);
  assert_view (focus, 2000, 3000);
  tb_focus_set_view (focus, 2000, 3000);
  g_assert_cmpuint (changes, ==, 1);
  /* Moved back inside, with its length unchanged. */
  tb_focus_set_view (focus, 500, 1500);
  assert_view (focus, 1000, 2000);
  tb_focus_set_view (focus, 10500, 12500);
  assert_view (focus, 9000, 11000);
  /* Never longer than the extent, nor shorter than the minimum. */
  tb_focus_set_view (focus, -5000, 50000);
  assert_view (focus, 1000, 11000);
  tb_focus_set_view (focus, 3000, 3000);
  assert_view (focus, 3000, 3050);
}

static void
test_zoom (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (0, 1000000);

  /* The time under the pointer stays there. */
  tb_focus_zoom (focus, 250000, .5);
  assert_view (focus, 125000, 625000);
  tb_focus_zoom (focus, 250000, 2);
  assert_view (focus, 0, 1000000);
  tb_focus_zoom (focus, 250000, 2);
  assert_view (focus, 0, 1000000);
  for (guint i = 0; i < 100; i++)
    tb_focus_zoom (focus, 777777, .5);
  {
    gint64 from, to;

    tb_focus_get_view (focus, &from, &to);
    g_assert_cmpint (to - from, ==, 50);
    g_assert_cmpint (from, <=, 777777);
    g_assert_cmpint (to, >=, 777777);
  }
}

static void
test_reveal (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (0, 1000000);

  tb_focus_set_view (focus, 100000, 200000);
  tb_focus_reveal (focus, 120000, 130000);
  assert_view (focus, 100000, 200000);
  tb_focus_reveal (focus, 300000, 310000);
  assert_view (focus, 220000, 320000);
  tb_focus_reveal (focus, 100000, 110000);
  assert_view (focus, 90000, 190000);
  /* A visible part of a longer range is enough; if no part is visible, the view moves. */
  tb_focus_reveal (focus, 150000, 900000);
  assert_view (focus, 90000, 190000);
  tb_focus_reveal (focus, 500000, 900000);
  assert_view (focus, 500000, 600000);
}

static void
test_range (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (1000, 2000);
  gint64 from, to;
  guint changes = 0;

  g_signal_connect_swapped (focus, "selection-changed", G_CALLBACK (count), &changes);
  g_assert_false (tb_focus_get_range (focus, &from, &to));
  g_assert_cmpint (from, ==, TB_TIME_NONE);
  tb_focus_select_range (focus, 1500, 1200);
  g_assert_true (tb_focus_get_range (focus, &from, &to));
  g_assert_cmpint (from, ==, 1200);
  g_assert_cmpint (to, ==, 1500);
  tb_focus_select_range (focus, 1200, 1500);
  g_assert_cmpuint (changes, ==, 1);
  tb_focus_select_range (focus, 0, 9000);
  tb_focus_get_range (focus, &from, &to);
  g_assert_cmpint (from, ==, 1000);
  g_assert_cmpint (to, ==, 2000);
  tb_focus_select_range (focus, 1300, 1300);
  g_assert_false (tb_focus_get_range (focus, NULL, NULL));
  g_assert_cmpuint (changes, ==, 3);
  tb_focus_clear_range (focus);
  g_assert_cmpuint (changes, ==, 3);
  /* A selected range outside a new extent is dropped. */
  tb_focus_select_range (focus, 1000, 1100);
  tb_focus_set_extent (focus, 5000, 6000);
  g_assert_false (tb_focus_get_range (focus, NULL, NULL));
}

static void
test_item (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (0, 1000);
  const char *const stack[] = { "main", "poll", NULL };
  guint changes = 0, notified = 0;
  gint64 from, to;

  g_signal_connect_swapped (focus, "selection-changed", G_CALLBACK (count), &changes);
  g_signal_connect_swapped (focus, "notify::item", G_CALLBACK (count), &notified);
  tb_focus_select_item (focus, "threads", "track-1", 7, 10, 20, stack);
  g_assert_cmpstr (tb_focus_get_figure (focus), ==, "threads");
  g_assert_cmpstr (tb_focus_get_item (focus), ==, "track-1");
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, 7);
  g_assert_true (tb_focus_get_time (focus, &from, &to));
  g_assert_cmpint (from, ==, 10);
  g_assert_cmpint (to, ==, 20);
  g_assert_true (g_strv_equal (tb_focus_get_stack (focus), stack));
  tb_focus_select_item (focus, "threads", "track-1", 7, 10, 20, stack);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (notified, ==, 1);
  /* Strings returned by the object may be passed back to it. */
  tb_focus_select_item (focus, tb_focus_get_figure (focus), tb_focus_get_item (focus), 8, 30, 40,
                        tb_focus_get_stack (focus));
  g_assert_cmpstr (tb_focus_get_item (focus), ==, "track-1");
  g_assert_true (g_strv_equal (tb_focus_get_stack (focus), stack));
  g_assert_cmpuint (changes, ==, 2);
  tb_focus_select_thread (focus, 8);
  g_assert_null (tb_focus_get_item (focus));
  g_assert_null (tb_focus_get_stack (focus));
  g_assert_false (tb_focus_get_time (focus, NULL, NULL));
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, 8);
  tb_focus_clear (focus);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, TB_ID_NONE);
  g_assert_cmpuint (changes, ==, 4);
}

static void
test_threads (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (0, 1000);
  const guint32 some[] = { 9, 3, 9, TB_ID_NONE, 5 }, two[] = { 3, 5 }, other[] = { 5, 7 };
  const guint32 *threads;
  guint changes = 0, n;

  g_signal_connect_swapped (focus, "selection-changed", G_CALLBACK (count), &changes);
  tb_focus_select_threads (focus, some, G_N_ELEMENTS (some));
  threads = tb_focus_get_threads (focus, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (threads[0], ==, 3);
  g_assert_cmpuint (threads[1], ==, 5);
  g_assert_cmpuint (threads[2], ==, 9);
  tb_focus_select_threads (focus, some, G_N_ELEMENTS (some));
  g_assert_cmpuint (changes, ==, 1);
  g_assert_true (tb_focus_has_thread (focus, 5));
  g_assert_false (tb_focus_has_thread (focus, 7));
  g_assert_false (tb_focus_has_thread (focus, TB_ID_NONE));
  /* The thread of the selected item is one of them, and stays when others are selected. */
  tb_focus_select_thread (focus, 7);
  g_assert_true (tb_focus_has_thread (focus, 7));
  /* If both are selected, they are removed; otherwise they are added. */
  tb_focus_toggle_threads (focus, two, 2);
  g_assert_false (tb_focus_has_thread (focus, 5));
  g_assert_true (tb_focus_has_thread (focus, 9));
  tb_focus_toggle_threads (focus, two, 1);
  tb_focus_toggle_threads (focus, other, 2);
  tb_focus_get_threads (focus, &n);
  g_assert_cmpuint (n, ==, 4);
  tb_focus_select_threads (focus, NULL, 0);
  tb_focus_get_threads (focus, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, 7);
}

static void
test_history (void)
{
  g_autoptr (TbFocus) focus = tb_focus_new (0, 100000);
  const char *const stack[] = { "main", "poll", NULL };
  const guint32 threads[] = { 1, 2 };
  guint history = 0, n;
  gint64 from, to;

  g_signal_connect_swapped (focus, "history-changed", G_CALLBACK (count), &history);
  g_assert_false (tb_focus_can_go_back (focus));
  tb_focus_select_item (focus, "f", "a", 7, 10, 20, stack);
  g_assert_cmpuint (history, ==, 1);
  tb_focus_set_view (focus, 0, 1000);
  tb_focus_select_range (focus, 100, 200);
  tb_focus_select_threads (focus, threads, 2);
  tb_focus_set_view (focus, 50000, 60000);

  tb_focus_go_back (focus);
  g_assert_true (tb_focus_get_range (focus, &from, &to));
  tb_focus_get_threads (focus, &n);
  g_assert_cmpuint (n, ==, 0);
  tb_focus_go_back (focus);
  /* The view at the time it was left. */
  tb_focus_get_view (focus, &from, &to);
  g_assert_cmpint (from, ==, 0);
  g_assert_cmpint (to, ==, 1000);
  g_assert_false (tb_focus_get_range (focus, NULL, NULL));
  g_assert_cmpstr (tb_focus_get_item (focus), ==, "a");
  g_assert_true (g_strv_equal (tb_focus_get_stack (focus), stack));
  tb_focus_go_back (focus);
  g_assert_null (tb_focus_get_item (focus));
  g_assert_false (tb_focus_can_go_back (focus));
  tb_focus_go_back (focus);
  tb_focus_go_forward (focus);
  tb_focus_go_forward (focus);
  tb_focus_go_forward (focus);
  g_assert_false (tb_focus_can_go_forward (focus));
  tb_focus_get_threads (focus, &n);
  g_assert_cmpuint (n, ==, 2);
  tb_focus_get_view (focus, &from, &to);
  g_assert_cmpint (from, ==, 50000);

  /* A new selection from there drops the forward history. */
  tb_focus_go_back (focus);
  tb_focus_select_thread (focus, 3);
  g_assert_false (tb_focus_can_go_forward (focus));
  tb_focus_go_back (focus);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, 7);

  /* All changes within one group are one step, and no change is no step. */
  history = 0;
  tb_focus_begin_change (focus);
  for (gint64 i = 1; i < 50; i++)
    tb_focus_select_range (focus, 1000, 1000 + i);
  tb_focus_begin_change (focus);
  tb_focus_clear (focus);
  tb_focus_end_change (focus);
  g_assert_cmpuint (history, ==, 0);
  tb_focus_end_change (focus);
  g_assert_cmpuint (history, ==, 1);
  tb_focus_begin_change (focus);
  tb_focus_end_change (focus);
  g_assert_cmpuint (history, ==, 1);
  tb_focus_go_back (focus);
  g_assert_cmpuint (tb_focus_get_thread (focus), ==, 7);
  g_assert_true (tb_focus_get_range (focus, &from, NULL));
  g_assert_cmpint (from, ==, 100);

  /* The history is bounded, and dropped together with the extent. */
  for (gint64 i = 1; i < 1000; i++)
    tb_focus_select_range (focus, 0, i);
  for (n = 0; tb_focus_can_go_back (focus); n++)
    tb_focus_go_back (focus);
  g_assert_cmpuint (n, ==, 199);
  tb_focus_set_extent (focus, 0, 500000);
  g_assert_false (tb_focus_can_go_back (focus));
  g_assert_false (tb_focus_can_go_forward (focus));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/focus/view", test_view);
  g_test_add_func ("/focus/zoom", test_zoom);
  g_test_add_func ("/focus/reveal", test_reveal);
  g_test_add_func ("/focus/range", test_range);
  g_test_add_func ("/focus/item", test_item);
  g_test_add_func ("/focus/threads", test_threads);
  g_test_add_func ("/focus/history", test_history);
  return g_test_run ();
}
