/* tb-trace-added-marks.c: further trace of a session for an analysis, not stored: computed as if
 * the program had also made the marks of spinning and of false wake-ups that the analysis passes
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-trace-added-marks.h"
#include "trace/tb-trace-new-private.h"
#include "trace/tb-trace-private.h"

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
  return tb_trace_create (of->session, of->wakeup_tolerance, &added, progress, data, cancellable,
                          error);
}
