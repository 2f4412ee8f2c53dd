/* tb-trace.c: trace object of a session (states of its threads over time): its life, range, counts
 * and warnings, and reading of columns of the session with a later check for errors
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-thread-traits-private.h"
#include "trace/tb-trace-private.h"

/**
 * TbTrace:
 *
 * The state of every thread of a session over time.
 *
 * Every analysis starts from a trace. It holds the lifetime of each thread as intervals that follow
 * one another without a gap: running, runnable, sleeping, stopped or unknown. A sleep has its kind,
 * its object, its call stack and the cause of its end. The intervals are columns (see
 * [method@Tailback.Trace.get_intervals]), computed once and stored in the session.
 *
 * A trace does not change after its construction and may be used from any thread.
 */

G_DEFINE_FINAL_TYPE (TbTrace, tb_trace, G_TYPE_OBJECT)

static void
tb_trace_finalize (GObject *object)
{
  TbTrace *self = TB_TRACE (object);

  for (guint i = 0; i < TB_INTERVAL_N_COLUMNS; i++)
    g_clear_pointer (&self->columns[i], g_bytes_unref);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->evidence, g_free);
  g_clear_pointer (&self->warnings, g_strfreev);
  g_clear_pointer (&self->remarks, g_strfreev);
  g_clear_pointer (&self->thread_traits, g_free);
  g_clear_pointer (&self->roles, g_free);
  g_clear_pointer (&self->wait_kinds, g_free);
  g_clear_pointer (&self->frame_wait_kinds, g_free);
  g_clear_pointer (&self->wakeup_stacks, g_bytes_unref);
  g_clear_object (&self->context_tree);
  tb_column_reader_clear (&self->reader);
  g_clear_object (&self->session);
  g_mutex_clear (&self->mutex);

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
}

TbTrace *
tb_trace_new_empty (TbSession *session, gint64 wakeup_tolerance)
{
  TbTrace *self = g_object_new (TB_TYPE_TRACE, NULL);

  self->session = g_object_ref (session);
  tb_column_reader_init (&self->reader, session);
  self->wakeup_tolerance = wakeup_tolerance;
  tb_session_get_range (session, &self->from, &self->to);
  tb_session_get_threads (session, &self->n_threads);
  self->thread_traits = tb_session_find_thread_traits (session);
  return self;
}

/**
 * tb_trace_get_session:
 * @self: a trace
 *
 * Gets the session of the trace.
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
 * Gets by how much a wake-up may precede the sleep that it ends.
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
 * Gets the counts of contradictions and gaps in the events. A report states those that affect it.
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

/**
 * tb_trace_get_remarks:
 * @self: a trace
 *
 * Gets remarks on losses that are too small to be warnings: what was lost or not reported takes at
 * most 1 % of the time, or of the events where its time is not known. Each is a sentence for
 * display, after the results.
 *
 * Returns: (transfer none) (array zero-terminated=1): the remarks
 */
const char *const *
tb_trace_get_remarks (TbTrace *self)
{
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return (const char *const *) self->remarks;
}

/**
 * tb_trace_is_kernel_thread:
 * @self: a trace
 * @thread: a thread
 *
 * Gets whether a thread belongs to the kernel.
 *
 * Returns: whether it is a kernel thread
 */
gboolean
tb_trace_is_kernel_thread (TbTrace *self, guint32 thread)
{
  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  return thread < self->n_threads && (self->thread_traits[thread] & TB_THREAD_KERNEL) != 0;
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
  g_return_val_if_fail (TB_IS_TRACE (self), NULL);

  return tb_column_reader_read (&self->reader, table, column, first, n);
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
  g_return_val_if_fail (TB_IS_TRACE (self), FALSE);

  return tb_column_reader_check (&self->reader, error);
}
