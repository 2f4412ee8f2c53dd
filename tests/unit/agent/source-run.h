/* source-run.h: records one source with an agent, and has a process whose work is known to look at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent-run.h"

/* The scheduler's and the tasks' events, and one source more. */
TbCaptureRecord source_run_make_start (TbCaptureSource source, TbCaptureScope scope, gint32 pid);
AgentRun *source_run_begin (const TbCaptureRecord *start);
/* Stops it, and checks what must hold in every stream. */
void source_run_end (AgentRun *run);

/* A process that waits for a byte, does something often, and waits again. */
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
/* Lets it call worker_work() WORKER_CALLS times, WORKER_LONG_CALLS of them long, and worker_descend() once. */
void worker_let_work (const Worker *self);
void worker_end (const Worker *self);

/* What it calls and the tests probe: makes a system call; sleeps as well where the number is a multiple of ten. */
guint worker_work (guint number);
/* Calls itself until the depth is 0, and sleeps there. */
guint worker_descend (guint depth);
