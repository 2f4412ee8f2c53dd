/* tb-trace.c: trace: intervals of thread states of a session, with waits and causes, loaded from
 * the session or built and stored in it
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "trace/tb-overview-private.h"
#include "trace/tb-trace-marks.h"
#include "trace/tb-trace-private.h"

/**
 * TbTrace:
 *
 * The state of every thread of a session over time.
 *
 * Every analysis starts from a trace. It holds the lifetime of each thread as intervals that follow
 * one another without a gap: running, runnable, sleeping, stopped or unknown. A sleep has its kind,
 * its object, its call stack and the cause of its end. The intervals are columns (see
 * [func@Tailback.Trace.get_intervals]), computed once and stored in the session.
 *
 * A trace does not change after its construction and may be used from any thread.
 */

G_DEFINE_FINAL_TYPE (TbTrace, tb_trace, G_TYPE_OBJECT)

/* Raised when intervals are derived by other rules: those stored by earlier ones are derived again.
 */
#define RULES 3
#define N_COUNTS 12

static void
tb_trace_finalize (GObject *object)
{
  TbTrace *self = TB_TRACE (object);

  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  tb_stack_columns_clear (&self->stacks);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->warnings, g_strfreev);
  g_clear_pointer (&self->thread_traits, g_free);
  g_clear_pointer (&self->wait_kinds, g_free);
  g_clear_pointer (&self->wakeup_stacks, g_bytes_unref);
  g_clear_pointer (&self->tracks, tb_tracks_free);
  g_clear_pointer (&self->locks, tb_locks_free);
  g_clear_object (&self->context_tree);
  g_clear_object (&self->session);
  g_clear_error (&self->read_error);
  g_mutex_clear (&self->mutex);
  g_mutex_clear (&self->reading);

  G_OBJECT_CLASS (tb_trace_parent_class)->finalize (object);
}

static void
tb_trace_class_init (TbTraceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = tb_trace_finalize;
}

static void
tb_trace_init (TbTrace *self)
{
  g_mutex_init (&self->mutex);
  g_mutex_init (&self->reading);
}

static void
set_intervals (TbTrace *self, gsize n)
{
#define COLUMN(COLUMN) g_bytes_get_data (self->columns[COLUMN], NULL)
  self->intervals = (TbIntervals) {
    .n = n,
    .start = COLUMN (TB_INTERVAL_START),
    .end = COLUMN (TB_INTERVAL_END),
    .thread = COLUMN (TB_INTERVAL_THREAD),
    .state = COLUMN (TB_INTERVAL_STATE),
    .flags = COLUMN (TB_INTERVAL_FLAGS),
    .cpu = COLUMN (TB_INTERVAL_CPU),
    .kind = COLUMN (TB_INTERVAL_KIND),
    .object = COLUMN (TB_INTERVAL_OBJECT),
    .stack = COLUMN (TB_INTERVAL_STACK),
    .cause_kind = COLUMN (TB_INTERVAL_CAUSE_KIND),
    .cause = COLUMN (TB_INTERVAL_CAUSE),
    .wakeup = COLUMN (TB_INTERVAL_WAKEUP),
    .sleep = COLUMN (TB_INTERVAL_SLEEP),
  };
#undef COLUMN
}

/* Whether stored rows have valid values. The check has no branches, because it delays the display
 * of a session. */
static gboolean
are_rows_valid (TbTrace *self, gsize first, gsize end)
{
  const TbIntervals *intervals = &self->intervals;
  guint state = 0, kind = 0, cause_kind = 0, bad = 0;

  for (gsize i = first; i < end; i++)
    bad |= intervals->end[i] <= intervals->start[i];
  for (gsize i = first; i < end; i++)
    {
      state = MAX (state, intervals->state[i]);
      kind = MAX (kind, intervals->kind[i]);
      cause_kind = MAX (cause_kind, intervals->cause_kind[i]);
    }
  for (gsize i = first; i < end; i++)
    bad |= (intervals->cause_kind[i] == TB_CAUSE_THREAD
            || intervals->cause_kind[i] == TB_CAUSE_SIGNAL)
           & (intervals->cause[i] >= self->n_threads);
  return !bad && state < TB_N_STATES && kind < TB_N_WAITS && cause_kind < TB_N_CAUSES;
}

