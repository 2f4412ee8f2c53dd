/* tb-csv-export-lines.c: events, devices, warnings and facts of a session, written as lines of the
 * plain-text event format
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-csv-export-private.h"

#include <string.h>

/* The cells of a line. Numbers that are NONE and texts that are NULL are empty cells; an unknown
 * thread is −1. */
#define NONE G_MININT64

typedef struct
{
  gint64 time;
  gint64 cpu;
  const char *kind;
  gint64 prev;
  const char *prev_state;
  gint64 next;
  gint64 waker;
  gint64 wakee;
  gint64 vec;
  gint64 tid;
  const char *dev;
  gint64 bytes;
  const char *text;
  const char *stack;
  guint64 sector;
  gboolean has_sector;
  guint64 socket;
  gboolean has_socket;
} Line;

static void
append_unsigned (GString *text, guint64 number)
{
  char digits[24];
  guint n = sizeof digits;

  do
    digits[--n] = '0' + number % 10;
  while ((number /= 10) != 0);
  g_string_append_len (text, digits + n, sizeof digits - n);
}

static void
append_number (GString *text, gint64 number)
{
  g_string_append_c (text, ',');
  if (number == NONE)
    return;
  if (number < 0)
    g_string_append_c (text, '-');
  append_unsigned (text, number < 0 ? 0 - (guint64) number : (guint64) number);
}

static void
append_text (GString *text, const char *cell)
{
  g_string_append_c (text, ',');
  if (cell == NULL)
    return;
  if (cell[strcspn (cell, ",\"\r\n")] == '\0')
    {
      g_string_append (text, cell);
      return;
    }
  g_string_append_c (text, '"');
  for (; *cell != '\0'; cell++)
    {
      if (*cell == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *cell);
    }
  g_string_append_c (text, '"');
}

static Line
begin_line (gint64 time, gint64 cpu, const char *kind)
{
  return (Line) {
    .time = time,
    .cpu = cpu == TB_CPU_ALL ? -1 : cpu,
    .kind = kind,
    .prev = NONE,
    .next = NONE,
    .waker = NONE,
    .wakee = NONE,
    .vec = NONE,
    .tid = NONE,
    .bytes = NONE,
  };
}

static void
end_line (TbCsvLines *self, const Line *line)
{
  GString *text = self->text;

  append_unsigned (text, (guint64) line->time);
  append_number (text, line->cpu);
  append_text (text, line->kind);
  append_number (text, line->prev);
  append_text (text, line->prev_state);
  append_number (text, line->next);
  append_number (text, line->waker);
  append_number (text, line->wakee);
  append_number (text, line->vec);
  append_number (text, line->tid);
  append_text (text, line->dev);
  append_number (text, line->bytes);
  append_text (text, line->text);
  append_text (text, line->stack);
  g_string_append_c (text, ',');
  if (line->has_sector)
    append_unsigned (text, line->sector);
  g_string_append_c (text, ',');
  if (line->has_socket)
    append_unsigned (text, line->socket);
  g_string_append_c (text, '\n');
}

void
tb_csv_lines_add_header (TbCsvLines *self)
{
  g_string_append (self->text, "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,"
                               "bytes,text,stack,sector,socket\n");
}

/* Writes the warnings of the recording as comments, as no event line contains them. */
void
tb_csv_lines_add_warnings (TbCsvLines *self)
{
  const char *const *warnings = tb_session_get_warnings (self->session);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    {
      g_autofree char *line = g_strdelimit (g_strdup (warnings[i]), "\n\r", ' ');

      g_string_append_printf (self->text, "# warning: %s\n", line);
    }
}

/* Writes what is known of how the events were recorded as comments, too. */
void
tb_csv_lines_add_facts (TbCsvLines *self)
{
  const char *const *names = tb_schema_list_evidence_facts ();

  for (; *names != NULL; names++)
    {
      const char *value = tb_session_get_fact (self->session, *names);
      g_autofree char *line = value != NULL ? g_strdelimit (g_strdup (value), "\n\r", ' ') : NULL;

      if (line != NULL)
        g_string_append_printf (self->text, "# fact: %s=%s\n", *names, line);
    }
}

