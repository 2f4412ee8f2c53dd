/* test-wait-graph-simultaneous.c: test that simultaneous events have the same results from a
 * recorder and from text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One recording holds many small machines that share only the clock; each is a trace of its own.
 * Their events are added to a recorder, and the test itself writes them as text.
 */

#include "config.h"

#include <sqlite3.h>

#include "../test-mode.h"
#include "session/recorder/tb-recorder.h"
#include "wait-graph-fixture.h"

/* Sanitizers take five times as long, and look for other errors than these. */
#ifdef __SANITIZE_ADDRESS__
#  define N_RECORDINGS test_rounds (2, 1)
#  define N_MACHINES test_rounds (1024, 128)
#else
#  define N_RECORDINGS test_rounds (10, 1)
#  define N_MACHINES test_rounds (1024, 256)
#endif
#define N_CPUS 2u
#define N_THREADS 5u
#define N_FRAMES 3u

static const char *const texts[]
    = { "", "work", "release", "0x40", "0x80", "vda", "vdb", "eth0", "tcp", "db:5432", "app" };

enum
{
  NO_TEXT,
  WORK,
  RELEASE,
  LOCK,
  OTHER_LOCK,
  DISK,
  OTHER_DISK,
  INTERFACE,
  PROTOCOL,
  PEER,
  PROGRAM,
};

static const char *const stacks[][N_FRAMES]
    = { { NULL }, { "main", "wait", NULL }, { "main", "take", "lock" }, { "main", "wake", NULL } };

/* An event. Its strings, device and stack are indices into the tables above. */
typedef struct
{
  TbEvent event;
  guint order;
  char *line; /* text after the time; NULL: the previous line contains this event */
} AddedEvent;

typedef struct
{
  GRand *rand;
  GArray *events;
  gint64 time;
  guint first_cpu;
  gint32 pid;
  gint32 next_tid;
  gint32 tids[N_THREADS]; /* 0: not alive */
  gint running[N_CPUS];   /* thread, -1: idle */
  gboolean sleeps[N_THREADS];
  guint64 request_sector[N_THREADS]; /* sector of a request in flight, 0: none */
} Machine;

static void
added_event_clear (gpointer data)
{
  g_free (((AddedEvent *) data)->line);
}

static gboolean
flip (Machine *self, guint one_of)
{
  return g_rand_int_range (self->rand, 0, (gint32) one_of) == 0;
}

static void G_GNUC_PRINTF (4, 5)
    add_event (Machine *self, guint cpu, TbEvent event, const char *format, ...)
{
  AddedEvent events = { .event = event, .order = self->events->len };
  va_list arguments;

  if (flip (self, 3))
    self->time += g_rand_int_range (self->rand, 0, 20000);
  events.event.time = self->time;
  events.event.cpu = (guint16) (self->first_cpu + cpu);
  if (event.pid == 0)
    events.event.pid = -1;
  va_start (arguments, format);
  events.line = format != NULL ? g_strdup_vprintf (format, arguments) : NULL;
  va_end (arguments);
  g_array_append_val (self->events, events);
}

