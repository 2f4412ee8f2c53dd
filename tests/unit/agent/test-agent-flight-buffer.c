/* test-agent-flight-buffer.c: test that a flight recorder saves its buffer completely, with the
 * state left by dropped records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/flight-recorder/tb-agent-flight-buffer.h"
#include "agent/core/tb-agent-output.h"
#include "capture/tb-capture-decoder.h"
#include "capture/tb-capture-encoder.h"
#include "capture/tb-capture-rewrite.h"

#define N_CPUS 4
#define N_STACKS 500
#define N_NAMES 40
#define N_TIDS 200
#define MEBIBYTE (1u << 20)

/* One expected event with all of its members; its stack is compared by content. */
typedef struct
{
  TbCaptureRecord record;
  guint stack;
} Expected;

typedef struct
{
  gboolean is_alive;
  gint32 pid;
  gint32 parent;
  guint name;
  guint64 mapped; /* start of the process's mapping, 0: none */
} Task;

typedef struct
{
  TbAgentOutput *output;
  GRand *random;
  guint64 time;
  GArray *expected;
  GArray *states; /* of all tasks, N_TIDS for each expected event: the state before the event */
  Task tasks[N_TIDS];
} Writer;

static guint64 *
make_stack (guint number, guint *length)
{
  static guint64 words[64];

  *length = 3 + number % 60;
  words[0] = (guint64) -512;
  for (guint i = 1; i < *length; i++)
    words[i] = (guint64) number * 1000 + i;
  return words;
}

static guint32
intern_name (Writer *self, guint number)
{
  char name[16];

  return tb_agent_output_intern_string (self->output, name,
                                        g_snprintf (name, sizeof name, "name-%u", number));
}

static void
put (Writer *self, const TbCaptureRecord *record, guint stack)
{
  Expected expected = { *record, stack };

  tb_agent_output_put (self->output, record);
  g_array_append_val (self->expected, expected);
}

static void
put_switch (Writer *self)
{
  TbCaptureRecord record = { .time = self->time, .type = TB_CAPTURE_SWITCH };
  guint number = g_rand_int_range (self->random, 0, N_STACKS), length;
  const guint64 *words = make_stack (number, &length);

  record.cpu = g_rand_int_range (self->random, 0, N_CPUS);
  record.sched_switch.tid = g_rand_int_range (self->random, 1, N_TIDS);
  record.sched_switch.pid = 1;
  record.sched_switch.state = 'S';
  record.sched_switch.stack = tb_agent_output_intern_stack (self->output, words, length);
  put (self, &record, number);
}

/* Adds an event that changes which tasks are alive, or their state. */
static void
put_task_event (Writer *self)
{
  gint32 tid = g_rand_int_range (self->random, 1, N_TIDS);
  TbCaptureRecord record = { .time = self->time, .cpu = 0 };
  Task *task = &self->tasks[tid];
  gint32 child;

  if (!task->is_alive)
    return;
  switch (g_rand_int_range (self->random, 0, 3))
    {
    case 0:
      child = g_rand_int_range (self->random, 1, N_TIDS);
      if (self->tasks[child].is_alive)
        return;
      record.type = TB_CAPTURE_FORK;
      record.fork = (TbCaptureFork) { tid, task->pid, child, child };
      self->tasks[child] = (Task) { TRUE, child, task->pid, task->name, task->mapped };
      break;
    case 1:
      if (tid == 1)
        return;
      record.type = TB_CAPTURE_EXIT;
      record.exit = (TbCaptureExit) { tid, task->pid };
      task->is_alive = FALSE;
      break;
    default:
      task->name = g_rand_int_range (self->random, 0, N_NAMES);
      record.type = TB_CAPTURE_NAME;
      record.name = (TbCaptureName) { tid, task->pid, intern_name (self, task->name) };
      break;
    }
  put (self, &record, 0);
}

