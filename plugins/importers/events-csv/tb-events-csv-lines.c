/* tb-events-csv-lines.c: lines of the plain-text event format to events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <inttypes.h>

#include "tb-events-csv-lines.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "extend/tb-option.h"

#define MAX_DEVICES 65536u
#define MAX_TIME (G_GINT64_CONSTANT (1) << 62) /* 146 years */

static const char *const column_names[TB_EVENTS_CSV_N_COLUMNS] = {
  "time_ns", "cpu", "kind", "prev",  "prev_state", "next",  "waker",  "wakee",
  "vec",     "tid", "dev",  "bytes", "text",       "stack", "sector", "socket",
};

#define CELL(name) (1u << TB_EVENTS_CSV_##name)

typedef struct
{
  const char *name;
  TbEventKind event; /* TB_N_EVENT_KINDS: what only says more of others */
  guint required;    /* cells without which the line means nothing */
  guint used;        /* other cells that mean something */
} Kind;

static const Kind kinds[] = {
  { "call", TB_EVENT_CALL, CELL (TID) | CELL (TEXT), 0 },
  { "device", TB_N_EVENT_KINDS, CELL (DEV) | CELL (TEXT), 0 },
  { "exec", TB_EVENT_EXEC, CELL (TID) | CELL (TEXT), 0 },
  { "exit", TB_EVENT_EXIT, CELL (TID), 0 },
  { "false_wakeup", TB_EVENT_FALSE_WAKEUP, CELL (TID), 0 },
  { "fork", TB_EVENT_FORK, CELL (WAKER) | CELL (WAKEE), CELL (TID) },
  { "io_complete", TB_EVENT_IO_COMPLETE, CELL (DEV),
    CELL (TID) | CELL (BYTES) | CELL (SECTOR) | CELL (TEXT) },
  { "io_insert", TB_EVENT_IO_INSERT, CELL (TID) | CELL (DEV) | CELL (BYTES), CELL (SECTOR) | CELL (TEXT) },
  { "io_issue", TB_EVENT_IO_ISSUE, CELL (DEV), CELL (TID) | CELL (BYTES) | CELL (SECTOR) | CELL (TEXT) },
  { "irq_entry", TB_EVENT_IRQ_ENTRY, CELL (CPU), CELL (DEV) | CELL (VEC) | CELL (TEXT) },
  { "irq_exit", TB_EVENT_IRQ_EXIT, CELL (CPU), CELL (DEV) | CELL (VEC) | CELL (TEXT) },
  { "lost", TB_EVENT_LOST, CELL (CPU) | CELL (BYTES), 0 },
  { "mark", TB_EVENT_MARK, CELL (TID) | CELL (TEXT), 0 },
  { "name", TB_EVENT_NAME, CELL (TID) | CELL (TEXT), CELL (WAKER) },
  { "net_accept", TB_EVENT_NET_ACCEPT, CELL (TID), CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "net_connect", TB_EVENT_NET_CONNECT, CELL (TID),
    CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "net_receive", TB_EVENT_NET_RECEIVE, CELL (TID),
    CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "net_send", TB_EVENT_NET_SEND, CELL (TID), CELL (DEV) | CELL (BYTES) | CELL (SOCKET) | CELL (TEXT) },
  { "return", TB_EVENT_RETURN, CELL (TID) | CELL (TEXT), 0 },
  { "sample", TB_EVENT_SAMPLE, CELL (TID), CELL (BYTES) },
  { "sleep", TB_EVENT_SLEEP, CELL (TID) | CELL (PREV_STATE),
    CELL (DEV) | CELL (BYTES) | CELL (TEXT) | CELL (SECTOR) | CELL (SOCKET) },
  { "softirq_entry", TB_EVENT_SOFTIRQ_ENTRY, CELL (CPU) | CELL (VEC), CELL (DEV) },
  { "softirq_exit", TB_EVENT_SOFTIRQ_EXIT, CELL (CPU) | CELL (VEC), CELL (DEV) },
  { "spin_begin", TB_EVENT_SPIN_BEGIN, CELL (TID), CELL (TEXT) },
  { "spin_end", TB_EVENT_SPIN_END, CELL (TID), CELL (WAKER) | CELL (TEXT) },
  { "switch", TB_EVENT_SWITCH, CELL (CPU) | CELL (PREV) | CELL (NEXT), CELL (PREV_STATE) },
  { "sys_enter", TB_EVENT_SYS_ENTER, CELL (TID) | CELL (TEXT), 0 },
  { "sys_exit", TB_EVENT_SYS_EXIT, CELL (TID), CELL (BYTES) | CELL (TEXT) },
  { "wakeup", TB_EVENT_WAKEUP, CELL (CPU) | CELL (WAKEE), CELL (WAKER) | CELL (TEXT) },
};

