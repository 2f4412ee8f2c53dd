/* test-trace-units.c: test of work units against a simple count of the events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "recorder-fixture.h"
#include "trace/tb-trace-units.h"
#include "trace/tb-work-unit.h"

#define N_EVENTS 2000
#define N_PROCESSES 4
#define END 100000

/* The events, one row each. */
typedef struct
{
  gint64 time;
  guint process;
  guint what; /* index into names */
  guint count;
} UnitEvent;

static const char *const names[]
    = { "work", "work:page", "phase_begin", "workless", "fsync", "commit", "send" };
enum
{
  WORK,
  PAGE,
  PHASE,
  WORKLESS,
  FSYNC,
  COMMIT,
  SEND
};

typedef struct
{
  RecorderFixture *fixture;
  UnitEvent unit_events[N_EVENTS];
  TbTrace *trace;
} World;

static guint32
intern (World *self, const char *text)
{
  return tb_recorder_intern_string (self->fixture->recorder, text, -1);
}

/* Processes 0 and 3 have the same name. */
static void
begin (World *self)
{
  static const char *const programs[N_PROCESSES] = { "server", "client", "logger", "server" };

  self->fixture = recorder_fixture_new ();
  tb_recorder_add_host (self->fixture->recorder, "host", "", "", 1, 0);
  for (guint i = 0; i < N_PROCESSES; i++)
    recorder_fixture_add (self->fixture, (TbEvent) { .time = 1,
                                                     .kind = TB_EVENT_EXISTING,
                                                     .tid = 100 + (gint32) i,
                                                     .pid = 100 + (gint32) i,
                                                     .text = intern (self, programs[i]) });
}

static void
add_unit_event (World *self, const UnitEvent *unit_event)
{
  TbEvent event = { .time = unit_event->time,
                    .tid = 100 + (gint32) unit_event->process,
                    .pid = 100 + (gint32) unit_event->process };
  g_autofree char *count = g_strdup_printf ("%u", unit_event->count);

  switch (unit_event->what)
    {
    case FSYNC:
      event.kind = TB_EVENT_SYS_ENTER;
      event.text = intern (self, names[unit_event->what]);
      recorder_fixture_add (self->fixture, event);
      event.kind = TB_EVENT_SYS_EXIT;
      break;
    case COMMIT:
      event.kind = TB_EVENT_CALL;
      event.text = intern (self, names[unit_event->what]);
      recorder_fixture_add (self->fixture, event);
      event.kind = TB_EVENT_RETURN;
      break;
    case SEND:
      event.kind = TB_EVENT_NET_SEND;
      event.text = intern (self, "tcp");
      break;
    default:
      event.kind = TB_EVENT_MARK;
      event.text = intern (self, names[unit_event->what]);
      event.text2 = unit_event->count != 1 ? intern (self, count) : TB_STRING_NONE;
      break;
    }
  recorder_fixture_add (self->fixture, event);
}

