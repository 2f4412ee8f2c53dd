/* test-latency-peaks-golden.c: golden test of the sentences of the analysis "latency-peaks"
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "latency-peaks-fixture.h"

/* --- recordings --- */

/* Reads by two threads, one every 20 ms; those of the second thread are slow. */
static TbTrace *
open_readers (const char *name, int n, int slow)
{
  Story *story = story_new ("reader other waker");
  int time = 1000;

  for (int cpu = 0; cpu < 3; cpu++)
    story_switch (story, 10, cpu, 0, "R", 11 + cpu);
  for (int i = 0; i < n; i++, time += 20000)
    {
      for (int j = 0; j < 5; j++)
        {
          story_enter (story, time + j * 10, 0, 11, "read");
          story_leave (story, time + j * 10 + 2, 0, 11);
        }
      story_enter (story, time + 100, 1, 12, "read");
      story_switch_with_stack (story, time + 101, 1, 12, "S", 0,
                               "main;entry_SYSCALL_64@[kernel];wait@[kernel]");
      story_wake (story, time + 100 + slow - 2, 2, 13, 12);
      story_switch (story, time + 100 + slow - 1, 1, 0, "R", 12);
      story_leave (story, time + 100 + slow, 1, 12);
    }
  return story_open_as (story, name);
}

/* Every third call waits for the disk, below several kernel functions. */
static TbTrace *
open_directories (const char *name, guint n)
{
  Story *story = story_new ("grep other");
  int time = 100;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < n; i++, time += 5000)
    {
      int length = i % 3 == 0 ? 1 : i % 3 == 1 ? 40 : 2600;

      story_enter (story, time, 0, 11, "getdents64");
      if (i % 3 == 2)
        {
          story_add (story, time + 4, "0,io_insert,,,,,,,11,vda,4096,,,8,");
          story_add (story, time + 14, "0,io_issue,,,,,,,11,vda,4096,,,8,");
          story_switch_with_stack (
              story, time + 15, 0, 11, "D", 0,
              "main;getdents64@libc.so.6;entry_SYSCALL_64@[kernel];iterate_dir@[kernel];"
              "ext4_readdir@[kernel];io_schedule@[kernel];schedule@[kernel]");
          story_add (story, time + 2500, "0,irq_entry,,,,,,,,vda,,,,,");
          story_add (story, time + 2500, "0,io_complete,,,,,,,11,vda,4096,,,8,");
          story_wake (story, time + 2501, 0, 0, 11);
          story_add (story, time + 2502, "0,irq_exit,,,,,,,,vda,,,,,");
          story_switch (story, time + 2503, 0, 0, "R", 11);
        }
      story_leave (story, time + length, 0, 11);
    }
  return story_open_as (story, name);
}

/* Too few calls, calls that never return, waits without stacks, lost events. */
static TbTrace *
open_incomplete (void)
{
  Story *story = story_new ("reader waker");
  int time = 100;

  story_switch (story, time, 0, 0, "R", 11);
  story_enter (story, time, 0, 11, "once");
  story_leave (story, time + 5, 0, 11);
  for (guint i = 0; i < 30; i++, time += 200)
    {
      story_enter (story, time + 10, 0, 11, "read");
      story_switch (story, time + 11, 0, 11, "S", 0);
      if (i == 10)
        story_add (story, time + 50, "0,lost,,,,,,,,,7,,,,");
      story_wake (story, time + 100, 1, 12, 11);
      story_switch (story, time + 100, 0, 0, "R", 11);
      story_leave (story, time + 101, 0, 11);
    }
  story_enter (story, time + 20, 0, 11, "pause");
  story_switch (story, time + 30, 0, 11, "S", 0);
  return story_open_as (story, "incomplete");
}

/* A flusher waits for the disk while it holds a lock that a reader needs. */
static TbTrace *
open_flusher (void)
{
  Story *story = story_new ("reader flusher");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 30; i++, time += 100000)
    {
      story_add (story, time, "0,sleep,,lock,,,,,11,,0,futex=bkl,,64,0");
      story_switch_with_stack (story, time, 0, 11, "S", 0,
                               "main;read;pthread_mutex_lock@libc.so.6");
      story_switch_with_stack (story, time + 100, 1, 12, "D", 0,
                               "main;flush@app;fsync@libc.so.6;entry_SYSCALL_64@[kernel];"
                               "ext4_sync_file@[kernel];io_schedule@[kernel];schedule@[kernel]");
      story_switch (story, time + 8100, 1, 0, "R", 12);
      story_wake (story, time + 8200, 1, 12, 11);
      story_switch (story, time + 8201, 0, 0, "R", 11);
    }
  return story_open_as (story, "flusher");
}

