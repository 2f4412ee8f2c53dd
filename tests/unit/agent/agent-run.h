/* agent-run.h: starts a tailback-agent and keeps what it writes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-decoder.h"
#include "capture/tb-capture-message.h"
#include "capture/tb-capture-encoder.h"

typedef struct
{
  pid_t pid;
  int in;
  int out;
  TbCaptureDecoder *decoder;
  GArray *records;    /* of TbCaptureRecord; tail is a copy, NULL for stacks unless keep_stacks */
  GPtrArray *strings; /* by id */
  TbCaptureHeader header;
  guint n_seen;      /* records that agent_run_wait_status() has passed */
  gboolean complete; /* END came */
  gboolean keep_stacks;
  int wait_status;
} AgentRun;

#define AGENT_SAME_USER ((uid_t) - 1)

/* Called in the process that becomes the agent; NULL nothing. */
extern void (*agent_run_before_exec) (void);

/* argv[0] is filled in; uid: whose process it is. Reads the header. */
AgentRun *agent_run_new (uid_t uid, const char *const *arguments, const char *const *environment);
void agent_run_free (AgentRun *self);

void agent_run_send (AgentRun *self, const TbCaptureRecord *record);
/* Everything, system-wide, as a default. */
TbCaptureRecord agent_run_make_start (TbCaptureScope scope, gint32 pid);
/* Reads until a STATUS of the kind comes, from where the last call stopped; the index of its record, or -1 if the stream
 * ends before. */
int agent_run_wait_status (AgentRun *self, guint kind);
/* The same for the next STATUS of a source. */
int agent_run_wait_source (AgentRun *self, guint source);
/* The first argument of the WARNING with that code, -1 if there is none. */
gint64 agent_run_find_warning (AgentRun *self, TbCaptureStatusCode code);
/* Reads until such a record has come, for some seconds at most. */
void agent_run_await (AgentRun *self, guint type);
void agent_run_start (AgentRun *self, const TbCaptureRecord *start);
/* Sends STOP, reads to the end, waits for the process. */
void agent_run_stop (AgentRun *self);
/* Reads to the end, waits for the process. */
void agent_run_finish (AgentRun *self);

guint agent_run_count (AgentRun *self, guint type);
const char *agent_run_get_string (AgentRun *self, guint32 id);
/* Of a STATUS record. */
TbCaptureStatus agent_run_get_status (AgentRun *self, int record);
TbCaptureMessage agent_run_get_message (AgentRun *self, int record);
/* That the STATUS record, which is there, has the code; argument: the first one, NULL any. */
void agent_run_assert_code (AgentRun *self, int record, TbCaptureStatusCode code, const char *argument);
/* What must hold in every stream. */
void agent_run_check (AgentRun *self);

#define AGENT_RUN_FOREACH(self, record)                                                                      \
  for (const TbCaptureRecord *record = (const TbCaptureRecord *) (gpointer) (self)->records->data,           \
                             *record##_end = record + (self)->records->len;                                  \
       record < record##_end; record++)

/* Until the first thread of the process has left its cpu of itself so many times more, however long that takes. */
void agent_run_await_sleeps (pid_t pid, guint n_sleeps);

/* The one that TAILBACK_TEST_FACILITY names, else perf. */
TbCaptureFacility agent_run_get_facility (void);
/* Skips the test where the whole system cannot be recorded in that way. */
gboolean agent_run_is_privileged (void);
