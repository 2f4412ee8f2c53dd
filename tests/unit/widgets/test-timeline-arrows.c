/* test-timeline-arrows.c: test of the arrows of wake-ups
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/timeline/tb-timeline-private.h"

typedef struct
{
  guint32 from_track;
  gint64 from_time;
  guint32 to_track;
  gint64 to_time;
} Arrow;

/* 0 waits from 10 to 90; 1 is woken by 0 at 10, wakes 2 at 20; 2 wakes 1 at 80; 1 wakes 0 at 90. */
static const Arrow arrows[] = {
  { 0, 5, 2, 5 },   { 0, 10, 1, 11 }, { 1, 20, 2, 20 }, { 3, 40, 4, 40 },
  { 2, 80, 1, 80 }, { 4, 85, 3, 85 }, { 1, 90, 0, 90 }, { 0, 95, 2, 95 },
};

static TbTimelineFigure *
make_figure (void)
{
  static const gint64 start[] = { 0, 10, 90 }, end[] = { 10, 90, 100 };
  static const guint8 paint[] = { TB_PAINT_RUNNING, TB_PAINT_WAITING, TB_PAINT_RUNNING };
  TbTimelineFigure *figure = tb_timeline_figure_new ("f", "F", 0, 100);
  guint32 from_track[G_N_ELEMENTS (arrows)], to_track[G_N_ELEMENTS (arrows)];
  gint64 from_time[G_N_ELEMENTS (arrows)], to_time[G_N_ELEMENTS (arrows)];

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GBytes) starts = g_bytes_new_static (start, sizeof start);
      g_autoptr (GBytes) ends = g_bytes_new_static (end, sizeof end);
      g_autoptr (GBytes) paints = g_bytes_new_static (paint, sizeof paint);
      g_autofree char *id = g_strdup_printf ("%u", i);

      tb_timeline_figure_add_track (figure, id, id, NULL, i);
      tb_timeline_figure_set_intervals (figure, i, 3, starts, ends, paints);
    }
  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    {
      from_track[i] = arrows[i].from_track;
      from_time[i] = arrows[i].from_time;
      to_track[i] = arrows[i].to_track;
      to_time[i] = arrows[i].to_time;
    }
  {
    g_autoptr (GBytes) a = g_bytes_new (from_track, sizeof from_track);
    g_autoptr (GBytes) b = g_bytes_new (from_time, sizeof from_time);
    g_autoptr (GBytes) c = g_bytes_new (to_track, sizeof to_track);
    g_autoptr (GBytes) d = g_bytes_new (to_time, sizeof to_time);

    tb_timeline_figure_set_arrows (figure, G_N_ELEMENTS (arrows), a, b, c, d);
  }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static char *
to_text (GArray *found)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const TbTimelineArrow *arrow = &g_array_index (found, TbTimelineArrow, i);

      g_string_append_printf (text, "%u→%u@%d ", arrow->from_track, arrow->to_track,
                              (int) arrow->to_time);
    }
  return g_string_free (text, FALSE);
}

static void
test_interval (void)
{
  g_autoptr (TbTimelineFigure) figure = make_figure ();
  g_autoptr (GArray) wait = tb_timeline_arrows_of_interval (figure, 0, 1);
  g_autoptr (GArray) run = tb_timeline_arrows_of_interval (figure, 0, 0);
  g_autoptr (GArray) none = tb_timeline_arrows_of_interval (figure, 0, 77);
  g_autofree char *wait_text = to_text (wait);
  g_autofree char *run_text = to_text (run);

  /* The wake-up that ended the wait, and the chain that led to it, back to the thread's own wake-up
   * of another; nothing else. */
  g_assert_cmpstr (wait_text, ==, "1→0@90 2→1@80 1→2@20 0→1@11 ");
  g_assert_cmpstr (run_text, ==, "0→2@5 ");
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-arrows/interval", test_interval);
  return g_test_run ();
}
