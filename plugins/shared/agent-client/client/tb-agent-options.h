/* tb-agent-options.h: options of the collectors that record with tailback-agent: table of their
 * names, texts, groups and limits, from which properties are made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* In display order; the values are also the property ids. */
typedef enum
{
  TB_AGENT_OPTION_SAMPLES = 1,
  TB_AGENT_OPTION_FREQUENCY,
  TB_AGENT_OPTION_STACKS,
  TB_AGENT_OPTION_KERNEL_STACKS,
  TB_AGENT_OPTION_WAKING_KERNEL_STACKS,
  TB_AGENT_OPTION_REPAIR_STACKS,
  TB_AGENT_OPTION_DUMP_STACKS,
  TB_AGENT_OPTION_DUMP_BYTES,
  TB_AGENT_OPTION_INTERRUPTS,
  TB_AGENT_OPTION_BLOCK,
  TB_AGENT_OPTION_NETWORK,
  TB_AGENT_OPTION_SYSCALLS,
  TB_AGENT_OPTION_SYSCALL_STACKS,
  TB_AGENT_OPTION_SYSCALL_MIN,
  TB_AGENT_OPTION_SYSCALL_STACK_INTERVAL,
  TB_AGENT_OPTION_ANNOTATIONS,
  TB_AGENT_OPTION_LOCKS,
  TB_AGENT_OPTION_LOCK_ALLOCATIONS,
  TB_AGENT_OPTION_MARK,
  TB_AGENT_OPTION_PROBE,
  TB_AGENT_OPTION_CGROUP,
  TB_AGENT_OPTION_FLIGHT_RECORDER,
  TB_AGENT_OPTION_FLIGHT_RECORDER_SIZE,
  TB_AGENT_OPTION_TRIGGER,
  TB_AGENT_OPTION_RING_SIZE,
  TB_AGENT_OPTION_MEASURE,
  TB_AGENT_OPTION_AUTHORIZE,
  TB_AGENT_N_OPTIONS,
} TbAgentOption;

/* A collector's difference from the common definition of one option */
typedef struct
{
  TbAgentOption option;
  const char *blurb; /* marked with N_() */
  gboolean initial;  /* of a switch */
} TbAgentOptionChange;

/* (transfer floating): creates the property of one option; change: the collector's difference, or
 * NULL */
GParamSpec *tb_agent_option_make (TbAgentOption option, const TbAgentOptionChange *change);

G_END_DECLS
