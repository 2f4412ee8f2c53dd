/* tb-peaks-attributes.c: attributes of calls (thread, CPU, state, arguments, preceding call, device
 * request …), read for a sample of calls; those that discriminate a peak best (by
 * tb-peaks-discrimination.c), as text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include <glib/gi18n.h>

#include "report/tb-report.h"
#include "tb-peaks-attributes.h"
#include "calls/tb-peaks-requests.h"
#include "tb-peaks-call-arguments.h"

#define LEAST_INFORMATION 0.05
#define MAX_ATTRIBUTES 5
/* What a call works on is more use to a programmer than where it ran: it comes first if it predicts
 * nearly as well. */
#define PREFERENCE 1.25
#define MAX_BACK 1024
/* Number of rows of a column that are decoded at a time. Whole columns of millions of rows would be
 * decoded only to be read at a few places. */
#define ROWS_AT_A_TIME 65536u

typedef enum
{
  THREAD,
  PROCESS,
  CPU,
  DESCRIPTOR,
  SIZE,
  FLAGS,
  ARGUMENT, /* one of six */
  RESULT = ARGUMENT + 6,
  MAIN_STATE,
  PRECEDING,
  CALLER,
  DEVICE,
  SEEK,
  DEPTH,
  SERVICE,
  REQUESTS,
  FILE_NAME,
  ENDED_BY,
  REMOTE,
  N_VARIABLES,
} Variable;

static const struct
{
  const char *id;
  const char *label;
  gboolean is_number;
  gboolean is_preferred;
} variables[N_VARIABLES] = {
  [THREAD] = { "thread", N_ ("thread") },
  [PROCESS] = { "process", N_ ("process") },
  [CPU] = { "cpu", N_ ("CPU") },
  [DESCRIPTOR] = { "file", N_ ("file"), FALSE, TRUE },
  [SIZE] = { "size", N_ ("size"), TRUE, TRUE },
  /* not a number: combinations of flags are no range */
  [FLAGS] = { "flags", N_ ("flags"), FALSE, TRUE },
  [ARGUMENT] = { "argument-1", N_ ("first argument"), TRUE },
  [ARGUMENT + 1] = { "argument-2", N_ ("second argument"), TRUE },
  [ARGUMENT + 2] = { "argument-3", N_ ("third argument"), TRUE },
  [ARGUMENT + 3] = { "argument-4", N_ ("fourth argument"), TRUE },
  [ARGUMENT + 4] = { "argument-5", N_ ("fifth argument"), TRUE },
  [ARGUMENT + 5] = { "argument-6", N_ ("sixth argument"), TRUE },
  [RESULT] = { "result", N_ ("result"), TRUE, TRUE },
  [MAIN_STATE] = { "state", N_ ("main state of the thread") },
  [PRECEDING] = { "preceding-call", N_ ("preceding call") },
  [CALLER] = { "caller", N_ ("caller") },
  [DEVICE] = { "device", N_ ("device") },
  [SEEK] = { "seek-distance", N_ ("distance from the previous request"), TRUE },
  [DEPTH] = { "queue-depth", N_ ("requests in the device"), TRUE },
  [SERVICE] = { "service-time", N_ ("time in the device"), TRUE },
  [REQUESTS] = { "requests", N_ ("number of requests to devices"), TRUE },
  [FILE_NAME] = { "file", N_ ("file"), FALSE, TRUE },
  [ENDED_BY] = { "ended-by", N_ ("cause of its end") },
  [REMOTE] = { "remote", N_ ("peer") },
};

/* Sample for one peak: indices into the sampled rows. */
typedef struct
{
  GArray *places[2]; /* guint32; outside, inside */
  guint64 all[2];
  guint64 step[2];
  guint64 left[2];
} Sides;

