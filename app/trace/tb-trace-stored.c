/* tb-trace-stored.c: intervals and counts of a trace: loading from its session, with checks, and
 * storing; storing of its overview, which tb-overview builds and loads
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-overview-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-intervals-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-stored-private.h"

/* Raised when intervals are derived by other rules: those stored by earlier ones are derived again.
 */
#define RULES 6
#define N_COUNTS 12

/* The role of interval.kind in the session's schema admits as many. */
G_STATIC_ASSERT (TB_N_WAITS == 13);

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

gboolean
tb_trace_load_stored (TbTrace *self)
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
  tb_trace_set_intervals (self, tb_table_get_n_rows (table));
  return are_values_valid (self) && tb_trace_index_threads (self);
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

gboolean
tb_trace_store (TbTrace *self, GCancellable *cancellable, GError **error)
{
  return try_store (self, store, cancellable, error);
}

gboolean
tb_trace_store_missing_overview (TbTrace *self, GCancellable *cancellable, GError **error)
{
  return has_overview (self) || try_store (self, store_overview, cancellable, error);
}