void
tb_csv_lines_add_time (TbCsvLines *self, gint64 time)
{
  Line line = begin_line (time, 0, "switch");

  line.prev = line.next = 0;
  line.prev_state = "R";
  end_line (self, &line);
}

static gboolean
is_device_number (const char *text)
{
  gsize major = strspn (text, "0123456789");
  gsize minor = text[major] == ':' ? strspn (text + major + 1, "0123456789") : 0;

  return major > 0 && minor > 0 && text[major + 1 + minor] == '\0' && major + minor < 24;
}

/* Writes the device numbers; must be called before any other line of the devices. */
void
tb_csv_lines_add_devices (TbCsvLines *self, gint64 time)
{
  for (guint i = 0; i < self->n_devices; i++)
    {
      Line line = begin_line (time, NONE, "device");

      line.dev = self->devices[i].name;
      line.text = self->devices[i].major_minor;
      if (strcmp (self->devices[i].kind, "block") == 0 && *line.dev != '\0'
          && is_device_number (line.text))
        end_line (self, &line);
    }
}

#define VALUE(kind, column, type) TB_CSV_VALUE (self->events, kind, column, type, event->row)

static const char *
get_text (TbCsvLines *self, guint32 string)
{
  return tb_session_get_string (self->session, string);
}

static const char *
get_device (TbCsvLines *self, guint32 device)
{
  return device < self->n_devices ? self->devices[device].name : NULL;
}

static gint64
get_tid (TbCsvLines *self, guint32 thread)
{
  return tb_csv_threads_get_tid (self->threads, thread);
}

/* Whether the recording contains the process of the thread at its fork. */
static gboolean
has_process (TbCsvLines *self, guint32 thread)
{
  const TbCsvThreads *threads = self->threads;

  return threads->forks_have_process && thread < threads->n_threads
         && threads->threads[thread].process < threads->n_processes
         && threads->pids[threads->threads[thread].process] > 0;
}

/* A fork line has only the number of the new thread; its process follows in a name line. Threads
 * that have name lines of their own need no other. */
static void
add_thread_name (TbCsvLines *self, gint64 time, guint32 thread, const char *name)
{
  gint32 tid = tb_csv_threads_get_tid (self->threads, thread);
  gint32 pid = tb_csv_threads_get_pid (self->threads, thread);
  Line line = begin_line (time, NONE, "name");

  if (tid <= 0 || self->threads->process_written[thread])
    return;
  self->threads->process_written[thread] = TRUE;
  /* The process follows from the thread's number, or is in the fork line. */
  if (pid == tid || (has_process (self, thread) && *name == '\0'))
    return;
  line.tid = tid;
  line.waker = pid;
  tb_csv_threads_describe (self->threads, thread, name, self->name);
  line.text = self->name->str;
  end_line (self, &line);
}

static void
add_process (TbCsvLines *self, const TbSequenceEvent *event)
{
  guint8 kind = VALUE (PROCESS, KIND, guint8);
  guint32 thread = VALUE (PROCESS, THREAD, guint32);
  const char *text = get_text (self, VALUE (PROCESS, TEXT, guint32));
  Line line = begin_line (event->time, VALUE (PROCESS, CPU, guint16), NULL);

  line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (PROCESS, STACK, guint32));
  switch (kind)
    {
    case TB_PROCESS_FORK:
      line.kind = "fork";
      line.waker = get_tid (self, VALUE (PROCESS, CREATOR, guint32));
      line.wakee = get_tid (self, thread);
      if (has_process (self, thread))
        line.tid = tb_csv_threads_get_pid (self->threads, thread);
      break;
    case TB_PROCESS_EXIT:
      line.kind = "exit";
      line.tid = get_tid (self, thread);
      break;
    case TB_PROCESS_EXEC:
      line.kind = "exec";
      line.tid = get_tid (self, thread);
      line.text = *text != '\0' ? text : "?";
      break;
    default:
      line.kind = "name";
      line.tid = get_tid (self, thread);
      line.waker = tb_csv_threads_get_pid (self->threads, thread);
      tb_csv_threads_describe (self->threads, thread, text, self->name);
      line.text = self->name->str;
      break;
    }
  end_line (self, &line);
  if (kind == TB_PROCESS_FORK)
    add_thread_name (self, event->time, thread,
                     thread < self->threads->n_threads ? self->threads->threads[thread].name : "");
}

