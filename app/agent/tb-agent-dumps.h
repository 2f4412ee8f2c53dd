/* tb-agent-dumps.h: dumps of user stacks that were not possible, and why
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include "agent/tb-agent-map.h"
#include "capture/tb-capture-format.h"

/* What became of a dump. */
typedef enum
{
  TB_AGENT_DUMP_NONE, /* a thread of the kernel has no stack to be dumped */
  TB_AGENT_DUMP_DONE,
  TB_AGENT_DUMP_NOTHING_THERE, /* its memory could not be read */
  TB_AGENT_DUMP_FOREIGN,       /* of a program of another kind, as of 32 bits */
} TbAgentDumpEnd;

/* One that found nothing. */
typedef struct
{
  uint64_t time;
  uint64_t read; /* when something could be read later, 0 not yet */
  int32_t tid;
} TbAgentUnreadDump;

/* A thread that has ended. */
typedef struct
{
  uint64_t time;
  int32_t tid;
} TbAgentEndedThread;

/* A thread that was forked has no stack until it first writes there, one that executes another program loses its stack before
 * it gets the new one, one that ends gives it back: nothing is undone where there is nothing. What happens is told in the
 * order of each cpu, not of time. Zeroed memory is none. */
typedef struct
{
  uint64_t undone[TB_CAPTURE_N_DUMP_REASONS];
  TbAgentUnreadDump *unread;
  size_t n_unread;
  TbAgentMap waiting;       /* thread → how many of its unread ones wait for one that can be read */
  TbAgentMap forked;        /* thread → when its stack was read first, 0 not yet */
  TbAgentMap executed;      /* thread → when last */
  TbAgentMap ended;         /* thread that has not been forked again → when */
  TbAgentEndedThread *ends; /* in the order told; what is known of those from first_end on is kept yet */
  size_t first_end;
  size_t n_ends;
  size_t max_ends;
} TbAgentDumps;

void tb_agent_dumps_count (TbAgentDumps *self, int32_t tid, uint64_t time, TbAgentDumpEnd end);
void tb_agent_dumps_note_fork (TbAgentDumps *self, int32_t tid);
void tb_agent_dumps_note_exec (TbAgentDumps *self, int32_t tid, uint64_t time);
void tb_agent_dumps_note_exit (TbAgentDumps *self, int32_t tid, uint64_t time);
/* At the end: undone is complete. */
void tb_agent_dumps_settle (TbAgentDumps *self);
void tb_agent_dumps_clear (TbAgentDumps *self);
