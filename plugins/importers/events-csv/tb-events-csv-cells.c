/* tb-events-csv-cells.c: conversion of the cells of one line into an event, by the kind of the
 * line: switch, wakeup, fork, block, sleep, … (added to the recorder by tb-events-csv-parser.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "tb-events-csv-parser.h"

#define MAX_DEVICES 65536u
#define CELL(name) TB_EVENTS_CSV_CELL (name)

/* Indexed by TbSleepKind. */
static const char *const sleep_kinds[TB_N_SLEEPS + 1] = {
  [TB_SLEEP_UNKNOWN] = "unknown",
  [TB_SLEEP_FILE] = "file",
  [TB_SLEEP_PIPE] = "pipe",
  [TB_SLEEP_SOCKET] = "socket",
  [TB_SLEEP_POLL] = "poll",
  [TB_SLEEP_EVENT] = "event",
  [TB_SLEEP_TIMER] = "timer",
  [TB_SLEEP_LOCK] = "lock",
  [TB_SLEEP_SHARED_LOCK] = "shared-lock",
  [TB_SLEEP_FILE_LOCK] = "file-lock",
  [TB_SLEEP_SEMAPHORE] = "semaphore",
  [TB_SLEEP_QUEUE] = "queue",
  [TB_SLEEP_CHILD] = "child",
  [TB_SLEEP_SIGNAL] = "signal",
  [TB_SLEEP_TIMED] = "timed",
  [TB_SLEEP_TERMINAL] = "terminal",
  [TB_SLEEP_DEVICE] = "device",
  [TB_SLEEP_RING] = "ring",
  [TB_SLEEP_FAULT] = "fault",
  [TB_SLEEP_KERNEL] = "kernel",
  [TB_SLEEP_OTHER] = "other",
};

static guint32
intern (TbEventsCsvParser *self, const TbCsvCell *cell)
{
  return cell->length > 0 ? tb_recorder_intern_string (self->recorder, cell->text, cell->length)
                          : TB_STRING_NONE;
}

/* number is the device number in the form “254:0”, NULL if unknown. The first number and kind of a
 * device are kept. */
static guint32
intern_device (TbEventsCsvParser *self, const TbCsvCell *cell, const char *kind, const char *number)
{
  g_autofree char *name = NULL;
  g_autofree char *key = NULL;
  gpointer id;

  if (cell->length == 0)
    return TB_ID_NONE;
  name = g_strndup (cell->text, cell->length);
  key = g_strdup_printf ("%c%s", kind[0], name);
  if (g_hash_table_lookup_extended (self->devices, key, NULL, &id))
    return GPOINTER_TO_UINT (id);
  if (g_hash_table_size (self->devices) >= MAX_DEVICES)
    return TB_ID_NONE;
  id = GUINT_TO_POINTER (tb_recorder_intern_device (self->recorder, 0, name, kind, number));
  g_hash_table_insert (self->devices, g_steal_pointer (&key), id);
  return GPOINTER_TO_UINT (id);
}

static gboolean
read_switch (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbCsvCell *state = &line->cells[TB_EVENTS_CSV_PREV_STATE];
  gint64 prev = -1, next = -1;

  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_PREV, &prev, error)
      || !tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_NEXT, &next, error))
    return FALSE;
  /* The switch was recorded of one thread alone, not of the CPU. */
  if ((prev < 0 || next < 0) && prev != next && !self->has_thread_switches)
    {
      self->has_thread_switches = TRUE;
      tb_recorder_set_fact (self->recorder, TB_FACT_SWITCHES, "thread");
    }
  /* The idle task is always runnable, so its state may be omitted. */
  if (prev > 0 && prev != next && !tb_events_csv_line_require (line, CELL (PREV_STATE), error))
    return FALSE;
  line->event.tid = (gint32) prev;
  line->event.pid = -1;
  line->event.a = (guint64) next;
  line->event.code = state->length == 0 ? 'R' : (guint8) state->text[0];
  if (state->length > 1 && state->text[0] == 'R' && state->text[1] == '+')
    line->event.code = '+';
  return TRUE;
}

