/* test-wait-graph-peers.c: test of the senders of messages, and of the default target of the
 * analysis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define US G_GINT64_CONSTANT (1000)

/* --- peers --- */

/* The answer comes through the network softirq, but from a thread of this machine: the client waits
 * for that thread. */
static void
test_loopback (void)
{
  TbRecorder *recorder = recording_new ("loopback");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  recording_name (recorder, 11, "client", 10);
  recording_name (recorder, 21, "server", 20);
  recording_switch (recorder, 0, 0, 0, 'R', 11);
  recording_switch (recorder, 0, 1, 0, 'R', 21);
  for (int i = 0; i < 10; i++)
    {
      gint64 t = (i * 2 + 1) * MS;

      recording_message (recorder, t, TB_EVENT_NET_SEND, 0, 11, 7, "127.0.0.1:80", "127.0.0.1:5000",
                         100);
      recording_switch (recorder, t + 10 * US, 0, 11, 'S', 0);
      recording_message (recorder, t + MS, TB_EVENT_NET_SEND, 1, 21, 8, "127.0.0.1:5000",
                         "127.0.0.1:80", 100);
      recording_net_softirq (recorder, t + MS, TB_EVENT_SOFTIRQ_ENTRY, 1);
      recording_message (recorder, t + MS, TB_EVENT_NET_RECEIVE, 1, 11, 7, "127.0.0.1:80",
                         "127.0.0.1:5000", 100);
      recording_wake (recorder, t + MS, 1, 0, 11);
      recording_net_softirq (recorder, t + MS + US, TB_EVENT_SOFTIRQ_EXIT, 1);
      recording_switch (recorder, t + MS + US, 0, 0, 'R', 11);
    }
  recording_switch (recorder, 22 * MS, 0, 11, 'R', 0);
  trace = recording_open (recorder);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "client", "server", 10 * (MS - 10 * US), 10 * (MS - 10 * US),
                          10);
  g_assert_null (wait_graph_find_edge (summary, "client", "127.0.0.1:80"));
}

/* Several threads share the server's end. The client's end determines which one answered. */
static void
test_loopback_shared (gboolean has_arrival)
{
  TbRecorder *recorder = recording_new ("shared");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  recording_name (recorder, 11, "client", 10);
  recording_name (recorder, 21, "server", 20);
  recording_name (recorder, 22, "other", 20);
  recording_switch (recorder, 0, 0, 0, 'R', 11);
  recording_switch (recorder, 0, 1, 0, 'R', 21);
  recording_switch (recorder, 0, 2, 0, 'R', 22);
  for (int i = 0; i < 10; i++)
    {
      gint64 t = (i * 2 + 1) * MS;

      recording_message (recorder, t, TB_EVENT_NET_SEND, 0, 11, 7, "127.0.0.1:80", "127.0.0.1:5000",
                         100);
      recording_switch (recorder, t + 10 * US, 0, 11, 'S', 0);
      recording_message (recorder, t + MS - 2 * US, TB_EVENT_NET_SEND, 1, 21, 8, "127.0.0.1:5000",
                         "127.0.0.1:80", 100);
      recording_message (recorder, t + MS - US, TB_EVENT_NET_SEND, 2, 22, 9, "127.0.0.1:5001",
                         "127.0.0.1:80", 100);
      recording_net_softirq (recorder, t + MS - US, TB_EVENT_SOFTIRQ_ENTRY, 3);
      recording_message (recorder, t + MS, TB_EVENT_NET_RECEIVE, 3, 0, 7, "127.0.0.1:80",
                         has_arrival ? "127.0.0.1:5000" : NULL, 100);
      recording_wake (recorder, t + MS, 3, 0, 11);
      recording_net_softirq (recorder, t + MS + US, TB_EVENT_SOFTIRQ_EXIT, 3);
      recording_switch (recorder, t + MS + US, 0, 0, 'R', 11);
      /* Later the server also sends to the other client. */
      recording_message (recorder, t + MS + 2 * US, TB_EVENT_NET_SEND, 0, 11, 10, "127.0.0.1:80",
                         has_arrival ? "127.0.0.1:5001" : "127.0.0.1:5000", 100);
    }
  recording_switch (recorder, 22 * MS, 0, 11, 'R', 0);
  trace = recording_open (recorder);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "client", "server", 10 * (MS - 10 * US), 10 * (MS - 10 * US),
                          10);
  g_assert_null (wait_graph_find_edge (summary, "client", "other"));
  g_assert_null (wait_graph_find_edge (summary, "client", "127.0.0.1:80"));
}

