/* test-timeline-filter.c: what a search in a timeline means
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "widgets/tb-timeline-private.h"

static void
test_duration (void)
{
  static const struct
  {
    const char *text;
    gint64 ns;
  } cases[] = {
    { "1ms", 1000000 }, { "12.5ms", 12500000 },  { "3s", 3000000000 }, { "800", 800 },   { "7us", 7000 },
    { "7µs", 7000 },    { "1min", 60000000000 }, { "0", 0 },           { "soon", -1 },   { "", -1 },
    { "1ms1", -1 },     { "-1ms", -1 },          { "nan", -1 },        { "1e300s", -1 }, { "inf", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 ns = -1;

      g_assert_true (tb_parse_duration (cases[i].text, &ns) == (cases[i].ns >= 0));
      g_assert_cmpint (ns, ==, cases[i].ns);
    }
}

static TbTimelineFigure *
make_figure (void)
{
  static const struct
  {
    const char *name;
    const char *group;
    guint8 paint;
  } tracks[] = {
    { "auth", "dovecot 702", TB_PAINT_DISK },
    { "imap-login", "dovecot 702", TB_PAINT_WAITING },
    { "Über", "AUTHD 3", TB_PAINT_RUNNING },
    { "vda", NULL, TB_PAINT_DISK },
  };
  TbTimelineFigure *figure = tb_timeline_figure_new ("f", "F", 0, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (tracks); i++)
    {
      gint64 start = 0, end = 100 * (i + 1);
      g_autoptr (GBytes) starts = g_bytes_new (&start, sizeof start);
      g_autoptr (GBytes) ends = g_bytes_new (&end, sizeof end);
      g_autoptr (GBytes) paints = g_bytes_new (&tracks[i].paint, 1);
      g_autofree char *id = g_strdup_printf ("%u", i);

      tb_timeline_figure_add_track (figure, id, tracks[i].name, tracks[i].group, i);
      tb_timeline_figure_set_intervals (figure, i, 1, starts, ends, paints);
    }
  tb_figure_freeze (TB_FIGURE (figure));
  return figure;
}

static void
assert_found (const char *search, const char *expected)
{
  static const gint64 longest[] = { 100, 200, 300, 400 };
  g_autoptr (TbTimelineFigure) figure = make_figure ();
  g_autoptr (TbTimelineFilter) filter = tb_timeline_filter_parse (search);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < 4; i++)
    if (tb_timeline_filter_match (filter, figure, i, longest))
      g_string_append_printf (found, "%u", i);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_match (void)
{
  assert_found (NULL, "0123");
  assert_found ("   ", "0123");
  assert_found ("auth", "02");
  assert_found ("AUTH", "02");
  assert_found ("process:auth", "2");
  assert_found ("thread:auth", "0");
  assert_found ("process:dovecot login", "1");
  assert_found ("über", "2");
  assert_found ("longer:201", "23");
  assert_found ("longer:0.0002ms auth", "2");
  assert_found ("state:disk", "03");
  assert_found ("state:disk process:dovecot", "0");
  assert_found ("nothing", "");
  /* While it is being typed. */
  assert_found ("longer:", "0123");
  assert_found ("process:", "0123");
  /* What is not understood is not passed over. */
  assert_found ("longer:soon", "");
  assert_found ("state:blue", "");
  assert_found ("\xff\xfe", "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-filter/duration", test_duration);
  g_test_add_func ("/timeline-filter/match", test_match);
  return g_test_run ();
}