static void
put_mapping (Writer *self)
{
  TbCaptureRecord record
      = { .time = self->time, .type = TB_CAPTURE_MAPPING, .cpu = TB_CAPTURE_CPU_NONE };
  gint32 tid = g_rand_int_range (self->random, 1, N_TIDS);
  Task *task = &self->tasks[tid];

  if (!task->is_alive)
    return;
  /* Replaces the previous mapping. */
  task->mapped = 0x10000000 - 0x1000 * (self->expected->len % 0x8000);
  record.mapping = (TbCaptureMapping) { task->mapped, 0x20000000, 0, task->pid, 1 };
  put (self, &record, 0);
}

static Writer
begin (int file, guint64 flight_recorder_bytes)
{
  TbCaptureHeader header = { .n_cpus = N_CPUS, .backend = TB_CAPTURE_BACKEND_PERF };
  TbCaptureRecord module = { .type = TB_CAPTURE_MODULE, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureStart start = { .flight_recorder_bytes = flight_recorder_bytes };
  Writer self = { .time = 1000 };
  TbCaptureRecord task = { .time = 1000, .type = TB_CAPTURE_TASK, .cpu = TB_CAPTURE_CPU_NONE };

  self.random = g_rand_new_with_seed (g_test_rand_int ());
  self.expected = g_array_new (FALSE, FALSE, sizeof (Expected));
  self.output = tb_agent_output_new (file, G_MAXSIZE, 0);
  tb_agent_output_put_header (self.output, &header);
  tb_agent_output_start_flight_recorder (self.output, &start);
  module.module.id = 1;
  module.module.path = intern_name (&self, 0);
  tb_agent_output_put (self.output, &module);
  task.task = (TbCaptureTask) { 1, 1, 0, intern_name (&self, 1) };
  self.tasks[1] = (Task) { TRUE, 1, 0, 1, 0 };
  put (&self, &task, 0);
  return self;
}

typedef struct
{
  Writer *writer;
  guint64 from; /* start of the saved buffer */
  guint n;      /* events received */
  guint next;
  GPtrArray *strings;
  GPtrArray *stacks;
  Task tasks[N_TIDS];
  gboolean has_tasks; /* all tasks were listed */
} Reader;

/* Computes the tasks alive at the start of the saved buffer by replaying all earlier events. */
static void
check_tasks (Reader *self)
{
  Task tasks[N_TIDS] = { 0 };

  for (guint i = 0; i < self->writer->expected->len; i++)
    {
      const TbCaptureRecord *record = &g_array_index (self->writer->expected, Expected, i).record;

      if (record->time >= self->from)
        break;
      if (record->type == TB_CAPTURE_TASK)
        tasks[1] = (Task) { TRUE, 1, 0, 1, 0 };
      else if (record->type == TB_CAPTURE_FORK)
        {
          tasks[record->fork.new_tid] = tasks[record->fork.tid];
          tasks[record->fork.new_tid].is_alive = TRUE;
          tasks[record->fork.new_tid].pid = record->fork.new_pid;
          tasks[record->fork.new_tid].parent = record->fork.pid;
        }
      else if (record->type == TB_CAPTURE_EXIT)
        tasks[record->exit.tid] = (Task) { 0 };
      else if (record->type == TB_CAPTURE_NAME)
        {
          const char *name = g_ptr_array_index (self->strings, record->name.name);

          tasks[record->name.tid].name = atoi (name + 5);
        }
      else if (record->type == TB_CAPTURE_MAPPING)
        tasks[record->mapping.pid].mapped = record->mapping.start;
    }
  for (guint tid = 1; tid < N_TIDS; tid++)
    {
      g_assert_cmpint (self->tasks[tid].is_alive, ==, tasks[tid].is_alive);
      if (!tasks[tid].is_alive)
        continue;
      g_assert_cmpint (self->tasks[tid].pid, ==, tasks[tid].pid);
      g_assert_cmpint (self->tasks[tid].parent, ==, tasks[tid].parent);
      g_assert_cmpuint (self->tasks[tid].name, ==, tasks[tid].name);
      g_assert_cmpuint (self->tasks[tid].mapped, ==, tasks[tid].mapped);
    }
  self->has_tasks = TRUE;
}

static void
check_event (Reader *self, const TbCaptureRecord *record)
{
  const Expected *expected = NULL;
  TbCaptureRecord same = *record;

  if (!self->has_tasks)
    check_tasks (self);
  while (self->next < self->writer->expected->len)
    {
      expected = &g_array_index (self->writer->expected, Expected, self->next++);
      if (expected->record.time >= self->from)
        break;
    }
  g_assert_nonnull (expected);
  if (record->type == TB_CAPTURE_SWITCH)
    {
      guint length;
      const guint64 *words = make_stack (expected->stack, &length);
      GBytes *stack = g_ptr_array_index (self->stacks, record->sched_switch.stack);

      g_assert_cmpmem (g_bytes_get_data (stack, NULL), g_bytes_get_size (stack), words, length * 8);
      same.sched_switch.stack = expected->record.sched_switch.stack;
    }
  same.tail = expected->record.tail;
  g_assert_cmpmem (&same, sizeof same, &expected->record, sizeof same);
  self->n++;
}

static void
check_record (Reader *self, const TbCaptureRecord *record)
{
  const char *name;

  switch (record->type)
    {
    case TB_CAPTURE_STRING:
      g_ptr_array_add (self->strings, g_strndup ((const char *) record->tail, record->tail_length));
      break;
    case TB_CAPTURE_STACK:
      g_ptr_array_add (self->stacks, g_bytes_new (record->tail, record->tail_length));
      break;
    case TB_CAPTURE_DISCARDED:
      g_assert_cmpuint (self->from, ==, 0);
      self->from = record->time;
      break;
    case TB_CAPTURE_TASK:
      name = g_ptr_array_index (self->strings, record->task.name);
      if (record->time >= self->from && self->from == 1000 && self->n == 0 && !self->has_tasks)
        {
          /* Nothing was dropped: this is the event itself. */
          check_event (self, record);
          break;
        }
      g_assert_cmpuint (record->time, ==, self->from);
      self->tasks[record->task.tid]
          = (Task) { TRUE, record->task.pid, record->task.parent, (guint) atoi (name + 5), 0 };
      break;
    case TB_CAPTURE_MAPPING:
      if (record->time != self->from || self->has_tasks)
        check_event (self, record);
      else
        self->tasks[record->mapping.pid].mapped = record->mapping.start;
      break;
    case TB_CAPTURE_SWITCH:
    case TB_CAPTURE_FORK:
    case TB_CAPTURE_EXIT:
    case TB_CAPTURE_NAME:
      check_event (self, record);
      break;
    default:
      break;
    }
}

/* Reads the whole stream; returns the number of events received. */
static guint
check_stream (Writer *writer, const char *path, guint64 *from)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  g_autofree char *data = NULL;
  Reader reader = { .writer = writer };
  gsize length, at = 0;
  guint n_left = 0;

  reader.strings = g_ptr_array_new_with_free_func (g_free);
  reader.stacks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_ptr_array_add (reader.strings, g_strdup (""));
  g_ptr_array_add (reader.stacks, g_bytes_new (NULL, 0));
  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  for (;;)
    {
      TbCaptureRecord record;
      TbCaptureResult result = tb_capture_decoder_next (decoder, &record);
      gsize space, piece;
      void *to;

      if (result == TB_CAPTURE_DAMAGED)
        g_error ("%s", tb_capture_decoder_get_error (decoder));
      if (result == TB_CAPTURE_RECORD)
        check_record (&reader, &record);
      if (result != TB_CAPTURE_MORE)
        continue;
      if (at == length)
        break;
      to = tb_capture_decoder_get_space (decoder, &space);
      piece = MIN (space, length - at);
      memcpy (to, data + at, piece);
      tb_capture_decoder_commit (decoder, piece);
      at += piece;
    }
  g_assert_false (tb_capture_decoder_has_partial (decoder));
  g_assert_cmpuint (reader.from, >, 0);
  for (guint i = 0; i < writer->expected->len; i++)
    n_left += g_array_index (writer->expected, Expected, i).record.time >= reader.from;
  g_assert_cmpuint (reader.n, ==, n_left);
  *from = reader.from;
  g_ptr_array_unref (reader.strings);
  g_ptr_array_unref (reader.stacks);
  tb_capture_decoder_free (decoder);
  return reader.n;
}