static void
add_switch (TbCsvLines *self, const TbSequenceEvent *event)
{
  char state[3] = { (char) VALUE (SWITCH, PREV_STATE, guint8), '\0', '\0' };
  Line line = begin_line (event->time, VALUE (SWITCH, CPU, guint16), "switch");

  if (state[0] == '+')
    memcpy (state, "R+", 2);
  else if (!g_ascii_isgraph (state[0]))
    state[0] = '?';
  line.prev = get_tid (self, VALUE (SWITCH, PREV, guint32));
  line.prev_state = state;
  line.next = get_tid (self, VALUE (SWITCH, NEXT, guint32));
  line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (SWITCH, STACK, guint32));
  end_line (self, &line);
}

static void
add_wakeup (TbCsvLines *self, const TbSequenceEvent *event)
{
  guint32 waker = VALUE (WAKEUP, WAKER, guint32);
  guint16 cpu = VALUE (WAKEUP, CPU, guint16);
  guint8 flags = VALUE (WAKEUP, FLAGS, guint8);
  /* A soft interrupt may run in ksoftirqd, or in the sender of a message, which then woke. */
  gboolean is_in_interrupt
      = event->lacks_interrupt && cpu != TB_CPU_ALL && !self->woken_by_thread[event->row];
  Line line = begin_line (event->time, cpu, "wakeup");
  Line interrupt = begin_line (event->time, cpu, "irq_entry");

  /* If wake-ups are recorded late, the idle task is not a waker. */
  line.waker
      = (flags & TB_WAKEUP_LATE) != 0 && waker == TB_THREAD_IDLE ? -1 : get_tid (self, waker);
  line.wakee = get_tid (self, VALUE (WAKEUP, WAKEE, guint32));
  line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (WAKEUP, STACK, guint32));
  if (flags & TB_WAKEUP_NEW)
    line.text = "new";
  if (is_in_interrupt)
    end_line (self, &interrupt);
  end_line (self, &line);
  interrupt.kind = "irq_exit";
  if (is_in_interrupt)
    end_line (self, &interrupt);
}

static void
add_sample (TbCsvLines *self, const TbSequenceEvent *event)
{
  guint64 weight = VALUE (SAMPLE, WEIGHT, guint64);
  Line line = begin_line (event->time, VALUE (SAMPLE, CPU, guint16), "sample");

  line.tid = get_tid (self, VALUE (SAMPLE, THREAD, guint32));
  line.bytes = weight != 1 ? (gint64) MIN (weight, G_MAXINT64) : NONE;
  line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (SAMPLE, STACK, guint32));
  end_line (self, &line);
}

void
tb_csv_lines_add_counter (TbCsvLines *self, guint32 row)
{
  static const char *const kinds[TB_N_COUNTER_KINDS] = { "events", "cpu-time", "wait", "wait-sum" };
  TbCsvEvents *events = self->events;
  guint8 kind = TB_CSV_VALUE (events, COUNTER, KIND, guint8, row);
  Line line = begin_line (TB_CSV_VALUE (events, COUNTER, TIME, gint64, row),
                          TB_CSV_VALUE (events, COUNTER, CPU, guint16, row), "counter");

  line.tid = get_tid (self, TB_CSV_VALUE (events, COUNTER, THREAD, guint32, row));
  line.prev_state = kinds[MIN (kind, TB_N_COUNTER_KINDS - 1)];
  line.bytes = (gint64) MIN (TB_CSV_VALUE (events, COUNTER, WEIGHT, guint64, row), G_MAXINT64);
  line.text = get_text (self, TB_CSV_VALUE (events, COUNTER, NAME, guint32, row));
  line.stack
      = tb_csv_stacks_get_text (self->stacks, TB_CSV_VALUE (events, COUNTER, STACK, guint32, row));
  end_line (self, &line);
}