static gboolean
read_wakeup (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbEventsCsvCpu *cpu = tb_events_csv_parser_get_cpu (self, line->event.cpu);
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  gint64 waker = -1, wakee = -1;

  /* Inside an interrupt, the interrupt is the waker, and the cell may be empty. */
  if ((cpu == NULL || cpu->depth == 0) && !tb_events_csv_line_require (line, CELL (WAKER), error))
    return FALSE;
  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_WAKER, &waker, error)
      || !tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_WAKEE, 0, G_MAXINT32, &wakee, error))
    return FALSE;
  line->event.tid = (gint32) waker;
  line->event.a = (guint64) wakee;
  if (tb_csv_cell_equals (text, "new"))
    line->event.flags = TB_WAKEUP_NEW;
  else if (text->length > 0)
    {
      g_autofree char *found = tb_csv_cell_quote (text);

      tb_events_csv_set_error (error, _ ("expected “new” or nothing in the cell “text”, found %s"),
                               found);
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_fork (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  gint64 creator = -1, created = -1, process = 0;

  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_WAKER, &creator, error)
      || !tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_WAKEE, 1, G_MAXINT32, &created,
                                           error)
      || !tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_TID, 1, G_MAXINT32, &process, error))
    return FALSE;
  line->event.tid = (gint32) creator;
  line->event.a = (guint64) created;
  line->event.b = (guint64) process;
  if (process > 0 && !self->forks_have_process)
    tb_recorder_set_fact (self->recorder, "forks-tell-processes", "yes");
  self->forks_have_process |= process > 0;
  return TRUE;
}

/* Whether the text is the name of a kernel thread that contains a slash. */
static gboolean
is_kernel_thread (const TbCsvCell *text)
{
  static const char *const prefixes[] = {
    "kworker/", "ksoftirqd/",     "migration/",    "cpuhp/",    "rcu",
    "irq/",     "idle_inject/",   "watchdog/",     "jbd2/",     "swapper/",
    "ktimers/", "posixcputmr",    "backlog_napi/", "napi/",     "xfs-",
    "btrfs-",   "dmcrypt_write/", "scsi_",         "irq_work/",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (text->length > strlen (prefixes[i])
        && memcmp (text->text, prefixes[i], strlen (prefixes[i])) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
read_name (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  TbCsvCell name = line->cells[TB_EVENTS_CSV_TEXT];
  const char *slash = memchr (name.text, '/', name.length);
  gint64 tid = -1, pid = -1;

  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_TID, 0, G_MAXINT32, &tid, error))
    return FALSE;
  pid = tid;
  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_WAKER, 0, G_MAXINT32, &pid, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.pid = (gint32) (pid > 0 ? pid : tid);
  if (slash != NULL && !is_kernel_thread (&name))
    {
      TbCsvCell process = { name.text, slash - name.text };

      name.length -= process.length + 1;
      name.text = slash + 1;
      if (process.length > 0 && tid > 0)
        {
          TbEvent event = line->event;

          event.kind = TB_EVENT_PROCESS_NAME;
          event.text = intern (self, &process);
          tb_recorder_add (self->recorder, &event);
        }
    }
  line->event.text = intern (self, &name);
  return TRUE;
}

static gboolean
read_interrupt (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbCsvCell *dev = &line->cells[TB_EVENTS_CSV_DEV];
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  gint64 vector = 0;

  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_VEC, 0, G_MAXUINT32, &vector, error))
    return FALSE;
  line->event.a = (guint64) vector;
  line->event.device = TB_ID_NONE;
  if (tb_csv_cell_equals (dev, "timer"))
    line->event.code = TB_INTERRUPT_TIMER;
  else if (tb_csv_cell_equals (dev, "nmi"))
    line->event.code = TB_INTERRUPT_NMI;
  else
    line->event.device = intern_device (self, dev, "irq", NULL);
  line->event.text = intern (self, text->length > 0 ? text : dev);
  return TRUE;
}

static gboolean
read_softirq (TbEventsCsvLine *line, GError **error)
{
  gint64 vector = 0;

  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_VEC, 0, TB_SOFTIRQ_RCU, &vector, error))
    return FALSE;
  line->event.a = (guint64) vector;
  line->event.device = TB_ID_NONE;
  return TRUE;
}