/* Random events: no event of the saved buffer is missing, and the state left by earlier ones is
 * listed. */
static void
test_random (gconstpointer data)
{
  guint n_events = GPOINTER_TO_UINT (data);
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("tailback-keep-XXXXXX", &path, NULL);
  Writer writer = begin (file, 8 * MEBIBYTE);
  guint64 from, n_saved, n_lost;
  guint n;

  while (writer.expected->len < n_events)
    {
      guint64 flushed = writer.time;
      TbCaptureRecord flush
          = { .type = TB_CAPTURE_FLUSH, .cpu = TB_CAPTURE_CPU_NONE, .time = flushed };

      /* Within a round times are unordered, as from several CPUs. */
      for (guint i = g_rand_int_range (writer.random, 1, 2000); i > 0; i--)
        {
          writer.time += g_rand_int_range (writer.random, 0, 3);
          if (g_rand_int_range (writer.random, 0, 20) == 0)
            put_task_event (&writer);
          else if (g_rand_int_range (writer.random, 0, 100) == 0)
            put_mapping (&writer);
          else
            {
              guint64 time = writer.time, earlier = g_rand_int_range (writer.random, 0, 50);

              writer.time = MAX (flushed, time - earlier);
              put_switch (&writer);
              writer.time = time;
            }
        }
      writer.time++;
      tb_agent_output_put (writer.output, &flush);
      g_assert_null (tb_agent_output_rotate (writer.output));
    }
  tb_agent_output_save_flight_recorder (writer.output, 1000, &n_saved, &n_lost);
  tb_agent_output_close (writer.output);
  n = check_stream (&writer, path, &from);
  g_test_message ("%u of %u events from %" G_GUINT64_FORMAT " on", n, writer.expected->len, from);
  g_assert_cmpuint (n, >, 10);
  g_assert_cmpuint (n_lost, ==, 0);
  g_assert_cmpuint (n_saved, <=, n);
  if (n_events > 100000)
    g_assert_cmpuint (n, <, writer.expected->len);
  g_array_unref (writer.expected);
  g_rand_free (writer.random);
  close (file);
  g_unlink (path);
}

