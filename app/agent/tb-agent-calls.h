/* tb-agent-calls.h: what threads sleep in when they sleep in a system call
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/bpf/tb-bpf-sleep-record.h"

/* Which of a call's arguments are to be looked at; all zero for numbers that are not known. */
TbBpfCallShape tb_agent_calls_get_shape (uint32_t number);

/* A TbCaptureSleepKind from the call and, where that decides, the object it is about. */
unsigned tb_agent_calls_get_kind (const TbBpfSleep *sleep);

typedef enum
{
  TB_AGENT_TIMEOUT_RELATIVE,
  TB_AGENT_TIMEOUT_MONOTONIC, /* a time of that clock, as the next */
  TB_AGENT_TIMEOUT_REALTIME,
  TB_AGENT_TIMEOUT_UNKNOWN, /* one or the other */
} TbAgentTimeoutClock;

TbAgentTimeoutClock tb_agent_calls_get_timeout_clock (const TbBpfSleep *sleep);
/* Whether the first argument is the address of a futex. */
int tb_agent_calls_is_futex (uint32_t number);