/* By TbSleepKind. */
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

#define ALWAYS_USED (CELL (TIME) | CELL (CPU) | CELL (KIND) | CELL (STACK))

/* The numbers of one line; NONE where the cell is empty, -1 where it says so. */
#define NUMBER_EMPTY G_MININT64

static guint
hash_kind (const char *name, guint length)
{
  return ((guint8) name[0] * 5u + (guint8) name[length - 1] * 3u + (guint8) name[length / 2] + length * 7u)
         % 64;
}

void
tb_events_csv_lines_init (TbEventsCsvLines *self, TbRecorder *recorder)
{
  *self = (TbEventsCsvLines) { .recorder = recorder, .first = -1, .time = -1 };
  self->stacks = tb_events_csv_stacks_new (recorder);
  self->cpus = g_array_new (FALSE, TRUE, sizeof (TbEventsCsvCpu));
  self->devices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      guint slot = hash_kind (kinds[i].name, strlen (kinds[i].name));

      while (self->kinds[slot] != 0)
        slot = (slot + 1) % 64;
      self->kinds[slot] = i + 1;
    }
}

void
tb_events_csv_lines_clear (TbEventsCsvLines *self)
{
  g_clear_pointer (&self->stacks, tb_events_csv_stacks_free);
  g_clear_pointer (&self->cpus, g_array_unref);
  g_clear_pointer (&self->devices, g_hash_table_unref);
}

static void G_GNUC_PRINTF (2, 3) set_error (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT, format, arguments);
  va_end (arguments);
}

static gboolean
cell_equals (const TbCsvCell *cell, const char *text)
{
  return strlen (text) == cell->length && memcmp (text, cell->text, cell->length) == 0;
}

/* A cell for an error message: short and printable. */
static char *
quote_cell (const TbCsvCell *cell)
{
  g_autofree char *text = g_strndup (cell->text, MIN (cell->length, 40));
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = g_strescape (valid, NULL);

  return g_strdup_printf ("“%s%s”", escaped, cell->length > 40 ? "…" : "");
}

/* The first twelve columns in their order, then any of the other four. */
gboolean
tb_events_csv_lines_read_header (TbEventsCsvLines *self, const TbCsvReader *reader, GError **error)
{
  guint seen = 0;

  for (guint i = 0; i < reader->n_cells; i++)
    {
      guint column = i;

      if (i >= TB_EVENTS_CSV_N_REQUIRED)
        for (column = TB_EVENTS_CSV_N_REQUIRED; column < TB_EVENTS_CSV_N_COLUMNS; column++)
          if (cell_equals (&reader->cells[i], column_names[column]))
            break;
      if (column == TB_EVENTS_CSV_N_COLUMNS || (seen & (1u << column)) != 0
          || !cell_equals (&reader->cells[i], column_names[column]))
        {
          g_autofree char *found = quote_cell (&reader->cells[i]);

          set_error (error, _ ("expected the header %s, found %s as its column %u"),
                     "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes[,text][,stack][,"
                     "sector][,socket]",
                     found, i + 1);
          return FALSE;
        }
      seen |= 1u << column;
      self->columns[i] = column;
    }
  if (reader->n_cells < TB_EVENTS_CSV_N_REQUIRED)
    {
      set_error (error, _ ("expected the header's column “%s”, found its end"),
                 column_names[reader->n_cells]);
      return FALSE;
    }
  self->n_columns = reader->n_cells;
  return TRUE;
}

typedef struct
{
  TbCsvCell cells[TB_EVENTS_CSV_N_COLUMNS];
  const Kind *kind;
  TbEvent event;
} Line;