static char *
write_stack (guint stack)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < N_FRAMES && stacks[stack][i] != NULL; i++)
    g_string_append_printf (text, "%s%s@app", i > 0 ? ";" : "", stacks[stack][i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gint32
get_tid (const Machine *self, gint thread)
{
  return thread < 0 ? 0 : self->tids[thread];
}

static void
switch_to (Machine *self, guint cpu, const char *state, gint next)
{
  guint stack = state[0] == 'S' ? (guint) g_rand_int_range (self->rand, 0, 4) : 0;
  gint32 prev = get_tid (self, self->running[cpu]), tid = get_tid (self, next);
  g_autofree char *text = write_stack (stack);

  add_event (self, cpu,
             (TbEvent) { .kind = TB_EVENT_SWITCH,
                         .tid = prev,
                         .a = (guint64) tid,
                         .code = state[1] == '+' ? '+' : (guint8) state[0],
                         .stack = stack },
             "%u,switch,%d,%s,%d,,,,,,,,%s,,", self->first_cpu + cpu, prev, state, tid, text);
  self->running[cpu] = next;
}

static void
wake_thread (Machine *self, guint cpu, gint waker, gint wakee)
{
  guint stack = waker < 0 ? 0 : 3;
  g_autofree char *text = write_stack (stack);

  add_event (self, cpu,
             (TbEvent) { .kind = TB_EVENT_WAKEUP,
                         .tid = get_tid (self, waker),
                         .a = (guint64) get_tid (self, wakee),
                         .stack = stack },
             "%u,wakeup,,,,%d,%d,,,,,,%s,,", self->first_cpu + cpu, get_tid (self, waker),
             get_tid (self, wakee), text);
  self->sleeps[wakee] = FALSE;
}

static void
enter (Machine *self, guint cpu, gboolean enters, guint device)
{
  add_event (self, cpu,
             (TbEvent) { .kind = enters ? TB_EVENT_IRQ_ENTRY : TB_EVENT_IRQ_EXIT,
                         .text = device,
                         .device = device },
             "%u,irq_%s,,,,,,,,%s,,,,,", self->first_cpu + cpu, enters ? "entry" : "exit",
             texts[device]);
}

static void
enter_soft (Machine *self, guint cpu, gboolean enters, guint vector)
{
  add_event (self, cpu,
             (TbEvent) { .kind = enters ? TB_EVENT_SOFTIRQ_ENTRY : TB_EVENT_SOFTIRQ_EXIT,
                         .a = vector,
                         .device = TB_ID_NONE },
             "%u,softirq_%s,,,,,,%u,,,,,,,", self->first_cpu + cpu, enters ? "entry" : "exit",
             vector);
}

static void
add_request (Machine *self, guint cpu, gint thread, gboolean completes)
{
  static guint64 sector;
  guint device = thread % 2 == 0 ? DISK : OTHER_DISK;
  gint32 tid = get_tid (self, thread);

  if (!completes)
    self->request_sector[thread] = ++sector;
  add_event (self, cpu,
             (TbEvent) { .kind = completes ? TB_EVENT_IO_COMPLETE : TB_EVENT_IO_ISSUE,
                         .tid = tid,
                         .a = self->request_sector[thread],
                         .b = 4096,
                         .device = device },
             "%u,io_%s,,,,,,,%d,%s,4096,,,%" G_GUINT64_FORMAT ",", self->first_cpu + cpu,
             completes ? "complete" : "issue", tid, texts[device], self->request_sector[thread]);
  if (completes)
    self->request_sector[thread] = 0;
}

static void
mark (Machine *self, guint cpu, gint thread, TbEventKind kind, guint name, guint value)
{
  static const char *const kinds[] = { [TB_EVENT_SPIN_BEGIN] = "spin_begin",
                                       [TB_EVENT_SPIN_END] = "spin_end",
                                       [TB_EVENT_FALSE_WAKEUP] = "false_wakeup",
                                       [TB_EVENT_MARK] = "mark" };
  gint32 tid = get_tid (self, thread);

  add_event (self, cpu,
             (TbEvent) { .kind = kind,
                         .tid = tid,
                         .text = name,
                         .text2 = value,
                         .a = kind == TB_EVENT_SPIN_END ? G_MAXUINT64 : 0 },
             "%u,%s,,,,,,,%d,,,%s%s%s,,,", self->first_cpu + cpu, kinds[kind], tid, texts[name],
             name != NO_TEXT && value != NO_TEXT ? "=" : "", texts[value]);
}

static void
send (Machine *self, guint cpu, gint thread)
{
  gint32 tid = get_tid (self, thread);

  add_event (self, cpu,
             (TbEvent) { .kind = TB_EVENT_NET_SEND,
                         .tid = tid,
                         .a = 7,
                         .b = 100,
                         .text = PROTOCOL,
                         .text2 = PEER },
             "%u,net_send,,,,,,,%d,tcp,100,db:5432,,,7", self->first_cpu + cpu, tid);
}

static void
name (Machine *self, gint thread)
{
  gint32 tid = self->next_tid++;

  self->tids[thread] = tid;
  add_event (self, 0,
             (TbEvent) {
                 .kind = TB_EVENT_PROCESS_NAME, .tid = tid, .pid = self->pid, .text = PROGRAM },
             "%u,name,,,,%d,,,%d,,,app/app,,,", self->first_cpu, self->pid, tid);
  add_event (self, 0,
             (TbEvent) { .kind = TB_EVENT_NAME, .tid = tid, .pid = self->pid, .text = PROGRAM },
             NULL);
  /* Both events are one line. */
  g_array_index (self->events, AddedEvent, self->events->len - 1).event.time
      = g_array_index (self->events, AddedEvent, self->events->len - 2).event.time;
}

static void
fork_thread (Machine *self, guint cpu, gint creator, gint thread)
{
  gint32 tid = self->next_tid++;

  self->tids[thread] = tid;
  self->sleeps[thread] = FALSE;
  add_event (self, cpu,
             (TbEvent) { .kind = TB_EVENT_FORK,
                         .tid = get_tid (self, creator),
                         .a = (guint64) tid,
                         .b = (guint64) self->pid },
             "%u,fork,,,,%d,%d,,%d,,,,,,", self->first_cpu + cpu, get_tid (self, creator), tid,
             self->pid);
}

static void
exit_thread (Machine *self, guint cpu)
{
  gint thread = self->running[cpu];
  gint32 tid = get_tid (self, thread);

  add_event (self, cpu, (TbEvent) { .kind = TB_EVENT_EXIT, .tid = tid }, "%u,exit,,,,,,,%d,,,,,,",
             self->first_cpu + cpu, tid);
  switch_to (self, cpu, "X", -1);
  self->tids[thread] = 0;
}

/* Returns -1 if no thread is runnable. */
static gint
find_runnable (Machine *self)
{
  gint thread = g_rand_int_range (self->rand, 0, N_THREADS);

  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    if (self->running[cpu] == thread)
      return -1;
  return self->sleeps[thread] || self->tids[thread] == 0 ? -1 : thread;
}

static gint
choose_thread (Machine *self)
{
  gint thread = g_rand_int_range (self->rand, 0, N_THREADS);

  return self->tids[thread] != 0 ? thread : 0; /* thread 0 never ends */
}

static void
interrupt (Machine *self, guint cpu)
{
  gint thread = choose_thread (self);
  guint device = self->request_sector[thread] == 0 ? INTERFACE
                 : thread % 2 == 0                 ? DISK
                                                   : OTHER_DISK;
  gboolean soft = device == INTERFACE && flip (self, 2);
  gboolean completes_first = flip (self, 2);

  if (soft)
    enter_soft (self, cpu, TRUE, TB_SOFTIRQ_TIMER);
  else
    enter (self, cpu, TRUE, device);
  if (device != INTERFACE && completes_first)
    add_request (self, cpu, thread, TRUE);
  if (!flip (self, 4))
    wake_thread (self, cpu, self->running[cpu], thread);
  if (device != INTERFACE && !completes_first)
    add_request (self, cpu, thread, TRUE);
  if (soft)
    enter_soft (self, cpu, FALSE, TB_SOFTIRQ_TIMER);
  else
    enter (self, cpu, FALSE, device);
}

static void
act (Machine *self, guint cpu)
{
  gint thread = self->running[cpu], other = choose_thread (self), dead;

  switch (g_rand_int_range (self->rand, 0, 12))
    {
    case 0:
      mark (self, cpu, thread, TB_EVENT_MARK, WORK, NO_TEXT);
      break;
    case 1:
      mark (self, cpu, thread, flip (self, 2) ? TB_EVENT_SPIN_BEGIN : TB_EVENT_SPIN_END, NO_TEXT,
            LOCK);
      break;
    case 2:
      mark (self, cpu, thread, TB_EVENT_MARK, RELEASE, LOCK);
      break;
    case 3:
      mark (self, cpu, thread, TB_EVENT_FALSE_WAKEUP, NO_TEXT, NO_TEXT);
      break;
    case 4:
      if (self->request_sector[thread] == 0)
        add_request (self, cpu, thread, FALSE);
      break;
    case 5:
      send (self, cpu, thread);
      break;
    case 6:
      dead = g_rand_int_range (self->rand, 0, N_THREADS);
      if (self->tids[dead] == 0)
        fork_thread (self, cpu, thread, dead);
      else if (thread != 0)
        exit_thread (self, cpu);
      break;
    default:
      wake_thread (self, cpu, thread, other);
      break;
    }
}

static void
step (Machine *self)
{
  guint cpu = (guint) g_rand_int_range (self->rand, 0, N_CPUS);
  gint next = find_runnable (self);

  if (self->running[cpu] < 0)
    {
      if (next < 0)
        interrupt (self, cpu);
      else
        switch_to (self, cpu, "R", next);
    }
  else if (flip (self, 3))
    {
      self->sleeps[self->running[cpu]] = flip (self, 2);
      switch_to (self, cpu, self->sleeps[self->running[cpu]] ? "S" : "R+", next);
    }
  else if (flip (self, 6))
    interrupt (self, cpu);
  else
    act (self, cpu);
}

static void
run_machine (GRand *rand, GArray *events, guint index)
{
  guint n_steps = (guint) g_rand_int_range (rand, 0, 80);
  Machine self = { .rand = rand,
                   .events = events,
                   .time = 1000000,
                   .first_cpu = index * N_CPUS,
                   .pid = (gint32) (index + 1) * 1000,
                   .next_tid = (gint32) (index + 1) * 1000 + 1 };

  for (guint cpu = 0; cpu < N_CPUS; cpu++)
    self.running[cpu] = -1;
  for (gint thread = 0; thread < (gint) N_THREADS; thread++)
    name (&self, thread);
  for (guint i = 0; i < n_steps; i++)
    step (&self);
}

/* Devices are numbered in order of appearance. They must not appear first in simultaneous
 * events. */
static void
show_devices (GRand *rand, GArray *events)
{
  Machine self = { .rand = rand,
                   .events = events,
                   .time = 1,
                   .first_cpu = N_MACHINES * N_CPUS,
                   .pid = (gint32) (N_MACHINES + 1) * 1000,
                   .next_tid = (gint32) (N_MACHINES + 1) * 1000 + 1 };

  for (gint thread = 0; thread < 2; thread++)
    {
      name (&self, thread);
      self.time++;
    }
  for (guint device = DISK; device <= INTERFACE; device++)
    {
      enter (&self, 0, TRUE, device);
      self.time++;
      enter (&self, 0, FALSE, device);
      self.time++;
    }
  for (gint thread = 0; thread < 2; thread++)
    {
      add_request (&self, 0, thread, FALSE);
      self.time++;
      add_request (&self, 0, thread, TRUE);
      self.time++;
    }
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const AddedEvent *left = a, *right = b;

  if (left->event.time != right->event.time)
    return left->event.time < right->event.time ? -1 : 1;
  return left->order < right->order ? -1 : left->order > right->order;
}

static GArray *
make_events (GRand *rand)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (AddedEvent));

  g_array_set_clear_func (events, added_event_clear);
  show_devices (rand, events);
  for (guint i = 0; i < N_MACHINES; i++)
    run_machine (rand, events, i);
  g_array_sort (events, compare_events);
  return events;
}