/* A flusher every 100 ms, which delays reads, and another operation at other times. */
static TbTrace *
open_coincidence (void)
{
  Story *story = story_new ("reader flusher");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (int i = 0; i < 40; i++, time += 100000)
    {
      int at = time + 10001 + i * 7919 % 80000;

      story_call (story, time, 1, 12, "flush");
      story_enter (story, time + 100, 0, 11, "read");
      story_leave (story, time + 4900, 0, 11);
      story_return (story, time + 5000, 1, 12, "flush");
      for (int j = 0; j < 8; j++)
        {
          story_enter (story, time + 10000 + j * 10000, 0, 11, "read");
          story_leave (story, time + 10003 + j * 10000, 0, 11);
        }
      if (i % 3 == 0)
        {
          story_call (story, at, 1, 12, "tidy");
          story_return (story, at + 4000, 1, 12, "tidy");
        }
    }
  return story_open_as (story, "coincidence");
}

/* Every other call of a client waits for a server. */
static TbTrace *
open_served (void)
{
  Story *story = story_new ("client server");
  int time = 1000;

  story_switch (story, 10, 0, 0, "R", 11);
  story_switch (story, 10, 1, 0, "R", 12);
  for (guint i = 0; i < 60; i++, time += 10000)
    {
      story_enter (story, time, 0, 11, "read");
      if (i % 2 == 0)
        {
          story_leave (story, time + 3, 0, 11);
          story_call (story, time + 1000, 1, 12, "serve");
          story_return (story, time + 3000, 1, 12, "serve");
          continue;
        }
      story_switch_with_stack (story, time + 5, 0, 11, "S", 0, "main;read");
      story_call (story, time + 10, 1, 12, "serve");
      story_wake (story, time + 2000, 1, 12, 11);
      story_switch (story, time + 2001, 0, 0, "R", 11);
      story_leave (story, time + 2010, 0, 11);
      story_return (story, time + 2020, 1, 12, "serve");
    }
  return story_open_as (story, "served");
}

/* An interrupt that takes less time than the slow calls do. */
static TbTrace *
open_interrupts (void)
{
  Story *story = story_new ("reader other");
  int time = 100;

  story_switch (story, time, 0, 0, "R", 11);
  for (guint i = 0; i < 80; i++, time += 2000)
    {
      story_call (story, time, 0, 11, "outer");
      if (i % 2 == 1)
        story_interrupt (story, time + 5, time + 17, 0, "vda");
      story_return (story, time + (i % 2 == 1 ? 30 : 1), 0, 11, "outer");
    }
  story_switch (story, time, 0, 11, "S", 0);
  return story_open_as (story, "interrupts");
}

/* Nested calls. */
static TbTrace *
open_levels (void)
{
  static const char *const functions[] = { "level0", "level1", "level2", "level3" };
  Story *story = story_new ("caller");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (int i = 0; i < 30; i++, time += 1000)
    {
      for (int k = 0; k < 4; k++)
        story_call (story, time + k, 0, 11, functions[k]);
      for (int k = 4; k-- > 0;)
        story_return (story, time + 100 - k, 0, 11, functions[k]);
    }
  return story_open_as (story, "levels");
}

/* Network messages; the calls of some of them are recorded. */
static TbTrace *
open_messages (void)
{
  Story *story = story_new ("talker");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (guint i = 0; i < 40; i++, time += 100)
    {
      if (i % 4 != 0)
        story_enter (story, time, 0, 11, "sendto");
      story_add (story, time + 2, "0,net_send,,,,,,,11,,100,10.0.0.1:80>10.0.0.2:90,,,s1");
      if (i % 4 != 0)
        story_leave (story, time + 9, 0, 11);
    }
  return story_open_as (story, "messages");
}

/* --- a live search --- */

#define LIVE                                                                                       \
  "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:handle@server\","       \
  "\"status\":\"%s\",\"resolution\":1,\"calls\":430,\"total_ns\":92000000,"                        \
  "\"bins\":[[12,400,2000000],[21,30,90000000]],\"peaks\":[[12,12],[21,21]],\"peak\":2,"           \
  "\"from_bin\":21,\"to_bin\":21,\"calls_looked_into\":30,%s\"nodes\":["                           \
  "{\"id\":0,\"parent\":-1,\"kind\":\"function\",\"name\":\"handle\",\"file\":\"/bin/server\","    \
  "\"phase\":3,\"opened\":true,\"root_cause\":true,\"open_calls\":30,\"total_ns\":90000000,"       \
  "\"self_ns\":0},"                                                                                \
  "{\"id\":1,\"parent\":0,\"kind\":\"function\",\"name\":\"put\",\"call_site\":\"handle+0x12\","   \
  "\"place\":\"server+0x1016\",\"phase\":3,\"root_cause\":true,\"self_cause\":true,\"calls\":30,"  \
  "\"maxcount\":30,\"callee_ns\":90000000,\"samples\":10,"                                         \
  "\"blocks\":[{\"from\":16,\"samples\":7,\"line\":\"put.c:12\"}]},"                               \
  "{\"id\":2,\"parent\":0,\"kind\":\"interrupt\",\"name\":\"eth0\",\"key\":4294967321,"            \
  "\"calls\":25,\"maxcount\":0,\"callee_ns\":100000,\"blamed\":true,\"expected_calls\":1.5}],"     \
  "\"longest\":[{\"begin_ns\":1200000000,\"latency_ns\":3000000,\"tid\":7,\"pid\":7,"              \
  "\"mostly_in\":\"put\",\"parts\":[]}],\"slices\":[]}"