static void
test_loopback_arrival (void)
{
  test_loopback_shared (TRUE);
}

static void
test_loopback_own_end (void)
{
  test_loopback_shared (FALSE);
}

/* A message is recorded when the call that sends it ends: the first one on the connection after the
 * wake-up counts. A thread that sends only on other connections is not the sender. */
static void
test_loopback_recorded_late (void)
{
  TbRecorder *recorder = recording_new ("recorded-late");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  recording_name (recorder, 11, "client", 10);
  recording_name (recorder, 12, "late", 10);
  recording_name (recorder, 21, "server", 20);
  recording_name (recorder, 22, "other", 20);
  for (guint16 cpu = 0; cpu < 4; cpu++)
    recording_switch (recorder, 0, cpu, 0, 'R', (gint32[]) { 11, 12, 21, 22 }[cpu]);
  recording_switch (recorder, 100 * US, 0, 11, 'S', 0);
  recording_switch (recorder, 100 * US, 1, 12, 'S', 0);
  recording_message (recorder, MS, TB_EVENT_NET_SEND, 3, 22, 9, "127.0.0.1:5009", "127.0.0.1:80",
                     100);
  recording_net_softirq (recorder, 2 * MS, TB_EVENT_SOFTIRQ_ENTRY, 4);
  recording_message (recorder, 2 * MS, TB_EVENT_NET_RECEIVE, 4, 0, 7, "127.0.0.1:80",
                     "127.0.0.1:5000", 100);
  recording_wake (recorder, 2 * MS, 4, 0, 11);
  recording_message (recorder, 2 * MS + US, TB_EVENT_NET_RECEIVE, 4, 0, 8, "127.0.0.1:80",
                     "127.0.0.1:5001", 100);
  recording_wake (recorder, 2 * MS + US, 4, 0, 12);
  recording_net_softirq (recorder, 2 * MS + 2 * US, TB_EVENT_SOFTIRQ_EXIT, 4);
  recording_switch (recorder, 2 * MS + 2 * US, 0, 0, 'R', 11);
  recording_switch (recorder, 2 * MS + 2 * US, 1, 0, 'R', 12);
  recording_message (recorder, 2 * MS + 10 * US, TB_EVENT_NET_SEND, 2, 21, 8, "127.0.0.1:5000",
                     "127.0.0.1:80", 100);
  recording_message (recorder, 3 * MS, TB_EVENT_NET_SEND, 2, 21, 8, "127.0.0.1:5001",
                     "127.0.0.1:80", 100);
  recording_switch (recorder, 4 * MS, 0, 11, 'R', 0);
  trace = recording_open (recorder);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "client", "server", 1900 * US, 1900 * US, 1);
  g_assert_null (wait_graph_find_edge (summary, "client", "other"));
  wait_graph_assert_edge (summary, "late", "127.0.0.1:80", 1901 * US, 1901 * US, 1);
}

/* The same addresses are in use on another host. */
static void
test_loopback_of_two_hosts (void)
{
  TbRecorder *recorder = recording_new ("hosts");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;
  TbEvent event;

  tb_recorder_add_host (recorder, "alpha", "", "", 4, 0);
  tb_recorder_add_host (recorder, "beta", "", "", 4, 0);
  recording_name (recorder, 11, "client", 10);
  recording_name (recorder, 21, "server", 20);
  event = recording_make_event (0, TB_EVENT_NAME, 0, 21);
  event.pid = 20;
  event.text = tb_recorder_intern_string (recorder, "foreign", -1);
  event.host = 1;
  tb_recorder_add (recorder, &event);
  recording_switch (recorder, 0, 0, 0, 'R', 11);
  recording_switch (recorder, 0, 1, 0, 'R', 21);
  recording_switch (recorder, 10 * US, 0, 11, 'S', 0);
  recording_message (recorder, MS - 2 * US, TB_EVENT_NET_SEND, 1, 21, 8, "127.0.0.1:5000",
                     "127.0.0.1:80", 100);
  event = recording_make_event (MS - US, TB_EVENT_NET_SEND, 1, 21);
  event.host = 1;
  event.pid = 20;
  event.a = 8;
  event.text2 = tb_recorder_intern_string (recorder, "127.0.0.1:5000", -1);
  event.text3 = tb_recorder_intern_string (recorder, "127.0.0.1:80", -1);
  tb_recorder_add (recorder, &event);
  recording_net_softirq (recorder, MS - US, TB_EVENT_SOFTIRQ_ENTRY, 2);
  recording_message (recorder, MS, TB_EVENT_NET_RECEIVE, 2, 0, 7, "127.0.0.1:80", "127.0.0.1:5000",
                     100);
  recording_wake (recorder, MS, 2, 0, 11);
  recording_net_softirq (recorder, MS + US, TB_EVENT_SOFTIRQ_EXIT, 2);
  recording_switch (recorder, MS + US, 0, 0, 'R', 11);
  recording_switch (recorder, 2 * MS, 0, 11, 'R', 0);
  trace = recording_open (recorder);
  report = wait_graph_analyze (trace, NULL);
  summary = wait_graph_get_summary (report);
  wait_graph_assert_edge (summary, "client", "server", 990 * US, 990 * US, 1);
  g_assert_null (wait_graph_find_edge (summary, "client", "foreign"));
}

