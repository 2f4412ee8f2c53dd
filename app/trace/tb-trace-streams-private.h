/* tb-trace-streams-private.h: merge of the event tables and inferred runs into one sequence by
 * time; events of one time in their recorded order, else in a fixed order of the tables
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "trace/tb-trace-inferred-runs-private.h"

G_BEGIN_DECLS

/* Streams in the order in which events of the same time stamp take effect, unless the recorded
 * order of simultaneous events is known. */
typedef enum
{
  TB_STREAM_PROCESS,
  TB_STREAM_INTERRUPT_ENTER,
  TB_STREAM_ISSUE,
  TB_STREAM_COMPLETE,
  TB_STREAM_NETWORK,
  TB_STREAM_MARK,
  TB_STREAM_INFERRED_RUN,
  TB_STREAM_WAKEUP,
  TB_STREAM_INTERRUPT_EXIT,
  TB_STREAM_SWITCH,
  TB_STREAM_ADDED,
  TB_N_STREAMS,
} TbStreamKind;

typedef struct
{
  const gint64 *time;
  guint32 *order; /* NULL: in row order */
  gsize i;
  gsize n;
} TbStream;

typedef struct
{
  TbStream streams[TB_N_STREAMS];
  gint64 heads[TB_N_STREAMS]; /* time of the next event, G_MAXINT64 if none */
  gint64 *issue_times;
  const TbSequenceEvent *simultaneous; /* simultaneous events that are not processed yet */
  gsize n_simultaneous;
  gint64 simultaneous_time; /* time of the first of them, G_MAXINT64 if none */
  const TbTraceInput *input;
  TbInferredRuns inferred_runs;
} TbStreams;

/* The highest CPU number plus one. */
guint tb_trace_count_cpus (const TbTraceInput *input);

void tb_streams_init (TbStreams *self, const TbTraceInput *input, guint n_cpus);
void tb_streams_clear (TbStreams *self);
gsize tb_streams_get_length (const TbStreams *self);

gboolean
tb_streams_next_simultaneous (TbStreams *self, gint64 head, TbStreamKind *kind, guint32 *row);

static inline guint32
tb_stream_get_row (const TbStream *stream)
{
  return stream->order != NULL ? stream->order[stream->i] : stream->i;
}

static inline void
tb_streams_step (TbStreams *self, TbStreamKind kind)
{
  TbStream *stream = &self->streams[kind];

  stream->i++;
  self->heads[kind] = stream->i < stream->n ? stream->time[tb_stream_get_row (stream)] : G_MAXINT64;
}

/* Takes the next event: its table and row. FALSE at the end. */
static inline gboolean
tb_streams_next (TbStreams *self, TbStreamKind *kind, guint32 *row, gint64 *time)
{
  TbStreamKind least = 0;
  TbStream *stream;

  for (guint i = 1; i < TB_N_STREAMS; i++)
    if (self->heads[i] < self->heads[least])
      least = i;
  stream = &self->streams[least];
  if (stream->i == stream->n)
    return FALSE;
  *time = self->heads[least];
  if (G_UNLIKELY (*time >= self->simultaneous_time)
      && tb_streams_next_simultaneous (self, *time, kind, row))
    return TRUE;
  *kind = least;
  *row = tb_stream_get_row (stream);
  tb_streams_step (self, least);
  return TRUE;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbStreams, tb_streams_clear)

G_END_DECLS
