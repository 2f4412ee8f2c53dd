/* test-latency-peaks-hosts.c: test of calls served on another host, in a recording of both hosts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

#define REQUESTS 60
#define CLIENT 11
#define SERVER 21
#define WORKER 22
#define STRANGER 23
#define SOFTIRQ_RECEIVE 3

/* Each host has two CPUs and TIDs of its own. */
typedef struct
{
  TbRecorder *recorder;
  gint64 time; /* µs */
  guint32 read, serve, tcp, client_end, server_end, stranger_end;
} RecordingBuilder;

static TbEvent
start (const RecordingBuilder *self,
       TbEventKind kind,
       guint8 host,
       guint16 cpu,
       gint32 tid,
       int after)
{
  return (TbEvent) { .time = (self->time + after) * 1000,
                     .kind = kind,
                     .host = host,
                     .cpu = cpu,
                     .tid = tid,
                     .pid = tid };
}

static void
add_switch (RecordingBuilder *self,
            guint8 host,
            guint16 cpu,
            int after,
            gint32 from,
            char state,
            gint32 to)
{
  TbEvent event = start (self, TB_EVENT_SWITCH, host, cpu, from, after);

  event.a = event.b = (guint64) to;
  event.code = (guint8) state;
  tb_recorder_add (self->recorder, &event);
}

static void
add_message (RecordingBuilder *self,
             TbEventKind kind,
             guint8 host,
             guint16 cpu,
             int after,
             gint32 tid,
             guint32 own,
             guint32 other)
{
  TbEvent event = start (self, kind, host, cpu, tid, after);

  event.a = own;
  event.b = 100;
  event.text = self->tcp;
  event.text2 = other;
  event.text3 = own;
  tb_recorder_add (self->recorder, &event);
}

/* A message arrives on an idle CPU and wakes the thread waiting for it. */
static void
add_arrival (RecordingBuilder *self,
             guint8 host,
             guint16 cpu,
             int after,
             gint32 wakes,
             guint32 own,
             guint32 other)
{
  TbEvent entry = start (self, TB_EVENT_SOFTIRQ_ENTRY, host, cpu, 0, after);
  TbEvent wake = start (self, TB_EVENT_WAKEUP, host, cpu, 0, after + 1);
  TbEvent exit = start (self, TB_EVENT_SOFTIRQ_EXIT, host, cpu, 0, after + 2);

  entry.a = exit.a = SOFTIRQ_RECEIVE;
  wake.a = (guint64) wakes;
  tb_recorder_add (self->recorder, &entry);
  add_message (self, TB_EVENT_NET_RECEIVE, host, cpu, after, -1, own, other);
  if (wakes > 0)
    tb_recorder_add (self->recorder, &wake);
  tb_recorder_add (self->recorder, &exit);
}

static void
add_call (RecordingBuilder *self,
          TbEventKind kind,
          guint8 host,
          guint16 cpu,
          int after,
          gint32 tid,
          guint32 name)
{
  TbEvent event = start (self, kind, host, cpu, tid, after);

  event.text = name;
  event.args = NULL;
  tb_recorder_add (self->recorder, &event);
}

/* The client sends a request. For every second one the server waits for its worker before it
 * answers. */
static void
add_request (RecordingBuilder *self, gboolean is_slow)
{
  int answered = is_slow ? 4200 : 200;

  add_call (self, TB_EVENT_SYS_ENTER, 0, 0, 0, CLIENT, self->read);
  add_message (self, TB_EVENT_NET_SEND, 0, 0, 5, CLIENT, self->client_end, self->server_end);
  add_switch (self, 0, 0, 10, CLIENT, 'S', 0);
  add_arrival (self, 1, 0, 60, SERVER, self->server_end, self->client_end);
  add_switch (self, 1, 0, 70, 0, 'R', SERVER);
  add_call (self, TB_EVENT_CALL, 1, 0, 80, SERVER, self->serve);
  /* Meanwhile a message arrives on another connection of the server. */
  add_arrival (self, 1, 1, 90, 0, self->server_end, self->stranger_end);
  if (is_slow)
    {
      TbEvent wake = start (self, TB_EVENT_WAKEUP, 1, 1, WORKER, 4100);

      add_switch (self, 1, 0, 100, SERVER, 'D', 0);
      add_switch (self, 1, 1, 105, 0, 'R', WORKER);
      wake.a = SERVER;
      tb_recorder_add (self->recorder, &wake);
      add_switch (self, 1, 1, 4105, WORKER, 'S', 0);
      add_switch (self, 1, 0, 4110, 0, 'R', SERVER);
    }
  add_call (self, TB_EVENT_RETURN, 1, 0, answered - 1, SERVER, self->serve);
  add_message (self, TB_EVENT_NET_SEND, 1, 0, answered, SERVER, self->server_end, self->client_end);
  add_message (self, TB_EVENT_NET_SEND, 1, 0, answered + 10, SERVER, self->server_end,
               self->stranger_end);
  add_switch (self, 1, 0, answered + 20, SERVER, 'S', 0);
  add_arrival (self, 0, 0, answered + 50, CLIENT, self->client_end, self->server_end);
  add_switch (self, 0, 0, answered + 60, 0, 'R', CLIENT);
  add_call (self, TB_EVENT_SYS_EXIT, 0, 0, answered + 70, CLIENT, self->read);
  self->time += 10000;
}