/* FALSE also if cancelled. */
static gboolean
are_values_valid (TbTrace *self)
{
  for (gsize i = 0; i < self->intervals.n; i += TB_ROWS_BETWEEN_CHECKS)
    if (tb_trace_is_cancelled ()
        || !are_rows_valid (self, i, MIN (i + TB_ROWS_BETWEEN_CHECKS, self->intervals.n)))
      return FALSE;
  return TRUE;
}

/* Finds the first row of each thread, and checks that each thread's rows are in order, without gap
 * or overlap. FALSE also if cancelled. */
static gboolean
index_threads (TbTrace *self)
{
  const TbIntervals *intervals = &self->intervals;
  guint32 thread = 0;

  g_clear_pointer (&self->first, g_free);
  self->first = g_new (gsize, (gsize) self->n_threads + 1);
  self->first[0] = 0;
  for (gsize i = 0; i < intervals->n; i++)
    {
      guint32 of = intervals->thread[i];

      if (tb_trace_is_cancelled_at (i))
        return FALSE;
      if (G_LIKELY (of == thread && i > 0))
        {
          if (intervals->start[i] != intervals->end[i - 1] && self->first[thread] != i)
            return FALSE;
          continue;
        }
      if (of >= self->n_threads || of < thread)
        return FALSE;
      while (thread < of)
        self->first[++thread] = i;
    }
  while (thread < self->n_threads)
    self->first[++thread] = intervals->n;
  return TRUE;
}

static void
counts_to_array (const TbTraceCounts *counts, guint64 values[N_COUNTS])
{
  values[0] = counts->lost_events;
  values[1] = counts->lost_ns;
  values[2] = counts->sleeps_without_wakeup;
  values[3] = counts->stray_wakeups;
  values[4] = counts->self_wakeups;
  values[5] = counts->unknown_switch_outs;
  values[6] = counts->merged_false_wakeups;
  values[7] = counts->unbalanced_interrupts;
  values[8] = counts->unmatched_marks;
  values[9] = counts->late_wakeups;
  values[10] = counts->cpus_without_idle;
  values[11] = RULES;
}

static void
counts_from_array (TbTraceCounts *counts, const guint64 values[N_COUNTS])
{
  *counts = (TbTraceCounts) {
    .lost_events = values[0],
    .lost_ns = MIN (values[1], G_MAXINT64),
    .sleeps_without_wakeup = values[2],
    .stray_wakeups = values[3],
    .self_wakeups = values[4],
    .unknown_switch_outs = values[5],
    .merged_false_wakeups = values[6],
    .unbalanced_interrupts = values[7],
    .unmatched_marks = values[8],
    .late_wakeups = values[9],
    .cpus_without_idle = MIN (values[10], G_MAXUINT32),
  };
}

typedef struct
{
  TbTrace *trace;
  GCancellable *cancellable; /* current cancellable of the thread that loads the trace, or NULL */
} ColumnLoader;

static gpointer
load_odd_columns (gpointer data)
{
  const ColumnLoader *loader = data;
  TbTrace *self = loader->trace;
  TbTable *table = tb_session_get_table (self->session, TB_TABLE_INTERVAL);

  if (loader->cancellable != NULL)
    g_cancellable_push_current (loader->cancellable);
  for (guint i = 1; i < TB_INTERVAL_N_COLUMNS; i += 2)
    self->columns[i] = tb_table_get_column (table, i, NULL);
  if (loader->cancellable != NULL)
    g_cancellable_pop_current (loader->cancellable);
  return NULL;
}

/* Loads the intervals stored in the session, if there are any. */
static gboolean
load_stored (TbTrace *self)
{
  TbTable *table = tb_session_get_table (self->session, TB_TABLE_INTERVAL);
  TbTable *counts_table = tb_session_get_table (self->session, TB_TABLE_TRACE_COUNT);
  g_autoptr (GBytes) counts = NULL;
  ColumnLoader loader = { self, g_cancellable_get_current () };
  GThread *other;

  if (tb_table_get_n_rows (table) == 0 || tb_table_get_n_rows (counts_table) != N_COUNTS)
    return FALSE;
  counts = tb_table_get_column (counts_table, TB_TRACE_COUNT_VALUE, NULL);
  if (counts == NULL)
    return FALSE;

  /* Damaged chunks lose nothing here: derived data is computed again. */
  other = g_thread_new ("intervals", load_odd_columns, &loader);
  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i += 2)
    self->columns[i] = tb_table_get_column (table, i, NULL);
  g_thread_join (other);
  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    if (self->columns[i] == NULL)
      return FALSE;
  if (((const guint64 *) g_bytes_get_data (counts, NULL))[N_COUNTS - 1] != RULES)
    return FALSE;
  counts_from_array (&self->counts, g_bytes_get_data (counts, NULL));
  set_intervals (self, tb_table_get_n_rows (table));
  return are_values_valid (self) && index_threads (self);
}