static gboolean
parse_digits (const char *text, guint length, guint64 *value)
{
  guint64 number = 0;

  if (length == 0 || length > 20)
    return FALSE;
  for (guint i = 0; i < length; i++)
    {
      guint digit = (guint8) text[i] - (guint) '0';

      if (digit > 9
          || (length == 20
              && (__builtin_mul_overflow (number, 10, &number)
                  || __builtin_add_overflow (number, digit, &number))))
        return FALSE;
      if (length < 20)
        number = number * 10 + digit;
    }
  *value = number;
  return TRUE;
}

/* A whole number in [minimum, maximum], in decimal digits; where the cell is empty, *value stays as it is. */
static gboolean
parse_number (const Line *line,
              TbEventsCsvColumn column,
              gint64 minimum,
              gint64 maximum,
              gint64 *value,
              GError **error)
{
  const TbCsvCell *cell = &line->cells[column];
  gboolean negative = cell->length > 0 && cell->text[0] == '-';
  guint64 number;
  gint64 result;

  if (cell->length == 0)
    return TRUE;
  if (parse_digits (cell->text + negative, cell->length - negative, &number)
      && number <= (guint64) G_MAXINT64 + (negative ? 1 : 0))
    {
      result = negative ? (gint64) (0 - number) : (gint64) number;
      if (result >= minimum && result <= maximum)
        {
          *value = result;
          return TRUE;
        }
    }

  g_autofree char *found = quote_cell (cell);

  set_error (error, _ ("expected a whole number from %" PRId64 " to %" PRId64 " in the cell “%s”, found %s"),
             minimum, maximum, column_names[column], found);
  return FALSE;
}

static gboolean
parse_unsigned (const Line *line, TbEventsCsvColumn column, guint64 *value, GError **error)
{
  const TbCsvCell *cell = &line->cells[column];

  if (cell->length == 0 || parse_digits (cell->text, cell->length, value))
    return TRUE;

  g_autofree char *found = quote_cell (cell);

  set_error (error, _ ("expected a whole number from 0 to 18446744073709551615 in the cell “%s”, found %s"),
             column_names[column], found);
  return FALSE;
}

/* A thread id; -1 says that the thread is not known. */
static gboolean
parse_thread (const Line *line, TbEventsCsvColumn column, gint64 *value, GError **error)
{
  return parse_number (line, column, -1, G_MAXINT32, value, error);
}

static gboolean
require (const Line *line, guint cells, GError **error)
{
  for (guint column = 0; column < TB_EVENTS_CSV_N_COLUMNS; column++)
    if ((cells & (1u << column)) != 0 && line->cells[column].length == 0)
      {
        set_error (error, _ ("expected a value in the cell “%s”, which “%s” needs"), column_names[column],
                   line->kind != NULL ? line->kind->name : _ ("every line"));
        return FALSE;
      }
  return TRUE;
}

static const Kind *
find_kind (const TbEventsCsvLines *self, const TbCsvCell *cell)
{
  if (cell->length == 0)
    return NULL;
  for (guint slot = hash_kind (cell->text, cell->length); self->kinds[slot] != 0; slot = (slot + 1) % 64)
    if (cell_equals (cell, kinds[self->kinds[slot] - 1].name))
      return &kinds[self->kinds[slot] - 1];
  return NULL;
}

static gboolean
parse_kind (TbEventsCsvLines *self, Line *line, GError **error)
{
  line->kind = find_kind (self, &line->cells[TB_EVENTS_CSV_KIND]);
  if (line->kind == NULL)
    {
      g_autofree char *found = quote_cell (&line->cells[TB_EVENTS_CSV_KIND]);
      g_autoptr (GString) names = g_string_new (NULL);

      for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
        g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", kinds[i].name);
      set_error (error, _ ("expected a kind of event (%s), found %s"), names->str, found);
      return FALSE;
    }
  line->event.kind = line->kind->event;
  if (!require (line, line->kind->required, error))
    return FALSE;
  for (guint column = 0; column < TB_EVENTS_CSV_N_COLUMNS; column++)
    if (line->cells[column].length > 0
        && ((line->kind->required | line->kind->used | ALWAYS_USED) & (1u << column)) == 0)
      self->unused_cells++;
  return TRUE;
}