/* A function three levels down was still being examined. */
static const char stopped[]
    = "{\"format\":\"tailback-latency\",\"version\":1,\"operation\":\"function:handle@server\","
      "\"status\":"
      "\"in-progress\",\"resolution\":1,\"bins\":[[12,400,2000000],[21,30,90000000]],\"peak\":2,"
      "\"peaks\":[[12,12],[21,21]],\"from_bin\":21,\"to_bin\":21,\"calls_looked_into\":30,"
      "\"nodes\":["
      "{\"id\":0,\"parent\":-1,\"kind\":\"function\",\"name\":\"handle\",\"phase\":3,"
      "\"opened\":true,\"root_cause\":true,\"open_calls\":30,\"total_ns\":90000000,\"self_ns\":0},"
      "{\"id\":1,\"parent\":0,\"kind\":\"function\",\"name\":\"put\",\"call_site\":\"handle+0x12\","
      "\"call_site_line\":\"server.c:31\",\"phase\":3,\"opened\":true,\"root_cause\":true,"
      "\"calls\":30,\"maxcount\":30,\"callee_ns\":90000000,\"open_calls\":25,\"total_ns\":75000000,"
      "\"self_ns\":0},"
      "{\"id\":2,\"parent\":1,\"kind\":\"function\",\"name\":\"store\",\"phase\":3,\"opened\":true,"
      "\"root_cause\":true,\"calls\":25,\"maxcount\":25,\"callee_ns\":72000000,\"open_calls\":21,"
      "\"total_ns\":60000000,\"self_ns\":0},"
      "{\"id\":3,\"parent\":2,\"kind\":\"function\",\"name\":\"slow_leaf\",\"phase\":2,"
      "\"opened\":true,\"root_cause\":true,\"calls\":21,\"maxcount\":21,\"callee_ns\":60000000}],"
      "\"slices\":[]}";

static TbTrace *
open_live (const char *name, const char *state)
{
  TbRecorder *recorder = recording_new (name);
  TbEvent existing = { .time = 1, .kind = TB_EVENT_EXISTING, .tid = 7, .pid = 7 };
  TbEvent change = { .time = 1200000000, .kind = TB_EVENT_SWITCH, .code = 'R', .a = 7, .b = 7 };

  tb_recorder_set_fact (recorder, "latency", state);
  existing.text = tb_recorder_intern_string (recorder, "server", -1);
  tb_recorder_add (recorder, &existing);
  tb_recorder_add (recorder, &change);
  return recording_open (recorder);
}

static void
add_live_stopped (GString *golden)
{
  g_autoptr (TbTrace) trace = open_live ("live-stopped", stopped);
  g_autoptr (TbReport) report = peaks_analyze (trace, "");

  golden_add (golden, "a search that stopped early", report);
}

static void
add_live (GString *golden)
{
  static const struct
  {
    const char *name, *status, *rest;
  } searches[] = {
    { "a search, cost unknown", "found", "" },
    { "a search, cost subtracted", "depth-reached",
      "\"cost\":{\"call_ns\":1500,\"reach_ns\":9000,\"subtracted_ns\":400},"
      "\"calls_without_room\":3,\"calls_not_counted\":1,\"missed\":2," },
    { "a search that ended at its probes", "in-progress",
      "\"limit\":\"probes\",\"cost\":{\"call_ns\":1500,\"reach_ns\":9000000,\"subtracted_ns\":0}"
      "," },
    { "a search that ended for lack of calls", "in-progress", "\"limit\":\"calls\"," },
  };

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      g_autofree char *name = g_strdup_printf ("live-%u", i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      g_autofree char *state = g_strdup_printf (LIVE, searches[i].status, searches[i].rest);
#pragma GCC diagnostic pop
      g_autoptr (TbTrace) trace = open_live (name, state);
      g_autoptr (TbReport) report = peaks_analyze (trace, "");

      golden_add (golden, searches[i].name, report);
    }
  add_live_stopped (golden);
}

/* --- two recordings --- */

