/* tb-agent-stack-dumps.h: count of the dumps of user stacks that failed, by reason; a dump does not
 * count if the thread had no stack at that time, which its fork, exec and exit show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/base/tb-agent-map.h"
#include "capture/tb-capture-format.h"

/* Outcome of a dump */
typedef enum
{
  TB_AGENT_DUMP_NONE, /* a kernel thread, which has no user stack */
  TB_AGENT_DUMP_DONE,
  TB_AGENT_DUMP_EMPTY,   /* its stack memory could not be read */
  TB_AGENT_DUMP_FOREIGN, /* a program of another ABI, such as 32-bit */
} TbAgentDumpEnd;

/* A dump that found no stack memory */
typedef struct
{
  uint64_t time;
  uint64_t next_success; /* time of the next successful dump, 0: none yet */
  int32_t tid;
} TbAgentEmptyDump;

/* A thread that has ended */
typedef struct
{
  uint64_t time;
  int32_t tid;
} TbAgentEndedThread;

/* A forked thread has no stack until its first write there. A thread that executes another program
 * loses its stack before it gets the new one. A thread that ends gives its stack back. In these
 * cases nothing was there to dump, so the dump does not count as failed. Events arrive in time
 * order within each CPU, not across CPUs. Zeroed memory is an empty state. */
typedef struct
{
  uint64_t failed[TB_CAPTURE_N_DUMP_REASONS];
  TbAgentEmptyDump *empty_dumps;
  size_t n_empty_dumps;
  TbAgentMap n_unresolved; /* thread → number of its empty dumps without a later successful one */
  TbAgentMap forked;       /* thread → time of its first successful dump, 0: none yet */
  TbAgentMap executed;     /* thread → time of its last exec */
  TbAgentMap ended;        /* thread that has not been forked again → time of its exit */
  /* in order of arrival; state of the threads from first_end on is still kept */
  TbAgentEndedThread *ends;
  size_t first_end;
  size_t n_ends;
  size_t max_ends;
} TbAgentStackDumps;

void tb_agent_stack_dumps_count (TbAgentStackDumps *self,
                                 int32_t tid,
                                 uint64_t time,
                                 TbAgentDumpEnd end);
void tb_agent_stack_dumps_note_fork (TbAgentStackDumps *self, int32_t tid);
void tb_agent_stack_dumps_note_exec (TbAgentStackDumps *self, int32_t tid, uint64_t time);
void tb_agent_stack_dumps_note_exit (TbAgentStackDumps *self, int32_t tid, uint64_t time);
/* At the end of the recording: completes the counts of failed dumps. */
void tb_agent_stack_dumps_settle (TbAgentStackDumps *self);
void tb_agent_stack_dumps_clear (TbAgentStackDumps *self);
