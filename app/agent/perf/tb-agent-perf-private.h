/* tb-agent-perf-private.h: type of a tracepoint that perf events record (name, fields, stacks,
 * kernel filter, what is missing without it), table of them; functions that the files of this
 * folder share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "agent/cost/tb-agent-cost.h"
#include "agent/perf/tb-agent-perf.h"

/* Registers that unwinding needs, numbered as in the kernel's perf_regs.h */
#if defined __x86_64__
#  define TB_AGENT_DUMPED_REGISTERS 0xff01ffu
#elif defined __aarch64__
#  define TB_AGENT_DUMPED_REGISTERS 0x1ffffffffu
#else
#  define TB_AGENT_DUMPED_REGISTERS 0u
#endif

typedef struct
{
  const char *group;
  const char *name;
  uint8_t source;      /* TbCaptureSource */
  uint16_t user_stack; /* TbCaptureStackFlags that request one, 0: never */
  uint16_t kernel_stack;
  const char *filter;    /* evaluated in the kernel, NULL: none */
  uint16_t missing_code; /* TbCaptureStatusCode: what a recording lacks without it */
  const char *fields[TB_AGENT_MAX_FIELDS];
} TbAgentTracepoint;

extern const TbAgentTracepoint tb_agent_tracepoints[TB_AGENT_N_TRACEPOINTS];

/* tb-agent-perf-drain.c */
/* Discards the content of the rings. Returns the number of events of a kind. */
uint64_t tb_agent_perf_discard (TbAgent *self, TbAgentEvent event);

/* tb-agent-perf-cost.c */
void tb_agent_perf_measure_cost (TbAgent *self, TbAgentCost *cost);
/* tb-agent-perf-dumps.c: the kernel filter for switches of the threads whose stacks are dumped, or
 * of the others */
void tb_agent_perf_dumps_make_filter (const TbAgent *self, int chosen, char *filter, size_t size);
int tb_agent_perf_dumps_includes (const TbAgent *self, TbAgentEvent event);
/* Reports which dumps are not available. */
void tb_agent_perf_dumps_report (TbAgent *self);

/* tb-agent-perf-translator.c: translates one record of a ring */
void tb_agent_translate (TbAgent *self, TbAgentRing *ring, const uint8_t *record, size_t size);
/* Evaluates only changes of the target's membership. */
void tb_agent_translate_membership (TbAgent *self, const uint8_t *record, size_t size);
/* Evaluates only forks. */
void tb_agent_translate_announcement (TbAgent *self, const uint8_t *record, size_t size);
