/* test-wait-graph-links.c: test of the capacity of a network peer: as given, from the link speed,
 * or as measured
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "session/schema/tb-interface.h"
#include "wait-graph-fixture.h"

#define MS G_GINT64_CONSTANT (1000000)
#define US G_GINT64_CONSTANT (1000)
#define LENGTH (100 * MS)
#define MBIT G_GUINT64_CONSTANT (1000000)

#define HOST "192.0.2.1"
#define PEER "192.0.2.9:80"

static TbRecorder *
begin (void)
{
  TbRecorder *recorder = recording_new ("links");

  tb_recorder_add_host (recorder, "here", "6.18", "x86_64", 2, 0);
  recording_name (recorder, 11, "client", 10);
  recording_switch (recorder, 0, 0, 0, 'R', 11);
  return recorder;
}

/* address2: NULL for none. */
static void
add_interface (TbRecorder *recorder,
               guint32 index,
               guint64 speed,
               const char *address,
               const char *address2)
{
  g_autofree char *name = g_strdup_printf ("eth%u", index);
  const char *addresses[] = { address, address2, NULL };

  tb_recorder_add_interface (recorder, &(TbInterface) { .index = index,
                                                        .name = name,
                                                        .speed = speed,
                                                        .addresses = addresses });
}

/* The client sends a request at 10, 20, … 80 ms and receives the answer 5 ms later: 1000 bytes out,
 * 9000 back, each time. */
static void
add_questions (TbRecorder *recorder, guint64 socket, const char *local, const char *remote)
{
  for (int i = 1; i <= 8; i++)
    {
      gint64 t = i * 10 * MS;

      recording_message (recorder, t, TB_EVENT_NET_SEND, 0, 11, socket, remote, local, 1000);
      recording_switch (recorder, t + 10 * US, 0, 11, 'S', 0);
      recording_net_softirq (recorder, t + 5 * MS, TB_EVENT_SOFTIRQ_ENTRY, 1);
      recording_message (recorder, t + 5 * MS, TB_EVENT_NET_RECEIVE, 1, 11, socket, remote, local,
                         9000);
      recording_wake (recorder, t + 5 * MS, 1, 0, 11);
      recording_net_softirq (recorder, t + 5 * MS + US, TB_EVENT_SOFTIRQ_EXIT, 1);
      recording_switch (recorder, t + 5 * MS + US, 0, 0, 'R', 11);
    }
}

static TbTrace *
finish (TbRecorder *recorder)
{
  recording_switch (recorder, LENGTH, 0, 11, 'R', 0);
  return recording_open (recorder);
}

/* device-idle, device-capacity as given; then the expected capacity of the only device. interface:
 * NULL: unknown. */
static void
assert_capacity (TbTrace *trace,
                 const char *measure,
                 const char *given,
                 const char *from,
                 double capacity,
                 gint64 idle,
                 const char *interface)
{
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "device-idle", measure, "device-capacity", given, NULL);
  JsonObject *summary = wait_graph_get_summary (report);
  JsonObject *device = summary_get_element (summary, "devices", 0);

  g_assert_cmpuint (summary_count (summary, "devices"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (device, "capacity_from"), ==, from);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (device, "capacity"), capacity,
                                  capacity / 1e9);
  g_assert_cmpint (ABS (json_object_get_int_member (device, "idle_ns") - idle), <=, 1);
  if (interface != NULL)
    g_assert_cmpstr (json_object_get_string_member (device, "interface"), ==, interface);
  else
    g_assert_true (json_object_get_null_member (device, "interface"));
}

/* In 100 ms 8 kB go out and 72 kB come back: the busier direction of a link of 10 MB/s is used for
 * 7.2 ms. The peak rate of both directions is 80 kB in a tenth of a second. */
#define PEAK 800000.0
#define LINK_IDLE (LENGTH - 7200 * US)

static void
test_order (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) report = NULL;
  JsonObject *device;

  add_interface (recorder, 1, 0, "127.0.0.1", "::1");
  add_interface (recorder, 2, 80 * MBIT, HOST, "2001:db8::1");
  add_questions (recorder, 7, HOST ":5000", PEER);
  trace = finish (recorder);
  assert_capacity (trace, "bytes", "0", "link", 10e6, LINK_IDLE, "eth2");
  assert_capacity (trace, "bytes", "1600000", "given", 1.6e6, LENGTH / 2, NULL);
  /* The speed of a link gives no capacity in requests. */
  assert_capacity (trace, "requests", "0", "peak", 80, 0, NULL);
  assert_capacity (trace, "requests", "160", "given", 160, LENGTH / 2, NULL);

  report = wait_graph_analyze (trace, NULL);
  device = summary_get_element (wait_graph_get_summary (report), "devices", 0);
  g_assert_true (json_object_get_null_member (device, "capacity"));
  g_assert_true (json_object_get_null_member (device, "capacity_from"));
}

