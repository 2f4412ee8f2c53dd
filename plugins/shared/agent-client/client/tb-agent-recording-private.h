/* tb-agent-recording-private.h: state of a recording by tailback-agent, shared by its start and its
 * reader
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-agent-process.h"
#include "tb-agent-recording.h"
#include "agent-client/probes/tb-agent-functions.h"
#include "agent-client/probes/tb-annotations.h"
#include "agent-client/translate/tb-capture-translator.h"

G_BEGIN_DECLS

/* What the agent does, as far as its records have been read. The states follow each other in this
 * order, except that ENDED and FAILED exclude each other. */
typedef enum
{
  TB_AGENT_PROGRESS_QUERYING,  /* it measures the cost of recording */
  TB_AGENT_PROGRESS_STARTING,  /* it handles the start record */
  TB_AGENT_PROGRESS_RECORDING, /* events are recorded, since start_time */
  TB_AGENT_PROGRESS_ENDED,     /* its stream ended after the start */
  TB_AGENT_PROGRESS_FAILED,    /* its stream ended before events were recorded */
} TbAgentProgress;

struct _TbAgentRecording
{
  TbCollector *collector; /* not owned */
  TbAgentProcess *process;
  TbCaptureTranslator *translator;
  TbRecorder *recorder;

  /* what is probed; set before the reader starts */
  GPtrArray *functions; /* of TbAgentFunction */
  TbMarkedFunctions *marked;
  TbLockFunctions *locks;     /* NULL: creation of locks is not recorded */
  TbMemoryFunctions *memory;  /* NULL: allocation of locks is not recorded */
  TbAnnotations *annotations; /* NULL: marks are not looked for */

  /* the thread that reads the agent's stream */
  GThread *reader;
  GCancellable *reading_cancellable;

  /* changed with the lock held, by the reader and by the threads that wait for it */
  GMutex lock;
  GCond changed;
  TbAgentProgress progress; /* changed by the reader only */
  gboolean stopping;        /* the client has requested the end, whatever the progress */
  GError *error;            /* why it did not start or failed */
  guint n_answered;         /* number of answers about the probes of functions */
  char *refused;            /* reason of the first refusal of those, NULL: none */

  /* of the reader until it has ended */
  gint64 start_time;
  gint64 end_time;   /* 0: the agent did not end regularly */
  GString *counters; /* lines of the counters of unrecorded events */
  gboolean saving;   /* a flight recorder saves its buffer by itself */
  gboolean kept;     /* a flight recorder has dropped older records */

  TbAgentListener listener; /* NULL: none */
  gpointer listener_data;
  gboolean is_listener_done; /* the listener needs no more records */
};

static inline gboolean
tb_agent_recording_has_ended (const TbAgentRecording *self)
{
  return self->progress > TB_AGENT_PROGRESS_RECORDING;
}

/* Function of the reader: reads the agent's stream to its end. data: the recording */
gpointer tb_agent_recording_run_reader (gpointer data);
/* Waits for the reader and the end of the agent. */
void tb_agent_recording_join (TbAgentRecording *self);

G_END_DECLS