static gboolean
read_block (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  gint64 tid = -1;

  line->event.a = G_MAXUINT64;
  if (line->cells[TB_EVENTS_CSV_SECTOR].length == 0
      && !tb_events_csv_line_require (line, CELL (TID), error))
    return FALSE;
  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_TID, &tid, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_SECTOR, &line->event.a, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.b, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.device = intern_device (self, &line->cells[TB_EVENTS_CSV_DEV], "block", NULL);
  line->event.text = intern (self, &line->cells[TB_EVENTS_CSV_PREV_STATE]);
  line->event.text2 = intern (self, &line->cells[TB_EVENTS_CSV_TEXT]);
  return TRUE;
}

/* Any text identifies a socket: if it is not a number, its hash is used. */
static guint64
parse_socket (const TbCsvCell *cell)
{
  guint64 hash = 0xcbf29ce484222325u;
  guint64 number;

  if (cell->length == 0)
    return 0;
  if (tb_csv_cell_parse (cell, &number))
    return number;
  for (guint i = 0; i < cell->length; i++)
    hash = (hash ^ (guint8) cell->text[i]) * 0x100000001b3u;
  return hash;
}

static gboolean
read_device (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  g_autofree char *number = g_strndup (text->text, text->length);
  const char *colon = strchr (number, ':');

  if (colon == NULL || colon == number || colon[1] == '\0' || strlen (number) > 24
      || strspn (number, "0123456789") != (gsize) (colon - number)
      || strspn (colon + 1, "0123456789") != strlen (colon + 1))
    {
      g_autofree char *found = tb_csv_cell_quote (text);

      tb_events_csv_set_error (
          error, _ ("expected the device number MAJOR:MINOR in the cell “text”, found %s"), found);
      return FALSE;
    }
  intern_device (self, &line->cells[TB_EVENTS_CSV_DEV], "block", number);
  return TRUE;
}

/* Parses `REMOTE` or `REMOTE from LOCAL`. */
static void
read_addresses (TbEventsCsvParser *self, TbEventsCsvLine *line)
{
  static const char between[] = " from ";
  TbCsvCell remote = line->cells[TB_EVENTS_CSV_TEXT], local = { NULL, 0 };
  gsize length = sizeof between - 1;

  for (gsize at = remote.length; at-- > 0;)
    if (remote.length - at >= length && memcmp (remote.text + at, between, length) == 0)
      {
        local = (TbCsvCell) { remote.text + at + length, remote.length - at - length };
        remote.length = at;
        break;
      }
  line->event.text2 = intern (self, &remote);
  line->event.text3 = intern (self, &local);
}

static gboolean
read_network (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  gint64 tid = -1;

  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_TID, &tid, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.b, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.a = parse_socket (&line->cells[TB_EVENTS_CSV_SOCKET]);
  line->event.text = intern (self, &line->cells[TB_EVENTS_CSV_DEV]);
  read_addresses (self, line);
  return TRUE;
}

/* Splits a text at the first “=”. */
static void
split_text (TbEventsCsvParser *self, const TbCsvCell *text, guint32 *name, guint32 *value)
{
  const char *equals = text->length > 0 ? memchr (text->text, '=', text->length) : NULL;
  TbCsvCell before = { text->text, equals != NULL ? equals - text->text : text->length };
  TbCsvCell value_cell = { equals != NULL ? equals + 1 : NULL,
                           equals != NULL ? text->length - before.length - 1 : 0 };

  *name = intern (self, &before);
  *value = intern (self, &value_cell);
}

static gboolean
read_sleep (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbCsvCell *state = &line->cells[TB_EVENTS_CSV_PREV_STATE];
  gint64 tid = -1, timeout = TB_TIMEOUT_UNKNOWN, operation = -1;
  guint kind;

  for (kind = 0; kind < TB_N_SLEEPS; kind++)
    if (tb_csv_cell_equals (state, sleep_kinds[kind]))
      break;
  if (kind == TB_N_SLEEPS)
    {
      g_autofree char *found = tb_csv_cell_quote (state);
      g_autofree char *names = g_strjoinv (", ", (char **) sleep_kinds);

      tb_events_csv_set_error (
          error, _ ("expected a kind of sleep (%s) in the cell “prev_state”, found %s"), names,
          found);
      return FALSE;
    }
  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_TID, 0, G_MAXINT32, &tid, error)
      || !tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_BYTES, TB_TIMEOUT_NONE, G_MAXINT64,
                                           &timeout, error)
      || !tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_VEC, 0, G_MAXUINT32 - 1, &operation,
                                           error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_SECTOR, &line->event.a, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_SOCKET, &line->event.c, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.code = (guint8) kind;
  line->event.b = (guint64) timeout;
  line->event.device = (guint32) (operation + 1);
  line->event.module = TB_ID_NONE;
  line->event.text2 = intern (self, &line->cells[TB_EVENTS_CSV_DEV]);
  split_text (self, &line->cells[TB_EVENTS_CSV_TEXT], &line->event.text, &line->event.text3);
  return TRUE;
}