/* Calls of one function: half of them short, half long, in µs. */
static TbTrace *
open_lengths (const char *name, int shorter, int longer)
{
  Story *story = story_new ("caller");
  int time = 100;

  story_switch (story, 10, 0, 0, "R", 11);
  for (int i = 0; i < 200; i++, time += 3000)
    {
      story_call (story, time, 0, 11, "work");
      story_return (story, time + (i % 2 == 0 ? shorter : longer), 0, 11, "work");
    }
  return story_open_as (story, name);
}

/* operation "": all operations. */
static void
add_comparison (GString *golden,
                const char *heading,
                TbTrace *base,
                TbTrace *other,
                const char *operation)
{
  g_autoptr (TbReport) report
      = report_compare ("latency-peaks", base, other, NULL, "operation", operation, NULL);

  golden_add (golden, heading, report);
}

static void
add_comparisons (GString *golden)
{
  g_autoptr (TbTrace) base = open_lengths ("base", 300, 1200);
  g_autoptr (TbTrace) longer = open_lengths ("longer", 300, 2500);
  g_autoptr (TbTrace) moved = open_lengths ("moved", 750, 750);

  add_comparison (golden, "comparison, one operation", base, longer, "function:work");
  add_comparison (golden, "comparison, longer", base, longer, "");
  add_comparison (golden, "comparison, shorter", longer, base, "");
  add_comparison (golden, "comparison, moved", base, moved, "");
  add_comparison (golden, "comparison, the same", base, base, "");
}

/* --- all of them --- */

static void
add (GString *golden,
     const char *heading,
     TbTrace *trace,
     const char *operation,
     const char *option,
     const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = peaks_try_analyze (trace, operation, option, value, &error);

  g_assert_no_error (error);
  golden_add (golden, heading, report);
}

/* State with which another recording can resume. (transfer full) */
static char *
get_state (TbTrace *trace, const char *operation, const char *option, const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbReport) report = peaks_try_analyze (trace, operation, option, value, &error);

  g_assert_no_error (error);
  return json_to_string (json_object_get_member (report_get_summary (report), "state"), FALSE);
}

static void
add_resumed (GString *golden)
{
  g_autoptr (TbTrace) first = open_readers ("first", 25, 900);
  g_autoptr (TbTrace) same = open_readers ("same", 30, 900);
  g_autoptr (TbTrace) other = open_readers ("other", 30, 9000);
  g_autoptr (TbTrace) served = open_served ();
  g_autofree char *state = get_state (first, "read", "peak", "2");
  g_autofree char *slow = get_state (served, "read", "from-bin", "16");

  add (golden, "resumed", same, "read", "resume", state);
  add (golden, "not resumed", other, "read", "resume", state);
  add (golden, "calls that serve others", served, "function:serve", "resume", slow);
}

static void
test_golden (void)
{
  GString *golden = g_string_new (NULL);
  g_autoptr (TbTrace) nothing = peaks_open_empty_reads ();
  g_autoptr (TbTrace) readers = open_readers ("readers", 60, 900);
  g_autoptr (TbTrace) directories = open_directories ("directories", 120);
  g_autoptr (TbTrace) incomplete = open_incomplete ();
  g_autoptr (TbTrace) flusher = open_flusher ();
  g_autoptr (TbTrace) coincidence = open_coincidence ();
  g_autoptr (TbTrace) interrupts = open_interrupts ();
  g_autoptr (TbTrace) levels = open_levels ();
  g_autoptr (TbTrace) messages = open_messages ();

  add (golden, "interrupted and preempted", nothing, "read", NULL, NULL);
  add (golden, "one call", nothing, "read", "call", "5100000");
  add (golden, "two threads", readers, "read", NULL, NULL);
  add (golden, "calls through a function", readers, "read", "call-path", "main");
  add (golden, "inferred calls", readers, "function:wait@[kernel]", NULL, NULL);
  add (golden, "directories", directories, "getdents64", NULL, NULL);
  add (golden, "too few for a decision", directories, "getdents64", "decision-calls", "1000");
  add (golden, "too few calls", incomplete, "once", NULL, NULL);
  add (golden, "open calls", incomplete, "pause", NULL, NULL);
  add (golden, "lost events", incomplete, "read", NULL, NULL);
  add (golden, "lock holds", flusher, "lock-hold:bkl", NULL, NULL);
  add (golden, "coincidence", coincidence, "read", "correlate-with", "function:flush");
  add (golden, "no coincidence", coincidence, "read", "correlate-with", "function:tidy");
  add (golden, "interrupts", interrupts, "function:outer", "from-bin", "12");
  add (golden, "not deep enough", levels, "function:level0", "max-depth", "2");
  add (golden, "messages", messages, "network:send", NULL, NULL);
  add_resumed (golden);
  add_live (golden);
  add_comparisons (golden);
  golden_compare (golden, "latency-peaks");
}

int
main (int argc, char *argv[])
{
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency-peaks/golden", test_golden);
  return recording_run_tests ();
}
