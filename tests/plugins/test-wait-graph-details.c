/* test-wait-graph-details.c: test of further facts in wait-graph reports: CPU contention, work
 * units, peers, proposed annotations, comparison
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)

/* B wakes A, and holds the CPU that A wants for 3 of 10 ms. */
static void
test_contention (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *contender;
  TbFinding *finding;

  story_switch (story, 0, 0, 0, "R", 11);
  story_wake (story, 500, 0, 11, 12);
  story_switch (story, 1000, 0, 11, "R", 12);
  story_switch (story, 4000, 0, 12, "S", 11);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  contender = summary_get_element (wait_graph_find_vertex (wait_graph_get_summary (report), "A"),
                                   "culprits", 0);
  g_assert_cmpstr (json_object_get_string_member (contender, "name"), ==, "B");
  g_assert_cmpint (json_object_get_int_member (contender, "ns"), ==, 3 * MS);
  finding = findings_get_with (report, "cpu-contention", "name", "A (11)");
  finding_assert_integer (finding, "holder_ns", 3 * MS);
  finding_assert_string (finding, "holder_thread", "B");
  finding_assert_integer (finding, "holder_tid", 12);
}

static void
assert_work (TbTrace *trace, const char *option, gint64 count, double per_second)
{
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "work", option, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *work;
  gint64 sum = 0;

  if (count < 0)
    {
      g_assert_true (json_object_get_null_member (summary, "work"));
      return;
    }
  work = json_object_get_object_member (summary, "work");
  g_assert_cmpint (json_object_get_int_member (work, "count"), ==, count);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (work, "per_second"), per_second,
                                  1e-6);
  for (guint i = 0; i < summary_count (work, "slices"); i++)
    sum += json_array_get_int_element (json_object_get_array_member (work, "slices"), i);
  g_assert_cmpint (sum, ==, count);
}

static void
test_work (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  TbFinding *finding;

  story_switch (story, 0, 0, 0, "R", 11);
  for (int i = 1; i <= 5; i++)
    {
      story_add (story, i * 100, "0,mark,,,,,,,11,,,work,,,");
      story_enter (story, i * 100 + 10, 0, 11, "fsync");
      story_add (story, i * 100 + 20, "0,sys_exit,,,,,,,11,,%d,fsync,,,", i == 1 ? -5 : 0);
      story_call (story, i * 100 + 30, 0, 11, "commit");
      story_return (story, i * 100 + 40, 0, 11, "commit");
      story_add (story, i * 100 + 50, "0,net_send,,,,,,,11,eth0,100,host:80,,,7");
    }
  story_add (story, 900, "0,mark,,,,,,,11,,,batch=12,,,");
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  g_assert_nonnull (tb_report_find_figure (report, "work"));
  finding = findings_get (report, "work-rate");
  finding_assert_integer (finding, "count", 5);
  finding_assert_string (finding, "unit", "mark:work");
  finding_assert_number (finding, "per_second", 500);
  assert_work (trace, "", 5, 500);
  assert_work (trace, "mark:batch", 12, 1200);
  assert_work (trace, "syscall:fsync", 4, 400);
  assert_work (trace, "function:commit", 5, 500);
  assert_work (trace, "send:app", 5, 500);
  assert_work (trace, "mark:nothing", 0, 0);
  assert_work (trace, "none", -1, 0);
}

