/* tb-trace-new.c: constructors of a trace: intervals loaded from the session (tb-trace-stored), or
 * computed from its events (tb-trace-builder) and stored; with another wake-up tolerance or added
 * marks, computed and not stored
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "trace/tb-trace-builder-private.h"
#include "trace/tb-trace-evidence-private.h"
#include "trace/tb-trace-intervals-private.h"
#include "trace/tb-trace-new-private.h"
#include "trace/tb-trace-private.h"
#include "trace/tb-trace-roles-private.h"
#include "trace/tb-trace-stored-private.h"
#include "trace/tb-trace-warnings-private.h"

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
  tb_trace_set_intervals (self, n);
  if (tb_trace_index_threads (self))
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

  if (keep && tb_trace_load_stored (self))
    return tb_trace_store_missing_overview (self, cancellable, error);
  /* A cancelled load does not mean that the stored data is damaged. */
  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !build (self, added, progress, data, cancellable, error))
    return FALSE;
  if (keep && progress != NULL)
    progress (0.9, _ ("Storing the result"), data);
  return !keep || tb_trace_store (self, cancellable, error);
}

TbTrace *
tb_trace_create (TbSession *session,
                 gint64 wakeup_tolerance,
                 const TbMarkColumns *added,
                 TbProgressFunc progress,
                 gpointer data,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (TbTrace) self = tb_trace_new_empty (session, wakeup_tolerance);
  gboolean found;

  tb_trace_find_evidence (self);

  /* All functions called here check the current cancellable. */
  if (cancellable != NULL)
    g_cancellable_push_current (cancellable);
  found = find_intervals (self, added, progress, data, cancellable, error);
  if (cancellable != NULL)
    g_cancellable_pop_current (cancellable);
  if (!found)
    return NULL;
  tb_trace_find_roles (self);
  tb_trace_make_warnings (self);
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
 * Creates the trace of a session with another tolerance than %TB_WAKEUP_TOLERANCE: the
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

  return tb_trace_create (session, wakeup_tolerance, NULL, progress, data, cancellable, error);
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
 * Gets a trace of the same session with another wake-up tolerance.
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