/* Messages from an unknown sender: the network is not an exit from a knot, not saturated, and not
 * part of a knot. */
static void
test_unknown (void)
{
  Story *story = story_new ("reader A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *summary;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 13);
  for (int t = 0; t < 10000; t += 1000)
    {
      story_switch (story, t + 100, 0, 11, "S", 0);
      story_add (story, t + 900, "0,softirq_entry,,,,,,3,,,,,,,");
      story_wake (story, t + 900, 0, 0, 11);
      story_add (story, t + 901, "0,softirq_exit,,,,,,3,,,,,,,");
      story_switch (story, t + 901, 0, 0, "R", 11);
      story_sleep (story, t + 100, t + 400, 1, 12, 2, 13);
      story_sleep (story, t + 500, t + 800, 2, 13, 1, 12);
      /* A also waits for the network. */
      story_switch (story, t + 850, 1, 12, "S", 0);
      story_add (story, t + 950, "1,softirq_entry,,,,,,3,,,,,,,");
      story_wake (story, t + 950, 1, 0, 12);
      story_add (story, t + 951, "1,softirq_exit,,,,,,3,,,,,,,");
      story_switch (story, t + 951, 1, 0, "R", 12);
    }
  story_switch (story, 10000, 0, 11, "R", 11);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "workers", "A", NULL);
  summary = wait_graph_get_summary (report);
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "reader", "network"), ==, "unknown");
  g_assert_cmpstr (wait_graph_get_exclusion (summary, "A", "network"), ==, "unknown");
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  summary_assert_strings (summary_get_element (summary, "bottlenecks", 0), "names", "A B");
  g_assert_cmpuint (findings_count (report, "network-saturation"), ==, 0);
}

/* A message wakes A while B is in a system call: returns what A waits for. with_hard: a hard
 * interrupt of another device is recorded. */
static JsonObject *
analyze_call (const char *call, gboolean with_hard, TbTrace **trace, TbReport **report)
{
  Story *story = story_new ("A B C");

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 13);
  if (with_hard)
    {
      story_add (story, 10, "2,irq_entry,,,,,,,,vda,,,,,");
      story_add (story, 20, "2,irq_exit,,,,,,,,vda,,,,,");
    }
  story_switch (story, 100, 0, 11, "S", 0);
  story_add (story, 4990, "1,sys_enter,,,,,,,12,,,%s,,,", call);
  story_add (story, 5000, "1,softirq_entry,,,,,,3,,,,,,,");
  story_wake (story, 5000, 1, 12, 11);
  story_add (story, 5001, "1,softirq_exit,,,,,,3,,,,,,,");
  story_switch (story, 5001, 0, 0, "R", 11);
  story_add (story, 5010, "1,sys_exit,,,,,,,12,,100,,,,");
  story_switch (story, 10000, 0, 11, "R", 11);
  *trace = story_open (story);
  *report = wait_graph_analyze (*trace, NULL);
  return wait_graph_get_summary (*report);
}

/* An interrupted thread is not the waker: a thread in a read sends nothing. A thread in a write may
 * be the sender. */