/* C is woken by A again and again, finds nothing to do for 10 µs, and is finally woken by B. */
static void
test_false_wakeups_proposed (void)
{
  Story *story = story_new ("A B C");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *proposal;

  for (int tid = 11; tid <= 13; tid++)
    story_switch (story, 0, tid - 11, 0, "R", tid);
  for (int i = 0; i < 4; i++)
    {
      int t = i * 2000;

      story_switch_with_stack (story, t + 100, 2, 13, "S", 0, "main;take;block");
      story_wake (story, t + 600, 0, 11, 13);
      story_switch (story, t + 600, 2, 0, "R", 13);
      story_switch_with_stack (story, t + 610, 2, 13, "S", 0, "main;take;block");
      story_wake (story, t + 900, 1, 12, 13);
      story_switch (story, t + 900, 2, 0, "R", 13);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpuint (summary_count (summary, "proposals"), ==, 1);
  proposal = summary_get_element (summary, "proposals", 0);
  g_assert_cmpstr (json_object_get_string_member (proposal, "kind"), ==, "false-wakeup");
  g_assert_cmpstr (json_object_get_string_member (proposal, "function"), ==, "block");
  g_assert_cmpint (json_object_get_int_member (proposal, "count"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (proposal, "effect_ns"), ==, 2 * MS);
  finding_assert_string (findings_get (report, "false-wakeup-candidate"), "name", "C (13)");
  finding_assert_integer (findings_get (report, "false-wakeup-candidate"), "count", 4);
  /* A proposal changes nothing. */
  wait_graph_assert_edge (summary, "C", "A", 2 * MS, 2 * MS, 4);
}

/* A has samples in the same function for 2 ms without a system call. With a system call in between
 * it would not be busy waiting. */
static void
test_spins_proposed (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *proposal;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_enter (story, 10, 0, 11, "read");
  story_add (story, 20, "0,sys_exit,,,,,,,11,,,read,,,");
  for (int i = 0; i <= 20; i++)
    {
      story_sample (story, 1000 + i * 100, 0, 11, "main;lock;spin");
      story_sample (story, 1000 + i * 100, 1, 12, "main;copy");
      story_enter (story, 1010 + i * 100, 1, 12, "write");
      story_add (story, 1020 + i * 100, "1,sys_exit,,,,,,,12,,,write,,,");
    }
  story_sample (story, 3100, 0, 11, "main;go_on");
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpuint (summary_count (summary, "proposals"), ==, 1);
  proposal = summary_get_element (summary, "proposals", 0);
  g_assert_cmpstr (json_object_get_string_member (proposal, "kind"), ==, "spin");
  g_assert_cmpstr (json_object_get_string_member (proposal, "function"), ==, "spin");
  g_assert_cmpint (json_object_get_int_member (proposal, "effect_ns"), ==, 2 * MS);
  finding_assert_string (findings_get (report, "busy-wait-candidate"), "name", "A (11)");
  finding_assert_string (findings_get (report, "busy-wait-candidate"), "function", "spin");
}

static void
assert_stack (JsonObject *edge, const char *member, const char *expected)
{
  if (expected == NULL)
    g_assert_true (json_object_get_null_member (edge, member));
  else
    summary_assert_strings (edge, member, expected);
}

/* A waits for B at two places and is woken from two. For each side the report names the place with
 * most waiting time. */
static void
test_stacks_of_edge (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *edge;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int i = 0; i < 3; i++)
    {
      int t = 1000 + i * 3000;

      /* Two waits of 1 ms and one of 2.5 ms. */
      story_switch_with_stack (story, t, 0, 11, "S", 0,
                               i < 2 ? "main;ask;block" : "main;finish;block");
      story_add (story, t + (i < 2 ? 1000 : 2500), "%s",
                 i < 2 ? "1,wakeup,,,,12,11,,,,,,main;answer;unlock,,"
                       : "1,wakeup,,,,12,11,,,,,,main;end;unlock,,");
      story_switch (story, t + (i < 2 ? 1000 : 2500), 0, 0, "R", 11);
    }
  story_sleep (story, 11000, 12000, 1, 12, 0, 11);
  story_switch (story, 13000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  edge = wait_graph_find_edge (wait_graph_get_summary (report), "A", "B");
  assert_stack (edge, "waiter_stack", "main finish block");
  assert_stack (edge, "waker_stack", "main end unlock");
  edge = wait_graph_find_edge (wait_graph_get_summary (report), "B", "A");
  assert_stack (edge, "waiter_stack", NULL);
  assert_stack (edge, "waker_stack", NULL);
}

static void
receive (Story *story, int us, int tid, const char *rest)
{
  story_add (story, us, "0,net_receive,,,,,,,%d,%s", tid, rest);
}

/* A reader sends a request, waits for the answer, works, and repeats: a knot with its peer. A
 * server that waits for requests is in no knot. */
static void
test_peers (void)
{
  Story *story = story_new ("reader server");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  for (int i = 0; i < 10; i++)
    {
      int t = i * 1000;

      story_add (story, t + 300, "0,net_send,,,,,,,11,eth0,100,far:80,,,7");
      story_switch (story, t + 300, 0, 11, "S", 0);
      story_add (story, t + 1000, "0,softirq_entry,,,,,,3,,,,,,,");
      receive (story, t + 1000, 11, "eth0,900,far:80,,,7");
      story_wake (story, t + 1000, 0, 0, 11);
      story_add (story, t + 1001, "0,softirq_exit,,,,,,3,,,,,,,");
      story_switch (story, t + 1001, 0, 0, "R", 11);

      story_switch (story, t + 50, 1, 12, "S", 0);
      story_add (story, t + 900, "1,softirq_entry,,,,,,3,,,,,,,");
      story_add (story, t + 900, "1,net_receive,,,,,,,12,eth0,10,near:99,,,8");
      story_wake (story, t + 900, 1, 0, 12);
      story_add (story, t + 901, "1,softirq_exit,,,,,,3,,,,,,,");
      story_switch (story, t + 901, 1, 0, "R", 12);
      story_add (story, t + 950, "1,net_send,,,,,,,12,eth0,10,near:99,,,8");
    }
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  g_assert_nonnull (wait_graph_find_edge (summary, "reader", "far:80"));
  g_assert_true (
      json_object_get_boolean_member (wait_graph_find_edge (summary, "far:80", "reader"), "idle"));
  g_assert_nonnull (wait_graph_find_edge (summary, "server", "near:99"));
  g_assert_null (wait_graph_find_edge (summary, "near:99", "server"));
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names",
                          "reader far:80");
}

static char *
export_dot (TbReport *report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbExporter) exporter
      = tb_engine_create_exporter (tb_engine_get_default (), "dot", &error);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  g_assert_no_error (error);
  g_assert_true (tb_exporter_export_report (exporter, report, stream, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
  return g_strdup (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)));
}

