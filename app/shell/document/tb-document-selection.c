/* tb-document-selection.c: part of the recording that all analyses of a document cover: limited to
 * the selected time range, threads or process, or extended again, after which they run again; name
 * of the threads covered
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-private.h"
#include "trace/tb-trace-roles.h"

/* Returns the process of a thread, %TB_ID_NONE if unknown. */
static guint32
get_process (TbDocument *self, guint32 thread)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);

  tb_session_get_processes (self->session, &n_processes);
  return thread < n_threads && threads[thread].process < n_processes ? threads[thread].process
                                                                     : TB_ID_NONE;
}

/* Adds the threads of a process to a selection (nullable); returns the number of threads. */
static guint
add_process (TbDocument *self, guint32 process, TbSelection *selection)
{
  guint n_threads, n = 0;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);

  for (guint i = 0; i < n_threads; i++)
    if (threads[i].process == process)
      {
        if (selection != NULL)
          tb_selection_add_thread (selection, i);
        n++;
      }
  return n;
}

void
tb_document_update_selection (TbDocument *self)
{
  g_clear_object (&self->selection);
  self->selection = tb_selection_new (self->trace);
  tb_selection_set_scope (self->selection,
                          self->whole_system ? TB_SELECTION_SYSTEM : TB_SELECTION_COMMAND);
  if (self->has_range)
    tb_selection_set_range (self->selection, self->range_from, self->range_to);
  for (guint i = 0; i < self->threads->len; i++)
    tb_selection_add_thread (self->selection, g_array_index (self->threads, guint32, i));
  if (self->thread != TB_ID_NONE && self->whole_process)
    add_process (self, get_process (self, self->thread), self->selection);
  else if (self->thread != TB_ID_NONE)
    tb_selection_add_thread (self->selection, self->thread);
}

/**
 * tb_document_get_selection:
 *
 * Returns: (transfer none): the part of the trace to analyse; only valid once there is a trace
 */
TbSelection *
tb_document_get_selection (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);
  return self->selection;
}

/* threads: several threads, which replace thread. */
static void
limit_threads (TbDocument *self,
               const guint32 *threads,
               guint n_threads,
               guint32 thread,
               gboolean whole_process,
               gboolean has_range,
               gint64 from,
               gint64 to)
{
  g_array_set_size (self->threads, 0);
  if (n_threads > 0)
    g_array_append_vals (self->threads, threads, n_threads);
  self->thread = thread;
  self->whole_process = whole_process;
  self->has_range = has_range;
  self->range_from = from;
  self->range_to = to;
  tb_document_update_selection (self);
  tb_document_run_again (self);
  g_signal_emit_by_name (self, "limit-changed");
}

static void
limit (TbDocument *self,
       guint32 thread,
       gboolean whole_process,
       gboolean has_range,
       gint64 from,
       gint64 to)
{
  limit_threads (self, NULL, 0, thread, whole_process, has_range, from, to);
}

/* Returns the selected range, or the time of the selected interval. */
static gboolean
get_selected_time (TbDocument *self, gint64 *from, gint64 *to)
{
  *from = *to = 0;
  return (tb_focus_get_range (self->focus, from, to) || tb_focus_get_time (self->focus, from, to))
         && *from < *to;
}

/* Returns the thread if it is selected itself. A selected interval only limits the time, in which
 * other threads matter too. */
static guint32
get_selected_thread (TbDocument *self)
{
  gint64 from, to;

  return tb_focus_get_time (self->focus, &from, &to) ? TB_ID_NONE
                                                     : tb_focus_get_thread (self->focus);
}

/**
 * tb_document_can_analyse_selection:
 *
 * Returns: whether a range, an interval or threads are selected; in a comparison whether a range is
 *   selected, since both sides have it
 */
gboolean
tb_document_can_analyse_selection (TbDocument *self)
{
  gint64 from, to;
  guint n_threads;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  if (self->trace == NULL)
    return FALSE;
  if (self->base != NULL)
    return tb_focus_get_range (self->focus, &from, &to);
  tb_focus_get_threads (self->focus, &n_threads);
  return get_selected_time (self, &from, &to) || get_selected_thread (self) != TB_ID_NONE
         || n_threads > 0;
}

/**
 * tb_document_analyse_selection:
 *
 * Limits the analyses to the selected range, or to the time of the selected interval, and to the
 * selected threads, or to the thread that is selected itself.
 */
void
tb_document_analyse_selection (TbDocument *self)
{
  const guint32 *threads;
  gboolean has_range;
  gint64 from, to;
  guint n_threads;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_can_analyse_selection (self))
    return;
  has_range = get_selected_time (self, &from, &to);
  if (has_range)
    tb_focus_set_view (self->focus, from, to);
  if (self->base != NULL)
    {
      limit (self, TB_ID_NONE, FALSE, has_range, from, to);
      return;
    }
  threads = tb_focus_get_threads (self->focus, &n_threads);
  if (n_threads > 1)
    limit_threads (self, threads, n_threads, TB_ID_NONE, FALSE, has_range, from, to);
  else
    limit (self, n_threads == 1 ? threads[0] : get_selected_thread (self), FALSE, has_range, from,
           to);
}

