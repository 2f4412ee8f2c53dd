/* tb-trace-units.c: count of one unit of work (marks, calls, system calls, or messages of a
 * process), given as text, in a trace: number and rate in a range, all times, name for display;
 * list of the units that a trace contains
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "trace/tb-trace-units.h"
#include "trace/tb-work-unit.h"

#define NS_PER_SECOND 1e9
#define LISTED_MAX 256
#define STANDARD_MARK "work"

/**
 * TbTraceUnits:
 *
 * Throughput is the number of units of work that a program completes in a time. The event that
 * counts as a unit is given as text:
 *
 * - `work`: every mark of completed work; `work:NAME`: only those of that name; `mark:NAME`: every
 *   mark of that name
 * - `syscall:NAME`: every end of that system call
 * - `call:FUNCTION` or `function:FUNCTION`: every end of a call of that probed function
 * - `send:PROCESS`, `receive:PROCESS`: every message that the process sends or receives; a message
 *   in an interrupt belongs to no process
 *
 * All forms but messages may end in `@PROCESS`, which counts only events of that process. PROCESS
 * is a PID or an exact name; if several processes have the name, all of them are counted together.
 * A mark may stand for several units.
 *
 * Built once from the columns of a session, then read from any thread.
 */
struct _TbTraceUnits
{
  GObject parent_instance;

  char *unit;
  GArray *times;  /* gint64, ascending */
  GArray *totals; /* guint64: number of units up to and including the time */
};

G_DEFINE_FINAL_TYPE (TbTraceUnits, tb_trace_units, G_TYPE_OBJECT)

typedef struct
{
  TbTableKind table;
  guint time;
  guint thread;
  guint name; /* column of the name, or of the message kind */
} Source;

static const Source sources[TB_N_WORK_KINDS] = {
  [TB_WORK_MARK] = { TB_TABLE_MARK, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_NAME },
  [TB_WORK_SYSCALL] = { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, TB_SYSCALL_NUMBER },
  [TB_WORK_FUNCTION] = { TB_TABLE_CALL, TB_CALL_EXIT, TB_CALL_THREAD, TB_CALL_FUNCTION },
  [TB_WORK_SEND] = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_KIND },
  [TB_WORK_RECEIVE] = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_KIND },
};

/* The unit that is counted. */
typedef struct
{
  TbWorkKind kind;
  char *name;      /* NULL for a message */
  char *process;   /* NULL: any process */
  guint8 *threads; /* by id, whether the thread belongs to the process; NULL: all threads */
} Unit;

static void
unit_clear (Unit *self)
{
  g_free (self->name);
  g_free (self->process);
  g_free (self->threads);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Unit, unit_clear)

/* Columns of the table that is counted. */
typedef struct
{
  GBytes *bytes[4];
  gsize n;
  const gint64 *time;
  const guint32 *thread;
  const guint32 *name;
  const guint8 *kind;   /* kind of a network event, else NULL */
  const guint32 *value; /* value of a mark, else NULL */
} Columns;

static void
columns_clear (Columns *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bytes); i++)
    g_clear_pointer (&self->bytes[i], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, columns_clear)

static gboolean
load_column (Columns *self, guint slot, TbTable *table, guint column, GError **error)
{
  self->bytes[slot] = tb_table_get_column (table, column, error);
  return self->bytes[slot] != NULL;
}

static gboolean
columns_load (Columns *self, TbSession *session, TbWorkKind kind, GError **error)
{
  TbTable *table = tb_session_get_table (session, sources[kind].table);
  gboolean is_network = sources[kind].table == TB_TABLE_NETWORK;

  self->n = (gsize) tb_table_get_n_rows (table);
  if (self->n == 0)
    return TRUE;
  if (!load_column (self, 0, table, sources[kind].time, error)
      || !load_column (self, 1, table, sources[kind].thread, error)
      || !load_column (self, 2, table, sources[kind].name, error)
      || (kind == TB_WORK_MARK && !load_column (self, 3, table, TB_MARK_VALUE, error)))
    return FALSE;
  self->time = g_bytes_get_data (self->bytes[0], NULL);
  self->thread = g_bytes_get_data (self->bytes[1], NULL);
  if (is_network)
    self->kind = g_bytes_get_data (self->bytes[2], NULL);
  else
    self->name = g_bytes_get_data (self->bytes[2], NULL);
  if (kind == TB_WORK_MARK)
    self->value = g_bytes_get_data (self->bytes[3], NULL);
  return TRUE;
}