static gboolean
parse_time (TbEventsCsvLines *self, Line *line, GError **error)
{
  gint64 time = -1;

  if (!require (line, CELL (TIME) | CELL (KIND), error)
      || !parse_number (line, TB_EVENTS_CSV_TIME, 0, MAX_TIME, &time, error))
    return FALSE;
  if (time < self->time)
    {
      set_error (error,
                 _ ("expected a time of at least %" PRId64 " ns, that of the line before, found %" PRId64
                    ": times never go back"),
                 self->time, time);
      return FALSE;
    }
  if (self->first < 0)
    self->first = time;
  self->time = line->event.time = time;
  return TRUE;
}

static gboolean
parse_cpu (Line *line, GError **error)
{
  gint64 cpu = -1;

  if (!parse_number (line, TB_EVENTS_CSV_CPU, -1, TB_CPU_ALL - 1, &cpu, error))
    return FALSE;
  line->event.cpu = cpu < 0 ? TB_CPU_ALL : (guint16) cpu;
  return TRUE;
}

static TbEventsCsvCpu *
get_cpu (TbEventsCsvLines *self, guint16 cpu)
{
  if (cpu == TB_CPU_ALL)
    return NULL;
  if (cpu >= self->cpus->len)
    {
      guint old = self->cpus->len;

      g_array_set_size (self->cpus, cpu + 1u);
      for (guint i = old; i < self->cpus->len; i++)
        g_array_index (self->cpus, TbEventsCsvCpu, i).last
            = g_array_index (self->cpus, TbEventsCsvCpu, i).earlier = -1;
    }
  return &g_array_index (self->cpus, TbEventsCsvCpu, cpu);
}

static guint32
intern (TbEventsCsvLines *self, const TbCsvCell *cell)
{
  return cell->length > 0 ? tb_recorder_intern_string (self->recorder, cell->text, cell->length)
                          : TB_STRING_NONE;
}