/* The attribute values of the sampled calls, for all peaks. */
typedef struct
{
  const TbPeaksCalls *calls;
  const TbPeaksOperation *operation;
  const TbPeaksTable *table;
  TbSession *session;
  GArray *rows; /* guint32, ascending */
  Sides *sides;
  guint n_peaks;
  gint64 *values[N_VARIABLES];
} Attributes;

static gint64 *
begin (Attributes *self, Variable variable)
{
  self->values[variable] = g_new0 (gint64, self->rows->len + 1);
  return self->values[variable];
}

static void
sides_init (Sides *self,
            const TbPeaksOperation *operation,
            const TbPeaksBins *bins,
            const TbPeakRange *range)
{
  for (guint bin = range->first; bin <= range->last && bin < bins->n; bin++)
    self->all[1] += operation->histogram->counts[bin];
  self->all[0] = operation->histogram->calls - self->all[1];
  for (guint side = 0; side < 2; side++)
    {
      self->places[side] = g_array_new (FALSE, FALSE, sizeof (guint32));
      self->step[side]
          = MAX ((self->all[side] + TB_PEAKS_MAX_SAMPLED - 1) / TB_PEAKS_MAX_SAMPLED, 1);
    }
}

/* Samples each peak and the other calls at even spacing. */
static void
choose_rows (Attributes *self, const GArray *rows, const GArray *ranges, const guint8 *requested)
{
  const TbPeaksBins *bins = &self->calls->bins;

  for (guint i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      guint bin = tb_peaks_bins_find (bins, tb_peaks_table_get_latency (self->table, row));
      gboolean is_in = FALSE;

      for (guint peak = 0; peak < self->n_peaks; peak++)
        {
          const TbPeakRange *range = &g_array_index (ranges, TbPeakRange, peak);
          Sides *sides = &self->sides[peak];
          guint side = bin >= range->first && bin <= range->last;
          guint32 place = self->rows->len - is_in;

          if (!requested[peak] || sides->left[side]-- > 0)
            continue;
          sides->left[side] = sides->step[side] - 1;
          if (!is_in)
            g_array_append_val (self->rows, row);
          is_in = TRUE;
          g_array_append_val (sides->places[side], place);
        }
    }
}

/* Row of the source table, or of the interval, for derived tables. */
static guint32
get_origin (const Attributes *self, guint i)
{
  guint32 row = g_array_index (self->rows, guint32, i);

  return self->table->origin != NULL ? self->table->origin[row] : row;
}

static gint64
get_value (gconstpointer data, TbColumnType type, guint64 row)
{
  return type == TB_COLUMN_U32   ? (gint64) ((const guint32 *) data)[row]
         : type == TB_COLUMN_U16 ? (gint64) ((const guint16 *) data)[row]
                                 : ((const gint64 *) data)[row];
}

static gboolean
take_column (Attributes *self, Variable variable, TbTableKind kind, guint column, GError **error)
{
  TbTable *table = tb_session_get_table (self->session, kind);
  TbColumnType type = tb_table_kind_get_info (kind)->columns[column].type;
  g_autoptr (GBytes) bytes = NULL;
  guint64 first = 0, n = 0;
  gint64 *values = begin (self, variable);

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint64 row = get_origin (self, i);

      if (bytes == NULL || row < first || row - first >= n)
        {
          g_clear_pointer (&bytes, g_bytes_unref);
          first = row / ROWS_AT_A_TIME * ROWS_AT_A_TIME;
          bytes = tb_table_get_column_range (table, column, first, ROWS_AT_A_TIME, error);
          if (bytes == NULL)
            return FALSE;
          n = g_bytes_get_size (bytes)
              / (type == TB_COLUMN_U32   ? 4
                 : type == TB_COLUMN_U16 ? 2
                                         : 8);
        }
      if (row - first < n)
        values[i] = get_value (g_bytes_get_data (bytes, NULL), type, row - first);
    }
  return TRUE;
}

/* --- all calls --- */