static gboolean
read_counter (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  static const char *const kinds[TB_N_COUNTER_KINDS + 1]
      = { "events", "cpu-time", "wait", "wait-sum", NULL };
  const TbCsvCell *kind = &line->cells[TB_EVENTS_CSV_PREV_STATE];
  gint64 tid = -1;

  while (line->event.code < TB_N_COUNTER_KINDS
         && !tb_csv_cell_equals (kind, kinds[line->event.code]))
    line->event.code++;
  if (line->event.code == TB_N_COUNTER_KINDS)
    {
      g_autofree char *found = tb_csv_cell_quote (kind);
      g_autofree char *names = g_strjoinv (", ", (char **) kinds);

      tb_events_csv_set_error (
          error, _ ("expected a kind of counter (%s) in the cell “prev_state”, found %s"), names,
          found);
      return FALSE;
    }
  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_TID, &tid, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.a, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.text = intern (self, &line->cells[TB_EVENTS_CSV_TEXT]);
  return TRUE;
}

/* The number of a text in a list, the length of the list if it is none of them. */
static guint
find_text (const char *const *texts, const char *text)
{
  guint i = 0;

  while (texts[i] != NULL && !g_str_equal (texts[i], text))
    i++;
  return i;
}

/* "fcntl=exclusive-7": call, mode and owner */
static gboolean
parse_lock (const TbCsvCell *cell, TbEvent *event, guint result)
{
  static const char *const calls[] = { "flock", "fcntl", NULL };
  static const char *const modes[] = { "shared", "exclusive", "release", "other", NULL };
  g_autofree char *text = g_strndup (cell->text, cell->length);
  g_auto (GStrv) parts = g_strsplit_set (text, "=-", 3);
  guint call, mode;

  if (g_strv_length (parts) != 3)
    return FALSE;
  call = find_text (calls, parts[0]);
  mode = find_text (modes, parts[1]);
  event->code = (guint8) call;
  event->flags = (guint8) TB_FILE_LOCK_FLAGS (mode, result);
  return calls[call] != NULL && modes[mode] != NULL
         && g_ascii_string_to_unsigned (parts[2], 10, 0, G_MAXUINT64, &event->a, NULL);
}

static gboolean
read_file_lock (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  static const char *const results[] = { "done", "refused", "waits", "failed", NULL };
  const TbCsvCell *state = &line->cells[TB_EVENTS_CSV_PREV_STATE];
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  gint64 tid = -1;
  guint result = 0;

  while (results[result] != NULL && !tb_csv_cell_equals (state, results[result]))
    result++;
  if (results[result] == NULL || !parse_lock (text, &line->event, result))
    {
      g_autofree char *found_state = tb_csv_cell_quote (state);
      g_autofree char *found_text = tb_csv_cell_quote (text);

      tb_events_csv_set_error (
          error,
          _ ("expected a lock of a file, such as “refused” in the cell “prev_state” and "
             "“fcntl=exclusive-7” in the cell “text”, found %s and %s"),
          found_state, found_text);
      return FALSE;
    }
  if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_TID, 0, G_MAXINT32, &tid, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_SECTOR, &line->event.b, error)
      || !tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_SOCKET, &line->event.c, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.text2 = intern (self, &line->cells[TB_EVENTS_CSV_DEV]);
  return TRUE;
}

/* Time of the CPU's last line before now. */
static gint64
get_last_before (const TbEventsCsvParser *self, guint cpu, gint64 now)
{
  const TbEventsCsvCpu *record = &g_array_index (self->cpus, TbEventsCsvCpu, cpu);

  return record->last < now ? record->last : record->previous;
}

