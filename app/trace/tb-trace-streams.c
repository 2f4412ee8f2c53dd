/* tb-trace-streams.c: merge of the event tables and inferred runs into one sequence by time; events
 * of one time in their recorded order, else in a fixed order of the tables
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "trace/tb-time-order-private.h"
#include "trace/tb-trace-cancel-private.h"
#include "trace/tb-trace-streams-private.h"

static guint16
find_greatest (const guint16 *cpus, gsize n, guint16 greatest)
{
  for (gsize i = 0; i < n && !tb_trace_is_cancelled_at (i); i++)
    if (cpus[i] != TB_CPU_ALL)
      greatest = MAX (greatest, cpus[i]);
  return greatest;
}

guint
tb_trace_count_cpus (const TbTraceInput *input)
{
  guint16 greatest = 0;

  greatest = find_greatest (input->switches.cpu, input->switches.n, greatest);
  greatest = find_greatest (input->samples.cpu, input->samples.n, greatest);
  greatest = find_greatest (input->wakeups.cpu, input->wakeups.n, greatest);
  greatest = find_greatest (input->interrupts.cpu, input->interrupts.n, greatest);
  greatest = find_greatest (input->losses.cpu, input->losses.n, greatest);
  return (guint) greatest + 1;
}

static void
init_stream (TbStreams *self, TbStreamKind kind, const gint64 *times, gsize n)
{
  TbStream *stream = &self->streams[kind];

  if (tb_trace_is_cancelled ())
    return;
  stream->time = times;
  stream->n = n;
  if (n > 0 && (times[0] < 0 || !tb_times_are_ascending (times, n)))
    stream->order = tb_time_order (times, n, &stream->n);
  self->heads[kind] = stream->n > 0 ? times[tb_stream_get_row (stream)] : G_MAXINT64;
}

static void
set_simultaneous (TbStreams *self, const TbSequenceEvent *simultaneous, gsize n)
{
  self->simultaneous = simultaneous;
  self->n_simultaneous = n;
  self->simultaneous_time = n > 0 ? simultaneous[0].time : G_MAXINT64;
}

void
tb_streams_init (TbStreams *self, const TbTraceInput *input, guint n_cpus)
{
  self->issue_times = g_new (gint64, MAX (input->blocks.n, 1));
  for (gsize i = 0; i < input->blocks.n && !tb_trace_is_cancelled_at (i); i++)
    self->issue_times[i]
        = input->blocks.issue[i] >= 0 ? input->blocks.issue[i] : input->blocks.insert[i];

  init_stream (self, TB_STREAM_PROCESS, input->processes.time, input->processes.n);
  init_stream (self, TB_STREAM_INTERRUPT_ENTER, input->interrupts.enter, input->interrupts.n);
  init_stream (self, TB_STREAM_ISSUE, self->issue_times, input->blocks.n);
  init_stream (self, TB_STREAM_COMPLETE, input->blocks.complete, input->blocks.n);
  init_stream (self, TB_STREAM_NETWORK, input->networks.time, input->networks.n);
  init_stream (self, TB_STREAM_MARK, input->marks.time, input->marks.n);
  init_stream (self, TB_STREAM_WAKEUP, input->wakeups.time, input->wakeups.n);
  init_stream (self, TB_STREAM_INTERRUPT_EXIT, input->interrupts.exit, input->interrupts.n);
  init_stream (self, TB_STREAM_SWITCH, input->switches.time, input->switches.n);
  init_stream (self, TB_STREAM_ADDED, input->added.time, input->added.n);
  tb_inferred_runs_init (&self->inferred_runs, input, n_cpus, self->streams[TB_STREAM_SWITCH].order,
                         self->streams[TB_STREAM_SWITCH].n);
  init_stream (self, TB_STREAM_INFERRED_RUN, self->inferred_runs.time, self->inferred_runs.n);
  self->input = input;
  set_simultaneous (self, input->simultaneous, input->n_simultaneous);
}

void
tb_streams_clear (TbStreams *self)
{
  for (guint i = 0; i < TB_N_STREAMS; i++)
    g_clear_pointer (&self->streams[i].order, g_free);
  g_clear_pointer (&self->issue_times, g_free);
  tb_inferred_runs_clear (&self->inferred_runs);
}

/* TB_N_STREAMS: the event is in no stream. */
static TbStreamKind
get_kind (const TbStreams *self, const TbSequenceEvent *event)
{
  switch (event->kind)
    {
    case TB_ORDER_PROCESS:
      return TB_STREAM_PROCESS;
    case TB_ORDER_SWITCH:
      return TB_STREAM_SWITCH;
    case TB_ORDER_WAKEUP:
      return TB_STREAM_WAKEUP;
    case TB_ORDER_NETWORK:
      return TB_STREAM_NETWORK;
    case TB_ORDER_MARK:
      return TB_STREAM_MARK;
    case TB_ORDER_INTERRUPT_ENTER:
      return TB_STREAM_INTERRUPT_ENTER;
    case TB_ORDER_INTERRUPT_EXIT:
      return TB_STREAM_INTERRUPT_EXIT;
    case TB_ORDER_BLOCK_INSERT:
      return self->input->blocks.issue[event->row] < 0 ? TB_STREAM_ISSUE : TB_N_STREAMS;
    case TB_ORDER_BLOCK_ISSUE:
      return TB_STREAM_ISSUE;
    case TB_ORDER_BLOCK_COMPLETE:
      return TB_STREAM_COMPLETE;
    default:
      return TB_N_STREAMS;
    }
}

/* Takes the next of several simultaneous events at the current time, if their recorded order
 * differs from the order of the streams; else FALSE. An inferred run comes before all other events
 * of its time. */
gboolean
tb_streams_next_simultaneous (TbStreams *self, gint64 head, TbStreamKind *kind, guint32 *row)
{
  if (self->heads[TB_STREAM_INFERRED_RUN] == head)
    {
      *kind = TB_STREAM_INFERRED_RUN;
      *row = tb_stream_get_row (&self->streams[TB_STREAM_INFERRED_RUN]);
      tb_streams_step (self, TB_STREAM_INFERRED_RUN);
      return TRUE;
    }
  while (self->simultaneous_time <= head)
    {
      const TbSequenceEvent *event = self->simultaneous;

      set_simultaneous (self, self->simultaneous + 1, self->n_simultaneous - 1);
      *kind = get_kind (self, event);
      if (event->time < head || *kind == TB_N_STREAMS)
        continue;
      *row = event->row;
      /* Rows of existing threads are listed in the process table at this time, but are not
       * events. */
      while (self->streams[*kind].order == NULL && self->streams[*kind].i < event->row
             && self->streams[*kind].i + 1 < self->streams[*kind].n)
        tb_streams_step (self, *kind);
      tb_streams_step (self, *kind);
      return TRUE;
    }
  return FALSE;
}

gsize
tb_streams_get_length (const TbStreams *self)
{
  gsize length = 0;

  for (guint i = 0; i < TB_N_STREAMS; i++)
    length += self->streams[i].n;
  return length;
}