static void
take_threads (Attributes *self)
{
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);
  gint64 *of_thread = begin (self, THREAD), *of_process = begin (self, PROCESS);

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 thread = self->table->thread[g_array_index (self->rows, guint32, i)];

      of_thread[i] = thread;
      of_process[i] = thread < n_threads ? threads[thread].process : TB_ID_NONE;
    }
}

/* The CPU at the start of the call, and the state with most of its time. */
static void
take_states (Attributes *self)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->calls->trace);
  gint64 *cpu = begin (self, CPU), *main_state = begin (self, MAIN_STATE);

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i), thread = self->table->thread[row];
      gint64 enter = self->table->enter[row], exit = self->table->exit[row], most = 0;
      gint64 ns[TB_N_STATES] = { 0 };
      gssize at = thread < self->calls->n_threads
                      ? tb_trace_find_interval (self->calls->trace, thread, enter)
                      : -1;

      cpu[i] = at >= 0 ? intervals->cpu[at] : TB_CPU_ALL;
      for (gsize k = (gsize) at; at >= 0 && k < intervals->n && intervals->thread[k] == thread
                                 && intervals->start[k] <= exit && k < (gsize) at + 64;
           k++)
        ns[intervals->state[k]] += MIN (intervals->end[k], exit) - MAX (intervals->start[k], enter);
      for (guint state = 0; state < TB_N_STATES; state++)
        if (ns[state] > most)
          {
            most = ns[state];
            main_state[i] = state;
          }
    }
}

/* The last call of the same thread that ended before. Rows of the table are sorted by end; only a
 * limited number of rows is searched. */
static void
take_preceding (Attributes *self)
{
  const TbPeaksTable *table = self->table;
  gint64 *values = begin (self, PRECEDING);

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i),
              least = row > MAX_BACK ? row - MAX_BACK : 0;

      values[i] = TB_STRING_NONE;
      for (guint32 before = row; before > least; before--)
        if (table->thread[before - 1] == table->thread[row]
            && table->exit[before - 1] <= table->enter[row])
          {
            values[i] = table->key[before - 1];
            break;
          }
    }
}

/* --- system calls --- */

/* Takes the values of an argument as those of another variable. */
static void
rename_argument (Attributes *self, Variable argument, Variable variable)
{
  if (self->values[variable] != NULL)
    return;
  self->values[variable] = g_steal_pointer (&self->values[argument]);
  for (guint i = 0; variable == DESCRIPTOR && i < self->rows->len; i++)
    self->values[DESCRIPTOR][i]
        = (self->values[PROCESS][i] << 32) | (self->values[DESCRIPTOR][i] & G_MAXINT32);
}

/* Addresses differ from run to run, and are no property of the calls. */
static void
name_argument (Attributes *self, guint number)
{
  Variable argument = (Variable) (ARGUMENT + number);

  switch (tb_peaks_get_argument (strchr (self->operation->id, ':') + 1, number))
    {
    case TB_PEAKS_ARGUMENT_FILE:
      rename_argument (self, argument, DESCRIPTOR);
      break;
    case TB_PEAKS_ARGUMENT_SIZE:
      rename_argument (self, argument, SIZE);
      break;
    case TB_PEAKS_ARGUMENT_FLAGS:
      rename_argument (self, argument, FLAGS);
      break;
    case TB_PEAKS_ARGUMENT_ADDRESS:
      g_clear_pointer (&self->values[argument], g_free);
      break;
    case TB_PEAKS_ARGUMENT_OTHER:
    default:
      if (tb_peaks_are_addresses (self->values[argument], self->rows->len))
        g_clear_pointer (&self->values[argument], g_free);
      break;
    }
}