/* number: of its kind and of it, as “254:0”; NULL unknown. What was said of a device first counts. */
static guint32
intern_device (TbEventsCsvLines *self, const TbCsvCell *cell, const char *kind, const char *number)
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
read_switch (Line *line, GError **error)
{
  const TbCsvCell *state = &line->cells[TB_EVENTS_CSV_PREV_STATE];
  gint64 prev = -1, next = -1;

  if (!parse_number (line, TB_EVENTS_CSV_PREV, 0, G_MAXINT32, &prev, error)
      || !parse_number (line, TB_EVENTS_CSV_NEXT, 0, G_MAXINT32, &next, error))
    return FALSE;
  /* The idle task is never anything but runnable, so its state says nothing. */
  if (prev != 0 && prev != next && !require (line, CELL (PREV_STATE), error))
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
read_wakeup (TbEventsCsvLines *self, Line *line, GError **error)
{
  const TbEventsCsvCpu *cpu = get_cpu (self, line->event.cpu);
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  gint64 waker = -1, wakee = -1;

  /* In an interrupt that is the waker, and nobody need be named. */
  if ((cpu == NULL || cpu->depth == 0) && !require (line, CELL (WAKER), error))
    return FALSE;
  if (!parse_thread (line, TB_EVENTS_CSV_WAKER, &waker, error)
      || !parse_number (line, TB_EVENTS_CSV_WAKEE, 0, G_MAXINT32, &wakee, error))
    return FALSE;
  line->event.tid = (gint32) waker;
  line->event.a = (guint64) wakee;
  if (cell_equals (text, "new"))
    line->event.flags = TB_WAKEUP_NEW;
  else if (text->length > 0)
    {
      g_autofree char *found = quote_cell (text);

      set_error (error, _ ("expected “new” or nothing in the cell “text”, found %s"), found);
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_fork (TbEventsCsvLines *self, Line *line, GError **error)
{
  gint64 creator = -1, created = -1, process = 0;

  if (!parse_thread (line, TB_EVENTS_CSV_WAKER, &creator, error)
      || !parse_number (line, TB_EVENTS_CSV_WAKEE, 1, G_MAXINT32, &created, error)
      || !parse_number (line, TB_EVENTS_CSV_TID, 1, G_MAXINT32, &process, error))
    return FALSE;
  line->event.tid = (gint32) creator;
  line->event.a = (guint64) created;
  line->event.b = (guint64) process;
  if (process > 0 && !self->forks_tell)
    tb_recorder_set_fact (self->recorder, "forks-tell-processes", "yes");
  self->forks_tell |= process > 0;
  return TRUE;
}

/* Threads of the kernel that have a slash of their own. */
static gboolean
is_kernel_thread (const TbCsvCell *text)
{
  static const char *const prefixes[] = {
    "kworker/",  "ksoftirqd/", "migration/",     "cpuhp/",   "rcu",         "irq/",          "idle_inject/",
    "watchdog/", "jbd2/",      "swapper/",       "ktimers/", "posixcputmr", "backlog_napi/", "napi/",
    "xfs-",      "btrfs-",     "dmcrypt_write/", "scsi_",    "irq_work/",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (text->length > strlen (prefixes[i]) && memcmp (text->text, prefixes[i], strlen (prefixes[i])) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
read_name (TbEventsCsvLines *self, Line *line, GError **error)
{
  TbCsvCell name = line->cells[TB_EVENTS_CSV_TEXT];
  const char *slash = memchr (name.text, '/', name.length);
  gint64 tid = -1, pid = -1;

  if (!parse_number (line, TB_EVENTS_CSV_TID, 0, G_MAXINT32, &tid, error))
    return FALSE;
  pid = tid;
  if (!parse_number (line, TB_EVENTS_CSV_WAKER, 0, G_MAXINT32, &pid, error))
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
read_interrupt (TbEventsCsvLines *self, Line *line, GError **error)
{
  const TbCsvCell *dev = &line->cells[TB_EVENTS_CSV_DEV];
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  gint64 vector = 0;

  if (!parse_number (line, TB_EVENTS_CSV_VEC, 0, G_MAXUINT32, &vector, error))
    return FALSE;
  line->event.a = (guint64) vector;
  line->event.device = TB_ID_NONE;
  if (cell_equals (dev, "timer"))
    line->event.code = TB_INTERRUPT_TIMER;
  else if (cell_equals (dev, "nmi"))
    line->event.code = TB_INTERRUPT_NMI;
  else
    line->event.device = intern_device (self, dev, "irq", NULL);
  line->event.text = intern (self, text->length > 0 ? text : dev);
  return TRUE;
}

static gboolean
read_softirq (Line *line, GError **error)
{
  gint64 vector = 0;

  if (!parse_number (line, TB_EVENTS_CSV_VEC, 0, TB_SOFTIRQ_RCU, &vector, error))
    return FALSE;
  line->event.a = (guint64) vector;
  line->event.device = TB_ID_NONE;
  return TRUE;
}

static gboolean
read_block (TbEventsCsvLines *self, Line *line, GError **error)
{
  gint64 tid = -1;

  line->event.a = G_MAXUINT64;
  if (line->cells[TB_EVENTS_CSV_SECTOR].length == 0 && !require (line, CELL (TID), error))
    return FALSE;
  if (!parse_thread (line, TB_EVENTS_CSV_TID, &tid, error)
      || !parse_unsigned (line, TB_EVENTS_CSV_SECTOR, &line->event.a, error)
      || !parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.b, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.device = intern_device (self, &line->cells[TB_EVENTS_CSV_DEV], "block", NULL);
  line->event.text2 = intern (self, &line->cells[TB_EVENTS_CSV_TEXT]);
  return TRUE;
}

/* Any id does: what is no number becomes one. */
static guint64
parse_socket (const TbCsvCell *cell)
{
  guint64 hash = 0xcbf29ce484222325u;
  guint64 number;

  if (cell->length == 0)
    return 0;
  if (parse_digits (cell->text, cell->length, &number))
    return number;
  for (guint i = 0; i < cell->length; i++)
    hash = (hash ^ (guint8) cell->text[i]) * 0x100000001b3u;
  return hash;
}

static gboolean
read_device (TbEventsCsvLines *self, Line *line, GError **error)
{
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  g_autofree char *number = g_strndup (text->text, text->length);
  const char *colon = strchr (number, ':');

  if (colon == NULL || colon == number || colon[1] == '\0' || strlen (number) > 24
      || strspn (number, "0123456789") != (gsize) (colon - number)
      || strspn (colon + 1, "0123456789") != strlen (colon + 1))
    {
      g_autofree char *found = quote_cell (text);

      set_error (error, _ ("expected the device's number MAJOR:MINOR in the cell “text”, found %s"), found);
      return FALSE;
    }
  intern_device (self, &line->cells[TB_EVENTS_CSV_DEV], "block", number);
  return TRUE;
}

/* `REMOTE`, or `REMOTE from LOCAL`. */
static void
read_ends (TbEventsCsvLines *self, Line *line)
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
read_network (TbEventsCsvLines *self, Line *line, GError **error)
{
  gint64 tid = -1;

  if (!parse_thread (line, TB_EVENTS_CSV_TID, &tid, error)
      || !parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.b, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.a = parse_socket (&line->cells[TB_EVENTS_CSV_SOCKET]);
  line->event.text = intern (self, &line->cells[TB_EVENTS_CSV_DEV]);
  read_ends (self, line);
  return TRUE;
}

/* Text before and behind the first “=”. */
static void
split_text (TbEventsCsvLines *self, const TbCsvCell *text, guint32 *name, guint32 *value)
{
  const char *equals = text->length > 0 ? memchr (text->text, '=', text->length) : NULL;
  TbCsvCell before = { text->text, equals != NULL ? equals - text->text : text->length };
  TbCsvCell behind
      = { equals != NULL ? equals + 1 : NULL, equals != NULL ? text->length - before.length - 1 : 0 };

  *name = intern (self, &before);
  *value = intern (self, &behind);
}

static gboolean
read_sleep (TbEventsCsvLines *self, Line *line, GError **error)
{
  const TbCsvCell *state = &line->cells[TB_EVENTS_CSV_PREV_STATE];
  gint64 tid = -1, timeout = TB_TIMEOUT_UNKNOWN;
  guint kind;

  for (kind = 0; kind < TB_N_SLEEPS; kind++)
    if (cell_equals (state, sleep_kinds[kind]))
      break;
  if (kind == TB_N_SLEEPS)
    {
      g_autofree char *found = quote_cell (state);
      g_autofree char *names = g_strjoinv (", ", (char **) sleep_kinds);

      set_error (error, _ ("expected what the thread sleeps in (%s) in the cell “prev_state”, found %s"),
                 names, found);
      return FALSE;
    }
  if (!parse_number (line, TB_EVENTS_CSV_TID, 0, G_MAXINT32, &tid, error)
      || !parse_number (line, TB_EVENTS_CSV_BYTES, TB_TIMEOUT_NONE, G_MAXINT64, &timeout, error)
      || !parse_unsigned (line, TB_EVENTS_CSV_SECTOR, &line->event.a, error)
      || !parse_unsigned (line, TB_EVENTS_CSV_SOCKET, &line->event.c, error))
    return FALSE;
  line->event.tid = (gint32) tid;
  line->event.code = (guint8) kind;
  line->event.b = (guint64) timeout;
  line->event.module = TB_ID_NONE;
  line->event.text2 = intern (self, &line->cells[TB_EVENTS_CSV_DEV]);
  split_text (self, &line->cells[TB_EVENTS_CSV_TEXT], &line->event.text, &line->event.text3);
  return TRUE;
}

/* The time of the cpu's last line before now. */
static gint64
get_last_before (const TbEventsCsvLines *self, guint cpu, gint64 now)
{
  const TbEventsCsvCpu *record = &g_array_index (self->cpus, TbEventsCsvCpu, cpu);

  return record->last < now ? record->last : record->earlier;
}

static gboolean
read_lost (TbEventsCsvLines *self, Line *line, GError **error)
{
  const TbEventsCsvCpu *cpu = get_cpu (self, line->event.cpu);
  gint64 now = line->event.time;
  gint64 from = self->first;

  if (!parse_unsigned (line, TB_EVENTS_CSV_BYTES, &line->event.a, error))
    return FALSE;
  /* Somewhere since the cpu's last line; of all cpus, since the one that has been silent longest. */
  if (cpu != NULL)
    from = MAX (from, get_last_before (self, line->event.cpu, now));
  else
    {
      gint64 silent = now;

      for (guint i = 0; i < self->cpus->len; i++)
        if (get_last_before (self, i, now) >= 0)
          silent = MIN (silent, get_last_before (self, i, now));
      from = silent < now ? silent : from;
    }
  line->event.b = (guint64) from;
  return TRUE;
}

/* Everything that one thread does. */
static gboolean
read_deed (TbEventsCsvLines *self, Line *line, GError **error)
{
  const TbCsvCell *text = &line->cells[TB_EVENTS_CSV_TEXT];
  TbEvent *event = &line->event;
  gint64 tid = -1, waker = -1, result = G_MININT64;

  if (!parse_thread (line, TB_EVENTS_CSV_TID, &tid, error))
    return FALSE;
  event->tid = (gint32) tid;
  switch (event->kind)
    {
    case TB_EVENT_SPIN_END:
      if (!parse_thread (line, TB_EVENTS_CSV_WAKER, &waker, error))
        return FALSE;
      event->a = waker < 0 ? G_MAXUINT64 : (guint64) waker;
      event->text2 = intern (self, text);
      break;
    case TB_EVENT_SPIN_BEGIN:
      event->text2 = intern (self, text);
      break;
    case TB_EVENT_SAMPLE:
      event->a = 1;
      return parse_unsigned (line, TB_EVENTS_CSV_BYTES, &event->a, error);
    case TB_EVENT_SYS_EXIT:
      if (!parse_number (line, TB_EVENTS_CSV_BYTES, G_MININT64 + 1, G_MAXINT64, &result, error))
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

static gboolean
read_cells (TbEventsCsvLines *self, Line *line, GError **error)
{
  switch (line->event.kind)
    {
    case TB_EVENT_SWITCH:
      return read_switch (line, error);
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
    case TB_N_EVENT_KINDS:
      return read_device (self, line, error);
    default:
      return read_deed (self, line, error);
    }
}

/* What the next lines need to know of this one. */
static void
remember_line (TbEventsCsvLines *self, const Line *line)
{
  TbEventsCsvCpu *cpu = get_cpu (self, line->event.cpu);

  if (cpu == NULL || (line->kind->required & CELL (CPU)) == 0
      || (line->event.kind == TB_EVENT_SWITCH && line->event.a == (guint64) line->event.tid))
    return;
  if (cpu->last < line->event.time)
    cpu->earlier = cpu->last;
  cpu->last = line->event.time;
  switch (line->event.kind)
    {
    case TB_EVENT_IRQ_ENTRY:
    case TB_EVENT_SOFTIRQ_ENTRY:
      cpu->depth++;
      break;
    case TB_EVENT_IRQ_EXIT:
    case TB_EVENT_SOFTIRQ_EXIT:
      cpu->depth -= cpu->depth > 0;
      break;
    case TB_EVENT_SWITCH:
    case TB_EVENT_LOST:
      cpu->depth = 0;
      break;
    default:
      break;
    }
}

gboolean
tb_events_csv_lines_read (TbEventsCsvLines *self, const TbCsvReader *reader, GError **error)
{
  Line line = { .event.tid = -1, .event.pid = -1 };
  const TbCsvCell *stack = &line.cells[TB_EVENTS_CSV_STACK];

  if (reader->n_cells > self->n_columns)
    {
      set_error (error, _ ("expected at most %u cells, as the header has, found %u"), self->n_columns,
                 reader->n_cells);
      return FALSE;
    }
  for (guint i = 0; i < reader->n_cells; i++)
    line.cells[self->columns[i]] = reader->cells[i];
  if (!parse_time (self, &line, error) || !parse_kind (self, &line, error) || !parse_cpu (&line, error))
    return FALSE;
  if (stack->length > 0 && !tb_events_csv_stacks_intern (self->stacks, stack, &line.event.stack))
    {
      set_error (
          error,
          _ ("expected frames “function” or “function@module” separated by “;” in the cell “stack”, found an "
             "empty one"));
      return FALSE;
    }
  if (!read_cells (self, &line, error))
    return FALSE;
  if (line.event.kind != TB_N_EVENT_KINDS)
    tb_recorder_add (self->recorder, &line.event);
  remember_line (self, &line);
  return TRUE;
}
