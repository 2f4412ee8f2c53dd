/* source-run.h: recordings of one source with an agent, and a worker process with known activity
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-run.h"

/* A start record for scheduler and task events and one further source. */
TbCaptureRecord source_run_make_start (TbCaptureSource source, TbCaptureScope scope, gint32 pid);
AgentRun *source_run_begin (const TbCaptureRecord *start);
/* Stops the recording and checks the stream. */
void source_run_end (AgentRun *run);

/* A process that waits for a byte, calls functions many times, and waits again. */
typedef struct
{
  pid_t pid;
  int to;
  int from;
} Worker;

#define WORKER_CALLS 300u
#define WORKER_LONG_CALLS (WORKER_CALLS / 10)
#define WORKER_LONG_CALL_US 10000u
#define WORKER_DEPTH 5u

Worker worker_start (void);
/* Makes it call worker_work() WORKER_CALLS times, WORKER_LONG_CALLS of them long, and
 * worker_descend() once. */
void worker_let_work (const Worker *self);
void worker_end (const Worker *self);

/* The function that the tests probe. It makes a system call, and sleeps if the number is a multiple
 * of ten. */
guint worker_work (guint number);
/* Calls itself until the depth is 0, and sleeps there. */
guint worker_descend (guint depth);
