/* tb-agent-syscalls.h: table of the system calls that may wait: kind of wait in each (where it
 * waits for any file descriptor, by what is open there), which arguments are the awaited object and
 * the timeout, and the clock of the timeout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/programs/tb-bpf-sleep-record.h"

/* Which arguments of a call the programs read; all zero for unknown numbers. */
TbBpfCallShape tb_agent_syscalls_get_shape (uint32_t number);

/* The TbCaptureSleepKind of a call. The kind of the object decides where the call alone does
 * not. */
unsigned tb_agent_syscalls_get_kind (const TbBpfSleep *sleep);

typedef enum
{
  TB_AGENT_TIMEOUT_RELATIVE,
  TB_AGENT_TIMEOUT_MONOTONIC, /* a time of that clock, as the next */
  TB_AGENT_TIMEOUT_REALTIME,
  TB_AGENT_TIMEOUT_UNKNOWN, /* either of the two */
} TbAgentTimeoutClock;

TbAgentTimeoutClock tb_agent_syscalls_get_timeout_clock (const TbBpfSleep *sleep);
/* 1 + the operation of a futex or of a lock of a file; 0: the call has none. */
uint32_t tb_agent_syscalls_get_operation (const TbBpfSleep *sleep);
/* Whether the first argument is the address of a futex. */
int tb_agent_syscalls_is_futex (uint32_t number);