void
tb_csv_lines_add_file_lock (TbCsvLines *self, guint32 row)
{
  static const char *const calls[TB_N_FILE_LOCK_CALLS] = { "flock", "fcntl" };
  static const char *const modes[TB_N_FILE_LOCK_MODES]
      = { "shared", "exclusive", "release", "other" };
  static const char *const results[TB_N_FILE_LOCK_RESULTS]
      = { "done", "refused", "waits", "failed" };
  TbCsvEvents *events = self->events;
  Line line = begin_line (TB_CSV_VALUE (events, FILE_LOCK, TIME, gint64, row), NONE, "file_lock");

  line.tid = get_tid (self, TB_CSV_VALUE (events, FILE_LOCK, THREAD, guint32, row));
  line.prev_state
      = results[TB_CSV_VALUE (events, FILE_LOCK, RESULT, guint8, row) % TB_N_FILE_LOCK_RESULTS];
  line.dev = get_text (self, TB_CSV_VALUE (events, FILE_LOCK, FILE, guint32, row));
  g_string_printf (
      self->name, "%s=%s-%" G_GUINT64_FORMAT,
      calls[TB_CSV_VALUE (events, FILE_LOCK, CALL, guint8, row) % TB_N_FILE_LOCK_CALLS],
      modes[TB_CSV_VALUE (events, FILE_LOCK, MODE, guint8, row) % TB_N_FILE_LOCK_MODES],
      TB_CSV_VALUE (events, FILE_LOCK, OWNER, guint64, row));
  line.text = self->name->str;
  line.sector = TB_CSV_VALUE (events, FILE_LOCK, FROM, guint64, row);
  line.has_sector = line.sector != 0;
  line.socket = TB_CSV_VALUE (events, FILE_LOCK, TO, guint64, row);
  line.has_socket = line.socket != 0;
  end_line (self, &line);
}

static void
add_network (TbCsvLines *self, const TbSequenceEvent *event)
{
  const char *local = get_text (self, VALUE (NETWORK, LOCAL, guint32));
  static const char *const kinds[] = { "net_send", "net_receive", "net_connect", "net_accept" };
  Line line = begin_line (event->time, VALUE (NETWORK, CPU, guint16),
                          kinds[VALUE (NETWORK, KIND, guint8) % 4]);

  line.tid = get_tid (self, VALUE (NETWORK, THREAD, guint32));
  line.dev = get_text (self, VALUE (NETWORK, PROTOCOL, guint32));
  line.bytes = (gint64) MIN (VALUE (NETWORK, BYTES, guint64), G_MAXINT64);
  g_string_assign (self->name, get_text (self, VALUE (NETWORK, REMOTE, guint32)));
  if (*local != '\0')
    g_string_append_printf (self->name, " from %s", local);
  line.text = self->name->str;
  line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (NETWORK, STACK, guint32));
  line.socket = VALUE (NETWORK, SOCKET, guint64);
  line.has_socket = TRUE;
  end_line (self, &line);
}

static void
add_mark (TbCsvLines *self, const TbSequenceEvent *event)
{
  static const char *const kinds[] = { "mark", "spin_begin", "spin_end", "false_wakeup" };
  guint8 kind = VALUE (MARK, KIND, guint8) % 4;
  const char *value = get_text (self, VALUE (MARK, VALUE, guint32));
  guint32 releaser = VALUE (MARK, RELEASER, guint32);
  Line line = begin_line (event->time, VALUE (MARK, CPU, guint16), kinds[kind]);

  line.tid = get_tid (self, VALUE (MARK, THREAD, guint32));
  line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (MARK, STACK, guint32));
  if (kind == TB_MARK_SPIN_END && releaser != TB_ID_NONE)
    line.waker = get_tid (self, releaser);
  if (kind == TB_MARK_SPIN_BEGIN || kind == TB_MARK_SPIN_END)
    line.text = value;
  if (kind == TB_MARK_NOTE)
    {
      g_string_assign (self->name, get_text (self, VALUE (MARK, NAME, guint32)));
      if (self->name->len == 0)
        g_string_append_c (self->name, '?');
      if (*value != '\0')
        g_string_append_printf (self->name, "=%s", value);
      line.text = self->name->str;
    }
  end_line (self, &line);
}