static gboolean
store_overview (TbTrace *self, GCancellable *cancellable, GError **error)
{
  GBytes *columns[TB_OVERVIEW_N_COLUMNS];
  guint n_devices;
  const TbDevice *devices = tb_session_get_devices (self->session, &n_devices);
  gsize n = tb_overview_build (&self->intervals, self->from, self->to, devices, n_devices, columns);
  /* An overview whose construction was cancelled is incomplete. */
  gboolean done = !g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error)
                  && (n == 0
                      || tb_session_put_table (self->session, TB_TABLE_OVERVIEW, columns, n,
                                               cancellable, error));

  for (guint i = 0; i < TB_OVERVIEW_N_COLUMNS; i++)
    g_bytes_unref (columns[i]);
  return done;
}

/* A session of an older Tailback has only the intervals. */
static gboolean
has_overview (TbTrace *self)
{
  g_autoptr (TbOverview) overview = tb_overview_load (self->session);

  return overview != NULL;
}

/* Stores the overview before the intervals: if storing is interrupted in between, the overview is
 * not taken for that of other intervals. */
static gboolean
store (TbTrace *self, GCancellable *cancellable, GError **error)
{
  guint64 values[N_COUNTS];
  g_autoptr (GBytes) counts = NULL;

  if (self->intervals.n == 0)
    return TRUE;
  counts_to_array (&self->counts, values);
  counts = g_bytes_new (values, sizeof values);
  return store_overview (self, cancellable, error)
         && tb_session_put_table (self->session, TB_TABLE_INTERVAL, self->columns,
                                  self->intervals.n, cancellable, error)
         && tb_session_put_table (self->session, TB_TABLE_TRACE_COUNT, &counts, N_COUNTS,
                                  cancellable, error);
}

/* Derived data can be computed again, so a failure to store it is ignored. FALSE if cancelled. */
static gboolean
try_store (TbTrace *self,
           gboolean (*keep) (TbTrace *self, GCancellable *cancellable, GError **error),
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (GError) local = NULL;

  if (keep (self, cancellable, &local))
    return TRUE;
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  g_debug ("The result is not stored: %s", local->message);
  return TRUE;
}

static gboolean
build (TbTrace *self,
       const TbMarkColumns *added,
       TbProgressFunc progress,
       gpointer data,
       GCancellable *cancellable,
       GError **error)
{
  g_auto (TbSessionInput) loaded = { 0 };
  g_auto (TbTraceOutput) output = { 0 };
  gsize n;

  if (!tb_session_input_load (&loaded, self->session, error))
    return FALSE;
  loaded.input.wakeup_tolerance = self->wakeup_tolerance;
  if (added != NULL)
    loaded.input.added = *added;
  if (!tb_trace_build (&loaded.input, &output, progress, data, cancellable, error))
    return FALSE;

  n = output.n;
  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    {
      g_clear_pointer (&self->columns[i], g_bytes_unref);
      self->columns[i] = g_steal_pointer (&output.columns[i]);
    }
  self->counts = output.counts;
  set_intervals (self, n);
  if (index_threads (self))
    return TRUE;
  if (!g_cancellable_set_error_if_cancelled (g_cancellable_get_current (), error))
    g_assert_not_reached ();
  return FALSE;
}

