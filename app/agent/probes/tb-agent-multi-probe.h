/* tb-agent-multi-probe.h: attaching of many user probes in one file by a single request to the
 * kernel
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <stdint.h>

#include "agent/probes/tb-agent-attach-helper.h"

typedef struct
{
  int program;
  int file;
  const uint64_t *offsets;
  const uint64_t *cookies; /* as many as offsets; NULL: all 0 */
  size_t n;                /* at least one */
  int is_return;           /* the probes are at the returns of functions */
  int32_t traced;          /* PID; 0: every process */
} TbAgentMultiProbe;

/* Adds the link of the attached probes. -1 with errno */
int tb_agent_multi_probe_attach (const TbAgentMultiProbe *self, TbAgentLinks *links);