static gboolean
read_lost (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbEventsCsvCpu *cpu = tb_events_csv_parser_get_cpu (self, line->event.cpu);
  gint64 now = line->event.time;
  gint64 from = self->first;

  if (!tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.a, error))
    return FALSE;
  /* The events were lost at some time since the CPU's last line. For all CPUs, the range starts at
   * the last line of the CPU that has had no line for the longest time. */
  if (cpu != NULL)
    from = MAX (from, get_last_before (self, line->event.cpu, now));
  else
    {
      gint64 oldest = now;

      for (guint i = 0; i < self->cpus->len; i++)
        if (get_last_before (self, i, now) >= 0)
          oldest = MIN (oldest, get_last_before (self, i, now));
      from = oldest < now ? oldest : from;
    }
  line->event.b = (guint64) from;
  return TRUE;
}

/* Reads the kinds that are events of one thread. */
static gboolean
read_thread_event (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  TbEvent *event = &line->event;
  gint64 tid = -1, waker = -1, result = G_MININT64;

  if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_TID, &tid, error))
    return FALSE;
  event->tid = (gint32) tid;
  switch (event->kind)
    {
    case TB_EVENT_SPIN_END:
      if (!tb_events_csv_line_parse_thread (line, TB_EVENTS_CSV_WAKER, &waker, error))
        return FALSE;
      event->a = waker < 0 ? G_MAXUINT64 : (guint64) waker;
      event->text2 = intern (self, text);
      break;
    case TB_EVENT_SPIN_BEGIN:
      event->text2 = intern (self, text);
      break;
    case TB_EVENT_SAMPLE:
      event->a = 1;
      return tb_events_csv_line_parse_unsigned (line, TB_EVENTS_CSV_BYTES, &event->a, error);
    case TB_EVENT_SYS_EXIT:
      if (!tb_events_csv_line_parse_number (line, TB_EVENTS_CSV_BYTES, G_MININT64 + 1, G_MAXINT64,
                                            &result, error))
        return FALSE;
      event->a = (guint64) result;
      event->text = intern (self, text);
      break;
    case TB_EVENT_MARK:
      split_text (self, text, &event->text, &event->text2);
      break;
    case TB_EVENT_CALL:
    case TB_EVENT_RETURN:
    case TB_EVENT_EXEC:
    case TB_EVENT_SYS_ENTER:
      event->text = intern (self, text);
      break;
    default:
      break;
    }
  return TRUE;
}

gboolean
tb_events_csv_parser_read_cells (TbEventsCsvParser *self, TbEventsCsvLine *line, GError **error)
{
  switch (line->event.kind)
    {
    case TB_EVENT_SWITCH:
      return read_switch (self, line, error);
    case TB_EVENT_WAKEUP:
      return read_wakeup (self, line, error);
    case TB_EVENT_FORK:
      return read_fork (self, line, error);
    case TB_EVENT_NAME:
      return read_name (self, line, error);
    case TB_EVENT_IRQ_ENTRY:
    case TB_EVENT_IRQ_EXIT:
      return read_interrupt (self, line, error);
    case TB_EVENT_SOFTIRQ_ENTRY:
    case TB_EVENT_SOFTIRQ_EXIT:
      return read_softirq (line, error);
    case TB_EVENT_IO_INSERT:
    case TB_EVENT_IO_ISSUE:
    case TB_EVENT_IO_COMPLETE:
      return read_block (self, line, error);
    case TB_EVENT_NET_SEND:
    case TB_EVENT_NET_RECEIVE:
    case TB_EVENT_NET_CONNECT:
    case TB_EVENT_NET_ACCEPT:
      return read_network (self, line, error);
    case TB_EVENT_LOST:
      return read_lost (self, line, error);
    case TB_EVENT_SLEEP:
      return read_sleep (self, line, error);
    case TB_EVENT_COUNTER:
      return read_counter (self, line, error);
    case TB_EVENT_FILE_LOCK:
      return read_file_lock (self, line, error);
    case TB_N_EVENT_KINDS:
      return read_device (self, line, error);
    default:
      return read_thread_event (self, line, error);
    }
}
