/* agent-run.h: runs of the tailback-agent, with the records that it wrote
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
  GPtrArray *strings; /* by ID */
  TbCaptureHeader header;
  guint n_waited;    /* records that agent_run_wait_status() has passed */
  gboolean complete; /* the END record was received */
  gboolean keep_stacks;
  int wait_status;
} AgentRun;

#define AGENT_SAME_USER ((uid_t) - 1)

/* Called in the child process before it executes the agent; NULL: nothing. */
extern void (*agent_run_before_exec) (void);

/* argv[0] is filled in. uid: the owner of the process. Reads the header. */
AgentRun *agent_run_new (uid_t uid, const char *const *arguments, const char *const *environment);
void agent_run_free (AgentRun *self);

void agent_run_send (AgentRun *self, const TbCaptureRecord *record);
/* Returns a start record with the default sources. */
TbCaptureRecord agent_run_make_start (TbCaptureScope scope, gint32 pid);
/* Reads until a STATUS record of that kind is received, starting where the last call stopped.
 * Returns the index of the record, or -1 if the stream ends before. */
int agent_run_wait_status (AgentRun *self, guint kind);
/* The same for the next STATUS record of a source. */
int agent_run_wait_source (AgentRun *self, guint source);
/* Returns the first argument of the WARNING with that code, -1 if there is none. */
gint64 agent_run_find_warning (AgentRun *self, TbCaptureStatusCode code);
/* Reads until a record of that type is received, for some seconds at most. */
void agent_run_await (AgentRun *self, guint type);
void agent_run_start (AgentRun *self, const TbCaptureRecord *start);
/* Sends STOP, reads to the end, waits for the process. */
void agent_run_stop (AgentRun *self);
/* Reads to the end, waits for the process. */
void agent_run_finish (AgentRun *self);

guint agent_run_count (AgentRun *self, guint type);
const char *agent_run_get_string (AgentRun *self, guint32 id);
/* Returns the content of a STATUS record. */
TbCaptureStatus agent_run_get_status (AgentRun *self, int record);
TbCaptureMessage agent_run_get_message (AgentRun *self, int record);
/* Asserts that there is a STATUS record, and that it has the code. argument: the first argument,
 * NULL: any. */
void
agent_run_assert_code (AgentRun *self, int record, TbCaptureStatusCode code, const char *argument);
/* Asserts what must be true of every stream. */
void agent_run_check (AgentRun *self);

#define AGENT_RUN_FOREACH(self, record)                                                            \
  for (const TbCaptureRecord *record = (const TbCaptureRecord *) (gpointer) (self)->records->data, \
                             *record##_end = record + (self)->records->len;                        \
       record < record##_end; record++)

/* Waits until the first thread of the process has left its CPU voluntarily n_sleeps more times,
 * however long that takes. */
void agent_run_await_sleeps (pid_t pid, guint n_sleeps);

/* The backend named by TAILBACK_TEST_BACKEND, by default perf. */
TbCaptureBackend agent_run_get_backend (void);
/* Skips the test if the whole system cannot be recorded with that backend. */
gboolean agent_run_is_privileged (void);

/* Whether perf_event_paranoid is 2, the default of Linux: without a capability only own processes
 * may be recorded. Otherwise the test is skipped. */
gboolean agent_run_is_system_protected (void);