static gboolean
take_arguments (Attributes *self, GError **error)
{
  for (guint i = 0; i < 6; i++)
    {
      if (!take_column (self, (Variable) (ARGUMENT + i), TB_TABLE_SYSCALL,
                        (guint) (TB_SYSCALL_ARG0 + i), error))
        return FALSE;
      name_argument (self, i);
    }
  if (!take_column (self, RESULT, TB_TABLE_SYSCALL, TB_SYSCALL_RESULT, error)
      || !take_column (self, CALLER, TB_TABLE_SYSCALL, TB_SYSCALL_STACK, error))
    return FALSE;
  /* mmap() and brk() return addresses. */
  if (tb_peaks_are_addresses (self->values[RESULT], self->rows->len))
    g_clear_pointer (&self->values[RESULT], g_free);
  return TRUE;
}

/* --- device requests --- */

/* Value for calls without a request. */
#define NO_REQUEST G_MININT64

/* Attributes of the request itself, for block operations. */
static gboolean
take_positions (Attributes *self, GError **error)
{
  TbPeaksRequests requests;
  gint64 *seek, *depths, *service;

  if (!tb_peaks_requests_init (&requests, self->calls, error))
    return FALSE;
  seek = begin (self, SEEK);
  depths = begin (self, DEPTH);
  service = begin (self, SERVICE);
  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i);

      seek[i] = requests.distance[row];
      depths[i] = requests.depth[row];
      service[i] = tb_peaks_requests_get_service (&requests, row);
    }
  tb_peaks_requests_clear (&requests);
  return TRUE;
}

/* Attributes of the request that each call waited for: made by its thread, and completed in the
 * call. */
static gboolean
take_requests (Attributes *self, GError **error)
{
  TbPeaksRequests requests;
  gint64 *seek, *depths, *service, *count;

  if (self->calls->tables[TB_PEAKS_BLOCK].n == 0)
    return TRUE;
  if (!tb_peaks_requests_init (&requests, self->calls, error))
    return FALSE;
  seek = begin (self, SEEK);
  depths = begin (self, DEPTH);
  service = begin (self, SERVICE);
  count = begin (self, REQUESTS);
  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = g_array_index (self->rows, guint32, i), request;
      guint n;

      request = tb_peaks_requests_find (&requests, self->table->thread[row],
                                        self->table->enter[row], self->table->exit[row], &n);
      count[i] = n;
      seek[i] = request != TB_ID_NONE ? requests.distance[request] : NO_REQUEST;
      depths[i] = request != TB_ID_NONE ? requests.depth[request] : NO_REQUEST;
      service[i]
          = request != TB_ID_NONE ? tb_peaks_requests_get_service (&requests, request) : NO_REQUEST;
    }
  tb_peaks_requests_clear (&requests);
  return TRUE;
}

static void
take_causes (Attributes *self)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->calls->trace);
  gint64 *values = begin (self, ENDED_BY);

  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 row = get_origin (self, i);

      values[i] = ((gint64) intervals->cause_kind[row] << 32) | intervals->cause[row];
    }
}

static gboolean
take (Attributes *self, GError **error)
{
  take_threads (self);
  switch (self->operation->kind)
    {
    case TB_PEAKS_SYSCALL:
      take_states (self);
      take_preceding (self);
      return take_requests (self, error) && take_arguments (self, error);
    case TB_PEAKS_FUNCTION:
      take_states (self);
      take_preceding (self);
      return take_requests (self, error)
             && take_column (self, CALLER, TB_TABLE_CALL, TB_CALL_STACK, error);
    case TB_PEAKS_BLOCK:
      return take_column (self, DEVICE, TB_TABLE_BLOCK, TB_BLOCK_DEVICE, error)
             && take_column (self, SIZE, TB_TABLE_BLOCK, TB_BLOCK_BYTES, error)
             && take_column (self, FILE_NAME, TB_TABLE_BLOCK, TB_BLOCK_FILE, error)
             && take_column (self, CPU, TB_TABLE_BLOCK, TB_BLOCK_CPU, error)
             && take_column (self, CALLER, TB_TABLE_BLOCK, TB_BLOCK_STACK, error)
             && take_positions (self, error);
    case TB_PEAKS_NETWORK:
      take_states (self);
      return take_column (self, SIZE, TB_TABLE_NETWORK, TB_NETWORK_BYTES, error)
             && take_column (self, REMOTE, TB_TABLE_NETWORK, TB_NETWORK_REMOTE, error);
    case TB_PEAKS_LOCK:
      take_states (self);
      take_causes (self);
      return TRUE;
    case TB_PEAKS_INTERRUPT:
      return take_column (self, CPU, TB_TABLE_INTERRUPT, TB_INTERRUPT_CPU, error);
    case TB_PEAKS_INFERRED:
    case TB_PEAKS_HOLD:
      take_states (self);
      return take_requests (self, error);
    default:
      take_states (self);
      return TRUE;
    }
}