static void
test_dot (void)
{
  g_autoptr (TbTrace) trace = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  g_autoptr (TbReport) higher = wait_graph_analyze (trace, "threshold", "0.6", NULL);
  g_autoptr (TbReport) with_target = wait_graph_analyze (trace, "target", "server", NULL);
  g_autoptr (TbReport) bare = tb_report_new ("bare", "Bare", 0, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbExporter) exporter
      = tb_engine_create_exporter (tb_engine_get_default (), "dot", NULL);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autofree char *text = export_dot (report);
  g_autofree char *higher_text = export_dot (higher);
  g_autofree char *target_text = export_dot (with_target);

  g_assert_true (g_str_has_prefix (text, "digraph \"wait-graph\" {"));
  g_assert_true (g_str_has_suffix (text, "}\n"));
  g_assert_nonnull (strstr (text, "subgraph cluster_0"));
  g_assert_nonnull (
      strstr (text, "v1 -> v2 [penwidth=4.50, style=solid, color=red, weight_ns=100000000"));
  /* Half of the time: above the threshold, even though it only waits for new work. */
  g_assert_nonnull (
      strstr (text, "v2 -> v1 [penwidth=2.50, style=solid, color=red, weight_ns=50001000"));
  g_assert_nonnull (strstr (higher_text, "v2 -> v1 [penwidth=2.50, style=dashed, color="));
  /* With a target, edges have their delay of the target. */
  g_assert_nonnull (
      strstr (target_text, "v1 -> v2 [penwidth=4.50, style=solid, color=red, limits_ns=100000000"));
  g_assert_null (strstr (target_text, "weight_ns="));
  g_assert_false (tb_exporter_export_report (exporter, bare, stream, NULL, &error));
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_UNAVAILABLE);
}