static void
tb_trace_units_finalize (GObject *object)
{
  TbTraceUnits *self = TB_TRACE_UNITS (object);

  g_free (self->unit);
  g_array_unref (self->times);
  g_array_unref (self->totals);
  G_OBJECT_CLASS (tb_trace_units_parent_class)->finalize (object);
}

static void
tb_trace_units_class_init (TbTraceUnitsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_trace_units_finalize;
}

static void
tb_trace_units_init (TbTraceUnits *self)
{
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->totals = g_array_new (FALSE, FALSE, sizeof (guint64));
}

static gboolean
set_invalid_error (GError **error, const char *unit)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("invalid unit of work “%s”: use work, work:NAME, mark:NAME, syscall:NAME, "
                  "call:FUNCTION, send:PROCESS or receive:PROCESS"),
               unit);
  return FALSE;
}

static gboolean
parse (Unit *self, const char *unit, GError **error)
{
  const char *name, *at;

  if (!tb_work_unit_parse (unit, &self->kind, &name) || self->kind < TB_WORK_MARK)
    return set_invalid_error (error, unit);
  if (sources[self->kind].table == TB_TABLE_NETWORK)
    {
      self->process = g_strdup (name);
      return TRUE;
    }
  at = strrchr (name, '@');
  if (at != NULL && (at[1] == '\0' || at == name || at[-1] == ':'))
    return set_invalid_error (error, unit);
  self->name = at != NULL ? g_strndup (name, at - name) : g_strdup (name);
  self->process = at != NULL ? g_strdup (at + 1) : NULL;
  return TRUE;
}

/* The threads that belong to the process: those of every process with that PID, else with that
 * name. */
static gboolean
find_threads (Unit *self, TbSession *session, GError **error)
{
  guint n_threads, n_processes, n_found = 0;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  guint64 pid = G_MAXUINT64;
  gboolean by_pid = FALSE;

  if (self->process == NULL)
    return TRUE;
  if (g_ascii_string_to_unsigned (self->process, 10, 0, G_MAXINT32, &pid, NULL))
    for (guint i = 0; i < n_processes && !by_pid; i++)
      by_pid = (guint64) processes[i].pid == pid;
  self->threads = g_new0 (guint8, MAX (n_threads, 1));
  for (guint i = 0; i < n_threads; i++)
    {
      const TbProcess *process
          = threads[i].process < n_processes ? &processes[threads[i].process] : NULL;

      if (process == NULL)
        continue;
      self->threads[i]
          = by_pid ? (guint64) process->pid == pid : g_strcmp0 (process->name, self->process) == 0;
      n_found += self->threads[i];
    }
  if (n_found > 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               _ ("No process “%s” is in the recording: its work cannot be counted"),
               self->process);
  return FALSE;
}

static gboolean
name_is_wanted (const Unit *self, const char *name)
{
  return self->kind == TB_WORK_MARK ? tb_work_unit_matches (self->name, name)
                                    : strcmp (name, self->name) == 0;
}

/* By string, whether it is the name of the unit. */
static guint8 *
find_names (const Unit *self, TbSession *session, guint *n_strings)
{
  guint8 *names;

  *n_strings = tb_session_get_n_strings (session);
  names = g_new0 (guint8, MAX (*n_strings, 1));
  for (guint i = 0; i < *n_strings; i++)
    names[i] = name_is_wanted (self, tb_session_get_string (session, i));
  return names;
}

/* The number of units of a mark: its value if that is a number, else one. */
static guint64
get_weight (const Columns *columns, gsize row, TbSession *session)
{
  const char *value;
  guint64 count;

  if (columns->value == NULL || columns->value[row] == TB_STRING_NONE)
    return 1;
  value = tb_session_get_string (session, columns->value[row]);
  return g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT32, &count, NULL) ? count : 1;
}