/* Replaces the indices of an event by IDs of the recorder. */
static TbEvent
translate (TbRecorder *recorder, const TbEvent *events)
{
  TbEvent event = *events;
  gboolean interrupts = events->kind == TB_EVENT_IRQ_ENTRY || events->kind == TB_EVENT_IRQ_EXIT;
  gboolean request_sector
      = events->kind == TB_EVENT_IO_ISSUE || events->kind == TB_EVENT_IO_COMPLETE;
  guint32 frames[N_FRAMES];
  guint n = 0;

  event.text = tb_recorder_intern_string (recorder, texts[events->text], -1);
  event.text2 = tb_recorder_intern_string (recorder, texts[events->text2], -1);
  if (interrupts || request_sector)
    event.device = tb_recorder_intern_device (recorder, 0, texts[events->device],
                                              request_sector ? "block" : "irq", NULL);
  for (; n < N_FRAMES && stacks[events->stack][n] != NULL; n++)
    frames[n] = tb_recorder_intern_named_frame (recorder, stacks[events->stack][n], "app", FALSE);
  event.stack = n > 0 ? tb_recorder_intern_stack (recorder, frames, NULL, n) : TB_STACK_NONE;
  return event;
}

static TbTrace *
record (GArray *events, gboolean keep_order)
{
  TbRecorder *recorder = recording_new ("recorded");