static void
ignore (void *data, const TbCaptureRecord *record)
{
}

static void
count_bytes (void *data, const void *bytes, size_t length)
{
  *(gsize *) data += length;
}

static void
buffer_add (TbAgentFlightBuffer *buffer, const TbCaptureRecord *record)
{
  tb_agent_flight_buffer_commit (buffer, record,
                                 tb_capture_encode (record,
                                                    tb_agent_flight_buffer_get_space (buffer),
                                                    TB_CAPTURE_MAX_RECORD));
}

/* Memory is bounded however long the recording is, and the last seconds are complete. */
static void
test_bounded (void)
{
  const guint64 second = 1000000000;
  TbCaptureStart start
      = { .flight_recorder_ns = 2 * second, .flight_recorder_bytes = 8 * MEBIBYTE };
  TbAgentFlightBuffer *buffer = tb_agent_flight_buffer_new (&start);
  TbCaptureRecord record = { .type = TB_CAPTURE_SWITCH, .cpu = 0 };
  guint64 now = second, n_events, n_lost;
  gsize bytes = 0;

  for (guint i = 0; i < 20 * 1000; i++, now += second / 1000)
    {
      record.time = now;
      buffer_add (buffer, &record);
      if (i % 20 == 0)
        tb_agent_flight_buffer_rotate (buffer, now);
    }
  tb_agent_flight_buffer_save (buffer, second, ignore, count_bytes, &bytes, &n_events, &n_lost);
  g_assert_cmpuint (n_events, >=, 2000);
  g_assert_cmpuint (n_events, <=, 2000 * 10 / 8 + 20);
  tb_agent_flight_buffer_free (buffer);

  buffer = tb_agent_flight_buffer_new (&start);
  bytes = 0;
  for (guint i = 0; i < 1000 * 1000; i++, now += 100)
    {
      record.time = now;
      buffer_add (buffer, &record);
      if (i % 20 == 0)
        tb_agent_flight_buffer_rotate (buffer, now);
    }
  tb_agent_flight_buffer_save (buffer, second, ignore, count_bytes, &bytes, &n_events, &n_lost);
  g_assert_cmpuint (bytes, <=, 8 * MEBIBYTE);
  g_assert_cmpuint (bytes, >=, 6 * MEBIBYTE);
  tb_agent_flight_buffer_free (buffer);
}

