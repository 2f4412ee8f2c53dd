/* tb-document-causes.c: command for the selected interval: if it is a wait, what ended it is
 * selected (an interval of the waker, a device operation or an interrupt), else the wait before
 * it; a message if nothing can be selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/document/tb-document-private.h"
#include "trace/tb-track.h"

static gboolean
is_sleep (guint8 state)
{
  return state == TB_STATE_INTERRUPTIBLE || state == TB_STATE_UNINTERRUPTIBLE
         || state == TB_STATE_STOPPED;
}

/* Returns the row of the selected interval; -1: none. */
static gssize
get_selected (TbDocument *self)
{
  guint32 thread = tb_focus_get_thread (self->focus);
  gint64 from, to;

  if (self->trace == NULL || self->base != NULL || thread == TB_ID_NONE
      || !tb_focus_get_time (self->focus, &from, &to))
    return -1;
  return tb_trace_find_interval (self->trace, thread, from);
}

/**
 * tb_document_can_go_to_cause:
 *
 * Returns: whether an interval of a thread is selected
 */
gboolean
tb_document_can_go_to_cause (TbDocument *self)
{
  g_return_val_if_fail (TB_IS_DOCUMENT (self), FALSE);

  return get_selected (self) >= 0;
}

static void
select_interval (TbDocument *self, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);

  tb_focus_begin_change (self->focus);
  tb_focus_reveal (self->focus, intervals->start[interval], intervals->end[interval]);
  tb_focus_select_item (self->focus, NULL, NULL, intervals->thread[interval],
                        intervals->start[interval], intervals->end[interval], NULL);
  tb_focus_end_change (self->focus);
}

/* Selects the interval in which the waker ran when it woke the thread. The waker may have been
 * preempted at that very time. */
static gboolean
go_to_waker (TbDocument *self, guint32 waker, gint64 time)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  gssize found = tb_trace_find_interval (self->trace, waker, time);

  if (found >= 0 && intervals->state[found] != TB_STATE_RUNNING && intervals->start[found] == time)
    {
      gssize before = tb_trace_find_interval (self->trace, waker, time - 1);

      if (before >= 0 && intervals->state[before] == TB_STATE_RUNNING)
        found = before;
    }
  if (found < 0)
    return FALSE;
  select_interval (self, (gsize) found);
  return TRUE;
}

/* Selects the interval of a track that contains the time, or the last one before it. */
static gboolean
go_to_track (TbDocument *self, const char *id, const TbTrack *track, gint64 time)
{
  const gint64 *start = g_bytes_get_data (track->start, NULL),
               *end = g_bytes_get_data (track->end, NULL);
  gsize low = 0, high = track->n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (start[middle] <= time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return FALSE;
  tb_focus_begin_change (self->focus);
  tb_focus_reveal (self->focus, start[low - 1], end[low - 1]);
  tb_focus_select_item (self->focus, "timeline", id, TB_ID_NONE, start[low - 1], end[low - 1],
                        NULL);
  tb_focus_end_change (self->focus);
  return TRUE;
}

static gboolean
go_to_device (TbDocument *self, guint32 device, gint64 time)
{
  g_autofree char *id = g_strdup_printf ("device:%u", device);
  guint n_devices;

  tb_session_get_devices (self->session, &n_devices);
  return device < n_devices
         && go_to_track (self, id,
                         tb_trace_get_device_track (self->trace, device, TB_DEVICE_TRACK_SERVICE),
                         time);
}

static guint32
find_host (TbDocument *self, guint32 thread)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (self->session, &n_threads);
  const TbProcess *processes = tb_session_get_processes (self->session, &n_processes);

  return thread < n_threads && threads[thread].process < n_processes
             ? processes[threads[thread].process].host
             : TB_ID_NONE;
}

static gboolean
go_to_interrupt (TbDocument *self, guint32 host, guint32 name, gint64 time)
{
  const char *text = name != TB_STRING_NONE ? tb_session_get_string (self->session, name) : NULL;
  guint n_sources;
  const TbInterruptSource *sources = tb_trace_get_interrupt_sources (self->trace, &n_sources);

  for (guint i = 0; text != NULL && i < n_sources; i++)
    {
      g_autofree char *id = g_strdup_printf ("interrupt:%u", i);

      if (g_strcmp0 (sources[i].name, text) == 0
          && (sources[i].host == host || sources[i].host == TB_ID_NONE || host == TB_ID_NONE)
          && go_to_track (self, id, tb_trace_get_interrupt_track (self->trace, i), time))
        return TRUE;
    }
  return FALSE;
}

/* Selects the last wait before an interval. Runnable and preempted intervals in between are
 * skipped. */
static gboolean
go_to_wait_before (TbDocument *self, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  guint32 thread = intervals->thread[interval];

  while (interval > 0 && intervals->thread[interval - 1] == thread)
    if (is_sleep (intervals->state[--interval]))
      {
        select_interval (self, interval);
        return TRUE;
      }
  return FALSE;
}

/* Shows a message about a cause that cannot be selected. */
static void
show_message (TbDocument *self, gsize interval)
{
  const TbIntervals *intervals = tb_trace_get_intervals (self->trace);
  TbCauseKind kind = intervals->cause_kind[interval];
  g_autofree char *cause = tb_trace_describe_cause (self->trace, kind, intervals->cause[interval]);
  g_autofree char *text = NULL;

  if (!is_sleep (intervals->state[interval]))
    text = g_strdup (_ ("What the thread waited for before this interval was not recorded"));
  else if (intervals->flags[interval] & TB_INTERVAL_OPEN_END)
    text = g_strdup (_ ("The wait had not ended at the end of the recording"));
  else if (kind == TB_CAUSE_NONE || kind == TB_CAUSE_UNKNOWN)
    text = g_strdup (_ ("What ended the wait is not known"));
  else
    text = g_strdup_printf (_ ("What ended the wait: %s"), cause);
  g_signal_emit_by_name (self, "message", text);
}

/**
 * tb_document_go_to_cause:
 *
 * Selects what ended the selected wait: an interval of another thread, a device operation or an
 * interrupt. If the selected interval is not a wait, the wait before it is selected. Repeated calls
 * therefore follow the chain of causes. If there is nothing to select, a message states why.
 */
void
tb_document_go_to_cause (TbDocument *self)
{
  const TbIntervals *intervals;
  gssize interval;
  gboolean selected = FALSE;

  g_return_if_fail (TB_IS_DOCUMENT (self));

  interval = get_selected (self);
  if (interval < 0)
    return;
  intervals = tb_trace_get_intervals (self->trace);
  if (!is_sleep (intervals->state[interval]))
    selected = go_to_wait_before (self, (gsize) interval);
  else
    switch ((TbCauseKind) intervals->cause_kind[interval])
      {
      case TB_CAUSE_THREAD:
      case TB_CAUSE_SIGNAL:
        selected = go_to_waker (self, intervals->cause[interval], intervals->end[interval]);
        break;
      case TB_CAUSE_DEVICE:
        selected = go_to_device (self, intervals->cause[interval], intervals->end[interval]);
        break;
      case TB_CAUSE_INTERRUPT:
        selected = go_to_interrupt (self, find_host (self, intervals->thread[interval]),
                                    intervals->cause[interval], intervals->end[interval]);
        break;
      case TB_CAUSE_NONE:
      case TB_CAUSE_TIMER:
      case TB_CAUSE_NETWORK:
      case TB_CAUSE_UNKNOWN:
      default:
        break;
      }
  if (!selected)
    show_message (self, (gsize) interval);
}