/* --- text --- */

static char *
describe_number (Variable variable, const TbPeakAssociation *association)
{
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  if (association->value == NO_REQUEST)
    return g_strdup (_ ("(no request)"));
  if (variable == SERVICE)
    {
      from = tb_format_duration (association->value);
      to = tb_format_duration (association->value_to);
    }
  else if (variable == SIZE)
    {
      from = tb_format_bytes ((guint64) MAX (association->value, 0));
      to = tb_format_bytes ((guint64) MAX (association->value_to, 0));
    }
  else if (variable == RESULT && association->value == association->value_to
           && association->value < 0 && association->value > -4096)
    return g_strdup (g_strerror ((int) -association->value));
  else
    {
      from = g_strdup_printf ("%" G_GINT64_FORMAT, association->value);
      to = g_strdup_printf ("%" G_GINT64_FORMAT, association->value_to);
    }
  return association->value == association->value_to ? g_steal_pointer (&from)
                                                     : g_strdup_printf ("%s…%s", from, to);
}

static char *
describe_process (TbSession *session, gint64 process)
{
  guint n_processes;

  tb_session_get_processes (session, &n_processes);
  return process >= 0 && process < n_processes
             ? tb_session_describe_process (session, (guint32) process, TRUE)
             : g_strdup (_ ("unknown"));
}

static char *
describe_value (const Attributes *self, Variable variable, const TbPeakAssociation *association)
{
  gint64 value = association->value;
  TbTrace *trace = self->calls->trace;
  g_autofree char *process = NULL;
  char *text = NULL;
  guint n;

  if (variables[variable].is_number)
    return describe_number (variable, association);
  switch (variable)
    {
    case THREAD:
      text = value < self->calls->n_threads ? tb_trace_describe_thread (trace, (guint32) value)
                                            : NULL;
      break;
    case PROCESS:
      text = describe_process (self->session, value);
      break;
    case CPU:
      text = value != TB_CPU_ALL ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : NULL;
      break;
    case DESCRIPTOR:
      process = describe_process (self->session, value >> 32);
      text = g_strdup_printf (_ ("descriptor %d of %s"), (int) (value & G_MAXINT32), process);
      break;
    case MAIN_STATE:
      text = g_strdup (tb_state_get_name ((TbState) value));
      break;
    case CALLER:
      text = tb_trace_get_stack_label (trace, (guint32) value);
      break;
    case FLAGS:
      text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", (guint64) value);
      break;
    case DEVICE:
      tb_session_get_devices (self->session, &n);
      text = value < n ? g_strdup (tb_session_get_devices (self->session, &n)[value].name) : NULL;
      break;
    case ENDED_BY:
      text = tb_trace_describe_cause (trace, (TbCauseKind) (value >> 32), (guint32) value);
      break;
    default:
      text = g_strdup (tb_session_get_string (self->session, (guint32) value));
    }
  if (text != NULL && *text != '\0')
    return text;
  g_free (text);
  return g_strdup (_ ("unknown"));
}

static double
get_weight (const TbPeakAttribute *attribute)
{
  return attribute->association.information * (attribute->is_preferred ? PREFERENCE : 1);
}