/* An edge of exactly the threshold does not exceed it. */
static void
test_dot_threshold (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL, lower = NULL;
  TbReport *reports[2];

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep (story, 1000, 3000, 0, 11, 1, 12);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  lower = wait_graph_analyze (trace, "threshold", "0.19", NULL);
  wait_graph_assert_edge (wait_graph_get_summary (report), "A", "B", 2 * MS, 2 * MS, 1);
  reports[0] = report;
  reports[1] = lower;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbExporter) exporter
          = tb_engine_create_exporter (tb_engine_get_default (), "dot", &error);
      g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

      g_assert_no_error (error);
      g_assert_true (tb_exporter_export_report (exporter, reports[i], stream, NULL, &error));
      g_assert_true (g_output_stream_write_all (stream, "", 1, NULL, NULL, NULL));
      g_assert_nonnull (strstr (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                                i == 0 ? "style=dashed, color=black, weight_ns=2000000"
                                       : "style=solid, color=black, weight_ns=2000000"));
    }
}

/* Figure 1 compared with itself with a disk twice as fast. */
static void
test_compare (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) base = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbTrace) other = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary, *difference;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_sleep (story, 20000, 100000, 0, 11, 1, 12);
  story_switch (story, 100001, 0, 11, "R", 11);
  other = story_open_as (story, "other");
  report = report_compare ("wait-graph", base, other, NULL, NULL);
  summary = report_get_summary (report);
  g_assert_cmpstr (json_object_get_string_member (summary, "normalized_by"), ==, "recorded_ns");
  g_assert_cmpuint (summary_count (json_object_get_object_member (summary, "base"), "bottlenecks"),
                    ==, 1);
  g_assert_cmpuint (summary_count (json_object_get_object_member (summary, "other"), "bottlenecks"),
                    ==, 0);
  difference = summary_get_element (summary, "differences", 0);
  g_assert_cmpstr (json_object_get_string_member (difference, "id"), ==, "B > disk");
  g_assert_cmpint (json_object_get_int_member (difference, "base"), ==, 100 * MS);
  g_assert_cmpint (json_object_get_int_member (difference, "other"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (difference, "delta"), ==, -100 * MS);
  g_assert_false (json_object_get_boolean_member (difference, "within_noise"));
  findings_get_with (report, "bottleneck-edge-gone", "edge", "B > disk");
}

/* Two requests complete at one time, and the wake-up is recorded before both. The thread waited for
 * its own request. */
static void
test_completion_after_wakeup (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_add (story, 900, "1,io_issue,,,,,,,12,vdb,4096,,,2,");
  story_add (story, 1000, "0,io_issue,,,,,,,11,vda,4096,,,1,");
  story_switch (story, 1000, 0, 11, "D", 0);
  story_add (story, 4000, "0,irq_entry,,,,,,,,,,,,,");
  story_wake (story, 4000, 0, 0, 11);
  story_add (story, 4000, "0,io_complete,,,,,,,12,vdb,4096,,,2,");
  story_add (story, 4000, "0,io_complete,,,,,,,11,vda,4096,,,1,");
  story_add (story, 4000, "0,irq_exit,,,,,,,,,,,,,");
  story_switch (story, 4000, 0, 0, "R", 11);
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, NULL);
  wait_graph_assert_edge (wait_graph_get_summary (report), "A", "vda", 3 * MS, 3 * MS, 1);
}

/* --- events added directly to the recorder --- */

typedef struct
{
  TbRecorder *recorder;
  guint32 device;
} Direct;