static void
finish (World *self)
{
  g_autoptr (GError) error = NULL;

  recorder_fixture_finish (self->fixture);
  self->trace = tb_trace_new (self->fixture->session, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
world_clear (World *self)
{
  g_clear_object (&self->trace);
  recorder_fixture_free (self->fixture);
}

/* Only in marks is the value a number of units. */
static guint64
count_naively (const World *self,
               guint what,
               gboolean any_work,
               guint processes,
               gint64 from,
               gint64 to)
{
  guint64 n = 0;

  for (guint i = 0; i < N_EVENTS; i++)
    {
      const UnitEvent *unit_event = &self->unit_events[i];

      if (unit_event->time < from || unit_event->time >= to
          || (processes >> unit_event->process & 1) == 0)
        continue;
      if (unit_event->what == what || (any_work && unit_event->what == PAGE))
        n += unit_event->what <= WORKLESS ? unit_event->count : 1;
    }
  return n;
}

static void
test_random (void)
{
  static const struct
  {
    const char *unit;
    guint what;
    gboolean any_work;
    guint processes;
    const char *described;
  } cases[] = {
    { "work", WORK, TRUE, 15, "units of work" },
    { "work:page", PAGE, FALSE, 15, "“page” done" },
    { "work@server", WORK, TRUE, 9, "units of work in server" },
    { "work:page@101", PAGE, FALSE, 2, "“page” done in 101" },
    { "syscall:fsync", FSYNC, FALSE, 15, "fsync calls" },
    { "syscall:fsync@logger", FSYNC, FALSE, 4, "fsync calls in logger" },
    { "call:commit", COMMIT, FALSE, 15, "calls of commit" },
    { "call:commit@103", COMMIT, FALSE, 8, "calls of commit in 103" },
    { "send:client", SEND, FALSE, 2, "messages sent by client" },
    { "send:server", SEND, FALSE, 9, "messages sent by server" },
    { "mark:work:page@client", PAGE, FALSE, 2, "“page” done in client" },
    { "mark:workless", WORKLESS, FALSE, 15, "marks “workless”" },
    { "function:commit@103", COMMIT, FALSE, 8, "calls of commit in 103" },
  };
  World world = { 0 };
  gint64 time = 2;

  begin (&world);
  for (guint i = 0; i < N_EVENTS; i++)
    {
      /* equal times as well */
      time += g_test_rand_int_range (0, 2 * END / N_EVENTS - 10);
      world.unit_events[i] = (UnitEvent) { time, (guint) g_test_rand_int_range (0, N_PROCESSES),
                                           (guint) g_test_rand_int_range (0, G_N_ELEMENTS (names)),
                                           (guint) g_test_rand_int_range (0, 4) };
      add_unit_event (&world, &world.unit_events[i]);
    }
  finish (&world);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbTraceUnits) units = tb_trace_units_new (world.trace, cases[i].unit, &error);
      g_autofree char *described = NULL;
      const guint64 *totals;
      gsize n_times;
      const gint64 *times;

      g_assert_no_error (error);
      described = tb_trace_units_describe (units);
      g_assert_cmpstr (described, ==, cases[i].described);
      g_assert_cmpstr (tb_trace_units_get_unit (units), ==, cases[i].unit);
      times = tb_trace_units_get_times (units, &totals, &n_times);
      for (gsize t = 1; t < n_times; t++)
        g_assert_true (times[t] > times[t - 1] && totals[t] > totals[t - 1]);
      for (guint round = 0; round < 100; round++)
        {
          gint64 from = g_test_rand_int_range (-10, END), to = g_test_rand_int_range (-10, 2 * END);
          guint64 expected = from < to ? count_naively (&world, cases[i].what, cases[i].any_work,
                                                        cases[i].processes, from, to)
                                       : 0;

          g_assert_cmpuint (tb_trace_units_count (units, from, to), ==, expected);
          if (from < to)
            g_assert_cmpfloat_with_epsilon (tb_trace_units_get_rate (units, from, to),
                                            (double) expected * 1e9 / (double) (to - from), 1e-3);
        }
    }
  world_clear (&world);
}

/* The parts of a time range add up to the whole. */
static void
test_rates (void)
{
  World world = { 0 };
  g_autoptr (TbTraceUnits) units = NULL;
  double rates[3];

  begin (&world);
  for (guint i = 0; i < N_EVENTS; i++)
    {
      world.unit_events[i] = (UnitEvent) { 10 + i, 0, WORK, 1 };
      add_unit_event (&world, &world.unit_events[i]);
    }
  finish (&world);
  units = tb_trace_units_new (world.trace, "work", NULL);
  tb_trace_units_get_rates (units, 0, 20, rates, 2);
  g_assert_cmpfloat (rates[0], ==, 0.0);
  g_assert_cmpfloat (rates[1], ==, 1e9);
  tb_trace_units_get_rates (units, 10, 20, rates, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (rates[i], ==, 1e9);
  tb_trace_units_get_rates (units, 15, 15, rates, 1);
  g_assert_cmpfloat (rates[0], ==, 0.0);
  world_clear (&world);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *unit;
    int code;
  } cases[] = {
    { "", G_IO_ERROR_INVALID_ARGUMENT },
    { "works", G_IO_ERROR_INVALID_ARGUMENT },
    { "work:", G_IO_ERROR_INVALID_ARGUMENT },
    { "work@", G_IO_ERROR_INVALID_ARGUMENT },
    { "syscall", G_IO_ERROR_INVALID_ARGUMENT },
    { "syscall:", G_IO_ERROR_INVALID_ARGUMENT },
    { "syscall:@client", G_IO_ERROR_INVALID_ARGUMENT },
    { "sys:fsync", G_IO_ERROR_INVALID_ARGUMENT },
    { "send", G_IO_ERROR_INVALID_ARGUMENT },
    { "send:nobody", G_IO_ERROR_NOT_FOUND },
    { "work@nobody", G_IO_ERROR_NOT_FOUND },
    { "work@99999999999999999999", G_IO_ERROR_NOT_FOUND },
  };
  World world = { 0 };

  begin (&world);
  world.unit_events[0] = (UnitEvent) { 10, 0, WORK, 1 };
  add_unit_event (&world, &world.unit_events[0]);
  finish (&world);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TbTraceUnits) units = tb_trace_units_new (world.trace, cases[i].unit, &error);

      g_assert_error (error, G_IO_ERROR, cases[i].code);
      g_assert_null (units);
    }
  world_clear (&world);
}