static int
compare_attributes (gconstpointer a, gconstpointer b)
{
  const TbPeakAttribute *left = a, *right = b;

  if (get_weight (left) < get_weight (right) || get_weight (left) > get_weight (right))
    return get_weight (left) > get_weight (right) ? -1 : 1;
  return strcmp (left->variable, right->variable);
}

static void
attribute_clear (gpointer data)
{
  TbPeakAttribute *self = data;

  g_free (self->value);
  g_free (self->text);
}

/* By index: the values of the calls of one side. */
static gint64 *
pick (const gint64 *values, const GArray *places)
{
  gint64 *picked = g_new (gint64, places->len + 1);

  for (guint i = 0; i < places->len; i++)
    picked[i] = values[g_array_index (places, guint32, i)];
  return picked;
}

static GArray *
find_of_peak (const Attributes *self, const Sides *sides)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (TbPeakAttribute));

  g_array_set_clear_func (found, attribute_clear);
  for (guint i = 0; i < N_VARIABLES && sides->places[0] != NULL; i++)
    {
      TbPeakAttribute attribute
          = { variables[i].id, _ (variables[i].label), .is_preferred = variables[i].is_preferred };
      g_autofree gint64 *outside = NULL, *inside = NULL;

      if (self->values[i] == NULL || sides->places[0]->len == 0 || sides->places[1]->len == 0)
        continue;
      outside = pick (self->values[i], sides->places[0]);
      inside = pick (self->values[i], sides->places[1]);
      attribute.association
          = tb_peaks_measure_association (inside, sides->places[1]->len, sides->all[1], outside,
                                          sides->places[0]->len, sides->all[0],
                                          variables[i].is_number);
      if (!attribute.association.is_significant
          || attribute.association.information < LEAST_INFORMATION)
        continue;
      attribute.value = describe_value (self, i, &attribute.association);
      attribute.text
          = g_strdup (i == MAIN_STATE ? tb_state_get_label ((TbState) attribute.association.value)
                                      : attribute.value);
      g_array_append_val (found, attribute);
    }
  g_array_sort (found, compare_attributes);
  if (found->len > MAX_ATTRIBUTES)
    g_array_set_size (found, MAX_ATTRIBUTES);
  return found;
}

/* Whether there are calls both in a peak and outside it. */
static gboolean
has_sides (const Attributes *self)
{
  for (guint i = 0; i < self->n_peaks; i++)
    if (self->sides[i].places[0] != NULL && self->sides[i].places[0]->len > 0
        && self->sides[i].places[1]->len > 0)
      return TRUE;
  return FALSE;
}

static void
clear (Attributes *self)
{
  for (guint i = 0; i < N_VARIABLES; i++)
    g_free (self->values[i]);
  for (guint i = 0; i < self->n_peaks; i++)
    for (guint side = 0; side < 2; side++)
      g_clear_pointer (&self->sides[i].places[side], g_array_unref);
  g_free (self->sides);
  g_array_unref (self->rows);
}

GPtrArray *
tb_peaks_find_attributes (const TbPeaksCalls *calls,
                          const TbPeaksOperation *operation,
                          const GArray *rows,
                          const GArray *ranges,
                          const guint8 *requested,
                          GError **error)
{
  Attributes self = { .calls = calls,
                      .operation = operation,
                      .table = &calls->tables[operation->kind],
                      .session = tb_trace_get_session (calls->trace),
                      .n_peaks = ranges->len };
  GPtrArray *found = NULL;

  self.rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self.sides = g_new0 (Sides, ranges->len + 1);
  for (guint i = 0; i < ranges->len; i++)
    if (requested[i])
      sides_init (&self.sides[i], operation, &calls->bins, &g_array_index (ranges, TbPeakRange, i));
  choose_rows (&self, rows, ranges, requested);
  if (!has_sides (&self) || take (&self, error))
    {
      found = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
      for (guint i = 0; i < ranges->len; i++)
        g_ptr_array_add (found, find_of_peak (&self, &self.sides[i]));
    }
  clear (&self);
  return found;
}