static void
add (TbTraceUnits *self, gint64 time, guint64 count)
{
  guint n = self->times->len;
  guint64 total = count + (n > 0 ? g_array_index (self->totals, guint64, n - 1) : 0);

  if (count == 0)
    return;
  if (n > 0 && g_array_index (self->times, gint64, n - 1) >= time)
    {
      g_array_index (self->totals, guint64, n - 1) = total;
      return;
    }
  g_array_append_val (self->times, time);
  g_array_append_val (self->totals, total);
}

static void
collect (TbTraceUnits *self, const Unit *wanted, const Columns *columns, TbSession *session)
{
  guint n_threads, n_strings = 0;
  g_autofree guint8 *names
      = columns->name != NULL && columns->n > 0 ? find_names (wanted, session, &n_strings) : NULL;
  guint8 kind = wanted->kind == TB_WORK_SEND ? TB_NETWORK_SEND : TB_NETWORK_RECEIVE;

  tb_session_get_threads (session, &n_threads);
  for (gsize i = 0; i < columns->n; i++)
    {
      guint32 thread = columns->thread[i];

      /* Operations that had not ended with the recording are not counted. */
      if (columns->time[i] < 0)
        continue;
      if (columns->kind != NULL ? columns->kind[i] != kind
                                : columns->name[i] >= n_strings || !names[columns->name[i]])
        continue;
      if (wanted->threads != NULL && (thread >= n_threads || !wanted->threads[thread]))
        continue;
      add (self, columns->time[i], get_weight (columns, i, session));
    }
}

/**
 * tb_trace_units_new:
 * @trace: a trace
 * @unit: a unit of work, as [class@Tailback.TraceUnits] describes
 * @error: return location for an error
 *
 * Counts a unit of work over the whole recording. The time is linear in the rows of one table. A
 * count of 0 is no error, but an unknown process is (%G_IO_ERROR_NOT_FOUND), as is an invalid unit
 * (%G_IO_ERROR_INVALID_ARGUMENT).
 *
 * Returns: (transfer full): the units, %NULL with @error
 */
TbTraceUnits *
tb_trace_units_new (TbTrace *trace, const char *unit, GError **error)
{
  g_autoptr (TbTraceUnits) self = NULL;
  g_auto (Unit) wanted = { 0 };
  g_auto (Columns) columns = { 0 };
  TbSession *session;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);
  g_return_val_if_fail (unit != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  session = tb_trace_get_session (trace);
  if (!parse (&wanted, unit, error) || !find_threads (&wanted, session, error)
      || !columns_load (&columns, session, wanted.kind, error))
    return NULL;
  self = g_object_new (TB_TYPE_TRACE_UNITS, NULL);
  self->unit = g_strdup (unit);
  collect (self, &wanted, &columns, session);
  return g_steal_pointer (&self);
}

/**
 * tb_trace_units_get_unit:
 * @self: units of work
 *
 * Gets the unit.
 *
 * Returns: the unit, as it was given
 */
const char *
tb_trace_units_get_unit (TbTraceUnits *self)
{
  g_return_val_if_fail (TB_IS_TRACE_UNITS (self), NULL);

  return self->unit;
}

static char *
describe_what (const Unit *wanted)
{
  switch (wanted->kind)
    {
    case TB_WORK_MARK:
      if (g_str_equal (wanted->name, STANDARD_MARK))
        return g_strdup (_ ("units of work"));
      if (g_str_has_prefix (wanted->name, STANDARD_MARK ":"))
        return g_strdup_printf (_ ("“%s” done"), wanted->name + strlen (STANDARD_MARK ":"));
      return g_strdup_printf (_ ("marks “%s”"), wanted->name);
    case TB_WORK_SYSCALL:
      return g_strdup_printf (_ ("%s calls"), wanted->name);
    case TB_WORK_FUNCTION:
      return g_strdup_printf (_ ("calls of %s"), wanted->name);
    case TB_WORK_SEND:
      return g_strdup_printf (_ ("messages sent by %s"), wanted->process);
    case TB_WORK_RECEIVE:
      return g_strdup_printf (_ ("messages received by %s"), wanted->process);
    case TB_WORK_NONE:
    case TB_WORK_DURATION:
    default:
      g_return_val_if_reached (NULL);
    }
}