/* has_addresses: the client's own end is recorded; otherwise messages cannot be matched to
 * connections. */
static TbTrace *
open_hosts (const char *name, gboolean has_addresses)
{
  static const struct
  {
    guint8 host;
    gint32 tid;
    const char *name;
  } threads[] = { { 0, CLIENT, "client" }, { 1, SERVER, "server" }, { 1, WORKER, "worker" } };
  TbRecorder *recorder = recording_new (name);
  RecordingBuilder builder = { recorder, 1000, 0, 0, 0, 0, 0, 0 };

  tb_recorder_add_host (recorder, "alpha", "", "", 2, 0);
  tb_recorder_add_host (recorder, "beta", "", "", 2, 1000);
  builder.read = tb_recorder_intern_string (recorder, "recvfrom", -1);
  builder.serve = tb_recorder_intern_string (recorder, "serve", -1);
  builder.tcp = tb_recorder_intern_string (recorder, "tcp", -1);
  builder.client_end
      = has_addresses ? tb_recorder_intern_string (recorder, "10.0.0.1:5000", -1) : TB_STRING_NONE;
  builder.server_end = tb_recorder_intern_string (recorder, "10.0.0.2:80", -1);
  builder.stranger_end = tb_recorder_intern_string (recorder, "10.0.0.3:6000", -1);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      TbEvent event = start (&builder, TB_EVENT_EXISTING, threads[i].host, 0, threads[i].tid, -900);

      event.text = tb_recorder_intern_string (recorder, threads[i].name, -1);
      tb_recorder_add (recorder, &event);
    }
  add_switch (&builder, 0, 0, -100, 0, 'R', CLIENT);
  add_switch (&builder, 1, 0, -100, 0, 'R', SERVER);
  add_switch (&builder, 1, 0, -50, SERVER, 'S', 0);
  for (guint i = 0; i < REQUESTS; i++)
    add_request (&builder, i % 2 == 1);
  return recording_open (recorder);
}

static gint64
get_time (JsonObject *peak, const char *label, const char *member)
{
  return json_object_get_int_member (peaks_find_in_tree (peak, label), member);
}

static void
test_served (void)
{
  g_autoptr (TbTrace) trace = open_hosts ("hosts", TRUE);
  g_autoptr (TbReport) report = peaks_analyze (trace, "recvfrom");
  JsonObject *peak;

  g_assert_cmpuint (summary_count (report_get_summary (report), "peaks"), ==, 2);
  peak = peaks_get_peak (report, 1);
  peaks_assert_cause (
      report, 1, "asynchronous", "syscall:recvfrom",
      "waits (socket), ended by 10.0.0.2:80, ended by server (21) on beta, waits (unknown), "
      "ended by worker (22) on "
      "beta, running during the wait");
  /* From arrival of the request to sending of the answer; the rest is time in the network. */
  g_assert_cmpint (get_time (peak, "[server (21) on beta]", "total_ns"), ==,
                   REQUESTS / 2 * (4200 - 60) * 1000);
  g_assert_cmpint (get_time (peak, "[10.0.0.2:80]", "own_ns"), ==, REQUESTS / 2 * (50 + 51) * 1000);
}

/* Messages are matched by the addresses of both ends only. */
static void
test_unknown_ends (void)
{
  g_autoptr (TbTrace) trace = open_hosts ("unknown", FALSE);
  g_autoptr (TbReport) report = peaks_analyze (trace, "recvfrom");

  peaks_assert_cause (report, 1, "asynchronous", "syscall:recvfrom",
                      "waits (socket), ended by 10.0.0.2:80");
}

/* The serving function as an operation of its own, limited to its calls for the slow ones. */
static void
test_operation_of_server (void)
{
  g_autoptr (TbTrace) trace = open_hosts ("operation", TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) slow = peaks_try_analyze (trace, "recvfrom", "peak", "2", &error);
  g_autoptr (TbReport) served = NULL;
  g_autofree char *state = NULL;

  g_assert_no_error (error);
  state = json_to_string (json_object_get_member (report_get_summary (slow), "state"), FALSE);
  served = peaks_try_analyze (trace, "function:serve", "resume", state, &error);
  g_assert_no_error (error);
  g_assert_cmpint (json_object_get_int_member (report_get_summary (served), "calls"), ==,
                   REQUESTS / 2);
  peaks_assert_cause (served, 0, "asynchronous", "function:serve",
                      "waits (unknown), ended by worker (22) on beta, running during the wait");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/hosts/served", test_served);
  g_test_add_func ("/latency-peaks/hosts/unknown-ends", test_unknown_ends);
  g_test_add_func ("/latency-peaks/hosts/operation-of-server", test_operation_of_server);
  return recording_run_tests ();
}