static void
collect (void *data, const void *bytes, size_t length)
{
  g_byte_array_append (data, bytes, (guint) length);
}

/* Records that are sent once, at the beginning, are never dropped. */
static void
test_interfaces (void)
{
  const guint64 second = 1000000000;
  TbCaptureStart start
      = { .flight_recorder_ns = 2 * second, .flight_recorder_bytes = 8 * MEBIBYTE };
  TbAgentFlightBuffer *buffer = tb_agent_flight_buffer_new (&start);
  static const guint8 address[TB_CAPTURE_ADDRESS_SIZE] = { 0x20, 1 };
  TbCaptureRecord name = { .type = TB_CAPTURE_STRING, .cpu = TB_CAPTURE_CPU_NONE, .string.id = 1 };
  TbCaptureRecord interface = { .type = TB_CAPTURE_INTERFACE, .cpu = TB_CAPTURE_CPU_NONE };
  TbCaptureRecord record = { .type = TB_CAPTURE_SWITCH, .cpu = 0 };
  g_autoptr (GByteArray) saved = g_byte_array_new ();
  guint64 now = second, n_events, n_lost;
  guint n_names = 0, n_interfaces = 0;

  name.tail = (const guint8 *) "eth0";
  name.tail_length = 4;
  buffer_add (buffer, &name);
  interface.interface = (TbCaptureInterface) { .speed = 1000, .index = 2, .name = 1 };
  interface.tail = address;
  interface.tail_length = sizeof address;
  buffer_add (buffer, &interface);
  for (guint i = 0; i < 20 * 1000; i++, now += second / 1000)
    {
      record.time = now;
      buffer_add (buffer, &record);
      if (i % 20 == 0)
        tb_agent_flight_buffer_rotate (buffer, now);
    }
  tb_agent_flight_buffer_save (buffer, second, ignore, collect, saved, &n_events, &n_lost);
  for (gsize at = 0; at < saved->len; at += tb_capture_rewrite_get_size (saved->data + at))
    {
      TbCaptureRecord found;

      tb_capture_rewrite_read (saved->data + at, &found);
      n_names += found.type == TB_CAPTURE_STRING;
      if (found.type != TB_CAPTURE_INTERFACE)
        continue;
      n_interfaces++;
      g_assert_cmpuint (n_names, ==, 1);
      g_assert_cmpuint (found.interface.speed, ==, 1000);
      g_assert_cmpuint (found.interface.index, ==, 2);
      g_assert_cmpmem (found.tail, found.tail_length, address, sizeof address);
    }
  g_assert_cmpuint (n_interfaces, ==, 1);
  tb_agent_flight_buffer_free (buffer);
}

static TbAgentFlightBuffer *
watch_for (guint32 call)
{
  TbCaptureStart start = { .flight_recorder_ns = 1000, .trigger_ns = 100, .trigger_call = call };

  return tb_agent_flight_buffer_new (&start);
}

/* number: duration in ns. */
static void
assert_reason (TbAgentFlightBuffer *buffer,
               TbCaptureStatusCode code,
               const char *tid,
               const char *number,
               const char *ns)
{
  const TbCaptureMessage *reason = tb_agent_flight_buffer_get_save_reason (buffer);

  g_assert_nonnull (reason);
  g_assert_cmpuint (reason->code, ==, code);
  g_assert_cmpuint (reason->n_arguments, ==, 3);
  g_assert_cmpstr (tb_capture_message_get (reason, 0), ==, tid);
  g_assert_cmpstr (tb_capture_message_get (reason, 1), ==, number);
  g_assert_cmpstr (tb_capture_message_get (reason, 2), ==, ns);
}