/* Text and table name the capacity, its unit and its source. */
static void
test_table (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;
  g_autoptr (TbReport) link = NULL, given = NULL, in_flight = NULL;
  g_autofree char *link_text = NULL, *given_text = NULL, *in_flight_text = NULL;

  add_interface (recorder, 2, 80 * MBIT, HOST, NULL);
  add_questions (recorder, 7, HOST ":5000", PEER);
  trace = finish (recorder);
  link = wait_graph_analyze (trace, "device-idle", "bytes", NULL);
  link_text = tb_report_to_text (link, 200);
  g_assert_nonnull (strstr (link_text, "5.76 Mbit/s"));
  g_assert_nonnull (strstr (link_text, "80 Mbit/s"));
  g_assert_nonnull (strstr (link_text, "link speed of eth2, in each direction"));
  given = wait_graph_analyze (trace, "device-idle", "requests", "device-capacity", "160", NULL);
  given_text = tb_report_to_text (given, 200);
  g_assert_nonnull (strstr (given_text, "160 requests/s"));
  g_assert_nonnull (strstr (given_text, "set by the option"));
  in_flight = wait_graph_analyze (trace, NULL);
  in_flight_text = tb_report_to_text (in_flight, 200);
  g_assert_null (strstr (in_flight_text, "Capacity of Devices"));
}

/* IPv6, in different notations in the two sources. */
static void
test_ipv6 (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;

  add_interface (recorder, 2, 80 * MBIT, HOST, "2001:db8:0:0::1");
  add_questions (recorder, 7, "[2001:db8::1]:5000", "[2001:db8::9]:80");
  trace = finish (recorder);
  assert_capacity (trace, "bytes", "0", "link", 10e6, LINK_IDLE, "eth2");
}

/* Other traffic on the link leaves less idle time, whether this host is client or server. */
static void
test_shared (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;

  add_interface (recorder, 2, 80 * MBIT, HOST, NULL);
  add_questions (recorder, 7, HOST ":5000", PEER);
  recording_message (recorder, 90 * MS, TB_EVENT_NET_RECEIVE, 1, 11, 8, "192.0.2.33:6000",
                     HOST ":22", 28000);
  recording_message (recorder, 91 * MS, TB_EVENT_NET_SEND, 0, 11, 8, "192.0.2.33:6000", HOST ":22",
                     5000);
  /* Traffic over no link, or over another one. */
  recording_message (recorder, 92 * MS, TB_EVENT_NET_RECEIVE, 1, 11, 9, "192.0.2.33:6000",
                     "198.51.100.1:22", 500000);
  trace = finish (recorder);
  assert_capacity (trace, "bytes", "0", "link", 10e6, LENGTH - 10 * MS, "eth2");
}