/* Loads the intervals from the session or computes them. added: NULL if there are none. */
static gboolean
find_intervals (TbTrace *self,
                const TbMarkColumns *added,
                TbProgressFunc progress,
                gpointer data,
                GCancellable *cancellable,
                GError **error)
{
  gboolean keep = self->wakeup_tolerance == TB_WAKEUP_TOLERANCE && added == NULL;

  if (keep && load_stored (self))
    return has_overview (self) || try_store (self, store_overview, cancellable, error);
  /* A cancelled load does not mean that the stored data is damaged. */
  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !build (self, added, progress, data, cancellable, error))
    return FALSE;
  if (keep && progress != NULL)
    progress (0.9, _ ("Storing the result"), data);
  return !keep || try_store (self, store, cancellable, error);
}

static TbTrace *
new_trace (TbSession *session,
           gint64 wakeup_tolerance,
           const TbMarkColumns *added,
           TbProgressFunc progress,
           gpointer data,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (TbTrace) self = NULL;
  gboolean found;

  self = g_object_new (TB_TYPE_TRACE, NULL);
  self->session = g_object_ref (session);
  self->wakeup_tolerance = wakeup_tolerance;
  tb_session_get_range (session, &self->from, &self->to);
  tb_session_get_threads (session, &self->n_threads);
  self->thread_traits = tb_session_find_thread_traits (session);
  tb_trace_find_evidence (self);

  /* All functions called here check the current cancellable. */
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  found = find_intervals (self, added, progress, data, cancellable, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (!found)
    return NULL;
  self->warnings = tb_trace_make_warnings (self);
  return g_steal_pointer (&self);
}

/**
 * tb_trace_new_with_tolerance:
 * @session: a session
 * @wakeup_tolerance: the maximum time by which a wake-up may precede the thread's leaving its CPU
 *   and still end the sleep that follows (ns)
 * @progress: (scope call) (closure data) (nullable): receives the progress
 * @data: user data of @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location for a [struct@GLib.Error]
 *
 * Creates the trace of a session with another tolerance than [const@Tailback.WAKING_GRACE]: the
 * intervals are computed and not stored in the session.
 *
 * Fails if a chunk of the events is damaged (`TB_SESSION_ERROR_DAMAGED`) or when cancelled.
 *
 * Returns: (transfer full): a trace, or %NULL
 */
TbTrace *
tb_trace_new_with_tolerance (TbSession *session,
                             gint64 wakeup_tolerance,
                             TbProgressFunc progress,
                             gpointer data,
                             GCancellable *cancellable,
                             GError **error)
{
  g_return_val_if_fail (TB_IS_SESSION (session), NULL);
  g_return_val_if_fail (wakeup_tolerance >= 0, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return new_trace (session, wakeup_tolerance, NULL, progress, data, cancellable, error);
}

/**
 * tb_trace_get_with_tolerance:
 * @self: a trace
 * @wakeup_tolerance: the tolerance, see tb_trace_new_with_tolerance()
 * @progress: (scope call) (closure data) (nullable): receives the progress
 * @data: user data of @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location for a [struct@GLib.Error]
 *
 * Returns: (transfer full): @self if it has this tolerance, else another trace of its session that
 *   has it; %NULL on failure
 */
TbTrace *
tb_trace_get_with_tolerance (TbTrace *self,
                             gint64 wakeup_tolerance,
                             TbProgressFunc progress,
                             gpointer data,
                             GCancellable *cancellable,
                             GError **error)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  if (wakeup_tolerance == self->wakeup_tolerance)
    return g_object_ref (self);
  return tb_trace_new_with_tolerance (self->session, wakeup_tolerance, progress, data, cancellable,
                                      error);
}

/**
 * tb_trace_new_with_marks: (skip)
 * @of: a trace
 * @marks: (element-type TbAddedMark): marks that were not recorded, in any order
 * @progress: (scope call) (closure data) (nullable): receives the progress
 * @data: user data of @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location for a [struct@GLib.Error]
 *
 * Creates another trace of the same session, as if the program had also made these marks of
 * spinning and false wake-ups. It is not stored in the session.
 *
 * Fails if a chunk of the events is damaged (`TB_SESSION_ERROR_DAMAGED`) or when cancelled.
 *
 * Returns: (transfer full): a trace, or %NULL
 */
TbTrace *
tb_trace_new_with_marks (TbTrace *of,
                         const GArray *marks,
                         TbProgressFunc progress,
                         gpointer data,
                         GCancellable *cancellable,
                         GError **error)
{
  g_autofree gint64 *time = NULL;
  g_autofree guint8 *kind = NULL;
  g_autofree guint32 *thread = NULL;
  g_autofree guint32 *other = NULL;
  TbMarkColumns added = { 0 };

  g_return_val_if_fail (TB_IS_TRACE (of), NULL);
  g_return_val_if_fail (marks != NULL, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  time = g_new (gint64, marks->len + 1);
  kind = g_new (guint8, marks->len + 1);
  thread = g_new (guint32, marks->len + 1);
  other = g_new (guint32, marks->len + 1);
  for (guint i = 0; i < marks->len; i++)
    {
      const TbAddedMark *mark = &g_array_index (marks, TbAddedMark, i);

      time[i] = mark->time;
      kind[i] = mark->kind;
      thread[i] = mark->thread;
      other[i] = mark->other;
    }
  added = (TbMarkColumns) { marks->len, time, kind, thread, other };
  return new_trace (of->session, of->wakeup_tolerance, &added, progress, data, cancellable, error);
}

/**
 * tb_trace_new:
 * @session: a session
 * @progress: (scope call) (closure data) (nullable): receives the progress
 * @data: user data of @progress
 * @cancellable: (nullable): cancels the work
 * @error: return location for a [struct@GLib.Error]
 *
 * Creates the trace of a session. Loads the intervals that an earlier trace stored in the session,
 * or computes them from the events, which takes about a tenth of a second for a million events, and
 * stores them if the session can be written.
 *
 * Fails if a chunk of the events is damaged (`TB_SESSION_ERROR_DAMAGED`) or when cancelled.
 *
 * Returns: (transfer full): a trace, or %NULL
 */
TbTrace *
tb_trace_new (TbSession *session,
              TbProgressFunc progress,
              gpointer data,
              GCancellable *cancellable,
              GError **error)
{
  return tb_trace_new_with_tolerance (session, TB_WAKEUP_TOLERANCE, progress, data, cancellable,
                                      error);
}

/**
 * tb_trace_get_session:
 * @self: a trace
 *
 * Returns: (transfer none): the session of the trace
 */
TbSession *
tb_trace_get_session (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return self->session;
}

/**
 * tb_trace_get_wakeup_tolerance:
 * @self: a trace
 *
 * Returns: the maximum time by which a wake-up may precede the thread's leaving its CPU and still
 *   end the sleep that follows, ns
 */
gint64
tb_trace_get_wakeup_tolerance (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), 0);

  return self->wakeup_tolerance;
}