static void
add_lost (TbCsvLines *self, const TbSequenceEvent *event)
{
  Line line = begin_line (event->time, VALUE (LOST, CPU, guint16), "lost");

  line.bytes = (gint64) MIN (VALUE (LOST, COUNT, guint64), G_MAXINT64);
  end_line (self, &line);
}

static void
add_sleep (TbCsvLines *self, const TbSequenceEvent *event)
{
  static const char *const kinds[TB_N_SLEEPS]
      = { "unknown", "file",        "pipe",      "socket",    "poll",  "event",  "timer",
          "lock",    "shared-lock", "file-lock", "semaphore", "queue", "child",  "signal",
          "timed",   "terminal",    "device",    "ring",      "fault", "kernel", "other" };
  gint64 timeout = VALUE (SLEEP, TIMEOUT, gint64);
  guint32 operation = VALUE (SLEEP, OPERATION, guint32);
  Line line = begin_line (event->time, NONE, "sleep");

  line.tid = get_tid (self, VALUE (SLEEP, THREAD, guint32));
  line.prev_state = kinds[MIN (VALUE (SLEEP, KIND, guint8), TB_N_SLEEPS - 1)];
  line.dev = get_text (self, VALUE (SLEEP, OBJECT, guint32));
  line.bytes = timeout >= TB_TIMEOUT_NONE ? timeout : NONE;
  line.sector = VALUE (SLEEP, ADDRESS, guint64);
  line.has_sector = line.sector != 0;
  line.socket = VALUE (SLEEP, OFFSET, guint64);
  line.has_socket = line.socket != 0;
  line.vec = operation != 0 ? (gint64) operation - 1 : NONE;
  tb_csv_stacks_name_data (self->stacks, VALUE (SLEEP, FRAME, guint32), line.socket, self->name);
  if (self->name->len > 0)
    g_string_prepend_c (self->name, '=');
  g_string_prepend (self->name, get_text (self, VALUE (SLEEP, CALL, guint32)));
  line.text = self->name->str;
  end_line (self, &line);
}

static void
add_interrupt (TbCsvLines *self, const TbSequenceEvent *event)
{
  guint8 kind = VALUE (INTERRUPT, KIND, guint8);
  gboolean enters = event->kind == TB_ORDER_INTERRUPT_ENTER;
  guint32 vector = VALUE (INTERRUPT, VECTOR, guint32);
  const char *name = get_text (self, VALUE (INTERRUPT, NAME, guint32));
  Line line = begin_line (event->time, VALUE (INTERRUPT, CPU, guint16),
                          enters ? "irq_entry" : "irq_exit");

  if (kind == TB_INTERRUPT_SOFT)
    {
      line.kind = enters ? "softirq_entry" : "softirq_exit";
      line.vec = MIN (vector, TB_SOFTIRQ_RCU);
      end_line (self, &line);
      return;
    }
  line.vec = vector != 0 ? (gint64) vector : NONE;
  line.dev = kind == TB_INTERRUPT_TIMER ? "timer"
             : kind == TB_INTERRUPT_NMI ? "nmi"
                                        : get_device (self, VALUE (INTERRUPT, DEVICE, guint32));
  if (*name != '\0' && g_strcmp0 (name, line.dev) != 0)
    line.text = name;
  end_line (self, &line);
}

static void
add_syscall (TbCsvLines *self, const TbSequenceEvent *event)
{
  gboolean enters = event->kind == TB_ORDER_SYSCALL_ENTER;
  const char *name = get_text (self, VALUE (SYSCALL, NUMBER, guint32));
  Line line = begin_line (event->time, NONE, enters ? "sys_enter" : "sys_exit");

  line.tid = get_tid (self, VALUE (SYSCALL, THREAD, guint32));
  if (enters)
    {
      line.text = *name != '\0' ? name : "?";
      line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (SYSCALL, STACK, guint32));
    }
  else
    {
      line.bytes = VALUE (SYSCALL, RESULT, gint64);
      if (VALUE (SYSCALL, ENTER, gint64) == TB_TIME_NONE)
        line.text = name;
    }
  end_line (self, &line);
}