static void
add_io (Direct *direct, gint64 time, TbEventKind kind, gint32 tid, guint64 sector)
{
  TbEvent event = recording_make_event (time, kind, 1, tid);

  event.device = direct->device;
  event.a = sector;
  event.b = 4096;
  tb_recorder_add (direct->recorder, &event);
}

static void
add_interrupt (Direct *direct, gint64 time, TbEventKind kind)
{
  TbEvent event = recording_make_event (time, kind, 1, -1);

  event.device = direct->device;
  tb_recorder_add (direct->recorder, &event);
}

/* Figure 1 once more, without the text format. */
static TbTrace *
record_figure_1 (void)
{
  Direct direct = { .recorder = recording_new ("direct") };

  direct.device = tb_recorder_intern_device (direct.recorder, 0, "disk", "block", "");
  recording_name (direct.recorder, 11, "A", 10);
  recording_name (direct.recorder, 12, "B", 10);
  recording_switch (direct.recorder, 0, 0, 0, 'R', 11);
  recording_switch (direct.recorder, 0, 1, 0, 'R', 12);
  for (int i = 0; i < 10; i++)
    {
      gint64 start = i * 10 * MS, end = start + 10 * MS;

      recording_switch (direct.recorder, start + 2 * MS + 1000, 0, 11, 'S', 0);
      add_io (&direct, start + 5 * MS, TB_EVENT_IO_INSERT, 12, (guint64) i + 1);
      add_io (&direct, start + 5 * MS, TB_EVENT_IO_ISSUE, 12, (guint64) i + 1);
      recording_switch (direct.recorder, start + 5 * MS, 1, 12, 'D', 0);
      add_interrupt (&direct, end, TB_EVENT_IRQ_ENTRY);
      add_io (&direct, end, TB_EVENT_IO_COMPLETE, 0, (guint64) i + 1);
      recording_wake (direct.recorder, end, 1, 0, 12);
      add_interrupt (&direct, end, TB_EVENT_IRQ_EXIT);
      recording_switch (direct.recorder, end, 1, 0, 'R', 12);
      recording_wake (direct.recorder, end + 1000, 1, 12, 11);
      recording_switch (direct.recorder, end + 1000, 0, 0, 'R', 11);
    }
  return recording_open (direct.recorder);
}

static void
assert_same_edges (JsonObject *one, JsonObject *two, const char *from, const char *to)
{
  static const char *const members[]
      = { "weight_ns", "plain_ns", "waits", "longest_ns", "bound_ns" };
  JsonObject *left = wait_graph_find_edge (one, from, to),
             *right = wait_graph_find_edge (two, from, to);

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    g_assert_cmpint (json_object_get_int_member (left, members[i]), ==,
                     json_object_get_int_member (right, members[i]));
}

static void
test_recording (void)
{
  g_autoptr (TbTrace) text = story_open_file ("plugins/wait-graph-figure-1.csv");
  g_autoptr (TbTrace) direct = record_figure_1 ();
  g_autoptr (TbReport) one = wait_graph_analyze (text, NULL);
  g_autoptr (TbReport) two = wait_graph_analyze (direct, NULL);
  JsonObject *left = wait_graph_get_summary (one), *right = wait_graph_get_summary (two);

  g_assert_cmpint (json_object_get_int_member (left, "recorded_ns"), ==,
                   json_object_get_int_member (right, "recorded_ns"));
  g_assert_cmpuint (summary_count (left, "edges"), ==, summary_count (right, "edges"));
  assert_same_edges (left, right, "A", "B");
  assert_same_edges (left, right, "B", "disk");
  assert_same_edges (left, right, "disk", "B");
  summary_assert_strings (summary_get_element (right, "bottlenecks", 0), "names", "B disk");
}