/**
 * tb_trace_get_range:
 * @self: a trace
 * @from: (out) (optional): start of the recording, ns of the session clock
 * @to: (out) (optional): end of the recording
 *
 * Gets the recorded time range.
 */
void
tb_trace_get_range (TbTrace *self, gint64 *from, gint64 *to)
{
  g_return_if_fail (TB_IS_TRACE (self));

  if (from != NULL)
    *from = self->from;
  if (to != NULL)
    *to = self->to;
}

/**
 * tb_trace_get_counts:
 * @self: a trace
 *
 * Returns: (transfer none): counts of contradictions and gaps in the events
 */
const TbTraceCounts *
tb_trace_get_counts (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return &self->counts;
}

/**
 * tb_trace_get_warnings:
 * @self: a trace
 *
 * Gets warnings about the quality of the recording, for display: each has one or two sentences with
 * cause, consequence and remedy. Those of the session come first.
 *
 * Returns: (transfer none) (array zero-terminated=1): the warnings
 */
const char *const *
tb_trace_get_warnings (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return (const char *const *) self->warnings;
}

gboolean
tb_trace_is_cancelled (void)
{
  return g_cancellable_is_cancelled (g_cancellable_get_current ());
}

/**
 * tb_trace_read_rows:
 * @self: a trace
 * @table: a table of its session
 * @column: one of its columns
 * @first: the first row
 * @n: number of rows
 *
 * Reads a part of a column, as [method@Tailback.Table.get_column_range] does, for callers that
 * cannot report an error at once. [method@Tailback.Trace.check] reports the error later, except
 * when the read was cancelled by the current cancellable (see [func@Gio.Cancellable.get_current]).
 * From any thread.
 *
 * Returns: (transfer full) (nullable): the values
 */