  tb_recorder_add_host (recorder, "", NULL, NULL, 0, 0);
  tb_recorder_set_fact (recorder, "forks-tell-processes", "yes");
  if (keep_order)
    tb_recorder_store_order (recorder);
  for (guint i = 0; i < events->len; i++)
    {
      TbEvent event = translate (recorder, &g_array_index (events, AddedEvent, i).event);

      tb_recorder_add (recorder, &event);
    }
  return recording_open (recorder);
}

static TbTrace *
write_and_read (GArray *events)
{
  Story *story = story_new (NULL);

  for (guint i = 0; i < events->len; i++)
    {
      const AddedEvent *one = &g_array_index (events, AddedEvent, i);

      if (one->line != NULL)
        story_add_at (story, one->event.time, "%s", one->line);
    }
  return story_open_as (story, "written");
}

static TbTrace *
export_and_read (TbTrace *trace)
{
  return story_open_as (story_new_from_trace (trace), "exported");
}

static JsonNode *
analyze_as_json (TbTrace *trace)
{
  g_autoptr (TbReport) report
      = wait_graph_analyze (trace, "merge-similar", "no", "work", "mark:work", NULL);

  return tb_report_to_json (report);
}

/* Compares line by line, to show where they differ. */
static void
assert_equal (JsonNode *one, JsonNode *two)
{
  g_autofree char *left_text = json_to_string (one, TRUE), *right_text = json_to_string (two, TRUE);
  g_auto (GStrv) left = g_strsplit (left_text, "\n", -1), right = g_strsplit (right_text, "\n", -1);

  for (guint i = 0; left[i] != NULL || right[i] != NULL; i++)
    g_assert_cmpstr (left[i], ==, right[i]);
  g_assert_not_reached ();
}