/* A request of 1 ms, added to the recorder. operation: the kernel's letters. */
static void
add_request (Direct *direct,
             gint64 time,
             gint32 tid,
             guint64 sector,
             guint64 bytes,
             const char *operation)
{
  static const TbEventKind kinds[]
      = { TB_EVENT_IO_INSERT, TB_EVENT_IO_ISSUE, TB_EVENT_IO_COMPLETE };
  TbEvent event;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      event = recording_make_event (time + (i == 2 ? MS : 0), kinds[i], 1, i == 2 ? 0 : tid);
      event.device = direct->device;
      event.a = sector;
      event.b = bytes;
      event.text = tb_recorder_intern_string (direct->recorder, operation, -1);
      if (i == 2)
        add_interrupt (direct, event.time, TB_EVENT_IRQ_ENTRY);
      tb_recorder_add (direct->recorder, &event);
    }
  if (tid == 11)
    recording_wake (direct->recorder, time + MS, 1, 0, tid);
  add_interrupt (direct, time + MS, TB_EVENT_IRQ_EXIT);
}

/* A reads 3000 bytes and waits for them; B writes 1000; the requesting thread of another 4000 is
 * unknown. The disk is idle for 8 of 11 ms. */
static TbTrace *
record_requests (void)
{
  Direct direct = { .recorder = recording_new ("shares") };

  direct.device = tb_recorder_intern_device (direct.recorder, 0, "vda", "block", "254:0");
  recording_name (direct.recorder, 11, "A", 10);
  recording_name (direct.recorder, 12, "B", 10);
  recording_switch (direct.recorder, 0, 0, 0, 'R', 11);
  recording_switch (direct.recorder, 0, 1, 0, 'R', 12);
  recording_switch (direct.recorder, MS, 0, 11, 'D', 0);
  add_request (&direct, MS, 11, 1, 3000, "R");
  recording_switch (direct.recorder, 2 * MS, 0, 0, 'R', 11);
  add_request (&direct, 4 * MS, 12, 2, 1000, "W");
  add_request (&direct, 7 * MS, 0, 3, 4000, "WS");
  recording_switch (direct.recorder, 11 * MS, 0, 11, 'R', 11);
  return recording_open (direct.recorder);
}

/* Idle time is shared by bytes read or written. The share of unknown threads belongs to no
 * thread. */
static void
test_shares (void)
{
  g_autoptr (TbTrace) trace = record_requests ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  TbFinding *finding;

  wait_graph_assert_edge (summary, "vda", "A", 3 * MS, 3 * MS, 4);
  wait_graph_assert_edge (summary, "vda", "B", 1 * MS, 1 * MS, 4);
  g_assert_cmpint (json_object_get_int_member (summary_get_element (summary, "devices", 0),
                                               "idle_ns"),
                   ==, 8 * MS);
  /* The device's numbers follow its name. */
  finding = findings_get (report, "longest-wait-outside-bottleneck");
  finding_assert_string (finding, "waiter", "A (11)");
  finding_assert_string (finding, "awaited", "vda (254:0)");
  finding_assert_integer (finding, "wait_ns", 1 * MS);
  finding_assert_integer (finding, "waits", 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/details/contention", test_contention);
  g_test_add_func ("/wait-graph/work", test_work);
  g_test_add_func ("/wait-graph/false-wakeups-proposed", test_false_wakeups_proposed);
  g_test_add_func ("/wait-graph/spins-proposed", test_spins_proposed);
  g_test_add_func ("/wait-graph/stacks-of-edge", test_stacks_of_edge);
  g_test_add_func ("/wait-graph/peers", test_peers);
  g_test_add_func ("/wait-graph/dot", test_dot);
  g_test_add_func ("/wait-graph/dot/threshold", test_dot_threshold);
  g_test_add_func ("/wait-graph/compare", test_compare);
  g_test_add_func ("/wait-graph/completion-recorded-after", test_completion_after_wakeup);
  g_test_add_func ("/wait-graph/recording", test_recording);
  g_test_add_func ("/wait-graph/shares", test_shares);
  return recording_run_tests ();
}