/* A call that takes too long triggers the saving, and nothing else does. */
static void
test_watch (void)
{
  TbCaptureRecord enter = { .time = 1000, .type = TB_CAPTURE_SYS_ENTER, .cpu = 0 };
  TbCaptureRecord leave = { .time = 1099, .type = TB_CAPTURE_SYS_EXIT, .cpu = 1 };
  TbCaptureRecord whole = { .time = 1100, .type = TB_CAPTURE_SYS_CALL, .cpu = 0 };
  TbCaptureRecord call = { .time = 1000, .type = TB_CAPTURE_CALL, .cpu = 0 };
  TbCaptureRecord back = { .time = 1001, .type = TB_CAPTURE_RETURN, .cpu = 0 };
  TbAgentFlightBuffer *buffer = watch_for (7);

  enter.sys_enter.tid = leave.sys_exit.tid = whole.sys_call.tid = call.call.tid = back.call.tid
      = 42;
  enter.sys_enter.number = leave.sys_exit.number = 7;
  buffer_add (buffer, &enter);
  buffer_add (buffer, &leave);
  g_assert_null (tb_agent_flight_buffer_get_save_reason (buffer));
  leave.time = 1200; /* its start is unknown */
  buffer_add (buffer, &leave);
  g_assert_null (tb_agent_flight_buffer_get_save_reason (buffer));
  enter.sys_enter.number = leave.sys_exit.number = 8;
  buffer_add (buffer, &enter);
  buffer_add (buffer, &leave);
  g_assert_null (tb_agent_flight_buffer_get_save_reason (buffer));
  enter.sys_enter.number = leave.sys_exit.number = 7;
  buffer_add (buffer, &enter);
  buffer_add (buffer, &leave);
  assert_reason (buffer, TB_CAPTURE_CODE_TRIGGER_SYSCALL, "42", "7", "200");
  tb_agent_flight_buffer_free (buffer);

  /* Recorded late. */
  buffer = watch_for (7);
  enter.time = leave.time = 1098;
  enter.sys_enter.entered = 999;
  buffer_add (buffer, &enter);
  buffer_add (buffer, &leave);
  g_assert_null (tb_agent_flight_buffer_get_save_reason (buffer));
  enter.sys_enter.entered = 998;
  buffer_add (buffer, &enter);
  buffer_add (buffer, &leave);
  g_assert_nonnull (tb_agent_flight_buffer_get_save_reason (buffer));
  tb_agent_flight_buffer_free (buffer);

  buffer = watch_for (TB_CAPTURE_ANY_CALL);
  whole.sys_call.entered = 1001;
  buffer_add (buffer, &whole);
  g_assert_null (tb_agent_flight_buffer_get_save_reason (buffer));
  whole.sys_call.entered = 1000;
  buffer_add (buffer, &whole);
  g_assert_nonnull (tb_agent_flight_buffer_get_save_reason (buffer));
  tb_agent_flight_buffer_free (buffer);

  /* Nested calls of one function: the outer one is the long one. */
  buffer = watch_for (TB_CAPTURE_NO_CALL);
  buffer_add (buffer, &call);
  call.time = 1050;
  buffer_add (buffer, &call);
  back.time = 1060;
  buffer_add (buffer, &back);
  g_assert_null (tb_agent_flight_buffer_get_save_reason (buffer));
  back.time = 1100;
  buffer_add (buffer, &back);
  assert_reason (buffer, TB_CAPTURE_CODE_TRIGGER_FUNCTION, "42", "0", "100");
  tb_agent_flight_buffer_free (buffer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/agent/keep/all", GUINT_TO_POINTER (10000), test_random);
  g_test_add_data_func ("/agent/keep/last", GUINT_TO_POINTER (400000), test_random);
  g_test_add_func ("/agent/keep/bounded", test_bounded);
  g_test_add_func ("/agent/keep/interfaces", test_interfaces);
  g_test_add_func ("/agent/keep/watch", test_watch);
  return g_test_run ();
}