/**
 * tb_trace_units_describe:
 * @self: units of work
 *
 * Describes the unit.
 *
 * Returns: (transfer full): the unit for display, in the plural: "messages sent by nginx"
 */
char *
tb_trace_units_describe (TbTraceUnits *self)
{
  g_auto (Unit) wanted = { 0 };
  g_autofree char *what = NULL;

  g_return_val_if_fail (TB_IS_TRACE_UNITS (self), NULL);

  if (!parse (&wanted, self->unit, NULL))
    g_return_val_if_reached (NULL);
  what = describe_what (&wanted);
  if (wanted.process == NULL || sources[wanted.kind].table == TB_TABLE_NETWORK)
    return g_steal_pointer (&what);
  /* Translators: what is counted, and in which process */
  return g_strdup_printf (_ ("%s in %s"), what, wanted.process);
}

/* Number of units before a time. */
static guint64
count_before (const TbTraceUnits *self, gint64 time)
{
  const gint64 *times = (const gint64 *) (gconstpointer) self->times->data;
  gsize low = 0, high = self->times->len;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (times[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (self->totals, guint64, low - 1) : 0;
}

/**
 * tb_trace_units_count:
 * @self: units of work
 * @from: start of a time range, ns
 * @to: end of it, exclusive
 *
 * Counts the units of a time range.
 *
 * Returns: the number of units in it
 */
guint64
tb_trace_units_count (TbTraceUnits *self, gint64 from, gint64 to)
{
  g_return_val_if_fail (TB_IS_TRACE_UNITS (self), 0);

  return from < to ? count_before (self, to) - count_before (self, from) : 0;
}

/**
 * tb_trace_units_get_rate:
 * @self: units of work
 * @from: start of a time range, ns
 * @to: end of it, exclusive
 *
 * Gets the throughput in a time range.
 *
 * Returns: units a second; 0 for an empty range
 */
double
tb_trace_units_get_rate (TbTraceUnits *self, gint64 from, gint64 to)
{
  g_return_val_if_fail (TB_IS_TRACE_UNITS (self), 0.0);

  return from < to
             ? (double) tb_trace_units_count (self, from, to) * NS_PER_SECOND / (double) (to - from)
             : 0.0;
}

/**
 * tb_trace_units_get_rates:
 * @self: units of work
 * @from: start of a time range, ns
 * @to: end of it, exclusive
 * @rates: (array length=n_rates) (out caller-allocates): units a second in each part of the range
 * @n_rates: number of parts of equal length, to the ns, that the range is divided into
 *
 * Computes the rate over time, for a graph.
 */
void
tb_trace_units_get_rates (TbTraceUnits *self, gint64 from, gint64 to, double *rates, gsize n_rates)
{
  g_return_if_fail (TB_IS_TRACE_UNITS (self));
  g_return_if_fail (rates != NULL || n_rates == 0);
  g_return_if_fail (from <= to);

  for (gsize i = 0; i < n_rates; i++)
    {
      gint64 begin = from + (gint64) ((__int128) (to - from) * i / n_rates);
      gint64 end = from + (gint64) ((__int128) (to - from) * (i + 1) / n_rates);

      rates[i] = tb_trace_units_get_rate (self, begin, end);
    }
}

/**
 * tb_trace_units_get_times:
 * @self: units of work
 * @totals: (out) (optional) (array length=n_times) (transfer none): for each time, the number of
 *   units up to and including it
 * @n_times: (out): number of times
 *
 * Gets the times at which units were done.
 *
 * Returns: (array length=n_times) (transfer none): the times of units, ns, ascending, each once;
 *   valid as long as @self
 */
const gint64 *
tb_trace_units_get_times (TbTraceUnits *self, const guint64 **totals, gsize *n_times)
{
  g_return_val_if_fail (TB_IS_TRACE_UNITS (self), NULL);
  g_return_val_if_fail (n_times != NULL, NULL);

  if (totals != NULL)
    *totals = (const guint64 *) (gconstpointer) self->totals->data;
  *n_times = self->times->len;
  return (const gint64 *) (gconstpointer) self->times->data;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static const char *
get_form (TbWorkKind kind)
{
  return kind == TB_WORK_FUNCTION ? "call" : tb_work_kind_get_prefix (kind);
}

/* Adds every name once; of marks, only those of completed work. */
static void
list_names (GPtrArray *units, TbSession *session, TbWorkKind kind)
{
  g_auto (Columns) columns = { 0 };
  g_autofree guint8 *seen = g_new0 (guint8, tb_session_get_n_strings (session) + 1);
  guint n_strings = tb_session_get_n_strings (session), first = units->len;
  gboolean has_any = FALSE;

  if (!columns_load (&columns, session, kind, NULL))
    return;
  for (gsize i = 0; i < columns.n && units->len - first < LISTED_MAX; i++)
    {
      guint32 name = columns.name[i];
      const char *text;

      if (name >= n_strings || seen[name])
        continue;
      seen[name] = TRUE;
      text = tb_session_get_string (session, name);
      if (kind != TB_WORK_MARK)
        g_ptr_array_add (units, g_strdup_printf ("%s:%s", get_form (kind), text));
      else if (tb_work_unit_matches (STANDARD_MARK, text))
        {
          g_ptr_array_add (units, g_strdup (text));
          has_any |= strcmp (text, STANDARD_MARK) == 0;
        }
    }
  if (kind == TB_WORK_MARK && units->len > first && !has_any)
    g_ptr_array_add (units, g_strdup (STANDARD_MARK));
}

static void
list_processes (GPtrArray *units, TbSession *session)
{
  g_auto (Columns) columns = { 0 };
  guint n_threads, n_processes, first = units->len;
  const TbThread *threads = tb_session_get_threads (session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (session, &n_processes);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!columns_load (&columns, session, TB_WORK_SEND, NULL))
    return;
  for (gsize i = 0; i < columns.n && units->len - first < LISTED_MAX; i++)
    {
      guint32 thread = columns.thread[i], process;
      char *unit;

      if (columns.kind[i] != TB_NETWORK_SEND && columns.kind[i] != TB_NETWORK_RECEIVE)
        continue;
      process = thread < n_threads ? threads[thread].process : TB_ID_NONE;
      if (process >= n_processes || processes[process].name[0] == '\0')
        continue;
      unit = g_strdup_printf ("%s:%s", columns.kind[i] == TB_NETWORK_SEND ? "send" : "receive",
                              processes[process].name);
      if (g_hash_table_add (seen, unit))
        g_ptr_array_add (units, g_strdup (unit));
    }
}

/**
 * tb_trace_units_list:
 * @trace: a trace
 *
 * Lists the units that could be counted in a trace: marks of completed work first, then probed
 * functions, messages and system calls, at most 256 of each, by name.
 *
 * Returns: (transfer full) (array zero-terminated=1): units, as [ctor@Tailback.TraceUnits.new]
 *   takes them
 */
char **
tb_trace_units_list (TbTrace *trace)
{
  g_autoptr (GPtrArray) units = g_ptr_array_new ();
  TbSession *session;
  guint first = 0;

  g_return_val_if_fail (TB_IS_TRACE (trace), NULL);

  session = tb_trace_get_session (trace);
  for (guint i = 0; i < 4; i++)
    {
      if (i == 2)
        list_processes (units, session);
      else
        list_names (units, session,
                    i == 0   ? TB_WORK_MARK
                    : i == 1 ? TB_WORK_FUNCTION
                             : TB_WORK_SYSCALL);
      if (units->len > first)
        qsort (&units->pdata[first], units->len - first, sizeof (gpointer), compare_texts);
      first = units->len;
    }
  g_ptr_array_add (units, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&units), FALSE);
}