GBytes *
tb_trace_read_rows (TbTrace *self, TbTableKind table, guint column, guint64 first, guint64 n)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  if (tb_trace_is_cancelled ())
    return NULL;
  bytes = tb_table_get_column_range (tb_session_get_table (self->session, table), column, first, n,
                                     &error);
  if (bytes != NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return bytes;
  g_mutex_lock (&self->reading);
  if (self->read_error == NULL)
    self->read_error = g_steal_pointer (&error);
  g_mutex_unlock (&self->reading);
  return NULL;
}

/**
 * tb_trace_read_column:
 * @self: a trace
 * @table: a table of its session
 * @column: one of its columns
 *
 * Reads a whole column as [method@Tailback.Trace.read_rows] reads rows of it.
 *
 * Returns: (transfer full) (nullable): its values
 */
GBytes *
tb_trace_read_column (TbTrace *self, TbTableKind table, guint column)
{
  return tb_trace_read_rows (self, table, column, 0, G_MAXUINT64);
}

/**
 * tb_trace_check:
 * @self: a trace
 * @error: return location for a [struct@GLib.Error]
 *
 * Checks whether all data requested from the trace could be read: stacks, locks, tracks of CPUs and
 * devices. If a chunk is damaged, the data has gaps, and results from it must not be shown as
 * complete. [method@Tailback.Analysis.run] ensures that. From any thread.
 *
 * Returns: %FALSE with @error, which names the table and the chunk, if something could not be read
 */
gboolean
tb_trace_check (TbTrace *self, GError **error)
{
  gboolean good;

  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  g_mutex_lock (&self->reading);
  good = self->read_error == NULL;
  if (!good && error != NULL)
    *error = g_error_copy (self->read_error);
  g_mutex_unlock (&self->reading);
  return good;
}

/**
 * tb_trace_get_intervals: (skip)
 * @self: a trace
 *
 * Gets the intervals of all threads, sorted by thread and start, without gaps from the first to the
 * last interval of a thread.
 *
 * Returns: (transfer none): the intervals, valid as long as the trace
 */
const TbIntervals *
tb_trace_get_intervals (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return &self->intervals;
}

/**
 * tb_trace_get_interval_column:
 * @self: a trace
 * @column: the column
 *
 * Gets a column of the intervals as a buffer that is shared without copying.
 *
 * Returns: (transfer full): the values of the column
 */
GBytes *
tb_trace_get_interval_column (TbTrace *self, TbIntervalColumn column)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);
  g_return_val_if_fail ((guint) column < TB_INTERVAL_N_COLUMNS, NULL);

  return g_bytes_ref (self->columns[column]);
}

/**
 * tb_trace_get_thread_intervals:
 * @self: a trace
 * @thread: a thread
 * @first: (out): the row of its first interval
 * @n: (out): number of its intervals; 0 for the idle task and for threads without events
 *
 * Gets the rows of a thread's intervals.
 */
void
tb_trace_get_thread_intervals (TbTrace *self, guint32 thread, gsize *first, gsize *n)
{
  g_return_if_fail (TB_IS_TRACE (self));
  g_return_if_fail (first != NULL && n != NULL);

  *first = 0;
  *n = 0;
  if (thread >= self->n_threads)
    return;
  *first = self->first[thread];
  *n = self->first[thread + 1] - self->first[thread];
}

/**
 * tb_trace_find_interval:
 * @self: a trace
 * @thread: a thread
 * @time: ns of the session clock
 *
 * Finds the interval of a thread at a given time.
 *
 * Returns: the row of its interval, or -1 if the thread did not exist at that time
 */
gssize
tb_trace_find_interval (TbTrace *self, guint32 thread, gint64 time)
{
  gsize low, high, end;

  g_return_val_if_fail (TB_IS_TRACE (self), -1);

  if (thread >= self->n_threads)
    return -1;
  low = self->first[thread];
  high = end = self->first[thread + 1];
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->intervals.end[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low < end && self->intervals.start[low] <= time ? (gssize) low : -1;
}

/**
 * tb_trace_is_kernel_thread:
 * @self: a trace
 * @thread: a thread
 *
 * Returns: whether it is a kernel thread
 */
gboolean
tb_trace_is_kernel_thread (TbTrace *self, guint32 thread)
{
  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  return thread < self->n_threads && (self->thread_traits[thread] & TB_THREAD_KERNEL) != 0;
}