static void
add_call (TbCsvLines *self, const TbSequenceEvent *event)
{
  gboolean enters = event->kind == TB_ORDER_CALL_ENTER;
  const char *function = get_text (self, VALUE (CALL, FUNCTION, guint32));
  Line line = begin_line (event->time, NONE, enters ? "call" : "return");

  line.tid = get_tid (self, VALUE (CALL, THREAD, guint32));
  line.text = *function != '\0' ? function : "?";
  if (enters)
    line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (CALL, STACK, guint32));
  end_line (self, &line);
}

static void
add_block (TbCsvLines *self, const TbSequenceEvent *event)
{
  gint64 insert = VALUE (BLOCK, INSERT, gint64);
  gint64 issue = VALUE (BLOCK, ISSUE, gint64);
  guint32 thread = VALUE (BLOCK, THREAD, guint32);
  guint64 sector = VALUE (BLOCK, SECTOR, guint64);
  const char *device = get_device (self, VALUE (BLOCK, DEVICE, guint32));
  gboolean completes = event->kind == TB_ORDER_BLOCK_COMPLETE;
  gboolean first = event->kind == TB_ORDER_BLOCK_INSERT
                   || (event->kind == TB_ORDER_BLOCK_ISSUE && insert == issue)
                   || (completes && insert == TB_TIME_NONE);
  Line line = begin_line (event->time, completes ? VALUE (BLOCK, CPU, guint16) : NONE, "io_insert");

  if (event->kind == TB_ORDER_BLOCK_INSERT && insert == issue)
    return; /* there was no separate insert */
  if (event->kind != TB_ORDER_BLOCK_INSERT)
    line.kind = completes ? "io_complete" : "io_issue";
  line.tid = get_tid (self, thread);
  line.dev = device != NULL ? device : "?";
  line.bytes = (gint64) MIN (VALUE (BLOCK, BYTES, guint64), G_MAXINT64);
  line.sector = sector;
  line.has_sector = sector != G_MAXUINT64;
  if (first)
    {
      line.prev_state = get_text (self, VALUE (BLOCK, OPERATION, guint32));
      line.text = get_text (self, VALUE (BLOCK, FILE, guint32));
      line.stack = tb_csv_stacks_get_text (self->stacks, VALUE (BLOCK, STACK, guint32));
    }
  end_line (self, &line);
}

void
tb_csv_lines_add (TbCsvLines *self, const TbSequenceEvent *event)
{
  switch (event->kind)
    {
    case TB_SEQUENCE_EXISTING:
    case TB_ORDER_PROCESS:
      add_process (self, event);
      break;
    case TB_ORDER_SWITCH:
      add_switch (self, event);
      break;
    case TB_ORDER_WAKEUP:
      add_wakeup (self, event);
      break;
    case TB_ORDER_SAMPLE:
      add_sample (self, event);
      break;
    case TB_ORDER_NETWORK:
      add_network (self, event);
      break;
    case TB_ORDER_MARK:
      add_mark (self, event);
      break;
    case TB_ORDER_SLEEP:
      add_sleep (self, event);
      break;
    case TB_ORDER_LOST:
      add_lost (self, event);
      break;
    case TB_ORDER_INTERRUPT_ENTER:
    case TB_ORDER_INTERRUPT_EXIT:
      add_interrupt (self, event);
      break;
    case TB_ORDER_SYSCALL_ENTER:
    case TB_ORDER_SYSCALL_EXIT:
      add_syscall (self, event);
      break;
    case TB_ORDER_CALL_ENTER:
    case TB_ORDER_CALL_EXIT:
      add_call (self, event);
      break;
    case TB_ORDER_BLOCK_INSERT:
    case TB_ORDER_BLOCK_ISSUE:
    case TB_ORDER_BLOCK_COMPLETE:
      add_block (self, event);
      break;
    default:
      g_assert_not_reached ();
    }
}