/* If the speed is unknown, or the interface, the measured peak is used. */
static void
test_unknown (void)
{
  static const struct
  {
    guint64 speed, speed2; /* of eth2 and eth3 */
    const char *address, *address2;
    const char *local, *remote;
    const char *interface;
  } cases[] = {
    /* The speed of this interface is unknown; the other one has it. */
    { 0, 80 * MBIT, HOST, "198.51.100.1", HOST ":5000", PEER, "eth2" },
    /* Both speeds are unknown. */
    { 0, 0, HOST, "198.51.100.1", HOST ":5000", PEER, NULL },
    /* An address of another network namespace. */
    { 80 * MBIT, 80 * MBIT, HOST, "198.51.100.1", "203.0.113.1:5000", PEER, NULL },
    /* Two interfaces with the same address. */
    { 80 * MBIT, 80 * MBIT, HOST, HOST, HOST ":5000", PEER, NULL },
    /* A connection of the host to itself. */
    { 80 * MBIT, 80 * MBIT, HOST, "198.51.100.1", HOST ":5000", HOST ":80", NULL },
    { 80 * MBIT, 80 * MBIT, HOST, "198.51.100.1", HOST ":5000", "198.51.100.1:80", NULL },
    /* No addresses at all. */
    { 80 * MBIT, 80 * MBIT, HOST, "198.51.100.1", "0.0.0.0:5000", PEER, NULL },
    { 80 * MBIT, 80 * MBIT, HOST, "198.51.100.1", "", PEER, NULL },
    { 80 * MBIT, 80 * MBIT, HOST, "198.51.100.1", HOST, PEER, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TbRecorder *recorder = begin ();
      g_autoptr (TbTrace) trace = NULL;

      g_test_message ("case %u", i);
      add_interface (recorder, 2, cases[i].speed, cases[i].address, NULL);
      add_interface (recorder, 3, cases[i].speed2, cases[i].address2, NULL);
      add_questions (recorder, 7, cases[i].local, cases[i].remote);
      trace = finish (recorder);
      assert_capacity (trace, "bytes", "0", "peak", PEAK, 0, cases[i].interface);
    }
}

/* A recording without interfaces. */
static void
test_no_interfaces (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;

  add_questions (recorder, 7, HOST ":5000", PEER);
  trace = finish (recorder);
  assert_capacity (trace, "bytes", "0", "peak", PEAK, 0, NULL);
}

/* A peer that is reached over two links has no single link. */
static void
test_two_links (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;

  add_interface (recorder, 2, 80 * MBIT, HOST, NULL);
  add_interface (recorder, 3, 80 * MBIT, "198.51.100.1", NULL);
  add_questions (recorder, 7, HOST ":5000", PEER);
  recording_message (recorder, 90 * MS, TB_EVENT_NET_SEND, 0, 11, 8, PEER, "198.51.100.1:5000", 0);
  recording_message (recorder, 91 * MS, TB_EVENT_NET_RECEIVE, 1, 11, 8, PEER, "198.51.100.1:5000",
                     0);
  trace = finish (recorder);
  assert_capacity (trace, "bytes", "0", "peak", PEAK, 0, NULL);
}

/* A link with slightly more traffic than its speed is full. A speed of a small part of the traffic
 * is ignored. */
static void
test_exceeded (void)
{
  static const struct
  {
    guint64 speed;
    const char *from;
    double capacity;
  } cases[] = {
    /* 72 kB in 100 ms are 5.76 Mbit/s. */
    { 5 * MBIT, "link", 625e3 },
    { 576 * MBIT / 100, "link", 720e3 },
    { 288 * MBIT / 100, "link", 360e3 },
    { 287 * MBIT / 100, "peak", PEAK },
    { MBIT, "peak", PEAK },
    { 1, "peak", PEAK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TbRecorder *recorder = begin ();
      g_autoptr (TbTrace) trace = NULL;
      g_autoptr (TbReport) report = NULL;
      g_autofree char *text = NULL;

      g_test_message ("case %u", i);
      add_interface (recorder, 2, cases[i].speed, HOST, NULL);
      add_questions (recorder, 7, HOST ":5000", PEER);
      trace = finish (recorder);
      assert_capacity (trace, "bytes", "0", cases[i].from, cases[i].capacity, 0, "eth2");
      report = wait_graph_analyze (trace, "device-idle", "bytes", NULL);
      text = tb_report_to_text (report, 200);
      g_assert_cmpint (strstr (text, "measured peak: eth2 carried more") != NULL, ==,
                       cases[i].capacity == PEAK);
    }
}

/* The highest possible speed: next to nothing of the link is used. */
static void
test_fastest (void)
{
  TbRecorder *recorder = begin ();
  g_autoptr (TbTrace) trace = NULL;

  add_interface (recorder, 2, G_MAXUINT64, HOST, NULL);
  add_questions (recorder, 7, HOST ":5000", PEER);
  trace = finish (recorder);
  assert_capacity (trace, "bytes", "0", "link", (double) G_MAXINT64 / 8, LENGTH, "eth2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/links/order", test_order);
  g_test_add_func ("/wait-graph/links/table", test_table);
  g_test_add_func ("/wait-graph/links/ipv6", test_ipv6);
  g_test_add_func ("/wait-graph/links/shared", test_shared);
  g_test_add_func ("/wait-graph/links/unknown", test_unknown);
  g_test_add_func ("/wait-graph/links/untold", test_no_interfaces);
  g_test_add_func ("/wait-graph/links/two-ways", test_two_links);
  g_test_add_func ("/wait-graph/links/exceeded", test_exceeded);
  g_test_add_func ("/wait-graph/links/fastest", test_fastest);
  return recording_run_tests ();
}