static void
assert_same (TbTrace *one, TbTrace *two)
{
  g_autoptr (JsonNode) left = analyze_as_json (one), right = analyze_as_json (two);
  g_autofree char *left_text = json_to_string (left, FALSE),
                  *right_text = json_to_string (right, FALSE);

  if (strcmp (left_text, right_text) != 0)
    assert_equal (left, right);
}

/* A recording with a recorded order of simultaneous events has the same results as its text. */
static void
test_recorded_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < N_RECORDINGS; i++)
    {
      g_autoptr (GArray) events = make_events (rand);
      g_autoptr (TbTrace) recorded = record (events, TRUE);
      g_autoptr (TbTrace) written = write_and_read (events);

      assert_same (recorded, written);
    }
}

/* A recording without that order, as most are, has the same results as its text. */
static void
test_derived_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < N_RECORDINGS; i++)
    {
      g_autoptr (GArray) events = make_events (rand);
      g_autoptr (TbTrace) recorded = record (events, FALSE);
      g_autoptr (TbTrace) exported = export_and_read (recorded);

      g_assert_cmpuint (tb_table_get_n_rows (
                            tb_session_get_table (tb_trace_get_session (recorded), TB_TABLE_ORDER)),
                        ==, 0);
      assert_same (recorded, exported);
    }
}

/* Makes the session one from before the order table, and the later table of counters, existed. */
static void
forget_order (const char *path)
{
  static const char *const sql = "DELETE FROM event_table WHERE id >= 17; DELETE FROM chunk WHERE "
                                 "event_table IN (13, 14, 15, 17, 18); "
                                 "DELETE FROM chunk_data WHERE id >> 40 IN (13, 14, 15, 17, 18); "
                                 "UPDATE event_table SET version = 1 WHERE id IN (13, 14, 15)";
  sqlite3 *db;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  sqlite3_close (db);
}

static void
test_forgotten (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autofree char *path = recording_make_path ("recorded.tailback");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GArray) events = make_events (rand);
  g_autoptr (TbTrace) recorded = record (events, TRUE);
  g_autoptr (TbSession) session = NULL;
  g_autoptr (TbTrace) older = NULL, exported = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_object (&recorded);
  forget_order (path);
  session = tb_session_open (file, NULL, &error);
  g_assert_no_error (error);
  older = recording_open_trace (session);
  exported = export_and_read (older);
  g_assert_cmpuint (tb_table_get_n_rows (
                        tb_session_get_table (tb_trace_get_session (older), TB_TABLE_ORDER)),
                    ==, 0);
  assert_same (older, exported);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/order/recorded", test_recorded_order);
  g_test_add_func ("/wait-graph/order/made-up", test_derived_order);
  g_test_add_func ("/wait-graph/order/forgotten", test_forgotten);
  return recording_run_tests ();
}