/**
 * tb_document_can_analyse_process:
 *
 * Returns: whether a thread or an interval is selected and its process is known
 */
gboolean
tb_document_can_analyse_process (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  return self->trace != NULL && self->base == NULL
         && get_process (self, tb_focus_get_thread (self->focus)) != TB_ID_NONE;
}

/**
 * tb_document_analyse_process:
 *
 * Limits the analyses to all threads of the selected thread's process; the time range stays as it
 * is.
 */
void
tb_document_analyse_process (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (tb_document_can_analyse_process (self))
    limit (self, tb_focus_get_thread (self->focus), TRUE, self->has_range, self->range_from,
           self->range_to);
}

/* Limits the analyses to the selected thread; the time range stays as it is. */
void
tb_document_analyse_thread (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (tb_document_can_analyse_process (self))
    limit (self, tb_focus_get_thread (self->focus), FALSE, self->has_range, self->range_from,
           self->range_to);
}

/* Extends the analyses to the whole time range, and shows it. */
void
tb_document_analyse_all_times (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (self->trace == NULL || !self->has_range)
    return;
  tb_document_zoom_all (self);
  {
    g_autoptr (GArray) threads = g_array_copy (self->threads);

    limit_threads (self, (const guint32 *) threads->data, threads->len, self->thread,
                   self->whole_process, FALSE, 0, 0);
  }
}

/* Whether the analyses are limited to the recorded command, as they are at first. */
static gboolean
is_limited_to_command (TbDocument *self)
{
  return self->trace != NULL && !self->whole_system && self->thread == TB_ID_NONE
         && self->threads->len == 0 && tb_trace_get_command_process (self->trace) != TB_ID_NONE;
}

/* Extends the analyses from chosen threads to those of the recorded command, and from these to the
 * whole system. */
void
tb_document_analyse_all_threads (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (self->trace == NULL)
    return;
  if (is_limited_to_command (self))
    self->whole_system = TRUE;
  else if (self->thread == TB_ID_NONE && self->threads->len == 0)
    return;
  limit (self, TB_ID_NONE, FALSE, self->has_range, self->range_from, self->range_to);
}

/**
 * tb_document_can_analyse_command:
 *
 * Returns: whether the analyses cover something else than the recorded command
 */
gboolean
tb_document_can_analyse_command (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  return self->trace != NULL && !is_limited_to_command (self)
         && tb_trace_get_command_process (self->trace) != TB_ID_NONE;
}

/**
 * tb_document_analyse_command:
 *
 * Limits the analyses to the recorded command and the threads that worked for it; the time range
 * stays as it is.
 */
void
tb_document_analyse_command (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_can_analyse_command (self))
    return;
  self->whole_system = FALSE;
  limit (self, TB_ID_NONE, FALSE, self->has_range, self->range_from, self->range_to);
}

void
tb_document_analyse_all (TbDocument *self)
{
  g_return_if_fail (TB_IS_DOCUMENT (self));

  if (!tb_document_is_limited (self))
    return;
  if (self->has_range)
    tb_document_zoom_all (self);
  self->whole_system = TRUE;
  limit (self, TB_ID_NONE, FALSE, FALSE, 0, 0);
}

/**
 * tb_document_is_limited:
 *
 * Returns: whether the analyses cover only a part of the recording
 */
gboolean
tb_document_is_limited (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);
  return self->trace != NULL
         && (self->has_range || self->thread != TB_ID_NONE || self->threads->len > 0
             || is_limited_to_command (self));
}

gboolean
tb_document_get_analysed_range (TbDocument *self, gint64 *from, gint64 *to)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  if (self->selection != NULL)
    tb_selection_get_range (self->selection, from, to);
  return self->has_range;
}

/**
 * tb_document_describe_analysed_threads:
 *
 * Returns: (transfer full) (nullable): the threads that the analyses cover, for example "nginx
 *   (812)"; %NULL: all
 */
char *
tb_document_describe_analysed_threads (TbDocument *self)
{
  g_autofree char *name = NULL;
  guint32 process;
  guint n;

  g_return_val_if_fail (TB_IS_DOCUMENT (self), NULL);

  if (self->trace != NULL && self->threads->len > 0)
    return g_strdup_printf (ngettext ("%'u thread", "%'u threads", self->threads->len),
                            self->threads->len);
  if (is_limited_to_command (self))
    return g_strdup (_ ("Recorded command"));
  if (self->trace == NULL || self->thread == TB_ID_NONE)
    return NULL;
  if (!self->whole_process)
    return tb_recording_facts_name_thread (self->session, self->thread);
  process = get_process (self, self->thread);
  name = tb_session_describe_process (self->session, process, FALSE);
  n = add_process (self, process, NULL);
  /* Translators: a process, a number of threads */
  return g_strdup_printf (ngettext ("%s, %'u thread", "%s, %'u threads", n), name, n);
}
