/* test-threads-hosts.c: test of the analysis "threads" on a recording of two hosts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "threads-fixture.h"

/* Two hosts with two CPUs each: the same interrupt on both, and a thread of each on its second
 * CPU. */
static TbTrace *
open_two_hosts (void)
{
  TbRecorder *recorder = recording_new ("hosts");
  guint32 handler;

  handler = tb_recorder_intern_string (recorder, "disk", -1);
  tb_recorder_add_host (recorder, "alpha", "", "", 2, 0);
  tb_recorder_add_host (recorder, "beta", "", "", 2, 1000);
  for (guint8 host = 0; host < 2; host++)
    {
      TbEvent in = {
        .time = 1000, .kind = TB_EVENT_SWITCH, .host = host, .cpu = 1, .code = 'R', .a = 7, .b = 7
      };
      TbEvent entry = { .time = 2000,
                        .kind = TB_EVENT_IRQ_ENTRY,
                        .host = host,
                        .cpu = 1,
                        .tid = 7,
                        .pid = 7,
                        .text = handler };
      TbEvent exit
          = { .time = 2500, .kind = TB_EVENT_IRQ_EXIT, .host = host, .cpu = 1, .tid = 7, .pid = 7 };
      TbEvent out = { .time = 5000,
                      .kind = TB_EVENT_SWITCH,
                      .host = host,
                      .cpu = 1,
                      .tid = 7,
                      .pid = 7,
                      .code = 'S' };

      entry.a = exit.a = 11;
      tb_recorder_add (recorder, &in);
      tb_recorder_add (recorder, &entry);
      tb_recorder_add (recorder, &exit);
      tb_recorder_add (recorder, &out);
    }
  return recording_open (recorder);
}

static void
test_hosts (void)
{
  static const char *const expected[][2] = {
    { "interrupt:0", "alpha" }, { "interrupt:1", "beta" }, { "cpu:1", "alpha" }, { "cpu:3", "beta" }
  };
  g_autoptr (TbTrace) trace = open_two_hosts ();
  g_autoptr (TbReport) report = report_run ("threads", trace, NULL, NULL);
  TbTimelineFigure *figure = TB_TIMELINE_FIGURE (tb_report_find_figure (report, "timeline"));
  guint n_found = 0, n_sources;

  tb_trace_get_interrupt_sources (trace, &n_sources);
  g_assert_cmpuint (n_sources, ==, 2);
  g_assert_cmpuint (tb_trace_get_cpu_host (trace, 1), ==, 0);
  g_assert_cmpuint (tb_trace_get_cpu_host (trace, 2), ==, 1);
  g_assert_cmpuint (tb_trace_get_cpu_host (trace, TB_CPU_ALL), ==, TB_ID_NONE);
  for (guint i = 0; i < tb_timeline_figure_get_n_tracks (figure); i++)
    for (guint k = 0; k < G_N_ELEMENTS (expected); k++)
      {
        TbTimelineTrack track;

        tb_timeline_figure_get_track (figure, i, &track);
        if (!g_str_equal (track.id, expected[k][0]))
          continue;
        g_assert_cmpstr (track.host, ==, expected[k][1]);
        g_assert_cmpuint (track.n, ==, 1);
        n_found++;
      }
  g_assert_cmpuint (n_found, ==, G_N_ELEMENTS (expected));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/hosts", test_hosts);
  return recording_run_tests ();
}