static void
test_list (void)
{
  static const guint what[] = { SEND, PAGE, PHASE, COMMIT, WORKLESS, FSYNC, SEND };
  static const char *const expected[]
      = { "work", "work:page", "call:commit", "send:client", "send:logger", "syscall:fsync", NULL };
  World world = { 0 };
  g_auto (GStrv) units = NULL;

  begin (&world);
  for (guint i = 0; i < G_N_ELEMENTS (what); i++)
    {
      world.unit_events[i] = (UnitEvent) { 10 + i, i == 0 ? 2 : 1, what[i], 1 };
      add_unit_event (&world, &world.unit_events[i]);
    }
  finish (&world);
  units = tb_trace_units_list (world.trace);
  g_assert_cmpstrv (units, expected);
  for (guint i = 0; units[i] != NULL; i++)
    {
      g_autoptr (TbTraceUnits) counted = tb_trace_units_new (world.trace, units[i], NULL);

      g_assert_cmpuint (tb_trace_units_count (counted, 0, END), ==, 1);
    }
  world_clear (&world);
}

/* One grammar: every form that was ever accepted anywhere is accepted. */
static void
test_forms (void)
{
  static const struct
  {
    const char *text;
    TbWorkKind kind;
    const char *name;
  } forms[] = {
    { "none", TB_WORK_NONE, "" },
    { "duration", TB_WORK_DURATION, "" },
    { "work", TB_WORK_MARK, "work" },
    { "work:reads", TB_WORK_MARK, "work:reads" },
    { "work@app", TB_WORK_MARK, "work@app" },
    { "work:reads@30", TB_WORK_MARK, "work:reads@30" },
    { "mark:work", TB_WORK_MARK, "work" },
    { "mark:answered", TB_WORK_MARK, "answered" },
    { "mark:work@app", TB_WORK_MARK, "work@app" },
    { "mark::", TB_WORK_MARK, ":" },
    { "syscall:read", TB_WORK_SYSCALL, "read" },
    { "syscall:read@app", TB_WORK_SYSCALL, "read@app" },
    { "function:ns::f", TB_WORK_FUNCTION, "ns::f" },
    { "function:open@app@app", TB_WORK_FUNCTION, "open@app@app" },
    { "call:open", TB_WORK_FUNCTION, "open" },
    { "send:30", TB_WORK_SEND, "30" },
    { "send:a b", TB_WORK_SEND, "a b" },
    { "receive:app", TB_WORK_RECEIVE, "app" },
  };
  static const char *const wrong[] = {
    "",         "works",     "work:", "mark",  "mark:",       "syscall", "syscall:", "syscall@app",
    "call:",    "function:", "send",  "send:", "receive@app", "none:",   "none@app", "duration:1",
    "furlongs", ":",         "@"
  };
  const char *name;
  TbWorkKind kind;

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_assert_true (tb_work_unit_parse (forms[i].text, &kind, &name));
      g_assert_cmpint (kind, ==, forms[i].kind);
      g_assert_cmpstr (name, ==, forms[i].name);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_test_message ("%s", wrong[i]);
      g_assert_false (tb_work_unit_parse (wrong[i], &kind, &name));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace-units/random", test_random);
  g_test_add_func ("/trace-units/rates", test_rates);
  g_test_add_func ("/trace-units/refused", test_refused);
  g_test_add_func ("/trace-units/list", test_list);
  g_test_add_func ("/trace-units/forms", test_forms);
  return g_test_run ();
}