static void
test_interrupted (void)
{
  static const struct
  {
    const char *call;
    gboolean with_hard;
    const char *waited_for;
    const char *not_for;
  } cases[] = {
    { "read", FALSE, "network", "B" },  { "read", TRUE, "network", "B" },
    { "openat", TRUE, "network", "B" }, { "write", FALSE, "network", "B" },
    { "write", TRUE, "B", "network" },  { "close", TRUE, "B", "network" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      JsonObject *summary = analyze_call (cases[i].call, cases[i].with_hard, &trace, &report);

      wait_graph_assert_edge (summary, "A", cases[i].waited_for, 4900 * US, 4900 * US, 1);
      g_assert_null (wait_graph_find_edge (summary, "A", cases[i].not_for));
    }
}

/* --- forwarding by other processes --- */

/* A waits for B, also through the helper of another process, and B for A. The helper's own wait for
 * B is light. */
static TbTrace *
open_forwarded (void)
{
  Story *story = story_new ("A B");

  story_name (story, 10, "app", 10);
  story_name (story, 30, "helper", 30);
  story_name (story, 31, "helper/one", 30);
  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  story_switch (story, 0, 2, 0, "R", 31);
  story_switch (story, 50, 2, 31, "S", 0);
  for (int t = 0; t < 100000; t += 20000)
    {
      story_switch (story, t + 100, 0, 11, "S", 0);
      story_add (story, t + 6900, "2,softirq_entry,,,,,,1,,,,,,,");
      story_wake (story, t + 6900, 2, 0, 31);
      story_add (story, t + 6901, "2,softirq_exit,,,,,,1,,,,,,,");
      story_switch (story, t + 6901, 2, 0, "R", 31);
      story_sleep (story, t + 7100, t + 7900, 2, 31, 1, 12);
      story_wake (story, t + 8000, 2, 31, 11);
      story_switch (story, t + 8000, 0, 0, "R", 11);
      story_switch (story, t + 8100, 2, 31, "S", 0);
      story_sleep (story, t + 9000, t + 14000, 0, 11, 1, 12);
      story_sleep (story, t + 14100, t + 19500, 1, 12, 0, 11);
    }
  story_switch (story, 100000, 0, 11, "R", 11);
  return story_open (story);
}

/* With a target the forwarding edge stays in the knot as long as the edges of the target that lead
 * through it. */
static void
test_forwarded (void)
{
  g_autoptr (TbTrace) trace = open_forwarded ();
  g_autoptr (TbReport) report = wait_graph_analyze (trace, "target", "app", "workers", "app", NULL);
  g_autoptr (TbReport) all = wait_graph_analyze (trace, "workers", "app", NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *edge = wait_graph_find_edge (summary, "helper", "B");

  /* The threshold is a fifth of 100 ms. */
  g_assert_cmpint (json_object_get_int_member (edge, "weight_ns"), <, 20 * MS);
  g_assert_cmpuint (summary_count (summary, "bottlenecks"), ==, 1);
  g_assert_cmpuint (summary_count (summary_get_element (summary, "bottlenecks", 0), "vertices"), ==,
                    3);
  /* Without a target the edge has its own, low weight. */
  summary = wait_graph_get_summary (all);
  g_assert_cmpuint (summary_count (summary_get_element (summary, "bottlenecks", 0), "vertices"), <,
                    3);
}

/* --- the default target is the recorded command --- */

static void
add_pair (TbRecorder *recorder, gint64 t, gint64 length, guint16 cpu, gint32 tid)
{
  recording_switch (recorder, t, cpu, tid, 'S', 0);
  recording_wake (recorder, t + length, cpu + 1, tid + 1, tid);
  recording_switch (recorder, t + length, cpu, 0, 'R', tid);
}

static char *
make_headline (const char *command)
{
  TbRecorder *recorder = recording_new ("command");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;

  if (command != NULL)
    tb_recorder_set_fact (recorder, "command-pid", command);
  recording_name (recorder, 10, "mine", 10);
  recording_name (recorder, 11, "X", 10);
  recording_name (recorder, 12, "Y", 10);
  recording_name (recorder, 20, "theirs", 20);
  recording_name (recorder, 21, "P", 20);
  recording_name (recorder, 22, "Q", 20);
  for (guint16 cpu = 0; cpu < 4; cpu++)
    recording_switch (recorder, 0, cpu, 0, 'R', cpu < 2 ? 11 + cpu : 21 + cpu - 2);
  for (int i = 0; i < 10; i++)
    {
      gint64 t = i * 10 * MS + MS;

      /* Both pairs wait for one another, the second pair for longer. Events are added in order of
       * time, as the recorder requires. */
      add_pair (recorder, t, 2 * MS, 0, 11);
      recording_switch (recorder, t + 2 * MS, 1, 12, 'S', 0);
      recording_wake (recorder, t + 4 * MS, 0, 11, 12);
      recording_switch (recorder, t + 4 * MS, 1, 0, 'R', 12);
      recording_switch (recorder, t + 4 * MS, 2, 21, 'S', 0);
      recording_wake (recorder, t + 6 * MS + 500 * US, 3, 22, 21);
      recording_switch (recorder, t + 6 * MS + 500 * US, 2, 0, 'R', 21);
      recording_switch (recorder, t + 6 * MS + 500 * US, 3, 22, 'S', 0);
      recording_wake (recorder, t + 9 * MS, 2, 21, 22);
      recording_switch (recorder, t + 9 * MS, 3, 0, 'R', 22);
    }
  recording_switch (recorder, 101 * MS, 0, 11, 'R', 0);
  trace = recording_open (recorder);
  report = wait_graph_analyze_command (trace, "threshold", "0.1", NULL);
  return g_strdup (tb_report_get_headline (report));
}

static void
test_command (void)
{
  g_autofree char *all = make_headline (NULL);
  g_autofree char *mine = make_headline ("10");
  g_autofree char *no_sender = make_headline ("99");

  g_assert_true (g_str_has_prefix (all, "P (21) and Q (22) limit the throughput"));
  g_assert_true (g_str_has_prefix (mine, "X (11) and Y (12) limit the throughput"));
  g_assert_true (g_str_has_prefix (no_sender, "P (21) and Q (22)"));
  /* The sentence states what its upper bound refers to. */
  g_assert_nonnull (
      strstr (mine,
              "removing the waits of one edge there, with all else as recorded, gains at most "));
}

static void
sleep_for_peer (Story *story, int us)
{
  story_add (story, us, ",sleep,,socket,,,,,11,10.0.0.9:80,-1,recvfrom,,3,");
  story_switch (story, us, 0, 11, "S", 0);
}

/* A slept for a peer twice: one message came over the network, the other one from B, which is the
 * peer's local end. A change of A's waits for the peer applies to both. */
static void
test_what_if (void)
{
  Story *story = story_new ("A B");
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *prediction;

  story_switch (story, 0, 0, 0, "R", 11);
  story_switch (story, 0, 1, 0, "R", 12);
  sleep_for_peer (story, 100);
  story_add (story, 200, "0,softirq_entry,,,,,,3,,,,,,,");
  story_add (story, 200, "0,net_receive,,,,,,,0,tcp,100,10.0.0.9:80 from 10.0.0.1:999,,,7");
  story_wake (story, 200, 0, 0, 11);
  story_add (story, 200, "0,softirq_exit,,,,,,3,,,,,,,");
  story_switch (story, 201, 0, 0, "R", 11);
  sleep_for_peer (story, 300);
  story_wake (story, 400, 1, 12, 11);
  story_switch (story, 400, 0, 0, "R", 11);
  story_switch (story, 420, 1, 12, "S", 0);
  story_switch (story, 500, 0, 11, "S", 0);
  trace = story_open (story);
  report = wait_graph_analyze (trace, "what-if", "edge:A>10.0.0.9:80*0", NULL);
  prediction = summary_get_element (wait_graph_get_summary (report), "what_if", 0);
  g_assert_cmpint (json_object_get_int_member (prediction, "waits"), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/peers/loopback", test_loopback);
  g_test_add_func ("/wait-graph/peers/loopback-arrival", test_loopback_arrival);
  g_test_add_func ("/wait-graph/peers/loopback-own-end", test_loopback_own_end);
  g_test_add_func ("/wait-graph/peers/loopback-recorded-after", test_loopback_recorded_late);
  g_test_add_func ("/wait-graph/peers/loopback-of-two-hosts", test_loopback_of_two_hosts);
  g_test_add_func ("/wait-graph/peers/unknown", test_unknown);
  g_test_add_func ("/wait-graph/peers/interrupted", test_interrupted);
  g_test_add_func ("/wait-graph/peers/handed-on", test_forwarded);
  g_test_add_func ("/wait-graph/peers/command", test_command);
  g_test_add_func ("/wait-graph/peers/what-if", test_what_if);
  return recording_run_tests ();
}
